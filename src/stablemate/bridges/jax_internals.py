"""JAX's and jaxlib's private modules: no other module names them.

They are imported when they are asked for, since JAX is optional. A version of JAX that moves one is
supported here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def xla_bridge() -> Any:
    """Backends and their registration."""
    return import_module("jax._src.xla_bridge")


def jaxlib_version() -> tuple[int, ...]:
    """The version of jaxlib."""
    return tuple(import_module("jaxlib.version").__version_info__)


def profiler() -> Any:
    """The profiler of jaxlib."""
    module = getattr(import_module("jax._src.lib"), "_profiler", None)  # JAX 0.8
    return module or xla_client().profiler


def distributed() -> Any:
    """The state of ``jax.distributed``."""
    return import_module("jax._src.distributed")


def dtypes() -> Any:
    """Element types and their canonical forms."""
    return import_module("jax._src.dtypes")


def config() -> Any:
    """Options of JAX, and the contexts that set them."""
    return import_module("jax._src.config")


def mesh() -> Any:
    """The mesh of the context."""
    return import_module("jax._src.mesh")


def core() -> Any:
    """Abstract values and effects."""
    return import_module("jax._src.core")


def is_under_jit() -> bool:
    """Whether a program of ``jax.jit`` is being traced."""
    return bool(core().unsafe_am_i_under_a_jit())


def ffi() -> Any:
    """The lowering of FFI calls."""
    return import_module("jax._src.ffi")


def mlir() -> Any:
    """Lowering rules and their contexts."""
    return import_module("jax._src.interpreters.mlir")


def special() -> Any:
    """Primitives of special functions."""
    return import_module("jax._src.lax.special")


def sharding_impls() -> Any:
    """Shardings as programs name them."""
    return import_module("jax._src.sharding_impls")


def compiler() -> Any:
    """What compiles programs, and reads and writes the persistent cache."""
    return import_module("jax._src.compiler")


def callback() -> Any:
    """Primitives of Python callbacks."""
    return import_module("jax._src.callback")


def tree_util() -> Any:
    """Trees of values."""
    return import_module("jax._src.tree_util")


def buffer_callback() -> Any:
    """Primitives of buffer callbacks."""
    return import_module("jax._src.buffer_callback")


def custom_partitioning() -> Any:
    """Functions that partition themselves."""
    return import_module("jax._src.custom_partitioning")


def xla_client() -> Any:
    """Jaxlib's client."""
    return import_module("jaxlib.xla_client")


def extension() -> Any:
    """Jaxlib's extension module."""
    return import_module("jaxlib._jax")


def ir() -> Any:
    """MLIR's operations and types in jaxlib."""
    return import_module("jaxlib.mlir.ir")


def stablehlo() -> Any:
    """StableHLO's operations in jaxlib."""
    return import_module("jaxlib.mlir.dialects.stablehlo")


def func() -> Any:
    """Functions of MLIR in jaxlib."""
    return import_module("jaxlib.mlir.dialects.func")
