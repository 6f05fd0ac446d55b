"""Names the steps of a compiled program on time lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.graph.graph import Node
from stablemate.compiler.plan.plan import CopySlot, LaunchStep, PlanBuffer, Request, Step
from stablemate.compiler.program.image import ProgramImage
from stablemate.compiler.runtime.native.step_table import (
    BODY_FUNCTION,
    FUNCTION,
    LAUNCH,
    PARALLEL_LAUNCH,
    RECORD_WORDS,
    REPEATED_LAUNCH,
)
from stablemate.compiler.schedule.parallel_chunks import KernelWork
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.numerics.symbolic_sizes import typical_of

KERNELS, TRANSFERS, COLLECTIVES, REQUESTS = TRACKS = (
    "kernels", "transfers", "collectives", "host requests"
)  # fmt: skip
NAMED_OPERATIONS: Final = 3  # in the name of a kernel; the others are counted
LAUNCHES: Final = {LAUNCH: FUNCTION, PARALLEL_LAUNCH: FUNCTION, REPEATED_LAUNCH: BODY_FUNCTION}


class StepLabel(NamedTuple):
    """The name of a step, and its operations.

    Attributes:
        track: The one of ``TRACKS`` that shows it.
        name: What it is called.
        bytes: What it reads and writes; None if that is not known.
        nodes: What it computes.
    """

    track: str
    name: str
    bytes: int | None = None
    nodes: Sequence[Node] = ()


def step_labels(executable: CompiledExecutable) -> Mapping[int, StepLabel]:
    """Names the steps of a program, by their numbers; jumps and branches are left out.

    Of a program that was compiled for more sizes than these, the kernels have their names only.
    """
    image = executable.program.image
    functions = dict(launched_functions(image))
    labels: dict[int, StepLabel] = {}
    launches: dict[str, StepLabel] = {}
    for number, step in enumerate(executable.plan.steps):
        label = label_of(step)
        if label is not None:
            labels[number] = label
            if isinstance(step, LaunchStep):
                launches[step.kernel.name] = label
    if launches.keys() == set(functions.values()):
        # A loop of one launch repeats it in the step of its jump.
        return {n: launches[name] for n, name in functions.items()} | labels
    operations = executable.handlers.operations
    plain = dict(image_labels(image))
    for number, record in image.requests.items():
        operation = operations[record.operation]
        plain[number] = StepLabel(request_track(operation), operation.name)
    return plain


def image_labels(image: ProgramImage) -> Mapping[int, StepLabel]:
    """Names launches and copies, as far as the image of a program says."""
    labels = {number: StepLabel(TRANSFERS, "copy") for number in range(image.steps)}
    return labels | {n: StepLabel(KERNELS, name) for n, name in launched_functions(image)}


def launched_functions(image: ProgramImage) -> Iterator[tuple[int, str]]:
    """The steps that launch kernels, and the names of these."""
    records = image.words[: RECORD_WORDS * image.steps].reshape(-1, RECORD_WORDS)
    for number, record in enumerate(records.tolist()):
        word = LAUNCHES.get(record[0])
        if word is not None:
            yield number, image.functions[record[word]]


def label_of(step: Step) -> StepLabel | None:
    """Names a step; None for control flow."""
    match step:
        case LaunchStep(nodes=nodes, kernel=kernel):
            name = f"{kernel.name} {short_names(nodes)}".rstrip()
            return StepLabel(KERNELS, name, traffic(step), nodes)
        case Request(node, operands, results, _):
            size = bytes_of([*operands, *results])
            return StepLabel(request_track(node.operation), node.operation.name, size, [node])
        case CopySlot(source=source):
            return StepLabel(TRANSFERS, "copy", typical_of(source.bytes))
        case _:
            return None


def request_track(operation: object) -> str:
    """The track of a request."""
    return COLLECTIVES if isinstance(operation, Collective) else REQUESTS


def short_names(nodes: Sequence[Node]) -> str:
    """The last operations that a kernel computes: ``subtract, exponential, reduce and 2 more``."""
    operations = [node.operation for node in nodes]
    names = [o.name.rpartition(".")[2] for o in operations if o.name != "stablehlo.constant"]
    distinct = list(dict.fromkeys(names))
    shown = ", ".join(distinct[-NAMED_OPERATIONS:])
    more = len(distinct) - NAMED_OPERATIONS
    return f"{shown} and {more} more" if more > 0 else shown


def traffic(launch: LaunchStep) -> int:
    """The bytes that a kernel reads and writes, each buffer at most once."""
    kernel = launch.kernel
    moved = KernelWork(kernel).bytes
    return sum(
        min(typical_of(slot.bytes), typical_of(moved.get(buffer, 0) * kernel.steps))
        for slot, buffer in zip(launch.slots, kernel.arguments, strict=True)
    )


def bytes_of(slots: Sequence[PlanBuffer]) -> int:
    """The bytes of distinct slots."""
    return sum(typical_of(slot.bytes) for slot in dict.fromkeys(slots))
