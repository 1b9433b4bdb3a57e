"""Whose line it is."""

import io

import pytest
import torch

from ddpbench_arms.output import ArmStream, words_of


def written(*texts, arm="py_x"):
    below = io.StringIO()
    stream = ArmStream(below, lambda: arm)
    for text in texts:
        print(text, end="", file=stream)
    return below.getvalue()


def test_every_line_carries_the_name():
    assert written("one\ntwo\n") == "py_x: one\npy_x: two\n"


def test_a_line_in_pieces_is_one_line():
    assert written("on", "e\ntw") == "py_x: one\n"


def test_of_a_bar_what_a_terminal_would_show_stays():
    assert written("0 %", "\r50 %", "\r100 %\n") == "py_x: 100 %\n"
    assert written("one\r\n") == "py_x: one\r\n"


def test_a_bar_that_never_ends_its_line_is_not_kept_whole():
    stream = ArmStream(io.StringIO(), lambda: "py_x")
    for percent in range(100):
        stream.write(f"\r{percent} %")
    assert stream.begun == "99 %"


def test_before_any_arm_and_on_empty_lines_there_is_no_name():
    assert written("one\n", arm="") == "one\n"
    assert written("\n") == "\n"


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        try:
            return {}["label"]
        except KeyError as error:
            raise ValueError("row 0 has no label") from error


def test_of_a_workers_chained_errors_the_one_that_reached_it_is_told():
    with pytest.raises(ValueError) as caught:
        next(iter(torch.utils.data.DataLoader(Rows(), num_workers=1)))
    assert words_of(caught.value) == "ValueError: row 0 has no label (in a worker of a DataLoader)"


def test_an_error_of_this_process_is_no_workers():
    trace = "Original Traceback (most recent call last):\nx"
    handed_on = RuntimeError(f"Caught RuntimeError in pin memory thread for device 0.\n{trace}")
    assert words_of(handed_on).startswith("RuntimeError: Caught RuntimeError in pin memory thread")
