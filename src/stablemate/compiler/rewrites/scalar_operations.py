"""Expands scalar operations of arith and tensor into tensor operations.

A scalar is a tensor of no dimensions (see ``graph``), a buffer the tensor of its contents. What has
no elements is a constant, whatever it is taken from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.fusion.classification import is_native
from stablemate.compiler.graph.expansion import ExpandedOperation, Expansion, NewTensor
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.lowering.arith import BY_NUMBER, DIVISIONS, HIGH, has_divisor
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.arith.arithmetic import Addi, Muli, Ori, Subi
from stablemate.dialects.arith.attributes import IntegerPredicate
from stablemate.dialects.arith.comparison import Cmpi
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.elementwise import Or
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.execution.custom_calls.registry import REGISTERED
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN

ScalarExpansion = Callable[[Node, Expansion], None]
SCALAR: Final = TensorType((), BOOLEAN)
NEW_BUFFERS: Final = frozenset({"AllocateBuffer", "CreateBuffer"})


def expand_scalar_operation(node: Node, new: NewTensor) -> list[Node]:
    """A node as others; itself if it stays as it is."""
    opening = EXPANSIONS.get(node.operation.name)
    if opening is None:
        return [node]
    parts = Expansion(node, new)
    opening(node, parts)
    return parts.nodes or [node]


def literal(tensor: Tensor, value: Any, parts: Expansion) -> None:
    """A constant as a result."""
    assert isinstance(tensor.type, TensorType)
    data = np.broadcast_to(np.asarray(value, tensor.type.element_type.dtype), tensor.shape)
    elements = dense_elements(tensor.type, data.reshape(-1))
    parts.give(tensor, Constant, value=elements)


def constant(node: Node, parts: Expansion) -> None:
    """``arith.constant``: a tensor without dimensions, or one."""
    try:
        value = node.operation.evaluate()
    except UnsupportedError:
        return  # it says so when it runs
    literal(node.results[0], value, parts)


def empty(node: Node, parts: Expansion) -> None:
    """``tensor.empty``: zeros."""
    (result,) = node.results
    if isinstance(result.type, TensorType) and result.type.is_static:
        literal(result, 0, parts)


def new_buffers(node: Node, parts: Expansion) -> None:
    """Custom calls that make buffers: zeros."""
    target = node.operation.attributes["call_target_name"].value
    types = [result.type for result in node.results]
    if target not in NEW_BUFFERS or target in REGISTERED:
        return
    if all(isinstance(value_type, TensorType) and value_type.is_static for value_type in types):
        for result in node.results:
            literal(result, 0, parts)


def from_elements(node: Node, parts: Expansion) -> None:
    """``tensor.from_elements``: scalars behind one another."""
    (result,) = node.results
    if not node.operands:
        return literal(result, 0, parts)
    assert isinstance(result.type, TensorType)
    element = result.type.element_type
    rows = [
        parts.make(TensorType((1,), element), Reshape, operand=operand) for operand in node.operands
    ]
    row = TensorType((len(rows),), element)
    whole = parts.make(row, Concatenate, inputs=rows, dimension=0)
    return parts.give(result, Reshape, operand=whole)


def slice_without_elements(node: Node, parts: Expansion) -> None:
    """What is taken from a tensor without elements has none."""
    if all(0 in result.shape and is_native(result) for result in node.results):
        for result in node.results:
            literal(result, 0, parts)


def extract(node: Node, parts: Expansion) -> None:
    """``tensor.extract``: a slice of one element, if the index is known to be inside."""
    tensor, *indices = node.operands
    numbers = [constant_integer(index) for index in indices]
    starts = [number for number in numbers if number is not None]
    if not isinstance(tensor.type, TensorType) or not tensor.type.is_static:
        return
    if len(starts) != len(numbers):
        checks = [
            compare_with(parts, index, size, IntegerPredicate.UGE)
            for index, size in zip(indices, tensor.shape, strict=True)
        ]
        parts.unless(any_of(parts, checks), extract_in_bounds, node.results)
        return
    if not all(0 <= i < n for i, n in zip(starts, tensor.shape, strict=True)):
        return  # it says so when it runs
    piece = parts.make(
        tensor.type.with_shape((1,) * len(starts)),
        Slice,
        operand=tensor,
        start_indices=starts,
        limit_indices=[start + 1 for start in starts],
        strides=[1] * len(starts),
    )
    parts.give(node.results[0], Reshape, operand=piece)


def extract_in_bounds(parts: Expansion) -> None:
    """``tensor.extract`` at indices that are inside."""
    node = parts.whole
    tensor, *indices = node.operands
    assert isinstance(tensor.type, TensorType)
    sizes = [1] * len(indices)
    piece = parts.make(
        tensor.type.with_shape(sizes),
        DynamicSlice,
        operand=tensor,
        start_indices=indices,
        slice_sizes=sizes,
    )
    parts.give(node.results[0], Reshape, operand=piece)


def constant_integer(tensor: Tensor) -> int | None:
    """The number that a scalar is a constant of; None if it is none."""
    maker = None if tensor.node is None else tensor.node.operation
    is_constant = maker is not None and maker.name == "stablehlo.constant"
    return int(maker.evaluate()) if maker is not None and is_constant else None


def division(node: Node, parts: Expansion) -> None:
    """A division by what may be zero."""
    operation, (lhs, rhs) = node.operation, node.operands
    if has_divisor(node) or not is_native(rhs):
        return

    def divided(parts: Expansion) -> None:
        name = operation.name + BY_NUMBER
        parts.add(ExpandedOperation(name, operation), (lhs, rhs), parts.whole.results[0])

    is_zero = compare_with(parts, rhs, 0, IntegerPredicate.EQ)
    parts.unless(any_element(parts, is_zero), divided, node.results)


def compare_with(
    parts: Expansion, tensor: Tensor, number: int, predicate: IntegerPredicate
) -> Tensor:
    """How integers compare with a number."""
    assert isinstance(tensor.type, TensorType)
    element = tensor.type.element_type
    data = np.full((), number).astype(element.dtype)
    constant = parts.make(tensor.type, Constant, value=dense_elements(tensor.type, data.reshape(1)))
    booleans = tensor.type.with_element(BOOLEAN)
    return parts.make(booleans, Cmpi, lhs=tensor, rhs=constant, predicate=predicate)


def any_of(parts: Expansion, checks: Sequence[Tensor]) -> Tensor:
    """Whether one of several scalars is true."""
    failed, *others = checks
    for other in others:
        failed = parts.make(SCALAR, Ori, lhs=failed, rhs=other)
    return failed


def any_element(parts: Expansion, tensor: Tensor) -> Tensor:
    """Whether an element of a tensor is true."""
    if not tensor.shape:
        return tensor

    def body(builder: Builder, x: Any, y: Any) -> None:
        builder.create(Return, values=[builder.create(Or, lhs=x, rhs=y).results[0]])

    region = Builder(Block()).region([SCALAR, SCALAR], body)
    no = parts.make(SCALAR, Constant, value=dense_elements(SCALAR, np.zeros((), np.bool_)))
    fields = {"dimensions": list(range(len(tensor.shape))), "regions": [region]}
    reduced = parts.make(SCALAR, Reduce, inputs=[tensor], init_values=[no], **fields)
    assert reduced.node is not None
    reduced.node.regions = (parts.region(region.block),)
    return reduced


def sum_and_carry(node: Node, parts: Expansion) -> None:
    """The sum, and whether it is less than an operand of it."""
    (lhs, rhs), (total, carry) = node.operands, node.results
    parts.give(total, Addi, lhs=lhs, rhs=rhs)
    parts.give(carry, Cmpi, lhs=total, rhs=lhs, predicate=IntegerPredicate.ULT)


def difference_and_borrow(node: Node, parts: Expansion) -> None:
    """The difference, and whether it would be negative."""
    (lhs, rhs), (rest, borrow) = node.operands, node.results
    parts.give(rest, Subi, lhs=lhs, rhs=rhs)
    parts.give(borrow, Cmpi, lhs=lhs, rhs=rhs, predicate=IntegerPredicate.ULT)


def low_and_high(node: Node, parts: Expansion) -> None:
    """Both halves of a product."""
    (lhs, rhs), (low, high) = node.operands, node.results
    parts.give(low, Muli, lhs=lhs, rhs=rhs)
    parts.add(ExpandedOperation(node.operation.name + HIGH, node.operation), (lhs, rhs), high)


EXPANSIONS: Final[Mapping[str, ScalarExpansion]] = {
    "arith.addui_extended": sum_and_carry,
    "arith.constant": constant,
    **{f"arith.{name}": division for name in DIVISIONS},
    "arith.mulsi_extended": low_and_high,
    "arith.mului_extended": low_and_high,
    "arith.subui_extended": difference_and_borrow,
    "stablehlo.custom_call": new_buffers,
    "stablehlo.dynamic_slice": slice_without_elements,
    "stablehlo.gather": slice_without_elements,
    "stablehlo.torch_index_select": slice_without_elements,
    "tensor.empty": empty,
    "tensor.extract": extract,
    "tensor.from_elements": from_elements,
}
