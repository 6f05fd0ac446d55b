"""symbol-dce: removes private symbols without uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from stablemate.dialects.builtin import ModuleOp, symbol_of, symbols
from stablemate.ir.attributes import DenseElementsAttribute, StringAttribute
from stablemate.ir.core import Module, Operation
from stablemate.ir.types import Attribute
from stablemate.transforms.dead_code import DeadCodeRemoval

# A symbol, or a string that may hold what looks like one.
SYMBOL: Final = re.compile(r'@(?:"((?:[^"\\]|\\.)*)"|([\w$.]+))|"(?:[^"\\]|\\.)*"')


def symbol_dce(module: Module) -> Module:
    """The module without private symbols that no other operation reaches."""
    dead = set(unreachable(module.operation))
    if not dead:
        return module
    return module.with_operation(DeadCodeRemoval(dead).copy_operation(module.operation))


def unreachable(
    top: Operation, inlined: Callable[[Operation], Operation | None] = lambda _: None
) -> Iterator[Operation]:
    """The private symbols of a module, and of those in it, that nothing public reaches.

    Args:
        top: The module.
        inlined: Gives the function whose body takes the place of an operation, if one does: such an
            operation refers to what the body refers to.
    """
    for module in top.walk():
        if not isinstance(module, ModuleOp):
            continue
        operations = module.body.block.operations
        alive = Reaching(symbols(module), inlined).reachable_symbols(operations)
        for operation in operations:
            if is_private(operation) and operation not in alive:
                yield operation


class Reaching:
    """Finds the private symbols of a module that others refer to.

    Attributes:
        by_name: The symbols.
        inlined: Gives the function whose body takes the place of an operation.
        alive: The private symbols that are referred to.
        visited: The operations whose insides are known or pending.
    """

    def __init__(
        self, by_name: Mapping[str, Operation], inlined: Callable[[Operation], Operation | None]
    ) -> None:
        self.by_name = by_name
        self.inlined = inlined
        self.alive: set[Operation] = set()
        self.visited: set[Operation] = set()

    def reachable_symbols(self, operations: Iterable[Operation]) -> set[Operation]:
        """The private symbols that those operations reach that are not private."""
        pending = [operation for operation in operations if not is_private(operation)]
        self.visited.update(pending)
        while pending:
            for operation in pending.pop().walk():
                new = [target for target in self.targets(operation) if target not in self.visited]
                self.visited.update(new)
                pending += dict.fromkeys(new)
        return self.alive

    def targets(self, operation: Operation) -> Iterator[Operation]:
        """The operations that one reaches; the symbols that it refers to become live."""
        body = self.inlined(operation)
        if body is not None:
            yield body
            return
        for name in symbols_of(operation):
            definition = self.by_name.get(name)
            if definition is not None and is_private(definition):
                self.alive.add(definition)
                yield definition


def is_private(operation: Operation) -> bool:
    """Whether an operation is a symbol that only its module sees."""
    visibility = operation.attributes.get("sym_visibility")
    is_private = isinstance(visibility, StringAttribute) and visibility.value == "private"
    return is_private and symbol_of(operation) is not None


def referenced_symbols(operation: Operation) -> Iterator[str]:
    """The names of all symbols that an operation and those inside it refer to."""
    for nested in operation.walk():
        yield from symbols_of(nested)


def symbols_of(operation: Operation) -> Iterator[str]:
    """The names of all symbols that the attributes of an operation refer to."""
    for attribute in (*operation.attributes.values(), *operation.discardable.values()):
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
