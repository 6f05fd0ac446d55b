"""JAX's private modules are named in one module, and the JAX that is installed has them."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import jax
import pytest

from stablemate.bridges import jax_internals

SOURCE = Path(__file__).parents[2] / "src" / "stablemate"
MODULES = [
    function
    for _, function in inspect.getmembers(jax_internals, inspect.isfunction)
    if function.__module__ == jax_internals.__name__ and function.__annotations__["return"] == "Any"
]


@pytest.mark.parametrize("module", MODULES, ids=lambda function: function.__name__)
def test_the_installed_jax_has_the_private_modules(module: object) -> None:
    assert callable(module)
    assert inspect.ismodule(module())


def test_the_installed_jax_says_whether_a_program_is_traced() -> None:
    assert not jax_internals.is_under_jit()
    assert bool(jax.jit(lambda: jax_internals.is_under_jit())())


def test_no_other_module_imports_private_modules_of_jax() -> None:
    imports = re.compile(r'import_module\(\s*"(?:jax\._src|jaxlib)|(?:from|import) jax\._src')
    named = [path.name for path in SOURCE.rglob("*.py") if imports.search(path.read_text())]
    assert named == ["jax_internals.py"]
