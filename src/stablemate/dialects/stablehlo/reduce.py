"""stablehlo.reduce."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.ordered_sums import fold, fold_by, slices
from stablemate.dialects.stablehlo.reducers import Combiner, combiners
from stablemate.dialects.stablehlo.regions import (
    UFUNCS,
    ArrayFunction,
    accumulator_elements,
    agree,
    on_arrays,
    reduce_in_order,
    reduces,
    require_one_shape,
    to_destination_type,
    with_shape_check,
)
from stablemate.ir.definition import (
    Check,
    Op,
    RegionFunction,
    constraint,
    define,
    holds,
    op,
    pack_results,
)
from stablemate.ir.kinds import (
    PER_TENSOR_QUANTIZED,
    SI64_ARRAY,
    TENSOR,
    is_boolean,
    is_complex,
    is_float,
    is_integer,
    is_quantized_per_tensor,
    tensor_of,
)
from stablemate.ir.shapes import bound_dimensions, most_specific, remaining_dimensions
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import (
    F32,
    I8,
    UI8,
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)
from stablemate.numerics.rounding import converter

SCALAR: Final = tensor_of(
    "0-dimensional tensor or per-tensor quantized tensor",
    is_boolean,
    is_integer,
    is_float,
    is_complex,
    is_quantized_per_tensor,
    rank=0,
)
# Reduces an array over some dimensions (the first argument) and combines it with an initial value.
Reducer: TypeAlias = Callable[[tuple[int, ...], Array, Any], Any]
ReducerOf: TypeAlias = Callable[[Combiner | None, ElementType], Reducer | None]
# Combines initial values and slices of windows by a body.
Fold: TypeAlias = Callable[[ArrayFunction, Sequence[Array], Sequence[Array]], Sequence[Array]]


@op(
    "stablehlo.reduce",
    segments="same",
    family=Family.REDUCTION,
    traits=Trait.IMPLICIT_TERMINATOR | Trait.PROMOTING,
)
class Reduce(Op):
    """Reduces ``inputs`` along ``dimensions`` with the function ``body``.

    results...[j0, ..., jR-1] = body(init_values..., fold of inputs...[j0, ..., :, ..., jR-1])

    The specification leaves the shape of the fold open. Here it is that of the reference
    interpreter: the initial value first, then one element after another, in row-major order, each
    result rounded. In the fast order, adjacent elements are combined in pairs, and the initial
    value with the outcome; sums and products of floats that are narrower than 32 bits are formed
    in 32 bits and rounded once.

    Source: StableHLO specification, reduce.
    """

    __slots__ = ()
    summary_attributes = ("dimensions",)
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED)
    init_values = define.variadic("I2", SCALAR)
    dimensions = define.attribute("I3", SI64_ARRAY)
    body = define.region("I4")
    outputs = define.variadic_result(
        TENSOR | PER_TENSOR_QUANTIZED, element_type="C8", shape="C7"
    ).with_name("results")
    assembly = "custom<Reduce>"

    @constraint
    def c3(self) -> Check:
        """0 < size(inputs) = size(init_values) = size(results) = N"""
        sizes = len(self.inputs), len(self.init_values), len(self.results)
        return holds(
            sizes[0] > 0 and len(set(sizes)) == 1,
            inputs=sizes[0],
            init_values=sizes[1],
            results=sizes[2],
        )

    @constraint
    def c1(self) -> Check:
        """same(shape(inputs...))"""
        shapes = [value.type.shape for value in self.inputs]
        return holds(agree(shapes), shapes=shapes)

    @constraint
    def c2(self) -> Check:
        """element_type(inputs...) = element_type(init_values...)"""
        inputs = [str(value.type.element_type) for value in self.inputs]
        init_values = [str(value.type.element_type) for value in self.init_values]
        return holds(inputs == init_values, inputs=inputs, init_values=init_values)

    @constraint
    def c4(self) -> Check:
        """0 <= dimensions < rank(inputs[0])"""
        rank = self.inputs[0].type.rank
        fits = all(0 <= d < rank for d in self.dimensions)
        return holds(fits, dimensions=self.dimensions, rank=rank)

    @constraint
    def c5(self) -> Check:
        """is_unique(dimensions)"""
        return holds(len(set(self.dimensions)) == len(self.dimensions), dimensions=self.dimensions)

    @constraint
    def c6(self) -> Check:
        """body: (tensor<E>..., tensor<E>...) -> tensor<E>..., is_promotable(inputs..., E...)"""
        return reduces(self.body, [value.type.element_type for value in self.inputs])

    def region_executions(self) -> Sequence[int]:
        """Once for each element of the first operand."""
        return (self.inputs[0].type.size,)

    def linear_operands(self, monoid: str) -> Sequence[Sequence[int]]:
        """The inputs together, if the monoid of the terms reduces them."""
        return [range(len(self.inputs))] if set(combiners(self.body)) == {monoid} else ()

    def terms_once(self) -> Sequence[int]:
        """The initial values, which the sum over devices contains once."""
        return range(len(self.inputs), len(self.operands))

    def infer(self) -> Sequence[TensorType]:
        """C7, C8: the shape without the reduced dimensions, the elements of the body."""
        return self.results_of(most_specific([value.type for value in self.inputs]))

    def results_of(self, operand: TensorType) -> Sequence[TensorType]:
        """The types of the results for inputs of a shape."""
        remaining = remaining_dimensions(operand.rank, self.dimensions)
        bounds = operand.bounds or (DYNAMIC,) * operand.rank
        result = bound_dimensions(
            operand.with_shape([operand.shape[d] for d in remaining]),
            [bounds[d] for d in remaining],
        )
        return [result.with_element(element) for element in accumulator_elements(self.body)]

    def evaluate(self, *operands: Array, regions: Sequence[RegionFunction] = ()) -> object:
        """The folds of all windows."""
        return self.prepare(regions)(*operands)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """Recognized monoids are reduced by NumPy, any other body by one call per element."""
        return self.reduction(regions, ordered_reducer_of, fold_in_sequence)

    def prepare_fast(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """Recognized monoids are reduced by NumPy, any other body by a tree of calls."""
        return self.reduction(regions, reducer_of, fold_as_tree)

    def reduction(
        self, regions: Sequence[RegionFunction], reducer_of: ReducerOf, fold: Fold
    ) -> Callable[..., object]:
        """The function of the operands.

        Args:
            regions: The body.
            reducer_of: Finds the reduction by a monoid.
            fold: Reduces by any other body.
        """
        dimensions = tuple(sorted(self.dimensions))
        sources = [value.type.element_type for value in self.inputs]
        elements = accumulator_elements(self.body)
        reducers = reducers_of(combiners(self.body), elements, reducer_of)
        if len(reducers) == 1 and sources == elements:
            return partial(reducers[0], dimensions)
        body, n = on_arrays(self.body, regions[0]), len(elements)

        def reduce(*operands: Array) -> object:
            converted = [
                to_destination_type(x, source, element)
                for x, source, element in zip(operands, sources * 2, elements * 2, strict=True)
            ]
            inputs, init_values = converted[:n], converted[n:]
            if reducers:
                groups = zip(reducers, inputs, init_values, strict=True)
                return pack_results([reducer(dimensions, x, init) for reducer, x, init in groups])
            windows = [windows_first(x, dimensions) for x in inputs]
            starts = [np.broadcast_to(init, windows[0].shape[1:]) for init in init_values]
            return pack_results(fold(body, starts, windows) if len(windows[0]) else starts)

        return with_shape_check(self, reduce, self.require_one_shape)

    def require_one_shape(self, operands: Sequence[Array]) -> None:
        """Ends the run unless the inputs have one shape."""
        require_one_shape(self, "C1", operands[: len(self.inputs)])


def fold_in_sequence(
    body: ArrayFunction, starts: Sequence[Array], windows: Sequence[Array]
) -> Sequence[Array]:
    """The slices of at least one window, combined one after another, from the left."""
    return fold(body, starts, slices(windows))


def fold_as_tree(
    body: ArrayFunction, starts: Sequence[Array], windows: Sequence[Array]
) -> Sequence[Array]:
    """The slices of at least one window, combined in pairs, after the initial values."""
    return body(*starts, *reduce_in_order(body, windows))


def windows_first(x: Array, dimensions: Sequence[int]) -> Array:
    """The elements along the given dimensions, in row-major order, as the first dimension.

    Shape ``(size of a window, ...)``, followed by the other dimensions.
    """
    remaining = remaining_dimensions(np.ndim(x), dimensions)
    moved = np.transpose(x, (*dimensions, *remaining))
    return moved.reshape(-1 if x.size else 0, *(x.shape[d] for d in remaining))


def reducers_of(
    names: Sequence[Combiner | None], elements: Sequence[ElementType], reducer_of: ReducerOf
) -> Sequence[Reducer]:
    """The NumPy reductions by these monoids, one per value; empty if one has none."""
    reducers = [reducer_of(name, e) for name, e in zip(names, elements, strict=True)]
    return [reducer for reducer in reducers if reducer] if all(reducers) else ()


def ordered_reducer_of(name: Combiner | None, element: ElementType) -> Reducer | None:
    """The NumPy reduction in the order of the reference interpreter; None if there is none.

    Products of complex numbers have none: NumPy rounds them in another way.
    """
    match name, element:
        case ("add", FloatType() | ComplexType()):
            return partial(reduce_in_sequence, np.add)
        case ("multiply", FloatType()):
            return partial(reduce_in_sequence, np.multiply)
        case ("multiply", ComplexType()):
            return None
        case _:
            return reducer_of(name, element)


def reduce_in_sequence(
    combine: np.ufunc, dimensions: tuple[int, ...], x: Array, init: object
) -> Array:
    """Combines the initial value and one element after another, in row-major order."""
    return fold_by(combine, init, windows_first(x, dimensions))


def reducer_of(name: Combiner | None, element: ElementType) -> Reducer | None:
    """The NumPy reduction of elements of a type by a monoid; None if there is none."""
    match name, element:
        case ("add" | "multiply", FloatType()) if element.precision < F32.precision:
            return partial(reduce_wider, REDUCERS[name], F32, element)
        case ("add" | "multiply", FloatType() | ComplexType()):
            return REDUCERS[name]
        case ("maximum" | "minimum", FloatType()):
            return (
                REDUCERS[name]
                if element.bits >= 16
                else partial(reduce_wider, REDUCERS[name], F32, element)
            )
        case (None | "x" | "y", _) | (_, ComplexType() | FloatType()):
            return None
        case (_, IntegerType()) if element.bits < 8 and not element.is_boolean:
            wider = UI8 if element.is_unsigned else I8
            return partial(reduce_wider, partial(reduce_integers, UFUNCS[name]), wider, element)
        case (_, IntegerType()):
            return partial(reduce_integers, UFUNCS[name])
        case _:
            return None


def reduce_wider(
    reducer: Reducer,
    wider: ElementType,
    element: ElementType,
    dimensions: tuple[int, ...],
    x: Array,
    init: Any,
) -> object:
    """Reduces in a wider type and rounds (or wraps) once."""
    widen = converter(element, wider)
    return converter(wider, element)(reducer(dimensions, widen(x), widen(init)))


def reduce_integers(ufunc: np.ufunc, dimensions: tuple[int, ...], x: Array, init: object) -> object:
    """Reduces integers or booleans, for which every order gives the same result."""
    return ufunc.reduce(x, axis=dimensions, dtype=x.dtype, initial=init)


def reduce_sum(dimensions: tuple[int, ...], x: Array, init: Any) -> object:
    """Sums floats pairwise: NumPy does so along the innermost dimension only."""
    leading = x.ndim - len(dimensions)
    if dimensions == tuple(range(leading, x.ndim)):
        rows = x.reshape(*x.shape[:leading], -1 if x.size else 0)
        return np.add(init, np.add.reduce(rows, axis=-1, dtype=x.dtype))
    windows = windows_first(x, dimensions)
    if not len(windows):
        return np.full(windows.shape[1:], init)
    return np.add(init, reduce_in_order(add, [windows])[0])


def add(x: Array, y: Array) -> Sequence[Array]:
    """The sum, as the body of a fold."""
    return (np.add(x, y),)


def reduce_product(dimensions: tuple[int, ...], x: Array, init: object) -> object:
    """Multiplies floating-point numbers along dimensions."""
    return np.multiply.reduce(x, axis=dimensions, initial=init)


def reduce_maximum(dimensions: tuple[int, ...], x: Array, init: Any) -> Any:
    """The maximum of floats: NaN if any is NaN, +0 > -0, unlike NumPy."""
    largest = np.maximum.reduce(x, axis=dimensions, initial=init)
    zero = largest == 0
    if not np.any(zero):
        return largest
    positive = np.any((x == 0) & ~np.signbit(x), axis=dimensions) | (
        (init == 0) & ~np.signbit(init)
    )
    return np.where(zero & positive, np.zeros((), x.dtype), largest)


def reduce_minimum(dimensions: tuple[int, ...], x: Array, init: Any) -> object:
    """The smallest of floats, likewise."""
    return -reduce_maximum(dimensions, -x, -init)


REDUCERS: Final[dict[str, Reducer]] = {
    "add": reduce_sum,
    "multiply": reduce_product,
    "maximum": reduce_maximum,
    "minimum": reduce_minimum,
}
