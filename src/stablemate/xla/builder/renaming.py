"""Accepts arguments under the alternative names of XLA's documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def renamed_arguments(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator: a keyword argument of another name is the argument of this name."""

    def decorate(method: Callable[P, R]) -> Callable[P, R]:
        @wraps(method)
        def call(*arguments: P.args, **keywords: P.kwargs) -> R:
            for other in names.keys() & keywords.keys():
                keywords[names[other]] = keywords.pop(other)
            return method(*arguments, **keywords)

        OTHER_NAMES[call] = names
        return call

    return decorate


OTHER_NAMES: Final[dict[Callable[..., object], Mapping[str, str]]] = {}


def other_names(method: Callable[..., object]) -> Mapping[str, str]:
    """The alternative names of a method's arguments, with the names that they map to."""
    return OTHER_NAMES.get(method, {})
