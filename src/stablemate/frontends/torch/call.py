"""A call of an operator in a graph, as the function of the operator sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.registry import class_of
from stablemate.frontends.tensor_functions.elementwise import clamp, maximum
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.graph import Number, Shape, TensorGraph
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    TypeLike,
    emit_several,
    scalar,
    size_tensor,
)
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.promotion import INT64, promoted_element
from stablemate.ir.definition import definition_of
from stablemate.numerics.elements import F32, SIMPLE_ELEMENTS, ElementType
from stablemate.numerics.symbolic_sizes import SymbolicSize

Operand: TypeAlias = Tensor | Number | SymbolicSize
F8E4M3FN: Final = SIMPLE_ELEMENTS["f8E4M3FN"]
F8E8M0FNU: Final = SIMPLE_ELEMENTS["f8E8M0FNU"]
LARGEST_E4M3FN: Final = 448.0
INT32: Final = SIMPLE_ELEMENTS["i32"]
LEAST_E8M0FNU: Final = 2.0**-127
# The types that floats are converted to before they are converted to narrower or unsigned ones.
WRAPPED_THROUGH: Final[Mapping[ElementType, ElementType]] = {
    **dict.fromkeys([SIMPLE_ELEMENTS[name] for name in ("i8", "i16", "ui8", "ui16")], INT32),
    SIMPLE_ELEMENTS["ui32"]: INT64,
}


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an operator.

    Attributes:
        graph: Where its operations go.
        name: The operator, such as ``aten.add.Tensor``.
        types: The shape and element type of each result, as PyTorch infers them; None for a result
            that is no tensor.
        key: Returns the scalar of 64 bits from which random numbers are drawn.
        stream: A number that no other call of the program has.
        row_major: Whether each positional argument lies in row-major order in PyTorch, if it is a
            tensor.
        examples: The positional arguments as PyTorch traces them: fake tensors and symbols.
        subgraph: Calls a graph of a higher-order operator, given as its argument.
    """

    graph: TensorGraph
    name: str
    types: Sequence[tuple[Shape, ElementType] | None]
    key: Callable[[], Tensor]
    stream: int
    row_major: Sequence[bool]
    examples: Sequence[Any]
    subgraph: Callable[[Any, TensorGraph, Sequence[Any]], list[Any]]

    @property
    def shape(self) -> Shape:
        """The shape of the first result."""
        assert self.types[0] is not None
        return self.types[0][0]

    @property
    def element(self) -> ElementType:
        """The element type of the first result."""
        assert self.types[0] is not None
        return self.types[0][1]

    def tensor(self, operand: Operand, element: ElementType | None = None) -> Tensor:
        """An operand as a tensor of an element type; by default that of the first result."""
        wanted = element or self.element
        if isinstance(operand, Tensor):
            return operand.convert(wanted)
        if isinstance(operand, SymbolicSize):
            return size_tensor(self.graph, operand, wanted)
        return scalar(self.graph, operand, wanted)

    def tensors(self, *operands: Operand, element: ElementType | None = None) -> list[Tensor]:
        """Operands as tensors of one element type; by default that of the first result."""
        return [self.tensor(operand, element) for operand in operands]

    def promote(self, *operands: Operand) -> list[Tensor]:
        """Operands as tensors of the element type that PyTorch promotes them to."""
        known = [0 if isinstance(operand, SymbolicSize) else operand for operand in operands]
        return self.tensors(*operands, element=promoted_element(known))

    def scale(self, x: Tensor, factor: Operand) -> Tensor:
        """A tensor times a number, which is often 1."""
        return x if is_number(factor, 1) else x * self.tensor(factor, x.element)

    def operation(
        self, name: str, *operands: Tensor | Sequence[Tensor],
        types: Sequence[TypeLike] | None = None, **attributes: object,
    ) -> object:  # fmt: skip
        """The result of a new operation of StableHLO or CHLO; a list of them if there are several.

        Args:
            name: The operation, such as ``stablehlo.cosine``.
            *operands: Its operands in order; a list for a variadic one.
            types: The sizes and element type of each result; by default those of the call.
            **attributes: Its attributes as values of Python, and ``regions``.

        Raises:
            UnsupportedError: There is no such operation.
        """
        cls = class_of(name)
        if cls is None:
            self.refuse(f"there is no operation {name}")
        fields = [operand.name for operand in definition_of(cls).operands]
        values = [
            x.value if isinstance(x, Tensor) else [item.value for item in x] for x in operands
        ]
        known = [known for known in self.types if known is not None] if types is None else types
        named = dict(zip(fields, values, strict=False)) | attributes
        results = emit_several(self.graph, cls, known, **named)
        return results[0] if len(results) == 1 else results

    def within(self, graph: TensorGraph) -> Call:
        """The same call, whose operations are created in another graph."""
        return replace(self, graph=graph)

    def to_compute_type(self, x: Tensor) -> Tensor:
        """A tensor in the element type of intermediate results: float32 for narrower floats."""
        return to_compute_type(x)

    def cast(self, operand: Operand) -> Tensor:
        """An operand as the element type of the first result, rounded as PyTorch rounds it.

        Numbers beyond those of float8_e4m3fn become the largest; signs are lost in float8_e8m0fnu,
        and zeros are its least number. Floats wrap in narrow integers, as in C where they are
        converted to int first: -1.0 is 255 in uint8.
        """
        if isinstance(operand, Tensor) and operand.is_float:
            operand = operand.convert(WRAPPED_THROUGH.get(self.element, operand.element))
        if not isinstance(operand, Tensor) or self.element not in (F8E4M3FN, F8E8M0FNU):
            return self.tensor(operand)
        x = operand.convert(F32)
        if self.element == F8E8M0FNU:
            return maximum(abs(x), LEAST_E8M0FNU).convert(self.element)
        return clamp(-LARGEST_E4M3FN, x, LARGEST_E4M3FN).convert(self.element)

    def refuse(self, what: str) -> NoReturn:
        """Refuses a call.

        Raises:
            UnsupportedError: Always; it names the operator.
        """
        raise UnsupportedError(f"{self.name}: {what}")


def is_number(operand: Operand, number: int) -> bool:
    """Whether an operand is this number."""
    return isinstance(operand, int | float | complex) and operand == number


def per_dimension(numbers: Sequence[int], rank: int) -> tuple[int, ...]:
    """A number for each dimension, of which a single one is that of all."""
    return tuple(numbers) * rank if len(numbers) == 1 else tuple(numbers)


def memory_order(value: Any) -> tuple[int, ...] | None:
    """The dimensions of a tensor in the order in which they lie in memory.

    None if that is the order of its dimensions, or if its elements do not lie densely.
    """
    order = stride_order(value)
    return order if order is not None and is_contiguous(value.permute(order)) else None


def stride_order(value: Any) -> tuple[int, ...] | None:
    """The dimensions of a tensor by descending strides, also if its elements do not lie densely.

    None if it lies in row-major order. Sizes that depend on values count as large.
    """
    if is_contiguous(value):
        return None
    strides = [pytorch.likely_size(stride) for stride in value.stride()]
    return tuple(sorted(range(len(strides)), key=lambda i: -strides[i]))


def repeated_dimensions(value: Any) -> list[int]:
    """The dimensions of a tensor along which it repeats elements that lie densely in memory."""
    strides = [pytorch.example_size(stride) for stride in value.stride()]
    sizes = [pytorch.example_size(size) for size in value.shape]
    repeated = [i for i, stride in enumerate(strides) if stride == 0 and sizes[i] not in (0, 1)]
    once = value
    for dimension in reversed(repeated):
        once = once.select(dimension, 0)
    is_dense = is_contiguous(once) or memory_order(once) is not None
    return repeated if is_dense else []


def is_contiguous(value: Any) -> bool:
    """Whether a tensor lies in row-major order; not if that depends on sizes that are not known."""
    try:
        return bool(value.is_contiguous())
    except Exception:  # PyTorch asks for the value of a size that depends on values
        return False
