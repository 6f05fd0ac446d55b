"""The common base of the batch normalizations."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from stablemate.dialects.stablehlo.baseline import expressed_type, number
from stablemate.dialects.stablehlo.contraction import sum_dtype, to_element
from stablemate.dialects.stablehlo.reduce import reduce_sum
from stablemate.ir.core import Value
from stablemate.ir.definition import Check, Op, constraint, define, holds, pack_results
from stablemate.ir.kinds import (
    FLOAT_TENSOR,
    PER_TENSOR_QUANTIZED,
    is_float,
    is_quantized_per_tensor,
    tensor_of,
)
from stablemate.ir.shapes import bound_dimensions, same_size
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array, ElementType, QuantizedType
from stablemate.numerics.quantization import baseline, quantize

VALUES: Final = FLOAT_TENSOR | PER_TENSOR_QUANTIZED
FEATURES: Final = tensor_of(
    "1-dimensional tensor of floating-point or per-tensor quantized type",
    is_float,
    is_quantized_per_tensor,
    rank=1,
)


class AnyBatchNorm(Op):
    """A normalization over all dimensions but ``feature_index``.

    Elements narrower than 32 bits are computed in 32 bits, and results rounded once.
    """

    __slots__ = ()
    operand = define.operand("I1", VALUES)
    scale = define.operand("I2", FEATURES)

    @property
    def feature(self) -> int:
        """The attribute ``feature_index``, which each operation declares."""
        index: int = cast(Any, self).feature_index
        return index

    @constraint
    def c1(self) -> Check:
        """0 <= feature_index < rank(operand)"""
        rank = self.operand.type.rank
        return holds(0 <= self.feature < rank, feature_index=self.feature, rank=rank)

    @property
    def others(self) -> tuple[int, ...]:
        """All dimensions but the one of the features."""
        return tuple(d for d in range(self.operand.type.rank) if d != self.feature)

    def same_baseline_elements(self) -> Check:
        """Whether all operands have the same element type, quantization parameters aside."""
        elements = [value.type.element_type for value in self.operands]
        return holds(len({baseline(element) for element in elements}) == 1, element_types=elements)

    def fits_features(self, value: Value[TensorType], *others: Value[TensorType]) -> Check:
        """Whether a vector has one element per feature, as ``others`` do."""
        sizes = [self.operand.type.shape[self.feature], *(other.type.shape[0] for other in others)]
        dim = next((size for size in sizes if size != DYNAMIC), DYNAMIC)
        size = value.type.shape[0]
        return holds(same_size(size, dim), size=size, dim=dim)

    def vector_type(self) -> TensorType:
        """The type with one element per feature."""
        operand = self.operand.type
        bounds = operand.bounds or (DYNAMIC,) * operand.rank
        vector = operand.with_shape((operand.shape[self.feature],))
        return bound_dimensions(vector, (bounds[self.feature],))

    def declared_types(self, *inferred: TensorType) -> Sequence[TensorType]:
        """The inferred types with the scales and zero points that are declared: they are free."""
        types = list(inferred)
        for i, (mine, result) in enumerate(zip(inferred, self.results, strict=False)):
            if isinstance(result.type, TensorType):
                element: ElementType = result.type.element_type
                agrees = baseline(element) == baseline(mine.element_type)
                types[i] = mine.with_element(element) if agrees else mine
        return types

    def evaluate(self, *operands: Array, **_: object) -> object:
        """The formula, for quantized operands on the floats that they represent."""
        elements = [value.type.element_type for value in self.operands]
        pairs = zip(operands, elements, strict=True)
        numbers = [
            number(x, element).astype(sum_dtype(expressed_type(element))) for x, element in pairs
        ]
        results = zip(self.formula(*numbers), self.results, strict=True)
        return pack_results([to_element_type(x, result.type.element_type) for x, result in results])

    @abstractmethod
    def formula(self, *numbers: Array) -> Sequence[Array]:
        """The results, in floats of at least 32 bits."""

    def along(self, vector: Array) -> Array:
        """A vector of features, shaped to broadcast against the operand."""
        return vector.reshape([1 if d in self.others else -1 for d in range(len(self.others) + 1)])

    def sum_of(self, x: Array) -> Array:
        """The sum over all dimensions but the one of the features."""
        return np.asarray(reduce_sum(self.others, x, x.dtype.type(0)))

    def count(self, x: Array) -> Array:
        """The number of elements per feature, as a float."""
        return np.asarray(math.prod(x.shape[d] for d in self.others), x.dtype)

    def constant(self, value: float, x: Array) -> Array:
        """A constant of the operand's element type, as a float of x's type."""
        element = expressed_type(self.operand.type.element_type)
        return to_element(np.asarray(value), element).astype(x.dtype)


def to_element_type(x: Array, element: ElementType) -> Array:
    """Floats as elements of a type, quantized if it is."""
    floats = to_element(x, expressed_type(element))
    return np.asarray(quantize(floats, element)) if isinstance(element, QuantizedType) else floats
