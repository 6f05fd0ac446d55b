"""stablehlo.batch_norm_inference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.dialects.stablehlo.batch_norm import FEATURES, VALUES, AnyBatchNorm
from stablemate.ir.definition import Check, constraint, define, op
from stablemate.ir.kinds import F32_KIND, SI64
from stablemate.ir.traits import Family, Trait, Work
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


@op(
    "stablehlo.batch_norm_inference",
    family=Family.CONTRACTION,
    work=Work(flops=4),
    traits=Trait.COMPOUND | Trait.REAL_VALUED,
)
class BatchNormInference(AnyBatchNorm):
    """Normalizes ``operand`` per feature with given mean and variance.

    result = scale * (operand - mean) / sqrt(variance + epsilon) + offset, with vectors along
    dimension ``feature_index``.

    Source: StableHLO specification, batch_norm_inference.
    """

    __slots__ = ()
    offset = define.operand("I3", FEATURES)
    mean = define.operand("I4", FEATURES)
    variance = define.operand("I5", FEATURES)
    epsilon = define.attribute("I6", F32_KIND)
    feature_index = define.attribute("I7", SI64)
    result = define.result(VALUES, element_type="C2", shape="C7")

    @constraint
    def c2(self) -> Check:
        """same(baseline_element_type(operand, scale, offset, mean, variance, result))"""
        return self.same_baseline_elements()

    @constraint
    def c3(self) -> Check:
        """size(scale) = dim(operand, feature_index)"""
        return self.fits_features(self.scale)

    @constraint
    def c4(self) -> Check:
        """size(offset) = dim(operand, feature_index)"""
        return self.fits_features(self.offset, self.scale)

    @constraint
    def c5(self) -> Check:
        """size(mean) = dim(operand, feature_index)"""
        return self.fits_features(self.mean, self.scale, self.offset)

    @constraint
    def c6(self) -> Check:
        """size(variance) = dim(operand, feature_index)"""
        return self.fits_features(self.variance, self.scale, self.offset, self.mean)

    def infer(self) -> Sequence[TensorType]:
        """C2, C7"""
        return self.declared_types(self.operand.type)

    def formula(self, *numbers: Array) -> Sequence[Array]:
        """The result, in floats of at least 32 bits."""
        operand, scale, offset, mean, variance = numbers
        centered = operand - self.along(mean)
        deviation = np.sqrt(variance + self.constant(self.epsilon, variance))
        normalized = centered / self.along(deviation)
        return [self.along(scale) * normalized + self.along(offset)]
