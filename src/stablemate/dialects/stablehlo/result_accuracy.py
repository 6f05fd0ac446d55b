"""The accuracy that a program requires of a transcendental function.

It is apart from the other attributes, since all elementwise operations refer to it.

Source: StableHLO, the proposal "Add result accuracy to transcendental unary ops" (2024).
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.kinds import enum_kind, struct_kind
from stablemate.ir.types import Attribute
from stablemate.numerics.float_text import format_float


class ResultAccuracyMode(Enum):
    """``mode`` of result_accuracy."""

    DEFAULT = "DEFAULT"
    HIGHEST = "HIGHEST"
    TOLERANCE = "TOLERANCE"


RESULT_ACCURACY_MODE: Final = enum_kind(
    ResultAccuracyMode, "stablehlo", "result_accuracy_mode", dotted=True
)


CONSISTENT: Final = "0 <= atol, rtol, ulps; all of them are 0 unless mode is TOLERANCE"
CONSISTENT_RULE: Final = "result_accuracy"


@dataclass(frozen=True)
class ResultAccuracy(Attribute):
    """``#stablehlo.result_accuracy<...>``: how exact a transcendental function must be."""

    atol: float = 0.0
    rtol: float = 0.0
    ulps: int = 0
    mode: ResultAccuracyMode = ResultAccuracyMode.DEFAULT
    SYNTAX: ClassVar[str] = "stablehlo.result_accuracy"

    @property
    def is_consistent(self) -> bool:
        """Whether no tolerance is negative, and all are 0 unless the mode is TOLERANCE."""
        is_zero = self.atol == self.rtol == self.ulps == 0
        is_allowed = is_zero or self.mode is ResultAccuracyMode.TOLERANCE
        return min(self.atol, self.rtol, self.ulps) >= 0 and is_allowed

    @property
    def parameters(self) -> dict[str, object]:
        """The bounds and the mode by name."""
        numbers = {"atol": self.atol, "rtol": self.rtol, "ulps": self.ulps}
        return {**numbers, "mode": self.mode.value}

    def __str__(self) -> str:
        entries = [
            f"{name} = {float_field(value)}"
            for name, value in (("atol", self.atol), ("rtol", self.rtol))
            if value
        ]
        entries += [f"ulps = {self.ulps}"] * bool(self.ulps)
        entries.append(f"mode = {RESULT_ACCURACY_MODE.attribute(self.mode)}")
        return f"#{self.SYNTAX}<{', '.join(entries)}>"


def float_field(value: float) -> str:
    """A float of a structured attribute."""
    return format_float(value, np.float64)


RESULT_ACCURACY: Final = struct_kind(ResultAccuracy, "result accuracy")
