#!/bin/bash
# Measures {{suites}} in {{.Shards}} shards, each an array task with a result of its own in a folder
# that all nodes share. suite fleet slurm wrote this file, and it is yours to change.
#
#   job=$(sbatch --wait --parsable FILE) # in the folder from which paths start
#   suite merge {{path .Results}}/"$job"/*.json # the report, and the exit status that counts
#
# sbatch --array=3 FILE measures shard 3 again, for example, into the folder of its own job.
#
#SBATCH --job-name={{.Name}}
#SBATCH --array=1-{{.Shards}}
{{- if .CPUs}}
# CPUs that no other job uses. Other jobs on the node share its caches and memory: if that is
# too noisy, --exclusive in place of the next line gives each shard a node of its own.
#SBATCH --cpus-per-task={{.CPUs}}
{{- if .Memory}}
#SBATCH --mem={{.Memory}}M
{{- end}}
{{- else}}
# A node for each shard: other jobs would take turns on its CPUs, and share caches and memory.
#SBATCH --exclusive
#SBATCH --mem={{if .Memory}}{{.Memory}}M{{else}}0{{end}}
{{- end}}
{{part 0 "limit"}} In minutes; suite has the last one to finish.
#SBATCH --time={{.KillMinutes}}
#SBATCH --signal=TERM@60
{{part 0 "tries"}}
#SBATCH --no-requeue
mkdir -p {{path .Results}}/"$SLURM_ARRAY_JOB_ID" || exit
result={{path .Results}}/$SLURM_ARRAY_JOB_ID/$SLURM_ARRAY_TASK_ID.json
status=0 # srun, so that suite gets the signal
srun suite run --shard "$SLURM_ARRAY_TASK_ID"/{{.Shards}} --out json="$result" {{words}} || status=$?
{{part 0 "judged"}}
