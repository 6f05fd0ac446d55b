"""The oracle's inferred types: what jaxlib gives results whose types nobody states.

Operations with regions are left out: the bindings cannot infer them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxlib.mlir import ir

from tests.oracle import answers


def inferred(sources: Sequence[str]) -> list[list[tuple[str, list[str]]]]:
    """Of each text the operations of its last function whose types follow, with these types.

    Nothing of a text that is refused.
    """
    context = answers.new_context()
    return [_of_text(source, context) for source in sources]


def _of_text(source: str, context: ir.Context) -> list[tuple[str, list[str]]]:
    try:
        module = answers.parse(source, context)
    except (answers.Rejected, ValueError):
        return []
    function: Any = list(module.body.operations)[-1]
    with context, ir.Location.unknown():
        collected = [
            _of_operation(operation.operation)
            for operation in function.regions[0].blocks[0].operations
        ]
    return [item for item in collected if item is not None]


def _of_operation(operation: Any) -> tuple[str, list[str]] | None:
    """A second operation without stated types, or nothing where there can be none."""
    if len(operation.regions) or operation.name == "stablehlo.constant":
        return None
    try:
        ir.InferTypeOpInterface(operation)
    except ValueError:
        return None
    attributes = {name: operation.attributes[name] for name in operation.attributes}
    operands = list(operation.operands)
    second = ir.Operation.create(
        operation.name, operands=operands, attributes=attributes, infer_type=True
    )
    return operation.name, [str(result.type) for result in second.results]
