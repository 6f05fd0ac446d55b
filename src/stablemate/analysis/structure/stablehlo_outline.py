"""The outline of a module of StableHLO, or of VHLO."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from stablemate.analysis.structure.defaults import says_nothing
from stablemate.analysis.structure.outline import (
    Fact,
    OutlineBlock,
    OutlineOperation,
    OutlineValue,
    ProgramOutline,
    SymbolDefinition,
    abbreviate,
)
from stablemate.dialects.builtin import symbol_of
from stablemate.dialects.func import FuncOp
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    DenseResourceAttribute,
    StringAttribute,
    TypeAttribute,
    dense_elements,
)
from stablemate.ir.core import Block, Module, Operation, Resource, Value
from stablemate.ir.definition import Op, RequestOp
from stablemate.ir.equality import explicit_attributes
from stablemate.ir.locations import UNKNOWN
from stablemate.ir.types import Attribute, MemRefType, TensorType, Type, VectorType
from stablemate.numerics.literal_data import hex_bytes, literal_dtype

# A symbol, or a string that may hold what looks like one.
SYMBOL: Final = re.compile(r'@(?:"((?:[^"\\]|\\.)*)"|([\w$.-]+))|"(?:[^"\\]|\\.)*"')
# What producers note of names in the language that the program comes from.
NAMES: Final = frozenset({"jax.result_info", "jax.arg_info", "tf.entry_function"})
OF_SYMBOLS: Final = frozenset({"sym_name", "sym_visibility"})
OF_FUNCTIONS: Final = frozenset({"arg_attrs", "res_attrs"})
CONSTANTS: Final = frozenset(
    {"stablehlo.constant", "arith.constant", "chlo.constant", "sdy.constant"}
)
LISTED: Final = 8  # elements of a literal that are shown as they are


def outline_of(module: Module, *, debug_info: bool = False) -> ProgramOutline:
    """The outline of a module.

    Args:
        module: The module.
        debug_info: Whether locations count, and the names that producers note.
    """
    making = OutlineBuilder(module.resources, debug_info)
    definitions: dict[str, SymbolDefinition] = {}
    others: list[OutlineOperation] = []
    operations = module.body.operations
    for operation, item in zip(operations, making.items(operations), strict=True):
        name = symbol_of(operation)
        if name is None or name in definitions:
            others.append(item)
        else:
            definitions[name] = SymbolDefinition(name, item, is_public(operation))
    source = module.source
    lines = [] if source is None or source.binary else source.text.split("\n")
    facts = {
        name: making.fact(attribute)
        for name, attribute in module.operation.discardable.items()
        if making.counts(name)
    }
    name = "" if source is None else source.name
    return ProgramOutline(name, "stablehlo", facts, definitions, others, lines)


def is_public(operation: Operation) -> bool:
    """Whether a symbol can be called from outside."""
    visibility = operation.attributes.get("sym_visibility")
    private = isinstance(visibility, StringAttribute) and visibility.value != "public"
    return isinstance(operation, FuncOp) and not private


class OutlineBuilder:
    """The making of one outline.

    Attributes:
        resources: Blobs that literals name.
        debug_info: Whether locations and names of the source count.
        slots: The slot of each value.
        blocks: The number of each block in its region.
    """

    def __init__(self, resources: Mapping[str, Resource], debug_info: bool) -> None:
        self.resources = resources
        self.debug_info = debug_info
        self.slots: dict[Value[Type], OutlineValue] = {}
        self.blocks: dict[Block, int] = {}
        self.types: dict[Type, str] = {}
        self.facts: dict[Attribute, Fact] = {}

    def counts(self, name: str) -> bool:
        """Whether an attribute of this name counts."""
        return self.debug_info or name not in NAMES

    def type_text(self, value_type: Type) -> str:
        """The text of a type, made once."""
        text = self.types.get(value_type)
        if text is None:
            text = self.types[value_type] = str(value_type)
        return text

    def items(self, operations: Sequence[Operation]) -> list[OutlineOperation]:
        """The items of operations, with all inside them; each may use the results of all."""
        items = [self.new_item(operation) for operation in operations]
        for operation, item in zip(operations, items, strict=True):
            self.complete(item, operation)
        return items

    def new_item(self, operation: Operation) -> OutlineOperation:
        """The item of an operation, without its operands and what is inside it."""
        span = operation.span
        line = None if span is None or span.source.binary else span.line
        item = OutlineOperation(
            operation.name, dict(self.facts_of(operation)), line, is_pure(operation)
        )
        if operation.name in CONSTANTS:
            item.constant = ("value",)
        results: list[OutlineValue] = []
        for index, value in enumerate(operation.results):
            slot = self.slots[value] = OutlineValue(item, index, self.type_text(value.type))
            results.append(slot)
        item.results = tuple(results)
        return item

    def complete(self, item: OutlineOperation, operation: Operation) -> None:
        """Adds the operands of an operation and what is inside it."""
        item.operands = tuple([self.slots[value] for value in operation.operands])
        if operation.regions:
            bodies = [body for region in operation.regions for body in self.bodies(region.blocks)]
            item.bodies = tuple(bodies)

    def bodies(self, blocks: Sequence[Block]) -> list[OutlineBlock]:
        """The bodies of the blocks of a region, each of which may use the values of all."""
        self.blocks.update({block: number for number, block in enumerate(blocks)})
        bodies = [self.new_body(block) for block in blocks]
        items = iter(self.items([operation for block in blocks for operation in block.operations]))
        for block, body in zip(blocks, bodies, strict=True):
            body.items = [next(items) for _ in block.operations]
        return bodies

    def new_body(self, block: Block) -> OutlineBlock:
        """The body of a block, without its items."""
        body = OutlineBlock([self.type_text(argument.type) for argument in block.arguments])
        self.slots.update(zip(block.arguments, body.arguments, strict=True))
        return body

    def facts_of(self, operation: Operation) -> Iterator[tuple[str, Fact]]:
        """The attributes of an operation."""
        is_function = isinstance(operation, FuncOp)
        hidden = OF_SYMBOLS if symbol_of(operation) is not None else frozenset[str]()
        for name, attribute in explicit_attributes(operation).items():
            if name in hidden or (is_function and name in OF_FUNCTIONS):
                continue
            if not says_nothing(operation, name, attribute):
                yield name, self.fact(attribute)
        for name, attribute in operation.discardable.items():
            if self.counts(name):
                yield name, self.fact(attribute)
        if self.debug_info:
            yield from places_of(operation)
        if operation.successors:
            numbers = [str(self.blocks[successor]) for successor in operation.successors]
            yield "successors", plain(", ".join(numbers))
        if isinstance(operation, FuncOp):
            yield "visibility", plain("public" if is_public(operation) else "private")
            for what, entries in (
                ("argument", operation.argument_attributes),
                ("result", operation.result_attributes),
            ):
                for index, entry in enumerate(entries):
                    for name, attribute in entry.items():
                        if self.counts(name):
                            yield f"{what} {index}: {name}", self.fact(attribute)

    def fact(self, attribute: Attribute) -> Fact:
        """The value of an attribute, cached."""
        fact = self.facts.get(attribute)
        if fact is None:
            fact = self.facts[attribute] = self.new_fact(attribute)
        return fact

    def new_fact(self, attribute: Attribute) -> Fact:
        """The value of an attribute."""
        match attribute:
            case DenseResourceAttribute() if attribute.key in self.resources:
                return elements_fact(resource_elements(attribute, self.resources))
            case DenseElementsAttribute():
                return elements_fact(attribute)
            case StringAttribute() | TypeAttribute():
                return plain(str(attribute))
            case _:
                return fact_of_text(str(attribute))


def is_pure(operation: Operation) -> bool:
    """Whether an operation does nothing but compute its results, the same ones each time."""
    pure = isinstance(operation, Op) and not isinstance(operation, RequestOp)
    return pure and not operation.has_effects  # type: ignore[attr-defined]


def places_of(operation: Operation) -> Iterator[tuple[str, Fact]]:
    """The locations of an operation and of the arguments of its blocks."""
    if operation.location != UNKNOWN:
        yield "location", plain(str(operation.location))
    blocks = [block for region in operation.regions for block in region.blocks]
    for number, argument in enumerate(each for block in blocks for each in block.arguments):
        if argument.location != UNKNOWN:
            yield f"location of argument {number}", plain(str(argument.location))


def plain(text: str) -> Fact:
    """A fact that names nothing."""
    return Fact(text, abbreviate(text))


def fact_of_text(text: str) -> Fact:
    """A fact with the symbols that its text names."""
    if "@" not in text:
        return plain(text)
    names: list[str] = []

    def keep_name(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if name is None:
            return match[0]
        names.append(name)
        return "@"

    return Fact(SYMBOL.sub(keep_name, text), abbreviate(text), tuple(names))


def resource_elements(
    attribute: DenseResourceAttribute, resources: Mapping[str, Resource]
) -> Attribute:
    """The literal of a resource elsewhere in the file."""
    literal_type = attribute.type
    if not isinstance(literal_type, TensorType | VectorType | MemRefType):
        return attribute
    if literal_type.shape is None:
        return attribute
    data: Any = resources[attribute.key].data
    element = literal_type.element_type
    dtype = literal_dtype(element) if hasattr(element, "bits") else np.dtype(np.uint8)
    count = math.prod(literal_type.shape)
    if data.nbytes != count * dtype.itemsize or count == 0:
        return attribute
    return dense_elements(literal_type, np.frombuffer(data.tobytes(), dtype))


def elements_fact(attribute: Attribute) -> Fact:
    """The fact of a literal: equal elements are one, however they are stored."""
    if not isinstance(attribute, DenseElementsAttribute):
        return plain(str(attribute))
    literal = dense_elements(attribute.type, attribute.data)
    digest = blake2b(hex_bytes(literal.data), digest_size=16).hexdigest()
    kind = "splat" if literal.data.size == 1 and math.prod(literal.shape) != 1 else "elements"
    key = f"{kind} {digest} : {attribute.type}"
    if literal.data.size <= LISTED:
        return Fact(key, abbreviate(str(literal)))
    return Fact(key, f"dense<{digest[:8]}...> : {attribute.type}")
