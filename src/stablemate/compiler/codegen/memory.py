"""Loads and stores: consecutive elements as vectors, others one by one.

Buffers in registers have constant indices once loops are unrolled and become values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.codegen.addresses import AddressEmitter
from stablemate.compiler.codegen.clipped_vectors import ClippedVectorEmitter
from stablemate.compiler.codegen.emitter_state import EmitterState
from stablemate.compiler.codegen.instructions import suffix, type_name
from stablemate.compiler.codegen.scopes import Code, EmittedValue
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.numerics.symbolic_sizes import is_symbolic

# To load neighbors and pick elements out of them takes a load for each vector and a shuffle; a
# gather takes about a load for each lane.
APART: Final = 4  # elements so far apart are picked out of vectors of neighbors; more of wide ones


class MemoryEmitter:
    """Emits loads and stores of buffers."""

    def __init__(
        self, state: EmitterState, addresses: AddressEmitter, clipped_vectors: ClippedVectorEmitter
    ) -> None:
        """Emits into the code of a kernel."""
        self.state = state
        self.addresses = addresses
        self.clipped_vectors = clipped_vectors

    @property
    def most_apart(self) -> int:
        """The largest stride of elements that are picked out of vectors of neighbors."""
        return max(APART, self.state.width // 2)

    def emit_load(self, expression: Expression) -> EmittedValue:
        """The elements of a load."""
        buffer: Buffer = expression.detail
        (position,) = expression.operands
        if buffer.scope == "register":
            return self.state.registers[buffer, self.register_position(position)]
        code = self.state.place(self.state.depth(expression))
        element, align = type_name(buffer.type), BYTES[buffer.type]
        if not self.state.is_vectorized(position):
            pointer = self.addresses.address(buffer, position)
            return EmittedValue(
                self.state.line(f"load {element}, ptr {pointer}, align {align}", code)
            )
        vector = type_name(buffer.type, self.state.width)
        stride = self.addresses.lane_stride(position)
        if stride == 1:
            pointer = self.addresses.address(buffer, position, self.state.width)
            self.addresses.fetch_ahead(buffer, pointer, code)
            return EmittedValue(
                self.state.line(f"load {vector}, ptr {pointer}, align {align}", code),
                self.state.width,
            )
        if stride == -1:
            return EmittedValue(self.loaded_backwards(buffer, position, code), self.state.width)
        if stride is not None and not is_symbolic(stride) and 1 < stride <= self.most_apart:
            return EmittedValue(self.loaded_apart(buffer, position, stride, code), self.state.width)
        order = self.addresses.lane_order(position) if stride is None else None
        if order is not None:
            return EmittedValue(self.loaded_in_order(buffer, *order, code), self.state.width)
        run = self.clipped_vectors.clipped_run(buffer, position)
        if run is not None:
            return EmittedValue(
                self.clipped_vectors.loaded_clipped(buffer, run, code), self.state.width
            )
        pointers = self.addresses.addresses(buffer, position)
        return EmittedValue(
            self.emit_gather(buffer.type, self.state.width, pointers, code), self.state.width
        )

    def loaded_backwards(self, buffer: Buffer, position: Expression, code: Code) -> str:
        """Consecutive elements in the opposite order."""
        width = self.state.width
        return self.loaded_in_order(buffer, position + (1 - width), range(width)[::-1], code)

    def loaded_in_order(
        self, buffer: Buffer, first: Expression, order: Sequence[int], code: Code
    ) -> str:
        """The elements of a vector in memory, in another order."""
        width = self.state.width
        vector, pointer = (
            type_name(buffer.type, width),
            self.addresses.address(buffer, first, width),
        )
        value = self.state.line(f"load {vector}, ptr {pointer}, align {BYTES[buffer.type]}", code)
        lanes = ", ".join(f"i32 {lane}" for lane in order)
        shuffle = f"shufflevector {vector} {value}, {vector} poison, <{width} x i32> <{lanes}>"
        return self.state.line(shuffle, code)

    def emit_gather(self, element: str, lanes: int, pointers: str, code: Code) -> str:
        """The elements that a vector of pointers is at."""
        vector, truth = type_name(element, lanes), type_name("i1", lanes)
        name = f"@llvm.masked.gather.{suffix(element, lanes)}.v{lanes}p0"
        return self.state.line(
            f"call {vector} {name}(<{lanes} x ptr> {pointers}, i32 {BYTES[element]}, "
            f"{truth} splat (i1 true), {vector} poison)",
            code,
        )

    def loaded_apart(self, buffer: Buffer, position: Expression, stride: int, code: Code) -> str:
        """Elements a small stride apart, picked out of as many vectors.

        The last vector ends with them.
        """
        width, align = self.state.width, BYTES[buffer.type]
        vector = type_name(buffer.type, width)
        last = stride * (width - 1) + 1 - width
        result = ""
        for begin in [*range(0, last, width), last]:
            pointer = self.addresses.address(buffer, position + begin, width)
            text = self.state.line(f"load {vector}, ptr {pointer}, align {align}", code)
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
            result = self.state.line(f"shufflevector {operands}, <{width} x i32> <{mask}>", code)
        return result

    def register_position(self, position: Expression) -> int:
        """The position in a register buffer; of a vector, that of its first element."""
        constant, terms = terms_of(position)
        assert all(atom is self.state.vector for atom, _ in terms), (
            "a register has a constant index"
        )
        return constant

    def write_element(
        self, buffer: Buffer, position: Expression, value: EmittedValue, text: str
    ) -> None:
        """Writes an element, or one per lane."""
        self.state.change(buffer)
        if buffer.scope == "register":
            self.state.registers[buffer, self.register_position(position)] = EmittedValue(
                text, value.lanes
            )
            return
        kind, align = type_name(buffer.type, value.lanes), BYTES[buffer.type]
        if value.lanes == 1 or self.addresses.lane_stride(position) == 1:
            pointer = self.addresses.address(buffer, position, value.lanes)
            self.state.code.append(f"  store {kind} {text}, ptr {pointer}, align {align}")
            again = self.state.key(position.table.load_at(buffer, position))
            self.state.scopes[-1].available[again] = EmittedValue(
                text, value.lanes
            )  # it is not loaded again
            return
        pointers = self.addresses.addresses(buffer, position)
        width = self.state.width
        name = f"@llvm.masked.scatter.{suffix(buffer.type, width)}.v{width}p0"
        self.state.code.append(
            f"  call void {name}({kind} {text}, <{width} x ptr> {pointers}, i32 {align}, "
            f"{type_name('i1', width)} splat (i1 true))"
        )

    def write_interleaved(
        self, buffer: Buffer, position: Expression, texts: Sequence[str], lanes: int
    ) -> None:
        """Stores the elements of a few vectors interleaved."""
        self.state.change(buffer)
        if len(texts) > 2:
            vector, align = type_name(buffer.type, lanes), BYTES[buffer.type]
            for k in range(len(texts)):
                text = self.interleaved_vector(vector, texts, lanes, k * lanes)
                pointer = self.addresses.address(buffer, position + k * lanes, lanes)
                self.state.code.append(f"  store {vector} {text}, ptr {pointer}, align {align}")
            return
        vector, both = type_name(buffer.type, lanes), type_name(buffer.type, 2 * lanes)
        mask = ", ".join(f"i32 {i}, i32 {i + lanes}" for i in range(lanes))
        operands = f"{vector} {texts[0]}, {vector} {texts[1]}"
        text = self.state.line(f"shufflevector {operands}, <{2 * lanes} x i32> <{mask}>")
        pointer = self.addresses.address(buffer, position, 2 * lanes)
        self.state.code.append(f"  store {both} {text}, ptr {pointer}, align {BYTES[buffer.type]}")

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
            text = self.state.line(f"shufflevector {operands}, <{lanes} x i32> <{mask}>")
        return text
