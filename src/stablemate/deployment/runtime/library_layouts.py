"""The layouts that the functions of a library share, and the names that their texts call fields.

A text names a field as ``$program_image``: the record, then the field. Such a name stands for the
number of the field in a type of LLVM, and for its word in an instance or a value, all of whose
fields are words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.compiler.runtime.native.kernel_log import BLOCK_WORDS
from stablemate.compiler.runtime.native.step_table import (
    POOL,
    REACHED_REQUEST,
    REASON,
    RECORD_WORDS,
    STATE_WORDS,
    THREADS,
    TIME_SLICE,
)
from stablemate.compiler.runtime.native.thread_pool import WORKER_NUMBER

# The words of an instance: the images of all programs, which are in one block that the addresses of
# a call's operands follow; the arena; the mapped weights; the records of the trace; whether a call
# runs; the number of threads; and from STATE on the state of the step loop.
IMAGES, ARENA, WEIGHTS, TRACE_RECORDS, BUSY, INSTANCE_THREADS = range(6)
STATE: Final = 8
INSTANCE_BYTES: Final = 8 * (STATE + STATE_WORDS)

# The fields of types: what the header declares a described value to be; a program, with its image,
# what relocates this, and its values; a step that a trace shows, where its record is among the
# images.
VALUE: Final = {
    "name": "ptr", "element_type": "ptr", "rank": "i64", "shape": "ptr", "bytes": "i64",
    "alignment": "i64",
}  # fmt: skip
PROGRAM: Final = {
    "image": "ptr", "image_bytes": "i64", "offset": "i64",
    "words": "ptr", "word_count": "i64",
    "arena_words": "ptr", "arena_word_count": "i64",
    "constant_words": "ptr", "constant_word_count": "i64",
    "function_words": "ptr", "function_word_count": "i64", "functions": "ptr",
    "operand_words": "ptr", "operand_word_count": "i64", "operand_numbers": "ptr",
    "values": "ptr",
}  # fmt: skip
TRACED: Final = {"record": "i64", "kind": "i64", "text": "ptr"}
TYPES: Final = {"value": VALUE, "program": PROGRAM, "traced": TRACED}
VALUE_BYTES: Final = 8 * len(VALUE)

# What a traced step runs instead: a record of the step table, and the block of ``log_kernel``.
LOGGED_STEP_BYTES: Final = 8 * (RECORD_WORDS + BLOCK_WORDS)

FIELDS: Final[Mapping[str, int]] = {
    "instance_arena": ARENA,
    "instance_weights": WEIGHTS,
    "instance_trace": TRACE_RECORDS,
    "instance_busy": BUSY,
    "instance_threads": INSTANCE_THREADS,
    "instance_state": STATE,
    "instance_state_slice": STATE + TIME_SLICE,
    "instance_state_threads": STATE + THREADS,
    "instance_state_pool": STATE + POOL,
    "state_reason": REASON,
    "reached_request": REACHED_REQUEST,
    "worker_number": WORKER_NUMBER,
    **{
        f"{name}_{field}": number
        for name, fields in TYPES.items()
        for number, field in enumerate(fields)
    },
}


def type_text(name: str) -> str:
    """The definition of a type."""
    return f"%{name} = type {{ {', '.join(TYPES[name].values())} }}"
