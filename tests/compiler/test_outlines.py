"""Outlines: loops that differ in strides and extents alone have one code."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.compiled import CompiledExecutable
from stablemate.compiler.nest.buffers import Buffer
from stablemate.compiler.nest.expressions import Expression, Expressions
from stablemate.compiler.nest.outlines import outlined
from stablemate.compiler.nest.statements import Fold, Loop, Store

WIDTH = 4


class Rows:
    """A loop over rows that are copied: ``to[stride * i + lane] = from[stride * i + lane + at]``.

    Attributes:
        table: Makes expressions.
        around: An index of a loop around it.
        source: What is read.
        target: What is written.
    """

    def __init__(self) -> None:
        self.table = Expressions()
        self.around = self.table.loop_index("around", 3)
        self.source = Buffer("source", "f32", (1000,))
        self.target = Buffer("target", "f32", (1000,))

    def loop(self, extent: int, stride: int, at: int = 0, target: Buffer | None = None) -> Loop:
        """The loop."""
        row, lane = self.table.loop_index("row", extent), self.table.loop_index("lane", WIDTH)
        place = row * stride + lane
        value = self.table.load_at(self.source, place + self.around * 7 + at)
        store = Store(target or self.target, place, value)
        return Loop(row, extent, "serial", [Loop(lane, WIDTH, "vector", [store])], apart=True)


def test_loops_of_other_strides_extents_and_places_are_one_function() -> None:
    first, second = outlined(Rows().loop(5, 30)), outlined(Rows().loop(9, 50, at=20))
    assert first is not None
    assert second is not None
    assert first.identity == second.identity
    assert (first.numbers, second.numbers) == ([5, 30, 30], [9, 50, 50])
    assert [buffer.name for buffer, _ in second.memory] == ["target", "source"]
    assert str(second.memory[1][1].detail) == "(20, 7)"


def test_neighbours_are_not_strides() -> None:
    apart, neighbours = outlined(Rows().loop(5, 30)), outlined(Rows().loop(5, WIDTH))
    assert apart is not None
    assert neighbours is not None
    assert apart.identity != neighbours.identity


def test_what_is_written_at_two_places_has_a_code_of_its_own() -> None:
    rows = Rows()
    loop = rows.loop(5, 30, at=1, target=rows.source)
    assert outlined(loop) is None


def an_index(table: Expressions, row: Expression) -> Expression:
    """An index as a value."""
    return table.convert("sitofp", table.number(row), "f32")


def a_quotient(table: Expressions, row: Expression) -> Expression:
    """An element at a place that is no sum of strides."""
    return table.load_at(Buffer("x", "f32", (100,)), row // 3)


@pytest.mark.parametrize("value", [an_index, a_quotient])
def test_what_depends_on_more_than_strides_has_a_code_of_its_own(value: Any) -> None:
    table = Expressions()
    row, target = table.loop_index("row", 10), Buffer("target", "f32", (10,))
    statement = Fold(target, row, "fadd", value(table, row))
    assert outlined(Loop(row, 10, "serial", [statement], apart=True)) is None


def convolutions(*sizes: tuple[int, int, int]) -> str:
    """A program of convolutions, each of an image and a kernel of one point."""
    lines: list[str] = []
    arguments: list[str] = []
    results: list[str] = []
    for i, (points, inputs, outputs) in enumerate(sizes):
        image, kernel = f"tensor<1x{points}x14x{inputs}xf32>", f"tensor<1x1x{inputs}x{outputs}xf32>"
        result = f"tensor<1x{points}x14x{outputs}xf32>"
        arguments += [f"%x{i}: {image}", f"%k{i}: {kernel}"]
        lines.append(
            f"%{i} = stablehlo.convolution(%x{i}, %k{i}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
            "[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
            f" : ({image}, {kernel}) -> {result}"
        )
        results.append(result)
    names = ", ".join(f"%{i}" for i in range(len(sizes)))
    types, body = ", ".join(results), "\n".join(lines)
    return (
        f"func.func public @main({', '.join(arguments)}) -> ({types}) {{\n{body}\n"
        f"return {names} : {types}\n}}"
    )


def test_convolutions_of_other_sizes_share_the_code_of_their_tiles() -> None:
    module = sm.load(convolutions((14, 64, 128), (28, 32, 64), (7, 128, 96)))
    executable = CompiledExecutable(cast(Any, module.executable("main", backend="interpreter")))
    texts = executable.texts
    kernels = {name for name in texts.names if not name.endswith(("lhs", "rhs"))}
    assert len({texts.names[each] for each in kernels}) == 3
    assert [name for name in texts.functions if name.startswith("common")] == ["common0"]
    rng = np.random.default_rng(0)
    arguments = [
        rng.standard_normal(each.type.shape).astype(np.float32)  # pyright: ignore
        for each in executable.signature.arguments
    ]
    for result, expected in zip(
        executable(*arguments), module.run(*arguments, backend="interpreter"), strict=True
    ):
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)
