"""Tiles of matrices in registers: a few rows of as many columns as a few vectors have lanes.

Source: Van Zee and van de Geijn, BLIS: a framework for rapidly instantiating BLAS functionality.
"""

from __future__ import annotations

from stablemate.compiler.config.target import Target
from stablemate.compiler.library_calls.compact.text import (
    BYTES,
    LlvmFunctionBuilder,
    VectorElements,
)
from stablemate.deferred_dataclasses import dataclass

WIDE_VECTOR: int = 64  # bytes; machines with such vectors have twice as many registers
VECTORS: tuple[int, ...] = (1, 3)  # of a row of a tile


@dataclass(frozen=True, slots=True)
class RegisterTile:
    """The shape of tiles on a machine.

    Attributes:
        letter: BLAS's letter for the element type.
        lanes: Elements of a vector.
        rows: The rows of a tile.
    """

    letter: str
    lanes: int
    rows: int

    @property
    def width(self) -> int:
        """The columns of the widest tile."""
        return VECTORS[-1] * self.lanes


def shape_of(letter: str, target: Target) -> RegisterTile:
    """The shape of tiles of an element type, whose elements fit into the registers."""
    lanes = target.lanes(BYTES[letter])
    return RegisterTile(letter, lanes, min(lanes, 8 if target.vector_bytes == WIDE_VECTOR else 4))


class TileFunction(LlvmFunctionBuilder):
    """The text of a function on tiles.

    Values are names of the text or numbers.
    """

    def __init__(
        self, name: str, letter: str, lanes: int, parameters: str, *, internal: bool = True
    ) -> None:
        super().__init__(name, VectorElements(letter, lanes * BYTES[letter]), ())
        linkage = "internal " if internal else ""
        self.head = f"define {linkage}void @{name}({parameters}) #0 {{"

    def at(self, pointer: str, *terms: tuple[str | int, str | int]) -> str:
        """The address of the element whose number is a sum of products."""
        return self.value(f"getelementptr {self.scalar}, ptr {pointer}, i64 {self.place(*terms)}")

    def load_scalar(self, pointer: str) -> str:
        """Emits the load of one element."""
        return self.value(f"load {self.scalar}, ptr {pointer}")

    def spread(self, scalar: str) -> str:
        """An element in all lanes."""
        return self.spread_as(self.vector, self.scalar, scalar)

    def spread_as(self, vector: str, kind: str, scalar: str) -> str:
        """A number in all lanes of a type of vectors."""
        one = self.value(f"insertelement {vector} poison, {kind} {scalar}, i64 0")
        return self.value(
            f"shufflevector {vector} {one}, {vector} poison, <{self.lanes} x i32> zeroinitializer"
        )

    def load_vector(self, pointer: str) -> str:
        """As many elements as a vector has lanes."""
        return self.value(f"load {self.vector}, ptr {pointer}, align {BYTES[self.letter]}")

    def store_vector(self, pointer: str, value: str) -> None:
        """Emits the store of a vector."""
        self.do(f"store {self.vector} {value}, ptr {pointer}, align {BYTES[self.letter]}")

    def times(self, one: str, other: str) -> str:
        """Emits the product of two vectors."""
        return self.value(f"fmul {self.vector} {one}, {other}")


def solve_tile(shape: RegisterTile, rows: int, vectors: int) -> str:
    """The function ``solve_ROWS_VECTORS``: the next rows of solutions of T X = B, T lower.

    Its arguments are the first row of X, of which ``count`` are solved, the elements from row to
    row; the first of the rows of T, its strides; and the reciprocals of its diagonal. The sum over
    the rows before is in their order, each product added with one rounding.
    """
    parameters = (
        "ptr %strip, i64 %stride, ptr %t, i64 %t_row, i64 %t_column, i64 %count, ptr %reciprocals"
    )
    name = f"solve_{rows}_{vectors}"
    t = TileFunction(name, shape.letter, shape.lanes, parameters)
    numbers = range(rows)
    places = [t.at("%strip", (t.add("%count", row), "%stride")) for row in numbers]
    tile = subtract_products(t, places, vectors)
    for row in numbers:
        reciprocal = t.spread(t.load_scalar(t.at("%reciprocals", (row, 1))))
        tile[row] = [t.times(value, reciprocal) for value in tile[row]]
        for below in numbers[row + 1 :]:
            column = t.add("%count", row)
            item = t.load_scalar(t.at("%t", (below, "%t_row"), (column, "%t_column")))
            factor = t.spread(item)
            pairs = zip(tile[below], tile[row], strict=True)
            tile[below] = [t.subtract_product(value, factor, above) for value, above in pairs]
    store_tile(t, places, tile)
    return t.text()


def subtract_products(t: TileFunction, places: list[str], vectors: int) -> list[list[str]]:
    """The rows at some places, from which the products with ``count`` rows before are taken."""
    tile = [[t.variable(t.vector) for _ in range(vectors)] for _ in places]
    for place, variables in zip(places, tile, strict=True):
        for number, variable in enumerate(variables):
            t.set(variable, t.vector, t.load_vector(t.at(place, (number * t.lanes, 1))))
    with t.loop(0, "%count") as k:
        above = t.at("%strip", (k, "%stride"))
        values = [t.load_vector(t.at(above, (number * t.lanes, 1))) for number in range(vectors)]
        for row, variables in enumerate(tile):
            item = t.load_scalar(t.at("%t", (row, "%t_row"), (k, "%t_column")))
            factor = t.spread(item)
            for variable, value in zip(variables, values, strict=True):
                before = t.get(variable, t.vector)
                t.set(variable, t.vector, t.subtract_product(before, factor, value))
    return [[t.get(variable, t.vector) for variable in variables] for variables in tile]


def store_tile(t: TileFunction, places: list[str], tile: list[list[str]]) -> None:
    """Stores rows at their places."""
    for place, values in zip(places, tile, strict=True):
        for number, value in enumerate(values):
            t.store_vector(t.at(place, (number * t.lanes, 1)), value)


def factor_tile(shape: RegisterTile) -> str:
    """The function ``factor_tile``: the next rows of U of U^T U = A, in the tile on the diagonal.

    Its arguments are the first row of the columns of the tile, of which ``count`` are known, the
    elements from row to row; where the reciprocals of the diagonal are stored; and where the number
    of the first pivot is stored that is not positive: 0 if all are, 1 for the first.
    """
    parameters = "ptr %strip, i64 %stride, i64 %count, ptr %reciprocals, ptr %status"
    t = TileFunction("factor_tile", shape.letter, shape.rows, parameters)
    t.lines += ["  %t = getelementptr i8, ptr %strip, i64 0", "  %t_row = add i64 0, 1"]
    t.lines.append("  %t_column = add i64 %stride, 0")
    numbers = range(shape.rows)
    places = [t.at("%strip", (t.add("%count", row), "%stride")) for row in numbers]
    rows = [values[0] for values in subtract_products(t, places, 1)]
    status = "0"
    for row in numbers:
        pivot = t.value(f"extractelement {t.vector} {rows[row]}, i64 {row}")
        fails = t.value(f"fcmp ule {t.scalar} {pivot}, 0.0")  # also NaN
        is_first = t.value(f"icmp eq i64 {status}, 0")
        both = t.value(f"and i1 {fails}, {is_first}")
        status = t.value(f"select i1 {both}, i64 {row + 1}, i64 {status}")
        suffix = f"f{8 * BYTES[t.letter]}"
        root = t.value(f"call {t.scalar} @llvm.sqrt.{suffix}({t.scalar} {pivot})")
        reciprocal = t.value(f"fdiv {t.scalar} 1.0, {root}")
        t.do(f"store {t.scalar} {reciprocal}, ptr {t.at('%reciprocals', (row, 1))}")
        scaled = t.times(rows[row], t.spread(reciprocal))
        rows[row] = t.value(f"insertelement {t.vector} {scaled}, {t.scalar} {root}, i64 {row}")
        for below in numbers[row + 1 :]:
            item = t.value(f"extractelement {t.vector} {rows[row]}, i64 {below}")
            rows[below] = t.subtract_product(rows[below], t.spread(item), rows[row])
    t.do(f"store i64 {status}, ptr %status")
    store_tile(t, places, [[row] for row in rows])
    return t.text()
