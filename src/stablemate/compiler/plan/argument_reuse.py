"""Finds the results that may be written over the memory of an argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import (
    ClearTile,
    CombinePartials,
    Fetch,
    Fold,
    Kernel,
    Loop,
    MoveTile,
    MultiplyTiles,
    Statement,
    StoreElement,
    When,
    stored_buffers,
)
from stablemate.compiler.loops.traversal import evaluate_postorder
from stablemate.compiler.loops.verifier import extent_of
from stablemate.compiler.plan.kernel_accesses import KernelAccesses, kernel_accesses
from stablemate.compiler.plan.plan import (
    BranchStep,
    CopySlot,
    EndStep,
    JumpStep,
    LaunchStep,
    Plan,
    PlanBuffer,
    Request,
    Step,
    SwapSlots,
)
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait

ALIAS: Final = "tf.aliasing_output"  # the attributes of arguments that the caller donates
DONOR: Final = "jax.buffer_donor"


def reusable_arguments(plan: Plan) -> list[tuple[int, int]]:
    """The pairs of an argument and a result of the same size that may share memory.

    The argument must not be read after the result is first written. A kernel may read the argument
    and write the result if each element is read only to compute the element in its place, as in an
    elementwise operation.
    """
    arguments = [slot for slot in plan.slots if slot.origin == "argument"]
    sizes = {slot.bytes for slot in arguments if slot.bytes}
    hosts = {slot.host for slot in plan.slots}  # they are written before their first use
    results = [
        slot
        for slot in plan.slots
        if slot.origin == "result" and slot.bytes in sizes and slot not in hosts
    ]
    return ReuseAnalysis(plan, arguments).pairs(results) if results else []


class ReuseAnalysis:
    """The arguments that are read during and after each step of a plan.

    Sets of arguments are integers with one bit for each.
    """

    def __init__(self, plan: Plan, arguments: Sequence[PlanBuffer]) -> None:
        self.arguments = arguments
        self.bits = {slot: 1 << number for number, slot in enumerate(arguments)}
        self.kernels: dict[Kernel, KernelAccesses] = {}
        self.in_place: dict[tuple[Kernel, Buffer, Buffer], bool] = {}
        accesses = [self.accesses(step) for step in plan.steps]
        self.reads = [self.mask(read) for read, _ in accesses]
        self.read_after = self.read_after_each(plan.steps)
        self.writers: dict[PlanBuffer, list[tuple[int, Step]]] = {}
        for number, (_, written) in enumerate(accesses):
            for slot in written:
                self.writers.setdefault(slot, []).append((number, plan.steps[number]))

    def mask(self, slots: Sequence[PlanBuffer]) -> int:
        """The bits of the arguments among slots."""
        bits = 0
        for slot in slots:
            bits |= self.bits.get(slot, 0)
        return bits

    def accesses(self, step: Step) -> tuple[Sequence[PlanBuffer], Sequence[PlanBuffer]]:
        """The slots that a step reads and those that it writes."""
        match step:
            case LaunchStep(kernel, slots):
                if kernel not in self.kernels:
                    self.kernels[kernel] = kernel_accesses(kernel)
                written = self.kernels[kernel].written
                pairs = list(zip(kernel.arguments, slots, strict=True))
                return slots, [slot for buffer, slot in pairs if buffer in written]
            case CopySlot(source, target):
                return [source], [target]
            case BranchStep(slot):
                return [slot], []
            case JumpStep() | EndStep():
                return [], []
            case SwapSlots(first, second):
                return [first, second], [first, second]
            case Request(_, operands, results):
                return [*operands, *results], results

    def read_after_each(self, steps: Sequence[Step]) -> list[int]:
        """The arguments that some later step may read, for each step."""
        after, changed = [0] * len(steps), True
        while changed:
            changed = False
            for number in reversed(range(len(steps))):
                later = 0
                for successor in successors(steps, number):
                    later |= self.reads[successor] | after[successor]
                changed |= later != after[number]
                after[number] = later
        return after

    def pairs(self, results: Sequence[PlanBuffer]) -> list[tuple[int, int]]:
        """The pairs of an argument and one of these results that may share memory."""
        return [
            (argument.position, result.position)
            for result in results
            for argument in self.dead_arguments(result)
            if argument.bytes == result.bytes and self.is_read_in_place(argument, result)
        ]

    def dead_arguments(self, result: PlanBuffer) -> list[PlanBuffer]:
        """The arguments that are not read after the first step that writes a result."""
        read = 0
        for number, _ in self.writers.get(result, ()):
            read |= self.read_after[number]
        return [argument for argument in self.arguments if not read & self.bits[argument]]

    def is_read_in_place(self, argument: PlanBuffer, result: PlanBuffer) -> bool:
        """Whether the steps that write a result read an argument only element by element."""
        return all(
            not self.reads[number] & self.bits[argument]
            or isinstance(step, CopySlot)
            or (isinstance(step, LaunchStep) and self.is_in_place(step, argument, result))
            or (isinstance(step, Request) and is_request_in_place(step, argument, result))
            for number, step in self.writers.get(result, ())
        )

    def is_in_place(self, launch: LaunchStep, argument: PlanBuffer, result: PlanBuffer) -> bool:
        """Whether a launch may write a result over an argument that it reads."""
        key = read_and_written(launch, argument, result)
        if key is None:
            return False
        if key not in self.in_place:
            self.in_place[key] = is_elementwise(*key)
        return self.in_place[key]


def read_and_written(
    launch: LaunchStep, source: PlanBuffer, target: PlanBuffer
) -> tuple[Kernel, Buffer, Buffer] | None:
    """The kernel of a launch with the buffers of two slots; None if it takes one of them twice."""
    pairs = list(zip(launch.kernel.arguments, launch.slots, strict=True))
    sources = [buffer for buffer, slot in pairs if slot is source]
    targets = [buffer for buffer, slot in pairs if slot is target]
    if len(sources) != 1 or len(targets) != 1:
        return None
    return launch.kernel, sources[0], targets[0]


def is_request_in_place(request: Request, source: PlanBuffer, target: PlanBuffer) -> bool:
    """Whether a request may write a result over an operand, which is none of its others."""
    node = request.node
    if request.calls is not None:
        is_read = list(request.operands).count(source) == 1 and source not in request.results
        return request.calls.is_in_place and is_read and target in request.results
    if not has_trait(node.operation, Trait.IN_PLACE):
        return False
    pairs = list(zip(request.operands, request.results, strict=True))
    positions = [k for k, pair in enumerate(pairs) if source in pair or target in pair]
    return (
        len(positions) == 1
        and pairs[positions[0]] == (source, target)
        and node.operands[positions[0]].type == node.results[positions[0]].type
    )


def reads_in_place(step: Step, source: PlanBuffer, target: PlanBuffer) -> bool:
    """Whether a step may write a slot over another of the same size."""
    if source.bytes != target.bytes:
        return False
    if isinstance(step, Request):
        return is_request_in_place(step, source, target)
    if not isinstance(step, LaunchStep):
        return False
    key = read_and_written(step, source, target)
    return key is not None and is_elementwise(*key)


def successors(steps: Sequence[Step], number: int) -> Sequence[int]:
    """The steps that may run next."""
    match steps[number]:
        case EndStep():
            return ()
        case JumpStep(target):
            return (target,)
        case BranchStep(_, targets):
            return targets
        case _:
            return (number + 1,)


def is_elementwise(kernel: Kernel, source: Buffer, target: Buffer) -> bool:
    """Whether a kernel reads an element of a source only before it stores the one in its place.

    Each element of the target must be stored exactly once; vectors that overlap store some twice.
    A source that the kernel stores, too, is a value beside the target.
    """
    if source in stored_buffers(kernel.body):
        return False
    places: dict[Expression, frozenset[Expression]] = {}
    stored = 0
    for body, times in bodies(kernel.body):
        readers = [i for i, statement in enumerate(body) if source in buffers_read(statement)]
        stores = [
            i for i, s in enumerate(body) if isinstance(s, StoreElement) and s.buffer is target
        ]
        if not readers and not stores:
            continue
        if len(stores) != 1 or (readers and readers[-1] > stores[0]):
            return False
        stored += times
        store = body[stores[0]]
        assert isinstance(store, StoreElement)
        here = frozenset([store.place])
        if any(places_read(body[i], source, places) != here for i in readers):
            return False
    return stored == extent_of(target)


def bodies(body: Sequence[Statement], times: int = 1) -> Iterator[tuple[Sequence[Statement], int]]:
    """A sequence of statements and those inside its loops, each with how often it runs.

    What depends on a condition counts as if it never runs.
    """
    yield body, times
    for statement in body:
        match statement:
            case Loop(_, extent, _, inner):
                yield from bodies(inner, times * extent)
            case When(_, inner):
                yield from bodies(inner, 0)
            case _:
                pass


def buffers_read(statement: Statement) -> frozenset[Buffer]:
    """The buffers that a statement reads, without those of the statements inside it."""
    match statement:
        case StoreElement(_, place, value) | Fold(_, place, _, value):
            return place.reads | value.reads
        case CombinePartials(_, place):
            return place.reads
        case MoveTile(_, buffer, place, _, stores):
            return place.reads if stores else place.reads | {buffer}
        case When(condition):
            return condition.reads
        case Fetch(_, place):
            return place.reads
        case Loop() | ClearTile() | MultiplyTiles():
            return frozenset()


def places_read(
    store: Statement, source: Buffer, places: dict[Expression, frozenset[Expression]]
) -> frozenset[Expression]:
    """The places of a buffer that a store reads; none if the statement is no store."""
    if not isinstance(store, StoreElement):
        return frozenset()

    def of(expression: Expression) -> frozenset[Expression]:
        inner = frozenset[Expression]().union(*(places[part] for part in expression.operands))
        if expression.operator == "load" and expression.detail is source:
            return inner | {expression.operands[0]}
        return inner

    roots = (store.place, store.value)
    return frozenset[Expression]().union(*(evaluate_postorder(e, places, of) for e in roots))
