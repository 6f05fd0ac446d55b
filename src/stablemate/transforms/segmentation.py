"""Segments: a function in parts between which sizes become known that depend on data.

Each operation belongs to the first part in which the sizes that it needs can be known. There they
are sizes of arguments, so that each part is compiled once for all of them. What is computed from
such sizes stands in every part that uses it. A loop or branch inside which sizes depend on data is
a part of its own, which is interpreted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeGuard

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.calls import is_request
from stablemate.dialects.func import Return
from stablemate.dialects.refinement import size_positions
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.dynamism import known_integers
from stablemate.dialects.stablehlo.get_dimension_size import GetDimensionSize
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.symbolic_evaluation import is_computed_on_sizes, moves_all_operands
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, OpResult, Value
from stablemate.ir.definition import Op
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.elements import BOOLEAN, IntegerType
from stablemate.numerics.symbolic_sizes import SMALLEST
from stablemate.transforms.outlining import function_of_block, is_constant, used_by
from stablemate.transforms.refinement.knowledge import LARGEST
from stablemate.transforms.splitting import OpenFunction, is_passable
from stablemate.transforms.stablehlo_refine_arguments import with_body

MOST_SIZES: Final = 8  # that a value holds which a part takes as sizes


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a function.

    Attributes:
        module: Returns a module in which it is a function.
        name: Its name there.
        inputs: The numbers of the values that are its first arguments.
        counts: The numbers of the values whose elements are the sizes of its other arguments, each
            of one dimension.
        outputs: The numbers of the values that are its results.
        is_interpreted: Whether sizes depend on data inside it.
    """

    module: Callable[[], Module]
    name: str
    inputs: Sequence[int]
    counts: Sequence[int]
    outputs: Sequence[int]
    is_interpreted: bool


@dataclass(frozen=True, slots=True)
class SegmentedFunction:
    """A function in parts, which run in order; its arguments have the first numbers.

    Attributes:
        segments: The parts.
        results: The numbers of the results.
    """

    segments: Sequence[Segment]
    results: Sequence[int]


def segment_function(whole: OpenFunction) -> SegmentedFunction | None:
    """A function in parts; None if its open sizes cannot be known between parts."""
    if any(is_request(operation) for f in whole.functions.values() for operation in f.walk()):
        return None
    return Segmentation(whole).result()


class Segmentation:
    """How the operations of a block are divided.

    Attributes:
        whole: The function.
        block: Its operations.
        leaves: For each value that holds sizes, the values of data that it is computed from.
        floating: The operations that stand in every part that uses them.
        levels: The number of the part that computes a value; even ones are compiled.
        counts: The values that are sizes.
    """

    def __init__(self, whole: OpenFunction) -> None:
        self.whole = whole
        self.block = whole.block
        self.leaves: dict[Value[Type], frozenset[Value[Type]]] = {}
        self.floating = set[Operation]()
        self.levels: dict[Value[Type], int] = dict.fromkeys(self.block.arguments, 0)
        self.counts = set[Value[Type]]()
        self.numbers: dict[Value[Type], int] = {
            argument: number for number, argument in enumerate(self.block.arguments)
        }

    def result(self) -> SegmentedFunction | None:
        """The parts; None if there are not at least two."""
        operations = self.block.operations[:-1]
        for operation in operations:
            self.find_leaves(operation)
        parts: dict[int, list[Operation]] = {}
        for operation in operations:
            if operation not in self.floating:
                level = self.level(operation)
                self.levels.update(dict.fromkeys(operation.results, level))
                parts.setdefault(level, []).append(operation)
        if len(parts) < 2 or not all(map(is_count, self.counts)):
            return None
        last = max(parts)
        segments: list[Segment] = []
        wanted = self.last_uses(parts)
        for level in sorted(parts):
            segment = self.segment(level, parts[level], wanted, is_last=level == last)
            if segment is None:
                return None
            segments.append(segment)
        results = [self.numbers[value] for value in self.block.terminator.operands]
        return SegmentedFunction(segments, results)

    # what is a size

    def find_leaves(self, operation: Operation, *, is_inside: bool = False) -> None:
        """Notes the results of an operation if they are made of sizes, and may stand anywhere."""
        found = frozenset[Value[Type]]()
        if not is_constant(operation) and operation.name != "stablehlo.get_dimension_size":
            if not is_arithmetic_of_sizes(operation):
                return
            found = found.union(*map(self.leaves_of, operation.operands))
            if found and not (
                all(map(is_count, found)) if is_polynomial(operation) else is_decided(operation)
            ):
                return
        if not is_inside:
            self.floating.add(operation)
        self.leaves.update(dict.fromkeys(operation.results, found))

    def leaves_of(self, value: Value[Type]) -> frozenset[Value[Type]]:
        """The values of data that a value is computed from, by arithmetic of sizes."""
        return self.leaves.get(value, frozenset([value]))

    def counted_by(self, operation: Operation) -> Iterator[Value[Type]]:
        """The values of data that an operation, or one in it, takes for sizes."""
        for nested in operation.walk():
            if nested is not operation:
                self.find_leaves(nested, is_inside=True)
        for nested in operation.walk():
            for place in size_positions(nested):
                yield from self.leaves_of(nested.operands[place])

    def level(self, operation: Operation) -> int:
        """The first part in which an operation can stand."""
        counted = list(self.counted_by(operation))
        outside = [value for value in counted if value in self.levels]
        used = [self.levels[value] for value in self.closure([operation])[1]]
        if len(outside) < len(counted):
            return after(max(used, default=0), is_interpreted=True)
        self.counts.update(outside)
        sizes = [after(self.levels[value], is_interpreted=False) for value in outside]
        return max([*map(compiled_part, used), *sizes], default=0)

    # parts

    def closure(self, operations: Sequence[Operation]) -> tuple[list[Operation], list[Value[Type]]]:
        """The operations that stand anywhere which others need, in order, and all values used."""
        needed: dict[Operation, None] = {}
        used: dict[Value[Type], None] = {}
        pending = [value for operation in operations for value in used_by(operation)]
        seen = set[Value[Type]]()
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            if isinstance(value, OpResult) and value.operation in self.floating:
                needed[value.operation] = None
                pending += value.operation.operands
            elif value in self.levels:
                used[value] = None
        return list(needed), list(used)

    def last_uses(self, parts: Mapping[int, Sequence[Operation]]) -> dict[Value[Type], int]:
        """The last part that uses each value; results of the function are used after all."""
        last: dict[Value[Type], int] = {}
        for level, operations in sorted(parts.items()):
            for value in self.closure(operations)[1]:
                last[value] = level
        for value in self.closure([self.block.terminator])[1]:
            last[value] = max(parts) + 1
        return last

    def segment(
        self, level: int, operations: Sequence[Operation], wanted: Mapping[Value[Type], int], *,
        is_last: bool,
    ) -> Segment | None:  # fmt: skip
        """A part; None if its values cannot be passed."""
        inside: Sequence[Operation] = operations
        outputs: list[Value[Type]] = [
            value
            for operation in operations
            for value in operation.results
            if wanted.get(value, -1) > level
        ]
        if is_last:
            inside = [*operations, self.block.terminator]
            results = dict.fromkeys(self.block.terminator.operands)
            outputs += [value for value in results if self.is_floating(value)]
        needed, used = self.closure(inside)
        before = [value for value in used if self.levels[value] < level or value in self.given]
        counts = [
            value
            for value in before
            if value in self.counts and self.levels[value] < level and not level % 2
        ]
        inputs = [value for value in before if value not in counts]
        if not all(is_passable(value.type) for value in (*inputs, *outputs)):
            return None
        for value in outputs:
            self.numbers.setdefault(value, len(self.numbers))
        name = f"part {level} of {self.whole.name}"
        places = {operation: place for place, operation in enumerate(self.block.operations)}
        ordered = sorted([*needed, *operations], key=places.__getitem__)
        return Segment(
            partial(self.module_of, name, inputs, counts, ordered, outputs),
            name,
            [self.numbers[value] for value in inputs],
            [self.numbers[value] for value in counts],
            [self.numbers[value] for value in outputs],
            bool(level % 2),
        )

    @property
    def given(self) -> frozenset[Value[Type]]:
        """The arguments of the function."""
        return frozenset(self.block.arguments)

    def is_floating(self, value: Value[Type]) -> bool:
        """Whether an operation that stands anywhere gives a value."""
        return isinstance(value, OpResult) and value.operation in self.floating

    def module_of(
        self, name: str, inputs: Sequence[Value[Type]], counts: Sequence[Value[Type]],
        operations: Sequence[Operation], outputs: Sequence[Value[Type]],
    ) -> Module:  # fmt: skip
        """A module with the function of a part."""
        sized = [count for count in counts for _ in range(elements_of(count))]
        block = Block([*[value.type for value in inputs], *[SIZED] * len(sized)])
        rewriting = Rewriting({})
        rewriting.values.update(zip(inputs, block.arguments, strict=False))
        builder = Builder(block)
        rest = iter(block.arguments[len(inputs) :])
        for count in counts:
            sources = [next(rest) for _ in range(elements_of(count))]
            rewriting.values[count] = sizes_as(count.type, sources, builder)
        for operation in operations:
            rewriting.place(operation, block)
        builder.create(Return, values=[rewriting.values.get(value, value) for value in outputs])
        body = Block()
        for other in self.whole.others:
            body.append(Rewriting({}).copy_operation(other))
        body.append(function_of_block(name, block, operations[0]))
        return with_body(self.whole.module, body)


SIZED: Final = TensorType((DYNAMIC,), BOOLEAN)  # an argument of which only the size is used
SIZE: Final = IntegerType(32)


def after(level: int, *, is_interpreted: bool) -> int:
    """The next part of a kind."""
    return level + 1 + ((level + 1) % 2 != is_interpreted)


def compiled_part(level: int) -> int:
    """The first part from one on that is compiled."""
    return level + level % 2


def is_small(operation: Operation) -> bool:
    """Whether all that an operation takes and gives are a few integers."""
    return all(
        isinstance(value.type, TensorType)
        and value.type.is_static
        and value.type.size <= LARGEST
        and isinstance(value.type.element_type, IntegerType)
        for value in (*operation.operands, *operation.results)
    )


def is_arithmetic_of_sizes(operation: Operation) -> TypeGuard[Op]:
    """Whether an operation computes a few integers that a program for all sizes follows."""
    return isinstance(operation, Op) and is_computed_on_sizes(operation) and is_small(operation)


def is_polynomial(operation: Op) -> bool:
    """Whether the results are sums, products or lists of the operands.

    Otherwise they are better taken for sizes of their own if one of the operands depends on data.
    """
    linear = {place for places in operation.linear_operands("add") for place in places}
    is_linear = len(linear) == len(operation.operands)
    return is_linear or isinstance(operation, Convert) or moves_all_operands(operation)


def is_decided(operation: Operation) -> bool:
    """Whether this is the smaller one of a size and a number that no size is below."""
    if operation.name != "stablehlo.minimum":
        return False
    numbers = [known_integers(value) for value in operation.operands]
    return any(known is not None and max(known, default=0) < SMALLEST for known in numbers)


def is_count(value: Value[Type]) -> bool:
    """Whether a value holds few enough sizes that a part takes them as sizes of arguments."""
    return isinstance(value.type, TensorType) and (
        value.type.is_static
        and value.type.size <= MOST_SIZES
        and isinstance(value.type.element_type, IntegerType)
        and not value.type.element_type.is_boolean
    )


def elements_of(value: Value[Type]) -> int:
    """How many sizes a value holds."""
    assert isinstance(value.type, TensorType)
    return value.type.size


def sizes_as(value_type: Type, sources: Sequence[Value], builder: Builder) -> Value:
    """The sizes of arguments as a tensor of integers."""
    assert isinstance(value_type, TensorType)
    scalars = [
        builder.create(
            GetDimensionSize, results=[TensorType((), SIZE)], operand=source, dimension=0
        ).results[0]
        for source in sources
    ]
    joined = scalars[0]
    if value_type.rank:
        parts = [
            builder.create(Reshape, results=[TensorType((1,), SIZE)], operand=x).results[0]
            for x in scalars
        ]
        flat = TensorType((len(parts),), SIZE)
        joined = builder.create(Concatenate, results=[flat], inputs=parts, dimension=0).results[0]
        if value_type.rank > 1:
            shaped = TensorType(value_type.shape, SIZE)
            joined = builder.create(Reshape, results=[shaped], operand=joined).results[0]
    if value_type.element_type == SIZE:
        return joined
    return builder.create(Convert, results=[value_type], operand=joined).results[0]
