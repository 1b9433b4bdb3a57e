"""Files appear whole, and never through what somebody put in their way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reports.plots.whole_file import write_whole


def test_a_file_is_replaced_and_never_rewritten(tmp_path: Path) -> None:
    path, reader = tmp_path / "a", tmp_path / "reader"
    write_whole(path, b"old")
    os.link(path, reader)
    write_whole(path, b"new")
    assert (path.read_bytes(), reader.read_bytes()) == (b"new", b"old")


def test_a_link_is_replaced_and_never_followed(tmp_path: Path) -> None:
    victim, elsewhere = tmp_path / "victim", tmp_path / "elsewhere"
    victim.write_bytes(b"mine")
    elsewhere.mkdir()
    out = tmp_path / "out"
    out.mkdir()
    (out / "report.html").symlink_to(victim)
    (out / f"report.html.{os.getpid()}-0.new").symlink_to(victim)
    (out / "plots").symlink_to(elsewhere)
    write_whole(out / "report.html", b"page")
    write_whole(out / "plots" / "a.png", b"plot")
    assert victim.read_bytes() == b"mine" and list(elsewhere.iterdir()) == []
    assert not (out / "report.html").is_symlink() and (out / "report.html").read_bytes() == b"page"
    assert (out / "plots" / "a.png").read_bytes() == b"plot"


def test_what_is_no_regular_file_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "a"
    os.mkfifo(pipe)
    with pytest.raises(FileExistsError, match="it is no regular file"):
        write_whole(pipe, b"new")
    assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]


def test_a_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "a", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640
