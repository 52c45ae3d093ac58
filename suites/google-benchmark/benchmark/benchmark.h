// The interface of google-benchmark for programs that speak suite's line protocol, for C++17 and later: docs/harnesses.md.
//
// A program that is compiled with this folder in its path of includes, and without the library, lists its benchmarks and runs
// each as often as it is told. What settings of the library's own measuring and reporting say has no effect.
#ifndef SUITE_BENCHMARK_H_
#define SUITE_BENCHMARK_H_
#define BENCHMARK_BENCHMARK_H_

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if defined(__GNUC__) || defined(__clang__)
#define BENCHMARK_ALWAYS_INLINE __attribute__((always_inline))
#else
#define BENCHMARK_ALWAYS_INLINE
#endif
#define BENCHMARK_HAS_CXX11
#define BENCHMARK_UNUSED [[maybe_unused]]
#define BENCHMARK_OVERRIDE override

namespace benchmark {

using IterationCount = std::int64_t;
enum TimeUnit { kNanosecond, kMicrosecond, kMillisecond, kSecond };
enum BigO { oNone, o1, oN, oNSquared, oNCubed, oLogN, oNLogN, oAuto, oLambda };
enum AggregationReportMode { ARM_Unspecified, ARM_Default, ARM_FileReportAggregatesOnly, ARM_DisplayReportAggregatesOnly, ARM_ReportAggregatesOnly };
enum StatisticUnit { kTime, kPercentage };

#if defined(__GNUC__) || defined(__clang__)
template <class T> inline BENCHMARK_ALWAYS_INLINE void DoNotOptimize(const T& value) { asm volatile("" : : "r,m"(value) : "memory"); }
template <class T> inline BENCHMARK_ALWAYS_INLINE void DoNotOptimize(T& value) { asm volatile("" : "+m,r"(value) : : "memory"); }
template <class T> inline BENCHMARK_ALWAYS_INLINE void DoNotOptimize(T&& value) { asm volatile("" : "+m,r"(value) : : "memory"); }
inline BENCHMARK_ALWAYS_INLINE void ClobberMemory() { asm volatile("" : : : "memory"); }
#else
namespace internal { inline void Use(const volatile char*) {} inline void (*volatile use)(const volatile char*) = Use; }
template <class T> inline void DoNotOptimize(const T& value) { internal::use(&reinterpret_cast<const volatile char&>(value)); }
inline void ClobberMemory() { internal::use(nullptr); }
#endif

struct Counter {
  enum Flags {
    kDefaults = 0, kIsRate = 1, kAvgThreads = 2, kAvgThreadsRate = kIsRate | kAvgThreads, kIsIterationInvariant = 4,
    kIsIterationInvariantRate = kIsRate | kIsIterationInvariant, kAvgIterations = 8, kAvgIterationsRate = kIsRate | kAvgIterations, kInvert = 1 << 31
  };
  enum OneK { kIs1000 = 1000, kIs1024 = 1024 };
  double value;
  Flags flags;
  OneK oneK;
  Counter(double v = 0, Flags f = kDefaults, OneK k = kIs1000) : value(v), flags(f), oneK(k) {}
  operator const double&() const { return value; }
  operator double&() { return value; }
  double finished(double seconds, IterationCount n) const {
    double x = value;
    if (flags & kIsIterationInvariant) x *= double(n);
    if (flags & kAvgIterations) x /= double(n);
    if (flags & kIsRate) x /= seconds;
    return flags & kInvert ? 1 / x : x;
  }
};
inline Counter::Flags operator|(Counter::Flags a, Counter::Flags b) { return Counter::Flags(int(a) | int(b)); }
using UserCounters = std::map<std::string, Counter>;

// State runs the loop of a benchmark once, for a number of iterations.
class State {
  using Clock = std::chrono::steady_clock;
  std::vector<std::int64_t> args_;
  IterationCount left_ = 0, items_ = 0, bytes_ = 0, complexity_ = 0;
  Clock::time_point start_{};
  double seconds_ = 0, manual_ = 0;
  bool started_ = false, running_ = false, skipped_ = false;
  std::string error_, label_;

  void start() {
    started_ = true;
    left_ = skipped_ ? 0 : max_iterations;
    ResumeTiming();
  }
  void finish() {
    if (running_) PauseTiming();
  }

 public:
  const IterationCount max_iterations;
  UserCounters counters;

  State(std::vector<std::int64_t> args, IterationCount n) : args_(std::move(args)), max_iterations(n) {}
  State(const State&) = delete;

  struct [[maybe_unused]] Value {};
  struct Iterator {
    using iterator_category = std::forward_iterator_tag;
    using value_type = Value;
    using reference = Value;
    using pointer = Value*;
    using difference_type = std::ptrdiff_t;
    State* of;
    IterationCount left;
    Value operator*() const { return {}; }
    Iterator& operator++() { --left; return *this; }
    BENCHMARK_ALWAYS_INLINE bool operator!=(const Iterator&) {
      if (left != 0) return true;
      of->finish();
      return false;
    }
  };
  using StateIterator = Iterator;
  Iterator begin() {
    start();
    return {this, left_};
  }
  Iterator end() { return {nullptr, 0}; }

  bool KeepRunning() { return KeepRunningBatch(1); }
  bool KeepRunningBatch(IterationCount n) {
    if (!started_) start();
    if (left_ > 0) {
      left_ -= n;
      return true;
    }
    finish();
    return false;
  }
  void PauseTiming() {
    seconds_ += std::chrono::duration<double>(Clock::now() - start_).count();
    running_ = false;
  }
  void ResumeTiming() {
    running_ = true;
    start_ = Clock::now();
  }
  void SetIterationTime(double seconds) { manual_ += seconds; }
  void SkipWithError(const std::string& why) {
    if (error_.empty()) error_ = why.empty() ? "error" : why;
    skipped_ = true;
    left_ = 0;
    finish();
  }
  void SkipWithMessage(const std::string& why) { SkipWithError("skipped: " + why); }
  bool error_occurred() const { return skipped_; }
  bool skipped() const { return skipped_; }
  std::int64_t range(std::size_t i = 0) const { return args_.at(i); }
  IterationCount iterations() const { return started_ ? max_iterations : 0; }
  int threads() const { return 1; }
  int thread_index() const { return 0; }
  void SetItemsProcessed(std::int64_t n) { items_ = n; }
  void SetBytesProcessed(std::int64_t n) { bytes_ = n; }
  std::int64_t items_processed() const { return items_; }
  std::int64_t bytes_processed() const { return bytes_; }
  void SetComplexityN(std::int64_t n) { complexity_ = n; }
  std::int64_t complexity_length_n() const { return complexity_; }
  void SetLabel(const std::string& text) { label_ = text; }
  std::string name() const { return label_; }

  // What the protocol reports.
  const std::string& error() const { return error_; }
  bool ran() const { return started_; }
  double seconds(bool manual) const { return manual ? manual_ : seconds_; }
  UserCounters rates() const {
    UserCounters all = counters;
    if (items_ > 0) all["items_per_second"] = Counter(double(items_), Counter::kIsRate);
    if (bytes_ > 0) all["bytes_per_second"] = Counter(double(bytes_), Counter::kIsRate);
    return all;
  }
};

// Benchmark is a function with its arguments: each list of them is a benchmark with a name of its own.
class Benchmark {
  std::vector<std::vector<std::int64_t>> args_;
  std::vector<std::string> names_;
  std::vector<int> threads_;
  std::function<void(const State&)> setup_, teardown_;
  std::string name_, suffix_, how_, time_;
  int multiplier_ = 8;
  IterationCount iterations_ = 0;
  bool manual_ = false;

  static std::string number(double x) {
    char text[64];
    std::snprintf(text, sizeof text, "%0.3f", x);
    return text;
  }
  // The bounds, and 0 and the powers of the multiplier between them, with either sign.
  static std::vector<std::int64_t> powers(std::int64_t low, std::int64_t high, std::int64_t m) {
    std::vector<std::int64_t> all{low, high};
    if (low < 0 && high > 0) all.push_back(0);
    const std::int64_t most = std::max(high, -std::max(low, -INT64_MAX));
    for (std::int64_t i = 1;; i *= m) {
      if (low < i && i < high) all.push_back(i);
      if (low < -i && -i < high) all.push_back(-i);
      if (i > most / m) break;
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

 public:
  explicit Benchmark(std::string name) : name_(std::move(name)) {}
  virtual ~Benchmark() = default;
  virtual void Run(State&) = 0;

  Benchmark* Name(const std::string& name) { name_ = name; return this; }
  Benchmark* Arg(std::int64_t x) { return Args({x}); }
  Benchmark* Args(const std::vector<std::int64_t>& all) { args_.push_back(all); return this; }
  Benchmark* ArgName(const std::string& name) { names_ = {name}; return this; }
  Benchmark* ArgNames(const std::vector<std::string>& names) { names_ = names; return this; }
  Benchmark* RangeMultiplier(int m) { multiplier_ = std::max(m, 2); return this; }
  Benchmark* Range(std::int64_t low, std::int64_t high) { return ArgsProduct({powers(low, high, multiplier_)}); }
  Benchmark* Ranges(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges) {
    std::vector<std::vector<std::int64_t>> lists;
    for (const auto& r : ranges) lists.push_back(powers(r.first, r.second, multiplier_));
    return ArgsProduct(lists);
  }
  Benchmark* DenseRange(std::int64_t low, std::int64_t high, int step = 1) {
    for (std::int64_t i = low; i <= high; i += step) Arg(i);
    return this;
  }
  Benchmark* ArgsProduct(const std::vector<std::vector<std::int64_t>>& lists) {
    std::vector<std::vector<std::int64_t>> all{{}};
    for (const auto& list : lists) {
      std::vector<std::vector<std::int64_t>> longer;
      for (auto x : list) {
        for (auto args : all) {
          args.push_back(x);
          longer.push_back(args);
        }
      }
      all = longer;
    }
    args_.insert(args_.end(), all.begin(), all.end());
    return this;
  }
  Benchmark* Apply(void (*f)(Benchmark*)) { f(this); return this; }
  Benchmark* Setup(std::function<void(const State&)> f) { setup_ = std::move(f); return this; }
  Benchmark* Teardown(std::function<void(const State&)> f) { teardown_ = std::move(f); return this; }
  Benchmark* Iterations(IterationCount n) { iterations_ = n; return this; }
  Benchmark* Repetitions(int n) { suffix_ += "/repeats:" + std::to_string(n); return this; }
  Benchmark* MinTime(double x) { how_ += "/min_time:" + number(x); return this; }
  Benchmark* MinWarmUpTime(double x) { how_ += "/min_warmup_time:" + number(x); return this; }
  Benchmark* MeasureProcessCPUTime() { suffix_ += "/process_time"; return this; }
  Benchmark* UseRealTime() { time_ = "/real_time"; return this; }
  Benchmark* UseManualTime() { manual_ = true; time_ = "/manual_time"; return this; }
  Benchmark* Threads(int n) { threads_.push_back(n); return this; }
  Benchmark* ThreadRange(int low, int high) {
    for (auto n : powers(low, high, 2)) threads_.push_back(int(n));
    return this;
  }
  Benchmark* DenseThreadRange(int low, int high, int step = 1) {
    for (int n = low; n < high; n += step) threads_.push_back(n);
    return Threads(high);
  }
  Benchmark* ThreadPerCpu() { return Threads(int(std::max(1u, std::thread::hardware_concurrency()))); }
  Benchmark* Unit(TimeUnit) { return this; }
  Benchmark* Complexity(BigO = oAuto) { return this; }
  Benchmark* Complexity(double (*)(IterationCount)) { return this; }
  Benchmark* ReportAggregatesOnly(bool = true) { return this; }
  Benchmark* DisplayAggregatesOnly(bool = true) { return this; }
  Benchmark* ComputeStatistics(const std::string&, double (*)(const std::vector<double>&), StatisticUnit = kTime) { return this; }

  // Instance is one of its benchmarks.
  struct Instance {
    Benchmark* of;
    std::vector<std::int64_t> args;
    int threads;
    std::string name;
  };
  std::vector<Instance> instances() {
    std::vector<Instance> all;
    for (const auto& args : args_.empty() ? decltype(args_){{}} : args_) {
      for (int n : threads_.empty() ? std::vector<int>{0} : threads_) {
        std::string name = name_;
        for (std::size_t i = 0; i < args.size(); i++) {
          name += "/" + (i < names_.size() && !names_[i].empty() ? names_[i] + ":" : "") + std::to_string(args[i]);
        }
        name += how_ + (iterations_ > 0 ? "/iterations:" + std::to_string(iterations_) : "") + suffix_ + time_;
        all.push_back({this, args, n, n > 0 ? name + "/threads:" + std::to_string(n) : name});
      }
    }
    return all;
  }

  // Answers a request for n iterations of an instance with a line of JSON.
  void answer(const Instance& one, IterationCount n);
};

namespace internal {
using benchmark::Benchmark;

inline std::vector<std::unique_ptr<Benchmark>>& all() {
  static std::vector<std::unique_ptr<Benchmark>> registered;
  return registered;
}

template <class F> class Function : public Benchmark {
  F f_;

 public:
  Function(const std::string& name, F f) : Benchmark(name), f_(std::move(f)) {}
  void Run(State& s) override { f_(s); }
};

inline Benchmark* RegisterBenchmarkInternal(Benchmark* b) {
  all().emplace_back(b);
  return b;
}

inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    char code[8];
    if (c == '"' || c == '\\') out += '\\';
    if (c < ' ') {
      std::snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
    } else {
      out += char(c);
    }
  }
  return out + "\"";
}
}  // namespace internal

inline void Benchmark::answer(const Instance& one, IterationCount n) {
  State state(one.args, iterations_ > 0 ? iterations_ : n);
  std::string error;
  if (one.threads > 1) {
    error = "it asks for " + std::to_string(one.threads) + " threads, which this header does not start: use google-benchmark itself";
  } else {
    try {
      if (setup_) setup_(state);
      Run(state);
      if (teardown_) teardown_(state);
      error = state.error();
    } catch (const std::exception& e) {
      error = std::string("exception: ") + e.what();
    }
    if (error.empty() && !state.ran()) error = "it has no loop over its state";
  }
  std::cout << "{\"name\": " << internal::quoted(one.name);
  if (!error.empty()) {
    std::cout << ", \"error\": " << internal::quoted(error) << "}" << std::endl;
    return;
  }
  const double seconds = state.seconds(manual_);
  std::cout.precision(17);
  std::cout << ", \"iterations\": " << state.max_iterations << ", \"seconds\": " << seconds;
  for (const auto& [name, counter] : state.rates()) {
    const double x = counter.finished(seconds, state.max_iterations);
    if (x - x == 0) std::cout << ", " << internal::quoted(name) << ": " << x;  // JSON has no infinity
  }
  std::cout << "}" << std::endl;
}

template <class F> Benchmark* RegisterBenchmark(const std::string& name, F f) {
  return internal::RegisterBenchmarkInternal(new internal::Function<F>(name, std::move(f)));
}
template <class F, class... A> Benchmark* RegisterBenchmark(const std::string& name, F f, A... args) {
  return RegisterBenchmark(name, [f, args...](State& s) { f(s, args...); });
}
inline void ClearRegisteredBenchmarks() { internal::all().clear(); }

class Fixture : public Benchmark {
 public:
  Fixture() : Benchmark("") {}
  void Run(State& s) override {
    SetUp(s);
    BenchmarkCase(s);
    TearDown(s);
  }
  virtual void SetUp(const State&) {}
  virtual void TearDown(const State&) {}
  virtual void SetUp(State& s) { SetUp(static_cast<const State&>(s)); }
  virtual void TearDown(State& s) { TearDown(static_cast<const State&>(s)); }

 protected:
  virtual void BenchmarkCase(State&) = 0;
};

inline void Initialize(int*, char**, void (*)() = nullptr) {}
inline bool ReportUnrecognizedArguments(int argc, char** argv) {
  if (argc > 1) std::cerr << argv[0] << ": this program reads requests from standard input and takes no arguments\n";
  return argc > 1;
}
inline void AddCustomContext(const std::string&, const std::string&) {}
inline void Shutdown() {}

// Answers requests until the input ends.
inline std::size_t RunSpecifiedBenchmarks() {
  std::vector<Benchmark::Instance> all;
  for (const auto& b : internal::all()) {
    for (auto& one : b->instances()) all.push_back(one);
  }
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "list") {
      std::cout << "{\"benchmarks\": [";
      for (std::size_t i = 0; i < all.size(); i++) std::cout << (i > 0 ? ", " : "") << internal::quoted(all[i].name);
      std::cout << "]}" << std::endl;
      continue;
    }
    const auto number = line.find(' '), name = line.find(' ', number + 1);
    if (line.compare(0, 4, "run ") != 0 || name == std::string::npos) continue;
    for (const auto& one : all) {
      if (one.name != line.substr(name + 1)) continue;
      one.of->answer(one, std::atoll(line.c_str() + number));
      break;
    }
  }
  return all.size();
}

}  // namespace benchmark

#define BENCHMARK_PRIVATE_JOIN2(a, b) a##b
#define BENCHMARK_PRIVATE_JOIN(a, b) BENCHMARK_PRIVATE_JOIN2(a, b)
#define BENCHMARK_PRIVATE_DECLARE \
  BENCHMARK_UNUSED static ::benchmark::Benchmark* BENCHMARK_PRIVATE_JOIN(suite_benchmark_, __COUNTER__)

#define BENCHMARK(...) BENCHMARK_PRIVATE_DECLARE = ::benchmark::RegisterBenchmark(#__VA_ARGS__, static_cast<void (*)(::benchmark::State&)>(__VA_ARGS__))
#define BENCHMARK_CAPTURE(f, name, ...) BENCHMARK_PRIVATE_DECLARE = ::benchmark::RegisterBenchmark(#f "/" #name, [](::benchmark::State& s) { f(s, __VA_ARGS__); })
#define BENCHMARK_TEMPLATE(f, ...) BENCHMARK_PRIVATE_DECLARE = ::benchmark::RegisterBenchmark(#f "<" #__VA_ARGS__ ">", static_cast<void (*)(::benchmark::State&)>(f<__VA_ARGS__>))
#define BENCHMARK_TEMPLATE1(f, a) BENCHMARK_TEMPLATE(f, a)
#define BENCHMARK_TEMPLATE2(f, a, b) BENCHMARK_PRIVATE_DECLARE = ::benchmark::RegisterBenchmark(#f "<" #a "," #b ">", static_cast<void (*)(::benchmark::State&)>(f<a, b>))

#define BENCHMARK_WITH_ARG(f, a) BENCHMARK(f)->Arg((a))
#define BENCHMARK_WITH_ARG2(f, a, b) BENCHMARK(f)->Args({(a), (b)})
#define BENCHMARK_WITH_UNIT(f, unit) BENCHMARK(f)->Unit((unit))
#define BENCHMARK_RANGE(f, low, high) BENCHMARK(f)->Range((low), (high))
#define BENCHMARK_RANGE2(f, l1, h1, l2, h2) BENCHMARK(f)->Ranges({{(l1), (h1)}, {(l2), (h2)}})

#define BENCHMARK_PRIVATE_CLASS(base, method) BENCHMARK_PRIVATE_JOIN(BENCHMARK_PRIVATE_JOIN(base, _##method), _Benchmark)
#define BENCHMARK_PRIVATE_FIXTURE(base, method, name, ...)                                 \
  class BENCHMARK_PRIVATE_CLASS(base, method) : public __VA_ARGS__ {                       \
   public:                                                                                 \
    BENCHMARK_PRIVATE_CLASS(base, method)() { this->Name(name); }                          \
                                                                                           \
   protected:                                                                              \
    void BenchmarkCase(::benchmark::State&) override;                                      \
  };
#define BENCHMARK_PRIVATE_TEXT2(...) #__VA_ARGS__
#define BENCHMARK_PRIVATE_TEXT(...) BENCHMARK_PRIVATE_TEXT2(__VA_ARGS__)
#define BENCHMARK_PRIVATE_BODY(base, method) void BENCHMARK_PRIVATE_CLASS(base, method)::BenchmarkCase
#define BENCHMARK_REGISTER_F(base, method) \
  BENCHMARK_PRIVATE_DECLARE = ::benchmark::internal::RegisterBenchmarkInternal(new BENCHMARK_PRIVATE_CLASS(base, method)())
#define BENCHMARK_DEFINE_F(base, method)                                                   \
  BENCHMARK_PRIVATE_FIXTURE(base, method, BENCHMARK_PRIVATE_TEXT(base) "/" #method, base)  \
  BENCHMARK_PRIVATE_BODY(base, method)
#define BENCHMARK_F(base, method)                                                          \
  BENCHMARK_PRIVATE_FIXTURE(base, method, BENCHMARK_PRIVATE_TEXT(base) "/" #method, base)  \
  BENCHMARK_REGISTER_F(base, method);                                                      \
  BENCHMARK_PRIVATE_BODY(base, method)
#define BENCHMARK_TEMPLATE_DEFINE_F(base, method, ...)                                     \
  BENCHMARK_PRIVATE_FIXTURE(base, method, #base "<" #__VA_ARGS__ ">/" #method, base<__VA_ARGS__>) \
  BENCHMARK_PRIVATE_BODY(base, method)
#define BENCHMARK_TEMPLATE_F(base, method, ...)                                            \
  BENCHMARK_PRIVATE_FIXTURE(base, method, #base "<" #__VA_ARGS__ ">/" #method, base<__VA_ARGS__>) \
  BENCHMARK_REGISTER_F(base, method);                                                      \
  BENCHMARK_PRIVATE_BODY(base, method)
#define BENCHMARK_TEMPLATE1_F(base, method, a) BENCHMARK_TEMPLATE_F(base, method, a)
#define BENCHMARK_TEMPLATE2_F(base, method, a, b) BENCHMARK_TEMPLATE_F(base, method, a, b)
#define BENCHMARK_TEMPLATE1_DEFINE_F(base, method, a) BENCHMARK_TEMPLATE_DEFINE_F(base, method, a)
#define BENCHMARK_TEMPLATE2_DEFINE_F(base, method, a, b) BENCHMARK_TEMPLATE_DEFINE_F(base, method, a, b)

#define BENCHMARK_MAIN()                                                 \
  int main(int argc, char** argv) {                                      \
    if (::benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;  \
    ::benchmark::RunSpecifiedBenchmarks();                               \
    return 0;                                                            \
  }                                                                      \
  int main(int, char**)

#endif  // SUITE_BENCHMARK_H_
