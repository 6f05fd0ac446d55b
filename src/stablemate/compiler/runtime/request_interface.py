"""The interface between a program instance and the handlers of its requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from stablemate.compiler.program.image import Place, RequestRecord
from stablemate.compiler.runtime.memory_views import View, Views
from stablemate.interpreter.block import Failure
from stablemate.ir.request import CollectiveRequest, HostCall, Process
from stablemate.ir.types import Type


class MemoryViewer(Protocol):
    """A program in memory."""

    def view(self, place: Place, value_type: Type) -> View:
        """The memory at a place as an array."""
        ...


class RequestHandler(Protocol):
    """Handles requests."""

    def __call__(self, record: RequestRecord, values: Sequence[object]) -> Sequence[object]:
        """The results of a request."""
        ...

    def host_request(
        self, record: RequestRecord, values: Sequence[object], targets: Sequence[object]
    ) -> Process:
        """The process of a host request.

        It returns the results, or None if it has written them to ``targets``.
        """
        ...

    def host_call(self, record: RequestRecord, values: Sequence[object]) -> HostCall | None:
        """The request to call a function that may wait for other processes, if this is one."""
        ...

    def lent_request(
        self, record: RequestRecord, values: Sequence[object], targets: Sequence[object]
    ) -> CollectiveRequest | None:
        """The request itself, if it lends memory and is always the same for the same memory."""
        ...

    def is_constant_per_process(self, record: RequestRecord) -> bool:
        """Whether the answer is always the same for a process."""
        ...

    def request_error(self, record: RequestRecord, error: Failure) -> Exception:
        """The error that is raised when a request fails."""
        ...

    def request_views(self, record: RequestRecord, instance: MemoryViewer) -> Views:
        """The operands and results of a request as views of the memory of an instance."""
        ...

    def iteration_limit_error(self, operation: int) -> Exception:
        """The error when a loop runs too long."""
        ...

    def access_error(self, step: int, report: Sequence[int]) -> Exception:
        """The error when a checked kernel tried to access memory outside its buffers."""
        ...
