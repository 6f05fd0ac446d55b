"""Short descriptions of operations: the main attribute, the elements of a constant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final

import numpy as np

from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    DenseResourceAttribute,
)
from stablemate.ir.definition import Op
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import Array
from stablemate.numerics.literal_data import element_texts, is_raw

PREVIEWED: Final = 8  # elements of a constant
WIDTH: Final = 48  # characters of a detail

# Text of an attribute around what matters: `array<i64: 1, 2>`, `#stablehlo<a_b LT>`, `3 : i64`.
WRAPPINGS: Final = (
    (re.compile(r"array<\w+(?:: ([^<>]*))?>"), "[*]"),
    (re.compile(r"#\w+<\w+ (\w+)>"), "*"),
    (re.compile(r"#[\w.]+<(.*)>", re.DOTALL), "*"),
    (re.compile(r"(-?\d+) : i\d+"), "*"),
    (re.compile(r'"(.*)"', re.DOTALL), "*"),
)


SCIENTIFIC: Final = re.compile(r"-?\d+(\.\d+)?e[+-]?\d+", re.IGNORECASE)
DOT: Final = re.compile(r"(lhs|rhs)_(batch|contract)ing_dimensions = (\[[^]]*\])")


def detail_of(name: str, attributes: Mapping[str, str]) -> str:
    """The attributes that distinguish an operation from others of its name; may be empty."""
    cls = OPERATIONS.get(name)
    names = cls.summary_attributes if cls is not None and issubclass(cls, Op) else ()
    texts = [unwrapped(attributes[own]) for own in names if own in attributes]
    if name == "stablehlo.dot_general" and texts:
        texts = [dot_detail(texts[0])]
    return abbreviate(" ".join(text for text in texts if text != "[]"))


def dot_detail(text: str) -> str:
    """``contract [1]·[0]`` of dimension numbers."""
    sides: dict[str, dict[str, str]] = {}
    for side, what, dimensions in DOT.findall(text):
        sides.setdefault(what, {})[side] = dimensions
    return ", ".join(
        f"{what} {sides[what].get('lhs', '[]')}·{sides[what].get('rhs', '[]')}"
        for what in ("contract", "batch")
        if what in sides
    )


@lru_cache(maxsize=4096)
def unwrapped(text: str) -> str:
    """The text of an attribute without what every one of its kind has."""
    for pattern, kept in WRAPPINGS:
        if match := pattern.fullmatch(text):
            return kept.replace("*", match[1] or "")
    return text


def abbreviate(text: str, width: int = WIDTH) -> str:
    """A text cut to a width."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def preview(attribute: Attribute, resources: Mapping[str, Array]) -> str | None:
    """The first elements of a literal, without its type; None if it is no literal."""
    match attribute:
        case DenseElementsAttribute():
            data = attribute.data[:PREVIEWED]
            shown = readable_texts(data, element_texts(data, attribute.type.element_type))
            rank = len(attribute.shape)
            return elements_preview(shown, attribute.data.size, attribute.is_splat, rank)
        case DenseResourceAttribute(key=key):
            size = f"{resources[key].size:,} bytes" if key in resources else "not in this file"
            return f"resource {key}, {size}"
        case _:
            return None


def readable_texts(data: Array, texts: Sequence[str]) -> list[str]:
    """The texts of elements of a literal; those that stand there as bits by their value."""
    if is_raw(data.dtype) or not any("0x" in text for text in texts):
        return list(texts)
    values = data.astype(np.complex128 if data.dtype.kind == "c" else np.float64)
    return [
        text if np.isfinite(value) else str(value)
        for text, value in zip(texts, values, strict=True)
    ]


def elements_preview(shown: Sequence[str], size: int, splat: bool, rank: int) -> str:
    """The first elements of an array in row-major order, given their texts."""
    if splat:
        return plain(shown[0])
    more = f", … {size:,} elements" if size > PREVIEWED else ""
    text = ", ".join(map(plain, shown))
    return f"[{text}{more}]" if rank or more else text


def plain(number: str) -> str:
    """A number as people write it: ``0.5`` for ``5.000000e-01``."""
    if not SCIENTIFIC.fullmatch(number):
        return number
    value = Decimal(number).normalize()
    return format(value, "f") if -5 <= value.adjusted() <= 6 else format(value, "g")
