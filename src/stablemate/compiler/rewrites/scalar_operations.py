"""Expands scalar operations of arith and tensor into tensor operations.

A scalar is a tensor without dimensions (see ``graph``), a buffer the tensor of its contents. A
result without elements becomes a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from stablemate.compiler.fusion.classification import is_native
from stablemate.compiler.graph.expansion import ExpandedOperation, NewTensor, NodeExpansion
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
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN

ScalarExpansion = Callable[[Node, NodeExpansion], None]
SCALAR: Final = TensorType((), BOOLEAN)
NEW_BUFFERS: Final = frozenset({"AllocateBuffer", "CreateBuffer"})


def expand_scalar_operation(node: Node, new_tensor: NewTensor) -> list[Node]:
    """Expands a node; a node that is not expanded is returned as it is."""
    expand = EXPANSIONS.get(node.operation.name)
    if expand is None:
        return [node]
    expansion = NodeExpansion(node, new_tensor)
    expand(node, expansion)
    return expansion.nodes or [node]


def literal(tensor: Tensor, value: object, expansion: NodeExpansion) -> None:
    """Adds a constant as a result."""
    assert isinstance(tensor.type, TensorType)
    data = np.asarray(value, tensor.type.element_type.dtype)
    if data.ndim and not any(data.strides):  # one element, repeated
        data = data[(0,) * data.ndim] if data.size else data
    elements = dense_elements(tensor.type, data.reshape(-1))
    expansion.create_result(tensor, Constant, value=elements)


def constant(node: Node, expansion: NodeExpansion) -> None:
    """Replaces ``arith.constant`` by a constant tensor of rank 0, or of the shape of its value."""
    try:
        value = node.operation.evaluate()
    except UnsupportedError:
        return  # the error is reported at run time
    literal(node.results[0], value, expansion)


def empty(node: Node, expansion: NodeExpansion) -> None:
    """Replaces ``tensor.empty``, whose elements are open, by a tensor of zeros."""
    (result,) = node.results
    if result.is_static:
        literal(result, 0, expansion)


def new_buffers(node: Node, expansion: NodeExpansion) -> None:
    """Custom calls that create buffers: zeros."""
    target = node.operation.attributes["call_target_name"].value
    types = [result.type for result in node.results]
    if target not in NEW_BUFFERS or target in REGISTERED:
        return
    if all(isinstance(value_type, TensorType) and value_type.is_static for value_type in types):
        for result in node.results:
            literal(result, 0, expansion)


def from_elements(node: Node, expansion: NodeExpansion) -> None:
    """Replaces ``tensor.from_elements`` by the concatenation of its scalars, reshaped."""
    (result,) = node.results
    if not node.operands:
        return literal(result, 0, expansion)
    assert isinstance(result.type, TensorType)
    element = result.type.element_type
    rows = [
        expansion.create(TensorType((1,), element), Reshape, operand=operand)
        for operand in node.operands
    ]
    row = TensorType((len(rows),), element)
    concatenated = expansion.create(row, Concatenate, inputs=rows, dimension=0)
    return expansion.create_result(result, Reshape, operand=concatenated)


def slice_without_elements(node: Node, expansion: NodeExpansion) -> None:
    """A slice without elements: a constant."""
    if all(0 in result.shape and is_native(result) for result in node.results):
        for result in node.results:
            literal(result, 0, expansion)


def extract(node: Node, expansion: NodeExpansion) -> None:
    """``tensor.extract``: a slice of one element; dynamic indices are checked first."""
    tensor, *indices = node.operands
    numbers = [constant_integer(index) for index in indices]
    starts = [number for number in numbers if number is not None]
    if not isinstance(tensor.type, TensorType) or not tensor.type.is_static:
        return
    if len(starts) != len(numbers):
        checks = [
            compare_with(expansion, index, size, IntegerPredicate.UGE)
            for index, size in zip(indices, tensor.shape, strict=True)
        ]
        expansion.branch_on_error(any_of(expansion, checks), extract_in_bounds, node.results)
        return
    if not all(0 <= i < n for i, n in zip(starts, tensor.shape, strict=True)):
        return  # the error is reported at run time
    sliced = expansion.create(
        tensor.type.with_shape((1,) * len(starts)),
        Slice,
        operand=tensor,
        start_indices=starts,
        limit_indices=[start + 1 for start in starts],
        strides=[1] * len(starts),
    )
    expansion.create_result(node.results[0], Reshape, operand=sliced)


def extract_in_bounds(expansion: NodeExpansion) -> None:
    """``tensor.extract`` at indices that are in bounds."""
    node = expansion.original
    tensor, *indices = node.operands
    assert isinstance(tensor.type, TensorType)
    sizes = [1] * len(indices)
    sliced = expansion.create(
        tensor.type.with_shape(sizes),
        DynamicSlice,
        operand=tensor,
        start_indices=indices,
        slice_sizes=sizes,
    )
    expansion.create_result(node.results[0], Reshape, operand=sliced)


def constant_integer(tensor: Tensor) -> int | None:
    """The number of a scalar that is a constant; None if it is not."""
    definition = None if tensor.node is None else tensor.node.operation
    is_constant = definition is not None and definition.name == "stablehlo.constant"
    return int(definition.evaluate()) if definition is not None and is_constant else None


def division(node: Node, expansion: NodeExpansion) -> None:
    """A division by a value that may be zero."""
    operation, (lhs, rhs) = node.operation, node.operands
    if has_divisor(node) or not is_native(rhs):
        return

    def divide(expansion: NodeExpansion) -> None:
        name = operation.name + BY_NUMBER
        expansion.add_result(
            ExpandedOperation(name, operation), (lhs, rhs), expansion.original.results[0]
        )

    is_zero = compare_with(expansion, rhs, 0, IntegerPredicate.EQ)
    expansion.branch_on_error(any_element(expansion, is_zero), divide, node.results)


def compare_with(
    expansion: NodeExpansion, tensor: Tensor, number: int, predicate: IntegerPredicate
) -> Tensor:
    """Compares integers with a number."""
    assert isinstance(tensor.type, TensorType)
    element = tensor.type.element_type
    data = np.full((), number).astype(element.dtype)
    constant = expansion.create(
        tensor.type, Constant, value=dense_elements(tensor.type, data.reshape(1))
    )
    booleans = tensor.type.with_element(BOOLEAN)
    return expansion.create(booleans, Cmpi, lhs=tensor, rhs=constant, predicate=predicate)


def any_of(expansion: NodeExpansion, checks: Sequence[Tensor]) -> Tensor:
    """Whether any of several scalars is true."""
    any_true, *others = checks
    for other in others:
        any_true = expansion.create(SCALAR, Ori, lhs=any_true, rhs=other)
    return any_true


def any_element(expansion: NodeExpansion, tensor: Tensor) -> Tensor:
    """Whether any element of a tensor is true."""
    if not tensor.shape:
        return tensor

    def body(builder: Builder, x: object, y: object) -> None:
        builder.create(Return, values=[builder.create(Or, lhs=x, rhs=y).results[0]])

    region = Builder(Block()).region([SCALAR, SCALAR], body)
    initial_value = expansion.create(
        SCALAR, Constant, value=dense_elements(SCALAR, np.zeros((), np.bool_))
    )
    fields = {"dimensions": list(range(len(tensor.shape))), "regions": [region]}
    reduced = expansion.create(
        SCALAR, Reduce, inputs=[tensor], init_values=[initial_value], **fields
    )
    assert reduced.node is not None
    reduced.node.regions = (expansion.build_region(region.block),)
    return reduced


def sum_and_carry(node: Node, expansion: NodeExpansion) -> None:
    """The sum, and the carry: whether the sum is less than an operand."""
    (lhs, rhs), (total, carry) = node.operands, node.results
    expansion.create_result(total, Addi, lhs=lhs, rhs=rhs)
    expansion.create_result(carry, Cmpi, lhs=total, rhs=lhs, predicate=IntegerPredicate.ULT)


def difference_and_borrow(node: Node, expansion: NodeExpansion) -> None:
    """The difference, and the borrow: whether it would be negative."""
    (lhs, rhs), (rest, borrow) = node.operands, node.results
    expansion.create_result(rest, Subi, lhs=lhs, rhs=rhs)
    expansion.create_result(borrow, Cmpi, lhs=lhs, rhs=rhs, predicate=IntegerPredicate.ULT)


def low_and_high(node: Node, expansion: NodeExpansion) -> None:
    """The low and high halves of a product."""
    (lhs, rhs), (low, high) = node.operands, node.results
    expansion.create_result(low, Muli, lhs=lhs, rhs=rhs)
    expansion.add_result(
        ExpandedOperation(node.operation.name + HIGH, node.operation), (lhs, rhs), high
    )


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
