#!/bin/bash -l
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
@OPTIONS@
@SETUP@
results=@RESULTS@ run='' is_over=''
tell() { [[ -n $run ]] && kill "-$1" "$run" 2>/dev/null; }
# How many launches are measured and how many are planned.
progress() { @PROGRAM@ --progress "$results" 2>/dev/null || echo 0 0; }
finished() { progress | cut -d ' ' -f 1; }
all_is_measured() {
  local measured planned
  read -r measured planned < <(progress)
  ((planned > 0 && measured >= planned))
}
# Slurm's warning before the time is over: the run commits what it has and ends with 75; where all is measured it goes on with its report. The second
# ends its report, which may take long.
warn() {
  is_over=yes
  all_is_measured || tell USR1
  { sleep "${DDPBENCH_SECONDS_FOR_REPORT:-60}"; tell USR1; } &
}
trap warn USR1
trap 'tell TERM' TERM
before=$(finished)

@RUN@ &
run=$!
wait $run
code=$?
while kill -0 $run 2>/dev/null; do
  wait $run
  code=$?
done
# Then the job begins once more and goes on, but not for ever, and not where nothing came of it.
if [[ $code == 75 && -n $is_over ]]; then
  if all_is_measured; then
    echo "all is measured; its report takes longer than this time: ddpbench @PAGE@ $results"
    code=0
  elif (($(finished) <= before)); then
    echo "no launch has ended in this time: not begun once more; ask for more (--time), or for shorter launches (max_seconds_per_launch)"
  elif ((${SLURM_RESTART_COUNT:-0} >= @MOST_RESTARTS@)); then
    echo "begun more often than the plan should need: not begun once more; what is measured is in $results"
  else
    echo "not all is measured: the job begins once more"
    # Of an array this task alone: the number of one of them is the array's.
    scontrol requeue "${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_}${SLURM_ARRAY_TASK_ID:-$SLURM_JOB_ID}"
  fi
fi
exit $code
