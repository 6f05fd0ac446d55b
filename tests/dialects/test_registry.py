"""Every operation that is defined is in the list."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import stablemate.dialects
from stablemate.dialects.registry import OPERATIONS, operations_of


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """All modules of a package, those of its packages too."""
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(info.name)


def test_every_operation_is_listed() -> None:
    for module in modules(stablemate.dialects):
        for operation in operations_of(module):
            assert OPERATIONS.get(operation.definition.name) is operation, operation


def test_names_are_found() -> None:
    for name in ("stablehlo.add", "stablehlo.while", "chlo.erf", "func.func", "check.expect_eq"):
        assert OPERATIONS[name].definition.name == name


def test_every_operation_says_what_its_base_leaves_open() -> None:
    for name, operation in OPERATIONS.items():
        left_open = [
            member
            for member in dir(operation)
            if getattr(inspect.getattr_static(operation, member), "__isabstractmethod__", False)
        ]
        assert not left_open, f"{name}: {left_open}"
