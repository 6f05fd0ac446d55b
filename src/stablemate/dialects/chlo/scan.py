"""chlo.scan."""

from __future__ import annotations

from typing import Final

from stablemate.dialects.chlo.ranks import of_any_rank
from stablemate.dialects.stablehlo.regions import function_type
from stablemate.ir.attributes import integers_of
from stablemate.ir.definition import (
    RESULT_SEGMENT_SIZES,
    Check,
    Op,
    constraint,
    define,
    holds,
    op,
)
from stablemate.ir.kinds import ANY_TENSOR, BOOLEAN_KIND, SI64
from stablemate.ir.shapes import bound_dimensions, compatible
from stablemate.ir.traits import Family
from stablemate.ir.types import DYNAMIC, TensorType, Type


@op("chlo.scan", segments="sized", result_groups=2, isolated=True, family=Family.REDUCTION)
class Scan(Op):
    """Calls ``body`` for each slice of ``inputs`` along ``dimension``, in order.

    (outputs[..., i, ...]..., carries...) = body(inputs[..., i, ...]..., carries...), where carries
    are ``inits`` first, and i counts up, or down with ``is_reverse``

    Results are the outputs, then the last carries.

    Source: CHLO dialect, scan.
    """

    __slots__ = ()
    inputs = define.variadic("", ANY_TENSOR)
    inits = define.variadic("", ANY_TENSOR)
    dimension = define.attribute("", SI64)
    scan_dim_size = define.optional_attribute("", SI64)
    is_reverse = define.default_attribute("", BOOLEAN_KIND, False)
    is_associative = define.optional_attribute("", BOOLEAN_KIND)
    body = define.region()
    outputs_and_carries = define.variadic_result(of_any_rank(ANY_TENSOR))
    assembly = "custom<Scan>"

    @constraint("dimension")
    def existing_dimension(self) -> Check:
        """0 <= dimension < rank(inputs...), 0 <= dimension < rank(outputs...)"""
        rank = min(
            [value.type.rank for value in self.inputs]
            + [element_type.rank + 1 for element_type in self.element_types],
            default=self.dimension + 1,
        )
        return holds(0 <= self.dimension < rank, dimension=self.dimension, rank=rank)

    @constraint("scan_dim_size")
    def one_size(self) -> Check:
        """0 <= scan_dim_size = dim(inputs..., dimension)"""
        sizes = [value.type.shape[self.dimension] for value in self.inputs]
        declared = self.scan_dim_size
        all_sizes = [*sizes, *([] if declared is None else [declared])]
        fits = len({*all_sizes} - {DYNAMIC}) <= 1
        return holds(
            fits and (declared is None or declared >= 0), scan_dim_size=declared, sizes=sizes
        )

    @constraint("results")
    def divided_results(self) -> Check:
        """resultSegmentSizes = [size(outputs), size(carries)], and there is an input or output"""
        segments = self.attributes.get(RESULT_SEGMENT_SIZES)
        sizes = list(integers_of(segments))
        count = len(self.results)
        fits = segments is None or (len(sizes) == 2 and min(sizes) >= 0 and sum(sizes) == count)
        outputs = sizes[0] if sizes else count - len(self.inits)
        fits = fits and (len(self.inputs) > 0 or outputs > 0)
        return holds(fits, sizes=sizes, results=count, inputs=len(self.inputs))

    @constraint("body")
    def fitting_body(self) -> Check:
        """body has type (slices of inputs..., types of inits...) ->
        (slices of outputs..., types of inits...)
        """
        # Upstream does not compare the returned carries; no next step could accept them.
        actual = function_type(self.body)
        carries = [value.type for value in self.inits]
        slices = [self.without_dimension(value.type) for value in self.inputs]
        expected = [*slices, *carries]
        returned = actual.results[len(actual.results) - len(carries) :]
        fits = (
            len(actual.results) >= len(carries)
            and len(actual.inputs) == len(expected)
            and all(compatible(a, b) for a, b in zip(actual.inputs, expected, strict=True))
            and all(compatible(a, b) for a, b in zip(returned, carries, strict=True))
            and all(isinstance(result, TensorType) for result in actual.results)
        )
        return holds(fits, body=actual, expected=expected)

    @property
    def element_types(self) -> tuple[TensorType, ...]:
        """The types of the slices of the outputs, those that are tensors."""
        results = function_type(self.body).results
        slices = results[: max(len(results) - len(self.inits), 0)]
        return tuple(slice_type for slice_type in slices if isinstance(slice_type, TensorType))

    @property
    def size(self) -> int:
        """The number of slices; DYNAMIC if it is unknown."""
        sizes = [value.type.shape[self.dimension] for value in self.inputs]
        if self.scan_dim_size is not None:
            sizes.append(self.scan_dim_size)
        return next((size for size in sizes if size != DYNAMIC), DYNAMIC)

    def without_dimension(self, tensor_type: TensorType) -> TensorType:
        """The type of a slice."""
        shape, d = tensor_type.shape, self.dimension
        bounds = tensor_type.bounds or (DYNAMIC,) * len(shape)
        slices = tensor_type.with_shape(shape[:d] + shape[d + 1 :])
        return bound_dimensions(slices, bounds[:d] + bounds[d + 1 :])

    def with_dimension(self, tensor_type: TensorType) -> TensorType:
        """The type of all slices, stacked."""
        shape, d = tensor_type.shape, self.dimension
        return tensor_type.with_shape((*shape[:d], self.size, *shape[d:]))

    def infer(self) -> tuple[Type, ...]:
        """The stacked outputs, then the types of the inits."""
        outputs = [self.with_dimension(element_type) for element_type in self.element_types]
        return (*outputs, *(value.type for value in self.inits))


OPERATIONS: Final[tuple[type[Op], ...]] = (Scan,)
