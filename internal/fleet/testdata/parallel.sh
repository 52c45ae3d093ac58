#!/bin/sh
# Measures perf.yaml in 4 shards, one after the other. suite fleet parallel wrote
# this for one run, and it is yours to change.
# Arguments are the shards to measure again, if some were lost.
if [ $# = 0 ]; then
  mkdir -p results && mkdir results/perf || exit # results of two runs must not mix
  set -- $(seq 4)
fi
# Shards on one machine would disturb each other: --hosts names more machines.
# A shard that hangs is stopped. suite has a minute to finish.
parallel --jobs 1 --timeout 2520 --termseq TERM,60000,KILL,25 \
  'mkdir -p results/perf && suite run --shard {}/4 --out json=results/perf/{}.json perf.yaml --against origin/main' ::: "$@"
suite merge results/perf/*.json # the report, and the exit status that counts
