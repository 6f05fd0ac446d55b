"""Lowers complex numbers: two values per element, the real and the imaginary part.

Sums and products are those of the parts, each operation rounded. Functions of ``complex<f32>`` are
computed in ``f64``, where nothing overflows, and rounded once; those of ``complex<f64>`` have forms
of their own, some in double-double arithmetic. Infinities and NaN follow C11, Annex G.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.lowering.conversions import convert_register, part_of
from stablemate.compiler.lowering.elements import (
    Index,
    KernelElements,
    element_type,
    lowers,
    represent_elements,
)
from stablemate.compiler.lowering.elementwise import category
from stablemate.compiler.lowering.functions import complex_arcs as arcs
from stablemate.compiler.lowering.functions import complex_doubles as doubles
from stablemate.compiler.lowering.functions import complex_functions as functions
from stablemate.compiler.lowering.functions import complex_powers as powers
from stablemate.compiler.lowering.functions.complex_functions import Complex
from stablemate.compiler.lowering.functions.pairs import complex_angles as accurate_angles
from stablemate.compiler.lowering.functions.pairs import complex_functions as accurate
from stablemate.compiler.lowering.functions.table import is_default
from stablemate.compiler.lowering.representation import Parts
from stablemate.numerics.elements import COMPLEX64, COMPLEX128, ComplexType
from stablemate.numerics.functions.arithmetic import equal

Formula = Callable[..., Parts]


EXACT: Final[dict[str, Formula]] = {
    "add": functions.add,
    "maximum": functions.maximum,
    "minimum": functions.minimum,
    "multiply": functions.multiply,
    "negate": functions.negate,
    "subtract": functions.subtract,
}
# Computed in f64, of complex<f32> only.
WIDENED: Final[dict[str, Formula]] = {
    "abs": functions.absolute_value,
    "atan2": powers.angle,
    "cbrt": powers.cubic_root,
    "cosine": functions.complex_cosine,
    "divide": functions.divide,
    "exponential": functions.exponential,
    "exponential_minus_one": functions.exponential_minus_one,
    "log": functions.logarithm,
    "log_plus_one": doubles.log_plus_one_of,
    "logistic": powers.logistic,
    "power": accurate.power_of_singles,
    "remainder": powers.remainder,
    "rsqrt": functions.reciprocal_root,
    "sign": functions.sign,
    "sine": functions.complex_sine,
    "sqrt": functions.square_root,
    "tan": functions.complex_tan,
    "tanh": functions.complex_tanh,
}


# Of complex<f64>, where a program is content with the plain function.
DOUBLES: Final[dict[str, Formula]] = {
    "cbrt": accurate.cubic_root,
    "cosine": doubles.complex_cosine,
    "exponential": doubles.exponential,
    "exponential_minus_one": accurate.exponential_minus_one,
    "log": doubles.logarithm_of,
    "log_plus_one": doubles.log_plus_one_of,
    "logistic": accurate.logistic,
    "rsqrt": doubles.reciprocal_root,
    "sine": doubles.complex_sine,
    "sqrt": doubles.square_root,
    "tan": doubles.complex_tan,
    "tanh": doubles.complex_tanh,
}
# Computed in f64, of complex<f64>.
SCALED: Final[dict[str, Formula]] = {
    "abs": functions.absolute_value_scaled,
    "atan2": accurate_angles.angle,
    "divide": functions.divide_scaled,
    "power": accurate.power,
    "remainder": powers.remainder,
    "sign": functions.sign_scaled,
}


def on_complex(node: Node) -> bool:
    """Whether it computes with complex numbers."""
    return isinstance(element_type(node.operands[0]), ComplexType)


def on_singles(node: Node) -> bool:
    """Whether it computes with ``complex<f32>``."""
    return element_type(node.operands[0]) == COMPLEX64


def on_doubles(node: Node) -> bool:
    """Whether it computes with ``complex<f64>``."""
    return element_type(node.operands[0]) == COMPLEX128


def on_default_doubles(node: Node) -> bool:
    """Whether the operation is on ``complex<f64>`` with the default accuracy."""
    return on_doubles(node) and is_default(node)


def register_complex_operation(name: str, formula: Formula, admits: Callable[[Node], bool]) -> None:
    """Registers an operation whose formula takes and returns real and imaginary parts."""

    def lowering(elements: KernelElements, node: Node, index: Index) -> Parts:
        return formula(*[elements.at(operand, index) for operand in node.operands])

    lowers(name, admits=admits)(lowering)


def register_widened_operation(name: str, formula: Formula) -> None:
    """Registers an operation that is computed in ``f64``."""

    def lowering(elements: KernelElements, node: Node, index: Index) -> Parts:
        table = elements.table
        operands = [
            tuple([table.convert("fpext", part, "f64") for part in elements.at(operand, index)])
            for operand in node.operands
        ]
        return tuple([table.convert("fptrunc", part, "f32") for part in formula(*operands)])

    lowers(name, admits=on_singles)(lowering)


for _name, _formula in EXACT.items():
    register_complex_operation(f"stablehlo.{_name}", _formula, on_complex)
for _name, _formula in SCALED.items():
    register_complex_operation(f"stablehlo.{_name}", _formula, on_doubles)
for _name, _formula in DOUBLES.items():
    register_complex_operation(f"stablehlo.{_name}", _formula, on_default_doubles)
for _name, _formula in arcs.DOUBLES.items():
    register_complex_operation(f"chlo.{_name}", _formula, on_doubles)
for _name, _formula in arcs.SINGLES.items():
    register_widened_operation(f"chlo.{_name}", _formula)
for _name, _formula in WIDENED.items():
    register_widened_operation(f"stablehlo.{_name}", _formula)


@lowers("stablehlo.clamp", admits=on_complex)
def clamp(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``minimum(maximum(operand, min), max)``; scalar bounds are those of all elements."""
    low, operand, high = (
        pair_of(elements.at(operand, index if operand.shape else ())) for operand in node.operands
    )
    return functions.minimum(functions.maximum(operand, low), high)


@lowers("stablehlo.complex")
def complex_(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The number with these parts."""
    real, imag = (elements.at(operand, index)[0] for operand in node.operands)
    return real, imag


@lowers("stablehlo.real")
def real(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The real part; a real number itself."""
    return (elements.at(node.operands[0], index)[0],)


@lowers("stablehlo.imag")
def imag(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The imaginary part; of a real number zero."""
    parts = elements.at(node.operands[0], index)
    if len(parts) == 1:
        zero = elements.table.constant(0.0, parts[0].type)
        return (
            represent_elements(node.results[0]).round(zero),
        )  # of scales, which lack it, the least
    return (parts[1],)


@lowers("stablehlo.compare", admits=on_complex)
def compare(elements: KernelElements, node: Node, index: Index) -> Parts:
    """A comparison of (real, imaginary), lexicographically."""
    lhs, rhs = (pair_of(elements.at(operand, index)) for operand in node.operands)
    same = equal(lhs[0], rhs[0]) & equal(lhs[1], rhs[1])
    match node.operation.comparison_direction.value:
        case "EQ":
            return (same,)
        case "NE":
            return (same ^ elements.table.bits(1, "i1"),)
        case "GT":
            return (functions.is_greater(lhs, rhs),)
        case "LT":
            return (functions.is_greater(rhs, lhs),)
        case "GE":
            return (functions.is_greater(lhs, rhs) | same,)
        case _:
            return (functions.is_greater(rhs, lhs) | same,)


def pair_of(parts: Parts) -> Complex:
    """Splits a complex element into real and imaginary part."""
    real, imag = parts
    return real, imag


def converts(node: Node) -> bool:
    """Whether one of the types is complex."""
    source, target = element_type(node.operands[0]), element_type(node.results[0])
    if not isinstance(source, ComplexType) and not isinstance(target, ComplexType):
        return False
    return "other" not in (category(part_of(source)), category(part_of(target)))


@lowers("stablehlo.convert", admits=converts)
def convert(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The parts in another type; a real number gets zero as its imaginary part."""
    (operand,) = node.operands
    source, target = part_of(element_type(operand)), part_of(element_type(node.results[0]))
    kind = represent_elements(node.results[0])
    parts = elements.at(operand, index)[: kind.parts]
    converted_parts = [convert_register(part, category(source), target) for part in parts]
    if len(converted_parts) < kind.parts:
        converted_parts.append(elements.table.constant(0.0, kind.register))
    return tuple(converted_parts)
