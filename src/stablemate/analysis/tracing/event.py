"""Events: what one operation gave when it ran once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, Final

import numpy as np

from stablemate.analysis.operation_identity import OperationPlace
from stablemate.compiler.runtime.native.statistics_kernels import (
    COUNT,
    DENORMALS,
    INFINITIES,
    MAXIMUM,
    MINIMUM,
    NANS,
    NEGATIVE_INFINITIES,
    SHIFT,
    SQUARES,
    SUM,
    ZEROS,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.grid import ProcessId
from stablemate.numerics.elements import Array

Number = int | float
# What conditions call the fields of statistics.
NAMES: Final = (
    "count", "nans", "infinities", "negative_infinities", "zeros", "denormals", "min", "max",
    "mean", "std",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ElementStatistics:
    """Statistics of the elements of a tensor; of a complex one, of real or imaginary parts.

    Of booleans, true is 1; a quantized tensor is its stored integers.

    Attributes:
        count: How many there are.
        nans: How many are NaN.
        infinities: How many are infinite, of either sign.
        negative_infinities: How many are minus infinity.
        zeros: How many are zero, of either sign.
        denormals: How many are closer to zero than the least normal number of the type, and not 0.
        min: The least that is no NaN; None if there is none.
        max: The greatest that is no NaN; None if there is none.
        mean: The mean of the finite ones; None if there are none.
        std: The standard deviation of the finite ones, from their own mean.
    """

    count: int
    nans: int
    infinities: int
    negative_infinities: int
    zeros: int
    denormals: int
    min: Number | None
    max: Number | None
    mean: float | None
    std: float | None

    @property
    def range(self) -> str:
        """``[-1.5, 2]``, with the number of special values: ``3 NaN``."""
        if not self.count:
            return "empty"
        low, high = self.min, self.max
        numbers = ""
        if low is not None and high is not None:
            numbers = short(low) if low == high else f"[{short(low)}, {short(high)}]"
        parts = [numbers] if numbers else []
        parts += [f"{self.nans} NaN"] if self.nans else []
        parts += [f"{self.infinities} inf"] if self.infinities else []
        return ", ".join(parts)


def short(number: Number) -> str:
    """A number in few digits."""
    return str(number) if isinstance(number, int) else f"{number:.5g}"


def numbers_of(rows: Array, *, is_float: bool, is_unsigned: bool = False) -> dict[str, Array]:
    """The columns of statistics of several tensors of one kind; NaN where there is no number.

    Args:
        rows: Rows of a surveyor; ``(n, 12)``.
        is_float: Whether their ranges are doubles.
        is_unsigned: Whether they are unsigned integers.
    """
    doubles = rows.view(np.float64)
    count, nans, infinite = rows[:, COUNT], rows[:, NANS], rows[:, INFINITIES]
    finite = count - nans - infinite
    if is_float:
        low, high = (
            np.where(count > nans, doubles[:, column], np.nan) for column in (MINIMUM, MAXIMUM)
        )
    else:
        words = rows.view(np.uint64) if is_unsigned else rows
        low, high = words[:, MINIMUM], words[:, MAXIMUM]
    with np.errstate(all="ignore"):
        apart = doubles[:, SUM] / finite
        mean = np.where(finite > 0, doubles[:, SHIFT] + apart, np.nan)
        squares = np.maximum(doubles[:, SQUARES] / finite - apart * apart, 0.0)
    return {
        "count": count,
        "nans": nans,
        "infinities": infinite,
        "negative_infinities": rows[:, NEGATIVE_INFINITIES],
        "zeros": rows[:, ZEROS],
        "denormals": np.maximum(rows[:, DENORMALS] - rows[:, ZEROS], 0),
        "min": low,
        "max": high,
        "mean": mean,
        "std": np.where(finite > 0, np.sqrt(squares), np.nan),
    }


def statistics_of(row: Array, *, is_float: bool, is_unsigned: bool = False) -> ElementStatistics:
    """The statistics in one row of the native code's table."""
    numbers = numbers_of(row.reshape(1, -1), is_float=is_float, is_unsigned=is_unsigned)
    values: dict[str, Any] = {name: column[0].item() for name, column in numbers.items()}
    absent = {
        name: None
        for name in ("min", "max", "mean", "std")
        if not values["count"] or (isinstance(values[name], float) and math.isnan(values[name]))
    }
    values.update(absent)
    return ElementStatistics(**values)


@dataclass(frozen=True, slots=True)
class EventScope:
    """A block that an event happened in.

    Attributes:
        place: The operation whose block it is: a loop, a branch, a call, a function.
        region: Which of its regions.
        iteration: How often the block had been run before, there: the iteration of a loop.
        label: How it is said: ``body[3]``, ``@f``.
    """

    place: OperationPlace
    region: int
    iteration: int
    label: str

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class EventResult:
    """One result of an event.

    Attributes:
        name: What the printed program calls it.
        type: Its type, with the sizes that it had.
        shape: Its sizes.
        statistics: What is known of its elements; of real parts, if it is complex.
        imaginary: The same of imaginary parts.
        load: Gives its elements, if they were kept.
    """

    name: str
    type: str
    shape: tuple[int, ...]
    statistics: ElementStatistics
    imaginary: ElementStatistics | None = None
    load: Callable[[], Array] | None = field(default=None, repr=False, compare=False)

    @property
    def array(self) -> Array | None:
        """Its elements, if they were kept; quantized ones as stored."""
        return None if self.load is None else self.load()

    @property
    def parts(self) -> Sequence[ElementStatistics]:
        """The statistics of all its parts."""
        return (self.statistics,) if self.imaginary is None else (self.statistics, self.imaginary)


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """The results of one execution of an operation.

    Attributes:
        number: Its number in the order of the run, among those that were recorded.
        place: The operation, as it was written.
        occurrence: How often the operation had run before, in this process.
        stack: The blocks it happened in, the outermost first.
        process: The process of the grid.
        results: What it gave; tokens and tuples aside.
    """

    number: int
    place: OperationPlace
    occurrence: int
    stack: tuple[EventScope, ...]
    process: ProcessId
    results: tuple[EventResult, ...]

    @property
    def path(self) -> str:
        """``main > while body[3] > @f``."""
        return " > ".join(map(str, self.stack))
