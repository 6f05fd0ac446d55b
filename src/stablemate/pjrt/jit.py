"""``jax.jit`` on this backend, whatever platform is JAX's default."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import partial, update_wrapper
from types import MethodType
from typing import Any, Final

import numpy as np

from stablemate.api.module import Module
from stablemate.bridges.frameworks import framework
from stablemate.bridges.jax import NEED, from_jax
from stablemate.bridges.jax_internals import is_under_jit
from stablemate.fork_safety import cached_property
from stablemate.pjrt.plugin import PLATFORM, client, initialize

# Options of jax.jit that say where a program runs.
PLACES: Final = frozenset({"in_shardings", "out_shardings", "device", "backend"})


def jit(function: Callable[..., object] | None = None, /, **options: object) -> object:
    """``jax.jit``, compiled and run by stablemate.

    ::

        @sm.jit(donate_argnums=0)
        def step(parameters, batch): ...

    Arguments of JAX's default platform may be mixed with those of this one. Results are arrays of
    this one. A call whose arguments are divided over several devices, or under a mesh, runs on
    those devices, as with ``jax.jit``; so does a function whose options are shardings.

    Args:
        function: What JAX can trace; without it a decorator is returned. A function that
            ``jax.jit`` returned keeps its static arguments, unless ``options`` name others.
        **options: The parameters of ``jax.jit``: ``static_argnums``, ``static_argnames``,
            ``donate_argnums``, ``donate_argnames``, ``in_shardings``, ``out_shardings``,
            ``keep_unused``, ``inline``, ``compiler_options``, ``device`` and ``backend``.

    Returns:
        A ``JitFunction``.

    Raises:
        UnsupportedError: JAX is not installed.
        TypeError, ValueError: What ``jax.jit`` says of such options.
    """
    framework("jax", NEED)
    initialize()
    if function is None:
        return partial(jit, **options)
    return JitFunction(function, options)


class JitFunction:
    """A function of JAX that runs here.

    It has the attributes of what ``jax.jit`` returns, such as ``lower`` and ``clear_cache``.
    """

    def __init__(self, function: Callable[..., object], options: Mapping[str, object]) -> None:
        update_wrapper(self, function, updated=())
        self._jax = framework("jax", NEED)
        self._options = {**static_arguments(function), **options}
        self._plain = self._jax.jit(function, **self._options)
        self._flatten = self._jax.tree_util.tree_flatten
        self._array_type = framework("jaxlib._jax", NEED).ArrayImpl
        self._sharding: object = None  # the last one seen of an array on this platform

    @property
    def static_options(self) -> dict[str, object]:
        """The options that name the static arguments."""
        return static_arguments(self._plain)

    @cached_property
    def _client(self) -> object:
        """The client of this platform."""
        return client()

    @cached_property
    def _placed(self) -> Any:
        """The function on this platform; unchanged if the default or an option selects it."""
        default = self._jax.devices()[0].client
        if default is self._client or PLACES & self._options.keys():
            return self._plain
        with warnings.catch_warnings():  # the option is deprecated, but says it best
            warnings.simplefilter("ignore", DeprecationWarning)
            return self._jax.jit(self.__wrapped__, backend=PLATFORM, **self._options)

    def __call__(self, *arguments: object, **keywords: object) -> object:
        """Returns the result of the function.

        Arrays of other clients are handed over as arrays of NumPy, which share their elements.
        """
        jax = self._jax
        if self._placed is self._plain or not jax.sharding.get_abstract_mesh().empty:
            return self._plain(*arguments, **keywords)
        leaves, tree = self._flatten((arguments, keywords))
        changed: dict[int, object] = {}
        for position, leaf in enumerate(leaves):
            if type(leaf) is not self._array_type:
                if isinstance(leaf, jax.core.Tracer):
                    return self._under_trace()(*arguments, **keywords)
            elif (sharding := leaf.sharding) is not self._sharding:
                if len(sharding.device_set) > 1:
                    return self._plain(*arguments, **keywords)
                if next(iter(sharding.device_set)).client is self._client:
                    self._sharding = sharding
                elif is_typed(leaf):
                    changed[position] = np.asarray(leaf)
        if changed:
            values = [changed.get(position, leaf) for position, leaf in enumerate(leaves)]
            arguments, keywords = tree.unflatten(values)
        return self._placed(*arguments, **keywords)

    def __getattr__(self, name: str) -> object:
        """An attribute of the function that ``jax.jit`` returned."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._placed, name)

    def __get__(self, instance: object, owner: type | None = None) -> object:
        """As a method it is bound as functions are."""
        return self if instance is None else MethodType(self, instance)

    def module(self, *arguments: object, **keywords: object) -> Module:
        """The program for such arguments: arrays, or ``jax.ShapeDtypeStruct``."""
        return from_jax(self._plain, *arguments, **keywords)

    def clear_cache(self) -> None:
        """Forgets all that was compiled."""
        self._plain.clear_cache()
        self._placed.clear_cache()

    def _under_trace(self) -> Any:
        """The function as part of another: where ``jax.jit`` compiles that, it has the say."""
        return self._plain if is_under_jit() else self._placed


def static_arguments(function: Callable[..., object]) -> dict[str, object]:
    """The options of a function of ``jax.jit`` that name its static arguments; none of others."""
    if isinstance(function, JitFunction):
        return function.static_options
    info = getattr(function, "_jit_info", None) if is_jitted(function) else None
    options = {name: getattr(info, name, ()) for name in ("static_argnums", "static_argnames")}
    return {name: value for name, value in options.items() if value}


def is_jitted(function: Callable[..., object]) -> bool:
    """Whether ``jax.jit`` returned a function."""
    return type(function).__name__ == "PjitFunction"


def is_typed(leaf: Any) -> bool:
    """Whether NumPy has the type of an array, with nothing left to the types it meets."""
    return not leaf.weak_type and isinstance(leaf.dtype, np.dtype)
