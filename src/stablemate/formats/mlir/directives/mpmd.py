"""Directives of MPMD: origins, computations, loops."""

from __future__ import annotations

from typing import ClassVar, Final

from stablemate.dialects.parse_only import mpmd_attributes as mpmd
from stablemate.dialects.parse_only.mpmd_attributes import UserOrigin
from stablemate.dialects.sdy.attributes import TensorShardingPerValue
from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.dialects import mpmd_attributes as readers
from stablemate.formats.mlir.dialects.sdy_attributes import read_sharding_list
from stablemate.formats.mlir.directives.calls import read_enclosed_operands
from stablemate.formats.mlir.directives.operand_types import check_operand_types
from stablemate.formats.mlir.directives.sharding import read_into
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import (
    ArrayAttribute,
    IntegerAttribute,
    StringAttribute,
    attribute_as,
    items_as,
    optional_attribute_as,
    quote,
)
from stablemate.ir.core import Operation
from stablemate.ir.kinds import SI64


class MeshReduction(Directive):
    """``<add>``."""

    attributes = ("reduction",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the kind of reduction in angle brackets."""
        reader.expect("<")
        members = dict(mpmd.REDUCTION.members)
        read_into(
            state,
            "reduction",
            reader,
            lambda r: mpmd.REDUCTION.attribute(r.member(members, "a reduction")),
        )
        reader.expect(">")

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the kind of reduction in angle brackets."""
        printer.write(f"<{mpmd.REDUCTION.value(operation.attributes['reduction']).value}>")


class TensorName(Directive):
    """``name="x"``."""

    attributes = ("name",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``name="..."``."""
        reader.expect("name")
        reader.expect("=")
        read_into(state, "name", reader, lambda r: StringAttribute(r.string("a name")))

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``name="..."``."""
        name = attribute_as(operation.attributes, "name", StringAttribute)
        printer.write(f" name={quote(name.value)}")


def read_computation(reader: OperationReader, state: OperationState) -> None:
    """Reads `` (%a) {...} (%b: T) {...} : (T) -> T``."""
    read_body(reader, state)
    reader.expect(":")
    state.result_types = reader.function_type_of(state, state.operand_list()).results


def read_body(reader: OperationReader, state: OperationState) -> None:
    """Reads operands, attributes and the body with its arguments."""
    read_enclosed_operands(reader, state, state.definition.operands[0].name)
    reader.trailing_attributes(state, "replace")
    arguments = reader.read_enclosed("(", reader.block_argument)
    state.regions = [reader.region(arguments, isolated=state.definition.isolated)]


def write_body(printer: MlirPrinter, operation: Operation, hidden: tuple[str, ...]) -> None:
    """Writes operands, attributes, arguments and the region of a body."""
    printer.write(f" ({printer.values(operation.operands)})")
    printer.attribute_dictionary(operation, hidden)
    region = operation.regions[0]
    arguments = region.block.arguments if region.blocks else ()
    printer.write(f" ({', '.join(printer.argument(argument) for argument in arguments)}) ")
    printer.region(region, entry_label=False)


class OriginComputation(Directive):
    """``<"f"(1)> (%a) {...} (%b: T) {...} : (T) -> T``."""

    attributes = ("origin",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``<origin>``, the operands, attributes, region and function type."""
        reader.expect("<")
        read_into(state, "origin", reader, readers.read_origin_name)
        reader.expect(">")
        read_computation(reader, state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``<origin>``, the operands, attributes, region and function type."""
        origin = attribute_as(operation.attributes, "origin", UserOrigin)
        printer.write(f"<{origin.inner_text()}>")
        write_body(printer, operation, self.attributes)
        printer.write(f" : {printer.function_type(operation)}")


class FragmentOrigins(Directive):
    """``<mesh="m1", origin=["f"(1)]>``."""

    attributes: ClassVar[tuple[str, ...]] = ("mesh_name", "origin")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads mesh, origins, and what else there is."""
        reader.expect("<")
        reader.expect("mesh")
        reader.expect("=")
        read_into(state, "mesh_name", reader, lambda r: StringAttribute(r.string("a mesh")))
        reader.expect(",")
        reader.expect("origin")
        reader.expect("=")
        read_into(state, "origin", reader, read_origins)
        self.read_more(reader, state)
        reader.expect(">", "',' or '>'")

    def read_more(self, reader: OperationReader, state: OperationState) -> None:
        """Has nothing to parse behind the origins."""

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes mesh, origins, and what else there is."""
        mesh = attribute_as(operation.attributes, "mesh_name", StringAttribute)
        origins = attribute_as(operation.attributes, "origin", ArrayAttribute)
        listed = ", ".join(origin.inner_text() for origin in items_as(origins, UserOrigin))
        printer.write(f"<mesh={quote(mesh.value)}, origin=[{listed}]{self.more(operation)}>")

    def more(self, operation: Operation) -> str:
        """Returns the text of what else there is."""
        return ""


def read_origins(reader: OperationReader) -> ArrayAttribute:
    """Reads ``["f"(1)]``."""
    return ArrayAttribute(
        tuple(reader.read_enclosed("[", lambda: readers.read_origin_name(reader)))
    )


class FragmentDirective(FragmentOrigins):
    """``<mesh="m1", origin=[], stage=1, in_shardings=[...]> (%a) {...} (%b: T) {...} : FT``."""

    attributes = ("mesh_name", "origin", "stage_id", "in_shardings", "out_shardings")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads mesh, origins and computation."""
        super().read(reader, state)
        read_computation(reader, state)

    def read_more(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the stage and the shardings, each if it is present."""
        if readers.follows(reader, "stage"):
            read_into(state, "stage_id", reader, lambda r: SI64.attribute(r.integer()))
        for name in ("in_shardings", "out_shardings"):
            if readers.follows(reader, name):
                read_into(state, name, reader, read_sharding_list)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes mesh, origins and computation."""
        super().write(printer, operation)
        write_body(printer, operation, self.attributes)
        printer.write(f" : {printer.function_type(operation)}")

    def more(self, operation: Operation) -> str:
        """Returns the text of stage and shardings."""
        stage = optional_attribute_as(operation.attributes, "stage_id", IntegerAttribute)
        parts = [] if stage is None else [f", stage={stage.value}"]
        for name in ("in_shardings", "out_shardings"):
            shardings = optional_attribute_as(operation.attributes, name, TensorShardingPerValue)
            if shardings is not None:
                parts.append(f", {name}={shardings.list_text()}")
        return "".join(parts)


class MeshLoop(Directive):
    """``(%a) {iterations = 2 : ui32} (%b: T, %index: tensor<ui32>) {...} : T``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads operands, attributes, body and types."""
        read_body(reader, state)
        reader.expect(":")
        types = reader.types() if reader.at_type() else []
        check_operand_types(reader, state, types)
        state.result_types = types

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes operands, attributes, body and types."""
        write_body(printer, operation, ())
        printer.write(f" : {printer.types(value.type for value in operation.operands)}")


class ReturnedValues(Directive):
    """``{...} %a, %b : T, T``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads attributes, values and types."""
        reader.trailing_attributes(state, "replace")
        name = state.definition.operands[0].name
        state.operands[name] = []
        if reader.kind != "value":
            return
        reader.operand_into(state, name)
        while reader.accept(","):
            reader.operand_into(state, name)
        reader.expect(":")
        check_operand_types(reader, state, reader.types())

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes attributes, values and types; upstream leaves a space where there are none."""
        printer.attribute_dictionary(operation, ())
        printer.write(f" {printer.values(operation.operands)}")
        if operation.operands:
            printer.write(f" : {printer.types(value.type for value in operation.operands)}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "MeshReduction": MeshReduction(),
    "TensorName": TensorName(),
    "OriginComputation": OriginComputation(),
    "FragmentOrigins": FragmentOrigins(),
    "Fragment": FragmentDirective(),
    "MeshLoop": MeshLoop(),
    "ReturnedValues": ReturnedValues(),
}
