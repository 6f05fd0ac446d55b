"""The oracle's answers about HLO: XLA's own parser, printer, protocol buffers and compiler.

Only a child process imports this module: XLA ends the process on some wrong programs.
"""

import os
import pickle
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias, TypeVar

from jax._src.lib import xla_client
from jaxlib import _hlo, _jax

from tests.oracle import answers
from tests.oracle.elements import Array

Source = str | bytes
Reading: TypeAlias = tuple[str, str, str, bytes, str]
T = TypeVar("T")

NO_TEXT: Final = "no text"  # of a module with bytes that are no UTF-8
SECONDS: Final = 20  # for one module


def hlo_text(source: Source, settings: dict[str, Any]) -> str:
    """XLA's text of a module, nothing elided; ``settings`` are fields of its print options."""
    module = read(source)
    style = settings.pop("style", "")
    options = getattr(_hlo.HloPrintOptions, style)() if style else _hlo.HloPrintOptions()
    options.print_large_constants = True
    for name, value in settings.items():
        setattr(options, name, value)
    return refusing(lambda: module.to_string(options))


def hlo_readings(sources: Sequence[Source]) -> list[Reading | None]:
    """Of each module the first error, or else what it is.

    That is its text, its short text, its proto, and the text of what XLA reads from that proto.
    None where the process does not survive the module: a copy of this one is at work.
    """
    collected: list[Reading | None] = []
    while len(collected) < len(sources):
        collected += survived(sources[len(collected) :])
        if len(collected) < len(sources):
            collected.append(None)
    return collected


def survived(sources: Sequence[Source]) -> list[Reading]:
    """The readings of a copy of this process, up to its end."""
    received, sent = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            with os.fdopen(sent, "wb") as replies:
                for source in sources:
                    signal.alarm(SECONDS)
                    pickle.dump(reading(source), replies)
                    replies.flush()
        finally:
            os._exit(0)
    os.close(sent)
    collected: list[Reading] = []
    with os.fdopen(received, "rb") as replies, suppress(EOFError, pickle.UnpicklingError):
        while True:
            collected.append(pickle.load(replies))
    os.waitpid(process, 0)
    return collected


def reading(source: Source) -> Reading:
    """What XLA makes of one module."""
    try:
        module = read(source)
        full, short = _hlo.HloPrintOptions(), _hlo.HloPrintOptions.short_parsable()
        full.print_large_constants = short.print_large_constants = True
        texts = module.to_string(full), module.to_string(short)
        proto = refusing(module.as_serialized_hlo_module_proto)
        return "", *texts, proto, again(proto, full)
    except answers.Rejected as rejected:
        return str(rejected) or "refused", "", "", b"", ""
    except UnicodeDecodeError:
        return "", NO_TEXT, NO_TEXT, b"", ""


def again(proto: bytes, options: Any) -> str:
    """The text of the module that XLA reads from a proto; or nothing if it refuses it."""
    with suppress(answers.Rejected):
        return str(read(proto).to_string(options))
    return ""


def hlo_proto(source: Source) -> bytes:
    """The serialized ``HloModuleProto`` of a module."""
    module = read(source)
    return refusing(module.as_serialized_hlo_module_proto)


def hlo_shape(text: str) -> str:
    """XLA's text of a shape."""
    return refusing(lambda: str(_hlo.Shape(text)))


def hlo_to_stablehlo(source: Source) -> str:
    """The StableHLO text of a module; XLA's only check of operand types."""
    data = bytecode(source)
    return str(answers.program(data, answers.new_context()))


def hlo_run(source: Source, *arrays: Array) -> list[Array]:
    """Results of the entry, compiled by XLA for one CPU device; tuples flattened."""
    return answers.xla(bytecode(source), *arrays)


def stablehlo_to_hlo(text: str) -> str:
    """XLA's HLO text of a StableHLO module."""

    def convert() -> str:
        computation = _jax.mlir.mlir_module_to_xla_computation(
            text, use_tuple_args=False, return_tuple=False
        )
        return computation.as_hlo_text(True)

    return refusing(convert)


def exported_hlo(text: str) -> bytes:
    """The serialized module that XLA's converter writes of a StableHLO module."""

    def convert() -> bytes:
        computation = _jax.mlir.mlir_module_to_xla_computation(
            text, use_tuple_args=False, return_tuple=False
        )
        data: bytes = computation.as_serialized_hlo_module_proto()
        return data

    return refusing(convert)


def imported_stablehlo(source: Source) -> str:
    """The StableHLO text, with locations, that XLA's importer writes of a module."""
    data = hlo_proto(source)
    return refusing(
        lambda: str(_jax.mlir.xla_computation_to_mlir_module(_hlo.XlaComputation(data)))
    )


def bytecode(source: Source) -> bytes:
    """The StableHLO bytecode of a module."""
    data = hlo_proto(source)
    return refusing(lambda: _jax.mlir.hlo_to_stablehlo(data))


def read(source: Source) -> Any:
    """The module of a text or a serialized proto."""
    if isinstance(source, str):
        return refusing(lambda: _hlo.hlo_module_from_text(source))
    return refusing(lambda: _hlo.HloModule.from_serialized_hlo_module_proto(source))


def refusing(function: Callable[[], T]) -> T:
    """The result; what XLA refuses becomes ``Rejected``."""
    try:
        return function()
    except (xla_client.XlaRuntimeError, ValueError, TypeError, RuntimeError) as error:
        raise answers.Rejected(str(error)) from None
