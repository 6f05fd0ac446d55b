"""Programs in binary formats, as IR."""

from __future__ import annotations

from stablemate.diagnostics.limits import Limits
from stablemate.ir import core
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.transforms import vhlo


def binary_module(
    content: object, name: str, limits: Limits, *, upgrade: bool
) -> tuple[core.Module, str]:
    """The program in bytecode or in a portable artifact, and which of them it is."""
    with without_garbage_collection():
        module = vhlo.read_program(content, name, limits)
        if not vhlo.holds_vhlo(module):
            return module, "bytecode"
        return vhlo.from_artifact(module) if upgrade else module, "artifact"
