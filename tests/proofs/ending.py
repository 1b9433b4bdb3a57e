"""How soon everything ends when something breaks, the report included."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable

from conftest import NULL_EXPERIMENT, Ddpbench, alive, children, kill_one_rank, wait_until
from finding import Finding, at_most

SOON_SECONDS = 10
HANG_TIMEOUT_SECONDS = 5

Deed = Callable[[subprocess.Popen], None]


def after(ddpbench: Ddpbench, what: str, deed: Deed, text: str = NULL_EXPERIMENT, more_seconds: float = 0) -> Finding:
    folder = ddpbench.folder / what.replace(" ", "_")
    folder.mkdir()
    own = Ddpbench(folder)
    _, seconds = own.interrupt(deed, folder / "out", text)
    return at_most(f"{what} ends the run", seconds, SOON_SECONDS + more_seconds, "s")


def signals_and_deaths(ddpbench: Ddpbench) -> list[Finding]:
    return [
        after(ddpbench, "a rank that is killed", kill_one_rank),
        after(ddpbench, "Ctrl-C", lambda driver: driver.send_signal(signal.SIGINT)),
        after(ddpbench, "SIGTERM", lambda driver: driver.terminate()),
    ]


def hangs(ddpbench: Ddpbench) -> list[Finding]:
    def stop(rank: int) -> Deed:
        return lambda driver: os.kill(children(driver.pid)[rank], signal.SIGSTOP)

    text = NULL_EXPERIMENT + f"hang_timeout_seconds = {HANG_TIMEOUT_SECONDS}\n"
    return [
        after(ddpbench, f"rank {rank} that hangs for {HANG_TIMEOUT_SECONDS} s", stop(rank), text, HANG_TIMEOUT_SECONDS)
        for rank in (0, 1)
    ]


def damaged_data(ddpbench: Ddpbench) -> list[Finding]:
    data = ddpbench.folder / "data"
    if ddpbench.run("data", "make", data).returncode != 0:
        raise RuntimeError(f"no data in {data}")
    cut_short = next(data.rglob("data_batch_3.bin"))
    text = NULL_EXPERIMENT.replace('"null"', '"convnet_cifar10"')
    _, seconds = ddpbench.interrupt(lambda _: os.truncate(cut_short, 3073), ddpbench.folder / "out", text, ["--data", data])
    return [at_most("a data file that is cut short while it is read ends the run", seconds, SOON_SECONDS, "s")]


def death_of_the_driver(ddpbench: Ddpbench) -> list[Finding]:
    driver = ddpbench.start("run", ddpbench.experiment(protocol="max_seconds_per_launch = 600"), "--out", ddpbench.folder / "out")
    wait_until(lambda: any(ddpbench.folder.rglob("steps.0.csv")), "super-blocks on disk")
    ranks = children(driver.pid)
    begin = time.monotonic()
    driver.kill()
    driver.communicate()
    wait_until(lambda: not any(alive(pid) for pid in ranks), "end of the ranks")
    return [at_most("ranks whose driver is killed are gone", time.monotonic() - begin, SOON_SECONDS, "s")]
