"""Emits calls of functions that compute numbers for some lanes, in rare branches.

A function takes a piece of the stack with a vector of each operand, and puts its results there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.compiler.codegen.emitter_state import EmitterState
from stablemate.compiler.codegen.instructions import type_name
from stablemate.compiler.codegen.lane_functions.complex_powers import complex_power_functions
from stablemate.compiler.codegen.scopes import Code, CodeScope, EmittedValue
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import POWER_TERMS


class LaneCallEmitter:
    """Emits calls for the operators of ``POWER_TERMS``."""

    def __init__(self, state: EmitterState) -> None:
        """Emits into the code of a kernel."""
        self.state = state

    def branches(self, expression: Expression) -> bool:
        """Whether what is rare is computed aside: where code is added to the innermost loop."""
        return self.state.depth(expression) == len(self.state.scopes) - 1

    def power_term(self, expression: Expression) -> EmittedValue:
        """A number that a power is computed from; one call computes all of them."""
        key = tuple([self.state.key(operand) for operand in expression.operands])
        value = self.state.available((expression.operator, key))
        if value is None:
            lanes = self.state.width if self.state.is_vectorized(expression) else 1
            write = self.rare_call if self.branches(expression) else self.hoisted_call
            texts = write(expression, lanes)
            available = self.state.scopes[self.state.depth(expression)].available
            for name, text in zip(POWER_TERMS, texts, strict=True):
                available[name, key] = EmittedValue(text, lanes)
            value = available[expression.operator, key]
        return value

    def rare_call(self, expression: Expression, lanes: int) -> list[str]:
        """A call only if there is a lane whose first operand is not zero."""
        which = self.state.spread(
            self.state.value(expression.operands[0]), expression.operands[0], lanes
        )
        vector = type_name("f64", lanes)
        zeros = "0.0" if lanes == 1 else "zeroinitializer"
        some = self.some_lane(self.state.line(f"fcmp une {vector} {which}, {zeros}"), lanes)
        usual = [zeros] * len(POWER_TERMS)
        return self.beside(some, vector, usual, lambda code: self.call(expression, lanes, code))

    def beside(
        self, some: str, kind: str, usual: Sequence[str], compute: Callable[[Code], Sequence[str]]
    ) -> list[str]:
        """Values that a branch aside computes where a condition holds; else the usual ones."""
        rare_label, after = self.state.labels("rare", "usual")
        self.state.code.append(f"  br i1 {some}, label %{rare_label}, label %{after}")
        self.state.code.append(f"{after}:")
        origin, code = self.state.label, [f"{rare_label}:"]
        self.state.aside.append(code)
        self.state.label = rare_label
        self.state.scopes.append(CodeScope(None, code, code, closed=True))
        results = compute(code)
        self.state.scopes.pop()
        code.append(f"  br label %{after}")
        edges = [
            f"[ {result}, %{self.state.label} ], [ {text}, %{origin} ]"
            for result, text in zip(results, usual, strict=True)
        ]
        self.state.label = after
        return [self.state.line(f"phi {kind} {edge}") for edge in edges]

    def hoisted_call(self, expression: Expression, lanes: int) -> list[str]:
        """A call before an inner loop, where no blocks are added; no open lane costs little."""
        return self.call(expression, lanes, self.state.place(self.state.depth(expression)))

    def call(self, expression: Expression, lanes: int, code: Code) -> list[str]:
        """Stores the operands, calls the function and loads its results."""
        name = f"{self.state.kernel.name}_power"
        if not self.state.functions:
            self.state.functions.append(complex_power_functions(name))
        vector = type_name("f64", lanes)
        memory = self.state.fresh()
        size = len(expression.operands) * 8 * lanes
        self.state.entry.insert(0, f"  {memory} = alloca [{size} x i8], align 64")
        for i, operand in enumerate(expression.operands):
            text = self.state.spread(self.state.value(operand), operand, lanes)
            place = self.state.line(f"getelementptr i8, ptr {memory}, i64 {i * 8 * lanes}", code)
            code.append(f"  store {vector} {text}, ptr {place}, align 8")
        code.append(f"  call void @{name}(ptr {memory}, i64 {lanes})")
        results: list[str] = []
        for i in range(len(POWER_TERMS)):
            place = self.state.line(f"getelementptr i8, ptr {memory}, i64 {i * 8 * lanes}", code)
            results.append(self.state.line(f"load {vector}, ptr {place}, align 8", code))
        return results

    def some_lane(self, which: str, lanes: int) -> str:
        """Whether a condition holds in a lane."""
        if lanes == 1:
            return which
        bits = self.state.line(f"bitcast {type_name('i1', lanes)} {which} to i{lanes}")
        return self.state.line(f"icmp ne i{lanes} {bits}, 0")
