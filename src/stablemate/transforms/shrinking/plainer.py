"""Plainer programs: literals of one element throughout, nothing that may be discarded."""

from __future__ import annotations

from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Module, Operation
from stablemate.ir.rewriter import Rewriting


def with_splats(module: Module) -> Module:
    """The module with literals of one element throughout, their first."""
    return module.with_operation(Splatting({}).copy_operation(module.operation))


class Splatting(Rewriting):
    """Copies a module; literals keep their first element alone."""

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy whose literals are splats."""
        copy = super().copy_operation(operation)
        for name, attribute in copy.attributes.items():
            if isinstance(attribute, DenseElementsAttribute) and attribute.data.size > 1:
                copy.attributes[name] = DenseElementsAttribute(attribute.type, attribute.data[:1])
        return copy


def without_discardable(module: Module) -> Module:
    """The module without attributes that its definitions do not declare."""
    return module.with_operation(StripDiscardables({}).copy_operation(module.operation))


class StripDiscardables(Rewriting):
    """Copies a module without what may be discarded."""

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy with declared attributes alone."""
        copy = super().copy_operation(operation)
        copy.discardable = {}
        for name in ("arg_attrs", "res_attrs"):
            copy.attributes.pop(name, None)
        return copy
