"""The func dialect: functions, calls, returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.builtin import find_symbol
from stablemate.ir.attributes import ArrayAttribute, DictionaryAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import (
    Check,
    Op,
    RegionFunction,
    Violation,
    constraint,
    define,
    definition_of,
    holds,
    op,
)
from stablemate.ir.discardable import broken_value_rule
from stablemate.ir.kinds import ANY_VALUE, ARRAY, FUNCTION_TYPE, STRING, SYMBOL, UNIT_KIND
from stablemate.ir.traits import Family
from stablemate.ir.types import Attribute, FunctionType, Type

VISIBILITIES: Final = ("public", "private", "nested")
NO_ATTRIBUTES: Final[Mapping[str, Attribute]] = {}
NO_TYPE: Final = FunctionType((), ())


@op("func.func", isolated=True, family=Family.CONTROL)
class FuncOp(Op):
    """A function: a name, a type, and a body unless it is a declaration.

    Source: StableHLO specification, "Functions"; MLIR func dialect, func.
    """

    __slots__ = ()
    arg_attrs = define.optional_attribute("", ARRAY)
    function_type = define.attribute("", FUNCTION_TYPE)
    no_inline = define.default_attribute("", UNIT_KIND, False)
    res_attrs = define.optional_attribute("", ARRAY)
    sym_name = define.attribute("", STRING)
    sym_visibility = define.optional_attribute("", STRING)
    body = define.region(empty=True, several=True)
    assembly = "custom<Function>"

    @property
    def symbol(self) -> str:
        """The name by which calls find the function."""
        return self.sym_name

    @property
    def type(self) -> FunctionType:
        """Its argument and result types; empty without a valid type."""
        stored = self.attributes.get("function_type")
        is_valid = stored is not None and FUNCTION_TYPE.accepts(stored)
        return FUNCTION_TYPE.value(stored) if is_valid else NO_TYPE

    @property
    def is_declaration(self) -> bool:
        """Whether it has no body."""
        return not self.body.blocks

    @property
    def argument_attributes(self) -> Sequence[Mapping[str, Attribute]]:
        """The attributes of each argument."""
        return dictionaries(self.arg_attrs, len(self.type.inputs))

    @property
    def result_attributes(self) -> Sequence[Mapping[str, Attribute]]:
        """The attributes of each result."""
        return dictionaries(self.res_attrs, len(self.type.results))

    @property
    def stored_attributes(self) -> Sequence[Mapping[str, Attribute]]:
        """The attributes of arguments and results, of sides that have any."""
        sides = (self.arg_attrs, self.res_attrs)
        return [
            entry
            for side in sides
            if side is not None
            for entry in dictionaries(side, len(side.items))
        ]

    @constraint("visibility")
    def visibility(self) -> Check:
        """sym_visibility is public, private or nested; a declaration is not public"""
        visible = self.sym_visibility or "public"
        fits = visible in VISIBILITIES and not (self.is_declaration and visible == "public")
        return holds(fits, sym_visibility=visible, declaration=self.is_declaration)

    @constraint("attributes of arguments and results")
    def attribute_counts(self) -> Check:
        """arg_attrs and res_attrs have a dictionary for each argument and result"""
        pairs = ((self.arg_attrs, self.type.inputs), (self.res_attrs, self.type.results))
        fits = all(
            stored is None or is_dictionary_list(stored, len(values)) for stored, values in pairs
        )
        return holds(fits, arg_attrs=self.arg_attrs, res_attrs=self.res_attrs)

    @constraint("attributes of arguments and results")
    def attribute_names(self) -> Check:
        """Their names have the prefix of a dialect"""
        bare = sorted(
            {name for entry in self.stored_attributes for name in entry if "." not in name}
        )
        return holds(not bare, attributes=bare)

    @constraint("attributes of arguments and results")
    def attributes_fit(self) -> Check:
        """Each keeps the rules of its dialect"""
        groups = (
            ("argument", self.argument_attributes, self.type.inputs),
            ("result", self.result_attributes, self.type.results),
        )
        for word, entries, types in groups:
            for i, (attributes, value_type) in enumerate(zip(entries, types, strict=True)):
                for name, attribute in attributes.items():
                    violated = broken_value_rule(self, name, attribute, value_type)
                    if violated is not None:
                        facts = {word: i, name: f"{violated.label}: {violated.formula}"}
                        return Violation({**facts, **violated.violation.values})
        return None

    @constraint("parent")
    def in_symbol_table(self) -> Check:
        """A function stands in a module"""
        parent = self.parent_operation()
        fits = parent is None or is_symbol_table(parent)
        return holds(fits, parent=parent.name if parent else "nothing")

    @constraint("arguments")
    def entry_arguments(self) -> Check:
        """The arguments of the entry block have the types of the function's inputs"""
        inputs = types_of(self.body.block.arguments) if self.body.blocks else self.type.inputs
        return holds(inputs == self.type.inputs, arguments=inputs, inputs=self.type.inputs)


@op("func.return", terminator=True, family=Family.CONTROL)
class Return(Op):
    """Ends a function and returns its results.

    Source: MLIR func dialect, return.
    """

    __slots__ = ()
    values = define.variadic("", ANY_VALUE)
    assembly = "attr-dict ($values)? custom<OptionalTypes>"

    @constraint("results")
    def matches_function(self) -> Check:
        """The operands have the types of the function's results"""
        function = self.parent_operation()
        if not isinstance(function, FuncOp):
            return holds(False, parent=function.name if function else "nothing")
        returned, results = types_of(self.values), function.type.results
        return holds(returned == results, operands=returned, results=results)


@op("func.call", family=Family.CONTROL)
class Call(Op):
    """The results of a function for these operands.

    Source: MLIR func dialect, call.
    """

    __slots__ = ()
    opcodes = ("call",)
    summary_attributes = ("callee",)
    arg_attrs = define.optional_attribute("", ARRAY)
    callee = define.attribute("", SYMBOL)
    no_inline = define.default_attribute("", UNIT_KIND, False)
    res_attrs = define.optional_attribute("", ARRAY)
    inputs = define.variadic("", ANY_VALUE)
    outputs = define.variadic_result(ANY_VALUE)
    assembly = "custom<Callee> attr-dict `:` functional-type"

    @constraint("callee")
    def callee_exists(self) -> Check:
        """Callee is a function of the module"""
        return holds(isinstance(find_symbol(self, self.callee), FuncOp), callee=f"@{self.callee}")

    @constraint("type")
    def matches_callee(self) -> Check:
        """Operands and results have the types of the callee"""
        callee = find_symbol(self, self.callee)
        assert isinstance(callee, FuncOp)
        actual = FunctionType(types_of(self.operands), types_of(self.results))
        return holds(actual == callee.type, call=actual, callee=callee.type)


@op("func.constant")
class Constant(Op):
    """A function of the module as a value.

    Source: MLIR func dialect, constant.
    """

    __slots__ = ()
    value = define.attribute("", SYMBOL)
    result = define.result(ANY_VALUE)
    assembly = "attr-dict $value `:` result-type"

    @constraint("value")
    def function_exists(self) -> Check:
        """Value is a function of the module, of the type of the result"""
        function = find_symbol(self, self.value)
        fits = isinstance(function, FuncOp) and function.type == self.result.type
        return holds(fits, value=f"@{self.value}", result=self.result.type)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """The name of the function; calls of it are replaced by calls by name."""
        name = self.value
        return lambda: name


@op("func.call_indirect", family=Family.CONTROL)
class CallIndirect(Op):
    """The results of a function that is a value; it can be executed if that is a constant.

    Source: MLIR func dialect, call_indirect.
    """

    __slots__ = ()
    arg_attrs = define.optional_attribute("", ARRAY)
    res_attrs = define.optional_attribute("", ARRAY)
    callee = define.operand("", ANY_VALUE)
    inputs = define.variadic("", ANY_VALUE)
    outputs = define.variadic_result(ANY_VALUE)
    assembly = "custom<IndirectCallee> attr-dict `:` custom<CalleeType>"

    @constraint("type")
    def matches_callee(self) -> Check:
        """Operands and results have the types of the callee"""
        actual = FunctionType(types_of(self.operands[1:]), types_of(self.results))
        return holds(actual == self.callee.type, call=actual, callee=self.callee.type)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """Rejects the operation, unless it has been replaced by a call by name."""
        raise UnsupportedError(
            "a function is called that is no constant: it cannot be executed", span=self.span
        )


def is_symbol_table(operation: Operation) -> bool:
    """Whether the region of an operation may hold symbols: nobody knows of unregistered ones."""
    definition = definition_of(operation)
    return definition.symbols or not definition.registered


def types_of(values: Sequence[Any]) -> tuple[Type, ...]:
    """The types of some values."""
    return tuple(value.type for value in values)


def is_dictionary_list(stored: ArrayAttribute, count: int) -> bool:
    """Whether this is a list of ``count`` dictionaries."""
    return len(stored.items) == count and all(
        isinstance(i, DictionaryAttribute) for i in stored.items
    )


def dictionaries(stored: ArrayAttribute | None, count: int) -> Sequence[Mapping[str, Attribute]]:
    """The entries of each dictionary; empty ones if nothing is stored."""
    if stored is None:
        return (NO_ATTRIBUTES,) * count
    return tuple(
        item.entries if isinstance(item, DictionaryAttribute) else NO_ATTRIBUTES
        for item in stored.items
    )
