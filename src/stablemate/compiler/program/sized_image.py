"""The program image of a version for many sizes: what differs between sizes is listed.

Whatever depends on sizes is a *value*: the function that is stored as text computes all of them.
Words, launches, buffers and shapes refer to values by their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from stablemate.compiler.program.image import ProgramImage
from stablemate.compiler.program.serialization import PreparationProgram
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array

NO_BACK_EDGE: Final = -1


class SizedLaunch(NamedTuple):
    """A launch whose iterations, or their time, and thus chunks depend on sizes.

    Attributes:
        record: The first word of its record.
        steps: The value that is the number of iterations.
        seconds: The value that is the estimated time of one of them, without moving bytes.
        transfers: The values of the bytes that an iteration moves of each argument, and of the
            bytes of this argument.
        is_repeated: Whether a condition ends it, so that it is not divided into chunks.
        back_edge: The first word of the record of the back edge that may launch it too.
    """

    record: int
    steps: int
    seconds: int
    transfers: Sequence[Sequence[int]] = ()
    is_repeated: bool = False
    back_edge: int = NO_BACK_EDGE


@dataclass(frozen=True, slots=True)
class SizedImage:
    """A program image for all sizes that fulfill a condition.

    Attributes:
        image: What does not depend on sizes; the words that do are 0.
        typical: The shapes of the arguments for which it was compiled.
        variables: For each dynamic size of the arguments, the number of its variable; -1: it is
            fixed.
        fixed: The fixed size, or 0.
        condition: A Python function from the variables to whether the image is for them.
        evaluation: A Python function from the variables to the values.
        value_words: Pairs of a word and the value that it holds.
        local_slots: For each local slot the value of its bytes, its first and its last step.
        arena_slots: For each arena relocation, the local slot.
        launches: The launches that depend on sizes.
        seconds: The estimated time of what does not depend on sizes.
        may_be_short: Whether it has no loops and is not checked.
        results: For each result, the values that are its shape.
    """

    image: ProgramImage
    typical: Sequence[Sequence[int]]
    variables: Sequence[int]
    fixed: Sequence[int]
    condition: str
    evaluation: str
    value_words: Array
    local_slots: Array
    arena_slots: Array
    launches: Sequence[SizedLaunch]
    seconds: float
    may_be_short: bool
    results: Sequence[Sequence[int]]


class SizedProgram(NamedTuple):
    """A version that can be loaded.

    Attributes:
        image: Its program image.
        objects: The object files of its functions.
        preparations: What computes constants of the image, before it is run.
    """

    image: SizedImage
    objects: Sequence[bytes]
    preparations: Sequence[PreparationProgram] = ()
