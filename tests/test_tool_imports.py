"""Benchmarks and tools, which no test runs whole, import names that exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
OURS: Final = ("stablemate", "tests", "tools", "benchmarks")


def scripts() -> Iterator[Path]:
    """The modules of both folders."""
    for folder in ("benchmarks", "tools"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def imported_names(path: Path) -> Iterator[tuple[str, str]]:
    """The modules of this project that a file imports from, each with the name."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in OURS:
            yield from ((node.module or "", alias.name) for alias in node.names)


def exists(module: str, name: str) -> bool:
    """Whether a module has a name, or is a package with such a module."""
    if module.split(".")[0] == "stablemate":
        return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None
    file = ROOT / module.replace(".", "/")
    if file.is_dir():
        if (file / f"{name}.py").exists() or (file / name).is_dir():
            return True
        file /= "__init__"
    return name in defined_names(file.with_suffix(".py"))


def defined_names(path: Path) -> set[str]:
    """The names of a file, without its import: a benchmark may need libraries."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
    return names


@pytest.mark.parametrize("path", list(scripts()), ids=lambda path: str(path.relative_to(ROOT)))
def test_imported_names_exist(path: Path) -> None:
    missing = [entry for entry in imported_names(path) if not exists(*entry)]
    assert missing == []
