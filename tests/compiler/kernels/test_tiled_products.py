"""Dots and convolutions in tile registers: exact sums of bytes, near sums of ``bf16``."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config import target as targets
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import Target, host, machine_of
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expressions
from stablemate.compiler.loops.statements import (
    ClearTile,
    Kernel,
    MoveTile,
    MultiplyTiles,
    Statement,
    TileShape,
)
from stablemate.compiler.loops.verifier import verify
from stablemate.compiler.plan.plan import LaunchStep
from tests.compiler.child_processes import Child
from tests.compiler.guard_pages import guarded
from tests.compiler.plan_evaluation import difference

HAS_TILES: Final = {"tile_of_bfloat16", "tile_of_i8"} <= machine_of(host()).instructions
needs_tiles = pytest.mark.skipif(not HAS_TILES, reason="this processor has no tile registers")
UNIT: Final = 2.0**-24
SMALLEST: Final = 2.0**-126  # what is smaller counts as zero
DTYPES: Final[dict[str, Any]] = {"bf16": ml_dtypes.bfloat16, "i8": np.int8, "ui8": np.uint8}
STORED: Final = {"i8": "!quant.uniform<i8:f32, 0.5:3>", "ui8": "!quant.uniform<u8:f32, 0.5:130>"}
WEIGHTS: Final = "!quant.uniform<i8:f32, 0.5>"
SUMS: Final = "!quant.uniform<i32:f32, 0.25>"
ZERO_POINTS: Final = {"i8": 3, "ui8": 130, "bf16": 0}
EDGES: Final = (4, 15, 16, 17, 31, 33)
DEPTHS: Final = (32, 40, 64, 72, 96, 132)


def compiled(text: str, target: Target | None = None, **options: bool) -> CompiledExecutable:
    """Native code of a program."""
    interpreted: Any = sm.load(text).executable("main", backend="interpreter")
    return CompiledExecutable(interpreted, target, options=CompileOptions(**options))


def uses_tiles(executable: CompiledExecutable) -> bool:
    """Whether a kernel of a program has tiles."""
    launches = [step for step in executable.plan.steps if isinstance(step, LaunchStep)]
    return any(launch.kernel.tiles for launch in launches)


def numbers(shape: tuple[int, ...], element: str, seed: int) -> Any:
    """Random elements: bytes of all sizes, or normally distributed floats."""
    random = np.random.default_rng(seed)
    if element == "bf16":
        return random.standard_normal(shape).astype(DTYPES[element])
    limits = np.iinfo(DTYPES[element])
    return random.integers(limits.min, limits.max, shape, endpoint=True).astype(DTYPES[element])


def dot_text(lhs: str, rhs: str, result: str, dimensions: str) -> str:
    """A program of a dot."""
    return f"""func.func @main(%a: tensor<{lhs}>, %b: tensor<{rhs}>) -> tensor<{result}> {{
  %0 = stablehlo.dot_general %a, %b, {dimensions} : (tensor<{lhs}>, tensor<{rhs}>) -> tensor<{result}>
  return %0 : tensor<{result}>
}}"""  # noqa: E501


def assert_near(actual: Any, lhs: Any, rhs: Any, depth: int, unit: float = 0) -> None:
    """Asserts that sums of products are within the documented bound, then rounded at most once."""
    exact, absolute = lhs @ rhs, np.abs(lhs) @ np.abs(rhs)
    bound = depth * UNIT / (1 - depth * UNIT) * absolute + 2 * depth * SMALLEST
    bound += unit * (np.abs(exact) + bound)
    error = np.abs(np.asarray(actual, np.float64) - exact)
    assert np.all(error <= bound), np.max(error - bound)


@needs_tiles
@pytest.mark.parametrize(("left", "right"), [*product(("i8", "ui8"), repeat=2)])
@pytest.mark.parametrize("rows", EDGES)
@pytest.mark.parametrize("columns", EDGES)
def test_sums_of_bytes_are_exact(left: str, right: str, rows: int, columns: int) -> None:
    depth = DEPTHS[(rows + columns) % len(DEPTHS)]
    types = f"{rows}x{depth}x{left}", f"{depth}x{columns}x{right}", f"{rows}x{columns}xi32"
    executable = compiled(dot_text(*types, "contracting_dims = [1] x [0]"))
    assert uses_tiles(executable) or left != right  # factors of several types are widened before
    a, b = numbers((rows, depth), left, 0), numbers((depth, columns), right, 1)
    expected = a.astype(np.int32) @ b.astype(np.int32)
    np.testing.assert_array_equal(executable(a, b), expected)


@needs_tiles
@pytest.mark.parametrize("left", STORED)
@pytest.mark.parametrize("rows", EDGES)
def test_zero_points_are_subtracted(left: str, rows: int) -> None:
    types = f"{rows}x128x{STORED[left]}", f"128x70x{WEIGHTS}", f"{rows}x70x{SUMS}"
    executable = compiled(dot_text(*types, "contracting_dims = [1] x [0]"))
    assert uses_tiles(executable)
    a, b = numbers((rows, 128), left, 0), numbers((128, 70), "i8", 1)
    expected = (a.astype(np.int32) - ZERO_POINTS[left]) @ b.astype(np.int32)
    np.testing.assert_array_equal(executable(a, b), expected)


@needs_tiles
@pytest.mark.parametrize("result", ["f32", "bf16"])
@pytest.mark.parametrize("transposed", ["", "a", "b", "ab"])
@pytest.mark.parametrize("batch", [(), (3,)], ids=str)
@pytest.mark.parametrize(("rows", "depth", "columns"), [(31, 64, 17), (33, 320, 48), (5, 16, 70)])
def test_sums_of_bfloats_are_near(
    result: str, transposed: str, batch: tuple[int, ...], rows: int, depth: int, columns: int
) -> None:
    lhs = (*batch, *((depth, rows) if "a" in transposed else (rows, depth)))
    rhs = (*batch, *((columns, depth) if "b" in transposed else (depth, columns)))
    first, count = len(batch), [*range(len(batch))]
    left, right = first + ("a" not in transposed), first + ("b" in transposed)
    batching = f"batching_dims = {count} x {count}, " * bool(batch)
    shapes = [
        f"{'x'.join(map(str, shape))}x{element}"
        for shape, element in ((lhs, "bf16"), (rhs, "bf16"), ((*batch, rows, columns), result))
    ]
    executable = compiled(dot_text(*shapes, f"{batching}contracting_dims = [{left}] x [{right}]"))
    assert uses_tiles(executable)
    a, b = numbers(lhs, "bf16", 0), numbers(rhs, "bf16", 1)
    actual = executable(a, b)
    a, b = a.astype(np.float64), b.astype(np.float64)
    a = a.swapaxes(-1, -2) if "a" in transposed else a
    b = b.swapaxes(-1, -2) if "b" in transposed else b
    assert_near(actual, a, b, depth, 2.0**-8 if result == "bf16" else 0)


@needs_tiles
@pytest.mark.parametrize("scale", [1.0, 1e-19, 1e18])
def test_native_code_has_the_bits_of_its_plan(scale: float) -> None:
    """The sums have the order, the roundings and the small numbers that the loops define."""
    text = dot_text("17x64xbf16", "64x33xbf16", "17x33xf32", "contracting_dims = [1] x [0]")
    a, b = numbers((17, 64), "bf16", 0), numbers((64, 33), "bf16", 1)
    a, b = (scale * a.astype(np.float32)).astype(a.dtype), (scale * b).astype(b.dtype)
    assert not difference(compiled(text), (a, b))
    a[0, :3] = np.nan, np.inf, -np.inf
    assert np.isnan(compiled(text)(a, b)[0]).all()


@dataclass(frozen=True, slots=True)
class Windows:
    """A convolution of an image with its features last."""

    batch: int
    size: tuple[int, int]
    features: int
    window: tuple[int, int]
    outputs: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    groups: int = 1

    @property
    def image(self) -> tuple[int, ...]:
        """The shape of the image."""
        return self.batch, *self.size, self.features

    @property
    def kernel(self) -> tuple[int, ...]:
        """The shape of the kernel."""
        return *self.window, self.features // self.groups, self.outputs

    @property
    def counts(self) -> list[int]:
        """The points of the result."""
        return [
            (size + 2 * self.padding - (window - 1) * self.dilation - 1) // self.stride + 1
            for size, window in zip(self.size, self.window, strict=True)
        ]

    def text(self, image: str, kernel: str, result: str) -> str:
        """The program, given the types of elements."""
        shapes = self.image, self.kernel, (self.batch, *self.counts, self.outputs)
        a, b, c = (
            f"tensor<{'x'.join(map(str, shape))}x{element}>"
            for shape, element in zip(shapes, (image, kernel, result), strict=True)
        )
        pad = [[self.padding] * 2] * 2
        window = f"stride = {[self.stride] * 2}, pad = {pad}, rhs_dilate = {[self.dilation] * 2}"
        return f"""func.func @main(%a: {a}, %b: {b}) -> {c} {{
  %0 = stablehlo.convolution(%a, %b)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{{window}}}
    {{batch_group_count = 1 : i64, feature_group_count = {self.groups} : i64}}
    : ({a}, {b}) -> {c}
  return %0 : {c}
}}"""

    def sums(self, image: Any, kernel: Any) -> Any:
        """The sums of products in the type of the operands."""
        padding = [(0, 0), *[(self.padding,) * 2] * 2, (0, 0)]
        image, (lines, points) = np.pad(image, padding), self.counts
        result = np.zeros((self.batch, lines, points, self.outputs), image.dtype)
        inputs, outputs = self.features // self.groups, self.outputs // self.groups
        for i, j, group in product(*map(range, self.window), range(self.groups)):
            top, left = i * self.dilation, j * self.dilation
            part = image[
                :,
                top : top + (lines - 1) * self.stride + 1 : self.stride,
                left : left + (points - 1) * self.stride + 1 : self.stride,
                group * inputs : (group + 1) * inputs,
            ]
            columns = slice(group * outputs, (group + 1) * outputs)
            result[..., columns] += part @ kernel[i, j][:, columns]
        return result


CONVOLUTIONS: Final = {
    "1x1": Windows(1, (14, 14), 64, (1, 1), 64),
    "strided 1x1": Windows(1, (15, 14), 64, (1, 1), 40, stride=2),
    "3x3": Windows(2, (15, 33), 32, (3, 3), 48, padding=1),
    "3x3 of few points": Windows(1, (7, 7), 64, (3, 3), 33, padding=1),
    "strided": Windows(2, (15, 13), 32, (3, 3), 48, stride=2, padding=1),
    "first": Windows(1, (32, 30), 3, (7, 7), 64, stride=2, padding=3),
    "odd features, not padded": Windows(3, (9, 40), 3, (3, 7), 17),
    "dilated": Windows(1, (20, 20), 64, (3, 3), 40, padding=2, dilation=2),
    "grouped": Windows(1, (9, 33), 128, (3, 3), 64, padding=1, groups=2),
    "aliased lines": Windows(1, (12, 16), 1024, (1, 1), 32),
}


@needs_tiles
@pytest.mark.parametrize("name", CONVOLUTIONS)
@pytest.mark.parametrize("result", ["f32", "bf16"])
def test_convolutions_of_bfloats_are_near(name: str, result: str) -> None:
    windows = CONVOLUTIONS[name]
    executable = compiled(windows.text("bf16", "bf16", result))
    assert uses_tiles(executable)
    image, kernel = numbers(windows.image, "bf16", 0), numbers(windows.kernel, "bf16", 1)
    actual = np.asarray(executable(image, kernel), np.float64)
    image, kernel = image.astype(np.float64), kernel.astype(np.float64)
    exact = windows.sums(image, kernel)
    absolute = windows.sums(np.abs(image), np.abs(kernel))
    depth = int(np.prod(windows.kernel[:-1]))
    bound = depth * UNIT / (1 - depth * UNIT) * absolute + 2 * depth * SMALLEST
    bound += (np.abs(exact) + bound) * 2.0**-8 * (result == "bf16")
    assert np.all(np.abs(actual - exact) <= bound)


@needs_tiles
@pytest.mark.parametrize("name", CONVOLUTIONS)
@pytest.mark.parametrize("image_type", STORED)
def test_convolutions_of_bytes_are_exact(name: str, image_type: str) -> None:
    """The padding is what the zero point stands for."""
    windows = CONVOLUTIONS[name]
    executable = compiled(windows.text(STORED[image_type], WEIGHTS, SUMS))
    image, kernel = numbers(windows.image, image_type, 0), numbers(windows.kernel, "i8", 1)
    assert uses_tiles(executable) or windows.features % 4
    expected = windows.sums(
        image.astype(np.int64) - ZERO_POINTS[image_type], kernel.astype(np.int64)
    )
    np.testing.assert_array_equal(executable(image, kernel), expected)


def checked_program(name: str, element: str) -> tuple[str, list[Any]]:
    """A convolution and its arguments."""
    windows = CONVOLUTIONS[name]
    image = numbers(windows.image, element, 0)
    if element == "bf16":
        return windows.text("bf16", "bf16", "bf16"), [image, numbers(windows.kernel, "bf16", 1)]
    text = windows.text(STORED[element], WEIGHTS, SUMS)
    return text, [image, numbers(windows.kernel, "i8", 1)]


@needs_tiles
@pytest.mark.parametrize("name", CONVOLUTIONS)
@pytest.mark.parametrize("element", ["bf16", "ui8"])
def test_checked_code_gives_the_same(name: str, element: str) -> None:
    text, arguments = checked_program(name, element)
    plain, checked = compiled(text), compiled(text, check=True)
    np.testing.assert_array_equal(plain(*arguments), checked(*arguments))


def guarded_differs(name: str, element: str) -> bool:
    """Whether a program gives something else between pages that nobody may touch."""
    text, arguments = checked_program(name, element)
    executable = compiled(text)
    expected = np.asarray(executable(*arguments))
    return any(
        not np.array_equal(guarded(executable, arguments, at_end=at_end)[0], expected)
        for at_end in (True, False)
    )


@needs_tiles
@pytest.mark.skipif(sys.platform == "win32", reason="the system has no mprotect")
def test_nothing_outside_of_memory_is_read() -> None:
    with Child(patience=600) as child:
        for name, element in product(CONVOLUTIONS, ("bf16", "i8")):
            assert not child.ask(guarded_differs, name, element)


def test_a_processor_whose_tiles_are_not_permitted_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    features = "+avx512f,+avx512vl,+amx-tile,+amx-bf16,+amx-int8"
    processor = Target("x86_64-unknown-linux-gnu", "sapphirerapids", features, 64)
    tiles = {"tile_of_bfloat16", "tile_of_i8"}
    for is_permitted in (True, False):
        monkeypatch.setattr(targets, "asks_for_tiles", lambda answer=is_permitted: answer)
        target = targets.permitted_target(processor)
        assert tiles & machine_of(target).instructions == (tiles if is_permitted else set())
    assert targets.permitted_target(replace(processor, features="+avx512f")).features == "+avx512f"


TABLE: Final = Expressions()
ZERO: Final = TABLE.sum(0, ())
MEMORY: Final = Buffer("x", "i32", (4, 16))
SHAPES: Final = [TileShape(4, 16), TileShape(4, 3), TileShape(3, 16)]
PRODUCT: Final = MultiplyTiles("tile_of_signed_i8", 0, 1, 2)
WRONG: Final[dict[str, tuple[list[Statement], list[TileShape]]]] = {
    "is not inside": ([MoveTile(0, MEMORY, ZERO + 1, 16)], SHAPES),
    "no shape of tiles": ([ClearTile(3)], SHAPES),
    "a tile of 17 x 16": ([ClearTile(0)], [TileShape(17, 16)]),
    "there are 9 tiles": ([ClearTile(0)], 3 * SHAPES),
    "have other extents than a product": ([PRODUCT], [*SHAPES[:2], TileShape(4, 16)]),
    "is no product": ([MultiplyTiles("quad_of_i8", 0, 1, 2)], SHAPES),
    "holds no words": ([MoveTile(0, Buffer("x", "i8", (256,)), ZERO, 16, stores=True)], SHAPES),
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_tiles_are_found(message: str) -> None:
    statements, shapes = WRONG[message]
    buffers = [s.buffer for s in statements if isinstance(s, MoveTile)] or [MEMORY]
    right = [MoveTile(0, MEMORY, ZERO, 16), PRODUCT]
    verify(Kernel("k", [MEMORY], right, tiles=SHAPES))
    with pytest.raises(sm.CompileError, match=message):
        verify(Kernel("k", buffers, statements, tiles=shapes))
