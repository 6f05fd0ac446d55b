"""Computes dots and convolutions of quantized tensors with integers, and dequantizes integers.

The specification dequantizes the operands, multiplies floats, and quantizes the sums. With
``lhs = (p - z) * s`` and ``rhs = q * t`` for stored values p and q, the sums are

    sum(lhs * rhs) = s * t * sum((p - z) * q)

where the sum on the right is an exact integer. It differs from the sum of floats by the rounding
errors of the latter, so a result may be its neighbor where the exact value is close to the middle
of two stored values.

Source: Jacob et al., "Quantization and Training of Neural Networks for Efficient
Integer-Arithmetic-Only Inference", section 2.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import prod
from typing import Final

import numpy as np

from stablemate.compiler.graph.expansion import ExpandedOperation, NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.contraction.multiply_accumulate import MOST_EXACT
from stablemate.compiler.rewrites.stored_values import quantized_type, stored_values
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.dot_general import result_dimensions
from stablemate.dialects.stablehlo.elementwise import Multiply
from stablemate.ir.attributes import dense_elements
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import F32, I32, IntegerType, QuantizedType

# The instructions without which floats are faster, by whether left factors may be unsigned.
OPERATORS: Final = {
    False: ("quad_of_signed_i8", "quad_of_i8", "pair_of_i16"), True: ("quad_of_i8", "pair_of_i16"),
}  # fmt: skip
FACTORS: Final = 4  # factors of an operand that it takes
BITS: Final = 8
# Smaller products keep the bits of the expressed type (docs/choices.md);
# ``python -m benchmarks.quantized`` measures larger ones beside those of floats.
FEWEST_PRODUCTS: Final = 1 << 15  # that are worth other bits
FEWEST_ROWS: Final = 4  # results in both directions that are worth packing factors


@dataclass(frozen=True, slots=True)
class IntegerProduct(ExpandedOperation):
    """A dot or a convolution of stored values.

    Attributes:
        zero_point: What is subtracted from the elements of the left operand; the padding of an
            image is zero after that.
    """

    zero_point: int


@dataclass(frozen=True, slots=True)
class ProductShape:
    """The extents of a product.

    Attributes:
        rows: Results for the left operand.
        columns: Results for the right operand.
        depth: Products of a result.
        neighbors: Summed elements that are neighbors in the innermost summed dimension, with those
            that a copy is filled up with.
        column_dimension: The dimension of the result that the right operand's scales belong to;
            None if they belong to no dimension of the result.
        is_depthwise: Whether each feature of an image has a kernel of its own: floats hold the
            sums, and no instruction is needed for them.
    """

    rows: int
    columns: int
    depth: int
    neighbors: int
    column_dimension: int | None
    is_depthwise: bool = False


def multiplies_stored_values(node: Node, instructions: Container[str]) -> bool:
    """Whether a product of quantized tensors is computed with integers."""
    types = [tensor.type for tensor in (*node.operands, *node.results)]
    if not all(isinstance(type_, TensorType) and type_.is_static for type_ in types):
        return False
    elements = [type_.element_type for type_ in types if isinstance(type_, TensorType)]
    if not all(isinstance(element, QuantizedType) for element in elements):
        return False
    lhs, rhs, _ = (element for element in elements if isinstance(element, QuantizedType))
    if not is_left(lhs) or not is_right(rhs):
        return False
    is_unsigned = isinstance(lhs.storage, IntegerType) and lhs.storage.is_unsigned
    has_instruction = any(operator in instructions for operator in OPERATORS[is_unsigned])
    shape = shape_of(node)
    return (has_instruction or shape.is_depthwise) and is_worthwhile(shape, rhs)


def is_left(element: QuantizedType) -> bool:
    """Whether elements of a type can be left factors."""
    storage = element.storage
    return (
        element.is_per_tensor
        and element.expressed == F32
        and isinstance(storage, IntegerType)
        and storage.bits <= BITS
    )


def is_right(element: QuantizedType) -> bool:
    """Whether elements of a type can be right factors, which have a sign and no zero point."""
    storage = element.storage
    return (
        not element.is_sub_channel
        and not any(element.zero_points)
        and isinstance(storage, IntegerType)
        and storage.bits + storage.is_unsigned <= BITS
    )


def is_worthwhile(shape: ProductShape, rhs: QuantizedType) -> bool:
    """Whether a product is large enough, and its factors can be packed."""
    has_place = rhs.is_per_tensor or shape.column_dimension is not None
    return (
        has_place
        and min(shape.rows, shape.columns) >= FEWEST_ROWS
        and (shape.is_depthwise or shape.neighbors % FACTORS == 0)
        and shape.rows * shape.columns * shape.depth >= FEWEST_PRODUCTS
    )


def shape_of(node: Node) -> ProductShape:
    """The extents of a dot or a convolution of static shapes."""
    lhs, rhs = (operand.shape for operand in node.operands)
    operation = node.operation
    if operation.name == "stablehlo.convolution":
        numbers: ConvDimensionNumbers = operation.dimension_numbers
        features = rhs[numbers.kernel_input_feature_dimension]
        if int(operation.feature_group_count) == 1:  # a copy of the image has more
            features = -(-features // FACTORS) * FACTORS
        columns = rhs[numbers.kernel_output_feature_dimension]
        rows = prod(node.results[0].shape) // max(columns, 1)
        depth = prod(rhs) // max(columns, 1)
        is_depthwise = (
            depth <= MOST_EXACT
            and features == 1
            and columns == (int(operation.feature_group_count))
        )
        dimension = numbers.output_feature_dimension
        return ProductShape(rows, columns, depth, features, dimension, is_depthwise)
    dot_numbers: DotDimensionNumbers = operation.numbers
    left_free, right_free = result_dimensions(dot_numbers, len(lhs), len(rhs))
    contracting = [lhs[d] for d in dot_numbers.lhs_contracting_dimensions]
    return ProductShape(
        prod([lhs[d] for d in left_free]),
        prod([rhs[d] for d in right_free]),
        prod(contracting),
        contracting[-1] if contracting else 0,
        scaled_dimension(node, dot_numbers.rhs_batching_dimensions, len(left_free), right_free),
    )


def scaled_dimension(
    node: Node, batching: Sequence[int], left: int, right_free: Sequence[int]
) -> int | None:
    """The dimension of a dot's result that is the quantization dimension of rhs."""
    rhs_type = node.operands[1].type
    assert isinstance(rhs_type, TensorType)
    assert isinstance(rhs_type.element_type, QuantizedType)
    dimension = rhs_type.element_type.quantization_dimension
    if dimension is None:
        return None
    if dimension in right_free:
        return len(batching) + left + list(right_free).index(dimension)
    return list(batching).index(dimension) if dimension in batching else None


def expand_stored_product(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands a product of quantized tensors into one of integers; scales and quantizes that."""
    (result,) = node.results
    lhs, rhs = map(quantized_type, node.operands)
    assert isinstance(result.type, TensorType)
    expansion = NodeExpansion(node, new_tensor)
    stored = [stored_values(expansion, operand) for operand in node.operands]
    product = IntegerProduct(node.operation.name, node.operation, int(lhs.zero_points[0]))
    sums = expansion.add(product, stored, result.type.with_element(I32))
    scales = np.array(rhs.scales) * lhs.scales[0]
    if holds_sums(quantized_type(result), scales, shape_of(node)):
        operation = ExpandedOperation("stablehlo.bitcast_convert", node.operation)
        expansion.add_result(operation, [sums], result)
        return expansion.nodes
    float_type = result.type.with_element(F32)
    floats = expansion.create(float_type, Convert, operand=sums)
    dimension = shape_of(node).column_dimension
    factor = scale_tensor(expansion, scales.astype(np.float32), dimension, float_type)
    scaled = expansion.create(float_type, Multiply, lhs=floats, rhs=factor)
    quantize = ExpandedOperation("stablehlo.uniform_quantize", node.operation)
    expansion.add_result(quantize, [scaled], result)
    return expansion.nodes


def holds_sums(
    element: QuantizedType, scales: np.ndarray[tuple[int], np.dtype[np.float64]],
    shape: ProductShape,
) -> bool:  # fmt: skip
    """Whether the sums are the stored values of a type: it has their scales and all integers."""
    dimension = None if len(scales) == 1 else shape.column_dimension
    return (
        element.storage == I32
        and (element.storage_min, element.storage_max) == (I32.minimum, I32.maximum)
        and not any(element.zero_points)
        and element.quantization_dimension == dimension
        and element.scales == tuple(scales.tolist())
    )


def dequantizes_integers(node: Node) -> bool:
    """Whether a node dequantizes numbers without zero points that have a scale for each slice."""
    if node.operation.name != "stablehlo.uniform_dequantize":
        return False
    value_type = node.operands[0].type
    if not isinstance(value_type, TensorType) or not value_type.is_static:
        return False
    element = value_type.element_type
    return (
        isinstance(element, QuantizedType)
        and element.is_per_axis
        and element.expressed == F32
        and isinstance(element.storage, IntegerType)
        and element.storage.bits <= I32.bits
        and not any(element.zero_points)
    )


def expand_dequantization(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands a dequantization into a conversion and a product with a broadcast vector of scales.

    The specification rounds the number, and the product with the rounded scale: so does this.
    """
    (operand,), (result,) = node.operands, node.results
    element, float_type = quantized_type(operand), result.type
    assert isinstance(float_type, TensorType)
    expansion = NodeExpansion(node, new_tensor)
    stored = stored_values(expansion, operand)
    floats = expansion.create(float_type, Convert, operand=stored)
    scales = np.array(element.scales).astype(np.float32)
    factor = scale_tensor(expansion, scales, element.quantization_dimension, float_type)
    expansion.create_result(result, Multiply, lhs=floats, rhs=factor)
    return expansion.nodes


def scale_tensor(
    expansion: NodeExpansion, scales: np.ndarray[tuple[int], np.dtype[np.float32]],
    dimension: int | None, result_type: TensorType,
) -> Tensor:  # fmt: skip
    """The scale of each result; one for all, or one for each slice of a dimension."""
    if len(scales) == 1:
        value = dense_elements(result_type, scales)
        return expansion.create(result_type, Constant, value=value)
    vector_type = TensorType((len(scales),), F32)
    vector = expansion.create(vector_type, Constant, value=dense_elements(vector_type, scales))
    return expansion.create(
        result_type, BroadcastInDim, operand=vector, broadcast_dimensions=[dimension]
    )
