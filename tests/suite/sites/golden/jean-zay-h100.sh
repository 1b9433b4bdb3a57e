#!/bin/bash -l
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
#SBATCH --job-name=ddpbench-scaling
#SBATCH --account=abc@h100
#SBATCH --constraint=h100
#SBATCH --hint=nomultithread
#SBATCH --exclusive
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=4
#SBATCH --gres=gpu:4
#SBATCH --cpus-per-task=24
#SBATCH --time=01:45:00
#SBATCH --qos=qos_gpu_h100-dev
#SBATCH --output=/scratch/out/all.log
module purge
module load arch/h100
