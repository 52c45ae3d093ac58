#!/bin/bash
# Measures 'my bench/it'\''s {1}.yaml' '$(SUITE_SHARDS)/$$.yaml' in 12 shards, each an array task with a result of its own in a folder
# that all nodes share. suite fleet slurm wrote this file, and it is yours to change.
#
#   job=$(sbatch --wait --parsable FILE) # in the folder from which paths start
#   suite merge '/shared/all results'/"$job"/*.json # the report, and the exit status that counts
#
# sbatch --array=3 FILE measures shard 3 again, for example, into the folder of its own job.
#
#SBATCH --job-name=nightly
#SBATCH --array=1-12
# CPUs that no other job uses. Other jobs on the node share its caches and memory: if that is
# too noisy, --exclusive in place of the next line gives each shard a node of its own.
#SBATCH --cpus-per-task=8
#SBATCH --mem=16384M
# A shard that hangs is stopped. In minutes; suite has the last one to finish.
#SBATCH --time=303
#SBATCH --signal=TERM@60
# No second try of a shard that was stopped: results chosen from several tries prove nothing.
#SBATCH --no-requeue
mkdir -p '/shared/all results'/"$SLURM_ARRAY_JOB_ID" || exit
result='/shared/all results'/$SLURM_ARRAY_JOB_ID/$SLURM_ARRAY_TASK_ID.json
status=0 # srun, so that suite gets the signal
srun suite run --shard "$SLURM_ARRAY_TASK_ID"/12 --out json="$result" 'my bench/it'\''s {1}.yaml' '$(SUITE_SHARDS)/$$.yaml' --only '${HOME}/%{x}/{}' || status=$?
case $status in
0 | 1 | 3 | 4) test -s "$result" ;; # measured: suite merge judges all shards together
*) exit "$status" ;;
esac
