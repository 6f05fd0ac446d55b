"""Tridiagonal forms of symmetric matrices, and products with their orthogonal matrices.

The upper triangle in memory, in row-major order, is the lower one of the program. A panel of 16
rows is reduced one by one, which takes a product of the matrix with each reflector's vector; then
the rest of the matrix becomes A - V W^T - W V^T, by tiles. A row of vectors holds one v or w.

Source: Dongarra, Sorensen and Hammarling, Block reduction of matrices to condensed forms for
eigenvalue computations, J. Comput. Appl. Math. 27 (1989); LAPACK Users' Guide, routine xSYTRD.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.library_calls.blocked.panels import (
    PANEL,
    SAFE_EXPONENTS,
    power_of_two,
    reflector,
    scalar_call,
    scale_column,
)
from stablemate.compiler.library_calls.blocked.reflectors import (
    MATRIX,
    WIDTHS,
    call_apply_block,
    call_block_of,
    clear,
    copy,
    panels_of,
    routine,
    subtract_product,
    subtract_tile,
)
from stablemate.compiler.library_calls.blocked.reflectors import ReflectorWorkspace as BlockMemory
from stablemate.compiler.library_calls.blocked.routines import store_lower
from stablemate.compiler.library_calls.blocked.rows import (
    ROW_WIDTHS,
    row_products,
    subtract_row,
    subtract_row_tile,
    symmetric_product,
)
from stablemate.compiler.library_calls.blocked.tiles import RegisterTile, TileFunction
from stablemate.compiler.library_calls.compact.text import BYTES
from stablemate.compiler.library_calls.transposition import transposition

ROWS: Final = 2 * PANEL  # of vectors v and w of a panel


def reduction_elements(stride: int) -> int:
    """The elements of the memory ``work`` for a matrix with rows so far apart."""
    return (2 * ROWS + 1) * stride + ROWS


class TridiagonalWorkspace:
    """The parts of ``work``: rows v, w, v, w, ...; rows w, v, w, v, ...; A v; a few factors."""

    def __init__(self, t: TileFunction, stride: str) -> None:
        self.v = t.at("%work", (0, 1))
        self.w = t.at("%work", (stride, ROWS))
        self.y = t.at("%work", (stride, 2 * ROWS))
        self.factors = t.at(self.y, (stride, 1))


def row_reflector(shape: RegisterTile) -> str:
    """The function ``row_reflector``: the reflector of a row from an element on.

    Its arguments are the row, which becomes its first element beta; the number of elements; where v
    begins, which is zero before; the factor tau; and memory for a number.
    """
    parameters = "ptr %row, i64 %count, ptr %v, ptr %tau, ptr %memory"
    t = TileFunction("row_reflector", shape.letter, shape.lanes, parameters)
    back, rest = t.variable(t.scalar), t.subtract("%count", 1)
    t.set(back, t.scalar, "1.0")
    smallest, largest = (power_of_two(exponent) for exponent in SAFE_EXPONENTS[t.letter])
    total, squares = total_of(t, rest)
    is_small = t.value(f"fcmp ult {t.scalar} {squares}, {smallest}")
    is_large = t.value(f"fcmp ugt {t.scalar} {total}, {largest}")
    with t.when(t.value(f"or i1 {is_small}, {is_large}")):
        t.do(f"call void @scale_column(ptr %row, i64 1, i64 {rest}, ptr {back})")
    total, _ = total_of(t, rest)
    t.do(f"store {t.scalar} 0.0, ptr %tau")
    with t.when(t.value(f"fcmp une {t.scalar} {t.get(back, t.scalar)}, 0.0")):
        alpha = t.load_scalar("%row")
        beta, factor, tau = reflector(t, alpha, total)
        t.do(f"store {t.scalar} {tau}, ptr %tau")
        with t.loop(1, "%count") as number:
            place = t.at("%v", (number, 1))
            item = t.value(f"fmul {t.scalar} {t.load_scalar(place)}, {factor}")
            t.do(f"store {t.scalar} {item}, ptr {place}")
        scaled = t.value(f"fmul {t.scalar} {beta}, {t.get(back, t.scalar)}")
        t.do(f"store {t.scalar} {scaled}, ptr %row")
    t.do(f"store {t.scalar} 1.0, ptr %v")
    return t.text()


def total_of(t: TileFunction, rest: str) -> tuple[str, str]:
    """The square of the norm of the row, which is copied, and that of the elements after one."""
    t.do(f"store {t.scalar} 0.0, ptr %v")
    copy(t, t.at("%v", (1, 1)), t.at("%row", (1, 1)), rest)
    t.do("call void @row_products(ptr %memory, ptr %v, i64 0, i64 1, ptr %v, i64 %count)")
    squares, alpha = t.load_scalar("%memory"), t.load_scalar("%row")
    return scalar_call(t, "fma", alpha, alpha, squares), squares


def reduce_row(shape: RegisterTile) -> str:
    """The function ``reduce_row``: reduces a row of a panel.

    Its arguments are the matrix, its stride and order, the numbers of its rows and columns in
    memory; the number of the row and its number in the panel; where the diagonal, what is beside it
    and the factors tau are stored; and the memory ``work``.
    """
    parameters = (
        "ptr %memory, i64 %stride, i64 %n, i64 %rows, i64 %columns, i64 %number, i64 %k, "
        "ptr %diagonal, ptr %beside, ptr %taus, ptr %work"
    )
    t = TileFunction("reduce_row", shape.letter, shape.lanes, parameters)
    memory = TridiagonalWorkspace(t, "%stride")
    row, known = t.at(MATRIX, ("%number", "%stride")), t.multiply("%k", 2)
    start = t.value(f"and i64 %number, {-t.lanes}")
    width = t.subtract("%columns", start)
    rows_v, rows_w, y = (t.at(part, (start, 1)) for part in (memory.v, memory.w, memory.y))
    t.do(
        f"call void @subtract_row(ptr {t.at(row, (start, 1))}, i64 {width}, "
        f"ptr {t.at(memory.v, ('%number', 1))}, i64 %stride, ptr {rows_w}, i64 %stride, "
        f"i64 {known})"
    )
    item = t.load_scalar(t.at(row, ("%number", 1)))
    t.do(f"store {t.scalar} {item}, ptr {t.at('%diagonal', ('%number', 1))}")
    after = t.add("%number", 1)
    with t.when(t.value(f"icmp slt i64 {after}, %n")):
        pivot, count = t.at(row, (after, 1)), t.subtract("%n", after)
        v = t.at(memory.v, (known, "%stride"))
        w, tau = t.at(memory.w, (known, "%stride")), t.at("%taus", ("%number", 1))
        clear(t, v, "%stride")
        t.do(
            f"call void @row_reflector(ptr {pivot}, i64 {count}, ptr {t.at(v, (after, 1))}, "
            f"ptr {tau}, ptr {memory.factors})"
        )
        beta = t.load_scalar(pivot)
        t.do(f"store {t.scalar} {beta}, ptr {t.at('%beside', ('%number', 1))}")
        copy(t, pivot, t.at(v, (after, 1)), count)
        t.do(f"store {t.scalar} {beta}, ptr {pivot}")
        clear(t, memory.y, "%stride")
        t.do(
            f"call void @symmetric_product(ptr {memory.y}, ptr {MATRIX}, i64 %stride, ptr {v}, "
            f"i64 {after}, i64 %rows, i64 %columns)"
        )
        clear(t, memory.y, after)
        part = t.at(v, (start, 1))
        t.do(
            f"call void @row_products(ptr {memory.factors}, ptr {rows_w}, i64 %stride, "
            f"i64 {known}, ptr {part}, i64 {width})"
        )
        t.do(
            f"call void @subtract_row(ptr {y}, i64 {width}, ptr {memory.factors}, i64 1, "
            f"ptr {rows_v}, i64 %stride, i64 {known})"
        )
        clear(t, memory.y, after)
        t.do(
            f"call void @row_products(ptr {memory.factors}, ptr {y}, i64 0, i64 1, ptr {part}, "
            f"i64 {width})"
        )
        store_pair(t, memory, (v, w), t.load_scalar(tau))
    return t.text()


def store_pair(
    t: TileFunction, memory: TridiagonalWorkspace, rows: tuple[str, str], tau: str
) -> None:
    """Stores w = tau y - tau (tau y . v) / 2 v, and both rows in the other order too."""
    v, w = rows
    product = t.value(f"fmul {t.scalar} {t.load_scalar(memory.factors)}, {tau}")
    half = t.value(f"fmul {t.scalar} {product}, 0.5")
    factor = t.value(f"fmul {t.scalar} {half}, {tau}")
    factors, taus = t.spread(factor), t.spread(tau)
    other_w, other_v = t.at(v, ("%stride", 1)), t.at(w, ("%stride", 1))
    with t.loop(0, t.value(f"udiv i64 %columns, {t.lanes}")) as number:
        values = t.load_vector(t.at(v, (number, t.lanes)))
        scaled = t.times(t.load_vector(t.at(memory.y, (number, t.lanes))), taus)
        result = t.subtract_product(scaled, factors, values)
        for place in (w, other_w):
            t.store_vector(t.at(place, (number, t.lanes)), result)
        t.store_vector(t.at(other_v, (number, t.lanes)), values)


def update_rest(shape: RegisterTile) -> str:
    """The function ``update_rest``: A - V W^T - W V^T after a panel, above and on the diagonal.

    Its arguments are those of ``reduce_row``, of which it needs some.
    """
    parameters = "ptr %memory, i64 %stride, i64 %first, i64 %rows, i64 %columns, ptr %work"
    t = TileFunction("update_rest", shape.letter, shape.lanes, parameters)
    memory = TridiagonalWorkspace(t, "%stride")
    first, last = (t.value(f"udiv i64 %{name}, {shape.rows}") for name in ("first", "rows"))
    with t.loop(first, last) as tile:
        row = t.multiply(tile, shape.rows)
        start = t.value(f"and i64 {row}, {-t.lanes}")
        t.do(
            f"call void @subtract_product(ptr {t.at(MATRIX, (row, '%stride'), (start, 1))}, "
            f"i64 %stride, i64 {shape.rows}, i64 {t.subtract('%columns', start)}, "
            f"ptr {t.at(memory.v, (row, 1))}, i64 1, i64 %stride, "
            f"ptr {t.at(memory.w, (start, 1))}, i64 %stride, i64 {ROWS})"
        )
    return t.text()


def sytrd(shape: RegisterTile) -> str:
    """``form, diagonal, beside, taus, info, source, parameters, memory, work``.

    The parameters are the order; the rows of the matrix in memory, a multiple of those of a tile;
    its columns, a multiple of those of a panel; the elements from one row to the next; and whether
    the upper triangle of the source counts, not the lower one.
    """
    t = routine("sytrd", shape, "form diagonal beside taus info source parameters memory work")
    n, rows, columns, stride, upper = (t.parameter(number) for number in range(5))
    is_lower, is_upper = (t.value(f"icmp {how} i64 {upper}, 0") for how in ("eq", "ne"))
    copy(t, "%form", "%source", t.multiply(n, n))
    clear(t, MATRIX, t.multiply(rows, stride))
    with t.when(is_lower):
        t.do(
            f"call void @transpose_tiles_{BYTES[t.letter]}(ptr {MATRIX}, i64 {stride}, "
            f"ptr %source, i64 {n}, i64 {n}, i64 {n})"
        )
    with t.when(is_upper), t.loop(0, n) as row:
        copy(t, t.at(MATRIX, (row, stride)), t.at("%source", (row, n)), n)
    mirror_tiles(t, shape, n, stride)
    clear(t, "%work", t.multiply(stride, 2 * ROWS))
    panels = panels_of(t, n)
    with t.loop(0, panels) as panel:
        begin = t.multiply(panel, PANEL)
        count = t.least(t.subtract(n, begin), PANEL)
        with t.loop(0, count) as k:
            t.do(
                f"call void @reduce_row(ptr {MATRIX}, i64 {stride}, i64 {n}, i64 {rows}, "
                f"i64 {columns}, i64 {t.add(begin, k)}, i64 {k}, ptr %diagonal, ptr %beside, "
                "ptr %taus, ptr %work)"
            )
        t.do(
            f"call void @update_rest(ptr {MATRIX}, i64 {stride}, i64 {t.add(begin, PANEL)}, "
            f"i64 {rows}, i64 {columns}, ptr %work)"
        )
    with t.loop(0, n) as row:
        item = t.load_scalar(t.at("%diagonal", (row, 1)))
        t.do(f"store {t.scalar} {item}, ptr {t.at(MATRIX, (row, stride), (row, 1))}")
    store_lower(t, shape, n, stride, "%form")
    t.do("store i32 0, ptr %info")
    return t.text()


def ormtr(shape: RegisterTile) -> str:
    """``product, source, reflectors, taus, parameters, memory, work``.

    The source is a matrix in column-major order, the product one in row-major order. The parameters
    are the order, the rows of the matrix in memory, without its first one, and the elements from
    one row to the next.
    """
    t = routine("ormtr", shape, "product source reflectors taus parameters memory work")
    n, padded, stride = (t.parameter(number) for number in range(3))
    memory, order = BlockMemory(t, shape, padded), t.subtract(n, 1)
    clear(t, MATRIX, t.multiply(t.add(padded, 1), stride))
    t.do(
        f"call void @transpose_tiles_{BYTES[t.letter]}(ptr {MATRIX}, i64 {stride}, ptr %source, "
        f"i64 {n}, i64 {n}, i64 {n})"
    )
    panels = panels_of(t, order)
    with t.loop(0, panels) as step:
        begin = t.multiply(t.subtract(t.subtract(panels, step), 1), PANEL)
        count = t.least(t.subtract(order, begin), PANEL)
        height, padded_height = t.subtract(order, begin), t.subtract(padded, begin)
        source = t.at("%reflectors", (t.add(begin, 1), n), (begin, 1))
        taus = t.at("%taus", (begin, 1))
        call_block_of(t, memory, source, n, height, padded_height, count, taus)
        target, pair = t.at(MATRIX, (t.add(begin, 1), stride)), (memory.vt, memory.v)
        call_apply_block(t, memory, target, stride, n, height, padded_height, pair)
    with t.loop(0, n) as row:
        copy(t, t.at("%product", (row, n)), t.at(MATRIX, (row, stride)), n)
    return t.text()


def invalidate(shape: RegisterTile) -> str:
    """``numbers, status, parameters``: fills so many numbers with NaN if a status is not 0."""
    t = routine("invalidate", shape, "numbers status parameters")
    status, count = t.value("load i32, ptr %status"), t.parameter(0)
    with t.when(t.value(f"icmp ne i32 {status}, 0")), t.loop(0, count) as number:
        t.do(f"store {t.scalar} 0x7FF8000000000000, ptr {t.at('%numbers', (number, 1))}")
    return t.text()


def mirror_tiles(t: TileFunction, shape: RegisterTile, n: str, stride: str) -> None:
    """Copies the upper triangles of the tiles on the diagonal to the lower ones."""
    with t.loop(0, n) as row:
        start = t.value(f"and i64 {row}, {-shape.rows}")
        with t.loop(start, row) as column:
            item = t.load_scalar(t.at(MATRIX, (column, stride), (row, 1)))
            t.do(f"store {t.scalar} {item}, ptr {t.at(MATRIX, (row, stride), (column, 1))}")


def sytrd_parts(shape: RegisterTile) -> Sequence[str]:
    """The functions that ``sytrd`` calls."""
    functions = (
        scale_column, row_products, subtract_row, subtract_product, symmetric_product,
        row_reflector, reduce_row, update_rest,
    )  # fmt: skip
    tiles = [subtract_tile(shape, vectors) for vectors in WIDTHS]
    tiles += [subtract_row_tile(shape, vectors) for vectors in ROW_WIDTHS]
    return [*tiles, transposition(BYTES[shape.letter]), *(write(shape) for write in functions)]
