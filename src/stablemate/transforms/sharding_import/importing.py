"""Copies a program with meshes, shardings and manual computations of Shardy."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import VerifyError
from stablemate.dialects.func import Call, FuncOp
from stablemate.dialects.sdy.attributes import Mesh
from stablemate.dialects.sdy.computations import ManualComputation
from stablemate.dialects.sdy.mesh import MeshOp
from stablemate.ir.attributes import ArrayAttribute, DictionaryAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, OpResult, Value
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import Attribute, Type
from stablemate.ir.verifier import errors_in
from stablemate.transforms.sharding_import.annotations import CallAnnotation
from stablemate.transforms.sharding_import.boundaries import Boundary
from stablemate.transforms.sharding_import.manual_bodies import ManualBody
from stablemate.transforms.sharding_import.shard_functions import shard_functions
from stablemate.transforms.sharding_import.stages import Depths, Item, ManualStage, Staging

Dictionaries = Sequence[Mapping[str, Attribute]]


@dataclass(slots=True)
class ImportedShardings:
    """The attributes of a program in terms of Shardy.

    Attributes:
        meshes: The meshes that the program needs, by name.
        boundaries: The custom calls at which whole values become shards, or shards whole values.
        annotations: The custom calls that compute nothing.
        attributes: The discardable attributes of operations that have others now.
        functions: The attributes of the arguments and results of functions.
    """

    meshes: dict[str, Mesh] = field(default_factory=dict[str, Mesh])
    boundaries: dict[Operation, Boundary] = field(default_factory=dict[Operation, Boundary])
    annotations: dict[Operation, CallAnnotation] = field(
        default_factory=dict[Operation, CallAnnotation]
    )
    attributes: dict[Operation, Mapping[str, Attribute]] = field(
        default_factory=dict[Operation, Mapping[str, Attribute]]
    )
    functions: dict[Operation, tuple[Dictionaries, Dictionaries]] = field(
        default_factory=dict[Operation, tuple[Dictionaries, Dictionaries]]
    )


def import_shardings(module: Module, shardings: ImportedShardings) -> Module:
    """The program with these shardings, and manual computations between boundaries.

    Raises:
        VerifyError: A boundary has no partner, or its types are not those of shards.
        UnsupportedError: Shards other than tensors are needed by several computations.
    """
    top = Importing(module, shardings).copy_operation(module.operation)
    result = module.with_operation(top)
    check_computations(result)
    return result


def check_computations(module: Module) -> None:
    """Rejects manual computations that break a rule; of those with the same types one is checked.

    Raises:
        VerifyError: There is one.
    """
    checked: set[Hashable] = set()
    pending = list(module.body.operations)
    while pending:
        operation = pending.pop()
        if not isinstance(operation, ManualComputation):
            pending += (o for r in operation.regions for b in r.blocks for o in b.operations)
            continue
        form = form_of(operation)
        findings = [] if form in checked else errors_in(operation)
        if findings:
            raise VerifyError(findings)
        checked.add(form)


def form_of(computation: ManualComputation) -> Hashable:
    """The types and attributes of a manual computation, and of those inside it."""
    return tuple(
        (
            tuple(nested.attributes.items()),
            tuple(value.type for value in (*nested.operands, *nested.results)),
        )
        for nested in computation.walk()
        if isinstance(nested, ManualComputation)
    )


class Importing(Rewriting):
    """Copies a module with its shardings in Shardy's form.

    Attributes:
        shardings: What the attributes of the program say.
        meshes: Its meshes by name, those that it has already included.
        bodies: The functions that are bodies of manual computations, by their calls.
    """

    def __init__(self, module: Module, shardings: ImportedShardings) -> None:
        super().__init__({})
        self.module = module
        self.shardings = shardings
        self.meshes: dict[str, Mesh] = {
            operation.sym_name: operation.mesh
            for operation in module.body.operations
            if isinstance(operation, MeshOp)
        }
        self.added = {k: v for k, v in shardings.meshes.items() if k not in self.meshes}
        self.meshes.update(self.added)
        self.bodies = shard_functions(module, shardings.boundaries, shardings.annotations)
        self.inlined = set(self.bodies.values())

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy of an operation with its shardings in Shardy's form."""
        copy = super().copy_operation(operation)
        attributes = self.shardings.attributes.get(operation)
        if attributes is not None:
            copy.discardable = dict(attributes)
        sides = self.shardings.functions.get(operation)
        if sides is not None:
            copy.attributes.update(
                zip(("arg_attrs", "res_attrs"), map(array_attribute, sides), strict=True)
            )
        return copy

    def place(self, operation: Operation, block: Block) -> None:
        """Copies an operation, or what stands for it."""
        annotation = self.shardings.annotations.get(operation)
        if annotation is not None:
            builder = Builder(block, operation.location, operation.span)
            operands = [self.values.get(value, value) for value in operation.operands]
            values = annotation.place(builder, operands)
            self.values.update(zip(operation.results, values, strict=False))
        elif isinstance(operation, Call) and operation in self.bodies:
            self.place_body(operation, self.bodies[operation], block)
        elif operation not in self.inlined:
            super().place(operation, block)

    def place_body(self, call: Call, function: FuncOp, block: Block) -> None:
        """Copies the body of a function in the place of its only call."""
        body = function.body.block
        operands = [self.values.get(value, value) for value in call.operands]
        self.values.update(zip(body.arguments, operands, strict=True))
        self.fill(block, body, ends=False)
        returned = (self.values.get(value, value) for value in body.terminator.operands)
        self.values.update(zip(call.results, returned, strict=True))

    def fill(self, block: Block, source: Block, *, ends: bool = True) -> None:
        """Copies the operations of a block, those between boundaries as manual computations.

        Args:
            block: The new block.
            source: The block.
            ends: Whether the terminator is copied, too.
        """
        if source is self.module.body:
            self.place_meshes(block)
        operations = source.operations
        if any(operation in self.shardings.boundaries for operation in operations):
            depths = Depths(self.shardings.boundaries, self.shardings.annotations)
            depths.read(operations)
            self.place_items(Staging(depths, 0).divide(operations), block, depths, 0, ends=ends)
            return
        for operation in operations if ends else operations[:-1]:
            self.place(operation, block)

    def place_meshes(self, block: Block) -> None:
        """Creates the meshes that the module does not have."""
        builder = Builder(block, self.module.operation.location, self.module.operation.span)
        for name, mesh in self.added.items():
            builder.create(MeshOp, sym_name=name, mesh=mesh)

    def place_items(
        self, items: Sequence[Item], block: Block, depths: Depths, depth: int, *, ends: bool = True
    ) -> None:
        """Copies operations on whole values, and creates manual computations."""
        stages = [
            ManualBody(item, depths, self.meshes) for item in items if isinstance(item, ManualStage)
        ]
        computed: dict[Value[Type], tuple[str, ...]] = {
            value: stage.manual_axes for stage in stages for value in stage.defined
        }
        for stage in stages:
            stage.find_captures(computed)
        used_later = {value for stage in stages for value in stage.crossing}
        remaining = iter(stages)
        for item in items:
            if isinstance(item, Operation):
                self.require(depths.inputs[item], block, depths)
                if ends or not item.definition.terminator:
                    self.place(item, block)
            else:
                stage = next(remaining)
                crossing = [value for value in stage.defined if value in used_later]
                self.place_stage(stage, block, depth, crossing)

    def require(self, values: Iterable[Value[Type]], block: Block, depths: Depths) -> None:
        """Copies the operations on demand that values need and that are not in this scope yet."""
        pending = [(value, False) for value in values]
        while pending:
            value, has_inputs = pending.pop()
            if value in self.values or not isinstance(value, OpResult):
                continue
            operation = value.operation
            if operation not in depths.inputs or not depths.is_on_demand(operation):
                continue
            if operation in depths.boundaries:
                self.place_exits(depths.without_inputs(operation), block, depths)
            elif has_inputs:
                self.place(operation, block)
            else:
                pending.append((value, True))
                pending += [(operand, False) for operand in depths.inputs[operation]]

    def place_exits(self, exits: list[Operation], block: Block, depths: Depths) -> None:
        """Creates the manual computation of shards that depend on no value from outside."""
        stage = ManualStage(depths.boundaries[exits[0]].manual_axes, exits=exits)
        self.place_stage(ManualBody(stage, depths, self.meshes), block, 0, ())

    def place_stage(
        self, stage: ManualBody, block: Block, depth: int, crossing: Sequence[Value[Type]]
    ) -> None:
        """Creates a manual computation.

        Args:
            stage: What it computes.
            block: Where it stands.
            depth: How many boundaries are around it.
            crossing: The shards that it computes for later ones.
        """
        if not stage.has_results(crossing):
            return
        self.require((value for value, _ in stage.operands()), block, stage.depths)
        operands = [self.values.get(value, value) for value, _ in stage.operands()]
        outside, self.values = self.values, {}
        body = stage.block()
        self.values.update(stage.arguments(body))
        items = Staging(stage.depths, depth + 1).divide(stage.stage.operations)
        self.place_items(items, body, stage.depths, depth + 1)
        self.require(stage.returned_values(), body, stage.depths)
        shards = [self.values.get(value, value) for value in (*stage.returned_values(), *crossing)]
        self.values = outside
        results = stage.create(block, body, operands, shards, crossing)
        self.values.update(zip((*stage.results(), *crossing), results, strict=True))


def array_attribute(dictionaries: Dictionaries) -> ArrayAttribute:
    """The attributes of arguments or results as one attribute."""
    return ArrayAttribute(tuple(DictionaryAttribute(dict(entry)) for entry in dictionaries))
