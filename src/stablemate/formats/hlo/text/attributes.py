"""Values of attributes: how each kind is read and written.

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
from stablemate.formats.hlo.text.lexer.numbers import single_text
from stablemate.formats.hlo.text.lexer.scanner import Scanner
from stablemate.formats.hlo.text.lexer.strings import (
    frontend_attributes_text,
    quoted,
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
    statistics_text,
)
from stablemate.formats.hlo.text.results import (
    read_result_accuracy,
    read_sparsity,
    result_accuracy_text,
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
from stablemate.xla.kinds import AttributeRow, Kind
from stablemate.xla.shape import Shape

Reader: TypeAlias = Callable[[Scanner, AttributeRow], Any]
Writer: TypeAlias = Callable[[Any], str]

GREATEST_SINGLE: Final = float(np.finfo(np.float32).max)


def read_word(scanner: Scanner, row: AttributeRow) -> str:
    """One of the row's words."""
    place = scanner.here()
    word = scanner.word(f"one of {', '.join(row.words)}")
    if word not in row.words:
        scanner.error(f"'{word}' is none of {', '.join(row.words)}", place)
    return word


def read_words(scanner: Scanner, row: AttributeRow) -> tuple[str, ...]:
    """``{highest,default}``: some of the row's words, in any case."""

    def item() -> str:
        place = scanner.here()
        word = scanner.word(f"one of {', '.join(row.words)}").lower()
        if word not in row.words:
            scanner.error(f"'{word}' is none of {', '.join(row.words)}", place)
        return word

    words = tuple(scanner.listed("{", "}", item))
    return words if any(word != row.words[0] for word in words) else ()


def read_single(scanner: Scanner, row: AttributeRow) -> float:
    """A number that 32 bits can hold, rounded to them."""
    place = scanner.here()
    number = scanner.number()
    if abs(number) > GREATEST_SINGLE:
        scanner.error("this number needs more than 32 bits", place)
    return float(np.float32(number))


def read_booleans(scanner: Scanner, row: AttributeRow) -> tuple[bool, ...]:
    """``{true,false}``."""
    return tuple(scanner.listed("{", "}", scanner.boolean))


def read_shapes(scanner: Scanner, row: AttributeRow) -> tuple[Shape, ...]:
    """``{shape, shape}``."""
    return tuple(scanner.listed("{", "}", scanner.shape))


def scanned(read: Callable[[Scanner], Any]) -> Reader:
    """A reader that does not look at the row."""
    return lambda scanner, row: read(scanner)


READERS: Final[dict[Kind, Reader]] = {
    Kind.INTEGER: scanned(Scanner.signed),
    Kind.FLOAT: read_single,
    Kind.FLAG: scanned(Scanner.boolean),
    Kind.BOOLEAN: scanned(Scanner.boolean),
    Kind.INTEGERS: scanned(Scanner.integers),
    Kind.BOOLEANS: read_booleans,
    Kind.WORD: read_word,
    Kind.WORDS: read_words,
    Kind.STRING: scanned(Scanner.string),
    Kind.STRING_OR_DICT: scanned(read_string_or_dictionary),
    Kind.SHAPE: scanned(Scanner.shape),
    Kind.SHAPES: read_shapes,
    Kind.WINDOW: scanned(read_window),
    Kind.DIM_LABELS: scanned(read_dim_labels),
    Kind.PADDING: scanned(read_padding),
    Kind.SLICES: scanned(read_slices),
    Kind.INTEGER_ROWS: scanned(read_integer_rows),
    Kind.REPLICA_GROUPS: scanned(read_replica_groups),
    Kind.SHARDING: scanned(read_sharding),
    Kind.DOMAIN: scanned(read_domain),
    Kind.METADATA: scanned(read_metadata),
    Kind.FRONTEND_ATTRIBUTES: scanned(read_frontend_attributes),
    Kind.STATISTICS: scanned(read_statistics),
    Kind.ORIGIN: scanned(read_origin),
    Kind.ALIASING: scanned(read_output_operand_aliasing),
    Kind.RESULT_ACCURACY: scanned(read_result_accuracy),
    Kind.SPARSITY: scanned(read_sparsity),
}


def boolean_text(value: bool) -> str:
    """``true`` or ``false``."""
    return "true" if value else "false"


def braced(texts: Callable[[Any], str], separator: str = ",") -> Writer:
    """Writes a sequence in braces."""
    return lambda values: f"{{{separator.join(map(texts, values))}}}"


WRITERS: Final[dict[Kind, Writer]] = {
    Kind.INTEGER: str,
    Kind.FLOAT: single_text,
    Kind.FLAG: boolean_text,
    Kind.BOOLEAN: boolean_text,
    Kind.INTEGERS: integers_text,
    Kind.BOOLEANS: braced(boolean_text),
    Kind.WORD: str,
    Kind.WORDS: braced(str),
    Kind.STRING: quoted,
    Kind.STRING_OR_DICT: string_or_dictionary_text,
    Kind.SHAPE: str,
    Kind.SHAPES: braced(str, ", "),
    Kind.WINDOW: window_text,
    Kind.DIM_LABELS: dim_labels_text,
    Kind.PADDING: padding_text,
    Kind.SLICES: slices_text,
    Kind.INTEGER_ROWS: braced(integers_text),
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
