"""Values for constants whose values were left out of the text."""

from __future__ import annotations

import re
from typing import Final

from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.ir import core
from stablemate.numerics.random_elements import ElidedValues
from stablemate.transforms.elided import fill_elided_constants
from stablemate.xla.elision import with_values
from stablemate.xla.module import HloModule

FILLING: Final = re.compile(r"zeros|random:([0-9]{1,18})")


def ir_with_values(module: core.Module, elided: str, limit: int) -> core.Module:
    """A module with values for its elided constants.

    Args:
        module: The module.
        elided: ``zeros`` or ``random:SEED``.
        limit: The largest size of random elements, in bytes.

    Raises:
        ArgumentValueError: ``elided`` is something else.
        LimitError: A constant is larger.
    """
    return fill_elided_constants(module, filling_of(elided), limit)


def hlo_with_values(module: HloModule, elided: str, limit: int) -> HloModule:
    """A module of XLA with values for its elided constants; see ``ir_with_values``."""
    return with_values(module, filling_of(elided), limit)


def filling_of(elided: str) -> ElidedValues:
    """The values for elided constants.

    Raises:
        ArgumentValueError: The text is neither ``zeros`` nor ``random:SEED``.
    """
    match = FILLING.fullmatch(elided)
    if match is None:
        raise ArgumentValueError(f"elided is 'zeros' or 'random:SEED', not {elided!r}")
    return ElidedValues(None if match[1] is None else int(match[1]))
