"""chlo-legalize-to-stablehlo: every operation of CHLO as operations of StableHLO."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.rewriter import Pattern
from stablemate.numerics.elements import F64
from stablemate.transforms.chlo import (
    arithmetic,
    elementary,
    error_functions,
    gamma_functions,
    inverse_functions,
)
from stablemate.transforms.chlo.patterns import elementwise, exact

CHLO_PATTERNS: Final[Mapping[str, Pattern]] = {
    "chlo.acos": elementwise(inverse_functions.acos),
    "chlo.acosh": elementwise(inverse_functions.acosh),
    "chlo.asin": elementwise(inverse_functions.asin),
    "chlo.asinh": elementwise(inverse_functions.asinh),
    "chlo.atan": elementwise(inverse_functions.atan),
    "chlo.atanh": elementwise(inverse_functions.atanh),
    "chlo.conj": elementwise(elementary.conjugate, elementary.conjugate_complex),
    "chlo.cosh": elementwise(elementary.cosh, elementary.cosh_complex),
    "chlo.digamma": elementwise(gamma_functions.digamma, computed_in=F64),
    "chlo.erf": elementwise(error_functions.erf),
    "chlo.erf_inv": elementwise(error_functions.erf_inv),
    "chlo.erfc": elementwise(error_functions.erfc, computed_in=F64),
    "chlo.lgamma": elementwise(gamma_functions.lgamma, computed_in=F64),
    "chlo.sinh": elementwise(elementary.sinh, elementary.sinh_complex),
    "chlo.square": elementwise(elementary.square, elementary.square_complex),
    "chlo.tan": exact(arithmetic.tan),
}
