"""Both sides of a comparison: starts parity_program and Python's ranks, keeps the files between them, compares what came out."""

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

import torch

PROGRAM = os.environ["DDPBENCH_PARITY_PROGRAM"]
TIMEOUT_SECONDS = 900
HERE = Path(__file__).resolve().parent


def save_batches(path, sizes, seed, spoiled=(), shape=(3, 32, 32)):
    """Batches of these sizes; those named in `spoiled` hold an infinity, so that their gradients are not finite."""
    generator = torch.Generator().manual_seed(seed)
    batches = {}
    for turn, size in enumerate(sizes):
        images = torch.randn(size, *shape, generator=generator)
        if turn in spoiled:
            images[0, 0, 0, 0] = float("inf")
        batches[f"input.{turn}"] = images
        batches[f"target.{turn}"] = torch.randint(10, (size,), generator=generator)
    torch.save(batches, path)
    return str(path)


def environment(extra=None):
    """No variable of a launcher that may have started us."""
    foreign = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID")
    return {name: value for name, value in os.environ.items() if name not in foreign} | (extra or {})


def run_program(folder, requests, before=None):
    """One process of ours does all requests, after `before` in it. What became of each: {} or {"error", "text"}."""
    (folder / "requests.json").write_text(json.dumps(requests))
    command = [PROGRAM, folder / "requests.json", folder / "answers.json"]
    subprocess.run(command, env=environment(), check=True, timeout=TIMEOUT_SECONDS, preexec_fn=before)
    return json.loads((folder / "answers.json").read_text())


def run_ranks(folder, requests, world_size):
    """The requests by our ranks, all in one group of processes. What became of each, by rank."""
    (folder / "requests.json").write_text(json.dumps(requests))
    store = f"{secrets.token_hex(16)}:{secrets.token_hex(16)}"
    wait_for([start_rank(folder, rank, world_size, store) for rank in range(world_size)])
    return [json.loads((folder / f"answers.{rank}.json").read_text()) for rank in range(world_size)]


def start_rank(folder, rank, world_size, store):
    variables = {
        "RANK": rank,
        "WORLD_SIZE": world_size,
        "LOCAL_RANK": rank,
        "DDPBENCH_STORE": store,
    }
    return subprocess.Popen(
        [PROGRAM, folder / "requests.json", folder / "answers.{rank}.json"],
        env=environment({name: str(value) for name, value in variables.items()}),
    )


def run_python_ranks(folder, requests, world_size):
    (folder / "python.json").write_text(json.dumps(requests))
    arguments = [sys.executable, "-B", HERE / "python_rank.py", folder / "python.json", folder / "rendezvous"]
    wait_for([subprocess.Popen([*arguments, str(rank), str(world_size)], env=environment()) for rank in range(world_size)])
    return [json.loads((folder / f"rendezvous.answers.{rank}").read_text()) for rank in range(world_size)]


def wait_for(processes):
    try:
        codes = [process.wait(timeout=TIMEOUT_SECONDS) for process in processes]
    finally:
        for process in processes:
            process.kill()
    assert not any(codes), f"exit codes by rank: {codes}"


def differences(ours, theirs, tolerance):
    """Names on one side only, and those whose values differ by more than `tolerance` allows ({} means bit for bit)."""
    said = [f"{name}: ours alone" for name in ours.keys() - theirs.keys()]
    said += [f"{name}: theirs alone" for name in theirs.keys() - ours.keys()]
    for name in ours.keys() & theirs.keys():
        mine, yours = ours[name], theirs[name]
        same = mine.shape == yours.shape and mine.dtype == yours.dtype
        if not same:
            said.append(f"{name}: {mine.dtype} {list(mine.shape)}, theirs {yours.dtype} {list(yours.shape)}")
        elif tolerance and not torch.allclose(mine, yours, equal_nan=True, **tolerance):
            said.append(f"{name}: differs by {(mine - yours).abs().max():.3e}")
        elif not tolerance and not torch.equal(mine.nan_to_num(), yours.nan_to_num()):
            said.append(f"{name}: not the same bits, differs by {(mine - yours).abs().max():.3e}")
    return sorted(said)
