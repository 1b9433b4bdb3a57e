"""A cluster for the tests of this folder; skipped with the reason where none can come up."""

import contextlib
import itertools
import os
import threading
from pathlib import Path

import pytest
from cluster import Cluster, wait_for, why_not

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ["DDPBENCH_PROGRAM"])


@pytest.fixture(scope="session")
def cluster():
    missing = why_not()
    if missing:
        pytest.skip(f"no cluster here: {missing}")
    shared = {folder for folder in (ROOT, PROGRAM.parents[1]) if str(folder).startswith("/tmp/")}
    with Cluster(nodes=4, shared=tuple(shared)) as started:
        yield started


@pytest.fixture(autouse=True)
def no_node_is_known_as_bad(request):
    """On a busy host a test may find one slow, which is nothing to the next one."""
    yield
    if "cluster" in request.fixturenames:
        (request.getfixturevalue("cluster").cache / "ddpbench/bad-nodes.csv").unlink(missing_ok=True)


# A look at the nodes and a page take seconds each: tests of them say so, and others do without.
RUN_LOOKING = (str(PROGRAM), "run", "--tables-only")
RUN = (*RUN_LOOKING, "--no-preflight")
RUN_LOOKING_LINE, RUN_LINE = " ".join(RUN_LOOKING), " ".join(RUN)
COUNT = itertools.count()


@pytest.fixture
def out(cluster) -> Path:
    """A results folder that no other test has."""
    return cluster.work / f"out{next(COUNT)}"


def salloc(nodes: int, *options: str) -> list[str]:
    """It waits for the first nodes: on a busy host those of the last test may still be ending, and a test tells nodes by name."""
    return ["salloc", f"--nodes={nodes}", f"--nodelist=node[1-{nodes}]", "--exclusive", "--quiet", *options]


def in_a_job(cluster, *command, nodes: int = 2, options: tuple[str, ...] = (), **arguments):
    """As a person has it who asked for nodes with salloc: the driver runs outside of them."""
    return cluster.run([*salloc(nodes, *options), *command], **arguments)


@contextlib.contextmanager
def cut_off_once_it_is_asked(cluster, name: str):
    """While an agent on the node looks what ranks can use there. Afterwards the node is back."""

    def cut() -> None:
        wait_for(lambda: cluster.processes_on(name, "ddpbench"), f"somebody who asks {name}")
        cluster.cut_off(name)

    thread = threading.Thread(target=cut)
    thread.start()
    try:
        yield
    finally:
        thread.join()
        cluster.revive(name)
