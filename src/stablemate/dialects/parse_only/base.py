"""The base class of operations that are kept and never executed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.ir.definition import Op, RegionFunction


class ParseOnlyOp(Op):
    """An operation that has a definition, but no evaluation here."""

    __slots__ = ()

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """Rejects the operation.

        Raises:
            UnsupportedError: Always.
        """
        raise UnsupportedError(
            f"{self.name} cannot be executed: lower it to StableHLO first", span=self.span
        )
