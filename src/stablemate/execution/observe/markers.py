"""The observe dialect: markers that notify a listener of what a program does.

No program is written in it: the pass ``transforms.instrument`` puts them into programs that are
compiled. They ask the world, so native code comes by them in the order of the program, in loops
and branches too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir import request as requests
from stablemate.ir.core import Operation
from stablemate.ir.definition import RegionFunction, RequestOp, define, op
from stablemate.ir.kinds import ANY_VALUE, SI64, AttributeKind
from stablemate.ir.types import Attribute


@dataclass(frozen=True)
class OperationAttribute(Attribute):
    """An operation of the program that is observed, by identity.

    Attributes:
        operation: The operation.
        number: What it is called in text: its number in the order of the text.
    """

    operation: Operation
    number: int

    def __str__(self) -> str:
        return f'"{self.operation.name} {self.number}"'


OPERATION: Final = AttributeKind[OperationAttribute](
    "operation",
    lambda a: isinstance(a, OperationAttribute),
    lambda a: cast(OperationAttribute, a),
    lambda value: cast(Attribute, value),
)


class ObservationMarker(RequestOp):
    """Base of the markers."""

    __slots__ = ()

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.Observe:
        """The request to notify the listener."""
        return requests.Observe(self, operands)


@op("observe.computed", effects=True)
class Computed(ObservationMarker):
    """The operation ``of`` has computed.

    ``values`` are its operands, ``operands`` of them (none if they are not told), then its results.
    """

    __slots__ = ()
    of = define.attribute("", OPERATION)
    operands_told = define.attribute("", SI64)
    values = define.variadic("", ANY_VALUE)


@op("observe.entered", effects=True)
class BlockEntered(ObservationMarker):
    """A block begins: ``region`` of the operation ``of``.

    ``values`` are its arguments, if requested.
    """

    __slots__ = ()
    of = define.attribute("", OPERATION)
    region = define.attribute("", SI64)
    values = define.variadic("", ANY_VALUE)


@op("observe.left", effects=True)
class BlockExited(ObservationMarker):
    """The block that was entered last has ended."""

    __slots__ = ()
