"""stablehlo.batch_norm_grad."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.dialects.stablehlo.batch_norm import FEATURES, VALUES, AnyBatchNorm
from stablemate.ir.definition import Check, constraint, define, holds, op
from stablemate.ir.kinds import F32_KIND, SI64
from stablemate.ir.shapes import most_specific, same_shape, same_sizes
from stablemate.ir.traits import Family, Trait, Work
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


@op(
    "stablehlo.batch_norm_grad",
    family=Family.CONTRACTION,
    work=Work(flops=14),
    traits=Trait.COMPOUND | Trait.REAL_VALUED,
)
class BatchNormGrad(AnyBatchNorm):
    """Differentiates batch_norm_training with respect to operand, scale and offset.

    With sums over all dimensions but ``feature_index``, of n elements each,
    centered = operand - mean, stddev = sqrt(variance + epsilon):
    grad_offset = sum(grad_output), grad_scale = sum(grad_output * centered / stddev),
    grad_operand = scale / stddev / n * (n * grad_output - grad_offset
    - centered * sum(grad_output * centered) / (variance + epsilon))

    Source: StableHLO specification, batch_norm_grad.
    """

    __slots__ = ()
    mean = define.operand("I3", FEATURES)
    variance = define.operand("I4", FEATURES)
    grad_output = define.operand("I5", VALUES)
    epsilon = define.attribute("I6", F32_KIND)
    feature_index = define.attribute("I7", SI64)
    grad_operand = define.result(VALUES, element_type="C2", shape="C3")
    grad_scale = define.result(FEATURES, element_type="C2", shape="C4")
    grad_offset = define.result(FEATURES, element_type="C2", shape="C4")

    @constraint
    def c2(self) -> Check:
        """same(baseline_element_type(operands... and results...))"""
        return self.same_baseline_elements()

    @constraint
    def c3(self) -> Check:
        """same(shape(operand, grad_output, grad_operand))"""
        operand, grad_output = self.operand.type, self.grad_output.type
        fits = same_sizes(operand, grad_output)
        return holds(fits, operand=operand.shape, grad_output=grad_output.shape)

    @constraint
    def c4(self) -> Check:
        """same(shape(scale, mean, variance, grad_scale, grad_offset))"""
        shapes = [value.type.shape for value in (self.scale, self.mean, self.variance)]
        fits = all(same_shape(a, b) for a in shapes for b in shapes)
        return holds(fits, shapes=shapes)

    @constraint
    def c5(self) -> Check:
        """size(scale) = dim(operand, feature_index)"""
        return self.fits_features(self.scale)

    def infer(self) -> Sequence[TensorType]:
        """C2, C3, C4"""
        operand, grad_output = self.operand.type, self.grad_output.type
        result = most_specific([operand, grad_output.with_element(operand.element_type)])
        return self.declared_types(result, self.vector_type(), self.vector_type())

    def formula(self, *numbers: Array) -> Sequence[Array]:
        """The results, in floats of at least 32 bits."""
        operand, scale, mean, variance, grad_output = numbers
        count = self.count(operand)
        centered = operand - self.along(mean)
        shifted = variance + self.constant(self.epsilon, variance)
        deviation = np.sqrt(shifted)
        grad_offset = self.sum_of(grad_output)
        grad_scale = self.sum_of(grad_output * (centered / self.along(deviation)))
        # i1 to i6 as in the specification
        i1 = grad_output * count
        i2 = self.along(grad_offset)
        i3 = self.along(self.sum_of(grad_output * centered))
        i5 = i3 * centered / self.along(shifted)
        i6 = i1 - i2 - i5
        return [self.along(scale / deviation / count) * i6, grad_scale, grad_offset]
