"""Random programs of operations that sum or fold, with operands on which the order shows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import (
    BF16,
    COMPLEX64,
    COMPLEX128,
    F16,
    F32,
    F64,
    I8,
    I32,
    UI16,
    Array,
    ComplexType,
    ElementType,
    FloatType,
)
from stablemate.numerics.rounding import round_float
from tests.properties.reference_order.bodies import Body, any_body, identity_of, monoid_body

FLOATS: Final = (F32, F32, F64, F64, BF16, F16, FloatType("f8E4M3FN"), FloatType("f8E5M2"))
ELEMENTS: Final = (*FLOATS, COMPLEX64, COMPLEX128, I32, I8, UI16)
WIDER: Final = {BF16: F32, F16: F32, F32: F64}  # results of dots of narrower operands


@dataclass(frozen=True, slots=True)
class Case:
    """A program and its arguments.

    Attributes:
        name: The operation.
        text: The module, with one function ``main``.
        arguments: Arrays for it.
        is_ordered: Whether its body is no monoid, so that native code keeps the order too.
        has_several: Whether it has several results.
    """

    name: str
    text: str
    arguments: Sequence[Array]
    is_ordered: bool = False
    has_several: bool = False


class Draw:
    """Random choices, and the arguments that have been drawn."""

    def __init__(self, seed: int, number: int) -> None:
        self.random = np.random.default_rng((seed, number))
        self.types: list[TensorType] = []
        self.arguments: list[Array] = []
        self.is_ordered = False  # whether the body that was drawn is no monoid

    def integer(self, low: int, high: int) -> int:
        """An integer from ``low`` to ``high``."""
        return int(self.random.integers(low, high + 1))

    def one_of(self, items: Sequence[Any]) -> Any:
        """One of the items."""
        return items[self.integer(0, len(items) - 1)]

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.integer(1, 100) <= percent

    def integers(self, count: int, low: int, high: int) -> list[int]:
        """So many integers."""
        return [self.integer(low, high) for _ in range(count)]

    def permutation(self, count: int) -> list[int]:
        """The numbers below ``count`` in some order."""
        return [int(i) for i in self.random.permutation(count)]

    def values(self, element: ElementType, shape: Sequence[int]) -> Array:
        """Numbers of very different sizes, with few zeros and infinities among them."""
        if isinstance(element, ComplexType):
            parts = [self.values(element.element, shape) for _ in range(2)]
            joined = np.empty(tuple(shape), element.dtype)
            joined.real, joined.imag = parts
            return joined
        spread = 8 if element.bits == 64 else 4 if element.bits == 32 else 2
        numbers = self.random.normal(size=tuple(shape)) * np.exp(
            self.random.uniform(-spread, spread, size=tuple(shape))
        )
        if not isinstance(element, FloatType):
            info = np.iinfo(element.dtype)
            return self.random.integers(info.min, info.max, tuple(shape), endpoint=True).astype(
                element.dtype
            )
        if self.chance(15):
            rare = self.random.choice([0.0, -0.0, np.inf, -np.inf], size=tuple(shape))
            numbers = np.where(self.random.random(tuple(shape)) < 0.05, rare, numbers)
        return np.asarray(round_float(np.asarray(numbers), element))

    def argument(self, element: ElementType, *shape: int, value: Any = None) -> str:
        """The name of a new argument of ``main``."""
        self.types.append(tensor(element, *shape))
        values = self.values(element, shape) if value is None else value
        self.arguments.append(np.asarray(values).astype(element.dtype).reshape(shape))
        return f"%a{len(self.types) - 1}"

    def case(self, name: str, lines: str, results: Sequence[TensorType], more: str = "") -> Case:
        """The case of a program whose results are those of the operation ``%r``."""
        arguments = ", ".join(f"%a{i}: {argument}" for i, argument in enumerate(self.types))
        one = len(results) == 1
        values = "%r" if one else ", ".join(f"%r#{i}" for i in range(len(results)))
        types = ", ".join(map(str, results))
        text = (
            f"func.func @main({arguments}) -> ({types}) {{\n"
            f"  %r{'' if one else f':{len(results)}'} = {lines}\n"
            f"  return {values} : {types}\n}}\n{more}"
        )
        return Case(name, text, self.arguments, self.is_ordered, not one)

    def signature(self, results: Sequence[TensorType]) -> str:
        """The type of an operation on all arguments."""
        return f"({', '.join(map(str, self.types))}) -> ({', '.join(map(str, results))})"


def array(name: str, numbers: Sequence[int]) -> str:
    """A property that holds integers."""
    listed = ": " + ", ".join(map(str, numbers)) if numbers else ""
    return f"{name} = array<i64{listed}>"


def pairs(name: str, numbers: Sequence[Sequence[int]]) -> str:
    """A property that holds a matrix of padding."""
    return f"{name} = dense<{[list(pair) for pair in numbers]}> : tensor<{len(numbers)}x2xi64>"


def dot_general(draw: Draw) -> Case:
    """A dot of dimensions in any order."""
    element = draw.one_of(ELEMENTS)
    result = WIDER[element] if element in WIDER and draw.chance(30) else element
    batch, inner = draw.integer(0, 2), draw.integer(0, 2)
    sizes = [draw.integers(batch, 1, 3), draw.integers(inner, 1, 9 if inner == 1 else 5)]
    if inner == 1 and draw.chance(5):
        sizes[1] = [draw.integer(100, 300)]
    free = [draw.integers(draw.integer(0, 2), 1, 4) for _ in range(2)]
    operands, roles, kept = list[str](), list[list[int]](), list[int]()
    for own in free:
        shape = [*sizes[0], *sizes[1], *own]
        order = draw.permutation(len(shape))
        roles.append([order.index(i) for i in range(batch + inner)])
        kept += [shape[i] for i in order if i >= batch + inner]
        operands.append(draw.argument(element, *[shape[i] for i in order]))
    (lhs, rhs), output = roles, tensor(result, *sizes[0], *kept)
    numbers = (
        f"#stablehlo.dot<lhs_batching_dimensions = {lhs[:batch]}, "
        f"rhs_batching_dimensions = {rhs[:batch]}, lhs_contracting_dimensions = {lhs[batch:]}, "
        f"rhs_contracting_dimensions = {rhs[batch:]}>"
    )
    line = (
        f'"stablehlo.dot_general"({", ".join(operands)}) <{{dot_dimension_numbers = {numbers}}}> '
        f": {draw.signature([output])}"
    )
    return draw.case("dot_general", line, [output])


def convolution(draw: Draw) -> Case:
    """A convolution with any windows, groups and dimension numbers.

    Its elements are those of the result: jaxlib's reference adds up in the type of the operands,
    its successor in that of the result, as we do.
    """
    element, n = draw.one_of(ELEMENTS), draw.integer(0, 3)
    groups = {"feature_group_count": 1, "batch_group_count": 1}
    if draw.chance(40):
        groups[draw.one_of(list(groups))] = draw.integer(2, 3)
    features, batches = groups.values()
    ins, outs = draw.integer(1, 3), draw.integer(1, 2) * features * batches
    batch = draw.integer(1, 2) * batches
    spatial, kernel = draw.integers(n, 1, 5), draw.integers(n, 1, 3)
    strides, lhs_dilation, rhs_dilation = (draw.integers(n, 1, 2) for _ in range(3))
    padding = [draw.integers(2, -1 if draw.chance(10) else 0, 2) for _ in range(n)]
    extents = [
        (size - 1) * gap + 1 + low + high
        for size, gap, (low, high) in zip(spatial, lhs_dilation, padding, strict=True)
    ]
    counts = [
        (extent - ((size - 1) * gap + 1)) // stride + 1
        for extent, size, gap, stride in zip(extents, kernel, rhs_dilation, strides, strict=True)
    ]
    if any(count <= 0 for count in counts) or any(extent <= 0 for extent in extents):
        return convolution(draw)
    lhs, rhs = draw.permutation(n + 2), draw.permutation(n + 2)
    output = draw.permutation(n + 2)
    if output.index(0) > output.index(1):  # the reference takes one for the other
        i, j = output.index(0), output.index(1)
        output[i], output[j] = 1, 0
    shapes = [
        ([batch, ins * features, *spatial], lhs),
        ([ins, outs, *kernel], rhs),
        ([batch // batches, outs, *counts], output),
    ]
    operands = [draw.argument(element, *[shape[i] for i in order]) for shape, order in shapes[:2]]
    type_ = tensor(element, *[shapes[2][0][i] for i in output])
    names = [
        "[" + ", ".join((*first, *map(str, range(n)))[i] for i in order) + "]"
        for first, order in zip(("bf", "io", "bf"), (lhs, rhs, output), strict=True)
    ]
    reversal = [draw.one_of(("true", "false")) for _ in range(n)]
    properties = [
        f"dimension_numbers = #stablehlo.conv<{names[0]}x{names[1]}->{names[2]}>",
        *(f"{name} = {count} : i64" for name, count in groups.items()),
        array("window_strides", strides),
        array("lhs_dilation", lhs_dilation),
        array("rhs_dilation", rhs_dilation),
        *([pairs("padding", padding)] if n else []),
        *([f"window_reversal = array<i1: {', '.join(reversal)}>"] if n else []),
    ]
    line = (
        f'"stablehlo.convolution"({", ".join(operands)}) <{{{", ".join(properties)}}}> '
        f": {draw.signature([type_])}"
    )
    return draw.case("convolution", line, [type_])


def folded(draw: Draw) -> tuple[list[ElementType], Body, list[int]]:
    """Element types, a body and a shape."""
    body = any_body(draw, ELEMENTS)
    shape = draw.integers(draw.integer(0, 3), 0 if draw.chance(5) else 1, 5)
    if shape and draw.chance(5):
        shape[draw.integer(0, len(shape) - 1)] = draw.integer(50, 200)
    return list(body.elements), body, shape


def operands_of(draw: Draw, body: Body, shape: Sequence[int]) -> str:
    """Inputs and initial values for a body."""
    inputs = [draw.argument(element, *shape) for element in body.elements]
    plain = draw.chance(40)
    starts = [
        draw.argument(element, value=identity_of(body, element) if plain else None)
        for element in body.elements
    ]
    return ", ".join([*inputs, *starts])


def reduce(draw: Draw) -> Case:
    """A reduction of one or two tensors."""
    elements, body, shape = folded(draw)
    dimensions = [d for d in draw.permutation(len(shape)) if draw.chance(60)]
    rest = [size for d, size in enumerate(shape) if d not in dimensions]
    results = [tensor(element, *rest) for element in elements]
    operands = operands_of(draw, body, shape)
    line = (
        f'"stablehlo.reduce"({operands}) <{{{array("dimensions", dimensions)}}}> '
        f"({body.text}) : {draw.signature(results)}"
    )
    return draw.case("reduce", line, results)


def reduce_window(draw: Draw) -> Case:
    """A reduction of windows, now and then of all elements up to each one."""
    elements, body, shape = folded(draw)
    n = len(shape)
    sizes, strides = draw.integers(n, 1, 3), draw.integers(n, 1, 2)
    base, gaps = draw.integers(n, 1, 2), draw.integers(n, 1, 2)
    padding = [draw.integers(2, 0, 2) for _ in range(n)]
    if n and draw.chance(20):
        d = draw.integer(0, n - 1)
        shape = [max(1, size) for size in shape]
        sizes = [shape[i] if i == d else 1 for i in range(n)]
        strides = base = gaps = [1] * n
        ends = [shape[d] - 1, 0] if draw.chance(70) else [0, shape[d] - 1]
        padding = [ends if i == d else [0, 0] for i in range(n)]
    extents = [
        low + high + (0 if not size else (size - 1) * gap + 1)
        for size, gap, (low, high) in zip(shape, base, padding, strict=True)
    ]
    counts = [
        max(0, extent - ((size - 1) * gap + 1) + stride) // stride if extent else 0
        for extent, size, gap, stride in zip(extents, sizes, gaps, strides, strict=True)
    ]
    if math.prod(counts) * math.prod(sizes) > 3000:
        return reduce_window(draw)
    results = [tensor(element, *counts) for element in elements]
    operands = operands_of(draw, body, shape)
    properties = [
        array("window_dimensions", sizes),
        array("window_strides", strides),
        array("base_dilations", base),
        array("window_dilations", gaps),
        *([pairs("padding", padding)] if n else []),
    ]
    line = (
        f'"stablehlo.reduce_window"({operands}) <{{{", ".join(properties)}}}> '
        f"({body.text}) : {draw.signature(results)}"
    )
    return draw.case("reduce_window", line, results)


def select_and_scatter(draw: Draw) -> Case:
    """What windows select, folded by a monoid from its identity.

    The reference applies the initial value with every update: from an identity that does not show.
    """
    element = draw.one_of((*FLOATS, I32, I8))
    n = draw.integer(1, 3)
    shape, sizes, strides = draw.integers(n, 1, 5), draw.integers(n, 1, 3), draw.integers(n, 1, 2)
    padding = [draw.integers(2, 0, 1) for _ in range(n)]
    counts = [
        max(0, size + low + high - window + stride) // stride
        for size, window, stride, (low, high) in zip(shape, sizes, strides, padding, strict=True)
    ]
    if 0 in counts:
        return select_and_scatter(draw)
    body = monoid_body(draw, element)
    operands = [draw.argument(element, *shape), draw.argument(element, *counts)]
    operands.append(draw.argument(element, value=identity_of(body, element)))
    result, scalar = tensor(element, *shape), tensor(element)
    kind = "FLOAT" if isinstance(element, FloatType) else "SIGNED"
    select = (
        f"{{\n^bb0(%x: {scalar}, %y: {scalar}):\n"
        f"  %p = stablehlo.compare {draw.one_of(('GE', 'GT', 'LE', 'LT'))}, %x, %y, {kind} : "
        f"({scalar}, {scalar}) -> tensor<i1>\n  stablehlo.return %p : tensor<i1>\n}}"
    )
    properties = [
        array("window_dimensions", sizes),
        array("window_strides", strides),
        pairs("padding", padding),
    ]
    line = (
        f'"stablehlo.select_and_scatter"({", ".join(operands)}) <{{{", ".join(properties)}}}> '
        f"({select}, {body.text}) : {draw.signature([result])}"
    )
    return draw.case("select_and_scatter", line, [result])


def scatter(draw: Draw) -> Case:
    """Updates of which several have one target, with windows anywhere among the dimensions."""
    body = any_body(draw, ELEMENTS)
    elements, rank = list(body.elements), draw.integer(1, 3)
    shape = draw.integers(rank, 1, 4)
    inserted = [d for d in range(rank) if draw.chance(40)]
    window = [d for d in range(rank) if d not in inserted]
    indexed = [d for d in draw.permutation(rank) if draw.chance(70)] or [0]
    batch = draw.integers(draw.integer(0, 2), 1, 4)
    sizes = [draw.integer(1, shape[d]) for d in window]
    places = sorted(draw.permutation(len(batch) + len(sizes))[: len(sizes)])
    remaining, own = iter(batch), iter(sizes)
    update = [next(own if d in places else remaining) for d in range(len(batch) + len(sizes))]
    vector = draw.integer(0, len(batch))
    index_shape = [*batch[:vector], len(indexed), *batch[vector:]]
    inputs = [draw.argument(element, *shape) for element in elements]
    starts = draw.random.integers(-1, max(shape), index_shape)
    index = draw.argument(I32, *index_shape, value=starts)
    updates = [draw.argument(element, *update) for element in elements]
    results = [tensor(element, *shape) for element in elements]
    numbers = (
        f"#stablehlo.scatter<update_window_dims = {places}, inserted_window_dims = {inserted}, "
        f"scatter_dims_to_operand_dims = {indexed}, index_vector_dim = {vector}>"
    )
    line = (
        f'"stablehlo.scatter"({", ".join([*inputs, index, *updates])}) '
        f"<{{scatter_dimension_numbers = {numbers}}}> ({body.text}) : {draw.signature(results)}"
    )
    return draw.case("scatter", line, results)


def collective(draw: Draw) -> Case:
    """all_reduce or reduce_scatter among two processes.

    The reference runs each in a thread of a pool, which a small machine has no more of.
    """
    name, count = draw.one_of(("all_reduce", "reduce_scatter")), 2
    body = any_body(draw, ELEMENTS, count=1)
    (element,) = body.elements
    shape = [count * draw.integer(1, 2), draw.integer(1, 3)]
    scatters = name == "reduce_scatter"
    own = tensor(element, *shape)
    part = tensor(element, shape[0] // count, shape[1]) if scatters else own
    operands = ", ".join(draw.argument(element, *shape) for _ in range(count))
    groups = f"replica_groups = dense<{[list(range(count))]}> : tensor<1x{count}xi64>"
    dimension = "scatter_dimension = 0 : i64, " if scatters else ""
    function = (
        f"func.func @work(%x: {own}) -> {part} {{\n"
        f'  %r = "stablehlo.{name}"(%x) <{{{dimension}{groups}}}> ({body.text}) : '
        f"({own}) -> {part}\n  return %r : {part}\n}}\n"
    )
    programs = ", ".join(["[@work]"] * count)
    results = [part] * count
    line = (
        f'"interpreter.run_parallel"({operands}) <{{programs = [{programs}]}}> '
        f": {draw.signature(results)}"
    )
    return draw.case(name, line, results, function)


STEPS: Final[Sequence[Callable[[Draw], Case]]] = (
    dot_general,
    convolution,
    reduce,
    reduce_window,
    select_and_scatter,
    scatter,
    collective,
)


def case(seed: int, number: int) -> Case:
    """Program ``number`` of a seed."""
    return STEPS[number % len(STEPS)](Draw(seed, number))
