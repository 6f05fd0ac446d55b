"""Keeps programs that call Python out of the persistent cache of JAX before 0.11.

These versions of JAX find such programs by the list of their host callbacks, which is empty for
clients of stablemate: here, callbacks are custom calls. Since 0.11 JAX keeps such programs too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from inspect import signature
from typing import Any, Final

from stablemate.bridges import jax_internals
from stablemate.pjrt.callbacks.python_callbacks import TARGET


class Compiling(threading.local):
    """What a thread compiles.

    Attributes:
        calls_python: Whether the program calls Python.
    """

    calls_python: bool = False


HOST_CALLBACKS: Final = "host_callbacks"
COMPILING: Final = Compiling()


def calls_python(module: Any) -> bool:
    """Whether a module of jaxlib has a callback of a client of stablemate."""
    ir: Any = jax_internals.ir()

    found: list[Any] = []

    def look(operation: Any) -> Any:
        target = (
            operation.attributes["call_target_name"]
            if operation.name == "stablehlo.custom_call"
            else None
        )
        if target is None or ir.StringAttr(target).value != TARGET:
            return ir.WalkResult.ADVANCE
        found.append(operation)
        return ir.WalkResult.INTERRUPT

    module.operation.walk(look)
    return bool(found)


def compiling(original: Callable[..., Any]) -> Callable[..., Any]:
    """``_compile_and_write_cache``, which notes whether the program calls Python."""

    def compile_and_write(*arguments: Any, **options: Any) -> Any:
        given = signature(original).bind(*arguments, **options).arguments
        before, COMPILING.calls_python = COMPILING.calls_python, calls_python(given["computation"])
        try:
            return original(*arguments, **options)
        finally:
            COMPILING.calls_python = before

    compile_and_write.__module__ = __name__
    return compile_and_write


def writing(original: Callable[..., None]) -> Callable[..., None]:
    """``_cache_write``, to which a program that calls Python has a host callback."""

    def write(*arguments: Any, **options: Any) -> None:
        given = signature(original).bind(*arguments, **options)
        if COMPILING.calls_python:
            given.arguments[HOST_CALLBACKS] = [TARGET]
        original(*given.args, **given.kwargs)

    return write


def install() -> None:
    """Replaces JAX's functions that compile for the persistent cache and write it, once."""
    compiler: Any = jax_internals.compiler()
    compile_, write = compiler._compile_and_write_cache, compiler._cache_write
    if HOST_CALLBACKS in signature(write).parameters and compile_.__module__ != __name__:
        compiler._compile_and_write_cache, compiler._cache_write = (
            compiling(compile_),
            writing(write),
        )
