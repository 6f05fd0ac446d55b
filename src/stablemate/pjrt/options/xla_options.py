"""Checks the names and values of XLA's options, most of which have no effect here."""

from __future__ import annotations

import logging
from functools import cache, partial
from typing import Any, Final

from stablemate.bridges import jax_internals
from stablemate.pjrt.options.xla_dumps import EFFECTIVE
from stablemate.pjrt.status import ErrorCode, PjrtError

PROGRAM: Final = "module { func.func public @main() { return } }"
UNKNOWN: Final = "No such compile option: '{}'"
LOGGER: Final = logging.getLogger(__name__)
WARNED: Final[list[str]] = []  # the option of the one warning that a process gets
END: Final = "the end of the options"  # no option: XLA stops there and compiles nothing


def check_options(names: list[str], raw: bytes) -> None:
    """Rejects options that XLA's CPU client rejects: unknown ones, and values of a wrong type.

    Logs a warning about the first options that it accepts, because they have no effect.

    Args:
        names: The options.
        raw: The serialized compile options that contain them.

    Raises:
        PjrtError: XLA rejects one, with XLA's message.
    """
    for name in names:
        if not name.startswith("xla_"):
            raise PjrtError(ErrorCode.INVALID_ARGUMENT, UNKNOWN.format(name))
    message = rejection(raw)
    if message and END not in message:
        message = message.removeprefix("INVALID_ARGUMENT: ")
        raise PjrtError(ErrorCode.INVALID_ARGUMENT, message)
    ignored = [name for name in names if name not in EFFECTIVE]
    if ignored and not WARNED:
        WARNED.append(ignored[0])
        LOGGER.warning("options of XLA have no effect on stablemate: %s", ", ".join(ignored))


def rejection(raw: bytes) -> str:
    """XLA's message about the first option that it rejects; empty if jaxlib has no such client."""
    try:
        client, xla_client = cpu_client()
        options: Any = xla_client.CompileOptions()
        given = xla_client.CompileOptions.ParseFromString(raw).env_option_overrides
        options.env_option_overrides = [*given, (END, "")]
        if hasattr(client, "compile_and_load"):
            devices = xla_client._xla.DeviceList(tuple(client.local_devices()))
            run = partial(client.compile_and_load, PROGRAM, devices)
        else:  # jaxlib 0.6
            run = partial(client.compile, PROGRAM)
    except (AttributeError, ImportError, TypeError):
        return ""
    try:
        run(options)
    except RuntimeError as error:
        return str(error)
    return ""


@cache
def cpu_client() -> tuple[Any, Any]:
    """Jaxlib's own CPU client, which checks options, and the module that it comes from."""
    xla_client = jax_internals.xla_client()
    return xla_client.make_cpu_client(), xla_client
