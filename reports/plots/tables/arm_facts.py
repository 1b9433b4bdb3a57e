"""What the analysis says of each arm: its role and family. Nothing here reads a role out of a name."""

from __future__ import annotations

from dataclasses import dataclass

CONTROL_ROLES = ("aa_control", "positive_control")


@dataclass(frozen=True)
class ArmFacts:
    role: str = "subject"
    reference: str = ""
    is_delayed: bool = False  # slow on purpose, at every step
    has_ideal_network: bool = False
    base: str = ""
    is_wrapper: bool = False  # a framework's loop around the step
    features: tuple[str, ...] = ()  # in force: "csv=50" where one carries a value

    def value_of(self, feature: str) -> str:
        """Returns the feature's value; "" where the arm does not have it, or it carries none."""
        return next((text.partition("=")[2] for text in self.features if text.partition("=")[0] == feature), "")

    @property
    def is_subject(self) -> bool:
        return self.role == "subject"

    @property
    def is_control(self) -> bool:
        return self.role in CONTROL_ROLES

    @property
    def is_far_off_by_design(self) -> bool:
        """Says whether the arm may leave a figure's view: it is slow on purpose, or on a network that takes no time."""
        return self.is_delayed or self.has_ideal_network


def arm_facts(summary: dict) -> dict[str, ArmFacts]:
    """Reads `arms` of summary.json, by name; leaves out what is of another type."""
    listed = summary.get("arms")
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    return {
        str(entry.get("arm")): ArmFacts(
            role=str(entry.get("role", "subject")),
            reference=str(entry.get("reference", "")),
            is_delayed=entry.get("is_delayed") is True,
            has_ideal_network=entry.get("has_ideal_network") is True,
            base=str(entry.get("base", "")),
            is_wrapper=entry.get("is_wrapper") is True,
            features=tuple(map(str, features)) if isinstance(features := entry.get("features"), list) else (),
        )
        for entry in entries
    }
