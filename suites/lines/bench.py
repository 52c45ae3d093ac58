# Benchmarks in Python that speak suite's line protocol: docs/harnesses.md.
import json, sys, time

text = json.dumps(list(range(100)))
benchmarks = {
    "json/parse": lambda: json.loads(text),
    "sort": lambda: sorted(range(100, 0, -1)),
}
for line in sys.stdin:
    verb, _, rest = line.strip().partition(" ")
    if verb == "list":
        print(json.dumps({"benchmarks": list(benchmarks)}), flush=True)
        continue
    n, _, name = rest.partition(" ")
    body, start = benchmarks[name], time.perf_counter()
    for _ in range(int(n)):
        body()
    seconds = time.perf_counter() - start
    print(json.dumps({"name": name, "iterations": int(n), "seconds": seconds}), flush=True)
