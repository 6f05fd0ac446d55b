"""Loads and stores of consecutive elements that end with a bound, as the last vector of a row does.

Lanes after the bound stand for the element at the bound: ``least(first + lane, bound)``. Such a
vector takes one masked instruction, instead of one access for each lane.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.codegen.addresses import AddressEmitter
from stablemate.compiler.codegen.emitter_state import EmitterState
from stablemate.compiler.codegen.instructions import suffix, type_name
from stablemate.compiler.codegen.scopes import Code
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import StoreElement, substitute_expression
from stablemate.deferred_dataclasses import dataclass

FEWEST_BYTES: Final = 32  # of a vector: processors without AVX have no masked instructions
ELEMENT_BYTES: Final = (4, 8)  # those that AVX masks


@dataclass(frozen=True, slots=True)
class ClippedRun:
    """Consecutive places, of which those after a bound are at the bound.

    Attributes:
        minimum: The index that the bound clips.
        bound: The bound.
        first: The place of the first lane.
        last: The place at the bound.
        inside: Whether the index of a lane is not after the bound.
    """

    minimum: Expression
    bound: Expression
    first: Expression
    last: Expression
    inside: Expression


class ClippedVectorEmitter:
    """Emits masked loads and stores."""

    def __init__(self, state: EmitterState, addresses: AddressEmitter) -> None:
        """Emits into the code of a kernel."""
        self.state = state
        self.addresses = addresses

    def clipped_run(self, buffer: Buffer, position: Expression) -> ClippedRun | None:
        """The places of a vector that a bound clips; None for others."""
        size = BYTES[buffer.type]
        is_masked = size in ELEMENT_BYTES and size * self.state.width >= FEWEST_BYTES
        if self.state.check or not is_masked:
            return None
        table, (constant, terms) = position.table, terms_of(position)
        (varying, *more) = [term for term in terms if self.state.is_vectorized(term[0])]
        minimum, coefficient = varying
        if more or coefficient != 1 or minimum.operator != "least":
            return None
        (index,) = minimum.operands
        if self.state.vector is None or self.addresses.lane_stride(index) != 1:
            return None
        bound = table.sum(minimum.detail, ())
        first = substitute_expression(position, {self.state.vector: table.sum(0, ())}, {})
        last = table.sum(constant, [term for term in terms if term is not varying]) + bound
        return ClippedRun(minimum, bound, first, last, table.apply("sle", index, bound))

    def loaded_clipped(self, buffer: Buffer, run: ClippedRun, code: Code) -> str:
        """The elements of such places."""
        element, lanes, align = buffer.type, self.state.width, BYTES[buffer.type]
        vector, truth = type_name(element, lanes), type_name("i1", lanes)
        mask, pointer = self.state.value(run.inside).text, self.addresses.address(buffer, run.first)
        scalar, last = type_name(element), self.addresses.address(buffer, run.last)
        last = self.state.line(f"load {scalar}, ptr {last}, align {align}", code)
        one = f"insertelement {vector} poison, {scalar} {last}, i64 0"
        zeros = f"<{lanes} x i32> zeroinitializer"
        rest = f"shufflevector {vector} {self.state.line(one, code)}, {vector} poison, {zeros}"
        return self.state.line(
            f"call {vector} @llvm.masked.load.{suffix(element, lanes)}.p0(ptr {pointer}, "
            f"i32 {align}, {truth} {mask}, {vector} {self.state.line(rest, code)})",
            code,
        )

    def clipped_store(self, statement: StoreElement) -> ClippedRun | None:
        """The places of a store whose lanes after the bound repeat that at the bound, or None."""
        buffer, place, value = statement.buffer, statement.place, statement.value
        if (
            buffer.scope == "register"
            or not self.state.is_vectorized(place)
            or self.state.vector is None
        ):
            return None
        run = self.clipped_run(buffer, place)
        if run is None:
            return None
        at_bound = {run.minimum: run.bound, self.state.vector: self.state.vector}
        is_repeated = not self.state.is_vectorized(substitute_expression(value, at_bound, {}))
        return run if is_repeated else None

    def store_clipped(self, buffer: Buffer, run: ClippedRun, text: str) -> None:
        """Stores a vector in such places; the first lane is stored wherever the bound is."""
        self.state.versions[buffer] += 1
        lanes, align = self.state.width, BYTES[buffer.type]
        vector, truth = type_name(buffer.type, lanes), type_name("i1", lanes)
        pointer = self.addresses.address(buffer, run.first)
        first = ", ".join(f"i1 {'true' if lane == 0 else 'false'}" for lane in range(lanes))
        mask = self.state.line(f"or {truth} {self.state.value(run.inside).text}, <{first}>")
        self.state.code.append(
            f"  call void @llvm.masked.store.{suffix(buffer.type, lanes)}.p0({vector} {text}, "
            f"ptr {pointer}, i32 {align}, {truth} {mask})"
        )
