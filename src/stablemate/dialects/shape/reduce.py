"""shape.reduce and the end of its region."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stablemate.diagnostics.errors import EvaluationError
from stablemate.dialects.shape.types import SHAPE, SHAPE_OR_EXTENTS, SIZE, Invalid
from stablemate.dialects.stablehlo.regions import function_type
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
from stablemate.ir.kinds import ANY_VALUE
from stablemate.ir.types import Type
from stablemate.numerics.elements import INDEX


@op("shape.reduce")
class Reduce(Op):
    """Combines the sizes of a shape, one after the other.

    results = initVals; for each dimension: results = region(dimension, size, results...)

    Source: MLIR shape dialect, reduce.
    """

    __slots__ = ()
    shape = define.operand("", SHAPE_OR_EXTENTS)
    initVals = define.variadic("", ANY_VALUE)
    region = define.region()
    outputs = define.variadic_result(ANY_VALUE, element_type="results", shape="results").with_name(
        "results"
    )
    assembly = "custom<ShapeReduce>"

    @constraint("region")
    def takes_sizes(self) -> Check:
        """The region takes an index, a size, and values of the types of initVals"""
        size: Type = SIZE if self.shape.type == SHAPE else INDEX
        expected = (INDEX, size, *(value.type for value in self.initVals))
        inputs = function_type(self.region).inputs
        return holds(inputs == expected, region=list(inputs), expected=list(expected))

    @constraint("results")
    def has_result_for_each_value(self) -> Check:
        """There are as many results as initVals"""
        results, values = len(self.results), len(self.initVals)
        return holds(results == values, results=results, initVals=values)

    def infer(self) -> Sequence[Type] | None:
        """The types of the initial values, if there are as many results."""
        if len(self.results) != len(self.initVals):
            return None
        return [value.type for value in self.initVals]

    def evaluate(self, *operands: Any, regions: Sequence[RegionFunction] = ()) -> object:
        """The loop of the formula."""
        shape, *state = operands
        if isinstance(shape, Invalid):
            raise EvaluationError(f"the shape does not exist: {shape.reason}", self.span)
        for dimension, size in enumerate(shape):
            state = list(regions[0](np.int64(dimension), size, *state))
        return pack_results(state)


@op("shape.yield", terminator=True)
class Yield(Op):
    """Ends the region of ``reduce``.

    Source: MLIR shape dialect, yield.
    """

    __slots__ = ()
    values = define.variadic("", ANY_VALUE)
    assembly = "attr-dict ($values)? custom<OptionalTypes>"

    @constraint("parent")
    def stands_in_reduce(self) -> Check:
        """It stands in shape.reduce"""
        parent = self.parent_operation()
        return holds(isinstance(parent, Reduce), parent=parent.name if parent else "nothing")

    @constraint("values")
    def gives_results(self) -> Check:
        """The values have the types of the results of shape.reduce"""
        parent = self.parent_operation()
        if parent is None:
            return None
        values: list[Type] = [value.type for value in self.operands]
        results = [value.type for value in parent.results]
        return holds(values == results, values=values, results=results)
