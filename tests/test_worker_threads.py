"""Threads of our own: they work when the main thread has returned, and when none can be started."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import CancelledError
from threading import Event, Thread, current_thread

import pytest

from stablemate.worker_threads import WorkerThreads


def test_jobs_run_in_other_threads_and_have_outcomes() -> None:
    with WorkerThreads(2) as workers:
        number = workers.submit(divmod, 7, 2)
        failure = workers.submit(divmod, 7, 0)
        place = workers.submit(current_thread)
        assert number.result() == (3, 1)
        assert place.result() is not current_thread()
        with pytest.raises(ZeroDivisionError):
            failure.result()
    assert not any(thread.is_alive() for thread in workers.threads)


def test_jobs_that_have_not_begun_are_cancelled_when_the_block_is_left() -> None:
    begun, over = Event(), Event()
    with WorkerThreads(1) as workers:
        first = workers.submit(lambda: (begun.set(), over.wait()))
        second = workers.submit(int)
        begun.wait()
        closing = Thread(target=workers.close)
        closing.start()
        while not workers.queue.is_closed:
            closing.join(0.001)
        over.set()
        closing.join()
    assert first.result() == (None, True)
    with pytest.raises(CancelledError):
        second.result()


def test_threads_end_where_an_interrupt_kept_them_from_being_closed() -> None:
    workers = WorkerThreads(2)
    for _ in range(2):
        workers.submit(int).result()
    threads = workers.threads
    del workers
    for thread in threads:
        thread.join(timeout=10)
    assert not any(thread.is_alive() for thread in threads)


def test_the_caller_does_the_work_if_no_thread_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    with WorkerThreads(2) as workers:
        assert workers.submit(current_thread).result() is current_thread()


MOMENTS = {
    "a handler": "atexit.register(compile)",
    "a thread": "threading.Thread(target=lambda: (main.join(), compile())).start()",
    "a handler of threading": "threading._register_atexit(compile)",
}
PROGRAM = """
import atexit, threading, numpy as np, stablemate as sm
main = threading.main_thread()
def compile():
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\\n"
    text += "  %0 = stablehlo.add %x, %x : tensor<2xf32>\\n  return %0 : tensor<2xf32>\\n}"
    executable = sm.compile(sm.load(text))
    print(executable.fallback, executable(np.float32([1, 2])))
"""


@pytest.mark.standard
@pytest.mark.parametrize("moment", MOMENTS)
def test_programs_are_compiled_when_the_main_thread_has_returned(
    moment: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM + MOMENTS[moment]],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "None [2. 4.]\n", "")
