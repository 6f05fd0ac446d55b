"""Which operation is which function, for floats of every format.

Narrow floats are computed in ``f32`` and rounded once. Where a program asks for more than the plain
functions give, those of ``f32`` are computed in ``f64``; and those of ``f64`` that may be off by
more than a unit in the last place are left to the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from stablemate.compiler.graph.graph import Node
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.elements import (
    Index,
    KernelElements,
    element_type,
    lowers,
    represent_elements,
    splat_of,
)
from stablemate.compiler.lowering.functions.angles import atan2, cosine, sine, tan
from stablemate.compiler.lowering.functions.arithmetic import in_double, in_single
from stablemate.compiler.lowering.functions.elementary import ELEMENTARY
from stablemate.compiler.lowering.functions.exponential import (
    exponential,
    exponential_minus_one,
    logistic,
    tanh,
)
from stablemate.compiler.lowering.functions.logarithm import log_plus_one, logarithm
from stablemate.compiler.lowering.functions.powers import constant_power, power
from stablemate.compiler.lowering.functions.remainders import remainder
from stablemate.compiler.lowering.functions.roots import cubic_root, reciprocal_root
from stablemate.compiler.lowering.functions.scalars import FUNCTIONS as FUNCTIONS_OF_SCALARS
from stablemate.compiler.lowering.functions.singles import SINGLES
from stablemate.compiler.lowering.representation import Parts
from stablemate.dialects.stablehlo.result_accuracy import ResultAccuracyMode
from stablemate.numerics.elements import F32, F64, FloatType
from stablemate.numerics.functions.digamma import digamma
from stablemate.numerics.functions.hyperbolic import acos, acosh, asin, asinh, atanh, cosh, sinh
from stablemate.numerics.functions.zeta import zeta

Unary = Callable[[Expression], Expression]

UNARY: Final[dict[str, Unary]] = {
    "cbrt": cubic_root,
    "cosine": cosine,
    "exponential": exponential,
    "exponential_minus_one": exponential_minus_one,
    "log": logarithm,
    "log_plus_one": log_plus_one,
    "logistic": logistic,
    "rsqrt": reciprocal_root,
    "sine": sine,
    "sqrt": lambda x: x.table.apply("sqrt", x),
    "tan": tan,
    "tanh": tanh,
}
# Those of which the f64 form may be off by more than one unit in the last place.
COARSE: Final = frozenset({"exponential_minus_one", "logistic", "rsqrt", "tan", "tanh"})


# Those of CHLO for ``f64``.
DOUBLES: Final[dict[str, Unary]] = {
    "acos": acos,
    "acosh": acosh,
    "asin": asin,
    "asinh": asinh,
    "atanh": atanh,
    "cosh": cosh,
    "sinh": sinh,
}


def is_default(node: Node) -> bool:
    """Whether a program is content with the plain function."""
    mode = node.operation.result_accuracy.mode
    return mode is ResultAccuracyMode.DEFAULT


def lowers_unary(name: str, function: Unary) -> None:
    """Registers a function of one number."""

    def admits(node: Node) -> bool:
        element = element_type(node.operands[0])
        fine = name not in COARSE or element != F64 or is_default(node)
        return isinstance(element, FloatType) and fine

    def lowering(elements: KernelElements, node: Node, index: Index) -> Parts:
        (value,) = elements.at(node.operands[0], index)
        if is_default(node) and value.type == "f32" and elements.is_one_number(node):
            result = FUNCTIONS_OF_SCALARS.get(name, function)(value)
        elif is_default(node) or value.type == "f64":
            result = function(value)
        else:
            result = in_single(function(in_double(value)))
        return (represent_elements(node.results[0]).round(result),)

    lowers(f"stablehlo.{name}", admits=admits)(lowering)


for _name, _function in UNARY.items():
    lowers_unary(_name, _function)


def lowers_chlo(name: str, element: FloatType, function: Callable[..., Expression]) -> None:
    """Registers a function of CHLO for one type; for other types it is decomposed before."""

    def admits(node: Node) -> bool:
        return element_type(node.operands[0]) == element

    def lowering(elements: KernelElements, node: Node, index: Index) -> Parts:
        operands = [elements.at(operand, index)[0] for operand in node.operands]
        return (function(*operands),)

    lowers(f"chlo.{name}", admits=admits)(lowering)


for _name, _function in SINGLES.items():
    lowers_chlo(_name, F32, _function)
for _name, _function in DOUBLES.items():
    lowers_chlo(_name, F64, _function)
lowers_chlo("digamma", F64, partial(digamma, ELEMENTARY))
lowers_chlo("zeta", F64, partial(zeta, ELEMENTARY))


def on_floats(node: Node) -> bool:
    """Whether it computes with floats."""
    return isinstance(element_type(node.operands[0]), FloatType)


def pair(elements: KernelElements, node: Node, index: Index) -> list[Expression]:
    """The elements of both operands."""
    return [elements.at(operand, index)[0] for operand in node.operands]


@lowers("stablehlo.atan2", admits=on_floats)
def lowered_atan2(elements: KernelElements, node: Node, index: Index) -> Parts:
    """The angle of the point (rhs, lhs)."""
    return (represent_elements(node.results[0]).round(atan2(*pair(elements, node, index))),)


@lowers("stablehlo.remainder", admits=on_floats)
def lowered_remainder(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``lhs - trunc(lhs / rhs) rhs``."""
    return (represent_elements(node.results[0]).round(remainder(*pair(elements, node, index))),)


@lowers("stablehlo.power", admits=on_floats)
def lowered_power(elements: KernelElements, node: Node, index: Index) -> Parts:
    """``lhs`` to the power of ``rhs``; some constant powers are products and roots."""
    lhs, rhs = pair(elements, node, index)
    exponent = exponent_of(node)
    result = None if exponent is None else constant_power(lhs, exponent)
    if result is None:
        result = power(lhs, rhs)
    return (represent_elements(node.results[0]).round(result),)


def exponent_of(node: Node) -> float | None:
    """The exponent of a power, if it is a constant."""
    tensor = node.operands[1]
    while tensor.node is not None and tensor.node.operation.name == "stablehlo.broadcast_in_dim":
        tensor = tensor.node.operands[0]
    value: Any = None if tensor.node is None else splat_of(tensor.node)
    return None if value is None else float(value)
