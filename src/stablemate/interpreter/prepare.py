"""Makes functions ready to run: assigns slots, asks every operation for its function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, cast

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError, LimitError, UnsupportedError
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.calls import CALLS
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.ragged_all_to_all import (
    is_ragged_all_to_all,
    ragged_all_to_all,
)
from stablemate.execution import custom_calls as targets
from stablemate.execution.observe.listener import CONTROL_FLOW, Appending, Listener
from stablemate.fork_safety import cached_property
from stablemate.interpreter.block import (
    AskingBlock,
    Draft,
    Frame,
    PreparedBlock,
    Step,
    at,
    exhausted,
    prepared,
)
from stablemate.interpreter.by_shape import prepared_by_shape
from stablemate.interpreter.in_place import filled_arrays, on_copies
from stablemate.interpreter.observed import entering, observed
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import Asking, LandingFunction, Op, RegionFunction
from stablemate.ir.request import Process, ProcessFunction
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array

Prepared: TypeAlias = PreparedBlock | AskingBlock
NATIVE_KINDS: Final = "biufc"  # of the types whose scalars have everything that arrays have


class Program:
    """The functions of a module, each prepared when it is first called for.

    One program runs one call at a time: its frames are its own.

    Attributes:
        functions: The functions.
        limits: What they may cost.
        listener: Who is told what is computed; None if nobody is.
    """

    def __init__(
        self,
        functions: Mapping[str, Operation],
        limits: Limits,
        listener: Listener | None = None,
    ) -> None:
        self.functions = functions
        self.limits = limits
        self.listener = listener
        self.prepared: dict[str, Prepared] = {}
        self.bodies: dict[Region, Prepared] = {}
        self.active: list[str] = []

    def function(self, name: str, caller: Operation | None = None) -> Prepared:
        """The prepared body of a function.

        Raises:
            EvaluationError: There is no such function, it has no body, or it calls itself.
        """
        if name in self.prepared:
            return self.prepared[name]
        operation = self.functions.get(name)
        if operation is None or not operation.regions[0].blocks:
            what = "has no body" if operation else "does not exist"
            raise EvaluationError(at(caller, f"function @{name} {what}"))
        if name in self.active:
            path = " -> ".join(f"@{symbol}" for symbol in (*self.active, name))
            raise EvaluationError(at(caller, f"a function cannot call itself: {path}"))
        if len(self.active) >= self.limits.calls:
            message = f"calls are nested deeper than {self.limits.calls} levels"
            raise LimitError(at(caller, message))
        self.active.append(name)
        try:
            body = FunctionPreparation(self).block(operation.regions[0].block)
        except RecursionError as error:
            raise exhausted(error, caller) from None
        finally:
            self.active.pop()
        self.prepared[name] = body
        return body

    @cached_property
    def unobserved(self) -> Program:
        """The same functions, of which nobody is told: what computations on scalars call."""
        return Program(self.functions, self.limits)

    def body(self, operation: Operation) -> Prepared:
        """The prepared body of an operation that is isolated from above."""
        (region,) = operation.regions
        if region not in self.bodies:
            self.bodies[region] = FunctionPreparation(self).block(region.block)
        return self.bodies[region]


class DraftStep(NamedTuple):
    """A step before it is known which values die behind it."""

    function: Callable[..., Any]
    asks: bool  # whether the function is a process
    operation: Operation
    operands: list[int]
    results: list[int]
    used: set[int]  # slots that its regions read
    told: Appending | None  # what is told of its result


class FunctionPreparation:
    """Prepares the blocks of one function on one frame."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.listener = program.listener
        self.frame: Frame = []
        self.slots: dict[Value[Any], int] = {}
        self.constants: dict[int, Any] = {}  # values by slot
        self.overwriting: set[Operation] = set()  # updates of slices that are made in place

    def slot(self, value: Value[Any]) -> int:
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
        returned = [self.slot(value) for value in block.terminator.operands]
        own = {*arguments, *(slot for draft in drafts for slot in draft.results)}
        read = {*returned, *(slot for draft in drafts for slot in draft.operands)}
        used = {slot for draft in drafts for slot in draft.used}
        constants = {slot: self.constants[slot] for slot in read if slot in self.constants}
        steps = self.steps(drafts, own, set(returned))
        draft = Draft(arguments, steps, returned, own & used, constants)
        return prepared(draft, self.frame)

    def is_constant(self, operation: Operation) -> bool:
        """Whether the operation is a constant; then its value is kept for good."""
        if not isinstance(operation, Constant):
            return False
        self.constants[self.slot(operation.results[0])] = as_scalar(operation.evaluate())
        return True

    def step(self, operation: Operation) -> DraftStep:
        """The step of an operation."""
        used = {self.slot(value) for value in values_inside(operation)}
        operands = [self.slot(value) for value in operation.operands]
        results = [self.slot(value) for value in operation.results]
        function, asks = self.function(operation)
        computed = None if self.listener is None else self.listener.watch(operation)
        if isinstance(computed, Appending) and len(results) == 1:
            return DraftStep(function, asks, operation, operands, results, used, computed)
        if computed is not None:
            function = observed(function, asks, operation, computed)
        return DraftStep(function, asks, operation, operands, results, used, None)

    def steps(self, drafts: Sequence[DraftStep], own: set[int], returned: set[int]) -> list[Step]:
        """The steps, each with the block's own slots that no later step reads."""
        steps: list[Step] = []
        alive = set(returned)
        for function, asks, operation, operands, results, used, told in reversed(drafts):
            touched = {*operands, *used}
            dead = sorted(((touched | set(results)) & own) - alive)
            alive |= touched
            steps.append(Step(function, asks, operands, results, dead, operation, told))
        return steps[::-1]

    def function(self, operation: Operation) -> tuple[Callable[..., Any], bool]:
        """What computes the results of an operation, and whether that is a process."""
        self.refuse_huge_results(operation)
        symbol = CALLS.get(operation.name)
        if symbol is not None:
            return self.call(operation, symbol)
        if is_ragged_all_to_all(operation):
            return ragged_all_to_all(operation).prepare(()), True
        if operation.name == "stablehlo.custom_call":
            return self.custom_call(operation), False
        if not isinstance(operation, Op):
            raise UnsupportedError(at(operation, "this operation cannot be evaluated"))
        if operation in self.overwriting and isinstance(operation, DynamicUpdateSlice):
            return operation.prepare_in_place(), False
        filled: Mapping[int, Sequence[DynamicUpdateSlice]] = {}
        if self.listener is None:
            filled = filled_arrays(operation)
        self.overwriting.update(update for updates in filled.values() for update in updates)
        function, asks = self.computed(operation)
        return on_copies(function, list(filled)) if filled else function, asks

    def landing(self, operation: Operation) -> LandingFunction | None:
        """What asks for the results and lends its memory; None if the operation may not."""
        if not isinstance(operation, Asking):
            return None
        regions = [self.region(operation, region) for region in operation.regions]
        plain = [block.function for block in regions if isinstance(block, PreparedBlock)]
        return operation.prepare_landing(plain) if len(plain) == len(regions) else None

    def computed(self, operation: Op) -> tuple[Callable[..., Any], bool]:
        """What computes the results by the operation's own formula, and whether it is a process."""
        regions = self.regions(operation)
        plain = [block.function for block in regions if isinstance(block, PreparedBlock)]
        if len(plain) == len(regions):
            return self.by_shape(operation, self.limited(operation, plain))
        return self.asking_by_shape(operation, self.limited_asking(operation, regions))

    def by_shape(
        self, operation: Op, regions: Sequence[RegionFunction]
    ) -> tuple[Callable[..., Any], bool]:
        """What computes the results for whatever shapes arrive, and whether that is a process."""

        def prepare(op: Op) -> Callable[..., Any]:
            self.refuse_huge_results(op)
            return op.prepare(regions)

        return prepared_by_shape(operation, prepare), isinstance(operation, Asking)

    def asking_by_shape(
        self, operation: Op, regions: Sequence[ProcessFunction]
    ) -> tuple[Callable[..., Any], bool]:
        """The process that computes the results for whatever shapes arrive."""

        def prepare(op: Op) -> Callable[..., Any]:
            self.refuse_huge_results(op)
            return op.prepare_asking(regions)

        return prepared_by_shape(operation, prepare), True

    def call(self, operation: Operation, symbol: str) -> tuple[Callable[..., Any], bool]:
        """What calls another function, and whether that is a process."""
        target: Any = operation.attributes[symbol]
        block = self.callee(target.root, operation)
        if self.listener is not None:
            block = entering(block, self.listener, operation, 0)
        if isinstance(block, AskingBlock):
            return asking_call(operation, block), True
        function = block.function
        if len(operation.results) != 1:
            return function, False
        return lambda *values: function(*values)[0], False

    def callee(self, name: str, caller: Operation) -> Prepared:
        """A function that is called; nobody is told what it does where nobody is told of calls."""
        is_silent = self.listener is None and self.program.listener is not None
        program = self.program.unobserved if is_silent else self.program
        return program.function(name, caller)

    def custom_call(self, operation: Operation) -> Callable[..., Any]:
        """What calls a custom call target."""
        called: Any = operation.attributes.get("called_computations")
        names = [symbol.root for symbol in called.items] if called else []
        return targets.prepared(operation, [self.computation(n, operation) for n in names])

    def computation(self, name: str, caller: Operation) -> targets.Computation:
        """A function that a custom call may call."""
        program = self.program if self.program.listener is None else self.program.unobserved
        block = program.function(name, caller)
        if isinstance(block, AskingBlock):
            message = f"a custom call cannot call @{name}, which asks the world"
            raise UnsupportedError(at(caller, message))
        return targets.Computation(name, self.program.functions[name].regions[0], block.function)

    def limited(
        self, operation: Operation, regions: Sequence[RegionFunction]
    ) -> Sequence[RegionFunction]:
        """The regions; the condition of a loop is counted if there is a limit."""
        limit = self.program.limits.iterations
        if limit is None or operation.name != "stablehlo.while":
            return regions
        return [limited(regions[0], Count(operation, limit)), *regions[1:]]

    def limited_asking(
        self, operation: Operation, regions: Sequence[Prepared]
    ) -> Sequence[ProcessFunction]:
        """The regions as processes; the condition of a loop is counted if there is a limit."""
        processes = [as_process(region) for region in regions]
        limit = self.program.limits.iterations
        if limit is None or operation.name != "stablehlo.while":
            return processes
        return [limited_asking(processes[0], Count(operation, limit)), *processes[1:]]

    def regions(self, operation: Operation) -> list[Prepared]:
        """The regions as callables; who listens is told of those that are control flow."""
        listener = self.listener
        if listener is None:
            return [self.region(operation, region) for region in operation.regions]
        if operation.name in CONTROL_FLOW:
            blocks = [self.region(operation, region) for region in operation.regions]
            return [entering(block, listener, operation, i) for i, block in enumerate(blocks)]
        self.listener = None
        try:
            return [self.region(operation, region) for region in operation.regions]
        finally:
            self.listener = listener

    def region(self, operation: Operation, region: Region) -> Prepared:
        """A region as a callable: block arguments to what it returns."""
        if not region.blocks:
            return PreparedBlock(lambda *_: ())
        if len(region.blocks) > 1:
            raise UnsupportedError(
                at(operation, "a region with several blocks cannot be evaluated")
            )
        return self.block(region.block)

    def refuse_huge_results(self, operation: Operation) -> None:
        """Refuses a tensor that is larger than the limits allow, before anything runs."""
        for value in operation.results:
            refuse_huge(value.type, self.program.limits, operation)


def refuse_huge(value_type: Any, limits: Limits, operation: Operation | None) -> None:
    """Refuses a static tensor type whose data is too large."""
    if not isinstance(value_type, TensorType) or not value_type.is_static:
        return
    if value_type.bytes >= limits.tensor_bytes:
        span = operation.span if operation else None
        message = f"a tensor has less than {limits.tensor_bytes} bytes"
        values = {"type": value_type, "bytes": value_type.bytes}
        notes = (
            Diagnostic(
                "the limit is Limits.tensor_bytes, --limit-tensor-bytes on the command line"
            ),
        )
        raise LimitError(Diagnostic(message, "limits.tensor_bytes", span, values, notes))


class Count:
    """Counts the iterations of a loop; the count restarts when the loop ends."""

    def __init__(self, operation: Operation, limit: int) -> None:
        self.operation = operation
        self.limit = limit
        self.count = 0

    def check(self, outcome: tuple[Any, ...]) -> tuple[Any, ...]:
        """What the condition gave, if the loop may go on.

        Raises:
            LimitError: It runs too long.
        """
        self.count = self.count + 1 if outcome[0] else 0
        if self.count > self.limit:
            self.count = 0
            message = f"the loop runs longer than {self.limit} iterations"
            raise LimitError(at(self.operation, message))
        return outcome


def limited(condition: RegionFunction, count: Count) -> RegionFunction:
    """The condition of a loop, counted."""
    return lambda *values: count.check(condition(*values))


def limited_asking(condition: ProcessFunction, count: Count) -> ProcessFunction:
    """The condition of a loop that asks the world, counted."""

    def counted(*values: Any) -> Process:
        return count.check((yield from condition(*values)))

    return counted


def as_process(block: Prepared) -> ProcessFunction:
    """A block as a process, even if it asks nothing."""
    if isinstance(block, AskingBlock):
        return block.function
    function = block.function

    def run(*values: Any) -> Process:
        yield from ()
        return function(*values)

    return run


def asking_call(operation: Operation, function: AskingBlock) -> ProcessFunction:
    """A call of a function that asks the world."""
    if len(operation.results) != 1:
        return function

    def call(*values: Any) -> Process:
        return (yield from function(*values))[0]

    return call


def as_scalar(value: Any) -> Any:
    """An array of rank 0 as NumPy's scalar, which is ten times as fast to compute with."""
    if isinstance(value, np.ndarray):
        array = cast(Array, value)
        return array if array.ndim or array.dtype.kind not in NATIVE_KINDS else array[()]
    return value


def values_inside(operation: Operation) -> set[Value[Any]]:
    """What the regions of an operation use, their own values included."""
    used: set[Value[Any]] = set()
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                for nested in inner.walk():
                    used.update(nested.operands)
    return used
