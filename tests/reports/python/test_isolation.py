"""Nothing of the folder in which the user stands runs, and nothing there changes the page ($DDPBENCH_PROGRAM)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

KEPT = Path(__file__).resolve().parents[2] / "data" / "kept" / "ladder"
PROGRAM = os.environ.get("DDPBENCH_PROGRAM")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="DDPBENCH_PROGRAM is not set: ctest sets it")

MODULES = ("random", "types", "json", "html", "runpy", "matplotlib", "jinja2", "numpy", "sitecustomize", "usercustomize")
PACKAGES = ("reports", "reports/html", "reports/plots")


def plant(folder: Path) -> Path:
    """A file for everything that Python or matplotlib might look for; each says that it ran."""
    folder.mkdir()
    ran = f"open({str(folder / 'RAN')!r}, 'a').write(__name__)\n"
    for name in MODULES:
        (folder / f"{name}.py").write_text(ran, encoding="utf-8")
    for name in PACKAGES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(ran, encoding="utf-8")
        (folder / name / "__main__.py").write_text(ran, encoding="utf-8")
    (folder / "matplotlibrc").write_text("backend: no_such_backend\nfont.size: broken\nsavefig.dpi: 7\n", encoding="utf-8")
    return folder


def report(cwd: Path, out: str, **environment: str) -> dict[str, bytes]:
    done = subprocess.run(
        [PROGRAM, "report", str(KEPT), "--out", out],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return {str(path.relative_to(cwd / out)): path.read_bytes() for path in (cwd / out).rglob("*") if path.is_file()}


def test_planted_files_neither_run_nor_change_the_page(tmp_path: Path) -> None:
    (tmp_path / "clean").mkdir()
    planted = plant(tmp_path / "planted")
    variables = {
        "PYTHONPATH": f":{planted}",
        "PYTHONSTARTUP": str(planted / "json.py"),
        "MPLBACKEND": "no_such_backend",
        "MATPLOTLIBRC": str(planted / "matplotlibrc"),
    }
    expected = report(tmp_path / "clean", "out")
    assert "report.html" in expected and "plots/ladder.png" in expected
    found = report(planted, "out", **variables)
    found = {name: text.replace(bytes(planted), bytes(tmp_path / "clean")) for name, text in found.items()}
    assert {name for name in expected if found.get(name) != expected[name]} <= {"report_manifest.csv"}  # sums of pages with paths
    assert found.keys() == expected.keys()
    assert not (planted / "RAN").exists()


def test_an_archive_is_packed_without_them(tmp_path: Path) -> None:
    planted = plant(tmp_path / "planted")
    done = subprocess.run(
        [PROGRAM, "pack", str(KEPT), "--out", "kept.tar.gz"], cwd=planted, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (planted / "kept.tar.gz").stat().st_size > 10_000
    assert not (planted / "RAN").exists()
