"""Reads and writes metadata, origins and statistics of instructions.

Source: XLA, HLO text; ``OpMetadata``, ``OriginalValueProto``, ``StatisticsViz``.
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.hlo.text.lexer.numbers import general_text, six_digits
from stablemate.formats.hlo.text.lexer.scanner import ATTRIBUTE, SPACE, Scanner
from stablemate.formats.hlo.text.lexer.strings import quote
from stablemate.xla.values import (
    HloStatistics,
    Index,
    Metadata,
    OriginalArray,
    OriginalValue,
    Payload,
)

NUMBERS: Final = (
    *("source_line", "source_end_line", "source_column", "source_end_column", "stack_frame_id"),
)
# The fields in the order of printing.
STRINGS: Final = ("op_type", "op_name", "source_file", "deduplicated_name", "scheduling_name")
FIELDS: Final = (
    *("op_type", "op_name", "source_file", "source_line", "source_end_line", "source_column"),
    *("source_end_column", "stack_frame_id", "profile_type", "deduplicated_name"),
    *("scheduling_name", "metadata_payload"),
)
# Without one of these fields, XLA does not print the metadata of an instruction.
SUFFICIENT_FIELDS: Final = (
    "op_type",
    "op_name",
    "source_file",
    "stack_frame_id",
    "scheduling_name",
)

PROFILE_TYPES: Final = 4
# Metadata of strings and numbers only, as XLA prints it.
FIELD: Final = re.compile(r'([a-z_]++)=(?:"([^"\\]*+)"|([0-9]{1,9}))(?: |(?=\}))')
COMMON_FORM: Final = re.compile(
    rf"""\{{(?:(?:{"|".join(STRINGS)})="[^"\\]*+"(?: |(?=\}}))"""
    rf"""|(?:{"|".join(NUMBERS)})=[0-9]{{1,9}}(?: |(?=\}}))|(?!))++\}}{SPACE}"""
)


def read_metadata(scanner: Scanner) -> Metadata:
    """``{op_type="dot" op_name="..." source_line=3}``; a comma between fields is allowed."""
    if usual := COMMON_FORM.match(scanner.text, scanner.position):
        fields = FIELD.findall(scanner.text, scanner.position, usual.end())
        values: dict[str, Any] = {
            name: int(number) if number else text for name, text, number in fields
        }
        if len(values) == len(fields):
            scanner.position = usual.end()
            return Metadata(**values)
    return read_any_form(scanner)


def read_any_form(scanner: Scanner) -> Metadata:
    """Reads metadata with fields in any order, separated by commas or not."""
    fields: dict[str, Any] = {}
    scanner.expect("{")
    while not scanner.accept("}"):
        if fields:
            scanner.accept(",")
        place = scanner.here()
        name = scanner.take(ATTRIBUTE, "'}' or a field of metadata, followed by '='")
        if name not in FIELDS:
            scanner.error(f"'{name}' is not one of {', '.join(FIELDS)}", place)
        if name in fields:
            scanner.error(f"'{name}' occurs twice", place)
        fields[name] = read_field(scanner, name)
    if payload := fields.pop("metadata_payload", None):
        fields["payload"] = Payload(payload.encode("utf-8", "surrogateescape"))
    return Metadata(**fields)


def read_field(scanner: Scanner, name: str) -> object:
    """The value of a field."""
    if name in STRINGS or name == "metadata_payload":
        return scanner.string()
    if name == "profile_type":
        place = scanner.here()
        types = scanner.integers()
        if any(not 0 <= value_type < PROFILE_TYPES for value_type in types):
            scanner.error(f"types of profiles are from 0 to {PROFILE_TYPES - 1}", place)
        return types if len(types) == 1 and types[0] else ()
    return scanner.signed_integer(bits=32)


def metadata_text(metadata: Metadata) -> str:
    """Prints metadata without its braces; an empty text if nothing is set."""
    parts: list[str] = []
    for name in FIELDS:
        if name == "metadata_payload":
            if metadata.payload is not None and metadata.payload.value:
                text = metadata.payload.value.decode("utf-8", "surrogateescape")
                parts.append(f"{name}={quote(text)}")
        elif value := getattr(metadata, name):
            if name in STRINGS:
                parts.append(f"{name}={quote(value)}")
            elif name == "profile_type":
                parts.append(f"{name}={{{value[0]}}}")
            else:
                parts.append(f"{name}={value}")
    return " ".join(parts)


def is_printed(metadata: Metadata) -> bool:
    """Whether XLA prints this metadata: not a line number alone, without its file.

    Source: XLA, ``HloInstruction::PrintWithCanonicalNameMap``.
    """
    return any(getattr(metadata, name) for name in SUFFICIENT_FIELDS) or bool(
        metadata.payload is not None and metadata.payload.value
    )


# ---- statistics


def read_statistics(scanner: Scanner) -> HloStatistics | None:
    """``{visualizing_index=1,name=33.5}``; None without any.

    The first number is the index, whatever its name.
    """
    rows: list[tuple[str, float]] = []
    index: int | None = None
    scanner.expect("{")
    if scanner.accept("}"):
        return None
    while True:
        name = scanner.take(ATTRIBUTE, "the name of a statistic, followed by '='")
        if index is None:
            index = scanner.signed_integer()
        else:
            rows.append((name, scanner.number()))
        if scanner.accept("}"):
            return HloStatistics(index, tuple(rows)) if rows else None
        scanner.expect(",", "',' or '}'")


def statistics_text(statistics: HloStatistics) -> str:
    """Prints statistics; numbers as ``%g`` prints them where that is exact."""
    rows = (f"{name}={general_text(value)}" for name, value in statistics.entries)
    return f"{{{','.join([f'visualizing_index={statistics.visualizing_index}', *rows])}}}"


def rounded_statistics(statistics: HloStatistics) -> HloStatistics:
    """Returns the statistics whose numbers have six digits."""
    entries = tuple((name, six_digits(value)) for name, value in statistics.entries)
    return replace(statistics, entries=entries)


# ---- origins


def read_origin(scanner: Scanner) -> OriginalValue:
    """``{[synthetic_call]}``, or a tree of ``{"instruction" {index}}``."""
    scanner.expect("{")
    if scanner.accept("["):
        scanner.expect("synthetic_call")
        scanner.expect("]")
        scanner.expect("}")
        return OriginalValue(synthetic_call=True)
    leaves: list[tuple[Index, OriginalArray | None]] = []
    if not scanner.at("}"):
        read_origin_tree(scanner, (), leaves)
    scanner.expect("}")
    return OriginalValue(tuple(leaves))


def read_origin_tree(
    scanner: Scanner, index: Index, leaves: list[tuple[Index, OriginalArray | None]]
) -> None:
    """Reads a tuple of trees, or a leaf."""
    if not scanner.accept("("):
        leaves.append((index, read_original_array(scanner)))
        return
    with scanner.nested():
        position = 0
        while not scanner.accept(")"):
            if position:
                scanner.expect(",", "',' or ')'")
            if not (scanner.at(",") or scanner.at(")")):
                read_origin_tree(scanner, (*index, position), leaves)
            position += 1


def read_original_array(scanner: Scanner) -> OriginalArray | None:
    """``{"instruction" {index}}``; None for ``{}``."""
    scanner.expect("{")
    if scanner.accept("}"):
        return None
    name = scanner.string("the name of an instruction in quotes")
    index = scanner.integers() if scanner.at("{") else ()
    scanner.expect("}")
    return OriginalArray(name, index)


def origin_text(origin: OriginalValue) -> str:
    """Formats the origin of an instruction as a tree of its leaves."""
    if origin.synthetic_call:
        return "{[synthetic_call]}"
    root = OriginNode()
    for index, array in origin.leaves:
        node = root
        for position in index:
            node = node.children.setdefault(position, OriginNode())
        node.leaf = original_array_text(array)
    return f"{{{root.text()}}}"


@dataclass
class OriginNode:
    """A node of the tree that the indices of leaves form."""

    children: dict[int, OriginNode] = field(default_factory=dict[int, "OriginNode"])
    leaf: str = ""

    def text(self) -> str:
        """Prints the tree; a node without leaves is an empty tuple."""
        if self.leaf:
            return self.leaf
        count = max(self.children, default=-1) + 1
        parts = (self.children.get(i, EMPTY).text() for i in range(count))
        return f"({', '.join(parts)})"


EMPTY: Final = OriginNode()


def original_array_text(array: OriginalArray | None) -> str:
    """Prints a leaf of an origin."""
    if array is None:
        return "{}"
    index = f" {{{','.join(map(str, array.index))}}}" if array.index else ""
    return f"{{{quote(array.instruction)}{index}}}"
