"""Operations that combine elements by a computation.

Source: XLA, operation semantics, "Reduce", "ReduceWindow", "SelectAndScatter", "Map", "Sort".
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.xla.builder.argument_types import Computation, Integers, Operand
from stablemate.xla.builder.core import Core, creates
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.renaming import renamed_arguments
from stablemate.xla.builder.scalars import scalars
from stablemate.xla.builder.values import items_of
from stablemate.xla.builder.windows import Padding, window_of

SINGULAR = {"operand": "operands", "init_value": "init_values"}


class ReductionMethods(Core):
    """Methods that apply a computation to elements."""

    @renamed_arguments(**SINGULAR, dimensions_to_reduce="dimensions")
    def reduce(
        self,
        operands: Operand | Sequence[Operand],
        init_values: Operand | Sequence[Operand],
        computation: Computation,
        dimensions: Integers,
    ) -> XlaOp:
        """The elements along dimensions, reduced by a computation.

        Args:
            operands: One array, or several of the same sizes; then the result is a tuple.
            init_values: A scalar for each.
            computation: Of the values so far, then the next elements, to the new values.
            dimensions: Those that are folded, in any order.
        """
        inputs, inits = self.with_inits(operands, init_values, "reduce")
        shapes = self.shapes_of(inputs, "reduce")
        numbers = self.dimensions(dimensions, shapes[0].rank, "reduce")
        attributes = {
            "dimensions": numbers,
            "to_apply": self.computation(computation, scalars(shapes * 2), "reducer"),
        }
        return self.add_instruction("reduce", [*inputs, *inits], attributes)

    @renamed_arguments(**SINGULAR)
    @creates("stablehlo.reduce")
    def reduce_all(
        self,
        operands: Operand | Sequence[Operand],
        init_values: Operand | Sequence[Operand],
        computation: Computation,
    ) -> XlaOp:
        """All elements, reduced to a scalar."""
        inputs, inits = self.with_inits(operands, init_values, "reduce")
        dimensions = range(self.array(inputs[0], "reduce").rank)
        return self.reduce(inputs, inits, computation, dimensions)

    @renamed_arguments(**SINGULAR)
    def reduce_window(
        self,
        operands: Operand | Sequence[Operand],
        init_values: Operand | Sequence[Operand],
        computation: Computation,
        window_dimensions: Integers,
        window_strides: Integers | None = None,
        padding: Padding = "VALID",
        *,
        base_dilations: Integers | None = None,
        window_dilations: Integers | None = None,
    ) -> XlaOp:
        """The elements of each window, reduced by a computation.

        Args:
            operands: One array, or several of the same sizes; then the result is a tuple.
            init_values: A scalar for each; also what stands in the padding.
            computation: Of the values so far, then the next elements, to the new values.
            window_dimensions: Sizes of the window.
            window_strides: How far it moves; 1 by default.
            padding: SAME, VALID, or (low, high) for each dimension.
            base_dilations: Distances between neighbors of the operands.
            window_dilations: Distances between neighbors of a window.
        """
        inputs, inits = self.with_inits(operands, init_values, "reduce-window")
        shapes = self.shapes_of(inputs, "reduce-window")
        window = window_of(
            self,
            window_dimensions,
            shapes[0].dimensions,
            padding,
            "reduce-window",
            strides=window_strides,
            base_dilations=base_dilations,
            window_dilations=window_dilations,
        )
        attributes = {
            "window": window or None,
            "to_apply": self.computation(computation, scalars(shapes * 2), "reducer"),
        }
        return self.add_instruction("reduce-window", [*inputs, *inits], attributes)

    @renamed_arguments(**SINGULAR)
    @creates("stablehlo.reduce_window")
    def reduce_window_with_general_padding(
        self,
        operands: Operand | Sequence[Operand],
        init_values: Operand | Sequence[Operand],
        computation: Computation,
        window_dimensions: Integers,
        window_strides: Integers | None = None,
        base_dilations: Integers | None = None,
        window_dilations: Integers | None = None,
        padding: Padding = "VALID",
    ) -> XlaOp:
        """``reduce_window`` with (low, high) padding of each dimension, and dilations."""
        return self.reduce_window(
            *(operands, init_values, computation, window_dimensions, window_strides, padding),
            base_dilations=base_dilations,
            window_dilations=window_dilations,
        )

    @creates("stablehlo.select_and_scatter")
    def select_and_scatter(
        self,
        operand: Operand,
        select: Computation,
        window_dimensions: Integers,
        window_strides: Integers | None,
        padding: Padding,
        source: Operand,
        init_value: Operand,
        scatter: Computation,
    ) -> XlaOp:
        """Values of ``source`` combined into those elements that are selected in each window.

        Args:
            operand: What the windows move over.
            select: Of two elements to whether the first is selected.
            window_dimensions: Sizes of the window.
            window_strides: How far it moves; 1 by default.
            padding: SAME, VALID, or (low, high) for each dimension.
            source: A value for each window.
            init_value: What the result holds before.
            scatter: Of the current value and one of ``source`` to the new value.
        """
        rule = "select-and-scatter"
        handle = self.handle(operand)
        shape = self.array(handle, rule)
        sizes, strides = window_dimensions, window_strides
        window = window_of(self, sizes, shape.dimensions, padding, rule, strides=strides)
        pair = scalars([shape, shape])
        attributes = {
            "window": window or None,
            "select": self.computation(select, pair, "select"),
            "scatter": self.computation(scatter, pair, "scatter"),
        }
        operands = [handle, self.handle(source, handle), self.handle(init_value, handle)]
        return self.add_instruction(rule, operands, attributes)

    select_and_scatter_with_general_padding = select_and_scatter

    def map(
        self,
        operands: Operand | Sequence[Operand],
        computation: Computation,
        dimensions: Integers | None = None,
        static_operands: Sequence[Operand] = (),
    ) -> XlaOp:
        """A computation applied to the elements of arrays of the same sizes.

        Args:
            operands: The arrays.
            computation: Of an element of each, then the static operands, to a scalar.
            dimensions: All, in order; the default.
            static_operands: Scalars that each call gets.
        """
        inputs = self.several(operands)
        self.require(bool(inputs), "there is at least one operand", "map")
        rank = self.array(inputs[0], "map").rank
        numbers = tuple(range(rank)) if dimensions is None else tuple(dimensions)
        message = "the dimensions are 0, 1, ..., rank-1"
        self.require(numbers == tuple(range(rank)), message, "map", dimensions=numbers)
        sizes = self.array(inputs[0], "map").dimensions
        for static_operand in static_operands:
            scalar = self.handle(static_operand)
            message = "static operands are scalars"
            self.require(not self.array(scalar, "map").rank, message, "map")
            inputs.append(self.fill_array(scalar, sizes))
        parameters = scalars(self.shapes_of(inputs, "map"))
        attributes = {
            "dimensions": numbers,
            "to_apply": self.computation(computation, parameters, "mapped"),
        }
        return self.add_instruction("map", inputs, attributes)

    # ---- order

    @renamed_arguments(operand="operands", keys="operands")
    def sort(
        self,
        operands: Operand | Sequence[Operand],
        comparator: Computation | XlaOp | None = None,
        dimension: int = -1,
        is_stable: bool = False,
        *,
        values: XlaOp | None = None,
    ) -> XlaOp:
        """The operands in the order of a comparator along a dimension.

        ``sort(operand)`` is ascending; ``sort(keys, values, dimension)`` sorts both by the keys.

        Args:
            operands: One array, or several of the same sizes; then the result is a tuple.
            comparator: Of a pair of elements of each operand to whether the first comes first; by
                default whether that of the first operand is less, in the total order.
            dimension: Along which; the last one by default.
            is_stable: Whether equal elements keep their order.
            values: A second operand.
        """
        if isinstance(comparator, XlaOp):
            comparator, values = None, comparator
        inputs = self.several(operands)
        inputs += [] if values is None else [values]
        self.require(bool(inputs), "there is at least one operand", "sort")
        shapes = self.shapes_of(inputs, "sort")
        number = self.dimension(dimension, shapes[0].rank, "sort")
        pairs = [shape_ for shape in shapes for shape_ in (shape, shape)]
        attributes = {
            "dimensions": (number,),
            "is_stable": is_stable,
            "to_apply": self.computation(comparator or less_than, scalars(pairs), "comparator"),
        }
        return self.add_instruction("sort", inputs, attributes)

    @creates("chlo.top_k")
    def top_k(self, operand: Operand, k: int, largest: bool = True) -> XlaOp:
        """The ``k`` largest (or smallest) elements of the last dimension, and their indices."""
        handle = self.handle(operand)
        shape = self.array(handle, "topk")
        within = bool(shape.rank) and 0 <= k <= shape.dimensions[-1]
        self.require(within, "k is at most the last dimension", "topk", operand=shape, k=k)
        return self.add_instruction("topk", [handle], {"k": k, "largest": largest})

    # ---- arguments

    def with_inits(
        self,
        operands: Operand | Sequence[Operand],
        init_values: Operand | Sequence[Operand],
        rule: str,
    ) -> tuple[list[XlaOp], list[XlaOp]]:
        """Operands and their initial values as handles, as many of these as of those."""
        inputs = self.several(operands)
        listed = items_of(init_values)
        inits = [init_values] if listed is None else listed
        message = "there is an initial value for each operand"
        counts = len(inputs) == len(inits) > 0
        self.require(counts, message, rule, operands=len(inputs), init_values=len(inits))
        pairs = zip(inits, inputs, strict=True)
        return inputs, [self.handle(init, shape) for init, shape in pairs]


def less_than(first: XlaOp, second: XlaOp, *_: XlaOp) -> XlaOp:
    """Whether the first element comes before the second."""
    return first.builder.operator("lt_total_order", first, second)
