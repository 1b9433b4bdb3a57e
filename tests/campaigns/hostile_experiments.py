"""Makes hostile experiments, settings, constraints and flags, by lot. One more: a function, and its line in ATTACKS.

An attack is what a caller would write: a file, and words of a command line. Where it is certain that it must be refused, it says
so, and which word the refusal must hold."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field

BASE = {
    "": ['name = "hostile"', 'arms = ["raw", "trainer"]'],
    "axes": ['workload = ["null"]', "ranks_per_node = [2]"],
    "protocol": ["launches = 2"],
    "workload": ["momentum = 0.9"],
    "strategy": ["accumulate = 1"],
}

# table, key, kind of its value
KEYS = (
    ("protocol", "launches", "size"),
    ("protocol", "block_steps", "size"),
    ("protocol", "warmup_steps", "size"),
    ("protocol", "seed", "count"),
    ("protocol", "margin_percent", "number"),
    ("protocol", "max_seconds_per_launch", "number"),
    ("protocol", "hang_timeout_seconds", "number"),
    ("protocol", "deterministic", "switch"),
    ("workload", "shuffle", "switch"),
    ("workload", "prefetch", "size"),
    ("workload", "weight_decay", "number"),
    ("workload", "weights", "text"),
    ("strategy", "static_graph", "switch"),
    ("strategy", "accumulate", "size"),
    ("axes", "workload", "list"),
    ("axes", "backend", "list"),
    ("axes", "nodes", "list"),
    ("axes", "batch_size_per_rank", "list"),
    ("", "name", "text"),
    ("", "arms", "list"),
    ("", "constraints", "list"),
)
NEVER = (
    *("nan", "inf", "-inf", "1e999", "-1", "-0.5", "[]", "{}", "1979-05-27", "[[1]]", "99999999999999999999"),
    *('"\\u0000"', '"\\u001b[31m"', '""'),
)
ILLEGAL = {
    "size": (*NEVER, "0", "1.5", "true", '"3"', "[1]", "9223372036854775807"),
    "count": (*NEVER, "1.5", "true", "[1]", "9223372036854775807"),
    "number": (*NEVER, "true", '"3"', "[1.0]", "1e308"),
    "switch": (*NEVER, "0", "1", '"true"', "[true]"),
    "text": (*NEVER, "0", "true", '["a"]', '"no/such/file;"'),
    "list": (*NEVER, "1", "true", '"a"', '["no such"]', "[nan]", "[-1]", "[true]", "[{}]", '["\\u0007"]', '[""]'),
}
# Values of `--set` have no types: these are wrong wherever a number or a known name belongs.
NO_SETTING = (
    *("", "nan", "inf", "-1", "1e999", "0x10", "1,,2", ",", "many", "1 2", "{}", "[]", "1;2"),
    *("\x1b[31m", "\udcff", "9" * 400),
)
WORDS_OF_CONSTRAINTS = (
    *("nodes", "ranks_per_node", "batch_size_per_rank", "workload", "launches", "precision", "and", "or", "not", "true", "false"),
    *("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "(", ")"),
    *("0", "1", "2.5", "-0.0", "1e308", "1e999", "nan", "0x1", "'a'"),
    *('"null"', '"', "'", "=", "!", "&", "nodez", "\x07", "é", "\udcff", ";", "0/0", "1 / (nodes - 1)", "nodes % 0"),
)
STRANGE = (
    *("é", "\u202e", "\U0001f4a5", "\x07", "\x1b[2J", "\x7f", "\u0085", "\ufeff"),
    *("a" * 5_000, " ", "a b", "'", "$(x)", "%s%n", "..", "\u0000"),
)
FLAGS = (
    *("--out", "--set", "--constraint", "--resume", "--launcher", "--data", "--budget", "--require-verdict", "--tables-only"),
    *("--json", "--help", "--version", "--all-commands", "--seed", "--dataset", "-h", "--colour"),
    *("--", "-", "-x", "--=", "--set=", "--out=", "---"),
)
FLAG_VALUES = (
    *("", "-1", "nan", "demo", "no/such", "raw", "a=b", "launches=1", "1%", "%", "local", "ssh", "0", "x" * 100_000),
    *STRANGE[:-1],
)
INSERTED = (b"\0", b"\xff", b"\xc3", b"\n", b'"', b"'''", b"[", b"]", b"{", b"=", b".", b"#", b"\\", b"\r", b"\x1b", b"1_", b"e9")
PLACES = (
    *("", ".", "-", "/dev/zero", "/dev/null", "/dev/full", "/proc/self/mem", "pipe", "loop", "dead"),
    *("x" * 5_000, "a\nb", "\udcff", "\x1b[31m"),
)


@dataclass
class Attack:
    toml: bytes = b""
    words: list[str] = field(default_factory=list)  # behind `plan FILE`
    command: list[str] | None = None  # in the place of `plan FILE`
    must_refuse: bool = False
    subject: str = ""  # what the refusal names


def text_of(tables: dict[str, list[str]]) -> bytes:
    text = ""
    for name, lines in tables.items():
        text += (f"[{name}]\n" if name else "") + "".join(line + "\n" for line in lines)
    return text.encode("utf-8", errors="surrogateescape")


def base_with(table: str, line: str, key: str = "") -> bytes:
    """The sound experiment with a line more, in the place of the one that sets `key`."""
    tables = {name: [known for known in lines if not key or not known.startswith(key + " ")] for name, lines in BASE.items()}
    tables[table].append(line)
    return text_of(tables)


def wrong_value(chance: random.Random) -> Attack:
    table, key, kind = chance.choice(KEYS)
    value = chance.choice(ILLEGAL[kind])
    is_choice = kind == "list" and key == "constraints" and value == "[]"  # none is legal
    return Attack(base_with(table, f"{key} = {value}", key), must_refuse=not is_choice, subject=key)


def unknown_key(chance: random.Random) -> Attack:
    table = chance.choice(list(BASE))
    key = chance.choice(["launchez", "colour", *STRANGE])
    quoted = '"' + "".join(f"\\U{ord(letter):08x}" for letter in key) + '"'
    subject = key if key.isalpha() and key.isascii() and len(key) < 50 else ""
    return Attack(base_with(table, f"{quoted} = 1"), must_refuse=True, subject=subject)


def strange_table(chance: random.Random) -> Attack:
    name = chance.choice(["axez", "protocol.deep", "[axes]", '"a.b"', "axes.workload", '""', "a" * 100_000])
    return Attack(text_of(BASE) + f"[{name}]\nx = 1\n".encode(), must_refuse=True)


def doubled_key(chance: random.Random) -> Attack:
    table = chance.choice(list(BASE))
    return Attack(base_with(table, BASE[table][-1]), must_refuse=True, subject=":")


def mutated(chance: random.Random) -> Attack:
    """Any bytes of a sound file are others: gone, doubled, swapped, controls, no UTF-8."""
    data = bytearray(text_of(BASE))
    for _ in range(chance.choice([1, 1, 2, 5, 40])):
        place = chance.randrange(len(data) - 2)
        how = chance.randrange(4)
        if how == 0:
            del data[place : place + chance.choice([1, 1, 3, 20])]
        elif how == 1:
            data[place:place] = chance.choice(INSERTED)
        elif how == 2:
            data[place] ^= chance.randrange(1, 256)
        else:
            other = chance.randrange(len(data))
            data[place:place] = data[other : other + 30]
    return Attack(bytes(data))


def any_bytes(chance: random.Random) -> Attack:
    length = chance.choice([0, 1, 3, 64, 4_096, 1 << 20, (1 << 20) + 1])
    return Attack(chance.randbytes(length) if chance.random() < 0.7 else bytes(length), must_refuse=True)


def deep(chance: random.Random) -> Attack:
    depth = chance.choice([300, 5_000, 40_000, 200_000])
    line = chance.choice(
        [
            "x = " + "[" * depth + "]" * depth,
            "x = " + "[" * depth,
            "x = " + "{a=" * depth + "1" + "}" * depth,
            ".".join(["a"] * depth) + " = 1",
            "[" + ".".join(["a"] * depth) + "]",
            "[[" + ".".join(["a"] * depth) + "]]",
        ]
    )
    return Attack(text_of(BASE) + line.encode() + b"\n", must_refuse=True)


def huge(chance: random.Random) -> Attack:
    numbers = ", ".join(map(str, range(1, 1_002)))
    lines = [
        f"batch_size_per_rank = [{numbers}]\nnodes = [{numbers}]",  # a million cells
        f"nodes = [{', '.join(map(str, range(1, 100_002)))}]",
        f"nodes = [{', '.join(['1'] * 50_000)}]",
        "\n".join(f"key_{number} = {number}" for number in range(40_000)),
        f'"{"k" * 900_000}" = 1',
        f'backend = ["{"b" * 900_000}"]',
        f"nodes = [{'9' * 900_000}]",
    ]
    return Attack(base_with("axes", chance.choice(lines)), must_refuse=True)


def hostile_setting(chance: random.Random) -> Attack:
    table, key, _ = chance.choice([known for known in KEYS if known[2] != "text" and known[0]])
    written = chance.choice([key, f"{table}.{key}", f" {key} "])
    setting = f"{written}={chance.choice(NO_SETTING)}"
    return Attack(text_of(BASE), ["--set", setting], must_refuse=True, subject=key)


def setting_of_nothing(chance: random.Random) -> Attack:
    setting = chance.choice(["", "=", "=1", "launches", ".=1", "protocol.=1", ".launches=1", "nodez=1", "a.b.c=1", *STRANGE[:-1]])
    again = chance.choice([[], ["--set", "launches=2", "--set", "launches=3"]])
    return Attack(text_of(BASE), ["--set", setting, *again], must_refuse=True)


def hostile_constraint(chance: random.Random) -> Attack:
    words = [chance.choice(WORDS_OF_CONSTRAINTS) for _ in range(chance.choice([0, 1, 2, 3, 3, 3, 5, 9, 30]))]
    return Attack(text_of(BASE), ["--constraint", chance.choice([" ", " ", ""]).join(words)])


def deep_constraint(chance: random.Random) -> Attack:
    depth = chance.choice([500, 20_000, 120_000])  # an argument has at most 128 KiB
    text = chance.choice(
        [
            "(" * depth,
            "(" * (depth // 2) + "nodes" + ")" * (depth // 2),
            "not " * (depth // 4) + "true",
            "-" * depth + "1 < 2",
            "1 <" * (depth // 4),
        ]
    )
    return Attack(text_of(BASE), ["--constraint", text])


def hostile_flags(chance: random.Random) -> Attack:
    """Of commands that start nothing; `run` and `data make` only with what no value can make legal."""
    command = chance.choice(["plan", "plan", "list", "verify", "report", "pack", "data", "data verify", "run", "", "rnu", "-"])
    words = [chance.choice(FLAGS) if chance.random() < 0.6 else chance.choice(FLAG_VALUES) for _ in range(chance.randrange(6))]
    if command == "run":
        return Attack(command=["run", "no/such.toml", *words])
    return Attack(command=[*command.split(), *words])


def hostile_seed(chance: random.Random) -> Attack:
    seed = chance.choice(["-1", "9" * 23, "1.5", "nan", "0x", "", "1 ", "18446744073709551616", "\u0661"])
    return Attack(command=["data", "make", "made", "--seed", seed], must_refuse=True, subject="seed")


def hostile_budget(chance: random.Random) -> Attack:
    budget = chance.choice(["-1", "0", "", "%", "nan", "inf", "1e999", "2%%", "two", "1,2"])
    command = ["run", "demo", "--set", "backend=nccl", "--out", "made", "--budget", budget]
    return Attack(command=command, must_refuse=True, subject="budget")


def hostile_place(chance: random.Random) -> Attack:
    """What stands where an experiment belongs."""
    return Attack(command=["plan", chance.choice(PLACES)], must_refuse=True)


def hostile_out(chance: random.Random) -> Attack:
    place = chance.choice(["", "/dev/null", "loop", "pipe", "file", "/dev/full"])
    return Attack(command=["run", "demo", "--set", "backend=nccl", "--out", place], must_refuse=True)


def hostile_job(chance: random.Random) -> Attack:
    """A value of a script's head that would be a line of its own, or a command."""
    option = chance.choice(["--qos", "--account", "--batch-option", "--output", "--exclude"])
    separator = chance.choice(["\n", "\r", "\v", "\f", "\x1c", "\u0085", "\u2028", "\x1b", "\udcff"])
    words = ["submit", "demo", "--site", "generic-slurm", "--leave-gpus-idle", "--dry-run"]
    return Attack(command=[*words, f"{option}=a{separator}touch made"], must_refuse=True, subject=option)


def plant(folder: str) -> None:
    """What hostile_place and hostile_out name."""
    os.mkfifo(os.path.join(folder, "pipe"))
    os.symlink("loop", os.path.join(folder, "loop"))
    os.symlink("no/such", os.path.join(folder, "dead"))
    with open(os.path.join(folder, "file"), "w", encoding="utf-8") as file:
        file.write("in use")


# name -> what makes it, and how many times as often as once
ATTACKS: dict[str, tuple[Callable[[random.Random], Attack], int]] = {
    "wrong value": (wrong_value, 6),
    "unknown key": (unknown_key, 3),
    "strange table": (strange_table, 1),
    "doubled key": (doubled_key, 1),
    "mutated file": (mutated, 8),
    "any bytes": (any_bytes, 1),
    "deep": (deep, 1),
    "huge": (huge, 1),
    "hostile --set": (hostile_setting, 4),
    "--set of nothing": (setting_of_nothing, 2),
    "constraint": (hostile_constraint, 8),
    "deep constraint": (deep_constraint, 1),
    "flags": (hostile_flags, 6),
    "--seed": (hostile_seed, 1),
    "--budget": (hostile_budget, 1),
    "place of the experiment": (hostile_place, 1),
    "--out": (hostile_out, 1),
    "a job's script": (hostile_job, 2),
}
