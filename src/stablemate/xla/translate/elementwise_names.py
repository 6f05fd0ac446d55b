"""Elementwise instructions and operations: the same words, with dashes or underscores."""

from __future__ import annotations

from typing import Final

from stablemate.dialects.registry import names_in
from stablemate.xla.opcodes import ELEMENTWISE

STABLEHLO: Final = frozenset(names_in("stablehlo"))


def operation_name(opcode: str) -> str:
    """The operation of the name of an elementwise opcode: StableHLO's, else CHLO's."""
    own_name = opcode.replace("-", "_")
    name = f"stablehlo.{own_name}"
    return name if name in STABLEHLO else f"chlo.{own_name}"


# The bounds of a clamp may be scalars; it is translated like the others where they are not.
OPERATION_OF: Final = {opcode: operation_name(opcode) for opcode in (*ELEMENTWISE, "clamp")}
# Operations of CHLO that are an instruction; the opcode ``atan`` is younger than most of XLA.
CHLO: Final = frozenset(
    [name for name in OPERATION_OF.values() if name.startswith("chlo.") and name != "chlo.atan"]
    + ["chlo.tan"]
)
