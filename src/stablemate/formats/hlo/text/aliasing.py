"""Reads and writes aliases: which results use the memory of operands or arguments.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from stablemate.formats.hlo.text.lexer.scanner import Scanner
from stablemate.xla.shape import Shape
from stablemate.xla.values import BufferDonor, Index, InputOutputAlias, OutputOperandAlias

T = TypeVar("T")


def list_with_trailing_comma(
    scanner: Scanner, read: Callable[[], T], open: str = "{", close: str = "}"
) -> Iterator[T]:
    """Reads a list between two marks; a comma may follow the last item."""
    scanner.expect(open)
    while not scanner.accept(close):
        yield read()
        if not scanner.accept(","):
            scanner.expect(close, f"',' or '{close}'")
            return


def read_index(scanner: Scanner) -> Index:
    """``{0,1}``."""
    return tuple(list_with_trailing_comma(scanner, scanner.signed_integer))


def read_output_operand_aliasing(scanner: Scanner) -> tuple[OutputOperandAlias, ...]:
    """``{{output index}: (operand, {index}), ...}``."""

    def item() -> OutputOperandAlias:
        output = read_index(scanner)
        scanner.expect(":")
        scanner.expect("(")
        operand = scanner.signed_integer()
        scanner.expect(",")
        index = read_index(scanner)
        scanner.expect(")")
        return OutputOperandAlias(output, operand, index)

    return tuple(list_with_trailing_comma(scanner, item))


def output_operand_aliasing_text(aliases: Sequence[OutputOperandAlias]) -> str:
    """Prints the aliases of an instruction."""
    parts = (
        f"{index_text(aliase.output_index)}: ({aliase.operand}, {index_text(aliase.operand_index)})"
        for aliase in aliases
    )
    return f"{{{', '.join(parts)}}}"


def read_input_output_alias(scanner: Scanner) -> tuple[InputOutputAlias, ...]:
    """``{ {output index}: (parameter, {index}, must-alias), ... }``; may-alias is the default.

    Of several aliases of one result the first counts.
    """

    def item() -> InputOutputAlias:
        output = read_index(scanner)
        scanner.expect(":")
        scanner.expect("(")
        parameter = read_parameter(scanner)
        scanner.expect(",")
        index = read_index(scanner)
        must = scanner.accept(",") and read_kind(scanner)
        scanner.expect(")")
        return InputOutputAlias(output, parameter, index, must)

    aliases: dict[Index, InputOutputAlias] = {}
    for alias in list_with_trailing_comma(scanner, item):
        aliases.setdefault(alias.output_index, alias)
    return tuple(aliases.values())


def read_parameter(scanner: Scanner) -> int:
    """Reads the number of a parameter; like XLA, without checking that the parameter exists."""
    place = scanner.here()
    parameter = scanner.signed_integer()
    if parameter < 0:
        scanner.error(f"parameters are numbered from 0, found {parameter}", place)
    return parameter


def read_kind(scanner: Scanner) -> bool:
    """``must-alias``, or ``may-alias``."""
    place = scanner.here()
    word = scanner.word("'may-alias' or 'must-alias'")
    if word not in ("may-alias", "must-alias"):
        scanner.error(f"expected 'may-alias' or 'must-alias', found '{word}'", place)
    return word == "must-alias"


def input_output_alias_text(aliases: Sequence[InputOutputAlias]) -> str:
    """Prints the aliases of a module."""
    parts = (
        f"{index_text(aliase.output_index)}: ({aliase.parameter}, "
        f"{index_text(aliase.parameter_index)}, {'must' if aliase.must else 'may'}-alias)"
        for aliase in aliases
    )
    return f"{{ {', '.join(parts)} }}"


def read_buffer_donors(scanner: Scanner) -> tuple[BufferDonor, ...]:
    """Reads ``{ (parameter, {index}), ... }``; duplicates are dropped."""

    def item() -> BufferDonor:
        scanner.expect("(")
        parameter = read_parameter(scanner)
        scanner.expect(",")
        index = read_index(scanner)
        scanner.expect(")")
        return BufferDonor(parameter, index)

    return tuple(dict.fromkeys(list_with_trailing_comma(scanner, item)))


def buffer_donors_text(donors: Sequence[BufferDonor]) -> str:
    """Prints the buffer donors of a module."""
    parts = (f"({donor.parameter}, {index_text(donor.parameter_index)})" for donor in donors)
    return f"{{ {', '.join(parts)} }}"


def has_subshape(shape: Shape, index: Index) -> bool:
    """Whether a shape has a subshape at an index."""
    for position in index:
        if not (shape.is_tuple and 0 <= position < len(shape.elements)):
            return False
        shape = shape.elements[position]
    return True


def index_text(index: Index) -> str:
    """``{0,1}``."""
    return f"{{{','.join(map(str, index))}}}"
