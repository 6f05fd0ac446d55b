"""Resizing: rewrites a program with other sizes of tensors.

A size is a number: all dimensions of that size change, and what else is written in such numbers:
limits of slices, sizes of windows, literals. Whether what comes out is a program is for the
verifier to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.dialects.func import FuncOp
from stablemate.ir.attributes import (
    DenseArrayAttribute,
    DenseElementsAttribute,
    TypeAttribute,
    dense_elements,
)
from stablemate.ir.core import Module, Operation, Region
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import Attribute, FunctionType, TensorType, TupleType, Type
from stablemate.numerics.elements import Array

SIZES: Final = ("fft_length", "limit_indices", "slice_sizes", "window_dimensions")
Sizes: TypeAlias = Mapping[int, int]


def sizes_of(module: Module) -> Iterator[int]:
    """The sizes of all dimensions in the program, with repetitions."""
    for operation in module.operation.walk():
        for result in operation.results:
            yield from shape_of(result.type)
        for region in operation.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    yield from shape_of(argument.type)


def shape_of(value_type: Type) -> Sequence[int]:
    """The sizes of a type."""
    return value_type.shape if isinstance(value_type, TensorType) else ()


def resize_module(module: Module, sizes: Sizes) -> Module:
    """The module with other sizes."""
    return module.with_operation(Resizing(sizes).copy_operation(module.operation))


def resized_type(value_type: object, sizes: Sizes) -> Any:
    """A type with other sizes."""
    match value_type:
        case TensorType(shape=shape):
            new = tuple([sizes.get(size, size) for size in shape])
            return value_type if new == shape else value_type.with_shape(new)
        case TupleType(types=types):
            return replace(
                value_type, types=tuple(resized_type(value_type, sizes) for value_type in types)
            )
        case FunctionType(inputs, results):
            return FunctionType(
                tuple(resized_type(value_type, sizes) for value_type in inputs),
                tuple(resized_type(result, sizes) for result in results),
            )
        case _:
            return value_type


def corner(array: Array, shape: Sequence[int]) -> Array:
    """The first elements in every dimension, repeated where a shape is larger."""
    for axis, size in enumerate(shape):
        if size != array.shape[axis]:
            array = np.take(array, np.arange(size) % max(array.shape[axis], 1), axis)
    return array


class Resizing(Rewriting):
    """Copies a module with other sizes."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__({})
        self.sizes = sizes

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy with other result types and attributes."""
        copy = super().copy_operation(operation)
        copy.attributes = {
            name: self.attribute(name, attribute) for name, attribute in copy.attributes.items()
        }
        copy.set_result_types(
            [resized_type(result.type, self.sizes) for result in operation.results]
        )
        if isinstance(copy, FuncOp):
            copy.attributes["function_type"] = TypeAttribute(resized_type(copy.type, self.sizes))
        return copy

    def copied_region(self, region: Region) -> Region:
        """A copy whose blocks take other types."""
        copy = super().copied_region(region)
        for block in copy.blocks:
            for argument in block.arguments:
                argument.type = resized_type(argument.type, self.sizes)
        return copy

    def attribute(self, name: str, attribute: Attribute) -> Attribute:
        """An attribute with other sizes."""
        match attribute:
            case DenseElementsAttribute(type=TensorType() as old_type):
                new = resized_type(old_type, self.sizes)
                if new == old_type:
                    return attribute
                if attribute.is_splat:
                    return DenseElementsAttribute(new, attribute.data)
                return dense_elements(new, corner(attribute.array, new.shape))
            case DenseArrayAttribute(values=values) if name in SIZES:
                changed = tuple(self.sizes.get(int(value), value) for value in values)
                return replace(attribute, values=changed)
            case _:
                return attribute
