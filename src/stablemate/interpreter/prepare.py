"""Makes functions ready to run: assigns slots, asks every operation for its function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError, LimitError, UnsupportedError
from stablemate.diagnostics.limits import Limits
from stablemate.interpreter.block import Frame, PreparedBlock, Slots, Step, at, reader
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import Op, RegionFunction
from stablemate.ir.types import TensorType

CALLS: Final[Mapping[str, str]] = {"func.call": "callee", "stablehlo.composite": "decomposition"}


class Program:
    """The functions of a module, each prepared when it is first called for.

    One program runs one call at a time: its frames are its own.
    """

    def __init__(self, functions: Mapping[str, Operation], limits: Limits) -> None:
        self.functions = functions
        self.limits = limits
        self.prepared: dict[str, PreparedBlock] = {}
        self.active: list[str] = []

    def function(self, name: str, caller: Operation | None = None) -> PreparedBlock:
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
            path = " -> ".join(f"@{each}" for each in (*self.active, name))
            raise EvaluationError(at(caller, f"a function cannot call itself: {path}"))
        if len(self.active) >= self.limits.calls:
            message = f"calls are nested deeper than {self.limits.calls} levels"
            raise LimitError(at(caller, message))
        self.active.append(name)
        try:
            made = FunctionPreparation(self).block(operation.regions[0].block)
        finally:
            self.active.pop()
        self.prepared[name] = made
        return made


class Draft(NamedTuple):
    """A step before it is known which values die behind it."""

    function: Callable[..., Any]
    operation: Operation
    operands: list[int]
    results: list[int]
    used: set[int]  # slots that its regions read


class FunctionPreparation:
    """Prepares the blocks of one function on one frame."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.frame: Frame = []
        self.slots: dict[Value[Any], int] = {}
        self.constants: set[int] = set()  # filled once, never emptied

    def slot(self, value: Value[Any]) -> int:
        """The slot of a value."""
        found = self.slots.get(value)
        if found is None:
            found = self.slots[value] = len(self.frame)
            self.frame.append(None)
        return found

    def block(self, block: Block) -> PreparedBlock:
        """The prepared form of a block."""
        arguments = tuple(self.slot(each) for each in block.arguments)
        own = set(arguments)
        drafts: list[Draft] = []
        for operation in block.operations[:-1]:
            if operation.name == "stablehlo.constant":
                self.constant(operation)
                continue
            used = {self.slot(value) for value in values_inside(operation)}
            operands = [self.slot(value) for value in operation.operands]
            results = [self.slot(value) for value in operation.results]
            own.update(results)
            drafts.append(Draft(self.function(operation), operation, operands, results, used))
        returned = [self.slot(value) for value in block.terminator.operands]
        steps = self.steps(drafts, own, set(returned))
        read = {slot for *_, operands, _, used in drafts for slot in (*operands, *used)}
        left = own & (set(returned) | (set(arguments) - read))
        return PreparedBlock(self.frame, arguments, steps, reader(returned), tuple(sorted(left)))

    def steps(self, drafts: Sequence[Draft], own: set[int], returned: set[int]) -> tuple[Step, ...]:
        """The steps, each with the block's own slots that no later step reads."""
        steps: list[Step] = []
        alive = set(returned)
        for function, operation, operands, results, used in reversed(drafts):
            touched = {*operands, *used}
            dead = sorted(((touched | set(results)) & own) - alive)
            alive |= touched
            steps.append(Step(function, reader(operands), one(results), one(dead), operation))
        return tuple(reversed(steps))

    def constant(self, operation: Operation) -> None:
        """Puts the value of a constant into its slot for good."""
        assert isinstance(operation, Op)
        slot = self.slot(operation.results[0])
        self.frame[slot] = operation.evaluate()
        self.constants.add(slot)

    def function(self, operation: Operation) -> Callable[..., Any]:
        """What computes the results of an operation."""
        self.refuse_huge_results(operation)
        symbol = CALLS.get(operation.name)
        if symbol is not None:
            return self.call(operation, symbol)
        if not isinstance(operation, Op):
            raise UnsupportedError(at(operation, "this operation cannot be evaluated"))
        regions = [self.region(operation, each) for each in operation.regions]
        return operation.prepare(regions)

    def call(self, operation: Operation, symbol: str) -> Callable[..., Any]:
        """What calls another function."""
        target: Any = operation.attributes[symbol]
        prepared = self.program.function(target.root, operation)
        if len(operation.results) != 1:
            return prepared
        return lambda *values: prepared(*values)[0]

    def region(self, operation: Operation, region: Region) -> RegionFunction:
        """A region as a callable: block arguments to what it returns."""
        if not region.blocks:
            return PreparedBlock(self.frame, (), (), reader([]), ())
        if len(region.blocks) > 1:
            raise UnsupportedError(
                at(operation, "a region with several blocks cannot be evaluated")
            )
        prepared = self.block(region.block)
        limit = self.program.limits.iterations
        if (
            limit is not None
            and operation.name == "stablehlo.while"
            and region is operation.regions[0]
        ):
            return limited(prepared, limit, operation)
        return prepared

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


def limited(condition: RegionFunction, limit: int, operation: Operation) -> RegionFunction:
    """The condition of a loop, counted; the count restarts when the loop ends."""
    count = 0

    def counted(*values: Any) -> tuple[Any, ...]:
        nonlocal count
        outcome = condition(*values)
        count = count + 1 if outcome[0] else 0
        if count > limit:
            count = 0
            raise LimitError(at(operation, f"the loop runs longer than {limit} iterations"))
        return outcome

    return counted


def one(slots: Sequence[int]) -> Slots:
    """A single slot as itself, others as a tuple."""
    return slots[0] if len(slots) == 1 else tuple(slots)


def values_inside(operation: Operation) -> set[Value[Any]]:
    """What the regions of an operation use, their own values included."""
    found: set[Value[Any]] = set()
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                for each in inner.walk():
                    found.update(each.operands)
    return found
