"""Expressions of the loop language, hash-consed: equal ones are the same object.

An expression of type ``index`` is a sum of integers times atoms, with the range of its values; it
is simplified as it is made, so that composed index maps of reshapes, slices and transposes come
out as plain as if they were written by hand.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.operators import (
    BITS,
    CONVERSIONS,
    FLOATS,
    NARROW,
    OPERATORS,
    constant_converted,
)
from stablemate.numerics.symbolic_sizes import (
    common_divisor,
    divides,
    is_symbolic,
    lower_bound,
    surely_at_most,
    upper_bound,
)

NO_LOOPS: Final[frozenset[Expression]] = frozenset()
NO_BUFFERS: Final[frozenset[Buffer]] = frozenset()
LARGEST_EXACT: Final = 1 << 24  # integers up to this are floats of every register type
MINUS_ZERO: Final = {"f32": 1 << 31, "f64": 1 << 63}
ONE: Final = {"f32": 0x3F800000, "f64": 0x3FF0000000000000}


class Expression:
    """An operation on expressions.

    Attributes:
        operator: A row of ``OPERATORS``, a conversion, or ``constant``, ``index`` (of a loop),
            ``sum``, ``quotient``, ``remainder``, ``least``, ``greatest``, ``position``, ``scaled``,
            ``handed``, ``number``, ``load``, ``lookup``.
        operands: What it is computed from.
        detail: The bits of a constant, the buffer of a load, the coefficients of a sum, the values
            of a lookup.
        type: The type of its value.
        low: The least value of an ``index``.
        high: The greatest value of an ``index``.
        loops: The loops whose index it depends on.
        reads: The buffers it depends on.
        number: When it was made; orders the terms of a sum.
        table: What made it.
        terms: The atoms of a sum, each with its coefficient.
    """

    __slots__ = (
        "detail",
        "high",
        "loops",
        "low",
        "number",
        "operands",
        "operator",
        "reads",
        "table",
        "terms",
        "type",
    )

    operator: str
    operands: tuple[Expression, ...]
    detail: Any
    type: str
    low: int
    high: int
    loops: frozenset[Expression]
    reads: frozenset[Buffer]
    number: int
    table: Expressions
    terms: Sequence[tuple[Expression, int]]

    def __add__(self, other: Operand) -> Expression:
        return self.table.arithmetic("add", self, other)

    def __sub__(self, other: Operand) -> Expression:
        return self.table.arithmetic("sub", self, other)

    def __mul__(self, other: Operand) -> Expression:
        return self.table.arithmetic("mul", self, other)

    def __radd__(self, other: Operand) -> Expression:
        return self.table.arithmetic("add", self.table.like(self, other), self)

    def __rsub__(self, other: Operand) -> Expression:
        return self.table.arithmetic("sub", self.table.like(self, other), self)

    def __rmul__(self, other: Operand) -> Expression:
        return self.table.arithmetic("mul", self.table.like(self, other), self)

    def __truediv__(self, other: Operand) -> Expression:
        return self.table.apply("fdiv", self, self.table.like(self, other))

    def __rtruediv__(self, other: Operand) -> Expression:
        return self.table.apply("fdiv", self.table.like(self, other), self)

    def __neg__(self) -> Expression:
        return self.table.apply("fneg", self) if self.type in FLOATS else 0 - self

    def __floordiv__(self, other: int) -> Expression:
        return self.table.quotient(self, other)

    def __mod__(self, other: int) -> Expression:
        return self.table.remainder(self, other)

    def __and__(self, other: Operand) -> Expression:
        return self.table.apply("and", self, self.table.like(self, other))

    def __or__(self, other: Operand) -> Expression:
        return self.table.apply("or", self, self.table.like(self, other))

    def __xor__(self, other: Operand) -> Expression:
        return self.table.apply("xor", self, self.table.like(self, other))

    def __invert__(self) -> Expression:
        return self ^ ((1 << BITS[self.type]) - 1)

    def __lshift__(self, amount: int) -> Expression:
        return self.table.apply("shl", self, self.lift(amount))

    def __rshift__(self, amount: int) -> Expression:
        """A shift that brings in zeros."""
        return self.table.apply("lshr", self, self.lift(amount))

    def __abs__(self) -> Expression:
        return self.table.apply("fabs", self)

    # The elementary operations of ``numerics.functions.number.Number``.

    @property
    def is_widened(self) -> bool:
        """False: functions of ``f64`` are computed for ``f64``."""
        return False

    def lift(self, other: Operand) -> Expression:
        """The operand; a number becomes one of the same type."""
        return self.table.like(self, other)

    def less(self, other: Operand) -> Expression:
        """Whether a float is less, false of NaN."""
        return self.table.apply("flt", self, self.lift(other))

    def equals(self, other: Operand) -> Expression:
        """Whether floats are equal, false of NaN."""
        return self.table.apply("feq", self, self.lift(other))

    def differs(self, other: Operand) -> Expression:
        """Whether floats are not equal, true of NaN."""
        return self.table.apply("fne", self, self.lift(other))

    def select(self, yes: Expression, no: Expression) -> Expression:
        """``self ? yes : no``."""
        return self.table.apply("select", self, yes, no)

    def rarely(self, rare: Expression, usual: Expression) -> Expression:
        """``self ? rare : usual``; the rare one is skipped where no lane needs it."""
        return self.table.apply("rarely", self, rare, usual)

    def sqrt(self) -> Expression:
        """The square root, correctly rounded."""
        return self.table.apply("sqrt", self)

    def sqrt_and_slope(self) -> tuple[Expression, Expression]:
        """The square root of an ``f64`` in the range of ``f32``, and nearly half its inverse.

        A step of Newton's iteration from the root in ``f32`` takes a third of the time of the
        instruction for ``f64``.
        """
        single = self.table.convert("fptrunc", self, "f32").sqrt()
        s, slope = (self.table.convert("fpext", x, "f64") for x in (single, 0.5 / single))
        return s.multiply_add(-s, self).multiply_add(slope, s), slope

    def floor(self) -> Expression:
        """The largest integer that is not greater."""
        return self.table.apply("floor", self)

    def round_even(self) -> Expression:
        """The nearest integer, of two the even one."""
        return self.table.apply("rint", self)

    def copysign(self, sign: Expression) -> Expression:
        """The magnitude with the sign of another float."""
        return self.table.apply("copysign", self, sign)

    def multiply_add(self, factor: Expression, addend: Expression) -> Expression:
        """``self * factor + addend``, rounded once where the target can."""
        return self.table.apply("multiply_add", self, factor, addend)

    def two_product(self, factor: Expression) -> tuple[Expression, Expression]:
        """The rounded product, and what is lost by rounding."""
        product = self * factor
        return product, self.residue(factor, product)

    def residue(self, factor: Expression, product: Expression) -> Expression:
        """``self * factor - product``, exact where the product is nearly that."""
        return self.table.apply("residue", self, factor, product)

    def bits(self) -> Expression:
        """The bits of a float, as an integer of its width."""
        return self.table.convert("bitcast", self, {"f32": "i32", "f64": "i64"}[self.type])

    def from_bits(self) -> Expression:
        """The float that has the bits of an integer."""
        return self.table.convert("bitcast", self, {"i32": "f32", "i64": "f64"}[self.type])

    def shift_arithmetic(self, amount: int) -> Expression:
        """An integer divided by a power of two, rounded down."""
        return self.table.apply("ashr", self, self.lift(amount))

    def to_float(self) -> Expression:
        """The value of a signed integer as a float of its width."""
        return self.table.convert("sitofp", self, {"i32": "f32", "i64": "f64"}[self.type])

    def __repr__(self) -> str:
        from_operands = ", ".join(map(repr, self.operands))
        detail = "" if self.detail is None else f"[{self.detail}]"
        return f"{self.operator}{detail}({from_operands})"


Operand = Expression | int | float


# Formats into which numbers are rounded in order: what is too large for one is infinite.
MONOTONIC: Final = ("bf16", "f16")


class Expressions:
    """Makes the expressions of one kernel."""

    def __init__(self) -> None:
        self.interned: dict[tuple[object, ...], Expression] = {}

    def make(
        self, operator: str, operands: tuple[Expression, ...], detail: object, result: str
    ) -> Expression:
        """The expression of these parts; ``low`` and ``high`` are the caller's to set."""
        key = (operator, operands, detail, result)
        existing = self.interned.get(key)
        if existing is not None:
            return existing
        expression = Expression()
        expression.operator, expression.operands, expression.detail, expression.type = (
            operator,
            operands,
            detail,
            result,
        )
        expression.low = expression.high = 0
        match operands:
            case ():
                expression.loops, expression.reads = NO_LOOPS, NO_BUFFERS
            case (one,):
                expression.loops, expression.reads = one.loops, one.reads
            case _:
                expression.loops = NO_LOOPS.union(*[operand.loops for operand in operands])
                expression.reads = NO_BUFFERS.union(*[operand.reads for operand in operands])
        expression.number = len(self.interned)
        expression.table = self
        self.interned[key] = expression
        return expression

    # Values

    def constant(self, value: float, result: str) -> Expression:
        """A number of a register type."""
        if result == "index":
            return self.sum(value if is_symbolic(value) else int(value), ())  # type: ignore[arg-type]
        if result == "f32":
            try:
                bits = struct.unpack("<I", struct.pack("<f", value))[0]
            except OverflowError:
                bits = 0x7F800000 if value > 0 else 0xFF800000
            return self.bits(bits, result)
        if result == "f64":
            return self.bits(struct.unpack("<Q", struct.pack("<d", value))[0], result)
        return self.bits(int(value), result)

    def bits(self, bits: int, result: str) -> Expression:
        """The value whose bits these are."""
        return self.make("constant", (), bits & ((1 << BITS[result]) - 1), result)

    def like(self, model: Expression, value: Operand) -> Expression:
        """The operand; a number becomes one of the type of ``model``."""
        return value if isinstance(value, Expression) else self.constant(value, model.type)

    def apply(self, operator: str, *operands: Expression) -> Expression:
        """The result of an operation."""
        kind = OPERATORS[operator].kind
        bits = constant_folded(operator, operands)
        if bits is not None:
            return self.bits(bits, "i1" if kind == "compare" else operands[0].type)
        if kind == "compare":
            answer = comparison_result(operator, *operands) if operands[0].type == "index" else None
            if answer is not None:
                return self.bits(answer, "i1")
            return self.make(operator, operands, None, "i1")
        if kind == "select":
            which, yes, no = operands
            if yes is no:
                return yes
            if which.operator == "constant":
                return yes if which.detail else no
            if yes.type == "index":
                expression = self.make(operator, operands, None, "index")
                expression.low = lower_bound(yes.low, no.low)
                expression.high = upper_bound(yes.high, no.high)
                return expression
            narrow = chosen_bits(which, yes, no)
            if narrow is not None:
                return narrow
            return self.make(operator, operands, None, yes.type)
        return simplify(self, operator, operands) or self.make(
            operator, operands, None, operands[0].type
        )

    def arithmetic(self, operator: str, lhs: Expression, other: Operand) -> Expression:
        """A sum, difference or product of operands of one type."""
        rhs = self.like(lhs, other)
        if lhs.type == "index":
            return self.index_arithmetic(operator, lhs, rhs)
        return self.apply(f"f{operator}" if lhs.type in FLOATS else operator, lhs, rhs)

    def convert(self, operator: str, operand: Expression, result: str) -> Expression:
        """The result of a conversion."""
        assert operator in CONVERSIONS
        if operator == "bitcast" and operand.operator == "bitcast":
            operand = operand.operands[0]
        if operand.operator == "constant" and operator in ("bitcast", "trunc", "zext"):
            return self.bits(operand.detail, result)
        elif operand.operator == "constant" and operator[:6] in ("decode", "encode"):
            return self.bits(
                constant_converted(operator, operand.detail, operand.type, result), result
            )
        elif operand.operator == "constant" and operator in ("sitofp", "uitofp"):
            number = integer_of_bits(operand.detail, operand.type, operator == "sitofp")
            if abs(number) <= LARGEST_EXACT:
                return self.constant(float(number), result)
        return operand if operand.type == result else self.make(operator, (operand,), None, result)

    def decode(self, bits: Expression, narrow: str) -> Expression:
        """The ``f32`` of the bits of a narrow float."""
        return self.convert(f"decode_{narrow}", bits, "f32")

    def encode(self, value: Expression, narrow: str) -> Expression:
        """The bits of the narrow float that is nearest to an ``f32``."""
        if value.operator == f"decode_{narrow}":
            return value.operands[0]
        exact = self.clamped_before_rounding(value, narrow) if narrow in MONOTONIC else None
        return self.convert(f"encode_{narrow}", value if exact is None else exact, NARROW[narrow])

    def clamped_before_rounding(self, value: Expression, narrow: str) -> Expression | None:
        """What is rounded to the same narrow float as the larger or smaller of a rounded number.

        The other one is a constant that the format has. Rounding is monotonic, so it may come
        last, and the number is rounded once, not twice. None if the value is anything else.
        """
        if value.operator not in ("minimum", "maximum"):
            return None
        operands = list(value.operands)
        for place, (one, bound) in enumerate((operands, operands[::-1])):
            if bound.operator == "constant" and self.rounded(bound, narrow) is bound:
                exact = self.clamped_before_rounding(one, narrow)
                bits = one.operands[0] if one.operator == f"decode_{narrow}" else None
                if bits is not None and bits.operator == f"encode_{narrow}":
                    exact = bits.operands[0]
                if exact is not None:
                    operands[place] = exact
                    return self.apply(value.operator, *operands)
        return None

    def rounded(self, value: Expression, narrow: str) -> Expression:
        """The ``f32`` of the nearest narrow float."""
        return self.decode(self.convert(f"encode_{narrow}", value, NARROW[narrow]), narrow)

    def load(self, buffer: Buffer, index: Sequence[Expression]) -> Expression:
        """An element of a buffer."""
        return self.load_at(buffer, self.place(buffer, index))

    def place(self, buffer: Buffer, index: Sequence[Expression]) -> Expression:
        """Where in a buffer an element is."""
        return self.weighted_sum(0, zip(index, buffer.strides, strict=True))

    def load_at(self, buffer: Buffer, place: Expression) -> Expression:
        """The element at a place of a buffer."""
        expression = self.make("load", (place,), buffer, buffer.type)
        if buffer not in expression.reads:
            expression.reads = expression.reads | {buffer}
        return expression

    def lookup(self, values: tuple[float, ...], place: Expression) -> Expression:
        """The value at a position, an ``i64`` within range, of a table of ``f64``."""
        return self.make("lookup", (place,), values, "f64")

    def byte_entry(self, values: tuple[int, ...], code: Expression) -> Expression:
        """The byte, an ``i32``, at a code from 0 to 255 of a table; code is the lowest byte."""
        return self.make("byte_entry", (code,), values, "i32")

    def number(self, index: Expression) -> Expression:
        """An index as an integer."""
        if not terms_of(index)[1] and not is_symbolic(index.low):
            return self.constant(index.low, "i64")
        return self.make("number", (index,), None, "i64")

    def size(self, size: int) -> Expression:
        """A size as an integer."""
        return self.number(self.sum(size, ()))

    # Indices

    def loop_index(self, name: str, extent: int) -> Expression:
        """The index of a loop that runs from 0 to ``extent - 1``.

        A symbolic extent may turn out to be 0: then there is no iteration with an index.
        """
        expression = self.make("index", (), name, "index")
        last = extent - 1
        expression.low, expression.high = 0, last if is_symbolic(last) else max(last, 0)
        expression.loops = frozenset((expression,))
        return self.sum(0, ((expression, 1),))

    def position(self, value: Expression, high: int) -> Expression:
        """A loaded integer as an index, clamped into ``0 ... high``."""
        if value.operator == "constant":
            signed = value.detail - ((value.detail >> (BITS[value.type] - 1)) << BITS[value.type])
            return self.sum(min(max(signed, 0), high), ())
        expression = self.make("position", (value,), high, "index")
        expression.low, expression.high = 0, high
        return self.sum(0, ((expression, 1),))

    def scale_index(self, index: Expression, number: int) -> Expression:
        """The index of a loop, or a constant, times a parameter of an outlined function."""
        if index.operator == "sum":
            constant, terms = terms_of(index)
            assert not terms, "an index of a loop is scaled"
            return self.sum(0, ((self.make("handed", (), number, "index"), constant),))
        return self.sum(0, ((self.make("scaled", (index,), number, "index"), 1),))

    def sum(self, constant: int, terms: Iterable[tuple[Expression, int]]) -> Expression:
        """``constant + c0 * a0 + c1 * a1 + ...`` of atoms."""
        ordered = [term for term in terms if term[1]]
        if len(ordered) > 1:
            ordered.sort(key=lambda term: term[0].number)
        atoms: tuple[Expression, ...] = ()
        detail: tuple[int, ...] = (constant,)
        if len(ordered) == 1:
            ((atom, coefficient),) = ordered
            atoms, detail = (atom,), (constant, coefficient)
        elif ordered:
            atoms = tuple([atom for atom, _ in ordered])
            detail = (constant, *[atom for _, atom in ordered])
        expression = self.interned.get(("sum", atoms, detail, "index"))
        if expression is not None:
            return expression
        expression = self.make("sum", atoms, detail, "index")
        expression.terms = ordered
        expression.low = expression.high = constant
        for atom, coefficient in ordered:
            ends, is_negative = (atom.low, atom.high), coefficient < 0
            expression.low += coefficient * ends[is_negative]
            expression.high += coefficient * ends[not is_negative]
        return expression

    def weighted_sum(self, constant: int, parts: Iterable[tuple[Expression, int]]) -> Expression:
        """``constant + c0 * e0 + c1 * e1 + ...`` of indices, which may be sums themselves."""
        total: dict[Expression, int] = {}
        for index, weight in parts:
            more, terms = terms_of(index)
            constant += more * weight
            for atom, coefficient in terms:
                total[atom] = total.get(atom, 0) + coefficient * weight
        return self.sum(constant, total.items())

    def index_arithmetic(self, operator: str, lhs: Expression, rhs: Expression) -> Expression:
        """A sum or difference; a product with a constant."""
        if operator == "mul":
            if terms_of(lhs)[1]:
                lhs, rhs = rhs, lhs
            factor, none = terms_of(lhs)
            assert not none, "an index is multiplied by constants only"
            return self.weighted_sum(0, ((rhs, factor),))
        return self.weighted_sum(0, ((lhs, 1), (rhs, 1 if operator == "add" else -1)))

    def quotient(self, value: Expression, divisor: int) -> Expression:
        """``value // divisor`` of an index that is not negative."""
        whole, rest = divide_sum(value, divisor)
        if surely_at_most(0, rest.low) and surely_at_most(rest.high + 1, divisor):
            return whole
        assert value.low >= 0, "a quotient is taken of indices that are not negative"
        factor, coarse, _ = split(rest, divisor)
        if factor > 1:
            return whole + self.quotient(coarse, divisor // factor)
        expression = self.make("quotient", (rest,), divisor, "index")
        expression.low, expression.high = rest.low // divisor, rest.high // divisor
        return whole + self.sum(0, ((expression, 1),))

    def remainder(self, value: Expression, divisor: int) -> Expression:
        """``value % divisor`` of an index that is not negative."""
        if surely_at_most(0, value.low) and surely_at_most(value.high + 1, divisor):
            return value
        _, rest = divide_sum(value, divisor)
        if surely_at_most(0, rest.low) and surely_at_most(rest.high + 1, divisor):
            return rest
        assert value.low >= 0, "a remainder is taken of indices that are not negative"
        factor, coarse, fine = split(rest, divisor)
        if factor > 1:
            return self.remainder(coarse, divisor // factor) * factor + fine
        expression = self.make("remainder", (rest,), divisor, "index")
        expression.low, expression.high = 0, divisor - 1
        return self.sum(0, ((expression, 1),))

    def least(self, value: Expression, bound: int) -> Expression:
        """``min(value, bound)``."""
        if surely_at_most(value.high, bound):
            return value
        if surely_at_most(bound, value.low):
            return self.sum(bound, ())
        expression = self.make("least", (value,), bound, "index")
        expression.low, expression.high = lower_bound(value.low, bound), bound
        return self.sum(0, ((expression, 1),))

    def greatest(self, value: Expression, bound: int) -> Expression:
        """``max(value, bound)``."""
        if surely_at_most(bound, value.low):
            return value
        if surely_at_most(value.high, bound):
            return self.sum(bound, ())
        expression = self.make("greatest", (value,), bound, "index")
        expression.low, expression.high = bound, upper_bound(value.high, bound)
        return self.sum(0, ((expression, 1),))

    def clamp(self, value: Expression, high: int) -> Expression:
        """The nearest index in ``0 ... high``."""
        return self.least(self.greatest(value, 0), high)

    def inside(self, value: Expression, low: int, high: int) -> Expression:
        """Whether ``low <= value <= high``, of an index."""
        checks = [self.bits(1, "i1")]
        if not surely_at_most(low, value.low):
            checks.append(self.apply("sle", self.constant(low, "index"), value))
        if not surely_at_most(value.high, high):
            checks.append(self.apply("sle", value, self.constant(high, "index")))
        if len(checks) > 1 and (
            surely_at_most(value.high + 1, low) or surely_at_most(high + 1, value.low)
        ):
            return self.bits(0, "i1")
        return checks[0] if len(checks) == 1 else all_of(checks[1:])


def all_of(checks: Sequence[Expression]) -> Expression:
    """Whether all of them hold."""
    result = checks[0]
    for check in checks[1:]:
        result = result & check
    return result


def constant_folded(operator: str, operands: tuple[Expression, ...]) -> int | None:
    """The bits of an operation on constant integers; None if it is not done beforehand."""
    if operator not in CONSTANT_FOLDERS or operands[0].operator != "constant":
        return None
    if operands[1].operator != "constant":
        return None
    lhs, rhs = operands[0].detail, operands[1].detail
    width = BITS[operands[0].type]
    if operator in ("shl", "lshr") and rhs >= width:
        return None
    return int(CONSTANT_FOLDERS[operator](lhs, rhs))


def integer_of_bits(bits: int, element: str, is_signed: bool) -> int:
    """The integer of the bits of a type."""
    width = BITS[element]
    return bits - (1 << width) if is_signed and bits >> width - 1 else bits


def comparison_result(operator: str, lhs: Expression, rhs: Expression) -> bool | None:
    """The result of a comparison of indices for all values in their ranges; None if it varies."""
    match operator:
        case "sle" | "slt":
            strict = operator == "slt"
            if surely_at_most(lhs.high + strict, rhs.low):
                return True
            return False if surely_at_most(rhs.high + 1, lhs.low + strict) else None
        case "eq" | "ne":
            if surely_at_most(lhs.high + 1, rhs.low) or surely_at_most(rhs.high + 1, lhs.low):
                return operator == "ne"
            if surely_at_most(lhs.high, rhs.low) and surely_at_most(rhs.high, lhs.low):
                return operator == "eq"
            return None
        case _:
            return None


def terms_of(value: Expression) -> tuple[int, Sequence[tuple[Expression, int]]]:
    """Constant and terms of an index."""
    if value.operator != "sum":
        return 0, ((value, 1),)
    return value.detail[0], value.terms


def divide_sum(value: Expression, divisor: int) -> tuple[Expression, Expression]:
    """Sums ``whole`` and ``rest`` with ``value = divisor * whole + rest``.

    ``rest`` holds the terms whose coefficients ``divisor`` does not divide; its constant makes it
    least when it is not negative.
    """
    table = value.table
    constant, terms = terms_of(value)
    rest = [(a, c) for a, c in terms if not divides(divisor, c)]
    low = sum([c * (a.low if c > 0 else a.high) for a, c in rest])
    kept = constant % divisor
    if low + kept < 0:  # negative coefficients: borrow as much as makes the rest not negative
        kept += -((low + kept) // divisor) * divisor
    whole = table.sum(
        (constant - kept) // divisor, [(a, c // divisor) for a, c in terms if divides(divisor, c)]
    )
    return whole, table.sum(kept, rest)


def split(value: Expression, divisor: int) -> tuple[int, Expression, Expression]:
    """``factor``, ``coarse`` and ``fine`` with ``value = factor * coarse + fine``.

    ``factor`` divides ``divisor`` and ``0 <= fine < factor``; it is 1 if there is no better one.
    """
    table = value.table
    constant, terms = terms_of(value)
    terms = sorted(terms, key=lambda term: -abs(term[1]))
    factor = divisor
    best = (1, value, table.sum(0, ()))
    for i, (_, coefficient) in enumerate(terms):
        factor = common_divisor(factor, coefficient)
        if factor == 1:
            break
        fine = table.sum(constant % factor, terms[i + 1 :])
        if surely_at_most(0, fine.low) and surely_at_most(fine.high + 1, factor):
            scaled = [(a, c // factor) for a, c in terms[: i + 1]]
            best = (factor, table.sum(constant // factor, scaled), fine)
    return best


def simplify(
    table: Expressions, operator: str, operands: tuple[Expression, ...]
) -> Expression | None:
    """An equal and simpler expression, if there is one."""
    if len(operands) != 2:
        return None
    lhs, rhs = operands
    if operator in COMMUTATIVE and lhs.operator == "constant" and rhs.operator != "constant":
        lhs, rhs = rhs, lhs
    if rhs.operator != "constant":
        return lhs if operator in IDEMPOTENT and lhs is rhs else None
    bits, every = rhs.detail, (1 << BITS[rhs.type]) - 1
    match operator:
        case "add" | "sub" | "or" | "xor" | "shl" | "lshr" | "ashr" if bits == 0:
            return lhs
        case "and" if bits == every:
            return lhs
        case "and" | "mul" if bits == 0:
            return rhs
        case "or" if bits == every:
            return rhs
        case "mul" if bits == 1:
            return lhs
        case "fmul" | "fdiv" if bits == ONE[rhs.type]:
            return lhs
        case "fadd" if bits == MINUS_ZERO[rhs.type]:
            return lhs
        case "fsub" if bits == 0:
            return lhs
        case _:
            return None


def chosen_bits(which: Expression, yes: Expression, no: Expression) -> Expression | None:
    """A choice of narrow floats as the one of their bits, or None: it may have rare NaNs."""
    name = next(
        (operand.operator for operand in (yes, no) if operand.operator.startswith("decode_")), ""
    )
    narrow = name.removeprefix("decode_")
    bits = [bits_of(operand, narrow) for operand in (yes, no)] if narrow else []
    if not bits or bits[0] is None or bits[1] is None:
        return None
    return which.table.decode(which.table.apply("select", which, bits[0], bits[1]), narrow)


def bits_of(value: Expression, narrow: str) -> Expression | None:
    """The bits of a narrow float that is read or a constant; else None."""
    if value.operator == f"decode_{narrow}":
        return value.operands[0]
    if value.operator != "constant":
        return None
    bits = value.table.encode(value, narrow)
    return bits if value.table.decode(bits, narrow) is value else None


# Of unsigned integers; what is above the width is cut off.
CONSTANT_FOLDERS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mul": int.__mul__,
    "and": int.__and__,
    "or": int.__or__,
    "xor": int.__xor__,
    "shl": int.__lshift__,
    "lshr": int.__rshift__,
    "eq": int.__eq__,
    "ne": int.__ne__,
    "ult": int.__lt__,
    "ule": int.__le__,
}
COMMUTATIVE: Final = frozenset({"add", "mul", "and", "or", "xor", "fadd", "fmul"})
IDEMPOTENT: Final = frozenset({"and", "or", "smin", "smax", "umin", "umax"})
