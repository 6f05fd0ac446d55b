"""Computations as regions: with a name, or on the pieces of divided tensors.

Source: Shardy dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.sdy.attributes import (
    MANUAL_AXES,
    SHARDING_PER_VALUE,
    TensorSharding,
    TensorShardingPerValue,
)
from stablemate.dialects.sdy.axes import Part, merged
from stablemate.dialects.sdy.sharding import Sharded, Stated
from stablemate.dialects.stablehlo.regions import function_type, outcome, same_types
from stablemate.ir.core import Value
from stablemate.ir.definition import (
    Check,
    Op,
    RegionFunction,
    constraint,
    define,
    holds,
    op,
)
from stablemate.ir.kinds import ANY_VALUE, STRING
from stablemate.ir.request import Process, ProcessFunction
from stablemate.ir.types import DYNAMIC, TensorType, Type


class Computation(Sharded):
    """An operation that runs its region on its operands."""

    __slots__ = ()
    tensors = define.variadic("", ANY_VALUE).called("operands")
    body = define.region()
    outputs = define.variadic_result(ANY_VALUE).called("results")

    def listed(self) -> list[tuple[TensorShardingPerValue | None, Sequence[Value[Any]], str]]:
        """The lists of shardings, the values that they are about, and their names."""
        raise NotImplementedError

    def shardings(self) -> Sequence[tuple[TensorSharding, Type]]:
        """The shardings of operands and results."""
        return [
            (sharding, value.type)
            for stated, values, _ in self.listed()
            if stated is not None
            for sharding, value in zip(stated.shardings, values, strict=False)
        ]

    @constraint("shardings")
    def counts_fit(self) -> Check:
        """There is a sharding for each operand and each result"""
        counts = {
            name: (len(stated.shardings), len(values))
            for stated, values, name in self.listed()
            if stated is not None and len(stated.shardings) != len(values)
        }
        return holds(not counts, **counts)

    @constraint("body")
    def body_returns(self) -> Check:
        """The body ends with sdy.return"""
        terminator = self.body.block.terminator
        return holds(isinstance(terminator, Return), terminator=terminator.name)

    def evaluate(self, *operands: Any, regions: Sequence[RegionFunction] = ()) -> Any:
        """What the body returns for the operands."""
        return outcome(regions[0](*operands))

    def prepare_asking(self, regions: Sequence[ProcessFunction]) -> ProcessFunction:
        """The same, where the body asks the world."""

        def compute(*operands: Any) -> Process:
            return outcome((yield from regions[0](*operands)))

        return compute


@op("sdy.named_computation", isolated=True)
class NamedComputation(Computation):
    """A computation with a name.

    Source: Shardy dialect, named_computation.
    """

    __slots__ = ()
    label = define.attribute("", STRING).called("name")
    in_shardings = define.optional_attribute("", SHARDING_PER_VALUE)
    out_shardings = define.optional_attribute("", SHARDING_PER_VALUE)
    assembly = "custom<NamedComputation>"

    def listed(self) -> list[tuple[TensorShardingPerValue | None, Sequence[Value[Any]], str]]:
        """What is stated of operands and results."""
        return [
            (self.in_shardings, self.operands, "in_shardings"),
            (self.out_shardings, self.results, "out_shardings"),
        ]

    @constraint("body")
    def body_type(self) -> Check:
        """The body has the types of operands and results"""
        actual = function_type(self.body)
        fits = same_types(actual.inputs, [v.type for v in self.operands])
        fits = fits and same_types(actual.results, [v.type for v in self.results])
        return holds(fits, body=actual)


@op("sdy.manual_computation", isolated=True)
class ManualComputation(Computation):
    """A computation on the pieces into which ``manual_axes`` divide the operands.

    Source: Shardy dialect, manual_computation.
    """

    __slots__ = ()
    in_shardings = define.attribute("", SHARDING_PER_VALUE)
    out_shardings = define.attribute("", SHARDING_PER_VALUE)
    manual_axes = define.attribute("", MANUAL_AXES)
    assembly = "custom<ManualComputation>"

    def listed(self) -> list[tuple[TensorShardingPerValue | None, Sequence[Value[Any]], str]]:
        """What is stated of operands and results."""
        return [
            (self.in_shardings, self.operands, "in_shardings"),
            (self.out_shardings, self.results, "out_shardings"),
        ]

    def own_axes(self) -> Sequence[str]:
        """The axes of the shardings, and the manual ones."""
        return [*super().own_axes(), *self.manual_axes.axes]

    def manual_parts(self, stated: Stated) -> list[list[Part]]:
        """The manual axes that divide each dimension."""
        manual = set(self.manual_axes.axes)
        return [
            [part for part in merged(d.axes, stated.sizes) if part.name in manual]
            for d in stated.sharding.dimensions
        ]

    @constraint("manual_axes")
    def manual_axes_first(self) -> Check:
        """The manual axes that divide a dimension stand before the others"""
        manual = set(self.manual_axes.axes)
        flags = [
            [axis.name not in manual for axis in d.axes]
            for each, _ in self.shardings()
            for d in each.dimensions
        ]
        broken = any(each != sorted(each) for each in flags)
        return holds(not broken, manual_axes=self.manual_axes.inner_text())

    @constraint("manual_axes")
    def divisible(self) -> Check:
        """The manual axes divide the sizes of the dimensions evenly"""
        broken = [
            str(each.type)
            for each in self.stated()
            if isinstance(each.type, TensorType)
            and any(
                size != DYNAMIC and size % pieces(parts)
                for size, parts in zip(each.type.shape, self.manual_parts(each), strict=False)
            )
        ]
        return holds(not broken, types=broken, manual_axes=self.manual_axes.inner_text())

    @constraint("body")
    def body_type(self) -> Check:
        """The body has the types of the pieces of operands and results"""
        actual = function_type(self.body)
        expected = [self.piece_type(each) for each in self.stated()]
        fits = same_types([*actual.inputs, *actual.results], expected)
        return holds(fits, body=actual, expected=expected)

    def piece_type(self, stated: Stated) -> Type:
        """The type of a piece."""
        if not isinstance(stated.type, TensorType) or stated.mesh.is_maximal:
            return stated.type
        pairs = zip(stated.type.shape, self.manual_parts(stated), strict=True)
        shape = [size if size == DYNAMIC else size // pieces(parts) for size, parts in pairs]
        return stated.type.with_shape(shape)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., Any]:
        """The body, where one device holds everything.

        Raises:
            UnsupportedError: The tensors are divided among several devices.
        """
        self.require_one_piece()
        return super().prepare(regions)

    def prepare_asking(self, regions: Sequence[ProcessFunction]) -> ProcessFunction:
        """The same, where the body asks the world."""
        self.require_one_piece()
        return super().prepare_asking(regions)

    def require_one_piece(self) -> None:
        """Refuses manual axes of more than one device.

        Raises:
            UnsupportedError: There is such an axis.
        """
        sizes = {name: size for each in self.stated() for name, size in each.sizes.items()}
        manual = {name: sizes.get(name, 1) for name in self.manual_axes.axes}
        if any(size > 1 for size in manual.values()):
            message = "manual axes of more than one device need a grid of processes"
            raise UnsupportedError(Diagnostic(message, self.name, self.span, manual))


def pieces(parts: Sequence[Part]) -> int:
    """Into how many pieces these parts divide a dimension."""
    count = 1
    for part in parts:
        count *= part.size
    return count


@op("sdy.return", terminator=True)
class Return(Op):
    """Ends the body of a computation.

    Source: Shardy dialect, return.
    """

    __slots__ = ()
    values = define.variadic("", ANY_VALUE)
    assembly = "attr-dict ($values)? custom<OptionalTypes>"
