"""Number formats are known to their table alone."""

import pytest
import torch
from conftest import VOCABULARY

from ddpbench_arms.precisions import PRECISIONS

CPU = torch.device("cpu")


def test_the_build_lets_arms_take_what_the_table_has():
    takes = [set(arm["only"]["precision"]) for arm in VOCABULARY["arms"] if arm.get("program") == "python"]
    assert takes and all(names == set(PRECISIONS) for names in takes)


@pytest.mark.parametrize(("name", "dtype"), [("fp32", None), ("amp_bf16", torch.bfloat16), ("amp_fp16", torch.float16)])
def test_a_loop_by_hand_gets_a_context_and_a_scaler(name, dtype):
    with PRECISIONS[name].autocast(CPU)():
        assert (torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else None) == dtype
    assert (PRECISIONS[name].scaler(CPU) is not None) == (dtype == torch.float16)


def test_one_more_is_a_line(make_arm, monkeypatch):
    monkeypatch.setitem(PRECISIONS, "tf32", PRECISIONS["fp32"])
    arms = ("py_raw", "py_fabric", "py_accelerate", "py_lightning", "py_hf_trainer")
    losses = {make_arm(name, precision="tf32").step().item() for name in arms}
    assert len(losses) == 1
