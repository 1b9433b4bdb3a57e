"""Okabe–Ito colours, one per arm and per phase, with a marker, a line style or a hatch: never colour alone."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import matplotlib.style

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILLION, PURPLE, GREY = "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#8C8C8C"

FIGURE_WIDTH_INCHES = 11.0
PNG_DOTS_PER_INCH = 150

RC = {
    "font.size": 9.5,
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "hatch.linewidth": 0.7,
    "text.parse_math": False,  # a name with a dollar sign is a name
    "svg.hashsalt": "ddpbench",  # the same tables give the same file
    "svg.fonttype": "path",
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}


@dataclass(frozen=True)
class ArmStyle:
    color: str
    marker: str
    line: str = "-"


# A Python arm has the colour of its C++ counterpart and a broken line.
ARM_STYLES = {
    "raw": ArmStyle(BLACK, "o"),
    "raw_again": ArmStyle(GREY, "s", "--"),
    "raw_item": ArmStyle(SKY, "D"),
    "trainer": ArmStyle(VERMILLION, "^"),
    "injected": ArmStyle(PURPLE, "X", "-."),
    "py_raw": ArmStyle(BLACK, "P", ":"),
    "py_raw_item": ArmStyle(SKY, "p", ":"),
    "py_lightning": ArmStyle(VERMILLION, "v", ":"),
    "py_fabric": ArmStyle(BLUE, "<", ":"),
    "py_accelerate": ArmStyle(GREEN, ">", ":"),
    "py_hf_trainer": ArmStyle(ORANGE, "*", ":"),
}
OTHER_COLORS = (BLUE, GREEN, ORANGE, SKY, PURPLE, VERMILLION, GREY)
OTHER_MARKERS = ("d", "*", "h", "<", ">", "P", "8")
OTHER_LINES = ("-", "--", "-.", ":")


@dataclass(frozen=True)
class PhaseStyle:
    color: str
    hatch: str = ""


PHASE_STYLES = {
    "data": PhaseStyle(ORANGE),
    "h2d": PhaseStyle(PURPLE, "..."),
    "forward": PhaseStyle(SKY),
    "backward": PhaseStyle(BLUE),
    "optimizer": PhaseStyle(GREEN),
    "wrapper": PhaseStyle(VERMILLION),
    "other": PhaseStyle(GREY, "xx"),
}
UNKNOWN_PHASE = PhaseStyle(YELLOW, "oo")

# What a step goes into (tables/step_parts.csv), in the order of a bar. What a phase is, too, has the phase's colour.
PART_STYLES = {
    "compute": PhaseStyle(BLUE),
    "exposed communication": PhaseStyle(PURPLE, "//"),
    "waiting for a slower rank": PhaseStyle(YELLOW, "..."),
    "data": PHASE_STYLES["data"],
    "host": PHASE_STYLES["wrapper"],
}


def arm_styles(arms: list[str]) -> dict[str, ArmStyle]:
    """Returns one style per arm, the same in every figure of a report; the named arms look the same in every report."""
    others = [arm for arm in arms if arm not in ARM_STYLES]
    styles = {arm: ARM_STYLES[arm] for arm in arms if arm in ARM_STYLES}
    for position, arm in enumerate(others):
        round_, index = divmod(position, len(OTHER_COLORS))
        styles[arm] = ArmStyle(OTHER_COLORS[index], OTHER_MARKERS[index], OTHER_LINES[round_ % len(OTHER_LINES)])
    return styles


def report_style() -> AbstractContextManager:
    """Sets matplotlib's own defaults and RC, whatever the user's matplotlibrc says."""
    return matplotlib.style.context(["default", RC])
