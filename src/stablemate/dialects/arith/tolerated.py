"""The rules of arith that upstream's verifier checks for compatible instead of equal types."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.ir.shapes import compatible
from stablemate.ir.tolerated import Tolerated
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN


def has_one_element_type(op: Any, _: Diagnostic) -> bool:
    """Whether the types differ only in sizes that one of them leaves open."""
    types = [value.type for value in (*op.operands, *op.results)]
    if not all(isinstance(value_type, TensorType) for value_type in types):
        return False
    elements = {value.type.element_type for value in op.operands}
    flags = {value.type.element_type for value in op.results[1:]}
    shapes = [value_type.with_element(BOOLEAN) for value_type in types]
    return (
        len(elements) == 1
        and flags <= {*elements, BOOLEAN}
        and op.results[0].type == op.operands[0].type
        and (len(op.results) == 1 or op.operands[0].type == op.operands[1].type)
        and all(compatible(x, y) for x, y in combinations(shapes, 2))
    )


SAME_TYPES: Final = (
    "addf addi addui_extended andi ceildivsi ceildivui divf divsi divui floordivsi maximumf "
    "maxnumf maxsi maxui minimumf minnumf minsi minui mulf muli mulsi_extended mului_extended negf "
    "ori remf remsi remui shli shrsi shrui subf subi xori"
)

TOLERATED: Final[Mapping[str, Tolerated]] = {
    f"arith.{name} types": Tolerated(has_one_element_type) for name in SAME_TYPES.split()
}
