//! The interface of criterion 0.5, for suite. Benchmarks keep `use criterion::…`, and their program speaks suite's
//! line protocol: it lists its benchmarks, and runs one of them as often as it is told. It makes no statistics.
//!
//! Not here: measurements other than time, profilers, and `to_async`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};
use std::marker::PhantomData;
use std::time::{Duration, Instant};

pub use std::hint::black_box;

/// What the functions of all groups are called for.
enum Pass {
    /// To collect the names of the benchmarks.
    List(Vec<String>),
    /// To run a benchmark so many times.
    Run(u64, String),
    /// For nothing more: the benchmark has run, and the next pass is this one.
    Over(Box<Pass>),
    /// The input has ended.
    Done,
}

thread_local! {
    static PASS: RefCell<Pass> = const { RefCell::new(Pass::Done) };
    /// How often a name has come in this pass. As in criterion, the second one is NAME #2.
    static SEEN: RefCell<HashMap<String, u32>> = RefCell::new(HashMap::new());
}

/// Answers requests until the end of standard input. `groups` calls the functions of all groups.
pub fn serve(groups: fn()) {
    if io::stdin().is_terminal() {
        println!("This program speaks the line protocol of suite, on standard input: suite run measures it.");
        return;
    }
    let mut next = read();
    while !matches!(next, Pass::Done) {
        SEEN.with_borrow_mut(HashMap::clear);
        PASS.set(next);
        groups();
        next = match PASS.replace(Pass::Done) {
            Pass::List(names) => {
                let names: Vec<String> = names.iter().map(|n| quote(n)).collect();
                println!("{{\"benchmarks\": [{}]}}", names.join(", "));
                read()
            }
            Pass::Run(_, name) => {
                println!("{{\"name\": {}, \"error\": \"there is no such benchmark\"}}", quote(&name));
                read()
            }
            Pass::Over(next) => *next,
            Pass::Done => Pass::Done,
        };
    }
}

/// Reads a request. Other lines are ignored.
fn read() -> Pass {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.splitn(3, ' ');
        match (words.next(), words.next().and_then(|n| n.parse().ok()), words.next()) {
            (Some("list"), _, _) => return Pass::List(Vec::new()),
            (Some("run"), Some(n), Some(name)) => return Pass::Run(n, name.to_string()),
            _ => {}
        }
    }
    Pass::Done
}

/// Makes a text of JSON.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Lists a benchmark, or runs it if it is the one of the request. Requests for the same one that follow are answered
/// here, so that what the group has set up is made once.
fn visit(name: String, mut body: impl FnMut(&mut Bencher)) {
    let name = SEEN.with_borrow_mut(|seen| {
        let count = seen.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name} #{count}") }
    });
    SEEN.with_borrow_mut(|seen| seen.insert(name.clone(), 1));
    loop {
        let iterations = PASS.with_borrow_mut(|pass| match pass {
            Pass::List(names) => {
                names.push(name.clone());
                None
            }
            Pass::Run(n, wanted) if *wanted == name => Some(*n),
            _ => None,
        });
        let Some(iterations) = iterations else { return };
        let mut bencher = Bencher { iterations, elapsed: None, measurement: PhantomData };
        body(&mut bencher);
        let quoted = quote(&name);
        match bencher.elapsed.map(|t| t.as_secs_f64()) {
            Some(s) => println!("{{\"name\": {quoted}, \"iterations\": {iterations}, \"seconds\": {s:e}}}"),
            None => println!("{{\"name\": {quoted}, \"error\": \"the benchmark has called no iter\"}}"),
        }
        PASS.set(match read() {
            Pass::Run(n, again) if again == name => Pass::Run(n, again),
            next => Pass::Over(Box::new(next)),
        });
    }
}

pub mod measurement {
    pub trait Measurement {}
    pub struct WallTime;
    impl Measurement for WallTime {}
}
use measurement::{Measurement, WallTime};

/// Times the body of a benchmark.
pub struct Bencher<'a, M: Measurement = WallTime> {
    iterations: u64,
    elapsed: Option<Duration>,
    measurement: PhantomData<&'a M>,
}

impl<M: Measurement> Bencher<'_, M> {
    pub fn iter<O>(&mut self, mut routine: impl FnMut() -> O) {
        let start = Instant::now();
        for _ in 0..self.iterations {
            black_box(routine());
        }
        self.elapsed = Some(start.elapsed());
    }

    pub fn iter_custom(&mut self, mut routine: impl FnMut(u64) -> Duration) {
        self.elapsed = Some(routine(self.iterations));
    }

    pub fn iter_with_large_drop<O>(&mut self, mut routine: impl FnMut() -> O) {
        self.iter_batched(|| (), |()| routine(), BatchSize::SmallInput);
    }

    pub fn iter_with_setup<I, O>(&mut self, setup: impl FnMut() -> I, routine: impl FnMut(I) -> O) {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Times no setup and no drop of an output.
    pub fn iter_batched<I, O>(
        &mut self,
        mut setup: impl FnMut() -> I,
        mut routine: impl FnMut(I) -> O,
        size: BatchSize,
    ) {
        self.batches(size, |n| {
            let inputs: Vec<I> = black_box((0..n).map(|_| setup()).collect());
            let mut outputs = Vec::with_capacity(n);
            let start = Instant::now();
            outputs.extend(inputs.into_iter().map(&mut routine));
            let elapsed = start.elapsed();
            black_box(outputs);
            elapsed
        });
    }

    /// Times no setup and no drop of an input or output.
    pub fn iter_batched_ref<I, O>(
        &mut self,
        mut setup: impl FnMut() -> I,
        mut routine: impl FnMut(&mut I) -> O,
        size: BatchSize,
    ) {
        self.batches(size, |n| {
            let mut inputs: Vec<I> = black_box((0..n).map(|_| setup()).collect());
            let mut outputs = Vec::with_capacity(n);
            let start = Instant::now();
            outputs.extend(inputs.iter_mut().map(&mut routine));
            let elapsed = start.elapsed();
            black_box(outputs);
            elapsed
        });
    }

    fn batches(&mut self, size: BatchSize, mut batch: impl FnMut(usize) -> Duration) {
        let (mut left, mut total) = (self.iterations, Duration::ZERO);
        while left > 0 {
            let n = size.of(self.iterations).clamp(1, left);
            total += batch(n as usize);
            left -= n;
        }
        self.elapsed = Some(total);
    }
}

/// How many inputs are made at a time.
#[derive(Clone, Copy)]
pub enum BatchSize {
    SmallInput,
    LargeInput,
    PerIteration,
    NumBatches(u64),
    NumIterations(u64),
}

impl BatchSize {
    fn of(self, iterations: u64) -> u64 {
        match self {
            BatchSize::SmallInput => iterations.div_ceil(10),
            BatchSize::LargeInput => iterations.div_ceil(1000),
            BatchSize::PerIteration => 1,
            BatchSize::NumBatches(n) => iterations.div_ceil(n.max(1)),
            BatchSize::NumIterations(n) => n,
        }
    }
}

/// The name of a benchmark in its group.
pub struct BenchmarkId(String);

impl BenchmarkId {
    pub fn new(function: impl Into<String>, parameter: impl Display) -> Self {
        BenchmarkId(format!("{}/{parameter}", function.into()))
    }
    pub fn from_parameter(parameter: impl Display) -> Self {
        BenchmarkId(parameter.to_string())
    }
}

pub trait IntoBenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId;
}
impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}
impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        BenchmarkId(self.into())
    }
}

/// Settings of criterion's reports, which suite does not make.
pub enum Throughput {
    Bytes(u64),
    BytesDecimal(u64),
    Elements(u64),
}
#[derive(Clone, Copy)]
pub enum SamplingMode {
    Auto,
    Linear,
    Flat,
}
#[derive(Clone, Copy)]
pub enum AxisScale {
    Linear,
    Logarithmic,
}
#[derive(Clone, Default)]
pub struct PlotConfiguration;
impl PlotConfiguration {
    pub fn summary_scale(self, _: AxisScale) -> Self {
        self
    }
}

/// The start of each function of a group.
pub struct Criterion<M: Measurement = WallTime>(PhantomData<M>);

impl Default for Criterion {
    fn default() -> Self {
        Criterion(PhantomData)
    }
}

/// Settings that have no effect: the suite file has those of suite.
macro_rules! ignored {
    ($self:ty: $($name:ident($($type:ty)?)),*) => { $(pub fn $name(self: $self $(, _: $type)?) -> $self { self })* };
}

impl<M: Measurement> Criterion<M> {
    ignored!(Self: sample_size(usize), measurement_time(Duration), warm_up_time(Duration), nresamples(usize),
        noise_threshold(f64), confidence_level(f64), significance_level(f64), configure_from_args(), with_plots(),
        without_plots());

    pub fn bench_function(&mut self, id: &str, f: impl FnMut(&mut Bencher<'_>)) -> &mut Self {
        visit(id.to_string(), f);
        self
    }
    pub fn bench_with_input<I: ?Sized>(
        &mut self,
        id: BenchmarkId,
        input: &I,
        mut f: impl FnMut(&mut Bencher<'_>, &I),
    ) -> &mut Self {
        visit(id.0, |b| f(b, input));
        self
    }
    pub fn benchmark_group(&mut self, name: impl Into<String>) -> BenchmarkGroup<'_, M> {
        BenchmarkGroup { name: name.into(), criterion: PhantomData }
    }
    pub fn final_summary(&self) {}
}

pub struct BenchmarkGroup<'a, M: Measurement = WallTime> {
    name: String,
    criterion: PhantomData<&'a mut Criterion<M>>,
}

impl<M: Measurement> BenchmarkGroup<'_, M> {
    ignored!(&mut Self: sample_size(usize), measurement_time(Duration), warm_up_time(Duration), nresamples(usize),
        noise_threshold(f64), confidence_level(f64), significance_level(f64), throughput(Throughput),
        sampling_mode(SamplingMode), plot_config(PlotConfiguration));

    pub fn bench_function(&mut self, id: impl IntoBenchmarkId, f: impl FnMut(&mut Bencher<'_>)) -> &mut Self {
        visit(format!("{}/{}", self.name, id.into_benchmark_id().0), f);
        self
    }
    pub fn bench_with_input<I: ?Sized>(
        &mut self,
        id: impl IntoBenchmarkId,
        input: &I,
        mut f: impl FnMut(&mut Bencher<'_>, &I),
    ) -> &mut Self {
        self.bench_function(id, |b| f(b, input))
    }
    pub fn finish(self) {}
}

#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $($target:path),+ $(,)?) => {
        pub fn $name() {
            let mut criterion: $crate::Criterion<_> = $config.configure_from_args();
            $($target(&mut criterion);)+
        }
    };
    ($name:ident, $($target:path),+ $(,)?) => {
        $crate::criterion_group! { name = $name; config = $crate::Criterion::default(); targets = $($target),+ }
    };
}

#[macro_export]
macro_rules! criterion_main {
    ($($group:path),+ $(,)?) => {
        fn main() {
            fn all() {
                $($group();)+
            }
            $crate::serve(all);
        }
    };
}
