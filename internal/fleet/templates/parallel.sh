#!/bin/sh
# Measures {{suites}} in {{.Shards}} shards, {{if .Hosts}}one at a time on each machine{{else}}one after the other{{end}}. suite fleet parallel wrote
# this for one run, and it is yours to change.
# Arguments are the shards to measure again, if some were lost.
if [ $# = 0 ]; then
  mkdir -p {{path .Results}} && mkdir {{path .Results .Name}} || exit # results of two runs must not mix
  set -- $(seq {{.Shards}})
fi
{{- if .Hosts}}
# The machines need suite in the PATH, this folder at the same place, and rsync, which returns results.
{{- else}}
# Shards on one machine would disturb each other: --hosts names more machines.
{{- end}}
{{part 0 "limit"}} suite has a minute to finish.
parallel --jobs 1 --timeout {{.Seconds}} --termseq TERM,60000,KILL,25{{if .Hosts}} --sshlogin {{quote .Hosts}} --workdir . --return {{path .Results .Name}}/{}.json --cleanup{{end}} \
  {{printf "mkdir -p %s && suite run --shard {}/%d --out json=%s/{}.json %s" (path .Results .Name) .Shards (path .Results .Name) words | quote}} ::: "$@"
suite merge {{path .Results .Name}}/*.json # the report, and the exit status that counts
