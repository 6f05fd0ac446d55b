"""stablehlo-legalize-quantized-op-to-qdq: operations on quantized tensors as ones on floats.

Source: StableHLO specification, ``dequantize_op_quantize``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.registry import names_with
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.traits import Trait
from stablemate.transforms.decompositions.quantized import on_floats

IS_FINITE: Final = "stablehlo.is_finite"  # it has no quantized result
NAMES: Final = frozenset(names_with(Trait.REAL_VALUED, "stablehlo")) - {IS_FINITE}


def left_alone(operation: Operation, builder: Builder) -> Replacement:
    """Nothing, for what is not quantized."""
    return None


PATTERNS: Final[Mapping[str, Pattern]] = dict.fromkeys(NAMES, on_floats(left_alone))
