"""Prepares functions for execution: assigns slots and prepares the function of every operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from stablemate.diagnostics.errors import EvaluationError, LimitError, UnsupportedError
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.calls import CALLS, called_computations
from stablemate.dialects.refinement import refined_types
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.ragged_all_to_all import (
    is_ragged_all_to_all,
    ragged_all_to_all,
)
from stablemate.dialects.unregistered import UnregisteredOp
from stablemate.execution import custom_calls as targets
from stablemate.execution.allocation import reject_oversized
from stablemate.execution.observe.listener import CONTROL_FLOW, ListAppender, Listener
from stablemate.fork_safety import cached_property
from stablemate.interpreter.block import (
    BlockLayout,
    BlockStep,
    Frame,
    Prepared,
    PreparedBlock,
    ProcessBlock,
    as_process,
    as_scalar,
    diagnostic_at,
    prepare_block,
    resource_error,
)
from stablemate.interpreter.call_order import CallOrder
from stablemate.interpreter.in_place import in_place_updates, with_copied_operands
from stablemate.interpreter.observation import observed_block, observed_step
from stablemate.interpreter.result_limits import limited_by_values
from stablemate.interpreter.shape_specialization import has_unknown_shape, prepared_by_shape
from stablemate.interpreter.summation_order import REFERENCE_ORDER, Order
from stablemate.ir.attributes import DenseElementsAttribute, SymbolAttribute, attribute_as
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import Op, RegionFunction, RequestOp, TargetsFunction, returned_values
from stablemate.ir.request import Process, ProcessFunction
from stablemate.ir.types import Type


class InterpretedProgram:
    """The functions of a module, each prepared on first use.

    One program runs one call at a time: its frames are its own.

    Attributes:
        functions: The functions.
        limits: The limits of a run.
        listener: Is notified of what is computed; may be None.
        order: The order of sums and folds.
    """

    def __init__(
        self,
        functions: Mapping[str, Operation],
        limits: Limits,
        listener: Listener | None = None,
        *,
        order: Order = REFERENCE_ORDER,
    ) -> None:
        self.functions = functions
        self.order: Order = order
        self.limits = limits
        self.listener = listener
        self.prepared: dict[str, Prepared] = {}
        self.bodies: dict[Region, Prepared] = {}
        self.order_of_calls = CallOrder(
            functions, self.prepared, limits, is_observed=listener is not None
        )

    def function(self, name: str, caller: Operation | None = None) -> Prepared:
        """The prepared body of a function; those that it calls are prepared first.

        Raises:
            EvaluationError: There is no such function, it has no body, or it calls itself.
            LimitError: Calls are nested too deeply.
        """
        if name in self.prepared:
            return self.prepared[name]
        operation = self.functions.get(name)
        if operation is None or not operation.regions[0].blocks:
            what = "has no body" if operation else "does not exist"
            raise EvaluationError(diagnostic_at(caller, f"function @{name} {what}"))
        for callee in self.order_of_calls.before(name):
            try:
                preparation = FunctionPreparation(self)
                self.prepared[callee] = preparation.block(self.functions[callee].regions[0].block)
            except RecursionError as error:
                raise resource_error(error, caller) from None
        return self.prepared[name]

    @cached_property
    def unobserved(self) -> InterpretedProgram:
        """The same functions without a listener, for computations on scalars."""
        return InterpretedProgram(self.functions, self.limits, order=self.order)

    def operation(self, operation: Operation) -> Callable[..., object]:
        """The function that computes the results of one operation, or that starts its process."""
        function, _ = FunctionPreparation(self).function(operation)
        return function

    def operation_with_targets(self, operation: Operation) -> TargetsFunction | None:
        """The function that writes the results of one operation to targets, if there is one."""
        return FunctionPreparation(self).with_targets(operation)

    def body(self, operation: Operation) -> Prepared:
        """The prepared body of an operation that is isolated from above."""
        (region,) = operation.regions
        if region not in self.bodies:
            self.bodies[region] = FunctionPreparation(self).block(region.block)
        return self.bodies[region]


class PendingStep(NamedTuple):
    """A step before liveness is known."""

    function: Callable[..., object]
    is_process: bool  # whether the function is a process
    operation: Operation
    operands: list[int]
    results: list[int]
    used: set[int]  # slots that its regions read
    recorder: ListAppender | None  # records its result for a listener


class FunctionPreparation:
    """Prepares the blocks of one function on one frame."""

    def __init__(self, program: InterpretedProgram) -> None:
        self.program = program
        self.listener = program.listener
        self.frame: Frame = []
        self.slots: dict[Value[Type], int] = {}
        self.constants: dict[int, object] = {}  # values by slot
        self.overwriting: set[Operation] = set()  # slice updates that are done in place

    def slot(self, value: Value[Type]) -> int:
        """The slot of a value."""
        slot = self.slots.get(value)
        if slot is None:
            slot = self.slots[value] = len(self.frame)
            self.frame.append(None)
        return slot

    def block(self, block: Block) -> Prepared:
        """The prepared form of a block."""
        arguments = [self.slot(argument) for argument in block.arguments]
        drafts = [
            self.step(operation)
            for operation in block.operations[:-1]
            if not self.is_constant(operation)
        ]
        returned = [self.slot(value) for value in returned_values(block)]
        own = {*arguments, *(slot for draft in drafts for slot in draft.results)}
        read = {*returned, *(slot for draft in drafts for slot in draft.operands)}
        used = {slot for draft in drafts for slot in draft.used}
        constants = {slot: self.constants[slot] for slot in read if slot in self.constants}
        steps = self.steps(drafts, own, set(returned))
        draft = BlockLayout(arguments, steps, returned, own & used, constants)
        return prepare_block(draft, self.frame)

    def is_constant(self, operation: Operation) -> bool:
        """Whether the operation is a constant; if so, its value is stored."""
        if not isinstance(operation, Constant):
            return False
        value = operation.value
        if isinstance(value, DenseElementsAttribute) and value.is_splat:
            self.reject_oversized_results(operation)  # others have their memory already
        self.constants[self.slot(operation.results[0])] = as_scalar(operation.evaluate())
        return True

    def step(self, operation: Operation) -> PendingStep:
        """The step of an operation."""
        used = {self.slot(value) for value in nested_operands(operation)}
        operands = [self.slot(value) for value in operation.operands]
        results = [self.slot(value) for value in operation.results]
        function, is_process = self.function(operation)
        computed = None if self.listener is None else self.listener.watch(operation)
        if isinstance(computed, ListAppender) and len(results) == 1:
            return PendingStep(function, is_process, operation, operands, results, used, computed)
        if computed is not None:
            function = observed_step(function, is_process, operation, computed)
        return PendingStep(function, is_process, operation, operands, results, used, None)

    def steps(
        self, drafts: Sequence[PendingStep], own: set[int], returned: set[int]
    ) -> list[BlockStep]:
        """The steps, each with the block's own slots that no later step reads."""
        steps: list[BlockStep] = []
        alive = set(returned)
        for function, is_process, operation, operands, results, used, recorder in reversed(drafts):
            touched = {*operands, *used}
            dead = sorted(((touched | set(results)) & own) - alive)
            alive |= touched
            steps.append(
                BlockStep(function, is_process, operands, results, dead, operation, recorder)
            )
        return steps[::-1]

    def function(self, operation: Operation) -> tuple[Callable[..., object], bool]:
        """The function of an operation, and whether it is a process."""
        self.reject_oversized_results(operation)
        symbol = CALLS.get(operation.name)
        if symbol is not None:
            return self.call(operation, symbol)
        if is_ragged_all_to_all(operation):
            return ragged_all_to_all(operation).prepare(()), True
        if operation.name == "stablehlo.custom_call":
            call = self.custom_call(operation)
            return limited_by_values(operation, call, self.program.limits), False
        if not isinstance(operation, Op):
            raise UnsupportedError(diagnostic_at(operation, "this operation cannot be evaluated"))
        if operation in self.overwriting and isinstance(operation, DynamicUpdateSlice):
            return operation.prepare_in_place(), False
        filled: Mapping[int, Sequence[DynamicUpdateSlice]] = {}
        if self.listener is None:
            filled = in_place_updates(operation)
        self.overwriting.update(update for updates in filled.values() for update in updates)
        function, is_process = self.prepare_formula(operation)
        return with_copied_operands(function, list(filled)) if filled else function, is_process

    def with_targets(self, operation: Operation) -> TargetsFunction | None:
        """The process that lends its memory for the results; None if the operation has none."""
        if not isinstance(operation, RequestOp):
            return None
        regions = [self.region(operation, region) for region in operation.regions]
        plain = [block.function for block in regions if isinstance(block, PreparedBlock)]
        return operation.prepare_with_targets(plain) if len(plain) == len(regions) else None

    def prepare_formula(self, operation: Op) -> tuple[Callable[..., object], bool]:
        """The function of the operation's own formula, and whether it is a process."""
        if isinstance(operation, UnregisteredOp):
            return operation.prepare(()), False  # is rejected, and not what is inside it
        regions = self.regions(operation)
        plain = [block.function for block in regions if isinstance(block, PreparedBlock)]
        if len(plain) == len(regions):
            return self.by_shape(operation, self.with_limit(operation, plain))
        return self.process_by_shape(operation, self.process_with_limit(operation, regions))

    def by_shape(
        self, operation: Op, regions: Sequence[RegionFunction]
    ) -> tuple[Callable[..., object], bool]:
        """The function for operands of any shapes, and whether it is a process."""
        is_fast = self.program.order == "fast"

        def prepare(op: Op) -> Callable[..., object]:
            self.reject_oversized_results(op)
            function = op.prepare_fast(regions) if is_fast else op.prepare(regions)
            return limited_by_values(op, function, self.program.limits)

        return prepared_by_shape(operation, prepare), isinstance(operation, RequestOp)

    def process_by_shape(
        self, operation: Op, regions: Sequence[ProcessFunction]
    ) -> tuple[Callable[..., object], bool]:
        """The process for operands of any shapes."""

        def prepare(op: Op) -> Callable[..., object]:
            self.reject_oversized_results(op)
            return op.prepare_process(regions)

        return prepared_by_shape(operation, prepare), True

    def call(self, operation: Operation, symbol: str) -> tuple[Callable[..., object], bool]:
        """The function of a call, and whether it is a process."""
        target = attribute_as(operation.attributes, symbol, SymbolAttribute)
        block = self.callee(target.root, operation)
        if self.listener is not None:
            block = observed_block(block, self.listener, operation, 0)
        if isinstance(block, ProcessBlock):
            return process_call(operation, block), True
        function = block.function
        if len(operation.results) != 1:
            return function, False
        return lambda *values: function(*values)[0], False

    def callee(self, name: str, caller: Operation) -> Prepared:
        """A function that is called; it has a listener only if the caller has one."""
        is_silent = self.listener is None and self.program.listener is not None
        program = self.program.unobserved if is_silent else self.program
        return program.function(name, caller)

    def custom_call(self, operation: Operation) -> Callable[..., object]:
        """The function that calls a custom call target."""
        names = called_computations(operation)
        computations = [self.computation(name, operation) for name in names]
        return targets.prepare_call(operation, computations, self.program.limits)

    def computation(self, name: str, caller: Operation) -> targets.CallableComputation:
        """A function that a custom call may call."""
        program = self.program if self.program.listener is None else self.program.unobserved
        block = program.function(name, caller)
        if isinstance(block, ProcessBlock):
            message = f"a custom call cannot call @{name}, which communicates or performs I/O"
            raise UnsupportedError(diagnostic_at(caller, message))
        return targets.CallableComputation(
            name, self.program.functions[name].regions[0], block.function
        )

    def with_limit(
        self, operation: Operation, regions: Sequence[RegionFunction]
    ) -> Sequence[RegionFunction]:
        """The regions; the condition of a loop is counted if there is a limit."""
        limit = self.program.limits.iterations
        if limit is None or operation.name != "stablehlo.while":
            return regions
        return [with_limit(regions[0], IterationLimit(operation, limit)), *regions[1:]]

    def process_with_limit(
        self, operation: Operation, regions: Sequence[Prepared]
    ) -> Sequence[ProcessFunction]:
        """The regions as processes; the condition of a loop is counted if there is a limit."""
        processes = [as_process(region) for region in regions]
        limit = self.program.limits.iterations
        if limit is None or operation.name != "stablehlo.while":
            return processes
        return [process_with_limit(processes[0], IterationLimit(operation, limit)), *processes[1:]]

    def regions(self, operation: Operation) -> list[Prepared]:
        """The regions as callables; a listener is notified of those of control flow."""
        listener = self.listener
        if listener is None:
            return [self.region(operation, region) for region in operation.regions]
        if operation.name in CONTROL_FLOW:
            blocks = [self.region(operation, region) for region in operation.regions]
            return [observed_block(block, listener, operation, i) for i, block in enumerate(blocks)]
        self.listener = None
        try:
            return [self.region(operation, region) for region in operation.regions]
        finally:
            self.listener = listener

    def region(self, operation: Operation, region: Region) -> Prepared:
        """A region as a callable from block arguments to the values that it returns."""
        if not region.blocks:
            return PreparedBlock(lambda *_: ())
        if len(region.blocks) > 1:
            raise UnsupportedError(
                diagnostic_at(operation, "a region with several blocks cannot be evaluated")
            )
        return self.block(region.block)

    def reject_oversized_results(self, operation: Operation) -> None:
        """Rejects a tensor that is larger than the limits allow, before anything runs."""
        types = [value.type for value in operation.results]
        if isinstance(operation, Op) and any(has_unknown_shape(t) for t in types):
            types = refined_types(operation)  # the operands may say more than is declared
        for value_type in types:
            reject_oversized(value_type, self.program.limits, operation)


class IterationLimit:
    """Counts the iterations of a loop; the count restarts when the loop ends."""

    def __init__(self, operation: Operation, limit: int) -> None:
        self.operation = operation
        self.limit = limit
        self.count = 0

    def check(self, outcome: tuple[object, ...]) -> tuple[object, ...]:
        """The outcome of the condition, if the loop may continue.

        Raises:
            LimitError: It runs too long.
        """
        self.count = self.count + 1 if outcome[0] else 0
        if self.count > self.limit:
            self.count = 0
            message = f"the loop runs longer than {self.limit} iterations"
            raise LimitError(diagnostic_at(self.operation, message))
        return outcome


def with_limit(condition: RegionFunction, count: IterationLimit) -> RegionFunction:
    """The condition of a loop, counted."""
    return lambda *values: count.check(condition(*values))


def process_with_limit(condition: ProcessFunction, count: IterationLimit) -> ProcessFunction:
    """The condition of a loop that issues requests, counted."""

    def count_condition(*values: object) -> Process:
        return count.check((yield from condition(*values)))

    return count_condition


def process_call(operation: Operation, function: ProcessBlock) -> ProcessFunction:
    """A call of a function that issues requests."""
    if len(operation.results) != 1:
        return function

    def call(*values: object) -> Process:
        return (yield from function(*values))[0]

    return call


def nested_operands(operation: Operation) -> set[Value[Type]]:
    """The values that regions of an operation use, including their own."""
    used: set[Value[Type]] = set()
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                for nested in inner.walk():
                    used.update(nested.operands)
    return used
