"""Rows: programs of shard_map for 2, 4 and 8 devices, with what to call them with."""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

Array = Any
Row = tuple[Callable[..., Any], list[Any], Any]

ROWS: dict[str, Row] = {}
RANDOM = np.random.RandomState(0)
DEVICES = np.array(jax.devices())
LINE = Mesh(DEVICES, ("x",))
FOUR = Mesh(DEVICES[:4], ("x",))
GRID = Mesh(DEVICES.reshape(2, 4), ("a", "b"))
SQUARE = Mesh(DEVICES[:4].reshape(2, 2), ("a", "b"))
CUBE = Mesh(DEVICES.reshape(2, 2, 2), ("a", "b", "c"))
TWO = Mesh(DEVICES[:2], ("x",))
BACKWARDS = Mesh(DEVICES[::-1], ("x",))


def f32(*shape: int) -> Array:
    """Small whole numbers, so that sums are exact in every order."""
    return RANDOM.randint(-4, 5, shape).astype(np.float32)


def row(name: str, function: Callable[..., Any], *inputs: Any) -> None:
    """A program, and what to call it with."""
    assert name not in ROWS, name
    ROWS[name] = (function, list(inputs), None)


def foreign(name: str, function: Callable[..., Any], expected: Any, *inputs: Any) -> None:
    """The same for a program that JAX writes for other devices, and does not run on these."""
    assert name not in ROWS, name
    ROWS[name] = (function, list(inputs), expected)


def divided(mesh: Mesh, ins: Any, outs: Any, **options: Any) -> Callable[..., Any]:
    """Makes a function of global arrays out of one of pieces."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        return jax.shard_map(function, mesh=mesh, in_specs=ins, out_specs=outs, **options)

    return wrap


def ring(size: int, step: int = 1) -> list[tuple[int, int]]:
    """Each device gives to the next one."""
    return [(i, (i + step) % size) for i in range(size)]


X = P("x")
