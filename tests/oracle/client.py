"""The oracle as tests use it: calls that are answered by child processes of their own.

The upstream libraries end the process on many programs that they do not support, so that each kind
of question (XLA, the reference interpreter, text and bytes of MLIR, HLO) has its own child,
started at the first question and again after an abort or a timeout.
"""

import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import IO, Any, Final, Self

import numpy as np
import numpy.typing as npt

from tests.oracle import wire
from tests.oracle.elements import Array

ROOT: Final = pathlib.Path(__file__).resolve().parents[2]
START_SECONDS: Final = 120.0
BINARY_SECONDS: Final = 300.0  # for a batch of binaries, some of which take ten seconds
QUOTED_LINES: Final = 20

ENVIRONMENT: Final = {
    "JAX_PLATFORMS": "cpu",
    # As few threads as possible: tests run several children beside each other.
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "NPROC": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


class OracleError(Exception):
    """The oracle has no answer."""


class OracleAborted(OracleError):
    """The child process ended or ran out of time; ``stderr`` holds the last lines it wrote."""

    def __init__(self, reason: str, stderr: list[str]) -> None:
        super().__init__("\n".join([reason, *stderr]))
        self.reason = reason
        self.stderr = stderr


class OracleRejected(OracleError):
    """The upstream library refuses the program or its arguments, for the reason given."""


class OracleCannot(OracleError):
    """The upstream library has no way to take this argument or to return this result."""


class Oracle:
    """Four child processes and the questions that they answer.

    A source is text, MLIR bytecode or a portable artifact. Arrays are of any dtype of NumPy or
    ml_dtypes that stands for an element type. Every call may raise ``OracleRejected`` and
    ``OracleAborted``.
    """

    def __init__(self, timeout: float = 60.0, xla_flags: str = "") -> None:
        """Start nothing yet; ``timeout`` is in seconds and per question.

        XLA gets ``xla_flags`` beside those that all children have.
        """
        self.timeout = timeout
        self._mlir = Child("mlir")
        self._reference = Child("reference")
        self._xla = Child("xla", xla_flags)
        self._hlo = Child("hlo")

    def xla(
        self, source: str | bytes, *arrays: npt.ArrayLike, timeout: float | None = None
    ) -> list[Array]:
        """Results of function ``main``, compiled by XLA for one CPU device."""
        return self._ask(self._xla, "xla", source, *map(np.asarray, arrays), timeout=timeout)

    def reference(
        self, source: str | bytes, *arrays: npt.ArrayLike, timeout: float | None = None
    ) -> list[Array]:
        """Results of ``main``, or of the only function, in the reference interpreter.

        CHLO is legalized to StableHLO first. Quantized arguments and results are arrays of their
        storage type. A grid of processes runs under ``interpreter.run_parallel``.

        Raises:
            OracleCannot: A result is a token or a tuple, or a dtype stands for no element type.
        """
        arguments = (source, *map(np.asarray, arrays))
        return self._ask(self._reference, "reference", *arguments, timeout=timeout)

    def diagnostics(self, source: str | bytes) -> list[tuple[str, int, int]]:
        """Message, line and column of every error; empty if the program is accepted.

        The position is the operation's location: that of the text unless the text says
        ``loc(...)``, and 0, 0 where it is unknown.
        """
        return self._ask(self._mlir, "diagnostics", source)

    def places(self, sources: Sequence[str]) -> list[tuple[str, int, int] | None]:
        """Of each text the first error, its line and its column; None if the text is accepted.

        The message is empty where the process did not survive the text.
        """
        try:
            return self._ask(self._mlir, "places", list(sources))
        except OracleAborted:
            if len(sources) == 1:
                return [("", 0, 0)]
            half = len(sources) // 2
            return [*self.places(sources[:half]), *self.places(sources[half:])]

    def readings(self, sources: Sequence[str]) -> list[tuple[str, str, str] | None]:
        """Of each text the first error, or else its pretty and its generic form.

        None where the process did not survive the text.
        """
        try:
            return self._ask(self._mlir, "readings", list(sources))
        except OracleAborted:
            if len(sources) == 1:
                return [None]
            half = len(sources) // 2
            return [*self.readings(sources[:half]), *self.readings(sources[half:])]

    def encoded(
        self, requests: Sequence[tuple[str, int, str]]
    ) -> list[tuple[bytes, bytes, str, str] | None]:
        """Texts as bytecode of a version and as an artifact of a version, with both printed forms.

        Nothing of a text that is refused; no bytes where no artifact can be written.
        """
        return self._ask(self._mlir, "encoded", list(requests), timeout=BINARY_SECONDS)

    def binary_readings(self, items: Sequence[bytes]) -> list[tuple[str, str, str] | None]:
        """Of each bytecode or artifact the first error, or else its pretty and its generic form.

        None where upstream did not survive the bytes.
        """
        return self._ask(self._mlir, "binary_readings", list(items), timeout=BINARY_SECONDS)

    def inferred(self, sources: Sequence[str]) -> list[list[tuple[str, list[str]]] | None]:
        """Operations of each text's last function, with the types that follow for their results.

        Without those that have regions; nothing of a text that is refused; None where the process
        did not survive the text.
        """
        try:
            return self._ask(self._mlir, "inferred", list(sources))
        except OracleAborted:
            if len(sources) == 1:
                return [None]
            half = len(sources) // 2
            return [*self.inferred(sources[:half]), *self.inferred(sources[half:])]

    def print(
        self,
        source: str | bytes,
        generic: bool = False,
        debug_info: bool = False,
        large_elements_limit: int | None = None,
    ) -> str:
        """The text of a program; an artifact is shown in the VHLO dialect that it is written in."""
        return self._ask(self._mlir, "print", source, generic, debug_info, large_elements_limit)

    def unregistered(self, source: str | bytes) -> tuple[str, str, str, bytes]:
        """A program that may have unregistered operations: its texts, and its bytecode.

        The texts are the pretty one, the generic one, and the pretty one with locations.
        """
        return self._ask(self._mlir, "unregistered", source)

    def transformed(self, source: str | bytes, pipeline: str) -> str:
        """The text of a program behind passes of the module, such as ``canonicalize,cse``."""
        return self._ask(self._mlir, "transformed", source, pipeline)

    def artifact(self, source: str | bytes, version: str | None = None) -> bytes:
        """Portable artifact for a StableHLO version such as ``"1.9.0"``, by default the newest."""
        return self._ask(self._mlir, "artifact", source, version)

    def artifacts(
        self, source: str | bytes, versions: Sequence[str], mixed: bool = False
    ) -> list[bytes | str]:
        """The artifact for each version, or why there is none.

        With ``mixed``, operations and attributes of other dialects stay as they are.
        """
        return self._ask(self._mlir, "artifacts", source, versions, mixed)

    def bytecode(
        self, source: str | bytes, version: int | None = None, pipeline: str = ""
    ) -> bytes:
        """MLIR bytecode in a bytecode version from 0 to 6, by default the newest, behind passes."""
        return self._ask(self._mlir, "bytecode", source, version, pipeline)

    def read_bytes(self, data: bytes) -> str:
        """The StableHLO text of an artifact or of bytecode."""
        return self._ask(self._mlir, "read_bytes", data)

    def hlo_text(self, source: str | bytes, **settings: Any) -> str:
        """XLA's text of an HLO module (text or proto), nothing elided.

        ``style`` may be ``short_parsable``, ``canonical`` or ``fingerprint``; other settings are
        fields of XLA's print options.
        """
        return self._ask(self._hlo, "hlo_text", source, settings)

    def hlo_readings(
        self, sources: Sequence[str | bytes]
    ) -> list[tuple[str, str, str, bytes, str] | None]:
        """Of each HLO module the first error, or else what it is.

        That is its text, its short text, its proto, and the text of what XLA reads from that proto.
        None where the process did not survive the module.
        """
        return self._ask(self._hlo, "hlo_readings", list(sources))

    def hlo_proto(self, source: str | bytes) -> bytes:
        """The serialized ``HloModuleProto`` of an HLO module (text or proto)."""
        return self._ask(self._hlo, "hlo_proto", source)

    def hlo_shape(self, text: str) -> str:
        """XLA's text of an HLO shape."""
        return self._ask(self._hlo, "hlo_shape", text)

    def hlo_to_stablehlo(self, source: str | bytes) -> str:
        """The StableHLO text of an HLO module (text or proto); checks operand types."""
        return self._ask(self._hlo, "hlo_to_stablehlo", source)

    def hlo_run(
        self, source: str | bytes, *arrays: npt.ArrayLike, timeout: float | None = None
    ) -> list[Array]:
        """Results of an HLO module's entry on one CPU device; tuples are flattened."""
        return self._ask(self._xla, "hlo_run", source, *map(np.asarray, arrays), timeout=timeout)

    def stablehlo_to_hlo(self, text: str) -> str:
        """XLA's HLO text of a StableHLO module."""
        return self._ask(self._hlo, "stablehlo_to_hlo", text)

    def exported_hlo(self, text: str) -> bytes:
        """The serialized ``HloModuleProto`` of a StableHLO module, as XLA's converter writes it."""
        return self._ask(self._hlo, "exported_hlo", text)

    def imported_stablehlo(self, source: str | bytes) -> str:
        """The StableHLO text of an HLO module with locations, as XLA's importer writes it."""
        return self._ask(self._hlo, "imported_stablehlo", source)

    @property
    def starts(self) -> dict[str, int]:
        """How often each child process was started."""
        return {child.name: child.starts for child in self._children}

    @property
    def _children(self) -> "tuple[Child, ...]":
        return self._mlir, self._reference, self._xla, self._hlo

    def close(self) -> None:
        """End the child processes; a later question starts them again."""
        for child in self._children:
            child.stop()

    def __enter__(self) -> Self:
        """The oracle itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def _ask(
        self, child: "Child", question: str, *arguments: Any, timeout: float | None = None
    ) -> Any:
        seconds = self.timeout if timeout is None else timeout
        reply = child.ask(wire.Request(question, arguments, seconds))
        match reply.outcome:
            case wire.Outcome.ANSWERED:
                return reply.value
            case wire.Outcome.REJECTED:
                raise OracleRejected(reply.value)
            case wire.Outcome.CANNOT:
                raise OracleCannot(reply.value)
            case wire.Outcome.BROKEN:
                raise RuntimeError(f"the oracle's child process failed\n{reply.value}")


class Child:
    """One child process, started when needed."""

    def __init__(self, name: str, xla_flags: str = "") -> None:
        self.name = name
        self._xla_flags = xla_flags
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] = io.BytesIO()
        self.starts = 0

    def ask(self, request: wire.Request) -> wire.Reply:
        """Send a request and wait for its reply; a child that gives none is ended and forgotten."""
        if self._process is None:
            self._process = self._start()
            self._receive(self._process, START_SECONDS)  # its greeting, when jax is imported
        return self._receive(self._process, request.seconds, wire.frame(request))

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
        self._log.close()

    def _start(self) -> subprocess.Popen[bytes]:
        self.starts += 1
        # Appending, so that reading here moves no position there; closed by `stop`.
        self._log = tempfile.TemporaryFile("ab+")  # noqa: SIM115
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
        flags = f"{ENVIRONMENT['XLA_FLAGS']} {self._xla_flags}"
        return subprocess.Popen(
            [sys.executable, "-m", "tests.oracle.child"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=inherited | ENVIRONMENT | {"XLA_FLAGS": flags},
        )

    def _receive(
        self, process: subprocess.Popen[bytes], seconds: float, sent: bytes = b""
    ) -> wire.Reply:
        assert process.stdin is not None
        assert process.stdout is not None
        is_late = threading.Event()

        def end() -> None:
            is_late.set()
            process.kill()  # lets the calls below return

        self._log.truncate(0)
        timer = threading.Timer(seconds, end)
        timer.start()
        try:
            process.stdin.write(sent)
            process.stdin.flush()
            reply = wire.read(process.stdout)
        except BrokenPipeError:
            reply = None
        except BaseException:  # interrupted: the reply would be taken for the next one's
            self.stop()
            raise
        finally:
            timer.cancel()
        if is_late.is_set() or reply is None:
            raise self._ended(
                process, f"no answer within {seconds:g} s" if is_late.is_set() else ""
            )
        return reply

    def _ended(self, process: subprocess.Popen[bytes], reason: str) -> OracleAborted:
        status = process.wait()
        how = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").splitlines()
        collected = [line for line in lines if line.strip()][-QUOTED_LINES:]
        self.stop()
        return OracleAborted(f"{self.name}: {reason or f'the process ended with {how}'}", collected)
