"""Comparisons and bisections as text and as JSON objects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from stablemate.analysis.errors import error_texts, errors_json
from stablemate.analysis.tables import TextTable
from stablemate.debugging.closeness import Closeness
from stablemate.ir.core import Operation

ERRORS: Final = ("ulp", "absolute", "relative", "cosine")
ELEMENTS: Final = 5  # of a value that differs, which are shown


def place_text(operation: Operation) -> str:
    """``stablehlo.add (model.mlir:12:8)``."""
    return operation.name if operation.span is None else f"{operation.name} ({operation.span})"


def cells_of(close: Closeness) -> list[str]:
    """The largest errors of a value, then whether it is near enough."""
    if close.comparison is None:
        return ["", "", "", "", close.difference]
    if close.comparison.shapes is not None:
        return ["", "", "", "", "other shapes"]
    largest = close.comparison.largest
    number = close.comparison.mismatches
    verdict = "" if close.matches else f"{number} of {close.comparison.elements} differ"
    cosine = "" if math.isnan(close.cosine) else f"{close.cosine:.9g}"
    return [*error_texts(largest), cosine, verdict]


def elements_table(name: str, close: Closeness) -> Iterator[TextTable]:
    """The first elements of a value that differ."""
    if close.comparison is None or not close.comparison.first:
        return
    rows = [
        [str(list(mismatch.index)), mismatch.got, mismatch.expected, *error_texts(mismatch.errors)]
        for mismatch in close.comparison.first[:ELEMENTS]
    ]
    yield TextTable(f"first elements of {name}", ("index", "got", "expected", *ERRORS[:3]), rows)


def closeness_json(close: Closeness) -> dict[str, object]:
    """How far a value is off, as an object; numbers that JSON lacks are strings."""
    document: dict[str, object] = {"matches": close.matches}
    if close.comparison is None or close.comparison.shapes is not None:
        return document | {"difference": close.difference or "other shapes"}
    comparison = close.comparison
    return document | {
        "elements": comparison.elements,
        "mismatches": comparison.mismatches,
        **errors_json(comparison.largest),
        "cosine": None if math.isnan(close.cosine) else close.cosine,
        "first": [
            {"index": list(mismatch.index), "got": mismatch.got, "expected": mismatch.expected}
            | errors_json(mismatch.errors)
            for mismatch in comparison.first
        ],
    }


def operation_json(operation: Operation) -> dict[str, object]:
    """An operation, by its name and place."""
    span = operation.span
    return {"operation": operation.name, "line": None if span is None else span.line}


def range_text(value: object) -> str:
    """The range of an array: ``[-1, 2]``, with the number of NaNs if there are any."""
    array = np.asarray(value)
    if array.size == 0 or array.dtype.kind in "cVO":
        return ""
    with np.errstate(all="ignore"):
        numbers = array.astype(np.float64)
        nans = int(np.isnan(numbers).sum())
        number = numbers[~np.isnan(numbers)]
    text = f"[{number.min():.5g}, {number.max():.5g}]" if number.size else ""
    return f"{text} {nans} NaN".strip() if nans else text
