"""stablehlo.composite."""

from __future__ import annotations

import re
from typing import Final

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.func import FuncOp
from stablemate.ir.attributes import DictionaryAttribute
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import (
    ANY_TENSOR,
    BUFFER_VALUE,
    DICTIONARY,
    SI32,
    STRING,
    SYMBOL,
    TOKEN_VALUE,
    TUPLE_VALUE,
)
from stablemate.ir.traits import Family
from stablemate.ir.types import FunctionType

NAMESPACED_NAME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+\Z")


@op("stablehlo.composite", family=Family.CONTROL)
class Composite(Op):
    """An operation composed of others: ``decomposition`` returns its results for ``inputs``.

    Regions describe the operation; the decomposition ignores them.

    Source: StableHLO specification, composite.
    """

    __slots__ = ()
    opcodes = ("call",)
    summary_attributes = ("name",)
    inputs = define.variadic("I1", ANY_TENSOR | TOKEN_VALUE | TUPLE_VALUE | BUFFER_VALUE)
    composite_name = define.attribute("I2", STRING).with_name("name")
    composite_attributes = define.default_attribute("I3", DICTIONARY, DictionaryAttribute())
    decomposition = define.attribute("I4", SYMBOL)
    version = define.default_attribute("I5", SI32, 0)
    composite_regions = define.variadic_region("I6", empty=True, several=True)
    outputs = define.variadic_result(
        ANY_TENSOR | TOKEN_VALUE | TUPLE_VALUE | BUFFER_VALUE, element_type="C4", shape="C4"
    ).with_name("results")
    assembly = "custom<Composite> attr-dict `:` functional-type"

    @constraint
    def c1(self) -> Check:
        """is_namespaced_op_name(name)"""
        name = self.composite_name
        return holds(NAMESPACED_NAME.match(name) is not None, name=name)

    @constraint
    def c2(self) -> Check:
        """is_defined_in_parent_scope(decomposition)"""
        fits = isinstance(find_symbol(self, self.decomposition), FuncOp)
        return holds(fits, decomposition=f"@{self.decomposition}")

    @constraint
    def c3(self) -> Check:
        """types(inputs...) == input_types(decomposition)"""
        types, expected = tuple(value.type for value in self.inputs), self.function_type.inputs
        return holds(types == expected, inputs=types, decomposition=expected)

    @constraint
    def c4(self) -> Check:
        """types(results...) == output_types(decomposition)"""
        types, expected = tuple(value.type for value in self.results), self.function_type.results
        return holds(types == expected, results=types, decomposition=expected)

    @property
    def function_type(self) -> FunctionType:
        """The type of the decomposition, which exists (C2)."""
        function = find_symbol(self, self.decomposition)
        assert isinstance(function, FuncOp)
        return function.type
