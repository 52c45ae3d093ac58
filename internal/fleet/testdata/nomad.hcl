# Measures perf.yaml in 4 shards, each an allocation with a result of its own in its folder
# alloc/data. suite fleet nomad wrote this file for one run, and it is yours to change.
#
#   nomad job run FILE
#   nomad job status perf # until 4 allocations are complete
#   mkdir -p results/perf
#   for id in $(nomad job allocs -t '{{range .}}{{.ID}} {{end}}' perf); do
#     nomad alloc fs "$id" alloc/data/result.json >results/perf/"$id".json
#   done
#   suite merge results/perf/*.json # the report, and the exit status that counts
#
# Fetch them soon: Nomad removes the folders of old allocations.
job "perf" {
  type = "batch"

  group "shards" {
    count = 4

    # One shard at a time on a machine, because two would share caches and memory. Others wait.
    constraint {
      operator = "distinct_hosts"
      value    = "true"
    }

    # No second try of a shard that was stopped: results chosen from several tries prove nothing.
    restart {
      attempts = 0
      mode     = "fail"
    }
    reschedule {
      attempts  = 0
      unlimited = false
    }
    disconnect { # Nomad 1.8 and later; 1.7 has prevent_reschedule_on_lost = true in its place
      replace = false
    }

    task "suite" {
      driver       = "docker"
      kill_timeout = "60s"

      env {
        SUITE_SHARDS = "4"
      }

      config {
        image      = "registry.example.org/perf:1"
        entrypoint = ["sh", "-c"]
        args = [<<-SCRIPT
          result=$NOMAD_ALLOC_DIR/data/result.json
          # The first process of a container gets the signals, and passes them on.
          suite=
          trap '[ "$suite" ] || suite=$!; [ "$suite" ] || exit 143; kill "$suite"; wait "$suite"; exit $?' TERM INT
          suite run --shard auto --out json="$result" perf.yaml --against origin/main & suite=$!
          # A shard that hangs is stopped.
          (sleep 2520; kill "$suite") &
          status=0
          wait "$suite" || status=$?
          case $status in
          0 | 1 | 3 | 4) test -s "$result" ;; # measured: suite merge judges all shards together
          *) exit "$status" ;;
          esac
          SCRIPT
        ]
      }

      # cores are whole CPUs on which no other task runs; cpu would be a share of them.
      resources {
        cores  = 2
        memory = 2048
      }
    }
  }
}
