"""Outlines the bodies of operations into functions, so that they can be compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from stablemate.dialects.func import FuncOp
from stablemate.execution.signature import declared_signature
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.core import Operation
from stablemate.ir.kinds import FUNCTION_TYPE
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import FunctionType

BODY_NAME_PREFIX: Final = "body of "  # no function of a program has a space in its name


def body_of(operation: Operation, interpreted: InterpretedExecutable) -> InterpretedExecutable:
    """The body of an operation, which uses no value from outside, as an interpreted function.

    Args:
        operation: The operation; it has one region.
        interpreted: A function of the program that the operation belongs to.
    """
    function = as_function(operation)
    functions: Mapping[str, Any] = {**interpreted.functions, function.symbol: function}
    return InterpretedExecutable(
        functions,
        declared_signature(function),
        interpreted.limits,
        interpreted.grid,
        interpreted.names,
        prepare=False,
        order=interpreted.order,
    )


def as_function(operation: Operation) -> FuncOp:
    """A function that computes what the body of an operation does.

    Its parent is that of the operation's function, so that symbols can be resolved, but it is not
    in the parent's list of operations.
    """
    region = Rewriting({}).copied_region(operation.regions[0])
    inputs = tuple([argument.type for argument in region.block.arguments])
    results = tuple([operand.type for operand in region.block.terminator.operands])
    func_op = FuncOp(
        (),
        (),
        {
            "sym_name": StringAttribute(BODY_NAME_PREFIX + operation.name),
            "function_type": FUNCTION_TYPE.attribute(FunctionType(inputs, results)),
        },
        [region],
        location=operation.location,
        span=operation.span,
    )
    func_op.parent = operation.parent
    return func_op
