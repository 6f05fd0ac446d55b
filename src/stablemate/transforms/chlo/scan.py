"""scan: a loop over the slices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.chlo.scan import Scan
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.elementwise import Add, Subtract
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.while_ import While
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import I64

INDEX: TensorType = tensor(I64)


def scan(operation: Scan, builder: Builder) -> Sequence[Value[TensorType]]:
    """The pattern of scan: a while with the index, the carries and the outputs as its state.

    Of no slices the carries stay as they are.
    """
    outputs = [value.type for value in operation.results[: len(operation.element_types)]]
    carries = operation.inits
    if not all(
        value_type.is_static for value_type in (*(v.type for v in operation.inputs), *outputs)
    ):
        raise UnsupportedError("chlo.scan needs static shapes", span=operation.span)
    size = operation.size
    if not size:
        return [*(zeros(builder, output) for output in outputs), *carries]
    state = [index(builder, 0), *carries, *(zeros(builder, output) for output in outputs)]
    types = [value.type for value in state]

    def condition(inner: Builder, position: Value[TensorType], *_: Value[TensorType]) -> None:
        compared = inner.create(
            Compare,
            lhs=position,
            rhs=index(inner, size),
            comparison_direction=ComparisonDirection.LT,
        )
        inner.create(Return, values=compared.results)

    def body(inner: Builder, counter: Value, *arguments: Value) -> None:
        carried, filled = arguments[: len(carries)], arguments[len(carries) :]
        position = counter
        if operation.is_reverse:
            last = index(inner, size - 1)
            position = inner.create(Subtract, lhs=last, rhs=counter).results[0]
        slices = [slice_at(inner, operation, value, position) for value in operation.inputs]
        results = inline_body(inner, operation, [*slices, *carried])
        parts, next_carries = results[: len(outputs)], results[len(outputs) :]
        updated = [
            replace_slice(inner, operation, value, part, position)
            for value, part in zip(filled, parts, strict=True)
        ]
        following = inner.create(Add, lhs=counter, rhs=index(inner, 1)).results[0]
        inner.create(Return, values=[following, *next_carries, *updated])

    loop = builder.create(
        While,
        operand=state,
        regions=[builder.region(types, condition), builder.region(types, body)],
    )
    end = 1 + len(carries)
    return [*loop.results[end:], *loop.results[1:end]]


def index(builder: Builder, value: int) -> Value[TensorType]:
    """Creates a scalar constant for an index."""
    literal = dense_elements(INDEX, np.array([value], np.int64))
    return builder.create(Constant, value=literal).results[0]


def zeros(builder: Builder, tensor_type: TensorType) -> Value[TensorType]:
    """Creates a constant of zeros, stored as one element."""
    zero = np.zeros((1,), tensor_type.element_type.dtype)
    return builder.create(Constant, value=dense_elements(tensor_type, zero)).results[0]


def start_indices(
    builder: Builder, operation: Scan, rank: int, position: Value[TensorType]
) -> list[Value[TensorType]]:
    """Where the slice at a position of the dimension begins."""
    zero = index(builder, 0)
    return [position if d == operation.dimension else zero for d in range(rank)]


def slice_at(
    builder: Builder, operation: Scan, value: Value[TensorType], position: Value[TensorType]
) -> Value[TensorType]:
    """The slice of a value at a position."""
    shape = list(value.type.shape)
    shape[operation.dimension] = 1
    part = builder.create(
        DynamicSlice,
        operand=value,
        start_indices=start_indices(builder, operation, len(shape), position),
        slice_sizes=shape,
    ).results[0]
    result_type = operation.without_dimension(value.type)
    return builder.create(Reshape, operand=part, results=[result_type]).results[0]


def replace_slice(
    builder: Builder,
    operation: Scan,
    value: Value[TensorType],
    part: Value[TensorType],
    position: Value[TensorType],
) -> Value[TensorType]:
    """A value with a slice at a position replaced."""
    shape = list(value.type.shape)
    shape[operation.dimension] = 1
    row = value.type.with_shape(shape)
    return builder.create(
        DynamicUpdateSlice,
        operand=value,
        update=builder.create(Reshape, operand=part, results=[row]).results[0],
        start_indices=start_indices(builder, operation, len(shape), position),
    ).results[0]


def inline_body(
    builder: Builder, operation: Scan, arguments: Sequence[Value]
) -> list[Value[TensorType]]:
    """The results of the body for these arguments, by copies of its operations."""
    block = operation.body.block
    copying = Rewriting({})
    copying.values.update(zip(block.arguments, arguments, strict=True))
    for inner in block.operations[:-1]:
        copying.place(inner, builder.block)
    return [copying.values.get(value, value) for value in block.terminator.operands]
