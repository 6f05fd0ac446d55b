"""Refinement for symbolic sizes: a program whose shapes are polynomials over sizes of arguments.

What constraints and shape functions compare is decided as ``numerics.symbolic_sizes`` describes;
sizes that must be equal become the same variable. Computations of sizes stay in the program, for
those who need the numbers, and are followed in parallel for shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.func import Call
from stablemate.dialects.refinement import shape_operands, size_positions
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.get_dimension_size import GetDimensionSize
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.dialects.stablehlo.real_dynamic_slice import RealDynamicSlice
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.symbolic_evaluation import object_array
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, OpResult, Value
from stablemate.ir.definition import Op
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.symbolic_sizes import SMALLEST, Assumptions, SizeLike, SymbolicSize
from stablemate.transforms.refinement.functions import RefinedFunctions, Use
from stablemate.transforms.refinement.sizes import FixedSizes
from stablemate.transforms.refinement.symbolic_values import (
    is_symbolic_array,
    symbolic_result,
)
from stablemate.transforms.stablehlo_canonicalize_dynamism import (
    canonicalize_dynamism,
    index_of,
    without_shape_operands,
)
from stablemate.transforms.stablehlo_check_shape_assertions import (
    check_shape_assertions,
    is_assertion,
)
from stablemate.transforms.stablehlo_refine_arguments import refinement_target
from stablemate.transforms.stablehlo_refine_shapes import ModuleRefinement, is_identity

MOST_REFINEMENTS: Final = 64  # each finds sizes of arguments that are equal


@dataclass(frozen=True, slots=True)
class SymbolicProgram:
    """A program for all sizes that fulfill assumptions.

    Attributes:
        module: The program; its types have symbolic sizes.
        assumptions: The variables, and what is assumed of them.
        sizes: What the dynamic sizes of the arguments are, in order.
    """

    module: Module
    assumptions: Assumptions
    sizes: Sequence[SizeLike]


def symbolic_program(
    module: Module, entry: str, shapes: Sequence[Sequence[int]]
) -> SymbolicProgram:
    """A program for symbolic sizes of its arguments.

    Args:
        module: The program.
        entry: The function that is called.
        shapes: The typical shapes of its arguments. Sizes of 0 and 1 are taken as they are.

    Raises:
        SizeValueError: The value of a size is needed.
        UnsupportedError: A shape depends on data, or the program is recursive.
        VerifyError: With the typical shapes an operation breaks a rule.
    """
    classes = SizeClasses(dynamic_sizes(refinement_target(module, entry).type.inputs, shapes))
    for _ in range(MOST_REFINEMENTS):
        assumptions = Assumptions()
        sizes = classes.variables(assumptions)
        assumptions.equal = classes.unify
        try:
            refined = refine(module, entry, sizes, shapes)
        except Exception:
            if not classes.differ:
                raise
            continue  # what is known to be equal now may have been the reason
        if not classes.differ:
            assumptions.equal = None
            return SymbolicProgram(refined, assumptions, sizes)
    raise UnsupportedError("too many sizes are equal")


def dynamic_sizes(types: Sequence[Type], shapes: Sequence[Sequence[int]]) -> list[int]:
    """The sizes of dynamic dimensions in shapes of these types, in order."""
    return [
        size
        for value_type, shape in zip(types, shapes, strict=True)
        if isinstance(value_type, TensorType)
        for declared, size in zip(value_type.shape, shape, strict=True)
        if declared == DYNAMIC
    ]


class SizeClasses:
    """Which dynamic sizes are equal, or a number.

    One refinement finds many equalities, and goes on as if each were any other assumption; the next
    one has the same variable for sizes that are equal.

    Attributes:
        typical: The typical sizes.
        parents: For each, another one that equals it and leads to that which stands for all.
        fixed: Those that are numbers.
        order: The size that each variable stands for.
        differ: Whether sizes are known to be equal, or numbers, that have different variables.
    """

    def __init__(self, typical: Sequence[int]) -> None:
        self.typical = typical
        self.parents = list(range(len(typical)))
        self.fixed = {i for i, size in enumerate(typical) if size < SMALLEST}
        self.order: list[int] = []
        self.differ = False

    def representative(self, size: int) -> int:
        """The size that stands for all that equal a size."""
        parents = self.parents
        while parents[size] != size:
            parents[size] = size = parents[parents[size]]
        return size

    def variables(self, assumptions: Assumptions) -> list[SizeLike]:
        """A variable for sizes that are equal, and a number for those that are fixed."""
        self.differ = False
        numbers = [self.representative(i) for i in range(len(self.typical))]
        fixed = {self.representative(i) for i in self.fixed}
        self.order = [i for i in dict.fromkeys(numbers) if i not in fixed]
        variables = {i: assumptions.variable(self.typical[i]) for i in self.order}
        return [variables.get(i, self.typical[i]) for i in numbers]

    def unify(self, value: SymbolicSize) -> None:
        """Learns that variables are equal whose difference is 0, or that one is a number."""
        monomials = [monomial for monomial in value.terms if monomial]
        atoms = [number for monomial in monomials for number in monomial]
        if len(atoms) != len(monomials) or any(number >= len(self.order) for number in atoms):
            return
        if any(abs(value.terms[m]) != 1 for m in monomials):
            return
        if len(atoms) == 1:
            self.fixed.add(self.order[atoms[0]])
            self.differ = True
        if len(atoms) == 2 and () not in value.terms:
            one, other = sorted(self.representative(self.order[number]) for number in atoms)
            self.parents[other] = one
            self.differ = True


def refine(
    module: Module, entry: str, sizes: Sequence[SizeLike], shapes: Sequence[Sequence[int]]
) -> Module:
    """The program with these sizes in the places of its dynamic ones."""
    target = refinement_target(module, entry)
    remaining = iter(sizes)
    types: list[Type] = []
    for value_type, shape in zip(target.type.inputs, shapes, strict=True):
        if isinstance(value_type, TensorType):
            filled = [
                next(remaining) if declared == DYNAMIC else size
                for declared, size in zip(value_type.shape, shape, strict=True)
            ]
            value_type = TensorType(tuple(filled), value_type.element_type)  # type: ignore[arg-type]
        types.append(value_type)
    refining = ModuleRefinement(RefinedFunctions(module, target), SymbolicRefinement)
    refining.refine(Use(target.symbol, 0, (), tuple(types)), target)
    assembled = refining.assemble(module, target.symbol)
    return canonicalize_dynamism(check_shape_assertions(assembled))


class SymbolicRefinement(FixedSizes):
    """One function with symbolic sizes; functions that it calls are inlined."""

    def place(self, operation: Operation, block: Block) -> None:
        """Appends a refined operation, or its replacement, to a new block."""
        match operation:
            case GetDimensionSize():
                self.place_query(operation, block)
            case CustomCall() if is_assertion(operation):
                self.place_assertion(operation, block)
            case CustomCall() if (shapes := self.result_shapes(operation)) is not None:
                self.place_shaped_call(operation, shapes, block)
            case Op() if operation.name in REPLACEMENTS and self.is_known(operation):
                self.place_static(operation, block)
            case RealDynamicSlice() if (sizes := self.slice_sizes(operation)) is not None:
                self.place_dynamic_slice(operation, sizes, block)
            case _:
                super().place(operation, block)

    def place_query(self, operation: GetDimensionSize, block: Block) -> None:
        """Keeps the operation, and learns the size; a number stands for it where it is one.

        A size that depends on values stays unknown.
        """
        (operand,) = self.operands(operation)
        size: SizeLike = operand.type.shape[operation.dimension]
        if isinstance(size, int) and size == DYNAMIC:
            self.append_refined(operation, self.copy(operation, [operand], ()), block)
            return
        if isinstance(size, int):
            builder = Builder(block, operation.location, operation.span)
            self.learn(operation.result, np.int32(size), operation.result.type, builder)
            return
        copy = self.copy(operation, [operand], ())
        self.append_refined(operation, copy, block)
        self.constants[copy.results[0]] = object_array([size], ())

    def place_assertion(self, operation: CustomCall, block: Block) -> None:
        """Leaves out an assertion that holds under what is assumed.

        Raises:
            UnsupportedError: It does not, or depends on data.
        """
        holds = self.constants.get(self.operands(operation)[0])
        if holds is None or not bool(np.asarray(holds).reshape(-1)[0]):
            raise UnsupportedError("an assertion does not hold for these sizes")

    def result_shapes(self, operation: CustomCall) -> list[Sequence[SizeLike]] | None:
        """The shapes of results that operands hold; None if there are none, or unknown ones."""
        operands, positions = self.operands(operation), shape_operands(operation)
        shapes = [self.constants.get(operands[i]) for i in positions or ()]
        if positions is None or any(shape is None for shape in shapes):
            return None
        return [np.asarray(shape).reshape(-1).tolist() for shape in shapes]

    def place_shaped_call(
        self, operation: CustomCall, shapes: Sequence[Sequence[SizeLike]], block: Block
    ) -> None:
        """Appends a call without the operands that hold the shapes of its results."""
        copy = self.copy(operation, self.operands(operation), ())
        types = [
            TensorType(tuple(shape), value.type.element_type)  # type: ignore[arg-type]
            for shape, value in zip(shapes, operation.results, strict=True)
        ]
        call = without_shape_operands(copy, types)
        call.parent = operation.parent
        self.module.refine_results(call)
        self.append_refined(operation, call, block)

    def is_known(self, operation: Op) -> bool:
        """Whether the operands that are sizes are known."""
        operands = self.operands(operation)
        return all(self.constants.get(operands[i]) is not None for i in size_positions(operation))

    def place_static(self, operation: Op, block: Block) -> None:
        """Replaces an operation by the one whose sizes are no operands."""
        builder = Builder(block, operation.location, operation.span)
        operands, positions = self.operands(operation), size_positions(operation)
        numbers = [np.asarray(self.constants[operands[i]]).reshape(-1).tolist() for i in positions]
        replace = REPLACEMENTS[operation.name]
        new = replace(builder, operation, operands[: positions[0]], numbers)
        new.parent = operation.parent
        self.module.refine_results(new)
        new.parent = block
        self.values[operation.results[0]] = new.results[0]

    def slice_sizes(self, operation: RealDynamicSlice) -> Sequence[SizeLike] | None:
        """The sizes of a slice of neighbors whose end is its start and a known distance."""
        _, start, limit, strides = self.operands(operation)
        steps = self.constants.get(strides)
        if steps is None or any(step != 1 for step in np.asarray(steps).tolist()):
            return None
        if not isinstance(limit, OpResult) or not isinstance(limit.operation, Add):
            return None
        lhs, rhs = limit.operation.operands
        distance = rhs if lhs is start else lhs if rhs is start else None
        sizes = None if distance is None else self.constants.get(distance)
        return None if sizes is None else np.asarray(sizes).tolist()

    def place_dynamic_slice(
        self, operation: RealDynamicSlice, sizes: Sequence[SizeLike], block: Block
    ) -> None:
        """Replaces a slice by a dynamic_slice with these sizes."""
        builder = Builder(block, operation.location, operation.span)
        operand, start, *_ = self.operands(operation)
        new = builder.create(
            DynamicSlice,
            operand=operand,
            start_indices=[index_of(start, i, builder) for i in range(len(sizes))],
            slice_sizes=sizes,
            **result_of(operation, sizes),
        )
        self.values[operation.results[0]] = new.results[0]

    def place_plain(self, operation: Operation, block: Block) -> None:
        """Infers the result types; follows computations of symbolic sizes."""
        known = [self.constants.get(operand) for operand in self.operands(operation)]
        has_sizes = any(map(is_symbolic_array, known))
        if not has_sizes and not any(map(has_symbolic_shape, self.operands(operation))):
            super().place_plain(operation, block)
            return
        regions = [self.region(region) for region in operation.regions]
        copy = self.copy(operation, self.operands(operation), regions)
        if isinstance(copy, Op) and not copy.definition.terminator:
            copy.parent = operation.parent
            self.module.refine_results(copy)
        if is_identity(copy) and not is_identity(operation):
            self.values[operation.results[0]] = copy.operands[0]
            return
        self.append_refined(operation, copy, block)
        if has_sizes and all(values is not None for values in known):
            result = symbolic_result(copy, known)
            if result is not None:
                self.constants[copy.results[0]] = result

    def place_call(self, operation: Call, block: Block) -> None:
        """Inlines the called function; recursion is an error."""
        name = operation.callee
        function = self.module.functions.function(name, operation)
        if name in self.module.active:
            raise UnsupportedError("a function cannot call itself", operation.span)
        self.module.active[name] = None
        body = function.body.block
        self.values.update(zip(body.arguments, self.operands(operation), strict=True))
        *inner, end = body.operations
        for nested in inner:
            self.place(nested, block)
        self.values.update(zip(operation.results, self.operands(end), strict=True))
        del self.module.active[name]


Numbers: TypeAlias = Sequence[Sequence[Any]]  # what operands that are sizes hold
Replace: TypeAlias = Callable[[Builder, Any, Sequence[Value], Numbers], Op]


def result_of(operation: Operation, shape: Sequence[Any]) -> dict[str, object]:
    """The fields that a replacement copies: the element type, and discardable attributes."""
    result = TensorType(tuple(shape), operation.results[0].type.element_type)
    return {"results": [result], "discardable": operation.discardable}


def broadcast(
    builder: Builder,
    operation: DynamicBroadcastInDim,
    operands: Sequence[Value],
    numbers: Numbers,
) -> Op:
    """broadcast_in_dim to a known shape."""
    return builder.create(
        BroadcastInDim,
        operand=operands[0],
        broadcast_dimensions=operation.broadcast_dimensions,
        **result_of(operation, numbers[0]),
    )


def reshape(
    builder: Builder, operation: Operation, operands: Sequence[Value], numbers: Numbers
) -> Op:
    """reshape to a known shape."""
    return builder.create(Reshape, operand=operands[0], **result_of(operation, numbers[0]))


def iota(builder: Builder, operation: Iota, operands: Sequence[Value], numbers: Numbers) -> Op:
    """iota of a known shape."""
    return builder.create(
        Iota, iota_dimension=operation.iota_dimension, **result_of(operation, numbers[0])
    )


def slice_(
    builder: Builder, operation: Operation, operands: Sequence[Value], numbers: Numbers
) -> Op:
    """Replaces ``real_dynamic_slice`` with known bounds by ``slice``."""
    start, limit, strides = numbers
    return builder.create(
        Slice,
        operand=operands[0],
        start_indices=start,
        limit_indices=limit,
        strides=strides,
        **result_of(operation, operation.results[0].type.shape),
    )


def pad(builder: Builder, operation: Operation, operands: Sequence[Value], numbers: Numbers) -> Op:
    """Replaces ``dynamic_pad`` with known amounts by ``pad``."""
    low, high, interior = numbers
    return builder.create(
        Pad,
        operand=operands[0],
        padding_value=operands[1],
        edge_padding_low=low,
        edge_padding_high=high,
        interior_padding=interior,
        **result_of(operation, operation.results[0].type.shape),
    )


def gather(builder: Builder, operation: Gather, operands: Sequence[Value], numbers: Numbers) -> Op:
    """gather of slices of a known shape."""
    return builder.create(
        Gather,
        operand=operands[0],
        start_indices=operands[1],
        dimension_numbers=operation.dimension_numbers,
        slice_sizes=numbers[0],
        indices_are_sorted=operation.attributes.get("indices_are_sorted"),
        **result_of(operation, operation.results[0].type.shape),
    )


def convolution(
    builder: Builder, operation: Operation, operands: Sequence[Value], numbers: Numbers
) -> Op:
    """Replaces ``dynamic_conv`` with known padding by ``convolution``."""
    (padding,) = numbers
    inherent = {name: value for name, value in operation.attributes.items() if name != "padding"}
    return builder.create(
        Convolution,
        lhs=operands[0],
        rhs=operands[1],
        padding=list(zip(padding[::2], padding[1::2], strict=True)),
        **inherent,
        **result_of(operation, operation.results[0].type.shape),
    )


# Their operands that are sizes are the last ones.
REPLACEMENTS: Final[Mapping[str, Replace]] = {
    "stablehlo.dynamic_broadcast_in_dim": broadcast,
    "stablehlo.dynamic_conv": convolution,
    "stablehlo.dynamic_gather": gather,
    "stablehlo.dynamic_iota": iota,
    "stablehlo.dynamic_pad": pad,
    "stablehlo.dynamic_reshape": reshape,
    "stablehlo.real_dynamic_slice": slice_,
}


def has_symbolic_shape(value: Value) -> bool:
    """Whether a size of a value is symbolic."""
    value_type = value.type
    return isinstance(value_type, TensorType) and any(
        isinstance(size, SymbolicSize) for size in value_type.shape
    )
