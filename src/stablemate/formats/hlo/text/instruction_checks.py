"""Checks that operands, attributes and result of an instruction are consistent.

The operands of some opcodes determine the result, whatever shape is written.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.hlo.text.completion import CompletionError
from stablemate.xla.module import HloComputation, HloInstruction
from stablemate.xla.shape import TOKEN_SHAPE, Shape


def compatible(first: Shape, second: Shape) -> bool:
    """Whether shapes are equal, ignoring layouts and dynamic dimensions."""
    if first.is_tuple or second.is_tuple:
        return (
            first.is_tuple
            and second.is_tuple
            and len(first.elements) == len(second.elements)
            and all(compatible(a, b) for a, b in zip(first.elements, second.elements, strict=True))
        )
    return (first.element_type, first.dimensions) == (second.element_type, second.dimensions)


# ---- results


def resolved_shape(opcode: str, shape: Shape, operands: Sequence[Shape]) -> Shape:
    """Returns the shape of the result: from the operands for some opcodes, else as written.

    Raises:
        CompletionError: The written shape lacks the part that the operands do not determine.
    """
    return RESULT_SHAPES[opcode](shape, operands) if opcode in RESULT_SHAPES else shape


def tuple_data(shape: Shape, what: str) -> Shape:
    """Returns the first element of a tuple."""
    if not (shape.is_tuple and shape.elements):
        raise CompletionError(f"{what} is a tuple that begins with data, not {shape}")
    return shape.elements[0]


def token_result(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The result is a token."""
    return TOKEN_SHAPE


def infeed_result(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The result is data and a token."""
    return Shape.tuple_of([tuple_data(shape, "the result"), TOKEN_SHAPE])


def recv_result(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The result is data, context and a token."""
    return Shape.tuple_of([tuple_data(shape, "the result"), CONTEXT, TOKEN_SHAPE])


def recv_done_result(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The result is the data of the operand, and a token."""
    return Shape.tuple_of([tuple_data(operands[0], "the operand"), TOKEN_SHAPE])


def send_result(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The result is the operand, context and a token."""
    return Shape.tuple_of([operands[0], CONTEXT, TOKEN_SHAPE])


def operand_shape(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """The result has the shape of the operand."""
    return operands[0]


CONTEXT: Final = Shape("u32[]")
RESULT_SHAPES: Final[Mapping[str, Callable[[Shape, Sequence[Shape]], Shape]]] = {
    **dict.fromkeys(("after-all", "outfeed", "send-done"), token_result),
    "infeed": infeed_result,
    "recv": recv_result,
    "recv-done": recv_done_result,
    "send": send_result,
    "add-dependency": operand_shape,
}


# ---- checks


@dataclass(frozen=True, slots=True)
class ParsedInstruction:
    """An instruction as it is written.

    Attributes:
        shape: Of its result; None where it is not written.
        operands: Its operands.
        values: Its attributes.
        computations: The computations that were read before it.
    """

    shape: Shape | None
    operands: Sequence[HloInstruction]
    values: Mapping[str, Any]
    computations: Mapping[str, HloComputation]


def check_instruction(opcode: str, written: ParsedInstruction) -> None:
    """Rejects an instruction whose parts are inconsistent.

    Raises:
        CompletionError: The message names the inconsistency.
    """
    if opcode in CHECKS:
        CHECKS[opcode](written)


def check_initial_values(written: ParsedInstruction) -> None:
    """Requires as many initial values as arrays."""
    if len(written.operands) % 2:
        raise CompletionError(
            f"there are as many initial values as arrays, not {len(written.operands)} operands"
        )


def check_window_rank(written: ParsedInstruction) -> None:
    """Requires a window of the operand's rank if the shape of the result is not written."""
    rank, window_rank = written.operands[0].shape.rank, len(written.values.get("window", ()))
    if written.shape is None and rank != window_rank:
        raise CompletionError(f"the window has {window_rank} dimensions, the operand {rank}")


def check_reduce_window(written: ParsedInstruction) -> None:
    """Requires as many initial values as arrays, and a window of their rank."""
    check_initial_values(written)
    check_window_rank(written)


def check_scatter_operands(written: ParsedInstruction) -> None:
    """Requires as many updates as operands, and indices."""
    if not len(written.operands) % 2:
        raise CompletionError(
            "there are as many updates as inputs, and indices between them, "
            f"not {len(written.operands)} operands"
        )


def start_index_check(first: int) -> Callable[[ParsedInstruction], None]:
    """Requires a start index for each dimension, or all of them in one array."""

    def check(written: ParsedInstruction) -> None:
        starts = written.operands[first:]
        rank = written.operands[0].shape.rank
        as_array = len(starts) == 1 and starts[0].shape.rank == 1
        if not as_array and len(starts) != rank:
            raise CompletionError(
                f"{rank} dimensions need as many start indices, not {len(starts)}"
            )

    return check


def check_scan(written: ParsedInstruction) -> None:
    """Requires as many operands as parameters, some of which are carried."""
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


def check_channel(written: ParsedInstruction) -> None:
    """Requires the same channel at the start and the end of a transfer."""
    start = written.operands[0]
    expected, channel = start.attributes.get("channel_id"), written.values.get("channel_id")
    if start.opcode in CHANNELED and expected != channel:
        actual = "no 'channel_id'" if expected is None else f"'channel_id' {expected}"
        raise CompletionError(f"'{start.name}' has {actual}")


def check_async_operand(written: ParsedInstruction) -> None:
    """Requires an operand that is an asynchronous start or update."""
    before = written.operands[0]
    if before.opcode not in ("async-start", "async-update"):
        raise CompletionError("the operand must come from 'async-start' or 'async-update'")


def check_async_update(written: ParsedInstruction) -> None:
    """Requires an asynchronous operand whose shape is that of the result."""
    check_async_operand(written)
    expected = written.operands[0].shape
    if written.shape != expected:
        raise CompletionError(
            f"the result of 'async-update' has the shape {expected} of its operand"
        )


def check_async_start(written: ParsedInstruction) -> None:
    """Requires a result that holds operands and results."""
    parts = written.shape.elements if written.shape is not None else ()
    if len(parts) < 2 or not parts[0].is_tuple:
        raise CompletionError(
            "the result of 'async-start' has the form ((operands), result, state)"
        )


def check_layout_constraints(written: ParsedInstruction) -> None:
    """Requires layout constraints with the shapes of the operands."""
    constraints = written.values.get("operand_layout_constraints", ())
    for operand, constraint in zip(written.operands, constraints, strict=False):
        if not compatible(operand.shape, constraint):
            raise CompletionError(
                f"'operand_layout_constraints' has {constraint} for '{operand.name}', "
                f"which has the shape {operand.shape}"
            )


CHECKS: Final[Mapping[str, Callable[[ParsedInstruction], None]]] = {
    "reduce": check_initial_values,
    "reduce-window": check_reduce_window,
    "select-and-scatter": check_window_rank,
    "scatter": check_scatter_operands,
    "dynamic-slice": start_index_check(1),
    "dynamic-update-slice": start_index_check(2),
    "scan": check_scan,
    "send-done": check_channel,
    "recv-done": check_channel,
    "async-start": check_async_start,
    "async-update": check_async_update,
    "async-done": check_async_operand,
    "custom-call": check_layout_constraints,
}
