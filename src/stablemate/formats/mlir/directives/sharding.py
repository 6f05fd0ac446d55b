"""Directives of Shardy: shardings, lists of axes, computations."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from stablemate.dialects.sdy import attributes as sdy
from stablemate.dialects.sdy.attributes import SdyAttribute, TensorShardingPerValue
from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.dialects import sdy_attributes as readers
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import (
    IntegerAttribute,
    StringAttribute,
    attribute_as,
    identifier,
    quote,
)
from stablemate.ir.core import Operation
from stablemate.ir.kinds import SI64, AttributeKind
from stablemate.ir.locations import Location
from stablemate.ir.types import Attribute, Type

LIST_READERS: Final[dict[AttributeKind[object], Callable[[OperationReader], Attribute]]] = {
    sdy.LIST_OF_AXIS_REF_LISTS: readers.read_axis_lists,
    sdy.AXIS_REF_LIST: readers.read_axis_list,
    sdy.ALL_TO_ALL_PARAM_LIST: readers.read_moves,
}


def read_into(
    state: OperationState,
    name: str,
    reader: OperationReader,
    read: Callable[[OperationReader], Attribute],
) -> None:
    """Reads an attribute and records its place."""
    start = reader.start
    state.attributes[name] = read(reader)
    state.parts[name] = (start, reader.previous_end)


def inner_text(operation: Operation, name: str) -> str:
    """Prints an attribute of Shardy without its name."""
    attribute = operation.attributes[name]
    if not isinstance(attribute, SdyAttribute):
        raise TypeError(f"{name} is {attribute}, no attribute of Shardy")
    return attribute.inner_text()


class MeshDirective(Directive):
    """``@mesh = <["x"=2]> {...}``."""

    attributes = ("sym_name", "mesh")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads name, mesh and attributes."""
        read_into(state, "sym_name", reader, lambda r: StringAttribute(r.symbol()))
        reader.expect("=")
        read_into(state, "mesh", reader, readers.read_mesh)
        reader.trailing_attributes(state, "replace")

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes name, mesh and attributes."""
        name = attribute_as(operation.attributes, "sym_name", StringAttribute)
        printer.write(f" @{identifier(name.value)} = {inner_text(operation, 'mesh')}")
        printer.attribute_dictionary(operation, self.attributes)


class ShardingDirective(Directive):
    """``<@mesh, [{"x"}, {}]>``."""

    attributes = ("sharding",)
    keyword: ClassVar[str] = ""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``keyword=`` and the sharding without its mnemonic."""
        if self.keyword:
            reader.expect(self.keyword)
            reader.expect("=")
        read_into(state, self.attributes[0], reader, readers.read_sharding)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``keyword=`` and the sharding without its mnemonic."""
        word = f"{self.keyword}=" if self.keyword else ""
        printer.write(f" {word}{inner_text(operation, self.attributes[0])}")


class OutSharding(ShardingDirective):
    """``out_sharding=<@mesh, [{"x"}, {}]>``."""

    attributes = ("out_sharding",)
    keyword = "out_sharding"


class EdgeSharding(ShardingDirective):
    """``sharding=<@mesh, [{"x"}, {}]>``, if there is one."""

    keyword = "sharding"

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the sharding if it is present."""
        if reader.at(self.keyword):
            super().read(reader, state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the sharding if there is one."""
        if "sharding" in operation.attributes:
            super().write(printer, operation)


class MovedAxes(Directive):
    """``[{"x"}, {}]``, ``{"x"}`` or ``[{"x"}: 0->1]``: the axes of a collective operation."""

    attributes = (
        "gathering_axes",
        "slicing_axes",
        "reduce_scatter_axes",
        "reduction_axes",
        "axes",
        "params",
    )

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the axes in the form that the operation declares."""
        name = next(
            attribute for attribute in self.attributes if attribute in state.definition.attributes
        )
        read_into(state, name, reader, LIST_READERS[state.definition.attributes[name].kind])

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the axes that the collective moves."""
        name = next(attribute for attribute in self.attributes if attribute in operation.attributes)
        printer.write(f" {inner_text(operation, name)}")


class AllowedDirection(Directive):
    """``allowed_direction=FORWARD``."""

    attributes = ("allowed_direction",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``allowed_direction=FORWARD``."""
        reader.expect("allowed_direction")
        reader.expect("=")
        directions = {direction.value: direction for direction in sdy.DIRECTIONS}
        kind = sdy.PROPAGATION_DIRECTION
        read_into(
            state,
            "allowed_direction",
            reader,
            lambda r: kind.attribute(r.choice(directions, "a direction")),
        )

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``allowed_direction=FORWARD``."""
        direction = sdy.PROPAGATION_DIRECTION.value(operation.attributes["allowed_direction"])
        printer.write(f" allowed_direction={direction.value}")


class ReductionDirective(Directive):
    """``max``, if it is not a sum."""

    attributes = ("reduction_op",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the reduction if it is present."""
        if reader.kind == "bare":
            kind = sdy.REDUCTION_OP
            read_into(
                state,
                "reduction_op",
                reader,
                lambda r: kind.attribute(readers.read_reduction(r)),
            )

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the reduction if it is not a sum."""
        stored = operation.attributes.get("reduction_op")
        reduction = None if stored is None else sdy.REDUCTION_OP.value(stored)
        if reduction not in (None, sdy.ReductionOp.SUM):
            printer.write(f" {reduction.value}")


class GroupId(Directive):
    """``group_id=1``."""

    attributes = ("group_id",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``group_id=number``."""
        reader.expect("group_id")
        reader.expect("=")
        read_into(state, "group_id", reader, lambda r: SI64.attribute(r.integer("a number")))

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``group_id=number``."""
        group = attribute_as(operation.attributes, "group_id", IntegerAttribute)
        printer.write(f" group_id={group.value}")


class ManualComputationDirective(Directive):
    """``(%a) in_shardings=[...] out_shardings=[...] manual_axes={"x"} (%b: T) {...} : FT``."""

    attributes = ("in_shardings", "out_shardings", "manual_axes")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads operands, shardings, axes, body, attributes and types."""
        read_operands(reader, state)
        for name in ("in_shardings", "out_shardings"):
            reader.expect(name)
            reader.expect("=")
            read_into(state, name, reader, readers.read_sharding_list)
        reader.expect("manual_axes")
        reader.expect("=")
        read_into(state, "manual_axes", reader, readers.read_manual_axes)
        read_body(reader, state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes operands, shardings, axes, body, attributes and types."""
        printer.write(f"({printer.values(operation.operands)})")
        for name in ("in_shardings", "out_shardings"):
            printer.write(shardings_text(operation, name))
        printer.write(f" manual_axes={inner_text(operation, 'manual_axes')}")
        write_body(printer, operation, self.attributes)


class NamedComputationDirective(Directive):
    """``<"name">(%a) in_shardings=[...] out_shardings=[...] (%b: T) {...} : FT``."""

    attributes = ("name", "in_shardings", "out_shardings")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads name, operands, shardings, body, attributes and types."""
        reader.expect("<")
        read_into(state, "name", reader, lambda r: StringAttribute(r.string()))
        reader.expect(">")
        read_operands(reader, state)
        for name in ("in_shardings", "out_shardings"):
            if reader.accept(name):
                reader.expect("=")
                read_into(state, name, reader, readers.read_sharding_list)
        read_body(reader, state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes name, operands, shardings, body, attributes and types."""
        name = attribute_as(operation.attributes, "name", StringAttribute)
        printer.write(f"<{quote(name.value)}>({printer.values(operation.operands)})")
        for shardings in ("in_shardings", "out_shardings"):
            if shardings in operation.attributes:
                printer.write(shardings_text(operation, shardings))
        write_body(printer, operation, self.attributes)


def shardings_text(operation: Operation, name: str) -> str:
    """`` in_shardings=[<@mesh, [{}]>]``."""
    shardings = attribute_as(operation.attributes, name, TensorShardingPerValue)
    return f" {name}={shardings.list_text()}"


def read_operands(reader: OperationReader, state: OperationState) -> None:
    """Reads ``(%a, %b)``."""
    state.operands["operands"] = []
    reader.read_enclosed("(", lambda: reader.operand_into(state, "operands"))


def read_body(reader: OperationReader, state: OperationState) -> None:
    """Reads ``(%b: T) {...} {...} : (T) -> T``."""
    arguments: list[tuple[str, Type, Location, tuple[int, int]]] = reader.read_enclosed(
        "(", reader.block_argument
    )
    state.regions = [reader.region(arguments, isolated=True)]
    reader.trailing_attributes(state, "replace")
    reader.expect(":")
    function_type = reader.function_type_of(state, state.operand_list())
    state.result_types = function_type.results


def write_body(printer: MlirPrinter, operation: Operation, hidden: tuple[str, ...]) -> None:
    """Writes `` (%b: T) {...} {...} : (T) -> T``."""
    region = operation.regions[0]
    arguments = region.block.arguments if region.blocks else ()
    printer.write(f" ({', '.join(printer.argument(argument) for argument in arguments)}) ")
    printer.region(region, entry_label=False)
    printer.attribute_dictionary(operation, hidden)
    printer.write(f" : {printer.function_type(operation)}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "Mesh": MeshDirective(),
    "Sharding": ShardingDirective(),
    "OutSharding": OutSharding(),
    "EdgeSharding": EdgeSharding(),
    "MovedAxes": MovedAxes(),
    "Reduction": ReductionDirective(),
    "AllowedDirection": AllowedDirection(),
    "GroupId": GroupId(),
    "ManualComputation": ManualComputationDirective(),
    "NamedComputation": NamedComputationDirective(),
}
