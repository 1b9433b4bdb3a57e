#!/usr/bin/env bash
# What a machine with a GPU must show, in pieces of a minute or two: `tests/gpu/session.sh OUT PIECE…`, from the root of a built tree. Pieces:
# try alive clock graph steps large loaders python collectives buckets builds. Every piece prints what it ran; folders of results are packed into OUT.
# PORTABLE=1: the tree was built on another machine, against the same release of torch.
set -uo pipefail

readonly program=build/bin/ddpbench

# The torch of this machine's python3 in place of that of the machine that built.
portable() {
  local site
  site=$(python3 -c 'import pathlib, torch; print(pathlib.Path(torch.__file__).parent.parent)') || return
  export LD_LIBRARY_PATH=$PWD/build/lib:$site/torch/lib:$site/nvidia/cu13/lib:$site/nvidia/nccl/lib:$site/nvidia/cudnn/lib
  DDPBENCH_PYTHON=$(python3 -c 'import sys; print(sys.executable)')
  export DDPBENCH_PYTHON
}

# run_study NAME EXPERIMENT KEY=VALUE…: nccl on one GPU.
run_study() {
  local name=$1 experiment=$2 settings=() setting
  shift 2
  for setting in backend=nccl ranks_per_node=1 "$@"; do settings+=(--set "$setting"); done
  echo "== $name: ${settings[*]}"
  timeout "${limit:-300}" "$program" run "$experiment" "${settings[@]}" --tables-only --reasons --out "$out/$name" 2>&1 | tail -n "${lines:-60}"
  tar -czf "$out/$name.tar.gz" -C "$out" "$name"
}

alive() {
  nvidia-smi | sed -n 1,20p
  ldd build/lib/libddpbench_cuda.so build/bin/ddpbench-worker | grep 'not found'
  "$program" doctor 2>&1 | tail -n 60
  local name
  for name in $(build/tests/gpu_test --gtest_list_tests | awk '/^[^ ]/{suite=$1} /^ /{print suite $1}'); do
    NCCL_DEBUG=WARN timeout 120 build/tests/gpu_test --gtest_brief=1 --gtest_filter="$name" >"$out/test.log" 2>&1
    echo "gpu_test $name: exit $?"
    grep -v '^\[==\|^\[  PASSED\|^Note' "$out/test.log" | tail -n 12
  done
}

# Does the device's clock find what was put there, and nothing where nothing was?
clock() {
  run_study clock overhead workload=null,convnet_cifar10 batch_size_per_rank=4,128 launches=3 max_seconds_per_launch=5 \
    arms=raw,raw_again,injected,injected+on_device,trainer,raw_item,raw+ideal,raw+events,raw-timers-nvtx
}

# raw's step must take the device as long beside a captured step as without it.
graph() {
  local cells=(strategy=single "precision=fp32,amp_bf16" batch_size_per_rank=16 launches=1 max_seconds_per_launch=4)
  run_study graph overhead "${cells[@]}" workload=null,resnet18_cifar10,resnet50_cifar10 arms=raw+graph,raw,raw_again
  run_study eager overhead "${cells[@]}" workload=resnet18_cifar10 arms=raw,raw_again
}

# A real step: what it takes, in every precision and layout; and what PyTorch's own loop takes beside it.
steps() {
  local cells=(workload=resnet50_cifar10 batch_size_per_rank=128 launches=1 max_seconds_per_launch=3 "arms=raw,raw_again,trainer")
  run_study steps overhead "${cells[@]}" precision=fp32,tf32,amp_bf16,amp_fp16 channels_last=false,true
  run_study tuned overhead "${cells[@]}" precision=amp_bf16 channels_last=false,true cudnn_benchmark=true
  timeout 120 python3 tests/gpu/outside.py 128
}

# Where the device is what a step waits for: PyTorch's own loop takes as long.
large() {
  run_study large overhead workload=resnet50_cifar10 data=constant batch_size_per_rank=512 launches=1 max_seconds_per_launch=8 \
    arms=raw,raw_again,trainer precision=amp_bf16 channels_last=false,true
  timeout 120 python3 tests/gpu/outside.py 512
}

# Who makes the batches, and where they lie.
loaders() {
  run_study loaders overhead workload=convnet_cifar10 data=cifar batch_size_per_rank=128 workers=0,4 pin_memory=false,true launches=1 \
    max_seconds_per_launch=3 arms=raw,raw_again
  run_study resident overhead workload=convnet_cifar10 data=cifar batch_size_per_rank=128 resident=device launches=1 \
    max_seconds_per_launch=3 arms=raw,raw_again
}

# What the frameworks cost; loops of one's own, one of them with a GradScaler.
python() {
  run_study python frameworks workload=null batch_size_per_rank=16 launches=3 max_seconds_per_launch=12
  local loops=(docs/examples/my_loop.toml "workload=null,convnet_cifar10" launches=1 max_seconds_per_launch=4)
  run_study loops "${loops[@]}"
  run_study scaled_loop "${loops[@]}" precision=amp_fp16 arms=py_raw,py_raw_again,py_injected,py_loop=half
}

collectives() {
  echo "== collectives"
  timeout 120 "$program" collectives --backends nccl --max-bytes 64M --seconds 20 --tables-only --out "$out/collectives" 2>&1 | tail -n 40
}

# A model's buckets within its step, and what they add to it.
buckets() {
  echo "== buckets"
  timeout 200 "$program" collectives --collectives none --workload resnet50_cifar10 --batch-size 64 --backends nccl --seconds 60 --tables-only \
    --out "$out/buckets" 2>&1 | tail -n 40
}

# Two builds in turn, which are one: nothing may be found.
builds() {
  local cells=(--set backend=nccl --set ranks_per_node=1 --set workload=null --set batch_size_per_rank=16 --set launches=4
    --set max_seconds_per_launch=6 --set "arms=raw,raw_again,trainer,injected,injected+on_device")
  echo "== builds"
  timeout 300 "$program" compare --base build --new build overhead "${cells[@]}" --out "$out/builds" 2>&1 | grep -v '^\[\|^launch' | tail -n 30
}

# Every arm of ours once, short.
try() {
  run_study try overhead workload=null,convnet_cifar10 batch_size_per_rank=16 launches=1 max_seconds_per_launch=3 \
    arms=raw,raw_again,injected,injected+on_device,trainer,raw_item,raw+ideal,raw+events,raw-timers-nvtx
  run_study try_graph overhead strategy=single workload=resnet18_cifar10 precision=amp_bf16 \
    batch_size_per_rank=16 launches=1 max_seconds_per_launch=3 arms=raw+graph,raw,raw_again
}

out=$1
shift
mkdir -p "$out"
[[ ${PORTABLE:-} == 1 ]] && portable
for piece in "$@"; do
  echo "######## $piece"
  begin=$SECONDS
  "$piece"
  echo "######## $piece: $((SECONDS - begin)) s"
done
