"""The line that a module begins with: read and written.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from stablemate.formats.hlo.text.aliasing import (
    buffer_donors_text,
    input_output_alias_text,
    read_buffer_donors,
    read_input_output_alias,
)
from stablemate.formats.hlo.text.attributes import boolean_text
from stablemate.formats.hlo.text.scanner import ATTRIBUTE, Scanner
from stablemate.formats.hlo.text.strings import frontend_attributes_text, read_frontend_attributes
from stablemate.xla.module import HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.values import ProgramShape


def read_booleans(scanner: Scanner) -> tuple[bool, ...]:
    """``true``, or ``{true,false}``."""
    if not scanner.at("{"):
        return (scanner.boolean(),)
    return tuple(scanner.listed("{", "}", scanner.boolean))


def read_layout(scanner: Scanner) -> ProgramShape:
    """``{(shape, ...)->shape}``."""
    scanner.expect("{")
    parameters = scanner.listed("(", ")", scanner.shape)
    scanner.expect("->")
    result = scanner.shape()
    scanner.expect("}")
    return ProgramShape(tuple(parameters), result)


def layout_text(layout: ProgramShape) -> str:
    """Shapes and layouts at the border."""
    return f"{{({indexed([str(each) for each in layout.parameters])})->{layout.result}}}"


def indexed(texts: list[str]) -> str:
    """Texts joined by commas, every fifth with its number in a comment."""
    if len(texts) <= 5:
        return ", ".join(texts)
    return ", ".join(f"/*index={i}*/{t}" if i and not i % 5 else t for i, t in enumerate(texts))


def booleans_text(values: tuple[bool, ...]) -> str:
    """``{true,false}``."""
    return f"{{{','.join(map(boolean_text, values))}}}"


@dataclass(frozen=True, slots=True)
class HeaderRow:
    """An attribute of a module: its name in text and in the tree, how it is read and written."""

    name: str
    field: str
    read: Callable[[Scanner], Any]
    write: Callable[[Any], str]
    default: Any


ROWS: Final = (
    HeaderRow("is_scheduled", "is_scheduled", Scanner.boolean, boolean_text, False),
    HeaderRow(
        "input_output_alias",
        "input_output_alias",
        read_input_output_alias,
        input_output_alias_text,
        (),
    ),
    HeaderRow("buffer_donor", "buffer_donors", read_buffer_donors, buffer_donors_text, ()),
    HeaderRow(
        "alias_passthrough_params",
        "alias_passthrough_params",
        Scanner.boolean,
        boolean_text,
        False,
    ),
    HeaderRow("entry_computation_layout", "entry_layout", read_layout, layout_text, None),
    HeaderRow(
        "allow_spmd_sharding_propagation_to_parameters",
        "propagate_sharding_to_parameters",
        read_booleans,
        booleans_text,
        (),
    ),
    HeaderRow(
        "allow_spmd_sharding_propagation_to_output",
        "propagate_sharding_to_output",
        read_booleans,
        booleans_text,
        (),
    ),
    HeaderRow("replica_count", "replica_count", Scanner.signed, str, 1),
    HeaderRow("num_partitions", "num_partitions", Scanner.signed, str, 1),
    HeaderRow(
        "frontend_attributes",
        "frontend_attributes",
        read_frontend_attributes,
        frontend_attributes_text,
        {},
    ),
)
BY_NAME: Final = {row.name: row for row in ROWS}


def read_header(scanner: Scanner) -> dict[str, Any]:
    """``HloModule name, attributes``: fields of the module."""
    scanner.expect("HloModule")
    fields: dict[str, Any] = {"name": scanner.name("the name of the module")}
    while scanner.accept(","):
        place = scanner.here()
        name = scanner.take(ATTRIBUTE, "the name of an attribute, followed by '='")
        row = BY_NAME.get(name)
        if row is None:
            scanner.error(f"'{name}' is none of {', '.join(BY_NAME)}", place)
        if row.field in fields:
            scanner.error(f"the attribute '{name}' is there twice", place)
        fields[row.field] = row.read(scanner)
    return fields


def header_text(module: HloModule) -> str:
    """The first line."""
    parts = [f"HloModule {module.name}"]
    for row in ROWS:
        value = getattr(module, row.field)
        if value != row.default:
            parts.append(f"{row.name}={row.write(value)}")
    return ", ".join(parts)


def border_shape(parameters: tuple[Shape, ...], result: Shape) -> ProgramShape:
    """What ``entry_computation_layout`` says when it is not there."""
    return ProgramShape(parameters, result)
