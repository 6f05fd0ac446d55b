"""chlo-legalize-to-stablehlo: every operation of CHLO as operations of StableHLO."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.chlo.ranks import is_ranked
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.numerics.elements import F64
from stablemate.transforms.chlo import (
    arithmetic,
    bessel_functions,
    bit_functions,
    complex_functions,
    elementary,
    error_functions,
    gamma_functions,
    inverse_functions,
    zeta_functions,
)
from stablemate.transforms.chlo.broadcasting import BROADCASTING
from stablemate.transforms.chlo.constants import constant, constant_like
from stablemate.transforms.chlo.patterns import elementwise, exact
from stablemate.transforms.chlo.ragged_dot import ragged_dot
from stablemate.transforms.chlo.scan import scan
from stablemate.transforms.chlo.top_k import top_k

FORMULAS: Final[Mapping[str, Pattern]] = {
    **BROADCASTING,
    "chlo._asin_acos_kernel": exact(complex_functions.asin_acos_kernel),
    "chlo.acos": elementwise(inverse_functions.acos, complex_functions.acos),
    "chlo.acosh": elementwise(inverse_functions.acosh, complex_functions.acosh),
    "chlo.asin": elementwise(inverse_functions.asin, complex_functions.asin),
    "chlo.asinh": elementwise(inverse_functions.asinh, complex_functions.asinh),
    "chlo.atan": elementwise(inverse_functions.atan, complex_functions.atan),
    "chlo.atanh": elementwise(inverse_functions.atanh, complex_functions.atanh),
    "chlo.bessel_i1e": elementwise(bessel_functions.bessel_i1e, computed_in=F64),
    "chlo.conj": exact(elementary.conjugate),
    "chlo.constant": constant,
    "chlo.constant_like": constant_like,
    "chlo.cosh": elementwise(elementary.cosh, elementary.cosh_complex),
    "chlo.digamma": elementwise(gamma_functions.digamma, computed_in=F64),
    "chlo.erf": elementwise(error_functions.erf),
    "chlo.erf_inv": elementwise(error_functions.erf_inv),
    "chlo.erfc": elementwise(error_functions.erfc, computed_in=F64),
    "chlo.is_inf": exact(bit_functions.is_inf),
    "chlo.is_neg_inf": exact(bit_functions.is_neg_inf),
    "chlo.is_pos_inf": exact(bit_functions.is_pos_inf),
    "chlo.lgamma": elementwise(gamma_functions.lgamma, computed_in=F64),
    "chlo.mulhi": exact(bit_functions.mulhi),
    "chlo.next_after": exact(bit_functions.next_after),
    "chlo.polygamma": elementwise(zeta_functions.polygamma, computed_in=F64),
    "chlo.ragged_dot": ragged_dot,
    "chlo.scan": scan,
    "chlo.sinh": elementwise(elementary.sinh, elementary.sinh_complex),
    "chlo.square": exact(elementary.square),
    "chlo.tan": exact(arithmetic.tan),
    "chlo.top_k": top_k,
    "chlo.zeta": elementwise(zeta_functions.zeta, computed_in=F64),
}


def of_known_rank(pattern: Pattern) -> Pattern:
    """The pattern, for operations of which every type has a rank."""

    def replacement(operation: Operation, builder: Builder) -> Replacement:
        if not is_ranked(operation):
            message = f"{operation.name} of tensors of unknown rank has no value"
            raise UnsupportedError(message, span=operation.span)
        return pattern(operation, builder)

    return replacement


PATTERNS: Final[Mapping[str, Pattern]] = {
    name: of_known_rank(pattern) for name, pattern in FORMULAS.items()
}
