"""Makes the sizes of static programs dynamic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import stablemate as sm
from stablemate.dialects.builtin import ModuleOp
from stablemate.dialects.func import FuncOp, Return
from stablemate.dialects.tensor import Cast
from stablemate.ir.builder import create
from stablemate.ir.core import Block, Module, Operation, Region, Value
from stablemate.ir.definition import Op, inferred_types
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import DYNAMIC, FunctionType, TensorType, Type
from stablemate.ir.verifier import operation_violations

HELPERS = ("arith.", "shape.", "tensor.")
# They use values from outside, or functions, and are no programs of their own.
CALLS_OUTSIDE = (
    "stablehlo.case",
    "stablehlo.composite",
    "stablehlo.custom_call",
    "stablehlo.if",
    "stablehlo.while",
)


def opened(value_type: Type) -> Type:
    """The type with all sizes open."""
    if isinstance(value_type, TensorType) and value_type.shape and value_type.encoding is None:
        return value_type.with_shape((DYNAMIC,) * value_type.rank)
    return value_type


def is_valid(operation: Operation) -> bool:
    """Whether an operation breaks no rule."""
    return not any(True for _ in operation_violations(operation))


def open_function(function: FuncOp) -> int:
    """Opens every size that the rules let be open, in place; returns how many results changed."""
    block, count = function.body.block, 0
    operations: list[Operation] = []
    for operation in block.operations:
        operations.append(operation)
        if operation.name == "stablehlo.constant":
            operations += open_constant(operation, block)
        elif not operation.name.startswith(HELPERS):
            count += sum(open_result(operation, value, block) for value in operation.results)
    block.operations[:] = operations
    return count


def open_constant(constant: Operation, block: Block) -> list[Operation]:
    """A cast of a constant for the users that take open sizes, if there are any."""
    (value,) = constant.results
    cast = create(Cast, source=value, results=[opened(value.type)])
    cast.parent = block
    is_used = False
    for user in block.operations:
        for position, operand in enumerate(user.operands):
            if operand is value:
                before = user.operands
                user.operands = replaced(before, position, cast.results[0])
                if is_valid(user):
                    is_used = True
                else:
                    user.operands = before
    return [cast] if is_used else []


def replaced(values: Sequence[Value[Any]], position: int, value: Value[Any]) -> tuple[Any, ...]:
    """The values with another one at a position."""
    return (*values[:position], value, *values[position + 1 :])


def open_result(operation: Operation, value: Value[Any], block: Block) -> bool:
    """Opens the sizes of a result unless that breaks a rule."""
    before = value.type
    value.type = opened(before)
    users = [user for user in block.operations if value in user.operands]
    if value.type != before and is_valid(operation) and all(map(is_valid, users)):
        return True
    value.type = before
    return False


# ---- single operations


class SingleOperation:
    """An operation of an example as a program of its own, with open sizes where the rules let it.

    Attributes:
        operation: The operation as the example has it.
        arrays: The operands, which are constants in the example.
        types: The types of the arguments.
    """

    def __init__(self, operation: Op) -> None:
        self.operation = operation
        self.arrays = [np.asarray(value.operation.evaluate()) for value in operation.operands]
        self.types: list[Type] = [value.type for value in operation.operands]
        self.results: list[Type] = [value.type for value in operation.results]
        for types in (self.types, self.results):
            for position, value_type in enumerate(types):
                types[position] = opened(value_type)
                if not is_valid(self.copy(self.types)):
                    types[position] = value_type

    def copy(self, types: Sequence[Type]) -> Op:
        """The operation on operands of these types."""
        block = Block(types)
        copy: Any = Rewriting({}).copy_operation(self.operation)
        copy.operands = block.arguments
        copy.set_result_types(self.results)
        block.append(copy)
        return copy

    def program(self) -> sm.Module:
        """A program that consists of the operation."""
        copy = self.copy(self.types)
        block = copy.parent
        assert block is not None
        block.append(create(Return, values=copy.results))
        function = create(
            FuncOp,
            function_type=FunctionType(tuple(self.types), tuple(self.results)),
            sym_name="main",
            regions=[Region([block])],
        )
        body = Block()
        body.append(function)
        return sm.Module(Module(ModuleOp(regions=[Region([body])])))

    def with_shapes_of(self, arrays: Sequence[Any]) -> Op:
        """The operation on operands of the types that arrays have."""
        types: list[Type] = []
        for array, value_type in zip(arrays, self.types, strict=True):
            is_open = isinstance(value_type, TensorType) and not value_type.is_static
            types.append(value_type.with_shape(array.shape) if is_open else value_type)
        return self.copy(types)

    def variants(self) -> Iterator[list[Any]]:
        """The operands, one of them with another size, for each size that is open."""
        for position, array in enumerate(self.arrays):
            for shape in neighbors(array.shape):
                if fits(shape, self.types[position]):
                    yield replaced_list(self.arrays, position, resized(array, shape))


def replaced_list(arrays: Sequence[Any], position: int, array: Any) -> list[Any]:
    """The arrays with another one at a position."""
    return [*arrays[:position], array, *arrays[position + 1 :]]


def neighbors(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The shape itself, and shapes with one other size."""
    yield shape
    for d, size in enumerate(shape):
        for other in sorted({size + 1, size - 1, 1, 0} - {size, -1}):
            yield (*shape[:d], other, *shape[d + 1 :])


def resized(array: Any, shape: tuple[int, ...]) -> Any:
    """The elements of an array, repeated or cut, in another shape."""
    elements = array.reshape(-1) if array.size else np.zeros(1, array.dtype)
    return np.resize(elements, int(np.prod(shape))).reshape(shape).astype(array.dtype)


def fits(shape: tuple[int, ...], value_type: Type) -> bool:
    """Whether a value of a type can have a shape."""
    assert isinstance(value_type, TensorType)
    sizes = zip(shape, value_type.shape, strict=True)
    return all(size in (DYNAMIC, actual) for actual, size in sizes)


def single_operations(module: sm.Module) -> Iterator[SingleOperation]:
    """The operations of a file's examples whose operands are constants."""
    bodies = (
        block for function in module.functions.values() for block in function.operation.body.blocks
    )
    for body in bodies:
        for operation in body.operations:
            definers = [getattr(v, "operation", None) for v in operation.operands]
            if (
                isinstance(operation, Op)
                and operation.name.startswith("stablehlo.")
                and operation.name not in CALLS_OUTSIDE
                and definers
                and all(
                    operation is not None and operation.name == "stablehlo.constant"
                    for operation in definers
                )
            ):
                yield SingleOperation(operation)


def shapes_of(operation: Op) -> list[Type]:
    """The types that the results have by the operands."""
    return list(inferred_types(operation) or [value.type for value in operation.results])
