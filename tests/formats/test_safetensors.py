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
        (file_of([]), "w is a damaged .safetensors file: 'list' object has no attribute 'items'"),
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


def test_elements_that_the_format_lacks() -> None:
    with pytest.raises(sm.ArgumentError, match=r"x: \.safetensors has no elements of int4"):
        weights_bytes({"x": np.zeros(2, ml_dtypes.int4)})


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        sm.load_weights("missing.safetensors")
