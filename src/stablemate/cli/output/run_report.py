"""The report of ``stablemate run``: values, comparisons and times, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from stablemate.analysis.errors import (
    ElementDistances,
    error_texts,
    errors_json,
    json_number,
    ulp_text,
)
from stablemate.cli.input.array_files import ArrayFile
from stablemate.cli.input.array_literals import value_text
from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.grid import ProcessId
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
)
from stablemate.numerics.number_text import storage_type

if TYPE_CHECKING:
    from stablemate.analysis.tolerance import ToleranceCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedResult:
    """One result, where it was written, and how it compares with what was expected."""

    name: str
    array: Array
    element: ElementType
    process: ProcessId | None = None  # on a grid, whose it is
    file: ArrayFile | None = None
    comparison: ToleranceCheck | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A run. Times are in seconds; that of ``run`` is the median of ``runs``."""

    file: str
    entry: str
    results: Sequence[ReportedResult]
    times: Mapping[str, float]
    runs: Sequence[float]

    @property
    def matches(self) -> bool:
        """Whether every result that was compared is within the tolerance."""
        return all(
            result.comparison is None or result.comparison.matches for result in self.results
        )


# ---- text


def result_text(position: int, result: ReportedResult, limit: int, *, color: bool) -> str:
    """A result as text: how it compares, or its value."""
    if result.comparison is None:
        return value_text(result.array, result.element, limit=limit)
    title = f"result {position}"
    if result.name != title:
        title += f" ({result.name})"
    return f"{title}: {comparison_text(result.comparison, color=color)}"


def comparison_text(comparison: ToleranceCheck, *, color: bool) -> str:
    """Whether a result matches, how far it is off, and the first elements that differ."""

    def style(text: str, foreground: str) -> str:
        return click.style(text, fg=foreground, bold=True) if color else text

    if comparison.shapes is not None:
        got, expected = (f"[{', '.join(map(str, shape))}]" for shape in comparison.shapes)
        return f"{style('differs', 'red')}: shape {got}, expected {expected}"
    if comparison.matches:
        return f"{style('matches', 'green')}{largest_text(comparison.largest)}"
    verdict = style(f"{comparison.mismatches} of {comparison.elements} elements differ", "red")
    lines = [f"{verdict}{largest_text(comparison.largest)}", *table_lines(comparison)]
    if more := comparison.mismatches - len(comparison.first):
        lines.append(f"  and {more} more")
    return "\n".join(lines)


def largest_text(errors: ElementDistances) -> str:
    """The largest errors; nothing if there are none."""
    if errors.ulp == 0:
        return ""
    numbers = f"{errors.absolute:.3g} absolute, {errors.relative:.3g} relative"
    return f", at most {ulp_text(errors.ulp)} ulp, {numbers}"


def table_lines(comparison: ToleranceCheck) -> list[str]:
    """The table of the first mismatches."""
    rows = [("index", "got", "expected", "ulp", "absolute", "relative")]
    for mismatch in comparison.first:
        index = f"[{', '.join(map(str, mismatch.index))}]"
        rows.append((index, mismatch.got, mismatch.expected, *error_texts(mismatch.errors)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


def times_text(report: Report) -> str:
    """The time of each step."""
    parts = [f"{name} {duration_text(seconds)}" for name, seconds in report.times.items()]
    if len(report.runs) > 1:
        low, high = duration_text(min(report.runs)), duration_text(max(report.runs))
        parts[-1] += f" (median of {len(report.runs)}, {low} to {high})"
    return ", ".join(parts)


def duration_text(seconds: float) -> str:
    """A time with three digits and a suitable unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:#.3g} {unit}".replace(". ", " ")
    return f"{seconds * 1e6:.0f} us"


# ---- JSON


def json_text(report: Report, limit: int) -> str:
    """The run as JSON; numbers that JSON lacks are strings."""
    document = {
        "file": report.file,
        "entry": report.entry,
        "matches": report.matches,
        "results": [result_json(result, limit) for result in report.results],
        "times": {**report.times, "runs": list(report.runs)},
    }
    return json.dumps(document, allow_nan=False)


def result_json(result: ReportedResult, limit: int) -> dict[str, object]:
    """A result: its value, unless it was written to a file."""
    array, file = result.array, result.file
    entry: dict[str, object] = {
        "name": result.name,
        "type": str(TensorType(array.shape, result.element)),
        "shape": list(array.shape),
    }
    if result.process is not None:
        entry["process"] = list(result.process)
    if file is not None:
        entry["file"] = str(file)
    else:
        entry["value"] = value_text(array, result.element, limit=limit)
        entry["data"] = json_numbers(array, result.element) if array.size <= limit else None
    if result.comparison is not None:
        entry["comparison"] = comparison_json(result.comparison)
    return entry


def json_numbers(array: Array, element: ElementType) -> object:
    """The elements in nested lists."""
    match storage_type(element):
        case IntegerType(is_boolean=True):
            return array.tolist()
        case IntegerType() | IndexType() as integer:
            return array.astype(np.int64 if integer.minimum < 0 else np.uint64).tolist()
        case ComplexType():
            return nested_json(np.stack([np.real(array), np.imag(array)], axis=-1).tolist())
        case FloatType():
            return nested_json(array.astype(np.float64).tolist())


def nested_json(value: Any) -> object:
    """Nested lists of floats with strings for what JSON lacks."""
    return json_number(value) if isinstance(value, float) else [nested_json(part) for part in value]


def comparison_json(comparison: ToleranceCheck) -> dict[str, object]:
    """A comparison as an object."""
    entry: dict[str, object] = {"matches": comparison.matches, "elements": comparison.elements}
    if comparison.shapes is not None:
        return entry | {"shapes": [list(shape) for shape in comparison.shapes]}
    return entry | {
        "mismatches": comparison.mismatches,
        **errors_json(comparison.largest),
        "first": [
            {"index": list(mismatch.index), "got": mismatch.got, "expected": mismatch.expected}
            | errors_json(mismatch.errors)
            for mismatch in comparison.first
        ],
    }
