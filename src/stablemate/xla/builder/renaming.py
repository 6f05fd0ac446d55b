"""Arguments under the other names that documents give them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

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

        return call

    return decorate
