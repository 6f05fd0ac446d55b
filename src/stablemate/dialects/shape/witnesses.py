"""Assumptions about shapes, and regions that run under these assumptions.

An assumption that does not hold ends the run at its constraint.

Source: MLIR shape dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.shape.shapes import BOOLEAN_VALUE, all_equal
from stablemate.dialects.shape.types import (
    SHAPE_OR_EXTENTS,
    WITNESS,
    WITNESS_VALUE,
    Invalid,
    ShapeValue,
    broadcast_shapes,
    shape_fact,
)
from stablemate.dialects.stablehlo.regions import function_type
from stablemate.dialects.stablehlo.runtime import require
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
from stablemate.ir.kinds import ANY_VALUE, BOOLEAN_KIND, STRING
from stablemate.ir.types import Type


class Witness(Op):
    """An operation that produces a witness."""

    __slots__ = ()

    def infer(self) -> Type:
        """Returns ``!shape.witness``: whether a condition on shapes holds."""
        return WITNESS


@op("shape.const_witness")
class ConstWitness(Witness):
    """A witness that is known to hold or not.

    Source: MLIR shape dialect, const_witness.
    """

    __slots__ = ()
    passing = define.attribute("", BOOLEAN_KIND)
    result = define.result(WITNESS_VALUE)
    assembly = "$passing attr-dict custom<Inferred>"

    def evaluate(self, *operands: object, **_: object) -> bool:
        """Returns whether the witness passes."""
        return self.passing


@op("shape.cstr_require", effects=True)
class CstrRequire(Witness):
    """Ends the run with ``msg`` unless ``pred`` holds.

    Source: MLIR shape dialect, cstr_require.
    """

    __slots__ = ()
    pred = define.operand("", BOOLEAN_VALUE)
    msg = define.attribute("", STRING)
    result = define.result(WITNESS_VALUE)
    assembly = "$pred `,` $msg attr-dict custom<Inferred>"

    def evaluate(self, *operands: object, **_: object) -> bool:
        """Returns a passing witness; an operand that is false is an error."""
        require(self, bool(operands[0]), "", self.msg)
        return True


@op("shape.cstr_broadcastable", effects=True)
class CstrBroadcastable(Witness):
    """Ends the run unless there is a shape to which all shapes can be broadcast.

    Source: MLIR shape dialect, cstr_broadcastable.
    """

    __slots__ = ()
    shapes = define.variadic("", SHAPE_OR_EXTENTS)
    result = define.result(WITNESS_VALUE)
    assembly = "$shapes attr-dict `:` type($shapes) custom<Inferred>"

    @constraint("shapes")
    def several_shapes(self) -> Check:
        """There are two shapes or more"""
        return holds(len(self.shapes) >= 2, shapes=len(self.shapes))

    def evaluate(self, *operands: ShapeValue, **_: object) -> bool:
        """Returns a passing witness; shapes that do not broadcast are an error."""
        shapes = [shape_fact(operand) for operand in operands]
        exists = not isinstance(broadcast_shapes(operands), Invalid)
        require(self, exists, "", "the shapes can be broadcast to one", shapes=shapes)
        return True


@op("shape.cstr_eq", effects=True)
class CstrEq(Witness):
    """Ends the run unless all shapes are equal.

    Source: MLIR shape dialect, cstr_eq.
    """

    __slots__ = ()
    shapes = define.variadic("", SHAPE_OR_EXTENTS)
    result = define.result(WITNESS_VALUE)
    assembly = "$shapes attr-dict `:` type($shapes) custom<Inferred>"

    def evaluate(self, *operands: ShapeValue, **_: object) -> bool:
        """Returns a passing witness; shapes that differ are an error."""
        shapes = [shape_fact(operand) for operand in operands]
        require(self, all_equal(operands), "", "the shapes are equal", shapes=shapes)
        return True


@op("shape.assuming_all")
class AssumingAll(Witness):
    """A witness that holds if all of these do.

    Source: MLIR shape dialect, assuming_all.
    """

    __slots__ = ()
    inputs = define.variadic("", WITNESS_VALUE)
    result = define.result(WITNESS_VALUE)
    assembly = "$inputs attr-dict custom<Inferred>"

    @constraint("inputs")
    def some_input(self) -> Check:
        """There is a witness or more"""
        return holds(len(self.inputs) > 0, inputs=len(self.inputs))

    def evaluate(self, *operands: object, **_: object) -> bool:
        """Returns whether all witnesses pass."""
        return all(operands)


@op("shape.assuming", effects=True)
class Assuming(Op):
    """Executes its region if the witness holds, and ends the run if it does not.

    Source: MLIR shape dialect, assuming.
    """

    __slots__ = ()
    witness = define.operand("", WITNESS_VALUE)
    doRegion = define.region()
    outputs = define.variadic_result(ANY_VALUE).with_name("results")
    assembly = "custom<Assuming>"

    @constraint("doRegion")
    def region_yields(self) -> Check:
        """The region ends with shape.assuming_yield"""
        terminator = self.doRegion.block.terminator
        return holds(isinstance(terminator, AssumingYield), terminator=terminator.name)

    @constraint("results")
    def types_of_results(self) -> Check:
        """The region returns values of the types of the results"""
        returned = function_type(self.doRegion).results
        results: list[Type] = [value.type for value in self.results]
        return holds(list(returned) == results, returned=list(returned), results=results)

    def evaluate(self, *operands: object, regions: Sequence[RegionFunction] = ()) -> object:
        """The results of the region."""
        require(self, bool(operands[0]), "", "the witness holds", witness=False)
        return pack_results(regions[0]())


@op("shape.assuming_yield", terminator=True)
class AssumingYield(Op):
    """Ends the region of ``assuming``.

    Source: MLIR shape dialect, assuming_yield.
    """

    __slots__ = ()
    values = define.variadic("", ANY_VALUE)
    assembly = "attr-dict ($values)? custom<OptionalTypes>"

    @constraint("parent")
    def stands_in_assuming(self) -> Check:
        """It stands in shape.assuming"""
        parent = self.parent_operation()
        return holds(isinstance(parent, Assuming), parent=parent.name if parent else "nothing")
