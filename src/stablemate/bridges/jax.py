"""JAX: functions as programs, and as functions that run here.

Source: JAX, export, and the calling convention of ``jax.jit``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, update_wrapper
from types import MethodType
from typing import Any, Final, cast

import numpy as np

from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.loading import load
from stablemate.api.module import Module
from stablemate.bridges.frameworks import framework
from stablemate.diagnostics.errors import ArgumentTypeError, UnsupportedError
from stablemate.execution.custom_calls.registry import BUILT_IN, REGISTERED
from stablemate.execution.executable import Executable

PLATFORM: Final = "cpu"
KEYS: Final = {"fry": "threefry2x32", "urbg": "unsafe_rbg"}  # names of random keys in their types
CALLS_BACK: Final = (
    "JAX exports no function that calls back into Python, as jax.debug.print, jax.pure_callback "
    "and the checks of Equinox do (the environment's EQX_ON_ERROR=nan turns those off)"
)
NEED: Final = 'functions of JAX need JAX: pip install "stablemate[jax]"'


def from_jax(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Module:
    """The program of a function that JAX can trace.

    The module is called as the function is: ``m.run(*arguments)`` takes the same tuples, lists and
    dictionaries of arrays, and gives what the function returns. It needs no JAX to run.

    Args:
        function: The function; what ``jax.jit`` returned keeps its static arguments.
        *arguments: Trees of arrays, or of ``jax.ShapeDtypeStruct``, whose sizes may be symbols.
        **keywords: The same, by name.

    Raises:
        UnsupportedError: JAX is not installed, or the function calls back into Python.
        TypeError, ValueError: What JAX says that it cannot trace or export.
    """
    return load(bytes(exported(function, arguments, keywords).serialize()))


def exported(
    function: Callable[..., Any], arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """What ``jax.export`` makes of a function for such arguments.

    Custom calls that are known here may be of the kind whose names JAX does not promise to keep.

    Raises:
        UnsupportedError: The function calls back into Python.
    """
    jax = framework("jax", NEED)
    export = framework("jax.export", NEED)
    traced = function if hasattr(function, "trace") else jax.jit(function)
    safety_checks = [
        export.DisabledSafetyCheck.custom_call(name) for name in (*BUILT_IN, *REGISTERED)
    ]
    maker = export.export(traced, platforms=[PLATFORM], disabled_checks=safety_checks)
    try:
        return maker(*arguments, **keywords)
    except NotImplementedError as error:
        if "callback" in str(error):
            raise UnsupportedError(f"{CALLS_BACK}: {error}") from error
        raise


def jit(
    function: Callable[..., Any] | None = None, /, *,
    static_argnums: int | Sequence[int] = (), static_argnames: str | Sequence[str] = (),
    backend: str = DEFAULT_BACKEND, threads: int | None = None,
) -> Any:  # fmt: skip
    """``jax.jit``, running here: the function is compiled for each new signature of its arguments.

    ::

        @sm.jit
        def step(parameters, batch): ...

    Arguments and results are trees of arrays, as for ``jax.jit``, with results of JAX's own array
    type. Inside of a transformation (``jax.grad``, ``jax.vmap``, ``jax.jit``) it is the function
    itself; ``sm.jit(jax.grad(f))`` runs a gradient here.

    Args:
        function: What JAX can trace; without it a decorator is returned.
        static_argnums: Positions of arguments that are constants of the program: hashable values.
        static_argnames: Their names.
        backend: Which executor runs it.
        threads: How many threads native code may use; by default as many as there are.

    Returns:
        A ``JitFunction``.

    Raises:
        UnsupportedError: JAX is not installed.
    """
    if function is None:
        return partial(
            jit, static_argnums=static_argnums, static_argnames=static_argnames, backend=backend,
            threads=threads,
        )  # fmt: skip
    framework("jax", NEED)
    numbers = [static_argnums] if isinstance(static_argnums, int) else list(static_argnums)
    names = [static_argnames] if isinstance(static_argnames, str) else list(static_argnames)
    return JitFunction(function, Constants.of(function, numbers, names), backend, threads)


@dataclass(frozen=True, slots=True)
class Constants:
    """Which arguments of a function are constants of its program.

    Attributes:
        positions: Those given by position; negative ones count from the end.
        names: Those given by name.
    """

    positions: frozenset[int]
    names: frozenset[str]

    @staticmethod
    def of(
        function: Callable[..., Any], positions: Sequence[int], names: Sequence[str]
    ) -> Constants:
        """The constants that positions and names say; each says the other, as JAX has it."""
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        by_position = {
            parameter.name: i
            for i, parameter in enumerate(parameters)
            if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        }
        positional = {by_position[name]: name for name in names if name in by_position}
        positions_given = {
            len(parameters) + position if position < 0 else position for position in positions
        }
        named = {name for name, i in by_position.items() if i in positions_given}
        return Constants(
            frozenset(positions_given | positional.keys()), frozenset({*names, *named})
        )


@dataclass(frozen=True, slots=True)
class Compiled:
    """A function for one signature.

    Attributes:
        executable: Its program, ready to run.
        taken: What makes an array for the program of each leaf of the arguments.
        given: What makes JAX's array of each result.
        tree: The tree of the result.
    """

    executable: Executable
    taken: Sequence[Callable[[Any], Any]]
    given: Sequence[Callable[[Any], Any]]
    tree: Any

    def __call__(self, leaves: Sequence[Any]) -> Any:
        """What the function returns for the leaves of its arguments."""
        values = [take(leaf) for take, leaf in zip(self.taken, leaves, strict=True)]
        outcome: Any = self.executable(*values)
        results: Sequence[Any] = cast(Any, outcome) if isinstance(outcome, tuple) else (outcome,)
        return self.tree.unflatten(
            [give(result) for give, result in zip(self.given, results, strict=True)]
        )


class JitFunction:
    """A function of JAX that runs here.

    Attributes:
        function: The function.
    """

    def __init__(
        self, function: Callable[..., Any], constants: Constants, backend: str,
        threads: int | None,
    ) -> None:  # fmt: skip
        update_wrapper(self, function)
        self.function = function
        self._constants = constants
        self._backend = backend
        self._threads = threads
        self._compiled: dict[Hashable, Compiled] = {}

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """What the function returns.

        Raises:
            ArgumentTypeError: A constant argument cannot be hashed.
            TypeError, ValueError: What JAX says of arguments that it cannot take.
        """
        jax = framework("jax", NEED)
        dynamic, named, constants = self._parted(arguments, keywords)
        leaves, tree = jax.tree_util.tree_flatten((dynamic, named))
        if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            return self.function(*arguments, **keywords)
        types: tuple[Hashable, ...] = tuple([jax.typeof(leaf) for leaf in leaves])
        key = (tree, types, constants, jax.config.jax_enable_x64)
        compiled = self._compiled.get(key)
        if compiled is None:
            compiled = self._compiled[key] = self._made(arguments, keywords)
        return compiled(leaves)

    def module(self, *arguments: Any, **keywords: Any) -> Module:
        """The program for such arguments: arrays, or ``jax.ShapeDtypeStruct``."""
        dynamic, named, _ = self._parted(arguments, keywords)
        return from_jax(self._bound(arguments, keywords), *dynamic, **named)

    def clear_cache(self) -> None:
        """Forgets all that was compiled."""
        self._compiled.clear()

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a method it is bound as functions are."""
        return self if instance is None else MethodType(self, instance)

    def _parted(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any], Hashable]:
        """The arguments that are arrays, by position and by name, and those that are constants."""
        positions, names = self._constants.positions, self._constants.names
        fixed = tuple((i, arguments[i]) for i in sorted(positions) if i < len(arguments))
        named = tuple((name, keywords[name]) for name in sorted(names & keywords.keys()))
        for where, value in (*fixed, *named):
            refuse_unhashable(where, value)
        dynamic = tuple(argument for i, argument in enumerate(arguments) if i not in positions)
        rest = {name: keyword for name, keyword in keywords.items() if name not in names}
        constants = tuple([(i, type_of(value), value) for i, value in (*fixed, *named)])
        return dynamic, rest, constants

    def _bound(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Callable[..., Any]:
        """The function of what is no constant."""
        positions = self._constants.positions
        fixed = {name: keywords[name] for name in self._constants.names & keywords.keys()}

        def bound(*leaves_: Any, **by_name: Any) -> Any:
            rest = iter(leaves_)
            merged = [
                argument if i in positions else next(rest) for i, argument in enumerate(arguments)
            ]
            return self.function(*merged, **fixed, **by_name)

        return update_wrapper(bound, self.function)

    def _made(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Compiled:
        """The function for the signature of these arguments."""
        tree_util = framework("jax.tree_util", NEED)
        dynamic, named, _ = self._parted(arguments, keywords)
        leaves, tree = tree_util.tree_flatten((dynamic, named))
        bound = self._bound(arguments, keywords)
        trees: list[Any] = []

        def flat(*leaves_: Any) -> Any:
            """Leaves to leaves: a container of JAX does not hold every kind of tree."""
            by_position, by_name = tree.unflatten(leaves_)
            results, of_results = tree_util.tree_flatten(bound(*by_position, **by_name))
            trees.append(of_results)
            return results

        flat.__name__ = getattr(self.function, "__name__", "function")
        exported_program = exported(flat, leaves, {})
        module = load(bytes(exported_program.serialize()))
        executable = module.executable(backend=self._backend, threads=self._threads)
        taken = [array_of(in_aval) for in_aval in exported_program.in_avals]
        converters = [array_for_jax(out_aval) for out_aval in exported_program.out_avals]
        return Compiled(executable, taken, converters, trees[-1])


def type_of(value: object) -> type:
    """The type of a constant: 2 and 2.0 are equal, but make other programs."""
    return type(value)


def refuse_unhashable(where: object, value: object) -> None:
    """Refuses a constant argument that cannot be told from others.

    Raises:
        ArgumentTypeError: It cannot be hashed.
    """
    try:
        hash(value)
    except TypeError as error:
        message = f"argument {where} is a constant of the program: {error}"
        raise ArgumentTypeError(message) from None


def array_of(aval: Any) -> Callable[[Any], Any]:
    """What makes an array for a program of a leaf of this type; of random keys their bits."""
    jax = framework("jax", NEED)
    if jax.dtypes.issubdtype(aval.dtype, jax.dtypes.extended):
        return lambda leaf: np.asarray(jax.random.key_data(leaf))
    dtype = np.dtype(aval.dtype)
    return lambda leaf: np.asarray(leaf, dtype=dtype)


def array_for_jax(aval: Any) -> Callable[[Any], Any]:
    """What makes JAX's array of a result; NumPy's, as JAX has it, if no element has a value."""
    jax = framework("jax", NEED)
    if jax.dtypes.issubdtype(aval.dtype, jax.dtypes.extended):
        tag = str(aval.dtype).removeprefix("key<").removesuffix(">")
        return lambda array: jax.random.wrap_key_data(array, impl=KEYS.get(tag, tag))
    if aval.dtype == jax.dtypes.float0:
        return lambda array: np.zeros(aval.shape, aval.dtype)
    make: Callable[[Any], Any] = jax.numpy.asarray
    return make
