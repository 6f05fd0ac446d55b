"""Index arithmetic: scalars, and vectors where lanes differ."""

from __future__ import annotations

from stablemate.compiler.codegen.emitter_state import EmitterState
from stablemate.compiler.codegen.instructions import literal, suffix, type_name
from stablemate.compiler.codegen.scopes import Code, CodeScope, Digits, EmittedValue
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.numerics.symbolic_sizes import is_not_zero, is_one, is_symbolic


class IndexEmitter:
    """Emits the arithmetic of indices."""

    def __init__(self, state: EmitterState) -> None:
        """Emits into the code of a kernel."""
        self.state = state

    def at(self, index: Expression) -> EmittedValue:
        """An index as a scalar; of the vector loop's index, that of the first lane."""
        operator = index.operator
        if operator == "sum":
            return EmittedValue(self.emit_sum(index))
        if operator == "index":
            assert index is self.state.vector, "an index stands outside its loop"
            return EmittedValue("0")
        if operator == "handed":
            return EmittedValue(f"%n{index.detail}")
        scope = self.loop_divided_by_size(index)
        if scope is not None:  # the loop counts quotients and remainders
            if index.detail not in scope.digits:
                scope.digits[index.detail] = Digits(self.state.fresh(), self.state.fresh())
            return EmittedValue(getattr(scope.digits[index.detail], operator))
        operand = self.first_lane(index.operands[0]).text
        code = self.state.place(self.state.depth(index))
        match operator:
            case "quotient":
                return EmittedValue(
                    self.state.line(f"udiv i64 {operand}, {self.state.integer(index.detail)}", code)
                )
            case "remainder":
                return EmittedValue(
                    self.state.line(f"urem i64 {operand}, {self.state.integer(index.detail)}", code)
                )
            case "scaled":
                return EmittedValue(
                    self.state.line(f"mul nsw i64 {operand}, %n{index.detail}", code)
                )
            case "least":
                bound = self.state.integer(index.detail)
                call = f"call i64 @llvm.smin.i64(i64 {operand}, i64 {bound})"
                return EmittedValue(self.state.line(call, code))
            case "greatest":
                bound = self.state.integer(index.detail)
                call = f"call i64 @llvm.smax.i64(i64 {operand}, i64 {bound})"
                return EmittedValue(self.state.line(call, code))
            case _:
                return EmittedValue(self.position(index, operand, code))

    def loop_divided_by_size(self, index: Expression) -> CodeScope | None:
        """The loop whose index, without lanes, is divided by a size; None if none is."""
        if index.operator not in ("quotient", "remainder") or not is_symbolic(index.detail):
            return None
        constant, terms = terms_of(index.operands[0])
        if is_not_zero(constant) or len(terms) != 1 or not is_one(terms[0][1]):
            return None
        atom = terms[0][0]
        scopes = (scope for scope in self.state.scopes if scope.atom is atom)
        return None if atom is self.state.vector else next(scopes, None)

    def position(self, index: Expression, operand: str, code: Code) -> str:
        """Emits a loaded index as ``i64``, clamped unless its range is known to lie inside."""
        source = index.operands[0].type
        if source != "i64":
            operand = self.state.line(f"sext {source} {operand} to i64", code)
        if self.is_inside(index):
            return operand
        low = self.state.line(f"call i64 @llvm.smax.i64(i64 {operand}, i64 0)", code)
        high = self.state.integer(index.detail)
        return self.state.line(f"call i64 @llvm.smin.i64(i64 {low}, i64 {high})", code)

    def is_inside(self, index: Expression) -> bool:
        """Whether a loaded index is within its bounds at the point of its use."""
        (value,) = index.operands
        if value.type != "i64":
            return False
        if is_symbolic(index.detail):
            return False
        bound = value.table.bits(index.detail + 1, value.type)
        check = value.table.apply("ult", value, bound)
        return any(
            check in scope.holds for scope in self.state.scopes[: self.state.depth(index) + 1]
        )

    def first_lane(self, index: Expression) -> EmittedValue:
        """The scalar of the first lane; equal to the value where all lanes agree."""
        if index.operator == "constant":
            return EmittedValue(literal(index.detail, index.type))
        if not self.state.is_vectorized(index):
            return self.state.value(index)
        key = ("first", self.state.key(index))
        lane = self.state.available(key)
        if lane is None:
            lane = self.at(index)
            self.state.scopes[self.state.depth(index)].available[key] = lane
        return lane

    def emit_sum(self, index: Expression) -> str:
        """A sum, its terms added from the outermost loop to the innermost."""
        constant, terms = terms_of(index)
        if not terms:
            return self.state.integer(constant)
        terms = sorted(terms, key=lambda term: self.state.depth(term[0]))
        atom, coefficient = terms[-1]
        rest = index.table.sum(constant, terms[:-1])
        code = self.state.place(self.state.depth(index))
        last = self.first_lane(atom).text
        if coefficient != 1:
            last = self.state.line(f"mul nsw i64 {last}, {self.state.integer(coefficient)}", code)
        if len(terms) == 1 and not is_not_zero(constant):
            return last
        return self.state.line(f"add nsw i64 {self.first_lane(rest).text}, {last}", code)

    def lanes_of(self, index: Expression) -> EmittedValue:
        """An index that lanes differ in, as a vector."""
        vector = type_name(self.state.index_type, self.state.width)
        code = self.state.place(self.state.depth(index))
        match index.operator:
            case "index":
                lanes = ", ".join(f"{self.state.index_type} {i}" for i in range(self.state.width))
                return EmittedValue(f"<{lanes}>", self.state.width)
            case "sum":
                return EmittedValue(self.summed_lanes(index, vector, code), self.state.width)
            case "position":
                return EmittedValue(self.positions(index, code), self.state.width)
            case operator:
                operand = self.state.value(index.operands[0]).text
                bound = self.state.integers(index.detail, self.state.index_type)
                return EmittedValue(
                    self.state.line(self.lane_instruction(operator, vector, operand, bound), code),
                    self.state.width,
                )

    def lane_instruction(self, operator: str, vector: str, operand: str, bound: str) -> str:
        """A quotient, a remainder, a bound of indices in lanes."""
        match operator:
            case "quotient" | "remainder":
                called = {"quotient": "udiv", "remainder": "urem"}[operator]
                return f"{called} {vector} {operand}, {bound}"
            case _:
                called = {"least": "smin", "greatest": "smax"}[operator]
                name = f"@llvm.{called}.{suffix(self.state.index_type, self.state.width)}"
                return f"call {vector} {name}({vector} {operand}, {vector} {bound})"

    def summed_lanes(self, index: Expression, vector: str, code: Code) -> str:
        """A sum whose terms differ from lane to lane, on top of one where they agree."""
        constant, terms = terms_of(index)
        uniform = [(a, c) for a, c in terms if not self.state.is_vectorized(a)]
        total = None
        if uniform or is_not_zero(constant):
            rest = index.table.sum(constant, uniform)
            total = self.state.spread(self.state.value(rest), rest, self.state.width)
        for atom, coefficient in terms:
            if self.state.is_vectorized(atom):
                term = self.state.value(atom).text
                if coefficient != 1:
                    factor = self.state.integers(coefficient, self.state.index_type)
                    term = self.state.line(f"mul {vector} {term}, {factor}", code)
                total = (
                    term
                    if total is None
                    else self.state.line(f"add {vector} {total}, {term}", code)
                )
        assert total is not None
        return total

    def positions(self, index: Expression, code: Code) -> str:
        """Loaded integers as indices, clamped before they are narrowed."""
        source, width = index.operands[0].type, self.state.width
        operand = self.state.value(index.operands[0]).text
        wide = source if source in ("i32", "i64") else "i32"
        if wide != source:
            narrow = type_name(source, width)
            operand = self.state.line(f"sext {narrow} {operand} to {type_name(wide, width)}", code)
        vector, name = type_name(wide, width), suffix(wide, width)
        high = min(index.detail, (1 << (8 * BYTES[wide] - 1)) - 1)
        low = f"call {vector} @llvm.smax.{name}({vector} {operand}, {vector} zeroinitializer)"
        operand = self.state.line(low, code)
        limit = f"{vector} {self.state.integers(high, wide)}"
        operand = self.state.line(
            f"call {vector} @llvm.smin.{name}({vector} {operand}, {limit})", code
        )
        if wide != self.state.index_type:
            change = "trunc" if wide == "i64" else "sext"
            target = type_name(self.state.index_type, self.state.width)
            operand = self.state.line(f"{change} {vector} {operand} to {target}", code)
        return operand
