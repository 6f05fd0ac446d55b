"""The pass sdy-round-trip-export: a program with Shardy as programs without that dialect have it.

Meshes and shardings become frontend attributes, shardings of HLO too; operations become custom
calls. XLA reads this form back, from StableHLO and from HLO.

Source: XLA, ``sdy_round_trip``: what its converter writes of Shardy's dialect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from stablemate.dialects.func import Call, FuncOp, Return
from stablemate.dialects.mhlo.frontend_attributes import (
    FRONTEND_ATTRIBUTES,
    with_frontend_attributes,
)
from stablemate.dialects.sdy.annotations import (
    Constant,
    PropagationBarrier,
    Resharded,
    ShardingGroup,
)
from stablemate.dialects.sdy.attributes import (
    DIRECTIONS,
    Mesh,
    TensorSharding,
    TensorShardingPerValue,
)
from stablemate.dialects.sdy.computations import ManualComputation, NamedComputation
from stablemate.dialects.sdy.mesh import MeshOp
from stablemate.dialects.sdy.sharding import rank_of
from stablemate.dialects.stablehlo.constant import Constant as StablehloConstant
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.formats.hlo.text.sharding.shardings import sharding_text
from stablemate.ir.attributes import (
    ArrayAttribute,
    DictionaryAttribute,
    StringAttribute,
    SymbolAttribute,
    integer,
)
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module, Operation, Region, Value
from stablemate.ir.kinds import FUNCTION_TYPE
from stablemate.ir.rewriter import Pattern, Replacement, Rewriting
from stablemate.ir.types import Attribute, FunctionType, Type
from stablemate.numerics.elements import I32
from stablemate.xla.shardy_shardings import REPLICATED, hlo_sharding
from stablemate.xla.values import HloSharding

DIALECT: Final = "sdy."
SHARDING: Final = "sdy.sharding"
RULE: Final = "sdy.sharding_rule"
HLO_SHARDING: Final = "mhlo.sharding"
NOTE: Final = "xla."  # before the names of Shardy's attributes among the frontend's
BODY: Final = "xla.sdy.manual_computation_body"
NO_ATTRIBUTES: Final[Mapping[str, Attribute]] = {}
LISTS: Final = {"arg_attrs": "inputs", "res_attrs": "results"}


def sdy_round_trip_export(module: Module) -> Module:
    """The module without Shardy's dialect: with frontend attributes, custom calls and functions.

    Args:
        module: A valid module.
    """
    operations = module.operation.walk()
    if not any(mentions_shardy(operation) for operation in operations):
        return module
    return Export(module).export()


def mentions_shardy(operation: Operation) -> bool:
    """Whether an operation is Shardy's, or has an attribute of it."""
    return operation.name.startswith(DIALECT) or any(
        name.startswith(DIALECT) for attributes in attributes_at(operation) for name in attributes
    )


def attributes_at(operation: Operation) -> Iterator[Mapping[str, Attribute]]:
    """The attributes of an operation, and of the arguments and results of a function."""
    yield operation.discardable
    if isinstance(operation, FuncOp):
        yield from operation.argument_attributes
        yield from operation.result_attributes


class Export(Rewriting):
    """The export of one module.

    Attributes:
        module: The module.
        symbols: The names of its functions and meshes, and those that are created.
        functions: The bodies that become functions.
        meshes: The meshes by name, those from within shardings too.
        names: The names of meshes.
    """

    def __init__(self, module: Module) -> None:
        super().__init__(PATTERNS)
        self.patterns = {name: self.bound(pattern) for name, pattern in PATTERNS.items()}
        self.module = module
        self.functions: list[FuncOp] = []
        self.meshes = {
            operation.sym_name: operation.mesh
            for operation in module.body.operations
            if isinstance(operation, MeshOp)
        }
        self.names = {mesh: name for name, mesh in self.meshes.items()}
        self.symbols = {
            name.value
            for operation in module.body.operations
            if isinstance(name := operation.attributes.get("sym_name"), StringAttribute)
        }

    def bound(self, pattern: Any) -> Pattern:
        """A pattern that knows this export."""
        return lambda operation, builder: pattern(self, operation, builder)

    def export(self) -> Module:
        """The module without Shardy's dialect."""
        top = self.copy_operation(self.module.operation)
        block = top.regions[0].block
        for function in self.functions:
            block.append(function)
        top.discardable.update(self.module_attributes(top.discardable))
        return self.module.with_operation(top)

    def module_attributes(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        """The frontend attribute that names the meshes."""
        if not self.meshes:
            return {}
        return with_notes(attributes, {"sdy.meshes": DictionaryAttribute({**self.meshes})})

    # ---- meshes and shardings

    def fresh(self, name: str) -> str:
        """A name that no function and no mesh has, counted up as Shardy does."""
        symbol, number = name, 0
        while symbol in self.symbols:
            symbol, number = f"{name}_{number}", number + 1
        self.symbols.add(symbol)
        return symbol

    def with_mesh_name(self, sharding: TensorSharding) -> TensorSharding:
        """The sharding on a mesh with a name."""
        mesh = sharding.mesh
        if not isinstance(mesh, Mesh):
            return sharding
        if mesh not in self.names:
            wanted = f"maximal_mesh_{mesh.device_ids[0]}" if mesh.is_maximal else "mesh"
            self.names[mesh] = self.fresh(wanted)
            self.meshes[self.names[mesh]] = mesh
        return replace(sharding, mesh=SymbolAttribute(self.names[mesh]))

    def all_named(self, shardings: TensorShardingPerValue) -> TensorShardingPerValue:
        """The shardings on meshes with names."""
        return TensorShardingPerValue(tuple(map(self.with_mesh_name, shardings.shardings)))

    def hlo_sharding(self, sharding: TensorSharding, value_type: Type | None) -> HloSharding:
        """The sharding of HLO for a value, or for an operation without results."""
        mesh = sharding.mesh if isinstance(sharding.mesh, Mesh) else self.meshes[sharding.mesh.root]
        if value_type is not None and not rank_of(value_type) and not mesh.is_maximal:
            return REPLICATED
        return hlo_sharding(sharding, mesh)

    def hlo_text(self, shardings: TensorShardingPerValue, types: Sequence[Type]) -> str:
        """The sharding of HLO for the results of an operation; of several a tuple."""
        pairs = zip(shardings.shardings, types or (None,), strict=True)
        parts = tuple(self.hlo_sharding(sharding, value_type) for sharding, value_type in pairs)
        return sharding_text(parts[0] if len(parts) == 1 else HloSharding("tuple", elements=parts))

    # ---- attributes

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy on the new values, with frontend attributes in the place of Shardy's."""
        copy = super().copy_operation(operation)
        types: list[Type] = [value.type for value in operation.results]
        copy.discardable = self.of_operation(operation.discardable, types)
        if isinstance(copy, FuncOp) and isinstance(operation, FuncOp):
            self.annotate_function(copy, operation)
        return copy

    def of_operation(
        self, attributes: Mapping[str, Attribute], types: Sequence[Type]
    ) -> dict[str, Attribute]:
        """The attributes of an operation without those of Shardy."""
        shardings, rule = attributes.get(SHARDING), attributes.get(RULE)
        kept = {name: value for name, value in attributes.items() if name not in (SHARDING, RULE)}
        notes: dict[str, Attribute] = {} if rule is None else {RULE: rule}
        if isinstance(shardings, TensorShardingPerValue):
            notes[SHARDING] = self.all_named(shardings)
            kept[HLO_SHARDING] = StringAttribute(self.hlo_text(shardings, types))
        return kept | with_notes(kept, notes)

    def of_value(
        self, attributes: Mapping[str, Attribute], value_type: Type, *, is_result: bool
    ) -> dict[str, Attribute]:
        """The attributes of an argument or a result; that of a result is with its custom call."""
        sharding = attributes.get(SHARDING)
        if not isinstance(sharding, TensorSharding):
            return dict(attributes)
        kept = {name: value for name, value in attributes.items() if name != SHARDING}
        text = sharding_text(self.hlo_sharding(sharding, value_type))
        kept[HLO_SHARDING] = StringAttribute(text)
        if is_result:
            return kept
        return kept | with_notes(kept, {SHARDING: self.with_mesh_name(sharding)})

    def annotate_function(self, copy: FuncOp, function: FuncOp) -> None:
        """Gives a function the attributes and the custom calls in the place of its shardings."""
        entries = (function.argument_attributes, function.result_attributes)
        for (name, side), listed in zip(LISTS.items(), entries, strict=True):
            types: Sequence[Type] = getattr(function.type, side)
            if any(SHARDING in attributes for attributes in listed):
                copy.attributes[name] = ArrayAttribute(
                    tuple(
                        DictionaryAttribute(
                            self.of_value(entry, value_type, is_result=name == "res_attrs")
                        )
                        for entry, value_type in zip(listed, types, strict=True)
                    )
                )
        shardings = [attributes.get(SHARDING) for attributes in function.result_attributes]
        if any(shardings):
            for block in copy.body.blocks:
                self.annotate_results(block, shardings)

    def annotate_results(self, block: Any, shardings: Sequence[Attribute | None]) -> None:
        """Puts a custom call around each result that has a sharding."""
        terminator = block.operations[-1]
        if not isinstance(terminator, Return):
            return
        block.operations.pop()
        builder = Builder(block, terminator.location, terminator.span)
        values = [
            self.annotate_result(builder, value, sharding)
            for value, sharding in zip(terminator.operands, shardings, strict=True)
        ]
        builder.create(Return, values=values, discardable=terminator.discardable)

    def annotate_result(
        self, builder: Builder, value: Value[Type], sharding: Attribute | None
    ) -> Value[Type]:
        """A result of a function, through the custom call that states its sharding."""
        if not isinstance(sharding, TensorSharding):
            return value
        notes: dict[str, Attribute] = {
            SHARDING: TensorShardingPerValue((self.with_mesh_name(sharding),))
        }
        return call(builder, "xla.sdy.FuncResultSharding", [value], [value.type], notes)[0]

    # ---- operations

    def mesh(self, operation: MeshOp, builder: Builder) -> Replacement:
        """Nothing: the module names the meshes."""
        return ()

    def constraint(self, operation: Resharded, builder: Builder) -> Replacement:
        """The custom call that states a sharding."""
        per_value = TensorShardingPerValue((operation.sharding,))
        types: list[Type] = [operation.results[0].type]
        return builder.create(
            CustomCall,
            inputs=operation.operands,
            call_target_name="Sharding",
            results=types,
            discardable=self.of_operation({**operation.discardable, SHARDING: per_value}, types),
        ).results

    def constant(self, operation: Constant, builder: Builder) -> Replacement:
        """Replaces ``sdy.constant`` by the constant of StableHLO with its elements."""
        return builder.create(
            StablehloConstant,
            value=operation.attributes["value"],
            discardable=operation.discardable,
        ).results

    def group(self, operation: ShardingGroup, builder: Builder) -> Replacement:
        """The custom call that puts a value into a group."""
        notes: dict[str, Attribute] = {"sdy.sharding_group_id": integer(operation.group_id)}
        own = operation.discardable
        return call(builder, "xla.sdy.ShardingGroup", operation.operands, (), notes, own)

    def barrier(self, operation: PropagationBarrier, builder: Builder) -> Replacement:
        """The custom call that limits the propagation."""
        number = DIRECTIONS.index(operation.allowed_direction)
        notes: dict[str, Attribute] = {"sdy.allowed_direction": integer(number, I32)}
        types: list[Type] = [operation.results[0].type]
        own = operation.discardable
        return call(builder, "xla.sdy.PropagationBarrier", operation.operands, types, notes, own)

    def manual_computation(self, operation: ManualComputation, builder: Builder) -> Replacement:
        """Calls to the shards, on them, and back."""
        region = operation.regions[0]
        axes = {"sdy.manual_axes": operation.manual_axes}
        values: Sequence[Value[Type]] = operation.operands
        if values:
            types = [argument.type for argument in region.block.arguments]
            notes = {**axes, "sdy.in_shardings": self.all_named(operation.in_shardings)}
            values = call(builder, "xla.sdy.GlobalToLocalShape", values, types, notes)
        name = self.function(BODY, region, operation)
        inner: list[Type] = [
            value.type for value in self.functions[-1].body.block.terminator.operands
        ]
        own = operation.discardable
        called = builder.create(
            Call,
            callee=name,
            inputs=values,
            results=inner,
            discardable={**own, FRONTEND_ATTRIBUTES: with_frontend_attributes(own, NOT_INLINED)},
        )
        if not inner:
            return ()
        results: list[Type] = [value.type for value in operation.results]
        notes = {**axes, "sdy.out_shardings": self.all_named(operation.out_shardings)}
        return call(builder, "xla.sdy.LocalToGlobalShape", called.results, results, notes)

    def named_computation(self, operation: NamedComputation, builder: Builder) -> Replacement:
        """The call of a function with its shardings."""
        name = self.function(operation.label, operation.regions[0], operation)
        function = self.functions[-1]
        sides = (operation.in_shardings, operation.out_shardings)
        for (attributes, _), shardings in zip(LISTS.items(), sides, strict=True):
            if shardings is not None:
                function.attributes[attributes] = ArrayAttribute(
                    tuple(DictionaryAttribute({SHARDING: each}) for each in shardings.shardings)
                )
        self.functions[-1] = self.copied_function(function)
        types: list[Type] = [value.type for value in operation.results]
        out = operation.out_shardings
        stated: dict[str, Attribute] = {} if out is None else {SHARDING: out}
        discardable = self.of_operation({**operation.discardable, **stated}, types)
        return builder.create(
            Call, callee=name, inputs=operation.operands, results=types, discardable=discardable
        ).results

    def copied_function(self, function: FuncOp) -> FuncOp:
        """A function of this module with its shardings exported."""
        copy = self.copy_operation(function)
        assert isinstance(copy, FuncOp)
        return copy

    def function(self, name: str, region: Region, operation: Operation) -> str:
        """Adds the function of a region, and returns its name."""
        block = region.block
        terminator = block.operations.pop()
        Builder(block, terminator.location, terminator.span).create(
            Return, values=terminator.operands
        )
        inputs = tuple(argument.type for argument in block.arguments)
        results = tuple(value.type for value in terminator.operands)
        symbol = self.fresh(name)
        attributes = {
            "sym_name": StringAttribute(symbol),
            "sym_visibility": StringAttribute("private"),
            "function_type": FUNCTION_TYPE.attribute(FunctionType(inputs, results)),
        }
        self.functions.append(
            FuncOp((), (), attributes, [region], location=operation.location, span=operation.span)
        )
        return symbol


NOT_INLINED: Final = {"inlineable": StringAttribute("false")}
PATTERNS: Final[Mapping[str, Any]] = {
    "sdy.mesh": Export.mesh,
    "sdy.sharding_constraint": Export.constraint,
    "sdy.reshard": Export.constraint,
    "sdy.constant": Export.constant,
    "sdy.sharding_group": Export.group,
    "sdy.propagation_barrier": Export.barrier,
    "sdy.manual_computation": Export.manual_computation,
    "sdy.named_computation": Export.named_computation,
}


def call(
    builder: Builder,
    target: str,
    operands: Iterable[Value],
    types: Sequence[Type],
    notes: Mapping[str, Attribute],
    attributes: Mapping[str, Attribute] = NO_ATTRIBUTES,
) -> Sequence[Value]:
    """The results of a custom call of Shardy's, which has effects so that nobody removes it."""
    return builder.create(
        CustomCall,
        inputs=operands,
        call_target_name=target,
        has_side_effect=True,
        results=types,
        discardable={**attributes, **with_notes(attributes, notes)},
    ).results


def with_notes(
    attributes: Mapping[str, Attribute], notes: Mapping[str, Attribute]
) -> dict[str, Attribute]:
    """The frontend attributes among some attributes, with the texts of Shardy's."""
    if not notes:
        return {}
    texts = {f"{NOTE}{name}": StringAttribute(str(value)) for name, value in notes.items()}
    return {FRONTEND_ATTRIBUTES: with_frontend_attributes(attributes, texts)}
