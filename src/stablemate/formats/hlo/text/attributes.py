"""Reads and writes the values of attributes, by kind.

Kinds that name computations or instructions need the module around them; ``instructions`` reads
these.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.formats.hlo.text.aliasing import (
    output_operand_aliasing_text,
    read_output_operand_aliasing,
)
from stablemate.formats.hlo.text.lexer.numbers import single_text, six_digits
from stablemate.formats.hlo.text.lexer.scanner import Scanner
from stablemate.formats.hlo.text.lexer.strings import (
    frontend_attributes_text,
    quote,
    read_frontend_attributes,
    read_string_or_dictionary,
    string_or_dictionary_text,
)
from stablemate.formats.hlo.text.metadata import (
    metadata_text,
    origin_text,
    read_metadata,
    read_origin,
    read_statistics,
    rounded_statistics,
    statistics_text,
)
from stablemate.formats.hlo.text.results import (
    read_result_accuracy,
    read_sparsity,
    result_accuracy_text,
    rounded_accuracy,
    sparsity_text,
)
from stablemate.formats.hlo.text.sharding.replica_groups import (
    integers_text,
    read_integer_rows,
    read_replica_groups,
    replica_groups_text,
)
from stablemate.formats.hlo.text.sharding.shardings import (
    domain_text,
    read_domain,
    read_sharding,
    sharding_text,
)
from stablemate.formats.hlo.text.windows import (
    dim_labels_text,
    padding_text,
    read_dim_labels,
    read_padding,
    read_slices,
    read_window,
    slices_text,
    window_text,
)
from stablemate.xla.backend_config import without_empty_queues
from stablemate.xla.kinds import AttributeRow, Kind
from stablemate.xla.shape import Shape

Reader: TypeAlias = Callable[[Scanner, AttributeRow], object]
Writer: TypeAlias = Callable[[Any], str]

CASELESS: Final = frozenset({"algorithm", "api_version", "distribution", "schedule"})
GREATEST_SINGLE: Final = float(np.finfo(np.float32).max)


def read_word(scanner: Scanner, row: AttributeRow) -> str:
    """One of the row's words, whose case matters only for some attributes."""
    place = scanner.here()
    word = scanner.word(f"one of {', '.join(row.words)}")
    if row.name in CASELESS:
        word = word.upper() if row.words[0].isupper() else word.lower()
    if word not in row.words:
        scanner.error(f"'{word}' is not one of {', '.join(row.words)}", place)
    return word


def read_words(scanner: Scanner, row: AttributeRow) -> tuple[str, ...]:
    """Reads ``{highest,default}``: some of the row's words, ignoring case."""

    def item() -> str:
        place = scanner.here()
        word = scanner.word(f"one of {', '.join(row.words)}").lower()
        if word not in row.words:
            scanner.error(f"'{word}' is not one of {', '.join(row.words)}", place)
        return word

    words = tuple(scanner.read_enclosed("{", "}", item))
    return words if any(word != row.words[0] for word in words) else ()


def read_single(scanner: Scanner, row: AttributeRow) -> float:
    """Reads a number and rounds it to 32 bits, whose range it must not exceed."""
    place = scanner.here()
    number = scanner.number()
    if abs(number) > GREATEST_SINGLE:
        scanner.error("this number needs more than 32 bits", place)
    return float(np.float32(number))


def read_booleans(scanner: Scanner, row: AttributeRow) -> tuple[bool, ...]:
    """``{true,false}``."""
    return tuple(scanner.read_enclosed("{", "}", scanner.boolean))


def read_shapes(scanner: Scanner, row: AttributeRow) -> tuple[Shape, ...]:
    """``{shape, shape}``."""
    return tuple(scanner.read_enclosed("{", "}", scanner.shape))


def read_backend_config(scanner: Scanner) -> str:
    """Reads a string or a dictionary, without lists of queues that are empty."""
    return without_empty_queues(read_string_or_dictionary(scanner))


def without_row(read: Callable[[Scanner], object]) -> Reader:
    """Returns a reader that ignores the row."""
    return lambda scanner, row: read(scanner)


READERS: Final[dict[Kind, Reader]] = {
    Kind.INTEGER: without_row(Scanner.signed_integer),
    Kind.FLOAT: read_single,
    Kind.FLAG: without_row(Scanner.boolean),
    Kind.BOOLEAN: without_row(Scanner.boolean),
    Kind.INTEGERS: without_row(Scanner.integers),
    Kind.BOOLEANS: read_booleans,
    Kind.WORD: read_word,
    Kind.WORDS: read_words,
    Kind.STRING: without_row(Scanner.string),
    Kind.STRING_OR_DICT: without_row(read_backend_config),
    Kind.SHAPE: without_row(Scanner.shape),
    Kind.SHAPES: read_shapes,
    Kind.WINDOW: without_row(read_window),
    Kind.DIM_LABELS: without_row(read_dim_labels),
    Kind.PADDING: without_row(read_padding),
    Kind.SLICES: without_row(read_slices),
    Kind.INTEGER_ROWS: without_row(read_integer_rows),
    Kind.REPLICA_GROUPS: without_row(read_replica_groups),
    Kind.SHARDING: without_row(read_sharding),
    Kind.DOMAIN: without_row(read_domain),
    Kind.METADATA: without_row(read_metadata),
    Kind.FRONTEND_ATTRIBUTES: without_row(read_frontend_attributes),
    Kind.STATISTICS: without_row(read_statistics),
    Kind.ORIGIN: without_row(read_origin),
    Kind.ALIASING: without_row(read_output_operand_aliasing),
    Kind.RESULT_ACCURACY: without_row(read_result_accuracy),
    Kind.SPARSITY: without_row(read_sparsity),
}


def boolean_text(value: bool) -> str:
    """``true`` or ``false``."""
    return "true" if value else "false"


def braces_writer(texts: Callable[[Any], str], separator: str = ",") -> Writer:
    """Returns a writer of sequences in braces."""
    return lambda values: f"{{{separator.join(map(texts, values))}}}"


# Attributes with floating-point numbers, of which XLA prints six digits.
ROUNDED: Final[dict[Kind, Callable[[Any], object]]] = {
    Kind.FLOAT: six_digits,
    Kind.STATISTICS: rounded_statistics,
    Kind.RESULT_ACCURACY: rounded_accuracy,
}
WRITERS: Final[dict[Kind, Writer]] = {
    Kind.INTEGER: str,
    Kind.FLOAT: single_text,
    Kind.FLAG: boolean_text,
    Kind.BOOLEAN: boolean_text,
    Kind.INTEGERS: integers_text,
    Kind.BOOLEANS: braces_writer(boolean_text),
    Kind.WORD: str,
    Kind.WORDS: braces_writer(str),
    Kind.STRING: quote,
    Kind.STRING_OR_DICT: string_or_dictionary_text,
    Kind.SHAPE: str,
    Kind.SHAPES: braces_writer(str, ", "),
    Kind.WINDOW: window_text,
    Kind.DIM_LABELS: dim_labels_text,
    Kind.PADDING: padding_text,
    Kind.SLICES: slices_text,
    Kind.INTEGER_ROWS: braces_writer(integers_text),
    Kind.REPLICA_GROUPS: replica_groups_text,
    Kind.SHARDING: sharding_text,
    Kind.DOMAIN: domain_text,
    Kind.METADATA: lambda value: f"{{{metadata_text(value)}}}",
    Kind.FRONTEND_ATTRIBUTES: frontend_attributes_text,
    Kind.STATISTICS: statistics_text,
    Kind.ORIGIN: origin_text,
    Kind.ALIASING: output_operand_aliasing_text,
    Kind.RESULT_ACCURACY: result_accuracy_text,
    Kind.SPARSITY: sparsity_text,
}
