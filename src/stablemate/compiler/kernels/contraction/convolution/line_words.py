"""Depthwise convolutions of bytes: words of neighboring lines.

An instruction adds the products of four bytes. A sum of a depthwise convolution has products of one
feature only, so that its factors do not lie side by side. Here a *word* holds a feature of four
lines of the image, one below the other. It serves all results that read any of these lines, for
each with a word of the kernel in which the factors are at the places of the lines, beside zeros:

    result[y]     = ... image[y .. y + 3] * (k[0], k[1], k[2], 0)
    result[y + 1] = ... image[y .. y + 3] * (0, k[0], k[1], k[2])

Windows of neighboring points of a line share the words of a tile, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums, side_by_side
from stablemate.compiler.kernels.contraction.register_tiles import TileNest
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement
from stablemate.compiler.schedule.schedule import WIDE
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.windows import WindowDimensions

LINES: Final = 4  # of a word
REGISTERS: Final = 26  # for sums and words; what is left holds factors and what is added to
MOST_WORDS: Final = 2  # one below the other: of windows of seven lines
PACK: Final = 9  # instructions that make a word


@dataclass(frozen=True, slots=True)
class WordTile:
    """A tile of results at neighboring points of neighboring lines.

    Attributes:
        windows: The windows of the convolution: on lines and on the points of a line.
        words: How many words are one below the other.
        lines: How many lines of results there are.
        points: How many points of a line.
        width: Features of a vector.
    """

    windows: WindowDimensions
    words: int
    lines: int
    points: int
    width: int

    @staticmethod
    def of(
        windows: WindowDimensions, counts: Sequence[int], features: int, vector_bytes: int
    ) -> WordTile | None:
        """The tile that takes the fewest instructions for a result; None if there is none.

        Args:
            windows: The windows on lines and points.
            counts: The lines and points of the result.
            features: Those of a point.
            vector_bytes: Bytes of a vector.
        """
        width = vector_bytes // WIDE
        if len(counts) != 2 or windows.sizes[0] < 2 or features < width:
            return None
        tiles = [
            WordTile(windows, words, lines, points, width)
            for words, lines in heights(windows, counts[0])
            for points in range(1, min(counts[1], REGISTERS) + 1)
        ]
        fitting = [tile for tile in tiles if tile.columns + tile.lines * tile.points <= REGISTERS]
        return min(fitting, key=lambda tile: tile.cost(counts), default=None)

    @property
    def columns(self) -> int:
        """How many points of the image windows reach, in a line."""
        windows = self.windows
        return (
            (self.points - 1) * windows.strides[1]
            + (windows.sizes[1] - 1) * windows.window_dilations[1]
            + 1
        )

    def cost(self, counts: Sequence[int]) -> float:
        """The instructions for all results of a vector of features."""
        tiles = -(-counts[0] // self.lines) * -(-counts[1] // self.points)
        products = sum(
            self.has_factors(word, line) for word in range(self.words) for line in range(self.lines)
        )
        each = products * self.points * self.windows.sizes[1]
        return tiles * (self.words * self.columns * PACK + each)

    def row(self, word: int, line: int, place: int) -> int | None:
        """The line of the window whose factor belongs to a place of a word, for a result.

        Args:
            word: The number of the word.
            line: The line of the result in the tile.
            place: The place in the word.
        """
        row = word * LINES + place - line * self.windows.strides[0]
        return row if 0 <= row < self.windows.sizes[0] else None

    def has_factors(self, word: int, line: int) -> bool:
        """Whether a line of the result reads a word."""
        return any(self.row(word, line, place) is not None for place in range(LINES))

    def is_read(self, word: int, place: int) -> bool:
        """Whether any result reads a place of a word."""
        return any(self.row(word, line, place) is not None for line in range(self.lines))

    def word_of_lines(self, sums: Sums, word: int, load: Callable[[int], Expression]) -> Expression:
        """The word of some lines at a point.

        Args:
            sums: The arithmetic.
            word: The number of the word.
            load: Loads the byte of a line, counted from the first one of the tile.
        """
        dilation = self.windows.window_dilations[0]
        parts = [
            load((word * LINES + place) * dilation) if self.is_read(word, place) else None
            for place in range(LINES)
        ]
        return sums.add_bias(join_bytes(parts))

    def word_of_factors(
        self, word: int, line: int, factor: Callable[[int], Expression]
    ) -> Expression:
        """The word of the kernel for a word of the image and a line of the result.

        Args:
            word: The number of the word.
            line: The line of the result in the tile.
            factor: The byte of a line of the window.
        """
        rows = [self.row(word, line, place) for place in range(LINES)]
        return join_bytes([None if row is None else factor(row) for row in rows])

    def products(
        self,
        nest: TileNest,
        words: Buffer,
        word_at: Callable[[int, Expression, Expression], Expression],
        factors_at: Callable[[int, int, Expression, Expression], Expression],
    ) -> Iterator[Statement]:
        """Adds all products to the sums of a tile, whose rows are its points line by line.

        Args:
            nest: Writes the statements of the tile.
            words: Registers for the words at all points that windows reach.
            word_at: The word of a number at a point and a feature.
            factors_at: The word of the kernel for a word and a line of the result, at a point of
                the window and a feature.
        """
        scheduler, windows, width = nest.scheduler, self.windows, self.width
        table = scheduler.table
        for word in range(self.words):
            column = scheduler.index(self.columns)

            def pack(lane: Expression, word: int = word, column: Expression = column) -> list[
                Statement
            ]:  # fmt: skip
                value = word_at(word, column, lane)
                return [StoreElement(words, column * width + lane, value)]

            yield Loop(column, self.columns, "unroll", [nest.over_columns(pack)])
            for line in range(self.lines):
                if not self.has_factors(word, line):
                    continue
                step, point = scheduler.index(windows.sizes[1]), scheduler.index(self.points)

                def add(
                    lane: Expression, word: int = word, line: int = line, step: Expression = step,
                    point: Expression = point,
                ) -> list[Statement]:  # fmt: skip
                    reached = point * windows.strides[1] + step * windows.window_dilations[1]
                    left = table.load_at(words, reached * width + lane)
                    right = factors_at(word, line, step, lane)
                    place = nest.place(point + line * self.points, lane)
                    return [nest.sums.add_product(nest.totals, place, left, right)]

                over_points = Loop(point, self.points, "unroll", [nest.over_columns(add)])
                yield Loop(step, windows.sizes[1], "unroll", [over_points])


def heights(windows: WindowDimensions, lines: int) -> Iterator[tuple[int, int]]:
    """How many words are one below the other, and for how many lines of results they suffice.

    Args:
        windows: The windows on lines and points.
        lines: The lines of the result.
    """
    least = -(-windows.sizes[0] // LINES)
    for words in range(least, max(least, MOST_WORDS) + 1):
        reached = 1 + (words * LINES - windows.sizes[0]) // windows.strides[0]
        yield words, min(lines, reached if windows.window_dilations[0] == 1 else 1)


def join_bytes(parts: Sequence[Expression | None]) -> Expression:
    """Bytes in a word, the first one in the lowest bits; None stands for zero."""
    known = next(part for part in parts if part is not None)
    zero = known.table.bits(0, known.type)
    return side_by_side([zero if part is None else part for part in parts])
