"""inline: the bodies of functions in the place of calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.call_graph import called_functions, inlined_sizes, on_cycles
from stablemate.dialects.func import Call, FuncOp
from stablemate.ir.core import Block, Module, Operation, Region
from stablemate.ir.locations import UNKNOWN, CallSiteLocation, Location
from stablemate.ir.rewriter import Rewriting
from stablemate.transforms.symbol_dce import symbol_dce, unreachable

CALL: Final = {"func.call": "callee"}
BOUND: Final = "sdy.func_data_flow_edge"  # to an argument of a function or a result of a call
MOST_SITES: Final = 50  # call sites that the location of an operation names, the outermost ones


def inline(module: Module, admits: Callable[[Call], bool] = lambda call: True) -> Module:
    """The module without calls, but of functions that call themselves or are not to be inlined.

    Private functions that nobody refers to any more go.

    Args:
        module: The module.
        admits: Whether a call may be inlined.

    Raises:
        LimitError: The module would have too many operations, or too deeply nested regions.
    """
    operations = module.operation.walk()
    if not any(isinstance(operation, Call) and admits(operation) for operation in operations):
        return module
    calls = InlinedCalls(module.operation, admits)
    dropped = set(unreachable(module.operation, calls.callee))
    calls.check_size(dropped)
    top = Inlining(calls, dropped).copy_operation(module.operation)
    inlined = module.with_operation(top)
    return symbol_dce(inlined)


class InlinedCalls:
    """Which calls of a module are inlined.

    Attributes:
        admits: Whether a call may be inlined.
        functions: The functions of the module and of those in it.
        recursive: The functions from which calls lead back to them.
        bound: The functions whose operations refer to their arguments or calls.
    """

    def __init__(self, top: Operation, admits: Callable[[Call], bool]) -> None:
        self.admits = admits
        self.functions = [inner for inner in top.walk() if isinstance(inner, FuncOp)]
        self.recursive = on_cycles(self.functions, partial(called_functions, calls=CALL))
        self.bound = {
            function
            for function in self.functions
            if any(operation.name == BOUND for operation in function.walk())
        }

    def callee(self, operation: Operation) -> FuncOp | None:
        """The function whose body replaces a call; None if it is not a call, or is not inlined."""
        if not isinstance(operation, Call) or operation.no_inline or not self.admits(operation):
            return None
        callee = find_symbol(operation, operation.callee)
        if not isinstance(callee, FuncOp) or callee.no_inline or len(callee.body.blocks) != 1:
            return None
        if callee in self.recursive or callee in self.bound:
            return None
        around = operation.parent_operation()
        while around is not None and not isinstance(around, FuncOp):
            around = around.parent_operation()
        return None if around in self.bound else callee

    def callees(self, function: FuncOp) -> Iterator[FuncOp]:
        """The functions whose bodies replace calls in a function."""
        for operation in function.walk():
            callee = self.callee(operation)
            if callee is not None:
                yield callee

    def check_size(self, dropped: set[Operation]) -> None:
        """Rejects a module in which inlining makes too many operations.

        Raises:
            LimitError: It does; the error is at the function with the most operations.
        """
        most = DEFAULT_LIMITS.operations
        sizes = inlined_sizes(self.functions, self.callees, number_of_operations, most)
        kept = [function for function in self.functions if function not in dropped]
        if sum(sizes[function] for function in kept) > most:
            largest = max(kept, key=lambda function: sizes[function])
            raise limit_error("operations", f"inlining makes more than {most} operations", largest)


def number_of_operations(function: Operation) -> int:
    """The number of operations of a function."""
    return sum(1 for _ in function.walk())


def limit_error(limit: str, message: str, place: Operation) -> LimitError:
    """The error of a module that becomes too large when calls are inlined."""
    note = Diagnostic(f"the limit is Limits.{limit}; calls that are marked no_inline stay")
    return LimitError(Diagnostic(message, f"limits.{limit}", place.span, {}, (note,)))


class InlinedCall(NamedTuple):
    """A call whose body is being copied.

    Attributes:
        operation: The call.
        body: The body.
        rest: The operations of the body that are not copied yet.
        location: Where what is copied is called, by this call and those around it.
    """

    operation: Call
    body: Block
    rest: Iterator[Operation]
    location: Location


class Inlining(Rewriting):
    """Copies a module, with bodies in the place of calls.

    Attributes:
        calls: Which calls are inlined.
        dropped: Operations that are not copied.
        active: The calls whose bodies are being copied, outermost first.
        depth: How many regions are around what is being copied.
    """

    def __init__(self, calls: InlinedCalls, dropped: set[Operation]) -> None:
        super().__init__({})
        self.calls = calls
        self.dropped = dropped
        self.active: list[InlinedCall] = []
        self.depth = 0

    def place(self, operation: Operation, block: Block) -> None:
        """Copies an operation, or what it calls, and what that calls."""
        outer = len(self.active)
        self.place_one(operation, block)
        while len(self.active) > outer:
            inner = next(self.active[-1].rest, None)
            if inner is None:
                self.leave()
            else:
                self.place_one(inner, block)

    def place_one(self, operation: Operation, block: Block) -> None:
        """Copies an operation, or enters what it calls."""
        callee = self.calls.callee(operation)
        if callee is not None:
            assert isinstance(operation, Call)
            self.enter(operation, callee.body.block)
        elif operation not in self.dropped:
            super().place(operation, block)

    def enter(self, call: Call, body: Block) -> None:
        """Begins to copy a body."""
        operands = [self.values.get(value, value) for value in call.operands]
        self.values.update(zip(body.arguments, operands, strict=True))
        location = self.called_at(call.location) if len(self.active) < MOST_SITES else self.caller
        self.active.append(InlinedCall(call, body, iter(body.operations[:-1]), location))

    def leave(self) -> None:
        """Ends a body: the results of the call are what it returns."""
        call = self.active.pop()
        returned = [self.values.get(value, value) for value in call.body.terminator.operands]
        self.values.update(zip(call.operation.results, returned, strict=True))

    @property
    def caller(self) -> Location:
        """Where what is being copied is called."""
        return self.active[-1].location if self.active else UNKNOWN

    def called_at(self, location: Location) -> Location:
        """The location of something in the body that is being copied."""
        if not self.active or (location == UNKNOWN and self.caller == UNKNOWN):
            return location
        return CallSiteLocation(location, self.caller)

    def copied_region(self, region: Region) -> Region:
        """A copy of a region.

        Raises:
            LimitError: It is nested too deeply to be read again.
        """
        self.depth += 1
        if self.active and self.depth > DEFAULT_LIMITS.nesting:
            message = f"inlining nests regions deeper than {DEFAULT_LIMITS.nesting} levels"
            raise limit_error("nesting", message, self.active[-1].operation)
        copy = super().copied_region(region)
        self.depth -= 1
        return copy

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy whose location has the call sites through which it was inlined."""
        copy = super().copy_operation(operation)
        copy.location = self.called_at(copy.location)
        return copy
