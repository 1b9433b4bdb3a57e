#!/bin/bash -l
#PBS -N ddpbench-scaling
#PBS -P abc
#PBS -q gpuvolta
#PBS -l wd
#PBS -l ncpus=192
#PBS -l ngpus=16
#PBS -l mem=1520GB
#PBS -l walltime=01:45:00
#PBS -j oe -o /scratch/out/all.log
module purge
module load openmpi
results=/scratch/out run=''
trap '[[ -n $run ]] && kill -TERM $run' TERM USR1
cd "${PBS_O_WORKDIR:-.}" || exit

ddpbench run x.toml --out /scratch/out --resume &
run=$!
wait $run
code=$?
while kill -0 $run 2>/dev/null; do
  wait $run
  code=$?
done
[[ $code == 75 ]] && echo "not all is measured: submit this script once more, it goes on where it was ($results)"
exit $code
