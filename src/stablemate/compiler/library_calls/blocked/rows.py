"""Kernels on rows of matrices: products of rows, multiples of rows, symmetric matrices.

A row of vectors is as long as a row of the matrix in memory, and is zero where it has no element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.library_calls.blocked.panels import lanes_below
from stablemate.compiler.library_calls.blocked.tiles import (
    RegisterTile,
    TileFunction,
    store_tile,
    subtract_products,
)
from stablemate.compiler.library_calls.compact.text import BYTES

ROW_WIDTHS: Final = (8, 4, 2, 1)  # the vectors of a tile of one row
# More hide the latency of additions, and need registers.
CHAINS: Final = 4  # sums that are added at the same time


def sum_lanes(t: TileFunction, vectors: Sequence[str]) -> str:
    """The sums of the lanes of vectors, a lane for each vector."""
    parts, segment = list(vectors), t.lanes
    while segment > 1:
        count = t.lanes // segment if len(parts) > 1 else len(vectors)
        pairs = [parts[number : number + 2] for number in range(0, len(parts), 2)]
        parts = [half_sums(t, pair, count * len(pair), segment) for pair in pairs]
        segment //= 2
    return parts[0]


def half_sums(t: TileFunction, pair: Sequence[str], segments: int, size: int) -> str:
    """The sums of the halves of all segments of one or two vectors, one after the other."""
    given, kept = segments * size // len(pair), segments * size // 2
    kind = f"<{given} x {t.scalar}>"
    one, other = pair[0], pair[-1] if len(pair) > 1 else "poison"
    halves: list[str] = []
    for shift in (0, size // 2):
        places = [
            f"i32 {segment * size + shift + lane}"
            for segment in range(segments)
            for lane in range(size // 2)
        ]
        halves.append(
            t.value(
                f"shufflevector {kind} {one}, {kind} {other}, <{kept} x i32> <{', '.join(places)}>"
            )
        )
    return t.value(f"fadd <{kept} x {t.scalar}> {halves[0]}, {halves[1]}")


def row_products(shape: RegisterTile) -> str:
    """The function ``row_products``: products of rows with a vector, added up.

    Its arguments are where they are stored, the first row, the elements from row to row, the number
    of rows, the vector, and the number of elements, of which whole vectors are used.
    """
    parameters = "ptr %to, ptr %rows, i64 %stride, i64 %count, ptr %vector, i64 %columns"
    t = TileFunction("row_products", shape.letter, shape.lanes, parameters)
    sums = [t.variable(t.vector) for _ in range(CHAINS)]
    vectors = t.value(f"udiv i64 {t.add('%columns', t.lanes - 1)}, {t.lanes}")
    groups = t.value(f"udiv i64 {vectors}, {CHAINS}")
    with t.loop(0, "%count") as row:
        place = t.at("%rows", (row, "%stride"))
        for variable in sums:
            t.set(variable, t.vector, "zeroinitializer")
        with t.loop(0, groups) as group:
            for number, variable in enumerate(sums):
                add_product(t, variable, place, t.add(t.multiply(group, CHAINS), number))
        with t.loop(t.multiply(groups, CHAINS), vectors) as vector:
            add_product(t, sums[0], place, vector)
        total = t.get(sums[0], t.vector)
        for variable in sums[1:]:
            total = t.value(f"fadd {t.vector} {total}, {t.get(variable, t.vector)}")
        kind = f"<1 x {t.scalar}>"
        item = t.value(f"extractelement {kind} {sum_lanes(t, [total])}, i64 0")
        t.do(f"store {t.scalar} {item}, ptr {t.at('%to', (row, 1))}")
    return t.text()


def add_product(t: TileFunction, variable: str, row: str, vector: str) -> None:
    """Adds the products of the lanes of a vector of a row."""
    one, other = (t.load_vector(t.at(place, (vector, t.lanes))) for place in (row, "%vector"))
    t.set(variable, t.vector, t.intrinsic("fma", one, other, t.get(variable, t.vector)))


def subtract_row_tile(shape: RegisterTile, vectors: int) -> str:
    """The function ``subtract_row_VECTORS``: a tile of one row; see ``subtract_tile``."""
    parameters = "ptr %c, ptr %t, i64 %t_row, i64 %t_column, ptr %strip, i64 %stride, i64 %count"
    t = TileFunction(f"subtract_row_{vectors}", shape.letter, shape.lanes, parameters)
    store_tile(t, ["%c"], subtract_products(t, ["%c"], vectors))
    return t.text()


def subtract_row(shape: RegisterTile) -> str:
    """The function ``subtract_row``: a row from which multiples of rows are subtracted.

    Its arguments are the row, the number of its elements, of which whole vectors are used; the
    first factor and the elements to the next; the first row, the elements to the next, and their
    number.
    """
    parameters = "ptr %c, i64 %columns, ptr %t, i64 %t_column, ptr %strip, i64 %stride, i64 %count"
    t = TileFunction("subtract_row", shape.letter, shape.lanes, parameters)
    begin = "0"
    rest = t.multiply(t.value(f"udiv i64 {t.add('%columns', t.lanes - 1)}, {t.lanes}"), t.lanes)
    for vectors in ROW_WIDTHS:
        width = vectors * t.lanes
        tiles = t.value(f"udiv i64 {t.subtract(rest, begin)}, {width}")
        with t.loop(0, tiles) as tile:
            place = t.add(begin, t.multiply(tile, width))
            t.do(
                f"call void @subtract_row_{vectors}(ptr {t.at('%c', (place, 1))}, ptr %t, i64 0, "
                f"i64 %t_column, ptr {t.at('%strip', (place, 1))}, i64 %stride, i64 %count)"
            )
        begin = t.add(begin, t.multiply(tiles, width))
    return t.text()


def symmetric_product(shape: RegisterTile) -> str:
    """The function ``symmetric_product``: adds A v to y, for an A of which one triangle is read.

    Its arguments are y, A, its stride, v, the number of the first row, and the numbers of rows and
    of columns, multiples of those of a tile. Of the tiles on the diagonal both triangles are read.
    """
    parameters = "ptr %y, ptr %a, i64 %stride, ptr %v, i64 %first, i64 %rows, i64 %columns"
    t = TileFunction("symmetric_product", shape.letter, shape.lanes, parameters)
    numbers = range(shape.rows)
    sums = [t.variable(t.vector) for _ in numbers]
    first, last = (t.value(f"udiv i64 %{name}, {shape.rows}") for name in ("first", "rows"))
    with t.loop(first, last) as tile:
        row = t.multiply(tile, shape.rows)
        rows = [t.at("%a", (t.add(row, number), "%stride")) for number in numbers]
        factors = [t.spread(t.load_scalar(t.at("%v", (t.add(row, n), 1)))) for n in numbers]
        for variable in sums:
            t.set(variable, t.vector, "zeroinitializer")
        start = t.value(f"and i64 {row}, {-t.lanes}")
        left = t.subtract(row, start)
        before = lanes_below(t, left, 0)
        within = lanes_below(t, t.add(left, shape.rows), 0)
        add_vector(t, rows, factors, sums, start, (before, within))
        vectors = t.value(f"udiv i64 {t.subtract('%columns', start)}, {t.lanes}")
        with t.loop(1, vectors) as vector:
            column = t.add(start, t.multiply(vector, t.lanes))
            add_vector(t, rows, factors, sums, column, None)
        kind = f"<{shape.rows} x {t.scalar}>"
        place, size = t.at("%y", (row, 1)), BYTES[t.letter]
        total = sum_lanes(t, [t.get(variable, t.vector) for variable in sums])
        known = t.value(f"load {kind}, ptr {place}, align {size}")
        total = t.value(f"fadd {kind} {known}, {total}")
        t.do(f"store {kind} {total}, ptr {place}, align {size}")
    return t.text()


def add_vector(
    t: TileFunction, rows: Sequence[str], factors: Sequence[str], sums: Sequence[str],
    column: str, masks: tuple[str, str] | None,
) -> None:  # fmt: skip
    """Adds the products of a vector of each row of a tile with v, to both of its sides.

    Args:
        t: The function.
        rows: The rows of A.
        factors: The elements of v of these rows.
        sums: The sums of these rows.
        column: The first column of the vector.
        masks: The lanes that are not used, and those that only the sums of the rows use.
    """
    v, place = t.load_vector(t.at("%v", (column, 1))), t.at("%y", (column, 1))
    known = t.load_vector(place)
    totals = [known, "zeroinitializer"]
    for number, (row, factor, variable) in enumerate(zip(rows, factors, sums, strict=True)):
        a = t.load_vector(t.at(row, (column, 1)))
        if masks is not None:
            a = t.select(masks[0], t.vector, "zeroinitializer", a)
        t.set(variable, t.vector, t.intrinsic("fma", a, v, t.get(variable, t.vector)))
        totals[number % 2] = t.intrinsic("fma", a, factor, totals[number % 2])
    total = t.value(f"fadd {t.vector} {totals[0]}, {totals[1]}")
    if masks is not None:
        total = t.select(masks[1], t.vector, known, total)
    t.store_vector(place, total)
