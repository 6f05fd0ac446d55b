"""Statements and kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, Literal

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions, terms_of
from stablemate.compiler.loops.operators import OPERATORS
from stablemate.deferred_dataclasses import dataclass

LoopKind = Literal["serial", "vector", "unroll"]
# Operation and identity, by the name of the monoid and the type; floats have identities that keep
# every value, signed zeros too.
IDENTITIES: Final[Mapping[str, Mapping[str, int]]] = {
    "add": dict.fromkeys(("i8", "i16", "i32", "i64"), 0),
    "mul": dict.fromkeys(("i8", "i16", "i32", "i64"), 1),
    "or": dict.fromkeys(("i1", "i8", "i16", "i32", "i64"), 0),
    "xor": dict.fromkeys(("i1", "i8", "i16", "i32", "i64"), 0),
    "and": dict.fromkeys(("i1", "i8", "i16", "i32", "i64"), -1),
    "smin": {f"i{n}": (1 << (n - 1)) - 1 for n in (8, 16, 32, 64)},
    "smax": {f"i{n}": 1 << (n - 1) for n in (8, 16, 32, 64)},
    "umin": dict.fromkeys(("i8", "i16", "i32", "i64"), -1),
    "umax": dict.fromkeys(("i8", "i16", "i32", "i64"), 0),
    "fadd": {"f32": 1 << 31, "f64": 1 << 63},
    "fmul": {"f32": 0x3F800000, "f64": 0x3FF0000000000000},
    "minimum": {"f32": 0x7F800000, "f64": 0x7FF0000000000000},
    "maximum": {"f32": 0xFF800000, "f64": 0xFFF0000000000000},
    "maxnum": {"f32": 0xFF800000, "f64": 0xFFF0000000000000},
}
PARTIALS: Final = 64  # a fold along a vector keeps so many, whatever the width of vectors


@dataclass(eq=False, slots=True)
class Loop:
    """``for index < extent : kind { body }``.

    Attributes:
        index: The loop's index.
        extent: How often the body runs, at least once.
        kind: ``serial``; ``vector``: all at once, in the lanes of a vector; or ``unroll``.
        body: What runs.
        parallel: Whether the launch cuts it into chunks; only the outermost statement.
        apart: Whether its code is a function of its own, so that what it keeps in registers takes
            none from the loops around it, and is that of loops of other kernels, too, where it
            depends on memory and numbers alone; buffers in registers that it changes are its own.
        condition: Whether another iteration follows, evaluated after each; None: always. Only one
            serial loop has one, around which there is no other; the launch says how often it runs
            at most.
    """

    index: Expression
    extent: int
    kind: LoopKind
    body: Sequence[Statement]
    parallel: bool = False
    apart: bool = False
    condition: Expression | None = None

    @property
    def atom(self) -> Expression:
        """The index as an atom of sums."""
        return terms_of(self.index)[1][0][0]


@dataclass(eq=False, slots=True)
class StoreElement:
    """``store buffer[place] = value``."""

    buffer: Buffer
    place: Expression
    value: Expression


@dataclass(eq=False, slots=True)
class Fold:
    """``fold buffer[place] operator= value``.

    Attributes:
        buffer: What is changed; in a vector loop, one element per lane.
        place: Where in it.
        operator: The monoid, a key of ``IDENTITIES``.
        value: What is folded into it.
        skip: In a vector, how many leading lanes were folded before; the others move to the front.
        fused: Whether a product that is added is not rounded before, as in dots.
    """

    buffer: Buffer
    place: Expression
    operator: str
    value: Expression
    skip: int = 0
    fused: bool = False


@dataclass(eq=False, slots=True)
class CombinePartials:
    """``combine buffer[place] operator= partials``.

    The partial results are combined by halves: i with i + 32, then i with i + 16, and so on, as if
    there were 64 of them and the missing ones the identity.

    Attributes:
        buffer: What is changed.
        place: Where in it.
        operator: The monoid.
        partials: A register buffer of at most 64 elements.
        width: How many of its elements each vector holds.
    """

    buffer: Buffer
    place: Expression
    operator: str
    partials: Buffer
    width: int


@dataclass(eq=False, slots=True)
class When:
    """``when condition { body }``; the condition is the same in all lanes."""

    condition: Expression
    body: Sequence[Statement]


@dataclass(frozen=True, slots=True)
class TileShape:
    """The extents of a tile register, which holds a block of a matrix.

    Attributes:
        rows: Its rows, at most 16.
        words: The elements of a row, of 32 bits, at most 16: a number, or narrow ones side by side.
    """

    rows: int
    words: int


@dataclass(eq=False, slots=True)
class MoveTile:
    """``tile[number] = buffer[place...]``, or the other way round.

    Attributes:
        number: The tile register, whose shape the kernel states.
        buffer: The memory.
        place: Where its first row begins.
        stride: By how many elements a row begins behind the one before.
        stores: Whether memory is written; else the tile is.
    """

    number: int
    buffer: Buffer
    place: Expression
    stride: int
    stores: bool = False


@dataclass(eq=False, slots=True)
class ClearTile:
    """``tile[number] = 0``."""

    number: int


@dataclass(eq=False, slots=True)
class MultiplyTiles:
    """``tile[total] += tile[left] * tile[right]``, a product of matrices.

    Attributes:
        operator: How narrow factors are multiplied and added, a key of ``TILE_PRODUCTS``.
        total: The sums.
        left: Rows of words, each of which holds neighbors of a row of the left factor.
        right: Rows of words, each of which holds neighbors of a column of the right factor.
    """

    operator: str
    total: int
    left: int
    right: int


@dataclass(eq=False, slots=True)
class Fetch:
    """``fetch buffer[place]``: asks for the line of memory around an element.

    It changes no value. The second cache has the line when it is loaded later.

    Attributes:
        buffer: The memory.
        place: Where in it; it may lie behind the last element.
    """

    buffer: Buffer
    place: Expression


TileStatement = MoveTile | ClearTile | MultiplyTiles
Statement = Loop | StoreElement | Fold | CombinePartials | When | TileStatement | Fetch


@dataclass(eq=False, slots=True)
class Kernel:
    """The code of one launch.

    Attributes:
        name: Its name.
        arguments: The buffers that the launch hands in, in order.
        body: One parallel loop, or statements that run once.
        locals: Buffers in registers and on the stack.
        tiles: The shapes of the tile registers that it uses.
    """

    name: str
    arguments: Sequence[Buffer]
    body: Sequence[Statement]
    locals: Sequence[Buffer] = field(default=())
    tiles: Sequence[TileShape] = field(default=())

    @property
    def steps(self) -> int:
        """How many iterations the launch asks for, at most if a condition ends the loop.

        It may cut those of a parallel loop into chunks.
        """
        first = self.body[0]
        if isinstance(first, Loop) and first.parallel:
            return first.extent
        return self.repeated.extent if self.repeated is not None else 1

    @property
    def repeated(self) -> Loop | None:
        """The loop that a condition ends, if there is one; others do not stand around it."""
        loops = [e for e in self.body if isinstance(e, Loop) and e.condition is not None]
        return loops[0] if loops else None


def walk_statements(body: Sequence[Statement]) -> Iterator[Statement]:
    """Yields every statement, nested ones after the loop or condition that holds them."""
    for statement in body:
        yield statement
        if isinstance(statement, (Loop, When)):
            yield from walk_statements(statement.body)


def stored_buffers(body: Sequence[Statement]) -> frozenset[Buffer]:
    """The buffers that statements change."""
    buffers: set[Buffer] = set()
    pending = [body]
    while pending:
        for statement in pending.pop():
            match statement:
                case Loop(body=inner) | When(body=inner):
                    pending.append(inner)
                case MoveTile(stores=False) | ClearTile() | MultiplyTiles() | Fetch():
                    pass
                case _:
                    buffers.add(statement.buffer)
    return frozenset(buffers)


def substitute_statement(
    statement: Statement,
    values: Mapping[Expression, Expression],
    replaced_expressions: dict[Expression, Expression],
) -> Statement:
    """The statement with other indices in the places of those of loops, of all at the same time."""

    def substitute(expression: Expression) -> Expression:
        return substitute_expression(expression, values, replaced_expressions)

    match statement:
        case Loop():
            body = [
                substitute_statement(inner, values, replaced_expressions)
                for inner in statement.body
            ]
            again = statement.condition
            condition = None if again is None else substitute(again)
            return Loop(
                statement.index, statement.extent, statement.kind, body,
                apart=statement.apart, condition=condition,
            )  # fmt: skip
        case When():
            body = [
                substitute_statement(inner, values, replaced_expressions)
                for inner in statement.body
            ]
            return When(substitute(statement.condition), body)
        case StoreElement(buffer, place):
            return StoreElement(buffer, substitute(place), substitute(statement.value))
        case Fold(buffer, place, operator):
            new = substitute(statement.value)
            return Fold(buffer, substitute(place), operator, new, statement.skip, statement.fused)
        case CombinePartials(buffer, place, operator):
            return CombinePartials(
                buffer, substitute(place), operator, statement.partials, statement.width
            )
        case MoveTile(number, buffer, place, stride, stores):
            return MoveTile(number, buffer, substitute(place), stride, stores)
        case Fetch(buffer, place):
            return Fetch(buffer, substitute(place))
        case ClearTile() | MultiplyTiles():
            return statement


def substitute_expression(
    expression: Expression,
    values: Mapping[Expression, Expression],
    replaced_expressions: dict[Expression, Expression],
) -> Expression:
    """The expression with other indices in the places of atoms, the deepest parts first.

    All atoms are replaced at the same time: what is made of some of them alone would have a range
    that it never has, and might be simplified by it.
    """
    if expression.loops.isdisjoint(values):
        return expression
    value = values.get(expression)
    if value is not None:
        return value
    pending = [expression]
    while pending:
        last = pending[-1]
        if last in replaced_expressions:
            pending.pop()
            continue
        operands: list[Expression] = []
        missing: list[Expression] = []
        for operand in last.operands:
            new = replaced_expressions.get(operand) or values.get(operand)
            if new is not None:
                operands.append(new)
            elif operand.loops.isdisjoint(values):
                operands.append(operand)
            else:
                missing.append(operand)
        if missing:
            pending += missing
        else:
            pending.pop()
            replaced_expressions[last] = rebuild_expression(last.table, last, operands)
    return replaced_expressions[expression]


def rebuild_expression(
    table: Expressions, expression: Expression, operands: Sequence[Expression]
) -> Expression:
    """The expression with other operands, simplified where they allow it."""
    match expression.operator:
        case "sum":
            constant, *coefficients = expression.detail
            return table.weighted_sum(constant, zip(operands, coefficients, strict=True))
        case "quotient":
            return table.quotient(operands[0], expression.detail)
        case "remainder":
            return table.remainder(operands[0], expression.detail)
        case "least":
            return table.least(operands[0], expression.detail)
        case "greatest":
            return table.greatest(operands[0], expression.detail)
        case "position":
            return table.position(operands[0], expression.detail)
        case "scaled":
            return table.scale_index(operands[0], expression.detail)
        case "load":
            return table.load_at(expression.detail, operands[0])
        case "number":
            return table.number(operands[0])
        case "lookup":
            return table.lookup(expression.detail, operands[0])
        case "byte_entry":
            return table.byte_entry(expression.detail, operands[0])
        case operator if operator in OPERATORS:
            return table.apply(operator, *operands)
        case operator:
            return table.convert(operator, operands[0], expression.type)
