"""Schedules a kernel; the only place that chooses loops, vector widths and chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Final

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    Fold,
    Loop,
    Statement,
    StoreElement,
    When,
    substitute_statement,
)
from stablemate.compiler.schedule.boundary_splitting import (
    Segment,
    guarded_indices,
    segments_of,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import divides, is_symbolic

# Lanes of narrow elements need conversions of wide ones in several vectors; pairs of vectors hide
# the latency of long expressions, and need twice the registers:
# ``python -m benchmarks.elementwise_kernels`` measures expressions.
WIDE: Final = 4  # bytes: elements that are narrower do not make vectors of more lanes
MANY: Final = 2  # times as many narrow values as wide ones take lanes of their own width
LONG: Final = 28  # values of an element from which on two vectors take turns; an exponential has 25
PAIRED: Final = 32  # bytes of the vectors of which two do
PAIRS: Final = 4  # pairs of vectors that are enough
# Too few iterations of outer loops leave threads idle, so the inner loop is cut as well.
FEW: Final = 64  # iterations of the outer loops that are enough to be cut into chunks
FEW_SYMBOLIC: Final = 4  # the same where they are a size: fewer sizes take another version
INTERLEAVED: Final = (2, 3, 4)  # vectors whose elements are stored in turn
SHORT: Final = 8  # elements that are too few for lanes of their own
GROUP: Final = 16  # vectors of a piece that are stored without asking which piece it is
GROUP_SYMBOLIC: Final = 4  # the same of a piece whose length is a size


@dataclass(frozen=True, slots=True)
class LoopDimension:
    """A loop that has no kind yet.

    Attributes:
        index: Its index.
        extent: How often it runs.
    """

    index: Expression
    extent: int

    @property
    def atom(self) -> Expression:
        """The index as an atom of sums."""
        return terms_of(self.index)[1][0][0]


def expressions_of(body: Sequence[Statement]) -> Iterator[Expression]:
    """Yields the places and values of all stores and folds."""
    for statement in body:
        if isinstance(statement, (StoreElement, Fold)):
            yield statement.place
            yield statement.value


def subexpressions(roots: Iterable[Expression], *, rare: bool = True) -> list[Expression]:
    """All expressions in the given ones, each once; optionally without those rarely computed."""
    expressions: dict[Expression, None] = {}
    pending = list(roots)
    while pending:
        expression = pending.pop()
        if expression not in expressions:
            expressions[expression] = None
            skipped = expression.operator == "rarely" and not rare
            pending += expression.operands[:: 2 if skipped else 1]
    return list(expressions)


def varying_values(body: Sequence[Statement]) -> list[Expression]:
    """The values that differ between elements, each once, without those rarely computed."""
    usual = subexpressions(expressions_of(body), rare=False)
    return [value for value in usual if value.loops and value.type != "index"]


def collapsible_dimensions(
    dimensions: Sequence[LoopDimension], roots: Sequence[Expression]
) -> list[list[LoopDimension]]:
    """Neighboring dimensions that act as one, outermost first.

    Two do where every sum of indices gives the outer one the coefficient that makes them one index.
    """
    sums = [
        dict(terms_of(expression)[1])
        for expression in subexpressions(roots)
        if expression.operator == "sum"
    ]
    groups: list[list[LoopDimension]] = []
    for inner in reversed(dimensions):
        if groups and all(
            strides_.get(inner.atom, 0)
            == strides_.get(groups[-1][0].atom, 0) * groups[-1][0].extent
            for strides_ in sums
        ):
            groups[-1].insert(0, inner)
        else:
            groups.append([inner])
    groups.reverse()
    return groups


def substitute_indices(
    body: Sequence[Statement], replacements: Sequence[tuple[Expression, Expression]]
) -> list[Statement]:
    """Statements with indices in the places of those of loops."""
    values = dict(replacements)
    replaced_expressions: dict[Expression, Expression] = {}
    return [substitute_statement(statement, values, replaced_expressions) for statement in body]


class LoopScheduler:
    """Chooses the loops of one kernel."""

    def __init__(self, table: Expressions, vector_bytes: int) -> None:
        self.table = table
        self.vector_bytes = vector_bytes
        self.count = 0

    def index(self, extent: int) -> Expression:
        """The index of a new loop."""
        self.count += 1
        return self.table.loop_index(f"i{self.count}", extent)

    def collapse(
        self, dimensions: Sequence[LoopDimension], body: Sequence[Statement]
    ) -> tuple[list[LoopDimension], list[Statement]]:
        """The dimensions with contiguous neighbors collapsed into one."""
        result: list[LoopDimension] = []
        replacements: list[tuple[Expression, Expression]] = []
        for group in collapsible_dimensions(dimensions, list(expressions_of(body))):
            if len(group) == 1:
                result += group
                continue
            extent = prod(dimension.extent for dimension in group)
            index = self.index(extent)
            result.append(LoopDimension(index, extent))
            replacements += [(dimension.atom, self.table.sum(0, ())) for dimension in group[:-1]]
            replacements.append((group[-1].atom, index))
        return result, substitute_indices(body, replacements)

    def single(
        self, dimensions: Sequence[LoopDimension], body: Sequence[Statement]
    ) -> tuple[LoopDimension, list[Statement]]:
        """All dimensions collapsed into one, with divisions where neighbors are not contiguous."""
        loops, body = self.collapse(dimensions, body)
        if len(loops) == 1:
            return loops[0], body
        rest = extent = prod(loop.extent for loop in loops)
        index = self.index(extent)
        replacements: list[tuple[Expression, Expression]] = []
        for loop in loops:
            rest //= loop.extent
            replacements.append((loop.atom, (index // rest) % loop.extent))
        return LoopDimension(index, extent), substitute_indices(body, replacements)

    def as_one(
        self, dimensions: Sequence[LoopDimension], value: Expression
    ) -> tuple[list[LoopDimension], Expression]:
        """The dimensions of a value, with contiguous neighbors collapsed."""
        nowhere = Buffer("nowhere", value.type, ())
        loops, (store,) = self.collapse(
            dimensions, [StoreElement(nowhere, self.table.sum(0, ()), value)]
        )
        assert isinstance(store, StoreElement)
        return loops, store.value

    def lanes(self, body: Sequence[Statement], extent: int, *, pairs: bool = False) -> int:
        """How many elements a vector has: as many as fit, and no more than there are.

        Args:
            body: What is computed for each element.
            extent: How many elements there are.
            pairs: Whether two vectors may be computed at a time.
        """
        varying = varying_values(body)
        sizes = [BYTES[value.type] for value in varying]
        if sizes.count(max(sizes, default=0)) * MANY < len(sizes):  # wide ones take two
            sizes = [size for size in sizes if size < max(sizes)]
        width = self.vector_bytes // max([WIDE, *sizes])
        while width > extent:
            width //= 2
        is_long = pairs and len(varying) >= LONG
        return 2 * width if is_long and self.takes_pairs(body, extent, width) else width

    def takes_pairs(self, body: Sequence[Statement], extent: int, width: int) -> bool:
        """Whether a long expression is computed for two vectors at a time.

        An instruction waits for the one before it, and a processor looks ahead over fewer of them
        than a long expression has. The instructions of two vectors do not wait for one another. No
        more than two fit into the 16 registers of AVX2; AVX-512 was not measured. Where vectors do
        not overlap pairs do not either: results may take the memory of arguments.
        """
        return (
            self.vector_bytes == PAIRED
            and not is_symbolic(extent)
            and extent >= 2 * PAIRS * width
            and divides(2 * width, extent) == divides(width, extent)
            and all(isinstance(statement, StoreElement) for statement in body)
        )

    def strip(self, extent: int, width: int) -> tuple[LoopDimension, Expression, Loop]:
        """A dimension cut into vectors: a loop over them, the index, the lanes.

        The last vector begins where it ends with the dimension; it repeats elements.
        """
        steps = -(-extent // width)
        step, lane = self.index(steps), self.index(width)
        first = step * width
        if not divides(width, extent):
            first = self.table.least(first, extent - width)
        return LoopDimension(step, steps), first + lane, Loop(lane, width, "vector", ())

    def parallel(
        self, dimensions: Sequence[LoopDimension], body: Sequence[Statement]
    ) -> list[Statement]:
        """Loops, the outer ones as a single one that can be cut into chunks."""
        outer = list(dimensions)
        inner: list[LoopDimension] = []
        while len(outer) > 1 and are_enough(prod(dimension.extent for dimension in outer[:-1])):
            inner.insert(0, outer.pop())
        for dimension in reversed(inner):
            body = [Loop(dimension.index, dimension.extent, "serial", body)]
        if not outer:
            return list(body)
        if len(outer) == 1:
            return [Loop(outer[0].index, outer[0].extent, "serial", body, parallel=True)]
        extent = prod(dimension.extent for dimension in outer)
        number = self.index(extent)
        replacements: list[tuple[Expression, Expression]] = []
        rest: int = extent
        for dimension in outer:
            rest //= dimension.extent
            replacements.append((dimension.atom, (number // rest) % dimension.extent))
        return [
            Loop(number, extent, "serial", substitute_indices(body, replacements), parallel=True)
        ]

    def elementwise(
        self, dimensions: Sequence[LoopDimension], body: Sequence[Statement]
    ) -> list[Statement]:
        """Loops over the elements of results of one shape."""
        dimensions, body = self.collapse(dimensions, body)
        extents = [(dimension.atom, dimension.extent) for dimension in dimensions]
        segments = segments_of(extents, subexpressions(expressions_of(body)))
        if segments:
            return self.segment_boxes(dimensions, segments, body)
        return self.all_elements(dimensions, body)

    def all_elements(
        self, dimensions: Sequence[LoopDimension], body: Sequence[Statement]
    ) -> list[Statement]:
        """Loops over all elements, without segments."""
        if not dimensions:
            return list(body)
        *outer, last = dimensions
        along = transposed_loops(outer, last, body)
        if along is not None:
            return self.transposed_tiles(outer, along, last, body)
        if is_interleaved(outer, last, body):
            return self.interleave(outer, last, body)
        width = self.lanes(body, last.extent, pairs=True)
        step, index, lane = self.strip(last.extent, width)
        body = substitute_indices(body, [(last.atom, index)])
        lane.body = body
        loops = (
            [lane] if width > 1 else substitute_indices(body, [(lane.atom, self.table.sum(0, ()))])
        )
        return self.parallel([*outer, step], loops)

    def interleave(
        self, outer: Sequence[LoopDimension], last: LoopDimension, body: Sequence[Statement]
    ) -> list[Statement]:
        """Loops over the dimension before a short last one, whose elements are stored together."""
        *around, along = outer
        step, index, lane = self.strip(along.extent, self.lanes(body, along.extent))
        lane.body = [
            statement
            for i in range(last.extent)
            for statement in substitute_indices(
                body, [(along.atom, index), (last.atom, self.table.sum(i, ()))]
            )
        ]
        return self.parallel([*around, step], [lane])

    def segment_boxes(
        self,
        dimensions: Sequence[LoopDimension],
        segments: Mapping[Expression, Sequence[Segment]],
        body: Sequence[Statement],
    ) -> list[Statement]:
        """Loops over boxes of elements, row by row; the boxes of a row follow one another."""
        *outer, last = dimensions
        few = prod(dimension.extent for dimension in outer) < FEW
        in_rows = last.atom in segments and not few and transposed_loops(outer, last, body) is None
        cut = {d.atom: segments[d.atom] for d in dimensions if d.atom in segments}
        if in_rows:
            del cut[last.atom]
        nests: list[list[Statement]] = []
        for inside, shifted in self.boxes(dimensions, cut, body):
            if in_rows and last.atom in guarded_indices(subexpressions(expressions_of(shifted))):
                rows = self.row(inside[-1], segments[last.atom], shifted)
                nests.append(self.parallel(inside[:-1], rows))
            else:
                nests.append(self.all_elements(*self.collapse(inside, shifted)))
        return self.merged_loops(nests)

    def boxes(
        self,
        dimensions: Sequence[LoopDimension],
        segments: Mapping[Expression, Sequence[Segment]],
        body: Sequence[Statement],
    ) -> Iterator[tuple[Sequence[LoopDimension], Sequence[Statement]]]:
        """The dimensions and statements of boxes; none is cut where nothing changes in it.

        The rows of padding above an image, for example, are one box, also at their ends.
        """
        guarded = guarded_indices(subexpressions(expressions_of(body)))
        atom = next((atom for atom in segments if atom in guarded), None)
        if atom is None:
            yield dimensions, body
            return
        rest = {other: pieces for other, pieces in segments.items() if other is not atom}
        for segment in segments[atom]:
            inside, shifted = self.box_dimensions(dimensions, {atom: segment}, body)
            yield from self.boxes(inside, rest, shifted)

    def box_dimensions(
        self,
        dimensions: Sequence[LoopDimension],
        places: Mapping[Expression, Segment],
        body: Sequence[Statement],
    ) -> tuple[list[LoopDimension], list[Statement]]:
        """The dimensions of a box; where it is one element wide there is none."""
        inside: list[LoopDimension] = []
        replacements: list[tuple[Expression, Expression]] = []
        for dimension in dimensions:
            if dimension.atom not in places:
                inside.append(dimension)
                continue
            begin, size = places[dimension.atom]
            index = self.index(size) if size > 1 else self.table.sum(0, ())
            if size > 1:
                inside.append(LoopDimension(index, size))
            replacements.append((dimension.atom, index + begin))
        return inside, substitute_indices(body, replacements)

    def row(
        self, last: LoopDimension, segments: Sequence[Segment], body: Sequence[Statement]
    ) -> list[Statement]:
        """The pieces of a row, one after the other."""
        result: list[Statement] = []
        for segment in segments:
            inside, shifted = self.box_dimensions([last], {last.atom: segment}, body)
            loops = self.all_elements(inside, shifted)
            result += [without_parallel(loop) for loop in loops]
        return result

    def merged_loops(self, nests: Sequence[Sequence[Statement]]) -> list[Statement]:
        """One loop over the iterations of several nests."""
        if len(nests) == 1:
            return list(nests[0])
        loops = [self.group_vectors(nest) for nest in nests]
        total = sum(loop.extent for loop in loops)
        number = self.index(total)
        body: list[Statement] = []
        begin = 0
        for loop in loops:
            end = begin + loop.extent - 1
            # Not negative, even where sizes may be such that the loop has no iterations.
            index = self.table.greatest(self.table.least(number, end), begin) - begin
            inner = substitute_indices(loop.body, [(loop.atom, index)])
            body.append(When(self.table.inside(number, begin, end), inner))
            begin = end + 1
        return [Loop(number, total, "serial", body, parallel=True)]

    def group_vectors(self, nest: Sequence[Statement]) -> Loop:
        """The loop of a nest, several vectors to an iteration."""
        first = nest[0]
        if not isinstance(first, Loop) or not first.parallel:
            return Loop(self.index(1), 1, "serial", nest, parallel=True)
        if any(
            isinstance(statement, Loop) and statement.kind == "serial" for statement in first.body
        ):
            return first
        size = min(GROUP_SYMBOLIC if is_symbolic(first.extent) else GROUP, first.extent)
        step, index, inner = self.strip(first.extent, size)
        inner.kind, inner.body = "serial", substitute_indices(first.body, [(first.atom, index)])
        return Loop(step.index, step.extent, "serial", [inner], parallel=True)

    def transposed_tiles(
        self,
        outer: Sequence[LoopDimension],
        along: LoopDimension,
        last: LoopDimension,
        body: Sequence[Statement],
    ) -> list[Statement]:
        """Loops over squares: loads are consecutive in the one dimension, stores in the other."""
        width = self.lanes(body, min(along.extent, last.extent))
        rows, row, lane = self.strip(along.extent, width)
        columns, first, lane_index = self.strip(last.extent, width)
        lane.body = substitute_indices(body, [(along.atom, row), (last.atom, first)])
        square = Loop(lane_index.index, width, "unroll", [lane])
        loops = [rows if dimension is along else dimension for dimension in outer]
        return self.parallel([*loops, columns], [square])


def are_enough(iterations: int) -> bool:
    """Whether outer loops have iterations enough to be cut into chunks."""
    return iterations >= (FEW_SYMBOLIC if is_symbolic(iterations) else FEW)


def vectors_of(extent: int, width: int, most: int) -> int:
    """How many whole vectors of an extent, at least one, are kept at a time."""
    if not is_symbolic(extent):
        return min(most, extent // width)
    while most * width > extent:
        most //= 2
    return most


def loops_if_any(loop: Loop) -> list[Statement]:
    """A serial loop, which runs at least once; none if it runs never, as is known or found out."""
    if not is_symbolic(loop.extent):
        return [loop] if loop.extent else []
    table = loop.index.table
    some = table.apply("slt", table.sum(0, ()), table.sum(loop.extent, ()))
    return [When(some, [loop])] if some.operator != "constant" else [loop] if some.detail else []


def without_parallel(statement: Statement) -> Statement:
    """A statement that is not cut into chunks."""
    if not isinstance(statement, Loop) or not statement.parallel:
        return statement
    return Loop(statement.index, statement.extent, statement.kind, statement.body)


def is_interleaved(
    outer: Sequence[LoopDimension], last: LoopDimension, body: Sequence[Statement]
) -> bool:
    """Whether loads are contiguous in the dimension before the last one, which is short."""
    if len(body) != 1 or not isinstance(body[0], StoreElement):
        return False
    if is_symbolic(last.extent) or last.extent not in INTERLEAVED:
        return False
    if not outer or outer[-1].extent < SHORT:
        return False
    along, store = outer[-1].atom, body[0]
    strides = [
        dict(terms_of(expression.operands[0])[1])
        for expression in subexpressions([store.value])
        if expression.operator == "load"
        and not expression.operands[0].loops.isdisjoint((along, last.atom))
    ]
    if not strides or not all(stride.get(along) == 1 and last.atom in stride for stride in strides):
        return False
    place = dict(terms_of(store.place)[1])
    return place.get(last.atom) == 1 and place.get(along) == last.extent


def transposed_loops(
    outer: Sequence[LoopDimension], last: LoopDimension, body: Sequence[Statement]
) -> LoopDimension | None:
    """The dimension that all loads are consecutive in, if it is not the last one.

    Both are long enough for squares.
    """
    if len(body) != 1 or not isinstance(body[0], StoreElement) or last.extent < SHORT:
        return None
    store = body[0]
    strides = [
        dict(terms_of(expression.operands[0])[1])
        for expression in subexpressions([store.value])
        if expression.operator == "load" and last.atom in expression.operands[0].loops
    ]
    for dimension in outer:
        if (
            dimension.extent >= SHORT
            and strides
            and all(s.get(dimension.atom) == 1 for s in strides)
        ):
            place = dict(terms_of(store.place)[1])
            return (
                dimension
                if place.get(last.atom) == 1 and place.get(dimension.atom, 0) > 1
                else None
            )
    return None
