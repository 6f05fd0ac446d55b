"""Host channels without streams: the host returns what it receives, first in, first out."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from stablemate.diagnostics.errors import StablemateError
from stablemate.execution.streams import Record, record_of, values_of
from stablemate.ir.definition import pack_results
from stablemate.ir.request import Receive

Resume: TypeAlias = Callable[[Any], object]  # continues a process with an answer


class HostChannels:
    """The records that processes sent to the host and no process has received.

    All processes of a run share them, those of nested grids included.

    Attributes:
        records: By channel, what was sent.
        receivers: By channel, the processes that wait.
    """

    def __init__(self) -> None:
        self.records: defaultdict[int, deque[Record]] = defaultdict(deque)
        self.receivers: defaultdict[int, deque[tuple[Receive, Resume]]] = defaultdict(deque)

    def send(self, channel: int, operands: Sequence[object]) -> None:
        """Passes copies of the operands to the process that waits first, or keeps them."""
        record, receivers = record_of(operands), self.receivers[channel]
        if not receivers:
            self.records[channel].append(record)
            return
        request, resume = receivers.popleft()
        try:
            answer = answer_of(record, request)
        except StablemateError as error:
            answer = error
        resume(answer)

    def has_records(self, channel: int) -> bool:
        """Whether a process can receive from the channel without waiting."""
        return bool(self.records[channel])

    def receive(self, request: Receive) -> object:
        """The values that were sent first.

        Raises:
            EvaluationError: They do not fit the results.
        """
        return answer_of(self.records[request.channel].popleft(), request)

    def wait(self, request: Receive, resume: Resume) -> None:
        """Continues a process as soon as another one sends to the channel."""
        self.receivers[request.channel].append((request, resume))


def answer_of(record: Record, request: Receive) -> object:
    """The answer to a request that receives a record.

    Raises:
        EvaluationError: The record does not fit the results.
    """
    what = f"channel {request.channel} from the host"
    return pack_results(values_of(record, request.operation, what))
