"""The methods of XlaBuilder that create operations: mostly those with the operation's name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import getmembers, isfunction
from typing import Final

from stablemate.dialects.registry import names_in
from stablemate.xla.builder.builder import ModuleBuilder
from stablemate.xla.translate.elementwise_names import operation_name

NAMES: Final = frozenset((*names_in("stablehlo"), *names_in("chlo")))


def methods_of(name: str) -> tuple[str, ...]:
    """The methods of XlaBuilder that create an operation."""
    return tuple(method for method, created in methods().items() if created == name)


@cache
def methods() -> dict[str, str]:
    """All methods of XlaBuilder that create an operation, with the operation."""
    named = {name: created_operation(name, method) for name, method in builder_functions()}
    return {name: created for name, created in named.items() if created is not None}


def builder_functions() -> list[tuple[str, Callable[..., object]]]:
    """The functions of the builder's class, by name in order."""
    return [item for item in getmembers(ModuleBuilder, isfunction) if not item[0].startswith("_")]


def created_operation(name: str, method: Callable[..., object]) -> str | None:
    """The operation that a method declares, or that has the name of its opcode or its own."""
    marks: dict[str, str] = vars(method)
    if "operation" in marks:
        return marks["operation"]
    own = operation_name(marks.get("opcode", name))
    return own if own in NAMES else None
