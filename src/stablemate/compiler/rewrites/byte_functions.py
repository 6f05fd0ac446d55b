"""Functions of a byte are tables of 256 bytes.

Models of 8 bits quantize what each operation computes: an activation dequantizes a byte, computes a
function of it, and quantizes the result, which is a byte again. All bytes that are computed from
one byte and numbers that are equal everywhere are entries of a table; the operations evaluate
themselves for all 256 bytes, as in the interpreter. A table is searched in registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.graph.expansion import ExpandedOperation, NewTensor, NodeExpansion
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.lowering.elements import splat_of
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.ir.definition import Op, OperationDefinition, definition_of, has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array, IntegerType

NAME: Final = "byte_function"
BROADCAST: Final = "stablehlo.broadcast_in_dim"
RESHAPE: Final = "stablehlo.reshape"
CODES: Final = 256
BITS: Final = 8
FEWEST: Final = 6  # operations of an element that take longer than an entry of a table
MOST: Final = 128  # operations that are evaluated for a table


@dataclass(frozen=True, slots=True)
class ByteFunction(ExpandedOperation):
    """An entry of a table for each byte of the operand.

    Attributes:
        table: The bytes of the entries, by the bytes of the operand without their sign.
    """

    table: tuple[int, ...]

    @property
    def definition(self) -> OperationDefinition:
        """The definition of the conversion to a byte that this replaces."""
        original: Any = self.original
        return definition_of(original)


@dataclass(frozen=True, slots=True)
class Code:
    """A byte as a function of another one.

    Attributes:
        source: The other one.
        entries: Its value for each of 256 bytes.
    """

    source: Tensor
    entries: Array


def tabulate_bytes(graph: Graph, new_tensor: NewTensor) -> bool:
    """Replaces functions of a byte in a graph and its regions; says whether there were any."""
    codes = {value: identity(value) for value in graph.arguments if is_byte(value)}
    is_changed = False
    reshapes: dict[Node, Sequence[Node]] = {}  # of bytes, before nodes that read them
    for node in graph.nodes:
        for region in node.regions:
            is_changed |= tabulate_bytes(region, new_tensor)
        if len(node.results) != 1 or not is_byte(node.results[0]) or is_equal(node):
            continue
        result = node.results[0]
        inner = operations_between(result, codes)
        code = None if inner is None else code_of(result, inner, codes)
        if code is None:
            codes[result] = identity(result)
            continue
        codes[result] = code
        if inner is not None and sum(not is_reshape(one) for one in inner) >= FEWEST:
            table = tuple(map(int, code.entries.view(np.uint8)))
            node.operation = ByteFunction(NAME, node.operation, table)
            expansion = NodeExpansion(node, new_tensor)
            node.operands = (in_shape_of(result, code.source, expansion),)
            reshapes[node] = expansion.nodes
            is_changed = True
    graph.nodes = [one for node in graph.nodes for one in (*reshapes.get(node, ()), node)]
    return is_changed


def in_shape_of(result: Tensor, source: Tensor, expansion: NodeExpansion) -> Tensor:
    """A byte in the shape of what is computed from it, its elements in the same order."""
    if source.shape == result.shape:
        return source
    assert isinstance(source.type, TensorType)
    return expansion.create(source.type.with_shape(result.shape), Reshape, operand=source)


def is_byte(value: Tensor) -> bool:
    """Whether a value is a tensor of integers of 8 bits."""
    if not isinstance(value.type, TensorType) or not value.shape:
        return False
    element = value.type.element_type
    return isinstance(element, IntegerType) and element.bits == BITS


def identity(value: Tensor) -> Code:
    """A byte as itself."""
    assert isinstance(value.type, TensorType)
    dtype = value.type.element_type.dtype
    return Code(value, np.arange(CODES, dtype=np.uint8).view(dtype))


def operations_between(result: Tensor, codes: dict[Tensor, Code]) -> list[Node] | None:
    """The operations that compute a byte from other bytes, element by element, in order.

    Elements keep their order where they get another shape between them. None if it is computed from
    anything else that differs between elements.
    """
    order: list[Node] = []
    seen: set[Tensor] = set()

    def is_found(value: Tensor) -> bool:
        """Collects the operations of a value; says whether all of it is known."""
        node = value.node
        if value in seen or (value is not result and value in codes):
            return True
        seen.add(value)
        if node is None or len(order) >= MOST:
            return False
        if is_equal(node):
            return True
        is_alike = is_reshape(node) or all(
            operand.shape in ((), value.shape) for operand in node.operands
        )
        is_constant = not node.operands  # of elements that differ
        if is_constant or node.regions or not is_alike or not isinstance(node.operation, Op):
            return False
        if not has_trait(node.operation, Trait.ELEMENTWISE) and not is_reshape(node):
            return False
        if not all(map(is_found, node.operands)):
            return False
        order.append(node)
        return True

    return order if is_found(result) else None


def is_reshape(node: Node) -> bool:
    """Whether an operation gives elements another shape."""
    return bool(node.operation.name == RESHAPE)


def is_equal(node: Node) -> bool:
    """Whether all elements of a result are the same known number."""
    if node.operation.name != BROADCAST:
        return splat_of(node) is not None
    (operand,) = node.operands
    return operand.node is not None and splat_of(operand.node) is not None


def code_of(result: Tensor, inner: Sequence[Node], codes: dict[Tensor, Code]) -> Code | None:
    """A byte as a function of the only other one that operations compute it from; None if none."""
    read = {operand for node in inner for operand in node.operands if operand in codes}
    sources = {codes[value].source for value in read}
    if len(sources) != 1:
        return None
    values: dict[Tensor, Array] = {value: codes[value].entries for value in read}
    try:
        with np.errstate(all="ignore"):
            for node in inner:
                operands = [values[v] if v in values else number(v) for v in node.operands]
                compute = first if is_reshape(node) else node.operation.prepare(())
                entries = np.asarray(compute(*operands))
                values[node.results[0]] = np.broadcast_to(entries, (CODES,))
    except StablemateError:
        return None  # the error is reported at run time
    (source,) = sources
    return Code(source, np.ascontiguousarray(values[result]))


def first(entries: Array) -> Array:
    """Entries as they are."""
    return entries


def number(value: Tensor) -> Array:
    """The number that all elements of a value are equal to."""
    node = value.node
    assert node is not None
    if node.operation.name == BROADCAST:
        node = node.operands[0].node
        assert node is not None
    return np.broadcast_to(np.asarray(splat_of(node)), (CODES,) if value.shape else ())
