"""The oracle's answers about HLO: XLA's own parser, printer, protocol buffers and compiler.

Only a child process imports this module: XLA ends the process on some wrong programs.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from jax._src.lib import xla_client
from jaxlib import _hlo, _jax

from tests.oracle import answers
from tests.oracle.elements import Array

Source = str | bytes
T = TypeVar("T")


def hlo_text(source: Source, settings: dict[str, Any]) -> str:
    """XLA's text of a module, nothing elided; ``settings`` are fields of its print options."""
    module = read(source)
    style = settings.pop("style", "")
    options = getattr(_hlo.HloPrintOptions, style)() if style else _hlo.HloPrintOptions()
    options.print_large_constants = True
    for name, value in settings.items():
        setattr(options, name, value)
    return refusing(lambda: module.to_string(options))


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
