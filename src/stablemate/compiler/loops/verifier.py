"""Verifies kernels: they access nothing outside their buffers, and their types agree.

Every index carries its range, so each access is compared once with the extent of its buffer; where
the range is too wide to tell, all values are tried. What is wrong is an error of the compiler,
found before there is code.

Where sizes are symbolic, an access is proven for all of them by the range of its index, or stands
under a condition, which is the last part of a dimension; else all its values for the typical sizes
are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.index_bounds import bounds_of
from stablemate.compiler.loops.operators import BYTES, CONVERSIONS, OPERATORS, TILE_PRODUCTS
from stablemate.compiler.loops.statements import (
    IDENTITIES,
    PARTIALS,
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
)
from stablemate.diagnostics.errors import CompileError
from stablemate.numerics.symbolic_sizes import SizeLike, is_symbolic, surely_at_most, typical_of

INDICES: Final = frozenset(
    ("index", "sum", "quotient", "remainder", "least", "greatest", "position")
)

# Operators whose operands have several types.
PAIRS: Final = {
    "pair_of_bfloat16": ("f32", "i32", "i32"),
    "pair_of_i16": ("i32", "i32", "i32"),
    "quad_of_i8": ("i32", "i32", "i32"),
    "quad_of_signed_i8": ("i32", "i32", "i32"),
    "quad_of_unsigned_i8": ("i32", "i32", "i32"),
    "table_entry": ("f32", "i32"),
}

MOST_TILES: Final = 8  # the tile registers of AMX
MOST_ROWS: Final = 16  # of a tile, and words of a row
TYPICAL: Final = "", " for the typical sizes"  # of an error, where sizes are symbolic


def verify(kernel: Kernel) -> None:
    """Checks a kernel; nothing is assumed of symbolic sizes.

    Raises:
        CompileError: An access may leave its buffer, a type does not fit, an index stands outside
            its loop, or iterations of the parallel loop write the same places.
    """
    LoopVerifier(kernel).verify()


def extent_of(buffer: Buffer) -> int:
    """The number of elements from the first to the last one, inclusive."""
    if 0 in buffer.shape:
        return 0
    if buffer.scope != "argument":
        return buffer.elements
    pairs = zip(buffer.shape, buffer.strides, strict=True)
    return 1 + sum([(size - 1) * stride for size, stride in pairs])


def is_within(low: SizeLike, high: SizeLike, extent: SizeLike) -> bool:
    """Whether all indices of a range are below an extent, for all sizes."""
    return surely_at_most(0, low) and surely_at_most(high, extent - 1)


class LoopVerifier:
    """Checks one kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.buffers = frozenset((*kernel.arguments, *kernel.locals))
        self.checked: set[Expression] = set()
        self.open: frozenset[Expression] = frozenset()
        self.lanes: frozenset[Expression] = frozenset()  # indices of vector and unrolled loops
        self.asked: frozenset[Expression] = frozenset()  # indices that conditions depend on
        self.conditions = 0  # that stand around a statement
        self.parallel: Expression | None = None

    def verify(self) -> None:
        """Verifies the kernel's statements; only an outermost, single loop may be parallel."""
        for i, statement in enumerate(self.kernel.body):
            if isinstance(statement, Loop) and statement.parallel:
                self.hold(i == 0 and len(self.kernel.body) == 1, "a parallel loop has neighbors")
                self.parallel = statement.atom
        self.block(self.kernel.body)

    def hold(self, condition: bool, message: str) -> None:
        """Refuses the kernel unless a condition holds."""
        if not condition:
            raise CompileError(f"kernel {self.kernel.name}: {message}")

    def block(self, body: Sequence[Statement]) -> None:
        """Verifies the statements of a block, each by its kind."""
        for statement in body:
            match statement:
                case Loop():
                    self.loop(statement)
                case When():
                    self.under_condition(statement)
                case StoreElement(buffer, place, value):
                    self.write(buffer, place)
                    self.expression(value, buffer.type)
                case Fold(buffer, place, operator, value):
                    self.write(buffer, place)
                    self.expression(value, buffer.type)
                    self.monoid(operator, buffer)
                case CombinePartials(buffer, place, operator, partials):
                    self.write(buffer, place)
                    self.monoid(operator, buffer)
                    self.hold(partials in self.buffers, f"{partials} is not its own")
                    fits = partials.type == buffer.type and partials.elements <= PARTIALS
                    self.hold(fits, f"{partials} are no partial results of {buffer}")
                case MoveTile():
                    self.move(statement)
                case Fetch(buffer, place):
                    self.hold(buffer.scope != "register", f"{buffer} is not in memory")
                    self.expression(place, "index")
                case ClearTile(number):
                    self.has_tiles(number)
                case MultiplyTiles():
                    self.multiply(statement)

    def has_tiles(self, *numbers: int) -> None:
        """Checks that the kernel states the shapes of tiles."""
        count = len(self.kernel.tiles)
        self.hold(count <= MOST_TILES, f"there are {count} tiles")
        self.hold(all(0 <= number < count for number in numbers), f"no shape of tiles {numbers}")
        for shape in self.kernel.tiles:
            fits = min(shape.rows, shape.words) > 0 and max(shape.rows, shape.words) <= MOST_ROWS
            self.hold(fits, f"a tile of {shape.rows} x {shape.words}")

    def move(self, statement: MoveTile) -> None:
        """Checks that the elements of a tile are inside a buffer."""
        self.has_tiles(statement.number)
        shape = self.kernel.tiles[statement.number]
        buffer, place = statement.buffer, statement.place
        self.hold(buffer.scope != "register", f"{buffer} is not in memory")
        last = (shape.rows - 1) * statement.stride
        last += shape.words * BYTES["i32"] // BYTES[buffer.type] - 1
        if not statement.stores:
            self.expression(place, "index")
            self.access(buffer, place)
            self.access(buffer, place + last)
            return
        self.hold(BYTES[buffer.type] == BYTES["i32"], f"{buffer} holds no words")
        self.write(buffer, place)
        self.write(buffer, place + last)

    def multiply(self, statement: MultiplyTiles) -> None:
        """Checks that tiles are factors of one another."""
        numbers = statement.total, statement.left, statement.right
        self.has_tiles(*numbers)
        self.hold(statement.operator in TILE_PRODUCTS, f"{statement.operator} is no product")
        total, left, right = (self.kernel.tiles[number] for number in numbers)
        fits = (total.rows, left.words, right.words) == (left.rows, right.rows, total.words)
        self.hold(fits, f"tiles {numbers} have other extents than a product")

    def under_condition(self, statement: When) -> None:
        """Checks the statements under a condition."""
        self.expression(statement.condition, "i1")
        around, self.asked = self.asked, self.asked | statement.condition.loops
        self.conditions += 1
        self.block(statement.body)
        self.conditions -= 1
        self.asked = around

    def loop(self, loop: Loop) -> None:
        """Checks a loop: the range of its index is that of its extent."""
        atom, around, lanes = loop.atom, self.open, self.lanes
        self.hold(atom not in around, "two loops have one index")
        fits = self.has_index_of_extent(loop)
        self.hold(fits, f"a loop of {loop.extent} has an index of {atom.low} ... {atom.high}")
        self.hold(not loop.parallel or atom is self.parallel, "a parallel loop is not outermost")
        self.open = around | {atom}
        if loop.kind != "serial":
            self.lanes = lanes | {atom}
        self.block(loop.body)
        if loop.condition is not None:
            is_serial = loop.kind == "serial" and not loop.parallel and not loop.apart
            self.hold(is_serial, "a loop that a condition ends is not serial")
            self.hold(loop is self.kernel.repeated, "several loops are ended by conditions")
            self.expression(loop.condition, "i1")
        self.open, self.lanes = around, lanes

    def has_index_of_extent(self, loop: Loop) -> bool:
        """Whether a loop has iterations, and its index reaches the last.

        A loop of symbolic extent may have none.
        """
        has_iterations = is_symbolic(loop.extent) or loop.extent >= 1
        reaches_last = surely_at_most(loop.extent - 1, loop.atom.high)
        return has_iterations and loop.atom.low == 0 and reaches_last

    def monoid(self, operator: str, buffer: Buffer) -> None:
        """Checks that an operation is a monoid on elements of a type."""
        is_monoid = buffer.type in IDENTITIES.get(operator, ())
        self.hold(is_monoid, f"{operator} does not fold {buffer.type}")

    def write(self, buffer: Buffer, place: Expression) -> None:
        """Checks that a place may be written, and is another one in each parallel iteration."""
        self.expression(place, "index")
        self.access(buffer, place)
        if buffer.scope == "argument" and self.parallel is not None:
            disjoint = (
                self.parallel in place.loops
                or self.parallel in self.asked
                or self.kernel.steps == 1
            )
            self.hold(disjoint, f"all iterations write the same places of {buffer}")

    def access(self, buffer: Buffer, place: Expression) -> None:
        """Checks that a place is inside a buffer; of registers, that loops are unrolled there."""
        self.hold(buffer in self.buffers, f"{buffer} is not its own")
        self.check_place(buffer, place)
        if buffer.scope == "register":
            fixed = all(atom in self.lanes for atom, _ in terms_of(place)[1])
            self.hold(fixed, f"{buffer} has a place that is not constant")

    def check_place(self, buffer: Buffer, place: Expression) -> None:
        """Checks that a place is inside a buffer."""
        extent = extent_of(buffer)
        if is_within(place.low, place.high, extent):
            return
        depends_on_sizes = any(map(is_symbolic, (place.low, place.high, extent)))
        if depends_on_sizes and self.conditions:
            return
        low, high = bounds_of(place)
        is_inside = low >= 0 and high < typical_of(extent)
        self.hold(is_inside, f"{low} ... {high} is not inside {buffer}{TYPICAL[depends_on_sizes]}")

    def expression(self, root: Expression, expected: str) -> None:
        """Checks an expression, each part of it once."""
        self.hold(root.type == expected, f"{root.type} stands where {expected} is expected")
        self.hold(root.loops <= self.open, "an index stands outside its loop")
        pending = [root]
        while pending:
            expression = pending.pop()
            if expression not in self.checked:
                self.checked.add(expression)
                pending += expression.operands
                self.check_expression(expression)

    def check_expression(self, expression: Expression) -> None:
        """Checks an expression but for its operands."""
        operator, operands = expression.operator, expression.operands
        if operator in INDICES or operator in ("constant", "number", "lookup", "byte_entry"):
            return
        if operator == "load":
            buffer: Buffer = expression.detail
            self.hold(expression.type == buffer.type, f"{expression.type} is loaded of {buffer}")
            self.access(buffer, operands[0])
            return
        if operator in CONVERSIONS:
            self.hold(len(operands) == 1, f"{operator} has {len(operands)} operands")
            return
        if operator in PAIRS:
            types = tuple([operand.type for operand in operands])
            self.hold(types == PAIRS[operator], f"{operator} has operands of types {types}")
            return
        self.hold(operator in OPERATORS, f"no operator is called {operator}")
        row = OPERATORS[operator]
        values = operands[1:] if row.kind == "select" else operands
        same = all(value.type == values[0].type for value in values)
        self.hold(same, f"{operator} has operands of several types")
        result = "i1" if row.kind == "compare" else values[0].type
        self.hold(expression.type == result, f"{operator} gives {result}, not {expression.type}")
