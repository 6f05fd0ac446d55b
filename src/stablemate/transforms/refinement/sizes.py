"""Fixed sizes: what a program that is about to run knows beyond its shapes.

A dimension of a known size is static even if its type says that the size may change, a branch that
is known to be taken stands where the choice stood, and what a region does with each size of a shape
is written out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.diagnostics.errors import VerifyError
from stablemate.dialects.shape.reduce import Reduce
from stablemate.dialects.shape.types import SHAPE, SIZE
from stablemate.dialects.stablehlo.case import Case
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamism import largest_shape
from stablemate.dialects.stablehlo.if_ import If
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.dialects.stablehlo.set_dimension_size import SetDimensionSize
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.tensor import Empty, Extract
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.ir.verification.upstream_leniency import may_lose_meaning
from stablemate.ir.verifier import execution_errors
from stablemate.numerics.elements import INDEX, QuantizedType
from stablemate.transforms.refinement.knowledge import can_be_written
from stablemate.transforms.stablehlo_refine_shapes import FunctionRefinement


class FixedSizes(FunctionRefinement):
    """One function, refined for the sizes that its values have."""

    def place(self, operation: Operation, block: Block) -> None:
        """Appends a refined operation, or its replacement, to a new block."""
        builder = Builder(block, operation.location, operation.span)
        match operation:
            case SetDimensionSize() if (resized := self.resize(operation, builder)) is not None:
                self.values[operation.results[0]] = resized
            case Empty() if (shape := self.shape_of_empty(operation)) is not None:
                made_type = operation.result.type.with_shape(shape)
                resized = builder.create(Empty, dynamicSizes=(), results=[made_type]).result
                self.values[operation.results[0]] = resized
            case If() | Case() if (branch := self.branch(operation)) is not None:
                self.inline_region(operation, branch, block)
            case Reduce() if (sizes := self.sizes(operation, builder)) is not None:
                self.unroll_reduce(operation, sizes, block)
            case _:
                super().place(operation, block)

    def append_refined(self, operation: Operation, copy: Operation, block: Block) -> None:
        """Appends a refined operation, which can be executed for these sizes.

        Raises:
            VerifyError: It breaks a rule without which it has no meaning.
        """
        if may_lose_meaning(copy.name):
            for broken in self.module.verified.errors_of(copy, execution_errors):
                raise VerifyError(broken)
        super().append_refined(operation, copy, block)

    def resize(self, operation: SetDimensionSize, builder: Builder) -> Value | None:
        """Replaces a tensor of a known size by a part of it, or by the tensor followed by zeros.

        Sizes that the operation refuses are left to it.
        """
        operand, new_size = self.operands(operation)
        size, dimension = self.constants.get(new_size), operation.dimension
        if size is None or not isinstance(operand.type, TensorType) or not operand.type.is_static:
            return None
        bound = largest_shape(operation.operand.type)[dimension]
        shape, missing = list(operand.type.shape), int(size) - operand.type.shape[dimension]
        if int(size) < 0 or (bound != DYNAMIC and int(size) > bound):
            return None
        shape[dimension] = int(size)
        result_type = operand.type.with_shape(shape)
        if missing <= 0:
            return builder.create(
                Slice,
                operand=operand,
                start_indices=[0] * len(shape),
                limit_indices=shape,
                strides=[1] * len(shape),
                results=[result_type],
            ).result
        return (
            None
            if isinstance(result_type.element_type, QuantizedType)
            else pad_with_zeros(operand, result_type, builder)
        )

    def shape_of_empty(self, operation: Empty) -> list[int] | None:
        """The shape of tensor.empty, if its sizes are known, and are sizes."""
        sizes = [self.constants.get(operand) for operand in self.operands(operation)]
        sizes_of_dynamic = [int(size) for size in sizes if size is not None and size >= 0]
        if not sizes_of_dynamic or len(sizes_of_dynamic) != len(sizes):
            return None
        rest = iter(sizes_of_dynamic)
        return [next(rest) if size == DYNAMIC else size for size in operation.result.type.shape]

    def branch(self, operation: If | Case) -> int | None:
        """Which region of a choice is known to be taken."""
        index = self.constants.get(self.operands(operation)[0])
        if index is None:
            return None
        if isinstance(operation, If):
            return 0 if index else 1
        last = len(operation.regions) - 1
        return int(index) if 0 <= int(index) <= last else last

    def inline_region(self, operation: Operation, branch: int, block: Block) -> None:
        """Inlines the operations of a region at its operation."""
        *inner, end = operation.regions[branch].block.operations
        for nested in inner:
            self.place(nested, block)
        self.values.update(zip(operation.results, self.operands(end), strict=True))

    def sizes(self, operation: Reduce, builder: Builder) -> Sequence[Value] | None:
        """The sizes that shape.reduce combines, if their number is known."""
        shape = self.operands(operation)[0]
        extents = self.constants.get(shape)
        if extents is not None and can_be_written(extents):
            size_type: Type = SIZE if shape.type == SHAPE else INDEX
            return [self.constant(extent, size_type, builder) for extent in extents]
        if not isinstance(shape.type, TensorType) or not shape.type.is_static:
            return None
        places = [self.constant(np.int64(i), INDEX, builder) for i in range(shape.type.size)]
        return [builder.create(Extract, tensor=shape, indices=[i]).result for i in places]

    def unroll_reduce(self, operation: Reduce, sizes: Sequence[Value], block: Block) -> None:
        """Unrolls the region of shape.reduce, once for each size."""
        body = operation.region.block
        *inner, end = body.operations
        state = self.operands(operation)[1:]
        builder = Builder(block, operation.location, operation.span)
        for i, size in enumerate(sizes):
            place = self.constant(np.int64(i), INDEX, builder)
            self.values.update(zip(body.arguments, (place, size, *state), strict=True))
            for nested in inner:
                self.place(nested, block)
            state = self.operands(end)
        self.values.update(zip(operation.results, state, strict=True))


def pad_with_zeros(operand: Value, result_type: TensorType, builder: Builder) -> Value[Type]:
    """A tensor padded with zeros to a larger type."""
    element = result_type.element_type
    zero = dense_elements(TensorType((), element), np.zeros((), element.dtype))
    before = operand.type.shape
    return builder.create(
        Pad,
        operand=operand,
        padding_value=builder.create(Constant, value=zero).output,
        edge_padding_low=[0] * len(before),
        edge_padding_high=[a - b for a, b in zip(result_type.shape, before, strict=True)],
        interior_padding=[0] * len(before),
        results=[result_type],
    ).result
