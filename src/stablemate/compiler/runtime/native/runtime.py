"""The runtime object: step loop, thread pool and entry point, compiled once per process.

The pool's workers are threads of the system that never call Python. They start with the first
program that has work for them, sleep when there is none, and end with the process, after all that
Python runs at its end; so what they read is never freed. After a fork the child starts its own.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from stablemate.compiler.codegen.loader import Loaded, load
from stablemate.compiler.config.environment_variables import environment_number
from stablemate.compiler.config.target import Target, host
from stablemate.compiler.runtime.native import (
    collective_moves,
    entry_point,
    floating_point_environment,
    kernel_log,
    message_exchange,
    step_loop,
    tensor_calls,
    thread_pool,
)
from stablemate.compiler.runtime.native.entry_point import (
    ADDRESS_WORDS,
    ARRAY_TYPE,
    DESCRIPTOR,
    EXCLUSIVE,
    FLAGS,
    FLAGS_MASK,
    LAST_WORD,
    RANK,
    ROW_WORDS,
    SIZES,
)
from stablemate.compiler.runtime.native.foreign_layouts import (
    ALIGNED,
    C_CONTIGUOUS,
    OBJECT_BYTES,
    WRITEABLE,
)
from stablemate.fork_safety import fork_safe_lock
from stablemate.immortal import immortalize
from stablemate.numerics.elements import Array, DType
from stablemate.processors import cpu_quota, usable_processors

THREADS_VARIABLE: Final = "STABLEMATE_THREADS"
PIN_VARIABLE: Final = "STABLEMATE_PIN"
NAMES: Final = (
    "walk", "walk_each", "together", "copy_blocks", "copy_pieces", "gather", "enter", "work",
    "carry", "carry_at_once", "call_tensors", "log_kernel", "copy_step",
)  # fmt: skip
STACK_BYTES: Final = 1 << 23  # of a worker: kernels have up to a megabyte on the stack
TUPLE_ITEMS_OFFSET: Final = tuple.__basicsize__  # bytes before the items of a tuple

RUN_STEPS_TYPE: Final = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p
)
RUN_EXCHANGE_TYPE: Final = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
RUN_RECORD_TYPE: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
# Keeps the GIL: short programs end sooner than another thread could take it.
ENTER_TYPE: Final = ctypes.PYFUNCTYPE(
    ctypes.c_int64, ctypes.py_object, ctypes.py_object, ctypes.c_void_p
)
GATHER_TYPE: Final = ctypes.PYFUNCTYPE(
    ctypes.c_int64, ctypes.py_object, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
)


def runtime_text(target: Target) -> str:
    """The LLVM text of the runtime."""
    machine = floating_point_environment.text_for(target.triple) + thread_pool.platform_text(
        target.triple
    )
    return (
        step_loop.TEXT
        + collective_moves.TEXT
        + message_exchange.TEXT
        + thread_pool.TEXT
        + entry_point.TEXT
        + tensor_calls.TEXT
        + kernel_log.TEXT
        + machine
    )


class Runtime:
    """The native runtime of this process.

    Attributes:
        run_steps: Runs a table from a step on; releases the GIL.
        run_record: Runs a single record, its chunks on all threads.
        run_exchange: Runs an exchange program until it has to wait for messages.
        run_exchange_address: The address of the function that does the same for the step loop.
        run_each: The address of the kernel that runs several tables.
        enter: Checks operands and runs a short program.
        gather: Checks operands and stores their addresses.
        call_tensors: The address of the function that runs a program on tensors of a framework.
        can_read_arrays: Whether ``gather`` supports the layout of Python's array objects.
        copy_blocks: The address of the kernel that copies blocks.
        copy_pieces: The address of the kernel that copies rows.
        log_kernel: The address of the kernel that runs another one and notes when.
        copy_step: The address of the kernel that copies as the record of a copy says.
        pool: The thread pool.
    """

    def __init__(self, assemble: Callable[[str, Target], bytes]) -> None:
        """Loads the runtime.

        Args:
            assemble: Compiles LLVM text to an object, or takes it from a cache.
        """
        self.code: Loaded = load([assemble(runtime_text(host()), host())], NAMES)
        immortalize(self)
        addresses = self.code.addresses
        self.run_steps = RUN_STEPS_TYPE(addresses["walk"])
        self.enter = ENTER_TYPE(addresses["enter"])
        self.gather = GATHER_TYPE(addresses["gather"])
        self.run_record = RUN_RECORD_TYPE(addresses["together"])
        self.run_exchange = RUN_EXCHANGE_TYPE(addresses["carry"])
        self.run_exchange_address: int = addresses["carry_at_once"]
        self.run_each: int = addresses["walk_each"]
        self.call_tensors: int = addresses["call_tensors"]
        self.copy_blocks: int = addresses["copy_blocks"]
        self.copy_pieces: int = addresses["copy_pieces"]
        self.log_kernel: int = addresses["log_kernel"]
        self.copy_step: int = addresses["copy_step"]
        self.pool = ThreadPool(addresses["work"])
        self.can_read_arrays = self.check_array_layout()

    def check_array_layout(self) -> bool:
        """Whether Python and NumPy lay out objects as ``gather`` expects."""
        # An object begins with two words; in Python without the GIL with four.
        plain = sys.implementation.name == "cpython" and object.__basicsize__ == OBJECT_BYTES
        if not plain or ctypes.sizeof(ctypes.c_void_p) != 8:
            return False
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        place = np.zeros(1, np.int64)
        rows = OperandRows([ExpectedOperand(array.dtype, array.shape)], [[place.ctypes.data]])
        fits = rows.gather(self, (array,)) == 1 and place[0] == array.ctypes.data
        mismatches = (array.T, array.astype(np.float64), array[:1], array[:, :2], 1)
        return bool(fits) and not any(rows.gather(self, (other,)) for other in mismatches)


class ExpectedOperand:
    """The expected type of an operand.

    Attributes:
        dtype: Its element type.
        shape: Its shape.
        exclusive: Whether nobody else may hold a reference to it, because it will be written.
    """

    __slots__ = ("dtype", "exclusive", "shape")

    def __init__(self, dtype: DType, shape: Sequence[int], *, exclusive: bool = False) -> None:
        self.dtype = dtype
        self.shape = tuple(shape)
        self.exclusive = exclusive


class OperandRows:
    """The rows with which ``gather`` compares operands.

    Attributes:
        count: The number of operands.
        address_words: For each operand, the addresses of the words that hold its address.
    """

    def __init__(
        self, expected: Sequence[ExpectedOperand], address_words: Sequence[Sequence[int]]
    ) -> None:
        """Writes the rows.

        Args:
            expected: What each operand must be.
            address_words: For each operand, the addresses of the words that hold its address.
        """
        self.count = len(expected)
        self.address_words = address_words
        self.kept_alive: list[object] = [expected]
        rows = np.zeros((self.count, ROW_WORDS), np.int64)
        plain = C_CONTIGUOUS | ALIGNED
        for row, operand, places in zip(rows, expected, address_words, strict=True):
            sizes = np.array(operand.shape, np.int64)
            addresses = np.array(places, np.int64)
            self.kept_alive += [sizes, addresses]
            flags = plain | WRITEABLE if operand.exclusive else plain
            last = len(places) | (EXCLUSIVE if operand.exclusive else 0)
            row[ARRAY_TYPE], row[DESCRIPTOR] = id(np.ndarray), id(operand.dtype)
            row[RANK], row[SIZES] = len(operand.shape), sizes.ctypes.data
            row[FLAGS_MASK] = row[FLAGS] = flags
            row[ADDRESS_WORDS], row[LAST_WORD] = addresses.ctypes.data, last
        self.rows = rows
        self.address = rows.ctypes.data

    def gather(self, runtime: Runtime, operands: tuple[object, ...]) -> int:
        """The number of leading operands that fit; the addresses of those are stored."""
        return int(runtime.gather(operands, self.address, self.count, TUPLE_ITEMS_OFFSET))


class ThreadPool:
    """The thread pool of this process.

    Attributes:
        address: The address of its words; the same after a fork.
        size: How many threads may work, including the caller.
        workers: How many workers were started.
        handles: The workers, as ``pthread_self`` names them.
    """

    def __init__(self, work: int) -> None:
        self.words = cache_aligned_zeros(thread_pool.POOL_BYTES)
        self.address: int = self.words.ctypes.data
        self.work = work
        self.size = allowed_threads() if thread_pool.has_threads(host().triple) else 1
        self.workers = 0
        self.started = False
        self.lock = fork_safe_lock()
        self.arguments: list[Array] = []
        self.handles: list[int] = []
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.reset_after_fork)

    def start(self) -> None:
        """Starts the workers unless they run; fewer if the system does not allow that many."""
        with self.lock:
            if self.started:
                return
            self.started = True
            self.words[thread_pool.WORKERS] = 1
            if self.size > 1:
                with blocked_signals():
                    for number in range(1, self.size):
                        if not self.start_worker(number):
                            break
                        self.workers = number

    def start_worker(self, number: int) -> bool:
        """Starts a worker; returns whether that was possible."""
        system = ctypes.CDLL(None)
        thread = ctypes.c_ulong()
        argument = np.array([self.address, number], np.int64)
        attributes = np.zeros(16, np.int64)  # longer than on any system
        address = ctypes.c_void_p(attributes.ctypes.data)
        system.pthread_attr_init(address)
        system.pthread_attr_setstacksize(address, ctypes.c_size_t(STACK_BYTES))
        failed = system.pthread_create(
            ctypes.byref(thread),
            address,
            ctypes.c_void_p(self.work),
            ctypes.c_void_p(argument.ctypes.data),
        )
        if failed:
            return False
        self.arguments.append(argument)
        self.handles.append(thread.value)
        pin_worker(system, thread, number)
        return True

    def reset_after_fork(self) -> None:
        """Forgets the workers in the child of a fork: they are threads of the parent."""
        self.words[:] = 0
        self.arguments.clear()
        self.handles.clear()
        self.workers = 0
        self.started = False


@contextmanager
def blocked_signals() -> Generator[None]:
    """Blocks signals for this thread and those that it starts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())  # first: the next line may be interrupted
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def pin_worker(system: Any, thread: object, number: int) -> None:
    """Pins a worker to a processor of its own; the caller's threads may move.

    Otherwise a worker that wakes up could start on the caller's processor, and both would share it.
    """
    if os.environ.get(PIN_VARIABLE) == "0" or not hasattr(os, "sched_getaffinity"):
        return
    processors = sorted(os.sched_getaffinity(0))
    processor = processors[number % len(processors)]
    mask = np.zeros(processor // 8 + 8, np.uint8)
    mask[processor // 8] = 1 << processor % 8
    system.pthread_setaffinity_np(
        thread, ctypes.c_size_t(mask.size), ctypes.c_void_p(mask.ctypes.data)
    )


def allowed_threads() -> int:
    """How many threads may work: one per processor, unless fewer are requested."""
    requested = environment_number(THREADS_VARIABLE, minimum=1)
    if requested is not None:
        return min(requested, thread_pool.MAX_THREADS)
    processors = usable_processors()
    return max(1, min(processors, cpu_quota() or processors, thread_pool.MAX_THREADS))


def cache_aligned_zeros(size: int) -> Array:
    """Zeros that begin on a cache line."""
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]
