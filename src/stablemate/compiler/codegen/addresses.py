"""Addresses of elements; checked code verifies each before it is accessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.codegen.bounds_checks import MOST_BYTES
from stablemate.compiler.codegen.emitter_state import EmitterState
from stablemate.compiler.codegen.indices import IndexEmitter
from stablemate.compiler.codegen.instructions import type_name
from stablemate.compiler.codegen.scopes import Code, EmittedValue
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import substitute_expression
from stablemate.numerics.symbolic_sizes import is_not_zero, is_symbolic, surely_at_most

LANE_OPERATORS: Final = ("index", "quotient", "remainder")


class AddressEmitter:
    """Emits addresses."""

    def __init__(self, state: EmitterState, indices: IndexEmitter) -> None:
        """Emits into the code of a kernel."""
        self.state = state
        self.indices = indices

    def lane_stride(self, position: Expression) -> int | None:
        """By how much the position grows from lane to lane; None if not by a constant."""
        stride = 0
        for atom, coefficient in terms_of(position)[1]:
            if atom is self.state.vector:
                stride = coefficient
            elif self.state.is_vectorized(atom):
                return None
        return stride

    def lane_order(self, position: Expression) -> tuple[Expression, list[int]] | None:
        """Where a vector begins, and which of its elements each lane reads; None if not of one.

        The elements are all in one vector if they are quotients and remainders of the lane, and
        the first and last of a vector are among them.
        """
        vector, (constant, terms) = self.state.vector, terms_of(position)
        varying = [term for term in terms if self.state.is_vectorized(term[0])]
        if vector is None or any(
            atom.loops != frozenset((vector,)) or atom.operator not in LANE_OPERATORS
            for atom, _ in varying
        ):
            return None
        table, uniform = position.table, [term for term in terms if term not in varying]
        among_lanes = table.sum(0, varying)
        places: list[int] = []
        for lane in range(self.state.width):
            place, rest = terms_of(
                substitute_expression(among_lanes, {vector: table.sum(lane, ())}, {})
            )
            if rest or is_symbolic(place):
                return None
            places.append(place)
        first = min(places)
        if max(places) - first != self.state.width - 1:
            return None
        return table.sum(constant + first, uniform), [place - first for place in places]

    def address(self, buffer: Buffer, position: Expression, count: int = 1) -> str:
        """The address of the first of ``count`` consecutive elements.

        Elements at constant distances share one address: instructions add the distance themselves.
        """
        base = self.state.pointers[buffer]
        if self.state.check:
            return self.checked_address(buffer, position, count)
        constant, terms = terms_of(position)
        near = position.table.sum(0, terms)
        if terms and is_not_zero(constant) and self.is_inside_buffer(near, buffer):
            base, index = self.address(buffer, near), self.state.integer(constant)
        else:
            index = self.indices.first_lane(position).text
        if index == "0":
            return base
        key = ("address", base, index)
        pointer = self.state.available(key)
        if pointer is None:
            depth = self.state.depth(position)
            step = f"getelementptr inbounds {type_name(buffer.type)}, ptr {base}, i64 {index}"
            pointer = EmittedValue(self.state.line(step, self.state.place(depth)))
            self.state.scopes[depth].available[key] = pointer
        return pointer.text

    def fetch_ahead(self, buffer: Buffer, place: str, code: Code, offset: int = 0) -> None:
        """Fetches what follows a place into the nearest cache; it may be beyond the buffer's end.

        Args:
            buffer: The buffer, which says how far ahead, if at all.
            place: The address of what is read now.
            code: Where the instructions go.
            offset: Bytes behind the place.
        """
        if buffer.ahead and not self.state.check:
            step = f"getelementptr i8, ptr {place}, i64 {buffer.ahead + offset}"
            later = self.state.line(step, code)
            code.append(f"  call void @llvm.prefetch.p0(ptr {later}, i32 0, i32 3, i32 1)")

    def fetch(self, buffer: Buffer, place: Expression) -> None:
        """Asks for the line around an element, for the second cache."""
        if self.state.check:
            return
        index = self.indices.first_lane(place).text
        step = f"getelementptr {type_name(buffer.type)}, ptr {self.state.pointers[buffer]}"
        line = self.state.line(f"{step}, i64 {index}")
        self.state.code.append(f"  call void @llvm.prefetch.p0(ptr {line}, i32 0, i32 2, i32 1)")

    def is_inside_buffer(self, position: Expression, buffer: Buffer) -> bool:
        """Whether an element is inside a buffer, for all indices."""
        inside = surely_at_most(position.high + 1, buffer.elements)
        return inside and surely_at_most(0, position.low)

    def checked_address(self, buffer: Buffer, position: Expression, count: int) -> str:
        """As ``address``, of spare memory if the elements are not all inside the buffer."""
        index = self.indices.first_lane(position).text
        key = ("checked", self.state.pointers[buffer], index, count)
        checked = self.state.available(key)
        if checked is None:
            depth = self.state.depth(position)
            place = self.check_address(buffer, index, count, self.state.place(depth))
            checked = self.state.scopes[depth].available[key] = EmittedValue(place)
        return checked.text

    def check_address(self, buffer: Buffer, index: str, count: int, code: Code) -> str:
        """The address of elements from an index on, after a bounds check."""
        extent = -1 if buffer.scope == "argument" else buffer.elements
        number, size, pointer = (
            self.state.numbers[buffer],
            BYTES[buffer.type],
            self.state.pointers[buffer],
        )
        assert count * size <= MOST_BYTES, "there is spare memory for every access"
        return self.state.line(self.place_call(number, pointer, index, count, size, extent), code)

    def place_call(
        self, number: int, pointer: str, index: str, count: int, size: int, extent: int
    ) -> str:
        """The call that looks at a place; see ``checking``."""
        name = f"{self.state.kernel.name}_place"
        return (
            f"call ptr @{name}(ptr %arguments, i64 {number}, ptr {pointer}, "
            f"i64 {index}, i64 {count}, i64 {size}, i64 {self.state.integer(extent)})"
        )

    def addresses(self, buffer: Buffer, position: Expression) -> str:
        """Where the elements of all lanes are."""
        indices = self.state.value(position)
        vector = type_name(self.state.index_type, self.state.width)
        code = self.state.place(self.state.depth(position))
        if self.state.check:
            lanes = self.wide_lanes(indices, self.state.index_type, code)
            return self.vector_of(
                [self.check_address(buffer, lane, 1, code) for lane in lanes], code
            )
        step = f"getelementptr inbounds {type_name(buffer.type)}, ptr {self.state.pointers[buffer]}"
        return self.state.line(f"{step}, {vector} {indices.text}", code)

    def looked_at(self, table: str, size: int, index: EmittedValue, code: Code) -> str:
        """Where elements of a table of constants are: one, or one a lane."""
        if not self.state.check:
            kind = type_name("i64", index.lanes)
            return self.state.line(f"getelementptr double, ptr {table}, {kind} {index.text}", code)
        number = len(self.state.numbers) + [*self.state.constants.values()].index(
            table.removeprefix("@")
        )
        pointers = [
            self.state.line(self.place_call(number, table, wide_lane, 1, BYTES["f64"], size), code)
            for wide_lane in self.wide_lanes(index, "i64", code)
        ]
        return pointers[0] if index.lanes == 1 else self.vector_of(pointers, code)

    def wide_lanes(self, index: EmittedValue, kind: str, code: Code) -> list[str]:
        """The indices of all lanes, as scalars."""
        if index.lanes == 1:
            return [index.text]
        indices: list[str] = []
        for lane in range(index.lanes):
            vector = type_name(kind, index.lanes)
            text = self.state.line(f"extractelement {vector} {index.text}, i64 {lane}", code)
            wide = kind == "i64"
            indices.append(text if wide else self.state.line(f"sext {kind} {text} to i64", code))
        return indices

    def vector_of(self, pointers: Sequence[str], code: Code) -> str:
        """Packs one pointer per lane into a vector of pointers."""
        result = "poison"
        for lane, pointer in enumerate(pointers):
            step = f"insertelement <{len(pointers)} x ptr> {result}, ptr {pointer}, i64 {lane}"
            result = self.state.line(step, code)
        return result
