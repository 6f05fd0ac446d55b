"""All operations of all dialects: the list in which readers, printers and passes look up names.

A dialect is imported when the first of its operations is looked up; of StableHLO, which has most
operations, only the one file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final, TypeGuard, TypeVar, cast

from stablemate.dialects.mhlo.counterparts import COUNTERPARTS, PARTIAL
from stablemate.dialects.parse_only.dialect import FILES as PARSE_ONLY_FILES
from stablemate.dialects.stablehlo.dialect import FILES
from stablemate.dialects.unregistered import unregistered_class
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of, has_trait
from stablemate.ir.traits import Trait
from stablemate.lazy_imports import OnDemand, find_listed_part

RuleT = TypeVar("RuleT", bound=Callable[..., object])

# The module with the operations of a dialect, or with the list of such modules.
DIALECTS: Final = {
    "arith": "stablemate.dialects.arith.dialect",
    "chlo": "stablemate.dialects.chlo.dialect",
    "mhlo": "stablemate.dialects.mhlo.dialect",
    "sdy": "stablemate.dialects.sdy.dialect",
    "shape": "stablemate.dialects.shape.dialect",
    "vhlo": "stablemate.dialects.vhlo.dialect",
    "builtin": "stablemate.dialects.builtin",
    "check": "stablemate.dialects.check",
    "func": "stablemate.dialects.func",
    "interpreter": "stablemate.dialects.interpreter",
    "tensor": "stablemate.dialects.tensor",
}
# Dialects whose operations are all known. Others may have operations that are not registered.
COMPLETE: Final = frozenset(
    ["builtin", "check", "chlo", "func", "interpreter", "mpmd", "sdy", "stablehlo", "vhlo"]
)
STABLEHLO: Final = {file: f"stablemate.dialects.stablehlo.{file}" for file in FILES}
FILE_OF: Final = find_listed_part(FILES)


def module_key(name: str) -> str | None:
    """The key of the module that defines an operation: a file of StableHLO, or a dialect."""
    dialect, _, own_name = name.partition(".")
    return FILE_OF(own_name) if dialect == "stablehlo" else dialect


def operations_in(module: ModuleType) -> Mapping[str, type[Operation]]:
    """The operations of a module, or of those that it lists."""
    modules = cast("tuple[ModuleType, ...]", getattr(module, "MODULES", (module,)))
    return {cls.definition.name: cls for part in modules for cls in operations_of(part)}


def operations_of(module: ModuleType) -> Iterator[type[Operation]]:
    """The operations that a module defines, those in its tables too."""
    for value in vars(module).values():
        candidates = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        yield from filter(is_operation, candidates)


def is_operation(value: object) -> TypeGuard[type[Operation]]:
    """Whether this is a class that ``@op`` has defined."""
    return isinstance(value, type) and issubclass(value, Operation) and "definition" in vars(value)


OPERATIONS: Final[Mapping[str, type[Operation]]] = OnDemand(
    {**STABLEHLO, **DIALECTS}, module_key, operations_in
)

PARSE_ONLY_FILE_OF: Final = find_listed_part(PARSE_ONLY_FILES)
PARSE_ONLY: Final = {file: f"stablemate.dialects.parse_only.{file}" for file in PARSE_ONLY_FILES}
PARSE_ONLY_OPERATIONS: Final[Mapping[str, type[Operation]]] = OnDemand(
    PARSE_ONLY, PARSE_ONLY_FILE_OF, operations_in
)


class Readable(Mapping[str, type[Operation]]):
    """All operations that have a definition: those that can be executed, and those only kept.

    An operation of MHLO that has a counterpart is found as that, but is not listed.
    """

    def __getitem__(self, name: str) -> type[Operation]:
        if name in COUNTERPARTS and name not in PARTIAL:
            name = COUNTERPARTS[name]
        kept = PARSE_ONLY_FILE_OF(name) is not None
        return PARSE_ONLY_OPERATIONS[name] if kept else OPERATIONS[name]

    def __iter__(self) -> Iterator[str]:
        yield from OPERATIONS
        yield from PARSE_ONLY_OPERATIONS

    def __len__(self) -> int:
        return len(OPERATIONS) + len(PARSE_ONLY_OPERATIONS)


READABLE: Final[Mapping[str, type[Operation]]] = Readable()


def names_in(dialect: str) -> list[str]:
    """The operations of a dialect that have a definition; only that dialect is imported."""
    prefix = f"{dialect}."
    if dialect == "stablehlo":
        return [prefix + name for names in FILES.values() for name in names.split()]
    executed = operations_in(import_module(DIALECTS[dialect])) if dialect in DIALECTS else ()
    kept = (name for names in PARSE_ONLY_FILES.values() for name in names.split())
    return [name for name in (*executed, *kept, *COUNTERPARTS) if name.startswith(prefix)]


@cache
def names_with(trait: Trait, dialect: str) -> tuple[str, ...]:
    """The operations of a dialect that declare a trait; all of the dialect is imported."""
    return tuple(name for name in names_in(dialect) if has_trait(READABLE[name], trait))


def class_of(name: str) -> type[Operation] | None:
    """The class of the operations of this name, registered or not.

    None if it is no name, or its dialect is one whose operations are all known.
    """
    cls = READABLE.get(name)
    if cls is not None:
        return cls
    is_open = name and name.partition(".")[0] not in COMPLETE
    return unregistered_class(name) if is_open else None


def rules_by_name(dialect: str, *rules: RuleT) -> dict[str, RuleT]:
    """The rules of operations that their functions are named after.

    A trailing underscore, as in ``slice_`` and ``while_``, is no part of the name.
    """
    return {f"{dialect}.{rule.__name__.removesuffix('_')}": rule for rule in rules}


def rules_by_class(rules: Mapping[type[Operation], RuleT]) -> dict[str, RuleT]:
    """The rules of the operations of these classes, by their names."""
    return {definition_of(cls).name: rule for cls, rule in rules.items()}
