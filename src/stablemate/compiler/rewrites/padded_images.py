"""Images that are stored with the padding of the convolution that reads them.

A convolution whose windows leave its image reads a copy of it with its padding. If another
convolution makes the image, and nothing else reads it, the padding becomes an operation of its own.
Then the kernel of the other convolution stores its results in the middle of the padded image
(see ``epilogue_fusion``), and nothing is copied.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor, count_uses
from stablemate.dialects.stablehlo.attributes import ConvDimensionNumbers
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import F32, F64
from stablemate.numerics.symbolic_sizes import is_symbolic

CONVOLUTION: Final = "stablehlo.convolution"
ALIASED: Final = 4096  # bytes between points that fall into one set of the nearest cache


def pad_images(graph: Graph, new_tensor: NewTensor) -> None:
    """Replaces convolutions of padded images in a graph and its regions; bits of results stay.

    Args:
        graph: The graph, which is changed.
        new_tensor: Makes the results of new nodes.
    """
    pad_in_graph(graph, count_uses(graph), new_tensor)


def pad_in_graph(graph: Graph, uses: Counter[Tensor], new_tensor: NewTensor) -> None:
    """Replaces the convolutions whose image has no other use."""
    nodes: list[Node] = []
    for node in graph.nodes:
        for region in node.regions:
            pad_in_graph(region, uses, new_tensor)
        if reads_padded_image(node) and uses[node.operands[0]] == 1:
            nodes += expand_padding(node, new_tensor)
        else:
            nodes.append(node)
    graph.nodes = nodes


def reads_padded_image(node: Node) -> bool:
    """Whether a convolution reads the floats that another one makes with padding around them.

    Features are last. Points of so many features that they fall into one set of a cache are copied
    anyway.
    """
    operation = node.operation
    if operation.name != CONVOLUTION or operation.batch_group_count != 1:
        return False
    image, kernel = node.operands
    assert isinstance(image.type, TensorType)
    if image.type.element_type not in (F32, F64) or any(map(is_symbolic, image.shape[1:])):
        return False
    numbers: ConvDimensionNumbers = operation.dimension_numbers
    spatial, features = numbers.input_spatial_dimensions, numbers.input_feature_dimension
    order = (numbers.input_batch_dimension, *spatial, features)
    windows = operation.windows_of(kernel.shape)
    padding = [side for sides in windows.padding for side in sides]
    if list(order) != sorted(order) or set(windows.base_dilations) != {1} or 0 in image.shape:
        return False
    if not is_made_by_convolution(image):
        return False
    is_apart = operation.feature_group_count > 1 or image.shape[features] * 4 % ALIASED != 0
    return is_apart and min(padding) >= 0 < max(padding)


def is_made_by_convolution(image: Tensor) -> bool:
    """Whether an image is computed, element by element, from the result of a convolution."""
    pending, seen = [image], {image}
    while pending:
        tensor = pending.pop()
        node = tensor.node
        if node is None:
            continue
        if node.operation.name == CONVOLUTION:
            return True
        if has_trait(node.operation, Trait.ELEMENTWISE):
            operands = {operand for operand in node.operands if operand.shape == image.shape}
            pending += operands - seen
            seen |= operands
    return False


def expand_padding(node: Node, new_tensor: NewTensor) -> list[Node]:
    """A padded image, and the convolution that reads it without padding."""
    operation = node.operation
    image, kernel = node.operands
    assert isinstance(image.type, TensorType)
    expansion = NodeExpansion(node, new_tensor)
    dimensions = operation.dimension_numbers.input_spatial_dimensions
    low, high, shape = [0] * len(image.shape), [0] * len(image.shape), list(image.shape)
    windows = operation.windows_of(kernel.shape)
    for d, sides in zip(dimensions, windows.padding, strict=True):
        low[d], high[d] = sides
        shape[d] += sum(sides)
    padded = expansion.create(
        image.type.with_shape(tuple(shape)), Pad, operand=image,
        padding_value=expansion.zeros(image.type.with_shape(())), edge_padding_low=low,
        edge_padding_high=high, interior_padding=[0] * len(shape),
    )  # fmt: skip
    expansion.create_result(
        node.results[0], Convolution, lhs=padded, rhs=kernel,
        window_strides=operation.window_strides, padding=[(0, 0)] * len(dimensions),
        rhs_dilation=operation.rhs_dilation, window_reversal=operation.window_reversal,
        dimension_numbers=operation.dimension_numbers,
        feature_group_count=operation.feature_group_count,
        batch_group_count=operation.batch_group_count,
        precision_config=operation.precision_config,
    )  # fmt: skip
    return expansion.nodes
