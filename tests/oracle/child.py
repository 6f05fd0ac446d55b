"""A child process of the oracle: reads requests from stdin, writes replies to what was stdout."""

import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from typing import IO, Any, Final

from tests.oracle import answers, binaries, hlo, inference, wire

GRACE: Final = 5  # seconds behind the request's limit, after which nobody can be waiting

QUESTIONS: Final[dict[str, Callable[..., Any]]] = {
    "xla": answers.xla,
    "reference": answers.reference,
    "diagnostics": answers.diagnostics,
    "places": answers.places,
    "readings": answers.readings,
    "inferred": inference.inferred,
    "encoded": binaries.encoded,
    "binary_readings": binaries.binary_readings,
    "print": answers.print_program,
    "transformed": answers.transformed,
    "artifact": answers.artifact,
    "artifacts": answers.artifacts,
    "bytecode": answers.bytecode,
    "read_bytes": answers.read_bytes,
    "unregistered": answers.unregistered,
    "hlo_text": hlo.hlo_text,
    "hlo_proto": hlo.hlo_proto,
    "hlo_shape": hlo.hlo_shape,
    "hlo_to_stablehlo": hlo.hlo_to_stablehlo,
    "hlo_readings": hlo.hlo_readings,
    "hlo_run": hlo.hlo_run,
    "stablehlo_to_hlo": hlo.stablehlo_to_hlo,
    "exported_hlo": hlo.exported_hlo,
    "imported_stablehlo": hlo.imported_stablehlo,
}


def answer(request: wire.Request) -> wire.Reply:
    """The reply to one request; only the end of the process stays unanswered."""
    try:
        value = QUESTIONS[request.question](*request.arguments)
    except answers.Rejected as rejected:
        return wire.Reply(wire.Outcome.REJECTED, str(rejected))
    except answers.Cannot as cannot:
        return wire.Reply(wire.Outcome.CANNOT, str(cannot))
    except Exception:
        return wire.Reply(wire.Outcome.BROKEN, traceback.format_exc())
    return wire.Reply(wire.Outcome.ANSWERED, value)


def send(replies: IO[bytes], reply: wire.Reply) -> None:
    """Write one reply at once."""
    replies.write(wire.frame(reply))
    replies.flush()


def serve() -> None:
    """Greet, then answer until stdin ends."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # aborts are part of the work
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a program prints must not mix in
    send(replies, wire.Reply(wire.Outcome.ANSWERED, None))
    while (request := wire.read(sys.stdin.buffer)) is not None:
        signal.alarm(int(request.seconds) + GRACE)
        send(replies, answer(request))
        signal.alarm(0)


if __name__ == "__main__":
    serve()
