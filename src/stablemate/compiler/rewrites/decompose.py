"""Decomposes operations on quantized and complex tensors into several on floats.

* Of quantized tensors an operation becomes three: operands are dequantized, it computes floats, and
  these are quantized. That is what the specification's ``dequantize_op_quantize`` says.
* A dot or a convolution of complex tensors becomes four, of their parts.
* A dot with an algorithm becomes the roundings, dots and sums that it states.
* A map by a computation with loops or reductions becomes a loop over the elements.
* Branches in regions of elements become choices among elements.
* What takes scalars apart, or makes tensors of them, becomes data movement (see ``scalars``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.fusion.classification import CONTROL, kind_of
from stablemate.compiler.graph.expansion import ExpandedOperation, NewTensor
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.rewrites.branches import branches_to_selects
from stablemate.compiler.rewrites.dot_algorithms import expand_dot, has_algorithm
from stablemate.compiler.rewrites.element_loops import map_to_loop, needs_element_loop
from stablemate.compiler.rewrites.scalar_operations import expand_scalar_operation
from stablemate.dialects.stablehlo.elementwise import Elementwise
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import ComplexType, QuantizedType

# Besides elementwise operations; all others move stored values, or combine them by a region.
COMPUTING: Final = frozenset(
    f"stablehlo.{name}"
    for name in (
        "clamp", "compare", "convolution", "dot", "dot_general", "is_finite", "reduce_precision",
        "select",
    )
)  # fmt: skip

PRODUCTS: Final = frozenset({"stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general"})


def decompose(graph: Graph, new: NewTensor) -> None:
    """Replaces operations by what they are made of, where native code knows that."""
    nodes: list[Node] = []
    for node in graph.nodes:
        for region in node.regions:
            decompose(region, new)
            if node.operation.name not in CONTROL:
                branches_to_selects(region, new)
        if computes_quantized(node):
            nodes += expand_quantized(node, new)
        elif multiplies_complex(node):
            nodes += expand_complex_product(node, new)
        elif needs_element_loop(node):
            nodes += map_to_loop(node, new)
        elif has_algorithm(node):
            nodes += expand_dot(node, new)
        else:
            nodes += expand_scalar_operation(node, new)
    graph.nodes = nodes


def computes_quantized(node: Node) -> bool:
    """Whether a node computes with what stored values stand for."""
    computes = node.operation.name in COMPUTING or isinstance(node.operation, Elementwise)
    return computes and any(map(is_quantized, (*node.operands, *node.results)))


def is_quantized(tensor: Tensor) -> bool:
    """Whether a value is a quantized tensor."""
    value_type = tensor.type
    return isinstance(value_type, TensorType) and isinstance(value_type.element_type, QuantizedType)


def expand_quantized(node: Node, new: NewTensor) -> list[Node]:
    """A node as several; itself if native code does not know that on floats."""
    before: list[Node] = []

    def dequantized(operand: Tensor) -> Tensor:
        if not is_quantized(operand):
            return operand
        converted = Node(
            ExpandedOperation("stablehlo.uniform_dequantize", node.operation), (operand,)
        )
        converted.results = (new(expressed_type(operand), converted),)
        before.append(converted)
        return converted.results[0]

    computed = Node(node.operation, tuple(map(dequantized, node.operands)))
    computed.results = tuple(
        [
            new(expressed_type(result) if is_quantized(result) else result.type, computed)
            for result in node.results
        ]
    )
    is_open = has_algorithm(computed)
    if kind_of(computed) == "request" and not is_open:
        return [node]
    after: list[Node] = []
    kept = list(computed.results)
    for i, result in enumerate(node.results):
        if is_quantized(result):
            converted = Node(
                ExpandedOperation("stablehlo.uniform_quantize", node.operation),
                (kept[i],),
                (result,),
            )
            result.node = converted
            after.append(converted)
        else:
            kept[i] = result
            result.node = computed
    computed.results = tuple(kept)
    return [*before, *(expand_dot(computed, new) if is_open else [computed]), *after]


def multiplies_complex(node: Node) -> bool:
    """Whether a node sums products of complex numbers of one type."""
    if node.operation.name not in PRODUCTS:
        return False
    types = [operand.type for operand in (*node.operands, *node.results)]
    elements = [
        value_type.element_type for value_type in types if isinstance(value_type, TensorType)
    ]
    return len(set(elements)) == 1 and isinstance(elements[0], ComplexType)


def expand_complex_product(node: Node, new: NewTensor) -> list[Node]:
    """``(a + bi)(c + di)``, each product a node; itself if native code does not know these."""
    nodes: list[Node] = []

    def operation_of(name: str, operands: Sequence[Tensor], like: Tensor) -> Tensor:
        whole = ExpandedOperation(name, node.operation)
        part = Node(whole, tuple(operands))
        part.results = (new(component_type(like), part),)
        nodes.append(part)
        return part.results[0]

    lhs, rhs = node.operands
    (result,) = node.results
    a, b, c, d = (
        operation_of(f"stablehlo.{part}", [factor], factor)
        for factor in (lhs, rhs)
        for part in ("real", "imag")
    )
    name = node.operation.name
    ac, bd, ad, bc = (operation_of(name, pair, result) for pair in ((a, c), (b, d), (a, d), (b, c)))
    if kind_of(nodes[-1]) == "request":
        return [node]
    real = operation_of("stablehlo.subtract", (ac, bd), result)
    imag = operation_of("stablehlo.add", (ad, bc), result)
    last = Node(ExpandedOperation("stablehlo.complex", node.operation), (real, imag), node.results)
    result.node = last
    return [*nodes, last]


def component_type(tensor: Tensor) -> TensorType:
    """The type of the parts of a complex tensor."""
    value_type = tensor.type
    assert isinstance(value_type, TensorType)
    element = value_type.element_type
    assert isinstance(element, ComplexType)
    return value_type.with_element(element.element)


def expressed_type(tensor: Tensor) -> TensorType:
    """The type of what a quantized tensor stands for."""
    value_type = tensor.type
    assert isinstance(value_type, TensorType)
    element = value_type.element_type
    assert isinstance(element, QuantizedType)
    return value_type.with_element(element.expressed)
