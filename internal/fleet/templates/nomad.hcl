# Measures {{suites}} in {{.Shards}} shards, each an allocation with a result of its own in its folder
# alloc/data. suite fleet nomad wrote this file for one run, and it is yours to change.
#
#   nomad job run FILE
#   nomad job status {{.Name}} # until {{.Shards}} allocations are complete
#   mkdir -p {{path .Results .Name}}
#   for id in $(nomad job allocs -t '{{"{{range .}}{{.ID}} {{end}}"}}' {{.Name}}); do
#     nomad alloc fs "$id" alloc/data/result.json >{{path .Results .Name}}/"$id".json
#   done
#   suite merge {{path .Results .Name}}/*.json # the report, and the exit status that counts
#
# Fetch them soon: Nomad removes the folders of old allocations.
job {{quoted .Name}} {
  type = "batch"

  group "shards" {
    count = {{.Shards}}

    # One shard at a time on a machine, because two would share caches and memory. Others wait.
    constraint {
      operator = "distinct_hosts"
      value    = "true"
    }

    {{part 4 "tries"}}
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
        SUITE_SHARDS = "{{.Shards}}"
      }

      config {
        image      = {{quoted .Image}}
        entrypoint = ["sh", "-c"]
        args = [<<-SCRIPT
          result=$NOMAD_ALLOC_DIR/data/result.json
          {{part 10 "start"}}
          {{part 10 "limit"}}
          (sleep {{.Seconds}}; kill "$suite") &
          {{part 10 "wait"}}
          SCRIPT
        ]
      }

      # cores are whole CPUs on which no other task runs; cpu would be a share of them.
      resources {
        cores  = {{.CPUs}}
        memory = {{.Memory}}
      }
    }
  }
}
