"""The precision of the operands of a product.

Source: XLA, operation semantics, "Dot", "Conv".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.xla.builder.core import Core

PRECISIONS: Final = ("default", "high", "highest")


def operand_precision(
    core: Core, config: str | Sequence[str] | None, operands: int
) -> tuple[str, ...] | None:
    """The precision of each operand; None where all are the default."""
    if config is None:
        return None
    names = (config,) * operands if isinstance(config, str) else tuple(config)
    names = tuple(str(getattr(item, "name", item)).lower() for item in names)
    is_known = len(names) == operands and all(name in PRECISIONS for name in names)
    message = f"there is a precision for each operand: {', '.join(PRECISIONS)}"
    core.require(is_known, message, "precision_config", precision_config=names)
    return None if set(names) == {"default"} else names
