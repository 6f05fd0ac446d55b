"""Asynchronous calls of MHLO: a call of a function in three parts.

Source: MHLO dialect, async_start, async_update, async_done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.func import FuncOp, types_of
from stablemate.dialects.mhlo.types import ASYNC_BUNDLE
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import ANY_VALUE, STRING, SYMBOL
from stablemate.ir.types import TupleType, Type

THREAD: Final = "execution_thread"


@op("mhlo.async_start", effects=True)
class AsyncStart(Op):
    """Starts a call of a function; ``async_done`` gives its results."""

    __slots__ = ()
    inputs = define.variadic("", ANY_VALUE)
    called_computation = define.attribute("", SYMBOL)
    execution_thread = define.attribute("", STRING)
    result = define.result(ASYNC_BUNDLE)

    @constraint("callee")
    def callee_exists(self) -> Check:
        """called_computation is a function of the module"""
        callee = find_symbol(self, self.called_computation)
        return holds(isinstance(callee, FuncOp), called_computation=f"@{self.called_computation}")

    @constraint("thread")
    def same_thread(self) -> Check:
        """execution_thread is that of the function"""
        callee = find_symbol(self, self.called_computation)
        assert isinstance(callee, FuncOp)
        thread = callee.discardable.get(THREAD)
        name = thread.value if isinstance(thread, StringAttribute) else None
        return holds(name == self.execution_thread, call=self.execution_thread, callee=name)

    @constraint("types")
    def matches_callee(self) -> Check:
        """The bundle begins with the inputs and the results of the function"""
        callee = find_symbol(self, self.called_computation)
        assert isinstance(callee, FuncOp)
        inputs, results = types_of(self.operands), callee.type.results
        parts = [leaves(part) for part in self.result.type.types[:2]]
        fits = parts == [inputs, results] and inputs == callee.type.inputs
        return holds(fits, bundle=self.result.type, inputs=inputs, callee=callee.type)


@op("mhlo.async_update", effects=True)
class AsyncUpdate(Op):
    """Waits for a part of a call that was started."""

    __slots__ = ()
    bundle = define.operand("", ASYNC_BUNDLE)
    result = define.result(ASYNC_BUNDLE)

    @constraint("type")
    def same_type(self) -> Check:
        """type(result) = type(bundle)"""
        bundle, result = self.bundle.type, self.result.type
        return holds(bundle == result, bundle=bundle, result=result)


@op("mhlo.async_done", effects=True)
class AsyncDone(Op):
    """The results of a call that was started."""

    __slots__ = ()
    bundle = define.operand("", ASYNC_BUNDLE)
    outputs = define.variadic_result(ANY_VALUE)

    @constraint("types")
    def results_fit(self) -> Check:
        """type(results...) = the second part of the bundle"""
        bundle, results = self.bundle.type, types_of(self.results)
        fits = len(bundle.types) > 1 and leaves(bundle.types[1]) == results
        return holds(fits, bundle=bundle, results=results)

    def infer(self) -> Sequence[Type]:
        """The second part of the bundle."""
        return leaves(self.bundle.type.types[1])


def leaves(part: Type) -> tuple[Type, ...]:
    """The types in a part of a bundle: those of a tuple, or one."""
    return part.types if isinstance(part, TupleType) else (part,)
