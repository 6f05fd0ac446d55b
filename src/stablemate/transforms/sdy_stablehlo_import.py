"""sdy-stablehlo-import: shardings of HLO and manual parts of programs, in Shardy's form.

Source: XLA, the import of GSPMD shardings; Shardy dialect, manual_computation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.attributes import TensorSharding, TensorShardingPerValue
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.core import BlockArgument, Module, Operation, OpResult, Value
from stablemate.ir.types import Attribute, Type
from stablemate.transforms.sharding_import.annotations import IDENTITY, CallAnnotation
from stablemate.transforms.sharding_import.boundaries import (
    ENTERING,
    LEAVING,
    Boundary,
    check_annotation,
    keeps_types,
    missing_attribute_error,
    target_of,
    violation,
)
from stablemate.transforms.sharding_import.hlo_shardings import (
    ATTRIBUTE,
    MESH,
    SIDES,
    HloShardings,
    StatedSharding,
    sides_of,
    stated_shardings,
    statements,
    unspecified_dimensions,
)
from stablemate.transforms.sharding_import.importing import ImportedShardings, import_shardings
from stablemate.transforms.sharding_import.single_results import with_single_results
from stablemate.xla.values import HloSharding

CONSTRAINT: Final = "Sharding"
SHARDING: Final = "sdy.sharding"


def import_hlo_shardings(module: Module) -> Module:
    """The module with shardings of Shardy in the place of those of HLO; itself if it has none.

    The mesh is recovered from the devices of all shardings. What is between
    ``@SPMDFullToShardShape`` and ``@SPMDShardToFullShape`` becomes a manual computation.

    Raises:
        VerifyError: A text is no sharding, or does not fit its value; a boundary has no partner.
        UnsupportedError: No mesh divides devices as all shardings do.
    """
    module = with_single_results(module)
    stated = list(stated_shardings(module.operation))
    if not stated and not any(target_of(o) in (ENTERING, LEAVING) for o in module.operation.walk()):
        return module
    return import_shardings(module, ShardingReader(module, stated).shardings())


def unused_name(module: Module) -> str:
    """A name for the mesh that no symbol has."""
    symbols = (operation.attributes.get("sym_name") for operation in module.body.operations)
    taken = {symbol.value for symbol in symbols if isinstance(symbol, StringAttribute)}
    name, number = MESH, 0
    while name in taken:
        name, number = f"{MESH}_{number}", number + 1
    return name


class ShardingReader:
    """Reads the shardings of a program.

    Attributes:
        module: The program.
        hlo: Its shardings, on one mesh.
        uses: How often each value is used.
        entering: How often each value is an operand of a boundary at which it becomes shards.
    """

    def __init__(self, module: Module, stated: list[StatedSharding]) -> None:
        self.module = module
        self.hlo = HloShardings(stated, module, unused_name(module))
        self.uses: Counter[Value[Type]] = Counter()
        self.entering: Counter[Value[Type]] = Counter()
        for operation in module.operation.walk():
            self.uses.update(operation.operands)
            if target_of(operation) == ENTERING:
                self.entering.update(operation.operands)

    def shardings(self) -> ImportedShardings:
        """The attributes in terms of Shardy."""
        shardings = ImportedShardings()
        for operation in self.module.operation.walk():
            if isinstance(operation, FuncOp):
                self.read_function(operation, shardings)
            target = target_of(operation)
            if target in (ENTERING, LEAVING):
                self.read_boundary(operation, shardings)
            elif target == CONSTRAINT and len(operation.operands) == len(operation.results):
                shardings.annotations[operation] = self.annotation(operation)
            elif ATTRIBUTE in operation.discardable:
                shardings.attributes[operation] = self.attributes(operation)
        shardings.meshes = self.hlo.meshes()
        return shardings

    def read_function(self, function: FuncOp, shardings: ImportedShardings) -> None:
        """Reads the shardings of arguments and results."""
        sides = sides_of(function)
        if any(ATTRIBUTE in entry for side in sides for entry in side):
            types = (function.type.inputs, function.type.results)
            rows = (
                [self.entry(function, part, *pair) for pair in zip(side, kinds, strict=True)]
                for part, side, kinds in zip(SIDES, sides, types, strict=True)
            )
            arguments, results = rows
            shardings.functions[function] = arguments, results

    def entry(
        self, function: FuncOp, part: str, attributes: Mapping[str, Attribute], kind: Type
    ) -> dict[str, Attribute]:
        """The attributes of an argument or a result, with a sharding of Shardy."""
        rest = {name: value for name, value in attributes.items() if name != ATTRIBUTE}
        for stated in statements(function, attributes, part):
            (sharding,) = self.hlo.elements(stated, 1)
            on_mesh = self.hlo.on_mesh(sharding, kind, stated)
            if on_mesh is not None:
                rest[SHARDING] = on_mesh
        return rest

    def attributes(self, operation: Operation) -> dict[str, Attribute]:
        """The discardable attributes of an operation, with shardings of Shardy for its results."""
        rest = {name: value for name, value in operation.discardable.items() if name != ATTRIBUTE}
        for stated in statements(operation, operation.discardable):
            elements = self.hlo.elements(stated, len(operation.results))
            pairs = zip(elements, operation.results, strict=True)
            found = [self.hlo.on_mesh(element, value.type, stated) for element, value in pairs]
            known = [sharding for sharding in found if sharding is not None]
            if known and len(known) == len(found):
                rest[SHARDING] = TensorShardingPerValue(tuple(known))
        return rest

    def annotation(self, operation: Operation) -> CallAnnotation:
        """The sharding that ``@Sharding`` states for its operands.

        Raises:
            VerifyError: Its results have other types.
        """
        check_annotation(operation)
        found: list[TensorSharding] = []
        group: int | None = None
        for stated in statements(operation, operation.discardable):
            for element, value in zip(
                self.hlo.elements(stated, len(operation.results)), operation.results, strict=True
            ):
                group = group if element.group is None else element.group.id
                on_mesh = self.on_mesh(operation, element, value.type, stated)
                if on_mesh is not None and says_something(on_mesh):
                    found.append(on_mesh)
        if len(found) != len(operation.results) or self.only_enters(operation):
            return IDENTITY if group is None else CallAnnotation(group=group)
        return CallAnnotation(tuple(found), group=group)

    def on_mesh(
        self, operation: Operation, sharding: HloSharding, kind: Type, stated: StatedSharding
    ) -> TensorSharding | None:
        """A sharding in Shardy's form, open where ``backend_config`` leaves dimensions open."""
        config = operation.attributes.get("backend_config")
        return self.hlo.on_mesh(sharding, kind, stated, unspecified_dimensions(config))

    def only_enters(self, operation: Operation) -> bool:
        """Whether its results are used only where they become shards, by the same sharding."""
        return any(self.uses[value] for value in operation.results) and all(
            self.uses[value] == self.entering[value] for value in operation.results
        )

    def read_boundary(self, operation: Operation, shardings: ImportedShardings) -> None:
        """Reads a custom call at which whole values become shards, or shards whole values.

        Raises:
            VerifyError: It does not say how.
        """
        enters = target_of(operation) == ENTERING
        if ATTRIBUTE not in operation.discardable:
            if not keeps_types(operation):
                raise missing_attribute_error(operation, ATTRIBUTE)
            shardings.annotations[operation] = IDENTITY
            return
        if len(operation.operands) != 1 or len(operation.results) != 1:
            raise violation(
                operation,
                "it has one operand and one result",
                operands=len(operation.operands),
                results=len(operation.results),
            )
        boundary = self.entrance(operation) if enters else self.exit(operation)
        if boundary.manual_axes == () and keeps_types(operation):
            shardings.annotations[operation] = IDENTITY
        else:
            shardings.boundaries[operation] = boundary

    def stated_by(self, operation: Operation) -> tuple[StatedSharding, HloSharding]:
        """The sharding of a boundary.

        Raises:
            VerifyError: It has none.
        """
        for stated in statements(operation, operation.discardable):
            return stated, self.hlo.elements(stated, 1)[0]
        raise missing_attribute_error(operation, ATTRIBUTE)

    def entrance(self, operation: Operation) -> Boundary:
        """Reads the call at which whole values become shards.

        Raises:
            VerifyError: It names no manual devices, or the operand has no sharding.
        """
        stated, inside = self.stated_by(operation)
        manual = self.hlo.manual_axes(inside)
        if not manual and self.hlo.mesh.size > 1:
            raise stated.error("the sharding of shards says which devices are manual")
        (operand,) = operation.operands
        outer = self.sharding_of(operand)
        around: tuple[str, ...] = ()
        sharding = None
        if outer is not None:
            around = self.hlo.manual_axes(outer[1])
            sharding = self.on_mesh(outer[0].operation, outer[1], operand.type, outer[0])
        if sharding is None:
            sharding = self.whole(operation, operand.type)
        axes = tuple(axis for axis in manual if axis not in around)
        return Boundary(True, axes, (sharding,))

    def whole(self, operation: Operation, kind: Type) -> TensorSharding:
        """The sharding of an operand about which nothing is said, if all devices have it.

        Raises:
            VerifyError: The shards are smaller than the operand.
        """
        if operation.operands[0].type != operation.results[0].type:
            raise violation(
                operation,
                "the operand has no sharding: @Sharding says how devices share it",
                operand=operation.operands[0].type,
                result=operation.results[0].type,
            )
        return self.hlo.replicated_sharding(kind)

    def exit(self, operation: Operation) -> Boundary:
        """Reads the call at which shards become whole values."""
        stated, outside = self.stated_by(operation)
        kind = operation.results[0].type
        sharding = self.on_mesh(operation, outside, kind, stated) or self.hlo.replicated_sharding(
            kind
        )
        around = self.hlo.manual_axes(outside)
        inner = self.sharding_of(operation.operands[0])
        manual = () if inner is None else self.hlo.manual_axes(inner[1])
        axes = tuple(axis for axis in manual if axis not in around)
        return Boundary(False, axes if manual else None, (sharding,))

    def sharding_of(self, value: Value[Type]) -> tuple[StatedSharding, HloSharding] | None:
        """The sharding that a program states for a value."""
        match value:
            case OpResult():
                operation, index = value.operation, value.index
                for stated in statements(operation, operation.discardable):
                    return stated, self.hlo.elements(stated, len(operation.results))[index]
            case BlockArgument():
                region = value.block.parent
                function = region.parent if region is not None else None
                if isinstance(function, FuncOp) and value.block is function.body.block:
                    for stated in statements(
                        function, function.argument_attributes[value.index], SIDES[0]
                    ):
                        return stated, self.hlo.elements(stated, 1)[0]
            case _:
                pass
        return None


def says_something(sharding: TensorSharding) -> bool:
    """Whether a sharding divides a value or closes a dimension."""
    is_closed = any(dimension.is_closed for dimension in sharding.dimensions)
    return bool(sharding.axes) or is_closed
