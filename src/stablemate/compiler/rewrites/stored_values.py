"""Computes with the stored values of quantized tensors where that gives the same result.

The larger, the smaller or the selected one of quantized elements of one type is one of them. The
specification dequantizes the operands, selects one, and quantizes it; that gives the stored value
again, since the rounding errors of both conversions are far below one half.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.graph.expansion import ExpandedOperation, NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import F32, IntegerType, QuantizedType

SELECTIONS: Final = frozenset(
    {"stablehlo.clamp", "stablehlo.maximum", "stablehlo.minimum", "stablehlo.select"}
)
WIDEST: Final = 16  # bits of stored values that two conversions reproduce
SCALES: Final = (1e-30, 1e30)  # between these, no product overflows or becomes subnormal


def selects_stored_values(node: Node) -> bool:
    """Whether a node selects among quantized elements of one type."""
    if node.operation.name not in SELECTIONS:
        return False
    elements = [
        tensor.type.element_type
        for tensor in (*node.operands, *node.results)
        if isinstance(tensor.type, TensorType)
    ]
    if node.operation.name == "stablehlo.select":
        del elements[0]
    first = elements[0]
    return isinstance(first, QuantizedType) and is_reproduced(first) and set(elements) == {first}


def is_reproduced(element: QuantizedType) -> bool:
    """Whether all stored values of a type are dequantized and quantized to themselves."""
    storage = element.storage
    return (
        isinstance(storage, IntegerType)
        and storage.bits <= WIDEST
        and (storage.minimum, storage.maximum) == (element.storage_min, element.storage_max)
        and element.expressed == F32
        and all(SCALES[0] < scale < SCALES[1] for scale in element.scales)
    )


def expand_selection(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands a selection among quantized elements into one among their stored values."""
    (result,) = node.results
    assert isinstance(result.type, TensorType)
    expansion = NodeExpansion(node, new_tensor)
    operands = [
        stored_values(expansion, operand) if is_quantized(operand) else operand
        for operand in node.operands
    ]
    storage = quantized_type(result).storage
    selection = ExpandedOperation(node.operation.name, node.operation)
    selected = expansion.add(selection, operands, result.type.with_element(storage))
    expansion.add_result(
        ExpandedOperation("stablehlo.bitcast_convert", node.operation), [selected], result
    )
    return expansion.nodes


def is_quantized(tensor: Tensor) -> bool:
    """Whether a value is a quantized tensor."""
    value_type = tensor.type
    return isinstance(value_type, TensorType) and isinstance(value_type.element_type, QuantizedType)


def quantized_type(tensor: Tensor) -> QuantizedType:
    """The element type of a quantized tensor."""
    assert isinstance(tensor.type, TensorType)
    assert isinstance(tensor.type.element_type, QuantizedType)
    return tensor.type.element_type


def stored_values(expansion: NodeExpansion, operand: Tensor) -> Tensor:
    """The stored values of a quantized tensor."""
    assert isinstance(operand.type, TensorType)
    storage = quantized_type(operand).storage
    operation = ExpandedOperation("stablehlo.bitcast_convert", expansion.original.operation)
    return expansion.add(operation, [operand], operand.type.with_element(storage))
