"""A framework's loop, one batch at a time."""

import pytest

from ddpbench_arms.stepped import LoopEndedError, SteppedLoop


def counting(seen):
    def loop(batches):
        for batch in batches:
            seen.append(batch)
        seen.append("left")

    return loop


def test_stands_at_the_first_fetch_and_goes_a_batch_at_a_time():
    seen, batches = [], iter("abc")
    loop = SteppedLoop(counting(seen), lambda: next(batches))
    assert seen == []
    loop.advance()
    assert seen == ["a"]
    loop.advance()
    assert seen == ["a", "b"]


def test_the_end_of_its_data_lets_the_loop_leave():
    seen, batches = [], iter("abc")
    loop = SteppedLoop(counting(seen), lambda: next(batches))
    loop.advance()
    loop.end()
    assert seen == ["a", "left"]
    loop.end()  # once more: nothing
    with pytest.raises(LoopEndedError):
        loop.advance()


def test_two_loops_live_at_once():
    first, second = [], []
    batches = iter(range(10))
    loops = [SteppedLoop(counting(seen), lambda: next(batches)) for seen in (first, second)]
    for loop in (*loops, *loops):
        loop.advance()
    assert (first, second) == ([0, 2], [1, 3])
    for loop in loops:
        loop.end()


def test_what_the_loop_raises_comes_out_of_the_advance():
    def failing(batches):
        for _ in batches:
            raise ValueError("mine")

    loop = SteppedLoop(failing, lambda: 1)
    with pytest.raises(ValueError, match="mine"):
        loop.advance()


def test_a_loop_that_ends_by_itself_is_told():
    with pytest.raises(LoopEndedError):
        SteppedLoop(lambda batches: None, lambda: 1)

    def one(batches):
        next(iter(batches))

    with pytest.raises(LoopEndedError):
        SteppedLoop(one, lambda: 1).advance()
