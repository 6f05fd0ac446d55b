"""Writes the text of a network, whose weights are arguments or constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.compiler.narrow_weights import DTYPES, tensor


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the program.

    Attributes:
        name: Its name.
        shape: Its sizes.
        element: The name of its element type.
        scale: The scale of the numbers that its bytes stand for; zero if it has floats.
        zero: The byte that stands for zero.
    """

    name: str
    shape: tuple[int, ...]
    element: str
    scale: float = 0.0
    zero: int = 0

    @property
    def kind(self) -> str:
        """The text of its type."""
        return tensor(self.shape, self.element)

    @property
    def numbers(self) -> str:
        """The quantized type of its bytes."""
        storage = {"i8": "i8", "ui8": "u8"}[self.element]
        return tensor(self.shape, f"!quant.uniform<{storage}:f32, {self.scale}:{self.zero}>")


@dataclass
class Writer:
    """A program that is being written.

    Attributes:
        random: Chooses operations, attributes and numbers.
        element: The element type of floats.
        features_last: Whether images are ``[batch, y, x, features]``, not features first.
        arguments: The numbers of the arguments: the image first, then weights.
        types: The texts of their types.
        lines: The operations.
        values: The images so far.
    """

    random: np.random.Generator
    element: str
    features_last: bool
    arguments: list[Any] = field(default_factory=list[Any])
    types: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])
    values: list[Value] = field(default_factory=list[Value])

    def number(self, low: int, high: int) -> int:
        """A number of a range, both ends included."""
        return int(self.random.integers(low, high + 1))

    def one_of(self, items: Sequence[Any]) -> Any:
        """One of several."""
        return items[self.number(0, len(items) - 1)]

    def chance(self, times: int) -> bool:
        """Whether something happens that does once in so many times."""
        return self.number(1, times) == 1

    @property
    def features(self) -> int:
        """The dimension of the features of an image."""
        return 3 if self.features_last else 1

    @property
    def spatial(self) -> tuple[int, int]:
        """The dimensions of the points of an image."""
        return (1, 2) if self.features_last else (2, 3)

    @property
    def dimension_letters(self) -> str:
        """The dimensions of an image, as convolutions state them."""
        return "[b, 0, 1, f]" if self.features_last else "[b, f, 0, 1]"

    def image_shape(self, batch: int, sizes: Sequence[int], features: int) -> tuple[int, ...]:
        """The shape of an image."""
        return (batch, *sizes, features) if self.features_last else (batch, features, *sizes)

    def points(self, x: Value) -> tuple[int, int]:
        """The height and the width of an image."""
        height, width = (x.shape[d] for d in self.spatial)
        return height, width

    def argument(self, numbers: Any, element: str) -> Value:
        """A new argument."""
        numbers = np.asarray(numbers)
        self.arguments.append(numbers.astype(DTYPES[element]))
        self.types.append(tensor(numbers.shape, element))
        return Value(f"%a{len(self.types) - 1}", numbers.shape, element)

    def weights(self, *shape: int, spread: float = 1.0) -> Value:
        """Weights of the network, in floats."""
        return self.argument(self.random.normal(size=shape, scale=spread), self.element)

    def bytes_of(self, *shape: int, element: str = "i8") -> Value:
        """Weights of the network, in bytes."""
        low = -127 if element == "i8" else 0
        return self.argument(self.random.integers(low, low + 255, shape), element)

    def add(self, text: str) -> str:
        """Adds an operation, and returns the name of its result."""
        self.lines.append(f"  %{len(self.lines)} = {text}")
        return f"%{len(self.lines) - 1}"

    def unary(
        self, name: str, x: Value, shape: Sequence[int] | None = None, element: str = "",
        more: str = "",
    ) -> Value:  # fmt: skip
        """Adds an operation on one value."""
        result = tensor(x.shape if shape is None else shape, element or x.element)
        text = self.add(f"stablehlo.{name} {x.name}{more} : ({x.kind}) -> {result}")
        return Value(text, x.shape if shape is None else tuple(shape), element or x.element)

    def binary(self, name: str, x: Value, y: Value) -> Value:
        """Adds an elementwise operation on two values."""
        text = self.add(f"stablehlo.{name} {x.name}, {y.name} : {x.kind}")
        return Value(text, x.shape, x.element)

    def scalar(self, number: float, element: str) -> Value:
        """A constant of one float."""
        text = f"stablehlo.constant dense<{float(number)}> : tensor<{element}>"
        return Value(self.add(text), (), element)

    def splat(self, number: float, like: Value) -> Value:
        """A constant as large as a value of floats, whose elements are equal."""
        if self.chance(2):
            return self.broadcast(self.scalar(number, like.element), like.shape, ())
        text = self.add(f"stablehlo.constant dense<{float(number)}> : {like.kind}")
        return Value(text, like.shape, like.element)

    def broadcast(self, x: Value, shape: Sequence[int], dimensions: Sequence[int]) -> Value:
        """A value along some dimensions of another shape."""
        more = f", dims = [{', '.join(map(str, dimensions))}]"
        return self.unary("broadcast_in_dim", x, shape, more=more)

    def convert(self, x: Value, element: str) -> Value:
        """The numbers in another type."""
        return self.unary("convert", x, element=element)

    def clamp(self, low: float, x: Value, high: float) -> Value:
        """The numbers, none below or above a limit."""
        ends = [self.splat(low, x), self.splat(high, x)]
        text = f"stablehlo.clamp {ends[0].name}, {x.name}, {ends[1].name} : {x.kind}"
        return Value(self.add(text), x.shape, x.element)

    def reduced(self, x: Value, dimensions: Sequence[int], name: str = "add") -> Value:
        """The sums over some dimensions, or the largest elements."""
        start = {"add": "0.0", "maximum": "-3.0e+04"}[name]
        init = self.add(f"stablehlo.constant dense<{start}> : tensor<{x.element}>")
        shape = tuple(size for d, size in enumerate(x.shape) if d not in dimensions)
        text = self.add(
            f"stablehlo.reduce({x.name} init: {init}) applies stablehlo.{name} across dimensions = "
            f"[{', '.join(map(str, dimensions))}] : ({x.kind}, tensor<{x.element}>) -> "
            f"{tensor(shape, x.element)}"
        )
        return Value(text, shape, x.element)

    def program(self, results: Sequence[Value], *, constants: bool) -> str:
        """The text.

        Args:
            results: What it returns.
            constants: Whether its weights are constants, not arguments.
        """
        inputs = 1 if constants else len(self.types)
        arguments = ", ".join(f"%a{i}: {kind}" for i, kind in enumerate(self.types[:inputs]))
        weights = [
            f"  %a{i} = stablehlo.constant dense<{literal(self.arguments[i])}> : {self.types[i]}"
            for i in range(inputs, len(self.types))
        ]
        kinds, names = (
            ", ".join(items) for items in zip(*[(v.kind, v.name) for v in results], strict=True)
        )
        body = "\n".join([*weights, *self.lines])
        return (
            f"func.func public @main({arguments}) -> ({kinds}) {{\n{body}\n"
            f"  return {names} : {kinds}\n}}"
        )


def literal(numbers: Any) -> str:
    """The elements of a constant."""
    if numbers.dtype == DTYPES["i4"]:
        return str(numbers.astype(np.int32).tolist())
    return f'"0x{np.ascontiguousarray(numbers).tobytes().hex().upper()}"'
