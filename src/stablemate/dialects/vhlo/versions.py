"""Versions of StableHLO: which artifacts each reads, and names for versions.

Source: StableHLO compatibility guarantees; its version history.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from stablemate.diagnostics.errors import ArgumentValueError

VERSION: Final = re.compile(r"(\d{1,4})\.(\d{1,4})\.(\d{1,4})")
PRODUCER: Final = "StableHLO_v"  # of the producer string in the head of an artifact


class Version(NamedTuple):
    """``1.9.0``. Versions are ordered."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def without_patch(self) -> Version:
        """The version without its patch: operations are introduced by minor versions."""
        return Version(self.major, self.minor, 0)


MINIMUM: Final = Version(0, 9, 0)
NEWEST: Final = Version(1, 20, 0)
# Requirements by the age of readers: the newest version that readers of that age support.
REQUIREMENTS: Final[Mapping[str, Version]] = {
    "newest": NEWEST,
    "4 weeks": Version(1, 18, 0),
    "12 weeks": Version(1, 16, 2),
    "max": MINIMUM,
}
# The version of the bytecode container, by the first version of StableHLO that has it.
BYTECODE_VERSIONS: Final = (
    (Version(0, 15, 0), 6),
    (Version(0, 14, 0), 4),
    (Version(0, 12, 0), 3),
    (Version(0, 10, 0), 1),
    (Version(0, 9, 0), 0),
)
RANGE_LOCATIONS: Final = Version(1, 9, 0)  # the first whose readers know them
MIXED_DIALECTS: Final = Version(1, 11, 0)  # the first whose readers know them


@lru_cache(maxsize=256)
def version(text: str) -> Version:
    """The version in a text.

    Raises:
        ArgumentValueError: The text is not a version.
    """
    match = VERSION.fullmatch(str(text))
    if match is None:
        names = ", ".join(repr(name) for name in REQUIREMENTS)
        raise ArgumentValueError(f"expected a version such as 1.9.0, or {names}; found {text!r}")
    return Version(*map(int, match.groups()))


def target_version(text: str) -> Version:
    """The version to write for a caller's requirement: a number or the age of readers.

    Raises:
        ArgumentValueError: There is no such version, or it is newer than the newest one known.
    """
    asked = REQUIREMENTS.get(text) or version(text)
    if asked < MINIMUM:
        raise ArgumentValueError(
            f"StableHLO {asked} cannot be written: artifacts begin with version {MINIMUM}"
        )
    if asked > NEWEST:
        raise ArgumentValueError(
            f"StableHLO {asked} cannot be written: the newest version known here is {NEWEST}; "
            "ask for that one, or install a newer stablemate"
        )
    return asked


def bytecode_version(target: Version) -> int:
    """The version of the container that artifacts of a version are written in."""
    return next(number for since, number in BYTECODE_VERSIONS if since <= target)


def producer_version(producer: str) -> Version | None:
    """The version in the producer string of an artifact; None for other strings."""
    if not producer.startswith(PRODUCER):
        return None
    match = VERSION.fullmatch(producer.removeprefix(PRODUCER))
    return Version(*map(int, match.groups())) if match else None
