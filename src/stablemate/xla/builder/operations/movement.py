"""Operations that place elements elsewhere: broadcast, reshape, transpose, join, pad.

Source: XLA, operation semantics, the sections of each operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

from stablemate.xla.builder.argument_types import Integers, Operand, array_shape
from stablemate.xla.builder.broadcasting import stretch
from stablemate.xla.builder.core import Core, creates
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.shape import UNBOUNDED, Shape
from stablemate.xla.values import PaddingDimension

# For each dimension (low, high) or (low, high, interior), or the names of the documents.
PaddingConfig: TypeAlias = Sequence["PaddingDimension | Sequence[int] | Mapping[str, int]"]


class Movement(Core):
    """Methods whose results hold the elements of their operands."""

    def broadcast(self, operand: Operand, broadcast_sizes: Integers) -> XlaOp:
        """The operand repeated along new leading dimensions of these sizes."""
        handle = self.handle(operand)
        shape = self.array(handle, "broadcast")
        sizes = tuple(broadcast_sizes)
        nonnegative = all(size >= 0 for size in sizes)
        self.require(nonnegative, "sizes are not negative", "broadcast", broadcast_sizes=sizes)
        numbers = tuple(range(len(sizes), len(sizes) + shape.rank))
        flags = [False] * len(sizes) + list(shape.dynamic) if shape.dynamic else []
        result = array_shape(shape.element_type, (*sizes, *shape.dimensions), flags)
        return self.add_instruction("broadcast", [handle], {"dimensions": numbers}, result)

    def broadcast_in_dim(
        self, operand: Operand, out_dim_size: Integers, broadcast_dimensions: Integers
    ) -> XlaOp:
        """The operand with its dimensions at these numbers of a result of these sizes."""
        handle, rule = self.handle(operand), "broadcast_in_dim"
        shape = self.array(handle, rule)
        sizes = tuple(out_dim_size)
        numbers = tuple(self.dimension(n, len(sizes), rule) for n in broadcast_dimensions)
        message = "broadcast_dimensions has one number for each dimension of the operand"
        dimensions = tuple(broadcast_dimensions)
        counts = len(numbers) == shape.rank
        self.require(counts, message, rule, operand=shape, broadcast_dimensions=dimensions)
        increasing = list(numbers) == sorted(set(numbers))
        message = "broadcast_dimensions increases strictly"
        self.require(increasing, message, rule, broadcast_dimensions=dimensions)
        for own, number in zip(shape.dimensions, numbers, strict=True):
            message = "sizes of the operand are 1 or those of the result"
            fits = own in (1, sizes[number])
            self.require(fits, message, rule, operand=shape, out_dim_size=sizes)
        if numbers == tuple(range(len(sizes))):
            return stretch(self, handle, sizes, numbers)
        pairs = zip(shape.dimensions, numbers, strict=True)
        if all(own == sizes[number] for own, number in pairs):
            result = array_shape(shape.element_type, sizes)
            return self.add_instruction("broadcast", [handle], {"dimensions": numbers}, result)
        return stretch(self, handle, sizes, numbers)

    def reshape(self, operand: Any, *sizes: Any, **named: Any) -> XlaOp:
        """The elements, in row-major order, in other sizes.

        ``reshape(operand, new_sizes)``; ``reshape(operand, dimensions, new_sizes)`` first puts the
        dimensions into that order; ``reshape(shape, operand)`` takes the sizes of a shape.
        """
        if isinstance(operand, Shape | str) and len(sizes) == 1:
            shape = self.as_shape(operand)
            return self.reshape_to(self.handle(sizes[0]), shape.dimensions, shape.dynamic)
        names = ("new_sizes",) if len(sizes) + len(named) == 1 else ("dimensions", "new_sizes")
        by_name = dict(zip(names, sizes, strict=False)) | named
        self.require(
            set(by_name) == set(names), "reshape takes new_sizes", "reshape", given=by_name
        )
        handle = self.handle(operand)
        if "dimensions" in by_name:
            handle = self.transpose(handle, by_name["dimensions"])
        return self.reshape_to(handle, by_name["new_sizes"])

    def reshape_to(self, operand: XlaOp, sizes: Integers, dynamic: Sequence[bool] = ()) -> XlaOp:
        """The operand in other sizes of the same product."""
        shape = self.array(operand, "reshape")
        message = "the number of elements stays"
        values = {"operand": shape, "new_sizes": tuple(sizes)}
        fits = prod(shape.dimensions) == prod(sizes) and min(sizes, default=0) >= 0
        self.require(fits or UNBOUNDED in shape.dimensions, message, "reshape", **values)
        result = array_shape(shape.element_type, sizes, dynamic)
        return self.add_instruction("reshape", [operand], {}, result)

    def collapse(self, operand: Operand, dimensions: Integers) -> XlaOp:
        """Consecutive dimensions become one; fewer than two leave the operand as it is."""
        handle = self.handle(operand)
        shape = self.array(handle, "collapse")
        numbers = self.dimensions(dimensions, shape.rank, "collapse")
        if len(numbers) < 2:
            return handle
        consecutive = numbers == tuple(range(numbers[0], numbers[0] + len(numbers)))
        message = "dimensions are consecutive and increase"
        self.require(consecutive, message, "collapse", dimensions=tuple(dimensions))
        before, after = shape.dimensions[: numbers[0]], shape.dimensions[numbers[-1] + 1 :]
        merged = prod(shape.dimensions[number] for number in numbers)
        return self.reshape_to(handle, (*before, merged, *after))

    def dynamic_reshape(
        self,
        operand: Operand,
        dim_sizes: Sequence[Operand],
        new_size_bounds: Integers,
        dims_are_dynamic: Sequence[bool],
    ) -> XlaOp:
        """The elements in sizes known at run time, within bounds."""
        handle = self.handle(operand)
        shape = self.array(handle, "dynamic-reshape")
        sizes = [self.handle(dim_size) for dim_size in dim_sizes]
        counts = len(sizes) == len(new_size_bounds) == len(dims_are_dynamic)
        message = "there is one size, bound and flag for each dimension"
        self.require(counts, message, "dynamic-reshape", sizes=len(sizes))
        same = prod(shape.dimensions) == prod(new_size_bounds)
        values = {"operand": shape, "new_size_bounds": tuple(new_size_bounds)}
        self.require(same, "the number of elements stays", "dynamic-reshape", **values)
        result = array_shape(shape.element_type, new_size_bounds, dims_are_dynamic)
        return self.add_instruction("dynamic-reshape", [handle, *sizes], {}, result)

    def transpose(self, operand: Operand, permutation: Integers | None = None) -> XlaOp:
        """Dimension ``i`` of the result is dimension ``permutation[i]``; reversed by default."""
        handle = self.handle(operand)
        rank = self.array(handle, "transpose").rank
        order = range(rank)[::-1] if permutation is None else permutation
        numbers = self.dimensions(order, rank, "transpose")
        return self.add_instruction("transpose", [handle], {"dimensions": numbers})

    @creates("stablehlo.reverse")
    def rev(self, operand: Operand, dimensions: Integers) -> XlaOp:
        """The elements in the opposite order along these dimensions."""
        handle = self.handle(operand)
        numbers = self.dimensions(dimensions, self.array(handle, "reverse").rank, "reverse")
        return self.add_instruction("reverse", [handle], {"dimensions": numbers})

    @creates("stablehlo.concatenate")
    def concat_in_dim(self, operands: Sequence[Operand], dimension: int) -> XlaOp:
        """The operands, concatenated along a dimension."""
        handles = [self.handle(operand) for operand in operands]
        self.require(bool(handles), "there is at least one operand", "concatenate")
        rank = self.array(handles[0], "concatenate").rank
        self.require(rank > 0, "scalars have no dimension to be joined along", "concatenate")
        number = self.dimension(dimension, rank, "concatenate")
        return self.add_instruction("concatenate", handles, {"dimensions": (number,)})

    concatenate = concat_in_dim
    concat = concat_in_dim

    def pad(self, operand: Operand, padding_value: Operand, padding_config: PaddingConfig) -> XlaOp:
        """The operand with a value around it and between its elements; negative edges crop.

        Args:
            operand: An array.
            padding_value: A scalar.
            padding_config: For each dimension ``(low, high)`` or ``(low, high, interior)``, or a
                mapping with edge_padding_low, edge_padding_high, interior_padding.
        """
        handle = self.handle(operand)
        self.array(handle, "pad")
        padding = tuple(padding_dimension(item) for item in padding_config)
        operands = [handle, self.handle(padding_value, handle)]
        if not padding and not self.shape(handle).rank:
            return handle  # text has no form of it
        return self.add_instruction("pad", operands, {"padding": padding})

    @creates("stablehlo.pad")
    def pad_in_dim(
        self, operand: Operand, padding_value: Operand, dimno: int, pad_lo: int, pad_hi: int
    ) -> XlaOp:
        """The operand padded at both ends of one dimension."""
        handle = self.handle(operand)
        rank = self.array(handle, "pad").rank
        padding = [PaddingDimension(0, 0)] * rank
        padding[self.dimension(dimno, rank, "pad")] = PaddingDimension(pad_lo, pad_hi)
        return self.pad(handle, padding_value, padding)

    # ---- sizes at run time

    def get_dimension_size(self, operand: Operand, dimension: int) -> XlaOp:
        """The size of a dimension, which may be known at run time only: an ``s32`` scalar."""
        handle, rule = self.handle(operand), "get-dimension-size"
        number = self.dimension(dimension, self.array(handle, rule).rank, rule)
        return self.add_instruction(rule, [handle], {"dimensions": (number,)})

    def set_dimension_size(self, operand: Operand, size: Operand, dimension: int) -> XlaOp:
        """The operand with a size that is known at run time; the elements after it are padding."""
        handle, rule = self.handle(operand), "set-dimension-size"
        shape = self.array(handle, rule)
        number = self.dimension(dimension, shape.rank, rule)
        flags = list(shape.dynamic or (False,) * shape.rank)
        flags[number] = True
        result = array_shape(shape.element_type, shape.dimensions, flags)
        operands = [handle, self.handle(size)]
        return self.add_instruction(rule, operands, {"dimensions": (number,)}, result)

    def remove_dynamic_dimension(self, operand: Operand, dimension: int) -> XlaOp:
        """The operand with a dimension of its full size, padding included."""
        handle, rule = self.handle(operand), "set-dimension-size"
        shape = self.array(handle, rule)
        number = self.dimension(dimension, shape.rank, rule)
        flags = list(shape.dynamic or (False,) * shape.rank)
        flags[number] = False
        size = self.handle(shape.dimensions[number])
        result = array_shape(shape.element_type, shape.dimensions, flags)
        return self.add_instruction(rule, [handle, size], {"dimensions": (number,)}, result)

    # ---- tuples

    def tuple(self, elements: Sequence[Operand]) -> XlaOp:
        """Adds a ``tuple`` instruction, whose parts are the elements in order."""
        return self.add_instruction("tuple", [self.handle(element) for element in elements])

    def get_tuple_element(self, tuple_data: XlaOp, index: int) -> XlaOp:
        """A part of a tuple."""
        shape = self.shape(tuple_data)
        is_element = shape.is_tuple and 0 <= index < len(shape.elements)
        message = "the index is one of the tuple's"
        self.require(is_element, message, "get-tuple-element", operand=shape, index=index)
        return self.add_instruction("get-tuple-element", [tuple_data], {"index": index})


def padding_dimension(
    padding: PaddingDimension | Sequence[int] | Mapping[str, int],
) -> PaddingDimension:
    """The padding of a dimension in any of its forms."""
    if isinstance(padding, PaddingDimension):
        return padding
    if isinstance(padding, Mapping):
        names = ("edge_padding_low", "edge_padding_high", "interior_padding")
        return PaddingDimension(*(padding.get(name, 0) for name in names))
    return PaddingDimension(*padding)
