"""Handles the requests of native code by running the operations themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.compiler.program.image import RequestRecord, operations_of
from stablemate.compiler.runtime.memory_views import Views
from stablemate.compiler.runtime.request_interface import MemoryViewer
from stablemate.diagnostics.errors import CompileError, LimitError, StablemateError
from stablemate.diagnostics.missing_packages import optional_package
from stablemate.execution.custom_calls.registered import CONCURRENT
from stablemate.execution.signature import is_tuple
from stablemate.fork_safety import cached_property
from stablemate.interpreter.block import FAILURES, Failure, diagnostic_at, execution_error
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir import request as requests
from stablemate.ir.core import Operation, Value
from stablemate.ir.definition import TargetsFunction
from stablemate.ir.request import IN_TARGETS, Process, ProcessFunction
from stablemate.ir.types import TupleType, Type
from stablemate.numerics.floating_point_environment import keeping_subnormals

MANUAL_COMPUTATION: Final = "sdy.manual_computation"
CUSTOM_CALL: Final = "stablehlo.custom_call"
PROCESS_IDS: Final = ("stablehlo.partition_id", "stablehlo.replica_id")
# An operation that Python executes: takes values of operands, returns those of results.
HostFunction: TypeAlias = Callable[..., Any]
StartBody = Callable[[Operation, Sequence[Any]], Process]


class RequestHandlers:
    """Handles requests by running the operations.

    Args:
        interpreted: The program.
        threads: How many threads a library may use whose results do not depend on it.
        start_body: Starts the body of an operation that runs it as a process.
        violation: Describes the memory access of a checked kernel outside its buffers.
    """

    def __init__(
        self,
        interpreted: InterpretedExecutable,
        threads: int,
        start_body: StartBody,
        violation: Callable[[int, Sequence[int]], CompileError],
    ) -> None:
        self.interpreted = interpreted
        self.violation = violation
        self.start_body = start_body
        self.threads = threads
        self.functions: dict[int, HostFunction] = {}
        self.targets_functions: dict[int, TargetsFunction | None] = {}

    @cached_property
    def operations(self) -> list[Any]:
        """All operations of the program."""
        return list(operations_of(self.interpreted.functions))

    def __call__(self, record: RequestRecord, values: Sequence[object]) -> Sequence[Any]:
        """The results of the operation of a request."""
        operation = self.operations[record.operation]
        try:
            function = self.functions.get(record.operation) or self.prepare(record.operation)
            with np.errstate(all="ignore"), keeping_subnormals():
                result = function(*values)
        except FAILURES as error:
            raise execution_error(error, operation) from error.__cause__
        return results_as_sequence(record, result)

    def host_call(
        self, record: RequestRecord, values: Sequence[object]
    ) -> requests.HostCall | None:
        """The request to call a function that may wait for other processes, if this is one."""
        operation = self.operations[record.operation]
        if operation.name != CUSTOM_CALL or operation.call_target_name not in CONCURRENT:
            return None
        return requests.HostCall(operation, partial(self, record, values))

    def host_request(
        self, record: RequestRecord, values: Sequence[Any], targets: Sequence[Any]
    ) -> Process:
        """The process of a host request.

        It returns the results, or None if it has written them to ``targets``. Unless the request
        lends its operands, others may read them while native code continues: it gets copies.
        """
        number = record.operation
        result: Any
        try:
            if number not in self.targets_functions:
                self.targets_functions[number] = self.with_targets(number)
            targets_function = self.targets_functions[number]
            if targets_function is not None:
                result = yield from targets_function(values, targets)
            else:
                function = self.functions.get(number) or self.prepare(number)
                process: Process = function(*[e if e is None else e.copy() for e in values])
                result = yield from process
        except FAILURES as error:
            raise execution_error(error, self.operations[number]) from error.__cause__
        return None if result is IN_TARGETS else results_as_sequence(record, result)

    def lent_request(
        self, record: RequestRecord, values: Sequence[object], targets: Sequence[object]
    ) -> requests.CollectiveRequest | None:
        """The request itself, if it lends memory and is always the same for the same memory."""
        from stablemate.dialects.stablehlo.collectives import Collective  # of grids alone

        number = record.operation
        if not isinstance(self.operations[number], Collective):
            return None
        if number not in self.targets_functions:
            self.targets_functions[number] = self.with_targets(number)
        targets_function = self.targets_functions[number]
        if targets_function is None:
            return None
        request = next(targets_function(values, targets))
        assert isinstance(request, requests.CollectiveRequest), (
            "a collective operation makes no other request"
        )
        return request

    def is_constant_per_process(self, record: RequestRecord) -> bool:
        """Whether the answer is always the same for a process: its id."""
        return self.operations[record.operation].name in PROCESS_IDS

    def request_error(self, record: RequestRecord, error: Failure) -> StablemateError:
        """The error that is raised when a request fails."""
        return execution_error(error, self.operations[record.operation])

    def with_targets(self, number: int) -> TargetsFunction | None:
        """The function that handles a request on views of its memory; None if it must copy."""
        operation = self.operations[number]
        values = (*operation.operands, *operation.results)
        if any(isinstance(value.type, TupleType) for value in values):
            return None
        if operation.name == MANUAL_COMPUTATION:
            targets_function: TargetsFunction = operation.prepare_with_targets(
                [self.body_process(operation)]
            )
            return targets_function
        return self.interpreted.new_program().operation_with_targets(operation)

    def prepare(self, number: int) -> HostFunction:
        """The function that computes the results of an operation, or that starts its process."""
        operation = self.operations[number]
        function: HostFunction
        if operation.name == MANUAL_COMPUTATION:
            function = operation.prepare_process([self.body_process(operation)])
        else:
            function = self.interpreted.new_program().operation(operation)
        if operation.name == "stablehlo.fft" and self.threads > 1:
            function = with_workers(function, self.threads)
        if any(isinstance(e.type, TupleType) for e in (*operation.operands, *operation.results)):
            function = with_flat_values(function, operation)
        self.functions[number] = function
        return function

    def body_process(self, operation: Operation) -> ProcessFunction:
        """The body of an operation as a process."""
        return lambda *values: self.start_body(operation, values)

    def request_views(self, record: RequestRecord, instance: MemoryViewer) -> Views:
        """The operands and results of a request as views of memory."""
        operation = self.operations[record.operation]
        operands = zip(record.operands, flattened_types(operation.operands), strict=True)
        results = zip(record.results, flattened_types(operation.results), strict=True)
        return (
            [instance.view(place, value_type) for place, value_type in operands],
            [instance.view(place, value_type) for place, value_type in results],
        )

    def iteration_limit_error(self, operation: int) -> LimitError:
        """The error when a loop runs too long; that of the interpreter."""
        limit = self.interpreted.limits.iterations
        message = f"the loop runs longer than {limit} iterations"
        return LimitError(diagnostic_at(self.operations[operation], message))

    def access_error(self, step: int, report: Sequence[int]) -> CompileError:
        """The error when a checked kernel tried to access memory outside its buffers."""
        return self.violation(step, report)


def flattened_types(values: Sequence[Value]) -> Iterator[Type]:
    """The types of values; tuples are flattened."""
    pending: list[Type] = [value.type for value in values][::-1]
    while pending:
        value_type = pending.pop()
        if isinstance(value_type, TupleType):
            pending += value_type.types[::-1]
        else:
            yield value_type


def with_flat_values(function: HostFunction, operation: Operation) -> HostFunction:
    """Adapts the function of an operation on tuples to flattened operands and results."""
    types = [operand.type for operand in operation.operands]
    count = len(operation.results)

    def on_flat_values(*values: object) -> object:
        results = function(*pack_tuples(iter(values), types))
        flat_results = tuple(flatten_tuples(results if count != 1 else (results,)))
        return flat_results if len(flat_results) != 1 else flat_results[0]

    return on_flat_values


def pack_tuples(flat_values: Iterator[object], types: Sequence[Type]) -> tuple[object, ...]:
    """Packs flattened values into values of these types."""
    return tuple(
        [
            pack_tuples(flat_values, e.types) if isinstance(e, TupleType) else next(flat_values)
            for e in types
        ]
    )


def flatten_tuples(values: Sequence[object]) -> Iterator[object]:
    """Flattens the results of a function."""
    for value in values:
        if is_tuple(value):
            yield from flatten_tuples(value)
        else:
            yield value


def with_workers(function: Callable[..., object], workers: int) -> Callable[..., object]:
    """Adapts a function that uses SciPy's FFT to divide rows among threads."""
    with optional_package():
        from scipy import fft

    def with_threads(*values: object) -> object:
        with fft.set_workers(workers):
            return function(*values)

    return with_threads


def results_as_sequence(record: RequestRecord, result: Any) -> Sequence[object]:
    """The results of an operation as a sequence: several results are a tuple, one is itself."""
    if not record.results:
        return ()
    return result if len(record.results) > 1 else (result,)
