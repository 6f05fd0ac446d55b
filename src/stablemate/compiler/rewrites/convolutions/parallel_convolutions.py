"""Convolutions of one image whose results are added become one, with the sum of their kernels.

A block of RepVGG or MobileOne, as it is trained, adds several convolutions of its input, each with
a batch norm. A batch norm with constant statistics scales and shifts features, so that all of them
are one convolution:

    s1 * conv(x, k1) + t1 + s2 * conv(x, k2) + t2 = conv(x, s1 * k1 + s2 * k2) + (t1 + t2)

A kernel that is smaller, and whose windows lie inside those of the others, is padded with zeros.
Kernels, scales and shifts depend on constants alone; so what the new ones are computed from is
read when the program is compiled. Each product is rounded once less or more than in the program:
results differ by a few units of the sum of the absolute values of the products. Where the new
kernel or shift would have an infinity or NaN, the convolutions stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from math import inf, prod
from typing import Any, Final

import numpy as np

from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor, count_uses
from stablemate.compiler.rewrites.constant_values import constant_values
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.elementwise import Add, Multiply
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import F32, F64
from stablemate.numerics.symbolic_sizes import is_symbolic

ADD, MULTIPLY, CONVOLUTION, BROADCAST = (
    f"stablehlo.{name}" for name in ("add", "multiply", "convolution", "broadcast_in_dim")
)
FEWEST: Final = 2  # convolutions that become one


@dataclass(slots=True)
class Term:
    """A term of a sum: a value, or a convolution whose features are scaled and shifted.

    Attributes:
        value: The term.
        convolution: The convolution; None if the term is none.
        steps: What is done with its result, in order: whether it is scaled, and the numbers of all
            features.
    """

    value: Tensor
    convolution: Node | None = None
    steps: list[tuple[bool, Tensor]] = field(default_factory=list[tuple[bool, Tensor]])


def merge_convolutions(graph: Graph, new_tensor: NewTensor) -> bool:
    """Replaces sums of convolutions in a graph and its regions; says whether there were any."""
    return merge_in_graph(graph, count_uses(graph), new_tensor)


def merge_in_graph(graph: Graph, uses: Counter[Tensor], new_tensor: NewTensor) -> bool:
    """As ``merge_convolutions``, given how often each value is used."""
    is_changed = False
    for node in graph.nodes:
        for region in node.regions:
            is_changed |= merge_in_graph(region, uses, new_tensor)
    images = Counter(node.operands[0] for node in graph.nodes if node.operation.name == CONVOLUTION)
    if max(images.values(), default=0) < FEWEST:
        return is_changed
    inner: set[Tensor] = set()
    expanded: dict[Node, list[Node]] = {}
    for node in reversed(graph.nodes):
        if node.operation.name == ADD and node.results[0] not in inner:
            terms = list(terms_of(node.results[0], uses, inner, is_root=True))
            expanded[node] = merged_terms(node, terms, new_tensor)
    graph.nodes = [new for node in graph.nodes for new in expanded.get(node) or [node]]
    return is_changed or any(expanded.values())


def terms_of(
    value: Tensor, uses: Counter[Tensor], inner: set[Tensor], *, is_root: bool = False
) -> Iterator[Term]:
    """The terms of a value that is a sum; those sums in it that nothing else uses are ``inner``."""
    node = value.node
    if node is None or not (is_root or uses[value] == 1):
        yield Term(value)
    elif node.operation.name == ADD and not any(map(is_constant_of_features, node.operands)):
        inner.add(value)
        for operand in node.operands:
            yield from terms_of(operand, uses, inner)
    else:
        yield scaled_convolution(value, uses, inner, is_root=is_root)


def scaled_convolution(
    value: Tensor, uses: Counter[Tensor], inner: set[Tensor], *, is_root: bool
) -> Term:
    """The convolution whose features a value scales and shifts, if it does."""
    steps: list[tuple[bool, Tensor]] = []
    tensor, seen = value, set[Tensor]()
    while tensor.node is not None and (uses[tensor] == 1 or (is_root and tensor is value)):
        node = tensor.node
        if node.operation.name == CONVOLUTION:
            dimension = node.operation.dimension_numbers.output_feature_dimension
            spread = [numbers.node for _, numbers in steps if numbers.node is not None]
            if not is_mergeable(node) or not all(is_spread(one, dimension) for one in spread):
                break
            inner |= seen
            vectors = [one.operands[0] for one in spread]
            kinds = [is_scale for is_scale, _ in steps]
            return Term(value, node, [*zip(kinds, vectors, strict=True)][::-1])
        constants = [operand for operand in node.operands if is_constant_of_features(operand)]
        if node.operation.name not in (ADD, MULTIPLY) or len(constants) != 1:
            break
        steps.append((node.operation.name == MULTIPLY, constants[0]))
        seen.add(tensor)
        (tensor,) = [operand for operand in node.operands if operand is not constants[0]]
    return Term(value)


def is_constant_of_features(value: Tensor) -> bool:
    """Whether a value spreads one number for each index of a dimension, which are constants."""
    node = value.node
    if node is None or node.operation.name != BROADCAST:
        return False
    return len(node.operands[0].shape) == 1 and node.operands[0].depends_on_constants


def is_spread(broadcast: Node, dimension: int) -> bool:
    """Whether a broadcast spreads a number for each index of a dimension along it."""
    size = broadcast.results[0].shape[dimension]
    (along,) = broadcast.operation.broadcast_dimensions
    return int(along) == dimension and broadcast.operands[0].shape == (size,)


def is_mergeable(node: Node) -> bool:
    """Whether a convolution of floats has a constant kernel, and sizes that are numbers."""
    operation, (image, kernel), result = node.operation, node.operands, node.results[0]
    if not isinstance(operation, Convolution) or operation.batch_group_count != 1:
        return False
    element = value_type(result).element_type
    if element not in (F32, F64) or {value_type(v).element_type for v in node.operands} != {
        element
    }:
        return False
    if any(map(is_symbolic, (*image.shape, *kernel.shape))) or not kernel.depends_on_constants:
        return False
    windows = operation.windows_of(kernel.shape)
    is_dilated = {*windows.base_dilations, *windows.window_dilations} > {1}
    return not is_dilated and not any(operation.window_reversal or ())


def zeros_around(node: Node, widest: Node) -> list[tuple[int, int]] | None:
    """The zeros around a kernel that make it as large as that of another convolution.

    None if its windows are not inside those of the other, or the two differ in anything else.
    """
    kernel, wide = node.operands[1], widest.operands[1]
    inner, outer = (one.operation.windows_of(one.operands[1].shape) for one in (node, widest))
    if attributes_of(node) != attributes_of(widest) or inner.strides != outer.strides:
        return None
    padding = [(0, 0)] * len(wide.shape)
    dimensions = node.operation.dimension_numbers.kernel_spatial_dimensions
    for i, d in enumerate(dimensions):
        low = outer.padding[i][0] - inner.padding[i][0]
        padding[d] = low, wide.shape[d] - kernel.shape[d] - low
    return padding if min(side for pair in padding for side in pair) >= 0 else None


def attributes_of(node: Node) -> tuple[object, ...]:
    """What two convolutions have in common that may become one."""
    operation = node.operation
    precision = tuple(operation.precision_config or ())
    numbers, groups = operation.dimension_numbers, operation.feature_group_count
    return node.operands[0], node.results[0].shape, numbers, groups, precision


def merged_terms(root: Node, terms: Sequence[Term], new_tensor: NewTensor) -> list[Node]:
    """The nodes that compute a sum with fewer convolutions; none if no two of them are of a kind.

    Args:
        root: The last addition of the sum.
        terms: The terms.
        new_tensor: Makes the results of new nodes.
    """
    expansion = NodeExpansion(root, new_tensor)
    values = [term.value for term in terms if term.convolution is None]
    left: list[tuple[Term, Node]] = [
        (term, term.convolution) for term in terms if term.convolution is not None
    ]
    while left:
        _, widest = max(left, key=lambda pair: prod(pair[1].operands[1].shape))
        alike = [(term, node) for term, node in left if zeros_around(node, widest) is not None]
        left = [pair for pair in left if pair not in alike]
        if len(alike) < FEWEST or not are_finite_when_merged(alike):
            values += [term.value for term, _ in alike]
        else:
            values.append(merged_convolution(expansion, alike, widest))
    if not expansion.nodes:
        return []
    total = summed(expansion, values)
    (last,) = (node for node in expansion.nodes if total in node.results)
    expansion.nodes.remove(last)
    expansion.append(last, root.results[0])
    return expansion.nodes


def are_finite_when_merged(terms: Sequence[tuple[Term, Node]]) -> bool:
    """Whether no number of the kernel and the shift that terms would have can be infinite, or NaN.

    A product of a scale and a kernel may be too large where that with a small image is not.
    """
    kernel_bound = shift_bound = 0.0
    for term, node in terms:
        kernel, shift = bound_of(node.operands[1]), 0.0
        for is_scale, vector in term.steps:
            bound = bound_of(vector)
            kernel *= bound if is_scale else 1.0
            shift = shift * bound if is_scale else shift + bound
        kernel_bound += kernel
        shift_bound += shift
    element: Any = value_type(terms[0][1].results[0]).element_type
    return max(kernel_bound, shift_bound) < float(np.finfo(element.dtype).max) / 2


def bound_of(value: Tensor) -> float:
    """The largest absolute value of constants; infinite if one is NaN, or if they are not known."""
    numbers = constant_values(value)
    if numbers is None or np.isnan(numbers).any():
        return inf
    return float(np.abs(numbers).max(initial=0))


def merged_convolution(
    expansion: NodeExpansion, terms: Sequence[tuple[Term, Node]], widest: Node
) -> Tensor:
    """The sum of convolutions of a kind, scaled and shifted, as one."""
    kernels: list[Tensor] = []
    shifts: list[Tensor] = []
    numbers = widest.operation.dimension_numbers
    for term, node in terms:
        kernel, shift = padded_kernel(expansion, node, widest), list[Tensor]()
        for is_scale, vector in term.steps:
            if is_scale:
                scale = spread(expansion, vector, kernel, numbers.kernel_output_feature_dimension)
                kernel = product_of(expansion, kernel, scale)
                shift = [product_of(expansion, one, vector) for one in shift]
            else:
                shift.append(vector)
        kernels.append(kernel)
        shifts += shift
    operands = widest.operands[0], summed(expansion, kernels)
    result = expansion.add(widest.operation, operands, value_type(widest.results[0]))
    if not shifts:
        return result
    shifted = spread(
        expansion, summed(expansion, shifts), result, numbers.output_feature_dimension
    )  # fmt: skip
    return summed(expansion, [result, shifted])


def padded_kernel(expansion: NodeExpansion, node: Node, widest: Node) -> Tensor:
    """The kernel of a convolution, with zeros around it as large as that of another one."""
    kernel, padding = node.operands[1], zeros_around(node, widest)
    assert padding is not None
    if not any(side for pair in padding for side in pair):
        return kernel
    kernel_type = value_type(widest.operands[1])
    return expansion.create(
        kernel_type, Pad, operand=kernel, padding_value=expansion.zeros(kernel_type.with_shape(())),
        edge_padding_low=[low for low, _ in padding],
        edge_padding_high=[high for _, high in padding], interior_padding=[0] * len(padding),
    )  # fmt: skip


def spread(expansion: NodeExpansion, vector: Tensor, like: Tensor, dimension: int) -> Tensor:
    """A vector along a dimension of a value of the same type as another one."""
    dimensions = (dimension,)
    return expansion.create(
        value_type(like), BroadcastInDim, operand=vector, broadcast_dimensions=dimensions
    )


def product_of(expansion: NodeExpansion, one: Tensor, other: Tensor) -> Tensor:
    """The product of two values, element by element."""
    return expansion.create(value_type(one), Multiply, lhs=one, rhs=other)


def summed(expansion: NodeExpansion, values: Sequence[Tensor]) -> Tensor:
    """The sum of values, from the first one on."""
    total, *others = values
    for value in others:
        total = expansion.create(value_type(total), Add, lhs=total, rhs=value)
    return total


def value_type(value: Tensor) -> TensorType:
    """The type of a value that is a tensor."""
    assert isinstance(value.type, TensorType)
    return value.type
