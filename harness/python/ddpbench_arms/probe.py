"""What this Python can host, as JSON, without importing any of it."""

import json
import platform
import sys
import sysconfig
from pathlib import Path

from ddpbench_arms import table

HERE = Path(__file__).resolve().parent
TORCH = "torch"


def why_no_host(build: dict[str, str]) -> str:
    """Says why the harness cannot be imported here; "" where it can."""
    if build["why_no_module"]:
        return f"this build has no module for Python: {build['why_no_module']}"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    if not (HERE.parent / f"ddpbench_harness{suffix}").exists():
        built = ", ".join(path.name for path in HERE.parent.glob("ddpbench_harness*")) or "none"
        return f"the build's module ({built}) is for another Python than {sys.executable} ({platform.python_version()})"
    found = table.version_of(TORCH)
    if found.partition("+")[0] != build[TORCH]:
        return f"{sys.executable} has {f'torch {found}' if found else 'no torch'}, the build is of torch {build[TORCH]}"
    return ""


def why_missing(packages: tuple[str, ...]) -> str:
    missing = [package for package in packages if not table.version_of(package)]
    if not missing:
        return ""
    wanted = " ".join(f"{package}=={table.wanted_version(package)}" for package in missing)
    return f"needs the Python package {' and '.join(missing)}: {sys.executable} -m pip install {wanted}"


def answer() -> dict:
    build = json.loads((HERE / "build.json").read_text(encoding="utf-8"))
    why_none = why_no_host(build)
    arms = {name: why_none or why_missing(entry.needs) for name, entry in table.ARMS.items()}
    workloads = {name: why_missing(needs) for name, needs in table.WORKLOADS.items()}
    features = {name: why_missing(needs) for name, needs in table.FEATURES.items()}
    return {
        "python": sys.executable,
        "version": platform.python_version(),
        "packages": table.installed(),
        "why_not": {
            "arm": {name: why for name, why in arms.items() if why},
            "feature": {name: why for name, why in features.items() if why},
        }
        | {f"arm on {name}": dict.fromkeys(table.ARMS, why) for name, why in workloads.items() if why},
    }


def main() -> None:
    print(json.dumps(answer()))
