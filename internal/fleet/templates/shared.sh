{{define "tries" -}}
# No second try of a shard that was stopped: results chosen from several tries prove nothing.
{{- end}}

{{define "limit" -}}
# A shard that hangs is stopped.
{{- end}}

{{define "judged" -}}
case $status in
0 | 1 | 3 | 4) test -s "$result" ;; # measured: suite merge judges all shards together
*) exit "$status" ;;
esac
{{- end}}

{{define "start" -}}
# The first process of a container gets the signals, and passes them on.
suite=
trap '[ "$suite" ] || suite=$!; [ "$suite" ] || exit 143; kill "$suite"; wait "$suite"; exit $?' TERM INT
suite run --shard auto --out json="$result" {{words}} & suite=$!
{{- end}}

{{define "wait" -}}
status=0
wait "$suite" || status=$?
{{template "judged"}}
{{- end}}
