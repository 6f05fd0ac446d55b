"""Where elements lie: positions from the layout rules by hand, an independent construction, XLA."""

from __future__ import annotations

import math
import random
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from stablemate.xla.explain import explain_shape, explanation
from stablemate.xla.layout import COMBINED, Layout
from stablemate.xla.primitive_types import F32
from stablemate.xla.shape import Shape
from tests.oracle.client import Oracle

# Shape, elements in the buffer, positions of indices: by the formula of tiled layouts, by hand.
POSITIONS: list[tuple[str, int, dict[tuple[int, ...], int]]] = [
    ("f32[2,3]{1,0}", 6, {(1, 2): 5, (1, 0): 3}),
    ("f32[2,3]{0,1}", 6, {(1, 2): 5, (1, 0): 1, (0, 1): 2}),
    (
        *("f32[3,5]{1,0:T(2,2)}", 24),
        {(0, 0): 0, (0, 1): 1, (1, 0): 2, (2, 3): 17, (2, 4): 20},
    ),
    ("f32[3,5]{0,1:T(2,2)}", 24, {(1, 0): 1, (2, 1): 6, (2, 4): 20}),
    (
        *("f32[4,8]{1,0:T(2,4)(2,1)}", 32),
        {(0, 1): 2, (1, 0): 1, (1, 1): 3, (2, 0): 16, (0, 4): 8, (3, 5): 27},
    ),
    ("f32[8,8]{1,0:T(2,4)(2,1,1,1)}", 64, {(6, 5): 51}),
    (
        *("bf16[16,256]{1,0:T(8,128)(2,1)}", 4096),
        {
            (1, 0): 1,
            (0, 1): 2,
            (2, 0): 256,
            (0, 128): 1024,
            (8, 0): 2048,
            (9, 130): 3077,
            (15, 255): 4095,
        },
    ),
    (
        *("f32[2,3,4,5]{3,2,1,0:T(*,2,*,3)}", 126),
        {(0, 1, 0, 0): 3, (1, 0, 0, 0): 45, (1, 2, 3, 4): 124},
    ),
    ("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", 12432, {(1, 6, 7, 10, 9): 12430}),
    ("f32[3,4,5]{1,2,0:T(2,4)(2,1)}", 72, {}),
    ("f32[10,7]{1,0:T(8,4)(4,1)}", 128, {}),
    ("s4[300]{0:T(256)L(512)E(4)}", 512, {(299,): 299}),
    ("f32[]{:T(128)}", 128, {(): 0}),
    ("f32[0,3]", 0, {}),
]


@pytest.mark.parametrize(("text", "elements", "positions"), POSITIONS)
def test_positions_of_elements(
    text: str, elements: int, positions: dict[tuple[int, ...], int]
) -> None:
    shape = Shape(text)
    assert shape.buffer_elements == elements
    for index, position in positions.items():
        assert shape.linear_index(index) == position
        assert shape.multi_index(position) == index


def independent(shape: Shape, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements in memory order: transpose, then pad, reshape and transpose for each tile."""
    layout = shape.layout
    assert layout is not None
    array = np.transpose(array, layout.minor_to_major[::-1])
    for tile in layout.tiles:
        first = array.ndim - len(tile)
        sizes, waiting = list(array.shape[:first]), 1
        for size, along in zip(array.shape[first:], tile, strict=True):
            waiting *= size
            if along != COMBINED:
                sizes.append(waiting)
                waiting = 1
        array = array.reshape(sizes)
        tile = tuple(along for along in tile if along != COMBINED)
        widths = [(0, 0)] * first
        widths += [(0, math.ceil(n / t) * t - n) for n, t in zip(sizes[first:], tile, strict=True)]
        array = np.pad(array, widths)
        cut = list(sizes[:first])
        for n, t in zip(array.shape[first:], tile, strict=True):
            cut += [n // t, t]
        outer = [first + 2 * i for i in range(len(tile))]
        array = array.reshape(cut).transpose(*range(first), *outer, *(i + 1 for i in outer))
    flat = array.reshape(-1)
    return np.pad(flat, (0, -flat.size % layout.tail_padding))


def random_shape(choose: random.Random) -> Shape:
    """A shape of up to five dimensions with up to two tiles, `*` among them."""
    rank = choose.randint(0, 5)
    sizes = tuple(choose.randint(1, 7) for _ in range(rank))
    order = list(range(rank))
    choose.shuffle(order)
    tiles: list[tuple[int, ...]] = []
    current = rank
    for _ in range(choose.choice([0, 1, 1, 2]) if rank else 0):
        tile = [choose.randint(1, 4) for _ in range(choose.randint(1, current))]
        for place in range(len(tile) - 1):
            if choose.random() < 0.25:
                tile[place] = COMBINED
        plain = sum(along != COMBINED for along in tile)
        current = current - len(tile) + 2 * plain
        tiles.append(tuple(tile))
    padding = choose.choice([1, 1, 1, 4, 7])
    return Shape(F32, sizes, layout=Layout(tuple(order), tuple(tiles), padding))


@pytest.mark.parametrize("seed", range(300))
def test_random_layouts_are_pads_reshapes_and_transposes(seed: int) -> None:
    shape = random_shape(random.Random(seed))
    array = np.arange(1, 1 + math.prod(shape.dimensions), dtype=np.float32)
    array = array.reshape(shape.dimensions)
    expected = independent(shape, array)
    buffer = shape.to_buffer(array)
    assert shape.buffer_elements == expected.size
    assert buffer.view(np.float32).tolist() == expected.tolist()
    assert np.array_equal(shape.from_buffer(buffer), array)
    collected = [shape.multi_index(position) for position in range(expected.size)]
    assert [0 if index is None else array[index] for index in collected] == expected.tolist()
    for index in np.ndindex(*shape.dimensions):
        assert expected[shape.linear_index(index)] == array[index]


@pytest.mark.parametrize("order", ["0,1,2", "2,0,1", "1,2,0", "2,1,0"])
@pytest.mark.parametrize("element", ["f32", "u8"])
def test_untiled_buffers_are_those_of_xla(oracle: Oracle, order: str, element: str) -> None:
    shape = Shape(f"{element}[2,3,4]{{{order}}}")
    array = np.arange(24, dtype=shape.element_type.dtype).reshape(2, 3, 4)
    values = str(array.tolist()).replace("[", "{").replace("]", "}")
    text = f"HloModule m\nENTRY e {{ ROOT c = {shape} constant({values}) }}"
    # A literal's elements stand in a protocol buffer in the order of its layout.
    assert shape.to_buffer(array).tobytes() in oracle.hlo_proto(text)


@pytest.mark.parametrize("text", ["f32[70,33,40]{0,1,2}", "s8[130,3,70]{0,2,1:T(8,128)(4,1)}"])
def test_large_arrays_are_copied_in_pieces(text: str) -> None:
    shape = Shape(text)
    array = np.arange(math.prod(shape.dimensions)).astype(shape.element_type.dtype)
    array = array.reshape(shape.dimensions)
    buffer = shape.to_buffer(array)
    assert buffer.view(array.dtype).tolist() == independent(shape, array).tolist()
    assert np.array_equal(shape.from_buffer(buffer), array)


@pytest.mark.parametrize("element", ["s4", "u4", "s2", "u2", "u1", "s1", "f4e2m1fn"])
def test_narrow_elements_share_bytes(element: str) -> None:
    kind = Shape(f"{element}[3]").element_type
    shape = Shape(f"{element}[3,11]{{0,1:E({kind.bits})}}")
    array = (np.arange(33) % (1 << kind.bits)).astype(np.uint8)
    if kind.family == "signed":
        half = 1 << (kind.bits - 1)
        array = ((array ^ half) - half).astype(np.uint8)
    array = array.view(kind.dtype).reshape(3, 11)
    buffer = shape.to_buffer(array)
    assert buffer.size == shape.buffer_bytes == -(-33 * kind.bits // 8)
    back = shape.from_buffer(buffer)
    assert back.dtype == array.dtype
    assert np.array_equal(back.view(np.uint8), array.view(np.uint8))


def test_the_first_of_narrow_elements_lies_in_the_low_bits() -> None:
    # As XLA's compiled code writes them: 1, 2, 3, 4, 5 of s4 are the bytes 21 43 .5.
    fours = np.array([1, 2, 3, 4, 5, -1], ml_dtypes.int4)
    assert Shape("s4[6]{0:E(4)}").to_buffer(fours).tobytes().hex() == "2143f5"
    assert Shape("s4[6]").to_buffer(fours).size == 6
    twos = np.array([1, -1, 0, 1], ml_dtypes.int2)
    assert Shape("s2[4]{0:E(2)}").to_buffer(twos).tobytes().hex() == "4d"


def test_facts_of_shapes() -> None:
    shape = Shape("bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}")
    assert (shape.rank, shape.true_rank) == (4, 3)
    assert [shape.dimension_number(number) for number in (-1, -4, 0, 3)] == [3, 0, 0, 3]
    assert shape.buffer_bytes == 2 * 8 * 1280 * 16384
    assert Shape("f32[2,3]{0,1}").byte_strides == (4, 8)
    assert Shape("f64[2,3,4]").byte_strides == (96, 32, 8)
    assert Shape("f32[<=5,3]").buffer_bytes == 60
    assert Shape("c128[4]").buffer_bytes == 64


def test_what_has_no_buffer_is_refused() -> None:
    with pytest.raises(ArgumentValueError, match="has no dimension 2"):
        Shape("f32[2,3]").dimension_number(2)
    with pytest.raises(ArgumentValueError, match="has no strides"):
        _ = Shape("f32[2,3]{1,0:T(2,2)}").byte_strides
    with pytest.raises(ArgumentValueError, match="permutation of 2 dimensions, not 1,1"):
        _ = Shape("f32[2,3]{1,1}").buffer_bytes
    with pytest.raises(ArgumentValueError, match="the last has none"):
        _ = Shape("f32[2]{0:T(*)}").buffer_bytes
    with pytest.raises(ArgumentTypeError, match="no array of known size"):
        _ = Shape("f32[?]").buffer_bytes
    with pytest.raises(ArgumentTypeError, match="no array of known size"):
        _ = Shape("(f32[2])").buffer_bytes
    with pytest.raises(UnsupportedError, match="elements of type f32 in 4 bits each"):
        _ = Shape("f32[2]{0:E(4)}").buffer_bytes
    shape = Shape("f32[2,3]")
    with pytest.raises(ArgumentValueError, match=r"no element at \(2, 0\)"):
        shape.linear_index((2, 0))
    with pytest.raises(ArgumentValueError, match=r"no element at \(0,\)"):
        shape.linear_index((0,))
    with pytest.raises(ArgumentValueError, match="has no position 6"):
        shape.multi_index(6)
    with pytest.raises(ArgumentValueError, match="expected 24 bytes"):
        shape.from_buffer(b"12")
    with pytest.raises(ArgumentTypeError, match="expected elements of f32, found float64"):
        shape.to_buffer(np.zeros((2, 3)))
    with pytest.raises(ArgumentValueError, match="expected an array of shape"):
        shape.to_buffer(np.zeros((3, 2), np.float32))


def test_an_array_in_memory_order_is_not_copied() -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert np.shares_memory(Shape("f32[2,3]").to_buffer(array), array)
    assert np.shares_memory(Shape("f32[3,2]{0,1}").to_buffer(array.T), array)
    assert np.shares_memory(Shape("f32[2,3]").from_buffer(array.view(np.uint8)), array)


def test_the_parts_of_a_shape_in_words() -> None:
    shape = Shape("bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}")
    assert explanation(shape).splitlines() == [
        "bf16              floating-point number, 16 bits",
        "[8,1,1280,16384]  4 dimensions, 3 of them larger than one",
        "{3,2,0,1}         minor to major: dimension 3 (x) changes fastest, "
        "then dimension 2 (y), dimension 0 (p), dimension 1 (z)",
        "T(8,128)          the minor dimensions in memory in tiles of 8x128, padded to whole ones",
        "(2,1)             the tiles before in tiles of 2x1, padded to whole ones",
        "S(1)              in on-chip vector memory (VMEM)",
        "buffer            167,772,160 elements, 335,544,320 bytes, 0 elements of padding",
    ]
    spaces = {text: dict(explain_shape(Shape(f"f32[2]{{0{text}}}"))) for text in ("", ":S(5)")}
    assert "HBM" in spaces[""]["S(0)"]
    assert spaces[":S(5)"]["S(5)"] == "in host memory"
    rest = dict(explain_shape(Shape("(s4[<=3,?]{0,1:L(4)#(u8)*(u32)E(4)SC(1:2)M(8)}, token[])")))
    assert set(rest) >= {"<=3", "?", "L(4)", "#(u8)", "*(u32)", "E(4)", "SC(1:2)", "M(8)"}
    assert rest["<=3"] == "dimension 0 (y) has at most 3, known at run time"
    assert rest["token[]"].startswith("a token")
