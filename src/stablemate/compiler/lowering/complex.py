"""Complex numbers: two values per element, the real and the imaginary part.

Sums and products are those of the parts, each operation rounded. Functions of ``complex<f32>`` are
computed in ``f64``, where nothing overflows, and rounded once; those of ``complex<f64>`` are left
to the interpreter, except for quotients and moduli. Infinities and NaN follow C11, Annex G.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.compiler.graph import Node
from stablemate.compiler.lowering.elements import (
    Elements,
    Index,
    element_type,
    lowers,
    represented,
)
from stablemate.compiler.lowering.elementwise import category, changed
from stablemate.compiler.lowering.functions import complex_functions as functions
from stablemate.compiler.lowering.functions.arithmetic import equal, greater, pick
from stablemate.compiler.lowering.functions.complex_functions import Complex
from stablemate.compiler.lowering.representation import Parts
from stablemate.compiler.nest.expressions import Expression
from stablemate.numerics.elements import COMPLEX64, ComplexType, ElementType, FloatType

Formula = Callable[..., Parts]


def is_greater(x: Complex, y: Complex) -> Expression:
    """Whether (real, imaginary) of one number is greater than of another, lexicographically."""
    return greater(x[0], y[0]) | (equal(x[0], y[0]) & greater(x[1], y[1]))


def selected(which: Expression, yes: Complex, no: Complex) -> Complex:
    """``which ? yes : no``."""
    return pick(which, yes[0], no[0]), pick(which, yes[1], no[1])


EXACT: Final[dict[str, Formula]] = {
    "add": lambda x, y: (x[0] + y[0], x[1] + y[1]),
    "subtract": lambda x, y: (x[0] - y[0], x[1] - y[1]),
    "multiply": functions.multiply,
    "negate": lambda x: (-x[0], -x[1]),
    "maximum": lambda x, y: selected(is_greater(x, y), x, y),
    "minimum": lambda x, y: selected(is_greater(y, x), x, y),
}
# Computed in f64, of complex<f32> only.
WIDENED: Final[dict[str, Formula]] = {
    "abs": lambda x: (functions.modulus(x),),
    "divide": functions.divide,
    "cosine": functions.complex_cosine,
    "exponential": functions.exponential,
    "exponential_minus_one": functions.exponential_minus_one,
    "log": functions.logarithm,
    "log_plus_one": functions.log_plus_one,
    "logistic": functions.logistic,
    "rsqrt": functions.reciprocal_root,
    "sign": functions.sign,
    "sine": functions.complex_sine,
    "sqrt": functions.square_root,
    "tan": functions.complex_tan,
    "tanh": functions.complex_tanh,
}


def on_complex(node: Node) -> bool:
    """Whether it computes with complex numbers."""
    return isinstance(element_type(node.operands[0]), ComplexType)


def on_singles(node: Node) -> bool:
    """Whether it computes with ``complex<f32>``."""
    return element_type(node.operands[0]) == COMPLEX64


def lowers_exact(name: str, formula: Formula) -> None:
    """Registers an operation on the parts."""

    def lowering(elements: Elements, node: Node, index: Index) -> Parts:
        return formula(*[elements.at(each, index) for each in node.operands])

    lowers(f"stablehlo.{name}", admits=on_complex)(lowering)


def lowers_widened(name: str, formula: Formula) -> None:
    """Registers an operation that is computed in ``f64``."""

    def lowering(elements: Elements, node: Node, index: Index) -> Parts:
        table = elements.table
        operands = [
            tuple([table.convert("fpext", part, "f64") for part in elements.at(each, index)])
            for each in node.operands
        ]
        return tuple([table.convert("fptrunc", part, "f32") for part in formula(*operands)])

    lowers(f"stablehlo.{name}", admits=on_singles)(lowering)


for _name, _formula in EXACT.items():
    lowers_exact(_name, _formula)
for _name, _formula in WIDENED.items():
    lowers_widened(_name, _formula)


@lowers("stablehlo.complex")
def complex_(elements: Elements, node: Node, index: Index) -> Parts:
    """The number with these parts."""
    real, imag = (elements.at(each, index)[0] for each in node.operands)
    return real, imag


@lowers("stablehlo.real")
def real(elements: Elements, node: Node, index: Index) -> Parts:
    """The real part; a real number itself."""
    return (elements.at(node.operands[0], index)[0],)


@lowers("stablehlo.imag")
def imag(elements: Elements, node: Node, index: Index) -> Parts:
    """The imaginary part; of a real number zero."""
    parts = elements.at(node.operands[0], index)
    if len(parts) == 1:
        return (elements.table.constant(0.0, parts[0].type),)
    return (parts[1],)


@lowers("stablehlo.compare", admits=on_complex)
def compare(elements: Elements, node: Node, index: Index) -> Parts:
    """Whether both parts are equal, or one is not."""
    lhs, rhs = (elements.at(each, index) for each in node.operands)
    table = elements.table
    same = equal(lhs[0], rhs[0]) & equal(lhs[1], rhs[1])
    if node.operation.comparison_direction.value == "EQ":
        return (same,)
    return (same ^ table.bits(1, "i1"),)


def part_of(element: ElementType) -> ElementType:
    """The type of a part."""
    return element.element if isinstance(element, ComplexType) else element


def converts(node: Node) -> bool:
    """Whether one of the types is complex, and registers round the parts once."""
    source, target = element_type(node.operands[0]), element_type(node.results[0])
    if not isinstance(source, ComplexType) and not isinstance(target, ComplexType):
        return False
    inner, outer = part_of(source), part_of(target)
    narrow = isinstance(outer, FloatType) and outer.name not in ("f32", "f64")
    known = "other" not in (category(inner), category(outer))
    return known and not (narrow and str(inner) != "f32")


@lowers("stablehlo.convert", admits=converts)
def convert(elements: Elements, node: Node, index: Index) -> Parts:
    """The parts in another type; a real number gets zero as its imaginary part."""
    (operand,) = node.operands
    source, target = element_type(operand), element_type(node.results[0])
    kind = represented(node.results[0])
    kinds = category(part_of(source)), category(part_of(target))
    parts = elements.at(operand, index)[: kind.parts]
    made = [kind.round(changed(each, *kinds, kind.register)) for each in parts]
    if len(made) < kind.parts:
        made.append(elements.table.constant(0.0, kind.register))
    return tuple(made)
