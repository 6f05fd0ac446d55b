"""Finds the functions that are registered with jaxlib for CPUs, or for this platform."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, Final, cast

from stablemate.bridges import jax_internals
from stablemate.execution.custom_calls.native import NativeFunction
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.execution.custom_calls.registry import BUILT_IN
from stablemate.ir.core import Module
from stablemate.pjrt.foreign_functions.handlers import FfiHandler

PLATFORMS: Final = ("Host", "cpu", "stablemate")
OWN: Final[dict[str, NativeFunction]] = {}  # what was registered here
GET_NAME = ctypes.pythonapi.PyCapsule_GetName
GET_NAME.restype, GET_NAME.argtypes = ctypes.c_char_p, [ctypes.py_object]
GET_POINTER = ctypes.pythonapi.PyCapsule_GetPointer
GET_POINTER.restype, GET_POINTER.argtypes = (
    ctypes.c_void_p,
    [ctypes.py_object, ctypes.c_char_p],
)


def register_targets(module: Module) -> None:
    """Registers the functions of jaxlib that a program calls."""
    for name in targets_of(module):
        if name in BUILT_IN or REGISTERED.get(name) is not OWN.get(name):
            continue
        function = find_function(name)
        if function is not None:
            OWN[name] = REGISTERED[name] = function


def targets_of(module: Module) -> set[str]:
    """The names of the targets of custom calls."""
    return {
        str(getattr(operation, "call_target_name", ""))
        for operation in module.operation.walk()
        if operation.name == "stablehlo.custom_call"
    }


def find_function(name: str) -> NativeFunction | None:
    """The function that is registered by a name; None if there is none."""
    targets = list(registrations(name))
    if not targets:
        return None
    registered = targets[-1]
    if isinstance(registered, dict):
        stages = cast("dict[str, object]", registered)
        return FfiHandler(name, {stage: pointer(capsule) for stage, capsule in stages.items()})
    return NativeFunction(ctypes.c_void_p(pointer(registered)))


def registrations(name: str) -> Iterator[object]:
    """The functions registered by a name: by stage if they are typed, or a single one."""
    client = jax_internals.xla_client()
    registered = getattr(client, "custom_call_targets", None)
    if registered is not None and name in (targets := registered("Host")):
        yield targets[name]
    waiting: Any = getattr(client, "_custom_callback", {})
    for platform in PLATFORMS:
        for target, function, version, *_ in waiting.get(platform, ()):
            if target == name:
                is_typed = bool(version) and not isinstance(function, dict)
                yield {"execute": function} if is_typed else function


def pointer(capsule: object) -> int:
    """The address that a capsule holds."""
    return int(GET_POINTER(capsule, GET_NAME(capsule)))
