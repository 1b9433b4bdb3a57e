"""The ways in which a results folder can be damaged. One more: a function that says in a word or two what it did, and its line in
DAMAGES."""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Callable
from functools import cache

from victim import Victim, packed

BOMB_BYTES = 4 << 30  # more than the memory that a reader is given
BLOCK = bytes(64 << 20)


def altered_byte(victim: Victim) -> str:
    return alter_byte(victim, victim.any_measured())


def alter_byte(victim: Victim, name: str) -> str:
    data = bytearray(victim.read(name))
    place = victim.random.randrange(len(data))
    before, data[place] = data[place], data[place] ^ victim.random.randrange(1, 256)
    victim.write(name, bytes(data))
    return f"{name}: byte {place} is {data[place]:#04x}, was {before:#04x}"


def truncated(victim: Victim) -> str:
    name = victim.any_measured()
    data = victim.read(name)
    length = victim.random.randrange(len(data))
    victim.write(name, data[:length])
    return f"{name}: {length} of {len(data)} bytes"


def extended(victim: Victim) -> str:
    name = victim.any_measured()
    data = victim.read(name)
    tail = victim.random.choice([b"\n", b"\0", b"x", os.urandom(40), data[-200:], data, bytes(4096)])
    victim.write(name, data + tail)
    return f"{name}: {len(tail)} bytes more"


def deleted(victim: Victim) -> str:
    name = victim.any_measured()
    victim.remove(name)
    return f"{name} is gone"


def two_files_swapped(victim: Victim) -> str:
    one, other = victim.any_measured(), victim.any_measured()
    while other == one:
        other = victim.any_measured()
    texts = victim.read(one), victim.read(other)
    victim.write(one, texts[1])
    victim.write(other, texts[0])
    return f"{one} and {other} are swapped"


def a_line_of(victim: Victim) -> tuple[str, list[bytes], int]:
    name = victim.any_measured(".csv", ".csv.gz")
    lines = victim.lines(name)
    return name, lines, victim.random.randrange(1, len(lines))


def lines_swapped(victim: Victim) -> str:
    others: list[int] = []
    while not others:  # a table of one row has none
        name, lines, one = a_line_of(victim)
        others = [index for index in range(1, len(lines)) if lines[index] != lines[one]]
    other = victim.random.choice(others)
    lines[one], lines[other] = lines[other], lines[one]
    victim.write_lines(name, lines)
    return f"{name}: lines {one} and {other} are swapped"


def line_doubled(victim: Victim) -> str:
    name, lines, one = a_line_of(victim)
    lines.insert(victim.random.randrange(1, len(lines)), lines[one])
    victim.write_lines(name, lines)
    return f"{name}: line {one} stands twice"


def line_deleted(victim: Victim) -> str:
    name, lines, one = a_line_of(victim)
    del lines[one]
    victim.write_lines(name, lines)
    return f"{name}: line {one} is gone"


def member_moved(victim: Victim) -> str:
    name = victim.any_measured(".gz")
    texts = victim.members(name)
    one = victim.random.randrange(len(texts))
    how = victim.random.choice(["gone", "twice", "first"])
    text = texts[one]
    if how == "gone":
        del texts[one]
    elif how == "twice":
        texts.insert(one, text)
    else:
        texts.insert(1 if one == 0 else 0, texts.pop(one))
    victim.write_members(name, texts)
    return f"{name}: member {one} is {how}"


IMPOSSIBLE = (b"-1", b"-0.001", b"inf", b"-inf", b"nan", b"", b"1e999", b"x", b"0x1p3", b"9" * 40, b" 1", b"1;", b"\xff", b"\0")


def value_impossible(victim: Victim) -> str:
    """In a column of numbers that is filled."""
    name, lines, one = a_line_of(victim)
    columns, fields = lines[0].rstrip(b"\n").split(b","), lines[one].rstrip(b"\n").split(b",")
    numbers = [index for index, field in enumerate(fields) if is_number(field) and index < len(columns)]
    column = victim.random.choice(numbers or [0])
    fields[column] = victim.random.choice(IMPOSSIBLE)
    lines[one] = b",".join(fields) + b"\n"
    victim.write_lines(name, lines)
    return f"{name}: line {one}, {columns[min(column, len(columns) - 1)].decode()} is {fields[column]!r}"


def value_other(victim: Victim) -> str:
    """A number that could be, and is not what was measured."""
    name, lines, one = a_line_of(victim)
    fields = lines[one].rstrip(b"\n").split(b",")
    numbers = [index for index, field in enumerate(fields) if is_number(field)]
    column = victim.random.choice(numbers or [0])
    fields[column] += b"7"
    lines[one] = b",".join(fields) + b"\n"
    victim.write_lines(name, lines)
    return f"{name}: line {one}, field {column} is {fields[column]!r}"


def is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def replaced(victim: Victim, name: str, column: str, value: Callable[[bytes], bytes]) -> str:
    """In every row."""
    lines = victim.lines(name)
    place = lines[0].rstrip(b"\n").split(b",").index(column.encode())
    for index in range(1, len(lines)):
        fields = lines[index].rstrip(b"\n").split(b",")
        fields[place] = value(fields[place])
        lines[index] = b",".join(fields) + b"\n"
    victim.write_lines(name, lines)
    return f"{name}: another {column} in every row"


def rank_renumbered(victim: Victim) -> str:
    name = victim.random.choice(["steps.csv.gz", "blocks.csv.gz"])
    number = victim.random.choice([b"0", b"7", b"-1"])
    return replaced(victim, name, "rank", lambda rank: number if rank == b"1" else rank)


def arm_renamed(victim: Victim) -> str:
    name = victim.random.choice(["steps.csv.gz", "blocks.csv.gz", "runs.csv"])
    other = {b"raw": b"trainer", b"trainer": b"raw"}
    return replaced(victim, name, "arm", lambda arm: other.get(arm, arm))


def status_unknown(victim: Victim) -> str:
    status = victim.random.choice([b"okay", b"", b"OK", b"ok ", b"finished"])
    return replaced(victim, "runs.csv", "status", lambda _: status)


def workload_contradicted(victim: Victim) -> str:
    column, value = victim.random.choice(
        [("workload", b"resnet18_cifar10"), ("backend", b"mpi"), ("ranks_per_node", b"1"), ("batch_size_per_rank", b"8")]
    )
    return replaced(victim, "runs.csv", column, lambda _: value)


def far_super_block(victim: Victim) -> str:
    name = victim.random.choice(["steps.csv.gz", "blocks.csv.gz"])
    return replaced(victim, name, "super_block", lambda block: block if block == b"0" else b"9999999")


def fact_changed(victim: Victim) -> str:
    """In environment.json: something is gone, of another type, or too deep."""
    facts = json.loads(victim.read("environment.json"))
    name = victim.random.choice(list(facts))
    how = victim.random.choice(["gone", "null", "list", "number", "text", "deep"])
    if how == "gone":
        del facts[name]
    else:
        facts[name] = {"null": None, "list": [[]], "number": -1e300, "text": "\u001b[31m", "deep": "@"}[how]
    text = json.dumps(facts, indent=2).replace('"@"', "[" * 200_000 + "]" * 200_000)
    victim.write("environment.json", text.encode() + b"\n")
    return f"environment.json: {name} is {how}"


def link_planted(victim: Victim) -> str:
    name = victim.any_measured()
    devices = ("/dev/zero", "/dev/null", "/dev/full", "/proc/self/mem")
    target = victim.random.choice([name, ".", "no/such", "runs.csv", *devices])
    victim.remove(name)
    victim.path(name).symlink_to(target)
    return f"{name} is a link to {target}"


def pipe_planted(victim: Victim) -> str:
    name = victim.any_measured()
    victim.remove(name)
    os.mkfifo(victim.path(name))
    return f"{name} is a named pipe"


def folder_planted(victim: Victim) -> str:
    name = victim.any_measured()
    victim.remove(name)
    victim.path(name).mkdir()
    return f"{name} is a folder"


def gzip_bomb(victim: Victim) -> str:
    """One member that unpacks to more than the memory: of NULs, behind the header or in the place of all."""
    name = victim.any_measured(".gz")
    head = victim.random.choice([b"", packed(victim.lines(name)[0])])
    victim.write(name, head + bomb())
    return f"{name}: a member of {BOMB_BYTES} bytes"


@cache
def bomb() -> bytes:
    """Deflated blocks that end at a byte can be repeated."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(BLOCK) + packer.flush(zlib.Z_FULL_FLUSH)
    count, check = BOMB_BYTES // len(BLOCK), 0
    for _ in range(count):
        check = zlib.crc32(BLOCK, check)
    end = struct.pack("<II", check, BOMB_BYTES & 0xFFFFFFFF)
    return b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + block * count + b"\x03\0" + end


def sparse_giant(victim: Victim) -> str:
    name = victim.any_measured()
    victim.write(name, victim.read(name))
    os.truncate(victim.path(name), 1 << 40)
    return f"{name}: a sparse terabyte"


def line_endless(victim: Victim) -> str:
    name, lines, one = a_line_of(victim)
    lines[one] = victim.random.choice([b"7", b",", b'"', b"\xff"]) * (32 << 20) + b"\n"
    victim.write_lines(name, lines)
    return f"{name}: line {one} is 32 MiB long"


# name -> what does it, and how many times as often as once
def lines_of_windows(victim: Victim) -> str:
    name = victim.random.choice(["runs.csv", "plan.csv", "metrics.csv", "manifest.csv"])
    victim.write(name, victim.read(name).replace(b"\n", b"\r\n"))
    return f"{name}: lines end in CR LF"


DAMAGES: dict[str, tuple[Callable[[Victim], str], int]] = {
    "altered byte": (altered_byte, 6),
    "truncated": (truncated, 4),
    "extended": (extended, 4),
    "file deleted": (deleted, 1),
    "files swapped": (two_files_swapped, 1),
    "lines swapped": (lines_swapped, 4),
    "line doubled": (line_doubled, 4),
    "line deleted": (line_deleted, 4),
    "lines of Windows": (lines_of_windows, 1),
    "member moved": (member_moved, 2),
    "impossible value": (value_impossible, 6),
    "other value": (value_other, 4),
    "rank renumbered": (rank_renumbered, 1),
    "arm renamed": (arm_renamed, 1),
    "unknown status": (status_unknown, 1),
    "plan contradicted": (workload_contradicted, 1),
    "far super-block": (far_super_block, 1),
    "fact changed": (fact_changed, 4),
    "link": (link_planted, 2),
    "named pipe": (pipe_planted, 1),
    "folder": (folder_planted, 1),
    "gzip bomb": (gzip_bomb, 1),
    "sparse giant": (sparse_giant, 1),
    "endless line": (line_endless, 1),
}
