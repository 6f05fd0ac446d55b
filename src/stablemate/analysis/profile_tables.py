"""A profile as tables."""

from __future__ import annotations

from typing import Final

from stablemate.analysis.profile_rows import Measurement, OperationTime, ProfileRow
from stablemate.analysis.quantities import time_text
from stablemate.analysis.tables import TextTable

GIGA: Final = 1e9
KERNELS: Final = ("ms", "share", "count", "GB/s", "GFLOP/s", "kernel ", "operations ")
OPERATIONS: Final = ("ms", "share", "count", "operation ", "kernel ")


def tables_of(profile: Measurement, listed: int | None = None) -> list[TextTable]:
    """The tables: kernels, then operations of the source.

    Args:
        profile: The profile.
        listed: How many operations are listed; all without it.
    """
    rows = [kernel_cells(row, profile.seconds) for row in profile.rows]
    tables = [TextTable("", KERNELS, rows), TextTable("", notes=summary(profile))]
    operations = profile.operations
    if any(not operation.alone for operation in operations):
        shown = operations[:listed]
        cells = [operation_cells(row, profile.seconds) for row in shown]
        notes = ["~ its part of kernels that it shares, by how much work it is"]
        if len(shown) < len(operations):
            rest = sum(operation.seconds for operation in operations[len(shown) :])
            notes.insert(0, f"and {len(operations) - len(shown)} more: {time_text(rest)}")
        tables.insert(1, TextTable("operations of the source", OPERATIONS, cells, notes))
    return tables


def summary(profile: Measurement) -> list[str]:
    """The text below the tables."""
    peaks = profile.peaks
    memory, floats = peaks.bytes_per_second / GIGA, peaks.flops_per_second / GIGA
    total, parts = time_text(profile.run_seconds), time_text(profile.seconds)
    threads = f"{peaks.threads} thread{'s' * (peaks.threads != 1)}"
    return [
        f"A run takes {total}, its parts one by one {parts}.",
        f"With {threads} this machine moves at most {memory:.3g} GB/s to and from memory and does "
        f"at most {floats:.3g} GFLOP/s on 32-bit floats.",
    ]


def kernel_cells(row: ProfileRow, total: float) -> tuple[str, ...]:
    """A row of the kernels."""
    return (
        f"{row.seconds * 1e3:.4f}",
        share_text(row.seconds, total),
        f"{row.executions:g}",
        f"{row.bytes_per_second / GIGA:.1f}" if row.bytes else "",
        f"{row.flops_per_second / GIGA:.1f}" if row.flops else "",
        row.what,
        " ".join(map(str, row.operations)),
    )


def operation_cells(time: OperationTime, total: float) -> tuple[str, ...]:
    """A row of the operations."""
    about = "" if time.alone else "~"
    return (
        f"{about}{time.seconds * 1e3:.4f}",
        share_text(time.seconds, total),
        f"{time.executions:g}",
        str(time.operation),
        time.kernels,
    )


def share_text(part: float, total: float) -> str:
    """The part of a whole."""
    return f"{part / total if total else 0.0:.1%}"
