"""The cost of a program: arithmetic and memory traffic, by the formulas of its operations.

An elementwise operation takes one operation an element, whatever its element type; what is no
arithmetic of the processor, such as exp, is counted apart as transcendental. An operation reads
its operands and writes its results, of slices only what they take or put; inside the regions of a
reduction or a sort nothing is read or written. Loops are taken as often as they plainly run, of
branches the costliest one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from stablemate.analysis.loops import iterations
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.call_graph import post_order
from stablemate.dialects.calls import CALLS
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.while_ import While
from stablemate.execution.custom_calls.annotations import TARGETS as REMARKS
from stablemate.execution.custom_calls.shape_assertion import TARGETS as ASSERTIONS
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.core import Block, Module, Operation
from stablemate.ir.definition import Op, has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType, TupleType, Type

# Dialects whose operations pass values on, or compute shapes.
FREE_DIALECTS: Final = frozenset({"builtin", "func", "shape", "tensor", "arith", "check", "sdy"})
# Targets of custom calls that say something about values and compute nothing.
ANNOTATIONS: Final = frozenset({*REMARKS, *ASSERTIONS})


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one execution.

    Attributes:
        flops: Arithmetic operations.
        transcendentals: Transcendental functions of one element.
        bytes: What operations read and write.
        unsized: Operations that are not counted because a size is known only at run time, by name.
        opaque: Operations that are not counted because no formula says what they compute.
        open_loops: Loops that are counted as if they ran once.
    """

    flops: int = 0
    transcendentals: int = 0
    bytes: int = 0
    unsized: Mapping[str, int] = field(default_factory=dict[str, int])
    opaque: Mapping[str, int] = field(default_factory=dict[str, int])
    open_loops: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether every operation was counted: none is unsized, opaque or in an open loop."""
        return not (self.unsized or self.opaque or self.open_loops)

    def __add__(self, other: Cost) -> Cost:
        """The cost of one after the other."""
        return total([self, other])

    def times(self, number: int) -> Cost:
        """The cost of executing it so often."""
        return Cost(
            self.flops * number,
            self.transcendentals * number,
            self.bytes * number,
            self.unsized,
            self.opaque,
            self.open_loops,
        )


def total(costs: Sequence[Cost]) -> Cost:
    """The cost of one after the other."""
    flops = sum([cost.flops for cost in costs])
    transcendentals = sum([cost.transcendentals for cost in costs])
    moved = sum([cost.bytes for cost in costs])
    incomplete = [cost for cost in costs if not cost.is_complete]
    if not incomplete:  # as most are
        return Cost(flops, transcendentals, moved)
    unsized, opaque = Counter[str](), Counter[str]()
    for cost in incomplete:
        unsized.update(cost.unsized)
        opaque.update(cost.opaque)
    open_loops = sum(cost.open_loops for cost in incomplete)
    return Cost(flops, transcendentals, moved, dict(unsized), dict(opaque), open_loops)


def costs_of(module: Module) -> dict[str, Cost]:
    """The cost of each function of a valid module, calls included."""
    functions = {
        operation.symbol: operation
        for operation in module.body.operations
        if isinstance(operation, FuncOp)
    }
    counting = Counting({})
    for name in functions_called(functions, functions):
        counting.costs[name] = total(
            [counting.block(block) for block in functions[name].body.blocks]
        )
    return {name: counting.costs[name] for name in functions}


def functions_called(functions: Mapping[str, FuncOp], entries: Iterable[str]) -> Iterator[str]:
    """The names of functions that are called from some, each after its callees."""
    return post_order(entries, lambda name: callees_of(functions[name], functions))


def callees_of(function: FuncOp, functions: Mapping[str, FuncOp]) -> Iterator[str]:
    """The functions that a function calls."""
    for operation in function.walk():
        if operation.name in CALLS:
            callee: str = getattr(operation, CALLS[operation.name])
            if callee in functions:
                yield callee


class Counting:
    """Counts the cost of blocks.

    Attributes:
        costs: The functions that are counted already.
    """

    def __init__(self, costs: dict[str, Cost]) -> None:
        self.costs = costs

    def block(self, block: Block) -> Cost:
        """The cost of executing a block once."""
        return total([self.operation(operation) for operation in block.operations])

    def regions(self, operation: Operation) -> list[Cost]:
        """The cost of each region."""
        return [
            total([self.block(block) for block in region.blocks]) for region in operation.regions
        ]

    def operation(self, operation: Operation) -> Cost:
        """The cost of executing an operation once."""
        name = operation.name
        if name in CALLS:
            callee: str = getattr(operation, CALLS[name])
            return self.costs.get(callee, Cost(opaque={name: 1}))
        if has_trait(operation, Trait.STRUCTURED):
            return self.structure(operation)
        if is_free(operation):
            return Cost()
        if not all(is_sized(operand.type) for operand in (*operation.operands, *operation.results)):
            return Cost(unsized={name: 1})
        if not isinstance(operation, Op):
            return Cost(opaque={opaque_name(operation): 1})
        if executions := operation.region_executions():
            return self.with_regions(operation, executions)
        work = operation.work()
        if work is None:
            return Cost(opaque={opaque_name(operation): 1})
        return Cost(work.flops, work.transcendentals, traffic(operation))

    def structure(self, operation: Operation) -> Cost:
        """The cost of operations that only decide which regions are executed, and how often."""
        costs = self.regions(operation)
        if not isinstance(operation, While):
            return max(costs, key=lambda cost: (cost.flops, cost.bytes), default=Cost())
        number = iterations(operation)
        condition, body = costs
        if number is None:
            return total([condition, body, Cost(open_loops=1)])
        return total([condition.times(number + 1), body.times(number)])

    def with_regions(self, operation: Op, executions: Sequence[int]) -> Cost:
        """The cost of an operation that executes its regions on elements, each so often."""
        costs = [
            region.times(number)
            for region, number in zip(self.regions(operation), executions, strict=True)
        ]
        return replace(total(costs), bytes=traffic(operation))


def is_free(operation: Operation) -> bool:
    """Whether an operation only names or annotates values."""
    dialect = operation.name.partition(".")[0]
    target = operation.attributes.get("call_target_name")
    is_annotation = isinstance(target, StringAttribute) and target.value in ANNOTATIONS
    return has_trait(operation, Trait.FREE) or dialect in FREE_DIALECTS or is_annotation


def opaque_name(operation: Operation) -> str:
    """The name of an operation; of a custom call with its target."""
    target = operation.attributes.get("call_target_name")
    return (
        f"{operation.name} @{target.value}"
        if isinstance(target, StringAttribute)
        else operation.name
    )


def traffic(operation: Op) -> int:
    """Bytes that are read and written: those of operands and results, of slices only the slices."""
    return sum(bytes_of(value.type) for value in operation.accessed_values())


def is_sized(value_type: Type) -> bool:
    """Whether the size of a value is known; what is no tensor has none."""
    match value_type:
        case TensorType():
            return value_type.is_static
        case TupleType():
            return all(map(is_sized, value_type.types))
        case _:
            return True


def bytes_of(value_type: Type) -> int:
    """Bytes of a value; 0 where the shape is not known, or the stored type: ``!quant.any``."""
    match value_type:
        case TensorType() if value_type.is_static and hasattr(value_type.element_type, "bits"):
            return value_type.bytes
        case TupleType():
            return sum(map(bytes_of, value_type.types))
        case _:
            return 0
