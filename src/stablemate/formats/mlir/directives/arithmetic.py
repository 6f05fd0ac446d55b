"""Directives of arith: flags, predicates, rounding modes, types that determine others."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from stablemate.dialects.arith.attributes import CodeKind, EnumerationCode, RoundingMode
from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.dialects.arith_attributes import ATTRIBUTES, FlagsAttribute
from stablemate.formats.mlir.directives.operand_types import check_operand_types
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import UNIT, IntegerAttribute, attribute_as, optional_attribute_as
from stablemate.ir.core import Operation
from stablemate.numerics.elements import BOOLEAN


class Flags(Directive):
    """``fastmath<nnan,nsz>`` and the like, left out where no flag is set.

    Attributes:
        word: What stands before the flags.
    """

    word: ClassVar[str]

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the flags if they are present."""
        start, (name,) = reader.start, self.attributes
        if reader.accept(self.word):
            is_alias = reader.kind == "hash"
            read = ATTRIBUTES[f"#arith.{self.word}"]
            state.attributes[name] = reader.attribute() if is_alias else read(reader)
            state.parts[name] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the flags unless they are the default, none."""
        attribute = operation.attributes.get(self.attributes[0])
        if attribute is None:
            return
        if not isinstance(attribute, FlagsAttribute):
            raise TypeError(f"{attribute} has no flags")
        if attribute.flags:
            printer.write(f" {self.word}<{attribute.text}>")


class FastMathDirective(Flags):
    """``fastmath<nnan,nsz>``."""

    attributes = ("fastmath",)
    word = "fastmath"


class OverflowDirective(Flags):
    """``overflow<nsw, nuw>``."""

    attributes = ("overflowFlags",)
    word = "overflow"


class UnitKeyword(Directive):
    """A keyword that stands for a unit attribute.

    Attributes:
        word: The word.
    """

    word: ClassVar[str]

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the word if it is present."""
        if reader.accept(self.word):
            state.attributes[self.attributes[0]] = UNIT

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the keyword if the unit attribute is present."""
        if self.attributes[0] in operation.attributes:
            printer.write(f" {self.word}")


class Exact(UnitKeyword):
    """``exact``."""

    attributes = ("isExact",)
    word = "exact"


class NonNegative(UnitKeyword):
    """``nneg``."""

    attributes = ("nonNeg",)
    word = "nneg"


class Rounding(Directive):
    """``toward_zero`` and so on, left out if the operation has no mode."""

    attributes = ("roundingmode",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the mode if it is present."""
        modes = {mode.value: mode for mode in RoundingMode}
        if reader.token in modes:
            kind = state.definition.attributes["roundingmode"].kind
            state.attributes["roundingmode"] = kind.attribute(modes[reader.token])
            reader.advance()

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the rounding mode if one is stated."""
        stored = optional_attribute_as(operation.attributes, "roundingmode", IntegerAttribute)
        if stored is not None:
            mode = list(RoundingMode)[stored.value]
            printer.write(f" {mode.value}")


class PredicateDirective(Directive):
    """``slt`` and so on: a predicate that is stored as a number."""

    attributes = ("predicate",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the predicate by the names of the enumeration's members."""
        start, members = reader.start, self.members(state.definition)
        predicate = reader.member({member.value: member for member in members}, "a predicate")
        kind = state.definition.attributes["predicate"].kind
        state.attributes["predicate"] = kind.attribute(predicate)
        state.parts["predicate"] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the name of the predicate whose number the operation has."""
        stored = attribute_as(operation.attributes, "predicate", IntegerAttribute)
        predicate = self.members(operation.definition)[stored.value]
        printer.write(f" {predicate.value}")

    def members(self, definition: Any) -> list[EnumerationCode]:
        """Returns the predicates of the operation, in the order of their numbers."""
        kind: CodeKind[EnumerationCode] = definition.attributes["predicate"].kind
        return list(kind.members)


class CarryTypes(Directive):
    """``T, B``: the types of the results; the first is also that of all operands."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses one type for the operands and the first result."""
        start = reader.start
        declared_type = reader.type()
        check_operand_types(reader, state, [declared_type] * len(state.places))
        reader.expect(",")
        state.result_types = (declared_type, reader.type())
        state.parts["types"] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the types of both results."""
        printer.write(f" {printer.types(value.type for value in operation.results)}")


class CastTypes(Directive):
    """``T to R``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``T to U``, the types of operand and result."""
        start = reader.start
        check_operand_types(reader, state, [reader.type()])
        reader.expect("to")
        state.result_types = (reader.type(),)
        state.parts["types"] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``T to U``, the types of operand and result."""
        printer.write(f" {operation.operands[0].type} to {operation.results[0].type}")


class ConditionalTypes(Directive):
    """``T`` of the values, after the type of the condition if that is not ``i1``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the values' type, behind the condition's if that is no ``i1``."""
        start = reader.start
        first = reader.type()
        condition, chosen = (first, reader.type()) if reader.accept(",") else (BOOLEAN, first)
        state.parts["types"] = (start, reader.previous_end)
        check_operand_types(reader, state, [condition, chosen, chosen])
        state.result_types = (chosen,)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the shorter form if it is unambiguous."""
        condition, result = operation.operands[0].type, operation.results[0].type
        first = "" if condition == BOOLEAN else f" {condition},"
        printer.write(f"{first} {result}")


class TypedConstant(Directive):
    """A literal with its type, which is also the type of the result."""

    attributes = ("value",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses a literal, whose type is the result's."""
        start = reader.start
        value = reader.attribute()
        place = (start, reader.previous_end)
        result = getattr(value, "type", None)
        if result is None:
            reader.error("expected a number or elements with their type", place)
        state.attributes.setdefault("value", value)  # the dictionary before it has precedence
        state.parts["value"] = state.parts["types"] = place
        state.result_types = (result,)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the literal with its type."""
        printer.write(f" {printer.attribute(operation.attributes['value'])}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "Overflow": OverflowDirective(),
    "FastMath": FastMathDirective(),
    "Exact": Exact(),
    "NonNegative": NonNegative(),
    "RoundingMode": Rounding(),
    "Predicate": PredicateDirective(),
    "CarryTypes": CarryTypes(),
    "CastTypes": CastTypes(),
    "ConditionalTypes": ConditionalTypes(),
    "TypedConstant": TypedConstant(),
}
