"""The settings of the processor under which NumPy computes as IEEE 754 says.

Threads of XLA's CPU client take subnormal numbers for zero, and so do threads after
``torch.set_flush_denormal(True)`` or after libraries compiled with fast math were loaded. NumPy
computes in the thread that calls it. Native code sets what it needs by itself.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache, wraps
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

SMALLEST_NORMAL: float = 2.0**-1022  # not Final: checkers and compilers would compute the product
HALF: float = 0.5
PLATFORMS: Final = ("linux", "darwin")  # of which C's default environment is known here
SIZE: Final = 256  # bytes; C's fenv_t is smaller on all platforms
NOTHING: Final = nullcontext()


def keeping_subnormals() -> AbstractContextManager[None]:
    """A context in which this thread keeps subnormal numbers, whatever its settings are."""
    if SMALLEST_NORMAL * HALF != 0.0 or sys.platform not in PLATFORMS:
        return NOTHING
    return DefaultEnvironment()


def keeps_subnormals(function: Callable[P, R]) -> Callable[P, R]:
    """The function, called in ``keeping_subnormals``."""

    @wraps(function)
    def call(*arguments: P.args, **options: P.kwargs) -> R:
        with keeping_subnormals():
            return function(*arguments, **options)

    return call


class DefaultEnvironment(AbstractContextManager[None]):
    """The default floating-point environment of C, in this thread; the previous one comes back.

    Source: ISO C23, 7.6.
    """

    def __init__(self) -> None:
        self.previous = ctypes.create_string_buffer(SIZE)

    def __enter__(self) -> None:
        library, default = environment_functions()
        library.fegetenv(self.previous)
        library.fesetenv(default)

    def __exit__(self, *_: object) -> None:
        library, _default = environment_functions()
        library.fesetenv(self.previous)


@cache
def environment_functions() -> tuple[ctypes.CDLL, object]:
    """The C library and its pointer ``FE_DFL_ENV``."""
    library = ctypes.CDLL(None)
    if sys.platform == "darwin":
        return library, ctypes.byref(ctypes.c_char.in_dll(library, "_FE_DFL_ENV"))
    return library, ctypes.c_void_p(-1)
