"""Strings, which are known when a model is imported: no program has them.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, full
from stablemate.numerics.elements import BOOLEAN, F32, I64, Array

CASES: Final[dict[str, Callable[[str], str]]] = {
    "LOWER": str.lower, "UPPER": str.upper, "NONE": str,
}  # fmt: skip


def texts_of(texts: Sequence[Any], shape: Sequence[int]) -> Array:
    """An array of strings."""
    array: Array = np.empty(len(texts), object)
    array[:] = texts
    return array.reshape(shape)


def require_texts(call: Call, *inputs: Any) -> None:
    """Refuses inputs that are no strings.

    Raises:
        UnsupportedError: One is a tensor of numbers.
    """
    if not all(isinstance(item, np.ndarray) for item in inputs):
        call.refuse("its inputs are strings")


@lowers("StringConcat", strings=True)
def string_concat(call: Call, x: Array, y: Array) -> Array:
    """One string behind another"""
    require_texts(call, x, y)
    return np.asarray(x + y, object)


@lowers("RegexFullMatch", strings=True)
def regex_full_match(call: Call, x: Array, *, pattern: str) -> Tensor:
    """Whether a string matches a pattern as a whole"""
    require_texts(call, x)
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        call.refuse(f"the pattern {pattern!r} is none: {error}")
    matches = [compiled.fullmatch(text) is not None for text in x.reshape(-1)]
    return constant(call.graph, np.array(matches, np.bool_).reshape(x.shape), BOOLEAN)


@lowers("StringSplit", strings=True)
def string_split(
    call: Call, x: Array, *, delimiter: str | None = None, maxsplit: int | None = None
) -> tuple[Array, Tensor]:
    """The parts of strings between delimiters, filled up with empty ones, and their numbers"""
    require_texts(call, x)
    most = -1 if maxsplit is None else maxsplit
    parts = [text.split(delimiter or None, most) for text in x.reshape(-1)]
    width = max(map(len, parts), default=0)
    filled = [part for row in parts for part in [*row, *[""] * (width - len(row))]]
    counts = np.array([len(row) for row in parts], np.int64).reshape(x.shape)
    return texts_of(filled, (*x.shape, width)), constant(call.graph, counts, I64)


@lowers("StringNormalizer", strings=True)
def string_normalizer(
    call: Call, x: Array, *, case_change_action: str = "NONE", is_case_sensitive: int = 0,
    locale: str | None = None, stopwords: Sequence[str] | None = None,
) -> Array:  # fmt: skip
    """Strings in lower or upper case, without some of them"""
    require_texts(call, x)
    compare = str if is_case_sensitive else str.lower
    stops = {compare(word) for word in stopwords or ()}
    change = CASES[case_change_action]
    kept = [change(text) for text in x.reshape(-1) if compare(text) not in stops] or [""]
    return texts_of(kept, (len(kept),) if x.ndim == 1 else (1, len(kept)))


@lowers("TfIdfVectorizer")
def tf_idf_vectorizer(
    call: Call, x: Tensor, *, max_gram_length: int, max_skip_count: int, min_gram_length: int,
    mode: str, ngram_counts: Sequence[int], ngram_indexes: Sequence[int],
    pool_int64s: Sequence[int] | None = None, pool_strings: Sequence[str] | None = None,
    weights: Sequence[float] | None = None,
) -> Tensor:  # fmt: skip
    """How often each sequence of numbers of a pool stands in rows, gaps allowed"""
    if pool_int64s is None:
        call.refuse("a pool of strings has no translation")
    rows = x if x.rank == 2 else m.expand_dims(x, 0)
    columns: dict[int, Tensor] = {}
    grams = grams_of(pool_int64s, ngram_counts)
    for number, (gram, place) in enumerate(zip(grams, ngram_indexes, strict=True)):
        if not min_gram_length <= len(gram) <= max_gram_length:
            continue
        count = gram_count(rows.convert(I64), gram, max_skip_count)
        if mode == "IDF":
            count = (count > 0).convert(F32)
        if mode != "TF" and weights is not None:
            count = count * weights[number]
        columns[place] = count
    blank = full(call.graph, (rows.shape[0],), 0, F32)
    result = m.stack([columns.get(i, blank) for i in range(max(ngram_indexes) + 1)], 1)
    return result if x.rank == 2 else m.squeeze(result, 0)


def grams_of(pool: Sequence[int], counts: Sequence[int]) -> list[Sequence[int]]:
    """The sequences of a pool: those of length 1 first, each length from a place on."""
    grams: list[Sequence[int]] = []
    ends = [*counts[1:], len(pool)]
    for length, (start, end) in enumerate(zip(counts, ends, strict=True), 1):
        grams += [pool[i : i + length] for i in range(start, end, length)]
    return grams


def gram_count(rows: Tensor, gram: Sequence[int], skips: int) -> Tensor:
    """How often a sequence stands in each row, with up to so many elements between its own."""
    total = full(rows.graph, (rows.shape[0],), 0, F32)
    for skip in range(skips + 1 if len(gram) > 1 else 1):
        length = rows.shape[1] - (len(gram) - 1) * (skip + 1)
        if isinstance(length, int) and length <= 0:
            break
        found = full(rows.graph, (rows.shape[0], length), True, BOOLEAN)
        for i, number in enumerate(gram):
            start = i * (skip + 1)
            found = found & m.slice_dimension(rows, 1, start, start + length).equals(number)
        total = total + r.sum_over(found.convert(F32), [1])
    return total
