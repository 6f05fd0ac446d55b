"""Programs as bytecode and artifacts, and what upstream reads from damaged ones.

Damaged binaries often end the process. Therefore a forked process answers, one after the other,
and another one takes over behind the item that ended it.
"""

import io
import os
import resource
import signal
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from tests.oracle import answers, wire

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Reading = tuple[str, str, str]

SECONDS: Final = 10  # for an item
MEMORY: Final = 6 << 30  # bytes of address space


def encoded(
    requests: Sequence[tuple[str, int, str]],
) -> list[tuple[bytes, bytes, str, str] | None]:
    """Programs as bytecode of a version and as an artifact of a version, with their two texts.

    Nothing of a program that is refused or ends the process; no bytes of an artifact that cannot
    be written for the version.
    """
    context = answers.new_context()
    return survived(requests, lambda request: _encoded(context, *request))


def _encoded(
    context: ir.Context, text: str, version: int, target: str
) -> tuple[bytes, bytes, str, str] | None:
    try:
        module = answers.parse(text, context)
    except (answers.Rejected, ValueError):
        return None
    texts = printed(module.operation)
    bytecode = io.BytesIO()
    module.operation.write_bytecode(bytecode, version)
    try:
        artifact = stablehlo.serialize_portable_artifact(module, target)
    except ValueError:
        artifact = b""
    return bytecode.getvalue(), artifact, *texts


def binary_readings(items: Sequence[bytes]) -> list[Reading | None]:
    """Of each binary the first error, or else its pretty and its generic form.

    None where the process did not survive.
    """
    context = answers.new_context()
    return survived(items, lambda data: _reading(context, data))


def _reading(context: ir.Context, data: bytes) -> Reading:
    try:
        module = _module(context, data).operation
    except answers.Rejected as rejected:
        return str(rejected).partition("\n")[0] or "refused", "", ""
    except ValueError as error:
        return str(error) or "refused", "", ""
    return "", *printed(module)


def printed(operation: Any) -> tuple[str, str]:
    """The pretty and the generic form."""
    return operation.get_asm(), operation.get_asm(print_generic_op_form=True)


def _module(context: ir.Context, data: bytes) -> ir.Module:
    """The program of bytecode, or of an artifact whose producer may have another name."""
    if b"vhlo\0" not in data:
        return answers.parse(data, context)
    return answers.quoting(context, lambda: stablehlo.deserialize_portable_artifact(context, data))


def survived(items: Sequence[Item], answer: Callable[[Item], Answer | None]) -> list[Answer | None]:
    """The answers of forked processes; None for each item that ended one."""
    collected: list[Answer | None] = []
    while len(collected) < len(items):
        collected += _answers_of_fork(items[len(collected) :], answer)
        if len(collected) < len(items):
            collected.append(None)
    return collected


def _answers_of_fork(
    items: Sequence[Item], answer: Callable[[Item], Answer | None]
) -> list[Answer | None]:
    reading_end, writing_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading_end)
        _answer_all(items, answer, writing_end)
    os.close(writing_end)
    collected: list[Answer | None] = []
    with os.fdopen(reading_end, "rb") as pipe:
        while (reply := wire.read(pipe)) is not None:
            collected.append(reply.value)
    os.waitpid(pid, 0)
    return collected


def _answer_all(
    items: Sequence[Item], answer: Callable[[Item], Answer | None], writing_end: int
) -> None:
    """Writes the answers, and ends the process without the handlers of its parent."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        with os.fdopen(writing_end, "wb") as pipe:
            for item in items:
                signal.alarm(SECONDS)
                pipe.write(wire.frame(wire.Reply(wire.Outcome.ANSWERED, answer(item))))
                pipe.flush()
    finally:
        os._exit(0)
