"""Functions of strings, most of which must be known when a model is imported.

Source: ONNX, Operator Schemas; ONNX Runtime, Contrib Operators.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.model import MICROSOFT
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.onnx.text_tensors import Texts, text_array
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, full
from stablemate.numerics.elements import BOOLEAN, F32, I64, Array

START_OF_TEXT: Final = "\x02"
END_OF_TEXT: Final = "\x03"
CASES: Final[dict[str, Callable[[str], str]]] = {
    "LOWER": str.lower, "UPPER": str.upper, "NONE": str,
}  # fmt: skip


def require_texts(call: Call, *inputs: object) -> None:
    """Refuses inputs that are no strings.

    Raises:
        UnsupportedError: One is a tensor of numbers.
    """
    if not all(isinstance(item, np.ndarray) for item in inputs):
        call.refuse("its inputs are strings")


@lowers("StringConcat", strings="known")
def string_concat(call: Call, x: Array, y: Array) -> Array:
    """Pairs of strings joined, with broadcasting"""
    require_texts(call, x, y)
    return np.asarray(x + y, object)


@lowers("RegexFullMatch", strings="known")
def regex_full_match(call: Call, x: Array, *, pattern: str) -> Tensor:
    """Whether a string matches a pattern as a whole"""
    require_texts(call, x)
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        call.refuse(f"the pattern {pattern!r} is none: {error}")
    matches = [compiled.fullmatch(text) is not None for text in x.reshape(-1)]
    return constant(call.graph, np.array(matches, np.bool_).reshape(x.shape), BOOLEAN)


@lowers("StringSplit", strings="known")
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
    return text_array(filled, (*x.shape, width)), constant(call.graph, counts, I64)


@lowers("StringNormalizer", strings="known")
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
    return text_array(kept, (len(kept),) if x.ndim == 1 else (1, len(kept)))


@lowers("Tokenizer", domain=MICROSOFT, strings="known")
def tokenizer(
    call: Call, x: Array, *, mark: int, mincharnum: int, pad_value: str,
    separators: Sequence[str] = (), tokenexp: str = "",
) -> Array:  # fmt: skip
    """The words of strings, filled up: what a pattern matches, or what separators leave"""
    require_texts(call, x)
    words = [words_of(text, separators, tokenexp, mincharnum) for text in x.reshape(-1)]
    if mark:
        words = [[START_OF_TEXT, *row, END_OF_TEXT] for row in words]
    width = max(map(len, words), default=0)
    filled = [word for row in words for word in [*row, *[pad_value] * (width - len(row))]]
    return text_array(filled, (*x.shape, width))


def words_of(text: str, separators: Sequence[str], pattern: str, shortest: int) -> list[str]:
    """The words of a string that are not too short."""
    if pattern:
        words = [match.group() for match in re.finditer(pattern, text)]
    elif not any(separators):
        words = list(text)
    else:
        words = re.split("|".join(separators), text)
    return [word for word in words if len(word) >= max(shortest, 1)]


@lowers("TfIdfVectorizer", strings="any")
def tf_idf_vectorizer(
    call: Call, x: Tensor | Texts, *, max_gram_length: int, max_skip_count: int,
    min_gram_length: int, mode: str, ngram_counts: Sequence[int], ngram_indexes: Sequence[int],
    pool_int64s: Sequence[int] | None = None, pool_strings: Sequence[str] | None = None,
    weights: Sequence[float] | None = None,
) -> Tensor:  # fmt: skip
    """How often each sequence of a pool stands in rows, gaps allowed"""
    if not 0 < min_gram_length <= max_gram_length <= len(ngram_counts):
        lengths = f"{min_gram_length} to {max_gram_length}, of {len(ngram_counts)} that are counted"
        raise ValueError(f"sequences of {lengths}")
    if max_skip_count < 0:
        raise ValueError(f"max_skip_count is {max_skip_count}")
    elements = x if isinstance(x, Tensor) else call.text_numbers(x)
    pool = [*map(call.texts.number, pool_strings or ())] if pool_int64s is None else pool_int64s
    rows = elements if elements.rank == 2 else m.expand_dims(elements, 0)
    columns: dict[int, Tensor] = {}
    grams = grams_of(pool, ngram_counts)
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
    return result if elements.rank == 2 else m.squeeze(result, 0)


def grams_of(pool: Sequence[int], counts: Sequence[int]) -> list[Sequence[int]]:
    """The sequences of a pool: those of length 1 first, each length from a place on."""
    grams: list[Sequence[int]] = []
    ends = [*counts[1:], len(pool)]
    for length, (start, end) in enumerate(zip(counts, ends, strict=True), 1):
        if (end - start) % length:
            raise ValueError(f"sequences of {length} have {end - start} elements together")
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
