"""Strings in programs: numbers of a table that is kept outside.

A program has no strings. It has numbers in their place, which it moves and compares; a session
looks the strings up where they enter and leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.tensor_functions.graph import Shape, SizeLike, TensorGraph
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.numerics.elements import Array


class StringTable:
    """Strings, each with a number."""

    def __init__(self, known: StringTable | None = None) -> None:
        """An empty table, or one that goes on where another one ends now.

        Args:
            known: The other one, which does not change.
        """
        self.texts: list[str] = []
        self.places: dict[str, int] = {}
        self.known = known
        self.start = 0 if known is None else len(known)

    def __len__(self) -> int:
        return self.start + len(self.texts)

    def number(self, text: str) -> int:
        """The number of a string; a new one has the next number."""
        known = None if self.known is None else self.known.places.get(text)
        if known is not None and known < self.start:
            return known
        place = self.places.setdefault(text, len(self))
        if place == len(self):
            self.texts.append(text)
        return place

    def text(self, number: int) -> str:
        """The string of a number."""
        if self.known is not None and number < self.start:
            return self.known.text(number)
        return self.texts[number - self.start]

    def numbers(self, texts: Array) -> Array:
        """The numbers of strings, in their shape."""
        found = [self.number(text) for text in texts.reshape(-1)]
        return np.array(found, np.int64).reshape(texts.shape)

    def strings(self, numbers: Array) -> Array:
        """The strings of numbers, in their shape."""
        return text_array([self.text(number) for number in numbers.reshape(-1)], numbers.shape)


@dataclass(frozen=True, slots=True)
class TextTensor:
    """A tensor of strings in a program.

    Attributes:
        numbers: Those of the strings in the table of the model.
    """

    numbers: Tensor

    @property
    def shape(self) -> Shape:
        """The sizes of the tensor of numbers that stand for strings."""
        return self.numbers.shape

    @property
    def size(self) -> SizeLike:
        """The number of strings, the product of the sizes."""
        return self.numbers.size

    def within(self, graph: TensorGraph) -> TextTensor:
        """The same strings, where operations on them are created in another graph."""
        return TextTensor(self.numbers.within(graph))


@dataclass(frozen=True, slots=True)
class MapSequence:
    """A sequence of maps: for each row of scores, those by the keys of columns.

    Attributes:
        scores: The rows.
        keys: A number or string for each column.
    """

    scores: Tensor
    keys: Sequence[int | str]


@dataclass(frozen=True, slots=True)
class TextPlace:
    """An argument or result that is the numbers of strings.

    Attributes:
        number: Which one.
    """

    number: int


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A result that is the scores of a sequence of maps.

    Attributes:
        number: Which one.
        keys: A number or string for each column.
    """

    number: int
    keys: Sequence[int | str]

    def maps(self, scores: Array) -> list[dict[int | str, float]]:
        """The maps of rows of scores."""
        return [dict(zip(self.keys, row, strict=True)) for row in scores.tolist()]


# Strings as operators take them: known ones are an array.
Texts: TypeAlias = Array | TextTensor


def text_array(texts: Sequence[object], shape: Sequence[int]) -> Array:
    """An array of strings, of a shape that has as many elements."""
    array: Array = np.empty(len(texts), object)
    array[:] = texts
    return array.reshape(shape)
