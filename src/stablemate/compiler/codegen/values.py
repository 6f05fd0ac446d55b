"""Emits instructions on registers, tables of constants, and rarely executed paths.

Against the index of the vector loop a value is uniform, and then a scalar, or it has one element
per lane.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache

from stablemate.compiler.codegen.instructions import PACKED, ROWS, literal, suffix, type_name
from stablemate.compiler.codegen.lane_functions.calls import LaneCalls
from stablemate.compiler.codegen.operator_expansions import of_one
from stablemate.compiler.codegen.scopes import Code, EmittedValue
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS, POWER_TERMS


class Values(LaneCalls):
    """Writes the values of expressions."""

    def inputs(self, expression: Expression) -> Sequence[Expression]:
        """The operands that instructions on registers compute before an expression."""
        operator, operands = expression.operator, expression.operands
        if operator == "rarely" and self.branches(expression):
            return (operands[0], operands[2])
        if operator in POWER_TERMS:
            return operands[:1] if self.branches(expression) else operands
        is_instruction = operator in ROWS or operator in self.expansions or operator == "select"
        return operands if is_instruction else ()

    def emitted(self, expression: Expression) -> EmittedValue:
        """Emits an expression whose operands are emitted."""
        if expression.operator == "load":
            return self.loaded(expression)
        if expression.operator == "number":
            return self.numbered(expression)
        if expression.operator == "lookup":
            return self.looked_up(expression)
        if expression.operator == "rarely" and self.branches(expression):
            return self.rarely(expression)
        if expression.operator in POWER_TERMS:
            return self.power_term(expression)
        expansion = self.expansions.get(expression.operator)
        if expansion is None and not self.vectorised(expression):
            expansion = self.expansions.get(of_one(expression.operator))
        if expansion is not None:
            return self.value(expansion(*expression.operands))
        if expression.type == "index" and expression.operator != "select":
            return self.lanes_of(expression) if self.vectorised(expression) else self.at(expression)
        lanes = self.width if self.vectorised(expression) else 1
        texts = [
            self.spread(self.value(operand), operand, lanes) for operand in expression.operands
        ]
        code = self.place(self.depth(expression))
        if expression.operator in PACKED:
            depth = self.depth(expression)
            texts[1:] = [
                self.narrow_lanes(text, lanes, expression.operator, depth) for text in texts[1:]
            ]
        return EmittedValue(self.line(self.instruction(expression, lanes, texts), code), lanes)

    def narrow_lanes(self, text: str, lanes: int, operator: str, depth: int) -> str:
        """The narrow factors that integers hold."""
        element, count = PACKED[operator]
        key = ("narrow lanes", text)
        narrow = self.available(key)
        if narrow is None:
            target = type_name(element, count * lanes)
            cast = f"bitcast {type_name('i32', lanes)} {text} to {target}"
            narrow = EmittedValue(self.line(cast, self.place(depth)), count * lanes)
            self.scopes[depth].available[key] = narrow
        return narrow.text

    def numbered(self, expression: Expression) -> EmittedValue:
        """An index as an integer."""
        value = self.value(expression.operands[0])
        if value.lanes == 1 or self.index_type == "i64":
            return value
        source, target = type_name("i32", value.lanes), type_name("i64", value.lanes)
        code = self.place(self.depth(expression))
        return EmittedValue(self.line(f"sext {source} {value.text} to {target}", code), value.lanes)

    def instruction(self, expression: Expression, lanes: int, texts: Sequence[str]) -> str:
        """The text of an operation on registers."""
        source = self.register_type(expression.operands[0], lanes)
        result = self.register_type(expression, lanes)
        if expression.operator in ("select", "rarely"):
            t = type_name(result, lanes)
            which = type_name("i1", lanes)
            return f"select {which} {texts[0]}, {t} {texts[1]}, {t} {texts[2]}"
        return instruction_form(expression.operator, source, result, lanes).format(*texts)

    def rarely(self, expression: Expression) -> EmittedValue:
        """A selection whose first choice is computed only if a lane selects it."""
        which, rare, usual = expression.operands
        lanes = self.width if self.vectorised(expression) else 1
        texts = [self.spread(self.value(operand), operand, lanes) for operand in (which, usual)]
        kind = type_name(expression.type, lanes)

        def chosen(_: Code) -> list[str]:
            mixed = self.spread(self.value(rare), rare, lanes)
            if lanes > 1:
                choice = f"{type_name('i1', lanes)} {texts[0]}, {kind} {mixed}, {kind} {texts[1]}"
                mixed = self.line(f"select {choice}")
            return [mixed]

        some = self.some_lane(texts[0], lanes)
        (result,) = self.beside(some, kind, texts[1:], chosen)
        return EmittedValue(result, lanes)

    def definitions(self) -> str:
        """What the function refers to: tables of constants, and the function for lanes."""
        tables = [table_text(name, values) for values, name in self.constants.items()]
        return "".join([*tables, *self.functions])

    def looked_up(self, expression: Expression) -> EmittedValue:
        """An element of a table of constants."""
        values = expression.detail
        name = self.constants.setdefault(values, f"{self.kernel.name}_t{len(self.constants)}")
        place = self.value(expression.operands[0])
        code = self.place(self.depth(expression))
        pointer = self.looked_at(f"@{name}", len(values), place, code)
        if place.lanes == 1:
            return EmittedValue(self.line(f"load double, ptr {pointer}", code))
        return EmittedValue(self.gathered("f64", place.lanes, pointer, code), place.lanes)


@lru_cache(maxsize=1 << 12)
def instruction_form(operator: str, source: str, result: str, lanes: int) -> str:
    """The row of an operator with its types; ``{0}``, ``{1}`` and ``{2}`` are its operands."""
    narrow, count = PACKED.get(operator, ("", 1))
    return ROWS[operator].format(
        "{0}", "{1}", "{2}",
        t=type_name(source, lanes),
        s=suffix(source, lanes),
        r=type_name(result, lanes),
        q=suffix(result, lanes),
        b=BITS[source] * lanes if source in BITS else "",
        h=type_name(narrow, count * lanes),
        n=suffix(narrow, count * lanes),
    )  # fmt: skip


def table_text(name: str, values: Sequence[float]) -> str:
    """The definition of a table of constants."""
    texts = ", ".join(["double " + literal(bits_of(value), "f64") for value in values])
    return f"@{name} = internal constant [{len(values)} x double] [{texts}]\n"


def bits_of(value: float) -> int:
    """The bits of an ``f64``."""
    return int.from_bytes(struct.pack("<d", value), "little")
