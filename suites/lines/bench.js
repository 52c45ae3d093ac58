// Benchmarks in JavaScript that speak suite's line protocol: docs/harnesses.md.
const text = JSON.stringify([...Array(100).keys()]);
const benchmarks = {
  "json/parse": () => JSON.parse(text),
  "sort": () => [...Array(100).keys()].sort((a, b) => b - a),
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [verb, n, ...rest] = line.split(" ");
  if (verb === "list") {
    console.log(JSON.stringify({ benchmarks: Object.keys(benchmarks) }));
    return;
  }
  const name = rest.join(" "), body = benchmarks[name];
  const start = process.hrtime.bigint();
  for (let i = 0; i < n; i++) body();
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  console.log(JSON.stringify({ name, iterations: Number(n), seconds }));
});
