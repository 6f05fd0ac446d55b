"""Modules of programs: as they are, with every value as a result, and cut into pieces.

Several programs stand in one module, as private functions that ``main`` calls one after the other,
so that XLA compiles once for all of them.

A module is cut where an executor may rightly compute other bits: a value that is cut is compared,
and what uses it takes ours instead, as a further argument. So every operation is judged on equal
operands, and no difference in the last place becomes one of a whole unit further down.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from stablemate.api.module import Module
from stablemate.dialects.builtin import ModuleOp
from stablemate.dialects.func import Call, FuncOp
from stablemate.ir import core
from stablemate.ir.builder import Builder, create
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array
from tests.properties.generation.program_builder import Tensor, function_of
from tests.properties.generation.programs import Program

Values: TypeAlias = Mapping[Tensor, Array]  # the arrays that the values of a program hold
MAIN: Final = "main"
# Operations that get arguments of their own: the reference interpreter scatters into its operands,
# and the process ends where XLA divides constants by zero.
ALONE: Final = frozenset(("stablehlo.scatter", "stablehlo.divide", "stablehlo.remainder"))


@dataclass(frozen=True)
class ProgramFunction:
    """A program as a function of a module.

    Attributes:
        function: The function.
        private: The functions that it calls.
        arguments: What it is called with.
        observed: The values of the program that it returns.
    """

    function: FuncOp
    private: Sequence[FuncOp]
    arguments: Sequence[Array]
    observed: Sequence[Tensor]


def module_of(pieces: Sequence[ProgramFunction]) -> Module:
    """The module of some programs; ``main`` takes all their arguments and returns all results."""
    block = Block([t for piece in pieces for t in piece.function.type.inputs])
    arguments, results = iter(block.arguments), []
    for piece in pieces:
        function_type = piece.function.type
        call = Builder(block).create(
            Call,
            callee=piece.function.symbol,
            inputs=[next(arguments) for _ in function_type.inputs],
            results=function_type.results,
        )
        results += call.results
    main = function_of(MAIN, block, results)
    functions = [main, *(f for piece in pieces for f in (piece.function, *piece.private))]
    body = Block()
    for function in functions:
        body.append(Rewriting({}).copy_operation(function))
    return Module(core.Module(create(ModuleOp, regions=[Region([body])])))


def whole(program: Program, name: str) -> ProgramFunction:
    """The program, with what its last operation gives as result."""
    last = [r for r in program.block.operations[-1].results if isinstance(r.type, TensorType)]
    return copy(program, name, last or program.tensors[-1:])


def observed(program: Program, name: str) -> ProgramFunction:
    """The program with all its values as results."""
    return copy(program, name, program.tensors)


def copy(program: Program, name: str, results: Sequence[Tensor]) -> ProgramFunction:
    """The program as a function that returns some of its values."""
    block = Block([argument.type for argument in program.block.arguments])
    copying = Rewriting({})
    copying.values.update(zip(program.block.arguments, block.arguments, strict=True))
    for operation in program.block.operations:
        copying.place(operation, block)
    values = [copying.values[result] for result in results]
    function = function_of(name, block, values, "private")
    return ProgramFunction(function, program.functions, program.arguments, results)


def cut(
    program: Program,
    name: str,
    values: Values,
    *,
    leaves_out: Callable[[Operation], bool],
    cuts: Callable[[Operation], bool],
    alone: Container[str] = ALONE,
    observes: Callable[[Tensor], bool] = lambda _: True,
) -> ProgramFunction:
    """The program in pieces that one executor is to be compared on.

    Args:
        program: The program.
        name: What the function is called.
        values: Our values.
        leaves_out: Operations that are not compared.
        cuts: Operations whose uses take our value instead of theirs.
        alone: Operations that get arguments of their own, by name.
        observes: Values that are compared.
    """
    cutting = Cutting(program, values, alone, observes)
    for operation in program.block.operations:
        cutting.place(operation, leaves_out(operation), cuts(operation))
    results = [cutting.made[value] for value in cutting.observed]
    function = function_of(name, cutting.block, results, "private")
    return ProgramFunction(function, program.functions, cutting.arrays, cutting.observed)


class Cutting:
    """A program on its way into pieces.

    Attributes:
        made: What the executor computes for a value.
        used: What operations further down use for it.
        observed: The values that are compared.
    """

    def __init__(
        self,
        program: Program,
        values: Values,
        alone: Container[str],
        observes: Callable[[Tensor], bool],
    ) -> None:
        self.alone = alone
        self.observes = observes
        self.block = Block()
        self.arrays: list[Array] = []
        arguments = zip(program.block.arguments, program.arguments, strict=True)
        self.values: dict[Value[Any], Array] = {**dict(arguments), **values}
        self.made: dict[Value[Any], Value[Any]] = {}
        self.used: dict[Value[Any], Value[Any]] = {}
        self.observed: list[Tensor] = []

    def place(self, operation: Operation, left_out: bool, is_cut: bool) -> None:
        """Puts an operation into the function, or leaves it out."""
        if left_out:
            return
        copying = Rewriting({})
        is_alone = operation.name in self.alone
        used = () if is_alone else uses(operation)
        copying.values.update((value, self.use(value)) for value in used)
        copied = copying.copy_operation(operation)
        if is_alone:
            copied.operands = tuple(self.argument(value) for value in operation.operands)
        self.block.append(copied)
        for old, new in zip(operation.results, copied.results, strict=True):
            self.made[old] = new
            if isinstance(old.type, TensorType) and self.observes(old):
                self.observed.append(old)
            if not is_cut or not isinstance(old.type, TensorType):
                self.used[old] = new

    def use(self, value: Value[Any]) -> Value[Any]:
        """What an operation uses for a value: theirs, or ours as an argument."""
        if value not in self.used:
            self.used[value] = self.argument(value)
        return self.used[value]

    def argument(self, value: Value[Any]) -> Value[Any]:
        """A new argument that holds our value."""
        argument = core.BlockArgument(self.block, len(self.block.arguments), value.type)
        self.block.arguments = (*self.block.arguments, argument)
        self.arrays.append(self.values[value])
        return argument


def uses(operation: Operation) -> Iterator[Value[Any]]:
    """The values that an operation uses from outside, those of its regions included."""
    yield from dict.fromkeys((*operation.operands, *captured(operation)))


def captured(operation: Operation) -> list[Value[Any]]:
    """The values from outside that the regions of an operation use."""
    nested = [item for item in operation.walk() if item is not operation]
    inside: set[Value[Any]] = {result for item in nested for result in item.results}
    for item in (operation, *nested):
        inside |= {a for region in item.regions for block in region.blocks for a in block.arguments}
    return [value for operand in nested for value in operand.operands if value not in inside]
