"""The runtime object: step loop, thread pool and entry point, compiled once per process.

The pool's workers are threads of the system that know nothing of Python. They start with the first
program that has work for them, sleep when there is none, and end with the process; after a fork
the child starts its own.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from stablemate.compiler.codegen.loader import Loaded, load
from stablemate.compiler.config.environment_variables import environment_number
from stablemate.compiler.config.target import Target, host
from stablemate.compiler.runtime.native import collective_moves as moves
from stablemate.compiler.runtime.native import entry_point as entry
from stablemate.compiler.runtime.native import floating_point_environment as rounding
from stablemate.compiler.runtime.native import message_exchange as carrying
from stablemate.compiler.runtime.native import step_loop as walk
from stablemate.compiler.runtime.native import thread_pool as pool
from stablemate.fork_safety import Lock
from stablemate.numerics.elements import Array

THREADS_VARIABLE: Final = "STABLEMATE_THREADS"
PIN_VARIABLE: Final = "STABLEMATE_PIN"
CPU_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")  # "200000 100000": two processors' time
NAMES: Final = (
    "walk", "walk_each", "together", "copy_blocks", "copy_pieces", "gather", "enter", "work",
    "stop", "carry", "carry_at_once",
)  # fmt: skip
STACK_BYTES: Final = 1 << 23  # of a worker: kernels keep up to a megabyte close at hand
TUPLE_ITEMS_OFFSET: Final = tuple.__basicsize__  # where the items of a tuple begin

RUN_STEPS_TYPE: Final = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p
)
RUN_EXCHANGE_TYPE: Final = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
RUN_RECORD_TYPE: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
# Keeps the interpreter's lock: for programs that end sooner than the lock changes hands.
ENTER_TYPE: Final = ctypes.PYFUNCTYPE(
    ctypes.c_int64, ctypes.py_object, ctypes.py_object, ctypes.c_void_p
)
GATHER_TYPE: Final = ctypes.PYFUNCTYPE(
    ctypes.c_int64, ctypes.py_object, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
)


def runtime_text(target: Target) -> str:
    """The LLVM text of the runtime."""
    machine = rounding.text_for(target.triple) + pool.platform_text(target.triple)
    return walk.TEXT + moves.TEXT + carrying.TEXT + pool.TEXT + entry.TEXT + machine


class Runtime:
    """The runtime in this process.

    Attributes:
        walk: Runs a table from a step on; lets other Python threads run meanwhile.
        together: Runs a record by itself, its chunks on all threads.
        carry: Carries out a program of an exchange, as far as messages are there.
        carry_at_once: Where the function is that does so for the walk.
        walk_each: Where the kernel is that walks through tables.
        enter: Checks operands and runs a program that ends at once.
        gather: Checks operands and writes down where they are.
        reads_arrays: Whether ``gather`` finds in arrays what it looks for.
        copy_blocks: Where the kernel is that copies.
        copy_pieces: Where the kernel is that copies rows.
        pool: The thread pool.
    """

    def __init__(self, make: Callable[[str, Target], bytes]) -> None:
        """Loads the runtime.

        Args:
            make: Makes the object of LLVM text, or has it.
        """
        self.code: Loaded = load([make(runtime_text(host()), host())], NAMES)
        addresses = self.code.addresses
        self.walk: Any = RUN_STEPS_TYPE(addresses["walk"])
        self.enter: Any = ENTER_TYPE(addresses["enter"])
        self.gather: Any = GATHER_TYPE(addresses["gather"])
        self.together: Any = RUN_RECORD_TYPE(addresses["together"])
        self.carry: Any = RUN_EXCHANGE_TYPE(addresses["carry"])
        self.carry_at_once: int = addresses["carry_at_once"]
        self.walk_each: int = addresses["walk_each"]
        self.copy_blocks: int = addresses["copy_blocks"]
        self.copy_pieces: int = addresses["copy_pieces"]
        self.pool = ThreadPool(addresses["work"], addresses["stop"])
        self.reads_arrays = self.finds_arrays()

    def finds_arrays(self) -> bool:
        """Whether Python and NumPy keep objects as ``gather`` believes."""
        # An object begins with two words; without the interpreter's lock with four.
        plain = sys.implementation.name == "cpython" and object.__basicsize__ == 16
        if not plain or ctypes.sizeof(ctypes.c_void_p) != 8:
            return False
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        place = np.zeros(1, np.int64)
        rows = OperandRows([ExpectedOperand(array.dtype, array.shape)], [[place.ctypes.data]])
        fits = rows.gather(self, (array,)) == 1 and place[0] == array.ctypes.data
        others = (array.T, array.astype(np.float64), array[:1], array[:, :2], 1)
        return bool(fits) and not any(rows.gather(self, (other,)) for other in others)


class ExpectedOperand:
    """What an operand must be.

    Attributes:
        dtype: Its element type.
        shape: Its shape.
        alone: Whether nobody else may hold it, so that it can be written.
    """

    __slots__ = ("alone", "dtype", "shape")

    def __init__(self, dtype: np.dtype[Any], shape: Sequence[int], *, alone: bool = False) -> None:
        self.dtype = dtype
        self.shape = tuple(shape)
        self.alone = alone


class OperandRows:
    """What ``gather`` compares operands with.

    Attributes:
        count: How many operands there are.
        places: Where the address of each is to be written.
    """

    def __init__(
        self, expected: Sequence[ExpectedOperand], patches: Sequence[Sequence[int]]
    ) -> None:
        """Writes the rows.

        Args:
            expected: What each operand must be.
            patches: Where the address of each is to be written.
        """
        self.count = len(expected)
        self.places = patches
        self.kept: list[Any] = [expected]
        rows = np.zeros((self.count, entry.ROW_WORDS), np.int64)
        plain = entry.CONTIGUOUS | entry.ALIGNED
        for row, operand, places in zip(rows, expected, patches, strict=True):
            sizes = np.array(operand.shape, np.int64)
            addresses = np.array(places, np.int64)
            self.kept += [sizes, addresses]
            flags = plain | entry.WRITEABLE if operand.alone else plain
            last = len(places) | (entry.EXCLUSIVE if operand.alone else 0)
            row[:4] = id(np.ndarray), id(operand.dtype), len(operand.shape), sizes.ctypes.data
            row[4:] = flags, flags, addresses.ctypes.data, last
        self.rows = rows
        self.address = rows.ctypes.data

    def gather(self, runtime: Runtime, operands: tuple[Any, ...]) -> int:
        """How many operands fit, from the first on; the addresses of those are written."""
        return int(runtime.gather(operands, self.address, self.count, TUPLE_ITEMS_OFFSET))


class ThreadPool:
    """The thread pool of this process.

    Attributes:
        address: Where its words are; the same after a fork.
        size: How many threads it lets work, with the caller.
        workers: How many it has started.
    """

    def __init__(self, work: int, stop: int) -> None:
        self.words = cache_aligned_zeros(pool.POOL_BYTES)
        self.address: int = self.words.ctypes.data
        self.work = work
        self.stop_workers: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(stop)
        self.size = allowed_threads() if pool.has_threads(host().triple) else 1
        self.workers = 0
        self.started = False
        self.lock = Lock()
        self.threads: list[Any] = []
        self.arguments: list[Array] = []
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.forget)
        atexit.register(self.stop)

    def start(self) -> None:
        """Starts the workers, if they do not run yet; with fewer if the system has no more."""
        with self.lock:
            if self.started:
                return
            self.started = True
            if self.size > 1:
                with blocked_signals():
                    for number in range(1, self.size):
                        if not self.started_worker(number):
                            break
                        self.workers = number

    def started_worker(self, number: int) -> bool:
        """Starts a worker; says whether that was possible."""
        system = ctypes.CDLL(None)
        thread = ctypes.c_ulong()
        argument = np.array([self.address, number], np.int64)
        attributes = np.zeros(16, np.int64)  # longer than those of any system
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
        self.threads.append(thread)
        pin_worker(system, thread, number)
        return True

    def stop(self) -> None:
        """Ends the workers, when they have done what they do; callers then work alone."""
        with self.lock:
            self.started = True
            if self.threads:
                self.stop_workers(self.address)
                system = ctypes.CDLL(None)
                for thread in self.threads:
                    system.pthread_join(thread, None)
                self.threads.clear()
                self.workers = 0

    def forget(self) -> None:
        """In the child of a fork: the workers are the parent's."""
        self.words[:] = 0
        self.lock = Lock()
        self.threads.clear()
        self.arguments.clear()
        self.workers = 0
        self.started = False


@contextmanager
def blocked_signals() -> Generator[None]:
    """While it lasts this thread, and those it starts, are sent no signals."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())  # first: the next line may be interrupted
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def pin_worker(system: Any, thread: Any, number: int) -> None:
    """Keeps a worker on a processor of its own; the caller's threads stay free to move.

    Woken after a pause it would else start on the caller's processor, and both would share it.
    """
    if os.environ.get(PIN_VARIABLE) == "0" or not hasattr(os, "sched_getaffinity"):
        return
    processors = sorted(os.sched_getaffinity(0))
    chosen = processors[number % len(processors)]
    mask = np.zeros(chosen // 8 + 8, np.uint8)
    mask[chosen // 8] = 1 << chosen % 8
    system.pthread_setaffinity_np(
        thread, ctypes.c_size_t(mask.size), ctypes.c_void_p(mask.ctypes.data)
    )


def allowed_threads() -> int:
    """How many threads may work: as many as there are processors, unless fewer are asked for."""
    if hasattr(os, "sched_getaffinity"):
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    asked = environment_number(THREADS_VARIABLE, least=1)
    if asked is not None:
        return min(asked, pool.MAX_THREADS)
    return max(1, min(processors, cpu_quota() or processors, pool.MAX_THREADS))


def cpu_quota() -> int:
    """How many processors' time this container may use; 0 if it is not bounded."""
    try:
        most, period = CPU_QUOTA.read_text().split()[:2]
    except (OSError, ValueError):
        return 0
    return -(-int(most) // int(period)) if most.isdecimal() and int(period) else 0


def cache_aligned_zeros(size: int) -> Array:
    """Zeros that begin on a cache line."""
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]
