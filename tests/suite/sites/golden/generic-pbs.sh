#!/bin/bash -l
#PBS -N ddpbench-scaling
#PBS -l select=4:ncpus=32:ngpus=4:mpiprocs=4
#PBS -l place=scatter:excl
#PBS -l walltime=01:45:00
#PBS -j oe -o /scratch/out/all.log
