"""JAX: functions as programs.

Source: JAX, export.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, Final

from stablemate.api.loading import load
from stablemate.api.module import Module
from stablemate.bridges.chlo_composites import lowering_rules
from stablemate.bridges.frameworks import framework
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.execution.custom_calls.registry import BUILT_IN

PLATFORM: Final = "cpu"
OVERRIDE: Final = "_override_lowering_rules"
CALLS_BACK: Final = (
    "JAX exports no function that calls back into Python, as jax.debug.print, jax.pure_callback "
    "and the checks of Equinox do (the environment's EQX_ON_ERROR=nan turns those off)"
)
NEED: Final = "functions of JAX need JAX: pip install jax"


def from_jax(function: Callable[..., object], *arguments: object, **keywords: object) -> Module:
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
    return load(bytes(export_function(function, arguments, keywords).serialize()))


def own_rules(export: Any) -> Mapping[str, object]:
    """The option of ``jax.export`` that keeps special functions; none before it had one."""
    if OVERRIDE not in signature(export.export).parameters:
        return {}
    return {OVERRIDE: tuple((primitive, own) for primitive, _, own in lowering_rules())}


def export_function(
    function: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object]
) -> Any:
    """The result of ``jax.export`` for a function and such arguments.

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
    maker = export.export(
        traced, platforms=[PLATFORM], disabled_checks=safety_checks, **own_rules(export)
    )
    try:
        return maker(*arguments, **keywords)
    except NotImplementedError as error:
        if "callback" in str(error):
            raise UnsupportedError(f"{CALLS_BACK}: {error}") from error
        raise
