"""Entry functions whose arguments and results are in memory in other layouts than row-major.

The function takes and returns tensors whose dimensions are in physical order, major to minor, and
transposes them where it begins and ends.

Source: XLA, ``Layout.minor_to_major``; JAX, ``jax.experimental.layout.Layout.major_to_minor``.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.func import FuncOp, Return
from stablemate.dialects.stablehlo.transpose import Transpose
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, Region, Value
from stablemate.ir.kinds import FUNCTION_TYPE
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import FunctionType, TensorType, Type

Order = Sequence[int] | None  # the dimensions, major to minor; None is row-major


def with_physical_layouts(
    module: Module, entry: FuncOp, arguments: Sequence[Order], results: Sequence[Order]
) -> Module:
    """The module with an entry function on physical tensors.

    Args:
        module: The module.
        entry: One of its functions, of one block.
        arguments: The layout of each argument.
        results: The layout of each result.
    """
    rewriting = Rewriting({})
    block = Block()
    for operation in module.body.operations:
        if operation is entry:
            block.append(physical_function(entry, arguments, results, rewriting))
        else:
            rewriting.place(operation, block)
    top = module.operation
    return module.with_operation(
        type(top)(
            (),
            (),
            top.attributes,
            [Region([block])],
            discardable=top.discardable,
            location=top.location,
            span=top.span,
        )
    )


def physical_function(
    entry: FuncOp, arguments: Sequence[Order], results: Sequence[Order], rewriting: Rewriting
) -> FuncOp:
    """The entry function on physical tensors."""
    old = entry.body.block
    inputs = [
        physical(value.type, order) for value, order in zip(old.arguments, arguments, strict=True)
    ]
    block = Block(inputs, [value.location for value in old.arguments])
    builder = Builder(block, entry.location, entry.span)
    for value, copy, order in zip(old.arguments, block.arguments, arguments, strict=True):
        rewriting.values[value] = (
            copy if order is None else transpose_value(builder, copy, inverse(order))
        )
    returned: tuple[Type, ...] = ()
    for operation in old.operations:
        if isinstance(operation, Return):
            returned = place_return(operation, results, rewriting, builder)
        else:
            rewriting.place(operation, block)
    function_type = FunctionType(tuple(inputs), returned)
    return FuncOp(
        (),
        (),
        {**entry.attributes, "function_type": FUNCTION_TYPE.attribute(function_type)},
        [Region([block])],
        discardable=entry.discardable,
        location=entry.location,
        span=entry.span,
        parts=entry.parts,
    )


def place_return(
    operation: Operation, results: Sequence[Order], rewriting: Rewriting, builder: Builder
) -> tuple[Type, ...]:
    """Returns physical results at the end of a block; their types."""
    values = [
        value if order is None else transpose_value(builder, value, order)
        for value, order in zip(
            (rewriting.values[value] for value in operation.operands), results, strict=True
        )
    ]
    builder.create(Return, values=values)
    return tuple(value.type for value in values)


def transpose_value(builder: Builder, value: Value[Type], order: Sequence[int]) -> Value[Type]:
    """A value with its dimensions in an order."""
    types = [physical(value.type, order)]
    return builder.create(
        Transpose, operand=value, permutation=tuple(order), results=types
    ).results[0]


def physical(value_type: Type, order: Order) -> Type:
    """The type of a tensor whose dimensions are in an order."""
    if order is None or not isinstance(value_type, TensorType):
        return value_type
    return value_type.with_shape(tuple(value_type.shape[d] for d in order))


def inverse(order: Sequence[int]) -> list[int]:
    """The permutation that undoes an order."""
    return sorted(range(len(order)), key=order.__getitem__)
