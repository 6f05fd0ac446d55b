"""stablehlo-convert-to-signless: integers without a sign of their own.

Bits stay as they are. What tells signs apart, as a division does, computes on signed numbers
afterwards, as StableHLO reads signless ones: so it is upstream, whose targets keep the sign in
their operations.
"""

from __future__ import annotations

from dataclasses import replace

from stablemate.dialects.stablehlo.attributes import ComparisonType
from stablemate.ir.core import Module, Operation
from stablemate.ir.kinds import EnumAttribute
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import IntegerType
from stablemate.transforms.retyping import Retyping


def convert_to_signless(module: Module) -> Module:
    """The module with signless integers in the place of signed and unsigned ones."""
    return module.with_operation(Signless(signless).copy_operation(module.operation))


class Signless(Retyping):
    """Copies a module with signless integers."""

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy whose comparisons have no unsigned comparison type."""
        copy = super().copy_operation(operation)
        attribute = copy.attributes.get("compare_type")
        if isinstance(attribute, EnumAttribute) and attribute.value == ComparisonType.UNSIGNED:
            copy.attributes["compare_type"] = replace(attribute, value=ComparisonType.SIGNED)
        return copy


def signless(old: object) -> object:
    """Replaces the integers of a type by signless ones of the same width."""
    match old:
        case IntegerType(width=width):
            return IntegerType(width)
        case TensorType(element_type=IntegerType(width=width)):
            return old.with_element(IntegerType(width))
        case _:
            return old
