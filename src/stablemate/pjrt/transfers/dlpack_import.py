"""``jax.dlpack.from_dlpack`` with ``copy``, which jaxlib has for its own CPU client only."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from stablemate.bridges import jax_internals

FUNCTION: Final = "dlpack_managed_tensor_to_buffer"
ALIGNMENT: Final = 64  # bytes; XLA's CPU client shares memory of this alignment only


def importing(original: Callable[..., Any]) -> Callable[..., Any]:
    """Jaxlib's function, with copies for devices of stablemate."""

    def dlpack_managed_tensor_to_buffer(
        tensor: Any, device: Any, stream: Any = None, copy: bool | None = None, *rest: Any
    ) -> object:
        if "stablemate" not in str(device.client.platform_version):
            return original(tensor, device, stream, copy, *rest)
        shared = original(tensor, device, stream, None, *rest)
        if copy:
            return import_module("jax.numpy").array(shared, copy=True)
        if copy is False and shared.size and shared.unsafe_buffer_pointer() % ALIGNMENT:
            raise import_module("jax").errors.JaxRuntimeError(
                f"INVALID_ARGUMENT: the memory is not aligned to {ALIGNMENT} bytes. "
            )
        return shared

    return dlpack_managed_tensor_to_buffer


def install() -> None:
    """Replaces jaxlib's function, once; before jaxlib 0.8 it has no ``copy``, and JAX copies."""
    functions = jax_internals.extension()
    original = getattr(functions, FUNCTION, None)
    if original is None or getattr(original, "__module__", None) == __name__:
        return
    if "copy:" not in (original.__doc__ or ""):  # where jaxlib states its parameters
        return
    vars(functions)[FUNCTION] = importing(original)
