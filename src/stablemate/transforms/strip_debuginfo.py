"""strip-debuginfo: without locations."""

from __future__ import annotations

from stablemate.ir.core import Module, Operation, Region
from stablemate.ir.locations import UNKNOWN
from stablemate.ir.rewriter import Rewriting


def strip_debuginfo(module: Module) -> Module:
    """The module without locations of operations and arguments."""
    return module.with_operation(Stripping({}).copy_operation(module.operation))


class Stripping(Rewriting):
    """Copies a module without locations."""

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy without a location."""
        copy = super().copy_operation(operation)
        copy.location = UNKNOWN
        return copy

    def copied_region(self, region: Region) -> Region:
        """A copy whose arguments have no location."""
        copy = super().copied_region(region)
        for block in copy.blocks:
            for argument in block.arguments:
                argument.location = UNKNOWN
        return copy
