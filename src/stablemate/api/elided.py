"""Values for constants whose values were left out of the text."""

from __future__ import annotations

import re
from typing import Final

from stablemate.api.module import HloModule, Module
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.numerics.random_elements import Filling
from stablemate.transforms.elided import filled
from stablemate.xla.elision import with_values

FILLING: Final = re.compile(r"zeros|random:([0-9]{1,18})")


def fill_elided(module: Module, elided: str, limit: int) -> Module:
    """The program with values for its elided constants.

    Args:
        module: The program.
        elided: ``zeros`` or ``random:SEED``.
        limit: The largest size of random elements, in bytes.

    Raises:
        ArgumentValueError: ``elided`` is something else.
        LimitError: A constant is larger.
    """
    filling = filling_of(elided)
    if isinstance(module, HloModule):
        return HloModule(with_values(module.tree, filling, limit), module.format)
    return Module(filled(module.ir, filling, limit), module.format, module.exported)


def filling_of(elided: str) -> Filling:
    """The values for elided constants.

    Raises:
        ArgumentValueError: The text is neither ``zeros`` nor ``random:SEED``.
    """
    match = FILLING.fullmatch(elided)
    if match is None:
        raise ArgumentValueError(f"elided is 'zeros' or 'random:SEED', not {elided!r}")
    return Filling(None if match[1] is None else int(match[1]))
