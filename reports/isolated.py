"""python -E reports/isolated.py MODULE ARGUMENT…: what `python -m MODULE` does, with nothing of the working directory.

`python -m` imports from the working directory first, and matplotlib reads a matplotlibrc there before any other: a
random.py beside a results folder would run. So this file is named by its path, and leaves that directory before
anything is imported. Paths among the arguments must be absolute.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Python has put this folder first, whose `html` would hide the standard library's.
sys.path[:] = [os.path.dirname(HERE), *(folder for folder in sys.path if folder not in ("", HERE, os.path.realpath(HERE)))]

import runpy  # noqa: E402


def main() -> None:
    os.chdir(HERE)  # it holds a matplotlibrc of our own
    os.environ |= {"MATPLOTLIBRC": os.path.join(HERE, "matplotlibrc"), "MPLBACKEND": "agg"}
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
