"""Implements dot algorithms: operands are rounded, or split into components that are multiplied.

Source: StableHLO specification, dot_general, I8 to I14 (see ``dot_algorithms``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.compiler.graph.expansion import Expansion, NewTensor
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.contraction.multiply_accumulate import sums_of
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.contraction import sum_dtype
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.dot_algorithms import SMALL_PRODUCTS, TF32, float_type
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.dialects.stablehlo.elementwise import Add, Subtract
from stablemate.dialects.stablehlo.is_finite import IsFinite
from stablemate.dialects.stablehlo.reduce_precision import ReducePrecision
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.attributes import dense_elements
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN, F32, F64, FloatType

TF32_BITS: Final = (8, 10)  # of exponent and mantissa


def has_algorithm(node: Node) -> bool:
    """Whether a dot of floats states how it is computed, other than kernels do anyway."""
    if node.operation.name != "stablehlo.dot_general" or node.operation.algorithm is None:
        return False
    types = [operand.type for operand in (*node.operands, *node.results)]
    floats = all(isinstance(e, TensorType) and isinstance(e.element_type, FloatType) for e in types)
    return floats and all(getattr(e, "is_static", False) for e in types) and sums_of(node) is None


def expand_dot(node: Node, new: NewTensor) -> list[Node]:
    """A dot as the roundings, dots and sums of its algorithm."""
    operation, (result,) = node.operation, node.results
    algorithm, parts = operation.algorithm, Expansion(node, new)
    small = SMALL_PRODUCTS[algorithm.num_primitive_operations]
    depth = 1 + max((i for i, _ in small), default=0)
    precisions = (algorithm.lhs_precision_type, algorithm.rhs_precision_type)
    left, right = (
        components(parts, operand, float_type(precision), depth)
        for operand, precision in zip(node.operands, precisions, strict=True)
    )
    accumulation = float_type(algorithm.accumulation_type)
    assert isinstance(result.type, TensorType)
    sums = F64 if sum_dtype(accumulation).itemsize == F64.dtype.itemsize else F32
    total_type = result.type.with_element(sums)

    def product(i: int, j: int) -> Tensor:
        numbers = operation.dot_dimension_numbers
        lhs, rhs = left[i], right[j]
        return parts.make(total_type, DotGeneral, lhs=lhs, rhs=rhs, dot_dimension_numbers=numbers)

    total = product(0, 0)
    if small:
        first, *others = (product(i, j) for i, j in small)
        for other in others:
            first = parts.make(total_type, Add, lhs=first, rhs=other)
        total = parts.make(total_type, Add, lhs=total, rhs=zero_if_nan(parts, first))
    round_to = parts.make(total_type.with_element(accumulation), Convert, operand=total)
    parts.give(result, Convert, operand=round_to)
    return parts.nodes


def components(
    parts: Expansion, operand: Tensor, precision: FloatType, count: int
) -> Sequence[Tensor]:
    """Tensors of a precision whose sum is, nearly, the operand; the largest first."""
    assert isinstance(operand.type, TensorType)
    whole = operand.type.with_element(F64 if precision == F64 else F32)
    rest = parts.make(whole, Convert, operand=operand)
    components: list[Tensor] = []
    for k in range(count):
        components.append(round_to(parts, rest, precision))
        if k + 1 < count:
            part = parts.make(whole, Convert, operand=components[-1])
            left = parts.make(whole, Subtract, lhs=rest, rhs=part)
            finite = parts.make(whole.with_element(BOOLEAN), IsFinite, x=part)
            rest = select(parts, finite, left, zeros(parts, whole))
    return components


def round_to(parts: Expansion, tensor: Tensor, precision: FloatType) -> Tensor:
    """A tensor rounded to a precision; in its own type if there is no other that holds it."""
    assert isinstance(tensor.type, TensorType)
    if precision == TF32:
        exponent, mantissa = TF32_BITS
        return parts.make(
            tensor.type,
            ReducePrecision,
            operand=tensor,
            exponent_bits=exponent,
            mantissa_bits=mantissa,
        )
    return parts.make(tensor.type.with_element(precision), Convert, operand=tensor)


def zero_if_nan(parts: Expansion, tensor: Tensor) -> Tensor:
    """The tensor, zero in the place of NaN: infinity has no small parts."""
    assert isinstance(tensor.type, TensorType)
    number = parts.make(
        tensor.type.with_element(BOOLEAN),
        Compare,
        lhs=tensor,
        rhs=tensor,
        comparison_direction=ComparisonDirection.EQ,
    )
    return select(parts, number, tensor, zeros(parts, tensor.type))


def select(parts: Expansion, which: Tensor, yes: Tensor, no: Tensor) -> Tensor:
    """Elements of two tensors."""
    assert isinstance(yes.type, TensorType)
    return parts.make(yes.type, Select, pred=which, on_true=yes, on_false=no)


def zeros(parts: Expansion, tensor_type: TensorType) -> Tensor:
    """Zeros of a type."""
    value = dense_elements(tensor_type, np.zeros(1, tensor_type.element_type.dtype))
    return parts.make(tensor_type, Constant, value=value)
