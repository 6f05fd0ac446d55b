"""What the system, a callback or a stranger does to a run costs that run, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.inspection.observing import observable_function
from stablemate.compiler.config.disk_cache import MAGIC, Cache
from stablemate.diagnostics.errors import LimitError
from stablemate.execution.observe.listener import Computed
from stablemate.formats import recognition
from stablemate.ir.core import Operation
from stablemate.ir.grid import ProcessId

ROOT = Path(__file__).parents[2]
MLP = str(ROOT / "examples" / "mlp.mlir")
DIGIT = f"--input=@{ROOT / 'examples' / 'digit.npy'}"
BAD = str(ROOT / "examples" / "bad.mlir")

linux = pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")


def stablemate(
    *arguments: str, cache: Path | None = None, first: str = "", **options: Any
) -> tuple[int, str]:
    """The exit code of a command, and what it says on stderr."""
    run = "import sys; from stablemate.cli import main; sys.argv[0] = 'stablemate'; main()"
    done = subprocess.run(
        # A limit on the size of files would cut modules that Python keeps compiled, too.
        [sys.executable, "-B", "-c", f"{first}\n{run}", *arguments],
        env={**os.environ, **({"STABLEMATE_CACHE_DIR": str(cache)} if cache else {})},
        stderr=options.pop("stderr", subprocess.PIPE),
        stdout=options.pop("stdout", subprocess.DEVNULL),
        timeout=300,
        check=False,
        **options,
    )
    return done.returncode, (done.stderr or b"").decode()


# ---- disks and pipes


@linux
@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["run", MLP, DIGIT], ["fmt", MLP], ["run", "--help"]]
)
def test_a_full_stdout_is_said_in_a_line(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        code, completed = stablemate(*arguments, stdout=full)
    assert code == 4
    assert completed.startswith("error: ")
    assert completed.endswith("no space left on device\n")
    assert completed.count("\n") == 1


@linux
def test_a_full_stderr_leaves_the_exit_code() -> None:
    with open("/dev/full", "wb") as full:
        assert stablemate("run", MLP, "--input=1", "--input=1", stderr=full)[0] == 2
        assert stablemate("check", BAD, stderr=full)[0] != 0


def test_a_full_disk_keeps_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "out.mlirbc"
    target.write_bytes(b"old")
    most = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))"
    code, completed = stablemate("convert", MLP, str(target), first=most)
    assert (code, completed) == (4, f"error: cannot write {target}: file too large\n")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_costs_only_the_cache(tmp_path: Path) -> None:
    most = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))"
    code, completed = stablemate("run", MLP, DIGIT, cache=tmp_path / "cache", first=most)
    assert (code, completed) == (0, "")
    assert list((tmp_path / "cache").iterdir()) == []


@linux
def test_an_endless_input_is_refused() -> None:
    code, completed = stablemate("run", MLP, "--input=@/dev/zero")
    assert code == 2
    assert "1x784xf32 has 3136 bytes, @/dev/zero has 3137" in completed


@linux
def test_an_endless_program_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "STREAM_BYTES", 1 << 22)
    with pytest.raises(LimitError, match="/dev/zero is larger than 4194304 bytes"):
        sm.load(Path("/dev/zero"))
    with open("/dev/zero", "rb") as stream, pytest.raises(LimitError):
        sm.load(stream)


def test_a_file_that_is_cut_short_while_its_constants_are_in_use(tmp_path: Path) -> None:
    path = tmp_path / "large.mlirbc"
    code = f'''
import numpy as np, stablemate as sm
n = 1 << 20
data = np.arange(n, dtype=np.float32).tobytes().hex()
m = sm.load(f"""func.func @main() -> tensor<{{n}}xf32> {{{{
  %c = stablehlo.constant dense<"0x{{data}}"> : tensor<{{n}}xf32>
  return %c : tensor<{{n}}xf32>
}}}}""")
open({str(path)!r}, "wb").write(m.to_bytecode())
m = sm.load({str(path)!r})
open({str(path)!r}, "r+b").truncate(100)
print(float(m.run(backend="interpreter").sum()))
'''
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert float(done.stdout) == pytest.approx((1 << 20) * ((1 << 20) - 1) / 2, rel=1e-3)


# ---- the cache


def test_of_a_damaged_file_nothing_is_taken(tmp_path: Path) -> None:
    kept = Cache(tmp_path / "cache")
    content = bytes(np.random.default_rng(0).integers(0, 256, 3000, np.uint8))
    assert kept.put("a", content)
    path = kept.path("a")
    whole = path.read_bytes()
    for at in [*range(64), *range(64, len(whole), 37), len(whole) - 1]:
        for damaged in (
            whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :],
            whole[:at],
            whole[:at] + bytes(len(whole) - at) if any(whole[at:]) else b"",
        ):
            path.write_bytes(damaged)
            assert kept.get("a") is None
            assert not path.exists()
    path.write_bytes(whole)
    assert kept.get("a") == content
    path.write_bytes(whole.replace(MAGIC, b"stablemate-0\n"))
    assert kept.get("a") is None


def linked(path: Path) -> None:
    path.rename(path.with_suffix(".elsewhere"))
    path.symlink_to(path.with_suffix(".elsewhere"))


def piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def foreign(path: Path) -> None:
    if os.getuid():
        pytest.skip("only root gives files away")
    os.chown(path, 12345, 12345)


def shared(path: Path) -> None:
    path.chmod(0o622)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no owners")
@pytest.mark.parametrize("change", [linked, piped, foreign, shared])
def test_what_is_not_its_users_file_is_not_read(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    kept = Cache(tmp_path / "cache")
    assert kept.put("a", b"content")
    change(kept.path("a"))
    assert kept.get("a") is None
    assert kept.put("a", b"content")
    assert kept.get("a") == b"content"


def test_a_directory_in_place_of_a_file_costs_only_the_cache(tmp_path: Path) -> None:
    kept = Cache(tmp_path / "cache")
    kept.path("a").mkdir(parents=True, mode=0o700)
    kept.directory.chmod(0o700)
    assert kept.get("a") is None
    assert not kept.put("a", b"content")
    assert list(kept.directory.iterdir()) == [kept.path("a")]


def test_drafts_whose_writers_were_killed_go_after_an_hour(tmp_path: Path) -> None:
    kept = Cache(tmp_path / "cache")
    assert kept.put("a", b"content")
    old, new = (kept.directory / f".stablemate-{name}.tmp" for name in ("old", "new"))
    for item in (old, new):
        item.write_bytes(b"half")
    os.utime(old, (0, 0))
    assert Cache(tmp_path / "cache").put("b", b"content")  # as the next process does
    assert (old.exists(), new.exists()) == (False, True)


def test_several_processes_fill_the_same_cache(tmp_path: Path) -> None:
    code = (
        "import sys, numpy as np, stablemate as sm\n"
        "m = sm.load('examples/mlp.mlir'); sys.stdin.read(1)\n"
        "e = sm.compile(m, threads=1); print(e(np.load('examples/digit.npy')).tobytes().hex())"
    )
    environment = {**os.environ, "STABLEMATE_CACHE_DIR": str(tmp_path / "cache")}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            cwd=ROOT,
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"x")
        process.stdin.flush()
    collected = [process.communicate(timeout=300)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len(set(collected)) == 1
    names = [path.name for path in (tmp_path / "cache").iterdir()]
    assert names
    assert all(name.endswith(".program") for name in names)


# ---- memory


LARGE = """import resource, numpy as np, stablemate as sm
small = sm.compile(sm.load('''func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}'''), backend=BACKEND)
large = sm.compile(sm.load('''func.func @main(%a: tensor<f32>) -> tensor<16384x8192xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<16384x8192xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }) : (tensor<16384x8192xf32>) -> tensor<16384x8192xf32>
  return %1 : tensor<16384x8192xf32>
}'''), backend=BACKEND)
used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 28), -1))
for _ in range(3):
    try:
        large(np.float32(1))
    except (MemoryError, sm.StablemateError) as error:
        print(type(error).__name__, error)
    else:
        print('done')
    assert small(np.ones(4, np.float32)).tolist() == [2, 2, 2, 2]
"""


@linux
@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_without_memory_a_call_fails_and_the_next_one_works(backend: str) -> None:
    code = LARGE.replace("BACKEND", repr(backend))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    decode_result = done.stdout.decode().splitlines()
    lines = [item for item in decode_result if "Error" in item]
    assert len(lines) == 3
    for line in lines:
        if backend == "cpu":
            assert "MemoryError" in line
            assert "iB for an array" in line
        else:
            assert line.startswith("LimitError <text>:")
            assert line.endswith("there is not enough memory for the result")


# ---- what is called back

CALLING = """func.func @main(%a: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %0:2 = stablehlo.while(%x = %a, %i = %n) : tensor<4xf32>, tensor<i32> cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %c = stablehlo.custom_call @reliability_raises(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %d = stablehlo.add %c, %c : tensor<4xf32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %d, %j : tensor<4xf32>, tensor<i32>
  }
  return %0#0 : tensor<4xf32>
}"""
CALLS: list[int] = []


@sm.custom_call("reliability_raises")
def raising(operands: Any, call: Any) -> Any:
    CALLS.append(1)
    if len(CALLS) == 3:
        raise ZeroDivisionError("the third call")
    return operands[0]


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
@pytest.mark.parametrize("processes", [1, 3])
def test_a_custom_call_that_raises_in_a_loop(backend: str, processes: int) -> None:
    CALLS.clear()
    executable = sm.compile(sm.load(CALLING), backend=backend)
    arguments = np.ones(4, np.float32), np.int32(5)

    def called() -> Any:
        if processes == 1:
            return [executable(*arguments)]
        grid = sm.run_grid(sm.load(CALLING), [arguments] * processes, replicas=processes)
        return [item[0] if isinstance(item, tuple) else item for item in grid]

    with pytest.raises(sm.EvaluationError, match="ZeroDivisionError: the third call") as caught:
        called()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    for _ in range(2):
        for item in called():
            np.testing.assert_array_equal(item, np.full(4, 32, np.float32))


class Raising:
    """A listener that raises when it is told the n-th result."""

    def __init__(self, at: int) -> None:
        self.left_until_then = at

    def watch(self, operation: Operation) -> Computed:
        def computed(operands: Sequence[Any], results: Sequence[Any]) -> None:
            self.left_until_then -= 1
            if not self.left_until_then:
                raise ZeroDivisionError("of the listener")

        return computed

    def enter(self, operation: Operation, region: int, arguments: Sequence[Any]) -> None:
        pass

    def leave(self) -> None:
        pass

    def process(self, process: ProcessId) -> Raising:
        return self


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_a_listener_that_raises(backend: str) -> None:
    CALLS[:] = [1] * 10
    program = observable_function(sm.load(CALLING), backend=backend)
    arguments = np.ones(4, np.float32), np.int32(5)
    for at in range(1, 8):
        with pytest.raises(ZeroDivisionError, match="of the listener"):
            program.run(Raising(at), *arguments)
    listener = Raising(0)
    result = program.run(listener, *arguments)
    assert listener.left_until_then < -5
    np.testing.assert_array_equal(result, np.full(4, 32, np.float32))
