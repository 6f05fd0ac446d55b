"""Every operation of the test programs by itself: the text of a function that holds nothing else.

What the operation uses becomes an argument of the function, except constants, which some rules
look at. The parts are texts, so that `changes` can also make what no module could hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import stablemate as sm
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.core import Operation, OpResult, Value
from stablemate.ir.types import Attribute
from tools.coverage import cases_of

CORPUS: Final = Path(__file__).parents[2] / "ops"
INVALID: Final = ".invalid.mlir"
LARGEST: Final = 4000  # characters
STRUCTURE: Final = ("func", "builtin", "check")
SELECTED: Final = re.compile(r"(%[\w$.-]+)#(\d+)")


@dataclass(frozen=True)
class Specimen:
    """One operation in text.

    Attributes:
        name: Its name.
        operands: The names of its operands.
        types: The types of its operands.
        scope: The types of all values that it or its regions use, by name.
        constants: The text behind ``=`` for those of them that are constants.
        attributes: Texts of its inherent attributes.
        discardable: Texts of its other attributes.
        regions: Texts of its regions.
        results: The types of its results.
        symbols: What else stands in the module.
    """

    name: str
    operands: Sequence[str]
    types: Sequence[str]
    scope: Mapping[str, str]
    results: Sequence[str]
    constants: Mapping[str, str] = field(default_factory=dict[str, str])
    attributes: Sequence[tuple[str, str]] = ()
    discardable: Sequence[tuple[str, str]] = ()
    regions: Sequence[str] = ()
    symbols: str = ""

    def text(self) -> str:
        """The module."""
        scope = {**self.scope, **dict(zip(self.operands, self.types, strict=False))}
        arguments = ", ".join(f"{n}: {t}" for n, t in scope.items() if n not in self.constants)
        lines = [f"  {n} = {self.constants[n]}\n" for n in scope if n in self.constants]
        return (
            f"{self.symbols}func.func @specimen({arguments}) {{\n"
            f"{''.join(lines)}  {self.operation()}\n  return\n}}\n"
        )

    def operation(self) -> str:
        """The operation in the generic form."""
        names = f"%r:{len(self.results)} = " if self.results else ""
        properties = f" <{{{entries(self.attributes)}}}>" if self.attributes else ""
        regions = f" ({', '.join(self.regions)})" if self.regions else ""
        others = f" {{{entries(self.discardable)}}}" if self.discardable else ""
        results = ", ".join(self.results)
        if len(self.results) != 1 or "->" in results:
            results = f"({results})"
        return (
            f'{names}"{self.name}"({", ".join(self.operands)}){properties}{regions}{others}'
            f" : ({', '.join(self.types)}) -> {results}"
        )


def entries(attributes: Sequence[tuple[str, str]]) -> str:
    """The entries of a dictionary; an empty text stands for the unit."""
    return ", ".join(f"{name} = {text}" if text else name for name, text in attributes)


@cache
def specimens() -> dict[str, list[Specimen]]:
    """All different operations of the corpus, by name."""
    by_key: dict[str, dict[str, Specimen]] = {}
    for text in corpus():
        try:
            module = sm.load(text)
        except sm.StablemateError:
            continue
        for specimen in specimens_of(module):
            by_key.setdefault(specimen.name, {})[specimen.text()] = specimen
    return {name: list(texts.values()) for name, texts in sorted(by_key.items())}


def corpus() -> Iterator[str]:
    """The texts of all examples and of all refused programs."""
    for path in sorted(CORPUS.glob("*.mlir")):
        if path.name.startswith("mhlo."):  # printed as StableHLO: tests/formats/mlir/test_mhlo.py
            continue
        if path.name.endswith(INVALID):
            yield from cases_of(path)
        else:
            yield path.read_text()


def specimens_of(module: sm.Module) -> Iterator[Specimen]:
    """The operations of one module."""
    top = module.operation
    printer = MlirPrinter(top, {}, generic=True)
    tops = {op: text_of(printer, op) for op in top.regions[0].block.operations}
    for operation in top.walk():
        is_structure = operation.name.partition(".")[0] in STRUCTURE
        if is_structure or operation.definition.terminator or operation.successors:
            continue
        specimen = specimen_of(printer, operation, tops)
        if len(specimen.text()) <= LARGEST:
            yield specimen


def text_of(printer: MlirPrinter, operation: Operation) -> str:
    """The generic text of an operation."""
    printer.out, printer.indentation = [], ""
    printer.operation(operation)
    return "".join(printer.out)


def specimen_of(
    printer: MlirPrinter, operation: Operation, tops: Mapping[Operation, str]
) -> Specimen:
    """One operation with what it uses."""

    def attribute_texts(attributes: Mapping[str, Attribute]) -> list[tuple[str, str]]:
        written = {name: printer.attribute(attribute) for name, attribute in attributes.items()}
        return [(n, "" if t == "unit" else t) for n, t in sorted(written.items())]

    regions: list[str] = []
    for region in operation.regions:
        printer.out, printer.indentation = [], "  "
        printer.region(region)
        regions.append("".join(printer.out))
    used = {**dict.fromkeys(operation.operands), **dict.fromkeys(captured(operation))}
    names = {value: plain(printer.name(value)) for value in used}
    selected = {printer.name(value): name for value, name in names.items()}
    constants = {
        name: text_of(printer, value.operation).partition(" = ")[2].rstrip()
        for value, name in names.items()
        if isinstance(value, OpResult) and value.operation.name == "stablehlo.constant"
    }
    own = "\n".join([*(t for _, t in attribute_texts(operation.attributes)), *regions])
    return Specimen(
        name=operation.name,
        operands=[names[value] for value in operation.operands],
        types=[str(value.type) for value in operation.operands],
        scope={names[value]: str(value.type) for value in used},
        results=[str(value.type) for value in operation.results],
        constants=constants,
        attributes=attribute_texts(operation.attributes),
        discardable=attribute_texts(operation.discardable),
        regions=[SELECTED.sub(lambda m: selected.get(m[0], m[0]), region) for region in regions],
        symbols=named_symbols(own, operation, tops),
    )


def plain(name: str) -> str:
    """The name of an argument in the place of one of several results."""
    return name.replace("#", "_")


def captured(operation: Operation) -> Iterator[Value[Any]]:
    """The values that stand outside and are used in the regions."""
    inside: set[Value[Any]] = {v for r in operation.regions for b in r.blocks for v in b.arguments}
    for item in operation.walk():
        if item is operation:
            continue
        inside.update(item.results)
        inside.update(v for r in item.regions for b in r.blocks for v in b.arguments)
    for item in operation.walk():
        if item is not operation:
            yield from (value for value in item.operands if value not in inside)


def named_symbols(text: str, operation: Operation, tops: Mapping[Operation, str]) -> str:
    """The operations whose symbols a text names, and those that they name in turn."""
    by_key: dict[Operation, None] = {}
    pending = [text]
    while pending:
        names = set(re.findall(r'@([\w$.]+|"[^"]*")', pending.pop()))
        for top, its_text in tops.items():
            symbol = str(top.attributes.get("sym_name", "")).strip('"')
            if symbol in names and top not in by_key and not holds(top, operation):
                by_key[top] = None
                pending.append(its_text)
    return "".join(tops[top] for top in by_key)


def holds(outer: Operation, inner: Operation) -> bool:
    """Whether an operation stands in another one."""
    return any(operation is inner for operation in outer.walk())
