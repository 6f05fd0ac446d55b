"""Sizes that PyTorch computes as rounded numbers, such as ``int(0.5 * x.shape[0])``, or chooses.

They are no polynomials of other sizes, so each is a variable whose value the program computes.

Source: PyTorch, torch.utils._sympy.functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Final, TypeAlias

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.graph import SizeLike, TensorGraph
from stablemate.frontends.tensor_functions.tensor import Tensor, scalar, size_tensor
from stablemate.frontends.torch.fx import SympyExpression
from stablemate.numerics.elements import BOOLEAN, F64

SizeOf: TypeAlias = Callable[[SympyExpression], SizeLike]

UNARY: Final[Mapping[str, Callable[[Tensor], Tensor]]] = {"OpaqueUnaryFn_sqrt": f.sqrt}
# By the names of the classes of expressions.
ROUNDINGS: Final[Mapping[str, Callable[[Tensor], Tensor]]] = {
    "TruncToInt": f.trunc,
    "FloorToInt": f.floor,
    "CeilToInt": f.ceil,
    "RoundToInt": f.round_half_even,
}
FLOATS: Final[Mapping[str, Callable[[Tensor, Tensor], Tensor]]] = {
    "FloatTrueDiv": Tensor.__truediv__,
    "IntTrueDiv": Tensor.__truediv__,
    "FloatPow": f.power,
    "Pow": f.power,
    "Add": Tensor.__add__,
    "Mul": Tensor.__mul__,
    "Max": f.maximum,
    "Min": f.minimum,
}


CHOICE: Final = "Piecewise"
COMPUTED: Final = frozenset({*ROUNDINGS, CHOICE})
COMPARISONS: Final[Mapping[str, Callable[[Tensor, Tensor], Tensor]]] = {
    "Equality": Tensor.equals,
    "Unequality": Tensor.differs,
    "StrictLessThan": Tensor.__lt__,
    "LessThan": Tensor.__le__,
    "StrictGreaterThan": Tensor.__gt__,
    "GreaterThan": Tensor.__ge__,
}
LOGIC: Final[Mapping[str, Callable[[Tensor, Tensor], Tensor]]] = {
    "And": Tensor.__and__,
    "Or": Tensor.__or__,
}


def computed_number(graph: TensorGraph, expression: SympyExpression, size_of: SizeOf) -> Tensor:
    """An expression of SymPy that is one of ``COMPUTED`` as a scalar."""
    if type(expression).__name__ == CHOICE:
        return chosen_number(graph, expression, size_of)
    (operand,) = expression.args
    return ROUNDINGS[type(expression).__name__](number(graph, operand, size_of))


def chosen_number(graph: TensorGraph, expression: SympyExpression, size_of: SizeOf) -> Tensor:
    """The first of several numbers whose condition holds; that of the last one does."""
    *rest, (last, _) = [choice.args for choice in expression.args]
    result = number(graph, last, size_of)
    for value, condition in reversed(rest):
        holds = truth(graph, condition, size_of)
        result = f.select(holds, number(graph, value, size_of), result)
    return result


def truth(graph: TensorGraph, condition: SympyExpression, size_of: SizeOf) -> Tensor:
    """A condition of SymPy as a boolean scalar.

    Raises:
        UnsupportedError: It compares no sizes.
    """
    kind = type(condition).__name__
    if kind in ("BooleanTrue", "BooleanFalse"):
        return scalar(graph, kind == "BooleanTrue", BOOLEAN)
    if kind in COMPARISONS:
        return COMPARISONS[kind](*[number(graph, part, size_of) for part in condition.args])
    parts = [truth(graph, part, size_of) for part in condition.args]
    if kind == "Not":
        return ~parts[0]
    if kind not in LOGIC:
        raise UnsupportedError(f"no size of a program is chosen by {kind}, as in {condition}")
    return reduce(LOGIC[kind], parts)


def number(graph: TensorGraph, expression: SympyExpression, size_of: SizeOf) -> Tensor:
    """An expression of SymPy as a scalar of type ``f64``.

    Args:
        graph: Where its operations go.
        expression: The expression.
        size_of: Gives the size that an integer expression is.

    Raises:
        UnsupportedError: A part of it is no size.
    """
    if expression.is_Number:
        return scalar(graph, float(expression), F64)
    kind = type(expression).__name__
    if kind == "ToFloat":
        return number(graph, expression.args[0], size_of)
    if expression.is_integer or not (kind in FLOATS or kind in UNARY):
        return size_tensor(graph, size_of(expression), F64)
    operands = [number(graph, part, size_of) for part in expression.args]
    return UNARY[kind](operands[0]) if kind in UNARY else reduce(FLOATS[kind], operands)
