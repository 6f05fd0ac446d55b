"""stablehlo.is_finite."""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.ir.definition import Op, define, op
from stablemate.ir.kinds import BOOLEAN_TENSOR, PER_TENSOR_QUANTIZED, is_float, tensor_of
from stablemate.ir.traits import ARITHMETIC, Family, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN, Array, QuantizedType

REALS: Final = tensor_of("tensor of floating-point type", is_float) | PER_TENSOR_QUANTIZED


@op(
    "stablehlo.is_finite",
    family=Family.ELEMENTWISE,
    work=ARITHMETIC,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE | Trait.REAL_VALUED,
)
class IsFinite(Op):
    """Whether a number is neither infinite nor NaN; quantized ones always are.

    Source: StableHLO specification, is_finite.
    """

    __slots__ = ()
    x = define.operand("I1", REALS)
    y = define.result(BOOLEAN_TENSOR, shape="C1")
    assembly = "$x attr-dict `:` functional-type"

    def infer(self) -> TensorType:
        """C1: the shape of the operand."""
        return self.x.type.with_element(BOOLEAN)

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The test of all elements at once."""
        x = operands[0]
        if isinstance(self.x.type.element_type, QuantizedType):
            return np.ones(x.shape, np.bool_)
        return np.isfinite(x)
