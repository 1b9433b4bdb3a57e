"""Releases of Lightning beside the environment's own: bootstrap.sh --lightning-version puts each into a folder here."""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "lightning"
OPTION = "lightning_version="
OF_THE_ENVIRONMENT = "default"


def wanted_by(tokens: list[str]) -> str:
    """Returns the release that a launch's tokens ask for, as one of its trainer's options."""
    values = [value for flag, value in zip(tokens, tokens[1:], strict=False) if flag == "--trainer-option"]
    return next((value.removeprefix(OPTION) for value in values if value.startswith(OPTION)), OF_THE_ENVIRONMENT)


def put_first(release: str) -> None:
    """Makes imports find that release before the environment's; its dependencies are the environment's."""
    if release == OF_THE_ENVIRONMENT:
        return
    folder = FOLDER / release
    if not folder.is_dir():
        raise ImportError(f"no Lightning {release} at {folder}: ./bootstrap.sh build --lightning-version {release}")
    sys.path.insert(1, str(folder))
