"""Sizes of workspaces, which LAPACK's routines report for the matrices that they are asked about.

They decide how sums are grouped, so that results are those of any caller who asks as well.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.library_calls.loading import routine_address
from stablemate.numerics.symbolic_sizes import SymbolicSize

LETTERS: Final = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
ROUTINE: Final = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 16)
ASK: Final = -1  # in place of a workspace's size
WORK: Final = "work"  # in place of the workspace
UNUSED: Final = "unused"  # in place of anything that is not read when a size is asked for
PLACE_BYTES: Final = 64  # of an argument that a routine reads or writes by its address

Argument = int | str | SymbolicSize


def workspace_size(letter: str, routine: str, *arguments: Argument) -> Any:
    """How many elements of workspace a routine wants; symbolic if an argument is.

    Args:
        letter: The letter of the element type.
        routine: The name of the routine without it.
        arguments: Its arguments: sizes, letters, ``WORK`` and ``UNUSED``.
    """
    symbolic = next((a for a in arguments if isinstance(a, SymbolicSize)), None)
    if symbolic is None:
        return asked_size(
            letter, routine, [a for a in arguments if not isinstance(a, SymbolicSize)]
        )
    typical = asked_size(
        letter, routine, [a.typical if isinstance(a, SymbolicSize) else a for a in arguments]
    )
    return symbolic.assumptions.result_of(
        "workspace_size", (letter, routine, *arguments), typical
    )  # fmt: skip


def asked_size(letter: str, routine: str, arguments: Sequence[int | str]) -> int:
    """How many elements of workspace a routine wants, as it answers."""
    places = np.zeros((16, PLACE_BYTES), np.uint8)
    for place, argument in zip(places, arguments, strict=False):
        if isinstance(argument, int):
            place[:4] = np.frombuffer(np.int32(argument).tobytes(), np.uint8)
        elif len(argument) == 1:
            place[0] = ord(argument)
    addresses = [place.ctypes.data for place in places]
    ROUTINE(routine_address(letter + routine))(*addresses)
    answer: Any = places[arguments.index(WORK)].view(LETTERS[letter])[0]
    return max(1, int(answer.real))
