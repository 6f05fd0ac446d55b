"""How products of matrices round their operands: PyTorch's precisions as algorithms of StableHLO.

Source: PyTorch, ``torch.set_float32_matmul_precision``; StableHLO specification, dot_general.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.stablehlo.attributes import DotAlgorithm
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.ir.core import Module
from stablemate.numerics.elements import BF16, F32

# How many products of operands that are rounded to bf16 a product takes; None: none is rounded.
PRECISIONS: Final = {"highest": None, "high": 3, "medium": 1}


def round_operands(module: Module, precision: str) -> None:
    """Gives products of matrices in f32 the algorithm of a precision."""
    products = PRECISIONS[precision]
    if products is None:
        return
    algorithm = DotAlgorithm(BF16, BF16, F32, num_primitive_operations=products)
    for operation in module.operation.walk():
        if isinstance(operation, DotGeneral) and is_single(operation):
            operation.attributes["algorithm"] = algorithm


def is_single(operation: DotGeneral) -> bool:
    """Whether a product has operands and a result in f32."""
    values = (operation.lhs, operation.rhs, operation.result)
    return all(value.type.element_type == F32 for value in values)
