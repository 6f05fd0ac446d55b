"""The Schur form of real matrices of two rows, one in each lane.

Source: LAPACK Users' Guide, hseqr ("standardized"); Bai and Demmel, On swapping diagonal blocks in
real Schur form, Linear Algebra and its Applications 186 (1993).
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.library_calls.compact.vectors import (
    Mask,
    Vector,
    hypotenuse,
    larger,
    number,
    power_of_two,
    smaller,
)

PRECISION_FACTOR: Final = {"s": 4 * 2.0**-23, "d": 4 * 2.0**-52}

Block = tuple[Vector, Vector, Vector, Vector]
Rotated = tuple[Block, Vector, Vector]


def choose(mask: Mask, one: Rotated, other: Rotated) -> Rotated:
    """The first of two results in the lanes of a mask, the second elsewhere."""
    a, b, c, d = (mask.choose(x, y) for x, y in zip(one[0], other[0], strict=True))
    return (a, b, c, d), mask.choose(one[1], other[1]), mask.choose(one[2], other[2])


def standard_block(a: Vector, b: Vector, c: Vector, d: Vector) -> Rotated:
    """The Schur form of ((a, b), (c, d)).

    Returns:
        The form: c is zero, or a = d and b c < 0; and the cosine and the sine of the rotation.
    """
    text, zero, one = a.text, number(a.text, 0), number(a.text, 1)
    is_upper, is_lower = c.is_zero(), b.is_zero()
    has_other_sign = one.with_sign_of(b).compare("une", one.with_sign_of(c))
    is_standard = is_upper | (~is_lower & (a - d).is_zero() & has_other_sign)
    half = (a - d) * number(text, 0.5)
    most, least = larger(abs(b), abs(c)), smaller(abs(b), abs(c))
    least = least.with_sign_of(b) * one.with_sign_of(c)
    scale = larger(abs(half), most)
    scale = scale.is_zero().choose(one, scale)
    discriminant = (half / scale).times_plus(half, (most / scale) * least)
    is_real = discriminant.compare("oge", number(text, PRECISION_FACTOR[text.letter]))
    root = (scale.sqrt() * abs(discriminant).sqrt()).with_sign_of(half)
    real = distinct_values((a, b, c, d), half + root, (most, least))
    rotated = choose(is_real, real, equal_diagonal((a, b, c, d)))
    swapped = ((d, -c, zero, a), zero, one)
    kept = ((a, b, c, d), one, zero)
    return choose(is_standard, kept, choose(is_lower & ~is_upper, swapped, rotated))


def distinct_values(block: Block, z: Vector, products: tuple[Vector, Vector]) -> Rotated:
    """The triangular form of a block with two different real eigenvalues."""
    _, b, c, d = block
    most, least = products
    zero = number(d.text, 0)
    scale, _ = power_of_two(larger(abs(c), abs(z)))
    length = hypotenuse(c * scale, z * scale)
    cosine, sine = z * scale / length, c * scale / length
    return (d + z, b - c, zero, d - (most / z) * least), cosine, sine


def equal_diagonal(block: Block) -> Rotated:
    """The form with equal diagonal elements; triangular if the eigenvalues are real."""
    a, b, c, d = block
    zero, one, half = (number(a.text, value) for value in (0, 1, 0.5))
    difference, total = a - d, b + c
    scale, _ = power_of_two(larger(abs(difference), abs(total)))
    difference, total = difference * scale, total * scale
    length = hypotenuse(total, difference)
    cosine = (half * (one + abs(total) / length)).sqrt()
    sine = -((half * difference) / (length * cosine)) * one.with_sign_of(total)
    aa, bb = cosine.times_plus(a, b * sine), cosine.times_plus(b, -(a * sine))
    cc, dd = cosine.times_plus(c, d * sine), cosine.times_plus(d, -(c * sine))
    a, b = cosine.times_plus(aa, cc * sine), cosine.times_plus(bb, dd * sine)
    c, d = cosine.times_plus(cc, -(aa * sine)), cosine.times_plus(dd, -(bb * sine))
    middle = half * (a + d)
    equal = ((middle, b, c, middle), cosine, sine)
    is_real = one.with_sign_of(b).compare("oeq", one.with_sign_of(c))
    is_real = is_real & ~b.is_zero() & ~c.is_zero()
    triangular = equal_values(equal)
    turned = ((middle, -c, zero, middle), -sine, cosine)
    turns = b.is_zero() & ~c.is_zero()
    return choose(turns, turned, choose(is_real, triangular, equal))


def equal_values(rotated: Rotated) -> Rotated:
    """The triangular form of a block with equal diagonal elements and real eigenvalues."""
    (middle, b, c, _), cosine, sine = rotated
    zero, one = number(b.text, 0), number(b.text, 1)
    upper, lower = abs(b).sqrt(), abs(c).sqrt()
    offset = (upper * lower).with_sign_of(c)
    inverse = one / abs(b + c).sqrt()
    other_cosine, other_sine = upper * inverse, lower * inverse
    block = (middle + offset, b - c, zero, middle - offset)
    return (
        block,
        cosine.times_plus(other_cosine, -(sine * other_sine)),
        cosine.times_plus(other_sine, sine * other_cosine),
    )
