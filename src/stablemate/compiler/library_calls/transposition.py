"""Transposes matrices by tiles in registers."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.library_calls.compact.text import LlvmFunctionBuilder, VectorElements

TILE_BYTES: Final = 32  # of a row of a tile
ELEMENT_TYPES: Final = {4: "i32", 8: "i64", 16: "i128"}  # by their bytes
ARGUMENTS: Final = "ptr %to, i64 %to_stride, ptr %from, i64 %from_stride, i64 %rows, i64 %columns"


def transposition(size: int) -> str:
    """The function ``transpose_tiles``, for elements of so many bytes.

    Its arguments are the two matrices, each with the elements from one row to the next, and the
    numbers of rows and columns of the second one. ``to[c][r] = from[r][c]``.
    """
    t = LlvmFunctionBuilder(f"transpose_tiles_{size}", VectorElements("s", TILE_BYTES), ())
    t.head = f"define internal void @transpose_tiles_{size}({ARGUMENTS}) #0 {{"
    tile = TILE_BYTES // size
    row_tiles, column_tiles = (t.value(f"udiv i64 %{name}, {tile}") for name in ("rows", "columns"))
    rows, columns = (t.multiply(tiles, tile) for tiles in (row_tiles, column_tiles))
    with t.loop(0, row_tiles) as i, t.loop(0, column_tiles) as j:
        transpose_tile(t, size, t.multiply(i, tile), t.multiply(j, tile))
    for first_row, first_column in ((0, columns), (rows, 0)):
        last_column = "%columns" if first_row == 0 else columns
        with t.loop(first_row, "%rows") as i, t.loop(first_column, last_column) as j:
            source = address(t, size, "from", i, j)
            value = t.value(f"load {ELEMENT_TYPES[size]}, ptr {source}")
            t.do(f"store {ELEMENT_TYPES[size]} {value}, ptr {address(t, size, 'to', j, i)}")
    return t.text()


def address(t: LlvmFunctionBuilder, size: int, matrix: str, row: str, column: str) -> str:
    """The address of an element."""
    place = t.place((row, f"%{matrix}_stride"), (column, 1))
    return t.value(f"getelementptr {ELEMENT_TYPES[size]}, ptr %{matrix}, i64 {place}")


def transpose_tile(t: LlvmFunctionBuilder, size: int, row: str, column: str) -> None:
    """Transposes a square tile: exchanges halves, quarters, and so on, of pairs of rows."""
    count = TILE_BYTES // size
    vector = f"<{count} x {ELEMENT_TYPES[size]}>"
    rows: list[str] = []
    for number in range(count):
        source = address(t, size, "from", t.add(row, number), column)
        rows.append(t.value(f"load {vector}, ptr {source}, align {size}"))
    distance = 1
    while distance < count:
        for first in range(count):
            if not first & distance:
                pair = rows[first], rows[first + distance]
                rows[first], rows[first + distance] = swap_blocks(t, vector, pair, count, distance)
        distance *= 2
    for number, value in enumerate(rows):
        target = address(t, size, "to", t.add(column, number), row)
        t.do(f"store {vector} {value}, ptr {target}, align {size}")


def swap_blocks(
    t: LlvmFunctionBuilder, vector: str, pair: tuple[str, str], count: int, distance: int
) -> tuple[str, str]:
    """Two rows after the upper right and the lower left blocks of their tile are exchanged."""
    lanes = [
        [
            (lane if not lane & distance else lane - distance + count) + shift
            for lane in range(count)
        ]
        for shift in (0, distance)
    ]
    first, second = (
        t.value(
            f"shufflevector {vector} {pair[0]}, {vector} {pair[1]}, <{count} x i32> "
            f"<{', '.join(f'i32 {lane}' for lane in row)}>"
        )
        for row in lanes
    )
    return first, second
