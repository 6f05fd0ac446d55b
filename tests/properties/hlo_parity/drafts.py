"""A module of HLO that is being drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from stablemate.xla.primitive_types import PrimitiveType, primitive_type
from tests.properties.generation.choices import Choices

Array = npt.NDArray[Any]


@dataclass
class Draft:
    """A module that is being drawn.

    Attributes:
        choices: What decides.
        element: The type of its arrays.
        lines: Instructions of the entry.
        arguments: Values of its parameters.
        computations: Other computations by name.
        results: The names of results that are compared, with their shapes.
    """

    choices: Choices
    element: str = "f32"
    lines: list[str] = field(default_factory=list[str])
    arguments: list[Array] = field(default_factory=list[Array])
    computations: dict[str, str] = field(default_factory=dict[str, str])
    results: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def parameter(self, sizes: Sequence[int], element: str = "", values: Any = None) -> str:
        """A new parameter; its values are small whole numbers unless given."""
        kind = primitive_type(element or self.element)
        number = len(self.arguments)
        if values is None:
            values = random_array(self.choices.generator(), kind, sizes)
        self.arguments.append(np.asarray(values, kind.dtype).reshape(sizes))
        self.lines.append(f"p{number} = {shape(kind.name, sizes)} parameter({number})")
        return f"p{number}"

    def result(self, sizes: Sequence[int], text: str, element: str = "") -> str:
        """A result that is compared."""
        name = f"r{len(self.lines)}"
        written = shape(element or self.element, sizes)
        self.lines.append(f"{name} = {written} {text}")
        self.results.append((name, written))
        return name

    def reducer(self, opcode: str, element: str = "") -> str:
        """A computation of two scalars."""
        kind = element or self.element
        name = f"{opcode}_{kind}"
        self.computations[name] = (
            f"{name} {{ a = {kind}[] parameter(0)\n  b = {kind}[] parameter(1)\n"
            f"  ROOT c = {kind}[] {opcode}(a, b) }}"
        )
        return name

    def comparator(self, direction: str) -> str:
        """A computation that compares two scalars."""
        name = f"compare_{direction}_{self.element}"
        self.computations[name] = (
            f"{name} {{ a = {self.element}[] parameter(0)\n  b = {self.element}[] parameter(1)\n"
            f"  ROOT c = pred[] compare(a, b), direction={direction} }}"
        )
        return name

    def text(self) -> str:
        """The module."""
        shapes = ", ".join(written for _, written in self.results)
        names = ", ".join(name for name, _ in self.results)
        lines = "\n  ".join([*self.lines, f"ROOT t = ({shapes}) tuple({names})"])
        others = "\n\n".join(self.computations.values())
        return f"HloModule m\n\n{others}\n\nENTRY e {{\n  {lines}\n}}\n"


def shape(element: str, sizes: Sequence[int]) -> str:
    """A shape."""
    return f"{element}[{','.join(map(str, sizes))}]"


def random_array(rng: np.random.Generator, kind: PrimitiveType, sizes: Sequence[int]) -> Array:
    """Small whole numbers, so that every order of a sum gives the same."""
    low = -4 if kind.family in ("signed", "float", "complex") else 0
    values = rng.integers(low, 5, tuple(sizes))
    if kind.family == "complex":
        return (values + 1j * rng.integers(low, 5, tuple(sizes))).astype(kind.dtype)
    return (values % 2 == 1 if kind.family == "pred" else values).astype(kind.dtype)


def sizes_of(choices: Choices, low: int = 0, high: int = 4, empty: int = 4) -> list[int]:
    """Sizes of some dimensions, seldom zero."""
    rank = choices.integer(low, high)
    return [0 if choices.chance(empty) else choices.integer(1, 5) for _ in range(rank)]


def braced(values: Sequence[int]) -> str:
    """A list in braces."""
    return f"{{{','.join(map(str, values))}}}"


def window_of(choices: Choices, sizes: list[int], *, dilated: bool) -> tuple[str, list[int]]:
    """A window over dimensions, and how many places it has in each."""
    rows: list[tuple[int, int, int, int, int, int]] = []
    places: list[int] = []
    for size in sizes:
        extent, stride = choices.integer(1, 3), choices.integer(1, 3)
        low, high = choices.integer(0, 2), choices.integer(0, 2)
        if choices.chance(10):
            low = -1
        base = choices.integer(1, 3) if dilated and choices.chance(30) else 1
        inner = choices.integer(1, 3) if dilated and choices.chance(30) else 1
        whole = (0 if size == 0 else (size - 1) * base + 1) + low + high
        reach = (extent - 1) * inner + 1
        places.append(0 if whole < reach else (whole - reach) // stride + 1)
        rows.append((extent, stride, low, high, base, inner))
    columns = list(zip(*rows, strict=True)) or [()] * 6
    joined = ["x".join(map(str, column)) for column in columns]
    pads = "x".join(f"{row[2]}_{row[3]}" for row in rows)
    text = f"size={joined[0]} stride={joined[1]} pad={pads}"
    return f"{{{text} lhs_dilate={joined[4]} rhs_dilate={joined[5]}}}" if rows else "{}", places
