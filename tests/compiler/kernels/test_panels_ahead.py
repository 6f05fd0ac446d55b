"""Panels that products fetch while they multiply with the panels before them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stablemate.compiler.kernels.contraction import matrix_operands
from stablemate.compiler.kernels.contraction.matrix_operands import LINE, SECOND, PanelsAhead
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expressions, terms_of
from stablemate.compiler.loops.statements import Fetch, substitute_expression
from tests.compiler.kernels.test_depth_blocks import compiled, fetches
from tests.compiler.kernels.test_dot import values
from tests.compiler.plan_evaluation import difference


def product(rows: int, depth: int, columns: int, element: str) -> str:
    """A product with a matrix that is computed from constants."""
    left, right, result = (
        f"tensor<{m}x{n}x{element}>" for m, n in ((rows, depth), (depth, columns), (rows, columns))
    )
    return f"""func.func @main(%x: {left}) -> {result} {{
      %i = stablehlo.iota dim = 0 : {right}
      %j = stablehlo.iota dim = 1 : {right}
      %s = stablehlo.add %i, %j : {right}
      %w = stablehlo.cosine %s : {right}
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : ({left}, {right}) -> {result}
      return %y : {result}
    }}"""


@pytest.mark.parametrize(("rows", "columns"), [(29, 67), (16, 96)])
def test_products_with_a_large_constant_matrix_fetch_ahead(
    rows: int, columns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    depth = 17
    monkeypatch.setattr(matrix_operands, "SECOND", 1 << 10)
    executable = compiled(product(rows, depth, columns, "f32"), tmp_path, monkeypatch)
    assert fetches(executable)
    x = values((rows, depth), "f32", 1)
    assert not difference(executable, [x])
    matrix = np.cos(np.add.outer(np.arange(depth), np.arange(columns)).astype(np.float32))
    expected = x.astype(np.float64) @ matrix.astype(np.float64)
    bound = depth * np.finfo(np.float32).eps * np.abs(expected).max()
    assert np.abs(np.asarray(executable(x)) - expected).max() <= bound


def test_products_with_a_matrix_that_the_second_cache_holds_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not fetches(compiled(product(40, 33, 96, "f32"), tmp_path, monkeypatch))


@pytest.mark.parametrize("passes", [2, 3, 10])
@pytest.mark.parametrize("steps", [1, 4])
def test_the_tiles_of_a_group_fetch_every_line_of_the_next_one(passes: int, steps: int) -> None:
    table, depth, columns, length = Expressions(), 12, 32, 2
    panels = Buffer("panels", "f32", (SECOND // (4 * depth * columns) + 1, depth, columns))
    tiles = passes * length
    turn, step = table.loop_index("t", tiles), table.loop_index("k", depth // steps)
    ahead = PanelsAhead(table.sum(3 * length, ()), turn, passes)
    places: set[int] = set()
    for statement in ahead.fetches(panels, (), step * steps, steps):
        assert isinstance(statement, Fetch)
        for t in range(tiles):
            for k in range(depth // steps):
                at = {turn: table.sum(t, ()), step: table.sum(k, ())}
                atoms = {terms_of(index)[1][0][0]: value for index, value in at.items()}
                place, rest = terms_of(substitute_expression(statement.place, atoms, {}))
                assert not rest
                assert isinstance(place, int)
                places.add(place)
    line = LINE // 4
    group = range(3 * length * depth * columns, 4 * length * depth * columns)
    assert {place // line for place in group} <= {place // line for place in places}
    assert min(places) == group.start


def test_one_tile_that_reads_each_panel_once_fetches_nothing() -> None:
    table = Expressions()
    panels = Buffer("panels", "f32", (SECOND, 12, 32))
    zero = table.sum(0, ())
    assert not PanelsAhead(zero, zero, 1).fetches(panels, (), zero)
