"""A program of the table, and the arguments that programs share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

SIDE: Final = 512


@dataclass(frozen=True)
class Program:
    """A function of JAX with the arguments it is measured on."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def normal(*shape: int, seed: int = 0) -> Any:
    """f32 numbers of the normal distribution."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def unit(*shape: int, seed: int = 0) -> Any:
    """f32 numbers between 0.05 and 0.95."""
    return np.random.default_rng(seed).uniform(0.05, 0.95, shape).astype(np.float32)


def integers(below: int, *shape: int, kind: str = "int32", seed: int = 0) -> Any:
    """Integers from zero to a bound, without the bound."""
    return np.random.default_rng(seed).integers(0, below, shape).astype(kind)


def unary(area: str, functions: dict[str, Callable[[Any], Any]], argument: Any) -> list[Program]:
    """A program for each function of one argument."""
    return [
        Program(f"{area}.{name}", function, (argument,)) for name, function in functions.items()
    ]
