"""Emits calls of functions that compute numbers for some lanes, in rare branches.

A function takes a piece of the stack with a vector of each operand, and puts its results there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.compiler.codegen.instructions import type_name
from stablemate.compiler.codegen.lane_functions.complex_powers import complex_power_functions
from stablemate.compiler.codegen.memory import Memory
from stablemate.compiler.codegen.scopes import Code, EmittedValue, Scope
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import POWER_TERMS


class LaneCalls(Memory):
    """Writes calls for the operators of ``POWER_TERMS``."""

    def branches(self, expression: Expression) -> bool:
        """Whether what is rare is computed aside: where code is added to the innermost loop."""
        return self.depth(expression) == len(self.scopes) - 1

    def power_term(self, expression: Expression) -> EmittedValue:
        """A number that a power is computed from; one call computes all of them."""
        key = tuple([self.key(operand) for operand in expression.operands])
        value = self.available((expression.operator, key))
        if value is None:
            lanes = self.width if self.vectorised(expression) else 1
            write = self.rare_call if self.branches(expression) else self.hoisted_call
            texts = write(expression, lanes)
            available = self.scopes[self.depth(expression)].available
            for name, text in zip(POWER_TERMS, texts, strict=True):
                available[name, key] = EmittedValue(text, lanes)
            value = available[expression.operator, key]
        return value

    def rare_call(self, expression: Expression, lanes: int) -> list[str]:
        """A call only if there is a lane whose first operand is not zero."""
        which = self.spread(self.value(expression.operands[0]), expression.operands[0], lanes)
        vector = type_name("f64", lanes)
        zeros = "0.0" if lanes == 1 else "zeroinitializer"
        some = self.some_lane(self.line(f"fcmp une {vector} {which}, {zeros}"), lanes)
        usual = [zeros] * len(POWER_TERMS)
        return self.beside(some, vector, usual, lambda code: self.call(expression, lanes, code))

    def beside(
        self, some: str, kind: str, usual: Sequence[str], compute: Callable[[Code], Sequence[str]]
    ) -> list[str]:
        """Values that a branch aside computes where a condition holds; else the usual ones."""
        rare_label, after = self.labels("rare", "usual")
        self.code.append(f"  br i1 {some}, label %{rare_label}, label %{after}")
        self.code.append(f"{after}:")
        origin, code = self.label, [f"{rare_label}:"]
        self.aside.append(code)
        self.label = rare_label
        self.scopes.append(Scope(None, code, code, closed=True))
        results = compute(code)
        self.scopes.pop()
        code.append(f"  br label %{after}")
        edges = [
            f"[ {result}, %{self.label} ], [ {text}, %{origin} ]"
            for result, text in zip(results, usual, strict=True)
        ]
        self.label = after
        return [self.line(f"phi {kind} {edge}") for edge in edges]

    def hoisted_call(self, expression: Expression, lanes: int) -> list[str]:
        """A call before an inner loop, where no blocks are added; no open lane costs little."""
        return self.call(expression, lanes, self.place(self.depth(expression)))

    def call(self, expression: Expression, lanes: int, code: Code) -> list[str]:
        """Stores the operands, calls the function and loads its results."""
        name = f"{self.kernel.name}_power"
        if not self.functions:
            self.functions.append(complex_power_functions(name))
        vector = type_name("f64", lanes)
        memory = self.fresh()
        size = len(expression.operands) * 8 * lanes
        self.entry.insert(0, f"  {memory} = alloca [{size} x i8], align 64")
        for i, operand in enumerate(expression.operands):
            text = self.spread(self.value(operand), operand, lanes)
            place = self.line(f"getelementptr i8, ptr {memory}, i64 {i * 8 * lanes}", code)
            code.append(f"  store {vector} {text}, ptr {place}, align 8")
        code.append(f"  call void @{name}(ptr {memory}, i64 {lanes})")
        results: list[str] = []
        for i in range(len(POWER_TERMS)):
            place = self.line(f"getelementptr i8, ptr {memory}, i64 {i * 8 * lanes}", code)
            results.append(self.line(f"load {vector}, ptr {place}, align 8", code))
        return results

    def some_lane(self, which: str, lanes: int) -> str:
        """Whether a condition holds in a lane."""
        if lanes == 1:
            return which
        bits = self.line(f"bitcast {type_name('i1', lanes)} {which} to i{lanes}")
        return self.line(f"icmp ne i{lanes} {bits}, 0")
