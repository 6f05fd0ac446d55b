"""Emits reductions by a monoid, in the order that the loops specify."""

from __future__ import annotations

from stablemate.compiler.codegen.addresses import AddressEmitter
from stablemate.compiler.codegen.emitter_state import EmitterState
from stablemate.compiler.codegen.instructions import ROWS, literal, suffix, type_name
from stablemate.compiler.codegen.memory import MemoryEmitter
from stablemate.compiler.codegen.scopes import EmittedValue
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import IDENTITIES, PARTIALS, CombinePartials, Fold


class ReductionEmitter:
    """Emits reductions."""

    def __init__(
        self, state: EmitterState, addresses: AddressEmitter, memory: MemoryEmitter
    ) -> None:
        """Emits into the code of a kernel."""
        self.state = state
        self.addresses = addresses
        self.memory = memory

    def lanes_at(self, place: Expression) -> int:
        """How many elements a statement changes."""
        return self.state.width if self.state.is_vectorized(place) else 1

    def reduce(self, statement: Fold) -> None:
        """Emits ``fold buffer[index] op= value``."""
        buffer, place = statement.buffer, statement.place
        lanes = self.lanes_at(place)
        assert lanes == self.state.width, "a fold along a vector has partial results"
        before = statement.value.table.load_at(buffer, place)
        old = self.state.spread(self.state.value(before), before, lanes)
        text = self.combine_value(statement, lanes, old)
        self.memory.write_element(buffer, place, EmittedValue(text, lanes), text)

    def combine_value(self, statement: Fold, lanes: int, old: str) -> str:
        """The old value with the new one."""
        value, element = statement.value, statement.buffer.type
        if statement.fused and value.operator == "fmul" and not statement.skip:
            factors = [
                self.state.spread(self.state.value(operand), operand, lanes)
                for operand in value.operands
            ]
            kind = type_name(element, lanes)
            operands = ", ".join(f"{kind} {factor}" for factor in (*factors, old))
            return self.state.line(
                f"call {kind} @llvm.fmuladd.{suffix(element, lanes)}({operands})"
            )
        new = self.state.spread(self.state.value(value), value, lanes)
        if statement.skip:
            new = self.skip_lanes(statement, lanes, new)
        return self.apply(statement.operator, element, lanes, old, new)

    def skip_lanes(self, statement: Fold, lanes: int, text: str) -> str:
        """The lanes after the skipped ones, moved to the front, followed by the identity.

        Booleans stay where they are, as their folds have no order. LLVM would shift them in a mask
        register of more lanes, and take the bits above the vector, which may be ones, for zeros.
        """
        element = statement.buffer.type
        identity = literal(IDENTITIES[statement.operator][element], element)
        kind = type_name(element, lanes)
        if element == "i1":
            kept = ", ".join(f"i1 {int(lane >= statement.skip)}" for lane in range(lanes))
            return self.state.line(
                f"select {kind} <{kept}>, {kind} {text}, {kind} splat (i1 {identity})"
            )
        order = ", ".join(f"i32 {min(i + statement.skip, lanes)}" for i in range(lanes))
        pair = f"{kind} {text}, {kind} splat ({type_name(element)} {identity})"
        return self.state.line(f"shufflevector {pair}, <{lanes} x i32> <{order}>")

    def combine(self, statement: CombinePartials) -> None:
        """``combine buffer[index] op= partials``."""
        partials, width, operator = statement.partials, statement.width, statement.operator
        element = partials.type
        parts = [self.state.registers[partials, i].text for i in range(0, partials.elements, width)]
        half_count = PARTIALS // width // 2
        while half_count:
            parts = [
                self.apply(operator, element, width, part, parts[i + half_count])
                if i + half_count < len(parts)
                else part
                for i, part in enumerate(parts[:half_count])
            ]
            half_count //= 2
        (text,) = parts
        while width > 1:
            text, width = self.combine_halves(operator, element, width, text), width // 2
        buffer, place = statement.buffer, statement.place
        old = self.current(buffer, place)
        text = self.apply(operator, element, 1, old, text)
        self.memory.write_element(buffer, place, EmittedValue(text), text)

    def combine_halves(self, operator: str, element: str, width: int, text: str) -> str:
        """The lower half of a vector combined with the upper one."""
        kind, half_count = type_name(element, width), width // 2
        if half_count == 1:
            pair = [self.state.line(f"extractelement {kind} {text}, i64 {i}") for i in (0, 1)]
        else:
            pair = [
                self.state.line(
                    f"shufflevector {kind} {text}, {kind} poison, <{half_count} x i32> "
                    f"<{', '.join(f'i32 {i}' for i in range(first, first + half_count))}>"
                )
                for first in (0, half_count)
            ]
        return self.apply(operator, element, half_count, *pair)

    def current(self, buffer: Buffer, position: Expression) -> str:
        """The element that a scalar statement is about to change."""
        if buffer.scope == "register":
            return self.state.registers[buffer, self.memory.register_position(position)].text
        pointer, align = self.addresses.address(buffer, position), BYTES[buffer.type]
        return self.state.line(f"load {type_name(buffer.type)}, ptr {pointer}, align {align}")

    def apply(self, operator: str, element: str, lanes: int, lhs: str, rhs: str) -> str:
        """An operation of a monoid."""
        kind, name = type_name(element, lanes), suffix(element, lanes)
        if operator == "maxnum":  # one instruction of the processor, which the intrinsic is not
            is_less = self.state.line(f"fcmp olt {kind} {lhs}, {rhs}")
            mask = type_name("i1", lanes)
            return self.state.line(f"select {mask} {is_less}, {kind} {rhs}, {kind} {lhs}")
        return self.state.line(ROWS[operator].format(lhs, rhs, t=kind, s=name, r=kind, q=name))
