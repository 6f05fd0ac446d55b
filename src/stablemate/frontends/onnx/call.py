"""A call of an operator in a model, as the function of the operator sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.frontends.onnx.model import Graph, Node
from stablemate.frontends.onnx.stored_numbers import StoredNumbers
from stablemate.frontends.onnx.text_tensors import StringTable, TextTensor
from stablemate.frontends.tensor_functions.compaction import value_size
from stablemate.frontends.tensor_functions.graph import SizeLike, TensorGraph
from stablemate.frontends.tensor_functions.known_values import KnownValues
from stablemate.frontends.tensor_functions.movement import reshape, take_index
from stablemate.frontends.tensor_functions.tensor import Tensor, constant
from stablemate.ir.core import OpResult, Value
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array, FloatType

RANDOM_KEY: Final = "random_key"  # the argument from which random numbers are drawn


class ValueNeededError(UnsupportedError):
    """The values of some inputs must be known when a model is imported.

    Attributes:
        names: These inputs.
    """

    names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an operator.

    Attributes:
        graph: Where its operations go.
        node: The node, with attributes that are resolved.
        version: The version of the operator's domain.
        known: What is known of values before the program runs.
        key: Returns the scalar of 64 bits from which random numbers are drawn.
        stream: A number that no other call of the program has.
        subgraph: The outputs of a graph that is an attribute, in a graph, for inputs.
        argument_names: The names of the model's inputs among some values.
        texts: The strings of the model.
        stored: The numbers of 8 bits that floats come from, by these floats.
    """

    graph: TensorGraph
    node: Node
    version: int
    known: KnownValues
    key: Callable[[], Tensor]
    stream: int
    subgraph: Callable[[Graph, TensorGraph, Sequence[Any]], list[Any]]
    argument_names: Callable[[Sequence[Value[Type]]], Sequence[str]]
    texts: StringTable
    stored: dict[Value[Any], StoredNumbers]

    @property
    def name(self) -> str:
        """The operator with its domain, as messages name it."""
        return self.node.qualified_operator

    @property
    def outputs(self) -> int:
        """How many outputs are wanted, those in between included."""
        return len(self.node.outputs)

    @property
    def attributes(self) -> Mapping[str, object]:
        """The attributes that the node states."""
        return self.node.attributes

    def wants(self, output: int) -> bool:
        """Whether the model has a name for an output."""
        return output < self.outputs and bool(self.node.outputs[output])

    def within(self, graph: TensorGraph) -> Call:
        """The same call, whose operations are created in another graph."""
        return replace(self, graph=graph)

    def array(self, x: Tensor) -> Array | None:
        """The elements of a tensor, if they are numbers that are known; else None."""
        array = self.known.array(x)
        return None if array is None or array.dtype == object else array

    def needed_array(self, x: Tensor, what: str) -> Array:
        """The elements of a tensor.

        Args:
            x: The tensor.
            what: What messages call it.

        Raises:
            ValueNeededError: They are not known.
        """
        array = self.array(x)
        return self.need(x, what) if array is None else array

    def numbers(self, x: Tensor, what: str, *, least: int = 0) -> list[SizeLike]:
        """The elements of a tensor of integers, which may be sizes, in order.

        Those that are computed from floats are sizes that only a run knows.

        Args:
            x: The tensor.
            what: What messages call it.
            least: What no element is less than.

        Raises:
            ValueNeededError: They are not known.
        """
        array = self.known.array(x)
        if array is None and x.is_static and self.depends_on_floats(x):
            return [self.number(element, least) for element in elements_of(x)]
        return list((self.need(x, what) if array is None else array).reshape(-1).tolist())

    def number(self, x: Tensor, least: int) -> SizeLike:
        """An integer that is known, or as a size that only a run knows."""
        array = self.known.array(x)
        known: SizeLike = value_size(x, least) if array is None else array.item()
        return known

    def depends_on_floats(self, x: Tensor) -> bool:
        """Whether a value is computed from floats, so that no program is made for its values."""
        return any(map(has_floats, self.known.arguments_of(x.value)))

    def is_computed_in_floats(self, x: Tensor) -> bool:
        """Whether a value is unknown and comes from floats, those of the model among them."""
        return self.array(x) is None and any(map(has_floats, self.known.sources_of(x.value)))

    def integers(self, x: Tensor, what: str) -> list[int]:
        """The elements of a tensor of integers, in order.

        Raises:
            ValueNeededError: They are not known, or depend on sizes that are not.
        """
        return [int(number) for number in self.needed_array(x, what).reshape(-1).tolist()]

    def need(self, x: Tensor, what: str) -> NoReturn:
        """Refuses a call because elements are not known.

        Raises:
            ValueNeededError: Always; it names the inputs of the model that they depend on.
        """
        names = self.argument_names(self.known.arguments_of(x.value))
        listed = ", ".join(names) or "values that it computes"
        error = ValueNeededError(
            f"{self.name}: {what} must be known before the model runs, and depends on {listed}"
        )
        error.names = names
        raise error

    def text_numbers(self, texts: Array | TextTensor) -> Tensor:
        """The numbers of strings in the table of the model."""
        if isinstance(texts, TextTensor):
            return texts.numbers
        return constant(self.graph, self.texts.numbers(texts))

    def refuse(self, what: str) -> NoReturn:
        """Refuses a call.

        Raises:
            UnsupportedError: Always; it names the operator.
        """
        raise UnsupportedError(f"{self.name}: {what}")


def has_floats(value: Value[Type]) -> bool:
    """Whether a value is a tensor of floats."""
    return isinstance(value.type, TensorType) and isinstance(value.type.element_type, FloatType)


def elements_of(x: Tensor) -> list[Tensor]:
    """The elements of a tensor of known sizes as scalars, as they were before they were joined."""
    source = x.value.operation if isinstance(x.value, OpResult) else None
    if source is not None and source.name == "stablehlo.concatenate" and x.rank == 1:
        types = [value.type for value in source.operands]
        shapes = [t.shape if isinstance(t, TensorType) else () for t in types]
        parts = zip(source.operands, shapes, strict=True)
        return [e for value, n in parts for e in elements_of(Tensor(x.graph, value, n))]
    if source is not None and source.name == "stablehlo.convert":
        (value,) = source.operands
        before = elements_of(Tensor(x.graph, value, x.shape))
        return [element.convert(x.element) for element in before]
    flat = reshape(x, (x.size,))
    return [take_index(flat, 0, i) for i in range(x.value.type.size)]
