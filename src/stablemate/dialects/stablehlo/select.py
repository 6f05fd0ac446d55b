"""stablehlo.select."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.dialects.stablehlo.baseline import (
    lift_to_quantized,
    same_baseline,
    with_declared_parameters,
)
from stablemate.dialects.stablehlo.elementwise_math import Function
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import BOOLEAN_TENSOR, PER_TENSOR_QUANTIZED, TENSOR
from stablemate.ir.shapes import most_specific, same_shape
from stablemate.ir.traits import ARITHMETIC, Family, Linearity, Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array, QuantizedType
from stablemate.numerics.size_arithmetic import SizeFunction, select


@op(
    "stablehlo.select",
    family=Family.ELEMENTWISE,
    work=ARITHMETIC,
    traits=Trait.FOLDABLE | Trait.ELEMENTWISE | Trait.REAL_VALUED,
)
class Select(Op):
    """Elements of ``on_true`` where ``pred`` is true, elsewhere of ``on_false``.

    result[i] = p ? on_true[i] : on_false[i], with p = pred[] if rank(pred) = 0, else pred[i]

    Source: StableHLO specification, select.
    """

    __slots__ = ()
    linearity = Linearity(((1, 2),), moves=True)
    pred = define.operand("I1", BOOLEAN_TENSOR)
    on_true = define.operand("I2", TENSOR | PER_TENSOR_QUANTIZED)
    on_false = define.operand("I3", TENSOR | PER_TENSOR_QUANTIZED)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C2", shape="C2")
    assembly = "$pred `,` $on_true `,` $on_false attr-dict `:` custom<SelectTypes>"

    @constraint
    def c1(self) -> Check:
        """rank(pred) = 0 or shape(pred) = shape(on_true)"""
        pred, on_true = self.pred.type, self.on_true.type
        fits = pred.rank == 0 or same_shape(pred.shape, on_true.shape)
        return holds(fits, pred=pred.shape, on_true=on_true.shape)

    @constraint
    def c2(self) -> Check:
        """baseline_type(on_true) = baseline_type(on_false) = baseline_type(result)"""
        on_true, on_false = self.on_true.type, self.on_false.type
        return holds(same_baseline(on_true, on_false), on_true=on_true, on_false=on_false)

    def infer(self) -> TensorType:
        """C2: the most specific type of the two, quantization parameters aside."""
        inferred = most_specific([self.on_true.type, self.on_false.type])
        return with_declared_parameters(self, inferred)

    def size_function(self) -> SizeFunction:
        """The choice between two sizes."""
        return select

    def function(self) -> Function:
        """The choice between arrays that computes the operation."""
        elements = [value.type.element_type for value in self.operands]
        if isinstance(elements[1], QuantizedType):
            return lift_to_quantized(choose, elements, self.result.type.element_type)
        return choose

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """The choice between arrays itself."""
        return self.function()

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The choice for all elements at once."""
        return self.function()(*operands)


def choose(pred: Array, on_true: Array, on_false: Array) -> Array:
    """Elements of one array or the other; one of them itself if ``pred`` is a scalar."""
    if pred.ndim == 0:
        return on_true if pred else on_false
    return np.where(pred, on_true, on_false)
