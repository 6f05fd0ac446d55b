"""Products in tile registers whose number of rows or images varies: compiled once for many."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from stablemate.compiler.kernels.contraction import matrix_tiles, tiled_dots
from stablemate.compiler.kernels.contraction.convolution import builder
from tests.compiler.kernels.test_tiled_products import needs_tiles, numbers
from tests.compiler.sized_programs import compiled

DOT: Final = """
func.func @main(%a: tensor<?x64xi8>, %b: tensor<64x40xi8>) -> tensor<?x40xi32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<?x64xi8>, tensor<64x40xi8>) -> tensor<?x40xi32>
  return %0 : tensor<?x40xi32>
}"""
CONVOLUTION: Final = """
func.func @main(%a: tensor<?x6x5x64xi8>, %b: tensor<WINDOWx64x32xi8>) -> tensor<?x6x5x32xi32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = PADDING} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<?x6x5x64xi8>, tensor<WINDOWx64x32xi8>) -> tensor<?x6x5x32xi32>
  return %0 : tensor<?x6x5x32xi32>
}"""


@pytest.fixture(name="blocks")
def count_blocks(monkeypatch: pytest.MonkeyPatch) -> list[matrix_tiles.MatrixTiles]:
    """The blocks of tile registers that kernels are built of."""
    blocks: list[matrix_tiles.MatrixTiles] = []

    class CountedTiles(matrix_tiles.MatrixTiles):
        """Tiles that are counted."""

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            blocks.append(self)

    for module in (tiled_dots, builder):
        monkeypatch.setattr(module, "MatrixTiles", CountedTiles)
    return blocks


@needs_tiles
@pytest.mark.parametrize("check", [False, True])
def test_rows_of_any_number_are_multiplied_in_tiles(
    check: bool, blocks: list[matrix_tiles.MatrixTiles]
) -> None:
    executable, versions = compiled(DOT, check=check)
    weights = numbers((64, 40), "i8", 1)
    for rows in (70, 33, 500, 64, 17, 9, 2, 1):
        left = numbers((rows, 64), "i8", rows)
        expected = left.astype(np.int32) @ weights.astype(np.int32)
        np.testing.assert_array_equal(np.asarray(executable(left, weights)), expected)
    assert blocks
    assert not versions.failures


@needs_tiles
@pytest.mark.parametrize("window", [1, 3])
def test_any_number_of_images_is_convolved_in_tiles(
    window: int, blocks: list[matrix_tiles.MatrixTiles]
) -> None:
    side = window // 2
    text = CONVOLUTION.replace("WINDOW", f"{window}x{window}")
    executable, versions = compiled(text.replace("PADDING", str([[side, side]] * 2)))
    kernel = numbers((window, window, 64, 32), "i8", 1)
    for images in (4, 1, 3, 16, 2):
        image = numbers((images, 6, 5, 64), "i8", images)
        padded = np.pad(image.astype(np.int32), ((0, 0), (side, side), (side, side), (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (window, window), (1, 2))
        expected = np.einsum("blpfyx,yxfo->blpo", windows, kernel.astype(np.int32))
        np.testing.assert_array_equal(np.asarray(executable(image, kernel)), expected)
    assert blocks
    assert not versions.failures
