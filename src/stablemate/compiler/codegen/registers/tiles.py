"""Tile registers: blocks of matrices that instructions of Intel's AMX load, store and multiply.

A kernel that uses them begins by stating their shapes, and releases them at its end: a thread whose
tiles are in use is slower to switch from.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.codegen.addresses import AddressEmitter
from stablemate.compiler.codegen.emitter_state import EmitterState
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import MoveTile, MultiplyTiles

INSTRUCTIONS: Final = {
    "tile_of_bfloat16": "tdpbf16ps",
    "tile_of_signed_i8": "tdpbssd",
    "tile_of_signed_by_unsigned_i8": "tdpbsud",
    "tile_of_unsigned_by_signed_i8": "tdpbusd",
    "tile_of_unsigned_i8": "tdpbuud",
}
CONFIGURATION: Final = 64  # bytes of what LDTILECFG reads
PALETTE: Final = 1  # eight tiles of at most 16 rows of 64 bytes
ROW_BYTES, ROWS = 16, 48  # where the shapes of tiles stand in it: words, and bytes
SPARE_STRIDE: Final = 64  # bytes between rows in spare memory


class TileEmitter:
    """Emits instructions on tiles."""

    def __init__(self, state: EmitterState, addresses: AddressEmitter) -> None:
        """Emits into the code of a kernel."""
        self.state = state
        self.addresses = addresses

    def configure(self) -> None:
        """States the shapes of the tiles of the kernel, if it has any."""
        shapes = self.state.kernel.tiles
        if not shapes:
            return
        content = bytearray(CONFIGURATION)
        content[0] = PALETTE
        for number, shape in enumerate(shapes):
            content[ROW_BYTES + 2 * number] = shape.words * BYTES["i32"]
            content[ROWS + number] = shape.rows
        place = self.state.line(f"alloca [{CONFIGURATION} x i8], align 64")
        words = [int.from_bytes(content[i : i + 8], "little") for i in range(0, CONFIGURATION, 8)]
        for i, word in enumerate(words):
            at = self.state.line(f"getelementptr i64, ptr {place}, i64 {i}")
            self.state.code.append(f"  store i64 {word}, ptr {at}")
        self.state.code.append(f"  call void @llvm.x86.ldtilecfg(ptr {place})")

    def release(self) -> None:
        """Returns the tiles to their first state, if the kernel has any."""
        if self.state.kernel.tiles:
            self.state.code.append("  call void @llvm.x86.tilerelease()")

    def clear(self, number: int) -> None:
        """``tile[number] = 0``."""
        self.state.code.append(f"  call void @llvm.x86.tilezero(i8 {number})")

    def multiply(self, statement: MultiplyTiles) -> None:
        """``tile[total] += tile[left] * tile[right]``."""
        numbers = f"i8 {statement.total}, i8 {statement.left}, i8 {statement.right}"
        name = INSTRUCTIONS[statement.operator]
        self.state.code.append(f"  call void @llvm.x86.{name}({numbers})")

    def move(self, statement: MoveTile) -> None:
        """``tile[number] = buffer[place...]``, or the other way round."""
        name = "tilestored64" if statement.stores else "tileloadd64"
        stride = self.state.integer(statement.stride * BYTES[statement.buffer.type])
        if self.state.check:
            place, stride = self.checked_place(statement, stride)
        else:
            place = self.addresses.address(statement.buffer, statement.place)
            self.fetch_ahead(statement, place)
        operands = f"i8 {statement.number}, ptr {place}, i64 {stride}"
        self.state.code.append(f"  call void @llvm.x86.{name}({operands})")
        if statement.stores:
            self.state.change(statement.buffer)

    def fetch_ahead(self, statement: MoveTile, place: str) -> None:
        """Fetches the rows of a later tile into the nearest cache."""
        buffer, size = statement.buffer, BYTES[statement.buffer.type]
        for row in range(self.state.kernel.tiles[statement.number].rows):
            offset = row * statement.stride * size
            self.addresses.fetch_ahead(buffer, place, self.state.code, offset)

    def checked_place(self, statement: MoveTile, stride: str) -> tuple[str, str]:
        """Where the first row of a tile is in memory, and the bytes between rows.

        That is spare memory if the first or the last row is not inside the buffer.
        """
        state, buffer, place = self.state, statement.buffer, statement.place
        shape = state.kernel.tiles[statement.number]
        count = shape.words * BYTES["i32"] // BYTES[buffer.type]
        last = (shape.rows - 1) * statement.stride
        first_row = self.addresses.address(buffer, place, count)
        last_row = self.addresses.address(buffer, place + last, count)
        index = self.addresses.indices.first_lane(place).text
        step = f"getelementptr i8, ptr {state.pointers[buffer]}, i64"
        offset = state.line(f"mul i64 {index}, {BYTES[buffer.type]}")
        intended = state.line(f"{step} {offset}")
        begins = state.line(f"icmp eq ptr {intended}, {first_row}")
        end = state.line(f"getelementptr i8, ptr {intended}, i64 {last * BYTES[buffer.type]}")
        ends = state.line(f"icmp eq ptr {end}, {last_row}")
        inside = state.line(f"and i1 {begins}, {ends}")
        outside = state.line(f"select i1 {begins}, ptr {last_row}, ptr {first_row}")
        return (
            state.line(f"select i1 {inside}, ptr {first_row}, ptr {outside}"),
            state.line(f"select i1 {inside}, i64 {stride}, i64 {SPARE_STRIDE}"),
        )
