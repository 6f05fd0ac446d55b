"""Programs made invalid, or not: one thing changed in an operation of a valid one.

What is changed is a type, an attribute, an operand or a result. Most of the outcomes break a rule;
some are valid again. Our verifier and jaxlib's have to say the same of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, cast

from stablemate.dialects.stablehlo.attributes import (
    ConvDimensionNumbers,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablemate.ir.attributes import (
    DenseArrayAttribute,
    DenseElementsAttribute,
    IntegerAttribute,
    StringAttribute,
    dense_elements,
)
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.definition import definition_of
from stablemate.ir.kinds import EnumAttribute
from stablemate.ir.types import DYNAMIC, Attribute, TensorType
from stablemate.numerics.elements import BOOLEAN, I64
from tests.properties.generation.choices import Choices
from tests.properties.generation.modules import ProgramFunction, copy
from tests.properties.generation.program_builder import ALL_ELEMENTS
from tests.properties.generation.programs import Program

Mutation = Callable[[Choices, Operation, Sequence[Value[Any]]], bool]

NUMBERED: Final = (
    ConvDimensionNumbers,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
STEPS: Final = (-1, 1, 2, -2, -5, 100)


def mutate(choices: Choices, program: Program, name: str) -> ProgramFunction | None:
    """The program as a function in which one thing is changed; None if nothing could be.

    The function returns nothing, so that results of any type are as good as others.
    """
    piece = copy(program, name, [])
    block = piece.function.regions[0].block
    operations = block.operations[:-1]
    if not operations:
        return None
    operation = choices.of(operations[::-1])
    if choices.chance(20):  # inside a region
        inside = [item for item in operation.walk() if is_changeable(item)]
        operation = choices.of(inside or [operation])
    scope = values_before(block, operation)
    changes = choices.permutation(MUTATIONS)
    return piece if any(change(choices, operation, scope) for change in changes) else None


def is_changeable(operation: Operation) -> bool:
    """Whether an operation is one of StableHLO."""
    return operation.name.startswith("stablehlo.")


def values_before(block: Block, operation: Operation) -> list[Value[Any]]:
    """The values of a block that an operation of it, or inside of it, may use."""
    values: list[Value[Any]] = list(block.arguments)
    for item in block.operations:
        if operation is item or operation in item.walk():
            break
        values += item.results
    return values


def change_result(choices: Choices, operation: Operation, scope: Sequence[Value[Any]]) -> bool:
    """Another type for a result."""
    results = [r for r in operation.results if isinstance(r.type, TensorType)]
    if not results:
        return False
    result = choices.of(results)
    result.type = changed_type(choices, result.type)
    return True


def changed_type(choices: Choices, old: TensorType) -> TensorType:
    """A similar type: another size, rank or element."""
    shape, kind = list(old.shape), choices.below(5)
    if kind == 0 and shape:
        place = choices.below(len(shape))
        shape[place] = max(0, shape[place] + choices.of((1, -1, 2)))
    elif kind == 1:
        shape.insert(choices.integer(0, len(shape)), choices.of((1, 2)))
    elif kind == 2 and shape:
        shape.pop(choices.below(len(shape)))
    elif kind == 3 and shape:
        shape[choices.below(len(shape))] = DYNAMIC
    else:
        return old.with_element(choices.of(ALL_ELEMENTS))
    return old.with_shape(shape)


def change_operand(choices: Choices, operation: Operation, scope: Sequence[Value[Any]]) -> bool:
    """Another value for an operand."""
    if not operation.operands or not scope:
        return False
    operands = list(operation.operands)
    operands[choices.below(len(operands))] = choices.of(scope)
    operation.operands = tuple(operands)
    return True


def change_count(choices: Choices, operation: Operation, scope: Sequence[Value[Any]]) -> bool:
    """An operand more or less, in an operation that takes any number."""
    definition = definition_of(operation)
    if not operation.operands or definition.operand_variadics == 0:
        return False
    operands = list(operation.operands)
    place = choices.below(len(operands))
    if choices.chance(50):
        operands.insert(place, operands[place])
    else:
        operands.pop(place)
    operation.operands = tuple(operands)
    return True


def change_argument(choices: Choices, operation: Operation, scope: Sequence[Value[Any]]) -> bool:
    """Another type for an argument of a region."""
    arguments = [a for r in operation.regions for b in r.blocks for a in b.arguments]
    tensors = [argument for argument in arguments if isinstance(argument.type, TensorType)]
    if not tensors:
        return False
    argument = choices.of(tensors)
    argument.type = changed_type(choices, argument.type)
    return True


def change_attribute(choices: Choices, operation: Operation, scope: Sequence[Value[Any]]) -> bool:
    """Another value for an attribute, or none."""
    names = [n for n in operation.attributes if n not in ("value", "decomposition", "callee")]
    if not names:
        return False
    name = choices.of(names)
    attributes = dict(operation.attributes)
    if choices.chance(10):
        del attributes[name]
    else:
        attributes[name] = changed_attribute(choices, attributes[name])
    operation.attributes = attributes
    return True


def changed_attribute(choices: Choices, old: Attribute) -> Attribute:
    """A similar attribute."""
    match old:
        case IntegerAttribute(type=kind) if kind == BOOLEAN:
            return IntegerAttribute(1 - old.value, kind)
        case IntegerAttribute():
            return IntegerAttribute(old.value + choices.of(STEPS), old.type)
        case DenseArrayAttribute() if old.element_type == BOOLEAN:
            return DenseArrayAttribute(BOOLEAN, tuple(changed_booleans(choices, old.values)))
        case DenseArrayAttribute():
            numbers = changed_list(choices, cast("tuple[int, ...]", old.values))
            return DenseArrayAttribute(old.element_type, tuple(numbers))
        case DenseElementsAttribute() if old.type.element_type == I64:
            return changed_matrix(choices, old)
        case EnumAttribute():
            return replace(old, value=choices.of(list(type(old.value))))
        case StringAttribute():
            return StringAttribute(old.value + choices.of(("x", ".", "")))
        case _ if isinstance(old, NUMBERED):
            return changed_numbers(choices, old)
        case _:
            return old


def changed_booleans(choices: Choices, values: Sequence[Any]) -> list[Any]:
    """A boolean more or less."""
    return [*values, True] if choices.chance(50) else list(values[1:])


def changed_list(choices: Choices, values: Sequence[int]) -> list[int]:
    """A number more, less or another."""
    numbers, kind = list(values), choices.below(5)
    if kind == 0 or not numbers:
        numbers.insert(choices.integer(0, len(numbers)), choices.of((0, 1, -1)))
    elif kind == 1:
        numbers.pop(choices.below(len(numbers)))
    elif kind == 2 and len(numbers) > 1:
        places = choices.some(range(len(numbers)), 2)
        numbers[places[0]] = numbers[places[1]]
    else:
        numbers[choices.below(len(numbers))] += choices.of(STEPS)
    return numbers


def changed_matrix(choices: Choices, old: DenseElementsAttribute) -> DenseElementsAttribute:
    """Another number in a matrix, or a row less."""
    array = old.array.copy()
    if not array.size or choices.chance(30):
        array = array[1:]
    else:
        array.reshape(-1)[choices.below(array.size)] += choices.of(STEPS)
    return dense_elements(TensorType(array.shape, I64), array)


def changed_numbers(choices: Choices, old: Any) -> Attribute:
    """Dimension numbers with another number or list."""
    assert is_dataclass(old)
    name = choices.of([field.name for field in fields(old)])
    value = getattr(old, name)
    if isinstance(value, int):
        return cast(Attribute, replace(cast(Any, old), **{name: value + choices.of(STEPS)}))
    changed = tuple(changed_list(choices, value))
    return cast(Attribute, replace(cast(Any, old), **{name: changed}))


MUTATIONS: Final[Sequence[Mutation]] = (
    change_attribute,
    change_attribute,
    change_attribute,
    change_result,
    change_result,
    change_operand,
    change_operand,
    change_argument,
    change_count,
)
