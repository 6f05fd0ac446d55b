"""Householder reflectors of panels: a few columns of a matrix, whose rows stand in vectors.

Reflectors and their factors are those of LAPACK: H = I - tau v v^T, the first element of v is one,
and tau is zero if all elements below the diagonal are zero.

Source: LAPACK Users' Guide, "Representation of Orthogonal or Unitary Matrices"; Golub and Van Loan,
Matrix Computations, 4th edition, algorithms 5.1.1 (reflectors) and 5.2.1 (QR).
"""

from __future__ import annotations

import struct
from typing import Final

from stablemate.compiler.library_calls.blocked.tiles import RegisterTile, TileFunction
from stablemate.compiler.library_calls.compact.text import BYTES

# Wider panels leave more to products by tiles, and take more work inside of the panel:
# ``python -m benchmarks.jax.linear_algebra`` measures routines by tiles
# (benchmarks/results/linear_algebra.md).
PANEL: Final = 16  # the columns of a panel
CHAINS: Final = 4  # sums that are added at the same time, so that none waits for the last one
# Exponents between which sums of squares are neither rounded as subnormal numbers nor overflow.
SAFE_EXPONENTS: Final = {"s": (-40, 40), "d": (-400, 400)}
MANTISSA_BITS: Final = {"s": 23, "d": 52}
LARGEST_FIELD: Final = {"s": 255, "d": 2047}  # of the exponent of infinities and NaN
WORDS: Final = {"s": "i32", "d": "i64"}


def vectors_of(shape: RegisterTile) -> range:
    """The numbers of the vectors of a row of a panel."""
    return range(max(1, PANEL // shape.lanes))


def power_of_two(exponent: int) -> str:
    """A power of two as LLVM's text has it, for any type."""
    bits = int.from_bytes(struct.pack(">d", 2.0**exponent), "big")
    return f"0x{bits:016X}"


def scalar_call(t: TileFunction, name: str, *values: str) -> str:
    """The result of a function of LLVM of scalars."""
    arguments = ", ".join(f"{t.scalar} {value}" for value in values)
    return t.value(f"call {t.scalar} @llvm.{name}.f{8 * BYTES[t.letter]}({arguments})")


def lanes_below(t: TileFunction, width: str, vector: int) -> str:
    """The lanes of a vector of a row that are among so many elements from its beginning."""
    integers = f"<{t.lanes} x i64>"
    rest = t.subtract(width, vector * t.lanes)
    lanes = ", ".join(f"i64 {lane}" for lane in range(t.lanes))
    return t.value(f"icmp slt {integers} <{lanes}>, {t.spread_as(integers, 'i64', rest)}")


def column_products(shape: RegisterTile) -> str:
    """The function ``column_products``: products of a column with all columns of its panel.

    Its arguments are where they are stored, the first row, the elements from row to row, the number
    of the column, and the number of rows.
    """
    parameters = "ptr %products, ptr %a, i64 %stride, i64 %column, i64 %count"
    t = TileFunction("column_products", shape.letter, shape.lanes, parameters)
    numbers = vectors_of(shape)
    sums = [[t.variable(t.vector) for _ in numbers] for _ in range(CHAINS)]
    for variable in (variable for chain in sums for variable in chain):
        t.set(variable, t.vector, "zeroinitializer")
    groups = t.value(f"udiv i64 %count, {CHAINS}")
    with t.loop(0, groups) as group:
        for number, chain in enumerate(sums):
            add_products(t, chain, t.add(t.multiply(group, CHAINS), number))
    with t.loop(t.multiply(groups, CHAINS), "%count") as row:
        add_products(t, sums[0], row)
    for number in numbers:
        parts = [t.get(chain[number], t.vector) for chain in sums]
        while len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=True)
            parts = [t.value(f"fadd {t.vector} {one}, {other}") for one, other in pairs]
        t.store_vector(t.at("%products", (number * t.lanes, 1)), parts[0])
    return t.text()


def add_products(t: TileFunction, sums: list[str], row: str) -> None:
    """Adds the products of an element with all elements of its row."""
    place = t.at("%a", (row, "%stride"))
    factor = t.spread(t.load_scalar(t.at(place, ("%column", 1))))
    for number, variable in enumerate(sums):
        value = t.load_vector(t.at(place, (number * t.lanes, 1)))
        before = t.get(variable, t.vector)
        t.set(variable, t.vector, t.intrinsic("fma", factor, value, before))


def scale_column(shape: RegisterTile) -> str:
    """The function ``scale_column``: multiplies a column by a power of two, to about one.

    Its arguments are the first element, the elements from row to row, the number of elements below
    it, and where the reciprocal of the factor is stored: zero if all below are zero, and nothing is
    multiplied.
    """
    parameters = "ptr %pivot, i64 %stride, i64 %rest, ptr %back"
    t = TileFunction("scale_column", shape.letter, shape.lanes, parameters)
    largest, differs = t.variable(t.scalar), t.variable("i1")
    t.set(largest, t.scalar, scalar_call(t, "fabs", t.load_scalar("%pivot")))
    t.set(differs, "i1", "false")
    t.do(f"store {t.scalar} 0.0, ptr %back")
    count = t.add("%rest", 1)
    with t.loop(1, count) as row:
        item = t.load_scalar(t.at("%pivot", (row, "%stride")))
        size, before = scalar_call(t, "fabs", item), t.get(largest, t.scalar)
        is_larger = t.value(f"fcmp ogt {t.scalar} {size}, {before}")
        larger = t.value(f"select i1 {is_larger}, {t.scalar} {size}, {t.scalar} {before}")
        t.set(largest, t.scalar, larger)
        is_not_zero = t.value(f"fcmp une {t.scalar} {item}, 0.0")  # as NaN is
        t.set(differs, "i1", t.value(f"or i1 {t.get(differs, 'i1')}, {is_not_zero}"))
    with t.when(t.get(differs, "i1")):
        scale, back = scale_of(t, t.get(largest, t.scalar))
        t.do(f"store {t.scalar} {back}, ptr %back")
        with t.loop(0, count) as row:
            place = t.at("%pivot", (row, "%stride"))
            product = t.value(f"fmul {t.scalar} {t.load_scalar(place)}, {scale}")
            t.do(f"store {t.scalar} {product}, ptr {place}")
    return t.text()


def scale_of(t: TileFunction, largest: str) -> tuple[str, str]:
    """A power of two that makes a positive number about one, and its reciprocal; ones for NaN."""
    word, bits, special = WORDS[t.letter], MANTISSA_BITS[t.letter], LARGEST_FIELD[t.letter]
    number = t.value(f"bitcast {t.scalar} {largest} to {word}")
    field = t.value(f"lshr {word} {t.value(f'and {word} {number}, {(special << bits)}')}, {bits}")
    is_special = t.value(f"icmp eq {word} {field}, {special}")
    exponent = t.value(f"select i1 {is_special}, {word} {special // 2}, {word} {field}")
    opposite = t.value(f"sub {word} {special - 1}, {exponent}")
    fits = t.value(f"icmp sgt {word} {opposite}, 1")
    positive = t.value(f"select i1 {fits}, {word} {opposite}, {word} 1")
    is_small = t.value(f"icmp slt {word} {positive}, {special - 2}")
    scale = t.value(f"select i1 {is_small}, {word} {positive}, {word} {special - 2}")
    back = t.value(f"sub {word} {special - 1}, {scale}")
    shifted = [t.value(f"shl {word} {value}, {bits}") for value in (scale, back)]
    one, other = (t.value(f"bitcast {word} {value} to {t.scalar}") for value in shifted)
    return one, other


def reflect_rows(shape: RegisterTile) -> str:
    """The function ``reflect_rows``: replaces the rows of a panel below a diagonal element.

    Its arguments are the first of these rows, the elements from row to row, the number of the
    column and of the rows; the factor that makes a reflector of the column; and what is subtracted
    from each row, times the reflector's element.
    """
    scalar = TileFunction("", shape.letter, shape.lanes, "").scalar
    parameters = f"ptr %a, i64 %stride, i64 %column, i64 %count, {scalar} %factor, ptr %products"
    t = TileFunction("reflect_rows", shape.letter, shape.lanes, parameters)
    numbers = vectors_of(shape)
    products = [t.load_vector(t.at("%products", (number * t.lanes, 1))) for number in numbers]
    done = [lanes_below(t, "%column", number) for number in numbers]  # which a NaN leaves alone
    with t.loop(0, "%count") as row:
        first = t.at("%a", (row, "%stride"))
        place = t.at(first, ("%column", 1))
        item = t.value(f"fmul {t.scalar} {t.load_scalar(place)}, %factor")
        factor = t.spread(item)
        for number, product in enumerate(products):
            at = t.at(first, (number * t.lanes, 1))
            before = t.load_vector(at)
            after = t.subtract_product(before, factor, product)
            t.store_vector(at, t.select(done[number], t.vector, before, after))
        t.do(f"store {t.scalar} {item}, ptr {place}")
    return t.text()


def factor_panel(shape: RegisterTile) -> str:
    """The function ``factor_panel``: replaces a panel by R and reflectors below its diagonal.

    Its arguments are the first row, the elements from row to row, the number of rows and of
    reflectors, where their factors are stored, and memory for a row of the panel.
    """
    parameters = "ptr %a, i64 %stride, i64 %rows, i64 %count, ptr %taus, ptr %products"
    t = TileFunction("factor_panel", shape.letter, shape.lanes, parameters)
    back = t.variable(t.scalar)
    with t.loop(0, "%count") as column:
        after = t.add(column, 1)
        row, below = t.at("%a", (column, "%stride")), t.at("%a", (after, "%stride"))
        rest, pivot = t.subtract("%rows", after), t.at(row, (column, 1))
        products = (
            f"call void @column_products(ptr %products, ptr {below}, i64 %stride, i64 {column}, "
            f"i64 {rest})"
        )
        t.do(products)
        t.set(back, t.scalar, "1.0")
        with t.when(is_unsafe(t, shape, pivot, column)):
            t.do(f"call void @scale_column(ptr {pivot}, i64 %stride, i64 {rest}, ptr {back})")
            t.do(products)
        tau = t.at("%taus", (column, 1))
        t.do(f"store {t.scalar} 0.0, ptr {tau}")
        with t.when(t.value(f"fcmp une {t.scalar} {t.get(back, t.scalar)}, 0.0")):
            factor = eliminate(t, shape, row, column, tau, t.get(back, t.scalar))
            t.do(
                f"call void @reflect_rows(ptr {below}, i64 %stride, i64 {column}, i64 {rest}, "
                f"{t.scalar} {factor}, ptr %products)"
            )
    return t.text()


def norm_squared(t: TileFunction, alpha: str, column: str) -> str:
    """The square of the norm of a column, whose part below the diagonal is among the products."""
    squares = t.load_scalar(t.at("%products", (column, 1)))
    return scalar_call(t, "fma", alpha, alpha, squares)


def is_unsafe(t: TileFunction, shape: RegisterTile, pivot: str, column: str) -> str:
    """Whether squares or products may have overflown or vanished."""
    smallest, largest = (power_of_two(exponent) for exponent in SAFE_EXPONENTS[t.letter])
    squares = t.load_scalar(t.at("%products", (column, 1)))
    total = norm_squared(t, t.load_scalar(pivot), column)
    is_small = t.value(f"fcmp ult {t.scalar} {squares}, {smallest}")
    is_large = t.value(f"fcmp ugt {t.scalar} {total}, {largest}")
    answer = t.value(f"or i1 {is_small}, {is_large}")
    for number in vectors_of(shape):
        products = t.load_vector(t.at("%products", (number * t.lanes, 1)))
        zeros = t.times(products, "zeroinitializer")
        is_not_finite = t.any(t.compare("uno", zeros, zeros))
        answer = t.value(f"or i1 {answer}, {is_not_finite}")
    return answer


def reflector(t: TileFunction, alpha: str, total: str) -> tuple[str, str, str]:
    """The reflector of a column that begins with alpha, and of which ``total`` is the squared norm.

    Returns:
        beta, which replaces alpha; the factor that makes v of the elements below it; and tau.
    """
    root = scalar_call(t, "sqrt", total)
    beta = t.value(f"fneg {t.scalar} {scalar_call(t, 'copysign', root, alpha)}")
    difference = t.value(f"fsub {t.scalar} {alpha}, {beta}")
    factor = t.value(f"fdiv {t.scalar} 1.0, {difference}")
    opposite = t.value(f"fsub {t.scalar} {beta}, {alpha}")
    return beta, factor, t.value(f"fdiv {t.scalar} {opposite}, {beta}")


def eliminate(
    t: TileFunction, shape: RegisterTile, row: str, column: str, tau_place: str, back: str
) -> str:
    """Replaces the row of a diagonal element, and the products by what other rows need.

    Returns:
        The factor that makes a reflector of the column below the diagonal.
    """
    pivot = t.at(row, (column, 1))
    alpha = t.load_scalar(pivot)
    beta, factor, tau = reflector(t, alpha, norm_squared(t, alpha, column))
    t.do(f"store {t.scalar} {tau}, ptr {tau_place}")
    factors, taus, after = t.spread(factor), t.spread(tau), t.add(column, 1)
    for number in vectors_of(shape):
        place = t.at(row, (number * t.lanes, 1))
        memory = t.at("%products", (number * t.lanes, 1))
        values = t.load_vector(place)
        products = t.intrinsic("fma", factors, t.load_vector(memory), values)
        scaled, done = t.times(products, taus), lanes_below(t, after, number)
        kept = t.select(done, t.vector, "zeroinitializer", scaled)
        t.store_vector(memory, kept)
        t.store_vector(place, t.value(f"fsub {t.vector} {values}, {kept}"))
    t.do(f"store {t.scalar} {t.value(f'fmul {t.scalar} {beta}, {back}')}, ptr {pivot}")
    return factor
