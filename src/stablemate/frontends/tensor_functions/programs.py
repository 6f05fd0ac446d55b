"""Programs of one function, made of the operations of a graph.

What importers of several frameworks do around their operators: they name arguments and results,
move tensors into regions, and drop what nothing uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from stablemate.dialects.builtin import ModuleOp
from stablemate.dialects.func import FuncOp
from stablemate.execution.signature import ARGUMENT_NAME, RESULT_NAME
from stablemate.frontends.tensor_functions.graph import TensorGraph
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.ir import core
from stablemate.ir.attributes import ArrayAttribute, DictionaryAttribute, StringAttribute
from stablemate.ir.builder import create
from stablemate.ir.core import Block, Region, Value
from stablemate.ir.types import FunctionType, TensorType, Type


def main_module(
    block: Block, results: Sequence[TensorType], names: Sequence[str] = (),
    result_names: Sequence[str] = (),
) -> core.Module:  # fmt: skip
    """The module whose function ``main`` has a block as its body.

    Args:
        block: The body, with its terminator.
        results: The types of the results.
        names: The names of the arguments; none if there are none.
        result_names: The names of the results; none if there are none.
    """
    attributes: dict[str, Any] = {}
    if names:
        attributes["arg_attrs"] = name_attributes(ARGUMENT_NAME, names)
    if result_names:
        attributes["res_attrs"] = name_attributes(RESULT_NAME, result_names)
    inputs = tuple([argument.type for argument in block.arguments])
    function = create(
        FuncOp, sym_name="main", function_type=FunctionType(inputs, tuple(results)),
        regions=[Region([block])], **attributes,
    )  # fmt: skip
    body = Block(())
    body.append(function)
    return core.Module(create(ModuleOp, regions=[Region([body])]))


def name_attributes(attribute: str, names: Sequence[str]) -> ArrayAttribute:
    """The attributes of arguments or results that state their names."""
    rows = [DictionaryAttribute({attribute: StringAttribute(name)}) for name in names]
    return ArrayAttribute(tuple(rows))


def within(graph: TensorGraph, value: Any) -> Any:
    """A tensor in a graph, where operations on it are created; or a list of such values."""
    if isinstance(value, Tensor):
        return value if value.graph is graph else value.within(graph)
    if isinstance(value, list | tuple):
        return [within(graph, item) for item in as_list(value)]
    return value


def as_list(value: Any) -> list[Any]:
    """The items of a tuple or list; anything else is the only one."""
    items: list[Any] = [*value] if isinstance(value, tuple | list) else [value]
    return items


def drop_unused(block: Block) -> None:
    """Removes the operations of a block under construction whose results nothing uses.

    Operations of importers have no effects; those inside regions stay.
    """
    uses = Counter[Value[Type]](
        value
        for operation in block.operations
        for inner in operation.walk()
        for value in inner.operands
    )
    kept: list[core.Operation] = []
    for operation in reversed(block.operations):
        if operation.results and not any(uses[value] for value in operation.results):
            uses.subtract(value for inner in operation.walk() for value in inner.operands)
        else:
            kept.append(operation)
    block.operations[:] = reversed(kept)
