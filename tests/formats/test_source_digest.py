"""What identifies the content of files, large and small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stablemate.formats import source_digest
from stablemate.formats.source_digest import (
    digest_of,
    digest_of_blocks,
    digest_of_content,
    digest_of_file,
    read_and_digest,
)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_digest, "PIECE_BYTES", 1000)
    monkeypatch.setattr(source_digest, "BLOCK_BYTES", 64)


@pytest.mark.parametrize("size", [0, 1, 999, 1000, 1001, 5000, 12_345])
def test_a_file_has_the_digest_of_its_content(tmp_path: Path, size: int) -> None:
    content = np.random.default_rng(size).bytes(size)
    path = tmp_path / "file"
    path.write_bytes(content)
    with path.open("rb") as file:
        read, digest = read_and_digest(file)
        assert bytes(read) == content
        assert digest == digest_of_content(content) == digest_of_content(memoryview(content))
        assert digest_of_file(file) == digest


@pytest.mark.parametrize("place", [0, 999, 1000, 2500, 4999])
def test_each_byte_counts(place: int) -> None:
    content = bytearray(5000)
    before = digest_of_content(content)
    content[place] = 1
    assert digest_of_content(content) != before


def test_pieces_do_not_stand_for_what_they_are_digested_to() -> None:
    content = bytes(1001)
    digests = [digest_of_content(content[:1000]), digest_of_content(content[1000:])]
    assert digest_of_content(b"".join(digests)) != digest_of_content(content)
    assert digest_of_content("text") == digest_of_content(b"text")
    assert digest_of([b"ab", b"c"]) != digest_of([b"a", b"bc"])
    assert digest_of([b"a"], 1) != digest_of([b"a"], 2)


def test_a_file_that_becomes_shorter_is_an_error() -> None:
    with pytest.raises(OSError, match="become shorter"):
        digest_of_blocks(3000, lambda begin, end: bytes(max(0, min(end, 2500) - begin)))
