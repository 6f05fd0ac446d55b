"""Calls of compiled graphs: tensors in and out, without a copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from stablemate.compiler.executable import CompiledExecutable
from stablemate.execution.executable import Executable
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.importer import ImportedArgument, ImportedProgram, ImportedResult
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array


class CompiledGraph:
    """A graph as AOTAutograd calls it.

    Attributes:
        program: The graph as a program.
        executable: Runs it.
    """

    def __init__(self, program: ImportedProgram, executable: Executable) -> None:
        self._boxed_call = True  # arguments come as a list, to be emptied; wrappers copy this
        self.program = program
        self.executable = executable
        self.arguments = program.arguments
        self.native = is_native(executable)
        types: list[TensorType] = [result.type for result in executable.signature.results]  # type: ignore[misc]
        self.makers = [
            allocator(types[row.position], row)
            for row in program.results
            if row.position is not None
        ]

    def __call__(self, arguments: list[Any]) -> list[Any]:
        """The results for tensors and numbers; the list is emptied."""
        values = [taken(arguments[row.position], row) for row in self.arguments]
        arguments.clear()
        if self.program.is_random:
            values.append(pytorch.random_key())
        results = self.run_native(values) if self.native else self.run_arrays(values)
        return [
            row.value if row.position is None else finished(results[row.position], row)
            for row in self.program.results
        ]

    def run_native(self, values: Sequence[Any]) -> list[Any]:
        """The results of native code, which reads and writes tensors where they lie."""
        results = [make() for make in self.makers]
        executable = self.executable
        assert isinstance(executable, CompiledExecutable)
        executable.call_at(
            [value.data_ptr() for value in values], [result.data_ptr() for result in results]
        )
        return results

    def run_arrays(self, values: Sequence[Any]) -> list[Any]:
        """The results of any executable, by arrays of NumPy that share elements with tensors."""
        arrays: list[Array] = [pytorch.array_of_tensor(value) for value in values]
        results: Any = self.executable.run(arrays)
        return [pytorch.tensor_of_array(np.asarray(result)) for result in results]


def is_native(executable: Executable) -> bool:
    """Whether an executable is native code that asks nothing of Python."""
    return isinstance(executable, CompiledExecutable) and executable.asks_nothing


def taken(value: Any, row: ImportedArgument) -> Any:
    """An argument as a dense tensor, its dimensions in the order of memory."""
    if row.is_size:
        return pytorch.scalar_tensor(value)
    if value is None:  # the token of operators with effects
        return pytorch.empty_token()
    if row.permutation is not None:
        value = value.permute(row.permutation)
    if value.is_conj() or value.is_neg():
        value = value.resolve_conj().resolve_neg()
    return value if value.is_contiguous() else value.contiguous()


def finished(result: Any, row: ImportedResult) -> Any:
    """A result as PyTorch has it: a number, or a tensor with the dimensions of the graph."""
    if row.is_number:
        return result.item()
    if row.permutation is None:
        return result
    order = sorted(range(len(row.permutation)), key=row.permutation.__getitem__)
    return result.permute(order)


def allocator(result: TensorType, row: ImportedResult) -> Callable[[], Any]:
    """What allocates a result of native code; a result of dynamic size is allocated by it."""
    if DYNAMIC in result.shape:
        return lambda: None
    return pytorch.empty_tensor(result.shape, result.element_type)
