"""The conversion of a program of StableHLO to VHLO, operation by operation.

Source: StableHLO, legalization to VHLO; MLIR, dialect conversion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

from stablemate.dialects.builtin import ModuleOp
from stablemate.dialects.vhlo.conversion import NoCounterpart, to_vhlo
from stablemate.dialects.vhlo.definition import VhloOp
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.dialects.vhlo.types import VhloType
from stablemate.ir.core import Block, Module, Operation, OpResult, Value
from stablemate.ir.definition import definition_of
from stablemate.ir.types import Attribute, Type
from stablemate.transforms.vhlo.attribute_conversions import conversions_of
from stablemate.transforms.vhlo.attributes import attribute_to_vhlo
from stablemate.transforms.vhlo.defaults import defaults_of
from stablemate.transforms.vhlo.folding import Folded, fold_operation
from stablemate.transforms.vhlo.rebuilding import Rebuilding, refuse
from stablemate.transforms.vhlo.unwritable import reason_against, unreachable_operations
from stablemate.transforms.vhlo.use_orders import LateUses

# Operations that have a form in VHLO, and the newest of it.
NEWEST: Final[Mapping[str, type[VhloOp]]] = {
    **{f"stablehlo.{name}": classes[-1] for name, classes in REVISIONS.items()},
    **{f"func.{name}": REVISIONS[name][-1] for name in ("func", "call", "return")},
}
NO_FORM: Final = "this operation has no form in portable artifacts"
HINT_MIXED: Final = "mixed=True keeps operations of other dialects and their attributes as they are"
HINT_CHLO: Final = "the pass chlo-legalize-to-stablehlo makes operations of StableHLO of them"


def refuse_foreign(operation: Operation) -> NoReturn:
    """Says that an operation of another dialect cannot be converted, and what helps.

    Raises:
        UnsupportedError: Always.
    """
    hints = (HINT_CHLO, HINT_MIXED) if operation.name.startswith("chlo.") else (HINT_MIXED,)
    refuse(operation, NO_FORM, "", *hints)


class VhloLegalization(Rebuilding):
    """The conversion of one module that holds nothing but StableHLO.

    Attributes:
        unreached: The operations in blocks that no branch reaches, which stay as they are.
    """

    mixed = False

    def __init__(self, late_uses: LateUses | None = None) -> None:
        super().__init__(late_uses)
        self.unreached: set[Operation] = set()

    def module(self, module: Module) -> Module:
        """The new module, after a look at which operations stay because nothing reaches them."""
        self.unreached = set(unreachable_operations(module))
        self.inspect(module)
        return super().module(module)

    def inspect(self, module: Module) -> None:
        """Looks at the module before its operations are placed; nothing by default."""

    def place(self, operation: Operation, block: Block) -> None:
        """Puts the operation of VHLO at the end of a new block."""
        cls = NEWEST.get(operation.name)
        if operation in self.unreached:
            self.place_unreached(operation, block)
        elif cls is not None:
            self.convert(operation, cls, block)
        elif isinstance(operation, ModuleOp):
            self.keep(operation, block)
        else:
            self.place_other(operation, block)

    def convert(self, operation: Operation, cls: type[VhloOp], block: Block) -> None:
        """Puts the counterpart of an operation at the end of a new block."""
        mnemonic = cls.revision.mnemonic
        name = "types"
        try:
            types = [to_vhlo(result.type, mixed=self.mixed) for result in operation.results]
            attributes: dict[str, Attribute] = {}
            conversions = conversions_of(mnemonic)
            for name, attribute in self.stored_attributes(operation):
                conversion = conversions.get(name)
                if conversion is None:
                    attributes[name] = attribute_to_vhlo(attribute, mixed=self.mixed)
                else:
                    attributes.update(
                        zip(conversion.names, conversion.split(attribute), strict=True)
                    )
        except NoCounterpart as error:
            refuse(operation, str(error), name, *self.hints(operation, name))
        for name, default in defaults_of(mnemonic).items():
            if name not in attributes:
                attributes[name] = default.value(operation)
        for name in definition_of(cls).attributes:
            if name not in attributes:
                refuse(operation, f"without {name} this operation has no form in VHLO")
        operands = self.operands(operation)
        self.make(cls, operation, operands, types, attributes, block)

    def hints(self, operation: Operation, name: str) -> Sequence[str]:
        """Hints for an attribute without counterpart."""
        attribute = dict(self.stored_attributes(operation)).get(name)
        if self.mixed or attribute is None:
            return ()
        try:
            attribute_to_vhlo(attribute, mixed=True)
        except NoCounterpart:
            return ()
        return (HINT_MIXED,)

    def stored_attributes(self, operation: Operation) -> Sequence[tuple[str, Attribute]]:
        """All attributes of an operation."""
        return (*operation.attributes.items(), *operation.discardable.items())

    def operands(self, operation: Operation) -> list[Value]:
        """The operands of an operation of VHLO, whose makers must have a form there too."""
        operands = self.new_operands(operation)
        for old, new in zip(operation.operands, operands, strict=True):
            if not isinstance(new.type, VhloType):
                maker = old.operation if isinstance(old, OpResult) else operation
                refuse_foreign(maker)
        return operands

    def block_types(self, block: Block) -> Sequence[Type]:
        """Types of VHLO, in regions of operations that are converted."""
        parent = block.parent.parent if block.parent else None
        types = [argument.type for argument in block.arguments]
        if parent is None or parent.name not in NEWEST or parent in self.unreached:
            return types
        try:
            return [to_vhlo(value_type, mixed=self.mixed) for value_type in types]
        except NoCounterpart as error:
            refuse(parent, str(error))

    def keep(self, operation: Operation, block: Block) -> None:
        """Puts a copy of an operation at the end of a new block."""
        types = [result.type for result in operation.results]
        operands = self.new_operands(operation)
        attributes = dict(self.stored_attributes(operation))
        self.make(type(operation), operation, operands, types, attributes, block)

    def place_unreached(self, operation: Operation, block: Block) -> None:
        """Puts a copy of an operation that nothing reaches at the end of a new block."""
        reason = reason_against(operation, NEWEST, mixed=True)
        if reason is not None:
            refuse(operation, f"{NO_FORM}: {reason}")
        self.place_kept(operation, Folded(tuple(operation.operands), {}), block)

    def place_other(self, operation: Operation, block: Block) -> None:
        """Keeps an operation of another dialect, unless it folds."""
        self.new_operands(operation)  # all are defined
        fold = self.fold_of(operation)
        if fold.replacements:
            replacements = [self.values[value] for value in fold.replacements]
            self.values.update(zip(operation.results, replacements, strict=True))
            self.note_replaced(operation)
            return
        reason = reason_against(operation, NEWEST, mixed=self.mixed)
        if reason is not None:
            refuse(operation, f"{NO_FORM}: {reason}")
        self.place_kept(operation, fold, block)

    def note_replaced(self, operation: Operation) -> None:
        """Notes that an operation folds to other values; nothing by default."""

    def fold_of(self, operation: Operation) -> Folded:
        """Places an operation of another dialect."""
        return fold_operation(operation)

    def place_kept(self, operation: Operation, result: Folded, block: Block) -> None:
        """Keeps an operation of another dialect that has nothing to do with those of VHLO."""
        operands = [self.values[value] for value in result.operands]
        if any(isinstance(value.type, VhloType) for value in operands):
            refuse_foreign(operation)
        types = [value.type for value in operation.results]
        attributes = {**dict(self.stored_attributes(operation)), **result.attributes}
        self.make(type(operation), operation, operands, types, attributes, block)


def is_foreign(operation: Operation) -> bool:
    """Whether an operation is neither of VHLO nor a module."""
    return not isinstance(operation, VhloOp | ModuleOp)
