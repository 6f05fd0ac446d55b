"""Tensors of a program under construction.

::

    x = tensor_of(graph, block.arguments[0])
    y = maximum(x * 2 + 1, 0)

Operators and functions take tensors and Python numbers, and broadcast as NumPy does; a number
becomes a constant of the element type of the tensor that it meets. Element types are never
promoted: what a framework promotes, its front end converts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TypeAlias

from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
from stablemate.dialects.stablehlo.elementwise import (
    Abs,
    Add,
    And,
    Divide,
    Multiply,
    Negate,
    Not,
    Or,
    Subtract,
    Xor,
)
from stablemate.frontends.tensor_functions.graph import (
    SIZE,
    WIDE,
    Number,
    Shape,
    SizeLike,
    TensorGraph,
    array_of,
    is_empty,
    is_static,
    type_of,
)
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    BOOLEAN,
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)
from stablemate.numerics.symbolic_sizes import SymbolicSize

TensorLike: TypeAlias = "Tensor | Number | SymbolicSize"
TypeLike: TypeAlias = tuple[Sequence[SizeLike], ElementType]  # sizes and element type of a tensor


class Tensor:
    """A tensor in a graph.

    Attributes:
        graph: The graph that operations on it are created in.
        value: The value of the program.
        shape: Its sizes.
    """

    __slots__ = ("graph", "shape", "value")

    def __init__(self, graph: TensorGraph, value: Value[TensorType], shape: Shape) -> None:
        self.graph = graph
        self.value = value
        self.shape = shape

    @property
    def element(self) -> ElementType:
        """The element type of the value in the graph."""
        return self.value.type.element_type

    @property
    def rank(self) -> int:
        """The number of dimensions, also of those whose sizes vary."""
        return len(self.shape)

    @property
    def size(self) -> SizeLike:
        """The number of elements, symbolic where a size is."""
        return prod(self.shape)

    @property
    def is_static(self) -> bool:
        """Whether every size is a number."""
        return is_static(self.shape)

    @property
    def is_empty(self) -> bool:
        """Whether it is known to have no elements."""
        return is_empty(self.shape)

    @property
    def is_float(self) -> bool:
        """Whether the elements are floats."""
        return isinstance(self.element, FloatType)

    @property
    def is_complex(self) -> bool:
        """Whether the elements are complex."""
        return isinstance(self.element, ComplexType)

    @property
    def is_integer(self) -> bool:
        """Whether the elements are integers; booleans are none."""
        return isinstance(self.element, IntegerType) and not self.element.is_boolean

    @property
    def is_boolean(self) -> bool:
        """Whether the elements are booleans."""
        return self.element == BOOLEAN

    def dimension(self, number: int) -> int:
        """A dimension by its number, which counts from the end if it is negative."""
        return number % self.rank if self.rank else 0

    def within(self, graph: TensorGraph) -> Tensor:
        """The same value, operations on which are created in another graph."""
        return Tensor(graph, self.value, self.shape)

    def convert(self, element: ElementType) -> Tensor:
        """The elements as another type: rounded, wrapped, or compared with zero for booleans."""
        if element == self.element:
            return self
        return emit(self.graph, Convert, self.shape, element, operand=self.value)

    def broadcast(self, shape: Sequence[SizeLike], dimensions: Sequence[int]) -> Tensor:
        """The tensor repeated to a shape; dimension i becomes dimension ``dimensions[i]``."""
        sizes = tuple(shape)
        if same_shape(sizes, self.shape) and list(dimensions) == [*range(self.rank)]:
            return self
        fields: dict[str, object] = {
            "operand": self.value,
            "broadcast_dimensions": tuple(dimensions),
        }
        if is_static(sizes):
            return emit(self.graph, BroadcastInDim, sizes, self.element, **fields)
        fields["output_dimensions"] = self.graph.size_vector(sizes)
        return emit(self.graph, DynamicBroadcastInDim, sizes, self.element, **fields)

    def broadcast_to(self, shape: Sequence[SizeLike]) -> Tensor:
        """The tensor repeated to a shape, to whose last dimensions its own correspond."""
        first = len(shape) - self.rank
        return self.broadcast(shape, range(first, len(shape)))

    def __add__(self, other: TensorLike) -> Tensor:
        return binary(Add, self, other)

    def __radd__(self, other: Number) -> Tensor:
        return binary(Add, other, self)

    def __sub__(self, other: TensorLike) -> Tensor:
        return binary(Subtract, self, other)

    def __rsub__(self, other: Number) -> Tensor:
        return binary(Subtract, other, self)

    def __mul__(self, other: TensorLike) -> Tensor:
        return binary(Multiply, self, other)

    def __rmul__(self, other: Number) -> Tensor:
        return binary(Multiply, other, self)

    def __truediv__(self, other: TensorLike) -> Tensor:
        """The quotient; of integers it is rounded towards zero."""
        return binary(Divide, self, other)

    def __rtruediv__(self, other: Number) -> Tensor:
        return binary(Divide, other, self)

    def __neg__(self) -> Tensor:
        return unary(Negate, self)

    def __abs__(self) -> Tensor:
        """The absolute value; of a complex number a float."""
        return unary(Abs, self, real_part(self.element))

    def __and__(self, other: TensorLike) -> Tensor:
        return binary(And, self, other)

    def __or__(self, other: TensorLike) -> Tensor:
        return binary(Or, self, other)

    def __xor__(self, other: TensorLike) -> Tensor:
        return binary(Xor, self, other)

    def __invert__(self) -> Tensor:
        return unary(Not, self)

    def __lt__(self, other: TensorLike) -> Tensor:
        return compare(ComparisonDirection.LT, self, other)

    def __le__(self, other: TensorLike) -> Tensor:
        return compare(ComparisonDirection.LE, self, other)

    def __gt__(self, other: TensorLike) -> Tensor:
        return compare(ComparisonDirection.GT, self, other)

    def __ge__(self, other: TensorLike) -> Tensor:
        return compare(ComparisonDirection.GE, self, other)

    def equals(self, other: TensorLike) -> Tensor:
        """Where the elements are equal."""
        return compare(ComparisonDirection.EQ, self, other)

    def differs(self, other: TensorLike) -> Tensor:
        """Where the elements are not equal; NaN differs from itself."""
        return compare(ComparisonDirection.NE, self, other)


def tensor_of(
    graph: TensorGraph, value: Value[TensorType], shape: Sequence[SizeLike] | None = None
) -> Tensor:
    """A value as a tensor; its sizes must be stated if its type does not have them."""
    assert shape is not None or value.type.is_static, "a size that nobody knows"
    return Tensor(graph, value, value.type.shape if shape is None else tuple(shape))


def constant(graph: TensorGraph, values: Array, element: ElementType | None = None) -> Tensor:
    """A constant tensor; equal small ones are created once."""
    return Tensor(graph, graph.constant(values, element), values.shape)


def scalar(graph: TensorGraph, number: Number, element: ElementType) -> Tensor:
    """A constant of rank 0, rounded to the element type; integers wrap."""
    return constant(graph, array_of(number, element), element)


def full(
    graph: TensorGraph, shape: Sequence[SizeLike], number: Number, element: ElementType
) -> Tensor:
    """A tensor filled with a number."""
    sizes = tuple(shape)
    if not is_static(sizes):
        return scalar(graph, number, element).broadcast_to(sizes)
    return Tensor(graph, graph.literal(type_of(sizes, element), array_of(number, element)), sizes)


def size_tensor(graph: TensorGraph, size: SizeLike, element: ElementType) -> Tensor:
    """A size as a tensor of rank 0."""
    if isinstance(size, int):
        return scalar(graph, size, element)
    computed = SIZE if element == SIZE or not graph.is_wide(size) else WIDE
    return Tensor(graph, graph.size(size, computed), ()).convert(element)


def emit(
    graph: TensorGraph,
    cls: type[Operation],
    shape: Sequence[SizeLike],
    element: ElementType,
    **fields: object,
) -> Tensor:
    """The single result of a new operation, whose type the caller knows."""
    return Tensor(graph, graph.create(cls, type_of(shape, element), **fields), tuple(shape))


def emit_several(
    graph: TensorGraph, cls: type[Operation], types: Sequence[TypeLike], **fields: object
) -> list[Tensor]:
    """The results of a new operation, whose types the caller knows."""
    results = [type_of(shape, element) for shape, element in types]
    operation = graph.builder.create(cls, results=results, **fields)
    return [
        Tensor(graph, result, tuple(shape))
        for result, (shape, _) in zip(operation.results, types, strict=True)
    ]


def region(
    graph: TensorGraph, types: Sequence[TypeLike], body: Callable[..., None], *, captures: bool
) -> Region:
    """A region of one block; ``body(graph, *arguments)`` fills it.

    Args:
        graph: The graph around it.
        types: The types of the arguments.
        body: Creates the operations, the terminator included.
        captures: Whether it may use values of the graph around it.
    """
    block = Block([type_of(shape, element) for shape, element in types])
    inner = graph.inside(block, captures=captures)
    arguments = [
        Tensor(inner, argument, tuple(shape))
        for argument, (shape, _) in zip(block.arguments, types, strict=True)
    ]
    body(inner, *arguments)
    return Region([block])


# elementwise operations, which operators need


def unary(cls: type[Operation], x: Tensor, element: ElementType | None = None) -> Tensor:
    """An operation on each element; its result is of the same type unless another is stated."""
    return emit(x.graph, cls, x.shape, element or x.element, operand=x.value)


def binary(cls: type[Operation], lhs: TensorLike, rhs: TensorLike) -> Tensor:
    """An operation on corresponding elements of two operands of one element type."""
    x, y = broadcast_together(lhs, rhs)
    return emit(x.graph, cls, x.shape, x.element, lhs=x.value, rhs=y.value)


def compare(direction: ComparisonDirection, lhs: TensorLike, rhs: TensorLike) -> Tensor:
    """A comparison of corresponding elements."""
    x, y = broadcast_together(lhs, rhs)
    return emit(
        x.graph, Compare, x.shape, BOOLEAN, lhs=x.value, rhs=y.value,
        comparison_direction=direction,
    )  # fmt: skip


def broadcast_together(*operands: TensorLike) -> list[Tensor]:
    """Tensors and numbers, repeated to the shape that NumPy's rule gives them.

    Numbers and sizes get the element type of the first tensor.
    """
    tensors = [operand for operand in operands if isinstance(operand, Tensor)]
    graph, element = tensors[0].graph, tensors[0].element
    shape = broadcast_shape(*[tensor.shape for tensor in tensors])
    return [
        operand.broadcast_to(shape)
        if isinstance(operand, Tensor)
        else fill(graph, shape, operand, element)
        for operand in operands
    ]


def fill(
    graph: TensorGraph, shape: Shape, value: Number | SymbolicSize, element: ElementType
) -> Tensor:
    """A tensor of which each element is a number or a size."""
    if isinstance(value, SymbolicSize):
        return size_tensor(graph, value, element).broadcast_to(shape)
    return full(graph, shape, value, element)


def broadcast_shape(*shapes: Shape) -> Shape:
    """The shape of elementwise operations on tensors of these shapes.

    Sizes of 1 are repeated; a symbolic size is never 1.
    """
    rank = max(len(shape) for shape in shapes)
    aligned = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return tuple([common_size(sizes) for sizes in zip(*aligned, strict=True)])


def common_size(sizes: Sequence[SizeLike]) -> SizeLike:
    """The size to which others are repeated: one that is not 1; a number where there is one."""
    large = [size for size in sizes if not (isinstance(size, int) and size == 1)]
    numbers = [size for size in large if isinstance(size, int)]
    return (*numbers, *large, 1)[0]


def same_shape(one: Sequence[SizeLike], other: Sequence[SizeLike]) -> bool:
    """Whether two shapes are known to be equal; nothing is assumed to compare them."""
    return len(one) == len(other) and all(
        a is b or size_key(a) == size_key(b) for a, b in zip(one, other, strict=True)
    )


def size_key(size: SizeLike) -> object:
    """Equal for sizes that are known to be equal."""
    return size if isinstance(size, int) else size.key


def real_part(element: ElementType) -> ElementType:
    """The element type of the parts of complex numbers; other types are themselves."""
    return element.element if isinstance(element, ComplexType) else element
