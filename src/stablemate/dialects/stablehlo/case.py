"""stablehlo.case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stablemate.dialects.stablehlo.regions import function_type, least_specific, same_types
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
from stablemate.ir.kinds import ANY_TENSOR, TOKEN_VALUE, tensor_of
from stablemate.ir.request import Process, ProcessFunction
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import Type
from stablemate.numerics.elements import I32


@op("stablehlo.case", family=Family.CONTROL, traits=Trait.STRUCTURED)
class Case(Op):
    """Executes one of several functions, by the value of ``index``.

    results = branches[index]() if 0 <= index < size(branches), else branches[-1]()

    Source: StableHLO specification, case.
    """

    __slots__ = ()
    opcodes = ("conditional",)
    index = define.operand(
        "I1", tensor_of("0-dimensional tensor of type si32", lambda element: element == I32, rank=0)
    )
    branches = define.variadic_region("I2")
    outputs = define.variadic_result(
        ANY_TENSOR | TOKEN_VALUE, element_type="C4", shape="C4"
    ).with_name("results")

    @constraint
    def c1(self) -> Check:
        """0 < size(branches)"""
        return holds(len(self.branches) > 0, size=len(self.branches))

    @constraint
    def c2(self) -> Check:
        """input_types(branches...) = []"""
        types = [function_type(branch) for branch in self.branches]
        return holds(
            not any(branch.inputs for branch in types), branches=[str(branch) for branch in types]
        )

    @constraint
    def c3(self) -> Check:
        """same(output_types(branches...))"""
        types = [function_type(branch) for branch in self.branches]
        fits = all(same_types(types[0].results, branch.results) for branch in types)
        return holds(fits, branches=[str(branch) for branch in types])

    def infer(self) -> Sequence[Type]:
        """C4: what the branches return."""
        branches = [function_type(branch).results for branch in self.branches]
        return [least_specific(types) for types in zip(*branches, strict=True)]

    def evaluate(self, *operands: object, regions: Sequence[RegionFunction] = ()) -> object:
        """The results of the selected branch."""
        return pack_results(regions[self.branch(operands[0])]())

    def branch(self, index: Any) -> int:
        """The number of the branch that an index selects."""
        count = len(self.branches)
        return int(index) if 0 <= index < count else count - 1

    def prepare_process(self, regions: Sequence[ProcessFunction]) -> ProcessFunction:
        """The same choice, if a branch issues requests."""

        def choose(index: object) -> Process:
            return pack_results((yield from regions[self.branch(index)]()))

        return choose
