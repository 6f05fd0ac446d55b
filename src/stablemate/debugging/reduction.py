"""Reduction: the least of a program, and of its inputs, that still shows something.

What a piece of a program takes from elsewhere becomes arguments; they get the values that they had
in the interpreter. So a single operation can stand for a program of thousands. In this order: calls
are inlined; operations go; blocks of control flow take the place of the operation they belong to;
operations inside of what is left give way; then results, sizes, literals and attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from stablemate.api.loading import module_of
from stablemate.api.module import Module
from stablemate.debugging.minimal import minimal
from stablemate.debugging.operations import body_operations, count, main_of, without_convention
from stablemate.debugging.recording import NEVER, RecordedValues, arrays, record_values
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError, StablemateError, VerifyError
from stablemate.execution.observe.listener import CONTROL_FLOW
from stablemate.formats.recognition import Readable
from stablemate.ir import core
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.types import TensorType, Type
from stablemate.transforms.dead_code import without_dead_code
from stablemate.transforms.excerpt import Excerpt, Uses, excerpt
from stablemate.transforms.inline import inline
from stablemate.transforms.shrinking.plainer import with_splats, without_discardable
from stablemate.transforms.shrinking.pruning import prunable, prune_operations
from stablemate.transforms.shrinking.resizing import corner, resize_module, sizes_of
from stablemate.transforms.strip_debuginfo import strip_debuginfo

MOST_ITERATIONS: Final = 16  # of a loop that are tried


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program, and what to call it with.

    Attributes:
        module: The program; its function is ``main``.
        arguments: Its arguments; None if there are none to be had.
    """

    module: Module
    arguments: Sequence[Any] | None


@dataclass(frozen=True, slots=True)
class ReducedProgram:
    """The least program with which a check holds.

    Attributes:
        module: The program.
        arguments: What to call it with.
        operations: How many operations it has, constants and terminators aside.
        before: How many the whole program has.
        tried: How many programs were checked.
    """

    module: Module
    arguments: Sequence[Any] | None
    operations: int
    before: int
    tried: int


Check: TypeAlias = Callable[[Candidate], bool]


def reduce(
    source: Readable | Module, check: Check, *arguments: object,
    report: Callable[[str], object] = lambda text: None,
) -> ReducedProgram:  # fmt: skip
    """The least of a program with which a check holds, as it does with the whole of it.

    Args:
        source: The program, or what ``load`` takes; HLO is translated to StableHLO.
        check: Whether a program still shows what is looked for. A valid program is only tried in
            pieces that are valid.
        *arguments: What the program is called with. Without them programs are tried without inputs.
        report: Told what was found, from time to time.

    Raises:
        ArgumentValueError: The check fails for the original program.
        ArgumentError: An argument does not fit.
    """
    module, inputs = without_convention(module_of(source), arguments)
    return Reducer(module, check, inputs or None, report).run()


class Reducer:
    """Reduces one program.

    Attributes:
        best: The least program that is known to be enough.
        tried: How many programs were checked.
    """

    def __init__(
        self, module: Module, check: Check, arguments: Sequence[object] | None,
        report: Callable[[str], object],
    ) -> None:  # fmt: skip
        self.check = check
        self.report = report
        self.best = Candidate(module, arguments)
        self.tried = 0
        self.is_valid = validity(module)
        self.before = count(module.ir)

    def run(self) -> ReducedProgram:
        """The least program.

        Raises:
            ArgumentValueError: The check fails for the original program.
        """
        if not self.holds(self.best):
            message = "the check fails for the original program: there is nothing to reduce"
            raise ArgumentValueError(message)
        self.try_module(inline(self.best.module.ir))
        self.fewer_operations()
        self.pruned_regions()
        self.fewer_results()
        self.smaller_sizes()
        for simpler in (with_splats, without_discardable, strip_debuginfo):
            self.try_module(simpler(self.best.module.ir))
        operations = count(self.best.module.ir)
        return ReducedProgram(
            self.best.module, self.best.arguments, operations, self.before, self.tried
        )

    # ---- questions

    def holds(self, candidate: Candidate) -> bool:
        """Whether a program is enough; then it is the best one."""
        if self.is_valid and not validity(candidate.module):
            return False
        self.tried += 1
        if not self.check(candidate):
            return False
        self.best = candidate
        return True

    def try_module(self, ir: core.Module, arguments: Sequence[object] | None = None) -> bool:
        """Whether a program is enough, with other arguments if they are given."""
        inputs = self.best.arguments if arguments is None else arguments
        return ir is not self.best.module.ir and self.holds(Candidate(Module(ir), inputs))

    # ---- steps

    def fewer_operations(self) -> None:
        """As few operations as can be; blocks take the place of the operation they belong to."""
        ir, inputs = self.best.module.ir, self.best.arguments
        function = main_of(ir)
        if function is None or not function.body.blocks:
            return
        recording = RecordedValues() if inputs is None else record_values(self.best.module, inputs)
        uses = Uses(ir)
        chosen = self.few(uses, body_operations(function.body.block), recording, NEVER)
        descending = True
        while descending and chosen:
            descending = False
            for block, moment in blocks_in(chosen, recording):
                inner = body_operations(block)
                if inner and self.is_enough(uses, inner, recording, moment):
                    chosen = self.few(uses, inner, recording, moment)
                    descending = True
                    break

    def few(
        self, uses: Uses, operations: Sequence[Operation], recording: RecordedValues, moment: int
    ) -> Sequence[Operation]:
        """As few of some operations as are enough."""
        needed = minimal(operations, lambda some: self.is_enough(uses, some, recording, moment))
        self.report(f"{len(needed)} of {len(operations)} operations are enough")
        return needed

    def is_enough(
        self, uses: Uses, operations: Sequence[Operation], recording: RecordedValues, moment: int
    ) -> bool:
        """Whether some operations are, with the values that they had in the program."""
        if not operations:
            return False
        piece = excerpt(uses, operations)
        candidate = self.of_excerpt(piece, recording, moment)
        return candidate is not None and self.holds(candidate)

    def of_excerpt(
        self, piece: Excerpt, recording: RecordedValues, moment: int
    ) -> Candidate | None:
        """An excerpt with its arguments; None if they are not known."""
        if self.best.arguments is None:
            return Candidate(Module(piece.module), None)
        values = recording.of(piece.arguments, moment)
        return None if values is None else Candidate(Module(piece.module), arrays(values))

    def pruned_regions(self) -> None:
        """Prunes operations in the remaining regions."""
        ir = self.best.module.ir
        inner = list(prunable(ir))

        def is_enough(kept: Sequence[Operation]) -> bool:
            dropped = set(inner) - set(kept)
            return not dropped or self.try_module(prune_operations(ir, dropped))

        if inner:
            kept = minimal(inner, is_enough)
            self.report(f"{len(kept)} of {len(inner)} operations in regions are enough")

    def fewer_results(self) -> None:
        """As few results as can be."""
        ir = self.best.module.ir
        function = main_of(ir)
        if function is None or len(function.body.blocks) != 1:
            return
        block = function.body.block
        returned = list(block.terminator.operands)
        inputs = self.best.arguments
        argument_values: dict[Value[Type], object] = dict(
            zip(block.arguments, inputs or (), strict=False)
        )

        def is_enough(results: Sequence[Value[Type]]) -> bool:
            if not results:
                return False
            needed = backward_slice(results)
            piece = excerpt(Uses(ir), [e for e in body_operations(block) if e in needed], results)
            if inputs is None:
                return self.holds(Candidate(Module(piece.module), None))
            arguments = [argument_values.get(argument) for argument in piece.arguments]
            return self.holds(Candidate(Module(piece.module), arguments))

        if len(set(returned)) == len(returned) > 1 and not set(returned) & set(block.arguments):
            minimal(returned, is_enough)
        self.try_module(without_dead_code(self.best.module.ir))

    def smaller_sizes(self) -> None:
        """Sizes as small as can be, the largest ones first."""
        for size in sorted(set(sizes_of(self.best.module.ir)), reverse=True):
            smaller = [number for number in (1, 2, 3) if number < size]
            half = size // 2
            while half > 3:
                smaller.append(half)
                half //= 2
            for new in smaller:
                if self.with_size(size, new):
                    self.report(f"size {size} becomes {new}")
                    break

    def with_size(self, size: int, new: int) -> bool:
        """Whether another size is enough, alone or with those that are multiples of it."""
        ir = self.best.module.ir
        multiples = {
            old_size: old_size // size * new
            for old_size in sizes_of(ir)
            if old_size % size == 0 and old_size
        }
        assignments = [{size: new}] if len(multiples) == 1 else [{size: new}, multiples]
        return any(self.is_resized(sizes) for sizes in assignments)

    def is_resized(self, sizes: dict[int, int]) -> bool:
        """Whether other sizes are enough, with the corners of the arguments."""
        ir = resize_module(self.best.module.ir, sizes)
        function, inputs = main_of(ir), self.best.arguments
        if function is None or inputs is None:
            return self.try_module(ir)
        types = function.type.inputs
        cut = [
            corner(value, value_type.shape)
            if isinstance(value_type, TensorType) and value is not None
            else value
            for value, value_type in zip(inputs, types, strict=True)
        ]
        return self.try_module(ir, cut)


def validity(module: Module) -> bool:
    """Whether a program is valid."""
    try:
        module.verify_executable()
    except VerifyError:
        return False
    except StablemateError:
        return False
    return True


def backward_slice(results: Sequence[Value[Type]]) -> set[Operation]:
    """The operations that values depend on, directly or through others (the backward slice)."""
    operations: set[Operation] = set()
    pending = list(results)
    while pending:
        value = pending.pop()
        operation = getattr(value, "operation", None)
        if operation is not None and operation not in operations:
            operations.add(operation)
            pending += [operand for inner in operation.walk() for operand in inner.operands]
    return operations


def blocks_in(
    operations: Sequence[Operation], recording: RecordedValues
) -> Iterator[tuple[Block, int]]:
    """The blocks of control flow that operations have, each with moments to try it at."""
    for operation in operations:
        if operation.name not in CONTROL_FLOW:
            continue
        for region in operation.regions:
            for block in region.blocks[:1]:
                for moment in recording.moments(block, MOST_ITERATIONS):
                    yield block, moment
