"""The interface between a program instance and the handlers of its requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from stablemate.compiler.program.image import Place, RequestRecord
from stablemate.compiler.runtime.memory_views import View, Views
from stablemate.interpreter.block import Failure
from stablemate.ir.request import Collective, Process
from stablemate.ir.types import Type


class MemoryViewer(Protocol):
    """A program in memory."""

    def view(self, place: Place, value_type: Type) -> View:
        """What stands at a place as an array."""
        ...


class RequestHandler(Protocol):
    """Answers requests."""

    def __call__(self, asked: RequestRecord, values: Sequence[Any]) -> Sequence[Any]:
        """The results of a request."""
        ...

    def ask(self, asked: RequestRecord, values: Sequence[Any], targets: Sequence[Any]) -> Process:
        """The process of a request that asks the world.

        It gives the results, or None if it has written them to ``targets``.
        """
        ...

    def lending(
        self, asked: RequestRecord, values: Sequence[Any], targets: Sequence[Any]
    ) -> Collective | None:
        """The request itself, where it lends memory and is the same for the same memory."""
        ...

    def is_fixed(self, asked: RequestRecord) -> bool:
        """Whether a process is always given the same."""
        ...

    def failed(self, asked: RequestRecord, error: Failure) -> Exception:
        """The error when a request fails with one."""
        ...

    def viewed(self, asked: RequestRecord, instance: MemoryViewer) -> Views:
        """The operands and results of a request as they stand in the memory of an instance."""
        ...

    def overrun(self, operation: int) -> Exception:
        """The error when a loop runs too long."""
        ...

    def astray(self, step: int, report: Sequence[int]) -> Exception:
        """The error when a checked kernel was about to leave its buffers."""
        ...
