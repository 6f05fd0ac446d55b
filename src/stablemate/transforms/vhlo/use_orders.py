"""The order of uses in artifacts, as the reference writer leaves it.

That writer creates new operations, outermost first, when it legalizes them to VHLO, and creates
those once more that the target writes in another revision. The uses by these come to the front of
the lists; where they define a value, all uses of the old value are replaced by uses of the new one,
latest first, which reverses the list. Where it replaces a value by one that has uses of its own,
the uses that it moves come before these.

Source: MLIR, dialect conversion, ``replaceAllUsesWith``; MLIR bytecode format, "Use-list ordering".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from stablemate.dialects.builtin import UnrealizedConversionCast
from stablemate.dialects.vhlo.definition import VhloOp
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.dialects.vhlo.types import VhloType
from stablemate.dialects.vhlo.versions import Version
from stablemate.formats.bytecode.use_orders import order_of
from stablemate.ir.core import Module, Operation, OpResult, UseOrder, Value
from stablemate.ir.types import Type

# The newest version of the reference writer that artifacts are compared with.
REFERENCE: Final = Version(1, 17, 0)

Use = tuple[int, int]  # number of the operation, outermost first, and of the operand


class LateUses:
    """The uses that the reference writer moved from one value to another.

    Attributes:
        groups: For an operation and the number of its operand, when the use was moved: in the
            order of these numbers, which are positive.
    """

    def __init__(self) -> None:
        self.groups: dict[tuple[Operation, int], int] = {}

    def add(self, operation: Operation, position: int, group: int) -> None:
        """Notes that a use was moved."""
        self.groups[operation, position] = group

    def copy(self, old: Operation, new: Operation) -> None:
        """Notes the same for the operation that takes the place of another one."""
        if not self.groups:
            return
        for position in range(len(new.operands)):
            group = self.groups.get((old, position))
            if group is not None:
                self.groups[new, position] = group

    def rank(self, use: tuple[Use, Operation]) -> tuple[int, int, int]:
        """Orders the uses of a value, from the back of its list to the front."""
        (number, position), operation = use
        group = self.groups.get((operation, position), 0)
        return (group, -number, -position) if group else (0, number, position)


def is_made_anew(operation: Operation, target: Version) -> bool:
    """Whether the reference writer changes the revision of an operation for a target."""
    if not isinstance(operation, VhloOp):
        return False
    writer = max(target, REFERENCE)
    revisions = REVISIONS[operation.revision.mnemonic]
    newest = next(
        (revision for revision in revisions if revision.revision.is_written_by(writer)), None
    )
    return newest is not None and not newest.revision.is_written_by(target)


def is_cast(operation: Operation, *, to_vhlo: bool) -> bool:
    """Whether an operation hands a value over between VHLO and other dialects, in one direction."""
    if not isinstance(operation, UnrealizedConversionCast) or len(operation.results) != 1:
        return False
    handed_over = operation.results if to_vhlo else operation.operands
    return len(handed_over) == 1 and isinstance(handed_over[0].type, VhloType)


def use_orders(
    module: Module, target: Version, late_uses: LateUses | None = None
) -> dict[Value[Type], UseOrder]:
    """The orders of uses of a module that is written for a target, where they are not natural."""
    late_uses = LateUses() if late_uses is None else late_uses
    anew: set[Operation] = set()
    uses: dict[Value[Type], list[tuple[Use, Operation]]] = {}
    for operation in module.operation.walk():
        if is_made_anew(operation, target):
            anew.add(operation)
            uses.update((value, []) for value in (*operation.operands, *operation.results))
        elif is_cast(operation, to_vhlo=True):
            uses[operation.results[0]] = []
        elif is_cast(operation, to_vhlo=False):
            uses[operation.operands[0]] = []
        for position, value in enumerate(operation.operands if late_uses.groups else ()):
            if (operation, position) in late_uses.groups:
                uses[value] = []
    if not uses:
        return {}
    for number, operation in enumerate(module.operation.walk()):
        for position, value in enumerate(operation.operands):
            if value in uses:
                uses[value].append(((number, position), operation))
    orders: dict[Value[Type], UseOrder] = {}
    for value, use in uses.items():
        order = order_of(rank_uses(value, use, anew, late_uses)) if len(use) > 1 else None
        if order is not None:
            orders[value] = order
    return orders


def rank_uses(
    value: Value[Type],
    uses: list[tuple[Use, Operation]],
    anew: Collection[Operation],
    late_uses: LateUses,
) -> list[tuple[Use, Use]]:
    """Each use of a value with its rank in the list: the higher, the nearer to the front."""
    maker = value.operation if isinstance(value, OpResult) else None
    ordered = sorted(uses, key=late_uses.rank) if late_uses.groups else uses
    ordered = sorted(ordered, key=lambda use: is_cast(use[1], to_vhlo=False))  # these come last
    if maker is not None and is_cast(maker, to_vhlo=True):
        ordered.reverse()  # handed over from a stand-in
    ordered = [use for use in ordered if use[1] not in anew]
    ordered += [use for use in uses if use[1] in anew]
    if maker in anew:
        ordered.reverse()
    return [(use, (rank, 0)) for rank, (use, _) in enumerate(ordered)]
