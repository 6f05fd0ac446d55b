"""Which results lie where operands or arguments did: read and written.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.formats.hlo.text.scanner import Scanner
from stablemate.xla.values import BufferDonor, Index, InputOutputAlias, OutputOperandAlias


def read_output_operand_aliasing(scanner: Scanner) -> tuple[OutputOperandAlias, ...]:
    """``{{output index}: (operand, {index}), ...}``."""

    def item() -> OutputOperandAlias:
        output = scanner.integers()
        scanner.expect(":")
        scanner.expect("(")
        operand = scanner.signed()
        scanner.expect(",")
        index = scanner.integers()
        scanner.expect(")")
        return OutputOperandAlias(output, operand, index)

    return tuple(scanner.listed("{", "}", item))


def output_operand_aliasing_text(aliases: Sequence[OutputOperandAlias]) -> str:
    """Aliases of an instruction."""
    parts = (
        f"{index_text(each.output_index)}: ({each.operand}, {index_text(each.operand_index)})"
        for each in aliases
    )
    return f"{{{', '.join(parts)}}}"


def read_input_output_alias(scanner: Scanner) -> tuple[InputOutputAlias, ...]:
    """``{ {output index}: (parameter, {index}, must-alias), ... }``; may-alias is the default.

    A comma may stand behind the last one; of several aliases of one result the first counts.
    """
    found: dict[Index, InputOutputAlias] = {}

    def item() -> InputOutputAlias:
        output = scanner.integers()
        scanner.expect(":")
        scanner.expect("(")
        parameter = scanner.signed()
        scanner.expect(",")
        index = scanner.integers()
        must = scanner.accept(",") and read_kind(scanner)
        scanner.expect(")")
        return InputOutputAlias(output, parameter, index, must)

    scanner.expect("{")
    while not scanner.accept("}"):
        alias = item()
        found.setdefault(alias.output_index, alias)
        if not scanner.accept(","):
            scanner.expect("}", "',' or '}'")
            break
    return tuple(found.values())


def read_kind(scanner: Scanner) -> bool:
    """``must-alias``, or ``may-alias``."""
    place = scanner.here()
    word = scanner.word("'may-alias' or 'must-alias'")
    if word not in ("may-alias", "must-alias"):
        scanner.error(f"expected 'may-alias' or 'must-alias', found '{word}'", place)
    return word == "must-alias"


def input_output_alias_text(aliases: Sequence[InputOutputAlias]) -> str:
    """Aliases of a module."""
    parts = (
        f"{index_text(each.output_index)}: ({each.parameter}, "
        f"{index_text(each.parameter_index)}, {'must' if each.must else 'may'}-alias)"
        for each in aliases
    )
    return f"{{ {', '.join(parts)} }}"


def read_buffer_donors(scanner: Scanner) -> tuple[BufferDonor, ...]:
    """``{ (parameter, {index}), ... }``."""

    def item() -> BufferDonor:
        scanner.expect("(")
        parameter = scanner.signed()
        scanner.expect(",")
        index = scanner.integers()
        scanner.expect(")")
        return BufferDonor(parameter, index)

    return tuple(scanner.listed("{", "}", item))


def buffer_donors_text(donors: Sequence[BufferDonor]) -> str:
    """Buffer donors of a module."""
    parts = (f"({each.parameter}, {index_text(each.parameter_index)})" for each in donors)
    return f"{{ {', '.join(parts)} }}"


def index_text(index: Index) -> str:
    """``{0,1}``."""
    return f"{{{','.join(map(str, index))}}}"
