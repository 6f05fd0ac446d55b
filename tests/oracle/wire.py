"""Messages between the oracle and its child processes: pickles, each behind its length."""

import pickle
import struct
from dataclasses import dataclass
from enum import Enum
from typing import IO, Any, Final

HEADER: Final = struct.Struct("<Q")


class Outcome(Enum):
    """How a request ended."""

    ANSWERED = "answered"
    REJECTED = "rejected"  # the program or its arguments are wrong
    CANNOT = "cannot"  # the oracle has no way to answer
    BROKEN = "broken"  # the child itself failed


@dataclass(frozen=True, slots=True)
class Request:
    """One question: a name among the child's answers, and what it is asked with.

    The child ends by itself when ``seconds`` are long over: then nobody waits any more.
    """

    question: str
    arguments: tuple[Any, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer, or a message in its place."""

    outcome: Outcome
    value: Any


def frame(message: Request | Reply) -> bytes:
    """The bytes of one message."""
    data = pickle.dumps(message, protocol=5)
    return HEADER.pack(len(data)) + data


def read(stream: IO[bytes]) -> Any:
    """The next message, or None at the end of ``stream``."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    (size,) = HEADER.unpack(header)
    data = stream.read(size)
    return pickle.loads(data) if len(data) == size else None
