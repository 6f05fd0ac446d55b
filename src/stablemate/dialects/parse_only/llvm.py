"""Operations of LLVM's dialect that stand beside functions of other dialects.

Source: MLIR LLVM dialect, the operations of the same names.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.parse_only.base import ParseOnlyOp
from stablemate.ir.attributes import ArrayAttribute, OpaqueAttribute
from stablemate.ir.definition import Check, constraint, define, holds, op
from stablemate.ir.kinds import ARRAY

FLAG: Final = "#llvm.mlir.module_flag<"


@op("llvm.module_flags", effects=True)
class ModuleFlags(ParseOnlyOp):
    """The assumptions of a module about its target, by name."""

    __slots__ = ()
    flags = define.attribute("", ARRAY)
    assembly = "attr-dict $flags"

    @constraint("flags")
    def are_flags(self) -> Check:
        """Each of flags is #llvm.mlir.module_flag"""
        flags: ArrayAttribute = self.flags
        other = next((flag for flag in flags.items if not is_flag(flag)), None)
        return holds(other is None, flag=other)


def is_flag(attribute: object) -> bool:
    """Whether an attribute is a flag of a module."""
    return isinstance(attribute, OpaqueAttribute) and attribute.text.startswith(FLAG)
