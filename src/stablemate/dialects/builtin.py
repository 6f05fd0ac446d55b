"""The builtin dialect: modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.ir.attributes import IntegerAttribute, integer
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, Op, Violation, constraint, define, holds, op
from stablemate.ir.grid import Grid
from stablemate.ir.kinds import ANY_VALUE, STRING
from stablemate.ir.types import DYNAMIC, Attribute, TensorType, Type
from stablemate.numerics.elements import I32, I64, INDEX

NUM_REPLICAS: Final = "mhlo.num_replicas"
NUM_PARTITIONS: Final = "mhlo.num_partitions"
SAME_INTEGERS: Final = {INDEX, I64}  # an index has 64 bits


@op("builtin.module", isolated=True, symbols=True)
class ModuleOp(Op):
    """A program, or a part of one: functions and nested modules, found by name.

    Attributes:
        found: What ``symbols`` found when it was last asked, to answer the next question.

    Source: StableHLO specification, "Programs"; MLIR builtin dialect, module.
    """

    __slots__ = ("__weakref__", "symbol_table")
    sym_name = define.optional_attribute("", STRING)
    sym_visibility = define.optional_attribute("", STRING)
    body = define.region(terminated=False)
    assembly = "custom<Module>"

    @constraint("discardable attributes")
    def discardable_attributes(self) -> Check:
        """The name of a discardable attribute has the prefix of a dialect"""
        bare = [name for name in self.discardable if "." not in name]
        return holds(not bare, attributes=bare)

    @constraint("arguments")
    def body_arguments(self) -> Check:
        """The body takes no arguments"""
        number = len(self.body.block.arguments)
        return holds(number == 0, arguments=number)

    @constraint("symbols")
    def unique_symbols(self) -> Check:
        """A symbol is defined once"""
        operations = [
            (name, operation)
            for block in self.body.blocks
            for operation in block.operations
            if (name := symbol_of(operation)) is not None
        ]
        first = dict(reversed(operations))
        repeated = [(name, item) for name, item in operations if item is not first[name]]
        if not repeated:
            return None
        return Violation({"symbols": [*dict.fromkeys(n for n, _ in repeated)]}, repeated[0][1])

    def symbol(self, name: str) -> Operation | None:
        """The operation of this name; None if there is none."""
        table: Mapping[str, Operation] = getattr(self, "symbol_table", {})
        operation = table.get(name)
        if (
            operation is None
            or operation.parent not in self.body.blocks
            or symbol_of(operation) != name
        ):
            self.symbol_table = symbols(self)
            operation = self.symbol_table.get(name)
        return operation


@op("builtin.unrealized_conversion_cast")
class UnrealizedConversionCast(Op):
    """Values as values of other types, left by a partial lowering.

    Source: MLIR builtin dialect, unrealized_conversion_cast.
    """

    __slots__ = ()
    inputs = define.variadic("", ANY_VALUE)
    outputs = define.variadic_result(ANY_VALUE)
    assembly = "custom<UnrealizedConversionCast>"

    def evaluate(self, *operands: object, **_: object) -> object:
        """The operands as they are.

        Raises:
            UnsupportedError: The results are not as many values of the same types.
        """
        given = [value.type for value in self.operands]
        results = [value.type for value in self.results]
        if not operands or len(given) != len(results) or not all(map(is_same, given, results)):
            types = f"{texts(given)} to {texts(results)}"
            raise UnsupportedError(f"{self.name} of {types} has no meaning", span=self.span)
        return operands[0] if len(operands) == 1 else operands


def is_same(given: Type, result: Type) -> bool:
    """Whether values of both types are the same ones: the result may leave sizes open."""
    if not isinstance(given, TensorType) or not isinstance(result, TensorType):
        return given == result
    elements = {given.element_type, result.element_type}
    return (
        (len(elements) == 1 or elements == SAME_INTEGERS)
        and given.rank == result.rank
        and all(b in (a, DYNAMIC) for a, b in zip(given.shape, result.shape, strict=True))
    )


def texts(types: Sequence[Type]) -> str:
    """Formats a list of types in parentheses."""
    return f"({', '.join(map(str, types))})"


def symbol_of(operation: Operation) -> str | None:
    """The name under which an operation is found, if it has one."""
    name = operation.attributes.get("sym_name") or operation.discardable.get("sym_name")
    value: str | None = getattr(name, "value", None)
    return value


def symbols(module: Operation) -> Mapping[str, Operation]:
    """The operations of a module by name; of several of one name the first."""
    table: dict[str, Operation] = {}
    for block in module.regions[0].blocks:
        for operation in block.operations:
            name = symbol_of(operation)
            if name is not None:
                table.setdefault(name, operation)
    return table


def find_symbol(operation: Operation, name: str) -> Operation | None:
    """The operation that a symbol names, from the innermost module around its use."""
    module = operation.parent_operation()
    while module is not None and not isinstance(module, ModuleOp):
        module = module.parent_operation()
    return module.symbol(name) if module is not None else None


def stated_counts(module: Operation) -> tuple[int | None, int | None]:
    """The numbers of replicas and of partitions that a module states, each None if it does not."""
    replicas, partitions = (
        max(count.value, 1) if isinstance(count, IntegerAttribute) else None
        for count in map(module.discardable.get, (NUM_REPLICAS, NUM_PARTITIONS))
    )
    return replicas, partitions


def stated_grid(module: Operation) -> Grid:
    """The replicas and partitions that a module states; one process by default."""
    replicas, partitions = stated_counts(module)
    return Grid(replicas or 1, partitions or 1)


def grid_attributes(grid: Grid) -> dict[str, Attribute]:
    """The attributes of a module that states its replicas and partitions."""
    return {
        NUM_REPLICAS: integer(grid.num_replicas, I32),
        NUM_PARTITIONS: integer(grid.num_partitions, I32),
    }
