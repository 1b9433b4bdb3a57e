"""The caller's mistakes: exit 2, everything named, nothing started."""

import os

import pytest
from conftest import NULL_EXPERIMENT, rows


def check_refused(done, *words):
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    for word in words:
        assert word in done.stderr, f"{word!r} not in:\n{done.stderr}"


BAD_EXPERIMENTS = {
    "unknown key": ("[protocol]\n", "[protocol]\nlaunchez = 3\n", ["launchez", "launches"]),
    "unknown workload": ('"null"', '"resnet51_cifar10"', ["resnet51_cifar10", "resnet50_cifar10"]),
    "unknown arm": ('"trainer"', '"lightning"', ["lightning", "trainer"]),
    "unknown feature": ('"trainer"', '"trainer+turbo"', ["turbo", "fetch"]),
    "no reference": ('"raw", ', "", ["raw"]),
    "wrong type": ("launches = 1", 'launches = "many"', ["launches", "many"]),
    "empty axis": ("ranks_per_node = [2]", "ranks_per_node = []", ["ranks_per_node"]),
    "zero": ("batch_size_per_rank = [4]", "batch_size_per_rank = [0]", ["batch_size_per_rank", "0"]),
    "negative": ("ranks_per_node = [2]", "ranks_per_node = [-1]", ["ranks_per_node", "-1"]),
    "absurd": ("batch_size_per_rank = [4]", "batch_size_per_rank = [99999999999]", ["batch_size_per_rank", "99999999999"]),
    "nan": ("launches = 1", "launches = 1\nmargin_percent = nan", ["margin_percent", "nan"]),
    "no cell left": ("[axes]", '[axes]\nconstraints = ["nodes > 1"]', ["nodes > 1"]),
    "bad constraint": ("[axes]", '[axes]\nconstraints = ["nodes >"]', ["nodes >"]),
    "negative workers": ("[protocol]\n", "[workload]\nworkers = -1\n[protocol]\n", ["workers", "-1", "0"]),
    "no prefetch": ("[protocol]\n", "[workload]\nprefetch = 0\n[protocol]\n", ["prefetch", "1"]),
    "unknown residence": ("[protocol]\n", '[workload]\nresident = "disk"\n[protocol]\n', ["disk", "off", "host", "device"]),
    "unknown last batch": ("[protocol]\n", '[workload]\nlast_batch = "pad"\n[protocol]\n', ["pad", "drop", "keep"]),
    "no weights file": ("[protocol]\n", '[workload]\nweights = "no/such.pt"\n[protocol]\n', ["weights", "no/such.pt", "file"]),
    "static graph": (
        "[protocol]\n",
        "[strategy]\nstatic_graph = true\naccumulate = 3\n[protocol]\n",
        ["static_graph", "accumulate = 1", "3"],
    ),
    "nesterov": (
        "[protocol]\n",
        "[workload]\nnesterov = true\ndampening = 0.5\n[protocol]\n",
        ["nesterov", "dampening = 0", "0.5"],
    ),
    "nesterov alone": ("[protocol]\n", "[workload]\nnesterov = true\nmomentum = 0\n[protocol]\n", ["momentum", "nesterov"]),
    "device set with workers": (
        "[protocol]\n",
        '[workload]\nresident = "device"\nworkers = 2\n[protocol]\n',
        ["resident", "workers = 0", "2"],
    ),
    "syntax": ("launches = 1", "launches = = 1", ["launches = = 1"]),
}


@pytest.mark.parametrize("name", BAD_EXPERIMENTS)
def test_a_bad_experiment_is_refused_with_file_key_and_what_is_legal(ddpbench, name):
    before, after, words = BAD_EXPERIMENTS[name]
    assert before in NULL_EXPERIMENT
    path = ddpbench.experiment(NULL_EXPERIMENT.replace(before, after))
    out = ddpbench.folder / "out"
    check_refused(ddpbench.run("run", path, "--out", out), "experiment.toml", *words)
    assert not out.exists()


def test_all_mistakes_are_told_at_once(ddpbench):
    text = NULL_EXPERIMENT.replace('"null"', '"nul"').replace("launches = 1", "launches = 0\ncolour = 3")
    check_refused(ddpbench.run("run", ddpbench.experiment(text)), "nul", "launches", "colour")


def test_unknown_experiments_commands_and_options_name_the_known(ddpbench):
    check_refused(ddpbench.run("run", "demonstration"), "demonstration", "demo")
    check_refused(ddpbench.run("rnu"), "rnu")
    check_refused(ddpbench.run("plan", "demo", "--colour"), "--colour")
    check_refused(ddpbench.run("list", "armz"), "armz", "arms")
    check_refused(ddpbench.run("plan", "demo", "--set", "backend=smoke"), "smoke", "gloo")


# A line of a job's script begins with each of them: a further line would be a command of the job.
@pytest.mark.parametrize("option", ["--qos", "--account", "--batch-option", "--output"])
@pytest.mark.parametrize("separator", ["\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\033", "\udcff"], ids=ascii)
def test_what_would_be_more_than_a_line_of_a_jobs_script_is_refused(ddpbench, option, separator):
    value = ddpbench.folder / f"a{separator}touch X" if option == "--output" else f"a{separator}touch X"
    given = {"--site": "generic-slurm", "--output": "jobs", option: value}
    words = [f"{name}={text}" for name, text in given.items()]
    done = ddpbench.run("submit", "scaling", "--dry-run", *words)
    check_refused(done, option, "a?touch X", "must be a single line of printable characters")
    assert [path.name for path in ddpbench.folder.iterdir()] == ["home"], "nothing is written"


def test_a_script_is_shown_where_this_build_cannot_run_it(ddpbench):
    done = ddpbench.run("submit", "scaling", "--site", "jean-zay-v100", "--account", "abc", "--output", "jobs")
    if done.returncode == 0:
        pytest.skip("this LibTorch has kernels for the V100")
    assert done.returncode == 77, done.stderr
    assert "  | #SBATCH --gres=gpu:4" in done.stdout
    assert "this build cannot run it, so nothing is submitted:\n  backend 'nccl'" in done.stdout
    assert [path.name for path in ddpbench.folder.iterdir()] == ["home"], "nothing is written"


def test_a_study_that_leaves_gpus_idle_is_refused_with_the_word_that_changes_it(ddpbench):
    words = ["submit", "overhead", "--site", "jean-zay-h100", "--account", "abc"]
    check_refused(ddpbench.run(*words), "leave idle", "--set backend=nccl --set ranks_per_node=4", "--leave-gpus-idle")
    shown = ddpbench.run(*words, "--dry-run").stdout
    assert "  | #SBATCH --gres=gpu:4" in shown and "would be refused: no launch of it trains on a GPU" in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["overhead", "collectives"], ["give EXPERIMENT 'overhead' or collectives, not both"]),
        (["overhead", "--base", "build"], ["--new is missing"]),
        (["collectives", "--jobs", "array"], ["--jobs array: `collectives` is one job"]),
        (["collectives", "--backends", "smoke"], ["smoke", "gloo"]),
        (["collectives", "--set", "launches=3"], ["--set is not for collectives"]),
        (["collectives", "--account", ""], ["--account is empty"]),
        (["collectives", "--sitee"], ["--sitee", "--site, --account"]),
        (["overhead", "--base", "build", "--new", "build", "--no-preflight"], ["--no-preflight"]),
        (["overhead", "--base", "nowhere", "--new", "injected_us=1"], ["--base 'nowhere' is no build"]),
        (["overhead", "--base", "injected_us=1", "--new", "precision=amp_bf16"], ["base and new have other cells"]),
    ],
    ids=lambda given: " ".join(given),
)
def test_what_a_job_cannot_do_is_refused(ddpbench, words, told):
    check_refused(ddpbench.run("submit", *words, "--site", "generic-slurm", "--leave-gpus-idle", "--dry-run"), *told)


def damaged(data, how):
    path = next(data.rglob("data_batch_3.bin"))
    with open(path, "r+b") as file:
        how(file)
    return path.name


def append_record(file):
    file.seek(0, 2)
    file.write(bytes(3073))


def spoil_label(file):
    file.seek(5 * 3073)
    file.write(bytes([77]))


@pytest.mark.parametrize(
    ("how", "word"),
    [(lambda file: file.truncate(3073 * 100 + 7), "data_batch_3.bin"), (append_record, "data_batch_3.bin"), (spoil_label, "77")],
    ids=["truncated", "oversized", "label out of range"],
)
def test_damaged_cifar_files_are_refused(ddpbench, data, how, word):
    name = damaged(data, how)
    check_refused(ddpbench.run("data", "verify", data), name, word)
    experiment = ddpbench.experiment(NULL_EXPERIMENT.replace('"null"', '"convnet_cifar10"'))
    out = ddpbench.folder / "out"
    check_refused(ddpbench.run("run", experiment, "--data", data, "--out", out), name, word)


def test_missing_data_is_refused(ddpbench):
    experiment = ddpbench.experiment(NULL_EXPERIMENT.replace('"null"', '"convnet_cifar10"'))
    check_refused(ddpbench.run("run", experiment, "--data", ddpbench.folder / "nowhere"), "nowhere")


def test_a_folder_that_is_in_use_or_of_another_experiment_is_refused(ddpbench):
    out = ddpbench.folder / "out"
    assert ddpbench.run("run", ddpbench.experiment(), "--out", out).returncode == 0
    before = rows(out, "runs.csv")
    check_refused(ddpbench.run("run", ddpbench.experiment(), "--out", out), "--resume")
    other = ddpbench.experiment(protocol="max_super_blocks = 9\nmin_super_blocks = 8")
    check_refused(ddpbench.run("run", other, "--out", out, "--resume"), "max_super_blocks")
    assert rows(out, "runs.csv") == before


def test_a_folder_without_results_is_refused(ddpbench):
    for command in ("report", "verify"):
        check_refused(ddpbench.run(command, ddpbench.folder), str(ddpbench.folder))


def with_weights(ddpbench, path):
    return ddpbench.experiment(NULL_EXPERIMENT.replace("[protocol]\n", f'[workload]\nweights = "{path}"\n[protocol]\n'))


def test_weights_are_looked_at_before_anything_is_launched(ddpbench):
    torch = pytest.importorskip("torch")
    folder = ddpbench.folder
    (folder / "text.pt").write_text("no weights at all\n")
    torch.save({"linear.weight": torch.zeros(11, 3072)}, folder / "shape.pt")
    (folder / "half.pt").write_bytes((folder / "shape.pt").read_bytes()[:50_000])
    os.mkfifo(folder / "pipe.pt")
    for path, words in {
        "/etc": "is a folder and must be a regular file",
        folder / "pipe.pt": "is a named pipe",
        folder / "text.pt": 'not a whole file as torch.save writes it (it does not begin with "PK")',
        folder / "half.pt": "not a whole file",
        folder / "shape.pt": "do not fit",
    }.items():
        check_refused(ddpbench.run("run", with_weights(ddpbench, path), "--out", folder / "out"), str(path), words)
        assert not (folder / "out").exists()
    check_refused(ddpbench.run("plan", with_weights(ddpbench, folder / "half.pt")), "half.pt")
