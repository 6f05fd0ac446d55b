"""Products of convolutions in tile registers: the points of lines are rows of a matrix.

A tile has neighboring points of one line, so that the elements of the image that it multiplies
begin at equal distances. The depth is cut where the image is consecutive: at the end of the
features, or of a line of the window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.compiler.kernels.contraction.matrix_tiles import (
    ABREAST,
    MOST,
    TileBlock,
    TileRows,
    blocks_of,
    heights_of,
    words_of_step,
)
from stablemate.compiler.loops.expressions import Expression, terms_of
from stablemate.compiler.loops.statements import substitute_expression
from stablemate.compiler.schedule.schedule import LoopDimension, LoopScheduler
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import SizeValueError, is_symbolic, typical_of

# A tile takes the time of at least 9.5 rows (``matrix_tiles.LATENCY``), however few it has.
FEWEST_TILED: Final = 4  # points, and output features, that are worth a tile


@dataclass(frozen=True, slots=True)
class ImageBlock:
    """A block of points by features.

    Attributes:
        block: Its extents.
        across: The points of a line.
    """

    block: TileBlock
    across: int

    @property
    def lines(self) -> int:
        """How many lines it has points of."""
        return self.block.rows // self.across


def image_block(lines: int, points: int, columns: int) -> ImageBlock:
    """The block for numbers of lines, their points, and columns that takes the least time.

    Raises:
        SizeValueError: Lines or points whose number varies may be fewer than those of the block.
    """
    if is_symbolic(lines) or is_symbolic(points):
        block = image_block(typical_of(lines), typical_of(points), columns)
        if block.lines > lines or block.across > points:
            raise SizeValueError("a block is larger than an image")
        return block

    def cost(candidate: ImageBlock) -> float:
        block = candidate.block
        count = -(-lines // candidate.lines) * -(-points // candidate.across)
        return count * -(-columns // (block.vectors * block.width)) * block.cost

    return min(candidates(lines, points, columns), key=cost)


def candidates(lines: int, points: int, columns: int) -> Iterator[ImageBlock]:
    """All blocks that fit: of points of one line, or of as many lines as there are tiles."""
    for across in range(min(points, ABREAST * MOST), 0, -1):
        for block in blocks_of(heights_of(across), columns):
            yield ImageBlock(block, across)
        if lines >= ABREAST and across <= MOST:
            for block in blocks_of([across] * ABREAST, columns):
                yield ImageBlock(block, across)


@dataclass(frozen=True, slots=True)
class TiledDepth:
    """The innermost loop over the depth, in steps of the words of an instruction.

    Attributes:
        loop: The loop over steps.
        words: The words of a step: neighbors in the image.
        here: The index of the original loop, and the first one of a step, which stands for it.
    """

    loop: LoopDimension
    words: int
    here: tuple[Expression, Expression]

    @staticmethod
    def of(scheduler: LoopScheduler, depth: LoopDimension, image: Expression) -> TiledDepth:
        """The steps of a loop.

        Args:
            scheduler: Makes loops.
            depth: The innermost loop over the depth.
            image: The load of a factor of the image.
        """
        words = words_of_step(depth.extent) if stride_of(image, depth.atom) == 1 else 1
        steps = depth.extent // words
        loop = LoopDimension(scheduler.index(steps), steps)
        return TiledDepth(loop, words, (depth.atom, loop.index * words))


def stride_of(load: Expression, atom: Expression) -> int:
    """By how much the place of a load grows with an index."""
    return dict(terms_of(load.operands[0])[1]).get(atom, 0)


def rows_of(load: Expression, places: Sequence[tuple[Expression, Expression]], stride: int) -> (
    TileRows
):  # fmt: skip
    """The rows that begin with a load, at indices in the places of its own."""
    first = substitute_expression(load, dict(places), {})
    return TileRows(first.detail, first.operands[0], stride)
