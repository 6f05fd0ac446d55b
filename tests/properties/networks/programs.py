"""Generates networks of several element types."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from tests.compiler.narrow_weights import DTYPES
from tests.properties.networks.steps import BYTES, FEATURES, FLOATS, LARGEST
from tests.properties.networks.writer import Value, Writer

ELEMENTS: Final = ("f32", "f32", "f32", "bf16", "bf16", "f16", "f64")
STEPS: Final = 8  # at most behind the first one


@dataclass(frozen=True)
class Network:
    """A generated network.

    Attributes:
        seed: The seed of the campaign.
        number: The number of the network.
    """

    seed: int
    number: int

    @cached_property
    def random(self) -> np.random.Generator:
        """Draws what all of the network follows from."""
        return np.random.default_rng((self.seed, self.number))

    @cached_property
    def is_quantized(self) -> bool:
        """Whether its convolutions multiply bytes."""
        return self.number % 3 == 2

    @cached_property
    def element(self) -> str:
        """The element type of its floats."""
        return "f32" if self.is_quantized else ELEMENTS[self.number // 3 % len(ELEMENTS)]

    @cached_property
    def steps(self) -> list[str]:
        """The names of its operations, in order."""
        random = np.random.default_rng((self.seed, self.number, 1))
        first, table = ("byte convolution", BYTES) if self.is_quantized else ("convolution", FLOATS)
        several = [first, "activation"] if first in FLOATS else [first, "byte function"]
        names = [*table, *several, "branches" if first in FLOATS else first]
        return [first, *random.choice(names, int(random.integers(1, STEPS))).tolist()]

    @cached_property
    def written(self) -> tuple[Writer, list[Value]]:
        """Its text and arguments, and the values that it returns."""
        random = self.random
        writer = Writer(random, self.element, bool(random.integers(2)))
        batch = int(random.choice([1, 1, 2, 3, 9]))
        sizes = [int(size) for size in random.integers(3, 15, 2)]
        features = int(random.choice(FEATURES))
        shape = writer.image_shape(batch, sizes, features)
        writer.values.append(writer.weights(*shape))
        table = BYTES if self.is_quantized else FLOATS
        for name in self.steps:
            x = writer.one_of(writer.values[-3:]) if writer.chance(5) else writer.values[-1]
            result = sliced(writer, table[name](writer, x))
            writer.values.append(result)
        return writer, [writer.values[-1], *writer.values[-2 : -1 if writer.chance(3) else -2]]

    @property
    def arguments(self) -> list[Any]:
        """Its arguments: the image, then weights."""
        return self.written[0].arguments

    def text(self, *, constants: bool) -> str:
        """Its text, whose weights are constants or arguments."""
        writer, results = self.written
        return writer.program(results, constants=constants)

    @cached_property
    def wide(self) -> tuple[str, list[Any]]:
        """The same network of ``f64``, as text and arguments."""
        kind = DTYPES[self.element]
        arguments = [a.astype(np.float64) if a.dtype == kind else a for a in self.arguments]
        text = self.text(constants=False)
        for before in ("x", "<", ":"):
            text = text.replace(f"{before}{self.element}>", f"{before}f64>")
            text = text.replace(f"{before}{self.element},", f"{before}f64,")
            text = text.replace(f"{before}{self.element}:", f"{before}f64:")
        return text, arguments


def sliced(writer: Writer, x: Value) -> Value:
    """An image that is not too large."""
    while np.prod(x.shape) > LARGEST:
        shape = list(x.shape)
        ranges = [f"0:{size}" for size in shape]
        d = shape.index(max(shape))
        shape[d] = -(-shape[d] // 2)
        ranges[d] = f"0:{x.shape[d]}:2"
        before = x
        x = Value("", tuple(shape), x.element)
        text = f"stablehlo.slice {before.name} [{', '.join(ranges)}] : ({before.kind}) -> {x.kind}"
        x = Value(writer.add(text), x.shape, x.element)
    return x
