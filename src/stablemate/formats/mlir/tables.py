"""Registries for readers and printers; a dialect is imported at the first use of its names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from stablemate.dialects.mhlo.counterparts import ASSEMBLIES
from stablemate.dialects.registry import READABLE
from stablemate.formats.mlir.assembly import DeclaredSyntax
from stablemate.formats.mlir.attribute_reader import DialectAttributeReader
from stablemate.formats.mlir.directives.table import DIRECTIVES
from stablemate.formats.mlir.type_reader import TypeReader
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.types import Type
from stablemate.lazy_imports import OnDemand

TypeReaderFunction: TypeAlias = Callable[[TypeReader], Type]

ATTRIBUTE_MODULES: Final = {
    "stablehlo": "stablemate.formats.mlir.dialects.stablehlo_attributes",
    "chlo": "stablemate.formats.mlir.dialects.chlo_attributes",
    "complex": "stablemate.formats.mlir.dialects.chlo_attributes",
    "arith": "stablemate.formats.mlir.dialects.arith_attributes",
    "mpmd": "stablemate.formats.mlir.dialects.mpmd_attributes",
    "sdy": "stablemate.formats.mlir.dialects.sdy_attributes",
    "vhlo": "stablemate.formats.mlir.dialects.vhlo_attributes",
}

TYPE_MODULES: Final = {
    "mhlo": "stablemate.formats.mlir.dialects.mhlo_types",
    "mpmd": "stablemate.formats.mlir.dialects.mpmd_attributes",
    "quant": "stablemate.formats.mlir.dialects.quant_types",
    "vhlo": "stablemate.formats.mlir.dialects.vhlo_types",
}


def dialect_of(name: str) -> str:
    """Returns the dialect of an attribute or type: the text between ``#`` or ``!`` and the dot."""
    return name[1:].partition(".")[0]


class Syntaxes(Mapping[str, DeclaredSyntax]):
    """The declared syntax of every operation that has one, compiled at its first use."""

    def __init__(self, operations: Mapping[str, type[Operation]]) -> None:
        self.operations = operations
        self.compiled: dict[str, DeclaredSyntax] = {}

    def __getitem__(self, name: str) -> DeclaredSyntax:
        syntax = self.compiled.get(name)
        if syntax is None:
            definition = definition_of(self.operations[name])
            if name in ASSEMBLIES:
                definition = replace(definition, assembly=ASSEMBLIES[name])
            if not definition.assembly:
                raise KeyError(name)
            syntax = self.compiled[name] = DeclaredSyntax(definition, DIRECTIVES)
        return syntax

    def __iter__(self) -> Iterator[str]:
        return (operation for operation in self.operations if operation in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


SYNTAXES: Final = Syntaxes(READABLE)
ATTRIBUTE_READERS: Final[Mapping[str, DialectAttributeReader]] = OnDemand(
    ATTRIBUTE_MODULES, dialect_of, lambda module: module.ATTRIBUTES
)
DIALECT_TYPES: Final[Mapping[str, TypeReaderFunction]] = OnDemand(
    TYPE_MODULES, dialect_of, lambda module: module.TYPES
)
