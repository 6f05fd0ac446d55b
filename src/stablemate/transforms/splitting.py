"""Split: a function cut where sizes depend on data, so that the rest can be made for them.

What comes before computes the sizes and the values that are still used; the rest is a function of
these, in which the sizes become constants as soon as they are known. Where an operation gives
results of open sizes that no operand holds, it stands alone between both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects import calls
from stablemate.dialects.func import FuncOp
from stablemate.dialects.refinement import size_positions
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, Value
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import IndexType, IntegerType
from stablemate.transforms.outlining import function, function_of_block, is_constant, used_by, uses
from stablemate.transforms.refinement.knowledge import LARGEST, constant_of
from stablemate.transforms.stablehlo_refine_arguments import with_body

# Which operands hold sizes; all of arith, shape and tensor may.
# Operands that decide about the control flow, or about what is left of a bounded size.
DECISIONS: Final[Mapping[str, tuple[int, ...]]] = {
    "stablehlo.case": (0,),
    "stablehlo.if": (0,),
    "stablehlo.set_dimension_size": (1,),
}
OF_SIZES: Final = ("arith.", "shape.", "tensor.")
BEGINNING, ALONE, REST = "beginning of ", "one operation of ", "rest of "  # no name has a space
Functions = Mapping[str, FuncOp]


@dataclass(frozen=True, slots=True)
class SplitFunction:
    """A function in parts.

    Attributes:
        module: The module that it stands in.
        others: The other functions.
        first: What comes before: gives what ``alone`` takes or the sizes, then the values that the
            rest uses.
        alone: An operation whose results have open sizes; None if it is the first of the rest.
        rest: What comes after: takes the results of ``alone`` or the sizes, then these values.
        count: How many results of ``first`` stand before the values that the rest uses.
    """

    module: Module
    others: Sequence[FuncOp]
    first: FuncOp
    alone: FuncOp | None
    rest: FuncOp
    count: int

    @property
    def size_types(self) -> Sequence[Type]:
        """The types of the sizes."""
        return () if self.alone is not None else self.rest.type.inputs[: self.count]


@dataclass(frozen=True, slots=True)
class OpenFunction:
    """A function in which sizes depend on data.

    Attributes:
        module: The module that it stands in.
        name: Its name.
        functions: The functions of the module by name.
        opened: Those with open sizes.
        block: Its operations, and those of functions with open sizes in the place of calls.
    """

    module: Module
    name: str
    functions: Functions
    opened: set[FuncOp]
    block: Block

    @property
    def others(self) -> Sequence[FuncOp]:
        """The functions of the module without the opened one."""
        return [function for function in self.functions.values() if function.symbol != self.name]


def open_function(module: Module, name: str) -> OpenFunction | None:
    """A function in which sizes depend on data; None if it has no body, or no such sizes."""
    functions = {e.symbol: e for e in module.body.operations if isinstance(e, FuncOp)}
    if not functions[name].body.blocks:
        return None
    opened = open_functions(functions)
    if functions[name] not in opened:
        return None
    block = inlined_operations(functions, opened, name)
    return OpenFunction(module, name, functions, opened, block)


def split(whole: OpenFunction) -> SplitFunction | None:
    """A function in parts; None if sizes are not open between its operations."""
    block, entry = whole.block, whole.name
    operations = block.operations[:-1]
    place, again = first_open(operations, whole.functions, whole.opened)
    if place == len(operations):
        return None
    cause, repeated = operations[place], [v for operation_ in again for v in operation_.results]
    before = [
        operation
        for operation in operations[:place]
        if operation not in again or is_constant(operation)
    ]
    defined = {*block.arguments, *(v for operation_ in before for v in operation_.results)}
    computed = defined.difference(repeated)
    sizes = [size_operand for size_operand in size_operands(cause) if size_operand in computed]
    alone = [] if sizes else [*again, cause]
    after = [*again, *operations[place + (not sizes) :], block.terminator]
    front = sizes or uses(alone, computed)
    handed = uses(after, computed, sizes)
    if any(not is_passable(value.type) for value in (*front, *handed)):
        return None
    cause_values = sizes or cause.results
    return SplitFunction(
        whole.module,
        whole.others,
        function(BEGINNING + entry, block.arguments, before, [*front, *handed]),
        function(ALONE + entry, front, alone, cause.results) if alone else None,
        function(REST + entry, [*cause_values, *handed], after[:-1], block.terminator.operands),
        len(front),
    )


def first_open(
    operations: Sequence[Operation], functions: Functions, opened: set[FuncOp]
) -> tuple[int, Sequence[Operation]]:
    """Which operation is the first whose sizes are open; their number if there is none.

    With it the operations before it that stand wherever they are used: constants stay known, and
    what only says less of a shape does so again.
    """
    again: list[Operation] = []
    widened: set[Value[Type]] = set()
    for place, operation in enumerate(operations):
        if is_widening(operation):
            widened.update(operation.results)
            again.append(operation)
        elif is_open(operation, functions, opened) or not widened.isdisjoint(used_by(operation)):
            return place, again
        elif is_constant(operation):
            again.append(operation)
    return len(operations), again


def is_widening(operation: Operation) -> bool:
    """Whether the result is an operand of known sizes under a type that leaves them open."""
    if operation.name not in ("stablehlo.convert", "tensor.cast"):
        return False
    (before,), (after,) = operation.operands, operation.results
    return not is_open_type(before.type) and is_open_type(after.type)


def fixed_rest(parts: SplitFunction, sizes: Sequence[object]) -> Module:
    """A module with the rest of a function, in which sizes are constants."""
    body = Block()
    rewriting = Rewriting({})
    for other in parts.others:
        body.append(rewriting.copy_operation(other))
    old = parts.rest.body.block
    kept = old.arguments[len(parts.size_types) :]
    new = Block([value.type for value in kept])
    rewriting.values.update(zip(kept, new.arguments, strict=True))
    builder = Builder(new, parts.rest.location, parts.rest.span)
    for argument, size in zip(old.arguments, sizes, strict=False):
        rewriting.values[argument] = constant_of(size, argument.type, builder)
    for operation in old.operations:
        rewriting.place(operation, new)
    body.append(function_of_block(parts.rest.symbol, new, parts.rest))
    return with_body(parts.module, body)


def module_of(parts: SplitFunction, part: FuncOp) -> Module:
    """A module with one part of a function."""
    body = Block()
    for other in (*parts.others, part):
        body.append(Rewriting({}).copy_operation(other))
    return with_body(parts.module, body)


# ---- blocks


def inlined_operations(functions: Functions, opened: set[FuncOp], name: str) -> Block:
    """The operations of a function; those of functions with open sizes in the place of calls."""
    source = functions[name].body.block
    block = Block([argument.type for argument in source.arguments])
    rewriting = Rewriting({})
    rewriting.values.update(zip(source.arguments, block.arguments, strict=True))
    active: list[tuple[Operation | None, Block, Iterator[Operation]]]
    active = [(None, source, iter(source.operations))]
    while active:
        call, body, rest = active[-1]
        operation = next(rest, None)
        callee = None if operation is None else callee_of(operation, functions)
        if operation is None:
            active.pop()
            if call is not None:
                returned = [rewriting.values.get(v, v) for v in body.terminator.operands]
                rewriting.values.update(zip(call.results, returned, strict=True))
        elif callee is None or callee not in opened:
            rewriting.place(operation, block)
        else:
            inner = callee.body.block
            operands = [rewriting.values.get(v, v) for v in operation.operands]
            rewriting.values.update(zip(inner.arguments, operands, strict=True))
            active.append((operation, inner, iter(inner.operations[:-1])))
    return block


def callee_of(operation: Operation, functions: Functions) -> FuncOp | None:
    """The function that an operation calls."""
    name = calls.callee_of(operation)
    return None if name is None else functions.get(name)


def open_functions(functions: Functions) -> set[FuncOp]:
    """The functions with values of open sizes, in what they call too."""
    callers: dict[FuncOp, list[FuncOp]] = {}
    for caller in functions.values():
        for nested in caller.walk():
            callee = callee_of(nested, functions)
            if callee is not None:
                callers.setdefault(callee, []).append(caller)
    pending = [item for item in functions.values() if is_open(item, functions, set())]
    found = set(pending)
    while pending:
        new = [caller for caller in callers.get(pending.pop(), ()) if caller not in found]
        found.update(new)
        pending += dict.fromkeys(new)
    return found


def is_open(operation: Operation, functions: Functions, opened: set[FuncOp]) -> bool:
    """Whether an operation has values of open sizes, or calls one of the functions that do."""
    return any(
        any(is_open_type(value.type) for value in nested.results)
        or callee_of(nested, functions) in opened
        for nested in operation.walk()
    )


def is_open_type(value_type: Type) -> bool:
    """Whether this is a tensor of open sizes, or a shape or size outside tensors."""
    if isinstance(value_type, TensorType):
        return not value_type.is_static
    return str(value_type).startswith(("!shape.", "tensor<*"))


def is_passable(value_type: Type) -> bool:
    """Whether a value can be passed from part to part."""
    return isinstance(value_type, TensorType | IntegerType | IndexType)


def size_operands(operation: Operation) -> Sequence[Value[Type]]:
    """The operands that hold sizes of the results."""
    if operation.name.startswith(OF_SIZES):
        places: Sequence[int] = range(len(operation.operands))
    else:
        places = DECISIONS.get(operation.name) or size_positions(operation)
    return [v for v in dict.fromkeys(operation.operands[i] for i in places) if holds_sizes(v.type)]


def holds_sizes(value_type: Type) -> bool:
    """Whether values of a type are a few integers."""
    if isinstance(value_type, TensorType):
        element, is_small = value_type.element_type, value_type.is_static
        is_small = is_small and value_type.size <= LARGEST
        return is_small and isinstance(element, IntegerType | IndexType)
    return isinstance(value_type, IntegerType | IndexType)
