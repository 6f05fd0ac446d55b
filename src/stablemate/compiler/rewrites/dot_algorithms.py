"""Implements dot algorithms: operands are rounded, or split into components that are multiplied.

Source: StableHLO specification, dot_general, I8 to I14 (see ``dot_algorithms``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.graph.expansion import NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.contraction.multiply_accumulate import sums_of
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.contraction import sum_dtype
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.dot_algorithms import SMALL_PRODUCTS, TF32, float_type
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.dialects.stablehlo.elementwise import Add, Subtract
from stablemate.dialects.stablehlo.is_finite import IsFinite
from stablemate.dialects.stablehlo.reduce_precision import ReducePrecision
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN, F32, F64, FloatType

TF32_BITS: Final = (8, 10)  # of exponent and mantissa


def has_algorithm(node: Node) -> bool:
    """Whether a dot of floats specifies an algorithm that kernels do not implement anyway."""
    if node.operation.name != "stablehlo.dot_general" or node.operation.algorithm is None:
        return False
    types = [operand.type for operand in (*node.operands, *node.results)]
    floats = all(isinstance(e, TensorType) and isinstance(e.element_type, FloatType) for e in types)
    return floats and all(getattr(e, "is_static", False) for e in types) and sums_of(node) is None


def expand_dot(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands a dot into the roundings, dots and sums of its algorithm."""
    operation, (result,) = node.operation, node.results
    algorithm, expansion = operation.algorithm, NodeExpansion(node, new_tensor)
    small_products = SMALL_PRODUCTS[algorithm.num_primitive_operations]
    count = 1 + max((i for i, _ in small_products), default=0)
    precisions = (algorithm.lhs_precision_type, algorithm.rhs_precision_type)
    lhs_components, rhs_components = (
        components(expansion, operand, float_type(precision), count)
        for operand, precision in zip(node.operands, precisions, strict=True)
    )
    accumulation = float_type(algorithm.accumulation_type)
    assert isinstance(result.type, TensorType)
    sum_type = F64 if sum_dtype(accumulation).itemsize == F64.dtype.itemsize else F32
    total_type = result.type.with_element(sum_type)

    def product(i: int, j: int) -> Tensor:
        numbers = operation.dot_dimension_numbers
        lhs, rhs = lhs_components[i], rhs_components[j]
        return expansion.create(
            total_type, DotGeneral, lhs=lhs, rhs=rhs, dot_dimension_numbers=numbers
        )

    total = product(0, 0)
    if small_products:
        small_sum, *others = (product(i, j) for i, j in small_products)
        for other in others:
            small_sum = expansion.create(total_type, Add, lhs=small_sum, rhs=other)
        total = expansion.create(total_type, Add, lhs=total, rhs=zero_if_nan(expansion, small_sum))
    converted = expansion.create(total_type.with_element(accumulation), Convert, operand=total)
    expansion.create_result(result, Convert, operand=converted)
    return expansion.nodes


def components(
    expansion: NodeExpansion, operand: Tensor, precision: FloatType, count: int
) -> Sequence[Tensor]:
    """Tensors of a precision whose sum is approximately the operand; the largest first."""
    assert isinstance(operand.type, TensorType)
    wide_type = operand.type.with_element(F64 if precision == F64 else F32)
    rest = expansion.create(wide_type, Convert, operand=operand)
    components: list[Tensor] = []
    for k in range(count):
        components.append(round_to(expansion, rest, precision))
        if k + 1 < count:
            component = expansion.create(wide_type, Convert, operand=components[-1])
            difference = expansion.create(wide_type, Subtract, lhs=rest, rhs=component)
            finite = expansion.create(wide_type.with_element(BOOLEAN), IsFinite, x=component)
            rest = select(expansion, finite, difference, expansion.zeros(wide_type))
    return components


def round_to(expansion: NodeExpansion, tensor: Tensor, precision: FloatType) -> Tensor:
    """Rounds a tensor to a precision; TF32 has no type of its own and keeps the tensor's type."""
    assert isinstance(tensor.type, TensorType)
    if precision == TF32:
        exponent, mantissa = TF32_BITS
        return expansion.create(
            tensor.type,
            ReducePrecision,
            operand=tensor,
            exponent_bits=exponent,
            mantissa_bits=mantissa,
        )
    return expansion.create(tensor.type.with_element(precision), Convert, operand=tensor)


def zero_if_nan(expansion: NodeExpansion, tensor: Tensor) -> Tensor:
    """The tensor with zero instead of NaN: an infinity has no small components."""
    assert isinstance(tensor.type, TensorType)
    number = expansion.create(
        tensor.type.with_element(BOOLEAN),
        Compare,
        lhs=tensor,
        rhs=tensor,
        comparison_direction=ComparisonDirection.EQ,
    )
    return select(expansion, number, tensor, expansion.zeros(tensor.type))


def select(
    expansion: NodeExpansion, condition: Tensor, on_true: Tensor, on_false: Tensor
) -> Tensor:
    """Selects elements of two tensors."""
    assert isinstance(on_true.type, TensorType)
    return expansion.create(
        on_true.type, Select, pred=condition, on_true=on_true, on_false=on_false
    )
