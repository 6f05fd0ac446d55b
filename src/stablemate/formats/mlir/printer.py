"""Prints modules as MLIR text, in the declared or the generic form.

Source: MLIR's own printer, for layout, names and spelling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.unregistered import WHOLE
from stablemate.formats.mlir.attribute_aliases import AttributeAliases, prefix_of
from stablemate.formats.mlir.location_aliases import LocationAliases
from stablemate.formats.mlir.names import Namer
from stablemate.ir.attributes import (
    ELIDED,
    UNIT,
    ArrayAttribute,
    DenseElementsAttribute,
    DenseResourceAttribute,
    DictionaryAttribute,
    DistinctAttribute,
    FloatAttribute,
    IntegerAttribute,
    OpaqueAttribute,
    dictionary_text,
    entry_text,
    identifier,
    list_text,
    quote,
)
from stablemate.ir.core import Block, Module, Operation, Region, Resource, Value
from stablemate.ir.definition import definition_of
from stablemate.ir.locations import Location, LocationAttribute
from stablemate.ir.types import Attribute, FunctionType, Type
from stablemate.ir.verifier import operation_violations

UNTYPED_ELEMENTS: Final = (IntegerAttribute, FloatAttribute)


class PrintedSyntax(Protocol):
    """How an operation is printed after its name."""

    def write(self, printer: MlirPrinter, operation: Operation, /) -> None:
        """Writes operands, attributes, regions and types."""
        ...


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of a region, with their numbers and predecessors.

    Attributes:
        numbers: The number of each block.
        predecessors: The numbers of the predecessors of each block, in order.
    """

    numbers: dict[Block, int]
    predecessors: dict[Block, list[int]]

    @classmethod
    def of(cls, region: Region) -> Blocks:
        """Numbers the blocks of a region."""
        predecessors: dict[Block, list[int]] = {}
        for number, block in enumerate(region.blocks):
            for successor in block.operations[-1].successors if block.operations else ():
                predecessors.setdefault(successor, []).append(number)
        return cls({block: i for i, block in enumerate(region.blocks)}, predecessors)


class MissingOperandError(ValueError):
    """A valid operation has fewer operands than the form that its definition declares shows."""


class LossyFormError(ValueError):
    """A valid operation has types that the form that its definition declares does not show."""


class MlirPrinter:
    """Prints one module.

    Attributes:
        generic: Whether operations are written in the generic form.
        debug_info: Whether locations are written.
        elide: Literals with more elements than this become ``dense_resource<__elided__>``.
    """

    def __init__(
        self,
        top: Operation,
        syntaxes: Mapping[str, PrintedSyntax],
        *,
        generic: bool = False,
        debug_info: bool = False,
        elide: int | None = None,
    ) -> None:
        self.syntaxes: Mapping[str, PrintedSyntax] = {} if generic else syntaxes
        self.generic = generic
        self.elide = elide
        self.printed_locations: list[
            tuple[Location, bool]
        ] = []  # locations that are printed, in order
        self.aliases: LocationAliases | None = None
        self.aliased: dict[Attribute, None] = {}  # attributes for which there are aliases, in order
        self.attribute_aliases: AttributeAliases | None = None
        self.distincts: dict[DistinctAttribute, int] = {}  # their numbers in the text
        if debug_info:
            state = MlirPrinter(top, syntaxes, generic=generic, elide=0)
            state.operation(top, "builtin")
            self.aliases = LocationAliases(state.printed_locations)
        namer = Namer(top, generic=generic)
        self.names, self.groups = namer.names, namer.groups
        self.indentation = ""
        self.out: list[str] = []
        self.resource_keys: dict[str, None] = {}
        self.blocks: dict[Region, Blocks] = {}

    # ---- texts

    def write(self, text: str) -> None:
        """Appends text to the output."""
        self.out.append(text)

    def name(self, value: Value) -> str:
        """Returns the name of a value; a value of another module has none."""
        return self.names.get(value, "<<unknown value>>")

    def values(self, values: Iterable[Value]) -> str:
        """Formats the names of values, separated by commas."""
        return ", ".join([self.name(value) for value in values])

    def types(self, types: Iterable[Type]) -> str:
        """Formats types, separated by commas."""
        return ", ".join(map(str, types))

    def function_type(self, operation: Operation) -> str:
        """``(operand types) -> result types``."""
        inputs = ", ".join([str(value.type) for value in operation.operands])
        results = [value.type for value in operation.results]
        if len(results) == 1 and not isinstance(results[0], FunctionType):
            return f"({inputs}) -> {results[0]}"
        return f"({inputs}) -> ({self.types(results)})"

    def attribute(self, attribute: Attribute) -> str:
        """The text of an attribute."""
        match attribute:
            case DenseElementsAttribute():
                if (
                    self.elide is not None
                    and not attribute.is_splat
                    and attribute.data.size > self.elide
                ):
                    return f"dense_resource<{ELIDED}> : {attribute.type}"
            case DenseResourceAttribute():
                self.resource_keys[attribute.key] = None
            case ArrayAttribute():
                return list_text(attribute.items, self.attribute)
            case DictionaryAttribute():
                return dictionary_text(attribute.entries, self.attribute)
            case OpaqueAttribute() | LocationAttribute():
                return self.aliased_attribute(attribute)
            case DistinctAttribute():
                aliases = self.attribute_aliases
                alias = aliases and aliases.name(attribute)
                return alias or self.distinct(attribute)
            case _:
                pass
        return str(attribute)

    def distinct(self, attribute: DistinctAttribute) -> str:
        """``distinct[0]<attribute>``, numbered in the order of the text."""
        inner = "" if attribute.attribute == UNIT else self.attribute(attribute.attribute)
        if inner:
            self.aliased[attribute] = None
        number = self.distincts.setdefault(attribute, len(self.distincts))
        return f"distinct[{number}]<{inner}>"

    def aliased_attribute(self, attribute: OpaqueAttribute | LocationAttribute) -> str:
        """Returns the alias of an attribute, or its text if it has none."""
        if isinstance(attribute, LocationAttribute):
            self.printed_locations.append((attribute.location, True))
        if prefix_of(attribute):
            self.aliased[attribute] = None
        aliases = self.attribute_aliases
        return (aliases and aliases.name(attribute)) or str(attribute)

    def value_dictionary(self, entries: Mapping[str, Attribute]) -> str:
        """Prints ``{a = 1}`` of an argument of a body, without creating aliases."""
        alias_count, use_count = len(self.aliased), len(self.printed_locations)
        text = self.dictionary(entries)
        self.forget_aliases(alias_count)
        del self.printed_locations[use_count:]
        return text

    def forget_aliases(self, count: int) -> list[Attribute]:
        """Forgets all attributes with aliases but the first ones, and returns them in order."""
        forgotten: list[Attribute] = []
        while len(self.aliased) > count:
            forgotten.append(self.aliased.popitem()[0])
        return forgotten[::-1]

    def dictionary(self, entries: Mapping[str, Attribute]) -> str:
        """``{a = 1}``, sorted by key; empty text for no entries."""
        if not entries:
            return ""
        items = sorted(entries.items())
        return f"{{{', '.join(entry_text(key, value, self.attribute) for key, value in items)}}}"

    # ---- operations

    def operation(self, operation: Operation, default_dialect: str = "") -> None:
        """Writes an operation on lines of its own."""
        self.printed_locations.append((operation.location, False))
        out = self.out
        out.append(self.indentation)
        if operation.results:
            out.append(f"{self.groups[operation]} = ")
        syntax = self.syntaxes.get(operation.name)
        if syntax is None:
            self.generic_form(operation)
        else:
            name = operation.name
            if default_dialect and name.startswith(f"{default_dialect}."):
                name = name[len(default_dialect) + 1 :]
            self.declared_form(operation, name, syntax)
        if self.aliases is not None:
            out.append(f" loc({self.aliases.names[operation.location]})")
        out.append("\n")

    def declared_form(self, operation: Operation, name: str, syntax: PrintedSyntax) -> None:
        """Writes the form that the definition declares, or the generic form if that is impossible.

        An invalid operation may lack parts that its syntax shows.
        """
        position, indentation = len(self.out), self.indentation
        self.out.append(name)
        try:
            syntax.write(self, operation)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            is_valid = next(operation_violations(operation), None) is None
            if is_valid and not isinstance(error, MissingOperandError | LossyFormError):
                raise
            del self.out[position:]
            self.indentation = indentation
            self.generic_form(operation)

    def generic_form(self, operation: Operation) -> None:
        """Writes name, operands, successors, properties, regions, attributes and types."""
        out = self.out
        out.append(f"{quote(operation.name)}({self.values(operation.operands)})")
        if operation.successors:
            out.append(f"[{', '.join(self.block_name(block) for block in operation.successors)}]")
        alias_count = len(self.aliased)
        if WHOLE in operation.attributes:
            out.append(f" <{self.attribute(operation.attributes[WHOLE])}>")
        elif operation.attributes:
            out.append(f" <{self.dictionary(operation.attributes)}>")
        later = self.forget_aliases(alias_count)
        if operation.regions:
            out.append(" (")
            for i, region in enumerate(operation.regions):
                out.append(", " if i else "")
                self.region(region)
            out.append(")")
        if operation.discardable:
            out.append(f" {self.dictionary(operation.discardable)}")
        self.aliased |= dict.fromkeys(later)  # as MLIR numbers them
        out.append(f" : {self.function_type(operation)}")

    def attribute_dictionary(
        self,
        operation: Operation,
        hidden: Iterable[str] = (),
        keyword: str = "",
        *,
        defaults: bool = False,
    ) -> None:
        """Writes `` {...}`` with all attributes that are not hidden.

        Args:
            operation: The operation.
            hidden: Names of attributes that are written elsewhere, or not at all.
            keyword: What stands before the dictionary.
            defaults: Whether attributes at their defaults are written, if they are present.
        """
        entries = dict(operation.discardable)
        declared = definition_of(operation).attributes
        skipped = {*hidden, "operandSegmentSizes", "resultSegmentSizes"}
        for name, value in operation.attributes.items():
            field = declared.get(name)
            if name in skipped or (not defaults and field and field.is_default(value)):
                continue
            entries[name] = value
        if entries:
            self.write(f"{keyword} {self.dictionary(entries)}")

    # ---- regions

    def region(
        self, region: Region, *, entry_label: bool = True, default_dialect: str = ""
    ) -> None:
        """Writes ``{ ... }``.

        Args:
            region: The region.
            entry_label: Whether the entry block gets a label if it has arguments.
            default_dialect: The dialect whose prefix is left out inside.
        """
        self.write("{\n")
        outer = self.indentation
        self.indentation += "  "
        for i, block in enumerate(region.blocks):
            if i or (entry_label and block.arguments) or (not block.operations and entry_label):
                self.label(block, outer)
            for operation in block.operations:
                self.operation(operation, default_dialect)
        self.indentation = outer
        self.write(f"{outer}}}")

    def label(self, block: Block, indentation: str) -> None:
        """Writes ``^bb0(%arg0: T):`` and the predecessors of the block."""
        arguments = ", ".join(self.argument(value) for value in block.arguments)
        label = (
            f"{self.block_name(block)}({arguments}):" if arguments else f"{self.block_name(block)}:"
        )
        region = block.parent
        if region is not None and block is not region.blocks[0]:
            label += self.predecessors(block, region)
        self.write(f"{indentation}{label}\n")

    def argument(self, argument: Any) -> str:
        """``%arg0: T loc(...)``."""
        return f"{self.name(argument)}: {argument.type}{self.argument_location(argument)}"

    def argument_location(self, argument: Any) -> str:
        """`` loc(...)`` with debug info, else nothing."""
        self.printed_locations.append((argument.location, True))
        return "" if self.aliases is None else f" loc({self.aliases.inline(argument.location)})"

    def predecessors(self, block: Block, region: Region) -> str:
        """Returns the comment that lists the predecessors of a block."""
        numbers = self.blocks_of(region).predecessors.get(block, ())
        names = [f"^bb{number}" for number in numbers]
        if not names:
            return "  // no predecessors"
        return f"  // {'pred' if len(names) == 1 else f'{len(names)} preds'}: {', '.join(names)}"

    def block_name(self, block: Block) -> str:
        """``^bb0``, by its number in its region."""
        region = block.parent
        if region is None:
            return "^INVALIDBLOCK"
        return f"^bb{self.blocks_of(region).numbers[block]}"

    def blocks_of(self, region: Region) -> Blocks:
        """Returns the blocks of a region, numbered at the first use."""
        blocks = self.blocks.get(region)
        if blocks is None:
            blocks = self.blocks[region] = Blocks.of(region)
        return blocks

    # ---- modules

    def module(self, module: Module) -> str:
        """The text of a module: aliases, operations, resources."""
        if self.aliases:
            self.out += [f"{line}\n" for line in self.aliases.definitions(early=True)]
        start = len(self.out)
        self.operation(module.operation, "builtin")
        if self.aliased:
            del self.out[start:]
            self.attribute_aliases = AttributeAliases(self.aliased, self.aliases)
            self.distincts = {}
            definitions = self.attribute_aliases.definitions(self.definition_text)
            self.out += [f"{line}\n" for line in definitions]
            self.operation(module.operation, "builtin")
        if self.aliases:
            self.out += [f"{line}\n" for line in self.aliases.definitions(early=False)]
        self.resources(module)
        return "".join(self.out)

    def definition_text(self, attribute: Attribute) -> str:
        """The text of an attribute that has an alias."""
        if isinstance(attribute, DistinctAttribute):
            return self.distinct(attribute)
        return str(attribute)

    def resources(self, module: Module) -> None:
        """Prints the section of resources behind the module."""
        blobs = {k: module.resources[k] for k in self.resource_keys if k in module.resources}
        sections: list[str] = []
        if blobs:
            entries = ",\n".join(f"      {identifier(k)}: {blob_text(v)}" for k, v in blobs.items())
            sections.append(f"  dialect_resources: {{\n    builtin: {{\n{entries}\n    }}\n  }}")
        if module.external_resources:
            groups = ",\n".join(
                f"    {identifier(group)}: {{\n{external_entries(entries)}\n    }}"
                for group, entries in module.external_resources.items()
            )
            sections.append(f"  external_resources: {{\n{groups}\n  }}")
        if sections:
            body = ",\n".join(sections)
            self.write(f"\n{{-#\n{body}\n#-}}\n")


def blob_text(resource: Resource) -> str:
    """A blob as a hex string: four bytes of alignment, then the data."""
    header = resource.alignment.to_bytes(4, "little")
    return f'"0x{(header + resource.data.tobytes()).hex().upper()}"'


def external_entries(entries: Mapping[str, str]) -> str:
    """The lines of one group of external resources."""
    return ",\n".join(f"      {identifier(key)}: {value}" for key, value in entries.items())


def print_module(
    module: Module,
    syntaxes: Mapping[str, PrintedSyntax],
    *,
    generic: bool = False,
    debug_info: bool = False,
    elide: int | None = None,
) -> str:
    """Returns the text of a module; reading it yields an equal module."""
    printer = MlirPrinter(
        module.operation, syntaxes, generic=generic, debug_info=debug_info, elide=elide
    )
    return printer.module(module)


def sequence_text(items: Sequence[int]) -> str:
    """``[1, 2]``."""
    return f"[{', '.join(map(str, items))}]"
