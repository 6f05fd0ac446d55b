"""The scf dialect: loops and branches with regions.

Source: MLIR scf dialect, the operations of the same names.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.parse_only.base import ParseOnlyOp
from stablemate.ir.definition import Check, constraint, define, holds, op
from stablemate.ir.kinds import (
    ANY_ATTRIBUTE,
    ANY_VALUE,
    SI64_ARRAY,
    UNIT_KIND,
    TypeConstraint,
    instance_of,
)
from stablemate.ir.types import Type
from stablemate.numerics.elements import BOOLEAN, INDEX, IndexType, IntegerType

INDEX_VALUE: Final = instance_of("index", IndexType)
INTEGER_VALUE: Final = instance_of("integer", IntegerType)
COUNTER: Final[TypeConstraint[Type]] = INDEX_VALUE | INTEGER_VALUE
CONDITION: Final[TypeConstraint[Type]] = TypeConstraint(
    "i1", lambda candidate: candidate == BOOLEAN
)


@op("scf.yield", terminator=True)
class Yield(ParseOnlyOp):
    """Ends a region and returns values to the operation around it."""

    __slots__ = ()
    values = define.variadic("", ANY_VALUE)
    assembly = "attr-dict ($values)? custom<OptionalTypes>"


@op("scf.condition", terminator=True)
class Condition(ParseOnlyOp):
    """Ends the first region of a loop: decides whether the second one follows."""

    __slots__ = ()
    condition = define.operand("", CONDITION)
    args = define.variadic("", ANY_VALUE)
    assembly = "custom<LoopCondition>"


@op("scf.for")
class For(ParseOnlyOp):
    """A loop that counts from one number to another and carries values."""

    __slots__ = ()
    lowerBound = define.operand("", COUNTER)
    upperBound = define.operand("", COUNTER)
    step = define.operand("", COUNTER)
    initArgs = define.variadic("", ANY_VALUE)
    unsignedCmp = define.default_attribute("", UNIT_KIND, False)
    body = define.region()
    outputs = define.variadic_result(ANY_VALUE).with_name("results")
    assembly = "custom<ForLoop>"

    @constraint("types")
    def carries(self) -> Check:
        """Initial values, arguments of the body, returned values and results have the same types"""
        counter, *arguments = [value.type for value in self.body.block.arguments]
        carried = [value.type for value in self.initArgs]
        returned = [value.type for value in self.body.block.terminator.operands]
        results = [value.type for value in self.results]
        bounds = [value.type for value in self.operands[:3]]
        fits = arguments == carried == returned == results and bounds == [counter] * 3
        return holds(fits, bounds=bounds, arguments=arguments, returned=returned, results=results)


@op("scf.if")
class If(ParseOnlyOp):
    """One of two regions, the second of which may be empty."""

    __slots__ = ()
    condition = define.operand("", CONDITION)
    thenRegion = define.region()
    elseRegion = define.region(empty=True)
    outputs = define.variadic_result(ANY_VALUE).with_name("results")
    assembly = "custom<Conditional>"

    @constraint("results")
    def returns(self) -> Check:
        """Both regions return values of the types of the results"""
        results = [value.type for value in self.results]
        regions = [region for region in self.regions if region.blocks]
        returned = [[v.type for v in region.block.terminator.operands] for region in regions]
        fits = all(types == results for types in returned) and (not results or len(regions) == 2)
        return holds(fits, returned=returned, results=results)


@op("scf.while")
class While(ParseOnlyOp):
    """A loop whose first region decides and whose second region computes the next values."""

    __slots__ = ()
    inits = define.variadic("", ANY_VALUE)
    before = define.region()
    after = define.region()
    outputs = define.variadic_result(ANY_VALUE).with_name("results")
    assembly = "custom<WhileLoop>"

    @constraint("types")
    def carries(self) -> Check:
        """Initial values, arguments of before and yielded values have the same types, and so do the
        values of the condition, arguments of after and results
        """
        initial = [value.type for value in self.inits]
        arguments = [value.type for value in self.before.block.arguments]
        yielded = [value.type for value in self.after.block.terminator.operands]
        passed = [value.type for value in self.before.block.terminator.operands[1:]]
        taken = [value.type for value in self.after.block.arguments]
        results = [value.type for value in self.results]
        fits = initial == arguments == yielded and passed == taken == results
        return holds(
            fits, initial=initial, arguments=arguments, yielded=yielded, passed=passed,
            taken=taken, results=results,
        )  # fmt: skip


@op("scf.execute_region")
class ExecuteRegion(ParseOnlyOp):
    """The values that a region of several blocks returns."""

    __slots__ = ()
    no_inline = define.default_attribute("", UNIT_KIND, False)
    region = define.region(several=True)
    outputs = define.variadic_result(ANY_VALUE).with_name("results")
    assembly = "custom<ExecutedRegion>"


@op("scf.index_switch")
class IndexSwitch(ParseOnlyOp):
    """The region that belongs to a number."""

    __slots__ = ()
    arg = define.operand("", INDEX_VALUE)
    cases = define.attribute("", SI64_ARRAY)
    defaultRegion = define.region()
    caseRegions = define.variadic_region()
    outputs = define.variadic_result(ANY_VALUE).with_name("results")
    assembly = "custom<IndexCases>"

    @constraint("cases")
    def has_region_for_each_case(self) -> Check:
        """There is a region for each case, and no case occurs twice"""
        cases, regions = self.cases, len(self.regions) - 1
        return holds(
            len(cases) == regions and len(set(cases)) == regions, cases=cases, regions=regions
        )


@op("scf.parallel", segments="sized")
class Parallel(ParseOnlyOp):
    """Loops whose iterations run in any order, and whose values are reduced."""

    __slots__ = ()
    lowerBound = define.variadic("", INDEX_VALUE)
    upperBound = define.variadic("", INDEX_VALUE)
    step = define.variadic("", INDEX_VALUE)
    initVals = define.variadic("", ANY_VALUE)
    region = define.region()
    outputs = define.variadic_result(ANY_VALUE).with_name("results")
    assembly = "custom<ParallelLoop>"

    @constraint("bounds")
    def has_bounds_for_each_loop(self) -> Check:
        """There are as many lower and upper bounds, steps and arguments of the region, not none"""
        groups = (self.lowerBound, self.upperBound, self.step, self.region.block.arguments)
        sizes = [len(group) for group in groups]
        return holds(sizes[0] > 0 and len(set(sizes)) == 1, sizes=sizes)

    @constraint("results")
    def reduces_each_value(self) -> Check:
        """Initial values, results and the values that the region reduces have the same types"""
        initial = [value.type for value in self.initVals]
        results = [value.type for value in self.results]
        reduced = [value.type for value in self.region.block.terminator.operands]
        fits = initial == results == reduced
        return holds(fits, initial=initial, results=results, reduced=reduced)


@op("scf.reduce", terminator=True)
class Reduce(ParseOnlyOp):
    """Ends an iteration of a parallel loop: a region for each value combines it with others."""

    __slots__ = ()
    values = define.variadic("", ANY_VALUE)
    reductions = define.variadic_region()
    assembly = "custom<LoopReductions>"

    @constraint("reductions")
    def combines_two_values(self) -> Check:
        """The region of each value takes two of its type, and returns one"""
        expected = [[value.type] * 3 for value in self.operands]
        actual = [
            [value.type for value in (*region.block.arguments, *region.block.terminator.operands)]
            for region in self.regions
        ]
        return holds(actual == expected, reductions=actual, expected=expected)


@op("scf.reduce.return", terminator=True)
class ReduceReturn(ParseOnlyOp):
    """Ends the region of a reduction and returns the combined value."""

    __slots__ = ()
    result = define.operand("", ANY_VALUE)
    assembly = "$result attr-dict `:` type($result)"


@op("scf.forall", segments="sized")
class Forall(ParseOnlyOp):
    """Loops whose iterations run in any order, and write parts of shared results."""

    __slots__ = ()
    staticLowerBound = define.attribute("", SI64_ARRAY)
    staticUpperBound = define.attribute("", SI64_ARRAY)
    staticStep = define.attribute("", SI64_ARRAY)
    mapping = define.optional_attribute("", ANY_ATTRIBUTE)
    dynamicLowerBound = define.variadic("", INDEX_VALUE)
    dynamicUpperBound = define.variadic("", INDEX_VALUE)
    dynamicStep = define.variadic("", INDEX_VALUE)
    outputs = define.variadic("", ANY_VALUE)
    region = define.region()
    shared = define.variadic_result(ANY_VALUE).with_name("results")
    assembly = "custom<ForallLoop>"

    @constraint("bounds")
    def has_bounds_for_each_loop(self) -> Check:
        """There are as many lower and upper bounds as steps"""
        groups = (self.staticLowerBound, self.staticUpperBound, self.staticStep)
        sizes = [len(group) for group in groups]
        return holds(len(set(sizes)) == 1, sizes=sizes)

    @constraint("results")
    def shares_each_result(self) -> Check:
        """The region takes a counter for each loop, and then values of the types of the results"""
        outputs = [value.type for value in self.outputs]
        results = [value.type for value in self.results]
        arguments = [value.type for value in self.region.block.arguments]
        counters: list[Type] = [INDEX] * len(self.staticUpperBound)
        fits = outputs == results and arguments == [*counters, *results]
        return holds(fits, outputs=outputs, results=results, arguments=arguments)


@op("scf.forall.in_parallel", terminator=True)
class InParallel(ParseOnlyOp):
    """Ends an iteration of parallel loops: writes parts of the shared results."""

    __slots__ = ()
    region = define.region(terminated=False)
    assembly = "custom<ParallelInsertions>"
