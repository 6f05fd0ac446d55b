"""stablehlo-legalize-quantized-op-to-qdq: operations on quantized tensors as ones on floats.

Source: StableHLO specification, ``dequantize_op_quantize``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.transforms.decompositions.quantized import on_floats

NAMES: Final = (
    "abs add atan2 batch_norm_grad batch_norm_inference batch_norm_training cbrt ceil cholesky "
    "clamp compare convolution cosine divide dot dot_general exponential exponential_minus_one "
    "floor log log_plus_one logistic maximum minimum multiply negate power reduce_precision "
    "remainder round_nearest_afz round_nearest_even rsqrt select sign sine sqrt subtract tan tanh "
    "triangular_solve"
)


def left_alone(operation: Operation, builder: Builder) -> Replacement:
    """Nothing, for what is not quantized."""
    return None


PATTERNS: Final[Mapping[str, Pattern]] = {
    f"stablehlo.{name}": on_floats(left_alone) for name in NAMES.split()
}
