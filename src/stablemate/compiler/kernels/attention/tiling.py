"""How the scores of attention are cut into tiles: blocks of queries by blocks of keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.kernels.contraction.register_tiles import REGISTERS, Tile, step_cost
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.schedule.schedule import WIDE
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import SizeValueError, is_symbolic

# Larger blocks read keys and values less often, and their scores need more of the nearest caches:
# ``python -m benchmarks.heuristics`` measures QUERIES and KEYS,
# ``python -m benchmarks.attention`` all of attention beside XLA.
QUERIES: Final = 48  # of a block, at most
UNIT: Final = 12  # blocks are multiples of it, so that register tiles divide them
KEYS: Final = 256  # of a block
KEYS_IF_MASKED: Final = 128  # the same, where blocks that are masked as a whole are left out
FEWEST_KEYS: Final = 32  # of the last block
MOST_VECTORS: Final = 4  # of a row of a register tile


@dataclass(frozen=True, slots=True)
class KeyBlock:
    """Blocks of keys of the same extent, one after the other.

    Attributes:
        begin: The first key.
        extent: The keys of a block.
        count: How many blocks there are.
        padded: The columns of a tile of scores, where the extent depends on a symbolic size; what
            is after the extent is masked.
    """

    begin: int
    extent: int
    count: int
    padded: int | None = None

    @property
    def columns(self) -> int:
        """The columns of a tile of scores."""
        return self.extent if self.padded is None else self.padded


@dataclass(frozen=True, slots=True)
class Tiling:
    """The extents of the loops.

    Attributes:
        queries: The queries of a block; the last block begins where it ends with the queries.
        keys: The blocks of keys.
        products: The register tile of scores.
        results: The register tile of results.
    """

    queries: int
    keys: tuple[KeyBlock, ...]
    products: Tile
    results: Tile

    @property
    def most_keys(self) -> int:
        """The keys of the largest block."""
        return max(block.columns for block in self.keys)


def tiling_of(
    queries: int, keys: int, features: int, register: str, machine: Machine, *, masked: bool
) -> Tiling:
    """The tiling for numbers of queries, keys and features of the result.

    Args:
        queries: How many queries a batch has.
        keys: How many keys.
        features: The features of the result.
        register: The type of scores.
        machine: The machine.
        masked: Whether blocks of keys may be left out.
    """
    rows = QUERIES if is_symbolic(queries) else min(QUERIES, queries // UNIT * UNIT)
    if queries < rows:
        raise SizeValueError("a block of queries is larger than all queries")
    width = machine // max(WIDE, BYTES[register])
    blocks = tuple(sized_key_blocks(keys) if is_symbolic(keys) else key_blocks(keys, masked=masked))
    shortest = min(FEWEST_KEYS if is_symbolic(keys) else block.extent for block in blocks)
    products = best_tile(rows, KEYS_IF_MASKED, min(width, shortest), machine, exact=True)
    columns = products.columns
    extents = (keys, *(block.extent for block in blocks))
    if any(extent < columns or -(-extent // columns) < 1 for extent in extents):
        raise SizeValueError("a tile of scores is larger than a block of keys")
    while width > features:
        width //= 2
    return Tiling(rows, blocks, products, best_tile(rows, features, width, machine, exact=False))


def key_blocks(keys: int, *, masked: bool) -> Iterator[KeyBlock]:
    """The blocks that keys are cut into; shorter ones where some may be left out."""
    return blocks_of(keys, KEYS_IF_MASKED if masked else KEYS, FEWEST_KEYS)


def sized_key_blocks(keys: int) -> Iterator[KeyBlock]:
    """The blocks that a symbolic number of keys is cut into; the last one has at least 32."""
    size = KEYS_IF_MASKED
    count = (keys - FEWEST_KEYS) // size
    rest = keys - count * size
    most = FEWEST_KEYS + size
    # What holds always is stated, too: bounds of indices follow from it.
    is_known = rest >= 0 and rest >= 1 and rest >= FEWEST_KEYS and rest < most and count >= 1
    if keys < most or not is_known:
        raise SizeValueError("blocks are cut for at least so many keys")
    yield KeyBlock(0, size, count)
    yield KeyBlock(count * size, rest, 1, most)


def blocks_of(extent: int, size: int, fewest: int) -> Iterator[KeyBlock]:
    """Blocks of a size; what is left is the last block, together with the one before if short."""
    count, rest = divmod(extent, size)
    if count and 0 < rest < fewest:
        count, rest = count - 1, rest + size
    if count:
        yield KeyBlock(0, size, count)
    if rest:
        yield KeyBlock(count * size, rest, 1)


def best_tile(rows: int, columns: int, width: int, machine: Machine, *, exact: bool) -> Tile:
    """The register tile that takes the fewest cycles; its rows divide those of a block.

    Args:
        rows: The rows of a block.
        columns: The columns.
        width: The lanes of a vector.
        machine: The machine.
        exact: Whether the columns of the tile divide ``columns`` and fit into the last block.
    """
    registers = REGISTERS[int(machine)].all
    candidates: list[tuple[float, Tile]] = []
    for vectors in range(1, MOST_VECTORS + 1):
        if vectors * width > (FEWEST_KEYS if exact else max(columns, width)):
            break
        if exact and columns % (vectors * width):
            continue
        panels = -(-columns // (vectors * width))
        for size in (size for size in range(1, rows + 1) if rows % size == 0):
            if size * vectors + vectors + 1 <= registers:
                cost = rows // size * panels * step_cost(size, vectors)
                candidates.append((cost, Tile(size, vectors, width)))
    return min(candidates, key=lambda candidate: candidate[0])[1]
