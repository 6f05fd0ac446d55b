"""Calls of compiled graphs: tensors in and out, without a copy."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from math import prod
from typing import Any, Final, cast

import numpy as np

from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.runtime.tensor_calls import (
    CallForm,
    TensorCall,
    TensorForm,
    TensorFunctions,
)
from stablemate.execution.executable import Executable
from stablemate.frontends.tensor_functions.movement import inverse
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.fx import TorchTensor
from stablemate.frontends.torch.importer import (
    ImportedArgument,
    ImportedProgram,
    ImportedResult,
    NumberResult,
    ResultView,
)
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array

DESCRIBE: Final = 5  # the word of ``dltensor_from_py_object_no_sync`` in DLPack's exchange API
CAPSULE: Final = b"dlpack_exchange_api"
Run = Callable[[list[Any]], list[Any]]
Allocation = tuple[tuple[int, ...], tuple[int, ...], object]


class CompiledGraph:
    """A graph as AOTAutograd calls it.

    Attributes:
        program: The graph as a program.
        executable: Runs it.
        function: What AOTAutograd calls with a list, which is emptied: a builtin function, unless
            numbers or random keys are among arguments or results.
    """

    def __init__(
        self, program: ImportedProgram, executable: Executable,
        held: Mapping[int, TorchTensor] | None = None, otherwise: Run | None = None,
        written: Sequence[int] = (),
    ) -> None:  # fmt: skip
        """Prepares the calls.

        Args:
            program: The graph as a program.
            executable: Runs it.
            held: Arguments of the graph that are constants of the program, by position.
            otherwise: Called with the list if other tensors come in their places.
            written: The arguments of the graph whose new values are its first results.
        """
        self.program = program
        self.executable = executable
        self.held = held or {}
        self.otherwise = otherwise
        self.is_native = is_native(executable)
        self.has_all_results = all(
            row.position == i and not row.is_number and row.view is None and not row.has_parts
            for i, row in enumerate(program.results)
        )
        self.repeated = [
            (place, row.same_as)
            for place, row in enumerate(program.results)
            if row.same_as is not None
        ]
        self.shares_arguments = any(map(shares_argument, program.results))
        self.allocations = self.result_allocations() if self.is_native else []
        self.donors = self.overwritten_arguments(written) if self.is_native else {}
        self.unready = [
            row for row in program.arguments if row.is_size or row.may_be_lazy or row.has_parts
        ]
        self.run: Run = self.native_call() or self.run_in_python
        is_whole = self.has_all_results and not self.unready and not program.is_random
        self.function = cast("Any", partial(self.run if is_whole else self.call))
        self.function._boxed_call = True  # arguments come as a list, to be emptied

    @property
    def orders(self) -> Mapping[int, Sequence[int]]:
        """The dimensions of results of the program in the order in which they lie in memory."""
        return {
            row.position: row.permutation
            for row in self.program.results
            if row.position is not None and row.permutation is not None
        }

    def result_allocations(self) -> list[Allocation]:
        """The arguments with which the results of native code are allocated."""
        types = [result.type for result in self.executable.signature.results]
        orders = self.orders
        forms = [form_of(result, orders.get(i)) for i, result in enumerate(types)]
        return [
            (form.shape, form.strides, pytorch.dtype_of(result.element_type))
            for form, result in zip(forms, types, strict=True)
            if isinstance(result, TensorType)
        ]

    def overwritten_arguments(self, written: Sequence[int]) -> dict[int, int]:
        """The positions of arguments that their new values are written over, by result.

        AOTAutograd copies the new value of an argument into it, which ends where both are one
        tensor. The program must not read the argument after that, and nothing else may lie in it.
        """
        results = self.program.results
        viewed = {row.view.argument for row in results if row.view is not None}
        viewed |= {row.argument for row in results}
        owners = Counter(row.position for row in results)
        again = {row.same_as for row in results}
        rows = {row.position: place for place, row in enumerate(self.program.arguments)}
        executable = self.executable
        assert isinstance(executable, CompiledExecutable)
        reusable = set(executable.program.image.reusable_pairs)
        return {
            result.position: argument
            for place, (argument, result) in enumerate(zip(written, results, strict=False))
            if result.position is not None
            and result.view is None
            and owners[result.position] == 1
            and place not in again
            and argument not in viewed
            and (rows.get(argument), result.position) in reusable
            and self.argument_form(rows[argument]) == self.result_form(result.position)
        }

    def argument_form(self, place: int) -> TensorForm:
        """How an argument of the program lies."""
        row = self.rows[place]
        form = form_of(self.executable.signature.arguments[place].type, row.permutation)
        return TensorForm(
            tuple([row.repeated.get(i, size) for i, size in enumerate(form.shape)]),
            tuple([0 if i in row.repeated else step for i, step in enumerate(form.strides)]),
        )

    def result_form(self, position: int) -> TensorForm:
        """How a result of the program lies."""
        return TensorForm(*self.allocations[position][:2])

    def native_call(self) -> Run | None:
        """The builtin function that calls the program; None if there is none."""
        executable, functions = self.executable, tensor_functions()
        if not self.is_native or functions is None:
            return None
        assert isinstance(executable, CompiledExecutable)
        form = CallForm(
            self.program.placeholders + self.program.is_random,
            [(row.position, self.argument_form(place)) for place, row in enumerate(self.rows)],
            self.held,
            [(self.result_form(i), allocation) for i, allocation in enumerate(self.allocations)],
            self.donors,
        )
        call = executable.tensor_call(functions, form, self.run_in_python)
        return None if call is None else held_function(call)

    @property
    def rows(self) -> Sequence[ImportedArgument]:
        """The arguments of the program; the key of random numbers is the last one."""
        key = ImportedArgument(self.program.placeholders)
        return [*self.program.arguments, key] if self.program.is_random else self.program.arguments

    def call(self, arguments: list[Any]) -> list[Any]:
        """The results for tensors and numbers; the list is emptied."""
        given = arguments.copy() if self.shares_arguments else []
        for row in self.unready:
            arguments[row.position] = ready(arguments[row.position], row)
        if self.program.is_random:
            arguments.append(pytorch.random_key())
        results = self.run(arguments)
        if self.has_all_results:
            return results
        for result in self.program.results:
            if result.has_parts and result.position is not None:
                results[result.position] = pytorch.complex_of(results[result.position])
        finished = [finish_result(row, results, given) for row in self.program.results]
        for place, earlier in self.repeated:
            finished[place] = finished[earlier]
        return finished

    def run_in_python(self, arguments: list[Any]) -> list[Any]:
        """The results for tensors that lie in memory in any way; the list is emptied."""
        if any(arguments[i] is not value for i, value in self.held.items()):
            assert self.otherwise is not None
            return self.otherwise(arguments)
        tensors = [in_memory_order(arguments[row.position], row) for row in self.rows]
        arguments.clear()
        return self.run_native(tensors) if self.is_native else self.run_arrays(tensors)

    def run_native(self, tensors: Sequence[TorchTensor]) -> list[TorchTensor]:
        """The results of native code for tensors in the order of memory."""
        allocate = pytorch.empty_strided()
        results: list[TorchTensor] = [allocate(*sizes) for sizes in self.allocations]
        executable = self.executable
        assert isinstance(executable, CompiledExecutable)
        executable.call_at(
            [tensor.data_ptr() for tensor in tensors], [result.data_ptr() for result in results]
        )
        return results

    def run_arrays(self, tensors: Sequence[TorchTensor]) -> list[TorchTensor]:
        """The results of any executable, by arrays of NumPy that share elements with tensors."""
        arrays: list[Array] = [pytorch.array_of_tensor(tensor) for tensor in tensors]
        results = [
            pytorch.tensor_of_array(np.asarray(result)) for result in self.executable.run(arrays)
        ]
        orders = self.orders
        return [restore_order(result, orders.get(i)) for i, result in enumerate(results)]


def is_native(executable: Executable) -> bool:
    """Whether an executable is native code that asks nothing of Python."""
    return isinstance(executable, CompiledExecutable) and executable.asks_nothing


@cache
def tensor_functions() -> TensorFunctions | None:
    """PyTorch's functions that native code calls; None if this version lacks them."""
    capsule = pytorch.exchange_functions()
    if capsule is None:
        return None
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    words = (ctypes.c_size_t * (DESCRIBE + 1)).from_address(pointer_of(capsule, CAPSULE))
    return TensorFunctions(words[DESCRIBE], pytorch.empty_strided())


def held_function(call: TensorCall) -> Run:
    """The function of a call, which keeps the call alive."""
    function = partial(call.function)
    cast("Any", function).call = call
    return function


def ready(value: Any, row: ImportedArgument) -> TorchTensor | None:
    """A number as a tensor, or a tensor whose elements are what memory holds."""
    if row.is_size:
        return pytorch.scalar_tensor(value)
    tensor = resolve_lazy(value)
    return pytorch.parts_of(tensor) if row.has_parts else tensor


def resolve_lazy(value: TorchTensor | None) -> TorchTensor | None:
    """A tensor whose elements are what memory holds, neither conjugated nor negated lazily."""
    return None if value is None else value.resolve_conj().resolve_neg()


def in_memory_order(value: TorchTensor | None, row: ImportedArgument) -> TorchTensor:
    """A dense tensor, its dimensions in the order of memory; a copy if the argument is none."""
    if value is None:  # the token of operators with effects
        return pytorch.empty_token()
    for dimension in row.repeated:
        value = value.narrow(dimension, 0, 1)
    ordered = value if row.permutation is None else value.permute(row.permutation)
    return ordered.contiguous()


def finish_result(
    row: ImportedResult, results: Sequence[Any], arguments: Sequence[TorchTensor]
) -> object:
    """A result as PyTorch has it: a number, a tensor, or a view.

    Args:
        row: What it is.
        results: The results of the program.
        arguments: The arguments of the graph.
    """
    if row.argument is not None:
        return arguments[row.argument]
    if row.view is not None:
        return view_result(row, row.view, results, arguments)
    if row.position is None:
        return row.value
    result = results[row.position]
    return result.item() if row.is_number else result


def shares_argument(row: ImportedResult) -> bool:
    """Whether a result is an argument, or lies in the memory of one."""
    return row.argument is not None or (row.view is not None and row.view.argument is not None)


def view_result(
    row: ImportedResult, view: ResultView, results: Sequence[Any], arguments: Sequence[TorchTensor]
) -> TorchTensor:
    """A result in the memory of another one, or of an argument."""

    def number(size: int | NumberResult) -> int:
        return int(results[size.position]) if isinstance(size, NumberResult) else size

    base: TorchTensor = (
        arguments[view.argument] if view.argument is not None else results[row.position or 0]
    )
    shape, strides = [*map(number, view.shape)], [*map(number, view.strides)]
    offset = number(view.offset)
    if view.is_tracked:
        result = pytorch.view_of(base, view.dtype, shape, strides, offset)
    else:
        result = pytorch.tensor_in_memory_of(base, view.dtype, shape, strides, offset)
    return pytorch.lazy_tensor(result, view.is_conjugate, view.is_negative)


def restore_order(result: TorchTensor, order: Sequence[int] | None) -> TorchTensor:
    """A result whose dimensions lie in the order of memory, with those of the graph."""
    return result if order is None else result.permute(inverse(order))


def form_of(value_type: Type, permutation: Sequence[int] | None) -> TensorForm:
    """How PyTorch's tensor lies whose dimensions in the order of memory have these sizes."""
    assert isinstance(value_type, TensorType)
    shape = value_type.shape
    strides = [prod([max(size, 1) for size in shape[i + 1 :]]) for i in range(len(shape))]
    order = range(len(shape)) if permutation is None else inverse(permutation)
    return TensorForm(tuple([shape[i] for i in order]), tuple([strides[i] for i in order]))
