"""The element of a tensor at an index, as an expression of the operation that defines it.

Each operation that can be fused has a lowering: a function of the element's index that asks for
elements of operands. Composing these functions is fusion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions, terms_of
from stablemate.compiler.loops.operators import BITS
from stablemate.compiler.lowering.representation import Parts, Representation, representation_of
from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import ElementType

# Python's stack holds a few calls for each formula that waits.
DEEPEST: Final = 48  # formulas that may wait for each other's elements
# Elements in code need no load, and each is an instruction.
FEW: Final = 16  # elements of a constant that are written into code
Index = Sequence[Expression]
Formula = Callable[["KernelElements", Node, Index], Parts]


@dataclass(frozen=True, slots=True)
class Lowering:
    """How an element of an operation's result is computed.

    Attributes:
        formula: The element at an index.
        admits: Whether it knows the element types of a node.
    """

    formula: Formula
    admits: Callable[[Node], bool]


LOWERINGS: Final[dict[str, Lowering]] = {}


def always(_: Node) -> bool:
    """Whether a lowering takes a node, for lowerings of all element types: yes."""
    return True


def lowers(*names: str, admits: Callable[[Node], bool] = always) -> Callable[[Formula], Formula]:
    """Registers how an element of an operation's result is computed."""

    def register(formula: Formula) -> Formula:
        for name in names:
            lowering = Lowering(formula, admits)
            registered = LOWERINGS.get(name)
            LOWERINGS[name] = lowering if registered is None else either(registered, lowering)
        return formula

    return register


def either(first: Lowering, second: Lowering) -> Lowering:
    """Two lowerings of an operation, for different element types."""

    def formula(elements: KernelElements, node: Node, index: Index) -> Parts:
        chosen = first if first.admits(node) else second
        return chosen.formula(elements, node, index)

    return Lowering(formula, lambda node: first.admits(node) or second.admits(node))


def element_type(tensor: Tensor) -> ElementType:
    """The element type of a tensor."""
    assert isinstance(tensor.type, TensorType)
    return tensor.type.element_type


def represent_elements(tensor: Tensor) -> Representation:
    """How the elements of a tensor are computed with; only for those that are."""
    return representation_of(element_type(tensor))


def buffer_of(tensor: Tensor, name: str) -> Buffer:
    """The buffer of a value that is in memory."""
    kind = represent_elements(tensor)
    return Buffer(name, kind.storage, kind.shape(tensor.shape))


class Missing(Exception):
    """Raised for an element that is nested too deeply.

    Attributes:
        tensor: The tensor.
        index: Where in it.
    """

    def __init__(self, tensor: Tensor, index: Index) -> None:
        super().__init__()
        self.tensor = tensor
        self.index = index


class KernelElements:
    """The elements of the tensors of one kernel.

    Attributes:
        table: What makes expressions.
        buffers: The tensors that are in memory.
        in_region: Whether these are values of a region, whose scalars are elements of tensors.
    """

    def __init__(
        self, table: Expressions, buffers: Mapping[Tensor, Buffer], *, in_region: bool = False
    ) -> None:
        self.table = table
        self.in_region = in_region
        self.buffers = dict(buffers)
        self.cache: dict[tuple[Tensor, tuple[Expression, ...]], Parts] = {}
        self.depth = 0  # formulas that wait for elements

    def is_one_number(self, node: Node) -> bool:
        """Whether the result is a tensor of rank 0, and not an element of a larger one."""
        return not node.results[0].shape and not self.in_region

    def at(self, tensor: Tensor, index: Index) -> Parts:
        """The element of a tensor: a load if it is in memory, else the expression of its operation.

        A program may be deeper than Python's stack. Where formulas have asked for elements too
        deeply, they are given up, what is missing is computed, and they are asked again.
        """
        key = (tensor, tuple(index))
        parts = self.cache.get(key)
        if parts is not None:
            return parts
        if self.depth >= DEEPEST:
            raise Missing(tensor, index)
        if self.depth:
            return self.compute_element(tensor, index)
        pending: list[tuple[Tensor, Index]] = [(tensor, index)]
        while pending:
            try:
                parts = self.compute_element(*pending[-1])
                pending.pop()
            except Missing as missing:
                pending.append((missing.tensor, missing.index))
        assert parts is not None
        return parts

    def compute_element(self, tensor: Tensor, index: Index) -> Parts:
        """Computes the element and stores it in the cache."""
        self.depth += 1
        try:
            parts = self.cache[tensor, tuple(index)] = self.element_expression(tensor, index)
        finally:
            self.depth -= 1
        return parts

    def element_expression(self, tensor: Tensor, index: Index) -> Parts:
        """Returns the element as an expression of the defining operation."""
        maker = tensor.node
        constant = written_constant(tensor)
        if constant is not None and not any(terms_of(position)[1] for position in index):
            place = tuple([terms_of(position)[0] for position in index])
            return constant_parts(self.table, represent_elements(tensor), constant[place])
        buffer = self.buffers.get(tensor)
        if buffer is not None:
            return represent_elements(tensor).load(self.table, buffer, index)
        assert maker is not None
        splat = splat_of(maker)
        if splat is not None:
            return constant_parts(self.table, represent_elements(tensor), splat)
        return LOWERINGS[maker.operation.name].formula(self, maker, index)

    def constant(self, value: int) -> Expression:
        """Returns an index that is the same in all iterations."""
        return self.table.sum(value, ())


def written_constant(tensor: Tensor) -> Any:
    """The elements of a constant that is so small that they are written into code; else None."""
    node = tensor.node
    if node is None or node.operation.name != "stablehlo.constant":
        return None
    value: Any = node.operation.attributes["value"]
    return value.array if not value.is_splat and value.data.size <= FEW else None


def splat_of(node: Node) -> Any:
    """The element that all elements of a constant are equal to; None if there is none."""
    if node.operation.name != "stablehlo.constant":
        return None
    value: Any = node.operation.attributes["value"]
    return value.data[0] if value.is_splat else None


def constant_parts(table: Expressions, kind: Representation, value: object) -> Parts:
    """A constant as a value: its storage, widened."""
    unsigned = f"u{BITS[kind.storage] // 8}"
    stored = [
        table.bits(int(number), kind.storage)
        for number in np.asarray(value).reshape(1).view(unsigned)
    ]
    return tuple(stored) if kind.parts > 1 else (kind.widen(stored[0]),)
