"""Decomposes operations on quantized and complex tensors into several on floats.

* An operation on quantized tensors becomes three: operands are dequantized, the operation computes
  floats, and its results are quantized. The specification calls this ``dequantize_op_quantize``.
  Large dots and convolutions multiply stored values instead (see ``quantized_products``), and
  selections of one type select stored values (see ``stored_values``).
* A dot or a convolution of complex tensors becomes four, of real and imaginary parts.
* A dot with an algorithm becomes the roundings, dots and sums of the algorithm.
* A convolution of a dilated image becomes several of the image itself (see ``dilated_images``).
* A Cholesky decomposition becomes a call of LAPACK's potrf, and selections (see ``cholesky``).
* A reduction of dimensions of one element becomes the monoid (see ``single_element_folds``).
* A map by a computation with loops or reductions becomes a loop over the elements.
* Branches in elementwise regions become selects.
* Operations that assemble tensors from scalars, or extract scalars, become data movement
  (see ``scalar_operations``).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

from stablemate.compiler.fusion.classification import CONTROL, kind_of
from stablemate.compiler.graph.expansion import ExpandedOperation, NewTensor
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.rewrites.branches import branches_to_selects
from stablemate.compiler.rewrites.cholesky import expand_cholesky, is_factored_by_library
from stablemate.compiler.rewrites.dilated_images import expand_dilated_image, has_dilated_image
from stablemate.compiler.rewrites.dot_algorithms import expand_dot, has_algorithm
from stablemate.compiler.rewrites.element_loops import map_to_loop, needs_element_loop
from stablemate.compiler.rewrites.quantized_products import (
    dequantizes_integers,
    expand_dequantization,
    expand_stored_product,
    multiplies_stored_values,
)
from stablemate.compiler.rewrites.scalar_operations import expand_scalar_operation
from stablemate.compiler.rewrites.single_element_folds import (
    expand_single_fold,
    folds_single_elements,
)
from stablemate.compiler.rewrites.stored_values import (
    expand_selection,
    is_quantized,
    selects_stored_values,
)
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import ComplexType, QuantizedType

PRODUCTS: Final = frozenset({"stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general"})


def decompose(graph: Graph, new_tensor: NewTensor, instructions: Container[str] = ()) -> None:
    """Decomposes the operations of a graph that native code supports in decomposed form.

    Args:
        graph: The graph, which is changed.
        new_tensor: Makes the results of new nodes.
        instructions: The operators on packed factors that are instructions of the machine.
    """
    nodes: list[Node] = []
    for node in graph.nodes:
        for region in node.regions:
            decompose(region, new_tensor, instructions)
            if node.operation.name not in CONTROL:
                branches_to_selects(region, new_tensor)
        if node.operation.name in PRODUCTS and multiplies_stored_values(node, instructions):
            nodes += expand_stored_product(node, new_tensor)
        elif dequantizes_integers(node):
            nodes += expand_dequantization(node, new_tensor)
        elif selects_stored_values(node):
            nodes += expand_selection(node, new_tensor)
        elif computes_quantized(node):
            nodes += expand_quantized(node, new_tensor)
        elif multiplies_complex(node):
            nodes += expand_complex_product(node, new_tensor)
        elif needs_element_loop(node):
            nodes += map_to_loop(node, new_tensor)
        elif has_algorithm(node):
            nodes += expand_dot(node, new_tensor)
        elif has_dilated_image(node):
            nodes += expand_dilated_image(node, new_tensor)
        elif is_factored_by_library(node):
            nodes += expand_cholesky(node, new_tensor)
        elif folds_single_elements(node):
            nodes += expand_single_fold(node, new_tensor)
        else:
            nodes += expand_scalar_operation(node, new_tensor)
    graph.nodes = nodes


def computes_quantized(node: Node) -> bool:
    """Whether a node computes with the real values that quantized values represent."""
    is_quantized_node = any(map(is_quantized, (*node.operands, *node.results)))
    return is_quantized_node and has_trait(node.operation, Trait.REAL_VALUED)


def expand_quantized(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands a node into dequantization, computation and quantization, if these are supported."""
    before: list[Node] = []

    def dequantize(operand: Tensor) -> Tensor:
        if not is_quantized(operand):
            return operand
        converted = Node(
            ExpandedOperation("stablehlo.uniform_dequantize", node.operation), (operand,)
        )
        converted.results = (new_tensor(expressed_type(operand), converted),)
        before.append(converted)
        return converted.results[0]

    computed = Node(node.operation, tuple(map(dequantize, node.operands)))
    computed.results = tuple(
        [
            new_tensor(expressed_type(result) if is_quantized(result) else result.type, computed)
            for result in node.results
        ]
    )
    has_dot_algorithm = has_algorithm(computed)
    if kind_of(computed) == "request" and not has_dot_algorithm:
        return [node]
    after: list[Node] = []
    results = list(computed.results)
    for i, result in enumerate(node.results):
        if is_quantized(result):
            converted = Node(
                ExpandedOperation("stablehlo.uniform_quantize", node.operation),
                (results[i],),
                (result,),
            )
            result.node = converted
            after.append(converted)
        else:
            results[i] = result
            result.node = computed
    computed.results = tuple(results)
    return [
        *before,
        *(expand_dot(computed, new_tensor) if has_dot_algorithm else [computed]),
        *after,
    ]


def multiplies_complex(node: Node) -> bool:
    """Whether a node sums products of complex numbers of one type."""
    if node.operation.name not in PRODUCTS:
        return False
    types = [operand.type for operand in (*node.operands, *node.results)]
    elements = [
        value_type.element_type for value_type in types if isinstance(value_type, TensorType)
    ]
    return len(set(elements)) == 1 and isinstance(elements[0], ComplexType)


def expand_complex_product(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands ``(a + bi)(c + di)`` into products of real numbers, if native code supports these."""
    nodes: list[Node] = []

    def add(name: str, operands: Sequence[Tensor], like: Tensor) -> Tensor:
        operation = ExpandedOperation(name, node.operation)
        component = Node(operation, tuple(operands))
        component.results = (new_tensor(component_type(like), component),)
        nodes.append(component)
        return component.results[0]

    lhs, rhs = node.operands
    (result,) = node.results
    a, b, c, d = (
        add(f"stablehlo.{component}", [factor], factor)
        for factor in (lhs, rhs)
        for component in ("real", "imag")
    )
    name = node.operation.name
    ac, bd, ad, bc = (add(name, pair, result) for pair in ((a, c), (b, d), (a, d), (b, c)))
    if kind_of(nodes[-1]) == "request":
        return [node]
    real = add("stablehlo.subtract", (ac, bd), result)
    imag = add("stablehlo.add", (ad, bc), result)
    last = Node(ExpandedOperation("stablehlo.complex", node.operation), (real, imag), node.results)
    result.node = last
    return [*nodes, last]


def component_type(tensor: Tensor) -> TensorType:
    """The type of the real part of a complex tensor."""
    value_type = tensor.type
    assert isinstance(value_type, TensorType)
    element = value_type.element_type
    assert isinstance(element, ComplexType)
    return value_type.with_element(element.element)


def expressed_type(tensor: Tensor) -> TensorType:
    """The type of the real values that a quantized tensor represents."""
    value_type = tensor.type
    assert isinstance(value_type, TensorType)
    element = value_type.element_type
    assert isinstance(element, QuantizedType)
    return value_type.with_element(element.expressed)
