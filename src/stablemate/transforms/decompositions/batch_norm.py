"""Batch normalizations by their formulas, in floats of at least 32 bits.

Source: StableHLO specification, batch_norm_grad, batch_norm_inference, batch_norm_training.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.batch_norm_grad import BatchNormGrad
from stablemate.dialects.stablehlo.batch_norm_inference import BatchNormInference
from stablemate.dialects.stablehlo.batch_norm_training import BatchNormTraining
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.contraction import wide_dtype
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.elementwise import Add, Sqrt
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import F32, F64, FloatType
from stablemate.transforms.chlo.expressions import Formula, TensorExpression, literal

BatchNorm: TypeAlias = BatchNormGrad | BatchNormInference | BatchNormTraining
Normalization: TypeAlias = Callable[
    ["Normalizing", Sequence[TensorExpression]], Sequence[TensorExpression]
]


class Normalizing:
    """One batch normalization, on wide floats."""

    def __init__(self, operation: BatchNorm, builder: Builder) -> None:
        self.operation = operation
        self.epsilon: float = operation.epsilon
        self.builder = builder
        self.element = operation.operand.type.element_type
        self.wide = F64 if wide_dtype(self.element) == np.float64 else F32
        shape = operation.operand.type.shape
        self.shape = TensorType(shape, self.wide)
        self.count = float(prod(shape[d] for d in self.operation.others))

    def widen(self, value: Value[TensorType]) -> TensorExpression:
        """An operand in wide floats."""
        wide_type = value.type.with_element(self.wide)
        if value.type != wide_type:
            value = self.builder.create(Convert, operand=value, results=[wide_type]).results[0]
        return self.expression(value)

    def expression(self, value: Value[TensorType]) -> TensorExpression:
        """A value in formulas of its shape."""
        return Formula(self.builder, value).of(value)

    def along(self, vector: TensorExpression) -> TensorExpression:
        """A vector of features, repeated to the shape of the operand."""
        repeated = self.builder.create(
            BroadcastInDim,
            operand=vector.value,
            broadcast_dimensions=[self.operation.feature],
            results=[self.shape],
        )
        return self.expression(repeated.results[0])

    def sum_of(self, x: TensorExpression) -> TensorExpression:
        """The sum over all dimensions but the one of the features."""
        zero = literal(self.builder, tensor(self.wide), np.zeros(1, self.wide.dtype))
        scalars = [tensor(self.wide)] * 2
        reduced = self.builder.create(
            Reduce,
            inputs=[x.value],
            init_values=[zero],
            dimensions=self.operation.others,
            regions=[self.builder.region(scalars, add_body)],
        )
        return self.expression(reduced.results[0])

    def deviation(self, variance: TensorExpression) -> TensorExpression:
        """The square root of the variance, which epsilon keeps from zero."""
        return self.add_epsilon(variance).unary(Sqrt)

    def add_epsilon(self, variance: TensorExpression) -> TensorExpression:
        """The variance with epsilon, a number of the operands' type."""
        epsilon = np.float64(np.asarray(self.epsilon).astype(self.element.dtype))
        return variance + float(epsilon)


def add_body(builder: Builder, lhs: Value[TensorType], rhs: Value[TensorType]) -> None:
    """The body of a sum."""
    total = builder.create(Add, lhs=lhs, rhs=rhs)
    builder.create(Return, values=total.results)


def normalize(
    context: Normalizing, operand: TensorExpression, scale: TensorExpression,
    offset: TensorExpression,
    mean: TensorExpression, variance: TensorExpression,
) -> TensorExpression:  # fmt: skip
    """``scale * (operand - mean) / sqrt(variance + epsilon) + offset``."""
    quotient = (operand - context.along(mean)) / context.along(context.deviation(variance))
    return context.along(scale) * quotient + context.along(offset)


def inference(
    context: Normalizing, operands: Sequence[TensorExpression]
) -> Sequence[TensorExpression]:
    """With a mean and a variance that are given."""
    operand, scale, offset, mean, variance = operands
    return [normalize(context, operand, scale, offset, mean, variance)]


def training(
    context: Normalizing, operands: Sequence[TensorExpression]
) -> Sequence[TensorExpression]:
    """With the operand's own mean and variance."""
    operand, scale, offset = operands
    mean = context.sum_of(operand) / context.count
    centered = operand - context.along(mean)
    variance = context.sum_of(centered * centered) / context.count
    return [normalize(context, operand, scale, offset, mean, variance), mean, variance]


def gradient(
    context: Normalizing, operands: Sequence[TensorExpression]
) -> Sequence[TensorExpression]:
    """The gradients of operand, scale and offset; i1 to i6 as in the specification."""
    operand, scale, mean, variance, grad_output = operands
    centered = operand - context.along(mean)
    deviation = context.deviation(variance)
    grad_offset = context.sum_of(grad_output)
    grad_scale = context.sum_of(grad_output * (centered / context.along(deviation)))
    i1 = grad_output * context.count
    i2 = context.along(grad_offset)
    i3 = context.along(context.sum_of(grad_output * centered))
    i5 = i3 * centered / context.along(context.add_epsilon(variance))
    i6 = i1 - i2 - i5
    return [context.along(scale / deviation / context.count) * i6, grad_scale, grad_offset]


def pattern(formula: Normalization) -> Pattern:
    """The pattern of a normalization of floats."""

    def rewrite(operation: BatchNorm, builder: Builder) -> Replacement:
        types = [value.type for value in operation.operands]
        if not all(isinstance(t.element_type, FloatType) and t.is_static for t in types):
            return None
        normalizing = Normalizing(operation, builder)
        results = formula(normalizing, [normalizing.widen(value) for value in operation.operands])
        return [
            result.value
            if result.value.type == old.type
            else builder.create(Convert, operand=result.value, results=[old.type]).results[0]
            for result, old in zip(results, operation.results, strict=True)
        ]

    return rewrite
