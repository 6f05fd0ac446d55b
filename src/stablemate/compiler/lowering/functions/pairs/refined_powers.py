"""Logarithms of complex powers for which twice the precision does not suffice.

Modulus and angle of the base have an error of about 2^-98, and so have modulus and angle of the
power beside the terms that they are sums of. If those are large, or what they leave over whole
quarter turns is small, a function computes the logarithm in as many digits as it takes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import POWER_TERMS
from stablemate.compiler.lowering.functions import complex_powers
from stablemate.compiler.lowering.functions.angles import Angle
from stablemate.compiler.lowering.functions.complex_functions import INFINITY, Complex
from stablemate.compiler.lowering.functions.pairs import arithmetic as pairs
from stablemate.compiler.lowering.functions.pairs import functions as series
from stablemate.compiler.lowering.functions.pairs.arithmetic import Scaled
from stablemate.numerics.functions.arithmetic import absolute, bits_of, choice, greater, less, pick

LOST: Final = 2.0**-42  # an angle of so much of its terms has an error of 2^-56
UNSURE: Final = 2.0**-90  # of its terms, the most that the logarithm of a modulus is off
FAR: Final = 3000.0  # numbers of a modulus whose logarithm is beyond have parts that overflow


class Polar(NamedTuple):
    """A complex number.

    Attributes:
        log: The logarithm of its modulus.
        direction: Its angle.
    """

    log: Scaled
    direction: series.PointAngle


class Logarithm(NamedTuple):
    """The logarithm of a complex number.

    Attributes:
        height: The logarithm of the modulus.
        angle: The angle; if it is tiny, that counts.
        turned: The angle in quarter turns and a rest.
    """

    height: Scaled
    angle: Scaled
    turned: Angle


def refine_logarithm(
    x: Complex, y: Complex, base: Polar, usual: Logarithm, is_exact: Expression
) -> Logarithm:
    """The logarithm of a power, from the function where it is not accurate.

    Args:
        x: The base.
        y: The exponent.
        base: The base in polar coordinates.
        usual: The logarithm in twice the precision.
        is_exact: Whether the angle is zero but for quarter turns.
    """
    log, argument = pairs.pair_of(base.log, 1000), pairs.pair_of(series.angle_of(base.direction), 3)
    c, d, size = absolute(y[0]), absolute(y[1]), absolute(log[0])
    rest = absolute(pairs.pair_of(base.direction.rest, 3)[0])
    angle_size = c * rest + d * size
    total = angle_size + (c * size + d * absolute(argument[0]))
    is_open = less(absolute(usual.turned.r), angle_size * LOST) | greater(total * LOST, 1.0)
    height = absolute(pairs.pair_of(usual.height, 1000)[0])
    is_open = is_open & less(height, total * UNSURE + FAR) & less(total, INFINITY)
    is_open = is_open & complex_powers.opposite(is_exact)
    operands = choice(is_open, 1.0, 0.0, c), *x, *y, *log, *argument
    terms = [c.table.apply(name, *operands) for name in POWER_TERMS]
    fine = Scaled((terms[0], terms[1]), bits_of(terms[2]))
    angle = Scaled((terms[3], terms[4]), bits_of(terms[5]))
    turned = Angle(bits_of(terms[6]), *pairs.pair_of(angle, 3))
    picked = [pick(is_open, *both) for both in zip(turned, usual.turned, strict=True)]
    return Logarithm(
        select_pair(is_open, fine, usual.height),
        select_pair(is_open, angle, usual.angle),
        Angle(picked[0], picked[1], picked[2]),
    )


def select_pair(which: Expression, yes: Scaled, no: Scaled) -> Scaled:
    """``which ? yes : no``."""
    pair = pairs.select_pair(which, yes.pair, no.pair)
    return Scaled(pair, pick(which, yes.exponent, no.exponent))
