"""Threads that work for one caller until it leaves, also after the main thread has returned.

``concurrent.futures.ThreadPoolExecutor`` registers a handler when it is imported, and accepts no
work once the main thread has returned: in handlers of ``atexit`` and in threads that go on. Where
the system or the interpreter starts no thread any more, the caller does the work.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, Generic, TypeVar

from stablemate.deferred_signals import deferring_interrupts

T = TypeVar("T")
NAME: Final = "stablemate worker"


class WorkerJob(Generic[T]):
    """A call and its outcome."""

    def __init__(self, function: Callable[..., T], arguments: tuple[object, ...]) -> None:
        self.function = function
        self.arguments = arguments
        self.future: Future[T] = Future()

    def run(self) -> None:
        """Calls the function, unless the job has been canceled."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            self.future.set_result(self.function(*self.arguments))
        except BaseException as error:
            self.future.set_exception(error)


class JobQueue:
    """The jobs that wait for a thread."""

    def __init__(self) -> None:
        self.is_closed = False
        self.jobs: SimpleQueue[WorkerJob[object] | None] = SimpleQueue()

    def put(self, job: WorkerJob[Any]) -> None:
        """Appends a job for the next idle thread."""
        self.jobs.put(job)

    def work(self) -> None:
        """Runs jobs until the queue is closed; those that come later are canceled."""
        while (job := self.jobs.get()) is not None:
            if self.is_closed:
                job.future.cancel()
            job.run()
            del job  # its outcome belongs to the caller

    def close(self, threads: int) -> None:
        """Ends this number of threads, each of them after its present job."""
        self.is_closed = True
        for _ in range(threads):
            self.jobs.put(None)


class WorkerThreads:
    """Threads that start with the first jobs and end when the caller leaves the block.

    They do not keep the process alive, and nothing registers them anywhere: an interpreter that
    ends does not wait for them, and they are gone when the caller has left.
    """

    def __init__(self, most: int) -> None:
        """Starts no thread yet.

        Args:
            most: How many threads may work at the same time.
        """
        self.most = most
        self.threads: list[Thread] = []
        self.queue = JobQueue()

    def __enter__(self) -> WorkerThreads:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        """Ends the threads where an interrupt came just before ``close``."""
        self.queue.close(len(self.threads))

    def submit(self, function: Callable[..., T], *arguments: object) -> Future[T]:
        """Calls a function in a thread, or at once if there is no thread."""
        job = WorkerJob(function, arguments)
        if not self.has_thread():
            job.run()
            return job.future
        self.queue.put(job)
        return job.future

    def has_thread(self) -> bool:
        """Whether there is a thread for another job; starts one more if there may be more."""
        if len(self.threads) < self.most:
            # The thread knows the queue alone, so that it does not keep this object alive.
            thread = Thread(target=self.queue.work, name=NAME, daemon=True)
            try:
                with deferring_interrupts():  # a thread that nobody knows would wait for ever
                    thread.start()
                    self.threads.append(thread)
            except RuntimeError:  # the system has no more threads, or the interpreter ends
                return bool(self.threads)
        return True

    def close(self) -> None:
        """Cancels the jobs that no thread has begun, and waits for the others."""
        with deferring_interrupts():  # a thread that is not told would wait for ever
            self.queue.close(len(self.threads))
        for thread in self.threads:
            thread.join()
