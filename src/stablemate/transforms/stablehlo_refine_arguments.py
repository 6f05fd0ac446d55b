"""stablehlo-refine-arguments: the entry with more specific argument types.

The body still sees the former types: a custom call stands between each changed argument and its
uses, with the sizes as a constant, and goes away when shapes are refined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.dialects.func import FuncOp
from stablemate.dialects.refinement import SHAPE_OPERANDS
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, BlockArgument, Module, Region, Value
from stablemate.ir.kinds import FUNCTION_TYPE
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import (
    DYNAMIC,
    FunctionType,
    TensorType,
    Type,
    UnrankedTensorType,
    tensor,
)
from stablemate.numerics.elements import I64

OPERAND_WRAPPER: Final = "stablehlo.shape_refinement_operand_wrapper"


def refine_arguments(module: Module, types: Sequence[Type], entry: str | None = None) -> Module:
    """The module with these types for the arguments of its entry.

    Args:
        module: The module.
        types: A type for each argument.
        entry: The function; by default ``main``, or the only one.

    Raises:
        ArgumentValueError: There is no entry, or a type does not refine the argument's.
    """
    target = refinement_target(module, entry)
    refined = with_refined_arguments(target, types)
    if refined is target:
        return module
    rewriting = Rewriting({})
    body = Block()
    for operation in module.body.operations:
        body.append(refined if operation is target else rewriting.copy_operation(operation))
    return with_body(module, body)


def with_refined_arguments(entry: FuncOp, types: Sequence[Type]) -> FuncOp:
    """The entry with these argument types; itself if it has them. Its module does not hold it.

    Raises:
        ArgumentValueError: A type is missing or superfluous, or excludes the declared one.
    """
    check_refinement(entry, types)
    if tuple(types) == entry.type.inputs:
        return entry
    refined = with_arguments(entry, types)
    refined.parent = entry.parent  # where its operations look for symbols
    return refined


def with_body(module: Module, body: Block) -> Module:
    """The module with other operations."""
    top = module.operation
    copy = type(top)(
        (),
        (),
        top.attributes,
        [Region([body])],
        discardable=top.discardable,
        location=top.location,
        span=top.span,
        parts=top.parts,
    )
    return module.with_operation(copy)


def refinement_target(module: Module, entry: str | None = None) -> FuncOp:
    """The entry: the function of a name, else ``main``, or the only function.

    Raises:
        ArgumentValueError: There is none, or it has no body.
    """
    functions = [operation for operation in module.body.operations if isinstance(operation, FuncOp)]
    named = [function for function in functions if function.symbol == (entry or "main")]
    if len(named or functions) != 1:
        names = ", ".join(function.symbol for function in functions) or "none"
        raise ArgumentValueError(f"which function is to be refined? The module has: {names}")
    (target,) = named or functions
    if len(target.body.blocks) != 1:
        raise ArgumentValueError(f"function @{target.symbol} has no body of one block", target.span)
    return target


def check_refinement(entry: FuncOp, types: Sequence[Type]) -> None:
    """Refuses types that the arguments cannot have.

    Raises:
        ArgumentValueError: A type is missing or superfluous, or excludes the declared one.
    """
    declared = entry.type.inputs
    if len(types) != len(declared):
        message = (
            f"types of arguments of @{entry.symbol}: expected {len(declared)}, not {len(types)}"
        )
        raise ArgumentValueError(message)
    for i, (old, new) in enumerate(zip(declared, types, strict=True)):
        if not is_refinement(old, new):
            raise ArgumentValueError(f"argument {i} of @{entry.symbol} is {old}, not {new}")


def is_refinement(declared: Type, refined: Type) -> bool:
    """Whether all values of one type are of another, which may leave sizes or the rank open."""
    match declared, refined:
        case _ if declared == refined:
            return True
        case UnrankedTensorType(), TensorType():
            return declared.element_type == refined.element_type
        case TensorType(), TensorType():
            sizes = zip(declared.shape, refined.shape, strict=False)
            return (
                declared.element_type == refined.element_type
                and declared.rank == refined.rank
                and all(old in (DYNAMIC, new) for old, new in sizes)
                and fits_bounds(declared, refined)
            )
        case _:
            return False


def fits_bounds(declared: TensorType, refined: TensorType) -> bool:
    """Whether no size exceeds its bound."""
    limits = zip(refined.shape, declared.bounds, strict=False)
    return all(bound == DYNAMIC or size <= bound for size, bound in limits)


def with_arguments(entry: FuncOp, types: Sequence[Type]) -> FuncOp:
    """The entry with refined argument types; refined arguments go through a custom call."""
    old = entry.body.block
    new = Block(types, [argument.location for argument in old.arguments])
    rewriting = Rewriting({})
    for before, after in zip(old.arguments, new.arguments, strict=True):
        changed = before.type != after.type
        rewriting.values[before] = wrap_argument(after, before, new, entry) if changed else after
    for operation in old.operations:
        rewriting.place(operation, new)
    return with_signature(entry, FunctionType(tuple(types), entry.type.results), new)


def with_signature(function: FuncOp, function_type: FunctionType, body: Block) -> FuncOp:
    """The function with another type and body; the rest is as it was."""
    attributes = {**function.attributes, "function_type": FUNCTION_TYPE.attribute(function_type)}
    return FuncOp(
        (),
        (),
        attributes,
        [Region([body])],
        discardable=function.discardable,
        location=function.location,
        span=function.span,
        parts=function.parts,
    )


def wrap_argument(
    argument: BlockArgument[TensorType], former: Value[Type], block: Block, entry: FuncOp
) -> Value[Type]:
    """The argument under its former type."""
    builder = Builder(block, argument.location, entry.span)
    sizes = np.array(argument.type.shape, np.int64)
    literal = dense_elements(tensor(I64, len(sizes)), sizes)
    shape = builder.create(Constant, value=literal).output
    position = dense_elements(tensor(I64, 1), np.array([1], np.int64))
    call = builder.create(
        CustomCall,
        inputs=[argument, shape],
        call_target_name=OPERAND_WRAPPER,
        discardable={SHAPE_OPERANDS: position},
        results=[former.type],
    )
    return call.results[0]
