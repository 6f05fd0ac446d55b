"""Reads and writes the accuracy of results and the sparsity of operands.

Source: XLA, HLO text.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, Literal, cast

from stablemate.formats.hlo.text.lexer.numbers import general_text, six_digits
from stablemate.formats.hlo.text.lexer.scanner import ATTRIBUTE, SPACE, Scanner
from stablemate.xla.values import ResultAccuracy, SparsityConfig, SparsitySide

MODES: Final = ("default", "highest")
TOLERANCES: Final = ("atol", "rtol", "ulps")


def read_result_accuracy(scanner: Scanner) -> ResultAccuracy | None:
    """``{mode=highest}`` or ``{tolerance={atol=1,rtol=0,ulps=2}}``; None for the default mode."""
    scanner.expect("{")
    place = scanner.here()
    field = scanner.take(ATTRIBUTE, "'mode=' or 'tolerance='")
    if field == "mode":
        place = scanner.here()
        mode = scanner.word("'default' or 'highest'").lower()
        if mode not in MODES:
            scanner.error(f"'{mode}' is not one of {', '.join(MODES)}", place)
        result_accuracy = ResultAccuracy(cast(Literal["", "default", "highest"], mode))
        scanner.expect("}")
        return None if mode == "default" else result_accuracy
    if field != "tolerance":
        scanner.error(f"'{field}' is not one of mode, tolerance", place)
    result_accuracy = ResultAccuracy(**read_tolerance(scanner))
    scanner.expect("}")
    return result_accuracy


def read_tolerance(scanner: Scanner) -> dict[str, Any]:
    """Reads ``{atol=1,rtol=0,ulps=2}``; any field may be missing."""
    fields: dict[str, object] = {}

    def item() -> None:
        place = scanner.here()
        name = scanner.take(ATTRIBUTE, f"one of {', '.join(TOLERANCES)}, followed by '='")
        if name not in TOLERANCES or name in fields:
            problem = "occurs twice" if name in fields else f"is not one of {', '.join(TOLERANCES)}"
            scanner.error(f"'{name}' {problem}", place)
        fields[name] = scanner.signed_integer() if name == "ulps" else scanner.number()

    scanner.read_enclosed("{", "}", item)
    return fields


def result_accuracy_text(accuracy: ResultAccuracy) -> str:
    """Prints the accuracy of a result."""
    if accuracy.mode:
        return f"{{mode={accuracy.mode}}}"
    atol, rtol = general_text(accuracy.atol), general_text(accuracy.rtol)
    return f"{{tolerance={{atol={atol},rtol={rtol},ulps={accuracy.ulps}}}}}"


def rounded_accuracy(accuracy: ResultAccuracy) -> ResultAccuracy:
    """Returns the accuracy whose tolerances have six digits."""
    return replace(accuracy, atol=six_digits(accuracy.atol), rtol=six_digits(accuracy.rtol))


NON_ZEROS: Final = re.compile(rf"([0-9]{{1,18}}x[0-9]{{1,18}})(?![0-9a-z]){SPACE}")


def read_sparsity(scanner: Scanner) -> SparsityConfig:
    """``{lhs={sparsity=2x4 dimension=1 stride=1} rhs={...}}``: two of four elements are stored."""
    sides: dict[str, SparsitySide] = {}
    scanner.expect("{")
    while not scanner.accept("}"):
        place = scanner.here()
        name = scanner.take(ATTRIBUTE, "'}', 'lhs=' or 'rhs='")
        if name not in ("lhs", "rhs") or name in sides:
            problem = "occurs twice" if name in sides else "is not one of lhs, rhs"
            scanner.error(f"'{name}' {problem}", place)
        sides[name] = read_side(scanner)
    return SparsityConfig(**sides)


def read_side(scanner: Scanner) -> SparsitySide:
    """Reads ``{sparsity=2x4 dimension=1 stride=1}``; missing fields are zero."""
    fields: dict[str, int] = {}
    scanner.expect("{")
    while not scanner.accept("}"):
        place = scanner.here()
        name = scanner.take(ATTRIBUTE, "'}', 'sparsity=', 'dimension=' or 'stride='")
        if name == "sparsity":
            numbers = scanner.take(NON_ZEROS, "two integers joined by 'x'").split("x")
            fields["non_zeros"], fields["block_size"] = map(int, numbers)
        elif name in ("dimension", "stride"):
            fields[name] = scanner.signed_integer()
        else:
            scanner.error(f"'{name}' is not one of sparsity, dimension, stride", place)
    names = ("non_zeros", "block_size", "dimension", "stride")
    return SparsitySide(*(fields.get(name, 0) for name in names))


def sparsity_text(sparsity: SparsityConfig) -> str:
    """Prints the sparsity of operands."""
    sides = (("lhs", sparsity.lhs), ("rhs", sparsity.rhs))
    parts = [
        f"{name}={{sparsity={side.non_zeros}x{side.block_size} dimension={side.dimension} "
        f"stride={side.stride}}}"
        for name, side in sides
        if side is not None
    ]
    return f"{{{' '.join(parts)}}}"
