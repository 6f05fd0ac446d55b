"""QR and products with Q: blocks of reflectors, applied by products of matrices.

A block of reflectors is I - V T V^T with a triangular T. A matrix C is multiplied by it in two
products: first W = (V T)^T C or V^T C, then C - V W or C - (V T) W.

Source: Schreiber and Van Loan, A storage-efficient WY representation for products of Householder
transformations, SIAM J. Sci. Stat. Comput. 10 (1989).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.library_calls.blocked.panels import (
    PANEL,
    column_products,
    factor_panel,
    lanes_below,
    reflect_rows,
    scale_column,
    vectors_of,
)
from stablemate.compiler.library_calls.blocked.tiles import (
    RegisterTile,
    TileFunction,
    store_tile,
    subtract_products,
)
from stablemate.compiler.library_calls.compact.text import BYTES
from stablemate.compiler.library_calls.transposition import transposition

WIDTHS: Final = (1, 2, 3)  # the vectors of a row of a tile
BLOCK: Final = PANEL * PANEL
MATRIX: Final = "%memory"


def work_elements(shape: RegisterTile, padded: int) -> int:
    """The elements of the memory ``work`` for matrices of so many rows."""
    return 2 * padded * PANEL + 2 * BLOCK + PANEL * WIDTHS[-1] * shape.lanes + PANEL


class ReflectorWorkspace:
    """The parts of the memory ``work``: V, V T, two small matrices, W, a row of a panel."""

    def __init__(self, t: TileFunction, shape: RegisterTile, padded: str) -> None:
        rows = t.multiply(padded, PANEL)
        self.v = t.at("%work", (0, 1))
        self.vt = t.at("%work", (rows, 1))
        self.small = t.at(self.vt, (rows, 1))
        self.w = t.at(self.small, (2 * BLOCK, 1))
        self.row = t.at(self.w, (PANEL * WIDTHS[-1] * shape.lanes, 1))


def clear(t: TileFunction, place: str, elements: str | int) -> None:
    """Emits a ``memset`` of elements to zero."""
    size = t.multiply(elements, BYTES[t.letter])
    t.do(f"call void @llvm.memset.p0.i64(ptr {place}, i8 0, i64 {size}, i1 false)")


def copy(t: TileFunction, to: str, source: str, elements: str) -> None:
    """Emits a ``memcpy`` of elements."""
    size = t.multiply(elements, BYTES[t.letter])
    t.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {size}, i1 false)")


def subtract_tile(shape: RegisterTile, vectors: int) -> str:
    """The function ``subtract_VECTORS``: a tile of C - A B.

    Its arguments are the tile and its stride, the first row of A and its two strides, the first row
    of B and its stride, and the number of rows of B.
    """
    parameters = (
        "ptr %c, i64 %c_stride, ptr %t, i64 %t_row, i64 %t_column, ptr %strip, i64 %stride, "
        "i64 %count"
    )
    t = TileFunction(f"subtract_{vectors}", shape.letter, shape.lanes, parameters)
    places = [t.at("%c", (row, "%c_stride")) for row in range(shape.rows)]
    store_tile(t, places, subtract_products(t, places, vectors))
    return t.text()


def subtract_product(shape: RegisterTile) -> str:
    """The function ``subtract_product``: C - A B, for whole tiles of rows and vectors of columns.

    Its arguments are those of a tile, and after C's the numbers of its rows and columns.
    """
    parameters = (
        "ptr %c, i64 %c_stride, i64 %rows, i64 %columns, ptr %t, i64 %t_row, i64 %t_column, "
        "ptr %strip, i64 %stride, i64 %count"
    )
    t = TileFunction("subtract_product", shape.letter, shape.lanes, parameters)
    width = WIDTHS[-1] * shape.lanes
    tiles = t.value(f"udiv i64 %rows, {shape.rows}")
    with t.loop(0, t.value(f"udiv i64 {t.add('%columns', width - 1)}, {width}")) as number:
        begin = t.multiply(number, width)
        rest = t.subtract("%columns", begin)
        strip = t.at("%strip", (begin, 1))
        for vectors in WIDTHS:
            with t.when(takes_vectors(t, shape, rest, vectors)), t.loop(0, tiles) as tile:
                row = t.multiply(tile, shape.rows)
                place, factors = t.at("%c", (row, "%c_stride"), (begin, 1)), (row, "%t_row")
                t.do(
                    f"call void @subtract_{vectors}(ptr {place}, i64 %c_stride, "
                    f"ptr {t.at('%t', factors)}, i64 %t_row, i64 %t_column, ptr {strip}, "
                    f"i64 %stride, i64 %count)"
                )
    return t.text()


def takes_vectors(t: TileFunction, shape: RegisterTile, rest: str, vectors: int) -> str:
    """Whether the next tile of a row, of which so many elements are left, has so many vectors."""
    is_more = t.value(f"icmp sgt i64 {rest}, {(vectors - 1) * shape.lanes}")
    if vectors == WIDTHS[-1]:
        return is_more
    is_less = t.value(f"icmp sle i64 {rest}, {vectors * shape.lanes}")
    return t.value(f"and i1 {is_more}, {is_less}")


def copy_reflectors(shape: RegisterTile) -> str:
    """The function ``copy_reflectors``: V, with its ones and zeros, from below a diagonal.

    Its arguments are V, the first row of the source, its stride, the numbers of rows, of those of V
    and of reflectors.
    """
    parameters = "ptr %v, ptr %source, i64 %stride, i64 %rows, i64 %padded, i64 %count"
    t = TileFunction("copy_reflectors", shape.letter, shape.lanes, parameters)
    kind, mask = f"v{t.lanes}f{8 * BYTES[t.letter]}", f"<{t.lanes} x i1>"
    with t.loop(0, "%rows") as row:
        present, source = t.least(row, "%count"), t.at("%source", (row, "%stride"))
        for number in vectors_of(shape):
            value = t.value(
                f"call {t.vector} @llvm.masked.load.{kind}.p0(ptr "
                f"{t.at(source, (number * t.lanes, 1))}, i32 {BYTES[t.letter]}, "
                f"{mask} {lanes_below(t, present, number)}, {t.vector} zeroinitializer)"
            )
            t.store_vector(t.at("%v", (row, PANEL), (number * t.lanes, 1)), value)
    rest = t.multiply(t.subtract("%padded", "%rows"), PANEL)
    clear(t, t.at("%v", ("%rows", PANEL)), rest)
    with t.loop(0, t.least("%rows", "%count")) as row:
        t.do(f"store {t.scalar} 1.0, ptr {t.at('%v', (row, PANEL + 1))}")
    return t.text()


def block_factor(shape: RegisterTile) -> str:
    """The function ``block_factor``: T, from -V^T V and the factors of reflectors.

    With D of the factors and the strict upper triangle S of V^T V, (I + D S) T = D. Its arguments
    are T, the products, the factors and their number.
    """
    parameters = "ptr %factor, ptr %products, ptr %taus, i64 %count"
    t = TileFunction("block_factor", shape.letter, shape.lanes, parameters)
    numbers = vectors_of(shape)
    clear(t, "%factor", BLOCK)
    sums = [t.variable(t.vector) for _ in numbers]
    with t.loop(0, "%count") as step:
        row = t.subtract(t.subtract("%count", step), 1)
        tau = t.load_scalar(t.at("%taus", (row, 1)))
        for variable in sums:
            t.set(variable, t.vector, "zeroinitializer")
        with t.loop(t.add(row, 1), "%count") as k:
            product = t.load_scalar(t.at("%products", (row, PANEL), (k, 1)))
            factor = t.spread(t.value(f"fmul {t.scalar} {tau}, {product}"))
            for number, variable in enumerate(sums):
                value = t.load_vector(t.at("%factor", (k, PANEL), (number * t.lanes, 1)))
                total = t.intrinsic("fma", factor, value, t.get(variable, t.vector))
                t.set(variable, t.vector, total)
        for number, variable in enumerate(sums):
            place = t.at("%factor", (row, PANEL), (number * t.lanes, 1))
            t.store_vector(place, t.get(variable, t.vector))
        t.do(f"store {t.scalar} {tau}, ptr {t.at('%factor', (row, PANEL + 1))}")
    return t.text()


def block_of(shape: RegisterTile) -> str:
    """The function ``block_of``: V and -V T of reflectors.

    Its arguments are V, -V T, memory for two small matrices, the first row of the reflectors, its
    stride, the numbers of rows, of those of V and of reflectors, and their factors.
    """
    parameters = (
        "ptr %v, ptr %vt, ptr %small, ptr %source, i64 %stride, i64 %rows, i64 %padded, "
        "i64 %count, ptr %taus"
    )
    t = TileFunction("block_of", shape.letter, shape.lanes, parameters)
    factor = t.at("%small", (BLOCK, 1))
    t.do(
        "call void @copy_reflectors(ptr %v, ptr %source, i64 %stride, i64 %rows, i64 %padded, "
        "i64 %count)"
    )
    clear(t, "%small", BLOCK)
    t.do(
        f"call void @subtract_product(ptr %small, i64 {PANEL}, i64 {PANEL}, i64 {PANEL}, ptr %v, "
        f"i64 1, i64 {PANEL}, ptr %v, i64 {PANEL}, i64 %rows)"
    )
    t.do(f"call void @block_factor(ptr {factor}, ptr %small, ptr %taus, i64 %count)")
    clear(t, "%vt", t.multiply("%padded", PANEL))
    t.do(
        f"call void @subtract_product(ptr %vt, i64 {PANEL}, i64 %padded, i64 {PANEL}, ptr %v, "
        f"i64 {PANEL}, i64 1, ptr {factor}, i64 {PANEL}, i64 {PANEL})"
    )
    return t.text()


def apply_block(shape: RegisterTile) -> str:
    """The function ``apply_block``: C + A B^T C, where one of A and B is V, the other one -V T.

    Its arguments are C, its stride, the numbers of its columns, of its rows and of those of A and
    B; A and B; and memory for a strip of B^T C.
    """
    parameters = (
        "ptr %c, i64 %stride, i64 %columns, i64 %rows, i64 %padded, ptr %one, ptr %other, ptr %w"
    )
    t = TileFunction("apply_block", shape.letter, shape.lanes, parameters)
    width = WIDTHS[-1] * shape.lanes
    with t.loop(0, t.value(f"udiv i64 {t.add('%columns', width - 1)}, {width}")) as number:
        begin = t.multiply(number, width)
        columns = t.least(t.subtract("%columns", begin), width)
        strip = t.at("%c", (begin, 1))
        clear(t, "%w", PANEL * width)
        t.do(
            f"call void @subtract_product(ptr %w, i64 {width}, i64 {PANEL}, i64 {columns}, "
            f"ptr %other, i64 1, i64 {PANEL}, ptr {strip}, i64 %stride, i64 %rows)"
        )
        t.do(
            f"call void @subtract_product(ptr {strip}, i64 %stride, i64 %padded, i64 {columns}, "
            f"ptr %one, i64 {PANEL}, i64 1, ptr %w, i64 {width}, i64 {PANEL})"
        )
    return t.text()


def routine(name: str, shape: RegisterTile, arguments: str) -> TileFunction:
    """A function that a program calls."""
    parameters = ", ".join(f"ptr %{argument}" for argument in arguments.split())
    full_name = f"blocked_{shape.letter}{name}"
    return TileFunction(full_name, shape.letter, shape.lanes, parameters, internal=False)


def panels_of(t: TileFunction, count: str) -> str:
    """How many panels have so many reflectors."""
    return t.value(f"udiv i64 {t.add(count, PANEL - 1)}, {PANEL}")


def geqrf(shape: RegisterTile) -> str:
    """``factors, taus, info, source, parameters, memory, work``.

    The parameters are the numbers of rows, of columns and of reflectors; the rows of the matrix in
    memory, a multiple of those of a tile; and the elements from one of its rows to the next.
    """
    t = routine("geqrf", shape, "factors taus info source parameters memory work")
    rows, columns, count, padded, stride = (t.parameter(number) for number in range(5))
    memory = ReflectorWorkspace(t, shape, padded)
    clear(t, MATRIX, t.multiply(padded, stride))
    with t.loop(0, rows) as row:
        copy(t, t.at(MATRIX, (row, stride)), t.at("%source", (row, columns)), columns)
    with t.loop(0, panels_of(t, count)) as panel:
        begin = t.multiply(panel, PANEL)
        place, taus = t.at(MATRIX, (begin, stride), (begin, 1)), t.at("%taus", (begin, 1))
        number = t.least(t.subtract(count, begin), PANEL)
        height, padded_height = t.subtract(rows, begin), t.subtract(padded, begin)
        t.do(
            f"call void @factor_panel(ptr {place}, i64 {stride}, i64 {height}, i64 {number}, "
            f"ptr {taus}, ptr {memory.row})"
        )
        rest = t.subtract(columns, t.add(begin, PANEL))
        with t.when(t.value(f"icmp sgt i64 {rest}, 0")):
            call_block_of(
                t, memory, place, stride, height, padded_height, number, taus
            )  # fmt: skip
            target, pair = t.at(place, (PANEL, 1)), (memory.v, memory.vt)
            call_apply_block(t, memory, target, stride, rest, height, padded_height, pair)
    with t.loop(0, rows) as row:
        copy(t, t.at("%factors", (row, columns)), t.at(MATRIX, (row, stride)), columns)
    t.do("store i32 0, ptr %info")
    return t.text()


def call_block_of(
    t: TileFunction, memory: ReflectorWorkspace, source: str, stride: str, rows: str,
    padded: str, count: str,
    taus: str,
) -> None:  # fmt: skip
    """Computes V and -V T of reflectors."""
    t.do(
        f"call void @block_of(ptr {memory.v}, ptr {memory.vt}, ptr {memory.small}, ptr {source}, "
        f"i64 {stride}, i64 {rows}, i64 {padded}, i64 {count}, ptr {taus})"
    )


def call_apply_block(
    t: TileFunction, memory: ReflectorWorkspace, target: str, stride: str, columns: str, rows: str,
    padded: str, pair: Sequence[str],
) -> None:  # fmt: skip
    """Multiplies a matrix by the block of reflectors in memory; the pair is A and B."""
    one, other = pair
    t.do(
        f"call void @apply_block(ptr {target}, i64 {stride}, i64 {columns}, i64 {rows}, "
        f"i64 {padded}, ptr {one}, ptr {other}, ptr {memory.w})"
    )


def orgqr(shape: RegisterTile) -> str:
    """``q, info, reflectors, taus, parameters, memory, work``.

    The parameters are those of ``geqrf``.
    """
    t = routine("orgqr", shape, "q info reflectors taus parameters memory work")
    rows, columns, count, padded, stride = (t.parameter(number) for number in range(5))
    memory = ReflectorWorkspace(t, shape, padded)
    clear(t, MATRIX, t.multiply(padded, stride))
    with t.loop(0, columns) as row:
        t.do(f"store {t.scalar} 1.0, ptr {t.at(MATRIX, (row, stride), (row, 1))}")
    panels = panels_of(t, count)
    with t.loop(0, panels) as step:
        begin = t.multiply(t.subtract(t.subtract(panels, step), 1), PANEL)
        number = t.least(t.subtract(count, begin), PANEL)
        height, padded_height = t.subtract(rows, begin), t.subtract(padded, begin)
        source = t.at("%reflectors", (begin, columns), (begin, 1))
        taus = t.at("%taus", (begin, 1))
        call_block_of(t, memory, source, columns, height, padded_height, number, taus)
        target, width = t.at(MATRIX, (begin, stride), (begin, 1)), t.subtract(columns, begin)
        pair = memory.vt, memory.v
        call_apply_block(t, memory, target, stride, width, height, padded_height, pair)
    with t.loop(0, rows) as row:
        copy(t, t.at("%q", (row, columns)), t.at(MATRIX, (row, stride)), columns)
    t.do("store i32 0, ptr %info")
    return t.text()


def ormqr(shape: RegisterTile) -> str:
    """``product, info, reflectors, taus, source, parameters, memory, work``.

    Products from the right are those of the transposes from the left. The parameters are the order
    of Q, the number of columns of the matrix, or of rows from the right, the number of reflectors,
    and the rows and the stride as those of ``geqrf`` are; the number of columns beside the
    reflectors; whether Q stands right; and whether the first reflector is applied first.
    """
    t = routine("ormqr", shape, "product info reflectors taus source parameters memory work")
    order, columns, count, padded, stride, stored, right, upwards = (
        t.parameter(number) for number in range(8)
    )
    memory, size = ReflectorWorkspace(t, shape, padded), BYTES[t.letter]
    is_right, is_left = (t.value(f"icmp {how} i64 {right}, 0") for how in ("ne", "eq"))
    is_upwards = t.value(f"icmp ne i64 {upwards}, 0")
    clear(t, MATRIX, t.multiply(padded, stride))
    with t.when(is_left), t.loop(0, order) as row:
        copy(t, t.at(MATRIX, (row, stride)), t.at("%source", (row, columns)), columns)
    with t.when(is_right):
        transpose = f"call void @transpose_tiles_{size}(ptr {MATRIX}, i64 {stride}, ptr %source"
        t.do(f"{transpose}, i64 {order}, i64 {columns}, i64 {order})")
    pair = tuple(
        t.value(f"select i1 {is_upwards}, ptr {first}, ptr {second}")
        for first, second in ((memory.v, memory.vt), (memory.vt, memory.v))
    )
    panels = panels_of(t, count)
    with t.loop(0, panels) as step:
        last = t.subtract(t.subtract(panels, step), 1)
        panel = t.value(f"select i1 {is_upwards}, i64 {step}, i64 {last}")
        begin = t.multiply(panel, PANEL)
        number = t.least(t.subtract(count, begin), PANEL)
        height, padded_height = t.subtract(order, begin), t.subtract(padded, begin)
        source = t.at("%reflectors", (begin, stored), (begin, 1))
        taus = t.at("%taus", (begin, 1))
        call_block_of(t, memory, source, stored, height, padded_height, number, taus)
        target = t.at(MATRIX, (begin, stride))
        call_apply_block(t, memory, target, stride, columns, height, padded_height, pair)
    with t.when(is_left), t.loop(0, order) as row:
        copy(t, t.at("%product", (row, columns)), t.at(MATRIX, (row, stride)), columns)
    with t.when(is_right):
        transpose = f"call void @transpose_tiles_{size}(ptr %product, i64 {order}, ptr {MATRIX}"
        t.do(f"{transpose}, i64 {stride}, i64 {order}, i64 {columns})")
    t.do("store i32 0, ptr %info")
    return t.text()


def parts(shape: RegisterTile) -> Sequence[str]:
    """The functions that routines of this module call."""
    functions = (
        column_products, scale_column, reflect_rows, factor_panel, subtract_product,
        copy_reflectors, block_factor, block_of, apply_block,
    )  # fmt: skip
    tiles = [subtract_tile(shape, vectors) for vectors in WIDTHS]
    return [*tiles, transposition(BYTES[shape.letter]), *(write(shape) for write in functions)]
