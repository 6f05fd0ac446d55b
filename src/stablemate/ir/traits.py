"""Traits of operations: facts of their classes that others ask for instead of names."""

from __future__ import annotations

from enum import Flag, auto


class Trait(Flag):
    """What an operation is, besides what its fields say.

    Attributes:
        CONSTANT_LIKE: Its result is the value of its attribute ``value``.
        IMPLICIT_TERMINATOR: Its regions are single blocks with a terminator that is known, which
            upstream's verifier looks for before it visits the operations inside.
        SELECT: It returns one of its operands, as a whole or element by element.
    """

    NONE = 0
    CONSTANT_LIKE = auto()
    IMPLICIT_TERMINATOR = auto()
    SELECT = auto()
