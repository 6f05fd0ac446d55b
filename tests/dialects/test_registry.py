"""Every operation that is defined is in the list."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import stablemate as sm
import stablemate.dialects
from stablemate.dialects.registry import OPERATIONS, READABLE, operations_of


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """All modules of a package, those of its packages too."""
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(info.name)


def test_every_operation_is_listed() -> None:
    for module in modules(stablemate.dialects):
        for operation in operations_of(module):
            assert READABLE.get(operation.definition.name) is operation, operation


def test_names_are_found() -> None:
    for name in ("stablehlo.add", "stablehlo.while", "chlo.erf", "func.func", "check.expect_eq"):
        assert OPERATIONS[name].definition.name == name


def test_every_operation_implements_its_abstract_methods() -> None:
    for name, operation in OPERATIONS.items():
        left_open = [
            member
            for member in dir(operation)
            if getattr(inspect.getattr_static(operation, member), "__isabstractmethod__", False)
        ]
        assert not left_open, f"{name}: {left_open}"


def test_a_dialect_is_imported_with_its_first_operation() -> None:
    code = """
import sys
import stablemate as sm
sm.load("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }").verify()
print([each for each in ("sdy.mesh", "vhlo.types", "stablehlo.sort", "shape.types", "chlo.top_k")
       if f"stablemate.dialects.{each}" in sys.modules])
"""
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stdout.strip() == "[]"


def test_rules_of_a_dialect_are_found_without_its_operations() -> None:
    module = sm.load("module attributes {sdy.sharding = 3 : i32} {}")
    code = f"import stablemate as sm\nprint(*sm.load({module.to_text()!r}).diagnostics())"
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "sdy.sharding" in completed.stdout
