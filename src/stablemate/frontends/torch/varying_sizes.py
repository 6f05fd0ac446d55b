"""Sizes of an exported program that vary: the ranges that are declared, and checks of a call.

Source: PyTorch, torch.export.Dim, and the constraints of an ExportedProgram.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from operator import is_not
from typing import Any, Final, Literal, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.frontends.torch import pytorch

# The largest lower bound that PyTorch does not check: it assumes it of sizes without a range.
UNCHECKED: Final = 2


@dataclass(frozen=True, slots=True)
class SizeRange:
    """The sizes that a symbol may stand for.

    Attributes:
        kind: Whether it is a ``Dim`` or just a ``size``.
        name: Its name.
        low: The smallest one.
        high: The largest one; None if there is none.
    """

    kind: Literal["Dim", "size"]
    name: str
    low: int
    high: int | None

    def __str__(self) -> str:
        bounds = f"{self.low} to {self.high}" if self.high is not None else f"at least {self.low}"
        return f"the {self.kind} {self.name} is {bounds}"

    def __contains__(self, size: int) -> bool:
        return self.low <= size and (self.high is None or size <= self.high)


@dataclass(frozen=True, slots=True)
class VaryingDimension:
    """A dimension of an argument whose size varies: ``slope * symbol + start``.

    Attributes:
        argument: The argument of the program, by position.
        name: The name of the argument.
        number: The dimension.
        symbol: The symbol, as PyTorch writes it.
        slope: The factor of the symbol.
        start: What is added.
    """

    argument: int
    name: str
    number: int
    symbol: str
    slope: int = 1
    start: int = 0

    def __str__(self) -> str:
        return f"dimension {self.number} of the argument {self.name}"

    def formula(self, symbol: str) -> str:
        """Its size, computed from that of the symbol."""
        product = symbol if self.slope == 1 else f"{self.slope}*{symbol}"
        return f"{product}{self.start:+d}" if self.start else product


@dataclass(frozen=True, slots=True)
class VaryingSizes:
    """The sizes of a program that vary.

    Attributes:
        dimensions: The dimensions of its arguments that have them.
        ranges: The range of each symbol.
    """

    dimensions: Sequence[VaryingDimension] = ()
    ranges: Mapping[str, SizeRange] = field(default_factory=dict[str, SizeRange])

    def check(self, values: Sequence[object]) -> None:
        """Checks the sizes of the arguments of a call.

        Raises:
            ArgumentValueError: A size is not in its range, or two that are the same symbol differ.
        """
        found: dict[str, tuple[int, VaryingDimension]] = {}
        for dimension in self.dimensions:
            shape = getattr(values[dimension.argument], "shape", ())
            if dimension.number < len(shape):
                size = int(shape[dimension.number])
                number = self.number_of(dimension, size)
                self.reject_difference(dimension, size, number, found)

    def number_of(self, dimension: VaryingDimension, size: int) -> int:
        """The number that a symbol stands for, by the size of a dimension."""
        allowed = self.ranges[dimension.symbol]
        number, rest = divmod(size - dimension.start, dimension.slope)
        if rest:
            formula = dimension.formula(allowed.name)
            raise ArgumentValueError(f"{dimension} has size {size}, which is not {formula}")
        if number in allowed:
            return number
        said = f"{dimension} has size {size}"
        if (dimension.slope, dimension.start) != (1, 0):
            said += f", which is {dimension.formula(allowed.name)} for {allowed.name} = {number}"
        raise ArgumentValueError(f"{said}, but {allowed}")

    def reject_difference(
        self, dimension: VaryingDimension, size: int, number: int,
        found: dict[str, tuple[int, VaryingDimension]],
    ) -> None:  # fmt: skip
        """Refuses a size that makes a symbol another number than an earlier dimension does."""
        earlier, first = found.setdefault(dimension.symbol, (number, dimension))
        if earlier == number:
            return
        symbol = self.ranges[dimension.symbol]
        formulas = first.formula(symbol.name), dimension.formula(symbol.name)
        same = "both are" if formulas[0] == formulas[1] else f"they are {' and '.join(formulas)} of"
        raise ArgumentValueError(
            f"{first} has size {earlier * first.slope + first.start} and {dimension} has size "
            f"{size}, but {same} the {symbol.kind} {symbol.name}"
        )


def varying_sizes(
    dimensions: Sequence[VaryingDimension], constraints: Mapping[str, tuple[int, int]],
    declared: Mapping[tuple[str, int], object],
) -> VaryingSizes:  # fmt: skip
    """The sizes of a program that vary.

    Args:
        dimensions: The dimensions that have them.
        constraints: The least and the largest number of symbols, as PyTorch notes them.
        declared: Each ``torch.export.Dim`` by the argument's name and the dimension.
    """
    dims = {row.symbol: declared.get((row.name, row.number)) for row in reversed(dimensions)}
    ranges = {
        symbol: noted_range(symbol, constraints) if dim is None else declared_range(dim)
        for symbol, dim in dims.items()
    }
    return VaryingSizes(dimensions, ranges)


def declared_range(dim: Any) -> SizeRange:
    """The range of a ``torch.export.Dim``; that of ``2 * dim`` is that of ``dim``."""
    root = getattr(dim, "root", dim)
    return SizeRange("Dim", root.__name__, int(root.min), pytorch.finite_size(root.max))


def noted_range(symbol: str, constraints: Mapping[str, tuple[int, int]]) -> SizeRange:
    """The range of a symbol that nobody declared by name."""
    low, high = constraints.get(symbol, (0, pytorch.LARGEST))
    return SizeRange("size", symbol, low if low > UNCHECKED else 0, pytorch.finite_size(high))


def declared_dims(
    call: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object],
    dynamic_shapes: Any,
) -> Iterator[Mapping[int, object]]:  # fmt: skip
    """Each ``torch.export.Dim`` by dimension, for each leaf of arguments, then of keywords.

    Args:
        call: What has the parameters.
        arguments: Its positional arguments.
        keywords: Its other arguments.
        dynamic_shapes: As ``torch.export`` takes them.
    """
    for _, value, shapes in declared_shapes(call, arguments, keywords, dynamic_shapes):
        for shape in shapes_of_leaves(value, shapes):
            yield dict(dims_of(shape))


def declared_shapes(
    call: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object],
    dynamic_shapes: Any,
) -> Iterator[tuple[str, object, object]]:  # fmt: skip
    """Each argument by name, with what is declared of its sizes."""
    bound = inspect.signature(call).bind(*arguments, **keywords).arguments
    named = dynamic_shapes
    if hasattr(dynamic_shapes, "dynamic_shapes"):  # torch.export.ShapesCollection
        named = dynamic_shapes.dynamic_shapes(call, tuple(arguments), dict(keywords))
    if isinstance(dynamic_shapes, tuple | list):
        named = dict(zip(bound, cast("Sequence[Any]", dynamic_shapes), strict=False))
    by_position = inspect.signature(call).bind_partial(*arguments).arguments
    for name, value in [*by_position.items(), *keywords.items()]:
        yield name, value, named.get(name) if named else None


def reject_dimensions(
    call: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object],
    dynamic_shapes: object,
) -> None:  # fmt: skip
    """Refuses declared sizes of dimensions that arguments lack, for which PyTorch has no words.

    Raises:
        ArgumentValueError: There is one.
    """
    try:
        rows = list(declared_shapes(call, arguments, keywords, dynamic_shapes))
    except (TypeError, ValueError):  # the arguments are not those of the function
        return
    for name, value, shapes in rows:
        leaves = pytorch.pytree().tree_leaves(value)
        for leaf, declared in zip(leaves, shapes_of_leaves(value, shapes), strict=False):
            is_nested = getattr(leaf, "is_nested", False)  # such a tensor has no shape
            if isinstance(declared, Mapping) and not is_nested and hasattr(leaf, "shape"):
                reject_keys(name, len(leaf.shape), cast("Mapping[object, object]", declared))


def reject_keys(name: str, rank: int, declared: Iterable[object]) -> None:
    """Refuses an entry for a dimension that a tensor of this rank lacks."""
    for number in declared:
        if number not in range(rank):
            raise ArgumentValueError(
                f"dynamic_shapes has an entry for dimension {number!r} of a tensor with {rank} "
                f"dimensions in the argument {name}; they are counted from 0"
            )


def shapes_of_leaves(value: object, shape: object) -> Iterator[object]:
    """The declared sizes of each leaf of a tree; None where nothing is declared."""
    trees = pytorch.pytree()
    leaves, spec = trees.tree_flatten(value)
    if leaves == [] or spec == trees.tree_structure(0):
        yield from [shape] * len(leaves)
        return
    children: list[object] = trees.tree_leaves(value, is_leaf=partial(is_not, value))
    shapes: Iterable[object] = [None] * len(children)
    if isinstance(value, dict) and isinstance(shape, Mapping):
        by_key = cast("Any", shape)
        shapes = [by_key.get(key) for key in list(cast("Iterable[Any]", value))]
    elif isinstance(shape, tuple | list) and len(cast("Sequence[Any]", shape)) == len(children):
        shapes = cast("Sequence[Any]", shape)
    for child, part in zip(children, shapes, strict=True):
        yield from shapes_of_leaves(child, part)


def dims_of(shape: object) -> Iterator[tuple[int, object]]:
    """The dimensions for which a ``torch.export.Dim`` is declared."""
    pairs: Iterable[tuple[int, object]] = ()
    if isinstance(shape, Mapping):
        pairs = cast("Mapping[int, Any]", shape).items()
    elif isinstance(shape, tuple | list):
        pairs = enumerate(cast("Sequence[Any]", shape))
    for number, dim in pairs:
        if hasattr(dim, "min") and hasattr(dim, "__name__"):
            yield number, dim
