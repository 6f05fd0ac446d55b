"""Lines of a megabyte, which constants and backend configurations have."""

from __future__ import annotations

import pytest

pytest.importorskip("pygls")

from lsprotocol import types

from stablemate.lsp.completion import completion, last_word
from stablemate.lsp.documents import Document
from stablemate.lsp.semantic_tokens import tokens_in
from stablemate.lsp.tokens import Language


@pytest.mark.parametrize(
    ("before", "language", "word"),
    [
        ("  %0 = stablehlo.ad", "mlir", "stablehlo.ad"),
        ("  %0 = stablehlo.add %x", "mlir", "%x"),
        ("  %0 = stablehlo.add ", "mlir", ""),
        ("  call @f.g", "mlir", "@f.g"),
        ("  %0 = x : tensor<4x?xbf", "mlir", "bf"),
        ("  %0 = x : tensor<4x", "mlir", ""),
        ("  %0 = x : tensor<i3", "mlir", "i3"),
        ("  %0 = x : tensor<4x2", "mlir", "4x2"),
        ("  %0 = x : tensor<4x2xi1>, %y", "mlir", "%y"),
        ("#al", "mlir", "#al"),
        ("  y = f32[2] ad", "hlo", "ad"),
        ("  y = f32[2] add(%x.1", "hlo", "%x.1"),
    ],
)
def test_the_word_before_the_cursor(before: str, language: Language, word: str) -> None:
    assert last_word(before, language) == word


@pytest.mark.parametrize(
    ("uri", "line"),
    [
        ("file:///a.mlir", '%c = stablehlo.constant dense<"0x' + "3F80" * 100_000),
        ("file:///a.mlir", "%c = stablehlo.constant dense<[" + "0.5, " * 200_000),
        ("file:///a.mlir", "%c = stablehlo.constant dense<" + "1x" * 200_000 + "!"),
        ("file:///a.hlo", 'c = f32[2] custom-call(x), backend_config="' + "abcd" * 250_000),
    ],
)
def test_completion_at_the_end_of_a_long_line(uri: str, line: str) -> None:
    """A time quadratic in the line would be hours."""
    document = Document(uri, line)
    items = completion(document, types.Position(0, len(line))).items
    assert not any(len(item.label) > 100 for item in items)


def test_columns_of_tokens_count_utf16() -> None:
    line = 'a "\U0001f600" b // \U0001f600'
    assert [(column, length) for column, length, _ in tokens_in(line, "mlir")] == [
        (0, 1), (2, 4), (7, 1), (9, 5),
    ]  # fmt: skip


def test_tokens_of_a_long_line() -> None:
    """A time quadratic in the line would be minutes."""
    line = "0.5, " * 20_000
    assert len(tokens_in(line, "mlir")) == 20_000
