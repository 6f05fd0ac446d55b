"""chlo-legalize-to-stablehlo: every operation of CHLO as operations of StableHLO."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.chlo.elementwise import EVALUATORS
from stablemate.dialects.chlo.ranks import is_ranked
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation
from stablemate.ir.rewriter import Pattern, Replacement, TypedPattern
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import COMPLEX64, COMPLEX128, F32, F64, ComplexType, ElementType
from stablemate.numerics.functions.digamma import digamma
from stablemate.numerics.functions.zeta import zeta
from stablemate.transforms.chlo import (
    arithmetic,
    bessel_functions,
    bit_functions,
    complex_functions,
    elementary,
    error_functions,
    gamma_functions,
    inverse_functions,
    polygamma,
)
from stablemate.transforms.chlo.broadcasting import BROADCASTING
from stablemate.transforms.chlo.constants import constant, constant_like
from stablemate.transforms.chlo.evaluation.evaluators import is_narrow, rounding_evaluator
from stablemate.transforms.chlo.patterns import ElementwisePattern, exact, native
from stablemate.transforms.chlo.ragged_dot import ragged_dot
from stablemate.transforms.chlo.scan import scan
from stablemate.transforms.chlo.top_k import top_k

FORMULAS: Final[Mapping[str, Pattern]] = {
    **BROADCASTING,
    "chlo._asin_acos_kernel": exact(complex_functions.asin_acos_kernel),
    "chlo.acos": ElementwisePattern(inverse_functions.acos, complex_functions.acos),
    "chlo.acosh": ElementwisePattern(inverse_functions.acosh, complex_functions.acosh),
    "chlo.asin": ElementwisePattern(inverse_functions.asin, complex_functions.asin),
    "chlo.asinh": ElementwisePattern(inverse_functions.asinh, complex_functions.asinh),
    "chlo.atan": ElementwisePattern(inverse_functions.atan, complex_functions.atan),
    "chlo.atanh": ElementwisePattern(inverse_functions.atanh, complex_functions.atanh),
    "chlo.bessel_i1e": ElementwisePattern(bessel_functions.bessel_i1e, computed_in=F64),
    "chlo.conj": exact(elementary.conjugate),
    "chlo.constant": constant,
    "chlo.constant_like": constant_like,
    "chlo.cosh": ElementwisePattern(elementary.cosh, elementary.cosh_complex),
    "chlo.digamma": ElementwisePattern(partial(digamma, arithmetic.ELEMENTARY), computed_in=F64),
    "chlo.erf": ElementwisePattern(error_functions.erf),
    "chlo.erf_inv": ElementwisePattern(error_functions.erf_inv),
    "chlo.erfc": ElementwisePattern(error_functions.erfc, computed_in=F64),
    "chlo.is_inf": exact(bit_functions.is_inf),
    "chlo.is_neg_inf": exact(bit_functions.is_neg_inf),
    "chlo.is_pos_inf": exact(bit_functions.is_pos_inf),
    "chlo.lgamma": ElementwisePattern(gamma_functions.lgamma, computed_in=F64),
    "chlo.mulhi": exact(bit_functions.mulhi),
    "chlo.next_after": exact(bit_functions.next_after),
    "chlo.polygamma": ElementwisePattern(polygamma.polygamma, computed_in=F64),
    "chlo.ragged_dot": ragged_dot,
    "chlo.scan": scan,
    "chlo.sinh": ElementwisePattern(elementary.sinh, elementary.sinh_complex),
    "chlo.square": exact(elementary.square),
    "chlo.tan": exact(arithmetic.tan),
    "chlo.top_k": top_k,
    "chlo.zeta": ElementwisePattern(partial(zeta, arithmetic.ELEMENTARY), computed_in=F64),
}


def complex_in_doubles(operation: Operation, builder: Builder) -> Replacement:
    """``chlo.square``, of complex numbers computed in 64 bits."""
    tensor = operation.operands[0].type
    if isinstance(tensor, TensorType) and isinstance(tensor.element_type, ComplexType):
        return ElementwisePattern(elementary.square, elementary.square).in_doubles(
            operation, builder
        )
    return exact(elementary.square)(operation, builder)


# Patterns that create regions, or copy literals, whose attributes are too large to compare.
UNTYPED: Final = frozenset({"chlo.constant", "chlo.ragged_dot", "chlo.scan", "chlo.top_k"})


def pattern_of(name: str, formula: Pattern) -> Pattern:
    """The pattern of an operation, for types that have ranks."""
    pattern = of_known_rank(formula)
    return pattern if name in UNTYPED else TypedPattern(pattern)


def of_known_rank(pattern: Pattern) -> Pattern:
    """The pattern, for operations of which every type has a rank."""

    def replacement(operation: Operation, builder: Builder) -> Replacement:
        if not is_ranked(operation):
            message = f"{operation.name} of tensors of unknown rank has no value"
            raise UnsupportedError(message, span=operation.span)
        return pattern(operation, builder)

    return replacement


PATTERNS: Final[Mapping[str, Pattern]] = {
    name: pattern_of(name, formula) for name, formula in FORMULAS.items()
}

# Native code's: some functions of f32 and of f64 are its own, others of f32 are computed in 64
# bits, as are all of complex<f32>.
SINGLES: Final = (
    "acosh", "asinh", "bessel_i1e", "cosh", "erf", "erf_inv", "erfc", "sinh",
)  # fmt: skip
DOUBLES: Final = (
    "acos", "acosh", "asin", "asinh", "atanh", "cosh", "digamma", "sinh", "zeta",
)  # fmt: skip
ARCS: Final = ("acos", "acosh", "asin", "asinh", "atan", "atanh")
OWN: Final[Mapping[ElementType, Sequence[str]]] = {
    F32: SINGLES,
    F64: DOUBLES,
    COMPLEX64: ARCS,
    COMPLEX128: ARCS,
}
IN_64_BITS: Final = frozenset({"acos", "asin", "atan"})


def native_patterns() -> Iterator[tuple[str, Pattern]]:
    """The patterns of native code, by operation."""
    for name, formula in FORMULAS.items():
        pattern = formula
        if isinstance(formula, ElementwisePattern):
            short = name.removeprefix("chlo.")
            pattern = replace(formula, parts_in=F64)
            if short in IN_64_BITS:
                pattern = replace(pattern, singles_in=F64)
            own = {element for element, names in OWN.items() if short in names}
            if own:
                pattern = native(pattern, own)
        yield name, pattern_of(name, pattern)
    yield "chlo.square", pattern_of("chlo.square", complex_in_doubles)


NATIVE: Final[Mapping[str, Pattern]] = dict(native_patterns())


def unless_narrow(pattern: Pattern) -> Pattern:
    """The pattern, for operations that are not on narrow floats; these have functions of arrays."""

    def replacement(operation: Operation, builder: Builder) -> Replacement:
        is_evaluated = is_narrow(operation.operands[0].type.element_type)
        return None if is_evaluated else pattern(operation, builder)

    return replacement


# The interpreter's: functions of narrow numbers are computed in 64 bits and rounded once, those of
# floats correctly.
DOUBLED: Final = {
    name: pattern.in_doubles
    for name, pattern in FORMULAS.items()
    if isinstance(pattern, ElementwisePattern)
}
IN_DOUBLES: Final[Mapping[str, Pattern]] = {
    **PATTERNS,
    **{name: pattern_of(name, unless_narrow(pattern)) for name, pattern in DOUBLED.items()},
    "chlo.square": pattern_of("chlo.square", complex_in_doubles),
}
EVALUATORS.update({name: rounding_evaluator(pattern) for name, pattern in DOUBLED.items()})
