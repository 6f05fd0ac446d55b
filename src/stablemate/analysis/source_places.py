"""Where in the source of a producer an operation came from: scopes and call stacks.

JAX, and what follows it, names an operation ``jit(step)/layer0/attn/dot_general``: the scopes
around it, then what it was made of. Below that name stands the stack of calls.
"""

from __future__ import annotations

from functools import lru_cache

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
)


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where an operation came from.

    Attributes:
        name: The whole name; empty if it has none.
        scope: The scopes in it, outermost first.
        frames: The call stack, innermost first.
    """

    name: str = ""
    scope: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()


NOWHERE = SourcePlace()


class PlaceFinder:
    """Finds the places of locations; many operations share one location."""

    def __init__(self) -> None:
        self.cache: dict[int, tuple[Location, SourcePlace]] = {}
        self.stacks: dict[int, tuple[Location, tuple[str, ...]]] = {}

    def __call__(self, location: Location) -> SourcePlace:
        """The place that a location names."""
        entry = self.cache.get(id(location))
        if entry is None:
            entry = self.cache[id(location)] = location, self.place(location)
        return entry[1]

    def place(self, location: Location) -> SourcePlace:
        """The place of a location; of several that were fused the first one that has any."""
        match location:
            case FusedLocation(locations=locations):
                places = map(self.place, locations)
                return next((place for place in places if place != NOWHERE), NOWHERE)
            case NameLocation(name=name, child=child):
                return SourcePlace(name, scopes_of(name), self.stack(child))
            case _:
                return SourcePlace(frames=self.stack(location))

    def stack(self, location: Location) -> tuple[str, ...]:
        """The lines of a call stack."""
        entry = self.stacks.get(id(location))
        if entry is None:
            entry = self.stacks[id(location)] = location, tuple(frames_of(location))
        return entry[1]


@lru_cache(maxsize=4096)
def scopes_of(name: str) -> tuple[str, ...]:
    """The scopes in a name: ``("jit(f)", "attn")`` of ``jit(f)/attn/add``.

    A slash inside brackets, as in ``transpose(jvp(a/b))``, parts nothing.
    """
    parts, depth, start = list[str](), 0, 0
    for i, letter in enumerate(name):
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "/" and depth <= 0:
            parts.append(name[start:i])
            start = i + 1
    return tuple(part for part in parts if part)


def frames_of(location: Location) -> list[str]:
    """The lines of a call stack, innermost first."""
    frames: list[str] = []
    pending = [("", location)]
    while pending:
        name, nested = pending.pop()
        match nested:
            case CallSiteLocation(callee=callee, caller=caller):
                pending += [("", caller), (name, callee)]
            case NameLocation(name=inner, child=child):
                pending.append((inner, child))
            case FusedLocation(locations=locations):
                pending += [(name, inner) for inner in reversed(locations)]
            case FileLocation(file=file, line=line, column=column):
                frames.append(f"{name}  {file}:{line}:{column}".strip())
            case _:
                frames += [name] if name else []
    return frames
