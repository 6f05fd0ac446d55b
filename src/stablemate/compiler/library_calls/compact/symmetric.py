"""Symmetric matrices: tridiagonal form, and eigenvalues with eigenvectors.

Reflectors, shifts and rotations are those of LAPACK's sytd2 and steqr, whose signs eigenvectors
have as long as lanes split where one matrix alone would: each lane converges by itself, and waits.

Source: LAPACK Users' Guide, sytrd and steqr; Golub and Van Loan, Matrix Computations, 4th edition:
8.3.1 (tridiagonal form), 8.3.3 to 8.3.5 (QR iteration with implicit shifts).
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.library_calls.compact.columns import rank, rotate, scatter
from stablemate.compiler.library_calls.compact.reflectors import multiply_by_q, reflector
from stablemate.compiler.library_calls.compact.text import (
    LlvmFunctionBuilder,
    VectorElements,
    function,
)
from stablemate.compiler.library_calls.compact.vectors import (
    Integers,
    IntegerVariable,
    LaneArray,
    LaneMatrix,
    Mask,
    Vector,
    Word,
    downwards,
    fill,
    hypotenuse,
    integer_variable,
    integers,
    larger,
    number,
    power_of_two,
    variable,
)
from stablemate.deferred_dataclasses import dataclass

ITERATIONS: Final = 60  # for an eigenvalue; LAPACK stops at 30 for each on average
ROUNDING: Final = {"s": 2.0**-24, "d": 2.0**-53}
# Squares of numbers that vanish beside the largest element, which is between one and two; with
# smaller ones, rotations would not be orthogonal.
NEGLIGIBLE_SQUARES: Final = {"s": 2.0**-100, "d": 2.0**-900}


@dataclass(frozen=True, slots=True)
class TridiagonalMatrix:
    """A tridiagonal matrix, and the reflectors that lead to it.

    Attributes:
        n: Its order.
        diagonal: Its diagonal.
        beside: The elements beside it; there is room for as many as on it.
        taus: The factors of the reflectors.
        products: Room for a vector.
    """

    n: Word
    diagonal: LaneArray
    beside: LaneArray
    taus: LaneArray
    products: LaneArray


def arrays_at(text: LlvmFunctionBuilder, memory: str, n: Word) -> TridiagonalMatrix:
    """The arrays, one after the other in memory."""
    places = [text.element(memory, text.multiply(n, position)) for position in range(4)]
    return TridiagonalMatrix(n, *[LaneArray(text, place) for place in places])


def reduce_to_tridiagonal(a: LaneMatrix, into: TridiagonalMatrix) -> None:
    """Replaces the lower triangle of a matrix by reflectors."""
    text, n = a.text, into.n
    last = text.add(n, -1)
    with text.loop(0, last) as j:
        after, column = text.add(j, 1), a.column_of(j)
        tau = reflector(column, after, n)
        into.taus[j], into.beside[j] = tau, column[after]
        column[after] = number(text, 1)
        with text.when(text.any((~tau.is_zero()).name)):
            update_triangle(a, column, tau, after, into)
        column[after] = into.beside[j]
    with text.loop(0, n) as j:
        into.diagonal[j] = a[j, j]


def update_triangle(
    a: LaneMatrix, v: LaneArray, tau: Vector, start: Word, into: TridiagonalMatrix
) -> None:
    """Replaces the lower triangle of A from ``start`` on by that of H A H."""
    text, n, products = a.text, into.n, into.products
    zero, keeps = number(text, 0), tau.is_zero()
    with text.loop(start, n) as i:
        products[i] = zero
    with text.loop(start, n) as i:
        row, own, factor = a.row_of(i), variable(text, zero), v[i]
        with text.loop(start, i) as k:
            item = row[k]
            own.set(item.times_plus(v[k], own.get()))
            products[k] = item.times_plus(factor, products[k])
        products[i] = products[i] + row[i].times_plus(factor, own.get())
    dot = variable(text, zero)
    with text.loop(start, n) as i:
        product = keeps.choose(zero, products[i] * tau)
        products[i] = product
        dot.set(product.times_plus(v[i], dot.get()))
    alpha = -(tau * dot.get() * number(text, 0.5))
    alpha = keeps.choose(zero, alpha)
    with text.loop(start, n) as i:
        products[i] = alpha.times_plus(v[i], products[i])
    with text.loop(start, n) as i:
        row, factor, product = a.row_of(i), v[i], products[i]
        with text.loop(start, text.add(i, 1)) as k:
            item = row[k]
            rest = item.minus_product(factor, products[k]).minus_product(product, v[k])
            row[k] = keeps.choose(item, rest)


def sytrd(elements: VectorElements) -> str:
    """``form, diagonals, beside, taus, infos, source, counts, parameters, memory``.

    An upper triangle is a lower one if rows and columns are counted from the end. The parameters
    are the order, the place of the first element, the strides of the matrix, and the step from one
    element of a vector to the next.
    """
    names = "form diagonals beside taus infos source counts parameters memory"
    t = function("sytrd", elements, names)
    n, start, stride, first, first_beside, step = (t.parameter(position) for position in range(6))
    size, count = t.multiply(n, n), t.add(n, -1)
    t.interleave("%memory", "%source", size)
    a = LaneMatrix(t, t.element("%memory", start), t.multiply(n, stride), stride)
    into = arrays_at(t, t.element("%memory", size), n)

    def array_at(array: LaneArray, place: Word) -> LaneArray:
        return LaneArray(t, t.element(array.memory, str(place)), step)

    into = TridiagonalMatrix(
        n,
        array_at(into.diagonal, first),
        array_at(into.beside, first_beside),
        array_at(into.taus, first_beside),
        into.products,
    )
    reduce_to_tridiagonal(a, into)
    t.separate("%form", "%memory", size)
    found = arrays_at(t, t.element("%memory", size), n)
    t.separate("%diagonals", found.diagonal.memory, n)
    t.separate("%beside", found.beside.memory, count)
    t.separate("%taus", found.taus.memory, count)
    t.store_integers("%infos", "zeroinitializer", 1, 0)
    return t.text()


def syevd(elements: VectorElements) -> str:
    """``vectors, values, infos, source, counts, parameters, memory``.

    The parameters are the order, the strides of the matrix whose lower triangle counts, and whether
    there are vectors. A matrix that is not finite has values and vectors that are no numbers.
    """
    t = function("syevd", elements, "vectors values infos source counts parameters memory")
    n, row, column, wants = (t.parameter(position) for position in range(4))
    size = t.multiply(n, n)
    t.interleave("%memory", "%source", size)
    z_memory = t.element("%memory", size)
    into = arrays_at(t, t.element(z_memory, size), n)
    sorted_memory = t.element(into.products.memory, n)
    a = LaneMatrix(t, "%memory", row, column)
    finite, inverse = scale_triangle(a, n)
    reduce_to_tridiagonal(a, into)
    has_vectors = t.value(f"icmp ne i64 {wants}, 0")
    rows_of_z = t.multiply(wants, n)
    z = LaneMatrix(t, z_memory, 1, n)  # columns one after the other
    with t.when(has_vectors):
        fill(z, n, n, number(t, 0), number(t, 1))
        count = t.add(n, -1)
        reflectors, rest = a.part(1, 0), z.part(1, 1)
        multiply_by_q(reflectors, into.taus, rest, (count, count, count))
    turned = turn_around(into, z, rows_of_z)
    iterate(into, z, rows_of_z, turned)
    infos = unconverged_elements(into, finite)
    ranks = LaneArray(t, into.taus.memory)
    rank(into.diagonal, ranks, n, "olt")
    not_a_number = number(t, float("nan"))
    with t.loop(0, n) as j:
        value = finite.choose(into.diagonal[j] * inverse, not_a_number)
        scatter(sorted_memory, ranks, j, (1, 0), 0, value)
    t.separate("%values", sorted_memory, n)
    with t.when(has_vectors):
        with t.loop(0, n) as j, t.loop(0, n) as i:
            value = finite.choose(z[i, j], not_a_number)
            scatter("%memory", ranks, j, (1, n), i, value)
        t.separate("%vectors", "%memory", size)
    t.store_integers("%infos", infos.name, 1, 0)
    return t.text()


def scale_triangle(a: LaneMatrix, n: Word) -> tuple[Mask, Vector]:
    """Scales a lower triangle by a power of two; zeros replace one that is not finite.

    Returns:
        Which are finite, and the inverse of the powers.
    """
    text, zero = a.text, number(a.text, 0)
    largest, zeros = variable(text, zero), variable(text, zero)
    with text.loop(0, n) as i, text.loop(0, text.add(i, 1)) as k:
        item = a[i, k]
        largest.set(larger(abs(item), largest.get()))
        zeros.set(item.times_plus(zero, zeros.get()))
    finite = zeros.get().is_zero()
    scale, inverse = power_of_two(largest.get())
    with text.loop(0, n) as i, text.loop(0, text.add(i, 1)) as k:
        a[i, k] = finite.choose(a[i, k] * scale, zero)
    return finite, inverse


def turn_around(t: TridiagonalMatrix, z: LaneMatrix, rows: Word) -> Mask:
    """Reverses the order of rows and columns where the first diagonal element is the larger one.

    Returns:
        Where it is reversed.
    """
    text = z.text
    last = text.add(t.n, -1)
    turns = abs(t.diagonal[last]).compare("olt", abs(t.diagonal[0]))
    with text.when(turns.any()):
        swap_ends(t.diagonal, t.n, turns)
        swap_ends(t.beside, last, turns)
        with text.loop(0, rows) as i:
            swap_ends(z.row_of(i), t.n, turns)
    return turns


def swap_ends(x: LaneArray, n: Word, turns: Mask) -> None:
    """Reverses an array in some lanes."""
    text = x.text
    with text.loop(0, text.value(f"lshr i64 {n}, 1")) as i:
        other = text.subtract(text.add(n, -1), i)
        one, two = x[i], x[other]
        x[i], x[other] = turns.choose(two, one), turns.choose(one, two)


@dataclass(frozen=True, slots=True)
class EigenvalueSweep:
    """A step of the iteration for the eigenvalue at ``low``.

    Attributes:
        low: Where the eigenvalue will be.
        end: Where the block ends that begins there.
        active: Which lanes go on.
        pairs: Which of them have a block of two rows.
        turned: In which lanes the order of rows is reversed.
    """

    low: Word
    end: Integers
    active: Mask
    pairs: Mask
    turned: Mask


def iterate(t: TridiagonalMatrix, z: LaneMatrix, rows: Word, turned: Mask) -> None:
    """Makes the diagonal the eigenvalues, and multiplies Z by the rotations."""
    text = z.text
    last = text.add(t.n, -1)
    t.beside[last] = number(text, 0)
    with text.loop(0, last) as low:
        count = text.variable("i64")
        text.do(f"store i64 0, ptr {count}")
        with text.repeat() as leave_if:
            end, at_end = block_end(t, low, last)
            active = end.compare("ne", integers(text, low))
            leave_if(text.value(f"xor i1 {active.any()}, true"))
            number_of_sweep = text.add(text.value(f"load i64, ptr {count}"), 1)
            text.do(f"store i64 {number_of_sweep}, ptr {count}")
            leave_if(text.value(f"icmp sgt i64 {number_of_sweep}, {ITERATIONS}"))
            pairs = end.compare("eq", integers(text, text.add(low, 1)))
            sweep(t, z, rows, EigenvalueSweep(low, end, active, pairs, turned), at_end)


def block_end(t: TridiagonalMatrix, low: Word, last: Word) -> tuple[Integers, Vector]:
    """Where the first element beside the diagonal is negligible, and the diagonal element there.

    Negligible elements become zero.
    """
    text, zero = t.diagonal.text, number(t.diagonal.text, 0)
    end = integer_variable(text, integers(text, last))
    at_end = variable(text, t.diagonal[last])
    with downwards(text, low, last) as k:
        small = is_negligible(t, k)
        t.beside[k] = small.choose(zero, t.beside[k])
        end.set(small.choose_integers(integers(text, k), end.get()))
        at_end.set(small.choose(t.diagonal[k], at_end.get()))
    return end.get(), at_end.get()


def is_negligible(t: TridiagonalMatrix, k: Word) -> Mask:
    """Whether the element beside the diagonal in a row is zero but for rounding."""
    text = t.diagonal.text
    rounding, smallest = ROUNDING[text.letter], NEGLIGIBLE_SQUARES[text.letter]
    one, other = abs(t.diagonal[k]), abs(t.diagonal[text.add(k, 1)])
    bound = (one * number(text, rounding**2)).times_plus(other, number(text, smallest))
    beside = t.beside[k]
    return (beside * beside).compare("ole", bound)


def sweep(
    t: TridiagonalMatrix, z: LaneMatrix, rows: Word, at: EigenvalueSweep, at_end: Vector
) -> None:
    """Rotations from the end of the block up to its begin, with an implicit shift."""
    text, zero, one = z.text, number(z.text, 0), number(z.text, 1)
    low = at.low
    here, beside, below = t.diagonal[low], t.beside[low], t.diagonal[text.add(low, 1)]
    cosine_of_pair, sine_of_pair, first, second = pair(
        at.turned.choose(below, here), beside, at.turned.choose(here, below)
    )
    sine_of_pair = at.turned.choose(sine_of_pair, -sine_of_pair)
    first, second = at.turned.choose(second, first), at.turned.choose(first, second)
    half = (below - here) / (beside + beside)
    root = hypotenuse(half, one).with_sign_of(half)
    g = variable(text, at_end - here + beside / (half + root))
    sine, cosine, change = variable(text, one), variable(text, one), variable(text, zero)
    with downwards(text, low, text.add(t.n, -1)) as i:
        after = text.add(i, 1)
        is_on = at.active & integers(text, i).compare("slt", at.end)
        with text.when(is_on.any()):
            f, b = sine.get() * t.beside[i], cosine.get() * t.beside[i]
            c, s, r = rotation(g.get(), f)
            at_block_end = integers(text, after).compare("eq", at.end)
            fresh = at_block_end.choose(zero, r)
            t.beside[after] = is_on.choose(fresh, t.beside[after])
            shifted = t.diagonal[after] - change.get()
            difference = (t.diagonal[i] - shifted).times_plus(s, (c + c) * b)
            moved = s * difference
            g.set(is_on.choose(c.times_plus(difference, -b), g.get()))
            new = at.pairs.choose(second, shifted + moved)
            t.diagonal[after] = is_on.choose(new, t.diagonal[after])
            change.set(is_on.choose(moved, change.get()))
            sine.set(is_on.choose(s, sine.get()))
            cosine.set(is_on.choose(c, cosine.get()))
            c, s = at.pairs.choose(cosine_of_pair, c), at.pairs.choose(sine_of_pair, s)
            rotate(z.column_of(i), z.column_of(after), rows, (c, s), is_on)
    new = at.pairs.choose(first, t.diagonal[low] - change.get())
    t.diagonal[low] = at.active.choose(new, t.diagonal[low])
    rest = at.pairs.choose(zero, g.get())
    t.beside[low] = at.active.choose(rest, t.beside[low])


def rotation(f: Vector, g: Vector) -> tuple[Vector, Vector, Vector]:
    """The cosine, the sine and r with c f + s g = r and c g = s f, as LAPACK's lartg gives them."""
    text, zero, one = f.text, number(f.text, 0), number(f.text, 1)
    squares = f.times_plus(f, g * g)
    is_zero = squares.compare("olt", number(text, NEGLIGIBLE_SQUARES[text.letter]))
    length = squares.sqrt()
    r = length.with_sign_of(f)
    c = is_zero.choose(one, abs(f) / length)
    return c, is_zero.choose(zero, g / r), is_zero.choose(f, r)


def pair(a: Vector, b: Vector, c: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """The eigenvalues of ((a, b), (b, c)) as LAPACK's laev2 gives them.

    Returns:
        The cosine and the sine of the eigenvector, the eigenvalue with the larger magnitude,
        the other one.
    """
    text, zero, one = a.text, number(a.text, 0), number(a.text, 1)
    total, difference, twice = a + c, a - c, b + b
    root = hypotenuse(difference, twice)
    a_is_larger = abs(a).compare("ogt", abs(c))
    most, least = a_is_larger.choose(a, c), a_is_larger.choose(c, a)
    is_negative = total.compare("olt", zero)
    half = number(text, 0.5)
    first = half * (total + is_negative.choose(-root, root))
    other = (most / first) * least - (b / first) * b
    is_balanced = total.is_zero()
    first = is_balanced.choose(half * root, first)
    second = is_balanced.choose(-(half * root), other)
    down = difference.compare("olt", zero)
    sine_first = difference + down.choose(-root, root)
    tangent_is_small = abs(sine_first).compare("ogt", abs(twice))
    ct, tn = -(twice / sine_first), -(sine_first / twice)
    sine = one / (ct.times_plus(ct, one)).sqrt()
    cosine = one / (tn.times_plus(tn, one)).sqrt()
    c_1 = tangent_is_small.choose(ct * sine, cosine)
    s_1 = tangent_is_small.choose(sine, tn * cosine)
    swaps = is_negative.combine("xor", down.name)
    swaps = ~swaps
    return swaps.choose(-s_1, c_1), swaps.choose(c_1, s_1), first, second


def unconverged_elements(t: TridiagonalMatrix, finite: Mask) -> Integers:
    """How many elements beside the diagonal are left."""
    text = t.diagonal.text
    none, one = Integers(text, "zeroinitializer"), integers(text, 1)
    last = text.add(t.n, -1)
    total: IntegerVariable = integer_variable(text, none)
    with text.loop(0, last) as k:
        left = (~t.beside[k].is_zero()) | ~finite
        total.set(total.get() + left.choose_integers(one, none))
    return total.get()
