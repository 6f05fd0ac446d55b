"""Directives of memref: sizes of allocations and views, globals and their names."""

from __future__ import annotations

from typing import Any, Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.calls import read_enclosed_operands
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import (
    UNIT,
    StringAttribute,
    SymbolAttribute,
    TypeAttribute,
    attribute_as,
    identifier,
    optional_attribute_as,
    quote,
)
from stablemate.ir.core import Operation
from stablemate.ir.types import MemRefType, TensorType


class AllocationDirective(Directive):
    """``(%size)[%symbol]``, directly after the name."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``(sizes)[symbols]``."""
        read_enclosed_operands(reader, state, "dynamicSizes")
        state.operands["symbolOperands"] = []
        if reader.at("["):
            reader.read_enclosed("[", lambda: reader.operand_into(state, "symbolOperands"))

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``(sizes)[symbols]``."""
        allocation: Any = operation
        printer.write(f"({printer.values(allocation.dynamicSizes)})")
        if allocation.symbolOperands:
            printer.write(f"[{printer.values(allocation.symbolOperands)}]")


class GlobalDirective(Directive):
    """``"private" constant @name : memref<2xf32> = dense<1.0>``."""

    attributes = ("sym_visibility", "constant", "sym_name", "type", "initial_value")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads visibility, name, type and initial value."""
        if reader.kind == "string":
            state.attributes["sym_visibility"] = StringAttribute(reader.string())
        if reader.accept("constant"):
            state.attributes["constant"] = UNIT
        state.attributes["sym_name"] = StringAttribute(reader.symbol())
        reader.expect(":")
        start = reader.start
        buffer = reader.type()
        place = (start, reader.previous_end)
        if not isinstance(buffer, MemRefType) or buffer.shape is None:
            reader.error("expected a ranked memref", place)
        state.attributes["type"] = TypeAttribute(buffer)
        if not reader.accept("="):
            return
        if reader.accept("uninitialized"):
            state.attributes["initial_value"] = UNIT
            return
        tensor = TensorType(buffer.shape, buffer.element_type)
        state.attributes["initial_value"] = reader.literals.dense_of(tensor)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes visibility, name, type and initial value."""
        attributes = operation.attributes
        visibility = optional_attribute_as(attributes, "sym_visibility", StringAttribute)
        if visibility is not None:
            printer.write(f" {quote(visibility.value)}")
        printer.write(" constant" if "constant" in attributes else "")
        name = identifier(attribute_as(attributes, "sym_name", StringAttribute).value)
        printer.write(f" @{name} : {attribute_as(attributes, 'type', TypeAttribute).type}")
        value = attributes.get("initial_value")
        if value is None:
            return
        shown = "uninitialized" if value == UNIT else printer.attribute(value)
        printer.write(f" = {shown.rpartition(' : ')[0] or shown}")


class GlobalName(Directive):
    """``@name``."""

    attributes = ("name",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``@name``, the symbol of a buffer in the module."""
        state.attributes["name"] = SymbolAttribute(reader.symbol())

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``@name``, the symbol of a buffer in the module."""
        name = attribute_as(operation.attributes, "name", SymbolAttribute)
        printer.write(f" @{identifier(name.root)}")


class NewSize(Directive):
    """``(%size)``, directly after the operand before, if there is one."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the new size in parentheses, if there is one."""
        state.operands["dynamicResultSize"] = []
        if reader.at("("):
            read_enclosed_operands(reader, state, "dynamicResultSize")

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the new size in parentheses, if there is one."""
        if len(operation.operands) > 1:
            printer.write(f"({printer.name(operation.operands[1])})")


class ViewPlace(Directive):
    """``[%shift][%size, %size]``, directly after the operand before."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the shift in bytes and the sizes."""
        reader.expect("[")
        reader.operand_into(state, "byte_shift")
        reader.expect("]")
        state.operands["sizes"] = []
        reader.read_enclosed("[", lambda: reader.operand_into(state, "sizes"))

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the shift and the sizes."""
        _, shift, *sizes = operation.operands
        printer.write(f"[{printer.name(shift)}][{printer.values(sizes)}]")


DIRECTIVES: Final[dict[str, Directive]] = {
    "Allocation": AllocationDirective(),
    "Global": GlobalDirective(),
    "GlobalName": GlobalName(),
    "NewSize": NewSize(),
    "ViewPlace": ViewPlace(),
}
