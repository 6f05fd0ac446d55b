"""Emits instructions on registers, tables of constants, and rarely executed paths.

Against the index of the vector loop a value is uniform, and then a scalar, or it has one element
per lane.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache, partial

from stablemate.compiler.codegen.addresses import AddressEmitter
from stablemate.compiler.codegen.byte_tables import byte_entries
from stablemate.compiler.codegen.emitter_state import EmitterState
from stablemate.compiler.codegen.indices import IndexEmitter
from stablemate.compiler.codegen.instructions import (
    PACKED,
    PAIR_PRODUCTS,
    ROWS,
    literal,
    suffix,
    type_name,
)
from stablemate.compiler.codegen.lane_functions.calls import LaneCallEmitter
from stablemate.compiler.codegen.memory import MemoryEmitter
from stablemate.compiler.codegen.operator_expansions import of_one
from stablemate.compiler.codegen.scopes import Code, EmittedValue
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS, POWER_TERMS


class ValueEmitter:
    """Emits the values of expressions."""

    def __init__(
        self, state: EmitterState, indices: IndexEmitter, addresses: AddressEmitter,
        memory: MemoryEmitter,
    ) -> None:  # fmt: skip
        """Emits into the code of a kernel, whose expressions it emits."""
        self.state = state
        self.indices = indices
        self.addresses = addresses
        self.memory = memory
        self.lane_calls = LaneCallEmitter(state)
        state.values = self

    def inputs(self, expression: Expression) -> Sequence[Expression]:
        """The operands that instructions on registers compute before an expression."""
        operator, operands = expression.operator, expression.operands
        if operator == "rarely" and self.lane_calls.branches(expression):
            return (operands[0], operands[2])
        if operator in POWER_TERMS:
            return operands[:1] if self.lane_calls.branches(expression) else operands
        is_instruction = (
            operator in ROWS
            or operator in self.state.expansions
            or operator in ("select", "byte_entry")
        )
        return operands if is_instruction else ()

    def emit(self, expression: Expression) -> EmittedValue:
        """Emits an expression whose operands are emitted."""
        if expression.operator == "load":
            return self.memory.emit_load(expression)
        if expression.operator == "number":
            return self.emit_number(expression)
        if expression.operator == "lookup":
            return self.looked_up(expression)
        if expression.operator == "byte_entry":
            return self.byte_entry(expression)
        if expression.operator == "rarely" and self.lane_calls.branches(expression):
            return self.rarely(expression)
        if expression.operator in POWER_TERMS:
            return self.lane_calls.power_term(expression)
        expansion = self.state.expansions.get(expression.operator)
        if expansion is None and not self.state.is_vectorized(expression):
            expansion = self.state.expansions.get(of_one(expression.operator))
        if expansion is not None:
            return self.state.value(expansion(*expression.operands))
        if expression.type == "index" and expression.operator != "select":
            return (
                self.indices.lanes_of(expression)
                if self.state.is_vectorized(expression)
                else self.indices.at(expression)
            )
        lanes = self.state.width if self.state.is_vectorized(expression) else 1
        texts = [
            self.state.spread(self.state.value(operand), operand, lanes)
            for operand in expression.operands
        ]
        code = self.state.place(self.state.depth(expression))
        if expression.operator in PACKED:
            depth = self.state.depth(expression)
            texts[-2:] = [
                self.narrow_lanes(text, lanes, expression.operator, depth) for text in texts[-2:]
            ]
        return EmittedValue(
            self.state.line(self.instruction(expression, lanes, texts), code), lanes
        )

    def narrow_lanes(self, text: str, lanes: int, operator: str, depth: int) -> str:
        """The narrow factors that integers hold."""
        element, count = PACKED[operator]
        key = ("narrow lanes", text)
        narrow = self.state.available(key)
        if narrow is None:
            target = type_name(element, count * lanes)
            cast = f"bitcast {type_name('i32', lanes)} {text} to {target}"
            narrow = EmittedValue(self.state.line(cast, self.state.place(depth)), count * lanes)
            self.state.scopes[depth].available[key] = narrow
        return narrow.text

    def emit_number(self, expression: Expression) -> EmittedValue:
        """An index as an integer."""
        value = self.state.value(expression.operands[0])
        if value.lanes == 1 or self.state.index_type == "i64":
            return value
        source, target = type_name("i32", value.lanes), type_name("i64", value.lanes)
        code = self.state.place(self.state.depth(expression))
        return EmittedValue(
            self.state.line(f"sext {source} {value.text} to {target}", code), value.lanes
        )

    def instruction(self, expression: Expression, lanes: int, texts: Sequence[str]) -> str:
        """The text of an operation on registers."""
        source = self.state.register_type(expression.operands[0], lanes)
        result = self.state.register_type(expression, lanes)
        if expression.operator in ("select", "rarely"):
            t = type_name(result, lanes)
            which = type_name("i1", lanes)
            return f"select {which} {texts[0]}, {t} {texts[1]}, {t} {texts[2]}"
        return instruction_form(expression.operator, source, result, lanes).format(*texts)

    def rarely(self, expression: Expression) -> EmittedValue:
        """A selection whose first choice is computed only if a lane selects it."""
        which, rare, usual = expression.operands
        lanes = self.state.width if self.state.is_vectorized(expression) else 1
        texts = [
            self.state.spread(self.state.value(operand), operand, lanes)
            for operand in (which, usual)
        ]
        kind = type_name(expression.type, lanes)

        def choose(_: Code) -> list[str]:
            mixed = self.state.spread(self.state.value(rare), rare, lanes)
            if lanes > 1:
                choice = f"{type_name('i1', lanes)} {texts[0]}, {kind} {mixed}, {kind} {texts[1]}"
                mixed = self.state.line(f"select {choice}")
            return [mixed]

        some = self.lane_calls.some_lane(texts[0], lanes)
        (result,) = self.lane_calls.beside(some, kind, texts[1:], choose)
        return EmittedValue(result, lanes)

    def definitions(self) -> str:
        """The globals of the function: tables of constants, and the function for lanes."""
        tables = [table_text(name, values) for values, name in self.state.constants.items()]
        return "".join([*tables, *self.state.functions])

    def looked_up(self, expression: Expression) -> EmittedValue:
        """An element of a table of constants."""
        values = expression.detail
        name = self.state.constants.setdefault(
            values, f"{self.state.kernel.name}_t{len(self.state.constants)}"
        )
        place = self.state.value(expression.operands[0])
        code = self.state.place(self.state.depth(expression))
        pointer = self.addresses.looked_at(f"@{name}", len(values), place, code)
        if place.lanes == 1:
            return EmittedValue(self.state.line(f"load double, ptr {pointer}", code))
        return EmittedValue(self.memory.emit_gather("f64", place.lanes, pointer, code), place.lanes)

    def byte_entry(self, expression: Expression) -> EmittedValue:
        """A byte of a table of 256."""
        codes = self.state.value(expression.operands[0])
        line = partial(self.state.line, code=self.state.place(self.state.depth(expression)))
        entries = byte_entries(line, expression.detail, codes.text, codes.lanes)
        return EmittedValue(entries, codes.lanes)


@lru_cache(maxsize=1 << 12)
def instruction_form(operator: str, source: str, result: str, lanes: int) -> str:
    """The row of an operator with its types; ``{0}``, ``{1}`` and ``{2}`` are its operands."""
    narrow, count = PACKED.get(operator, ("", 1))
    bits = BITS[source] * lanes if source in BITS else 0
    return ROWS[operator].format(
        "{0}", "{1}", "{2}",
        t=type_name(source, lanes),
        s=suffix(source, lanes),
        r=type_name(result, lanes),
        q=suffix(result, lanes),
        b=bits,
        h=type_name(narrow, count * lanes),
        n=suffix(narrow, count * lanes),
        p=PAIR_PRODUCTS.get(bits, ""),
    )  # fmt: skip


def table_text(name: str, values: Sequence[float]) -> str:
    """The definition of a table of constants."""
    texts = ", ".join(["double " + literal(bits_of(value), "f64") for value in values])
    return f"@{name} = internal constant [{len(values)} x double] [{texts}]\n"


def bits_of(value: float) -> int:
    """The bits of an ``f64``."""
    return int.from_bytes(struct.pack("<d", value), "little")
