"""stablehlo-legalize-to-vhlo: a program in the newest revisions of VHLO.

Defaults become explicit, structured attributes fall into their parts, and all types are VHLO's.
Other dialects may stay beside VHLO ("mixed"): casts then stand where values pass between them.

Source: StableHLO, legalization to VHLO.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn

from stablemate.dialects.builtin import ModuleOp, UnrealizedConversionCast
from stablemate.dialects.vhlo.conversion import NoCounterpart, to_vhlo
from stablemate.dialects.vhlo.definition import VhloOp
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.dialects.vhlo.types import VhloType
from stablemate.ir.core import Block, BlockArgument, Module, Operation, OpResult, Value
from stablemate.ir.definition import definition_of
from stablemate.ir.locations import UNKNOWN, Location
from stablemate.ir.types import Attribute, Type
from stablemate.transforms.vhlo.attributes import attribute_to_vhlo
from stablemate.transforms.vhlo.defaults import DEFAULTS
from stablemate.transforms.vhlo.folding import Folded, folded
from stablemate.transforms.vhlo.rebuilding import Rebuilding, refuse
from stablemate.transforms.vhlo.splits import SPLITS
from stablemate.transforms.vhlo.unwritable import reason_against, unreached

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


def legalize_to_vhlo(module: Module, *, mixed: bool = False) -> Module:
    """The module in VHLO.

    Args:
        module: A module in StableHLO and func.
        mixed: Whether operations, types and attributes of other dialects stay as they are.

    Raises:
        UnsupportedError: A part of it has no form in VHLO.
    """
    converted = (MixedLegalization() if mixed else Legalization()).module(module)
    if not any(is_foreign(operation) for operation in converted.operation.walk()):
        return converted
    refolding = MixedRefolding() if mixed else Refolding()
    return refolding.module(converted)  # upstream folds again when it converts to the version


class Legalization(Rebuilding):
    """The conversion of one module that holds nothing but StableHLO.

    Attributes:
        unreached: The operations in blocks that no branch reaches, which stay as they are.
    """

    mixed = False

    def __init__(self) -> None:
        super().__init__()
        self.unreached: set[Operation] = set()

    def module(self, module: Module) -> Module:
        """The new module, after a look at which operations stay because nothing reaches them."""
        self.unreached = set(unreached(module))
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
            splits = SPLITS.get(mnemonic, {})
            for name, attribute in self.stored(operation):
                split = splits.get(name)
                if split is None:
                    attributes[name] = attribute_to_vhlo(attribute, mixed=self.mixed)
                else:
                    attributes.update(zip(split.names, split.split(attribute), strict=True))
        except NoCounterpart as error:
            refuse(operation, str(error), name, *self.hints(operation, name))
        for name, default in DEFAULTS.get(mnemonic, {}).items():
            if name not in attributes:
                attributes[name] = default.value(operation)
        for name in definition_of(cls).attributes:
            if name not in attributes:
                refuse(operation, f"without {name} this operation has no form in VHLO")
        operands = self.operands(operation)
        self.make(cls, operation, operands, types, attributes, block)

    def hints(self, operation: Operation, name: str) -> Sequence[str]:
        """What helps against an attribute that has no counterpart."""
        attribute = dict(self.stored(operation)).get(name)
        if self.mixed or attribute is None:
            return ()
        try:
            attribute_to_vhlo(attribute, mixed=True)
        except NoCounterpart:
            return ()
        return (HINT_MIXED,)

    def stored(self, operation: Operation) -> Sequence[tuple[str, Attribute]]:
        """All attributes of an operation."""
        return (*operation.attributes.items(), *operation.discardable.items())

    def operands(self, operation: Operation) -> list[Value[Any]]:
        """What an operation of VHLO takes; what makes it must have a form there too."""
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
        attributes = dict(self.stored(operation))
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
            return
        reason = reason_against(operation, NEWEST, mixed=self.mixed)
        if reason is not None:
            refuse(operation, f"{NO_FORM}: {reason}")
        self.place_kept(operation, fold, block)

    def fold_of(self, operation: Operation) -> Folded:
        """What becomes of an operation of another dialect."""
        return folded(operation)

    def place_kept(self, operation: Operation, result: Folded, block: Block) -> None:
        """Keeps an operation of another dialect that has nothing to do with those of VHLO."""
        operands = [self.values[value] for value in result.operands]
        if any(isinstance(value.type, VhloType) for value in operands):
            refuse_foreign(operation)
        types = [value.type for value in operation.results]
        attributes = {**dict(self.stored(operation)), **result.attributes}
        self.make(type(operation), operation, operands, types, attributes, block)


class Refolding(Legalization):
    """Folds operations of other dialects in a module of VHLO once more."""

    def place(self, operation: Operation, block: Block) -> None:
        """Puts the operation, folded if it is none of VHLO, at the end of a new block."""
        if is_foreign(operation) and operation not in self.unreached:
            self.place_other(operation, block)
        else:
            self.keep(operation, block)


class MixedRefolding(Refolding):
    """The same in a module that keeps other dialects, with casts between these and VHLO."""

    mixed = True

    def place_other(self, operation: Operation, block: Block) -> None:
        """Puts the operation, folded if it has no values of VHLO, at the end of a new block."""
        values = (*operation.operands, *operation.results)
        if any(isinstance(value.type, VhloType) for value in values) or operation.regions:
            self.keep(operation, block)
        else:
            super().place_other(operation, block)


class MixedLegalization(Legalization):
    """The conversion of one module that keeps other dialects.

    Attributes:
        folds: What becomes of each operation of another dialect.
        replaced: The value that replaces each result that folds to another value.
        crossing: Values that pass between the dialects: by which of them was first taken so, and
            where what took it comes from.
        casts: The cast of each such value.
    """

    mixed = True

    def __init__(self) -> None:
        super().__init__()
        self.folds: dict[Operation, Folded] = {}
        self.replaced: dict[Value[Any], Value[Any]] = {}
        self.crossing: dict[Value[Any], tuple[int, Location]] = {}
        self.casts: dict[Value[Any], Value[Any]] = {}

    def inspect(self, module: Module) -> None:
        """Finds out what folds and which values need casts."""
        dead = self.unreached
        for operation in module.operation.walk():
            converted = operation.name in NEWEST and operation not in dead
            operands: Sequence[Value[Any]] = operation.operands
            if not (converted or operation in dead or isinstance(operation, ModuleOp)):
                fold = self.folds[operation] = self.resolved_fold(folded(operation))
                if fold.replacements:
                    self.replaced.update(zip(operation.results, fold.replacements, strict=True))
                    continue
                operands = fold.operands
            for value in map(self.resolved, operands):
                if value not in self.crossing and self.is_converted(value) != converted:
                    self.crossing[value] = len(self.crossing), operation.location

    def resolved(self, value: Value[Any]) -> Value[Any]:
        """The value itself, or the one that replaces it."""
        return self.replaced.get(value, value)

    def resolved_fold(self, fold: Folded) -> Folded:
        """The same with the values that replace others."""
        operands, replacements = (
            map(self.resolved, fold.operands),
            map(self.resolved, fold.replacements),
        )
        return replace(fold, operands=tuple(operands), replacements=tuple(replacements))

    def fold_of(self, operation: Operation) -> Folded:
        """What becomes of an operation of another dialect."""
        return self.folds[operation]

    def operands(self, operation: Operation) -> list[Value[Any]]:
        """What an operation of VHLO takes: casts of values of other dialects."""
        self.new_operands(operation)  # all are defined
        return [
            self.values[value] if self.is_converted(value) else self.cast_or_value(value)
            for value in map(self.resolved, operation.operands)
        ]

    def place_kept(self, operation: Operation, result: Folded, block: Block) -> None:
        """Puts a copy of an operation of another dialect at the end of a new block."""
        self.new_operands(operation)  # all are defined
        operands = [
            self.cast_or_value(value) if self.is_converted(value) else self.values[value]
            for value in map(self.resolved, result.operands)
        ]
        types = [value.type for value in operation.results]
        stored = {**dict(self.stored(operation)), **result.attributes}
        self.make(type(operation), operation, operands, types, stored, block)

    def is_converted(self, value: Value[Any]) -> bool:
        """Whether what makes a value is converted."""
        maker = maker_of(value)
        return maker is not None and maker.name in NEWEST and maker not in self.unreached

    def cast_or_value(self, value: Value[Any]) -> Value[Any]:
        """The cast of a value, if there is one."""
        return self.casts.get(value, self.values[value])

    def place(self, operation: Operation, block: Block) -> None:
        """Puts an operation, and the casts of its results, at the end of a new block."""
        super().place(operation, block)
        self.cast_all(operation.results, operation, block)

    def entered(self, old: Block, new: Block) -> None:
        """Puts the casts of the arguments at the beginning of a block."""
        self.cast_all(old.arguments, None, new)

    def cast_all(
        self, values: Sequence[Value[Any]], operation: Operation | None, block: Block
    ) -> None:
        """Puts the casts of those values that need them at the end of a new block.

        The reference converter inserts each after the operation that defines the value, so that the
        last to be needed comes first: of values for VHLO by their first use, of others by their
        position.
        """
        crossing = [value for value in values if value in self.crossing]
        if crossing and not self.is_converted(crossing[0]):
            crossing.sort(key=lambda value: self.crossing[value][0])
        for value in reversed(crossing):
            new = self.values[value]
            if self.is_converted(value):
                result_type, location = value.type, place_of(value)
            else:
                result_type, location = self.vhlo_type(value, operation), self.crossing[value][1]
            if new.type != result_type:
                cast = UnrealizedConversionCast([new], [result_type], location=location)
                block.append(cast)
                self.casts[value] = cast.results[0]

    def vhlo_type(self, value: Value[Any], operation: Operation | None) -> Type:
        """The type of VHLO for a value of another dialect."""
        try:
            return to_vhlo(value.type, mixed=True)
        except NoCounterpart as error:
            assert operation is not None, "arguments of blocks were made of the same types"
            refuse(operation, str(error), "types")


def is_foreign(operation: Operation) -> bool:
    """Whether an operation is neither of VHLO nor a module."""
    return not isinstance(operation, VhloOp | ModuleOp)


def maker_of(value: Value[Any]) -> Operation | None:
    """The operation that a value is a result of, or an argument of a region of."""
    match value:
        case OpResult():
            return value.operation
        case BlockArgument():
            region = value.block.parent
            return None if region is None else region.parent
        case _:
            return None


def place_of(value: Value[Any]) -> Location:
    """Where a producer has a value from."""
    match value:
        case OpResult():
            return value.operation.location
        case BlockArgument():
            return value.location
        case _:
            return UNKNOWN
