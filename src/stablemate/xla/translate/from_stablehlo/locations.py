"""Locations as metadata: operation names and types, places in files, stack frames.

A name that ends in a colon is the type of the operation. A place under a name, and the places of a
call site, are stack frames; a place beside a name is the file and line of the metadata itself.

Source: XLA, ``OpMetadata``, ``StackFrameIndexProto``; MLIR, locations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final, NamedTuple, TypeVar

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    NameLocation,
)
from stablemate.xla.values import FileLocationRow as FrameLocation
from stablemate.xla.values import Metadata, StackFrame, StackFrames

T = TypeVar("T")

TYPE_MARK: Final = ":"  # at the end of the name of a type


class StackFrameKey(NamedTuple):
    """A place in a function."""

    function: str
    place: FileLocation


@dataclass(slots=True)
class FrameTables:
    """The tables of stack frames, in the making: rows with their numbers, from 1."""

    files: dict[str, int] = field(default_factory=dict[str, int])
    functions: dict[str, int] = field(default_factory=dict[str, int])
    locations: dict[FrameLocation, int] = field(default_factory=dict[FrameLocation, int])
    frames: dict[StackFrame, int] = field(default_factory=dict[StackFrame, int])

    def number(self, frames: list[StackFrameKey]) -> int:
        """The number of a frame; 0 without one.

        Args:
            frames: The frame and those that called it, the innermost first.
        """
        parent = 0
        for frame in reversed(frames):
            location = number_in(self.locations, self.location(frame))
            parent = number_in(self.frames, StackFrame(location, parent))
        return parent

    def location(self, frame: StackFrameKey) -> FrameLocation:
        """The row of a place; a place without an end ends where it begins."""
        place = frame.place
        end_line, end_column = place.end or (place.line, place.column)
        return FrameLocation(
            number_in(self.files, place.file),
            number_in(self.functions, frame.function),
            *(place.line, end_line, place.column, end_column),
        )

    def tables(self) -> StackFrames | None:
        """The tables; None if nothing has a frame."""
        if not self.frames:
            return None
        return StackFrames(
            tuple(self.files), tuple(self.functions), tuple(self.locations), tuple(self.frames)
        )


def number_in(rows: dict[T, int], row: T) -> int:
    """The number of a row, which is added if it is new."""
    return rows.setdefault(row, len(rows) + 1)


class MetadataBuilder:
    """The metadata of locations.

    Attributes:
        tables: The stack frames that metadata refers to.
        known: What was found for a location, by identity; many operations share one.
    """

    def __init__(self) -> None:
        self.tables = FrameTables()
        self.known: dict[int, tuple[Location, Metadata | None, bool]] = {}

    def metadata(self, location: Location) -> Metadata | None:
        """The metadata of a location; None if it says nothing."""
        return self.entry(location)[1]

    def is_whole(self, location: Location) -> bool:
        """Whether metadata holds all names and places of a location."""
        return self.entry(location)[2]

    def entry(self, location: Location) -> tuple[Location, Metadata | None, bool]:
        """The metadata of a location, computed once."""
        entry = self.known.get(id(location))
        if entry is None:
            entry = self.known[id(location)] = (location, *self.found(location))
        return entry

    def found(self, location: Location) -> tuple[Metadata | None, bool]:
        """The metadata of a location, and whether that holds all of it."""
        types, names = names_in(location)
        frames = list(frames_in(location))
        place = place_in(location)
        held: set[object] = {*types[:1], *names, *(frame.function for frame in frames), ""}
        held.update((place, *(frame.place for frame in frames)))
        is_whole = held.issuperset(parts_of(location))
        number = self.tables.number(frames)
        if not (types or names or number or place):
            return None, is_whole
        op_type, op_name = types[0] if types else "", ";".join(dict.fromkeys(names))
        if place is None:
            return Metadata(op_type, op_name, stack_frame_id=number), is_whole
        end_line, end_column = place.end or (place.line, place.column)
        range_ = (place.line, end_line, place.column, end_column)
        metadata = Metadata(op_type, op_name, place.file, *range_, stack_frame_id=number)
        return metadata, is_whole


def parts_of(location: Location) -> Iterator[str | FileLocation]:
    """All names and places of a location."""
    pending = [location]
    while pending:
        match pending.pop():
            case FileLocation() as place:
                yield place
            case NameLocation(name=name, child=child):
                yield name.removesuffix(TYPE_MARK)
                pending.append(child)
            case CallSiteLocation(callee=callee, caller=caller):
                pending += [caller, callee]
            case FusedLocation(locations=locations):
                pending += locations
            case _:
                pass


def names_in(location: Location) -> tuple[list[str], list[str]]:
    """The types and the names of a location; of names within names the outer one."""
    types: list[str] = []
    names: list[str] = []
    pending = [location]
    while pending:
        match pending.pop():
            case NameLocation(name=name, child=child) if name.endswith(TYPE_MARK):
                types.append(name.removesuffix(TYPE_MARK))
                pending.append(child)
            case NameLocation(name=name):
                names += [name] if name else []
            case CallSiteLocation(callee=callee):
                pending.append(callee)
            case FusedLocation(locations=locations):
                pending += reversed(locations)
            case _:
                pass
    return types, names


def place_in(location: Location) -> FileLocation | None:
    """The last place that stands under no name and in no call."""
    found: FileLocation | None = None
    pending = [location]
    while pending:
        match pending.pop():
            case FileLocation() as place:
                found = place
            case FusedLocation(locations=locations):
                pending += reversed(locations)
            case NameLocation(child=FusedLocation() | NameLocation() as child):
                pending.append(child)
            case _:
                pass
    return found


def frames_in(location: Location) -> Iterator[StackFrameKey]:
    """The stack frames of a location, the innermost first; of a fusion those of one part."""
    pending: list[tuple[str, Location]] = [("", location)]
    is_called = False  # whether a place is that of a call
    while pending:
        name, part = pending.pop()
        match part:
            case NameLocation(name=inner, child=child):
                pending.append((inner, child))
                is_called |= isinstance(child, FileLocation)
            case CallSiteLocation(callee=callee, caller=caller):
                pending += [("", caller), ("", callee)]
                is_called = True
            case FusedLocation(locations=locations):
                first = next((each for each in locations if has_frames(each)), None)
                pending += [] if first is None else [(name, first)]
            case FileLocation() if is_called:
                yield StackFrameKey(name, part)
            case _:
                pass


def has_frames(location: Location) -> bool:
    """Whether a part of a fusion has stack frames."""
    match location:
        case FileLocation():
            return False
        case NameLocation(child=child):
            return isinstance(child, FileLocation) or has_frames(child)
        case FusedLocation(locations=locations):
            return any(map(has_frames, locations))
        case CallSiteLocation():
            return True
        case _:
            return False
