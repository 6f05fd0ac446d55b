"""The functions that are prepared before a function: those that it calls, innermost first.

A chain of calls may be as long as the program; it is refused if it is too long to run.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError, LimitError
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.call_graph import first_cycle, path_text, post_order
from stablemate.dialects.calls import called_computations, callee_of
from stablemate.execution.observe.listener import CONTROL_FLOW
from stablemate.interpreter.block import diagnostic_at
from stablemate.ir.core import Operation


class CallOrder:
    """The order in which the functions of a program are prepared.

    Attributes:
        functions: The functions.
        prepared: The names of those that are prepared.
        limits: The limits of a run.
        is_observed: Whether a listener watches the functions: it watches no computations on
            scalars, whose calls are those of another program.
        depths: How many calls of prepared functions are active at a time at most.
    """

    def __init__(
        self,
        functions: Mapping[str, Operation],
        prepared: Container[str],
        limits: Limits,
        *,
        is_observed: bool,
    ) -> None:
        self.functions = functions
        self.prepared = prepared
        self.limits = limits
        self.is_observed = is_observed
        self.depths: dict[str, int] = {}

    def before(self, name: str) -> Iterator[str]:
        """The functions that are to be prepared for a function, the function itself last.

        Raises:
            EvaluationError: A function calls itself.
            LimitError: Calls are nested too deeply.
        """
        cycle = first_cycle([name], self.unprepared_callees)
        if cycle:
            message = f"a function cannot call itself: {path_text(cycle)}"
            raise EvaluationError(diagnostic_at(self.call(cycle[-2], cycle[-1]), message))
        for callee in post_order([name], self.unprepared_callees):
            self.record_depth(callee)
            yield callee

    def record_depth(self, name: str) -> None:
        """Records how deep the calls in a function are.

        Raises:
            LimitError: They are too deep.
        """
        inner = dict.fromkeys(callee for _, callee in self.calls(name))
        deepest = max(inner, key=lambda callee: self.depths[callee], default=None)
        self.depths[name] = 1 if deepest is None else 1 + self.depths[deepest]
        if deepest is not None and self.depths[name] > self.limits.calls:
            message = f"calls are nested deeper than {self.limits.calls} levels"
            place = self.call(name, deepest)
            note = Diagnostic("the limit is Limits.calls; inlining removes calls")
            raise LimitError(Diagnostic(message, "limits.calls", place.span, {}, (note,)))

    def unprepared_callees(self, name: str) -> Iterator[str]:
        """The functions that a function calls and that are not prepared."""
        return (callee for _, callee in self.calls(name) if callee not in self.prepared)

    def call(self, caller: str, callee: str) -> Operation:
        """The first operation of a function that calls another one."""
        return next(operation for operation, name in self.calls(caller) if name == callee)

    def calls(self, name: str) -> Iterator[tuple[Operation, str]]:
        """The operations of a function that call functions with a body, and these, in order."""
        for operation in self.operations(self.functions[name]):
            for callee in callee_names(operation, is_observed=self.is_observed):
                function = self.functions.get(callee)
                if function is not None and function.regions[0].blocks:
                    yield operation, callee

    def operations(self, function: Operation) -> Iterator[Operation]:
        """The operations of a function, but for computations on scalars that nobody watches."""
        pending = [function]
        while pending:
            operation = pending.pop()
            yield operation
            if operation is function or not self.is_observed or operation.name in CONTROL_FLOW:
                for region in reversed(operation.regions):
                    for block in reversed(region.blocks):
                        pending += reversed(block.operations)


def callee_names(operation: Operation, *, is_observed: bool) -> Iterator[str]:
    """The functions that an operation calls, or hands to a custom call that nobody watches."""
    callee = callee_of(operation)
    if callee is not None:
        yield callee
    elif operation.name == "stablehlo.custom_call" and not is_observed:
        yield from called_computations(operation)
