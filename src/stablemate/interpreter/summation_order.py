"""The order in which the interpreter sums and folds."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from stablemate.diagnostics.errors import ArgumentValueError

# That of the reference interpreter, or the one that is fastest with NumPy.
Order: TypeAlias = Literal["reference", "fast"]

ORDERS: Final[tuple[Order, ...]] = get_args(Order)
REFERENCE_ORDER: Final[Order] = "reference"


def refuse_unknown_order(order: str) -> None:
    """Refuses what is not the name of an order.

    Raises:
        ArgumentValueError: There is no such order.
    """
    if order not in ORDERS:
        raise ArgumentValueError(f"an order is one of {', '.join(ORDERS)}, not {order!r}")
