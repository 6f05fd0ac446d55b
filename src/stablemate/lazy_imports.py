"""Imports names of packages and parts of tables on demand (decision 2)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from stablemate.fork_safety import cached_property

T = TypeVar("T")


def refuse_sub_interpreters(name: str) -> None:
    """Rejects the import of a package in a sub-interpreter of Python.

    NumPy works in one interpreter of a process; so do the threads that run native code.

    Raises:
        ImportError: This is a sub-interpreter.
    """
    for module in ("_interpreters", "_xxsubinterpreters"):  # as Python 3.13 and 3.11 call it
        try:
            interpreters = import_module(module)
        except ImportError:
            continue
        if interpreters.get_current() != interpreters.get_main():
            raise ImportError(
                f"{name} works in the main interpreter of a process alone, as NumPy does: this is"
                " a sub-interpreter; processes work side by side",
                name=name,
            )
        return


def names_on_demand(
    module: str, homes: Mapping[str, str], *, package: str | None = None
) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module that imports its names when they are first used.

    Args:
        module: The module.
        homes: Its names, each with the module that it lives in. Type checkers see them through an
            import under ``TYPE_CHECKING``.
        package: The package of these modules; by default the module itself is one.
    """

    def attribute(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package or module}.{homes[name]}"), name)
        setattr(sys.modules[module], name, value)  # the next use finds it without this function
        return value

    return attribute


class OnDemand(Mapping[str, T]):
    """A table in parts: the module of a part is imported when a name of it is first looked up.

    Walking the table, or counting it, imports all parts.
    """

    def __init__(
        self,
        parts: Mapping[str, str],
        part_of: Callable[[str], str | None],
        table_of: Callable[[ModuleType], Mapping[str, T]],
    ) -> None:
        """A table of which nothing is imported yet.

        Args:
            parts: The modules by the name of the part, in the order of the table.
            part_of: In which part a name is, if it is anywhere; it need not be.
            table_of: The part that a module holds.
        """
        self.parts = parts
        self.part_of = part_of
        self.table_of = table_of
        self.found: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        value = self.found.get(name)
        if value is None:
            part = self.part_of(name)
            if part is None or part not in self.parts:
                raise KeyError(name)
            value = self.found[name] = self.table(part)[name]
        return value

    def __contains__(self, name: object) -> bool:
        part = self.part_of(name) if isinstance(name, str) else None
        return part is not None and part in self.parts and name in self.table(part)

    def table(self, part: str) -> Mapping[str, T]:
        """Imports one module and returns its part of the table."""
        return self.table_of(import_module(self.parts[part]))

    @cached_property
    def whole(self) -> Mapping[str, T]:
        """Imports every module and merges their parts into one table."""
        return {name: value for part in self.parts for name, value in self.table(part).items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self.whole)

    def __len__(self) -> int:
        return len(self.whole)


def find_listed_part(homes: Mapping[str, str]) -> Callable[[str], str | None]:
    """Finds the part of a name in a list of the names of each part, separated by spaces."""
    return {name: part for part, names in homes.items() for name in names.split()}.get
