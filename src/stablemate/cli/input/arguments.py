"""Reads the values of ``--input`` and ``--expected``: a literal, a file, random numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from stablemate.cli.input.array_files import ArrayFile, Stdin, array_file, read_array
from stablemate.cli.input.array_literals import agreed_type, check_size, parse_value, split_type
from stablemate.cli.input.number_literals import reject
from stablemate.cli.input.programs import STDIN
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    F64,
    Array,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.number_text import stored
from stablemate.numerics.rounding import converter
from stablemate.xla.shape import Shape

RANDOM: Final = "random:"
SEED: Final = re.compile(r"\d{1,18}")
SMALL: Final = 8  # random integers are from -8 to 7


@dataclass(frozen=True, slots=True)
class InputReader:
    """Reads the values of options.

    Attributes:
        limits: How large an array may be that is made up.
        stdin: Where ``-`` reads.
    """

    limits: Limits = DEFAULT_LIMITS
    stdin: Stdin = field(default_factory=Stdin)

    def read(
        self, text: str, expected: TensorType, *, name: str, what: str, buffer: Shape | None = None
    ) -> Array:
        """The array that an option specifies.

        Args:
            text: A value as in ``values``, or an optional type, ``=``, and one of ``@a.npy``,
                ``@a.npz:name``, ``@raw.bin``, ``random:SEED`` or ``-`` for a ``.npy`` in stdin.
            expected: The type it must have.
            name: What messages call the option.
            what: What messages call the array.
            buffer: How a raw file holds it, if not row by row.

        Raises:
            ArgumentTypeError: It is of another type.
            ArgumentValueError: The text breaks the syntax, or a file cannot be read.
        """
        source = Source(text, name)
        declared, start = split_type(source)
        value_type = agreed_type(source, declared, expected, what)
        text_value = text[start:].strip()
        if text_value == STDIN:
            return read_array(ArrayFile(STDIN), value_type, what, self.stdin)
        if text_value.startswith("@"):
            if len(text_value) == 1:
                reject(source, start, len(text), "expected the name of a file after '@'")
            return read_array(array_file(text_value[1:]), value_type, what, self.stdin, buffer)
        if text_value.startswith(RANDOM):
            if not SEED.fullmatch(text_value, len(RANDOM)):
                reject(source, start, len(text), "expected a number as in random:0")
            check_size(source, value_type, self.limits)
            return random_array(value_type, int(text_value[len(RANDOM) :]))
        return parse_value(text, value_type, name=name, what=what, limits=self.limits)


def random_array(value_type: TensorType, seed: int) -> Array:
    """Random elements: normal floats, small integers, either boolean.

    Drawn by ``numpy.random.default_rng(seed)`` and rounded to the element type.
    """
    generator = np.random.default_rng(seed)
    shape, element = value_type.shape, value_type.element_type
    match stored(element):
        case IntegerType() | IndexType() as integer:
            low, high = max(-SMALL, integer.minimum), min(SMALL - 1, integer.maximum)
            if isinstance(element, QuantizedType):
                low, high = int(element.storage_min), int(element.storage_max)
            return generator.integers(low, high, shape, endpoint=True).astype(element.dtype)
        case ComplexType():
            parts = generator.standard_normal((*shape, 2))
            return parts.view(np.complex128).reshape(shape).astype(element.dtype)
        case FloatType(name="f8E8M0FNU"):  # the powers of two
            exponents = np.round(generator.standard_normal(shape))
            return np.exp2(exponents).astype(np.float32).astype(element.dtype)
        case FloatType() as floating:
            numbers = np.asarray(generator.standard_normal(shape))
            return np.asarray(converter(F64, floating)(numbers))
