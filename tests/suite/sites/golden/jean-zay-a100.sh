#!/bin/bash -l
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
#SBATCH --job-name=ddpbench-scaling
#SBATCH --account=abc@a100
#SBATCH --constraint=a100
#SBATCH --hint=nomultithread
#SBATCH --exclusive
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=8
#SBATCH --gres=gpu:8
#SBATCH --cpus-per-task=8
#SBATCH --time=01:45:00
#SBATCH --qos=qos_gpu_a100-dev
#SBATCH --output=/scratch/out/all.log
module purge
module load arch/a100
