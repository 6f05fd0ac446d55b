"""Evaluates kernels in Python: defines what the loop language means, without LLVM.

A value is a NumPy scalar, or an array with one element per lane of the vector loop around it.
Parallel iterations run from the last to the first, and none may see what another has written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import (
    BITS,
    BYTES,
    CONVERSIONS,
    DTYPES,
    OPERATORS,
    TILE_PRODUCTS,
    Lanes,
    Meaning,
    convert,
)
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
    stored_buffers,
)
from stablemate.compiler.loops.traversal import evaluate_postorder
from stablemate.diagnostics.errors import EvaluationError
from stablemate.numerics.elements import Array

NO_ITERATION = -1
INDEX_FUNCTIONS: Final[Mapping[str, Meaning]] = {  # of an index and a number
    "quotient": np.floor_divide,
    "remainder": np.remainder,
    "least": np.minimum,
    "greatest": np.maximum,
}


def evaluate(kernel: Kernel, memory: Mapping[Buffer, Array], *, fuses: bool = True) -> None:
    """Runs a kernel.

    Args:
        kernel: The kernel.
        memory: The elements of its arguments, each a flat array of ``DTYPES``.
        fuses: Whether the machine adds products without rounding them before.

    Raises:
        EvaluationError: An access leaves its buffer, or iterations are not independent.
    """
    with np.errstate(all="ignore"):
        Evaluator(kernel, memory, fuses=fuses).block(kernel.body)


def evaluated_constant(root: Expression) -> bytes:
    """The bits of the value of an expression that depends on no loop and no buffer."""
    with np.errstate(all="ignore"):
        return np.asarray(Evaluator(Kernel("constant", (), ()), {}).value(root)).tobytes()


class Evaluator:
    """Runs one kernel."""

    def __init__(
        self, kernel: Kernel, memory: Mapping[Buffer, Array], *, fuses: bool = True
    ) -> None:
        self.name = kernel.name
        fused = OPERATORS["fma"].meaning
        self.fma: Meaning = fused if fuses else rounded_to_double
        self.multiply_add: Meaning = fused if fuses else rounded_twice
        self.memory = dict(memory)
        for local in kernel.locals:
            self.memory[local] = np.zeros(local.elements, DTYPES[local.type])
        self.tiles = [np.zeros((shape.rows, shape.words), np.int32) for shape in kernel.tiles]
        self.indices: dict[Expression, Lanes] = {}
        self.cached: dict[Expression, Lanes] = {}  # values since memory was last changed
        self.orders: dict[Expression, Sequence[Expression]] = {}  # of what a value is made
        self.iteration = NO_ITERATION
        changed = stored_buffers(kernel.body) & set(kernel.arguments)
        sizes = {buffer: self.memory[buffer].size for buffer in changed}
        self.writers = {buffer: np.full(size, NO_ITERATION) for buffer, size in sizes.items()}
        self.readers = {buffer: np.full(size, NO_ITERATION) for buffer, size in sizes.items()}

    def block(self, body: Sequence[Statement]) -> None:
        """Executes statements in order, for all lanes at once."""
        for statement in body:
            match statement:
                case Loop():
                    self.loop(statement)
                case When(condition, inner):
                    if all_lanes(self.value(condition)):
                        self.block(inner)
                case StoreElement(buffer, place, value):
                    self.write(buffer, self.value(place), self.value(value))
                case Fold():
                    self.reduce(statement)
                case CombinePartials():
                    self.combine(statement)
                case MoveTile():
                    self.move(statement)
                case Fetch():
                    pass
                case ClearTile(number):
                    self.tiles[number][:] = 0
                case MultiplyTiles():
                    self.multiply(statement)

    def loop(self, loop: Loop) -> None:
        """Runs a loop; a vector's lanes all at once."""
        if loop.kind == "vector":
            self.iterate(loop, np.arange(loop.extent) if loop.extent > 1 else index_number(0))
            return
        turns = range(loop.extent)
        for number in reversed(turns) if loop.parallel else turns:
            if loop.parallel:
                self.iteration = number
            self.iterate(loop, index_number(number))
            if loop.condition is not None and not self.value(loop.condition):
                return

    def iterate(self, loop: Loop, index: Lanes) -> None:
        """Runs the body of a loop once."""
        self.indices[loop.atom] = index
        self.cached.clear()
        self.block(loop.body)
        del self.indices[loop.atom]
        self.cached.clear()

    def reduce(self, reduce: Fold) -> None:
        """Evaluates ``fold buffer[place] op= value``, a reduction."""
        place, operator = self.value(reduce.place), reduce.operator
        old = self.read(reduce.buffer, place)
        if reduce.fused and reduce.value.operator == "fmul" and not reduce.skip:
            factors = [self.value(operand) for operand in reduce.value.operands]
            self.write(reduce.buffer, place, self.multiply_add(*factors, old))
            return
        new = self.value(reduce.value)
        if reduce.skip:
            rest = np.broadcast_to(new, np.shape(place))[reduce.skip :]
            unit = literal(IDENTITIES[operator][reduce.buffer.type], reduce.buffer.type)
            new = np.concatenate([rest, np.full(reduce.skip, unit)])
        self.write(reduce.buffer, place, OPERATORS[operator].meaning(old, new))

    def combine(self, statement: CombinePartials) -> None:
        """``combine buffer[place] op= partials``, by halves."""
        meaning = OPERATORS[statement.operator].meaning
        parts = list(self.memory[statement.partials])
        half = PARTIALS // 2
        while half:
            pairs = zip(parts[:half], parts[half:], strict=False)
            parts = [*(meaning(*pair) for pair in pairs), *parts[max(0, len(parts) - half) : half]]
            half //= 2
        place = self.value(statement.place)
        old = self.read(statement.buffer, place)
        self.write(statement.buffer, place, meaning(old, parts[0]))

    def move(self, statement: MoveTile) -> None:
        """``tile[number] = buffer[place...]``, or the other way round."""
        tile, buffer = self.tiles[statement.number], statement.buffer
        rows, words = tile.shape
        row = np.arange(words * BYTES["i32"] // BYTES[buffer.type])
        first = self.value(statement.place) + np.arange(rows)[:, None] * statement.stride
        if statement.stores:
            self.write(buffer, first + row, tile.view(DTYPES[buffer.type]))
        else:
            tile[:] = self.read(buffer, first + row).view(np.int32)

    def multiply(self, statement: MultiplyTiles) -> None:
        """``tile[total] += tile[left] * tile[right]``."""
        left, right = self.tiles[statement.left], self.tiles[statement.right]
        kind = np.float32 if statement.operator == "tile_of_bfloat16" else np.int32
        total = self.tiles[statement.total].view(kind)
        total[:] = TILE_PRODUCTS[statement.operator](total.copy(), left, right)

    # Memory

    def inside(self, buffer: Buffer, place: Lanes) -> Array:
        """The elements of a buffer; checks that the positions are inside it."""
        elements = self.memory[buffer]
        if not all_lanes((place >= 0) & (place < elements.size)):
            raise EvaluationError(f"kernel {self.name}: {place} is not inside {buffer}")
        return elements

    def read(self, buffer: Buffer, place: Lanes) -> Lanes:
        """Loads the elements at positions; an element that another iteration wrote is an error."""
        elements = self.inside(buffer, place)
        if buffer in self.writers:
            others = self.writers[buffer][place]
            self.check_independent(buffer, (others == NO_ITERATION) | (others == self.iteration))
            self.readers[buffer][place] = self.iteration
        return elements[place]

    def write(self, buffer: Buffer, place: Lanes, value: Lanes) -> None:
        """Writes elements at positions; several iterations may write the same bits to one."""
        elements = self.inside(buffer, place)
        if buffer in self.writers:
            before = bits_at(elements, place)
            elements[place] = value
            same = before == bits_at(elements, place)
            for users in (self.writers[buffer], self.readers[buffer]):
                others = users[place]
                own = (others == NO_ITERATION) | (others == self.iteration)
                self.check_independent(buffer, own | same)
            self.writers[buffer][place] = self.iteration
        else:
            elements[place] = value
        self.cached.clear()

    def check_independent(self, buffer: Buffer, conditions: Lanes) -> None:
        """Refuses iterations that depend on one another."""
        if not all_lanes(conditions):
            raise EvaluationError(f"kernel {self.name}: iterations meet in {buffer}")

    # Values

    def value(self, root: Expression) -> Lanes:
        """The value of an expression, the deepest parts first."""
        values = self.cached
        if root not in values:
            if root not in self.orders:
                self.orders[root] = postorder(root)
            for expression_ in self.orders[root]:
                if expression_ not in values:
                    values[expression_] = self.compute(expression_)
        return values[root]

    def compute(self, expression: Expression) -> Lanes:
        """The value of an expression whose operands have theirs."""
        operands = [self.cached[operand] for operand in expression.operands]
        detail: Any = expression.detail
        match expression.operator:
            case "constant":
                return literal(detail, expression.type)
            case "index":
                return self.indices[expression]
            case "sum":
                terms = zip(detail[1:], operands, strict=True)
                return sum((c * term for c, term in terms), index_number(detail[0]))
            case "quotient" | "remainder" | "least" | "greatest" as name:
                return INDEX_FUNCTIONS[name](operands[0], detail)
            case "position":
                return np.clip(operands[0].astype(np.int64), 0, detail)
            case "number":
                return operands[0]
            case "lookup":
                return np.array(detail)[operands[0]]
            case "byte_entry":
                found: Array = np.array(detail, np.int32)[operands[0] & 255]
                return found
            case "multiply_add":
                return self.multiply_add(*operands)
            case "fma":
                return self.fma(*operands)
            case "load":
                return self.read(detail, operands[0])
            case operator if operator in CONVERSIONS:
                return convert(operator, operands[0], expression.type)
            case operator:
                return OPERATORS[operator].meaning(*operands)


def postorder(root: Expression) -> list[Expression]:
    """An expression and its subexpressions, operands before their users."""
    order: dict[Expression, None] = {}
    evaluate_postorder(root, order, lambda _: None)
    return [*order]


def all_lanes(conditions: Lanes) -> bool:
    """Whether a condition holds in all lanes; a single lane avoids the cost of ``np.all``."""
    return bool(conditions.all() if conditions.ndim else conditions)


def rounded_twice(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """``a * b + c`` where the product is rounded before."""
    return a * b + c


def rounded_to_double(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """``a * b + c`` of ``f32``, rounded to ``f64`` before."""
    return (a.astype(np.float64) * b + c).astype(a.dtype)


def bits_at(elements: Array, place: Lanes) -> Array:
    """The bits at positions, so that NaN is equal to itself."""
    return np.array(elements.view(f"u{elements.itemsize}")[place])


def literal(bits: int, element: str) -> Lanes:
    """A constant, from its bits."""
    if element == "i1":
        return np.array(bits, np.bool_)[()]
    width = BITS[element]
    return np.array(bits & ((1 << width) - 1), f"u{width // 8}").view(DTYPES[element])[()]


def index_number(number: int) -> Lanes:
    """An index that is the same in all lanes."""
    return np.array(number, np.int64)[()]
