"""Varints, zigzag, integers, sizes of segments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stablemate.diagnostics.limits import Limits
from stablemate.diagnostics.source import Source
from stablemate.formats.bytecode.container import SectionCursor
from stablemate.formats.bytecode.entries import Entries, EntryDecoder, SectionTables
from stablemate.formats.bytecode.origins import FileOrigin
from stablemate.formats.bytecode.primitives import (
    unzigzag,
    varint,
    varint_at,
    varints,
    words_of,
    zigzag,
)
from stablemate.formats.bytecode.segments import encode_segments, read_segments

EDGES = [2**bits - 1 for bits in range(65)] + [2**bits for bits in range(64)]
UNSIGNED = st.integers(0, 2**64 - 1) | st.sampled_from(EDGES)
SIGNED = st.integers(-(2**63), 2**63 - 1)


def entry_of(data: bytes) -> EntryDecoder:
    """A reader for an entry that refers to nothing."""
    origin = FileOrigin(Source("", "entry", binary=True), Limits())
    cursor = SectionCursor(origin, "section", b"", 0)
    nothing = Entries("attribute", [], cursor, lambda name: {}, lambda source, limits: None)
    return EntryDecoder(SectionTables(origin, [], nothing, nothing), "entry", data, 0)


@pytest.mark.parametrize(
    ("value", "encoded"),
    [(0, "01"), (127, "ff"), (128, "0202"), (300, "b204"), (2**64 - 1, "00" + "ff" * 8)],
)
def test_varints_of_the_format(value: int, encoded: str) -> None:
    assert varint(value).hex() == encoded


@given(UNSIGNED)
def test_a_varint_is_read_as_it_was_written(value: int) -> None:
    data = varint(value)
    assert varint_at(data + b"\xff", 0) == (value, len(data))
    assert varint_at(memoryview(b"\0" + data), 1) == (value, len(data) + 1)
    assert len(data) <= 9


@given(UNSIGNED)
def test_a_cut_varint_ends_early(value: int) -> None:
    for size in range(len(varint(value))):
        with pytest.raises(IndexError):
            varint_at(varint(value)[:size], 0)


@given(SIGNED)
def test_zigzag_keeps_signed_numbers(value: int) -> None:
    assert unzigzag(zigzag(value)) == value


@given(st.integers(0, 2**200))
def test_words_add_up(value: int) -> None:
    words = words_of(value)
    assert sum(word << 64 * i for i, word in enumerate(words)) == value
    assert len(words) == 1 or words[-1]


@given(st.lists(st.just(0) | st.integers(0, 1000), max_size=12))
def test_sizes_of_segments_are_read_as_they_were_written(sizes: list[int]) -> None:
    assert read_segments(entry_of(varints(encode_segments(sizes))), len(sizes)) == sizes


def test_few_segments_are_written_sparsely() -> None:
    assert encode_segments([1, 1]) == [4, 1, 1]
    assert encode_segments([0, 0, 0, 7]) == [3, 2, 7 << 2 | 3]
    assert encode_segments([0, 0]) == [1]
