"""Arguments and times of the programs in cells."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from time import perf_counter
from typing import Any, Final

from stablemate.api.compilation import compile
from stablemate.api.module import Module
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.execution.signature import Signature
from stablemate.ir.types import TensorType
from stablemate.numerics.random_elements import random_elements

SECONDS: Final = 0.2  # of calls that are measured
FEWEST, MOST = 3, 10_000  # calls


def random_arguments(signature: Signature, first: int, seed: int) -> list[object]:
    """Random elements for the arguments from the one of number ``first``.

    Argument I draws from the seed plus I, as with ``stablemate run --random-seed``.

    Raises:
        ArgumentValueError: An argument is no tensor, or a size of it is not known.
    """
    arguments: list[Any] = []
    for position, argument in enumerate(signature.arguments[first:], start=first):
        type_ = argument.type
        if not isinstance(type_, TensorType) or any(size < 0 for size in type_.shape):
            raise ArgumentValueError(
                f"argument {position} ({argument}) cannot be drawn at random: "
                "it is no tensor of known sizes"
            )
        arguments.append(random_elements(type_.shape, type_.element_type, seed + position))
    return arguments


def time_program(
    module: Module, entry: str | None, backend: str, arguments: Sequence[object]
) -> str:
    """How long compiling takes, and a call, in words.

    Raises:
        StablemateError: The program fails.
    """
    start = perf_counter()
    executable = compile(module, entry=entry, backend=backend)
    executable.call_flat(*arguments)
    first = perf_counter() - start
    times: list[float] = []
    while len(times) < FEWEST or (sum(times) < SECONDS and len(times) < MOST):
        start = perf_counter()
        executable.call_flat(*arguments)
        times.append(perf_counter() - start)
    calls = f"a call takes {duration(median(times))} (median of {len(times)})"
    return f"{calls}; the first, with compilation, took {duration(first)}"


def duration(seconds: float) -> str:
    """A time with a unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
