"""A kernel as LLVM text with explicit vectors.

Three rules replace an optimiser. *Placement*: an expression is emitted once, before the outermost
loop inside which everything it mentions is known, and never before a ``when`` it stands in; what
loads a buffer that the kernel changes stays where it stands. *Lanes*: against the index of the
vector loop a value is uniform, and then a scalar, or it has one element per lane. *Registers*:
register buffers have constant indices once loops are unrolled and become values.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from stablemate.compiler.llvm.expansions import Expansion
from stablemate.compiler.llvm.instructions import ROWS, literal, suffix, type_name
from stablemate.compiler.llvm.squares import exchanges, square_of
from stablemate.compiler.nest.buffers import Buffer
from stablemate.compiler.nest.expressions import Expression, terms_of
from stablemate.compiler.nest.operators import BYTES
from stablemate.compiler.nest.statements import (
    IDENTITIES,
    PARTIALS,
    Combine,
    Fold,
    Kernel,
    Loop,
    Statement,
    Store,
    When,
    replace,
    stored,
    substituted,
)

INT32: Final = 1 << 31
Code = list[Any]  # lines, and lists of lines that are still being written


class Named(NamedTuple):
    """A value: its text, and how many elements it has."""

    text: str
    lanes: int = 1


class Scope:
    """A stretch of code in which values are known.

    Attributes:
        atom: The index of the loop that it is the body of.
        before: Where to put what the body needs and does not depend on the loop.
        code: The body.
        known: What was emitted here.
        closed: Whether nothing may be moved out of it.
    """

    __slots__ = ("atom", "before", "closed", "code", "known")

    def __init__(
        self, atom: Expression | None, before: Code, code: Code, closed: bool = False
    ) -> None:
        self.atom = atom
        self.before = before
        self.code = code
        self.known: dict[Any, Named] = {}
        self.closed = closed


class Emitter:
    """Writes the function of one kernel: ``void name(ptr arguments, i64 begin, i64 end)``.

    Args:
        kernel: The kernel.
        expansions: What stands for operators that the target has no instruction for.
    """

    def __init__(self, kernel: Kernel, expansions: Mapping[str, Expansion]) -> None:
        self.kernel = kernel
        self.expansions = expansions
        self.constants: dict[tuple[float, ...], str] = {}  # tables that are looked up
        self.aside: Code = []  # blocks that are rarely run, behind all others
        self.entry: Code = []
        self.scopes = [Scope(None, self.entry, self.entry)]
        self.label = "entry"
        self.count = 0
        self.pointers: dict[Buffer, str] = {}
        self.registers: dict[tuple[Buffer, int], Named] = {}
        self.versions: dict[Buffer, int] = dict.fromkeys(stored(kernel.body), 0)
        self.vector: Expression | None = None  # the index that lanes differ in
        self.width = 1
        wide = any(each.elements >= INT32 for each in kernel.arguments)
        self.index_type = "i64" if wide else "i32"  # of indices in lanes; scalars are i64

    def text(self) -> str:
        """The definition of the function."""
        for i, buffer in enumerate(self.kernel.arguments):
            place = self.line(f"getelementptr ptr, ptr %arguments, i64 {i}")
            self.pointers[buffer] = self.line(f"load ptr, ptr {place}")
        for buffer in self.kernel.locals:
            if buffer.scope == "stack":
                size = f"[{buffer.bytes} x i8]"
                self.pointers[buffer] = self.line(f"alloca {size}, align 64")
        self.block(self.kernel.body)
        self.code.append("  ret void")
        lines = "\n".join(flattened([self.entry, self.aside]))
        head = f"define void @{self.kernel.name}(ptr %arguments, i64 %begin, i64 %end) #0 {{"
        tables = "".join([table_text(name, values) for values, name in self.constants.items()])
        return f"{tables}{head}\nentry:\n{lines}\n}}\n"

    @property
    def code(self) -> Code:
        """Where statements go."""
        return self.scopes[-1].code

    def fresh(self) -> str:
        """A name that no value has."""
        self.count += 1
        return f"%v{self.count}"

    def line(self, instruction: str, code: Code | None = None) -> str:
        """Adds an instruction and names its result."""
        name = self.fresh()
        (self.code if code is None else code).append(f"  {name} = {instruction}")
        return name

    # Values

    def depth(self, expression: Expression) -> int:
        """The number of the outermost scope in which the expression can be computed."""
        loops = expression.loops
        pinned = not expression.reads.isdisjoint(self.versions)
        for i in range(len(self.scopes) - 1, 0, -1):
            scope = self.scopes[i]
            if pinned or scope.closed or scope.atom in loops:
                return i
        return 0

    def place(self, depth: int) -> Code:
        """Where code of a scope goes: before the loop of the next one, if there is one."""
        inner = depth + 1
        return self.scopes[inner].before if inner < len(self.scopes) else self.scopes[depth].code

    def key(self, expression: Expression) -> Any:
        """What identifies the value at this moment."""
        changing = [b for b in expression.reads if b in self.versions]
        if not changing:
            return expression
        return (expression, tuple(sorted((b.name, self.versions[b]) for b in changing)))

    def known(self, key: Any) -> Named | None:
        """The value, if a scope around this place has it."""
        for scope in reversed(self.scopes):
            value = scope.known.get(key)
            if value is not None:
                return value
        return None

    def value(self, expression: Expression) -> Named:
        """The value of an expression: a scalar where all lanes have the same."""
        if expression.operator == "constant":
            return Named(literal(expression.detail, expression.type))
        key = self.key(expression)
        value = self.known(key)
        if value is None:
            self.prepare(expression)
            value = self.emitted(expression)
            self.scopes[self.depth(expression)].known[key] = value
        return value

    def prepare(self, expression: Expression) -> None:
        """Emits what an expression is computed from, the deepest first: it may be very deep."""
        pending = [each for each in self.inputs(expression) if self.is_open(each)]
        while pending:
            last = pending[-1]
            inner = [each for each in self.inputs(last) if self.is_open(each)]
            if inner:
                pending += inner
            else:
                self.value(pending.pop())

    def inputs(self, expression: Expression) -> Sequence[Expression]:
        """What is computed before an expression, by instructions on registers."""
        operator, operands = expression.operator, expression.operands
        if operator == "rarely" and self.branches(expression):
            return (operands[0], operands[2])
        return operands if operator in ROWS or operator == "select" else ()

    def is_open(self, expression: Expression) -> bool:
        """Whether an expression has no value yet."""
        return (
            expression.operator != "constant"
            and expression.type != "index"
            and self.known(self.key(expression)) is None
        )

    def vectorised(self, expression: Expression) -> bool:
        """Whether lanes have different values."""
        return self.vector is not None and self.vector in expression.loops

    def emitted(self, expression: Expression) -> Named:
        """The code of an expression whose operands may be known."""
        if expression.operator == "load":
            return self.loaded(expression)
        if expression.operator == "number":
            return self.numbered(expression)
        if expression.operator == "lookup":
            return self.looked_up(expression)
        if expression.operator == "rarely" and self.branches(expression):
            return self.rarely(expression)
        if expression.operator in self.expansions:
            return self.value(self.expansions[expression.operator](*expression.operands))
        if expression.type == "index" and expression.operator != "select":
            return self.lanes_of(expression) if self.vectorised(expression) else self.at(expression)
        lanes = self.width if self.vectorised(expression) else 1
        texts = [self.spread(self.value(each), each, lanes) for each in expression.operands]
        code = self.place(self.depth(expression))
        return Named(self.line(self.instruction(expression, lanes, texts), code), lanes)

    def numbered(self, expression: Expression) -> Named:
        """An index as an integer."""
        value = self.value(expression.operands[0])
        if value.lanes == 1 or self.index_type == "i64":
            return value
        source, target = type_name("i32", value.lanes), type_name("i64", value.lanes)
        code = self.place(self.depth(expression))
        return Named(self.line(f"sext {source} {value.text} to {target}", code), value.lanes)

    def instruction(self, expression: Expression, lanes: int, texts: Sequence[str]) -> str:
        """The text of an operation on registers."""
        source = self.register_type(expression.operands[0], lanes)
        result = self.register_type(expression, lanes)
        if expression.operator in ("select", "rarely"):
            t = type_name(result, lanes)
            which = type_name("i1", lanes)
            return f"select {which} {texts[0]}, {t} {texts[1]}, {t} {texts[2]}"
        return ROWS[expression.operator].format(
            *texts,
            t=type_name(source, lanes),
            s=suffix(source, lanes),
            r=type_name(result, lanes),
            q=suffix(result, lanes),
        )

    def branches(self, expression: Expression) -> bool:
        """Whether what is rare is computed aside: where code is added to the innermost loop."""
        return self.depth(expression) == len(self.scopes) - 1

    def rarely(self, expression: Expression) -> Named:
        """A selection whose first choice is computed only if a lane takes it."""
        which, rare, usual = expression.operands
        lanes = self.width if self.vectorised(expression) else 1
        texts = [self.spread(self.value(each), each, lanes) for each in (which, usual)]
        kind = type_name(expression.type, lanes)
        some = texts[0]
        if lanes > 1:
            bits = self.line(f"bitcast {type_name('i1', lanes)} {some} to i{lanes}")
            some = self.line(f"icmp ne i{lanes} {bits}, 0")
        inside, after = self.labels("rare", "usual")
        self.code.append(f"  br i1 {some}, label %{inside}, label %{after}")
        self.code.append(f"{after}:")
        origin, code = self.label, [f"{inside}:"]
        self.aside.append(code)
        self.label = inside
        self.scopes.append(Scope(None, code, code, closed=True))
        mixed = self.spread(self.value(rare), rare, lanes)
        if lanes > 1:
            choice = f"{type_name('i1', lanes)} {texts[0]}, {kind} {mixed}, {kind} {texts[1]}"
            mixed = self.line(f"select {choice}")
        self.scopes.pop()
        code.append(f"  br label %{after}")
        phi = f"phi {kind} [ {mixed}, %{self.label} ], [ {texts[1]}, %{origin} ]"
        self.label = after
        return Named(self.line(phi), lanes)

    def looked_up(self, expression: Expression) -> Named:
        """An element of a table of constants."""
        values = expression.detail
        name = self.constants.setdefault(values, f"{self.kernel.name}_t{len(self.constants)}")
        place = self.value(expression.operands[0])
        code = self.place(self.depth(expression))
        index = type_name("i64", place.lanes)
        pointer = self.line(f"getelementptr double, ptr @{name}, {index} {place.text}", code)
        if place.lanes == 1:
            return Named(self.line(f"load double, ptr {pointer}", code))
        return Named(self.gathered("f64", place.lanes, pointer, code), place.lanes)

    def gathered(self, element: str, lanes: int, pointers: str, code: Code) -> str:
        """The elements that a vector of pointers is at."""
        vector, truth = type_name(element, lanes), type_name("i1", lanes)
        name = f"@llvm.masked.gather.{suffix(element, lanes)}.v{lanes}p0"
        return self.line(
            f"call {vector} {name}(<{lanes} x ptr> {pointers}, i32 {BYTES[element]}, "
            f"{truth} splat (i1 true), {vector} poison)",
            code,
        )

    def register_type(self, expression: Expression, lanes: int) -> str:
        """The type of the register that holds an expression; indices in lanes are narrow."""
        if expression.type != "index":
            return expression.type
        return self.index_type if lanes > 1 else "i64"

    def spread(self, value: Named, expression: Expression, lanes: int) -> str:
        """The text of a value in as many lanes."""
        if value.lanes == lanes:
            return value.text
        element = self.register_type(expression, lanes)
        if is_literal(value.text):
            return f"splat ({type_name(element)} {value.text})"
        value = self.narrow(value, expression)
        depth = self.depth(expression)
        key = (value.text, lanes)
        known = self.known(key)
        if known is None:
            code = self.place(depth)
            vector, scalar = type_name(element, lanes), type_name(element)
            one = self.line(f"insertelement {vector} poison, {scalar} {value.text}, i64 0", code)
            splat = (
                f"shufflevector {vector} {one}, {vector} poison, <{lanes} x i32> zeroinitializer"
            )
            known = self.scopes[depth].known[key] = Named(self.line(splat, code), lanes)
        return known.text

    # Indices

    def at(self, index: Expression) -> Named:
        """An index as a scalar; of the vector loop's index, that of the first lane."""
        operator = index.operator
        if operator == "sum":
            return Named(self.summed(index))
        if operator == "index":
            assert index is self.vector, "an index stands outside its loop"
            return Named("0")
        operand = self.first_lane(index.operands[0]).text
        code = self.place(self.depth(index))
        match operator:
            case "quotient":
                return Named(self.line(f"udiv i64 {operand}, {index.detail}", code))
            case "remainder":
                return Named(self.line(f"urem i64 {operand}, {index.detail}", code))
            case "least":
                call = f"call i64 @llvm.smin.i64(i64 {operand}, i64 {index.detail})"
                return Named(self.line(call, code))
            case "greatest":
                call = f"call i64 @llvm.smax.i64(i64 {operand}, i64 {index.detail})"
                return Named(self.line(call, code))
            case _:
                return Named(self.position(index, operand, code))

    def position(self, index: Expression, operand: str, code: Code) -> str:
        """A loaded scalar, clamped."""
        source = index.operands[0].type
        if source != "i64":
            operand = self.line(f"sext {source} {operand} to i64", code)
        low = self.line(f"call i64 @llvm.smax.i64(i64 {operand}, i64 0)", code)
        return self.line(f"call i64 @llvm.smin.i64(i64 {low}, i64 {index.detail})", code)

    def first_lane(self, index: Expression) -> Named:
        """The scalar of the first lane; equal to the value where all lanes agree."""
        if index.operator == "constant":
            return Named(literal(index.detail, index.type))
        if not self.vectorised(index):
            return self.value(index)
        key = ("first", self.key(index))
        known = self.known(key)
        if known is None:
            known = self.at(index)
            self.scopes[self.depth(index)].known[key] = known
        return known

    def summed(self, index: Expression) -> str:
        """A sum, its terms added from the outermost loop to the innermost."""
        constant, terms = terms_of(index)
        if not terms:
            return str(constant)
        terms = sorted(terms, key=lambda term: self.depth(term[0]))
        atom, coefficient = terms[-1]
        rest = index.table.sum(constant, terms[:-1])
        code = self.place(self.depth(index))
        last = self.first_lane(atom).text
        if coefficient != 1:
            last = self.line(f"mul nsw i64 {last}, {coefficient}", code)
        if len(terms) == 1 and constant == 0:
            return last
        return self.line(f"add nsw i64 {self.first_lane(rest).text}, {last}", code)

    def lanes_of(self, index: Expression) -> Named:
        """An index that lanes differ in, as a vector."""
        vector = type_name(self.index_type, self.width)
        code = self.place(self.depth(index))
        match index.operator:
            case "index":
                lanes = ", ".join(f"{self.index_type} {i}" for i in range(self.width))
                return Named(f"<{lanes}>", self.width)
            case "sum":
                return Named(self.summed_lanes(index, vector, code), self.width)
            case "position":
                return Named(self.positions(index, code), self.width)
            case operator:
                operand = self.value(index.operands[0]).text
                bound = f"splat ({self.index_type} {index.detail})"
                return Named(
                    self.line(self.lane_instruction(operator, vector, operand, bound), code),
                    self.width,
                )

    def lane_instruction(self, operator: str, vector: str, operand: str, bound: str) -> str:
        """A quotient, a remainder, a bound of indices in lanes."""
        match operator:
            case "quotient" | "remainder":
                called = {"quotient": "udiv", "remainder": "urem"}[operator]
                return f"{called} {vector} {operand}, {bound}"
            case _:
                called = {"least": "smin", "greatest": "smax"}[operator]
                name = f"@llvm.{called}.{suffix(self.index_type, self.width)}"
                return f"call {vector} {name}({vector} {operand}, {vector} {bound})"

    def summed_lanes(self, index: Expression, vector: str, code: Code) -> str:
        """A sum whose terms differ from lane to lane, on top of one where they agree."""
        constant, terms = terms_of(index)
        uniform = [(a, c) for a, c in terms if not self.vectorised(a)]
        total = None
        if constant or uniform:
            rest = index.table.sum(constant, uniform)
            total = self.spread(self.value(rest), rest, self.width)
        for atom, coefficient in terms:
            if self.vectorised(atom):
                term = self.value(atom).text
                if coefficient != 1:
                    factor = f"splat ({self.index_type} {coefficient})"
                    term = self.line(f"mul {vector} {term}, {factor}", code)
                total = term if total is None else self.line(f"add {vector} {total}, {term}", code)
        assert total is not None
        return total

    def narrow(self, value: Named, index: Expression) -> Named:
        """A scalar index in the type of lanes; anything else as it is."""
        if index.type != "index" or self.index_type == "i64" or is_literal(value.text):
            return value
        key = ("narrow", value.text)
        known = self.known(key)
        if known is None:
            depth = self.depth(index)
            known = Named(self.line(f"trunc i64 {value.text} to i32", self.place(depth)))
            self.scopes[depth].known[key] = known
        return known

    def positions(self, index: Expression, code: Code) -> str:
        """Loaded integers as indices, clamped before they are narrowed."""
        source = index.operands[0].type
        operand = self.value(index.operands[0]).text
        wide = source if source in ("i32", "i64") else "i32"
        if wide != source:
            operand = self.line(
                f"sext {type_name(source, self.width)} {operand} to {type_name(wide, self.width)}",
                code,
            )
        vector, name = type_name(wide, self.width), suffix(wide, self.width)
        high = min(index.detail, (1 << (8 * BYTES[wide] - 1)) - 1)
        low = f"call {vector} @llvm.smax.{name}({vector} {operand}, {vector} zeroinitializer)"
        operand = self.line(low, code)
        limit = f"{vector} splat ({wide} {high})"
        operand = self.line(f"call {vector} @llvm.smin.{name}({vector} {operand}, {limit})", code)
        if wide != self.index_type:
            change = "trunc" if wide == "i64" else "sext"
            target = type_name(self.index_type, self.width)
            operand = self.line(f"{change} {vector} {operand} to {target}", code)
        return operand

    # Memory

    def lane_stride(self, position: Expression) -> int | None:
        """By how much the position grows from lane to lane; None if not by a constant."""
        stride = 0
        for atom, coefficient in terms_of(position)[1]:
            if atom is self.vector:
                stride = coefficient
            elif self.vectorised(atom):
                return None
        return stride

    def address(self, buffer: Buffer, position: Expression) -> str:
        """Where the element of the first lane is."""
        base = self.pointers[buffer]
        index = self.first_lane(position).text
        if index == "0":
            return base
        key = ("address", base, index)
        known = self.known(key)
        if known is None:
            depth = self.depth(position)
            step = f"getelementptr inbounds {type_name(buffer.type)}, ptr {base}, i64 {index}"
            known = Named(self.line(step, self.place(depth)))
            self.scopes[depth].known[key] = known
        return known.text

    def addresses(self, buffer: Buffer, position: Expression) -> str:
        """Where the elements of all lanes are."""
        indices = self.value(position)
        vector = type_name(self.index_type, self.width)
        code = self.place(self.depth(position))
        step = f"getelementptr inbounds {type_name(buffer.type)}, ptr {self.pointers[buffer]}"
        return self.line(f"{step}, {vector} {indices.text}", code)

    def loaded(self, expression: Expression) -> Named:
        """The elements that a load gives."""
        buffer: Buffer = expression.detail
        (position,) = expression.operands
        if buffer.scope == "register":
            return self.registers[buffer, self.register_position(position)]
        code = self.place(self.depth(expression))
        element, align = type_name(buffer.type), BYTES[buffer.type]
        if not self.vectorised(position):
            pointer = self.address(buffer, position)
            return Named(self.line(f"load {element}, ptr {pointer}, align {align}", code))
        vector = type_name(buffer.type, self.width)
        stride = self.lane_stride(position)
        if stride == 1:
            pointer = self.address(buffer, position)
            return Named(
                self.line(f"load {vector}, ptr {pointer}, align {align}", code), self.width
            )
        if stride == -1:
            return Named(self.loaded_backwards(buffer, position, vector, code), self.width)
        pointers = self.addresses(buffer, position)
        return Named(self.gathered(buffer.type, self.width, pointers, code), self.width)

    def loaded_backwards(
        self, buffer: Buffer, position: Expression, vector: str, code: Code
    ) -> str:
        """Consecutive elements in the opposite order."""
        last = position + (1 - self.width)
        pointer = self.address(buffer, last)
        value = self.line(f"load {vector}, ptr {pointer}, align {BYTES[buffer.type]}", code)
        order = ", ".join(f"i32 {i}" for i in reversed(range(self.width)))
        return self.line(
            f"shufflevector {vector} {value}, {vector} poison, <{self.width} x i32> <{order}>", code
        )

    def register_position(self, position: Expression) -> int:
        """Which element of a register buffer is meant; of a vector, its first."""
        constant, terms = terms_of(position)
        assert all(atom is self.vector for atom, _ in terms), "a register has a constant index"
        return constant

    def put(self, buffer: Buffer, position: Expression, value: Named, text: str) -> None:
        """Writes an element, or one per lane."""
        self.versions[buffer] += 1
        if buffer.scope == "register":
            self.registers[buffer, self.register_position(position)] = Named(text, value.lanes)
            return
        kind, align = type_name(buffer.type, value.lanes), BYTES[buffer.type]
        if value.lanes == 1 or self.lane_stride(position) == 1:
            pointer = self.address(buffer, position)
            self.code.append(f"  store {kind} {text}, ptr {pointer}, align {align}")
            return
        pointers = self.addresses(buffer, position)
        name = f"@llvm.masked.scatter.{suffix(buffer.type, self.width)}.v{self.width}p0"
        self.code.append(
            f"  call void {name}({kind} {text}, <{self.width} x ptr> {pointers}, i32 {align}, "
            f"{type_name('i1', self.width)} splat (i1 true))"
        )

    # Statements

    def block(self, body: Sequence[Statement]) -> None:
        """Statements in order."""
        for statement in body:
            match statement:
                case Store():
                    self.store(statement)
                case Fold():
                    self.fold(statement)
                case Combine():
                    self.combine(statement)
                case When():
                    self.when(statement)
                case Loop():
                    self.loop(statement)

    def lanes_at(self, place: Expression) -> int:
        """How many elements a statement changes."""
        return self.width if self.vectorised(place) else 1

    def store(self, statement: Store) -> None:
        """``store buffer[index] = value``."""
        lanes = self.lanes_at(statement.place)
        value = self.value(statement.value)
        text = self.spread(value, statement.value, lanes)
        self.put(statement.buffer, statement.place, Named(text, lanes), text)

    def fold(self, statement: Fold) -> None:
        """``fold buffer[index] op= value``."""
        buffer, place = statement.buffer, statement.place
        lanes = self.lanes_at(place)
        assert lanes == self.width, "a fold along a vector has partial results"
        before = statement.value.table.load_at(buffer, place)
        old = self.spread(self.value(before), before, lanes)
        text = self.combined(statement, lanes, old)
        self.put(buffer, place, Named(text, lanes), text)

    def combined(self, statement: Fold, lanes: int, old: str) -> str:
        """The old value with the new one."""
        value, element = statement.value, statement.buffer.type
        if statement.fused and value.operator == "fmul" and not statement.skip:
            factors = [self.spread(self.value(each), each, lanes) for each in value.operands]
            kind = type_name(element, lanes)
            operands = ", ".join(f"{kind} {each}" for each in (*factors, old))
            return self.line(f"call {kind} @llvm.fmuladd.{suffix(element, lanes)}({operands})")
        new = self.spread(self.value(value), value, lanes)
        if statement.skip:
            new = self.moved(statement, lanes, new)
        return self.applied(statement.operator, element, lanes, old, new)

    def moved(self, statement: Fold, lanes: int, text: str) -> str:
        """The lanes behind the skipped ones, moved to the front, and the identity behind them."""
        element = statement.buffer.type
        identity = literal(IDENTITIES[statement.operator][element], element)
        kind = type_name(element, lanes)
        order = ", ".join(f"i32 {min(i + statement.skip, lanes)}" for i in range(lanes))
        pair = f"{kind} {text}, {kind} splat ({type_name(element)} {identity})"
        return self.line(f"shufflevector {pair}, <{lanes} x i32> <{order}>")

    def combine(self, statement: Combine) -> None:
        """``combine buffer[index] op= partials``."""
        partials, width, operator = statement.partials, statement.width, statement.operator
        element = partials.type
        parts = [self.registers[partials, i].text for i in range(0, partials.elements, width)]
        half = PARTIALS // width // 2
        while half:
            parts = [
                self.applied(operator, element, width, part, parts[i + half])
                if i + half < len(parts)
                else part
                for i, part in enumerate(parts[:half])
            ]
            half //= 2
        (text,) = parts
        while width > 1:
            text, width = self.halved(operator, element, width, text), width // 2
        buffer, place = statement.buffer, statement.place
        old = self.current(buffer, place)
        text = self.applied(operator, element, 1, old, text)
        self.put(buffer, place, Named(text), text)

    def halved(self, operator: str, element: str, width: int, text: str) -> str:
        """The lower half of a vector combined with the upper one."""
        kind, half = type_name(element, width), width // 2
        if half == 1:
            pair = [self.line(f"extractelement {kind} {text}, i64 {i}") for i in (0, 1)]
        else:
            pair = [
                self.line(
                    f"shufflevector {kind} {text}, {kind} poison, <{half} x i32> "
                    f"<{', '.join(f'i32 {i}' for i in range(first, first + half))}>"
                )
                for first in (0, half)
            ]
        return self.applied(operator, element, half, *pair)

    def current(self, buffer: Buffer, position: Expression) -> str:
        """The element that a scalar statement is about to change."""
        if buffer.scope == "register":
            return self.registers[buffer, self.register_position(position)].text
        pointer, align = self.address(buffer, position), BYTES[buffer.type]
        return self.line(f"load {type_name(buffer.type)}, ptr {pointer}, align {align}")

    def applied(self, operator: str, element: str, lanes: int, lhs: str, rhs: str) -> str:
        """An operation of a monoid."""
        kind, name = type_name(element, lanes), suffix(element, lanes)
        return self.line(ROWS[operator].format(lhs, rhs, t=kind, s=name, r=kind, q=name))

    def when(self, statement: When) -> None:
        """``when condition { body }``."""
        condition = self.value(statement.condition).text
        inside, after = self.labels("when", "after")
        self.code.append(f"  br i1 {condition}, label %{inside}, label %{after}")
        self.code.append(f"{inside}:")
        before, origin = dict(self.registers), self.label
        code: Code = []
        self.code.append(code)
        self.label = inside
        self.scopes.append(Scope(None, code, code, closed=True))
        self.block(statement.body)
        self.scopes.pop()
        code.append(f"  br label %{after}")
        self.code.append(f"{after}:")
        for key, old in before.items():
            new = self.registers[key]
            if new != old:
                kind = type_name(key[0].type, new.lanes)
                phi = f"phi {kind} [ {new.text}, %{self.label} ], [ {old.text}, %{origin} ]"
                self.registers[key] = Named(self.line(phi), new.lanes)
        self.registers = {key: self.registers[key] for key in before}
        self.label = after
        self.changed(statement.body)

    def changed(self, body: Sequence[Statement]) -> None:
        """Forgets what was known of buffers that statements change."""
        for buffer in stored(body):
            self.versions[buffer] += 1

    def labels(self, *names: str) -> list[str]:
        """Labels that nothing has."""
        self.count += 1
        return [f"{name}{self.count}" for name in names]

    def loop(self, loop: Loop) -> None:
        """``for index < extent : kind { body }``."""
        match loop.kind:
            case "unroll":
                square = square_of(loop)
                if square is not None:
                    self.square(loop, *square)
                    return
                for i in range(loop.extent):
                    self.block(self.iteration(loop, i))
            case "serial" if loop.extent == 1 and not loop.parallel:
                self.block(self.iteration(loop, 0))
            case "serial":
                self.counted(loop)
            case "vector":
                self.lanes(loop)

    def iteration(self, loop: Loop, i: int) -> list[Statement]:
        """The body with the index as a constant."""
        known: dict[Expression, Expression] = {}
        value = loop.index.table.sum(i, ())
        return [substituted(each, loop.atom, value, known) for each in loop.body]

    def lanes(self, loop: Loop) -> None:
        """All iterations at once."""
        assert self.vector is None, "a vector loop stands in another one"
        if loop.extent == 1:
            self.block(self.iteration(loop, 0))
            return
        self.vector, self.width = loop.atom, loop.extent
        code: Code = []
        self.scopes.append(Scope(loop.atom, self.code, code))
        self.block(loop.body)
        self.scopes.pop()
        self.code.append(code)
        self.vector, self.width = None, 1

    def square(self, loop: Loop, inner: Loop, store: Store) -> None:
        """Stores vectors whose lanes are far apart: transposed, as vectors of neighbours."""
        element, lanes = store.buffer.type, loop.extent
        texts: list[str] = []
        self.vector, self.width = inner.atom, lanes
        code: Code = []
        self.scopes.append(Scope(inner.atom, self.code, code))
        for i in range(lanes):
            value = replace(store.value, loop.atom, loop.index.table.sum(i, ()), {})
            texts.append(self.spread(self.value(value), value, lanes))
        self.scopes.pop()
        self.code.append(code)
        self.vector, self.width = None, 1
        texts = self.transposed(texts, type_name(element, lanes))
        first = replace(store.place, loop.atom, loop.index.table.sum(0, ()), {})
        for i, text in enumerate(texts):
            place = replace(first, inner.atom, loop.index.table.sum(i, ()), {})
            pointer = self.address(store.buffer, place)
            vector = type_name(element, lanes)
            self.code.append(f"  store {vector} {text}, ptr {pointer}, align {BYTES[element]}")
        self.versions[store.buffer] += 1

    def transposed(self, texts: Sequence[str], vector: str) -> list[str]:
        """Vectors of what stood in one lane of each."""
        result = list(texts)
        for distance, *orders in exchanges(len(result)):
            for i in range(len(result)):
                if not i & distance:
                    pair = result[i], result[i + distance]
                    for j, order in zip((i, i + distance), orders, strict=True):
                        mask = ", ".join(f"i32 {each}" for each in order)
                        operands = f"{vector} {pair[0]}, {vector} {pair[1]}"
                        shuffle = f"shufflevector {operands}, <{len(result)} x i32> <{mask}>"
                        result[j] = self.line(shuffle)
        return result

    def counted(self, loop: Loop) -> None:
        """A loop at run time; registers that the body changes are carried around it."""
        begin, end = ("%begin", "%end") if loop.parallel else ("0", str(loop.extent))
        start, stop = self.labels("loop", "end")
        buffers = stored(loop.body)
        carried = {k: v for k, v in self.registers.items() if k[0] in buffers}
        before: Code = []
        head: Code = []
        code: Code = []
        outer, origin = self.code, self.label
        outer.append(before)
        if loop.parallel:
            some = self.line(f"icmp ult i64 {begin}, {end}")
            outer.append(f"  br i1 {some}, label %{start}, label %{stop}")
        else:
            outer.append(f"  br label %{start}")
        outer += [f"{start}:", head, code]
        index = self.fresh()
        names = {key: Named(self.fresh(), old.lanes) for key, old in carried.items()}
        self.registers.update(names)
        self.changed(loop.body)
        self.label = start
        scope = Scope(loop.atom, before, code)
        scope.known[loop.atom] = Named(index)
        self.scopes.append(scope)
        self.block(loop.body)
        self.scopes.pop()
        following = self.line(f"add nuw nsw i64 {index}, 1", code)
        again = self.line(f"icmp ult i64 {following}, {end}", code)
        code.append(f"  br i1 {again}, label %{start}, label %{stop}")
        head.append(f"  {index} = phi i64 [ {begin}, %{origin} ], [ {following}, %{self.label} ]")
        for key, old in carried.items():
            new = self.registers[key]
            assert new.lanes == old.lanes, "a register keeps its lanes around a loop"
            kind = type_name(key[0].type, old.lanes)
            edges = f"[ {old.text}, %{origin} ], [ {new.text}, %{self.label} ]"
            head.append(f"  {names[key].text} = phi {kind} {edges}")
        outer.append(f"{stop}:")
        self.label = stop
        self.changed(loop.body)


def is_literal(text: str) -> bool:
    """Whether the text of a value is a number."""
    return text[0] not in "%<s"


def table_text(name: str, values: Sequence[float]) -> str:
    """The definition of a table of constants."""
    texts = ", ".join(["double " + literal(bits_of(each), "f64") for each in values])
    return f"@{name} = internal constant [{len(values)} x double] [{texts}]\n"


def bits_of(value: float) -> int:
    """The bits of an ``f64``."""
    return int.from_bytes(struct.pack("<d", value), "little")


def flattened(code: Code) -> Iterator[str]:
    """The lines of lists of lines, in order."""
    for each in code:
        if isinstance(each, str):
            yield each
        else:
            yield from flattened(each)
