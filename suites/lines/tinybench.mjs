// Makes a Bench of tinybench speak suite's line protocol, `await lines(bench)` in place of `await bench.run()`: docs/harnesses.md.
import { createInterface } from "node:readline";
export async function lines(bench) {
  const warm = new Set();
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, n, ...rest] = line.split(" "), name = rest.join(" ");
    if (verb === "list") {
      console.log(JSON.stringify({ benchmarks: bench.tasks.map((task) => task.name) }));
      continue;
    }
    const told = { iterations: Number(n), time: 0, warmup: false };
    Object.assign(bench, told, bench.opts && { opts: { ...bench.opts, ...told } }); // versions 3 to 5 have opts
    const task = bench.getTask(name);
    if (!warm.has(name)) await task.warmup(); // by time: cold code is slower, and would be told fewer iterations
    warm.add(name);
    task.reset();
    await task.run();
    const { error, latency, mean = latency?.mean } = task.result; // ms; version 2 has no latency
    const answer = error ? { error: error.message } : { iterations: task.runs, seconds: (mean * task.runs) / 1000 };
    console.log(JSON.stringify({ name, ...answer }));
  }
}
