"""Reads and writes the header line of a module.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.source import Source
from stablemate.formats.hlo.text.aliasing import (
    buffer_donors_text,
    input_output_alias_text,
    list_with_trailing_comma,
    read_buffer_donors,
    read_input_output_alias,
)
from stablemate.formats.hlo.text.attributes import boolean_text
from stablemate.formats.hlo.text.lexer.scanner import ATTRIBUTE, Scanner
from stablemate.formats.hlo.text.lexer.strings import (
    frontend_attributes_text,
    read_frontend_attributes,
)
from stablemate.formats.hlo.text.recovery import read_recovery, recovery_text
from stablemate.xla.module import HloModule
from stablemate.xla.values import ProgramShape


def read_booleans(scanner: Scanner) -> tuple[bool, ...]:
    """``true``, or ``{true,false}``."""
    if not scanner.at("{"):
        return (scanner.boolean(),)
    return tuple(scanner.read_enclosed("{", "}", scanner.boolean))


def read_layout(scanner: Scanner) -> ProgramShape:
    """``{(shape, ...)->shape}``."""
    scanner.expect("{")
    parameters = tuple(list_with_trailing_comma(scanner, scanner.shape, "(", ")"))
    scanner.expect("->")
    result = scanner.shape()
    scanner.expect("}")
    return ProgramShape(parameters, result)


def layout_text(layout: ProgramShape) -> str:
    """Prints the shapes and layouts of parameters and result."""
    return f"{{({indexed([str(parameter) for parameter in layout.parameters])})->{layout.result}}}"


def indexed(texts: list[str]) -> str:
    """Joins texts by commas, with the index of every fifth in a comment."""
    if len(texts) <= 5:
        return ", ".join(texts)
    return ", ".join(f"/*index={i}*/{t}" if i and not i % 5 else t for i, t in enumerate(texts))


def booleans_text(values: tuple[bool, ...]) -> str:
    """``{true,false}``."""
    return f"{{{','.join(map(boolean_text, values))}}}"


@dataclass(frozen=True, slots=True)
class HeaderRow:
    """An attribute of a module: its name in text, its field, and how it is read and written."""

    name: str
    field: str
    read: Callable[[Scanner], object]
    write: Callable[[Any], str]
    default: object


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
    HeaderRow("replica_count", "replica_count", Scanner.signed_integer, str, 1),
    HeaderRow("num_partitions", "num_partitions", Scanner.signed_integer, str, 1),
    HeaderRow(
        "frontend_attributes",
        "frontend_attributes",
        read_frontend_attributes,
        frontend_attributes_text,
        {},
    ),
)
BY_NAME: Final = {row.name: row for row in ROWS}


RECOVERY: Final = "origin_recovery_table"


def read_header(scanner: Scanner, read_module: Callable[[Source], HloModule]) -> dict[str, object]:
    """``HloModule name, attributes``: fields of the module.

    Args:
        scanner: Before the header.
        read_module: Reads a module that stands in a string.
    """
    scanner.expect("HloModule")
    fields: dict[str, object] = {"name": scanner.name("the name of the module")}
    while scanner.accept(","):
        place = scanner.here()
        name = scanner.take(ATTRIBUTE, "the name of an attribute, followed by '='")
        row = BY_NAME.get(name)
        if name == RECOVERY and "origin_recovery" not in fields:
            fields["origin_recovery"] = read_recovery(scanner, read_module)
            continue
        if row is None:
            scanner.error(f"'{name}' is not one of {', '.join(BY_NAME)}", place)
        if row.field in fields:
            scanner.error(f"the attribute '{name}' occurs twice", place)
        fields[row.field] = row.read(scanner)
    return fields


def header_text(module: HloModule, module_text: Callable[[HloModule], str]) -> str:
    """Prints the first line, and the recovery table after it; ``module_text`` prints modules."""
    parts = [f"HloModule {module.name}"]
    for row in ROWS:
        value = getattr(module, row.field)
        if value != row.default:
            parts.append(f"{row.name}={row.write(value)}")
    if module.origin_recovery:
        parts.append(f"{RECOVERY}={recovery_text(module.origin_recovery, module_text)}")
    return ", ".join(parts)
