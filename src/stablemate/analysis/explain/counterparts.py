"""The names of operations in HLO (opcodes) and VHLO (revisions)."""

from __future__ import annotations

from typing import Final

from stablemate.dialects.registry import OPERATIONS, names_in
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.ir.definition import Op
from stablemate.xla.opcodes import OPCODES

DIALECTS: Final = ("stablehlo", "chlo")


def opcodes_of(name: str) -> tuple[str, ...]:
    """The opcodes of HLO that an operation becomes."""
    cls = OPERATIONS.get(name)
    declared = cls.opcodes if cls is not None and issubclass(cls, Op) else None
    if declared is not None:
        return tuple(declared)
    dialect, _, own = name.partition(".")
    opcode = own.replace("_", "-")
    return (opcode,) if dialect in DIALECTS and opcode in OPCODES else ()


def operation_of_opcode(opcode: str) -> str | None:
    """The operation that an opcode means; None if it is one of HLO alone."""
    own = opcode.replace("-", "_")
    for dialect in DIALECTS:
        if f"{dialect}.{own}" in OPERATIONS and opcode in OPCODES:
            return "stablehlo.dot_general" if opcode == "dot" else f"{dialect}.{own}"
    names = (name for dialect in ("func", *DIALECTS) for name in names_in(dialect))
    return next((name for name in names if opcode in opcodes_of(name)), None)


def revisions_of(name: str) -> str:
    """Since when portable artifacts know an operation, and in which revisions."""
    dialect, _, own = name.partition(".")
    revisions = REVISIONS.get(own, ()) if dialect in ("stablehlo", "func") else ()
    if not revisions:
        return ""
    oldest = min(revisions, key=lambda revision: revision.revision.number)
    names = ", ".join(
        revision.definition.name
        for revision in sorted(revisions, key=lambda revision: revision.revision.number)
    )
    return f"since {oldest.revision.since} ({names})"
