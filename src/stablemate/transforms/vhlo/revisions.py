"""The changes from one revision of an operation to the next, by their declarations.

A table says for each attribute of newer revisions which value of it says what the older ones meant.
Upgrading adds that value; downgrading asks for it and drops it.

Source: StableHLO, VHLO: version conversions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.vhlo import attributes as vhlo
from stablemate.dialects.vhlo.definition import VhloOp
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.dialects.vhlo.types import TensorV1Type
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.types import Attribute
from stablemate.transforms.vhlo.attribute_conversions import ABSENT, ALGORITHM
from stablemate.transforms.vhlo.defaults import (
    DEFAULT_ACCURACY,
    EMPTY_VECTOR,
    is_default_accuracy,
    is_empty,
    splat_tensor,
)


@dataclass(frozen=True, slots=True)
class Neutral:
    """An attribute that only the newer revision has.

    Attributes:
        value: What the older revision meant.
        is_neutral: Whether a value says no more than that.
        description: What a value must be for the older revision, in words.
    """

    value: Attribute
    is_neutral: Callable[[Attribute], bool]
    description: str


@dataclass(frozen=True, slots=True)
class RevisionChange:
    """From one revision to the next.

    Attributes:
        added: Attributes that only the newer revision has.
        dropped: Attributes that only the older one has, with their values for an operation.
        one_operand: Whether the older revision has one operand where the newer has any number.
        no_regions: Whether the older revision has no regions.
    """

    added: Mapping[str, Neutral] = field(default_factory=dict[str, Neutral])
    dropped: Mapping[str, Callable[[Operation], Attribute]] = field(
        default_factory=dict[str, Callable[[Operation], Attribute]]
    )
    one_operand: bool = False
    no_regions: bool = False

    def obstacle(self, operation: Operation) -> str:
        """The fact of the newer revision that the older one cannot express; empty if none."""
        if self.one_operand and len(operation.operands) != 1:
            return f"{len(operation.operands)} operands: the older form has one"
        if self.no_regions and operation.regions:
            return "regions: the older form has none"
        for name, neutral in self.added.items():
            if not neutral.is_neutral(operation.attributes[name]):
                return f"{name}: in the older form it is {neutral.description}"
        return ""

    def upgrade(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        """The attributes of the newer revision."""
        kept = {
            name: attribute for name, attribute in attributes.items() if name not in self.dropped
        }
        return kept | {name: neutral.value for name, neutral in self.added.items()}

    def downgrade(
        self, operation: Operation, attributes: Mapping[str, Attribute]
    ) -> dict[str, Attribute]:
        """The attributes of the older revision."""
        kept = {name: attribute for name, attribute in attributes.items() if name not in self.added}
        return kept | {name: value(operation) for name, value in self.dropped.items()}


def no_padding(convolution: Operation) -> Attribute:
    """The padding attribute of a dynamic convolution, which an operand replaces."""
    lhs = convolution.operands[0].type
    rank = len(lhs.shape) - 2 if isinstance(lhs, TensorV1Type) else 0
    return splat_tensor(0, max(rank, 0), 2)


EMPTY: Final = Neutral(EMPTY_VECTOR, is_empty, "empty")
NO_ITEMS: Final = Neutral(vhlo.ArrayV1(), is_empty, "empty")
FALSE: Final = Neutral(vhlo.BooleanV1(False), lambda a: a == vhlo.BooleanV1(False), "false")
NONE: Final = Neutral(ABSENT, lambda a: a == ABSENT, "absent")
ACCURACY: Final = Neutral(DEFAULT_ACCURACY, is_default_accuracy, "the default")

# What attributes that came with a later revision meant before.
ADDED: Final[Mapping[str, Neutral]] = {
    **dict.fromkeys(ALGORITHM, NONE),
    "has_dynamic_root": FALSE,
    "input_batching_dims": EMPTY,
    "operand_batching_dims": EMPTY,
    "result_accuracy": ACCURACY,
    "result_tilings": NO_ITEMS,
    "scatter_indices_batching_dims": EMPTY,
    "source_target_pairs": EMPTY,
    "start_indices_batching_dims": EMPTY,
}
DROPPED: Final[Mapping[str, Callable[[Operation], Attribute]]] = {"padding": no_padding}


def change_between(older: type[VhloOp], newer: type[VhloOp]) -> RevisionChange:
    """The change from a revision to the next: what their declarations do not share."""
    before, after = definition_of(older), definition_of(newer)
    return RevisionChange(
        {name: ADDED[name] for name in after.attributes if name not in before.attributes},
        {name: DROPPED[name] for name in before.attributes if name not in after.attributes},
        one_operand=after.operand_variadics > before.operand_variadics,
        no_regions=bool(after.regions) and not before.regions,
    )


# The change from revision 1 to revision 2; no operation has more revisions yet.
CHANGES: Final[Mapping[str, RevisionChange]] = {
    name: change_between(*revisions) for name, revisions in REVISIONS.items() if len(revisions) > 1
}
