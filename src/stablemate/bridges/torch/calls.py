"""Calls of compiled graphs: tensors in and out, without a copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from stablemate.compiler.executable import CompiledExecutable
from stablemate.execution.executable import Executable
from stablemate.frontends.tensor_functions.movement import inverse
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.importer import (
    ImportedArgument,
    ImportedProgram,
    ImportedResult,
)
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
        self.is_native = is_native(executable)
        self.has_all_results = all(
            row.position == i and not row.is_number for i, row in enumerate(program.results)
        )
        self.allocators = [
            allocator(executable.signature.results[row.position].type, row)
            for row in program.results
            if row.position is not None
        ]

    def __call__(self, arguments: list[Any]) -> list[Any]:
        """The results for tensors and numbers; the list is emptied."""
        values = [taken(arguments[row.position], row) for row in self.program.arguments]
        arguments.clear()
        if self.program.is_random:
            values.append(pytorch.random_key())
        results = self.run_native(values) if self.is_native else self.run_arrays(values)
        if self.has_all_results:
            return results
        return [
            row.value if row.position is None else finished(results[row.position], row)
            for row in self.program.results
        ]

    def run_native(self, values: Sequence[Any]) -> list[Any]:
        """The results of native code, which reads and writes tensors where they lie."""
        results = [allocate() for allocate in self.allocators]
        executable = self.executable
        assert isinstance(executable, CompiledExecutable)
        executable.call_at(
            [value.data_ptr() for value in values], [result.data_ptr() for result in results]
        )
        return results

    def run_arrays(self, values: Sequence[Any]) -> list[Any]:
        """The results of any executable, by arrays of NumPy that share elements with tensors."""
        arrays: list[Array] = [pytorch.array_of_tensor(value) for value in values]
        results = [
            pytorch.tensor_of_array(np.asarray(result)) for result in self.executable.run(arrays)
        ]
        rows = [row for row in self.program.results if row.position is not None]
        return [ordered(result, row) for result, row in zip(results, rows, strict=True)]


def is_native(executable: Executable) -> bool:
    """Whether an executable is native code that asks nothing of Python."""
    return isinstance(executable, CompiledExecutable) and executable.asks_nothing


def taken(value: Any, row: ImportedArgument) -> Any:
    """An argument as a dense tensor, its dimensions in the order of memory."""
    if row.is_plain and value.is_contiguous() and not value.is_neg():
        return value
    if row.is_size:
        return pytorch.scalar_tensor(value)
    if value is None:  # the token of operators with effects
        return pytorch.empty_token()
    if row.permutation is not None:
        value = value.permute(row.permutation)
    return value.resolve_conj().resolve_neg().contiguous()


def finished(result: Any, row: ImportedResult) -> Any:
    """A result as PyTorch has it: a number, or a tensor."""
    return result.item() if row.is_number else result


def ordered(result: Any, row: ImportedResult) -> Any:
    """A result whose dimensions lie in the order of memory, with those of the graph."""
    return result if row.permutation is None else result.permute(inverse(row.permutation))


def allocator(result: Any, row: ImportedResult) -> Callable[[], Any]:
    """What allocates a result of native code, with the strides that PyTorch has."""
    assert isinstance(result, TensorType)
    if DYNAMIC in result.shape:
        return lambda: None
    strides = [1] * result.rank
    for i in reversed(range(result.rank - 1)):
        strides[i] = strides[i + 1] * max(result.shape[i + 1], 1)
    order = inverse(row.permutation or range(result.rank))
    return pytorch.empty_tensor(
        [result.shape[i] for i in order], [strides[i] for i in order], result.element_type
    )
