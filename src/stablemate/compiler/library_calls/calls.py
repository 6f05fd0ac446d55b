"""Sequences of calls of native functions, which are repeated for every member of a batch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import DTypeLike

from stablemate.compiler.library_calls.names import PREFIX
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import is_symbolic, typical_of

RUN: Final = PREFIX + "run"  # the kernel that carries out a sequence
RUN_WITH_ONE_THREAD: Final = PREFIX + "run_with_one_thread"  # while libraries start no threads
MAX_ARGUMENTS: Final = 16  # of a native function: a record has room for as many
# The words before the records of calls: how many calls, iterations and groups there are.
CALL_COUNT, ITERATION_COUNT, GROUP_COUNT = range(3)
HEADER_WORDS: Final = 3
# The words of a reference: an address, an offset, and strides between iterations and groups.
BASE, OFFSET, STRIDE, GROUP_STRIDE = range(4)
REFERENCE_WORDS: Final = 4
# The words of the record of a call: the function, how many arguments it has, then the references of
# the guard and the arguments.
FUNCTION, ARGUMENT_COUNT, GUARD = range(3)
FIRST_ARGUMENT: Final = GUARD + REFERENCE_WORDS
RECORD_WORDS: Final = FIRST_ARGUMENT + REFERENCE_WORDS * MAX_ARGUMENTS
ALIGNMENT: Final = 64
WORD_BYTES: Final = 8
# Each group works in a thread, and has scratch memory of its own.
MAX_GROUPS: Final = 16  # of a batch, each with scratch memory of its own
MAX_GROUPED_BYTES: Final = 1 << 26  # of the scratch memory of all groups

# A batch of small matrices takes several threads, a matrix each; the library divides a larger
# matrix among its own threads.
LARGEST_CONCURRENT: Final = 128  # matrices of a batch that are divided among threads
# OpenBLAS itself uses one thread below, and gains by more of them above.
ONE_THREAD_SIZES: Final = range(33, 257)

Space = Literal["operand", "result", "scratch", "parameters"]


@dataclass(frozen=True, slots=True)
class Reference:
    """The address of an argument of a call.

    Attributes:
        space: What it is relative to.
        number: The number of the operand or result.
        offset: The bytes from its beginning.
        stride: The bytes from one iteration to the next.
        group_stride: The bytes from one group to the next.
    """

    space: Space
    number: int = 0
    offset: int = 0
    stride: int = 0
    group_stride: int = 0

    def at(self, offset: int) -> Reference:
        """The address some bytes further on."""
        return Reference(
            self.space, self.number, self.offset + offset, self.stride, self.group_stride
        )


@dataclass(frozen=True, slots=True)
class NativeCall:
    """A call of a native function, all of whose arguments are addresses.

    Attributes:
        function: The name of the function.
        arguments: Its arguments.
        guard: Where an i32 is that must be 0, or the call is left out.
    """

    function: str
    arguments: Sequence[Reference]
    guard: Reference | None = None


@dataclass(frozen=True, slots=True)
class CallSequence:
    """Calls that are carried out one after the other, for each iteration.

    Iterations are divided into groups, which may run at the same time. All numbers may be symbolic
    sizes.

    Attributes:
        calls: The calls of one iteration.
        parameters: Words that never change, and may be addressed.
        scratch_bytes: The memory that the iterations of a group share.
        iterations: How many iterations there are.
        groups: How many groups there are.
        seconds: An estimate of the time of a group.
        kernel: The native function that carries out the sequence.
        is_in_place: Whether each iteration reads its operands before it writes results: these may
            have the memory of operands of the same size.
    """

    calls: Sequence[NativeCall]
    parameters: Sequence[int]
    scratch_bytes: int
    iterations: int
    groups: int
    seconds: float
    kernel: str = RUN
    is_in_place: bool = False


@dataclass(slots=True)
class SequenceBuilder:
    """Collects the calls of an iteration.

    Attributes:
        operand_bytes: The size of each operand in one iteration.
        result_bytes: The size of each result in one iteration.
        calls: The calls so far.
        parameters: The words that are addressed.
        positions: Where each sequence of words is among them.
        scratch_bytes: The scratch memory so far.
    """

    operand_bytes: Sequence[int]
    result_bytes: Sequence[int]
    calls: list[NativeCall] = field(default_factory=list[NativeCall])
    parameters: list[int] = field(default_factory=list[int])
    positions: dict[tuple[int, ...], int] = field(default_factory=dict[tuple[int, ...], int])
    scratch_bytes: int = 0

    def operand(self, number: int) -> Reference:
        """Refers to an operand, which advances by its bytes with each matrix of the batch."""
        return Reference("operand", number, stride=self.operand_bytes[number])

    def result(self, number: int, least: int = 1) -> Reference:
        """A result, or scratch memory in its place if it is missing or shorter than ``least``."""
        if number < len(self.result_bytes) and self.result_bytes[number] >= least:
            return Reference("result", number, stride=self.result_bytes[number])
        return self.scratch(least)

    def scratch(self, size: int) -> Reference:
        """Memory that keeps its contents until the end of the iteration."""
        offset = self.scratch_bytes
        self.scratch_bytes += -(-max(size, 1) // ALIGNMENT) * ALIGNMENT
        return Reference("scratch", offset=offset)

    def number(self, value: int) -> Reference:
        """A word with a number, whose lower half is the number as an i32."""
        return self.words(value)

    def words(self, *values: int) -> Reference:
        """Words that never change, one after the other."""
        if values not in self.positions:
            self.positions[values] = len(self.parameters)
            self.parameters += values
        return Reference("parameters", offset=WORD_BYTES * self.positions[values])

    def count_of_iteration(self, total: int, most: int) -> Reference:
        """A word with what an iteration has of a total: so many, and the last one the rest."""
        iterations = -(-total // most)
        if not is_symbolic(iterations):
            counts = [most] * iterations
            counts[-1] = total - most * (iterations - 1)
            return replace(self.words(*counts), stride=WORD_BYTES)
        count = self.scratch(WORD_BYTES)
        here, end = Reference("parameters", stride=most), Reference("parameters", offset=total)
        self.call("remaining", count, here, end, self.number(most))
        return count

    def factor(self, number: int | None, element: DTypeLike) -> Reference:
        """The operand that scales, or the number 1 as an element if there is none."""
        if number is not None:
            return Reference("operand", number)
        raw = np.ones(1, element).tobytes()
        words = np.frombuffer(raw.ljust(-(-len(raw) // WORD_BYTES) * WORD_BYTES, b"\0"), np.int64)
        return self.words(*words.tolist())

    def letter(self, value: str) -> Reference:
        """A word whose first byte is a letter."""
        return self.number(ord(value))

    def call(self, function: str, *arguments: Reference, guard: Reference | None = None) -> None:
        """Appends a call of a native function, which ``guard`` may skip."""
        assert len(arguments) <= MAX_ARGUMENTS
        self.calls.append(NativeCall(PREFIX + function, arguments, guard))

    def sequence(
        self, iterations: int, seconds: float, *, concurrent: bool, kernel: str = RUN
    ) -> CallSequence:
        """The calls for a number of iterations, each of which takes so many seconds."""
        groups = 1
        if concurrent:  # some of them are empty if there turn out to be fewer iterations
            most = MAX_GROUPS if is_symbolic(iterations) else iterations
            groups = max(
                1, min(most, MAX_GROUPS, MAX_GROUPED_BYTES // typical_of(self.total_bytes))
            )
        return CallSequence(
            [grouped_call(call, self.total_bytes) for call in self.calls],
            self.parameters, self.total_bytes, iterations, groups,
            iterations * seconds / groups, kernel,
        )  # fmt: skip

    @property
    def total_bytes(self) -> int:
        """The scratch memory of a group."""
        return max(self.scratch_bytes, ALIGNMENT)


def kernel_for(largest: int) -> str:
    """The kernel for calls of LAPACK for matrices of a largest size."""
    return RUN_WITH_ONE_THREAD if is_within(largest, ONE_THREAD_SIZES) else RUN


def is_within(size: int, sizes: range) -> bool:
    """Whether a size is one of consecutive sizes."""
    return sizes.start <= size < sizes.stop


def grouped_call(call: NativeCall, stride: int) -> NativeCall:
    """A call whose scratch memory differs between groups."""
    arguments = [in_group(argument, stride) for argument in call.arguments]
    guard = None if call.guard is None else in_group(call.guard, stride)
    return NativeCall(call.function, arguments, guard)


def in_group(reference: Reference, stride: int) -> Reference:
    """An address in the memory of its group."""
    if reference.space != "scratch":
        return reference
    return Reference("scratch", offset=reference.offset, group_stride=stride)


@dataclass(frozen=True, slots=True)
class OwnRoutine(ABC):
    """A routine of LAPACK or BLAS that is generated here, for matrices of real numbers.

    Attributes:
        routine: Its name.
        letter: BLAS's letter for the element type.
        batch: How many matrices there are.
        sizes: The sizes of dimensions, by their letters.
        options: The options of the routine.
        alpha: The number of the operand that scales; None for 1.
        operand_bytes: The sizes of the operands for one matrix.
        result_bytes: The sizes of the results for one matrix.
        whole_batch: How many matrices there are on all devices that share the batch.
    """

    routine: str
    letter: str
    batch: int
    sizes: Mapping[str, int]
    options: Mapping[str, Any]
    alpha: int | None
    operand_bytes: Sequence[int]
    result_bytes: Sequence[int]
    whole_batch: int

    @abstractmethod
    def fits(self) -> bool:
        """Whether there is such a routine, and it pays."""

    @abstractmethod
    def calls(self) -> CallSequence:
        """The calls for all matrices."""
