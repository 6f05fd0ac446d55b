"""``jax.debug.inspect_array_sharding``: JAX is told how a value is divided.

Source: JAX, the custom call ``InspectSharding``; its configuration is a C function and what it is
called with, which is a function of Python here.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any

from stablemate.bridges import jax_internals
from stablemate.dialects.stablehlo.custom_call import CustomCall


def report_shardings(inspections: Sequence[tuple[CustomCall, str]]) -> None:
    """Calls the callbacks of a program that is being compiled.

    Args:
        inspections: The custom calls, with the shardings of their operands as XLA spells them.
    """
    if not inspections:
        return
    xla = jax_internals.xla_client()
    for operation, text in inspections:
        callback_of(operation)(xla.HloSharding.from_string(text))


def callback_of(operation: CustomCall) -> Any:
    """The function of Python that a custom call names by its address."""
    raw = str(operation.backend_config).encode("utf-8", "surrogateescape")
    _, address = struct.unpack("PP", raw)
    return ctypes.cast(address, ctypes.py_object).value
