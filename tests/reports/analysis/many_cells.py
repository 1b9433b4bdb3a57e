"""Writes a results folder of many small cells, to time `ddpbench report` on it (docs/figures.csv).

    many_cells.py DIR CELLS [LAUNCHES]    default: one launch of each cell

Two numbers of ranks, five batch sizes, and one option with as many values as that takes; four arms, eight super-blocks
of 1 + 2 steps, 24 options that all cells have. `ddpbench verify` finds it whole.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

ARMS = {"raw": 0.0, "raw_again": 0.0, "trainer": 5.0, "injected": 100.0}  # what a step costs more, us
RANKS, BATCHES = (1, 2), (4, 8, 16, 32, 64)
SUPER_BLOCKS, STEPS = 8, 2
OPTIONS = {f"option_{number}": "some_value" for number in range(24)}
AXES = "workload,strategy,backend,precision,nodes,ranks_per_node,batch_size_per_rank"
PLAN = f"launch_id,cell_id,{AXES},options,arms,repetition,seed,status_planned,skip_reason,command"
RUNS = (
    f"launch_id,cell_id,arm,{AXES},options,repetition,status,reason,host_list,started_utc,wall_s,super_blocks,steps,"
    "samples_per_s,step_ms_p50,thread_cpu_ms_p50,peak_memory_mib,loss_first,loss_last,steps_bytes,blocks_bytes,attempt,versions,"
    "profiled"
)
STEP_COLUMNS = (
    "launch_id,super_block,block,arm,step,rank,discarded,step_s,thread_cpu_s,process_cpu_s,data_s,h2d_s,forward_s,backward_s,"
    "comm_wait_s,optimizer_s,wrapper_s,other_s,loss,awaited_s,run_delay_s"
)
BLOCK_COLUMNS = (
    "launch_id,super_block,block,position,arm,rank,wall_s,device_s,thread_cpu_s,process_cpu_s,load,steal_s,foreign_cpu_s,disturbed,"
    "instrumentation,throttled_s,instructions,awaited_s,run_delay_s"
)
METRICS = "launch_id,arm,rank,metric,value,unit"
MANIFEST = "file,launch_id,attempt,bytes,crc32,state"
SCHEMA = 12
WHERE_KNOWN = ["wall", "thread_cpu"]
RECORDED_ARMS = {
    "arms": [
        {"name": "raw", "help": "", "role": "reference"},
        {"name": "raw_again", "help": "", "role": "aa_control", "reference": "raw"},
        {"name": "trainer", "help": "", "reference": "raw", "is_wrapper": True},
        {"name": "injected", "help": "", "role": "positive_control", "reference": "raw", "clocks": WHERE_KNOWN},
    ],
    "features": [],
    "workloads": [],
    "strategies": [],
    "precisions": [],
    "backends": [{"name": "gloo", "help": "", "device": "cpu", "is_ring": True}],
}
HERE = "@"  # stands for the launch in a text that many share
KINDS = 20  # of such texts for each size: to make them all anew would take longer than the report


@dataclass(frozen=True)
class Cell:
    ranks: int
    batch: int
    value: float

    @property
    def name(self) -> str:
        return f"null-ddp-gloo-n1r{self.ranks}-fp32-b{self.batch}-weight_decay={self.value:g}"

    @property
    def axes(self) -> list:
        return ["null", "ddp", "gloo", "fp32", 1, self.ranks, self.batch]

    @property
    def options(self) -> str:
        return ";".join(f"{name}={value}" for name, value in {**OPTIONS, "weight_decay": f"{self.value:g}"}.items())


def cells_of(count: int) -> list[Cell]:
    cells = [Cell(ranks, batch, 1e-4 * place) for place in range(-(-count // 10)) for batch in BATCHES for ranks in RANKS]
    return cells[:count]


def seconds(us: float) -> str:
    return f"{us / 1e6:.9f}"


class Samples:
    """The rows of one launch, with HERE for its name."""

    def __init__(self, cell: Cell, seed: int) -> None:
        self.steps, self.blocks = io.StringIO(), io.StringIO()
        self._steps = csv.writer(self.steps, lineterminator="\n")
        self._blocks = csv.writer(self.blocks, lineterminator="\n")
        self._random = random.Random(f"{cell.ranks} {cell.batch} {seed}")
        self._block = 0
        for super_block in range(1, SUPER_BLOCKS + 1):
            for position, arm in enumerate(self._random.sample(list(ARMS), len(ARMS))):
                self._add_block(cell, super_block, position, arm)

    def _add_block(self, cell: Cell, super_block: int, position: int, arm: str) -> None:
        self._block += 1
        us = (100 * cell.batch + ARMS[arm]) * self._random.uniform(0.99, 1.01)
        for rank in range(cell.ranks):
            place = [HERE, super_block, self._block]
            for step in range(STEPS + 1):
                discarded = int(step == 0)
                times = [seconds(share * us) for share in (1, 0.8, 0.95, 0.02, 0, 0.33, 0.5, 0.21, 0.1, 0.01, 0.04)]
                self._steps.writerow([*place, arm, step, rank, discarded, *times, 2.3 if discarded else "", "", ""])
            times = [seconds(STEPS * us), "", seconds(0.8 * STEPS * us), seconds(0.95 * STEPS * us)]
            self._blocks.writerow([*place, position, arm, rank, *times, 1.25, 0, 0, 0, "timers+nvtx", 0, "", "", ""])


def member(text: str) -> bytes:
    return gzip.compress(text.encode(), compresslevel=1, mtime=0)


def write(path: Path, cells: list[Cell], launches: int) -> None:
    path.mkdir(parents=True)
    plan, runs, metrics, manifest = [PLAN.split(",")], [RUNS.split(",")], [METRICS.split(",")], [MANIFEST.split(",")]
    texts: dict[tuple[int, int, int], Samples] = {}
    with (path / "steps.csv.gz").open("wb") as steps, (path / "blocks.csv.gz").open("wb") as blocks:
        for file, columns in ((steps, STEP_COLUMNS), (blocks, BLOCK_COLUMNS)):
            packed = member(columns + "\n")
            file.write(packed)
            manifest.append([Path(file.name).name, "", 0, *sum_of(packed), ""])
        for place, (cell, repetition) in enumerate((cell, n) for n in range(launches) for cell in cells):
            launch = f"{cell.name}-r{repetition}"
            key = (cell.ranks, cell.batch, place % KINDS)
            samples = texts.get(key) or texts.setdefault(key, Samples(cell, place % KINDS))
            for file, rows in ((steps, samples.steps), (blocks, samples.blocks)):
                packed = member(rows.getvalue().replace(HERE, launch))
                file.write(packed)
                manifest.append([Path(file.name).name, launch, 1, *sum_of(packed), ""])
            plan.append([launch, cell.name, *cell.axes, cell.options, " ".join(ARMS), repetition, place, "planned", "", "true"])
            end = [steps.tell(), blocks.tell(), 1, "", ""]
            runs += [run_row(launch, cell, arm, repetition) + end for arm in ARMS]
            metrics += [[launch, "injected", 0, f"injected_true_{clock}_s", 1e-4, "s"] for clock in ("wall", "thread_cpu")]
    texts_of_files = {f"{name}.csv": csv_text(rows) for name, rows in (("plan", plan), ("runs", runs), ("metrics", metrics))}
    texts_of_files["experiment.toml"] = experiment_of(cells, launches)
    texts_of_files["environment.json"] = json.dumps({"schema_version": SCHEMA, "cores": 2, "hostname": "node1", **RECORDED_ARMS})
    for name, text in texts_of_files.items():
        (path / name).write_text(text, encoding="utf-8")
        manifest.append([name, "", 0, *sum_of(text.encode()), ""])
    text = csv_text(manifest)
    (path / "manifest.csv").write_text(text + csv_text([["manifest.csv", "", 0, *sum_of(text.encode()), ""]]), encoding="utf-8")


def sum_of(data: bytes) -> tuple[int, str]:
    return len(data), f"{zlib.crc32(data):08x}"


def csv_text(rows: list[list]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def run_row(launch: str, cell: Cell, arm: str, repetition: int) -> list:
    measured = [1.0, SUPER_BLOCKS, SUPER_BLOCKS * STEPS, "", "", "", "", "", ""]
    when = ["node1", "2026-01-01T00:00:00Z"]
    return [launch, cell.name, arm, *cell.axes, cell.options, repetition, "ok", "", *when, *measured]


def experiment_of(cells: list[Cell], launches: int) -> str:
    values = ", ".join(f"{value:g}" for value in dict.fromkeys(cell.value for cell in cells))
    arms = ", ".join(f'"{arm}"' for arm in ARMS)
    return (
        f'name = "many_cells"\narms = [{arms}]\n[axes]\nworkload = ["null"]\nranks_per_node = {list(RANKS)}\n'
        f"batch_size_per_rank = {list(BATCHES)}\nweight_decay = [{values}]\n"
        f"[protocol]\nlaunches = {launches}\nblock_steps = {STEPS}\n"
    )


if __name__ == "__main__":
    write(Path(sys.argv[1]), cells_of(int(sys.argv[2])), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
