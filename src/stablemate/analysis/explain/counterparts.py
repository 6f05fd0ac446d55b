"""What operations are called elsewhere: opcodes of HLO, VHLO."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.xla.opcodes import OPCODES

DIALECTS: Final = ("stablehlo", "chlo")
# Opcodes whose names are not that of the operation, by operation.
OPCODES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "chlo.atan": ("atan", "atan2"),
    "chlo.top_k": ("topk",),
    "func.call": ("call",),
    "stablehlo.async_done": ("async-done", "all-reduce-done", "all-gather-done"),
    "stablehlo.async_start": ("async-start", "all-reduce-start", "all-gather-start"),
    "stablehlo.broadcast": ("broadcast",),
    "stablehlo.broadcast_in_dim": ("broadcast",),
    "stablehlo.case": ("conditional",),
    "stablehlo.composite": ("call",),
    "stablehlo.create_token": ("after-all",),
    "stablehlo.cross-replica-sum": ("all-reduce",),
    "stablehlo.dot": ("dot",),
    "stablehlo.dot_general": ("dot",),
    "stablehlo.dynamic_reshape": ("dynamic-reshape", "reshape"),
    "stablehlo.einsum": ("dot",),
    "stablehlo.if": ("conditional",),
    "stablehlo.optimization_barrier": ("opt-barrier",),
    "stablehlo.recv": ("recv", "recv-done"),
    "stablehlo.send": ("send", "send-done"),
    "stablehlo.torch_index_select": ("gather",),
    "stablehlo.unary_einsum": ("transpose", "reduce"),
}


def opcodes_of(name: str) -> tuple[str, ...]:
    """The opcodes of HLO that an operation becomes."""
    if name in OPCODES_OF:
        return OPCODES_OF[name]
    dialect, _, own = name.partition(".")
    opcode = own.replace("_", "-")
    return (opcode,) if dialect in DIALECTS and opcode in OPCODES else ()


def operation_of_opcode(opcode: str) -> str | None:
    """The operation that an opcode means; None if it is one of HLO alone."""
    own = opcode.replace("-", "_")
    for dialect in DIALECTS:
        if f"{dialect}.{own}" in OPERATIONS and opcode in OPCODES:
            return "stablehlo.dot_general" if opcode == "dot" else f"{dialect}.{own}"
    matching = (name for name, opcodes in OPCODES_OF.items() if opcode in opcodes)
    return next(matching, None)


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
