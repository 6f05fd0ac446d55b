"""Calls of compiled graphs: tensors in and out, without a copy."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, partial
from math import prod
from typing import Any, Final

import numpy as np

from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.runtime.tensor_calls import TensorCall, TensorForm, TensorFunctions
from stablemate.execution.executable import Executable
from stablemate.frontends.tensor_functions.movement import inverse
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.importer import (
    ImportedArgument,
    ImportedProgram,
    ImportedResult,
)
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array

DESCRIBE: Final = 5  # the word of ``dltensor_from_py_object_no_sync`` in DLPack's exchange API
CAPSULE: Final = b"dlpack_exchange_api"
Allocation = tuple[tuple[int, ...], tuple[int, ...], Any]


class CompiledGraph:
    """A graph as AOTAutograd calls it.

    Attributes:
        program: The graph as a program.
        executable: Runs it.
        function: What AOTAutograd calls with a list, which is emptied: a builtin function, unless
            numbers or random keys are among arguments or results.
    """

    def __init__(self, program: ImportedProgram, executable: Executable) -> None:
        self.program = program
        self.executable = executable
        self.is_native = is_native(executable)
        self.has_all_results = all(
            row.position == i and not row.is_number for i, row in enumerate(program.results)
        )
        self.allocations = self.result_allocations() if self.is_native else []
        rows = program.arguments
        self.positions = [row.position for row in rows]
        self.unready = [
            (i, row.is_size) for i, row in enumerate(rows) if row.is_size or row.may_be_lazy
        ]
        self.native = self.native_call()
        is_whole = self.has_all_results and self.has_all_arguments
        self.function: Any = partial(self.native if self.native and is_whole else self.call)
        self.function._boxed_call = True  # arguments come as a list, to be emptied

    @property
    def has_all_arguments(self) -> bool:
        """Whether the arguments of the program are those of the graph, all of them tensors."""
        is_ready = not self.program.is_random and not self.unready
        return is_ready and self.positions == list(range(self.program.placeholders))

    def result_allocations(self) -> list[Allocation]:
        """The arguments with which the results of native code are allocated."""
        types = [result.type for result in self.executable.signature.results]
        forms = [
            form_of(types[row.position], row.permutation)
            for row in self.program.results
            if row.position is not None
        ]
        return [
            (form.shape, form.strides, pytorch.dtype_of(result.element_type))
            for form, result in zip(forms, types, strict=True)
            if isinstance(result, TensorType)
        ]

    def native_call(self) -> Callable[[list[Any]], list[Any]] | None:
        """The builtin function that calls the program; None if there is none."""
        executable, functions = self.executable, tensor_functions()
        if not self.is_native or functions is None:
            return None
        assert isinstance(executable, CompiledExecutable)
        rows = self.program.arguments
        types = [argument.type for argument in executable.signature.arguments]
        permutations = [row.permutation for row in rows] + [None] * (len(types) - len(rows))
        forms = [form_of(*pair) for pair in zip(types, permutations, strict=True)]
        results = [(TensorForm(*allocation[:2]), allocation) for allocation in self.allocations]
        call = executable.tensor_call(functions, forms, results, self.run_native)
        return None if call is None else held_function(call)

    def call(self, arguments: list[Any]) -> list[Any]:
        """The results for tensors and numbers; the list is emptied."""
        values = [arguments[position] for position in self.positions]
        arguments.clear()
        for i, is_size in self.unready:
            values[i] = pytorch.scalar_tensor(values[i]) if is_size else resolved(values[i])
        if self.program.is_random:
            values.append(pytorch.random_key())
        run = self.native or (self.run_native if self.is_native else self.run_arrays)
        results = run(values)
        if self.has_all_results:
            return results
        return [
            row.value if row.position is None else finished(results[row.position], row)
            for row in self.program.results
        ]

    def run_native(self, values: list[Any]) -> list[Any]:
        """The results of native code for tensors that lie in memory in any way."""
        tensors = self.taken(values)
        allocate = pytorch.empty_strided()
        results = [allocate(*allocation) for allocation in self.allocations]
        executable = self.executable
        assert isinstance(executable, CompiledExecutable)
        executable.call_at(
            [tensor.data_ptr() for tensor in tensors], [result.data_ptr() for result in results]
        )
        return results

    def run_arrays(self, values: list[Any]) -> list[Any]:
        """The results of any executable, by arrays of NumPy that share elements with tensors."""
        arrays: list[Array] = [pytorch.array_of_tensor(tensor) for tensor in self.taken(values)]
        results = [
            pytorch.tensor_of_array(np.asarray(result)) for result in self.executable.run(arrays)
        ]
        kept = [row for row in self.program.results if row.position is not None]
        return [restored(result, row) for result, row in zip(results, kept, strict=True)]

    def taken(self, values: list[Any]) -> list[Any]:
        """The arguments in the order of memory; the list of values is emptied."""
        rows = self.program.arguments
        tensors = [in_memory_order(value, row) for value, row in zip(values, rows, strict=False)]
        tensors += values[len(rows) :]
        values.clear()
        return tensors


def is_native(executable: Executable) -> bool:
    """Whether an executable is native code that asks nothing of Python."""
    return isinstance(executable, CompiledExecutable) and executable.asks_nothing


@cache
def tensor_functions() -> TensorFunctions | None:
    """PyTorch's functions that native code calls; None if this version lacks them."""
    capsule = pytorch.exchange_functions()
    if capsule is None:
        return None
    pointer_of: Any = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    words = (ctypes.c_size_t * (DESCRIBE + 1)).from_address(pointer_of(capsule, CAPSULE))
    return TensorFunctions(words[DESCRIBE], pytorch.empty_strided())


def held_function(call: TensorCall) -> Callable[[list[Any]], list[Any]]:
    """The function of a call, which keeps the call alive."""
    function: Any = partial(call.function)
    function.call = call
    return function


def resolved(value: Any) -> Any:
    """A tensor whose elements are what memory holds, neither conjugated nor negated lazily."""
    return None if value is None else value.resolve_conj().resolve_neg()


def in_memory_order(value: Any, row: ImportedArgument) -> Any:
    """A dense tensor, its dimensions in the order of memory; a copy if the argument is none."""
    if value is None:  # the token of operators with effects
        return pytorch.empty_token()
    ordered = value if row.permutation is None else value.permute(row.permutation)
    return ordered.contiguous()


def finished(result: Any, row: ImportedResult) -> Any:
    """A result as PyTorch has it: a number, or a tensor."""
    return result.item() if row.is_number else result


def restored(result: Any, row: ImportedResult) -> Any:
    """A result whose dimensions lie in the order of memory, with those of the graph."""
    return result if row.permutation is None else result.permute(inverse(row.permutation))


def form_of(value_type: Type, permutation: Sequence[int] | None) -> TensorForm:
    """How PyTorch's tensor lies whose dimensions in the order of memory have these sizes."""
    assert isinstance(value_type, TensorType)
    shape = value_type.shape
    strides = [prod([max(size, 1) for size in shape[i + 1 :]]) for i in range(len(shape))]
    order = range(len(shape)) if permutation is None else inverse(permutation)
    return TensorForm(tuple([shape[i] for i in order]), tuple([strides[i] for i in order]))
