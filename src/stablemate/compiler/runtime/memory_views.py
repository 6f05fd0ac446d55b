"""Views of the memory of requests as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from stablemate.compiler.program.image import Place
from stablemate.numerics.elements import Array, DType


class ExchangedView:
    """A value that exchanges its memory with others.

    Attributes:
        word: Holds its address.
    """

    def __init__(self, word: Array, start: int, view: Callable[[int], object]) -> None:
        """Creates a view of a value whose address changes.

        Args:
            word: Holds its address.
            start: The address of the arena.
            view: Creates an array at an offset in the arena.
        """
        self.word = word
        self.start = start
        self.view = view
        self.views: dict[int, Any] = {}

    def current(self) -> Array:
        """The array at its current address; always the same object for the same address."""
        address = int(self.word[0])
        if address not in self.views:
            self.views[address] = self.view(address - self.start)
        array: Array = self.views[address]
        return array


class HostedView(NamedTuple):
    """A value at the beginning of the memory of a result.

    Attributes:
        result: The number of the result.
        dtype: The elements of the value.
        shape: Its shape.
    """

    result: int
    dtype: DType
    shape: tuple[int, ...]

    def within(self, result: Array) -> Array:
        """The value as an array."""
        memory = result.reshape(-1, copy=False).view(np.uint8)
        count = self.dtype.itemsize * prod(self.shape)
        array: Array = memory[:count].view(self.dtype).reshape(self.shape)
        return array


View: TypeAlias = Array | Place | ExchangedView | HostedView | None  # None is a token
Views: TypeAlias = tuple[Sequence[View], Sequence[View]]


def view_of(view: View, handed: Mapping[str, Sequence[Array]]) -> Array | None:
    """The array of a view; operands of the call are looked up."""
    if isinstance(view, ExchangedView):
        return view.current()
    if isinstance(view, HostedView):
        return view.within(handed["result"][view.result])
    return handed[view[0]][view[1]] if isinstance(view, tuple) else view


def write_view(targets: Sequence[Array | None], values: Sequence[object]) -> None:
    """Writes the results of a request to their arrays."""
    for target, value in zip(targets, values, strict=True):
        if target is not None:
            target[...] = value
