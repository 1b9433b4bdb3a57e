"""Finds the sources, builds the folders that the tests share, and turns "everything skipped" into exit code 77."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2]), str(HERE)]

from synthetic_results import CELLS, Folder, many_cells  # noqa: E402

from reports.html.report import write_report  # noqa: E402
from reports.plots.tables.results import Results  # noqa: E402

SKIPPED = 77


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Several cells and arms, what is not resolved, a failed launch, a skip, hostile names and words. Tests only read it."""
    return Folder(summary_extra={"words": [["trainer", "a wrapper's <loop>"]]}).write(tmp_path_factory.mktemp("results"))


@pytest.fixture(scope="session")
def results(folder: Path) -> Results:
    return Results.read(folder)


@pytest.fixture
def own_results(tmp_path: Path) -> Results:
    """Of sound names, one test's own: it may change them."""
    return Results.read(Folder(cells=CELLS).write(tmp_path))


@pytest.fixture(scope="session")
def two_cells(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return Results.read(Folder(cells=CELLS[:2]).write(tmp_path_factory.mktemp("two_cells")))


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """More cells and arms than a figure shows, with long names."""
    return Results.read(Folder(cells=many_cells(14)).write(tmp_path_factory.mktemp("many")))


@pytest.fixture(scope="session")
def report(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the finished report."""
    out = tmp_path_factory.mktemp("report")
    assert write_report(folder, out) == ""
    return out


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == 0 and reporter.stats.get("skipped") and not reporter.stats.get("passed"):
        for report in reporter.stats["skipped"]:
            print(f"\nskipped: {report.longrepr[-1]}")
        session.exitstatus = SKIPPED
