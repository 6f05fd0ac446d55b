"""The numbers of values that depend on constants alone, which operations evaluate themselves.

Launches compute such values when a program is compiled, after all rewrites. A rewrite that is right
for some numbers only asks for them before.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.compiler.graph.graph import Tensor
from stablemate.diagnostics.errors import StablemateError
from stablemate.ir.definition import Op
from stablemate.numerics.elements import Array

MOST: Final = 64  # operations that are evaluated for a value


def constant_values(value: Tensor) -> Array | None:
    """The numbers of a value; None if they follow from more than constants and a few operations."""
    known: dict[Tensor, Array] = {}
    pending = [value]
    try:
        while pending:
            last = pending[-1]
            node = last.node
            if node is None or node.regions or not isinstance(node.operation, Op):
                return None
            missing = [operand for operand in node.operands if operand not in known]
            if len(known) > MOST or len(node.results) != 1:
                return None
            if missing and last not in known:
                pending += missing
                continue
            pending.pop()
            with np.errstate(all="ignore"):
                operands = [known[operand] for operand in node.operands]
                known[last] = np.asarray(node.operation.prepare(())(*operands))
    except StablemateError:
        return None  # the error is reported at run time
    return known[value]
