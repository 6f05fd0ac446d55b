"""Decompose: an operation that computes with quantized tensors becomes three.

Its operands are dequantized, it computes floats, and these are quantized: that is what the
specification's ``dequantize_op_quantize`` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from stablemate.compiler.fusion import kind_of
from stablemate.compiler.graph import Graph, Node, Tensor
from stablemate.dialects.stablehlo.elementwise import Elementwise
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import QuantizedType

# Besides elementwise operations; all others move stored values, or combine them by a region.
COMPUTING: Final = frozenset(
    f"stablehlo.{name}"
    for name in (
        "clamp", "compare", "convolution", "dot_general", "is_finite", "reduce_precision", "select",
    )
)  # fmt: skip

NewTensor = Callable[[Type, Node], Tensor]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an operation, where a node has an operation.

    Attributes:
        name: The operation that it is.
        whole: The one that it is a part of.
    """

    name: str
    whole: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)


def decompose(graph: Graph, new: NewTensor) -> None:
    """Replaces operations on quantized tensors, where native code knows them on floats."""
    nodes: list[Node] = []
    for node in graph.nodes:
        for region in node.regions:
            decompose(region, new)
        nodes += parts_of(node, new) if computes_quantized(node) else [node]
    graph.nodes = nodes


def computes_quantized(node: Node) -> bool:
    """Whether a node computes with what stored values stand for."""
    computes = node.operation.name in COMPUTING or isinstance(node.operation, Elementwise)
    return computes and any(map(is_quantized, (*node.operands, *node.results)))


def is_quantized(tensor: Tensor) -> bool:
    """Whether a value is a quantized tensor."""
    value_type = tensor.type
    return isinstance(value_type, TensorType) and isinstance(value_type.element_type, QuantizedType)


def parts_of(node: Node, new: NewTensor) -> list[Node]:
    """A node as several; itself if native code does not know that on floats."""
    before: list[Node] = []

    def dequantized(operand: Tensor) -> Tensor:
        if not is_quantized(operand):
            return operand
        made = Node(Part("stablehlo.uniform_dequantize", node.operation), (operand,))
        made.results = (new(floats(operand), made),)
        before.append(made)
        return made.results[0]

    computed = Node(node.operation, tuple(map(dequantized, node.operands)))
    computed.results = tuple(
        [
            new(floats(result) if is_quantized(result) else result.type, computed)
            for result in node.results
        ]
    )
    if kind_of(computed) == "request":
        return [node]
    after: list[Node] = []
    kept = list(computed.results)
    for i, result in enumerate(node.results):
        if is_quantized(result):
            made = Node(Part("stablehlo.uniform_quantize", node.operation), (kept[i],), (result,))
            result.node = made
            after.append(made)
        else:
            kept[i] = result
            result.node = computed
    computed.results = tuple(kept)
    return [*before, computed, *after]


def floats(tensor: Tensor) -> TensorType:
    """The type of what a quantized tensor stands for."""
    value_type = tensor.type
    assert isinstance(value_type, TensorType)
    element = value_type.element_type
    assert isinstance(element, QuantizedType)
    return value_type.with_element(element.expressed)
