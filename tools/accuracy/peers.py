"""Whose results are measured: native code, the interpreter, XLA, NumPy with SciPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.numerics.elements import Array
from tools.accuracy.exact import CHLO
from tools.accuracy.functions import BINARY, Case, element_of
from tools.accuracy.reference import PLAIN, SPECIAL

PEERS: Final = ("native", "interpreted", "xla", "numpy")
Peer = Callable[..., Array]
# What JAX calls what is called otherwise.
LAX: Final[Mapping[str, str]] = {
    "cosine": "cos",
    "exponential": "exp",
    "exponential_minus_one": "expm1",
    "log_plus_one": "log1p",
    "power": "pow",
    "sine": "sin",
}


@dataclass(frozen=True)
class Measured:
    """A function of an element type, applied to vectors of one length.

    Attributes:
        name: The operation.
        element: The element type.
        size: The length.
    """

    name: str
    element: str
    size: int

    def __str__(self) -> str:
        return f"{self.name} {self.element}"

    @property
    def operands(self) -> int:
        """How many operands it has."""
        return 2 if self.name in BINARY else 1

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's type of the elements."""
        return np.dtype(element_of(self.element).dtype)

    @cached_property
    def program(self) -> str:
        """The program."""
        dialect = "chlo" if self.name in CHLO else "stablehlo"
        return Case(dialect, self.name, self.element).program(self.size)

    @cached_property
    def native(self) -> Peer | None:
        """Native code of ours; None if the interpreter computes it."""
        executable = sm.compile(sm.load(self.program), threads=1)
        if not isinstance(executable, CompiledExecutable) or executable.program.image.requests:
            return None
        return executable

    @cached_property
    def interpreted(self) -> Peer:
        """Our interpreter."""
        return sm.compile(sm.load(self.program), backend="interpreter")

    @cached_property
    def xla(self) -> Peer | None:
        """XLA, through JAX; None if it does not have the function of the type."""
        import jax
        import jax.numpy as jnp
        from jax import lax

        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_platforms", "cpu")
        function: Any = getattr(lax, LAX.get(self.name, self.name))
        compiled: Any = jax.jit(function)

        def called(*operands: Array) -> Array:
            return np.asarray(compiled(*[jnp.asarray(operand, self.dtype) for operand in operands]))

        try:
            called_value = called(*self.ones)
        except Exception:
            return None
        return called if called_value.dtype == self.dtype else None

    @cached_property
    def numpy(self) -> Peer | None:
        """NumPy, and SciPy for what only it has; None if they do not have the type."""
        function = {**PLAIN, **SPECIAL}[self.name]

        def called(*operands: Array) -> Array:
            with np.errstate(all="ignore"):
                return np.asarray(function(*operands))

        try:
            called_value = called(*self.ones)
        except TypeError:
            return None
        return called if called_value.dtype == self.dtype else None

    @property
    def ones(self) -> list[Array]:
        """Operands."""
        return [np.ones(self.size, self.dtype)] * self.operands
