#!/bin/sh
# Measures 'my bench/it'\''s {1}.yaml' '$(SUITE_SHARDS)/$$.yaml' in 12 shards, one at a time on each machine. suite fleet parallel wrote
# this for one run, and it is yours to change.
# Arguments are the shards to measure again, if some were lost.
if [ $# = 0 ]; then
  mkdir -p '/shared/all results' && mkdir '/shared/all results/nightly' || exit # results of two runs must not mix
  set -- $(seq 12)
fi
# The machines need suite in the PATH, this folder at the same place, and rsync, which returns results.
# A shard that hangs is stopped. suite has a minute to finish.
parallel --jobs 1 --timeout 18120 --termseq TERM,60000,KILL,25 --sshlogin 4/node1,node2 --workdir . --return '/shared/all results/nightly'/{}.json --cleanup \
  'mkdir -p '\''/shared/all results/nightly'\'' && suite run --shard {}/12 --out json='\''/shared/all results/nightly'\''/{}.json '\''my bench/it'\''\'\'''\''s {'\'''\''1}.yaml'\'' '\''$(SUITE_SHARDS)/$$.yaml'\'' --only '\''${'\'''\''HOME}/%{'\'''\''x}/{'\'''\''}'\''' ::: "$@"
suite merge '/shared/all results/nightly'/*.json # the report, and the exit status that counts
