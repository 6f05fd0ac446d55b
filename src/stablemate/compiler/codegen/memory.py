"""Loads and stores: consecutive elements as vectors, others one by one.

Buffers in registers have constant indices once loops are unrolled and become values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.codegen.clipped_vectors import ClippedVectors
from stablemate.compiler.codegen.instructions import suffix, type_name
from stablemate.compiler.codegen.scopes import Code, EmittedValue
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.numerics.symbolic_sizes import is_symbolic

APART: Final = 4  # elements so far apart are picked out of vectors of neighbours; more of wide ones


class Memory(ClippedVectors):
    """Emits loads and stores of buffers."""

    @property
    def most_apart(self) -> int:
        """The largest stride of elements that are picked out of vectors of neighbours."""
        return max(APART, self.width // 2)

    def loaded(self, expression: Expression) -> EmittedValue:
        """The elements of a load."""
        buffer: Buffer = expression.detail
        (position,) = expression.operands
        if buffer.scope == "register":
            return self.registers[buffer, self.register_position(position)]
        code = self.place(self.depth(expression))
        element, align = type_name(buffer.type), BYTES[buffer.type]
        if not self.vectorised(position):
            pointer = self.address(buffer, position)
            return EmittedValue(self.line(f"load {element}, ptr {pointer}, align {align}", code))
        vector = type_name(buffer.type, self.width)
        stride = self.lane_stride(position)
        if stride == 1:
            pointer = self.address(buffer, position, self.width)
            return EmittedValue(
                self.line(f"load {vector}, ptr {pointer}, align {align}", code), self.width
            )
        if stride == -1:
            return EmittedValue(self.loaded_backwards(buffer, position, vector, code), self.width)
        if stride is not None and not is_symbolic(stride) and 1 < stride <= self.most_apart:
            return EmittedValue(self.loaded_apart(buffer, position, stride, code), self.width)
        run = self.clipped_run(buffer, position)
        if run is not None:
            return EmittedValue(self.loaded_clipped(buffer, run, code), self.width)
        pointers = self.addresses(buffer, position)
        return EmittedValue(self.gathered(buffer.type, self.width, pointers, code), self.width)

    def loaded_backwards(
        self, buffer: Buffer, position: Expression, vector: str, code: Code
    ) -> str:
        """Consecutive elements in the opposite order."""
        last = position + (1 - self.width)
        pointer = self.address(buffer, last, self.width)
        value = self.line(f"load {vector}, ptr {pointer}, align {BYTES[buffer.type]}", code)
        order = ", ".join(f"i32 {i}" for i in reversed(range(self.width)))
        return self.line(
            f"shufflevector {vector} {value}, {vector} poison, <{self.width} x i32> <{order}>", code
        )

    def gathered(self, element: str, lanes: int, pointers: str, code: Code) -> str:
        """The elements that a vector of pointers is at."""
        vector, truth = type_name(element, lanes), type_name("i1", lanes)
        name = f"@llvm.masked.gather.{suffix(element, lanes)}.v{lanes}p0"
        return self.line(
            f"call {vector} {name}(<{lanes} x ptr> {pointers}, i32 {BYTES[element]}, "
            f"{truth} splat (i1 true), {vector} poison)",
            code,
        )

    def loaded_apart(self, buffer: Buffer, position: Expression, stride: int, code: Code) -> str:
        """Elements a small stride apart, picked out of as many vectors.

        The last vector ends with them.
        """
        width, align = self.width, BYTES[buffer.type]
        vector = type_name(buffer.type, width)
        last = stride * (width - 1) + 1 - width
        result = ""
        for begin in [*range(0, last, width), last]:
            pointer = self.address(buffer, position + begin, width)
            text = self.line(f"load {vector}, ptr {pointer}, align {align}", code)
            places = [stride * i - begin for i in range(width)]
            if begin == 0:
                order = [place if place < width else 0 for place in places]
                operands = f"{vector} {text}, {vector} poison"
            else:
                order = [
                    i if place < 0 else width + place % width for i, place in enumerate(places)
                ]
                operands = f"{vector} {result}, {vector} {text}"
            mask = ", ".join(f"i32 {lane}" for lane in order)
            result = self.line(f"shufflevector {operands}, <{width} x i32> <{mask}>", code)
        return result

    def register_position(self, position: Expression) -> int:
        """The position in a register buffer; of a vector, that of its first element."""
        constant, terms = terms_of(position)
        assert all(atom is self.vector for atom, _ in terms), "a register has a constant index"
        return constant

    def write_element(
        self, buffer: Buffer, position: Expression, value: EmittedValue, text: str
    ) -> None:
        """Writes an element, or one per lane."""
        self.change(buffer)
        if buffer.scope == "register":
            self.registers[buffer, self.register_position(position)] = EmittedValue(
                text, value.lanes
            )
            return
        kind, align = type_name(buffer.type, value.lanes), BYTES[buffer.type]
        if value.lanes == 1 or self.lane_stride(position) == 1:
            pointer = self.address(buffer, position, value.lanes)
            self.code.append(f"  store {kind} {text}, ptr {pointer}, align {align}")
            again = self.key(position.table.load_at(buffer, position))
            self.scopes[-1].available[again] = EmittedValue(
                text, value.lanes
            )  # it is not loaded again
            return
        pointers = self.addresses(buffer, position)
        name = f"@llvm.masked.scatter.{suffix(buffer.type, self.width)}.v{self.width}p0"
        self.code.append(
            f"  call void {name}({kind} {text}, <{self.width} x ptr> {pointers}, i32 {align}, "
            f"{type_name('i1', self.width)} splat (i1 true))"
        )

    def write_interleaved(
        self, buffer: Buffer, position: Expression, texts: Sequence[str], lanes: int
    ) -> None:
        """Stores the elements of a few vectors interleaved."""
        self.change(buffer)
        if len(texts) > 2:
            vector, align = type_name(buffer.type, lanes), BYTES[buffer.type]
            for k in range(len(texts)):
                text = self.interleaved_vector(vector, texts, lanes, k * lanes)
                pointer = self.address(buffer, position + k * lanes, lanes)
                self.code.append(f"  store {vector} {text}, ptr {pointer}, align {align}")
            return
        vector, both = type_name(buffer.type, lanes), type_name(buffer.type, 2 * lanes)
        mask = ", ".join(f"i32 {i}, i32 {i + lanes}" for i in range(lanes))
        operands = f"{vector} {texts[0]}, {vector} {texts[1]}"
        text = self.line(f"shufflevector {operands}, <{2 * lanes} x i32> <{mask}>")
        pointer = self.address(buffer, position, 2 * lanes)
        self.code.append(f"  store {both} {text}, ptr {pointer}, align {BYTES[buffer.type]}")

    def interleaved_vector(self, vector: str, texts: Sequence[str], lanes: int, first: int) -> str:
        """A vector of interleaved elements of a few vectors, from the element ``first`` on.

        It takes those of one vector after the other, which stay where they are in the end.
        """
        count = len(texts)
        sources = [divmod(first + i, count)[::-1] for i in range(lanes)]  # vector, lane
        text = texts[0]
        for k in range(1, count):
            order = [
                lanes + lane if source == k else (i if k > 1 else lane) if source < k else -1
                for i, (source, lane) in enumerate(sources)
            ]
            mask = ", ".join("i32 poison" if lane < 0 else f"i32 {lane}" for lane in order)
            operands = f"{vector} {text}, {vector} {texts[k]}"
            text = self.line(f"shufflevector {operands}, <{lanes} x i32> <{mask}>")
        return text
