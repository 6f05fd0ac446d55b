"""Handles the requests of native code with the operations themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.program.image import RequestRecord, operations_of
from stablemate.compiler.runtime.memory_views import Views
from stablemate.compiler.runtime.request_interface import MemoryViewer
from stablemate.diagnostics.errors import CompileError, LimitError, StablemateError
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.execution.signature import is_tuple
from stablemate.fork_safety import cached_property
from stablemate.interpreter.block import FAILURES, Failure, diagnostic_at, execution_error
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.interpreter.prepare import FunctionPreparation, Program
from stablemate.ir import request as requests
from stablemate.ir.core import Operation, Value
from stablemate.ir.definition import TargetsFunction
from stablemate.ir.request import IN_TARGETS, Process, ProcessFunction
from stablemate.ir.types import TupleType, Type

MANUAL_COMPUTATION: Final = "sdy.manual_computation"
PROCESS_IDS: Final = ("stablehlo.partition_id", "stablehlo.replica_id")
StartBody = Callable[[Operation, Sequence[Any]], Process]


class RequestHandlers:
    """Answers requests by the operations themselves.

    Args:
        interpreted: The program.
        threads: How many threads a library may use whose results do not depend on it.
        body: Starts the body of an operation that runs it as a process.
        violation: Describes what a checked kernel was about to access outside its buffers.
    """

    def __init__(
        self,
        interpreted: InterpretedExecutable,
        threads: int,
        body: StartBody,
        violation: Callable[[int, Sequence[int]], CompileError],
    ) -> None:
        self.interpreted = interpreted
        self.violation = violation
        self.body = body
        self.threads = threads
        self.functions: dict[int, Callable[..., Any]] = {}
        self.landings: dict[int, TargetsFunction | None] = {}

    @cached_property
    def operations(self) -> list[Any]:
        """All operations of the program."""
        return list(operations_of(self.interpreted.functions))

    def __call__(self, asked: RequestRecord, values: Sequence[Any]) -> Sequence[Any]:
        """The results of the operation of a request."""
        operation = self.operations[asked.operation]
        try:
            function = self.functions.get(asked.operation) or self.prepared(asked.operation)
            with np.errstate(all="ignore"):
                result = function(*values)
        except FAILURES as error:
            raise execution_error(error, operation) from error.__cause__
        return results_as_sequence(asked, result)

    def ask(self, asked: RequestRecord, values: Sequence[Any], targets: Sequence[Any]) -> Process:
        """The process of a request that asks the world.

        It gives the results, or None if it has written them to ``targets``. Unless it lends what
        it is about, others may look at that while native code goes on: it is handed copies.
        """
        number = asked.operation
        result: Any
        try:
            if number not in self.landings:
                self.landings[number] = self.with_targets(number)
            landing = self.landings[number]
            if landing is not None:
                result = yield from landing(values, targets)
            else:
                function = self.functions.get(number) or self.prepared(number)
                process: Process = function(*[e if e is None else e.copy() for e in values])
                result = yield from process
        except FAILURES as error:
            raise execution_error(error, self.operations[number]) from error.__cause__
        return None if result is IN_TARGETS else results_as_sequence(asked, result)

    def lending(
        self, asked: RequestRecord, values: Sequence[Any], targets: Sequence[Any]
    ) -> requests.Collective | None:
        """The request itself, where it lends memory and is the same for the same memory."""
        number = asked.operation
        if not isinstance(self.operations[number], Collective):
            return None
        if number not in self.landings:
            self.landings[number] = self.with_targets(number)
        landing = self.landings[number]
        if landing is None:
            return None
        request = next(landing(values, targets))
        assert isinstance(request, requests.Collective), "it asks for nothing else"
        return request

    def is_fixed(self, asked: RequestRecord) -> bool:
        """Whether a process is always given the same: who it is."""
        return self.operations[asked.operation].name in PROCESS_IDS

    def failed(self, asked: RequestRecord, error: Failure) -> StablemateError:
        """The error when a request fails with one."""
        return execution_error(error, self.operations[asked.operation])

    def with_targets(self, number: int) -> TargetsFunction | None:
        """What asks for the results of an operation and lends its memory; None if it may not."""
        operation = self.operations[number]
        values = (*operation.operands, *operation.results)
        if any(isinstance(value.type, TupleType) for value in values):
            return None
        if operation.name == MANUAL_COMPUTATION:
            targets_function: TargetsFunction = operation.prepare_with_targets(
                [self.started(operation)]
            )
            return targets_function
        program = Program(self.interpreted.functions, self.interpreted.limits)
        return FunctionPreparation(program).with_targets(operation)

    def prepared(self, number: int) -> Callable[..., Any]:
        """What computes the results of an operation, or the process that does if it asks."""
        operation = self.operations[number]
        function: Callable[..., Any]
        if operation.name == MANUAL_COMPUTATION:
            function = operation.prepare_process([self.started(operation)])
        else:
            program = Program(self.interpreted.functions, self.interpreted.limits)
            function, _ = FunctionPreparation(program).function(operation)
        if operation.name == "stablehlo.fft" and self.threads > 1:
            function = with_workers(function, self.threads)
        if any(isinstance(e.type, TupleType) for e in (*operation.operands, *operation.results)):
            function = with_flat_values(function, operation)
        self.functions[number] = function
        return function

    def started(self, operation: Operation) -> ProcessFunction:
        """The body of an operation as a process."""
        return lambda *values: self.body(operation, values)

    def viewed(self, asked: RequestRecord, instance: MemoryViewer) -> Views:
        """Operands and results of a request as they stand in memory."""
        operation = self.operations[asked.operation]
        operands = zip(asked.operands, flattened_types(operation.operands), strict=True)
        results = zip(asked.results, flattened_types(operation.results), strict=True)
        return (
            [instance.view(place, value_type) for place, value_type in operands],
            [instance.view(place, value_type) for place, value_type in results],
        )

    def overrun(self, operation: int) -> LimitError:
        """The error when a loop runs too long; the interpreter's."""
        limit = self.interpreted.limits.iterations
        message = f"the loop runs longer than {limit} iterations"
        return LimitError(diagnostic_at(self.operations[operation], message))

    def astray(self, step: int, report: Sequence[int]) -> CompileError:
        """The error when a checked kernel was about to leave its buffers."""
        return self.violation(step, report)


def flattened_types(values: Sequence[Value[Any]]) -> Iterator[Type]:
    """The types of values, of tuples those of their parts."""
    pending: list[Type] = [value.type for value in values][::-1]
    while pending:
        last = pending.pop()
        if isinstance(last, TupleType):
            pending += last.types[::-1]
        else:
            yield last


def with_flat_values(function: Callable[..., Any], operation: Operation) -> Callable[..., Any]:
    """The function of an operation that takes and gives tuples, on and with their parts."""
    types = [operand.type for operand in operation.operands]
    count = len(operation.results)

    def on_parts(*values: Any) -> Any:
        results = function(*pack_tuples(iter(values), types))
        leaves_ = tuple(flatten_tuples(results if count != 1 else (results,)))
        return leaves_ if len(leaves_) != 1 else leaves_[0]

    return on_parts


def pack_tuples(rest: Iterator[Any], types: Sequence[Type]) -> tuple[Any, ...]:
    """Values of these types, made of their parts."""
    return tuple(
        [pack_tuples(rest, e.types) if isinstance(e, TupleType) else next(rest) for e in types]
    )


def flatten_tuples(values: Sequence[Any]) -> Iterator[Any]:
    """The parts of what a function gave."""
    for value in values:
        if is_tuple(value):
            yield from flatten_tuples(value)
        else:
            yield value


def with_workers(function: Callable[..., Any], workers: int) -> Callable[..., Any]:
    """A function that transforms by SciPy, whose rows may be divided among threads."""
    from scipy import fft

    def transformed(*values: Any) -> Any:
        with fft.set_workers(workers):
            return function(*values)

    return transformed


def results_as_sequence(asked: RequestRecord, result: Any) -> Sequence[Any]:
    """What an operation gave, as a sequence: several results are a tuple, one is itself."""
    if not asked.results:
        return ()
    return result if len(asked.results) > 1 else (result,)
