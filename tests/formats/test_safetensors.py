"""Weights in the format ``.safetensors``."""

from __future__ import annotations

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm
from stablemate.formats.safetensors import STORAGE, weights_bytes, weights_of


def file_of(header: object, data: bytes = b"") -> bytes:
    """A file written by hand, as the format's description has it."""
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def test_a_file_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    header = {
        "__metadata__": {"format": "pt"},
        "a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
        "b.c": {"dtype": "BF16", "shape": [1, 1], "data_offsets": [8, 10]},
    }
    path.write_bytes(file_of(header, np.array([1, 2], "<f4").tobytes() + b"\x80\x3f"))
    weights = sm.load_weights(path)
    assert list(weights) == ["a", "b.c"]
    assert weights["a"].tolist() == [1, 2]
    assert weights["b.c"].dtype == ml_dtypes.bfloat16
    assert weights["b.c"].astype(np.float32).tolist() == [[1]]


@pytest.mark.parametrize("name", STORAGE)
def test_what_is_written_is_read(name: str) -> None:
    array = np.ones((2, 3)).astype(STORAGE[name])
    weights = weights_of(weights_bytes({"x": array, "empty": array[:0]}), "w")
    assert weights["x"].dtype == array.dtype
    assert weights["x"].tobytes() == array.tobytes()
    assert weights["empty"].shape == (0, 3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "w is no .safetensors file: its header is longer than the file"),
        (b"\xff" * 16, "w is no .safetensors file: its header is longer than the file"),
        (file_of([]), "w is a damaged .safetensors file: its header is no JSON object"),
        (
            (8).to_bytes(8, "little") + b'{"\xff": 1}',
            "w is a damaged .safetensors file: 'utf-8' codec can't decode byte 0xff in position 2: "
            "invalid start byte",
        ),
        (
            file_of({"x": 1}),
            "w is a damaged .safetensors file: x has no dtype, shape and data_offsets",
        ),
        (
            file_of({"x": {"dtype": "F32", "shape": [-1, -1], "data_offsets": [0, 4]}}, b"1234"),
            "w is a damaged .safetensors file: x has no dtype, shape and data_offsets",
        ),
        (
            (16).to_bytes(8, "little") + b'{"a": 1, "a": 2}',
            "w is a damaged .safetensors file: its header has a name twice",
        ),
        (
            file_of(
                {
                    "x": {"dtype": "U8", "shape": [3], "data_offsets": [0, 3]},
                    "y": {"dtype": "U8", "shape": [2], "data_offsets": [2, 4]},
                },
                b"1234",
            ),
            "w is a damaged .safetensors file: y overlaps others: its elements begin at 2, "
            "not at 3",
        ),
        (
            file_of({"x": {"dtype": "U8", "shape": [1], "data_offsets": [1, 2]}}, b"12"),
            "w is a damaged .safetensors file: x begins after a gap: its elements begin at 1, "
            "not at 0",
        ),
        (
            file_of({"x": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}, b"12"),
            "w is a damaged .safetensors file: its tensors have 1 bytes, the file 2",
        ),
        (
            file_of({"x": {"dtype": "F7", "shape": [], "data_offsets": [0, 0]}}),
            "w is a damaged .safetensors file: x has elements of type F7, which is not known",
        ),
        (
            file_of({"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}, b"1234"),
            "w is a damaged .safetensors file: x does not have the elements of its shape",
        ),
    ],
)
def test_damaged_files(content: bytes, message: str) -> None:
    with pytest.raises(sm.ParseError) as caught:
        weights_of(content, "w")
    assert str(caught.value) == message


def test_weights_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    sm.save_weights(path, {"a": np.float32([1, 2]), "b": 3})
    assert {name: array.tolist() for name, array in sm.load_weights(path).items()} == {
        "a": [1, 2],
        "b": 3,
    }


def test_elements_that_the_format_lacks() -> None:
    with pytest.raises(sm.ArgumentError, match=r"x: \.safetensors has no elements of int4"):
        weights_bytes({"x": np.zeros(2, ml_dtypes.int4)})


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        sm.load_weights("missing.safetensors")
