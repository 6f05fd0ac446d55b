"""The aliases under which locations are printed: ``#loc``, ``#loc1``, ...

Aliases are numbered by depth of nesting, then by first use. Aliases that arguments of blocks use
are defined before the module, all others after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stablemate.ir.attributes import quote
from stablemate.ir.locations import (
    CallSiteLocation,
    FusedLocation,
    Location,
    NameLocation,
    UnknownLocation,
)


def children(location: Location) -> tuple[Location, ...]:
    """Returns the locations that are printed inside a location."""
    match location:
        case NameLocation():
            return () if isinstance(location.child, UnknownLocation) else (location.child,)
        case CallSiteLocation():
            return (location.callee, location.caller)
        case FusedLocation():
            return location.locations
        case _:
            return ()


class LocationAliases:
    """The aliases of the locations in a text."""

    def __init__(self, printed: Iterable[tuple[Location, bool]]) -> None:
        """Numbers locations.

        Args:
            printed: The locations in the order of the text, each with whether a block argument has
                it.
        """
        self.depths: dict[Location, int] = {}
        self.early: set[Location] = set()  # used by arguments of blocks
        for location, of_argument in printed:
            self.add(location, early=of_argument)
        ordered = sorted(self.depths, key=self.depths.__getitem__)
        self.names = {location: f"#loc{i or ''}" for i, location in enumerate(ordered)}

    def add(self, location: Location, *, early: bool) -> int:
        """Adds a location and those inside it; returns its depth of nesting."""
        depth = self.depths.get(location)
        if depth is not None and (not early or location in self.early):
            return depth
        inner = [self.add(child, early=early) for child in children(location)]
        if early:
            self.early.add(location)
        return self.depths.setdefault(location, 1 + max(inner, default=-1))

    def inline(self, location: Location) -> str:
        """Prints a location whose parts are aliases."""
        match location:
            case NameLocation():
                child = (
                    ""
                    if isinstance(location.child, UnknownLocation)
                    else f"({self.names[location.child]})"
                )
                return f"{quote(location.name)}{child}"
            case CallSiteLocation():
                return f"callsite({self.names[location.callee]} at {self.names[location.caller]})"
            case FusedLocation():
                metadata = "" if location.metadata is None else f"<{location.metadata}>"
                inner = ", ".join(self.names[part] for part in location.locations)
                return f"fused{metadata}[{inner}]"
            case _:
                return str(location)

    def definitions(self, *, early: bool) -> Iterator[str]:
        """Yields the lines that define the aliases."""
        for location, name in self.names.items():
            if (location in self.early) == early:
                yield f"{name} = loc({self.inline(location)})"
