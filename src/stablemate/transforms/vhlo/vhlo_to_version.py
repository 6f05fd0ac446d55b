"""vhlo-to-version: a program of VHLO in the revisions that a version of StableHLO writes.

Source: StableHLO, VHLO: version conversions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.dialects.vhlo.definition import VhloOp
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.dialects.vhlo.versions import NEWEST, Version
from stablemate.ir.core import Block, Module, Operation
from stablemate.ir.types import Attribute, Type
from stablemate.transforms.vhlo.legality import need, stablehlo_name
from stablemate.transforms.vhlo.rebuilding import Rebuilding, refuse
from stablemate.transforms.vhlo.revisions import CHANGES
from stablemate.transforms.vhlo.use_orders import LateUses

# What the compatibility expander writes in older operations, below which version.
EXPANDED: Final[Mapping[str, Version]] = {
    "tan": Version(1, 4, 0),
    "gather": Version(1, 1, 0),
    "scatter": Version(1, 1, 0),
    **dict.fromkeys(("all_gather", "all_reduce", "all_to_all"), Version(1, 16, 0)),
    **dict.fromkeys(("collective_broadcast", "reduce_scatter"), Version(1, 16, 0)),
}
HINT_EXPAND: Final = "expand=True writes it in operations that the target knows, where it can"


def vhlo_to_version(module: Module, target: Version, late_uses: LateUses | None = None) -> Module:
    """The module as a version of StableHLO writes it; itself if it is in that form already.

    Args:
        module: A module of VHLO.
        target: The version.
        late_uses: Which uses replaced others, of the module and of the new one.

    Raises:
        UnsupportedError: An operation, an attribute or a type is newer than the target.
    """
    target = target.without_patch
    changing = False
    for operation in module.operation.walk():
        if isinstance(operation, VhloOp):
            refuse_newer(operation, target)
            changing = changing or not operation.revision.is_written_by(target)
    return Conversion(target, late_uses).module(module) if changing else module


def newest_attributes(operation: VhloOp) -> Mapping[str, Attribute]:
    """The attributes of the newest revision of an operation, which say the same."""
    if operation.revision.until == NEWEST:
        return operation.attributes
    return revision_of(operation, NEWEST)[1]


class Conversion(Rebuilding):
    """The conversion of one module to a version that can write all of it."""

    def __init__(self, target: Version, late_uses: LateUses | None = None) -> None:
        super().__init__(late_uses)
        self.target = target

    def block_types(self, block: Block) -> Sequence[Type]:
        """Keeps the types of a block's arguments."""
        return [argument.type for argument in block.arguments]

    def place(self, operation: Operation, block: Block) -> None:
        """Puts the revision that the target writes at the end of a new block."""
        cls: type[Operation] = type(operation)
        attributes: Mapping[str, Attribute] = operation.attributes
        if isinstance(operation, VhloOp) and not operation.revision.is_written_by(self.target):
            cls, attributes = revision_of(operation, self.target)
        operands = self.new_operands(operation)
        types = [result.type for result in operation.results]
        stored = {**attributes, **operation.discardable} if operation.discardable else attributes
        self.make(cls, operation, operands, types, stored, block)


def revision_of(operation: VhloOp, target: Version) -> tuple[type[VhloOp], Mapping[str, Attribute]]:
    """The class and the attributes of the revision that a version writes."""
    revision = operation.revision
    change = CHANGES[revision.mnemonic]
    target_row = next(
        row for row in REVISIONS[revision.mnemonic] if row.revision.is_written_by(target)
    )
    if target_row.revision.number > revision.number:
        return target_row, change.upgrade(operation.attributes)
    return target_row, change.downgrade(operation, operation.attributes)


def refuse_newer(operation: VhloOp, target: Version) -> None:
    """Refuses an operation that is newer than the target, or says something that is.

    Raises:
        UnsupportedError: It is.
    """
    needed, reason = need(operation)
    if needed <= target:
        return
    mnemonic = operation.revision.mnemonic
    notes = [f"write StableHLO {needed} or later"]
    if target < EXPANDED.get(mnemonic, target):
        notes.append(HINT_EXPAND)
    message = f"StableHLO {target} cannot express this; {needed} can: {abbreviate(reason)}"
    refuse(operation, message, "", *notes, rule=stablehlo_name(mnemonic))


def abbreviate(text: str) -> str:
    """At most 100 characters of a text."""
    return text if len(text) <= 100 else f"{text[:97]}..."
