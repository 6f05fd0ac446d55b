"""The executors and programs that are compared with a reference, piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from stablemate.api.module import Module
from stablemate.debugging.executors import Executor
from stablemate.debugging.recording import RecordedValues, arrays
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.ir import core
from stablemate.ir.core import BlockArgument, Operation, OpResult, Value
from stablemate.ir.types import Type
from stablemate.transforms.excerpt import Excerpt, Uses, excerpt

# Takes a piece of the reference's program and a moment; gives the values of its results.
Subject: TypeAlias = Callable[[Excerpt, RecordedValues, int], Sequence[object]]


class ByExecutor:
    """The same program, run by an executor."""

    def __init__(self, run: Executor) -> None:
        self.run = run
        self.modules: dict[Excerpt, Module] = {}

    def __call__(self, piece: Excerpt, recording: RecordedValues, moment: int) -> Sequence[Any]:
        """The results of the executor for a piece, which is compiled once for all executions."""
        module = self.modules.setdefault(piece, Module(piece.module))
        values = recording.of(piece.arguments, moment)
        assert values is not None, "the reference has come as far as this"
        return self.run(module, arrays(values))


class CounterpartProgram:
    """Another program whose operations correspond one by one to those of the reference."""

    def __init__(self, module: core.Module, other: core.Module, run: Executor) -> None:
        """The pairs of operations.

        Raises:
            ArgumentValueError: The programs do not have the same structure.
        """
        self.run = run
        self.uses = Uses(other)
        self.operations: dict[Operation, Operation] = {}
        self.values: dict[Value[Type], Value[Type]] = {}
        mine, theirs = list(module.operation.walk()), list(other.operation.walk())
        if len(mine) != len(theirs):
            raise ArgumentValueError(
                f"the programs have {len(mine)} and {len(theirs)} operations: only programs that "
                f"differ in single operations are compared piece by piece"
            )
        for a, b in zip(mine, theirs, strict=True):
            self.pair(a, b)
        self.back = {b: a for a, b in self.values.items()}
        self.pieces: dict[Excerpt, tuple[Excerpt, Module]] = {}

    def pair(self, mine: Operation, other: Operation) -> None:
        """Records that two operations correspond.

        Raises:
            ArgumentValueError: They have other results or regions.
        """
        blocks = [[b for r in operation.regions for b in r.blocks] for operation in (mine, other)]
        results = [operation.results for operation in (mine, other)]
        arguments = [[a for b in block for a in b.arguments] for block in blocks]
        if any(len(a) != len(b) for a, b in (blocks, results, arguments)):
            where = f" at {mine.span}" if mine.span else ""
            message = f"the programs differ in structure{where}: {mine.name} and {other.name}"
            raise ArgumentValueError(message)
        self.operations[mine] = other
        self.values.update(zip(*results, strict=True))
        self.values.update(zip(*arguments, strict=True))

    def __call__(self, piece: Excerpt, recording: RecordedValues, moment: int) -> Sequence[Any]:
        """The results of the other program's operations for the same values."""
        if piece not in self.pieces:
            theirs = [self.operations[operation] for operation in piece.operations]
            piece_excerpt = excerpt(
                self.uses, theirs, [self.values[result] for result in piece.results]
            )
            self.pieces[piece] = piece_excerpt, Module(piece_excerpt.module)
        piece_excerpt, module = self.pieces[piece]
        values = recording.of([self.back[argument] for argument in piece_excerpt.arguments], moment)
        if values is None:
            raise ArgumentValueError("an operation uses a value that the other program lacks")
        return self.run(module, arrays(values))


def owner_of(value: Value[Type]) -> Operation | None:
    """The operation that defines a value, or whose block has it as an argument."""
    if isinstance(value, OpResult):
        return value.operation
    assert isinstance(value, BlockArgument)
    return value.block.parent.parent if value.block.parent else None
