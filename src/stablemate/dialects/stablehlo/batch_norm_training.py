"""stablehlo.batch_norm_training."""

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
    "stablehlo.batch_norm_training",
    family=Family.CONTRACTION,
    work=Work(flops=8),
    traits=Trait.COMPOUND | Trait.REAL_VALUED,
)
class BatchNormTraining(AnyBatchNorm):
    """Normalizes ``operand`` per feature with its own mean and variance, and returns these too.

    batch_mean = mean(operand), batch_var = mean((operand - batch_mean)^2) over all dimensions but
    ``feature_index``,
    output = scale * (operand - batch_mean) / sqrt(batch_var + epsilon) + offset

    Source: StableHLO specification, batch_norm_training.
    """

    __slots__ = ()
    summary_attributes = ("feature_index",)
    offset = define.operand("I3", FEATURES)
    epsilon = define.attribute("I4", F32_KIND)
    feature_index = define.attribute("I5", SI64)
    output = define.result(VALUES, element_type="C2", shape="C7")
    batch_mean = define.result(FEATURES, element_type="C2", shape="C5")
    batch_var = define.result(FEATURES, element_type="C2", shape="C6")

    @constraint
    def c2(self) -> Check:
        """same(baseline_element_type(operand, scale, offset, batch_mean, batch_var, output))"""
        return self.same_baseline_elements()

    @constraint
    def c3(self) -> Check:
        """size(scale) = dim(operand, feature_index)"""
        return self.fits_features(self.scale)

    @constraint
    def c4(self) -> Check:
        """size(offset) = dim(operand, feature_index)"""
        return self.fits_features(self.offset, self.scale)

    def infer(self) -> Sequence[TensorType]:
        """C2, C5, C6, C7"""
        return self.declared_types(self.operand.type, self.vector_type(), self.vector_type())

    def formula(self, *numbers: Array) -> Sequence[Array]:
        """The results, in floats of at least 32 bits."""
        operand, scale, offset = numbers
        count = self.count(operand)
        mean = self.sum_of(operand) / count
        centered = operand - self.along(mean)
        variance = self.sum_of(centered * centered) / count
        deviation = np.sqrt(variance + self.constant(self.epsilon, variance))
        normalized = centered / self.along(deviation)
        return [self.along(scale) * normalized + self.along(offset), mean, variance]
