"""bootstrap.sh --deps on a machine of another kind: no apt-get, and none of the libraries that Debian packages."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = ("CLI", "toml++", "nlohmann", "boost")  # of /usr/include
PROGRAMS = (
    *("bash", "sh", "env", "dirname", "realpath", "sed", "tr", "sort", "head", "tail", "cut", "cat", "uname", "grep", "mkdir"),
    *("g++", "cmake", "ninja"),
)


@pytest.fixture
def bootstrap(tmp_path):
    """Runs bootstrap.sh where a mount namespace hides the headers, and the search path has no apt-get."""
    missing = [program for program in ("unshare", "mount", *PROGRAMS) if shutil.which(program) is None]
    if os.geteuid() != 0 or missing:
        pytest.skip(f"no headers can be hidden: needs root, and {missing}")
    folder = tmp_path / "bin"
    folder.mkdir()
    for program in PROGRAMS:
        (folder / program).symlink_to(os.path.realpath(shutil.which(program)))
    (folder / "python3").symlink_to(os.path.realpath(sys.executable))  # the path's may be a script of a version manager
    hide = "".join(f"[ ! -d /usr/include/{name} ] || mount -t tmpfs none /usr/include/{name}; " for name in HIDDEN)

    def run(*words: str) -> subprocess.CompletedProcess:
        command = ["unshare", "--mount", "bash", "-c", f'{hide} PATH={folder}; exec "$@"', "-", ROOT / "bootstrap.sh", *words]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=600)

    return run


def test_what_pypi_does_not_hold_is_listed_with_where_it_may_be_put(bootstrap, tmp_path):
    done = bootstrap("build", "--deps", tmp_path / "deps")
    assert done.returncode == 3, done.stderr
    for header in ("<CLI/CLI.hpp>", "<toml++/toml.h>", "<boost/math/distributions/students_t.hpp>"):
        assert header in done.stderr
    for header in ("<nlohmann/json.hpp>", "<zlib.h>", "<gtest/gtest.h>"):
        assert header not in done.stderr, "of PyPI, on this machine, for the tests alone"
    assert f"{tmp_path}/deps/include and {tmp_path}/deps/lib" in done.stderr


def test_what_lies_below_the_folder_is_found(bootstrap, tmp_path):
    if not Path("/usr/include/CLI").is_dir():
        pytest.skip("no /usr/include/CLI to copy from")
    shutil.copytree("/usr/include/CLI", tmp_path / "deps/include/CLI")
    done = bootstrap("build", "--deps", tmp_path / "deps")
    assert done.returncode == 3, done.stderr
    assert "<toml++/toml.h>" in done.stderr
    assert "<CLI/CLI.hpp>" not in done.stderr


def test_a_sites_environment_must_bring_what_pypi_would(bootstrap, tmp_path):
    environment = tmp_path / "env/bin"
    environment.mkdir(parents=True)
    (environment / "python").symlink_to(os.path.realpath(sys.executable))
    done = bootstrap("build", "--deps", tmp_path / "deps", "--python", tmp_path / "env")
    assert done.returncode == 3, done.stderr
    assert "<nlohmann/json.hpp>" in done.stderr
