"""JAX's and jaxlib's private modules: no other module names them.

They are imported when they are asked for, since JAX is optional. A version of JAX that moves one is
supported here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import Field
from importlib import import_module
from types import ModuleType
from typing import ClassVar, Protocol

from stablemate.numerics.elements import DType


class AbstractValue(Protocol):
    """The type of a value while a program is traced, as ``jax.core.ShapedArray`` has it."""

    shape: tuple[int, ...]
    dtype: DType


class Backend(Protocol):
    """A client that a program is compiled for."""

    platform_version: str


class ModuleContext(Protocol):
    """The platforms and the callbacks of a program that is lowered."""

    platforms: Sequence[str]
    host_callbacks: Sequence[object]
    get_backend: Callable[..., Backend | None]

    def add_host_callback(self, callback: object) -> None:
        """Adds a callback to those that the program keeps."""
        ...


class LoweringContext(Protocol):
    """The context of a rule that lowers a primitive, ``LoweringRuleContext``."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]
    module_context: ModuleContext
    avals_in: Sequence[AbstractValue]
    avals_out: Sequence[AbstractValue]


def xla_bridge() -> ModuleType:
    """The module where JAX's backends are registered and found."""
    return import_module("jax._src.xla_bridge")


def jaxlib_version() -> tuple[int, ...]:
    """The version of jaxlib as numbers: ``(0, 10, 2)``."""
    return tuple(import_module("jaxlib.version").__version_info__)


def profiler() -> ModuleType:
    """The module of jaxlib that records what programs do."""
    library = import_module("jax._src.lib")
    module: ModuleType = getattr(library, "_profiler", None) or xla_client().profiler  # JAX 0.8
    return module


def distributed_state() -> ModuleType:
    """The module that knows the processes of ``jax.distributed``."""
    return import_module("jax._src.distributed")


def dtypes() -> ModuleType:
    """Element types and their canonical forms."""
    return import_module("jax._src.dtypes")


def config() -> ModuleType:
    """Options of JAX, and the contexts that set them."""
    return import_module("jax._src.config")


def mesh() -> ModuleType:
    """The mesh of the context."""
    return import_module("jax._src.mesh")


def core() -> ModuleType:
    """The module of abstract values, primitives and effects."""
    return import_module("jax._src.core")


def is_under_jit() -> bool:
    """Whether a program of ``jax.jit`` is being traced."""
    return bool(core().unsafe_am_i_under_a_jit())


def ffi() -> ModuleType:
    """The lowering of FFI calls."""
    return import_module("jax._src.ffi")


def mlir() -> ModuleType:
    """Lowering rules and their contexts."""
    return import_module("jax._src.interpreters.mlir")


def special() -> ModuleType:
    """The module that defines primitives of special functions."""
    return import_module("jax._src.lax.special")


def sharding_impls() -> ModuleType:
    """Shardings as programs name them."""
    return import_module("jax._src.sharding_impls")


def compiler() -> ModuleType:
    """Compilation of programs, and the persistent cache of compiled ones."""
    return import_module("jax._src.compiler")


def callback() -> ModuleType:
    """The module of primitives that call Python from a program."""
    return import_module("jax._src.callback")


def tree_util() -> ModuleType:
    """The module that flattens trees of values and restores them."""
    return import_module("jax._src.tree_util")


def buffer_callback() -> ModuleType:
    """The module of primitives whose callbacks get buffers instead of arrays."""
    return import_module("jax._src.buffer_callback")


def custom_partitioning() -> ModuleType:
    """The module of functions that say how they are partitioned."""
    return import_module("jax._src.custom_partitioning")


def computations() -> ModuleType:
    """The module of programs that are lowered and compiled for a mesh of devices."""
    return import_module("jax._src.interpreters.pxla")


def xla_client() -> ModuleType:
    """The module of jaxlib that creates clients, devices and buffers."""
    return import_module("jaxlib.xla_client")


def extension() -> ModuleType:
    """The extension module of jaxlib, which is written in C++."""
    return import_module("jaxlib._jax")


def ir() -> ModuleType:
    """MLIR's operations and types in jaxlib."""
    return import_module("jaxlib.mlir.ir")


def stablehlo() -> ModuleType:
    """The module of jaxlib with the classes of StableHLO's operations."""
    return import_module("jaxlib.mlir.dialects.stablehlo")


def func() -> ModuleType:
    """Functions of MLIR in jaxlib."""
    return import_module("jaxlib.mlir.dialects.func")
