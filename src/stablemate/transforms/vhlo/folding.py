"""Folds that happen to operations of other dialects while a program is converted to VHLO.

MLIR's conversion folds every operation that it does not know how to convert: constants move behind
other operands of commutative operations, a result that equals another value is replaced by it, and
casts of casts become shorter. A result that would be a new constant stays, because no constant of
these dialects can be converted.

Source: MLIR, dialect conversion, "legalization by folding"; folds of the arith, shape and tensor
dialects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.builtin import UnrealizedConversionCast
from stablemate.ir.attributes import IntegerAttribute, attribute_as
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import Attribute, Type
from stablemate.transforms.vhlo.fold_rules import (
    FOLDS,
    Values,
    compared_boolean,
    element_type,
    has_all_ones,
    is_constant,
    is_one,
    is_zero,
    made_by,
    number,
)

WIDENED: Final = frozenset(["arith.extsi", "arith.extui", "arith.trunci"])
COMMUTATIVE: Final = frozenset(
    f"{dialect}.{name}"
    for dialect, names in {
        "arith": "addi addf muli mulf andi ori xori maxsi maxui minsi minui maximumf minimumf "
        "maxnumf minnumf addui_extended mulsi_extended mului_extended",
        "shape": "add mul max min shape_eq is_broadcastable cstr_broadcastable cstr_eq broadcast "
        "assuming_all",
    }.items()
    for name in names.split()
)
# Numbers with which results are new constants, which cannot be converted.
NEW_CONSTANTS: Final[Mapping[str, Callable[[float, Any], bool]]] = {
    "arith.ori": has_all_ones,
    "arith.addui_extended": is_zero,
    "arith.mulsi_extended": is_zero,
    "arith.mului_extended": lambda value, element: (
        is_zero(value, element) or is_one(value, element)
    ),
}
# The conditions of arith.cmpi by number, with operands exchanged: equality keeps its number.
EXCHANGED: Final[Mapping[int, int]] = {
    **{0: 0, 1: 1},
    **{2: 4, 3: 5, 4: 2, 5: 3},
    **{6: 8, 7: 9, 8: 6, 9: 7},
}


@dataclass(frozen=True)
class Folded:
    """The outcome of folding an operation.

    Attributes:
        operands: Its operands.
        attributes: Attributes that change.
        replacements: The values that replace its results, if there are such.
    """

    operands: Values
    attributes: Mapping[str, Attribute]
    replacements: Values = ()


def fold_operation(operation: Operation) -> Folded:
    """Folds an operation that has no counterpart in VHLO."""
    operands = tuple(operation.operands)
    if isinstance(operation, UnrealizedConversionCast):
        return Folded(operands, {}, cast_back(operation, operands))
    rule = FOLDS.get(operation.name)
    replacement = None if rule is None else rule(operation, operands)
    if replacement is not None:
        return Folded(operands, {}, (replacement,))
    order = reorder_constants(operation, operands)
    if operation.name == "arith.cmpi" and order != operands:
        condition = exchanged_condition(operation)
        boolean = compared_boolean(condition, order)
        return Folded(order, condition, () if boolean is None else (boolean,))
    if makes_new_constant(operation.name, order):
        return Folded(operands, {})
    replacement = None if rule is None or order == operands else rule(operation, order)
    if operation.name == "shape.assuming_all" and order != operands:
        # MLIR restores trailing witnesses unless it moved them there itself.
        order = tuple(value for value in order if not is_true_witness(value))
    if operation.name in WIDENED:
        order = (cast_source(operation, operands[0]),)
    return Folded(order or operands, {}, () if replacement is None else (replacement,))


def reorder_constants(operation: Operation, operands: Values) -> Values:
    """The operands with constants last, if the operation is commutative or a comparison."""
    if operation.name not in COMMUTATIVE and operation.name != "arith.cmpi":
        return operands
    return tuple(sorted(operands, key=is_constant))


def makes_new_constant(name: str, operands: Values) -> bool:
    """Whether a result of the operation is a new constant because of the last operand."""
    accepts, value = NEW_CONSTANTS.get(name), number(operands[-1]) if operands else None
    if accepts is None or value is None:
        return False
    return accepts(value, element_type(operands[-1]))


def exchanged_condition(operation: Operation) -> Mapping[str, Attribute]:
    """The condition of a comparison whose operands were exchanged."""
    predicate = attribute_as(operation.attributes, "predicate", IntegerAttribute)
    return {"predicate": IntegerAttribute(EXCHANGED[predicate.value], predicate.type)}


def cast_source(operation: Operation, operand: Value) -> Value[Type]:
    """The operand of the inner cast, if one cast replaces both.

    That is a cast of the same kind, or for ``trunci`` an extension of fewer bits. The cast of a
    constant would be a new constant, so that it stays.
    """
    names = ["arith.extsi", "arith.extui"] if operation.name == "arith.trunci" else []
    for name in (operation.name, *names):
        inner = made_by(operand, name)
        if inner is None or is_constant(inner[0]):
            continue
        is_narrower = element_type(inner[0]).width > element_type(operation.results[0]).width
        if name == operation.name or is_narrower:
            return inner[0]
    return operand


def cast_back(operation: Operation, operands: Values) -> Values:
    """The results of a cast between dialects: its operands, or those of the cast it reverses."""
    types = [result.type for result in operation.results]
    if [value.type for value in operands] == types:
        return operands
    inner = getattr(operands[0], "operation", None) if operands else None
    if not isinstance(inner, UnrealizedConversionCast) or tuple(inner.results) != operands:
        return ()
    sources = tuple(inner.operands)
    return sources if [value.type for value in sources] == types else ()


def is_true_witness(value: Value[Type]) -> bool:
    """Whether a value is a constant witness."""
    maker = getattr(value, "operation", None)
    return maker is not None and maker.name == "shape.const_witness"
