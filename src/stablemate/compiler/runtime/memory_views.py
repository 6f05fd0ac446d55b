"""Views of the memory of requests as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from stablemate.compiler.program.image import Place
from stablemate.numerics.elements import Array


class ExchangedView:
    """A value that exchanges its memory with others.

    Attributes:
        word: Says where it is.
    """

    def __init__(self, word: Array, start: int, view: Callable[[int], Any]) -> None:
        """Knows nothing of where it may be.

        Args:
            word: Says where it is.
            start: Where the arena is.
            view: The array at a place in the arena.
        """
        self.word = word
        self.start = start
        self.view = view
        self.views: dict[int, Any] = {}

    def now(self) -> Array:
        """The array where it is; the same one whenever it is there."""
        address = int(self.word[0])
        if address not in self.views:
            self.views[address] = self.view(address - self.start)
        array: Array = self.views[address]
        return array


View: TypeAlias = Array | Place | ExchangedView | None  # None is a token
Views: TypeAlias = tuple[Sequence[View], Sequence[View]]


def view_of(view: View, handed: Mapping[str, Sequence[Array]]) -> Array | None:
    """An array, or the operand of the call that is meant."""
    if isinstance(view, ExchangedView):
        return view.now()
    return handed[view[0]][view[1]] if isinstance(view, tuple) else view


def write_view(targets: Sequence[Array | None], values: Sequence[Any]) -> None:
    """Writes what a request gave where it belongs."""
    for target, value in zip(targets, values, strict=True):
        if target is not None:
            target[...] = value
