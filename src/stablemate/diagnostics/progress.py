"""How much of long work is done: what works reports its steps, what shows them listens.

A report costs a look at a variable where nobody listens.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

from stablemate.deferred_dataclasses import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WorkStep:
    """A step of long work.

    Attributes:
        unit: What a step is: ``kernel``.
        number: Which step is done now, from 1.
        total: How many there are.
        is_estimate: Whether the total is an estimate.
    """

    unit: str
    number: int
    total: int
    is_estimate: bool = False

    def __str__(self) -> str:
        about = "about " if self.is_estimate else ""
        return f"{self.unit} {self.number} of {about}{self.total}"


StepListener = Callable[[WorkStep], None]
LISTENER: Final[ContextVar[StepListener | None]] = ContextVar("LISTENER", default=None)


@contextmanager
def listen_to(listener: StepListener) -> Generator[None]:
    """Reports steps to a listener while the body runs."""
    token = LISTENER.set(listener)
    try:
        yield
    finally:
        LISTENER.reset(token)


def report_step(unit: str, number: int, total: int, *, is_estimate: bool = False) -> None:
    """Reports that a step begins.

    Args:
        unit: What a step is.
        number: Which step it is, from 1.
        total: How many there are.
        is_estimate: Whether the total is an estimate.
    """
    listener = LISTENER.get()
    if listener is not None:
        listener(WorkStep(unit, number, total, is_estimate))


def with_progress(items: Collection[T], unit: str) -> Iterator[T]:
    """The items, each of which is reported as a step."""
    for number, item in enumerate(items, 1):
        report_step(unit, number, len(items))
        yield item
