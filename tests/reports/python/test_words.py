"""Every word of the page that is not everybody's has its meaning on the page."""

from __future__ import annotations

import re
from pathlib import Path

from reports.html.words import GENERAL, words
from reports.plots.tables.results import Results

METHOD = Path(__file__).resolve().parents[3] / "docs/measurement.md"
SYMBOLS = {"m", "the step"}  # of the method page's formulas
GLOSSARY = re.compile(r'<details id="words">.*?</details>', re.DOTALL)


def words_of_the_method() -> list[str]:
    """The first column of its table of words."""
    table = METHOD.read_text(encoding="utf-8").partition("| word | means |\n")[2].partition("\n\n")[0]
    return [line.split("|")[1].strip() for line in table.splitlines()[1:]]


def has_meaning(word: str, glossary: list[tuple[str, str]]) -> bool:
    entries = {part for entry, _ in glossary for part in entry.split(", ")}
    return bool({word, word.removesuffix("s")} & entries)


def test_a_word_of_the_method_that_the_page_uses_has_its_meaning(report: Path, results: Results) -> None:
    page = GLOSSARY.sub("", (report / "report.html").read_text(encoding="utf-8"))
    text = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", page, flags=re.DOTALL)
    wanted = [word for word in words_of_the_method() if word not in SYMBOLS]
    assert len(wanted) > 8, "the table of words was found"
    wanted += ["awaited time", "wall clock", "host CPU", "A/A", "margin", "budget", "carry-over", "disturbed", "open"]
    used = [word for word in wanted if re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)]
    assert len(used) > 10
    assert not [word for word in used if not has_meaning(word, words(results))]


def test_what_the_folder_says_of_its_names_is_told(results: Results, report: Path) -> None:
    assert dict(words(results))["trainer"] == "a wrapper's <loop>"
    assert "<dt>trainer</dt><dd>a wrapper&#39;s &lt;loop&gt;</dd>" in (report / "report.html").read_text(encoding="utf-8")


def test_no_word_has_two_meanings() -> None:
    names = [word for word, _ in GENERAL]
    assert len(names) == len(set(names))
