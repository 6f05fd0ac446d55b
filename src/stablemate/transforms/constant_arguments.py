"""Replaces arguments of a function by constants."""

from __future__ import annotations

from collections.abc import Mapping

from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation
from stablemate.ir.rewriter import Rewriting
from stablemate.numerics.elements import Array
from stablemate.transforms.stablehlo_refine_arguments import with_body, with_signature


def replace_arguments(module: Module, function: FuncOp, values: Mapping[int, Array]) -> Module:
    """The module in which a function reads constants instead of some of its arguments.

    The function keeps its type: the arguments are still passed, and nothing reads them.

    Args:
        module: The module.
        function: One of its functions.
        values: The elements of arguments by their positions, each of the type of the argument.
            Arrays that are read-only are not copied.
    """
    rewriting = Rewriting({})
    body = Block()
    for operation in module.body.operations:
        is_function = operation is function
        body.append(
            with_constants(function, values) if is_function else rewriting.copy_operation(operation)
        )
    return with_body(module, body)


def with_constants(function: FuncOp, values: Mapping[int, Array]) -> Operation:
    """The function, of one block, with constants at the beginning of its body."""
    old = function.body.block
    new = Block([a.type for a in old.arguments], [a.location for a in old.arguments])
    rewriting = Rewriting({})
    rewriting.values.update(zip(old.arguments, new.arguments, strict=True))
    for position, elements in values.items():
        argument = old.arguments[position]
        builder = Builder(new, argument.location, function.span)
        literal = dense_elements(argument.type, elements)
        rewriting.values[argument] = builder.create(Constant, value=literal).output
    rewriting.fill(new, old)
    return with_signature(function, function.type, new)
