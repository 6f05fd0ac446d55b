"""The records that native code and Python share: blocks of 64-bit words, field by field.

Each record begins with a word that stays zero, because jaxlib reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.compiler.runtime.native.foreign_layouts import TIMESPEC_WORDS

RECORDS: Final[Mapping[str, tuple[str, ...]]] = {
    # A result of a function, an argument of one, or what the host has handed over. The sizes
    # follow the record, and then the elements unless ``owned``, ``done`` or ``on_delete`` says
    # where they belong. ``holds`` counts the buffer itself, until it is deleted, and everyone who
    # reads its elements; at zero the elements are freed. ``users`` counts the caller, until it
    # destroys the buffer, and the same readers; at zero the record is freed. When the elements have
    # gone to a result, ``holds`` is zero or less; if they follow the record, the result is one of
    # its users, until its ``on_delete``. ``deleted`` is zero, DELETED, or INCOMPLETE while a
    # transfer writes the elements. ``layout`` is zero if the elements are row-major.
    "buffer": (
        "zero", "data", "bytes", "device", "memory", "type", "rank", "sizes", "deleted", "holds",
        "users", "owned", "done", "on_delete", "on_delete_argument", "layout",
    ),
    # ``state`` is PENDING or READY. ``waiters`` is the list of those whom the event calls, the last
    # first, or CLOSED when it has called them. ``holds`` counts who will still use the event, and
    # is zero for those that live for ever; ``next`` is the next one in a list.
    "event": ("zero", "state", "error", "waiters", "holds", "next"),
    "waiter": ("callback", "argument", "before"),
    "memory": ("zero", "kind", "kind_size", "device"),
    "device": ("zero", "memory", "local_id"),
    # ``arguments`` and ``results`` are rows of the records below; ``donated`` has a byte for each
    # argument. ``table`` and ``state`` are those of the native loop,
    # ``nanoseconds`` is the time of the last run. An interrupted run leaves a record that is stale:
    # Python fills it in again.
    "executable": (
        "zero", "num_replicas", "num_partitions", "num_results", "num_arguments", "is_native",
        "busy", "table", "state", "arguments", "results", "device", "memory", "donated", "slice",
        "is_short", "nanoseconds", "is_stale",
    ),
    # How often, and where, an address is written before the program runs. ``donor`` is the number
    # of the argument whose memory the result gets if it is donated, plus one; 0 if there is none.
    "argument_row": ("count", "places"),
    "result_row": (
        "count", "places", "bytes", "type", "rank", "sizes", "inline_size", "inline_offset",
        "layout", "donor",
    ),
    # The serialized form of a layout.
    "layout": ("zero", "text", "text_size"),
    # What native code needs of the process: functions of the C library and of Python, the native
    # loop, the sizes of element types, and the Python entries, with the number of calls that
    # threads unknown to Python make of these. ``ended`` is the error of calls that need Python
    # after its end, with its message. ``held_exception`` is the exception of a signal handler that
    # is raised when native code has returned, unless ``holds_exceptions`` says that an entry of
    # Python has begun in the main thread. The rest belongs to the program in the background.
    "environment": (
        "aligned_alloc", "madvise", "free", "memcpy", "ensure", "fetch", "restore", "leave", "walk",
        "item_sizes", "ready", "entries", "layouts", "interrupt", "interrupted",
        "check_signals", "clear_exception", "add_pending_call", "thread_ident", "main_thread",
        "held_exception", "held_value", "held_traceback", "holds_exceptions",
        "is_initialized", "thread_state", "current_state", "save_thread", "restore_thread",
        "foreign_calls", "ended", "ended_text", "ended_size",
        "ended_code", "usleep", "clock_gettime", "sem_post", "sem_wait", "sem_trywait",
        "sched_yield", "semaphore", "job_state", "job_waiters", "job_executable", "job_block",
        "job_interrupted", "job_count", "worker", "pthread_create", "detached",
    ),
}  # fmt: skip
PENDING, READY = range(2)
CLOSED: Final = 1  # no address of a waiter
DELETED, INCOMPLETE = 1, 2
# A small array beside its record saves an allocation, and lives as long as the record; a copy of
# a small array of the host lets go of it at once.
INLINE_BYTES: Final = 1 << 12  # larger results are freed as soon as they are deleted
COPIED_BYTES: Final = 1 << 14  # smaller arrays of the host are copied, larger ones shared


def word(record: str, field: str) -> int:
    """The place of a field, in words."""
    return RECORDS[record].index(field)


def size(record: str) -> int:
    """The length of a record in bytes."""
    return 8 * len(RECORDS[record])


RESULT_ROW: Final = size("result_row") // 8
ARGUMENT_ROW: Final = size("argument_row") // 8
BUFFER_BYTES: Final = 128  # of a buffer before its sizes
EVENT_BYTES: Final = 64  # of an event: a cache line
assert size("buffer") <= BUFFER_BYTES
assert size("event") <= EVENT_BYTES

# What ``is_poll_due`` keeps: a ``timespec`` for the clock, and the time of the last look.
LAST_LOOK: Final = TIMESPEC_WORDS
POLL_TIMER_WORDS: Final = TIMESPEC_WORDS + 1
# The words of an exception on its way, as ``PyErr_Fetch`` gives it: type, value, traceback. The one
# that is held lies in the environment in this order.
EXCEPTION_TYPE, EXCEPTION_VALUE, EXCEPTION_TRACEBACK = range(3)
EXCEPTION_WORDS: Final = 3
assert word("environment", "held_value") == word("environment", "held_exception") + EXCEPTION_VALUE
assert (
    word("environment", "held_traceback")
    == word("environment", "held_exception") + EXCEPTION_TRACEBACK
)
