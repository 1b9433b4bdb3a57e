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
