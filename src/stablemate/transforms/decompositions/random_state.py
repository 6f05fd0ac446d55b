"""The state of random numbers that a module advances: constants, in the order of the program.

Source: XLA, RngGetAndUpdateStateExpander.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from stablemate.dialects.mhlo.counterparts import FIRST_STATE, RANDOM_STATE
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation
from stablemate.ir.kinds import SI64
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import UI64

MASK: Final = (1 << 64) - 1


def random_state_patterns() -> Mapping[str, Pattern]:
    """The pattern of states of random numbers in one module: each is a constant."""
    state = FIRST_STATE

    def advance(operation: Operation, builder: Builder) -> Replacement:
        nonlocal state
        words = np.array([state & MASK, state >> 64 & MASK], np.uint64)
        state += SI64.value(operation.attributes["delta"])
        value = dense_elements(TensorType((2,), UI64), words)
        return builder.create(Constant, value=value).results

    return {RANDOM_STATE: advance}
