"""symbol-dce: removes private symbols without uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from stablemate.dialects.builtin import ModuleOp, symbol_of, symbols
from stablemate.ir.attributes import DenseElementsAttribute, StringAttribute
from stablemate.ir.core import Module, Operation
from stablemate.ir.types import Attribute
from stablemate.transforms.dead_code import Sweep

# A symbol, or a string that may hold what looks like one.
SYMBOL: Final = re.compile(r'@(?:"((?:[^"\\]|\\.)*)"|([\w$.]+))|"(?:[^"\\]|\\.)*"')


def symbol_dce(module: Module) -> Module:
    """The module without private symbols that no other operation reaches."""
    dead = set(unreachable(module.operation))
    if not dead:
        return module
    return module.with_operation(Sweep(dead).copied(module.operation))


def unreachable(top: Operation) -> Iterator[Operation]:
    """The private symbols of a module, and of those in it, that nothing public reaches."""
    for module in top.walk():
        if not isinstance(module, ModuleOp):
            continue
        by_name = symbols(module)
        alive: set[Operation] = set()
        pending = [
            operation for operation in module.body.block.operations if not is_private(operation)
        ]
        while pending:
            for name in referred(pending.pop()):
                definition = by_name.get(name)
                if definition is not None and is_private(definition) and definition not in alive:
                    alive.add(definition)
                    pending.append(definition)
        for operation in module.body.block.operations:
            if is_private(operation) and operation not in alive:
                yield operation


def is_private(operation: Operation) -> bool:
    """Whether an operation is a symbol that only its module sees."""
    visibility: Any = operation.attributes.get("sym_visibility")
    is_private = isinstance(visibility, StringAttribute) and visibility.value == "private"
    return is_private and symbol_of(operation) is not None


def referred(operation: Operation) -> Iterator[str]:
    """The names of all symbols that an operation and those inside it refer to."""
    for nested in operation.walk():
        for attribute in (*nested.attributes.values(), *nested.discardable.values()):
            yield from symbols_in(attribute)


def symbols_in(attribute: Attribute) -> Iterator[str]:
    """The first names of the symbols in an attribute."""
    if isinstance(attribute, DenseElementsAttribute | StringAttribute):
        return
    text = str(attribute)
    if "@" in text:
        for match in SYMBOL.finditer(text):
            if name := match[1] or match[2]:
                yield name
