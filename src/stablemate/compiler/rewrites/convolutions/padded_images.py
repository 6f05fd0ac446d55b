"""Images that are stored with the padding of the convolution that reads them.

A convolution whose windows leave its image reads a copy of it with its padding. If another
convolution makes the image, and nothing else reads it, the padding becomes an operation of its own.
Then the kernel of the other convolution stores its results in the middle of the padded image
(see ``epilogue_fusion``), and nothing is copied. The padding of an image of integers with a zero
point is the zero point.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor, count_uses
from stablemate.compiler.kernels.contraction.convolution.builder import reads_image_in_place
from stablemate.compiler.rewrites.quantized_products import IntegerProduct
from stablemate.dialects.stablehlo.attributes import ConvDimensionNumbers
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.ir.attributes import dense_elements
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BF16, F32, F64, IntegerType
from stablemate.numerics.symbolic_sizes import is_symbolic

CONVOLUTION: Final = "stablehlo.convolution"
FLOATS: Final = (BF16, F32, F64)  # whose images kernels read where they are


def pad_images(graph: Graph, machine: Machine, new_tensor: NewTensor) -> None:
    """Replaces convolutions of padded images in a graph and its regions; bits of results stay.

    Args:
        graph: The graph, which is changed.
        machine: The machine, by which kernels read images in place or copy them.
        new_tensor: Makes the results of new nodes.
    """
    pad_in_graph(graph, count_uses(graph), machine, new_tensor)


def pad_in_graph(
    graph: Graph, uses: Counter[Tensor], machine: Machine, new_tensor: NewTensor
) -> None:
    """Replaces the convolutions whose image has no other use."""
    nodes: list[Node] = []
    for node in graph.nodes:
        for region in node.regions:
            pad_in_graph(region, uses, machine, new_tensor)
        if reads_padded_image(node) and uses[node.operands[0]] == 1:
            nodes += expand_padding(node, machine, new_tensor) or [node]
        else:
            nodes.append(node)
    graph.nodes = nodes


def reads_padded_image(node: Node) -> bool:
    """Whether a convolution reads numbers that another one makes with padding around them."""
    operation = node.operation
    if operation.name != CONVOLUTION or operation.batch_group_count != 1:
        return False
    image, kernel = node.operands
    assert isinstance(image.type, TensorType)
    element = image.type.element_type
    is_integer = isinstance(element, IntegerType) and not element.is_boolean
    if not (is_integer or element in FLOATS) or any(map(is_symbolic, image.shape[1:])):
        return False
    numbers: ConvDimensionNumbers = operation.dimension_numbers
    spatial, features = numbers.input_spatial_dimensions, numbers.input_feature_dimension
    order = (numbers.input_batch_dimension, *spatial, features)
    windows = operation.windows_of(kernel.shape)
    padding = [side for sides in windows.padding for side in sides]
    if list(order) != sorted(order) or set(windows.base_dilations) != {1} or 0 in image.shape:
        return False
    return is_made_by_convolution(image) and bool(padding) and min(padding) >= 0 < max(padding)


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


def expand_padding(node: Node, machine: Machine, new_tensor: NewTensor) -> list[Node]:
    """A padded image, and the convolution that reads it without padding.

    Returns:
        The nodes; none if the kernel of that convolution would copy the padded image.
    """
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
    number = np.full(1, getattr(operation, "zero_point", 0), image.type.element_type.dtype)
    scalar = image.type.with_shape(())
    padded = expansion.create(
        image.type.with_shape(tuple(shape)), Pad, operand=image,
        padding_value=expansion.create(scalar, Constant, value=dense_elements(scalar, number)),
        edge_padding_low=low, edge_padding_high=high, interior_padding=[0] * len(shape),
    )  # fmt: skip
    unpadded = convolution_without_padding(node, padded, expansion)
    if not reads_image_in_place(unpadded, machine):
        return []
    node.results[0].node = unpadded
    return [*expansion.nodes, unpadded]


def convolution_without_padding(node: Node, image: Tensor, expansion: NodeExpansion) -> Node:
    """A node that computes the results of a convolution from its image with the padding."""
    operation = node.operation
    fields = {
        "lhs": image, "rhs": node.operands[1], "window_strides": operation.window_strides,
        "padding": [(0, 0)] * (len(image.shape) - 2), "rhs_dilation": operation.rhs_dilation,
        "window_reversal": operation.window_reversal,
        "dimension_numbers": operation.dimension_numbers,
        "feature_group_count": operation.feature_group_count,
        "batch_group_count": operation.batch_group_count,
        "precision_config": operation.precision_config,
    }  # fmt: skip
    unpadded = expansion.create_node(node.results[0].type, Convolution, fields)
    zero_point: int = getattr(operation, "zero_point", 0)
    if zero_point:
        unpadded.operation = IntegerProduct(CONVOLUTION, unpadded.operation, zero_point)
    unpadded.results = node.results
    return unpadded
