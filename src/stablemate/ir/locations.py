"""Locations: where an operation came from, as its producer recorded it.

A location is data of the program, printed with debug information; a span (diagnostics.source) is
its place in the program's own text.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.attributes import quote
from stablemate.ir.types import Attribute


@dataclass(frozen=True)
class UnknownLocation(Attribute):
    """``unknown``."""

    def __str__(self) -> str:
        return "unknown"


@dataclass(frozen=True)
class FileLocation(Attribute):
    """``"f.py":3:4``, or the range ``"f.py":3:4 to 5:6``. Numbers count from 1; 0 is unknown."""

    file: str
    line: int
    column: int = 0
    end: tuple[int, int] | None = None

    def __str__(self) -> str:
        start = f"{quote(self.file)}:{self.line}:{self.column}"
        if self.end is None:
            return start
        line, column = self.end
        return f"{start} to {'' if line == self.line else line}:{column}"


@dataclass(frozen=True)
class NameLocation(Attribute):
    """``"name"(child)``."""

    name: str
    child: Location

    def __str__(self) -> str:
        child = "" if isinstance(self.child, UnknownLocation) else f"({self.child})"
        return f"{quote(self.name)}{child}"


@dataclass(frozen=True)
class CallSiteLocation(Attribute):
    """``callsite(callee at caller)``."""

    callee: Location
    caller: Location

    def __str__(self) -> str:
        return f"callsite({self.callee} at {self.caller})"


@dataclass(frozen=True)
class FusedLocation(Attribute):
    """``fused<metadata>[a, b]``."""

    locations: tuple[Location, ...]
    metadata: Attribute | None = None

    def __str__(self) -> str:
        metadata = "" if self.metadata is None else f"<{self.metadata}>"
        return f"fused{metadata}[{', '.join(map(str, self.locations))}]"


Location: TypeAlias = (
    UnknownLocation | FileLocation | NameLocation | CallSiteLocation | FusedLocation
)

UNKNOWN: Final = UnknownLocation()


def fuse_locations(locations: tuple[Location, ...], metadata: Attribute | None = None) -> Location:
    """The fusion of several locations: unknown ones are dropped, one without metadata is itself.

    Locations that are fused with the same metadata take part themselves.
    """
    parts = (part for location in locations for part in fused_parts(location, metadata))
    distinct = tuple(dict.fromkeys(part for part in parts if part != UNKNOWN))
    if metadata is None and len(distinct) <= 1:
        return distinct[0] if distinct else UNKNOWN
    return FusedLocation(distinct or (UNKNOWN,), metadata)


def fused_parts(location: Location, metadata: Attribute | None) -> tuple[Location, ...]:
    """The locations that a fusion with this metadata takes from one of its locations."""
    if isinstance(location, FusedLocation) and location.metadata == metadata:
        return location.locations
    return (location,)


@dataclass(frozen=True)
class LocationAttribute(Attribute):
    """``loc(...)`` as an attribute."""

    location: Location

    def __str__(self) -> str:
        return f"loc({self.location})"
