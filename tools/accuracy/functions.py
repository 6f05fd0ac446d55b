"""What is measured: functions, element types, points, and the errors that are allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import mpmath
import numpy as np

import stablemate as sm
from stablemate.dialects.stablehlo.accuracy import bound
from stablemate.numerics.elements import COMPLEX64, COMPLEX128, SIMPLE_ELEMENTS, Array, ElementType
from tools.accuracy.exact import CHLO, NEGLIGIBLE, STABLEHLO, exactly
from tools.accuracy.measure import WRONG, Format
from tools.accuracy.points import complex_points, real_points, rounded

REAL_TYPES: Final = ("f64", "f32", "f16", "bf16", "f8E5M2", "f8E4M3FN")
COMPLEX_TYPES: Final = ("complex<f64>", "complex<f32>")
REAL_ONLY: Final = frozenset(
    {"bessel_i1e", "digamma", "erf", "erf_inv", "erfc", "lgamma", "polygamma", "zeta"}
)
BINARY: Final = frozenset({"atan2", "polygamma", "power", "zeta"})
GAMMA: Final = frozenset({"digamma", "lgamma"})  # below zero errors count against 1 at least
# Zero parts of complex results have the signs that the upstream interpreter gives them.
UPSTREAM_ZEROS: Final = frozenset(
    {"exponential_minus_one", "log_plus_one", "logistic", "rsqrt"}
)  # tests/properties/test_complex_values.py compares them
ALLOWED: Final = {"f64": 1.5, "complex<f64>": 2.0}  # of chlo
HIGHEST: Final = (
    " {result_accuracy = #stablehlo.result_accuracy<"
    "mode = #stablehlo.result_accuracy_mode<HIGHEST>>}"
)


@dataclass(frozen=True)
class Case:
    """A function for an element type.

    Attributes:
        dialect: ``stablehlo`` or ``chlo``.
        name: The operation.
        element: The element type.
        highest: Whether the highest accuracy is asked for.
    """

    dialect: str
    name: str
    element: str
    highest: bool = False

    def __str__(self) -> str:
        return f"{self.dialect}.{self.name} {self.element}" + " HIGHEST" * self.highest

    @property
    def is_complex(self) -> bool:
        """Whether numbers have two parts."""
        return self.element in COMPLEX_TYPES

    @property
    def type(self) -> ElementType:
        """The element type."""
        return element_of(self.element)

    @property
    def dtype(self) -> Any:
        """NumPy's type of the elements."""
        return self.type.dtype

    @property
    def allowed(self) -> float:
        """The most units in the last place that a part may be off."""
        if self.dialect == "chlo" and self.element in ALLOWED:
            return ALLOWED[self.element]
        return bound(self.name, self.type, highest=self.highest)

    def points(self, count: int = 100, seed: int = 0) -> Sequence[Array]:
        """Operands at which the function is hard."""
        special = POINTS.get(self.name)
        if special is not None:
            return special(self, count, seed)
        return [(complex_points if self.is_complex else real_points)(self.dtype, count, seed)]

    def results(self, operands: Sequence[Array]) -> Array:
        """What our interpreter gives."""
        return np.asarray(sm.run(self.program(len(operands[0])), *operands, backend="interpreter"))

    def program(self, size: int) -> str:
        """A function that applies the operation to vectors."""
        tensor, count = f"tensor<{size}x{self.element}>", 1 + (self.name in BINARY)
        names, types = ", ".join(["%a", "%b"][:count]), ", ".join([tensor] * count)
        arguments = ", ".join(f"{name}: {tensor}" for name in ["%a", "%b"][:count])
        operation = (
            f"chlo.{self.name} {names} : {types} -> {tensor}"
            if self.dialect == "chlo"
            else f'"stablehlo.{self.name}"({names}){HIGHEST * self.highest} : ({types}) -> {tensor}'
        )
        return (
            f"func.func @main({arguments}) -> {tensor} {{\n"
            f"  %0 = {operation}\n  return %0 : {tensor}\n}}"
        )

    def errors(self, operands: Sequence[Array]) -> Array:
        """The error of each result: of its larger part, in units in the last place."""
        results = self.results(operands)
        return np.array(
            [self.error(results[i], [x[i] for x in operands]) for i in range(len(results))]
        )

    def error(self, result: Any, operands: Sequence[Any]) -> float:
        """The error of one result."""
        wide = np.complex128 if self.is_complex else np.float64
        exact = exact_result(self.dialect, self.name, *(wide(x) for x in operands))
        if exact[0] is None:
            return 0.0
        form = Format(np.zeros(1, self.dtype).real.dtype)
        if self.name in GAMMA and float(operands[0]) < 0 and abs(exact[0]) < 1:
            with mpmath.workprec(200):
                return float(abs(mpmath.mpf(float(result)) - exact[0]) / form.unit(mpmath.mpf(1)))
        if self.is_complex and any(mpmath.isinf(part) for part in exact):
            return 0.0 if np.isinf(result) else WRONG  # a pole, where the angle is anyone's
        return max(
            0.0 if self.is_zero_of_any_sign(a, b) else form.error(float(a), b)
            for a, b in parts(result, exact)
        )

    def is_zero_of_any_sign(self, actual: Any, exact: Any) -> bool:
        """Whether a part is zero as it should be, with a sign that upstream decides."""
        has_upstream_zeros = self.is_complex and self.name in UPSTREAM_ZEROS
        return has_upstream_zeros and actual == 0 and abs(exact) < mpmath.ldexp(1, NEGLIGIBLE)


def parts(result: Any, exact: tuple[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Actual and exact parts."""
    yield result.real, exact[0]
    if np.iscomplexobj(result):
        yield result.imag, exact[1]


KNOWN: Final[dict[tuple[str, ...], tuple[Any, Any]]] = {}


def exact_result(dialect: str, name: str, *operands: Any) -> tuple[Any, Any]:
    """The exact result; computed once."""
    key = (dialect, name, *map(repr, operands))  # tells zeros apart
    if key not in KNOWN:
        function = (CHLO if dialect == "chlo" else STABLEHLO)[name]
        KNOWN[key] = exactly(function, *operands)
    return KNOWN[key]


def element_of(name: str) -> ElementType:
    """The element type of a name."""
    return {"complex<f32>": COMPLEX64, "complex<f64>": COMPLEX128}.get(name) or SIMPLE_ELEMENTS[
        name
    ]


# ---- points of functions that need their own


def pairs(case: Case, count: int, seed: int) -> Sequence[Array]:
    """Pairs of hard numbers."""
    single = (complex_points if case.is_complex else real_points)(case.dtype, count, seed)
    generator = np.random.default_rng(seed)
    if case.is_complex:  # where neither magnitude nor angle is beyond reach, and no sign is open
        wide = single.astype(np.complex128)
        size = np.abs(wide)
        single = single[(size < 300) & (size > 2.0**-60) & (wide.real != 0) & (wide.imag != 0)]
    chosen = generator.integers(0, len(single), (2, 8 * count))
    lhs, rhs = single[chosen[0]], single[chosen[1]]
    are_apart = chosen[0] != chosen[1]
    if case.is_complex:  # and where the imaginary part of an angle is zero
        are_apart &= lhs != -rhs
    return [lhs[are_apart], rhs[are_apart]]


def near_powers(case: Case, count: int, seed: int) -> Sequence[Array]:
    """Pairs of hard numbers, and powers that are neither zero nor infinite."""
    x, y = pairs(case, count, seed)
    if case.is_complex:
        return [x, y]
    generator = np.random.default_rng(seed)
    exponents = np.exp2(generator.uniform(-4, 12, 4 * count)) * generator.choice([-1, 1], 4 * count)
    exponents = exponents[np.abs(exponents) >= 2.0**-3]
    largest = float(np.log2(np.finfo(np.float32 if case.element != "f64" else np.float64).max))
    bases = np.exp2(
        generator.uniform(-1, 1, len(exponents)) * largest / np.maximum(np.abs(exponents), 1)
    )
    with np.errstate(over="ignore"):
        more = [exponent.astype(case.dtype) for exponent in (bases, exponents)]
    return [np.concatenate([x, more[0]]), np.concatenate([y, more[1]])]


def gamma_points(case: Case, count: int, seed: int) -> Sequence[Array]:
    """Numbers that are not far out, and not zero."""
    values = real_points(case.dtype, count, seed)
    wide = values.astype(np.float64)
    return [values[(wide != 0) & (np.abs(wide) < 1e6) & ((wide > 0) | (wide != np.floor(wide)))]]


def orders(case: Case, count: int, seed: int) -> Sequence[Array]:
    """Orders and positive arguments of polygamma."""
    generator = np.random.default_rng(seed)
    top = 300 if case.element in ("f64", "f32") else 6
    n = generator.integers(1, top, 2 * count).astype(np.float64)
    x = np.exp2(generator.uniform(-3, 3, 2 * count)) * np.where(n > 20, n, 1)
    return [n.astype(case.dtype), x.astype(case.dtype)]


def exponents(case: Case, count: int, seed: int) -> Sequence[Array]:
    """Exponents above 1 and positive arguments of zeta."""
    generator = np.random.default_rng(seed)
    x = 1 + np.exp2(generator.uniform(-8, 5, 2 * count))
    q = np.exp2(generator.uniform(-8, 12, 2 * count))
    narrow = [item.astype(case.dtype) for item in (x, q)]
    inside = narrow[0].astype(np.float64) > 1
    return [item[inside] for item in narrow]


def inside_one(case: Case, count: int, seed: int) -> Sequence[Array]:
    """Numbers between -1 and 1, near the ends too."""
    generator = np.random.default_rng(seed)
    near = 1 - np.exp2(generator.uniform(-53, 0, count))
    values = rounded(np.concatenate([near, -near]), case.dtype)
    values = np.concatenate([values, real_points(case.dtype, count, seed)])
    return [values[np.abs(values.astype(np.float64)) < 1]]


POINTS: Final[dict[str, Callable[[Case, int, int], Sequence[Array]]]] = {
    "atan2": pairs,
    "digamma": gamma_points,
    "erf_inv": inside_one,
    "lgamma": gamma_points,
    "polygamma": orders,
    "power": near_powers,
    "zeta": exponents,
}


def cases() -> Iterator[Case]:
    """Everything that is measured."""
    for dialect, functions in (("stablehlo", STABLEHLO), ("chlo", CHLO)):
        for name in functions:
            for element in (*REAL_TYPES, *(() if name in REAL_ONLY else COMPLEX_TYPES)):
                yield Case(dialect, name, element)
            if dialect == "stablehlo" and name not in BINARY:
                yield Case(dialect, name, "f64", highest=True)
