#!/bin/bash
# Measures perf.yaml in 4 shards, each an array task with a result of its own in a folder
# that all nodes share. suite fleet slurm wrote this file, and it is yours to change.
#
#   job=$(sbatch --wait --parsable FILE) # in the folder from which paths start
#   suite merge results/"$job"/*.json # the report, and the exit status that counts
#
# sbatch --array=3 FILE measures shard 3 again, for example, into the folder of its own job.
#
#SBATCH --job-name=perf
#SBATCH --array=1-4
# A node for each shard: other jobs would take turns on its CPUs, and share caches and memory.
#SBATCH --exclusive
#SBATCH --mem=0
# A shard that hangs is stopped. In minutes; suite has the last one to finish.
#SBATCH --time=43
#SBATCH --signal=TERM@60
# No second try of a shard that was stopped: results chosen from several tries prove nothing.
#SBATCH --no-requeue
mkdir -p results/"$SLURM_ARRAY_JOB_ID" || exit
result=results/$SLURM_ARRAY_JOB_ID/$SLURM_ARRAY_TASK_ID.json
status=0 # srun, so that suite gets the signal
srun suite run --shard "$SLURM_ARRAY_TASK_ID"/4 --out json="$result" perf.yaml --against origin/main || status=$?
case $status in
0 | 1 | 3 | 4) test -s "$result" ;; # measured: suite merge judges all shards together
*) exit "$status" ;;
esac
