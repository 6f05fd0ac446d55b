"""Imports names of packages and parts of tables on demand (decision 2)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import LazyLoader, module_from_spec
from types import ModuleType
from typing import Any, Final, TypeVar

from stablemate.fork_safety import cached_property, fork_safe_lock

T = TypeVar("T")

IMPORTING: Final = fork_safe_lock()


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


def import_alone(package: str, name: str) -> ModuleType:
    """A module of a package that imports no other of it, without the package.

    The package is imported when an attribute of it is first asked for, as ``LazyLoader`` does it.

    Args:
        package: The package, whose own import takes long.
        name: The name of the module in it.

    Raises:
        ImportError: There is none.
    """
    whole_name = f"{package}.{name}"
    with IMPORTING:
        parent = sys.modules.get(package) or import_later(package)
        if whole_name in sys.modules or type(parent) is ModuleType:
            return import_module(whole_name)
        # To ask a package that is imported later for an attribute would import it.
        folders = object.__getattribute__(parent, "__spec__").submodule_search_locations
        found = PathFinder.find_spec(whole_name, folders)
        if found is None or found.loader is None:
            return import_module(whole_name)
        module = sys.modules[whole_name] = module_from_spec(found)
        try:
            found.loader.exec_module(module)
        except BaseException:
            del sys.modules[whole_name]
            raise
        setattr(parent, name, module)
        return module


def import_later(package: str) -> ModuleType:
    """A package that is imported when an attribute of it is first asked for.

    Raises:
        ImportError: It is not installed.
    """
    found = None if package in sys.modules else PathFinder.find_spec(package)
    if found is None or found.loader is None or found.origin is None:
        return import_module(package)  # of another finder, without a file, or none
    found.loader = LazyLoader(found.loader)
    module = sys.modules[package] = module_from_spec(found)
    found.loader.exec_module(module)
    return module


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
