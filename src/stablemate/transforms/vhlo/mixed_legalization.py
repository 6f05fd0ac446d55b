"""The conversion to VHLO beside operations of other dialects, and the folds that follow it.

Source: StableHLO, legalization to VHLO; MLIR, dialect conversion, which casts values
that pass between dialects, and replaces casts that reverse others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stablemate.dialects.builtin import ModuleOp, UnrealizedConversionCast
from stablemate.dialects.vhlo.conversion import NoCounterpart, to_vhlo
from stablemate.dialects.vhlo.definition import VhloOp
from stablemate.dialects.vhlo.types import VhloType
from stablemate.ir.core import Block, BlockArgument, Module, Operation, OpResult, Value
from stablemate.ir.locations import UNKNOWN, Location
from stablemate.ir.types import Type
from stablemate.transforms.vhlo.folding import Folded, fold_operation
from stablemate.transforms.vhlo.legalization import NEWEST, VhloLegalization, is_foreign
from stablemate.transforms.vhlo.rebuilding import refuse
from stablemate.transforms.vhlo.use_orders import LateUses


class Refolding(VhloLegalization):
    """Folds operations of other dialects in a module of VHLO once more.

    Attributes:
        moved: The values whose uses move to other values, each with when.
    """

    def __init__(self, late_uses: LateUses | None = None) -> None:
        super().__init__(late_uses)
        self.moved: dict[Value[Type], int] = {}

    def note_replaced(self, operation: Operation) -> None:
        """Notes that the uses of the results move to other values, those of the first one first."""
        first = len(self.moved) + 1
        self.moved.update((result, first + i) for i, result in enumerate(operation.results))

    def keep(self, operation: Operation, block: Block) -> None:
        """Puts a copy of an operation at the end of a new block."""
        super().keep(operation, block)
        self.note_moved(operation.operands, block.operations[-1])

    def place_kept(self, operation: Operation, result: Folded, block: Block) -> None:
        """Puts an operation of another dialect at the end of a new block."""
        super().place_kept(operation, result, block)
        self.note_moved(result.operands, block.operations[-1])

    def note_moved(self, operands: Sequence[Value], operation: Operation) -> None:
        """Notes which operands of a new operation are uses that moved."""
        for position, value in enumerate(operands if self.moved else ()):
            if value in self.moved:
                self.late_uses.add(operation, position, self.moved[value])

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


class MixedLegalization(VhloLegalization):
    """The conversion of one module that keeps other dialects.

    Attributes:
        folds: What becomes of each operation of another dialect.
        replaced: The value that replaces each result that folds to another value.
        crossing: Values that pass between the dialects: by which of them was first taken so, and
            where what took it comes from.
        casts: The cast of each such value.
        sources: For the result of casts of the program, the value of VHLO's type that they begin
            with, which takes its place.
    """

    mixed = True

    def __init__(self, late_uses: LateUses | None = None) -> None:
        super().__init__(late_uses)
        self.folds: dict[Operation, Folded] = {}
        self.replaced: dict[Value[Type], Value[Type]] = {}
        self.crossing: dict[Value[Type], tuple[int, Location]] = {}
        self.casts: dict[Value[Type], Value[Type]] = {}
        self.sources: dict[Value[Type], Value[Type]] = {}

    def inspect(self, module: Module) -> None:
        """Finds out what folds and which values need casts."""
        dead = self.unreached
        for operation in module.operation.walk():
            converted = operation.name in NEWEST and operation not in dead
            operands: Sequence[Value] = operation.operands
            if not (converted or operation in dead or isinstance(operation, ModuleOp)):
                fold = self.folds[operation] = self.resolved_fold(first_fold(operation))
                if fold.replacements:
                    self.replaced.update(zip(operation.results, fold.replacements, strict=True))
                    continue
                operands = fold.operands
            for value in map(self.resolve, operands):
                if value not in self.crossing and self.is_converted(value) != converted:
                    self.crossing[value] = len(self.crossing), operation.location
        for value in self.crossing:
            source = None if self.is_converted(value) else self.source_of(value)
            if source is not None:
                self.sources[value] = source

    def source_of(self, value: Value[Type]) -> Value[Type] | None:
        """The converted value that casts of the program lead back to, if its type is the same."""
        values: tuple[Value[Type], ...] = (value,)
        while True:
            cast = values[0].operation if values and isinstance(values[0], OpResult) else None
            if not isinstance(cast, UnrealizedConversionCast) or tuple(cast.results) != values:
                return None
            values = tuple(map(self.resolve, cast.operands))
            if len(values) == 1 and self.is_converted(values[0]):
                return values[0] if values[0].type == value.type else None

    def resolve(self, value: Value[Type]) -> Value[Type]:
        """The value itself, or the one that replaces it."""
        return self.replaced.get(value, value)

    def resolved_fold(self, fold: Folded) -> Folded:
        """The same with the values that replace others."""
        operands, replacements = (
            map(self.resolve, fold.operands),
            map(self.resolve, fold.replacements),
        )
        return replace(fold, operands=tuple(operands), replacements=tuple(replacements))

    def fold_of(self, operation: Operation) -> Folded:
        """Places an operation of another dialect."""
        return self.folds[operation]

    def operands(self, operation: Operation) -> list[Value]:
        """The operands of an operation of VHLO: values of other dialects are cast."""
        self.new_operands(operation)  # all are defined
        return [
            self.values[value] if self.is_converted(value) else self.cast_or_value(value)
            for value in map(self.resolve, operation.operands)
        ]

    def convert(self, operation: Operation, cls: type[VhloOp], block: Block) -> None:
        """Puts the counterpart of an operation at the end of a new block.

        The reference converter makes a cast of each operand first, and then replaces those that
        reverse casts of the program, the last one first.
        """
        super().convert(operation, cls, block)
        for position, value in enumerate(map(self.resolve, operation.operands)):
            if value in self.sources:
                group = len(self.crossing) - self.crossing[value][0]
                self.late_uses.add(block.operations[-1], position, group)

    def place_kept(self, operation: Operation, result: Folded, block: Block) -> None:
        """Puts a copy of an operation of another dialect at the end of a new block."""
        self.new_operands(operation)  # all are defined
        operands = [
            self.cast_or_value(value) if self.is_converted(value) else self.values[value]
            for value in map(self.resolve, result.operands)
        ]
        types = [value.type for value in operation.results]
        stored = {**dict(self.stored_attributes(operation)), **result.attributes}
        self.make(type(operation), operation, operands, types, stored, block)

    def is_converted(self, value: Value[Type]) -> bool:
        """Whether what makes a value is converted."""
        maker = maker_of(value)
        return maker is not None and maker.name in NEWEST and maker not in self.unreached

    def cast_or_value(self, value: Value[Type]) -> Value[Type]:
        """The cast of a value, if there is one, or the value that the cast would restore."""
        source = self.sources.get(value)
        return self.values[source] if source else self.casts.get(value, self.values[value])

    def place(self, operation: Operation, block: Block) -> None:
        """Puts an operation, and the casts of its results, at the end of a new block."""
        super().place(operation, block)
        self.cast_all(operation.results, operation, block)

    def enter_block(self, old: Block, new: Block) -> None:
        """Puts the casts of the arguments at the beginning of a block."""
        self.cast_all(old.arguments, None, new)

    def cast_all(
        self, values: Sequence[Value[Type]], operation: Operation | None, block: Block
    ) -> None:
        """Puts the casts of those values that need them at the end of a new block.

        The reference converter inserts each after the operation that defines the value, so that the
        last to be needed comes first: of values for VHLO by their first use, of others by their
        position.
        """
        crossing = [
            value for value in values if value in self.crossing and value not in self.sources
        ]
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

    def vhlo_type(self, value: Value[Type], operation: Operation | None) -> Type:
        """The type of VHLO for a value of another dialect."""
        try:
            return to_vhlo(value.type, mixed=True)
        except NoCounterpart as error:
            assert operation is not None, "arguments of blocks were made of the same types"
            refuse(operation, str(error), "types")


def first_fold(operation: Operation) -> Folded:
    """The form of an operation of another dialect beside VHLO, before casts are folded."""
    if isinstance(operation, UnrealizedConversionCast):
        return Folded(tuple(operation.operands), {})
    return fold_operation(operation)


def maker_of(value: Value[Type]) -> Operation | None:
    """The operation that a value is a result of, or an argument of a region of."""
    match value:
        case OpResult():
            return value.operation
        case BlockArgument():
            region = value.block.parent
            return None if region is None else region.parent
        case _:
            return None


def place_of(value: Value[Type]) -> Location:
    """Where a producer has a value from."""
    match value:
        case OpResult():
            return value.operation.location
        case BlockArgument():
            return value.location
        case _:
            return UNKNOWN
