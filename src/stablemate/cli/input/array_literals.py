"""Reads and prints arrays as text: ``2x3xf32=[1 2 3][4 5 6]``, the syntax of IREE's tools.

The outermost brackets may be left out; commas are spaces. One number without brackets fills a
tensor, no number leaves it zero. A bare list of numbers is in row-major order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from difflib import get_close_matches
from typing import Final, NoReturn

import numpy as np

from stablemate.cli.input.number_literals import NumberToken, array_of_items, reject
from stablemate.cli.options import has_option
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentTypeError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source, Span
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import (
    COMPLEX64,
    COMPLEX128,
    FLOATS_WITHOUT_STORAGE,
    SIMPLE_ELEMENTS,
    Array,
    ComplexType,
    ElementType,
    IndexType,
    IntegerType,
    StorageError,
)
from stablemate.numerics.number_text import element_texts, storage_type

ELEMENTS: Final[Mapping[str, ElementType]] = {
    name: element for name, element in SIMPLE_ELEMENTS.items() if name not in FLOATS_WITHOUT_STORAGE
} | {str(element): element for element in (COMPLEX64, COMPLEX128)}
TYPE: Final = re.compile(r"((?:(?:\d{1,18}|\?)x)*)([A-Za-z]\w*(?:<\w+>)?)")
TOKEN: Final = re.compile(r"[\s,]+|(?P<list>[\[\]])|(?P<item>\([^()]*\)|[^\s,\[\]()]+)")
MAXIMUM_RANK: Final = 64  # NumPy's
MAXIMUM_ELEMENTS: Final = 1 << 58  # NumPy's, sizes of zero not counted
PRINT_LIMIT: Final = 1000  # elements; larger arrays are printed as a summary
EDGE_ITEMS: Final = 5  # elements of such a summary


@dataclass(slots=True)
class ListLevel:
    """A list that is being read: the number of its items, and the shape of each."""

    start: int
    size: int = 0
    inner: tuple[int, ...] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the list."""
        return (self.size, *(self.inner or ()))


@dataclass(slots=True)
class ArrayLiteral:
    """The numbers of a literal in row-major order, and their shape.

    The whole text counts as a list, as if it stood in brackets.
    """

    source: Source
    start: int
    items: list[NumberToken] = field(default_factory=list[NumberToken])
    shape: tuple[int, ...] = ()

    def reject(self, message: str, *notes: str) -> NoReturn:
        """Raises the error that the literal as a whole is wrong."""
        reject(self.source, self.start, len(self.source.text), message, *notes)


# ---- types


def short_type(value_type: TensorType) -> str:
    """The type of an array as it is written before the ``=``.

    Of a quantized one its storage type.
    """
    dimensions = "".join("?x" if size == DYNAMIC else f"{size}x" for size in value_type.shape)
    return f"{dimensions}{storage_type(value_type.element_type)}"


def split_type(source: Source) -> tuple[TensorType | None, int]:
    """The type at the beginning of a text, or None, and the position after it.

    Raises:
        ArgumentValueError: What stands before the ``=`` is not a type.
    """
    text = source.text
    if text.startswith("@"):
        return None, 0
    head, equals, _ = text.partition("=")
    if not head.strip():
        return None, len(head) + len(equals)
    parsed_type = type_of(head.strip())
    if parsed_type is None and equals:
        reject_type(source, len(head))
    if parsed_type is None:
        return None, 0
    if not has_storage(parsed_type):
        reject(source, 0, len(head), "no array has so many dimensions or elements")
    return parsed_type, len(head) + len(equals)


def type_of(text: str) -> TensorType | None:
    """The type of a text such as ``2x?xf32``, if it is one."""
    inner = text[7:-1] if text.startswith("tensor<") and text.endswith(">") else text
    match = TYPE.fullmatch(inner)
    if match is None or match[2] not in ELEMENTS:
        return None
    sizes = match[1].split("x")[:-1]
    shape = tuple(DYNAMIC if size == "?" else int(size) for size in sizes)
    return TensorType(shape, ELEMENTS[match[2]])


def may_be_type(text: str) -> bool:
    """Whether a text is a type such as ``2x?xf32``, or was meant as one."""
    match = TYPE.fullmatch(text)
    is_sized = match is not None and bool(match[1])
    return not text.isidentifier() or is_sized or bool(get_close_matches(text, ELEMENTS, n=1))


def has_storage(value_type: TensorType) -> bool:
    """Whether NumPy has arrays of a type, regardless of their size."""
    try:
        stores_elements = value_type.element_type.dtype.itemsize > 0
    except StorageError:
        return False
    size = math.prod(max(size, 1) for size in value_type.shape)
    return stores_elements and value_type.rank <= MAXIMUM_RANK and size <= MAXIMUM_ELEMENTS


def reject_type(source: Source, end: int) -> NoReturn:
    """Raises the error that ``source.text[:end]`` is not a type."""
    start = len(source.text) - len(source.text.lstrip())
    match = TYPE.fullmatch(source.text[start:end].rstrip())
    if match is None:
        reject(source, 0, end, "expected a type such as 2x3xf32")
    close = get_close_matches(match[2], ELEMENTS, n=1)
    notes = [f"did you mean {close[0]}?"] if close else []
    message = f"expected an element type, not '{match[2]}'"
    reject(source, start + match.start(2), end, message, *notes)


def agreed_type(
    source: Source, declared: TensorType | None, expected: TensorType | None, what: str
) -> TensorType:
    """The type on which the literal and the program agree, with every known size.

    Raises:
        ArgumentTypeError: They differ, or there is neither.
    """
    if declared is None or expected is None:
        if both := declared or expected:
            return both
        raise ArgumentTypeError(f"{what} needs a type: write 2x3xf32={source.text}")
    pairs = list(zip(declared.shape, expected.shape, strict=False))
    if (
        declared.rank != expected.rank
        or storage_type(declared.element_type).dtype != expected.element_type.dtype
        or any(a != b and DYNAMIC not in (a, b) for a, b in pairs)
    ):
        span = Span(source, 0, source.text.find("=") if "=" in source.text else len(source.text))
        message = f"{what} is {expected}, but {short_type(declared)} was given"
        raise ArgumentTypeError(Diagnostic(message, span=span))
    return expected.with_shape([b if a == DYNAMIC else a for a, b in pairs])


# ---- from text to an array


def parse_value(
    text: str,
    expected: TensorType | None = None,
    *,
    name: str = "<value>",
    what: str = "this value",
    limits: Limits = DEFAULT_LIMITS,
) -> Array:
    """The array that a literal denotes.

    Args:
        text: A type, numbers, or a type, ``=`` and numbers.
        expected: The type that it must have; the text needs none then.
        name: What messages call the text.
        what: What messages call the value.
        limits: How large it may be if few numbers fill it.

    Raises:
        ArgumentTypeError: It is of another type than expected.
        ArgumentValueError: The text breaks the syntax, or a number is out of range.
    """
    source = Source(text, name)
    declared, start = split_type(source)
    value_type = agreed_type(source, declared, expected, what)
    if declared is not None and not text[start:].strip():
        return zeros(source, value_type, limits)
    return array_of(read_literal(source, start), value_type, limits)


def zeros(source: Source, value_type: TensorType, limits: Limits) -> Array:
    """The array of a literal that consists of a type only."""
    check_size(source, value_type, limits)
    return np.zeros(value_type.shape, value_type.element_type.dtype)


def check_size(source: Source, value_type: TensorType, limits: Limits) -> None:
    """Rejects a literal whose array has an unknown size, or is too large."""
    if not value_type.is_static:
        text = short_type(value_type)
        hint = f"write its sizes, such as {text.replace('?', '4')}=random:0"
        reject(source, 0, len(source.text), f"the shape of {text} is not known", hint)
    if value_type.bytes > limits.tensor_bytes:
        message = f"an array has {limits.tensor_bytes} bytes at most, not {value_type.bytes}"
        hints = ["--limit-tensor-bytes=BYTES sets the limit"] * has_option("--limit-tensor-bytes")
        reject(source, 0, len(source.text), message, *hints)


def read_literal(source: Source, start: int) -> ArrayLiteral:
    """Reads numbers and lists up to the end of the text."""
    literal = ArrayLiteral(source, start)
    text, position = source.text, start
    levels = [ListLevel(start)]
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            reject(source, position, position + 1, "expected a number or a list")
        token, start, position = match[0], position, match.end()
        if match["item"]:
            literal.items.append(NumberToken(token, start, position))
            add_to_list(source, levels, (), start, position)
        elif token == "[":
            if len(levels) > MAXIMUM_RANK:
                reject(source, start, position, f"lists are nested {MAXIMUM_RANK} deep at most")
            levels.append(ListLevel(start))
        elif token == "]":
            if len(levels) == 1:
                reject(source, start, position, "this bracket closes no list")
            closed = levels.pop()
            add_to_list(source, levels, closed.shape, closed.start, position)
    if len(levels) > 1:
        reject(source, levels[-1].start, len(text), "expected ']' at the end of this list")
    literal.shape = levels[0].shape
    return literal


def add_to_list(
    source: Source, levels: Sequence[ListLevel], shape: tuple[int, ...], start: int, end: int
) -> None:
    """Counts a number or a list of a shape in the list that contains it."""
    level = levels[-1]
    if level.inner is not None and level.inner != shape:
        message = f"expected {shape_text(level.inner)} like before, not {shape_text(shape)}"
        reject(source, start, end, message)
    level.inner = shape
    level.size += 1


def shape_text(shape: Sequence[int]) -> str:
    """Describes a shape in an error message."""
    return f"a list of shape {'x'.join(map(str, shape))}" if shape else "a number"


def array_of(literal: ArrayLiteral, value_type: TensorType, limits: Limits) -> Array:
    """The array of a literal."""
    element = storage_type(value_type.element_type)
    if len(literal.items) == 1 and literal.shape == (1,) and value_type.is_static:
        check_size(literal.source, value_type, limits)
        number = array_of_items(literal.source, literal.items, element).reshape(())
        return np.full(value_type.shape, number, number.dtype)
    shape = fitted_shape(literal, value_type)
    return array_of_items(literal.source, literal.items, element).reshape(shape)


def fitted_shape(literal: ArrayLiteral, value_type: TensorType) -> tuple[int, ...]:
    """The shape of the array, which is static and allowed by the type."""
    shape, expected = literal.shape, value_type.shape
    if len(shape) == len(expected) + 1 and shape[0] == 1:
        shape = shape[1:]  # in outermost brackets
    if not literal.items and 0 in (allowed := [max(size, 0) for size in expected]):
        return tuple(allowed)
    if len(shape) == 1 and value_type.is_static:  # a bare list
        if len(literal.items) != value_type.size:
            count = f"{value_type.size} number{'s' * (value_type.size != 1)}"
            literal.reject(
                f"expected {count} for {short_type(value_type)}, not {len(literal.items)}"
            )
        return expected
    fits = len(shape) == len(expected) and all(
        size in (DYNAMIC, actual) for actual, size in zip(shape, expected, strict=True)
    )
    if not fits:
        actual = "x".join(map(str, shape))
        literal.reject(
            f"expected numbers for {short_type(value_type)}, not a list of shape {actual}"
        )
    return shape


# ---- from an array to text


def value_text(array: Array, element: ElementType, *, limit: int | None = PRINT_LIMIT) -> str:
    """The text of an array with its type; a summary if it has more elements than the limit."""
    value_type = TensorType(array.shape, element)
    head = f"{short_type(value_type)}="
    if limit is not None and array.size > limit:
        shown = " ".join(element_texts(array.reshape(-1)[:EDGE_ITEMS], element))
        return f"{head}{shown} ... ({summary_text(array, element)})"
    if not array.size:
        return head
    texts = element_texts(np.ascontiguousarray(array).reshape(-1), element)
    return head + (nested_text(texts, array.shape) if array.ndim else texts[0])


def nested_text(texts: Sequence[str], shape: Sequence[int]) -> str:
    """The lists of an array, without the outermost brackets."""
    if len(shape) == 1:
        return " ".join(texts)
    step = len(texts) // shape[0]
    parts = (nested_text(texts[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0]))
    return "".join(f"[{part}]" for part in parts)


def summary_text(array: Array, element: ElementType) -> str:
    """A summary of an array that is too large to print."""
    count = f"{array.size} elements"
    match storage_type(element):
        case IntegerType(is_boolean=True):
            return f"{count}, {np.count_nonzero(array)} true"
        case IntegerType() | IndexType() as integer:
            wide = array.astype(np.int64 if integer.minimum < 0 else np.uint64)
            return f"{count}, minimum {wide.min()}, maximum {wide.max()}, mean {wide.mean():.6g}"
        case ComplexType():
            return f"{count}, {float_summary(np.abs(array).astype(np.float64), 'magnitude ')}"
        case _:
            return f"{count}, {float_summary(array.astype(np.float64))}"


def float_summary(numbers: Array, what: str = "") -> str:
    """Range, mean and standard deviation of the finite numbers, and the number of others."""
    finite = numbers[np.isfinite(numbers)]
    facts: list[str] = []
    if finite.size:
        with np.errstate(all="ignore"):
            facts = [
                f"{what}minimum {finite.min():.6g}",
                f"maximum {finite.max():.6g}",
                f"mean {finite.mean():.6g}",
                f"standard deviation {finite.std():.6g}",
            ]
    others = {
        "nan": np.count_nonzero(np.isnan(numbers)),
        "inf": np.count_nonzero(np.isinf(numbers)),
    }
    return ", ".join(facts + [f"{number} {name}" for name, number in others.items() if number])
