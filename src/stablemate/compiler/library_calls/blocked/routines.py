"""Cholesky factors and triangular solves of matrices of real numbers, by tiles.

Every element is computed with the same roundings on every machine: products are subtracted in the
order of the rows, each with one rounding, and quotients are products with a reciprocal.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.library_calls.blocked.tiles import (
    VECTORS,
    RegisterTile,
    TileFunction,
)
from stablemate.compiler.library_calls.compact.text import BYTES

TRSM_ARGUMENTS: Final = (
    "solutions", "matrix", "source", "alpha", "columns", "parameters", "memory",
)  # fmt: skip
POTRF_ARGUMENTS: Final = ("factors", "info", "source", "parameters", "memory")


def routine(name: str, shape: RegisterTile, arguments: tuple[str, ...]) -> TileFunction:
    """A function that a program calls."""
    parameters = ", ".join(f"ptr %{argument}" for argument in arguments)
    full_name = f"blocked_{shape.letter}{name}"
    return TileFunction(full_name, shape.letter, shape.lanes, parameters, internal=False)


def trsm(shape: RegisterTile) -> str:
    """``solutions, matrix, source, alpha, columns, parameters, memory``.

    The equations are T X = alpha B with a lower triangular T; an upper one is lower if rows are
    counted from the end. ``columns`` is how many columns of X there are. The parameters are the
    order; the place and the two strides of T; whether its diagonal is one; whether X and B are
    stored by rows, not by columns; the elements from one of these to the next; and the place and
    the stride, +1 or -1, of the rows of X.
    """
    t = routine("trsm", shape, TRSM_ARGUMENTS)
    order, t0, t_row, t_column, unit, by_rows, leading, first, direction = (
        t.parameter(number) for number in range(9)
    )
    columns = t.value("load i64, ptr %columns")
    matrix = t.at("%matrix", (t0, 1))
    reciprocals = t.at("%memory", (order, shape.width))
    store_reciprocals(t, matrix, t.add(t_row, t_column), order, unit, reciprocals)
    alpha = t.spread(t.load_scalar("%alpha"))
    strip = t.at("%memory", (first, shape.width))
    stride = t.multiply(direction, shape.width)
    stored_by_rows = t.value(f"icmp ne i64 {by_rows}, 0")
    stored_by_columns = t.value(f"icmp eq i64 {by_rows}, 0")
    count = t.value(f"udiv i64 {t.add(columns, shape.width - 1)}, {shape.width}")
    with t.loop(0, count) as number:
        begin = t.multiply(number, shape.width)
        rest = t.subtract(columns, begin)
        width = t.least(rest, shape.width)
        with t.when(stored_by_rows):
            load_rows(t, shape, t.at("%source", (begin, 1)), leading, order, width)
        with t.when(stored_by_columns):
            source = t.at("%source", (begin, leading))
            load_columns(t, shape, source, leading, order, width)
        scale(t, shape, order, alpha)
        tiles = order, strip, stride, matrix, t_row, t_column, reciprocals
        solve_strip(t, shape, width, *tiles)
        with t.when(stored_by_rows):
            store_rows(t, shape, t.at("%solutions", (begin, 1)), leading, order, width)
        with t.when(stored_by_columns):
            target = t.at("%solutions", (begin, leading))
            t.do(
                f"call void @transpose_tiles_{BYTES[t.letter]}(ptr {target}, i64 {leading}, "
                f"ptr %memory, i64 {shape.width}, i64 {order}, i64 {width})"
            )
    return t.text()


def store_reciprocals(
    t: TileFunction, matrix: str, stride: str, order: str, unit: str, reciprocals: str
) -> None:
    """Stores the reciprocals of a diagonal, or ones."""
    is_unit = t.value(f"icmp ne i64 {unit}, 0")
    with t.loop(0, order) as i:
        item = t.load_scalar(t.at(matrix, (i, stride)))
        quotient = t.value(f"fdiv {t.scalar} 1.0, {item}")
        value = t.value(f"select i1 {is_unit}, {t.scalar} 1.0, {t.scalar} {quotient}")
        t.do(f"store {t.scalar} {value}, ptr {t.at(reciprocals, (i, 1))}")


def scale(t: TileFunction, shape: RegisterTile, order: str, alpha: str) -> None:
    """Multiplies the rows of a strip by a factor."""
    with t.loop(0, t.multiply(order, VECTORS[-1])) as number:
        place = t.at("%memory", (number, shape.lanes))
        t.store_vector(place, t.times(t.load_vector(place), alpha))


def mask(t: TileFunction, width: str, vector: int) -> str:
    """The lanes of a vector of a strip that are among its columns."""
    integers = f"<{t.lanes} x i64>"
    rest = t.subtract(width, vector * t.lanes)
    lanes = ", ".join(f"i64 {lane}" for lane in range(t.lanes))
    return t.value(f"icmp slt {integers} <{lanes}>, {t.spread_as(integers, 'i64', rest)}")


def load_rows(
    t: TileFunction, shape: RegisterTile, source: str, leading: str, order: str, width: str
) -> None:
    """Loads some columns of a matrix that is stored by rows; the rest is zero."""
    masks = [mask(t, width, vector) for vector in range(VECTORS[-1])]
    kind, bits = masked_types(t)
    with t.loop(0, order) as k:
        row, target = t.at(source, (k, leading)), t.at("%memory", (k, shape.width))
        for vector, present in enumerate(masks):
            value = t.value(
                f"call {t.vector} @llvm.masked.load.{kind}.p0(ptr "
                f"{t.at(row, (vector * t.lanes, 1))}, i32 {BYTES[t.letter]}, {bits} {present}, "
                f"{t.vector} zeroinitializer)"
            )
            t.store_vector(t.at(target, (vector * t.lanes, 1)), value)


def store_rows(
    t: TileFunction, shape: RegisterTile, target: str, leading: str, order: str, width: str
) -> None:
    """Stores some columns of a matrix that is stored by rows."""
    masks = [mask(t, width, vector) for vector in range(VECTORS[-1])]
    kind, bits = masked_types(t)
    with t.loop(0, order) as k:
        row, source = t.at(target, (k, leading)), t.at("%memory", (k, shape.width))
        for vector, present in enumerate(masks):
            value = t.load_vector(t.at(source, (vector * t.lanes, 1)))
            t.do(
                f"call void @llvm.masked.store.{kind}.p0({t.vector} {value}, ptr "
                f"{t.at(row, (vector * t.lanes, 1))}, i32 {BYTES[t.letter]}, {bits} {present})"
            )


def masked_types(t: TileFunction) -> tuple[str, str]:
    """The suffix of masked loads and stores, and the type of masks."""
    return f"v{t.lanes}f{8 * BYTES[t.letter]}", f"<{t.lanes} x i1>"


def load_columns(
    t: TileFunction, shape: RegisterTile, source: str, leading: str, order: str, width: str
) -> None:
    """Loads some columns of a matrix that is stored by columns; the rest is zero."""
    is_narrow = t.value(f"icmp slt i64 {width}, {shape.width}")
    with t.when(is_narrow):
        size = t.multiply(order, shape.width * BYTES[t.letter])
        t.do(f"call void @llvm.memset.p0.i64(ptr %memory, i8 0, i64 {size}, i1 false)")
    t.do(
        f"call void @transpose_tiles_{BYTES[t.letter]}(ptr %memory, i64 {shape.width}, "
        f"ptr {source}, i64 {leading}, i64 {width}, i64 {order})"
    )


def solve_strip(
    t: TileFunction, shape: RegisterTile, width: str, order: str, strip: str, stride: str,
    matrix: str, t_row: str, t_column: str, reciprocals: str,
) -> None:  # fmt: skip
    """Solves for all rows of a strip: whole tiles, and then the rest row by row."""
    is_narrow = t.value(f"icmp sle i64 {width}, {shape.lanes}")
    is_wide = t.value(f"icmp sgt i64 {width}, {shape.lanes}")
    for condition, vectors in ((is_narrow, VECTORS[0]), (is_wide, VECTORS[-1])):
        with t.when(condition):
            full = t.value(f"udiv i64 {order}, {shape.rows}")
            with t.loop(0, full) as number:
                begin = t.multiply(number, shape.rows)
                call_solve(
                    t, shape.rows, vectors, begin, strip, stride, matrix, t_row, t_column,
                    reciprocals,
                )  # fmt: skip
            with t.loop(t.multiply(full, shape.rows), order) as row:
                call_solve(t, 1, vectors, row, strip, stride, matrix, t_row, t_column, reciprocals)


def call_solve(
    t: TileFunction, rows: int, vectors: int, begin: str, strip: str, stride: str,
    matrix: str, t_row: str, t_column: str, reciprocals: str,
) -> None:  # fmt: skip
    """Solves for the rows of a tile."""
    t.do(
        f"call void @solve_{rows}_{vectors}(ptr {strip}, i64 {stride}, "
        f"ptr {t.at(matrix, (begin, t_row))}, i64 {t_row}, i64 {t_column}, i64 {begin}, "
        f"ptr {t.at(reciprocals, (begin, 1))})"
    )


def potrf(shape: RegisterTile) -> str:
    """``factors, info, source, parameters, memory``.

    The parameters are the order; whether the factor is in the lower triangle; the order of U, a
    multiple of the rows of a tile; and the elements from one of its rows to the next. U of
    U^T U = A is computed row by row; the rows and columns beyond A are those of the identity.
    """
    t = routine("potrf", shape, POTRF_ARGUMENTS)
    n, lower, padded, stride = (t.parameter(number) for number in range(4))
    is_lower = t.value(f"icmp ne i64 {lower}, 0")
    is_upper = t.value(f"icmp eq i64 {lower}, 0")
    size = BYTES[t.letter]
    copy(t, "%factors", "%source", t.multiply(t.multiply(n, n), size))
    with t.when(is_lower):
        t.do(
            f"call void @transpose_tiles_{size}(ptr %memory, i64 {stride}, ptr %source, i64 {n}, "
            f"i64 {n}, i64 {n})"
        )
    with t.when(is_upper), t.loop(0, n) as i:
        copy(t, t.at("%memory", (i, stride)), t.at("%source", (i, n)), t.multiply(n, size))
    pad(t, n, padded, stride)
    reciprocals = t.at("%memory", (padded, stride))
    failed, status = t.variable("i64"), t.variable("i64")
    t.set(failed, "i64", "0")
    with t.loop(0, t.value(f"udiv i64 {padded}, {shape.rows}")) as tile:
        goes_on = t.value(f"icmp eq i64 {t.get(failed, 'i64')}, 0")
        with t.when(goes_on):
            begin = t.multiply(tile, shape.rows)
            strip = t.at("%memory", (begin, 1))
            t.do(
                f"call void @factor_tile(ptr {strip}, i64 {stride}, i64 {begin}, "
                f"ptr {reciprocals}, ptr {status})"
            )
            found = t.get(status, "i64")
            fails = t.value(f"icmp ne i64 {found}, 0")
            number = t.add(begin, found)
            t.set(failed, "i64", t.value(f"select i1 {fails}, i64 {number}, i64 0"))
            solve_row_of_tiles(t, shape, begin, padded, strip, stride, reciprocals)
    number = t.get(failed, "i64")
    t.do(f"store i32 {t.value(f'trunc i64 {number} to i32')}, ptr %info")
    succeeded = t.value(f"icmp eq i64 {number}, 0")
    with t.when(t.value(f"and i1 {succeeded}, {is_lower}")):
        store_lower(t, shape, n, stride, "%factors")
    with t.when(t.value(f"and i1 {succeeded}, {is_upper}")), t.loop(0, n) as i:
        rest = t.multiply(t.subtract(n, i), size)
        copy(t, t.at("%factors", (i, n), (i, 1)), t.at("%memory", (i, stride), (i, 1)), rest)
    return t.text()


def copy(t: TileFunction, to: str, source: str, size: str) -> None:
    """Emits a ``memcpy`` of ``size`` bytes."""
    t.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {size}, i1 false)")


def pad(t: TileFunction, n: str, padded: str, stride: str) -> None:
    """Gives a matrix the rows and columns of the identity from a number on."""
    size = BYTES[t.letter]
    beside = t.multiply(t.subtract(stride, n), size)
    with t.loop(0, n) as i:
        end = t.at("%memory", (i, stride), (n, 1))
        t.do(f"call void @llvm.memset.p0.i64(ptr {end}, i8 0, i64 {beside}, i1 false)")
    with t.loop(n, padded) as i:
        row = t.at("%memory", (i, stride))
        whole = t.multiply(stride, size)
        t.do(f"call void @llvm.memset.p0.i64(ptr {row}, i8 0, i64 {whole}, i1 false)")
        t.do(f"store {t.scalar} 1.0, ptr {t.at(row, (i, 1))}")


def solve_row_of_tiles(
    t: TileFunction, shape: RegisterTile, begin: str, padded: str, strip: str, stride: str,
    reciprocals: str,
) -> None:  # fmt: skip
    """The rows of U of a tile on the diagonal, in all columns after it."""
    first = t.add(begin, shape.rows)
    columns = t.subtract(padded, first)
    count = t.value(f"udiv i64 {t.add(columns, shape.width - 1)}, {shape.width}")
    with t.loop(0, count) as number:
        before = t.multiply(number, shape.width)
        rest = t.subtract(columns, before)
        place = t.at("%memory", (first, 1), (before, 1))
        for condition, vectors in (("sle", VECTORS[0]), ("sgt", VECTORS[-1])):
            with t.when(t.value(f"icmp {condition} i64 {rest}, {shape.lanes}")):
                t.do(
                    f"call void @solve_{shape.rows}_{vectors}(ptr {place}, i64 {stride}, "
                    f"ptr {strip}, i64 1, i64 {stride}, i64 {begin}, ptr {reciprocals})"
                )


def store_lower(t: TileFunction, shape: RegisterTile, n: str, stride: str, to: str) -> None:
    """Stores the transpose of an upper triangle in memory in a lower one."""
    tiles = t.value(f"udiv i64 {t.add(n, shape.rows - 1)}, {shape.rows}")
    with t.loop(0, tiles) as tile:
        begin = t.multiply(tile, shape.rows)
        end = t.least(t.add(begin, shape.rows), n)
        with t.loop(begin, end) as row, t.loop(begin, t.add(row, 1)) as column:
            item = t.load_scalar(t.at("%memory", (column, stride), (row, 1)))
            t.do(f"store {t.scalar} {item}, ptr {t.at(to, (row, n), (column, 1))}")
        below = t.subtract(n, end)
        t.do(
            f"call void @transpose_tiles_{BYTES[t.letter]}("
            f"ptr {t.at(to, (end, n), (begin, 1))}, i64 {n}, "
            f"ptr {t.at('%memory', (begin, stride), (end, 1))}, i64 {stride}, "
            f"i64 {shape.rows}, i64 {below})"
        )
