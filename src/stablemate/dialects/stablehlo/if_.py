"""stablehlo.if."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from stablemate.ir.kinds import ANY_TENSOR, TOKEN_VALUE, is_boolean, tensor_of
from stablemate.ir.request import Process, ProcessFunction
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import Type


@op("stablehlo.if", family=Family.CONTROL, traits=Trait.STRUCTURED)
class If(Op):
    """Executes one of two functions, by the value of ``pred``.

    results = pred ? true_branch() : false_branch()

    Source: StableHLO specification, if.
    """

    __slots__ = ()
    opcodes = ("conditional",)
    pred = define.operand(
        "I1", tensor_of("0-dimensional tensor of boolean type", is_boolean, rank=0)
    )
    true_branch = define.region("I2")
    false_branch = define.region("I3")
    outputs = define.variadic_result(
        ANY_TENSOR | TOKEN_VALUE, element_type="C3", shape="C3"
    ).with_name("results")

    @constraint
    def c1(self) -> Check:
        """input_types(true_branch) = input_types(false_branch) = []"""
        types = [str(function_type(region)) for region in self.regions]
        fits = not any(function_type(region).inputs for region in self.regions)
        return holds(fits, true_branch=types[0], false_branch=types[1])

    @constraint
    def c2(self) -> Check:
        """output_types(true_branch) = output_types(false_branch)"""
        on_true, on_false = (function_type(region) for region in self.regions)
        fits = same_types(on_true.results, on_false.results)
        return holds(fits, true_branch=on_true, false_branch=on_false)

    def infer(self) -> Sequence[Type]:
        """C3: what the branches return."""
        branches = [function_type(region).results for region in self.regions]
        return [least_specific(types) for types in zip(*branches, strict=True)]

    def evaluate(self, *operands: object, regions: Sequence[RegionFunction] = ()) -> object:
        """The results of the selected branch."""
        return self.prepare(regions)(*operands)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """Returns a function that calls one of the two regions."""
        on_true, on_false = regions

        def choose(pred: object) -> object:
            return pack_results(on_true() if pred else on_false())

        return choose

    def prepare_process(self, regions: Sequence[ProcessFunction]) -> ProcessFunction:
        """The same choice, if a branch issues requests."""
        on_true, on_false = regions

        def choose(pred: object) -> Process:
            return pack_results((yield from on_true() if pred else on_false()))

        return choose
