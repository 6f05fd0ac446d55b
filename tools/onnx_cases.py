"""A model of ONNX that is run here and in ONNX Runtime, and what became of it."""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import onnxruntime

from stablemate.diagnostics.errors import StablemateError
from stablemate.onnx import InferenceSession

TOLERANCE: Final = 2e-4  # of the largest element of an output
Feeds = dict[str, Any]
Make = Callable[[], tuple[bytes, list[Feeds]]]  # the bytes of a model, and inputs


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case.

    Attributes:
        library: Where the model is from.
        model: Its name.
        case: How it was exported.
        verdict: ``passed``, one of ``FAULTS``, ``export`` if the exporter fails, ``runtime`` if
            ONNX Runtime does.
        difference: The largest difference, as a part of the largest element.
        message: What failed.
        seconds: How long it took.
    """

    library: str
    model: str
    case: str
    verdict: str
    difference: float = 0.0
    message: str = ""
    seconds: float = 0.0


class ExportError(Exception):
    """The exporter does not write the model."""


def outcome_of(library: str, name: str, case: str, make: Make) -> Outcome:
    """Exports a model and runs it here and in ONNX Runtime."""
    begin = time.perf_counter()

    def outcome(verdict: str, difference: float = 0.0, message: str = "") -> Outcome:
        seconds = round(time.perf_counter() - begin, 2)
        return Outcome(library, name, case, verdict, difference, message, seconds)

    try:
        content, feeds = make()
    except ExportError as error:
        return outcome("export", message=str(error))
    try:
        peer = onnxruntime.InferenceSession(content)
        expected = [peer.run(None, feed) for feed in feeds]
    except Exception as error:
        return outcome("runtime", message=short(error))
    try:
        session = InferenceSession(content)
        results = [session.run(None, feed) for feed in feeds]
    except StablemateError as error:
        return outcome("failed", message=short(error))
    except Exception as error:
        traceback.print_exc()
        return outcome("failed", message=f"{type(error).__name__}: {short(error)}")
    pairs = [
        pair
        for wanted, found in zip(expected, results, strict=True)
        for pair in zip(wanted, found, strict=True)
    ]
    largest = max(difference(*pair) for pair in pairs)
    return outcome("passed" if largest <= TOLERANCE else "differs", largest)


def difference(expected: Any, result: Any) -> float:
    """The largest difference, as a part of the largest element; infinite for other shapes."""
    if isinstance(expected, list):
        pairs = zip(expected, result, strict=True)
        return max((difference(*pair) for pair in pairs), default=0.0)
    if isinstance(expected, dict):
        if expected.keys() != result.keys():
            return math.inf
        return max(difference(np.array(v), np.array(result[k])) for k, v in expected.items())
    one, other = np.asarray(expected), np.asarray(result)
    if one.shape != other.shape:
        return math.inf
    if one.dtype.kind in "OUS" or not one.size:
        return 0.0 if one.tolist() == other.tolist() else math.inf
    one, other = one.astype(np.float64), other.astype(np.float64)
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    gap = np.where(same, 0, np.abs(one - other))
    scale = max(float(np.max(np.abs(np.where(np.isfinite(one), one, 0)))), 1e-6)
    return float(np.nan_to_num(np.max(gap) / scale, nan=math.inf))


def short(error: Exception) -> str:
    """The first part of an error."""
    return " ".join(str(error).split())[:240]
