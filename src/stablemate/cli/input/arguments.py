"""Reads the values of ``--input`` and ``--expected``: a literal, a file, random numbers."""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING, Final

from stablemate.cli.input.array_files import ArrayFile, SharedFiles, array_file, read_array
from stablemate.cli.input.array_literals import agreed_type, check_size, parse_value, split_type
from stablemate.cli.input.number_literals import reject
from stablemate.cli.options import STDIN
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array
from stablemate.numerics.random_elements import random_elements

if TYPE_CHECKING:
    from stablemate.xla.shape import Shape

RANDOM: Final = "random:"
SEED: Final = re.compile(r"\d{1,18}")


@dataclass(frozen=True, slots=True)
class InputReader:
    """Reads the values of options.

    Attributes:
        limits: How large an array may be that is made up.
        shared: What several arrays are read from.
    """

    limits: Limits = DEFAULT_LIMITS
    shared: SharedFiles = field(default_factory=SharedFiles)

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
            return read_array(ArrayFile(STDIN), value_type, what, self.shared)
        if text_value.startswith("@"):
            if len(text_value) == 1:
                reject(source, start, len(text), "expected the name of a file after '@'")
            return read_array(array_file(text_value[1:]), value_type, what, self.shared, buffer)
        if text_value.startswith(RANDOM):
            if not SEED.fullmatch(text_value, len(RANDOM)):
                reject(source, start, len(text), "expected a number as in random:0")
            check_size(source, value_type, self.limits)
            seed = int(text_value[len(RANDOM) :])
            return random_elements(value_type.shape, value_type.element_type, seed)
        return parse_value(text, value_type, name=name, what=what, limits=self.limits)
