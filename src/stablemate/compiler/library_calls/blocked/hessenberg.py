"""Hessenberg forms of matrices.

Rows in memory are the columns of the matrix. A panel of 16 columns is reduced one by one, which
takes a product of the matrix with each reflector's vector; then the rest of the matrix becomes
(I - V T^T V^T) (A - Y V^T) with Y = A V T, by tiles. A row of vectors holds one y or v.

Source: Quintana-Orti and van de Geijn, Improving the performance of reduction to Hessenberg form,
ACM Trans. Math. Softw. 32 (2006); LAPACK Users' Guide, routine xGEHRD.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.library_calls.blocked.panels import PANEL, scale_column
from stablemate.compiler.library_calls.blocked.reflectors import (
    BLOCK,
    MATRIX,
    WIDTHS,
    clear,
    copy,
    panels_of,
    routine,
    subtract_product,
    subtract_tile,
)
from stablemate.compiler.library_calls.blocked.rows import (
    ROW_WIDTHS,
    row_products,
    subtract_row,
    subtract_row_tile,
)
from stablemate.compiler.library_calls.blocked.symmetric import row_reflector
from stablemate.compiler.library_calls.blocked.tiles import RegisterTile, TileFunction
from stablemate.compiler.library_calls.compact.text import BYTES
from stablemate.compiler.library_calls.transposition import transposition

PAIR: Final = 2 * PANEL  # columns of the rows of V and W
SMALL_MATRICES: Final = 3  # T, its transpose, Y^T V
SMALL_ROWS: Final = 3  # of a number for each reflector of a panel


def hessenberg_elements(columns: int, stride: int) -> int:
    """The elements of the memory ``work`` for so many columns, whose rows are so far apart."""
    rows = 3 * PANEL * stride
    return rows + columns * (PAIR + PANEL) + SMALL_MATRICES * BLOCK + SMALL_ROWS * PANEL


class HessenbergWorkspace:
    """The parts of ``work``: rows y, rows v, rows of products; rows of V and W; others."""

    def __init__(self, t: TileFunction, columns: str, stride: str) -> None:
        self.y = t.at("%work", (0, 1))
        self.v = t.at("%work", (stride, PANEL))
        self.products = t.at("%work", (stride, 2 * PANEL))
        self.pairs = t.at("%work", (stride, 3 * PANEL))
        self.z = t.at(self.pairs, (columns, PAIR))
        self.factor = t.at(self.z, (columns, PANEL))
        self.transposed = t.at(self.factor, (BLOCK, 1))
        self.small = t.at(self.factor, (BLOCK, 2))
        self.row, self.other, self.sums = (
            t.at(self.factor, (BLOCK, SMALL_MATRICES), (PANEL, number))
            for number in range(SMALL_ROWS)
        )


COLUMN_PARAMETERS: Final = (
    "ptr %memory, i64 %stride, i64 %columns, i64 %low, i64 %high, i64 %number, i64 %k, "
    "ptr %taus, ptr %work"
)


def update_column(shape: RegisterTile) -> str:
    """The function ``update_column``: applies the reflectors of a panel so far to a column.

    Its arguments are the matrix, its stride and columns in memory, the first and the end of the
    columns that are reduced; the number of the column and its number in the panel; the factors
    tau; and the memory ``work``.
    """
    t = TileFunction("update_column", shape.letter, shape.lanes, COLUMN_PARAMETERS)
    memory = HessenbergWorkspace(t, "%columns", "%stride")
    begin = t.subtract("%number", "%k")
    width = t.subtract("%columns", begin)
    row = t.at(MATRIX, ("%number", "%stride"), (begin, 1))
    rows_y, rows_v = (t.at(part, (begin, 1)) for part in (memory.y, memory.v))
    t.do(
        f"call void @subtract_row(ptr {row}, i64 {width}, ptr {t.at(memory.v, ('%number', 1))}, "
        f"i64 %stride, ptr {rows_y}, i64 %stride, i64 %k)"
    )
    t.do(
        f"call void @row_products(ptr {memory.row}, ptr {rows_v}, i64 %stride, i64 %k, ptr {row}, "
        f"i64 {width})"
    )
    negate(t, memory.row)
    clear(t, memory.sums, PANEL)
    t.do(
        f"call void @subtract_row(ptr {memory.sums}, i64 {PANEL}, ptr {memory.row}, i64 1, "
        f"ptr {memory.factor}, i64 {PANEL}, i64 %k)"
    )
    t.do(
        f"call void @subtract_row(ptr {row}, i64 {width}, ptr {memory.sums}, i64 1, "
        f"ptr {rows_v}, i64 %stride, i64 %k)"
    )
    return t.text()


def negate(t: TileFunction, place: str) -> None:
    """Changes the signs of a number for each reflector."""
    for number in range(max(1, PANEL // t.lanes)):
        at = t.at(place, (number * t.lanes, 1))
        t.store_vector(at, t.value(f"fneg {t.vector} {t.load_vector(at)}"))


def reduce_column(shape: RegisterTile) -> str:
    """The function ``reduce_column``: the reflector of a column, and its y and column of T.

    Its arguments are those of ``update_column``.
    """
    t = TileFunction("reduce_column", shape.letter, shape.lanes, COLUMN_PARAMETERS)
    memory = HessenbergWorkspace(t, "%columns", "%stride")
    begin, after = t.subtract("%number", "%k"), t.add("%number", 1)
    width, count = t.subtract("%columns", begin), t.subtract("%high", after)
    pivot = t.at(MATRIX, ("%number", "%stride"), (after, 1))
    v, y = (t.at(part, ("%k", "%stride")) for part in (memory.v, memory.y))
    tau_place = t.at("%taus", ("%number", 1))
    t.do(
        f"call void @row_reflector(ptr {pivot}, i64 {count}, ptr {t.at(v, (after, 1))}, "
        f"ptr {tau_place}, ptr {memory.row})"
    )
    beta, tau = t.load_scalar(pivot), t.load_scalar(tau_place)
    copy(t, pivot, t.at(v, (after, 1)), count)
    t.do(f"store {t.scalar} {beta}, ptr {pivot}")
    part = t.at(y, (begin, 1))
    t.do(
        f"call void @subtract_row(ptr {part}, i64 {width}, ptr {t.at(v, (after, 1))}, i64 1, "
        f"ptr {t.at(MATRIX, (after, '%stride'), (begin, 1))}, i64 %stride, i64 {count})"
    )
    t.do(
        f"call void @row_products(ptr {memory.row}, ptr {t.at(memory.v, (begin, 1))}, "
        f"i64 %stride, i64 %k, ptr {t.at(v, (begin, 1))}, i64 {width})"
    )
    negate(t, memory.row)
    t.do(
        f"call void @subtract_row(ptr {part}, i64 {width}, ptr {memory.row}, i64 1, "
        f"ptr {t.at(memory.y, (begin, 1))}, i64 %stride, i64 %k)"
    )
    opposite = t.value(f"fneg {t.scalar} {tau}")
    scale(t, part, t.value(f"udiv i64 {width}, {t.lanes}"), opposite)
    store_factor(t, memory, tau, opposite)
    return t.text()


def scale(t: TileFunction, row: str, vectors: str | int, factor: str) -> None:
    """Multiplies the vectors of a row by a number."""
    factors = t.spread(factor)
    with t.loop(0, vectors) as number:
        place = t.at(row, (number, t.lanes))
        t.store_vector(place, t.times(t.load_vector(place), factors))


def store_factor(t: TileFunction, memory: HessenbergWorkspace, tau: str, opposite: str) -> None:
    """Stores the column of T of a reflector: -tau T V^T v, and tau itself on the diagonal."""
    column = t.at(memory.transposed, ("%k", PANEL))
    clear(t, column, PANEL)
    t.do(
        f"call void @subtract_row(ptr {column}, i64 {PANEL}, ptr {memory.row}, i64 1, "
        f"ptr {memory.transposed}, i64 {PANEL}, i64 %k)"
    )
    scale(t, column, max(1, PANEL // t.lanes), opposite)
    t.do(f"store {t.scalar} {tau}, ptr {t.at(column, ('%k', 1))}")
    with t.loop(0, t.add("%k", 1)) as row:
        item = t.load_scalar(t.at(column, (row, 1)))
        t.do(f"store {t.scalar} {item}, ptr {t.at(memory.factor, (row, PANEL), ('%k', 1))}")


REST_PARAMETERS: Final = "ptr %memory, i64 %stride, i64 %columns, i64 %first, ptr %work"


def update_above(shape: RegisterTile) -> str:
    """The function ``update_above``: Y, and the panel's columns, in the rows above a panel.

    Its arguments are the matrix, its stride and columns in memory, the first column of the panel,
    and the memory ``work``.
    """
    t = TileFunction("update_above", shape.letter, shape.lanes, REST_PARAMETERS)
    memory = HessenbergWorkspace(t, "%columns", "%stride")
    with t.loop(0, PANEL) as row:
        clear(t, t.at(memory.products, (row, "%stride")), "%first")
    part, count = t.at(MATRIX, ("%first", "%stride")), t.subtract("%columns", "%first")
    v = t.at(memory.v, ("%first", 1))
    t.do(
        f"call void @subtract_product(ptr {memory.products}, i64 %stride, i64 {PANEL}, "
        f"i64 %first, ptr {v}, i64 %stride, i64 1, ptr {part}, i64 %stride, i64 {count})"
    )
    t.do(
        f"call void @subtract_product(ptr {memory.y}, i64 %stride, i64 {PANEL}, i64 %first, "
        f"ptr {memory.factor}, i64 1, i64 {PANEL}, ptr {memory.products}, i64 %stride, "
        f"i64 {PANEL})"
    )
    t.do(
        f"call void @subtract_product(ptr {part}, i64 %stride, i64 {PANEL}, i64 %first, ptr {v}, "
        f"i64 1, i64 %stride, ptr {memory.y}, i64 %stride, i64 {PANEL})"
    )
    return t.text()


def update_after(shape: RegisterTile) -> str:
    """The function ``update_after``: the columns after a panel.

    With B = A - Y V^T they become B - V W^T, W^T = T^T V^T B. Its arguments are those of
    ``update_above``.
    """
    t = TileFunction("update_after", shape.letter, shape.lanes, REST_PARAMETERS)
    memory, size = HessenbergWorkspace(t, "%columns", "%stride"), BYTES[t.letter]
    after = t.add("%first", PANEL)
    rows, count = t.subtract("%columns", after), t.subtract("%columns", "%first")
    clear(t, memory.pairs, t.multiply("%columns", PAIR + PANEL))
    clear(t, memory.small, BLOCK)
    t.do(
        f"call void @transpose_tiles_{size}(ptr {memory.pairs}, i64 {PAIR}, ptr {memory.v}, "
        f"i64 %stride, i64 {PANEL}, i64 %columns)"
    )
    strip, pairs = t.at(memory.pairs, ("%first", PAIR)), t.at(memory.pairs, (after, PAIR))
    part, z = t.at(MATRIX, (after, "%stride")), t.at(memory.z, (after, PANEL))
    lower = t.at(part, ("%first", 1))
    t.do(
        f"call void @subtract_product(ptr {memory.small}, i64 {PANEL}, i64 {PANEL}, i64 {PANEL}, "
        f"ptr {t.at(memory.y, ('%first', 1))}, i64 %stride, i64 1, ptr {strip}, i64 {PAIR}, "
        f"i64 {count})"
    )
    begin_z = f"call void @subtract_product(ptr {z}, i64 {PANEL}, i64 {rows}, i64 {PANEL}"
    t.do(f"{begin_z}, ptr {lower}, i64 %stride, i64 1, ptr {strip}, i64 {PAIR}, i64 {count})")
    t.do(
        f"{begin_z}, ptr {pairs}, i64 {PAIR}, i64 1, ptr {memory.small}, i64 {PANEL}, i64 {PANEL})"
    )
    t.do(
        f"call void @subtract_product(ptr {t.at(pairs, (PANEL, 1))}, i64 {PAIR}, i64 {rows}, "
        f"i64 {PANEL}, ptr {z}, i64 {PANEL}, i64 1, ptr {memory.factor}, i64 {PANEL}, i64 {PANEL})"
    )
    for place, width, first, depth in (
        (part, "%first", "0", PANEL),
        (lower, count, "%first", PAIR),
    ):
        t.do(
            f"call void @subtract_product(ptr {place}, i64 %stride, i64 {rows}, i64 {width}, "
            f"ptr {pairs}, i64 {PAIR}, i64 1, ptr {t.at(memory.y, (first, 1))}, i64 %stride, "
            f"i64 {depth})"
        )
    return t.text()


def gehrd(shape: RegisterTile) -> str:
    """``form, taus, low, high, source, parameters, memory, work``: of matrices stored by columns.

    The parts before ``low`` and after ``high``, as gebal counts them, are triangular. The
    parameters are the order; the columns in memory, a multiple of those of a panel; and the
    elements from one row to the next.
    """
    t = routine("gehrd", shape, "form taus low high source parameters memory work")
    n, columns, stride = (t.parameter(number) for number in range(3))
    memory = HessenbergWorkspace(t, columns, stride)
    low, high = (
        t.value(f"sext i32 {t.value(f'load i32, ptr %{name}')} to i64") for name in ("low", "high")
    )
    low, last = t.subtract(low, 1), t.subtract(high, 1)
    clear(t, MATRIX, t.multiply(columns, stride))
    with t.loop(0, n) as row:
        copy(t, t.at(MATRIX, (row, stride)), t.at("%source", (row, n)), n)
    clear(t, "%taus", t.subtract(n, 1))
    with t.loop(0, panels_of(t, last)) as panel:
        begin = t.multiply(panel, PANEL)
        ends_after = t.value(f"icmp sgt i64 {t.add(begin, PANEL)}, {low}")
        with t.when(ends_after):
            clear(t, memory.y, t.multiply(stride, 2 * PANEL))
            clear(t, memory.factor, BLOCK * SMALL_MATRICES)
            count = t.least(t.subtract(n, begin), PANEL)
            with t.loop(0, count) as k:
                reduce_panel_column(t, (columns, stride, low, high), t.add(begin, k), k, last)
            rest = f"(ptr {MATRIX}, i64 {stride}, i64 {columns}, i64 {begin}, ptr %work)"
            t.do(f"call void @update_above{rest}")
            t.do(f"call void @update_after{rest}")
    with t.loop(0, n) as row:
        copy(t, t.at("%form", (row, n)), t.at(MATRIX, (row, stride)), n)
    return t.text()


def reduce_panel_column(
    t: TileFunction, sizes: tuple[str, str, str, str], number: str, k: str, last: str
) -> None:
    """Applies the reflectors before a column to it, and reduces it if it is not the last one."""
    columns, stride, low, high = sizes
    arguments = (
        f"(ptr {MATRIX}, i64 {stride}, i64 {columns}, i64 {low}, i64 {high}, i64 {number}, "
        f"i64 {k}, ptr %taus, ptr %work)"
    )
    t.do(f"call void @update_column{arguments}")
    is_low, is_high = (
        t.value(f"icmp {how} i64 {number}, {bound}") for how, bound in (("sge", low), ("slt", last))
    )
    with t.when(t.value(f"and i1 {is_low}, {is_high}")):
        t.do(f"call void @reduce_column{arguments}")


def gehrd_parts(shape: RegisterTile) -> Sequence[str]:
    """The functions that ``gehrd`` calls."""
    functions = (
        scale_column, row_products, subtract_row, subtract_product, row_reflector, update_column,
        reduce_column, update_above, update_after,
    )  # fmt: skip
    tiles = [subtract_tile(shape, vectors) for vectors in WIDTHS]
    tiles += [subtract_row_tile(shape, vectors) for vectors in ROW_WIDTHS]
    return [*tiles, transposition(BYTES[shape.letter]), *(write(shape) for write in functions)]
