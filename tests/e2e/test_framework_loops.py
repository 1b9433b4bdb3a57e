"""The loops of docs/examples/loops, each of a real framework: equal to the loop by hand, in one launch."""

import json
from pathlib import Path

import pytest
from conftest import PROGRAM, rows
from python_launches import SHORT, experiment, run

LOOPS = Path(__file__).parents[2] / "docs" / "examples" / "loops"
PACKAGES = Path(PROGRAM).parent.parent / "training_loops"
pytestmark = pytest.mark.skipif(
    not PACKAGES.exists(), reason="needs others' training loops: tests/support/get_packages.sh BUILD/training_loops PYTHON"
)


def test_every_frameworks_loop_does_the_work_of_the_loop_by_hand(ddpbench):
    names = [path.stem.removesuffix("_loop") for path in sorted(LOOPS.glob("*_loop.py"))]
    assert len(names) == 5
    lines = [f"{name} = {json.dumps(str(LOOPS / f'{name}_loop.py') + ':train')}" for name in names]
    text = experiment(["py_raw", *[f"py_loop={name}" for name in names]], protocol=SHORT) + "\n[loops]\n" + "\n".join(lines)
    done, out = run(ddpbench, text, protocol="", PYTHONPATH=str(PACKAGES), HF_HUB_OFFLINE="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert {row["arm"]: row["status"] for row in rows(out, "runs.csv")} == dict.fromkeys(
        ["py_raw", *[f"py_loop={name}" for name in names]], "ok"
    )
    extra = {row["arm"].partition("=")[2]: row["extra_tensor_ops"] for row in rows(out, "tables/counts.csv")}
    assert int(extra["ignite"]) <= int(extra["torchtnt"]) < int(extra["hugging_face"]) < int(extra["composer"])
