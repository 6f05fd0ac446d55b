"""Rewrites a program with other types of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from stablemate.dialects.func import FuncOp
from stablemate.ir.attributes import DenseElementsAttribute, TypeAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.rewriter import Replacement, Rewriting
from stablemate.ir.types import Attribute, FunctionType, FutureType, TensorType, TupleType
from stablemate.numerics.elements import Array

TypeMap: TypeAlias = Callable[[Any], object]
# Takes an operation as it was, its operands as they are now, and creates what stands for it.
Formula: TypeAlias = Callable[[Any, list[Value], Builder], Replacement]


class Retyping(Rewriting):
    """Copies a module with other types.

    Attributes:
        map: The new type of an old one, of those that hold no other types.
        formulas: By names of operations, what stands for them; they are told the old operation.
    """

    def __init__(self, type_map: TypeMap, formulas: Mapping[str, Formula] | None = None) -> None:
        super().__init__({})
        self.map = type_map
        self.formulas = formulas or {}

    def type_of(self, old: object) -> Any:
        """The new type of an old one."""
        match old:
            case TupleType(types=types):
                return replace(old, types=tuple(map(self.type_of, types)))
            case FutureType(types=types):
                return replace(old, types=tuple(map(self.type_of, types)))
            case FunctionType(inputs, results):
                return FunctionType(
                    tuple(map(self.type_of, inputs)), tuple(map(self.type_of, results))
                )
            case _:
                return self.map(old)

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy with other result types and attributes."""
        copy = super().copy_operation(operation)
        copy.attributes = {
            name: self.attribute(attribute) for name, attribute in copy.attributes.items()
        }
        copy.set_result_types([self.type_of(result.type) for result in operation.results])
        if isinstance(copy, FuncOp):
            copy.attributes["function_type"] = TypeAttribute(self.type_of(copy.type))
        return copy

    def copied_region(self, region: Region) -> Region:
        """A copy whose blocks take other types."""
        for block in region.blocks:
            self.blocks[block] = Block(
                [self.type_of(argument.type) for argument in block.arguments],
                [argument.location for argument in block.arguments],
            )
            self.values.update(zip(block.arguments, self.blocks[block].arguments, strict=True))
        for block in region.blocks:
            for operation in block.operations:
                self.place(operation, self.blocks[block])
        return Region([self.blocks[block] for block in region.blocks])

    def place(self, operation: Operation, block: Block) -> None:
        """Appends an operation, or its replacement, to a new block."""
        formula = self.formulas.get(operation.name)
        if formula is not None:
            operands = [self.values.get(operand, operand) for operand in operation.operands]
            builder = Builder(block, operation.location, operation.span)
            replacement = formula(operation, operands, builder)
            if replacement is not None:
                new = [replacement] if isinstance(replacement, Value) else list(replacement)
                self.values.update(zip(operation.results, new, strict=True))
                return
        super().place(operation, block)

    def attribute(self, attribute: Attribute) -> Attribute:
        """An attribute with other types; elements keep their bits."""
        match attribute:
            case TypeAttribute(type=old_type):
                return TypeAttribute(self.type_of(old_type))
            case DenseElementsAttribute(type=TensorType() as old_type):
                new = self.type_of(old_type)
                if new == old_type:
                    return attribute
                return DenseElementsAttribute(new, with_bits(attribute.data, new))
            case _:
                return attribute


def with_bits(data: Array, new_type: TensorType) -> Array:
    """The same bits as elements of another type of this width."""
    dtype = new_type.element_type.dtype
    if dtype == data.dtype:
        return data
    wrapped = data.view(np.dtype(dtype)) if dtype.itemsize == data.dtype.itemsize else data
    wrapped.flags.writeable = False
    return wrapped
