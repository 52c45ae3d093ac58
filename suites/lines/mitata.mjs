// Speaks suite's line protocol for benchmarks of mitata, `import { bench, run } from "./mitata.mjs"`: docs/harnesses.md.
import { createInterface } from "node:readline";
import { measure } from "mitata";
export * from "mitata";
const benchmarks = {}, warm = {}, batch = { min_samples: 1, max_samples: 1, min_cpu_time: 0, batch_unroll: 1 };
export const bench = (name, body) => { benchmarks[name] = body; };
export async function run() {
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, n, ...rest] = line.split(" "), name = rest.join(" ");
    if (verb === "list") {
      console.log(JSON.stringify({ benchmarks: Object.keys(benchmarks) }));
      continue;
    }
    await (warm[name] ??= measure(benchmarks[name], { min_cpu_time: 1e8 }).catch(() => {})); // 100 ms, in ns
    const told = { ...batch, batch_samples: Number(n), batch_threshold: Infinity, warmup_threshold: Infinity };
    const answer = await measure(benchmarks[name], told).then(
      (stats) => ({ iterations: stats.ticks, seconds: (stats.avg * stats.ticks) / 1e9 }), // avg is in ns
      (error) => ({ error: error.message }));
    console.log(JSON.stringify({ name, ...answer }));
  }
}
