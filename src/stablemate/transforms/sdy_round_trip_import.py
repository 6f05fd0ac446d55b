"""sdy-round-trip-import: programs of Shardy that went through HLO, with its own operations again.

Source: XLA, Shardy's round trip through HLO: ``xla.sdy`` custom calls and frontend attributes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.func import FuncOp, Return
from stablemate.dialects.mhlo.frontend_attributes import FRONTEND_ATTRIBUTES
from stablemate.dialects.sdy.attributes import (
    AxisRef,
    DimensionSharding,
    ManualAxes,
    Mesh,
    OpShardingRule,
    PropagationDirection,
    TensorSharding,
    TensorShardingPerValue,
)
from stablemate.dialects.sdy.mesh import MeshOp
from stablemate.ir.attributes import IntegerAttribute, SymbolAttribute, quote
from stablemate.ir.core import Module, Operation, OpResult, Value
from stablemate.ir.types import Attribute, Type
from stablemate.transforms.sharding_import import frontend_attributes as frontend
from stablemate.transforms.sharding_import.annotations import IDENTITY, CallAnnotation
from stablemate.transforms.sharding_import.boundaries import (
    ENTERING,
    ENTERING_SHARDY,
    LEAVING,
    LEAVING_SHARDY,
    Boundary,
    check_annotation,
    keeps_types,
    missing_attribute_error,
    sizes_of,
    target_of,
    violation,
)
from stablemate.transforms.sharding_import.device_meshes import axes_on
from stablemate.transforms.sharding_import.device_tiles import REPLICATED, DeviceTiles
from stablemate.transforms.sharding_import.hlo_shardings import SIDES, statements
from stablemate.transforms.sharding_import.importing import (
    Dictionaries,
    ImportedShardings,
    import_shardings,
)
from stablemate.transforms.sharding_import.single_results import (
    SHARDING_GROUP,
    with_single_results,
)
from stablemate.transforms.shardy_form import is_of_round_trip

CONSTRAINTS: Final = ("Sharding", "xla.sdy.Sharding")
RESULT_SHARDING: Final = "xla.sdy.FuncResultSharding"
BARRIER: Final = "xla.sdy.PropagationBarrier"
HLO_SHARDING: Final = "mhlo.sharding"
SHARDING: Final = "sdy.sharding"
SHARDING_RULE: Final = "sdy.sharding_rule"
DIRECTIONS: Final = tuple(PropagationDirection)


def import_round_trip(module: Module) -> Module:
    """The module with operations and attributes of Shardy; itself if it has none of the round trip.

    Raises:
        VerifyError: An attribute cannot be read or does not fit; a boundary has no partner.
    """
    if not any(map(is_of_round_trip, module.operation.walk())):
        return module
    module = with_single_results(module)
    return import_shardings(module, RoundTripReader(module).shardings())


class RoundTripReader:
    """Reads the attributes of a program.

    Attributes:
        module: The program.
        meshes: Its meshes by name.
        keeps_hlo: Whether shardings of HLO stay, because they have a meaning of their own.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.meshes: dict[str, Mesh] = {
            operation.sym_name: operation.mesh
            for operation in module.body.operations
            if isinstance(operation, MeshOp)
        }
        attributes = frontend.shardy_attributes(module.operation.discardable)
        if frontend.MESHES in attributes:
            meshes = attributes[frontend.MESHES]
            self.meshes.update(frontend.read_meshes(module.operation, meshes))
        self.keeps_hlo = any(
            target_of(operation) in (ENTERING, LEAVING) for operation in module.operation.walk()
        )

    def shardings(self) -> ImportedShardings:
        """The attributes in terms of Shardy."""
        shardings = ImportedShardings(meshes=self.meshes)
        for operation in self.module.operation.walk():
            self.read(operation, shardings)
        return shardings

    def read(self, operation: Operation, shardings: ImportedShardings) -> None:
        """Collects the shardings that one operation carries."""
        if isinstance(operation, FuncOp):
            shardings.functions[operation] = self.sides(operation)
        if target_of(operation) in (ENTERING_SHARDY, LEAVING_SHARDY):
            self.read_boundary(operation, shardings)
            return
        annotation = self.annotation(operation)
        if annotation is None:
            self.read_attributes(operation, shardings)
            return
        check_annotation(operation)
        shardings.annotations[operation] = annotation

    def annotation(self, operation: Operation) -> CallAnnotation | None:
        """The annotation of an operation's operands; None if it is none."""
        stated, target = self.stated_attributes(operation), target_of(operation)
        if target == RESULT_SHARDING:
            return IDENTITY  # the function says it
        if target in CONSTRAINTS and frontend.SHARDING in stated:
            return CallAnnotation(self.per_value(operation))
        if target == BARRIER and frontend.DIRECTION in stated:
            return CallAnnotation(direction=self.direction(operation))
        if target == SHARDING_GROUP and frontend.GROUP in stated and not operation.results:
            return CallAnnotation(group=self.number(operation, frontend.GROUP, "number of a group"))
        return None

    def read_boundary(self, operation: Operation, shardings: ImportedShardings) -> None:
        """Reads a custom call at which whole values become shards, or shards whole values.

        Without attributes, or along axes of one device, it is the values themselves.

        Raises:
            VerifyError: It does not say how.
        """
        stated = self.stated_attributes(operation)
        if frontend.KNOWN.isdisjoint(stated) and keeps_types(operation):
            shardings.annotations[operation] = IDENTITY
            return
        boundary = self.boundary(operation)
        sizes = [sizes_of(sharding.mesh, self.meshes) for sharding in boundary.shardings]
        counts = {size[axis] for size in sizes for axis in boundary.manual_axes or ()}
        if counts <= {1} and keeps_types(operation):
            shardings.annotations[operation] = IDENTITY
        else:
            shardings.boundaries[operation] = boundary

    def stated_attributes(self, operation: Operation) -> Mapping[str, Attribute]:
        """The frontend attributes of an operation."""
        return frontend.shardy_attributes(operation.discardable)

    def required_attribute(self, operation: Operation, name: str) -> Attribute:
        """A frontend attribute of an operation.

        Raises:
            VerifyError: It has none.
        """
        attribute = self.stated_attributes(operation).get(name)
        if attribute is None:
            raise missing_attribute_error(operation, name)
        return attribute

    def check_mesh_of(self, operation: Operation, sharding: TensorSharding) -> TensorSharding:
        """A sharding whose mesh exists.

        Raises:
            VerifyError: It does not.
        """
        frontend.check_mesh(operation, sharding, self.meshes)
        return sharding

    def list_of(self, operation: Operation, name: str, count: int) -> tuple[TensorSharding, ...]:
        """The shardings of several values.

        Raises:
            VerifyError: They are of another number, or on meshes that do not exist.
        """
        attribute = self.required_attribute(operation, name)
        found = frontend.read(
            operation, name, attribute, TensorShardingPerValue, "list of shardings"
        )
        if len(found.shardings) != count:
            raise violation(
                operation,
                f"{name} has a sharding for each value",
                FRONTEND_ATTRIBUTES,
                shardings=len(found.shardings),
                values=count,
            )
        return tuple(self.check_mesh_of(operation, sharding) for sharding in found.shardings)

    def per_value(self, operation: Operation) -> tuple[TensorSharding, ...]:
        """The shardings of the results of an operation."""
        return self.list_of(operation, frontend.SHARDING, len(operation.results))

    def boundary(self, operation: Operation) -> Boundary:
        """Reads the custom call at which whole values become shards, or shards whole values.

        Raises:
            VerifyError: It does not say how.
        """
        enters = target_of(operation) == ENTERING_SHARDY
        name = frontend.IN_SHARDINGS if enters else frontend.OUT_SHARDINGS
        values = operation.operands if enters else operation.results
        shardings = self.list_of(operation, name, len(values))
        attribute = self.required_attribute(operation, frontend.MANUAL_AXES)
        axes = frontend.read(
            operation, frontend.MANUAL_AXES, attribute, ManualAxes, "list of manual axes"
        ).axes
        for sharding in shardings:
            mesh = sharding.mesh if isinstance(sharding.mesh, Mesh) else None
            sizes = (mesh or self.meshes[str(sharding.mesh).removeprefix("@")]).sizes
            unknown = [quote(axis) for axis in axes if axis not in sizes]
            if unknown:
                text = f"the mesh has no axis {', '.join(unknown)}"
                manual = ", ".join(map(quote, axes))
                raise violation(operation, text, FRONTEND_ATTRIBUTES, manual_axes=manual)
        return Boundary(enters, axes, shardings)

    def direction(self, operation: Operation) -> PropagationDirection:
        """In which direction a barrier lets shardings through.

        Raises:
            VerifyError: It does not say so.
        """
        number = self.number(operation, frontend.DIRECTION, "direction")
        if not 0 <= number < len(DIRECTIONS):
            raise violation(operation, f"{frontend.DIRECTION} is from 0 to 3", direction=number)
        return DIRECTIONS[number]

    def number(self, operation: Operation, name: str, noun: str) -> int:
        """A number among the frontend attributes.

        Raises:
            VerifyError: There is none.
        """
        attribute = self.required_attribute(operation, name)
        return frontend.read(operation, name, attribute, IntegerAttribute, noun).value

    def read_attributes(self, operation: Operation, shardings: ImportedShardings) -> None:
        """Reads the sharding and the sharding rule of an operation that stays."""
        stated = self.stated_attributes(operation)
        attributes = frontend.without_known(operation.discardable)
        if not self.keeps_hlo:
            attributes.pop(HLO_SHARDING, None)
        if frontend.SHARDING in stated and operation.results:
            attributes[SHARDING] = TensorShardingPerValue(self.per_value(operation))
        if frontend.SHARDING_RULE in stated:
            attributes[SHARDING_RULE] = frontend.read(
                operation,
                frontend.SHARDING_RULE,
                stated[frontend.SHARDING_RULE],
                OpShardingRule,
                "sharding rule",
            )
        if attributes != operation.discardable:
            shardings.attributes[operation] = attributes

    def sides(self, function: FuncOp) -> tuple[Dictionaries, Dictionaries]:
        """The attributes of the arguments and results of a function."""
        arguments = [
            self.argument(function, attributes) for attributes in function.argument_attributes
        ]
        results = [self.entry(function, attributes) for attributes in function.result_attributes]
        for blocks in function.body.blocks:
            if isinstance(blocks.operations[-1], Return):
                for entry, value in zip(results, blocks.operations[-1].operands, strict=False):
                    sharding = self.result_sharding(value)
                    if sharding is not None:
                        entry[SHARDING] = sharding
        return arguments, results

    def result_sharding(self, value: Value[Type]) -> TensorSharding | None:
        """The sharding that a custom call states for the result of a function."""
        if not isinstance(value, OpResult) or target_of(value.operation) != RESULT_SHARDING:
            return None
        if frontend.SHARDING not in self.stated_attributes(value.operation):
            return None
        return self.per_value(value.operation)[value.index]

    def argument(
        self, function: FuncOp, attributes: Mapping[str, Attribute]
    ) -> dict[str, Attribute]:
        """The attributes of an argument; of one in a tuple, the sharding is that of HLO alone."""
        entry = self.entry(function, attributes)
        if SHARDING not in entry and not self.keeps_hlo:
            for stated in statements(function, attributes, SIDES[0]):
                tiles = stated.tiles(stated.read())
                found = None if tiles is None else self.on_a_mesh(tiles)
                if found is not None:
                    entry[SHARDING] = found
        return entry

    def on_a_mesh(self, tiles: DeviceTiles) -> TensorSharding | None:
        """Tiles of a tensor on the first mesh that divides devices so; None if no mesh does."""
        if set(tiles.subgroups) - set(REPLICATED):
            return None
        for name, mesh in self.meshes.items():
            rows = axes_on(mesh, tiles)
            if rows is not None:
                dimensions = (DimensionSharding(tuple(map(AxisRef, row))) for row in rows)
                return TensorSharding(SymbolAttribute(name), tuple(dimensions))
        return None

    def entry(self, function: FuncOp, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        """The attributes of an argument or a result."""
        stated = frontend.shardy_attributes(attributes)
        entry = frontend.without_known(attributes)
        if not self.keeps_hlo:
            entry.pop(HLO_SHARDING, None)
        if frontend.SHARDING in stated:
            found = frontend.read(
                function, frontend.SHARDING, stated[frontend.SHARDING], TensorSharding, "sharding"
            )
            entry[SHARDING] = self.check_mesh_of(function, found)
        return entry
