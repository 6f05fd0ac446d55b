"""Errors of comparisons as texts and as JSON."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass

INFINITELY_MANY: Final = np.uint64(0xFFFFFFFFFFFFFFFF)  # ulp between a number and a NaN
INFINITE: Final = int(INFINITELY_MANY)


@dataclass(frozen=True, slots=True)
class ElementDistances:
    """The distances of elements, one number each or the maximum of all."""

    ulp: Any
    absolute: Any
    relative: Any


def ulp_text(ulp: int) -> str:
    """A distance in ulp; between a number and a NaN there is none."""
    return "inf" if ulp == INFINITE else str(ulp)


def error_texts(errors: ElementDistances) -> tuple[str, str, str]:
    """Errors in few digits: in ulp, absolute, relative."""
    return ulp_text(errors.ulp), f"{errors.absolute:.3g}", f"{errors.relative:.3g}"


def errors_json(errors: ElementDistances) -> dict[str, object]:
    """Converts errors to an object of JSON, with infinite and undefined numbers as texts."""
    return {
        "ulp": ulp_text(errors.ulp) if errors.ulp == INFINITE else errors.ulp,
        "absolute": json_number(errors.absolute),
        "relative": json_number(errors.relative),
    }


def json_number(value: float) -> float | str:
    """A number, or a string if JSON has no such number."""
    return value if math.isfinite(value) else str(value)
