"""Generates programs that move rows of divided tensors: slices, windows, rolls, transpositions, ...

    python -m tests.sharded.partitioned_movement --programs 1000 --seed N

Each program is partitioned, and computes on eight devices what it computes on one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.execution.signature import is_tuple
from stablemate.transforms.sdy_partition import Partitioned, partition_program

AXES: Final = {"x": 2, "y": 4}
SIZES: Final = (4, 6, 8, 8, 16, 16, 24)
LONGEST: Final = 2000  # elements of a tensor


@dataclass(slots=True)
class GeneratedValue:
    """A value of a program.

    Attributes:
        name: Its name.
        shape: Its shape.
    """

    name: str
    shape: tuple[int, ...]

    @property
    def type(self) -> str:
        """The type of its text."""
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}f32>"


@dataclass(slots=True)
class ProgramText:
    """A program while it is generated.

    Attributes:
        chance: What decides.
        lines: Its operations.
        values: Its values.
    """

    chance: random.Random
    lines: list[str] = field(default_factory=list[str])
    values: list[GeneratedValue] = field(default_factory=list[GeneratedValue])

    def emit(self, shape: Sequence[int], text: str, operands: Sequence[GeneratedValue]) -> None:
        """Adds an operation; its type follows its text."""
        result = GeneratedValue(f"v{len(self.values)}", tuple(shape))
        types = ", ".join(operand.type for operand in operands)
        self.lines.append(f"%{result.name} = {text} : ({types}) -> {result.type}")
        self.values.append(result)

    def operand(self) -> GeneratedValue:
        """A value, mostly a late one."""
        return self.chance.choice([*self.values, *self.values[-2:]])


def sharding(chance: random.Random, shape: Sequence[int]) -> str:
    """A random sharding that divides a shape evenly."""
    axes = chance.sample(list(AXES), k=chance.randint(0, len(AXES)))
    dimensions: list[list[str]] = [[] for _ in shape]
    for name in axes:
        fitting = [
            d
            for d, size in enumerate(shape)
            if size % (AXES[name] * prod(AXES[other] for other in dimensions[d])) == 0
        ]
        if fitting:
            dimensions[chance.choice(fitting)].append(name)
    rows = ", ".join("{" + ", ".join(f'"{n}"' for n in names) + "}" for names in dimensions)
    return f"<@mesh, [{rows}]>"


def range_of(chance: random.Random, size: int) -> tuple[int, int, int]:
    """Start, limit and stride of a slice."""
    stride = chance.choice([1, 1, 1, 2])
    start = chance.choice([0, 0, 1, size // 4, chance.randrange(size)])
    limit = chance.choice([size, size, size - 1, size - size // 4, chance.randint(1, size)])
    return (start, limit, stride) if start < limit else (0, size, stride)


def slice_(program: ProgramText) -> None:
    """A slice along some dimensions."""
    operand = program.operand()
    ranges = [
        range_of(program.chance, size) if program.chance.random() < 0.6 else (0, size, 1)
        for size in operand.shape
    ]
    text = ", ".join(f"{start}:{limit}:{stride}" for start, limit, stride in ranges)
    shape = [len(range(*bounds)) for bounds in ranges]
    program.emit(shape, f"stablehlo.slice %{operand.name} [{text}]", [operand])


def pad(program: ProgramText) -> None:
    """Padding, which may be negative."""
    chance, operand = program.chance, program.operand()
    rank = len(operand.shape)
    low, high = ([chance.choice([0, 0, 1, 2, 4, -1]) for _ in range(rank)] for _ in range(2))
    interior = [chance.choice([0, 0, 0, 1]) for _ in range(rank)]
    shape = [
        n + max(n - 1, 0) * i + a + b
        for n, i, a, b in zip(operand.shape, interior, low, high, strict=True)
    ]
    if min(shape) < 1:
        return
    fill = chance.choice(["zero", "one"])
    text = f"stablehlo.pad %{operand.name}, %{fill}, low = {low}, high = {high}, "
    text += f"interior = {interior}"
    program.emit(shape, text, [operand, GeneratedValue(fill, ())])


def reverse(program: ProgramText) -> None:
    """A reversal."""
    operand = program.operand()
    dimensions = [d for d in range(len(operand.shape)) if program.chance.random() < 0.5]
    listed = f": {', '.join(map(str, dimensions))}" if dimensions else ""
    text = f'"stablehlo.reverse"(%{operand.name}) <{{dimensions = array<i64{listed}>}}>'
    program.emit(operand.shape, text, [operand])


def roll(program: ProgramText) -> None:
    """Two slices that change places."""
    chance, operand = program.chance, program.operand()
    dimension = chance.randrange(len(operand.shape))
    size = operand.shape[dimension]
    if size < 2:
        return
    cut = chance.choice([1, size - 1, chance.randrange(1, size)])
    parts: list[GeneratedValue] = []
    for start, limit in ((cut, size), (0, cut)):
        bounds = [(0, n) for n in operand.shape]
        bounds[dimension] = (start, limit)
        text = ", ".join(f"{a}:{b}" for a, b in bounds)
        shape = [b - a for a, b in bounds]
        program.emit(shape, f"stablehlo.slice %{operand.name} [{text}]", [operand])
        parts.append(program.values[-1])
    join(program, parts, dimension)


def concatenate(program: ProgramText) -> None:
    """Values that differ in one dimension at most."""
    chance, first = program.chance, program.operand()
    dimension = chance.randrange(len(first.shape))
    others = [
        value
        for value in program.values
        if len(value.shape) == len(first.shape)
        and all(
            a == b
            for d, (a, b) in enumerate(zip(value.shape, first.shape, strict=True))
            if d != dimension
        )
    ]
    join(program, [first, *chance.choices(others, k=chance.randint(1, 2))], dimension)


def join(program: ProgramText, parts: Sequence[GeneratedValue], dimension: int) -> None:
    """A concatenation."""
    shape = list(parts[0].shape)
    shape[dimension] = sum(part.shape[dimension] for part in parts)
    names = ", ".join(f"%{part.name}" for part in parts)
    program.emit(shape, f"stablehlo.concatenate {names}, dim = {dimension}", parts)


def transpose(program: ProgramText) -> None:
    """A transposition."""
    operand = program.operand()
    order = program.chance.sample(range(len(operand.shape)), k=len(operand.shape))
    text = f"stablehlo.transpose %{operand.name}, dims = {order}"
    program.emit([operand.shape[d] for d in order], text, [operand])


def reshape(program: ProgramText) -> None:
    """A dimension is split, or two are merged."""
    chance, operand = program.chance, program.operand()
    shape = list(operand.shape)
    d = chance.randrange(len(shape))
    if chance.random() < 0.5 and d + 1 < len(shape):
        shape[d : d + 2] = [shape[d] * shape[d + 1]]
    elif len(shape) < 4:
        factor = chance.choice([k for k in range(1, shape[d] + 1) if shape[d] % k == 0])
        shape[d : d + 1] = [factor, shape[d] // factor]
    program.emit(shape, f"stablehlo.reshape %{operand.name}", [operand])


def elementwise(program: ProgramText) -> None:
    """A function of one value, or of two of one shape."""
    lhs = program.operand()
    rhs = program.chance.choice([v for v in program.values if v.shape == lhs.shape])
    if program.chance.random() < 0.4:
        program.emit(lhs.shape, f"stablehlo.negate %{lhs.name}", [lhs])
    else:
        name = program.chance.choice(["add", "maximum", "subtract"])
        program.emit(lhs.shape, f"stablehlo.{name} %{lhs.name}, %{rhs.name}", [lhs, rhs])


REDUCER: Final = """({{
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %r = stablehlo.{monoid} %a, %b : tensor<f32>
  stablehlo.return %r : tensor<f32>
}})"""


def reduce_window(program: ProgramText) -> None:
    """Sums or maxima of windows; now and then all rows up to each one."""
    chance, operand = program.chance, program.operand()
    rows: list[tuple[int, int, tuple[int, int]]] = []
    for size in operand.shape:
        choice = chance.random()
        if choice < 0.15:
            row = (size, 1, (size - 1, 0))
        elif choice < 0.6:
            pads = chance.choice([(0, 0), (1, 1), (1, 0), (0, 2)])
            row = (chance.choice([2, 3]), chance.choice([1, 1, 2]), pads)
        else:
            row = (1, 1, (0, 0))
        rows.append(row)
    window, strides, padding = map(list, zip(*rows, strict=True))
    shape = [
        (n + a + b - w) // s + 1
        for n, w, s, (a, b) in zip(operand.shape, window, strides, padding, strict=True)
    ]
    if any(n + a + b < w for n, w, (a, b) in zip(operand.shape, window, padding, strict=True)):
        return
    monoid, init = chance.choice([("add", "zero"), ("add", "one"), ("maximum", "low")])
    pairs = "[" + ", ".join(f"[{a}, {b}]" for a, b in padding) + "]"
    text = (
        f'"stablehlo.reduce_window"(%{operand.name}, %{init}) <{{'
        f"window_dimensions = array<i64: {', '.join(map(str, window))}>, "
        f"window_strides = array<i64: {', '.join(map(str, strides))}>, "
        f"padding = dense<{pairs}> : tensor<{len(shape)}x2xi64>}}> {REDUCER.format(monoid=monoid)}"
    )
    program.emit(shape, text, [operand, GeneratedValue(init, ())])


def reduce(program: ProgramText) -> None:
    """A sum or a maximum along a dimension."""
    chance, operand = program.chance, program.operand()
    if len(operand.shape) < 2:
        return
    dimension = chance.randrange(len(operand.shape))
    monoid, init = chance.choice([("add", "zero"), ("maximum", "low")])
    shape = [n for d, n in enumerate(operand.shape) if d != dimension]
    text = (
        f'"stablehlo.reduce"(%{operand.name}, %{init}) <{{dimensions = array<i64: {dimension}>}}> '
        f"{REDUCER.format(monoid=monoid)}"
    )
    program.emit(shape, text, [operand, GeneratedValue(init, ())])


def sort(program: ProgramText) -> None:
    """A sort along a dimension."""
    operand = program.operand()
    dimension = program.chance.randrange(len(operand.shape))
    attributes = f"dimension = {dimension} : i64, is_stable = true"
    text = f""""stablehlo.sort"(%{operand.name}) <{{{attributes}}}> ({{
^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %r = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %r : tensor<i1>
}})"""
    program.emit(operand.shape, text, [operand])


def starts(operand: GeneratedValue, chance: random.Random) -> tuple[str, list[str]]:
    """Start indices, of which some lie outside."""
    names = [chance.choice(["i0", "i3", "i9", "im"]) for _ in operand.shape]
    return ", ".join(f"%{name}" for name in names), ["tensor<i32>"] * len(names)


def dynamic_slice(program: ProgramText) -> None:
    """A slice that starts where a value says."""
    chance, operand = program.chance, program.operand()
    sizes = [chance.choice([n, 1, max(1, n // 4), chance.randint(1, n)]) for n in operand.shape]
    names, types = starts(operand, chance)
    result = GeneratedValue(f"v{len(program.values)}", tuple(sizes))
    program.lines.append(
        f"%{result.name} = stablehlo.dynamic_slice %{operand.name}, {names}, sizes = {sizes} : "
        f"({', '.join([operand.type, *types])}) -> {result.type}"
    )
    program.values.append(result)


def dynamic_update_slice(program: ProgramText) -> None:
    """An update that starts where a value says."""
    chance, operand = program.chance, program.operand()
    fitting = [
        value
        for value in program.values
        if len(value.shape) == len(operand.shape)
        and all(a <= b for a, b in zip(value.shape, operand.shape, strict=True))
    ]
    update = chance.choice(fitting)
    names, types = starts(operand, chance)
    result = GeneratedValue(f"v{len(program.values)}", operand.shape)
    program.lines.append(
        f"%{result.name} = stablehlo.dynamic_update_slice %{operand.name}, %{update.name}, {names} "
        f": ({', '.join([operand.type, update.type, *types])}) -> {result.type}"
    )
    program.values.append(result)


def convolution(program: ProgramText) -> None:
    """A convolution of three or four dimensions with a constant kernel."""
    chance, operand = program.chance, program.operand()
    if len(operand.shape) < 3:
        return
    rank = len(operand.shape) - 2
    depth = operand.shape[-1]
    window = [chance.choice([1, 2, 3]) for _ in range(rank)]
    padding = [chance.choice([(0, 0), (1, 1), (w - 1, 0)]) for w in window]
    strides = [chance.choice([1, 1, 2]) for _ in range(rank)]
    dilation = [chance.choice([1, 1, 2]) for _ in range(rank)]
    base = [chance.choice([1, 1, 2]) for _ in range(rank)]
    reach = [(w - 1) * d + 1 for w, d in zip(window, dilation, strict=True)]
    spatial = [(n - 1) * d + 1 for n, d in zip(operand.shape[1:-1], base, strict=True)]
    rows = zip(spatial, padding, reach, strides, strict=True)
    sizes = [(n + a + b - r) // s + 1 for n, (a, b), r, s in rows]
    if any(n + sum(p) < r for n, p, r in zip(spatial, padding, reach, strict=True)):
        return
    kernel = GeneratedValue(f"k{len(program.values)}", (*window, depth, 2))
    program.lines.append(f"%{kernel.name}i = stablehlo.iota dim = 0 : {kernel.type}")
    program.lines.append(f"%{kernel.name} = stablehlo.negate %{kernel.name}i : {kernel.type}")
    numbers = ", ".join(map(str, range(rank)))
    layout = f"[b, {numbers}, f]x[{numbers}, i, o]->[b, {numbers}, f]"
    pads = ", ".join(f"[{a}, {b}]" for a, b in padding)
    text = (
        f"stablehlo.convolution(%{operand.name}, %{kernel.name}) dim_numbers = {layout}, "
        f"window = {{stride = {strides}, pad = [{pads}], "
        f"lhs_dilate = {base}, rhs_dilate = {dilation}}} "
        "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    )
    program.emit([operand.shape[0], *sizes, 2], text, [operand, kernel])


def correlation(program: ProgramText) -> None:
    """A convolution of two values along their second dimension, as in gradients of kernels."""
    chance, lhs = program.chance, program.operand()
    if len(lhs.shape) != 3:
        return
    fitting = [v for v in program.values if len(v.shape) == 3 and v.shape[0] == lhs.shape[0]]
    rhs = chance.choice(fitting)
    dilation, stride = chance.choice([1, 1, 2]), chance.choice([1, 1, 2])
    missing = max(0, (rhs.shape[1] - 1) * dilation + 1 - lhs.shape[1])
    low, high = chance.choice([0, 1, 2]), missing + chance.choice([0, 1])
    size = (lhs.shape[1] + low + high - (rhs.shape[1] - 1) * dilation - 1) // stride + 1
    text = (
        f"stablehlo.convolution(%{lhs.name}, %{rhs.name}) "
        "dim_numbers = [f, 0, b]x[i, 0, o]->[b, 0, f], "
        f"window = {{stride = [{stride}], pad = [[{low}, {high}]], rhs_dilate = [{dilation}]}} "
        "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    )
    program.emit([lhs.shape[2], size, rhs.shape[2]], text, [lhs, rhs])


KINDS: Final[Sequence[tuple[Callable[[ProgramText], None], int]]] = (
    (slice_, 4), (pad, 3), (reverse, 1), (roll, 2), (concatenate, 2), (transpose, 2), (reshape, 2),
    (elementwise, 3), (reduce_window, 3), (reduce, 1), (sort, 1), (dynamic_slice, 1),
    (dynamic_update_slice, 1), (convolution, 2),
    (correlation, 2),
)  # fmt: skip


def generated(seed: int) -> tuple[str, np.ndarray[Any, Any]]:
    """A program, and its argument."""
    chance = random.Random(seed)
    program = ProgramText(chance)
    shape = tuple(chance.choice(SIZES) for _ in range(chance.choice([1, 2, 2, 3, 3, 4])))
    while prod(shape) > LONGEST:
        shape = shape[1:]
    program.values.append(GeneratedValue("v0", shape))
    functions, weights = zip(*KINDS, strict=True)
    for _ in range(chance.randint(1, 5)):
        chance.choices(functions, weights)[0](program)
        if prod(program.values[-1].shape) > LONGEST:
            break
    chosen = [program.values[-1], *chance.sample(program.values, k=min(2, len(program.values) - 1))]
    results = ", ".join(
        f"{value.type} {{sdy.sharding = #sdy.sharding{sharding(chance, value.shape)}}}"
        if chance.random() < 0.7
        else value.type
        for value in chosen
    )
    lines = "\n  ".join(program.lines)
    argument = program.values[0]
    mesh = ", ".join(f'"{name}"={size}' for name, size in AXES.items())
    text = f"""sdy.mesh @mesh = <[{mesh}]>
func.func @main(%v0: {argument.type} {{sdy.sharding = #sdy.sharding{sharding(chance, shape)}}})
    -> ({results}) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %i3 = stablehlo.constant dense<3> : tensor<i32>
  %i9 = stablehlo.constant dense<9> : tensor<i32>
  %im = stablehlo.constant dense<-1> : tensor<i32>
  {lines}
  return {", ".join(f"%{value.name}" for value in chosen)} : {", ".join(v.type for v in chosen)}
}}"""
    values = np.random.default_rng(seed).integers(-8, 9, shape).astype(np.float32)
    return text, values


def on_devices(partition: Partitioned, argument: Any) -> list[Any]:
    """The whole results of a partitioned program for its whole argument."""
    devices = partition.devices
    pieces = [(devices.shard(argument, partition.arguments[0], i),) for i in range(devices.count)]
    module = sm.Module(partition.module)
    module.verify()
    rows = [
        result if is_tuple(result) else (result,)
        for result in sm.run_grid(module, pieces, partitions=devices.count, backend="interpreter")
    ]
    results = [[rows[device][i] for device in devices.ids] for i in range(len(rows[0]))]
    return [devices.global_tensor(*pair) for pair in zip(results, partition.results, strict=True)]


def check(seed: int) -> None:
    """Compares a partitioned program with the program on one device.

    Raises:
        AssertionError: They differ.
    """
    text, argument = generated(seed)
    expected = sm.run(sm.parse(text), argument, backend="interpreter")
    found = on_devices(partition_program(sm.load(text).ir, "main", gathers=True), argument)
    for own, other in zip(found, expected if is_tuple(expected) else [expected], strict=True):
        np.testing.assert_array_equal(own, other)


def main() -> int:
    """Checks generated programs; the exit code is 1 if one of them differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--containing", default="", help="checks programs of some operation only")
    arguments = parser.parse_args()
    failures = 0
    for seed in range(arguments.seed, arguments.seed + arguments.programs):
        if arguments.containing not in generated(seed)[0]:
            continue
        try:
            check(seed)
        except (AssertionError, sm.StablemateError) as error:
            failures += 1
            print(f"seed {seed}: {type(error).__name__}: {str(error)[:300]}", flush=True)
    print(f"{arguments.programs} programs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
