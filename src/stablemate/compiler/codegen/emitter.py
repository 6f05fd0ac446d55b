"""Emits a kernel as LLVM IR with explicit vectors: its statements and loops.

Three rules replace an optimizer: ``EmitterState`` says where an expression is computed,
``ValueEmitter`` which lanes it has, ``MemoryEmitter`` that registers are values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace as replaced
from itertools import product
from typing import Final

from stablemate.compiler.codegen import bounds_checks as checking
from stablemate.compiler.codegen.addresses import AddressEmitter
from stablemate.compiler.codegen.clipped_vectors import ClippedVectorEmitter
from stablemate.compiler.codegen.emitter_state import EmitterState
from stablemate.compiler.codegen.indices import IndexEmitter
from stablemate.compiler.codegen.instructions import BRIEF, USUAL, type_name
from stablemate.compiler.codegen.memory import MemoryEmitter
from stablemate.compiler.codegen.operator_expansions import Expansion
from stablemate.compiler.codegen.reductions import ReductionEmitter
from stablemate.compiler.codegen.registers.tiles import TileEmitter
from stablemate.compiler.codegen.registers.transposes import RegisterTransposeEmitter
from stablemate.compiler.codegen.scopes import (
    Code,
    CodeScope,
    EmittedValue,
    flatten_lines,
    parts_of,
)
from stablemate.compiler.codegen.values import ValueEmitter
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.outlined_loops import OutlinedLoop, is_movement, outline_loop
from stablemate.compiler.loops.register_transposes import match_register_transpose
from stablemate.compiler.loops.statements import (
    ClearTile,
    CombinePartials,
    Fetch,
    Fold,
    Kernel,
    Loop,
    MoveTile,
    MultiplyTiles,
    Statement,
    StoreElement,
    When,
    stored_buffers,
    substitute_statement,
)
from stablemate.compiler.schedule.schedule import INTERLEAVED
from stablemate.numerics.symbolic_sizes import is_one, is_symbolic

# LLVM 20 to 22 fail an assertion at chains of such shuffles for AVX2 when they do not optimize.
NARROW_SHUFFLE: Final = re.compile(r"= shufflevector <\d+ x i(8|16)>")


class Emitter:
    """Emits the function of one kernel: ``void name(ptr arguments, i64 begin, i64 end)``.

    Attributes:
        calls: How many functions it calls.
        is_storing: Whether the loop that is being written stores by itself.
        works: Whether it has a loop that stores and calls nothing: if not, what it does is done in
            the functions that it calls.
    """

    def __init__(
        self, kernel: Kernel, expansions: Mapping[str, Expansion], *, check: bool = False,
        common: Callable[[OutlinedLoop], str] | None = None,
    ) -> None:  # fmt: skip
        """Creates an emitter; the parameters are those of `EmitterState`."""
        self.state = EmitterState(kernel, expansions, check=check, common=common)
        self.indices = IndexEmitter(self.state)
        self.addresses = AddressEmitter(self.state, self.indices)
        self.clipped_vectors = ClippedVectorEmitter(self.state, self.addresses)
        self.memory = MemoryEmitter(self.state, self.addresses, self.clipped_vectors)
        self.values = ValueEmitter(self.state, self.indices, self.addresses, self.memory)
        self.reductions = ReductionEmitter(self.state, self.addresses, self.memory)
        self.register_transposes = RegisterTransposeEmitter(self.state, self.addresses)
        self.tiles = TileEmitter(self.state, self.addresses)
        self.calls = 0
        self.is_storing = False
        self.works = False

    def text(self) -> str:
        """The definition of the function."""
        self.point_at_arguments()
        for buffer in self.state.kernel.locals:
            if buffer.scope == "stack":
                self.state.pointers[buffer] = self.state.line(self.allocation(buffer))
        self.tiles.configure()
        self.block(self.state.kernel.body)
        self.tiles.release()
        self.state.code.append("  ret void")
        lines = "\n".join(flatten_lines([self.state.entry, self.state.aside]))
        is_brief = self.calls and not self.works and not NARROW_SHUFFLE.search(lines)
        attributes = BRIEF if is_brief else USUAL
        parameters = "ptr %arguments, i64 %begin, i64 %end"
        head = f"define void @{self.state.kernel.name}({parameters}) {attributes} {{"
        tables = self.values.definitions()
        if self.state.check:
            tables += checking.text_for(self.state.kernel.name, len(self.state.kernel.arguments))
        return f"{tables}{''.join(self.state.apart)}{head}\nentry:\n{lines}\n}}\n"

    def allocation(self, buffer: Buffer) -> str:
        """The instruction that allocates a buffer on the stack."""
        if is_symbolic(buffer.bytes):
            return f"alloca i8, i64 {self.state.integer(buffer.bytes)}, align 64"
        return f"alloca [{buffer.bytes} x i8], align 64"

    def point_at_arguments(self) -> None:
        """Loads the addresses of the buffers that the launch passes; sizes follow as needed."""
        for i, buffer in enumerate(self.state.kernel.arguments):
            place = self.state.line(f"getelementptr ptr, ptr %arguments, i64 {i}")
            self.state.pointers[buffer] = self.state.line(f"load ptr, ptr {place}")
        self.state.entry.append(self.state.size_loads.begin_function())

    def block(self, body: Sequence[Statement]) -> None:
        """Statements in order; stores of neighbors, lane by lane, as one."""
        pending = list(reversed(body))
        while pending:
            statement = pending.pop()
            self.is_storing |= isinstance(
                statement, (StoreElement, Fold, CombinePartials, MoveTile)
            )
            others = (
                self.interleaved_stores(statement, pending)
                if isinstance(statement, StoreElement)
                else []
            )
            if isinstance(statement, StoreElement) and others:
                del pending[-len(others) :]
                self.store_all([statement, *others])
            else:
                self.statement(statement)

    def statement(self, statement: Statement) -> None:
        """Emits the instructions of one statement."""
        match statement:
            case StoreElement():
                self.store(statement)
            case Fold():
                self.reductions.reduce(statement)
            case CombinePartials():
                self.reductions.combine(statement)
            case MoveTile():
                self.tiles.move(statement)
            case ClearTile(number):
                self.tiles.clear(number)
            case MultiplyTiles():
                self.tiles.multiply(statement)
            case Fetch(buffer, place):
                self.addresses.fetch(buffer, place)
            case When():
                self.emit_when(statement)
            case Loop():
                self.loop(statement)

    def store(self, statement: StoreElement) -> None:
        """``store buffer[index] = value``."""
        lanes = self.reductions.lanes_at(statement.place)
        value = self.state.value(statement.value)
        text = self.state.spread(value, statement.value, lanes)
        run = self.clipped_vectors.clipped_store(statement)
        if run is not None:
            self.clipped_vectors.store_clipped(statement.buffer, run, text)
            return
        self.memory.write_element(
            statement.buffer, statement.place, EmittedValue(text, lanes), text
        )

    def interleaved_stores(
        self, one: StoreElement, pending: Sequence[Statement]
    ) -> list[StoreElement]:
        """The next statements that with a store fill all places between its lanes, if they do."""
        if one.buffer.scope == "register" or not self.state.is_vectorized(one.place):
            return []
        stride = self.addresses.lane_stride(one.place)
        if stride not in INTERLEAVED or len(pending) < stride - 1:
            return []
        stores: list[StoreElement] = []
        for i in range(1, stride):
            candidate = pending[-i]
            if not isinstance(candidate, StoreElement) or candidate.buffer is not one.buffer:
                return []
            reads = candidate.value.reads | candidate.place.reads
            if one.buffer in reads or one.place + i is not candidate.place:
                return []
            stores.append(candidate)
        return stores

    def store_all(self, stores: Sequence[StoreElement]) -> None:
        """Emits stores of neighboring elements as one interleaved write."""
        texts = [
            self.state.spread(self.state.value(e.value), e.value, self.state.width) for e in stores
        ]
        self.memory.write_interleaved(stores[0].buffer, stores[0].place, texts, self.state.width)

    def emit_when(self, statement: When) -> None:
        """``when condition { body }``."""
        condition = self.state.value(statement.condition).text
        body_label, after = self.state.labels("when", "after")
        self.state.code.append(f"  br i1 {condition}, label %{body_label}, label %{after}")
        self.state.code.append(f"{body_label}:")
        before, origin = dict(self.state.registers), self.state.label
        code: Code = []
        self.state.code.append(code)
        self.state.label = body_label
        self.state.scopes.append(CodeScope(None, code, code, closed=True))
        self.state.scopes[-1].holds = parts_of(statement.condition)
        self.block(statement.body)
        self.state.scopes.pop()
        code.append(f"  br label %{after}")
        self.state.code.append(f"{after}:")
        for key, old in before.items():
            new = self.state.registers[key]
            if new != old:
                kind = type_name(key[0].type, new.lanes)
                phi = f"phi {kind} [ {new.text}, %{self.state.label} ], [ {old.text}, %{origin} ]"
                self.state.registers[key] = EmittedValue(self.state.line(phi), new.lanes)
        self.state.registers = {key: self.state.registers[key] for key in before}
        self.state.label = after
        self.forget_loads(statement.body)

    def forget_loads(self, body: Sequence[Statement]) -> None:
        """Forgets the values loaded from buffers that statements change."""
        for buffer in stored_buffers(body):
            self.state.change(buffer)

    def loop(self, loop: Loop) -> None:
        """``for index < extent : kind { body }``."""
        match loop.kind:
            case "unroll":
                transposed_store = match_register_transpose(loop)
                if transposed_store is not None:
                    self.is_storing = True
                    self.register_transposes.transposed_store(loop, *transposed_store)
                    return
                loops = unrolled_loops(loop)
                for indices in product(*[range(loop.extent) for loop in loops]):
                    self.block(self.iteration(loops, indices))
            case "serial" if loop.apart or is_movement(loop):
                outline = outline_loop(loop) if self.state.common is not None else None
                if outline is not None:
                    self.call_shared_loop(outline)
                    self.forget_loads(loop.body)
                elif is_one(loop.extent):
                    self.block(self.iteration([loop], (0,)))
                elif loop.apart:
                    self.shared_call(loop)
                else:
                    self.counted_loop(loop)
            case "serial" if is_one(loop.extent) and not loop.parallel:
                self.block(self.iteration([loop], (0,)))
            case "serial":
                self.counted_loop(loop)
            case "vector":
                self.lanes(loop)

    def call_shared_loop(self, outline: OutlinedLoop) -> None:
        """A loop as a function that other kernels call, too."""
        assert self.state.common is not None
        self.calls += 1
        name = self.state.common(outline)
        handed = [("ptr", self.addresses.address(*access)) for access in outline.memory]
        handed += [("i64", str(number)) for number in outline.numbers]
        self.state.uses[name] = (
            f"declare void @{name}({', '.join(kind for kind, _ in handed)}) {USUAL}\n"
        )
        self.state.code.append(f"  call void @{name}({', '.join(map(' '.join, handed))})")

    def shared_call(self, loop: Loop) -> None:
        """Emits a loop as a function, with memory and enclosing indices as arguments."""
        state = self.state
        stacks = {b: text for b, text in state.pointers.items() if b.scope == "stack"}
        indices = {s.atom: s.available[s.atom].text for s in state.scopes if s.atom is not None}
        name = f"{state.kernel.name}_{len(state.apart)}"
        self.calls += 1
        with state.separate_function(
            {b: f"%stack{i}" for i, b in enumerate(stacks)},
            {a: f"%index{i}" for i, a in enumerate(indices)},
        ):
            works = self.works
            self.point_at_arguments()
            self.loop(replaced(loop, apart=False))
            state.code.append("  ret void")
            lines = "\n".join(flatten_lines([state.entry, state.aside]))
            self.works = works
        handed = [
            ("ptr", "%arguments", "%arguments"),
            *(("ptr", f"%stack{i}", text) for i, text in enumerate(stacks.values())),
            *(("i64", f"%index{i}", text) for i, text in enumerate(indices.values())),
        ]
        parameters = ", ".join(f"{kind} {parameter}" for kind, parameter, _ in handed)
        state.apart.append(
            f"define internal void @{name}({parameters}) {USUAL} {{\nentry:\n{lines}\n}}\n"
        )
        texts = ", ".join(f"{kind} {text}" for kind, _, text in handed)
        state.code.append(f"  call void @{name}({texts})")
        self.forget_loads(loop.body)

    def iteration(self, loops: Sequence[Loop], indices: Sequence[int]) -> list[Statement]:
        """The innermost body with all indices as constants."""
        replaced_expressions: dict[Expression, Expression] = {}
        values = {
            loop.atom: loop.index.table.sum(i, ()) for loop, i in zip(loops, indices, strict=True)
        }
        return [
            substitute_statement(statement, values, replaced_expressions)
            for statement in loops[-1].body
        ]

    def lanes(self, loop: Loop) -> None:
        """Emits all iterations of a loop at once, one per lane."""
        assert self.state.vector is None, "a vector loop stands in another one"
        if loop.extent == 1:
            self.block(self.iteration([loop], (0,)))
            return
        self.state.vector, self.state.width = loop.atom, loop.extent
        code: Code = []
        self.state.scopes.append(
            CodeScope(loop.atom, self.state.code, code, changes=stored_buffers(loop.body))
        )
        self.block(loop.body)
        self.state.scopes.pop()
        self.state.code.append(code)
        self.state.vector, self.state.width = None, 1

    def end_of(self, loop: Loop) -> str:
        """How often a loop runs, at most if a condition ends it."""
        return self.state.integer(loop.extent) if loop.condition is None else "%end"

    def counted_loop(self, loop: Loop) -> None:
        """A loop at run time; registers that the body changes are carried around it."""
        begin, end = ("%begin", "%end") if loop.parallel else ("0", self.end_of(loop))
        start, stop = self.state.labels("loop", "end")
        buffers = stored_buffers(loop.body)
        carried = {k: v for k, v in self.state.registers.items() if k[0] in buffers}
        before: Code = []
        head: Code = []
        code: Code = []
        outer, origin = self.state.code, self.state.label
        outer.append(before)
        if loop.parallel:
            some = self.state.line(f"icmp ult i64 {begin}, {end}")
            outer.append(f"  br i1 {some}, label %{start}, label %{stop}")
        else:
            outer.append(f"  br label %{start}")
        outer += [f"{start}:", head, code]
        index = self.state.fresh()
        names = {key: EmittedValue(self.state.fresh(), old.lanes) for key, old in carried.items()}
        self.state.registers.update(names)
        self.forget_loads(loop.body)
        self.state.label = start
        scope = CodeScope(loop.atom, before, code, changes=buffers)
        scope.available[loop.atom] = EmittedValue(index)
        self.state.scopes.append(scope)
        calls, is_storing, self.is_storing = self.calls, self.is_storing, False
        self.block(loop.body)
        self.works |= self.is_storing and self.calls == calls
        self.is_storing = is_storing
        holds = None if loop.condition is None else self.state.value(loop.condition).text
        self.state.scopes.pop()
        self.count_digits(scope, head, begin, origin)
        following = self.state.line(f"add nuw nsw i64 {index}, 1", code)
        again = self.state.line(f"icmp ult i64 {following}, {end}", code)
        if holds is not None:
            again = self.state.line(f"and i1 {again}, {holds}", code)
        code.append(f"  br i1 {again}, label %{start}, label %{stop}")
        head.append(
            f"  {index} = phi i64 [ {begin}, %{origin} ], [ {following}, %{self.state.label} ]"
        )
        for key, old in carried.items():
            new = self.state.registers[key]
            assert new.lanes == old.lanes, "a register keeps its lanes around a loop"
            kind = type_name(key[0].type, old.lanes)
            edges = f"[ {old.text}, %{origin} ], [ {new.text}, %{self.state.label} ]"
            head.append(f"  {names[key].text} = phi {kind} {edges}")
        outer.append(f"{stop}:")
        self.state.label = stop
        self.forget_loads(loop.body)

    def count_digits(self, scope: CodeScope, head: Code, begin: str, origin: str) -> None:
        """Carries quotients and remainders of an index around its loop, without divisions.

        Args:
            scope: The body, which is written but for its end.
            head: Where the loop begins.
            begin: The first index.
            origin: The label of the block before the loop.
        """
        before, code = scope.before, scope.code
        for size, (quotient, remainder) in scope.digits.items():
            divisor = f"call i64 @llvm.umax.i64(i64 {self.state.integer(size)}, i64 1)"
            divisor = self.state.line(divisor, before)  # no iteration if a size is zero
            high = self.state.line(f"udiv i64 {begin}, {divisor}", before)
            low = self.state.line(f"urem i64 {begin}, {divisor}", before)
            following = self.state.line(f"add nuw nsw i64 {remainder}, 1", code)
            wraps = self.state.line(f"icmp eq i64 {following}, {divisor}", code)
            following = self.state.line(f"select i1 {wraps}, i64 0, i64 {following}", code)
            carry = self.state.line(f"zext i1 {wraps} to i64", code)
            above = self.state.line(f"add nuw nsw i64 {quotient}, {carry}", code)
            for name, first, then in ((quotient, high, above), (remainder, low, following)):
                edges = f"[ {first}, %{origin} ], [ {then}, %{self.state.label} ]"
                head.append(f"  {name} = phi i64 {edges}")


def unrolled_loops(loop: Loop) -> list[Loop]:
    """An unrolled_loops loop with the loops that are the only statement of the one before.

    No transposes.
    """
    loops = [loop]
    while len(loops[-1].body) == 1:
        (inner,) = loops[-1].body
        if (
            not isinstance(inner, Loop)
            or inner.kind != "unroll"
            or match_register_transpose(inner) is not None
        ):
            break
        loops.append(inner)
    return loops
