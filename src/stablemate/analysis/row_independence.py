"""Whether each row of a program's results depends on the same row of its arguments alone.

Then calls can be joined: the rows of several calls, one below the other, give the rows of their
results. The proof follows the first dimension of the arguments through the sharding rules of the
operations: a dimension along which shards need no communication has independent rows.

Sizes that vary are set to two primes. What differs between the two programs depends on the number
of rows; what is a multiple of the prime holds the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.transforms.inline import inline
from stablemate.transforms.legalization import legalize_module
from stablemate.transforms.propagation.registry import rule_of
from stablemate.transforms.propagation.rule_builder import shape_of
from stablemate.transforms.refinement_pipeline import refine_module

PRIMES: Final = (509, 521)  # numbers of rows; no other size is likely to be a multiple of one
OTHER_SIZE: Final = 7  # of the dimensions that vary and hold no rows
RETURN: Final = "func.return"


@dataclass(frozen=True, slots=True)
class ValueRows:
    """The known facts about the rows of a value.

    Attributes:
        dimension: The dimension that holds the rows; None if the value depends on no argument.
        uniform: The dimensions along which all elements are equal.
    """

    dimension: int | None = None
    uniform: frozenset[int] = frozenset()


class DependentRowsError(Exception):
    """The rows may depend on each other; the message says where."""


def rows_obstacle(module: Module, function: FuncOp) -> str | None:
    """Why rows of a function may depend on each other; None if they do not.

    Args:
        module: The module.
        function: The function: its arguments and results are tensors whose first dimensions have
            one size, or vary.
    """
    sizes: list[int] = []
    try:
        sizes = row_sizes(function)
        programs = [refine_rows(module, function, size) for size in sizes]
        for program in programs[1:]:
            require_same_constants(programs[0], program)
        RowTracking(sizes[0]).check(programs[0])
    except DependentRowsError as error:
        return str(error)
    except StablemateError as error:
        return f"the program for {sizes[0]} rows: {error}"
    return None


def row_sizes(function: FuncOp) -> list[int]:
    """The numbers of rows for which the function is examined."""
    sizes = {first_size(value) for value in (*function.type.inputs, *function.type.results)}
    if not function.type.inputs or None in sizes or len(sizes - {None}) != 1:
        raise DependentRowsError("the first dimensions of arguments and results are no rows")
    (size,) = sizes
    if size != DYNAMIC:
        return [size or 0]
    bounds = {bound for type_ in function.type.inputs for bound in first_bound(type_)}
    return [min([prime - i, *[bound - i for bound in bounds]]) for i, prime in enumerate(PRIMES)]


def first_size(type_: Type) -> int | None:
    """The size of the first dimension of a tensor."""
    return type_.shape[0] if isinstance(type_, TensorType) and type_.rank else None


def first_bound(type_: Type) -> Iterator[int]:
    """The bound of the first dimension of a tensor, if it has one."""
    if isinstance(type_, TensorType) and type_.bounds and type_.bounds[0] != DYNAMIC:
        yield type_.bounds[0]


def refine_rows(module: Module, function: FuncOp, rows: int) -> FuncOp:
    """The function for a number of rows, without calls."""
    types = [with_rows(type_, rows) for type_ in function.type.inputs]
    program = module
    if any(not t.is_static for t in function.type.inputs if isinstance(t, TensorType)):
        program = refine_module(module, types, function.symbol)
    program = inline(legalize_module(program, executor="native"))
    for operation in program.body.operations:
        if isinstance(operation, FuncOp) and operation.symbol == function.symbol:
            return operation
    raise DependentRowsError("the function is not found")


def with_rows(type_: Type, rows: int) -> Type:
    """The type of an argument with a number of rows."""
    if not isinstance(type_, TensorType) or type_.is_static:
        return type_
    rest = (OTHER_SIZE if size == DYNAMIC else size for size in type_.shape[1:])
    return replace(type_, shape=(rows, *rest), encoding=None)


def require_same_constants(first: FuncOp, second: FuncOp) -> None:
    """Requires that no value depends on the number of rows."""
    a, b = [*first.walk()], [*second.walk()]
    if [operation.name for operation in a] != [operation.name for operation in b]:
        raise DependentRowsError("the operations depend on the number of rows")
    for one, other in zip(a, b, strict=True):
        if isinstance(one, Constant) and isinstance(other, Constant) and differ(one, other):
            raise DependentRowsError("a constant depends on the number of rows")


def differ(one: Constant, other: Constant) -> bool:
    """Whether two constants have different elements; those of splats are equal in any shape."""
    a, b = one.value, other.value
    if a is b or a == b:
        return False
    if not isinstance(a, DenseElementsAttribute) or not isinstance(b, DenseElementsAttribute):
        return True
    return not a.is_splat or not b.is_splat or a.data.tobytes() != b.data.tobytes()


def is_splat(constant: Constant) -> bool:
    """Whether one value fills a constant."""
    return isinstance(constant.value, DenseElementsAttribute) and constant.value.is_splat


class RowTracking:
    """Follows rows through the operations of a function.

    Attributes:
        rows: The number of rows; sizes of dimensions that hold them are multiples of it.
        states: What is known of each value.
    """

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.states: dict[Value[Type], ValueRows] = {}

    def check(self, function: FuncOp) -> None:
        """Requires that each row of the results depends on that row of the arguments.

        Raises:
            DependentRowsError: It may depend on others, or on the number of rows.
        """
        block = function.body.blocks[0]
        self.states |= dict.fromkeys(block.arguments, ValueRows(0))
        for operation in block.operations:
            if operation.name == RETURN:
                self.check_results(operation)
            else:
                self.visit(operation)

    def check_results(self, operation: Operation) -> None:
        """Requires that the first dimension of the results holds the rows."""
        for number, value in enumerate(operation.operands):
            state = self.states[value]
            if state.dimension != 0 and 0 not in state.uniform:
                raise DependentRowsError(f"result {number} has no rows of the arguments")

    def visit(self, operation: Operation) -> None:
        """Determines the rows of the results of an operation."""
        for value in self.region_operands(operation):
            if self.state(value).dimension is not None:
                raise obstacle(operation)
        rule = rule_of(operation)
        if all(self.state(value).dimension is None for value in operation.operands):
            for number, value in enumerate(operation.results):
                self.states[value] = ValueRows(
                    None, self.uniform_dimensions(operation, rule, number)
                )
            return
        if rule is None or not keeps_positions(operation):
            raise obstacle(operation)
        factor = self.factor(operation, rule)
        for value, mapping in zip(operation.results, rule.results, strict=True):
            majors = [factors[0] if factors else None for factors in mapping]
            others = [other for factors in mapping for other in factors[1:]]
            if factor not in majors or factor in others:
                raise obstacle(operation)
            self.states[value] = ValueRows(majors.index(factor))

    def state(self, value: Value[Type]) -> ValueRows:
        """Looks up the facts about a value; a value in a region is only known to be no argument."""
        return self.states.get(value, ValueRows())

    def region_operands(self, operation: Operation) -> Iterator[Value[Type]]:
        """The values that the regions of an operation use."""
        if operation.regions:
            for nested in operation.walk():
                if nested is not operation:
                    yield from nested.operands

    def factor(self, operation: Operation, rule: OpShardingRule) -> int:
        """The factor of an operation that is the rows."""
        found = {
            mapping[dimension][0]
            for value, mapping in zip(operation.operands, rule.operands, strict=True)
            if (dimension := self.state(value).dimension) is not None
        }
        communicating = {*rule.reduction, *rule.need_replication, *rule.permutation}
        (factor,) = found if len(found) == 1 else (None,)
        if factor is None or factor in communicating or rule.sizes[factor] % self.rows:
            raise obstacle(operation)
        for value, mapping in zip(operation.operands, rule.operands, strict=True):
            state = self.state(value)
            own = {d for d, factors in enumerate(mapping) if factor in factors}
            if not own <= (state.uniform if state.dimension is None else {state.dimension}):
                raise obstacle(operation)
        return factor

    def uniform_dimensions(
        self, operation: Operation, rule: OpShardingRule | None, number: int
    ) -> frozenset[int]:
        """The dimensions along which a result that depends on no argument has equal elements."""
        dimensions = frozenset(range(len(shape_of(operation.results[number]))))
        if isinstance(operation, Constant):
            return dimensions if is_splat(operation) else frozenset()
        if isinstance(operation, Iota):
            return dimensions - {operation.iota_dimension}
        if rule is None or not keeps_positions(operation):
            return frozenset()
        return frozenset(
            dimension
            for dimension, factors in enumerate(rule.results[number])
            if len(factors) == 1 and self.is_uniform(operation, rule, factors[0])
        )

    def is_uniform(self, operation: Operation, rule: OpShardingRule, factor: int) -> bool:
        """Whether all operands are the same along a factor."""
        if factor in {*rule.reduction, *rule.need_replication, *rule.permutation}:
            return False
        appears = isinstance(operation, BroadcastInDim)
        for value, mapping in zip(operation.operands, rule.operands, strict=True):
            own = {d for d, factors in enumerate(mapping) if factor in factors}
            appears = appears or bool(own)
            if not own <= self.state(value).uniform:
                return False
        return appears


def keeps_positions(operation: Operation) -> bool:
    """Whether what a sharding rule calls parallel is computed without the position of the row."""
    if not isinstance(operation, DynamicUpdateSlice):
        return True
    return shape_of(operation.operand)[:1] == shape_of(operation.update)[:1]


def obstacle(operation: Operation) -> DependentRowsError:
    """The error of an operation that may join rows."""
    place = "" if operation.span is None else f" at {operation.span}"
    return DependentRowsError(f"{operation.name}{place} may join rows")
