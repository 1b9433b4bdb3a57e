#!/bin/bash -l
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
#SBATCH --job-name=ddpbench-scaling
#SBATCH --exclusive
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=4
#SBATCH --gres=gpu:4
#SBATCH --time=01:45:00
#SBATCH --output=/scratch/out/all.log
results=/scratch/out
finished() { cat "$results/runs.csv" 2>/dev/null | grep -c ',ok,'; }
before=$(finished)

ddpbench run x.toml --out /scratch/out --resume &
run=$!
# Slurm's warning before the time is over: the run commits what it has and ends with 75. This job then begins once more, and goes on.
trap 'is_over=yes; kill -USR1 $run' USR1
trap 'kill -TERM $run' TERM
wait $run
code=$?
while kill -0 $run 2>/dev/null; do
  wait $run
  code=$?
done
if [[ $code == 75 && -n $is_over ]]; then
  if [[ $(finished) != "$before" ]]; then
    echo "not all is measured: the job begins once more"
    scontrol requeue "$SLURM_JOB_ID"
  else
    echo "no launch has ended in this time: not begun once more; ask for more (--time), or for shorter launches (max_seconds_per_launch)"
  fi
fi
exit $code
