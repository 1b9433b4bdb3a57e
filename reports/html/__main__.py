"""python -m reports.html --results DIR [--out OUT] | --comparison DIR"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from reports.html.comparison import write_comparison
from reports.html.report import write_report
from reports.plots.tables.csv_table import BadTableError

DONE, NOTHING_TO_SHOW, USAGE, CANNOT_WRITE = 0, 1, 2, 3  # exit codes, as in docs/contract.md


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        if options.comparison:
            why_not = write_comparison(options.comparison)
        else:
            why_not = write_report(options.results, options.out or options.results, _progress, options.program)
    except BadTableError as error:
        return _fail(str(error), USAGE)
    except RecursionError:
        return _fail(f"{options.results or options.comparison}: a JSON file in it is nested too deeply", USAGE)
    except OSError as error:
        return _fail(f"cannot write the report: {error}", CANNOT_WRITE)
    return _fail(why_not, NOTHING_TO_SHOW) if why_not else DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m reports.html",
        description="Draws the tables of a results folder: report.html, summary.md, plots/.",
        epilog="example: python -m reports.html --results results/overhead-20250501T120000Z",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--results", type=Path, metavar="DIR", help="results folder with its tables")
    what.add_argument("--comparison", type=Path, metavar="DIR", help="folder of `ddpbench compare`: draws comparison.html")
    parser.add_argument("--out", type=Path, metavar="OUT", help="where to write (default: the results folder)")
    parser.add_argument("--program", default="ddpbench", metavar="PATH", help="of ddpbench, as the page's commands name it")
    return parser


def _progress(text: str) -> None:
    print(f"report: {text}", file=sys.stderr, flush=True)


def _fail(message: str, code: int) -> int:
    print(f"report: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
