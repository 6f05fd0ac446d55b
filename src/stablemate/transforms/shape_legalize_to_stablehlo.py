"""shape-legalize-to-stablehlo: computations of shapes as computations on tensors.

Indices, sizes and scalars become tensors of rank 0, indices of 32 bits as StableHLO counts
dimensions; tensors of indices become such of 32-bit integers. What functions take and give changes
with them, so no casts are left. Operations of arith on scalars become the same on tensors.

Upstream does not know shapes of unknown rank, ``!shape.shape``, nor constraints; they are refused
here too, with the name of the operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.arith.constant import Constant as ArithConstant
from stablemate.dialects.shape.shapes import ConstShape, ShapeOf
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.elementwise import Multiply
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.select import Select
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.tensor import Dim, Extract, FromElements
from stablemate.ir.attributes import DenseElementsAttribute, IntegerAttribute, dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module, Operation, OpResult, Value
from stablemate.ir.rewriter import Replacement
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import I32, FloatType, IndexType, IntegerType
from stablemate.numerics.literal_data import is_raw, literal_dtype
from stablemate.transforms.chlo.shapes import concatenated_sizes, integers, shape_of, size_of
from stablemate.transforms.retyping import Formula, Retyping

Operands = list[Value]
OF_SHAPES: Final = ("shape.", "tensor.")


def shape_legalize_to_stablehlo(module: Module) -> Module:
    """The module without shapes, sizes and indices.

    Raises:
        UnsupportedError: An operation on shapes has no form in StableHLO.
    """
    if not any(is_of_shapes(operation) for operation in module.operation.walk()):
        return module
    return module.with_operation(Shapes().copy_operation(module.operation))


def is_of_shapes(operation: Operation) -> bool:
    """Whether an operation is one on shapes, or one of arith."""
    return operation.name.startswith((*OF_SHAPES, "arith."))


class Shapes(Retyping):
    """Copies a module with shapes as tensors."""

    def __init__(self) -> None:
        super().__init__(as_tensor, FORMULAS)

    def place(self, operation: Operation, block: Any) -> None:
        """Appends an operation, or its replacement, to a new block.

        Raises:
            UnsupportedError: It has no form in StableHLO.
        """
        before = len(block.operations)
        super().place(operation, block)
        last = block.operations[-1] if len(block.operations) > before else None
        if last is not None and last.name.startswith(OF_SHAPES):
            message = f"{operation.name} has no form in StableHLO"
            raise UnsupportedError(message, span=operation.span)


def as_tensor(old: object) -> Any:
    """The type of a tensor for a scalar, and 32-bit integers for indices."""
    match old:
        case IndexType():
            return tensor(I32)
        case IntegerType() | FloatType():
            return tensor(old)
        case TensorType(element_type=IndexType()):
            return old.with_element(I32)
        case _:
            return old


def constant_integer(value: Value) -> int | None:
    """The integer that a value is, if it is a constant."""
    maker = value.operation if isinstance(value, OpResult) else None
    literal = maker.attributes.get("value") if maker is not None else None
    return literal.value if isinstance(literal, IntegerAttribute) else None


def single(builder: Builder, shape: Value, position: int) -> Value:
    """One size of a shape."""
    row = builder.create(
        Slice,
        operand=shape,
        start_indices=[position],
        limit_indices=[position + 1],
        strides=[1],
    ).results[0]
    return builder.create(Reshape, operand=row, results=[tensor(row.type.element_type)]).results[0]


def constant(operation: ArithConstant, operands: Operands, builder: Builder) -> Replacement:
    """Replaces ``arith.constant`` by a constant tensor; a number becomes a scalar."""
    literal, result_type = operation.value, as_tensor(operation.result.type)
    if is_raw(literal_dtype(result_type.element_type)):
        message = f"no constant of StableHLO has elements of type {result_type.element_type}"
        raise UnsupportedError(message, span=operation.span)
    if isinstance(literal, IntegerAttribute):
        data = np.array(literal.value).astype(result_type.element_type.dtype)
    elif isinstance(literal, DenseElementsAttribute) and isinstance(result_type, TensorType):
        data = literal.data.astype(result_type.element_type.dtype)
    else:
        return None
    return builder.create(Constant, value=dense_elements(result_type, data)).results[0]


def const_shape(operation: ConstShape, operands: Operands, builder: Builder) -> Replacement:
    """Replaces ``shape.const_shape`` by a constant tensor of sizes (rank,)."""
    if not isinstance(operation.result.type, TensorType):
        return None
    return integers(builder, [int(size) for size in operation.shape.array])


def shape_of_tensor(operation: ShapeOf, operands: Operands, builder: Builder) -> Replacement:
    """Replaces ``shape.shape_of`` by the concatenated sizes of its operand (rank,)."""
    if not isinstance(operation.result.type, TensorType):
        return None
    if not isinstance(operands[0].type, TensorType):
        return None
    return shape_of(builder, operands[0])


def num_elements(operation: object, operands: Operands, builder: Builder) -> Replacement:
    """``shape.num_elements``: the product of the sizes."""
    (shape,) = operands
    if not isinstance(shape.type, TensorType) or not shape.type.is_static:
        return None
    product = integers(builder, 1)
    for i in range(shape.type.shape[0]):
        product = builder.create(Multiply, lhs=product, rhs=single(builder, shape, i)).results[0]
    return product


def broadcast(operation: object, operands: Operands, builder: Builder) -> Replacement:
    """``shape.broadcast`` of shapes that fit: of each two sizes the one that is not 1."""
    if not all(
        isinstance(operand.type, TensorType) and operand.type.is_static for operand in operands
    ):
        return None
    rank = max((operand.type.shape[0] for operand in operands), default=0)
    padded = [padded_to(rank, operand, builder) for operand in operands]
    result = padded[0]
    for other in padded[1:]:
        result = wider(result, other, builder)
    return result


def padded_to(rank: int, shape: Value, builder: Builder) -> Value:
    """A shape with sizes of 1 in front of it."""
    missing = rank - shape.type.shape[0]
    if not missing:
        return shape
    ones = integers(builder, [1] * missing)
    return builder.create(Concatenate, inputs=[ones, shape], dimension=0).results[0]


def wider(lhs: Value, rhs: Value, builder: Builder) -> Value:
    """The sizes that two shapes are repeated to: the right one's where the left one is 1."""
    ones = integers(builder, [1] * lhs.type.shape[0])
    is_one = builder.create(
        Compare, lhs=lhs, rhs=ones, comparison_direction=ComparisonDirection.EQ
    ).results[0]
    return builder.create(Select, pred=is_one, on_true=rhs, on_false=lhs).results[0]


def cast(operation: Operation, operands: Operands, builder: Builder) -> Replacement:
    """``arith.index_cast``: a conversion, or nothing."""
    result_type = as_tensor(operation.results[0].type)
    if operands[0].type == result_type:
        return operands[0]
    return builder.create(Convert, operand=operands[0], results=[result_type]).results[0]


def dimension(operation: Dim, operands: Operands, builder: Builder) -> Replacement:
    """``tensor.dim``: the size of a dimension that is known."""
    position = constant_integer(operation.index)
    if position is None or not isinstance(operands[0].type, TensorType):
        return None
    return size_of(builder, operands[0], position)


def extract(operation: Extract, operands: Operands, builder: Builder) -> Replacement:
    """``tensor.extract``: the element at a place that is known."""
    places = [constant_integer(index) for index in operation.indices]
    array = operands[0].type
    if not all(
        place is not None and 0 <= place < size
        for place, size in zip(places, array.shape, strict=True)
    ):
        return None
    starts = [place for place in places if place is not None]
    element_slice = builder.create(
        Slice,
        operand=operands[0],
        start_indices=starts,
        limit_indices=[start + 1 for start in starts],
        strides=[1] * len(starts),
    ).results[0]
    return builder.create(
        Reshape, operand=element_slice, results=[tensor(array.element_type)]
    ).results[0]


def from_elements(operation: FromElements, operands: Operands, builder: Builder) -> Replacement:
    """Replaces ``tensor.from_elements`` by its operands, concatenated and reshaped."""
    result_type = as_tensor(operation.result.type)
    if result_type.rank == 0:
        return operands[0]
    if not operands:
        return None
    flat = concatenated_scalars(operands, builder)
    if result_type.rank == 1:
        return flat
    return builder.create(Reshape, operand=flat, results=[result_type]).results[0]


def concatenated_scalars(values: Sequence[Value], builder: Builder) -> Value:
    """Tensors of rank 0 as one of rank 1."""
    if values[0].type == tensor(I32):
        return concatenated_sizes(builder, values)
    rows = [
        builder.create(
            Reshape, operand=value, results=[tensor(value.type.element_type, 1)]
        ).results[0]
        for value in values
    ]
    return builder.create(Concatenate, inputs=rows, dimension=0).results[0]


FORMULAS: Final[Mapping[str, Formula]] = {
    "arith.constant": constant,
    "arith.index_cast": cast,
    "shape.broadcast": broadcast,
    "shape.const_shape": const_shape,
    "shape.num_elements": num_elements,
    "shape.shape_of": shape_of_tensor,
    "tensor.dim": dimension,
    "tensor.extract": extract,
    "tensor.from_elements": from_elements,
}
