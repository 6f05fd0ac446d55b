"""Outlines: loops that differ in strides and extents alone have one code."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.executables import function_operations
from stablemate.compiler.codegen.instructions import BRIEF
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.outlined_loops import is_movement, outline_loop
from stablemate.compiler.loops.statements import Fold, Loop, StoreElement
from tests.compiler.plans import compilation
from tests.machines import MACHINES

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
        store = StoreElement(target or self.target, place, value)
        return Loop(row, extent, "serial", [Loop(lane, WIDTH, "vector", [store])], apart=True)


def test_loops_of_other_strides_extents_and_places_are_one_function() -> None:
    first, second = outline_loop(Rows().loop(5, 30)), outline_loop(Rows().loop(9, 50, at=20))
    assert first is not None
    assert second is not None
    assert first.identity == second.identity
    assert (first.numbers, second.numbers) == ([5, 30, 30], [9, 50, 50])
    assert [buffer.name for buffer, _ in second.memory] == ["target", "source"]
    assert str(second.memory[1][1].detail) == "(20, 7)"


def test_neighbors_are_not_strides() -> None:
    apart, neighbors = outline_loop(Rows().loop(5, 30)), outline_loop(Rows().loop(5, WIDTH))
    assert apart is not None
    assert neighbors is not None
    assert apart.identity != neighbors.identity


def test_places_near_one_another_have_one_argument() -> None:
    rows, texts = Rows(), list[list[str]]()
    for far in (40, 900):
        row, lane = rows.table.loop_index("row", 3), rows.table.loop_index("lane", WIDTH)
        place = row * 30 + lane
        values = [rows.table.load_at(rows.source, place + at) for at in (0, far)]
        stores = [StoreElement(rows.target, place, values[0] + values[1])]
        outline = outline_loop(Loop(row, 3, "serial", [Loop(lane, WIDTH, "vector", stores)]))
        assert outline is not None
        texts.append([buffer.name for buffer, _ in outline.memory])
    assert texts == [["target", "source"], ["target", "source", "source"]]


def test_inner_loops_that_run_once_share_the_code_of_those_that_run_often() -> None:
    identities: set[Any] = set()
    for extent in (1, 8):
        table = Expressions()
        source, target = Buffer("source", "f32", (1000,)), Buffer("target", "f32", (1000,))
        row, column = table.loop_index("row", 10), table.loop_index("column", extent)
        place = row * 3 * extent + column * 3
        store = StoreElement(target, place, table.load_at(source, place))
        inner = Loop(column, extent, "serial", [store])
        outline = outline_loop(Loop(row, 10, "serial", [inner], apart=True))
        assert outline is not None
        identities.add(outline.identity)
    assert len(identities) == 1


def a_square(rows_first: bool) -> Loop:
    """A square of a matrix with 100 columns, transposed, or transposed back."""
    table = Expressions()
    wide, narrow = Buffer("wide", "f32", (400,)), Buffer("narrow", "f32", (16,), "stack")
    i, j = table.loop_index("i", WIDTH), table.loop_index("j", WIDTH)
    if rows_first:
        store = StoreElement(narrow, j * WIDTH + i, table.load_at(wide, i * 100 + j))
    else:
        store = StoreElement(wide, j * 100 + i, table.load_at(narrow, i * WIDTH + j))
    square = Loop(i, WIDTH, "unroll", [Loop(j, WIDTH, "vector", [store])])
    return Loop(table.loop_index("once", 1), 1, "serial", [square], apart=True)


def test_squares_are_transposed_and_transposed_back_by_one_function() -> None:
    there, back = outline_loop(a_square(True)), outline_loop(a_square(False))
    assert there is not None
    assert back is not None
    assert there.identity == back.identity
    assert [sorted(item.numbers) for item in (there, back)] == [[WIDTH, 100]] * 2
    assert there.numbers == back.numbers[::-1]


def test_what_is_written_at_two_places_has_a_code_of_its_own() -> None:
    rows = Rows()
    loop = rows.loop(5, 30, at=1, target=rows.source)
    assert outline_loop(loop) is None


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
    assert outline_loop(Loop(row, 10, "serial", [statement], apart=True)) is None


def a_copy(extent: int, value: Any = None) -> Loop:
    """A loop over vectors that are stored elsewhere, maybe changed."""
    rows = Rows()
    loop = rows.loop(extent, 30)
    (vector,) = loop.body
    assert isinstance(vector, Loop)
    (store,) = vector.body
    assert isinstance(store, StoreElement)
    if value is not None:
        vector.body = [StoreElement(store.buffer, store.place, store.value * value)]
    loop.apart = False
    return loop


def test_movements_are_loops_that_store_many_elements_as_they_were_loaded() -> None:
    assert is_movement(a_copy(30))
    assert not is_movement(a_copy(2))
    assert not is_movement(a_copy(30, 2.0))


def test_movements_are_common_and_those_who_only_call_are_brief() -> None:
    x, y = "tensor<128x1024xf32>", "tensor<1024x1024xf32>"
    executable: Any = sm.compile(
        sm.load(f"""func.func @main(%x: {x}, %y: {y}, %z: {y}) -> ({x}, {x}) {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({x}, {y}) -> {x}
  %1 = stablehlo.dot_general %0, %z, contracting_dims = [1] x [0] : ({x}, {y}) -> {x}
  %2 = stablehlo.negate %x : {x}
  return %1, %2 : {x}, {x}
}}"""),
        backend="cpu",
    )
    heads = {
        name: next(line for line in text.splitlines() if line.startswith("define"))
        for name, text in executable.kernel_functions.functions.items()
    }
    brief = {name for name, head in heads.items() if head.endswith(f" {BRIEF} {{")}
    kernels = set(executable.kernel_functions.names.values())
    assert {
        kernel
        for kernel in kernels
        if "call void @common" in executable.kernel_functions.functions[kernel]
    }
    assert brief < kernels
    assert brief == {
        kernel for kernel in kernels if "store" not in executable.kernel_functions.functions[kernel]
    }


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
    functions = {function.symbol: function for function in function_operations(module.ir)}
    texts = compilation(functions, "main", MACHINES["avx512"]).kernel_functions
    kernels = {name for name in texts.names if not name.endswith(("lhs", "rhs"))}
    assert len({texts.names[kernel] for kernel in kernels}) == 3
    assert [name for name in texts.functions if name.startswith("common")] == ["common0"]
    rng = np.random.default_rng(0)
    arguments = [
        rng.standard_normal(argument.type.shape).astype(np.float32)  # pyright: ignore
        for argument in executable.signature.arguments
    ]
    for result, expected in zip(
        executable(*arguments), module.run(*arguments, backend="interpreter"), strict=True
    ):
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)
