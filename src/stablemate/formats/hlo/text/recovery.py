"""Reads and writes ``origin_recovery_table``: how arrays that no longer exist can be recomputed.

Source: XLA, HLO text; ``OriginalValueRecoveryTableProto``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.diagnostics.source import Source
from stablemate.formats.hlo.text.lexer.scanner import Scanner
from stablemate.formats.hlo.text.metadata import original_array_text, read_original_array
from stablemate.xla.module import HloModule, OriginRecovery
from stablemate.xla.values import OriginalArray


def read_recovery(
    scanner: Scanner, read_module: Callable[[Source], HloModule]
) -> tuple[OriginRecovery, ...]:
    """``{ {old} : {new}, "module" {old} : {new} }``.

    Args:
        scanner: Before the table.
        read_module: Reads a module that stands in a string.
    """
    rows: list[OriginRecovery] = []
    scanner.expect("{")
    while not scanner.accept("}"):
        old = read_original_array(scanner)
        scanner.expect(":")
        new = read_original_array(scanner)
        module: HloModule | None = None
        if scanner.accept(","):
            text = scanner.string("a module in quotes")
            with scanner.nested():
                module = read_module(Source(text, f"{scanner.source.name} (in a string)"))
        rows.append(OriginRecovery(array_fields(old), array_fields(new), module))
    return tuple(rows)


def array_fields(array: OriginalArray | None) -> tuple[str, tuple[int, ...]]:
    """Returns the name of the instruction and the index of an original array."""
    return ("", ()) if array is None else (array.instruction, array.index)


def recovery_text(rows: Sequence[OriginRecovery], module_text: Callable[[HloModule], str]) -> str:
    """Prints the table, one row a line; modules indented, in quotes."""
    lines = ["{"]
    for row in rows:
        old, new = (original_array_text(OriginalArray(*array)) for array in (row.old, row.new))
        lines.append(f"  {old} : {new}{',' if row.module else ''}")
        if row.module:
            text = escape_lines(module_text(row.module))
            lines.append('  "')
            lines += [f"    {line}" if line else "" for line in text.split("\n")]
            lines.append('  "')
    return "\n".join([*lines, "}\n"])


def escape_lines(text: str) -> str:
    """Escapes a text for a string over several lines."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
