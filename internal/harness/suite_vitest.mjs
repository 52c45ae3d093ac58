// Lists the benchmarks of `vitest bench`, and makes one speak suite's line protocol: docs/harnesses.md.
//
// suite names this file with --reporter, and vitest loads it twice: as a reporter, which makes it the runner of all
// workers, and there as that runner. Without the variable SUITE_BENCHMARK the reporter prints the names of all benchmarks, and
// none runs. With it, the worker that has this benchmark answers the requests on standard input until that ends. A request
// is a run of tinybench with n calls, and the setup and teardown of the benchmark's options, but all calls are timed
// together.
import { openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const file = fileURLToPath(import.meta.url).replaceAll('\\', '/')
const asked = process.env.SUITE_BENCHMARK
const runner = process.env.VITEST_WORKER_ID ? await makeRunner() : undefined

class Reporter {
  onInit(vitest) {
    const [version] = vitest.version.split('.')
    if (!['3', '4'].includes(version)) {
      console.error(`it is vitest ${version}: suite knows the interface of versions 3 and 4`)
      process.exit(1)
    }
    for (const { config, vite } of vitest.projects) {
      config.runner = file
      vite.config.server.fs.allow.push(dirname(file)) // jsdom and happy-dom get no other file
    }
  }

  // Two workers must not share the requests, of which each has the benchmark in a project of its own.
  onTestModuleCollected(module) {
    for (const name of namesIn(module).filter((name) => name === asked)) {
      if (this.found) say(1, { name, error: 'several benchmarks have this name, and vitest cannot tell them apart' })
      this.found = true
    }
  }

  // A file that cannot be loaded is listed too: a run of it fails with its first error, and the others run.
  onTestRunEnd(modules, errors) {
    if (asked !== undefined) return
    const inOrder = [...modules].sort((a, b) => (a.task.name < b.task.name ? -1 : 1)) // and not as they were ready
    const benchmarks = inOrder.flatMap(namesIn)
    const broken = inOrder.filter((module) => module.errors().length > 0)
    for (const module of broken) say(1, { name: module.task.name, error: firstLine(module.errors()[0]) })
    say(1, { benchmarks: [...benchmarks, ...broken.map((module) => module.task.name)] })
    if (benchmarks.length > 0 && errors.length === 0) process.on('exit', () => (process.exitCode = 0))
  }
}

// namesIn returns the names of the benchmarks that the code does not skip.
function namesIn(module) {
  const benchmarks = [...module.children.allTests()].filter((test) => test.options.mode === 'run')
  return benchmarks.map((test) => `${module.task.name} > ${test.fullName}`)
}

export default runner ?? Reporter

async function makeRunner() {
  const vitest = await import('vitest')
  // Before 4.1 these are in modules that later versions warn of, and that are not there in version 5.
  const older = (name) => import(/* @vite-ignore */ `vitest/${name}`)
  const { BenchmarkRunner, getBenchFn, getBenchOptions } = vitest.BenchmarkRunner
    ? { ...vitest, getBenchFn: vitest.TestRunner.getBenchFn, getBenchOptions: vitest.TestRunner.getBenchOptions }
    : { BenchmarkRunner: (await older('runners')).NodeBenchmarkRunner, ...(await older('suite')) }

  return class extends BenchmarkRunner {
    // The reporter has been told what there is. Of a file that is skipped no hook runs either.
    onCollected(files) {
      if (asked === undefined) for (const file of files) file.mode = 'skip'
    }

    async runSuite(file) {
      const found = benchmarksOf(file).filter((b) => nameOf(b) === asked)
      if (found.length !== 1) return // it is in another file, or cannot be told from others: the process ends
      const { Bench, Task } = await this.importTinybench()
      const bench = new Bench({ now, ...getBenchOptions(found[0]) })
      await converse(new Run(bench, new Task(bench, found[0].name, getBenchFn(found[0]))))
    }
  }
}

// A benchmark may replace these by fake ones.
const now = performance.now.bind(performance)
const { setImmediate } = globalThis
const turn = () => new Promise((resolve) => setImmediate(resolve))

function benchmarksOf(suite) {
  return suite.tasks.flatMap((task) => {
    if (task.mode !== 'run' && task.mode !== 'queued') return []
    return task.type === 'suite' ? benchmarksOf(task) : task.meta?.benchmark ? [task] : []
  })
}

// nameOf is what vitest prints: the file, the describes and the benchmark.
function nameOf(task) {
  const parent = task.suite ?? (task === task.file ? undefined : task.file)
  return parent ? `${nameOf(parent)} > ${task.name}` : task.name
}

// converse answers requests until the input ends. What vitest reads and prints is of another process, its parent, unless
// this is one of its threads.
async function converse(run) {
  const streams = `/proc/${isMainThread ? process.ppid : process.pid}/fd/`
  const requests = linesOf(openSync(streams + 0, 'r'))
  const answers = openSync(streams + 1, 'a')
  let failure
  for (const request of requests) {
    if (request === 'list') {
      say(answers, { benchmarks: [asked] })
      continue
    }
    const iterations = Number(request.split(' ', 2)[1])
    let seconds
    try {
      if (!failure) seconds = await run.time(iterations)
    } catch (error) {
      failure = { error: firstLine(error) }
    }
    say(answers, { name: asked, ...(failure ?? { iterations, seconds }) })
  }
}

function firstLine(error) {
  return String(error?.message ?? error).split('\n')[0] || 'it throws'
}

// say prints an answer. What others print may be an open line.
function say(file, answer) {
  writeSync(file, `\n${JSON.stringify(answer)}\n`)
}

// linesOf waits for each line without a turn of the event loop: a process that waits does nothing else.
function* linesOf(file) {
  const buffer = Buffer.alloc(65536)
  let text = ''
  for (let n; (n = readSync(file, buffer)) > 0; ) {
    const lines = (text + buffer.toString('utf8', 0, n)).split('\n')
    text = lines.pop()
    yield* lines
  }
}

class Run {
  constructor(bench, task) {
    Object.assign(this, { bench, task, isWarm: false })
  }

  // time returns the seconds of n calls.
  async time(n) {
    await turn() // what earlier calls have left to do
    if (!this.isWarm) await this.warm()
    return (await this.around('run', () => this.calls(n))) / 1000
  }

  // warm calls the function for as long as tinybench would, in growing batches, for the compiler.
  async warm() {
    const { warmupTime, warmupIterations } = this.bench
    await this.around('warmup', async () => {
      const first = this.task.fn.call(this.task)
      this.isAsync = typeof first?.then === 'function'
      await first
      for (let n = 1, ms = 0; ms < warmupTime || n <= warmupIterations; n *= 2) ms += await this.calls(n)
    })
    this.isWarm = true
  }

  async around(mode, body) {
    await this.bench.setup(this.task, mode)
    const result = await body()
    await this.bench.teardown(this.task, mode)
    return result
  }

  // calls returns the ms of n calls.
  async calls(n) {
    const { bench, task } = this
    const start = bench.now()
    if (this.isAsync) await asyncCalls(task, task.fn, n)
    else calls(task, task.fn, n)
    return bench.now() - start
  }
}

let kept // nobody reads it

function calls(task, fn, n) {
  for (let i = 0; i < n; i++) kept = fn.call(task)
}

async function asyncCalls(task, fn, n) {
  for (let i = 0; i < n; i++) kept = await fn.call(task)
}

// After calls of several functions the compiler does not take the body of one into the loop, where it could be left out
// or be computed once for all iterations.
for (const fn of [() => 0, () => 1, () => 2, () => 3, () => 4, () => 5]) {
  calls(undefined, fn, 1)
  await asyncCalls(undefined, fn, 1)
}
