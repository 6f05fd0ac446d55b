"""The properties of ``f32`` and ``f64`` that functions use: layout, constants, coefficients.

The polynomials are the best ones (Remez) whose coefficients are rounded from the first to the last;
the comment of each says what it stands for, on which interval, and its relative error there.
"""

from __future__ import annotations

from typing import Final

from stablemate.deferred_dataclasses import dataclass

Coefficients = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A floating-point format.

    Attributes:
        name: The register type.
        integer: The integers of the same width.
        bits: The width.
        mantissa: Bits of the mantissa that are stored.
        bias: The exponent of 1 as it is stored.
        tiny: The smallest normal number.
        log2e: log2(e).
        ln2: log(2) in parts; products of exponents with the first one are exact.
        exponents: Beyond these numbers exp(x) is zero or infinite.
        vanishing: exp(x) - 1 is -1 below it.
        quarter: pi/2 in parts; products of counts up to ``turns`` with all but the last are exact.
        exact: After how many of them the difference from a number is exact.
        turns: How many quarter turns these parts are exact for.
        pi: pi/4 in two parts; products of the first one with 0 ... 4 are exact.
        exp: (exp(r) - 1 - r) / r^2 for abs(r) <= log(2) / 2.
        log: See ``logarithm``.
        sin: (sin(r) - r) / r^3 of r^2, abs(r) <= pi/4.
        cos: (cos(r) - 1 + r^2 / 2) / r^4 of r^2, abs(r) <= pi/4.
        atan: (atan(t) - t) / t^3 of t^2, abs(t) <= tan(pi/8).
    """

    name: str
    integer: str
    bits: int
    mantissa: int
    bias: int
    tiny: float
    log2e: float
    ln2: tuple[float, float]
    exponents: tuple[float, float]
    vanishing: float
    quarter: Coefficients
    exact: int
    turns: float
    pi: tuple[float, float]
    exp: Coefficients
    log: Coefficients
    sin: Coefficients
    cos: Coefficients
    atan: Coefficients

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << (self.bits - 1)

    @property
    def rounder(self) -> float:
        """A number to which others are added to be rounded; the last bits of the sum are theirs."""
        return 1.5 * 2.0**self.mantissa


F32: Final = FloatFormat(
    "f32", "i32", 32, 23, 127, 2.0**-126,
    log2e=1.4426950408889634,
    ln2=(0.693145751953125, 1.428606765330187e-06),
    exponents=(-104.0, 89.0),
    vanishing=-18.0,
    quarter=(1.5703125, 0.0004837512969970703, 7.549533620476723e-08, 2.563344151594519e-12),
    exact=2,
    turns=8192.0,
    pi=(0.785398006439209, 1.5695823932524066e-07),
    # 2^-28.2
    exp=(0.4999999403953552, 0.16666515171527863, 0.041668083518743515, 0.008369342423975468,
         0.0013840188039466739),
    # (log(1 + f) - f + f^2 / 2) / f^3 for sqrt(1/2) <= 1 + f <= sqrt(2); 2^-27.1
    log=(0.3333331346511841, -0.2500016689300537, 0.20002223551273346, -0.16659367084503174,
         0.14209675788879395, -0.12549255788326263, 0.12103253602981567, -0.10899725556373596,
         0.053230028599500656),
    # 2^-28.0
    sin=(-0.16666655242443085, 0.008332190103828907, -0.00019518405315466225),
    # 2^-33.0
    cos=(0.04166664555668831, -0.0013887309469282627, 2.4432327336398885e-05),
    # 2^-30.5
    atan=(-0.33333316445350647, 0.1999853253364563, -0.14244510233402252, 0.10600165277719498,
          -0.06092705950140953),
)  # fmt: skip
F64: Final = FloatFormat(
    "f64", "i64", 64, 52, 1023, 2.0**-1022,
    log2e=1.4426950408889634,
    ln2=(0.6931471803691238, 1.9082149292705877e-10),
    exponents=(-746.0, 710.0),
    vanishing=-38.0,
    quarter=(1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21,
             8.4784276603689e-32),
    exact=1,
    turns=2.0**20,
    pi=(0.7853981633974483, 3.061616997868383e-17),
    # 2^-63
    exp=(0.5, 0.16666666666666688, 0.04166666666666682, 0.008333333333314012,
         0.0013888888888788488, 0.00019841269902983363, 2.4801587522955723e-05,
         2.755722885016432e-06, 2.755710311252306e-07, 2.511400481756803e-08,
         2.0967996010729214e-09),
    # (2 atanh(s) / s - 2) / s^2 of s^2, 0 <= s^2 <= 0.0295; 2^-58.6
    log=(0.6666666666666735, 0.3999999999940937, 0.2857142874366837, 0.22222198433405638,
         0.1818357197169223, 0.15313847596018523, 0.14798013608439206),
    # 2^-58.0
    sin=(-0.16666666666666632, 0.008333333333322455, -0.0001984126982981342,
         2.7557313687579124e-06, -2.505075671592336e-08, 1.5896681963098345e-10),
    # 2^-63.9
    cos=(0.041666666666666595, -0.0013888888888873307, 2.480158728896522e-05,
         -2.755731420306864e-07, 2.087570313637719e-09, -1.1358616727663995e-11),
    # 2^-59.4
    atan=(-0.333333333333332, 0.19999999999953819, -0.14285714280223918, 0.11111110785023458,
          -0.09090897804798702, 0.07692061028721212, -0.06663112518196333, 0.05847942760633479,
          -0.050395020345459285, 0.03806837649873615, -0.017910032996556493),
)  # fmt: skip
