"""A program being written: operations on values made so far, or on new arguments.

A ``Draft`` writes one block. It keeps the tensors in scope as a pool, from which operands are
taken, the newest first; what the pool lacks becomes an argument of the program, or in a region a
constant. Result types are inferred by the operations themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.dialects.func import Call, FuncOp, Return
from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder, create
from stablemate.ir.core import Block, BlockArgument, Operation, Region, Value
from stablemate.ir.types import FunctionType, TensorType, Type, tensor
from stablemate.numerics.elements import (
    BF16,
    BOOLEAN,
    COMPLEX64,
    COMPLEX128,
    F16,
    F32,
    F64,
    FLOAT_STORAGE,
    I2,
    I4,
    I8,
    I16,
    I32,
    I64,
    UI2,
    UI4,
    UI8,
    UI16,
    UI32,
    UI64,
    Array,
    ElementType,
    FloatType,
    QuantizedType,
)
from tests.properties.generation.choices import Choices
from tests.properties.generation.values import array_of

Tensor: TypeAlias = Value[TensorType]

SIGNED: Final = (I32, I64, I8, I16)
UNSIGNED: Final = (UI8, UI32, UI16, UI64)
NARROW_INTEGERS: Final = (I4, UI4, I2, UI2)
INTEGERS: Final = (*SIGNED, *UNSIGNED, *NARROW_INTEGERS)
WIDE_FLOATS: Final = (F32, F64)
HALF_FLOATS: Final = (BF16, F16)
TINY_FLOATS: Final = tuple(FloatType(name) for name in FLOAT_STORAGE if "E" in name)
FLOATS: Final = (*WIDE_FLOATS, *HALF_FLOATS, *TINY_FLOATS)
COMPLEXES: Final = (COMPLEX64, COMPLEX128)
ALL_ELEMENTS: Final = (BOOLEAN, *INTEGERS, *FLOATS, *COMPLEXES)
RARE: Final = frozenset((*NARROW_INTEGERS, *TINY_FLOATS))

MAXIMUM_SIZE: Final = 300  # elements of a tensor
MAXIMUM_RANK: Final = 5  # gathers and dots may give more
MAXIMUM_POOL: Final = 8  # how far back operands reach


@dataclass
class Draft:
    """One block of a program.

    Attributes:
        choices: What decides.
        block: Where operations go.
        arrays: Values of the block's arguments; None in a region, which gets no new arguments.
        pool: The tensors in scope, the newest last.
        functions: The private functions of the program.
        prefix: What names of functions begin with.
        depth: How many regions and functions there are around it.
    """

    choices: Choices
    block: Block = field(default_factory=Block)
    arrays: list[Array] | None = None
    pool: list[Tensor] = field(default_factory=list)
    functions: list[FuncOp] = field(default_factory=list)
    prefix: str = "f"
    depth: int = 0

    @property
    def is_nested(self) -> bool:
        """Whether this is the block of a region or of a private function.

        There only operations are used that every executor computes with the same bits.
        """
        return self.arrays is None

    # ---- types

    def element(self, among: Sequence[ElementType]) -> ElementType:
        """One of the element types, mostly a common one."""
        usual = [item for item in among if item not in RARE]
        rare = [item for item in among if item in RARE]
        if not usual or (rare and not self.is_nested and self.choices.chance(10)):
            return self.choices.of(rare)
        if self.is_nested:
            usual = [half_float for half_float in usual if half_float not in HALF_FLOATS] or usual
        return self.choices.of(usual)

    def shape(self, lowest: int = 0, highest: int = MAXIMUM_RANK) -> list[int]:
        """A shape with a rank in this range; sizes are 0 to 5, not many elements in all."""
        rank = self.choices.integer(lowest, highest)
        sizes = [self.size() for _ in range(rank)]
        while np.prod(sizes) > MAXIMUM_SIZE:
            sizes[sizes.index(max(sizes))] -= 1
        return sizes

    def size(self, smallest: int = 0) -> int:
        """The size of a dimension, seldom 0."""
        sizes = ((2, 20), (3, 25), (1, 15), (4, 15), (5, 12), (0, 3))
        return self.choices.weighted([item for item in sizes if item[0] >= smallest])

    # ---- values

    def fresh(self, type_: TensorType, kind: str = "any") -> Tensor:
        """A new argument, or in a region a constant."""
        return self.given(type_, array_of(self.choices, type_, kind))

    def given(self, type_: TensorType, array: Array) -> Tensor:
        """A new argument that holds an array, or in a region a constant."""
        array = np.asarray(array, type_.element_type.dtype).reshape(type_.shape)
        if self.arrays is None:
            return self.constant(type_, array)
        argument = BlockArgument(self.block, len(self.block.arguments), type_)
        self.block.arguments = (*self.block.arguments, argument)
        self.arrays.append(array)
        self.pool.append(argument)
        return argument

    def constant(self, type_: TensorType, array: Array) -> Tensor:
        """A constant."""
        array = np.asarray(array, type_.element_type.dtype).reshape(type_.shape)
        literal = type_
        if isinstance(type_.element_type, QuantizedType):
            literal = type_.with_element(type_.element_type.declared_storage)
            array = array.view(literal.element_type.dtype)
        value = dense_elements(literal, array)
        return self.emit("constant", value=value, results=[type_]).results[0]

    def operand(
        self,
        elements: Sequence[ElementType],
        accepts: Callable[[TensorType], bool] = lambda _: True,
        make: Callable[[], Sequence[int]] | None = None,
        kind: str = "any",
    ) -> Tensor:
        """A tensor of one of these element types whose type is accepted.

        Args:
            elements: What its elements may be.
            accepts: Whether a type will do.
            make: The shape of a new one, where none will do.
            kind: What a new one holds.
        """
        collected = [
            value
            for value in self.pool
            if value.type.element_type in elements and accepts(value.type)
        ][-MAXIMUM_POOL:]
        if collected and not self.choices.chance(25):
            return self.choices.of(collected[::-1])
        shape = self.shape() if make is None else make()
        return self.fresh(tensor(self.element(elements), *shape), kind)

    def like(self, type_: TensorType, kind: str = "any") -> Tensor:
        """A tensor of exactly this type."""
        return self.operand([type_.element_type], lambda t: t == type_, lambda: type_.shape, kind)

    def scalar(self, element: ElementType, kind: str = "any") -> Tensor:
        """A scalar."""
        return self.like(tensor(element), kind)

    # ---- operations

    def emit(self, name: str, /, **fields: Any) -> Operation:
        """Appends an operation of StableHLO; its tensors are in scope from now on."""
        return self.append(OPERATIONS[f"stablehlo.{name}"], **fields)

    def append(self, cls: type[Any], **fields: Any) -> Operation:
        """Appends an operation; its tensors are in scope from now on."""
        operation: Operation = Builder(self.block).create(cls, **fields)
        self.pool += [r for r in operation.results if isinstance(r.type, TensorType)]
        return operation

    def region(
        self,
        arguments: Sequence[Type],
        write: Callable[[Draft, Sequence[Any]], Sequence[Value[Any]]],
        *,
        captures: bool = False,
    ) -> Region:
        """A region; ``write`` fills it and says what it returns.

        Args:
            arguments: Types of its arguments.
            write: Is handed the draft of the block and its arguments.
            captures: Whether it may use what is in scope around it.
        """
        block = Block(arguments)
        scope = list(self.pool) if captures else []
        inner = self.inner(block, scope)
        inner.pool += [a for a in block.arguments if isinstance(a.type, TensorType)]
        values = write(inner, block.arguments)
        inner.emit("return", values=values)
        return Region([block])

    def inner(self, block: Block, scope: list[Tensor]) -> Draft:
        """The draft of a block inside."""
        return Draft(self.choices, block, None, scope, self.functions, self.prefix, self.depth + 1)

    def function(
        self,
        arguments: Sequence[TensorType],
        write: Callable[[Draft, Sequence[Any]], Sequence[Value[Any]]],
    ) -> FuncOp:
        """A private function of the program."""
        block = Block(arguments)
        inner = self.inner(block, list(block.arguments))
        results = write(inner, block.arguments)
        name = f"{self.prefix}_{len(self.functions)}"
        function = function_of(name, block, results, "private")
        self.functions.append(function)
        return function

    def call(self, function: FuncOp, operands: Sequence[Tensor]) -> Operation:
        """A call of a function."""
        return self.append(
            Call, callee=function.symbol, inputs=operands, results=function.type.results
        )


def function_of(
    name: str, block: Block, results: Sequence[Value[Any]], visibility: str | None = None
) -> FuncOp:
    """The function that runs a block and returns some of its values."""
    block.append(create(Return, values=results))
    types = FunctionType(
        tuple(argument.type for argument in block.arguments), tuple(value.type for value in results)
    )
    return create(
        FuncOp,
        sym_name=name,
        function_type=types,
        sym_visibility=visibility,
        regions=[Region([block])],
    )
