"""The translation of one module: bodies of computations, and which of them become functions."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, VerifyError
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.diagnostics.source import Span
from stablemate.dialects.fresh_names import FreshNames
from stablemate.dialects.mhlo.counterparts import FIRST_STATE
from stablemate.dialects.mhlo.frontend_attributes import FRONTEND_ATTRIBUTES
from stablemate.fork_safety import cached_property
from stablemate.ir.attributes import DictionaryAttribute
from stablemate.ir.core import Block, Operation, Region
from stablemate.ir.locations import Location
from stablemate.ir.shapes import compatible
from stablemate.ir.types import FutureType
from stablemate.xla.kinds import called_computations
from stablemate.xla.module import Attributes, HloComputation, HloInstruction, HloModule
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.shape import Shape
from stablemate.xla.translate.losses import Losses
from stablemate.xla.translate.to_stablehlo.locations import InstructionLocations
from stablemate.xla.translate.to_stablehlo.metadata import Spelling, discardable
from stablemate.xla.translate.to_stablehlo.rules.table import RULES
from stablemate.xla.translate.to_stablehlo.step import (
    AnyValue,
    StepOperand,
    TranslationStep,
    Values,
)
from stablemate.xla.translate.to_stablehlo.unplaced import (
    ReadAttributes,
    Surroundings,
    report_metadata,
    report_notes,
    report_unread,
    surroundings,
)
from stablemate.xla.types import type_of
from stablemate.xla.values import ProgramShape

ENTRY: Final = "main"
# Ends that wait, with what they may end.
STARTS: Final = {
    "all-reduce-done": "all-reduce-start",
    "all-gather-done": "all-gather-start",
    "collective-permute-done": "collective-permute-start",
    "async-done": "async-start",
}
OPENING: Final = frozenset(STARTS.values())
RANDOM: Final = "rng-get-and-update-state"


class Translation:
    """The state of the translation of a module.

    Attributes:
        module: The module.
        keep_fusions: Whether fusions become calls.
        spelling: How texts inside attributes are written and read.
        symbols: The names of computations that are functions.
        pending: Those of them that are still to be translated.
        callers: How many instructions name each computation.
        nesting: How many computations are open.
        regions: How many regions are open.
        paired: Starts of which nothing but their ends makes use, by identity.
        state: The state of random numbers.
        losses: What StableHLO has no place for.
        locations: The locations of instructions.
    """

    def __init__(
        self,
        module: HloModule,
        keep_fusions: bool,
        spelling: Spelling,
        losses: Losses | None = None,
    ) -> None:
        self.module = module
        self.keep_fusions = keep_fusions
        self.spelling = spelling
        self.symbols: dict[str, str] = {module.entry: ENTRY}
        self.used_symbols = FreshNames([ENTRY])
        self.pending: deque[str] = deque()
        self.callers = Counter(callee for name in module.by_name for callee in self.called_by(name))
        self.nesting = 0
        self.regions = 0
        self.paired: set[int] = set()
        self.state = FIRST_STATE
        self.losses = losses or Losses("StableHLO")
        self.locations = InstructionLocations(module.stack_frames)

    @property
    def replicas(self) -> int:
        """How many replicas run it."""
        return self.module.replica_count

    @property
    def partitions(self) -> int:
        """How many partitions run it."""
        return self.module.num_partitions

    # ---- computations

    def computation(self, name: str, span: Span | None) -> HloComputation:
        """The computation of a name.

        Raises:
            VerifyError: There is none.
        """
        computation_ = self.module.by_name.get(name)
        if computation_ is None:
            message = "a called computation is defined"
            raise VerifyError(Diagnostic(message, "computations", span, {"computation": name}))
        return computation_

    def called_by(self, name: str) -> Iterator[str]:
        """The computations that the instructions of one name, as often as they do."""
        for instruction in self.module.by_name[name].instructions:
            yield from called_computations(instruction.attributes)

    def signature(self, computation: str, span: Span | None) -> ProgramShape:
        """The parameter shapes and the result shape of a computation."""
        return self.computation(computation, span).program_shape

    def region(self, computation: str, step: TranslationStep) -> Region:
        """A computation as a region; the leaves of its parameters are the arguments."""
        parameters = self.computation(computation, step.span).parameters
        shapes = [parameter.shape for parameter in parameters]
        types = [type_of(leaf) for shape in shapes for _, leaf in shape.leaves()]
        block = Block(types, self.places(parameters))
        return self.fill_region(block, computation, group_leaves(shapes, block.arguments), step)

    def places(self, parameters: Sequence[HloInstruction]) -> list[Location]:
        """The location of each leaf of some parameters."""
        return [
            self.locations.of_instruction(parameter)
            for parameter in parameters
            for _ in range(parameter.shape.leaf_count)
        ]

    def branch(
        self, computation: str, operands: Sequence[StepOperand], step: TranslationStep
    ) -> Region:
        """A computation as a region without arguments, its parameters these operands."""
        return self.fill_region(Block(), computation, operands, step)

    def fill_region(
        self, block: Block, computation: str, operands: Sequence[StepOperand], step: TranslationStep
    ) -> Region:
        """The region of a block that returns the results of a computation."""
        inner = step.within(block)
        self.regions += 1
        results = self.inline(computation, operands, inner)
        self.regions -= 1
        inner.append("stablehlo.return", results=(), values=results)
        return Region([block])

    def inline(
        self, computation: str, operands: Sequence[StepOperand], step: TranslationStep
    ) -> Values:
        """The leaves of the results of a computation on these operands, inlined.

        What several instructions name and itself names others is called nevertheless, or programs
        could grow without bound.
        """
        if self.callers[computation] > 1 and any(self.called_by(computation)):
            return self.call(computation, operands, step)
        return self.body(
            self.computation(computation, step.span), operands, step.block, step.attributes
        )

    def function(self, computation: str, step: TranslationStep) -> str:
        """The symbol of a computation that becomes a function."""
        if computation not in self.symbols:
            self.computation(computation, step.span)
            self.symbols[computation] = self.used_symbols.take(computation)
            self.pending.append(computation)
        return self.symbols[computation]

    def call(
        self, computation: str, operands: Sequence[StepOperand], step: TranslationStep
    ) -> Values:
        """The leaves of the results of a function on these operands.

        What advances the state of random numbers is computed on the spot: a function has no state.
        """
        if computation in self.advancing:
            inlined = self.computation(computation, step.span)
            return self.body(inlined, operands, step.block, step.attributes)
        signature = self.signature(computation, step.span)
        check_arguments(signature, operands, step.span)
        return step.append(
            "func.call",
            results=[type_of(leaf) for _, leaf in signature.result.leaves()],
            callee=self.function(computation, step),
            inputs=[value for operand in operands for value in operand.values],
        ).results

    # ---- what rules ask besides

    @cached_property
    def advancing(self) -> frozenset[str]:
        """The computations that advance the state of random numbers, themselves or by calls."""
        names: set[str] = set()
        for name, computation in self.module.by_name.items():  # callees before callers
            own = any(instruction.opcode == RANDOM for instruction in computation.instructions)
            if own or not names.isdisjoint(self.called_by(name)):
                names.add(name)
        return frozenset(names)

    def advanced_state(self, delta: int, step: TranslationStep) -> int:
        """The state of the module's random numbers, which grows by this.

        Raises:
            UnsupportedError: It is not known how often the instruction runs.
        """
        if self.regions:
            step.refuse_unsupported("the state of random numbers is advanced in a loop or branch")
        state = self.state
        self.state += delta
        return state

    def dictionary(self, text: str, step: TranslationStep) -> object:
        """The attribute that MLIR spells so.

        Raises:
            UnsupportedError: Nobody said how to read it.
        """
        if self.spelling.attribute is None:
            step.refuse_unsupported("a dictionary in MLIR's syntax is not read here", text=text)
        dictionary = self.spelling.attribute(text)
        if not isinstance(dictionary, DictionaryAttribute):
            step.refuse("the configuration is a dictionary", text=text)
        return dictionary

    # ---- bodies

    @contextmanager
    def nested(self, computation: HloComputation) -> Generator[None]:
        """Counts a computation that is open.

        Raises:
            LimitError: Too many are.
        """
        if self.nesting >= DEFAULT_LIMITS.nesting:
            message = f"computations are nested more than {DEFAULT_LIMITS.nesting} deep"
            raise LimitError(message, span=computation.span)
        self.nesting += 1
        try:
            yield
        finally:
            self.nesting -= 1

    def report_unreached(self) -> None:
        """Records the computations that the entry does not call."""
        reached: set[str] = set()
        pending = [self.module.entry]
        while pending:
            name = pending.pop()
            if name not in reached:
                reached.add(name)
                pending += self.called_by(name)
        for computation in self.module.computations:
            if computation.name not in reached:
                holder = "computation that the entry does not call"
                self.losses.add("the body", holder, computation.span, computation.name)

    def body(
        self,
        computation: HloComputation,
        operands: Sequence[StepOperand],
        block: Block,
        caller: Attributes | None = None,
    ) -> Values:
        """The leaves of the results of a computation; its operations are appended to a block.

        Args:
            computation: The computation.
            operands: The values of its parameters.
            block: The block.
            caller: The attributes of the instruction that it is inlined for; None for a function.
        """
        check_arguments(computation.program_shape, operands, computation.span)
        values_by_name: dict[str, StepOperand] = {}
        self.paired |= paired_starts(computation)
        around = surroundings(computation, caller)
        with self.nested(computation):
            for instruction in in_order(computation):
                if instruction.opcode == "parameter":
                    number: int = instruction.attributes["parameter_number"]
                    values_by_name[instruction.name] = operands[number]
                    if caller is not None:
                        report_notes(self.losses, instruction, around)
                else:
                    values_by_name[instruction.name] = self.instruction(
                        instruction, values_by_name, block, around
                    )
        return values_by_name[computation.root].values

    def instruction(
        self,
        instruction: HloInstruction,
        operands_by_name: dict[str, StepOperand],
        block: Block,
        around: Surroundings,
    ) -> StepOperand:
        """The value of an instruction."""
        span = instruction.span
        missing = [operand for operand in instruction.operands if operand not in operands_by_name]
        if missing:
            message = "an operand is defined before its use"
            raise VerifyError(Diagnostic(message, "operands", span, {"operand": missing[0]}))
        check_count(instruction)
        attributes = ReadAttributes(instruction.attributes)
        step = TranslationStep(
            instruction.opcode,
            [operands_by_name[operand] for operand in instruction.operands],
            attributes,
            instruction.shape,
            block,
            self,
            instruction.name,
            self.locations.of_instruction(instruction),
            span,
            id(instruction) in self.paired,
        )
        first = len(block.operations)
        values = tuple(RULES[instruction.opcode](step))
        report_unread(self.losses, instruction, attributes)
        created = block.operations[first:]
        if created and stands_for(created[-1], instruction):
            self.annotate(created[-1], instruction)
        else:
            report_notes(self.losses, instruction, around)
        check_result(instruction, values)
        return StepOperand(instruction.shape, values)

    def annotate(self, operation: Operation, instruction: HloInstruction) -> None:
        """Adds to an operation what its instruction says.

        It may have attributes already: of the root of a computation that was inlined.
        """
        own, notes = operation.discardable, discardable(instruction, self.spelling)
        before, entries = own.get(FRONTEND_ATTRIBUTES), notes.get(FRONTEND_ATTRIBUTES)
        if isinstance(before, DictionaryAttribute) and isinstance(entries, DictionaryAttribute):
            notes[FRONTEND_ATTRIBUTES] = DictionaryAttribute({**before.entries, **entries.entries})
            if any(entries.get(name, value) != value for name, value in before.entries.items()):
                self.losses.add("frontend_attributes", "fused root", instruction.span, before)
        for name in own.keys() & notes.keys() - {FRONTEND_ATTRIBUTES}:
            if own[name] != notes[name]:
                self.losses.add(name, "fused root", instruction.span, own[name])
        if "metadata" in instruction.attributes:
            location = self.locations.of_instruction(instruction)
            if location != operation.location:  # that of the root of an inlined computation
                self.losses.add("metadata", instruction.opcode, instruction.span, location)
        own.update(notes)
        report_metadata(self.losses, instruction)


def stands_for(operation: Operation, instruction: HloInstruction) -> bool:
    """Whether an operation has the results of an instruction, or what is to become them."""
    results = operation.results
    is_future = len(results) == 1 and isinstance(results[0].type, FutureType)
    return is_future or len(results) == instruction.shape.leaf_count


def paired_starts(computation: HloComputation) -> set[int]:
    """The starts of a computation whose only use is an end, by identity."""
    starts = {
        instruction.name: instruction
        for instruction in computation.instructions
        if instruction.opcode in OPENING
    }
    if not starts:
        return set()
    users: dict[str, list[HloInstruction]] = {name: [] for name in computation.by_name}
    for instruction in computation.instructions:
        for operand in instruction.operands:
            users.setdefault(operand, []).append(instruction)
    paired: set[int] = set()
    for name, start in starts.items():
        using, handed = users[name], {name}
        while len(using) == 1 and using[0].opcode == "async-update":
            handed.add(using[0].name)
            using = users[using[0].name]
        if len(using) == 1 and using[0].opcode in STARTS and computation.root not in handed:
            paired.add(id(start))
    return paired


def in_order(computation: HloComputation) -> Sequence[HloInstruction]:
    """The instructions in the order in which they run."""
    if computation.schedule is None:
        return computation.instructions
    return [computation.by_name[name] for name in computation.schedule]


def group_leaves(shapes: Sequence[Shape], values: Sequence[AnyValue]) -> list[StepOperand]:
    """Leaves, one after another, as values of these shapes."""
    rest = iter(values)
    return [
        StepOperand(shape, tuple(next(rest) for _ in range(shape.leaf_count))) for shape in shapes
    ]


def check_arguments(
    signature: ProgramShape, operands: Sequence[StepOperand], span: Span | None
) -> None:
    """Refuses operands that parameters do not fit.

    Raises:
        VerifyError: They do not.
    """
    expected = [
        [type_of(leaf) for _, leaf in parameter.leaves()] for parameter in signature.parameters
    ]
    actual = [[value.type for value in operand.values] for operand in operands]
    fits = len(expected) == len(actual) and all(
        len(a) == len(b) and all(map(compatible, a, b))
        for a, b in zip(expected, actual, strict=True)
    )
    if not fits:
        values = {
            "parameters": ", ".join(map(str, signature.parameters)),
            "operands": ", ".join(str(operand.shape) for operand in operands),
        }
        message = "a computation takes the operands of its caller"
        raise VerifyError(Diagnostic(message, "computations", span, values))


def check_count(instruction: HloInstruction) -> None:
    """Refuses unknown opcodes and wrong numbers of operands.

    Raises:
        VerifyError: The opcode is unknown, or takes fewer or more operands.
    """
    row, count = OPCODES.get(instruction.opcode), len(instruction.operands)
    if row is None or not row.least <= count <= row.most:
        values = {"opcode": instruction.opcode, "operands": count}
        message = "the opcode takes so many operands"
        raise VerifyError(Diagnostic(message, "operands", instruction.span, values))


def check_result(instruction: HloInstruction, values: Sequence[AnyValue]) -> None:
    """Refuses a stated shape that the values do not have.

    Raises:
        VerifyError: It is another one.
    """
    if instruction.opcode in ("recv", "infeed"):
        return  # what is received has the stated shape
    if len(values) == 1 and isinstance(values[0].type, FutureType):
        return  # the end of what is under way has the stated shape
    shape = instruction.shape
    if shape.is_array and len(values) == 1 and values[0].type is type_of(shape):
        return
    declared = [type_of(leaf) for _, leaf in shape.leaves()]
    actual = [value.type for value in values]
    if len(declared) != len(actual) or not all(map(compatible, declared, actual)):
        facts = {"result": instruction.shape, "expected": ", ".join(map(str, actual))}
        message = "the result has the shape that follows"
        raise VerifyError(Diagnostic(message, instruction.opcode, instruction.span, facts))
