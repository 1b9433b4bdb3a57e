"""Every command of README and docs/ does what it says, where a reader would type it. What takes long is planned only."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import figures
import pytest
from named_things import Tree, missing, simple_commands
from shown_commands import ShownCommand, all_commands, commands_of, pages, unknown_options, unknown_words_of_bootstrap

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["DDPBENCH_BUILD"])
CTEST = os.environ.get("DDPBENCH_CTEST", "ctest")
MOST_WORDS = 700  # of the README
MOST_WORDS_OF_FIGURES = 4580  # of page and file: a new figure takes the place of an old one
FOLDERS = ("results/mine", "results/first", "results/ci")
SHORT = ("workload=null", "max_super_blocks=6", "min_super_blocks=6", "launches=1", "batch_size_per_rank=4")
ONLY_PLANNED = ("run",)
MISSING_RELEASE = re.compile(r"lightning_version = .* is not installed .*: ./bootstrap.sh build --lightning-version .*")
WORKFLOW = ROOT / "docs" / "examples" / "ci.yml"
OF_RUN_ALONE = {"--out": 1, "--resume": 0, "--budget": 1, "--require-verdict": 0, "--launcher": 1, "--reasons": 0}
OF_RUN_ALONE |= {"--until": 1, "--minutes": 1, "--launches": 1}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the commands are typed: `build` and the sources stand there, and the folders of results that a page made before."""
    place = tmp_path_factory.mktemp("docs")
    (place / "build").symlink_to(BUILD)
    (place.parent / "before").symlink_to(place)  # the tree of the branch that a change goes to
    for name in ("bootstrap.sh", "docs", "suite", "tests", "slurm"):
        (place / name).symlink_to(ROOT / name)
    settings = [part for setting in SHORT for part in ("--set", setting)]
    done = run(["build/bin/ddpbench", "run", "overhead", *settings, "--out", FOLDERS[0]], place)
    assert done.returncode == 0, done.stderr
    for other in FOLDERS[1:]:
        subprocess.run(["cp", "-r", FOLDERS[0], other], cwd=place, check=True)
    traces = ["--profile", "kineto", "--profile-only", "--profile-arms", "raw", "--out", "results/demo"]
    done = run(["build/bin/ddpbench", "run", "overhead", *settings, *traces], place)
    assert done.returncode == 0, done.stderr
    return place


def run(words: list[str], place: Path) -> subprocess.CompletedProcess:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(place), "LANG": "C.UTF-8"}
    return subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True, check=False, timeout=1800)


def planned(words: list[str]) -> list[str]:
    """`run` as the `plan` of the same: without what only `run` knows."""
    kept, skip = [], 0
    for word in words:
        if skip:
            skip -= 1
        elif word in OF_RUN_ALONE:
            skip = OF_RUN_ALONE[word]
        else:
            kept.append("plan" if word == "run" else word)
    return kept


def check_program(words: list[str], place: Path) -> None:
    unknown = unknown_options(words, lambda asked: run(asked, place).stdout)
    assert not unknown, f"{words[1]} knows no {unknown[0]}"
    if words[1] == "trace":  # 1: on a busy host a trace and its timers may differ
        done = run(words, place)
        assert done.returncode in (0, 1) and "a step takes" in done.stdout, done.stderr
        return
    if words[1] == "collectives":
        if "--seconds" in words:
            pytest.skip("a figure that was measured: its options are there")
        words = [*words, "--check"]
    if words[1] == "compare" and "--base" in words and "--bisect" not in words:
        check_comparison(words, place)
        return
    done = run(planned(words) if words[1] in ONLY_PLANNED else words, place)
    if done.returncode == 2 and (missing := MISSING_RELEASE.search(done.stderr)):
        pytest.skip(missing[0])
    assert done.returncode == 0, done.stderr


def check_comparison(words: list[str], place: Path) -> None:
    """With two short launches of each side. What is found in them is chance: any end but a mistake will do."""
    is_own = any("modules." in word for word in words)  # which is the workload then
    settings = [part for setting in SHORT if not (is_own and "workload" in setting) for part in ("--set", setting)]
    if "--minutes" in words:
        words = [*words[: words.index("--minutes") + 1], "0.1", *words[words.index("--minutes") + 2 :]]
    done = run([*words, *settings, "--once", "--launches", "2"], place)
    if missing := MISSING_RELEASE.search(done.stderr):
        pytest.skip(missing[0])
    assert done.returncode in (0, 1, 4) and "How sure: " in done.stdout, done.stdout + done.stderr
    assert not re.search(r"^launch .* (failed|wrong_result|partial): ", done.stdout, re.MULTILINE), done.stdout


def check_bootstrap(words: list[str], place: Path) -> None:
    unknown = unknown_words_of_bootstrap(words, run(["./bootstrap.sh", "--help"], place).stdout)
    assert not unknown, f"bootstrap.sh knows no {unknown[0]}"


def selected_by(preset: str) -> list[str]:
    presets = {entry["name"]: entry for entry in json.loads((ROOT / "CMakePresets.json").read_text())["testPresets"]}
    chosen = presets[preset].get("filter", {})
    label, name = chosen.get("include", {}).get("label"), chosen.get("exclude", {}).get("name")
    return [*(["-L", label] if label else []), *(["-E", name] if name else [])]


def check_ctest(words: list[str], place: Path) -> None:
    """The tests that it selects are there, of a preset in the build that runs this."""
    if words[1] == "--preset":
        words = [words[0], "--test-dir", "build", *selected_by(words[2])]
    done = run([CTEST, *words[1:], "-N"], place)
    assert done.returncode == 0, done.stderr
    count = re.search(r"Total Tests: (\d+)", done.stdout)
    assert count is not None and int(count[1]) > 0, f"{' '.join(words)}: selects no test"


CHECKS = {"build/bin/ddpbench": check_program, "./bootstrap.sh": check_bootstrap, "ctest": check_ctest}
RUN_ELSEWHERE = {
    "cmake": "the build that runs this test",
    "git": "stage `format` of .ci/run",
    ".venv/bin/ruff": "stage `lint` of .ci/run",
    ".venv/bin/python": "a proof, which needs a quiet host",
}


@pytest.mark.parametrize("shown", all_commands(ROOT), ids=lambda shown: f"{shown.page}: {shown.line}")
def test_a_shown_command(shown: ShownCommand, place: Path) -> None:
    if shown.why_not_run:
        pytest.skip(shown.why_not_run)
    program = shown.words[0]
    if program in RUN_ELSEWHERE:
        pytest.skip(f"shown by {RUN_ELSEWHERE[program]}")
    assert program in CHECKS, f"no test knows how to check {program}"
    CHECKS[program](shown.words, place)


def test_the_readme_is_short() -> None:
    words = (ROOT / "README.md").read_text(encoding="utf-8").split()
    assert len(words) <= MOST_WORDS


def test_the_figures_are_short() -> None:
    words = [word for path in (figures.PAGE, figures.FILE) for word in (ROOT / path).read_text(encoding="utf-8").split()]
    assert len(words) <= MOST_WORDS_OF_FIGURES


def test_the_figures_page_is_what_the_file_gives_and_its_commands_name_what_there_is() -> None:
    text = (ROOT / figures.PAGE).read_text(encoding="utf-8")
    tree = Tree.with_program(ROOT, BUILD / "bin" / "ddpbench")
    assert not list(figures.faults(figures.figures_of(ROOT), text, tree))


HEAD = ",".join(figures.COLUMNS)
RIGHT = "speed,yes,start: a; b,1; 2 s,2026-11-22,quiet,build/bin/ddpbench run demo --set a=1"
TOLD = {"list": "  demo          What it is", "run": "--set --out", "compare": "--base --new"}
STRANGE = Tree(ROOT, lambda words: TOLD.get(words[1], ""))  # of another program


def faults_of(line: str) -> list[str]:
    made = figures.read([HEAD, line])
    return list(figures.faults(made, figures.page("<!-- figures: speed -->\n", made), STRANGE))


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("speed", "sped", "no section sped in docs/figures.md"),
        ("yes", "maybe", "page is yes or no, not 'maybe'"),
        ("1; 2 s", "1 s", "1 figures have 2 names"),
        ("1; 2 s", "slow; fast", "no figure"),
        ("2026-11-22", "yesterday", "no date: yesterday"),
        (RIGHT.rpartition(",")[2], "", "no command"),
        ("--set", "--sett", "run knows no --sett"),
        ("run demo", "run dem", "no experiment dem"),
        ("run demo", "run docs/examples/none.toml", "no experiment docs/examples/none.toml"),
        ("run demo", "compare dem", "compare names no experiment"),
        ("build/bin/ddpbench", "taskset -c 4 build/tests/no_test &&", "no target no_test"),
        ("build/bin/ddpbench run demo", "cmake --build build --target no_target", "no target no_target"),
        ("build/bin/ddpbench run demo", "cmake --preset none", "no preset none"),
        ("build/bin/ddpbench run demo", ".venv/bin/python tests/proofs/ran.py", "no file tests/proofs/ran.py"),
        ("build/bin/ddpbench run demo --set a=1", "tests/proofs/run.py one_rank no_proof", "no proof no_proof"),
        ("build/bin/ddpbench run demo --set a=1", "tests/campaigns/run.py --seed 7 bites", "no campaign bites"),
        ("build/bin/ddpbench run demo --set a=1", "tests/gpu/session.sh OUT clok", "no piece clok"),
    ],
)
def test_a_wrong_figure_is_refused_by_its_name(right: str, wrong: str, told: str) -> None:
    assert faults_of(RIGHT) == []
    assert f"docs/figures.csv:2: 'start: a; b': {told}" in faults_of(RIGHT.replace(right, wrong))


def test_a_page_or_a_file_that_was_altered_by_hand_is_refused() -> None:
    made = figures.read([HEAD, RIGHT, RIGHT])
    text = figures.page("before\n\n<!-- figures: speed -->\n\nbehind\n", made)
    assert text.startswith("before\n") and text.endswith("|\n\nbehind\n") and "| start: a; b | 1; 2 s | `build/" in text
    assert list(figures.faults(made, text.replace("2 s", "3 s"), STRANGE)) == [
        "docs/figures.csv:3: 'start: a; b': is there twice",
        "docs/figures.md is not what docs/figures.csv gives: run tests/docs/figures.py --write",
    ]
    with pytest.raises(ValueError, match="docs/figures.csv:2: not 7 columns"):
        figures.read([HEAD, "speed,yes"])


def test_a_line_without_a_command_is_of_the_run_above() -> None:
    above, below = figures.read([HEAD, RIGHT, "speed,yes,c,3 s,,,"])
    assert (below.command, below.date, below.run) == (above.command, above.date, above.run)
    assert figures.table([above, below]).endswith("| c | 3 s | |\n")


def test_programs_of_a_command_are_found_behind_what_times_and_places_them() -> None:
    assert simple_commands("time a --b 'c d' && taskset -c 4 strace -c -w e; python3 f.py & g") == [
        ["a", "--b", "c d"],
        ["e"],
        ["f.py"],
        ["g"],
    ]
    assert missing("./bootstrap.sh dmo --quik", STRANGE) == ["bootstrap.sh knows no dmo", "bootstrap.sh knows no --quik"]


def test_links_lead_somewhere() -> None:
    for page in pages(ROOT):
        for target in re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_commands_are_found() -> None:
    text = "<!-- needs a GPU -->\n```bash\n./bootstrap.sh demo   # why\n```\nand `ctest -L gpu`, `ctest -R NAME`"
    assert commands_of("page", text) == [
        ShownCommand("page", "./bootstrap.sh demo", "needs a GPU"),
        ShownCommand("page", "ctest -L gpu"),
    ]
    assert planned(["x", "run", "demo", "--out", "a", "--set", "b=1", "--resume"]) == ["x", "plan", "demo", "--set", "b=1"]


@pytest.mark.parametrize("line", re.findall(r"^ +run: (.*)$", WORKFLOW.read_text(encoding="utf-8"), re.MULTILINE))
def test_every_command_of_the_workflow_does_what_it_says(line: str, place: Path):
    words = line.split()
    if words[0] == "build/bin/ddpbench":
        check_program(words, place)
    elif words[0] == "./bootstrap.sh":
        check_bootstrap(words, place)
    else:
        assert words[:2] == ["cat", "comment.md"], line
