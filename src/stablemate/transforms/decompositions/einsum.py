"""Decomposes einsum and unary_einsum into diagonals, transposes, and a dot or a sum.

Sums are formed in the type in which the operation forms them, and rounded once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from stablemate.dialects.stablehlo.attributes import DotDimensionNumbers
from stablemate.dialects.stablehlo.contraction import sum_dtype
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.dialects.stablehlo.einsum import Einsum, dimensions_by_label
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.stablehlo.transpose import Transpose
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.rewriter import Replacement
from stablemate.ir.shapes import remaining_dimensions
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import (
    BOOLEAN,
    ComplexType,
    DType,
    ElementType,
    FloatType,
    IntegerType,
)
from stablemate.transforms.chlo.expressions import literal

NUMBERS = IntegerType | FloatType | ComplexType


def einsum(operation: Einsum, builder: Builder) -> Replacement:
    """The pattern of both operations, on static tensors of numbers of one kind."""
    values = (*operation.operands, operation.result)
    elements: list[ElementType] = [value.type.element_type for value in values]
    kinds: set[object] = {type(element) for element in elements}
    if len(kinds) != 1 or not isinstance(elements[0], NUMBERS) or BOOLEAN in elements:
        return None
    if not all(value.type.is_static for value in values):
        return None
    wide = widest(elements)
    labels = operation.labels()
    if labels is None:
        return None
    named, result_labels = labels
    shapes = [value.type.shape for value in operation.operands]
    is_known = set(result_labels) <= set().union(*named)  # else it fails when it runs
    if not is_known or has_repeated_sizes(named, shapes):
        return None
    tensors = [
        Labeled(builder, convert_elements(builder, value, wide), list(labels)).without_diagonals()
        for value, labels in zip(operation.operands, named, strict=True)
    ]
    needed = set(result_labels)
    if len(tensors) == 2:
        lhs, rhs = (
            tensor.sum_except(needed.union(other.labels))
            for tensor, other in (tensors, reversed(tensors))
        )
        tensor = product(builder, lhs, rhs, needed)
    else:
        tensor = tensors[0].sum_except(needed)
    tensor = tensor.transpose(list(result_labels))
    return convert_elements(builder, tensor.value, operation.result.type.element_type)


def widest(elements: Sequence[ElementType]) -> ElementType:
    """The type in which sums are formed."""
    *operands, result = elements
    dtype = sum_dtype(result, *operands)
    return next(
        (element for element in elements if element.dtype == dtype), None
    ) or numpy_element_type(dtype)


def numpy_element_type(dtype: DType) -> ElementType:
    """The element type of NumPy's."""
    return FloatType(f"f{dtype.itemsize * 8}") if dtype.kind == "f" else IntegerType(32)


def has_repeated_sizes(named: Sequence[Sequence[str]], shapes: Sequence[Sequence[int]]) -> bool:
    """Whether dimensions of one name have different sizes: those of 1 would be repeated."""
    sizes: dict[str, int] = {}
    return any(
        sizes.setdefault(name, size) != size
        for labels, shape in zip(named, shapes, strict=True)
        for name, size in zip(labels, shape, strict=True)
    )


def convert_elements(builder: Builder, value: Value, element: ElementType) -> Value:
    """A value in another element type."""
    new_type = value.type.with_element(element)
    if value.type == new_type:
        return value
    return builder.create(Convert, operand=value, results=[new_type]).results[0]


class Labeled:
    """A tensor whose dimensions have names."""

    def __init__(self, builder: Builder, value: Value[TensorType], labels: list[str]) -> None:
        self.builder = builder
        self.value = value
        self.labels = labels

    def without_diagonals(self) -> Labeled:
        """Dimensions of one name as one: a slice of what is left when they are merged."""
        tensor = self
        for name, count in Counter(self.labels).items():
            if count > 1:
                tensor = tensor.diagonal(name)
        return tensor

    def diagonal(self, name: str) -> Labeled:
        """The dimensions of a name as the last one."""
        own = [d for d, label in enumerate(self.labels) if label == name]
        rest = remaining_dimensions(len(self.labels), own)
        shape = self.value.type.shape
        size, outer = shape[own[0]], [shape[d] for d in rest]
        turned = self.builder.create(
            Transpose, operand=self.value, permutation=[*rest, *own]
        ).results[0]
        flat = self.reshape(turned, [*outer, size ** len(own)])
        diagonal = self.builder.create(
            Slice,
            operand=flat,
            start_indices=[0] * len(flat.type.shape),
            limit_indices=flat.type.shape,
            strides=[*[1] * len(outer), sum(size**i for i in range(len(own)))],
        ).results[0]
        return Labeled(self.builder, diagonal, [*(self.labels[d] for d in rest), name])

    def reshape(self, value: Value[TensorType], shape: Sequence[int]) -> Value[TensorType]:
        """A value in another shape."""
        new_type = value.type.with_shape(shape)
        return self.builder.create(Reshape, operand=value, results=[new_type]).results[0]

    def sum_except(self, kept: Collection[str]) -> Labeled:
        """The sum over all dimensions but those with these names."""
        dimensions = [d for d, name in enumerate(self.labels) if name not in kept]
        if not dimensions:
            return self
        scalar = tensor(self.value.type.element_type)
        zero = literal(self.builder, scalar, np.zeros(1, scalar.element_type.dtype))
        reduced = self.builder.create(
            Reduce,
            inputs=[self.value],
            init_values=[zero],
            dimensions=dimensions,
            regions=[self.builder.region([scalar, scalar], add_body)],
        )
        left = [name for name in self.labels if name in kept]
        return Labeled(self.builder, reduced.results[0], left)

    def transpose(self, labels: list[str]) -> Labeled:
        """The same with its dimensions in another order."""
        if labels == self.labels:
            return self
        dimensions = dimensions_by_label(self.labels)
        order = [dimensions[name] for name in labels]
        transposed = self.builder.create(Transpose, operand=self.value, permutation=order)
        return Labeled(self.builder, transposed.results[0], labels)


def add_body(builder: Builder, lhs: Value[TensorType], rhs: Value[TensorType]) -> None:
    """The body of a sum."""
    total = builder.create(Add, lhs=lhs, rhs=rhs)
    builder.create(Return, values=total.results)


def product(builder: Builder, lhs: Labeled, rhs: Labeled, needed: set[str]) -> Labeled:
    """The sum of products over the labels that both operands have and the result has not."""
    in_lhs, in_rhs = dimensions_by_label(lhs.labels), dimensions_by_label(rhs.labels)
    both = [name for name in lhs.labels if name in in_rhs]
    batch = [name for name in both if name in needed]
    contracted = [name for name in both if name not in needed]
    left = [name for name in lhs.labels if name not in in_rhs]
    right = [name for name in rhs.labels if name not in in_lhs]
    numbers = DotDimensionNumbers(
        *(
            tuple(side[name] for name in names)
            for names in (batch, contracted)
            for side in (in_lhs, in_rhs)
        )
    )
    sizes = dict(zip(lhs.labels, lhs.value.type.shape, strict=True))
    sizes.update(zip(rhs.labels, rhs.value.type.shape, strict=True))
    labels = [*batch, *left, *right]
    result_type = TensorType(tuple(sizes[name] for name in labels), lhs.value.type.element_type)
    dot = builder.create(
        DotGeneral,
        lhs=lhs.value,
        rhs=rhs.value,
        dot_dimension_numbers=numbers,
        results=[result_type],
    )
    return Labeled(builder, dot.results[0], labels)
