"""stablehlo-wrap-in-composite: operations of given names as composites of themselves."""

from __future__ import annotations

from collections.abc import Collection

from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.dialects.builtin import symbols
from stablemate.dialects.fresh_names import FreshNames
from stablemate.dialects.func import FuncOp, Return
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.composite import Composite
from stablemate.ir.attributes import DictionaryAttribute, StringAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, Region
from stablemate.ir.kinds import FUNCTION_TYPE
from stablemate.ir.rewriter import Replacement, Rewriting, rewrite_module
from stablemate.ir.types import FunctionType
from stablemate.transforms.stablehlo_refine_arguments import with_body


def wrap_in_composite(module: Module, *, op_names: Collection[str], version: int = 0) -> Module:
    """The module in which each of these operations is a composite, decomposed into itself.

    An operation that uses values from outside of its regions stays.

    Args:
        module: The module.
        op_names: The operations.
        version: The version of the composites.

    Raises:
        ArgumentValueError: There is no such operation.
    """
    unknown = [name for name in op_names if name not in OPERATIONS]
    if unknown:
        raise ArgumentValueError(f"no operation is called {unknown[0]!r}")
    functions: list[FuncOp] = []
    wrapped_names: set[str] = set()
    names = FreshNames(symbols(module.operation))

    def is_wrapper(operation: Operation) -> bool:
        return isinstance(operation, Composite) and operation.decomposition in wrapped_names

    def wrap(operation: Operation, builder: Builder) -> Replacement:
        if captures(operation) or is_wrapper(operation):
            return None
        function = implementation(operation, names.take(f"{operation.name}.impl"))
        functions.append(function)
        wrapped_names.add(function.symbol)
        return builder.create(
            Composite,
            inputs=operation.operands,
            name=operation.name,
            composite_attributes=DictionaryAttribute(
                {**operation.attributes, **operation.discardable}
            ),
            decomposition=function.symbol,
            version=version,
            results=[result.type for result in operation.results],
        ).results

    wrapped = rewrite_module(module, dict.fromkeys(op_names, wrap))
    if not functions:
        return module
    body, rewriting = Block(), Rewriting({})
    for operation in (*wrapped.body.operations, *functions):
        body.append(rewriting.copy_operation(operation))
    return with_body(wrapped, body)


def captures(operation: Operation) -> bool:
    """Whether something inside an operation uses a value from outside of it."""
    inside = {
        value
        for nested in operation.walk()
        for region in nested.regions
        for block in region.blocks
        for values in (block.arguments, *(o.results for o in block.operations))
        for value in values
    }
    return any(
        value not in inside
        for nested in operation.walk()
        if nested is not operation
        for value in nested.operands
    )


def implementation(operation: Operation, name: str) -> FuncOp:
    """A private function of one operation."""
    types = [value.type for value in operation.operands]
    block, rewriting = Block(types), Rewriting({})
    rewriting.values.update(zip(operation.operands, block.arguments, strict=True))
    copy = rewriting.copy_operation(operation)
    copy.operands = tuple(block.arguments)  # one value may stand for several arguments
    block.append(copy)
    Builder(block, operation.location).create(Return, values=copy.results)
    results = tuple(value.type for value in operation.results)
    attributes = {
        "sym_name": StringAttribute(name),
        "sym_visibility": StringAttribute("private"),
        "function_type": FUNCTION_TYPE.attribute(FunctionType(tuple(types), results)),
    }
    regions = [Region([block])]
    return FuncOp((), (), attributes, regions, location=operation.location, span=operation.span)
