"""Damaged files of weights, ``.safetensors``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

import stablemate as sm
from stablemate.formats.safetensors import LENGTH_BYTES, STORAGE, weights_bytes, weights_of
from tests.fuzzing.binary_mutations import of_text
from tests.fuzzing.byte_mutations import changed_bytes
from tests.properties.generation.choices import Choices

HEADERS: Final = 3  # of every so many, one is changed anywhere; of others the header alone


@cache
def weights() -> Sequence[bytes]:
    """Files with arrays of every element type."""
    arrays = {name: np.ones((2, 3)).astype(storage) for name, storage in STORAGE.items()}
    few = {"layer.weight": np.float32([[1, 2]]), "layer.bias": np.float32(3), "none": np.ones(0)}
    return [weights_bytes(arrays), weights_bytes(few), weights_bytes({})]


def changed_weights(choices: Choices, data: bytes, others: Sequence[bytes]) -> bytes:
    """A file with damage anywhere, or with another header of the right length."""
    length = int.from_bytes(data[:LENGTH_BYTES], "little")
    end = LENGTH_BYTES + length
    if choices.below(HEADERS) == 0 or end > len(data):
        return changed_bytes(choices, data, others)
    header = of_text(choices, data[LENGTH_BYTES:end], [data[LENGTH_BYTES:end]])
    return len(header).to_bytes(LENGTH_BYTES, "little") + header + data[end:]


def read_weights(data: bytes, number: int) -> str:
    """Reads weights, and writes what was read; says what came of it.

    Args:
        data: The content of a file.
        number: Does not matter.

    Raises:
        AssertionError: What was written is read as something else.
    """
    try:
        arrays = weights_of(data, "w")
    except sm.StablemateError as error:
        error.render()
        return "refused"
    again = weights_of(weights_bytes(arrays), "w")
    assert {name: array.tobytes() for name, array in again.items()} == {
        name: array.tobytes() for name, array in arrays.items()
    }
    return "read"
