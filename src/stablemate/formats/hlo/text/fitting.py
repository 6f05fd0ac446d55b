"""What operands, attributes and result of an instruction must have in common to be read.

The result of some opcodes follows from their operands, whatever shape is written.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from stablemate.formats.hlo.text.completion import CompletionError
from stablemate.xla.module import HloComputation, HloInstruction
from stablemate.xla.shape import TOKEN_SHAPE, Shape


def compatible(first: Shape, second: Shape) -> bool:
    """Whether shapes are equal up to layouts and which dimensions are dynamic."""
    if first.is_tuple or second.is_tuple:
        return (
            first.is_tuple
            and second.is_tuple
            and len(first.elements) == len(second.elements)
            and all(compatible(a, b) for a, b in zip(first.elements, second.elements, strict=True))
        )
    return (first.element_type, first.dimensions) == (second.element_type, second.dimensions)


# ---- results


def settled_shape(opcode: str, shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The shape of the result where it follows from the operands, else the one that is written.

    Raises:
        CompletionError: The part of the written shape that does not follow is not there.
    """
    return SETTLED[opcode](shape, operands) if opcode in SETTLED else shape


def data_of(shape: Shape, what: str) -> Shape:
    """The first part of a tuple."""
    if not (shape.is_tuple and shape.elements):
        raise CompletionError(f"{what} is a tuple that begins with data, not {shape}")
    return shape.elements[0]


def token(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """A token."""
    return TOKEN_SHAPE


def infeed(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """Data and a token."""
    return Shape.tuple_of([data_of(shape, "the result"), TOKEN_SHAPE])


def recv(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """Data, context and a token."""
    return Shape.tuple_of([data_of(shape, "the result"), CONTEXT, TOKEN_SHAPE])


def recv_done(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The data of the operand, and a token."""
    return Shape.tuple_of([data_of(operands[0], "the operand"), TOKEN_SHAPE])


def send(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The operand, context and a token."""
    return Shape.tuple_of([operands[0], CONTEXT, TOKEN_SHAPE])


def same(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The shape of the operand."""
    return operands[0]


CONTEXT: Final = Shape("u32[]")
SETTLED: Final[Mapping[str, Callable[[Shape, Sequence[Shape]], Shape]]] = {
    **dict.fromkeys(("after-all", "outfeed", "send-done"), token),
    "infeed": infeed,
    "recv": recv,
    "recv-done": recv_done,
    "send": send,
    "add-dependency": same,
}


# ---- checks


@dataclass(frozen=True, slots=True)
class Written:
    """An instruction as it is written.

    Attributes:
        shape: Of its result; None where it is not written.
        operands: Its operands.
        values: Its attributes.
        computations: Those that were read before it.
    """

    shape: Shape | None
    operands: Sequence[HloInstruction]
    values: Mapping[str, Any]
    computations: Mapping[str, HloComputation]


def check_fit(opcode: str, written: Written) -> None:
    """Refuses what does not fit together.

    Raises:
        CompletionError: Says what does not.
    """
    if opcode in CHECKS:
        CHECKS[opcode](written)


def even(written: Written) -> None:
    """As many initial values as arrays."""
    if len(written.operands) % 2:
        raise CompletionError(
            f"there are as many initial values as arrays, not {len(written.operands)} operands"
        )


def windowed(written: Written) -> None:
    """Where the result follows from it, the window has the dimensions of the operand."""
    rank, window_rank = written.operands[0].shape.rank, len(written.values.get("window", ()))
    if written.shape is None and rank != window_rank:
        raise CompletionError(f"the window has {window_rank} dimensions, the operand {rank}")


def reduced_windows(written: Written) -> None:
    """As many initial values as arrays, and a window of their dimensions."""
    even(written)
    windowed(written)


def odd(written: Written) -> None:
    """As many updates as operands, and indices."""
    if not len(written.operands) % 2:
        raise CompletionError(
            "there are as many updates as inputs, and indices between them, "
            f"not {len(written.operands)} operands"
        )


def starts_from(first: int) -> Callable[[Written], None]:
    """A start index for each dimension, or all in one array."""

    def check(written: Written) -> None:
        starts = written.operands[first:]
        rank = written.operands[0].shape.rank
        as_array = len(starts) == 1 and starts[0].shape.rank == 1
        if not as_array and len(starts) != rank:
            raise CompletionError(
                f"{rank} dimensions need as many start indices, not {len(starts)}"
            )

    return check


def scanned(written: Written) -> None:
    """As many operands as parameters, some of which are carried."""
    count, carried = len(written.operands), written.values["num_carries"]
    parameters = len(written.computations[written.values["to_apply"]].parameters)
    if count != parameters:
        raise CompletionError(f"'to_apply' has {parameters} parameters, not {count}")
    if not 0 <= carried <= count:
        raise CompletionError(f"'num_carries' is from 0 to {count}, not {carried}")


# Opcodes whose instructions have a channel.
CHANNELED: Final = frozenset(
    {
        *("send", "send-done", "recv", "recv-done", "all-reduce", "all-reduce-start"),
        *("all-gather", "all-gather-start", "reduce-scatter", "all-to-all", "ragged-all-to-all"),
        *("collective-permute", "collective-permute-start", "collective-broadcast"),
    }
)


def same_channel(written: Written) -> None:
    """The end of a transfer has the channel of its beginning."""
    start = written.operands[0]
    expected, channel = start.attributes.get("channel_id"), written.values.get("channel_id")
    if start.opcode in CHANNELED and expected != channel:
        actual = "no 'channel_id'" if expected is None else f"'channel_id' {expected}"
        raise CompletionError(f"'{start.name}' has {actual}")


def from_start(written: Written) -> None:
    """Continues what was started."""
    before = written.operands[0]
    if before.opcode not in ("async-start", "async-update"):
        raise CompletionError("the operand must come from 'async-start' or 'async-update'")


def updated(written: Written) -> None:
    """Continues what was started, and has its shape."""
    from_start(written)
    expected = written.operands[0].shape
    if written.shape != expected:
        raise CompletionError(
            f"the result of 'async-update' has the shape {expected} of its operand"
        )


def started(written: Written) -> None:
    """The result holds operands and results."""
    parts = written.shape.elements if written.shape is not None else ()
    if len(parts) < 2 or not parts[0].is_tuple:
        raise CompletionError(
            "the result of 'async-start' has the form ((operands), result, state)"
        )


def constrained(written: Written) -> None:
    """Constraints on layouts are shapes of the operands."""
    constraints = written.values.get("operand_layout_constraints", ())
    for operand, constraint in zip(written.operands, constraints, strict=False):
        if not compatible(operand.shape, constraint):
            raise CompletionError(
                f"'operand_layout_constraints' has {constraint} for '{operand.name}', "
                f"which has the shape {operand.shape}"
            )


CHECKS: Final[Mapping[str, Callable[[Written], None]]] = {
    "reduce": even,
    "reduce-window": reduced_windows,
    "select-and-scatter": windowed,
    "scatter": odd,
    "dynamic-slice": starts_from(1),
    "dynamic-update-slice": starts_from(2),
    "scan": scanned,
    "send-done": same_channel,
    "recv-done": same_channel,
    "async-start": started,
    "async-update": updated,
    "async-done": from_start,
    "custom-call": constrained,
}
