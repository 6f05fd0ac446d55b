"""Conditions on values: a small language of comparisons, arithmetic, ``and``, ``or`` and ``not``.

``nans > 0 or max > 1e3``, ``abs(mean) < 0.1 and not zeros == count``. It is read as Python reads it
and computed here, node by node: nothing else can be said in it. Names stand for numbers or arrays.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError

BINARY: Final[Mapping[type[ast.AST], Callable[[Any, Any], object]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.true_divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
}
COMPARED: Final[Mapping[type[ast.AST], Callable[[Any, Any], Any]]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
FUNCTIONS: Final[Mapping[str, Callable[..., object]]] = {
    "abs": np.abs,
    "isfinite": np.isfinite,
    "isnan": np.isnan,
    "sqrt": np.sqrt,
}
CONSTANTS: Final = {"inf": float("inf"), "nan": float("nan"), "true": True, "false": False}
LONGEST: Final = 1000  # characters


@dataclass(frozen=True, slots=True)
class TraceCondition:
    """A condition.

    Attributes:
        text: As it was written.
        tree: As it was read.
        names: The names in it.
    """

    text: str
    tree: ast.expr
    names: frozenset[str]

    def __call__(self, values: Mapping[str, object]) -> Any:
        """Evaluates the condition on values: true or false, or an array of them.

        Raises:
            ArgumentValueError: A name stands for nothing, or an operation cannot be done.
        """
        try:
            with np.errstate(all="ignore"):
                return value_of(self.tree, values)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise ArgumentValueError(f"the condition '{self.text}': {error}") from None


def condition_of(text: str, permitted: Collection[str]) -> TraceCondition:
    """The condition that a text states.

    Args:
        text: The text.
        permitted: The names that may stand in it; a name such as ``%3`` is written as it is.

    Raises:
        ArgumentValueError: It is none, or has other names.
    """
    if len(text) > LONGEST:
        raise ArgumentValueError(f"a condition has at most {LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ArgumentValueError(f"'{text}' is no condition: write such as 'max > 1e3'") from None
    names: set[str] = set()
    check(tree, text, permitted, names)
    return TraceCondition(text, tree, frozenset(names))


def check(node: ast.expr, text: str, permitted: Collection[str], names: set[str]) -> None:
    """Refuses what the language does not have; collects names."""
    match node:
        case ast.BoolOp(values=parts):
            pass
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            parts = [left, right]
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.UAdd(), operand=operand):
            parts = [operand]
        case ast.Compare(left=left, ops=ops, comparators=others) if all(
            type(op) in COMPARED for op in ops
        ):
            parts = [left, *others]
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
            parts = [argument]
        case ast.Name(id=name) if name in CONSTANTS:
            parts = []
        case ast.Name(id=name) if name in permitted:
            names.add(name)
            parts = []
        case ast.Name(id=name):
            listed = ", ".join(permitted)
            raise ArgumentValueError(f"'{name}' in '{text}' is no name; known: {listed}")
        case ast.Constant(value=bool() | int() | float()):
            parts = []
        case _:
            what = ast.unparse(node)
            message = f"'{what}' in '{text}' is not in the language of conditions"
            raise ArgumentValueError(
                f"{message}: numbers, names, + - * / // %, comparisons, and or not, "
                f"{', '.join(FUNCTIONS)}"
            )
    for part in parts:
        check(part, text, permitted, names)


def value_of(node: ast.expr, values: Mapping[str, object]) -> Any:
    """The value of a subexpression of a condition."""
    match node:
        case ast.BoolOp(op=op, values=parts):
            together = np.logical_and if isinstance(op, ast.And) else np.logical_or
            holds = value_of(parts[0], values)
            for part in parts[1:]:
                holds = together(holds, value_of(part, values))
            return holds
        case ast.BinOp(left=left, op=op, right=right):
            return BINARY[type(op)](value_of(left, values), value_of(right, values))
        case ast.UnaryOp(op=op, operand=operand):
            inner = value_of(operand, values)
            if isinstance(op, ast.Not):
                return np.logical_not(inner)
            return np.negative(inner) if isinstance(op, ast.USub) else inner
        case ast.Compare(left=left, ops=ops, comparators=others):
            holds, first = True, value_of(left, values)
            for relation, other in zip(ops, others, strict=True):
                second = value_of(other, values)
                holds = np.logical_and(holds, COMPARED[type(relation)](first, second))
                first = second
            return holds
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return FUNCTIONS[name](value_of(argument, values))
        case ast.Name(id=name):
            return CONSTANTS[name] if name in CONSTANTS else values[name]
        case ast.Constant(value=value):
            return value
        case _:
            raise ValueError("unknown")
