"""Builds the program image of a plan whose sizes are symbolic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stablemate.compiler.library_calls.calls import WORD_BYTES, CallSequence, Reference
from stablemate.compiler.loops.statements import Kernel
from stablemate.compiler.loops.verifier import extent_of
from stablemate.compiler.plan.buffer_assignment import lifetimes
from stablemate.compiler.plan.image_builder import (
    COPY_BLOCK_SECONDS,
    ImageBuilder,
)
from stablemate.compiler.plan.plan import Branch, Copy, Launch, Plan, Request, Slot, Step
from stablemate.compiler.program.image import COPY_BLOCKS
from stablemate.compiler.program.sized_image import SizedImage, SizedLaunch
from stablemate.compiler.runtime.native.step_loop import COPY_BLOCK_BYTES, RECORD_WORDS
from stablemate.compiler.schedule.parallel_chunks import KernelWork
from stablemate.ir.core import Operation
from stablemate.numerics.size_functions import condition_text, evaluation_text
from stablemate.numerics.symbolic_sizes import Assumptions, Size, SizeLike, is_symbolic


class SizedImageBuilder(ImageBuilder):
    """Builds the image of a plan with symbolic sizes; values stand for what depends on them."""

    def __init__(
        self, plan: Plan, arguments: int, names: Mapping[str, str],
        kernel_sizes: Mapping[str, Sequence[Size]], *, check: bool = False,
    ) -> None:  # fmt: skip
        """Creates an image builder.

        Args:
            plan: The plan.
            arguments: How many arguments the program has.
            names: The function of each kernel.
            kernel_sizes: The sizes that each function loads.
            check: Whether kernels are checked.
        """
        super().__init__(plan, arguments, names, None, {}, check=check)
        self.kernel_sizes = kernel_sizes
        self.values: dict[tuple[str, Any], int] = {}
        self.value_words: list[tuple[int, int]] = []
        self.launches: list[SizedLaunch] = []
        self.work: dict[str, KernelWork] = {}
        self.parameter_words: list[int] = []  # that hold the address of parameters of calls

    def sized_image(
        self, assumptions: Assumptions, sizes: Sequence[SizeLike],
        typical: Sequence[Sequence[int]], results: Sequence[Sequence[SizeLike]],
    ) -> SizedImage:  # fmt: skip
        """The image.

        Args:
            assumptions: What is assumed of sizes; nothing is assumed after this.
            sizes: What the dynamic sizes of the arguments are.
            typical: The shapes of the arguments for which the plan was made.
            results: The shapes of the results.
        """
        image = self.image()
        lifetime = lifetimes(self.plan)
        numbers = {slot: number for number, slot in enumerate(lifetime)}
        slots = [(self.value(slot.bytes), *steps) for slot, steps in lifetime.items()]
        by_word = {word: slot for slot, words in self.address_words.items() for word in words}
        shapes = [[self.value(size) for size in shape] for shape in results]
        return SizedImage(
            image=image,
            typical=typical,
            variables=[variable_of(size) for size in sizes],
            fixed=[0 if isinstance(size, Size) else size for size in sizes],
            condition=condition_text(assumptions),
            evaluation=evaluation_text(assumptions, [value for _, value in self.values]),
            value_words=np.array(self.value_words, np.int64).reshape(-1, 2),
            local_slots=np.array(slots, np.int64).reshape(-1, 3),
            arena_slots=np.array(
                [numbers[by_word[word]] for word in self.arena_relocations], np.int64
            ),
            launches=self.launches,
            copy_seconds=self.seconds,
            may_be_short=not self.has_back_edges and not self.check,
            results=shapes,
        )

    def value(self, value: Any) -> int:
        """The number of a value."""
        key: tuple[str, Any] = (type(value).__name__, value)  # 1 is not 1.0
        return self.values.setdefault(key, len(self.values))

    def add_value(self, value: Any) -> None:
        """Adds a word that holds a value."""
        self.value_words.append((len(self.words), self.value(value)))
        self.words.append(0)

    def write_step(self, number: int, step: Step, loop: Operation | None) -> None:
        """Writes the record of a step; the sizes that a kernel loads follow its buffers."""
        at = RECORD_WORDS * number
        match step:
            case Launch(kernel, slots):
                self.write_kernel(at, kernel, slots)
            case Copy(source, target) if is_symbolic(source.bytes):
                blocks = -(-source.bytes // COPY_BLOCK_BYTES)
                self.write_launch(at, COPY_BLOCKS, (target, source), blocks, COPY_BLOCK_SECONDS)
                self.add_value(source.bytes)
            case _:
                super().write_step(number, step, loop)

    def write_kernel(self, at: int, kernel: Kernel, slots: Sequence[Slot]) -> None:
        """Writes the record of the launch of a kernel."""
        function = self.function_names[kernel.name]
        if function not in self.work:
            self.work[function] = KernelWork(kernel)
        work = self.work[function]
        is_repeated = kernel.repeated is not None
        iterations = 1 if is_repeated and self.check else kernel.steps
        self.write_launch(at, function, slots, iterations, work.seconds)
        self.launches[-1] = self.launches[-1]._replace(
            transfers=[(self.value(size), self.value(all_)) for size, all_ in work.transfers],
            is_repeated=is_repeated,
        )
        self.words[at + 6] = is_repeated
        if self.check:
            self.add_extents(kernel, slots)
        for size in self.kernel_sizes[function]:
            self.add_value(size)

    def write_library_calls(self, at: int, step: Request, calls: CallSequence) -> None:
        """Writes the record of library calls, and their parameters behind it if they are sizes."""
        self.parameter_words = []
        super().write_library_calls(at, step, calls)
        first = len(self.words)
        for word in self.parameter_words:
            self.words[word] = WORD_BYTES * first
        if self.parameter_words:
            for parameter in calls.parameters:
                self.add_number(parameter)

    def add_number(self, number: Any) -> None:
        """Adds a word that holds a number or a size."""
        if is_symbolic(number):
            self.add_value(number)
        else:
            super().add_number(number)

    def add_base(self, at: int, step: Request, reference: Reference) -> None:
        """Makes a word the address that an argument of a library call is relative to."""
        assert step.calls is not None
        if reference.space == "parameters" and any(map(is_symbolic, step.calls.parameters)):
            self.word_relocations.append(at)
            self.parameter_words.append(at)
        else:
            super().add_base(at, step, reference)

    def write_launch(
        self, at: int, function: str, slots: Sequence[Slot], steps: Any, seconds: Any
    ) -> None:
        """Writes the record of a launch, without what depends on sizes."""
        self.launches.append(SizedLaunch(at, self.value(steps), self.value(seconds)))
        self.write_function(at, function, slots)

    def write_repeated_launch(self, number: int, target: int) -> None:
        """Lets the back edge of a loop launch its body, if that is one launch and short."""
        exit_step, body = self.plan.steps[target], self.plan.steps[number - 1]
        if not isinstance(exit_step, Branch) or not isinstance(body, Launch):
            return
        if exit_step.targets != [number + 1, number - 1]:
            return
        at, launch = RECORD_WORDS * number, RECORD_WORDS * (number - 1)
        self.write_back_edge(at, launch, exit_step.slot)
        self.launches[-1] = self.launches[-1]._replace(back_edge=at)

    def add_extents(self, kernel: Kernel, slots: Sequence[Slot]) -> None:
        """Adds the address of the report and the extents, which are verified to fit the slots."""
        self.report_address_words.append(len(self.words))
        self.words.append(0)
        for buffer in kernel.arguments:
            self.add_value(extent_of(buffer))

    def accessible_bytes(self, slot: Slot) -> int:
        """The bytes of a slot; those in the arena are inside for all sizes."""
        return slot.bytes if slot.origin == "local" else super().accessible_bytes(slot)

    def reusable_arguments(self) -> Sequence[tuple[int, int]]:
        """None: which arguments are read last is not known for all sizes."""
        return ()


def variable_of(size: SizeLike) -> int:
    """The number of the variable that a size is; -1 for a number."""
    if not isinstance(size, Size):
        return -1
    ((number,),) = size.terms
    return number
