"""Generates programs with dynamic sizes, and compares three ways to run them.

`python -m tests.properties.dynamic_sizes --programs 200 --seed 0` runs each program for many sizes:
by versions that are compiled for symbolic sizes, compiled for each combination of sizes, and in the
interpreter. The first two must have the same bits; the interpreter adds in another order.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

import stablemate as sm
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.size_versions import SizeVersions
from tests.compiler.result_comparison import arrays

SIZES = (0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100)
LARGE = 1000
MOST_ELEMENTS = 1 << 16
Dimension = int | str  # a number, or the name of a size: the sum of names of arguments' sizes


@dataclass(frozen=True)
class Tensor:
    """A value of a generated program."""

    name: str
    shape: tuple[Dimension, ...]

    @property
    def type(self) -> str:
        """Its type."""
        sizes = "".join(f"{d}x" if isinstance(d, int) else "?x" for d in self.shape)
        return f"tensor<{sizes}f32>"


@dataclass
class Generator:
    """Generates one program.

    Attributes:
        random: What it is determined by.
        lines: The operations.
        sizes: The scalar that holds each size.
        values: The values that operations may use.
    """

    random: random.Random
    lines: list[str] = field(default_factory=list[str])
    sizes: dict[Dimension, str] = field(default_factory=dict[Dimension, str])
    values: list[Tensor] = field(default_factory=list[Tensor])
    arguments: list[Tensor] = field(default_factory=list[Tensor])
    sums: dict[Dimension, tuple[Dimension, Dimension]] = field(default_factory=dict[Any, Any])

    def program(self) -> str:
        """The text of a program."""
        names = "nmk"[: self.random.randint(1, 3)]
        for i in range(self.random.randint(1, 3)):
            rank = self.random.randint(1, 3)
            shape = tuple([self.random.choice([*names, *names, 1, 4, 5, 24]) for _ in range(rank)])
            self.arguments.append(Tensor(f"%x{i}", shape))
        first = self.arguments[0]
        if all(isinstance(d, int) for d in first.shape):
            self.arguments[0] = Tensor(first.name, (*first.shape[:-1], "n"))
        self.values = list(self.arguments)
        for argument in self.arguments:
            for d, size in enumerate(argument.shape):
                if isinstance(size, str) and size not in self.sizes:
                    self.sizes[size] = self.line(
                        f"stablehlo.get_dimension_size {argument.name}, dim = {d} : "
                        f"({argument.type}) -> tensor<i32>"
                    )
        steps = [self.elementwise, self.broadcast, self.reduce, self.transpose, self.dot]
        steps += [self.concatenate, self.reverse, self.flatten, self.size, self.softmax]
        steps += [self.pad, self.shorten, self.iota]
        for _ in range(self.random.randint(1, 6)):
            self.random.choice(steps)()
        results = self.values[-2:]
        parameters = ", ".join(f"{a.name}: {a.type}" for a in self.arguments)
        types = ", ".join(result.type for result in results)
        lines = "\n".join(f"  {line}" for line in self.lines)
        names_ = ", ".join(result.name for result in results)
        return (
            f"func.func @main({parameters}) -> ({types}) {{\n{lines}\n"
            f"  return {names_} : {types}\n}}\n"
        )

    def line(self, text: str) -> str:
        """Adds an operation and returns the name of its result."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def add(self, text: str, shape: Sequence[Dimension]) -> Tensor:
        """Adds an operation whose result others may use."""
        tensor = Tensor("", tuple(shape))
        named = Tensor(self.line(text.replace("RESULT", tensor.type)), tensor.shape)
        self.values.append(named)
        return named

    def operand(self) -> Tensor:
        """Some value."""
        return self.random.choice(self.values)

    def size_of(self, size: Dimension) -> str:
        """The scalar that holds a size."""
        if size not in self.sizes:
            assert isinstance(size, int)
            self.sizes[size] = self.line(f"stablehlo.constant dense<{size}> : tensor<i32>")
        return self.sizes[size]

    def shape_of(self, shape: Sequence[Dimension]) -> str:
        """The value that holds a shape, which is not empty."""
        parts = [
            self.line(f"stablehlo.reshape {self.size_of(d)} : (tensor<i32>) -> tensor<1xi32>")
            for d in shape
        ]
        types = ", ".join("tensor<1xi32>" for _ in parts)
        return self.line(
            f"stablehlo.concatenate {', '.join(parts)}, dim = 0 : "
            f"({types}) -> tensor<{len(parts)}xi32>"
        )

    def elementwise(self) -> None:
        """An operation on elements of one or two values."""
        one = self.operand()
        others = [value for value in self.values if value.shape == one.shape]
        name = self.random.choice(["add", "multiply", "subtract", "maximum", "tanh", "negate"])
        operands = [one] if name in ("tanh", "negate") else [one, self.random.choice(others)]
        names = ", ".join(operand.name for operand in operands)
        self.add(f"stablehlo.{name} {names} : {one.type}", one.shape)

    def broadcast(self) -> None:
        """A value repeated along a new dimension, or along one of size 1."""
        one = self.operand()
        size = self.random.choice([*self.sizes, 3])
        place = self.random.randint(0, len(one.shape))
        if len(one.shape) >= 3 or (isinstance(size, str) and size not in self.sizes):
            return
        shape = (*one.shape[:place], size, *one.shape[place:])
        dimensions = [d for d in range(len(shape)) if d != place]
        ones = [d for d, length in enumerate(one.shape) if length == 1]
        if ones and self.random.random() < 0.5:
            shape = tuple([size if d == ones[0] else n for d, n in enumerate(one.shape)])
            dimensions = list(range(len(shape)))
        self.repeated(one, shape, dimensions)

    def repeated(
        self, one: Tensor, shape: Sequence[Dimension], dimensions: Sequence[int]
    ) -> Tensor:
        """A value broadcast to a shape."""
        target = self.shape_of(shape)
        return self.add(
            f"stablehlo.dynamic_broadcast_in_dim {one.name}, {target}, dims = "
            f"{list(dimensions)} : ({one.type}, tensor<{len(shape)}xi32>) -> RESULT",
            shape,
        )

    def reduced(self, one: Tensor, name: str, dimensions: Sequence[int]) -> Tensor:
        """A reduction."""
        start = {"add": "0.0", "maximum": "0xFF800000"}[name]
        zero = self.line(f"stablehlo.constant dense<{start}> : tensor<f32>")
        return self.add(
            f"stablehlo.reduce({one.name} init: {zero}) applies stablehlo.{name} across "
            f"dimensions = {list(dimensions)} : ({one.type}, tensor<f32>) -> RESULT",
            [size for d, size in enumerate(one.shape) if d not in dimensions],
        )

    def reduce(self) -> None:
        """A sum or maximum over some dimensions."""
        one = self.operand()
        if one.shape:
            count = self.random.randint(1, len(one.shape))
            dimensions = sorted(self.random.sample(range(len(one.shape)), count))
            self.reduced(one, self.random.choice(["add", "maximum"]), dimensions)

    def softmax(self) -> None:
        """A value divided by the sums of its rows."""
        one = self.operand()
        if not one.shape:
            return
        last = len(one.shape) - 1
        greatest = self.reduced(one, "maximum", [last])
        greatest = self.repeated(greatest, one.shape, range(last))
        less = self.add(f"stablehlo.subtract {one.name}, {greatest.name} : {one.type}", one.shape)
        powers = self.add(f"stablehlo.exponential {less.name} : {one.type}", one.shape)
        sums = self.repeated(self.reduced(powers, "add", [last]), one.shape, range(last))
        self.add(f"stablehlo.divide {powers.name}, {sums.name} : {one.type}", one.shape)

    def transpose(self) -> None:
        """A transpose."""
        one = self.operand()
        order = list(range(len(one.shape)))
        self.random.shuffle(order)
        self.add(
            f"stablehlo.transpose {one.name}, dims = {order} : ({one.type}) -> RESULT",
            [one.shape[d] for d in order],
        )

    def reverse(self) -> None:
        """A reversed value."""
        one = self.operand()
        if one.shape:
            d = self.random.randrange(len(one.shape))
            self.add(f"stablehlo.reverse {one.name}, dims = [{d}] : {one.type}", one.shape)

    def dot(self) -> None:
        """A dot over a dimension that two values have in common, perhaps with a batch."""
        pairs = [
            (a, b, i, j)
            for a in self.values
            for b in self.values
            for i, one in enumerate(a.shape)
            for j, other in enumerate(b.shape)
            if one == other and len(a.shape) + len(b.shape) <= 5
        ]
        if not pairs:
            return
        lhs, rhs, i, j = self.random.choice(pairs)
        batch = ""
        free = (
            [d for k, d in enumerate(lhs.shape) if k != i],
            [d for k, d in enumerate(rhs.shape) if k != j],
        )
        shape = [*free[0], *free[1]]
        if i and j and lhs.shape[0] == rhs.shape[0]:
            batch = "batching_dims = [0] x [0], "
            shape = [lhs.shape[0], *free[0][1:], *free[1][1:]]
        self.add(
            f"stablehlo.dot_general {lhs.name}, {rhs.name}, {batch}contracting_dims = "
            f"[{i}] x [{j}] : ({lhs.type}, {rhs.type}) -> RESULT",
            shape,
        )

    def concatenate(self) -> None:
        """Two values one after the other."""
        one = self.operand()
        if not one.shape:
            return
        d = self.random.randrange(len(one.shape))
        rest = one.shape[:d] + one.shape[d + 1 :]
        others = [
            value
            for value in self.values
            if len(value.shape) == len(one.shape) and value.shape[:d] + value.shape[d + 1 :] == rest
        ]
        other = self.random.choice(others)
        total = self.total(one.shape[d], other.shape[d])
        shape = [*one.shape[:d], total, *one.shape[d + 1 :]]
        self.add(
            f"stablehlo.concatenate {one.name}, {other.name}, dim = {d} : "
            f"({one.type}, {other.type}) -> RESULT",
            shape,
        )

    def total(self, one: Dimension, other: Dimension) -> Dimension:
        """The sum of two sizes."""
        if isinstance(one, int) and isinstance(other, int):
            return one + other
        name = f"({one} + {other})"
        self.sums[name] = one, other
        if name not in self.sizes:
            self.sizes[name] = self.line(
                f"stablehlo.add {self.size_of(one)}, {self.size_of(other)} : tensor<i32>"
            )
        return name

    def pad(self) -> None:
        """A value with padding before and behind one dimension."""
        one = self.operand()
        if not one.shape:
            return
        rank, d = len(one.shape), self.random.randrange(len(one.shape))
        low, high = self.random.randint(0, 2), self.random.randint(1, 3)
        total = self.total(one.shape[d], low + high)
        vector = f"tensor<{rank}xi32>"
        numbers = [
            self.line(
                f"stablehlo.constant dense<{[n if i == d else 0 for i in range(rank)]}> : {vector}"
            )
            for n in (low, high, 0)
        ]
        fill = self.line("stablehlo.constant dense<0.5> : tensor<f32>")
        self.add(
            f"stablehlo.dynamic_pad {one.name}, {fill}, {', '.join(numbers)} : "
            f"({one.type}, tensor<f32>, {vector}, {vector}, {vector}) -> RESULT",
            [*one.shape[:d], total, *one.shape[d + 1 :]],
        )

    def shorten(self) -> None:
        """The first or last part of a value whose size is a sum."""
        long = [v for v in self.values if any(size in self.sums for size in v.shape)]
        if not long:
            return
        one = self.random.choice(long)
        d = next(d for d, size in enumerate(one.shape) if size in self.sums)
        first, second = self.sums[one.shape[d]]
        kept, left = (first, second) if self.random.random() < 0.5 else (second, first)
        is_first = self.random.random() < 0.5
        begin = [left if i == d and not is_first else 0 for i in range(len(one.shape))]
        end = list(one.shape)
        if is_first:
            end[d] = kept
        ones = [1] * len(one.shape)
        vector = f"tensor<{len(one.shape)}xi32>"
        self.add(
            f"stablehlo.real_dynamic_slice {one.name}, {self.shape_of(begin)}, "
            f"{self.shape_of(end)}, {self.shape_of(ones)} : "
            f"({one.type}, {vector}, {vector}, {vector}) -> RESULT",
            [*one.shape[:d], kept, *one.shape[d + 1 :]],
        )

    def iota(self) -> None:
        """Indices along a dimension."""
        shape = self.operand().shape
        if shape:
            self.add(
                f"stablehlo.dynamic_iota {self.shape_of(shape)}, dim = "
                f"{self.random.randrange(len(shape))} : (tensor<{len(shape)}xi32>) -> RESULT",
                shape,
            )

    def flatten(self) -> None:
        """Two neighboring dimensions merged."""
        one = self.operand()
        if len(one.shape) < 2:
            return
        d = self.random.randrange(len(one.shape) - 1)
        first, second = one.shape[d : d + 2]
        if isinstance(first, int) and isinstance(second, int):
            return
        name = f"({first} * {second})"
        if name not in self.sizes:
            self.sizes[name] = self.line(
                f"stablehlo.multiply {self.size_of(first)}, {self.size_of(second)} : tensor<i32>"
            )
        shape = [*one.shape[:d], name, *one.shape[d + 2 :]]
        self.add(
            f"stablehlo.dynamic_reshape {one.name}, {self.shape_of(shape)} : "
            f"({one.type}, tensor<{len(shape)}xi32>) -> RESULT",
            shape,
        )

    def size(self) -> None:
        """A size as a number."""
        name = self.size_of(self.random.choice([*self.sizes]))
        self.add(f"stablehlo.convert {name} : (tensor<i32>) -> tensor<f32>", ())


def arguments_for(generator: Generator, sizes: Mapping[str, int]) -> list[Any] | None:
    """Arguments of these sizes; None if there are too many elements."""
    random_numbers = np.random.default_rng(0)
    shapes = [
        [d if isinstance(d, int) else sizes[d] for d in argument.shape]
        for argument in generator.arguments
    ]
    bound = max(map(prod, shapes), default=0)
    if bound * max(sizes.values()) > MOST_ELEMENTS:
        return None
    return [random_numbers.standard_normal(shape).astype(np.float32) for shape in shapes]


def combinations(generator: random.Random, count: int) -> Iterator[dict[str, int]]:
    """Sizes for the names."""
    for _ in range(count):
        yield {name: generator.choice(SIZES) for name in "nmk"}
    yield {"n": LARGE, "m": generator.choice((2, 5)), "k": generator.choice((2, 3))}


@dataclass
class Outcome:
    """What the runs of a program show.

    Attributes:
        differences: Sizes for which results differ, with how.
        runs: How many combinations of sizes were run.
        versions: How many versions were compiled.
        failures: Why versions could not be compiled.
    """

    differences: list[str] = field(default_factory=list[str])
    runs: int = 0
    versions: int = 0
    failures: list[Exception] = field(default_factory=list[Exception])


def same_bits(one: Any, other: Any) -> bool:
    """Whether arrays have the same bits."""
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def close(one: Any, other: Any) -> bool:
    """Whether arrays differ by the order of sums at most."""
    return one.shape == other.shape and np.allclose(one, other, 1e-2, 1e-2, equal_nan=True)


def outcome_of(seed: int, count: int, *, checked: bool = False) -> tuple[str, Outcome]:
    """A generated program, and what its runs show.

    Args:
        seed: The program and its sizes.
        count: How many combinations of sizes are run.
        checked: Whether the versions check every address before they access it.
    """
    generator = Generator(random.Random(seed))
    text = generator.program()
    outcome = Outcome()
    module = sm.load(text)
    sized, single = (sm.compile(module, backend="cpu", check=check) for check in (checked, False))
    assert isinstance(sized, SpecializingExecutable)
    assert isinstance(single, SpecializingExecutable)
    single.versions = None
    for sizes in combinations(random.Random(seed), count):
        arguments = arguments_for(generator, sizes)
        if arguments is None:
            continue
        outcome.runs += 1
        results = [arrays(run(*arguments)) for run in (sized, single)]
        reference = arrays(module.run(*arguments, backend="interpreter"))
        for one, other, third in zip(*results, reference, strict=True):
            if not same_bits(one, other) or not close(np.asarray(one), np.asarray(third)):
                outcome.differences.append(f"{sizes}")
    versions = getattr(sized.versions, "versions", None)
    if isinstance(versions, SizeVersions):
        outcome.versions = len(versions.versions)
        outcome.failures = versions.failures
    return text, outcome


def main() -> None:
    """Runs a campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--sizes", type=int, default=6)
    parser.add_argument("--check", action="store_true", help="versions check every address")
    options = parser.parse_args()
    covered = versions = runs = 0
    for seed in range(options.first, options.first + options.programs):
        text, outcome = outcome_of(seed, options.sizes, checked=options.check)
        runs, versions = runs + outcome.runs, versions + outcome.versions
        covered += not outcome.failures
        for failure in outcome.failures[:1]:
            print(f"seed {seed}: {type(failure).__name__}: {failure}"[:300], flush=True)
        for difference in outcome.differences:
            print(f"seed {seed} differs for {difference}\n{text}", flush=True)
    print(
        f"{options.programs} programs, {covered} without failures, {runs} runs, {versions} versions"
    )


if __name__ == "__main__":
    main()
