"""Metadata of instructions as locations.

Source: XLA, ``OpMetadata``, ``StackFrameIndexProto``; MLIR, locations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.ir.locations import (
    UNKNOWN,
    CallSiteLocation,
    FileLocation,
    Location,
    NameLocation,
    UnknownLocation,
    fuse_locations,
)
from stablemate.xla.module import HloInstruction
from stablemate.xla.translate.from_stablehlo.locations import TYPE_MARK
from stablemate.xla.values import FileLocationRow as FrameLocation
from stablemate.xla.values import Metadata, StackFrames

NO_METADATA: Final = Metadata()


class InstructionLocations:
    """The locations of the instructions of a module.

    Attributes:
        tables: Its stack frames.
        stacks: The call stacks that were met, by the number of their innermost frame.
    """

    def __init__(self, tables: StackFrames | None) -> None:
        self.tables = tables or StackFrames()
        self.stacks: dict[int, Location] = {0: UNKNOWN}

    def of_instruction(self, instruction: HloInstruction) -> Location:
        """The name, type and places that the producer gave to an instruction; else its own name."""
        metadata: Metadata = instruction.attributes.get("metadata", NO_METADATA)
        name, op_type, place = name_of(metadata), type_of(metadata), place_of(metadata)
        stack = self.stack(metadata.stack_frame_id)
        if stack == UNKNOWN:
            stated = fuse_locations((op_type, name, place))
            return NameLocation(instruction.name, UNKNOWN) if stated == UNKNOWN else stated
        named = self.under_name(metadata.op_name, stack)
        if place != UNKNOWN and place not in list(files_in(stack)):
            return fuse_locations((op_type, named, place))
        return NameLocation(op_type.name, named) if isinstance(op_type, NameLocation) else named

    def under_name(self, name: str, stack: Location) -> Location:
        """A stack under a name, which is not written twice."""
        match stack:
            case NameLocation(name=function) if function == name:
                return stack
            case _:
                return NameLocation(name, stack)

    def stack(self, number: int) -> Location:
        """The call stack of a frame."""
        frames = self.tables.frames
        chain: list[int] = []
        while number not in self.stacks and 0 < number <= len(frames) and number not in chain:
            chain.append(number)
            number = frames[number - 1].parent
        for each in reversed(chain):
            callee = self.frame(frames[each - 1].location)
            caller = self.stacks.get(frames[each - 1].parent, UNKNOWN)
            if caller != UNKNOWN:
                callee = CallSiteLocation(without_name(callee), without_name(caller))
            self.stacks[each] = callee
        return self.stacks.get(chain[0] if chain else number, UNKNOWN)

    def frame(self, number: int) -> Location:
        """The place of a row, under the name of its function."""
        rows = self.tables.locations
        if not 0 < number <= len(rows):
            return UNKNOWN
        row = rows[number - 1]
        return NameLocation(text_of(self.tables.functions, row.function), self.place(row))

    def place(self, row: FrameLocation) -> FileLocation:
        """The place of a row."""
        end = (row.end_line, row.end_column)
        file = text_of(self.tables.files, row.file)
        return file_location(file, row.line, row.column, end)


def without_name(frame: Location) -> Location:
    """A frame in a call; of a function without a name its place alone."""
    match frame:
        case NameLocation(name="", child=place):
            return place
        case _:
            return frame


def type_of(metadata: Metadata) -> NameLocation | UnknownLocation:
    """The type of the operation that an instruction comes from."""
    if not metadata.op_type:
        return UNKNOWN
    return NameLocation(f"{metadata.op_type}{TYPE_MARK}", UNKNOWN)


def name_of(metadata: Metadata) -> Location:
    """The name of the operation that an instruction comes from."""
    return NameLocation(metadata.op_name, UNKNOWN) if metadata.op_name else UNKNOWN


def place_of(metadata: Metadata) -> Location:
    """The place in a source that metadata names itself."""
    if not metadata.source_file:
        return UNKNOWN
    end = (metadata.source_end_line, metadata.source_end_column)
    return file_location(metadata.source_file, metadata.source_line, metadata.source_column, end)


def file_location(file: str, line: int, column: int, end: tuple[int, int]) -> FileLocation:
    """A place; its end if it is another one, or none if it is not known."""
    is_range = end[0] > 0 and end != (line, column)
    return FileLocation(file, line, column, end if is_range else None)


def files_in(stack: Location) -> Iterator[FileLocation]:
    """The places of a call stack, the innermost first."""
    pending = [stack]
    while pending:
        match pending.pop():
            case CallSiteLocation(callee=callee, caller=caller):
                pending += [caller, callee]
            case NameLocation(child=FileLocation() as place):
                yield place
            case _:
                pass


def text_of(rows: Sequence[str], number: int) -> str:
    """A row of a table of texts."""
    return rows[number - 1] if 0 < number <= len(rows) else ""
