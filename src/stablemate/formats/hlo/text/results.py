"""How exact results must be, and how sparse operands are: read and written.

Source: XLA, HLO text.
"""

from __future__ import annotations

from typing import Any, Final, Literal, cast

from stablemate.formats.hlo.text.numbers import general_text
from stablemate.formats.hlo.text.scanner import ATTRIBUTE, Scanner
from stablemate.xla.values import ResultAccuracy, SparsityConfig

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
            scanner.error(f"'{mode}' is none of {', '.join(MODES)}", place)
        found = ResultAccuracy(cast(Literal["", "default", "highest"], mode))
        scanner.expect("}")
        return None if mode == "default" else found
    if field != "tolerance":
        scanner.error(f"'{field}' is none of mode, tolerance", place)
    found = ResultAccuracy(**read_tolerance(scanner))
    scanner.expect("}")
    return found


def read_tolerance(scanner: Scanner) -> dict[str, Any]:
    """``{atol=1,rtol=0,ulps=2}``, each of which may be missing."""
    fields: dict[str, Any] = {}

    def item() -> None:
        place = scanner.here()
        name = scanner.take(ATTRIBUTE, f"one of {', '.join(TOLERANCES)}, followed by '='")
        if name not in TOLERANCES or name in fields:
            said = "is there twice" if name in fields else f"is none of {', '.join(TOLERANCES)}"
            scanner.error(f"'{name}' {said}", place)
        fields[name] = scanner.signed() if name == "ulps" else scanner.number()

    scanner.listed("{", "}", item)
    return fields


def result_accuracy_text(accuracy: ResultAccuracy) -> str:
    """The accuracy of a result."""
    if accuracy.mode:
        return f"{{mode={accuracy.mode}}}"
    atol, rtol = general_text(accuracy.atol), general_text(accuracy.rtol)
    return f"{{tolerance={{atol={atol},rtol={rtol},ulps={accuracy.ulps}}}}}"


SIDES: Final = ("lhs", "rhs")
NUMBERS: Final = ("non_zeros", "block_size", "dimension", "stride")


def read_sparsity(scanner: Scanner) -> SparsityConfig:
    """``{lhs={...},rhs={...}}``."""
    scanner.error("sparse operands of a convolution cannot be read")


def sparsity_text(sparsity: SparsityConfig) -> str:
    """Sparse operands."""
    raise NotImplementedError
