"""The disk cache: programs come back as they were; whatever is wrong with it costs only time."""

from __future__ import annotations

import gc
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from mmap import mmap
from pathlib import Path
from typing import Any, Final
from weakref import ref

import numpy as np
import pytest

import stablemate as sm
from stablemate import atomic_files
from stablemate.compiler.config import disk_cache
from stablemate.compiler.config.disk_cache import (
    MAGIC,
    Cache,
    CacheEntry,
    ConstantsRecord,
    cache,
    cache_directory,
)
from stablemate.compiler.executable import CompiledExecutable, runtime
from stablemate.compiler.runtime.instance import Instance
from stablemate.numerics.elements import Array

PROGRAM = """func.func @main(
  %a: tensor<4x4xf32>, %n: tensor<i32>
) -> (tensor<4x4xf32>, tensor<i32>) {
  %c = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %b = stablehlo.broadcast_in_dim %c, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<4x4xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %l = stablehlo.cholesky %b : tensor<4x4xf32>
  %0:2 = stablehlo.while(%x = %a, %i = %n) : tensor<4x4xf32>, tensor<i32> cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %y = stablehlo.dot %x, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %y, %j : tensor<4x4xf32>, tensor<i32>
  }
  %1 = stablehlo.add %0#0, %l : tensor<4x4xf32>
  return %1, %0#1 : tensor<4x4xf32>, tensor<i32>
}"""

SIZED_PROGRAM = """func.func @main(
  %a: tensor<?x4xf32>, %n: tensor<i32>
) -> (tensor<?x4xf32>, tensor<i32>) {
  %c = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0],
                                 [2.0, 2.0, 3.0, 4.0], [5.0, 6.0, 9.0, 8.0]]> : tensor<4x4xf32>
  %0 = stablehlo.dot %a, %c : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  return %0, %n : tensor<?x4xf32>, tensor<i32>
}"""


@pytest.fixture(autouse=True, scope="module")
def shared_objects() -> None:
    """The code that programs of a process share goes to another cache."""
    runtime()
    compiled()


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    path = tmp_path / "cache"
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(path))
    return path


def compiled(text: str = PROGRAM, **options: Any) -> CompiledExecutable:
    """A program that was just read, as native code."""
    executable = sm.compile(sm.load(text), backend="cpu", **options)
    assert isinstance(executable, CompiledExecutable)
    return executable


def called(executable: CompiledExecutable) -> Any:
    """What the program gives."""
    return executable(np.eye(4, dtype=np.float32), np.int32(3))


def test_a_program_comes_back_as_it_was(directory: Path) -> None:
    first = compiled()
    expected = called(first)
    assert [path.suffix for path in directory.iterdir()] == [".program"]
    second = compiled()
    assert (first.is_from_cache, second.is_from_cache) == (False, True)
    for item, right in zip(called(second), expected, strict=True):
        np.testing.assert_array_equal(item, right)
    assert str(second.plan) == str(first.plan)
    assert second.memory == first.memory


def test_what_decides_about_code_is_part_of_the_key() -> None:
    compiled()
    assert not compiled(PROGRAM + "\n").is_from_cache
    assert not compiled(limits=sm.Limits(iterations=5)).is_from_cache
    other = PROGRAM.replace("@main", "@other")
    both = f"{PROGRAM}\n{other}"
    assert not compiled(both, entry="main").is_from_cache
    assert not compiled(both, entry="other").is_from_cache
    assert compiled(both, entry="main").is_from_cache
    assert compiled(threads=1).is_from_cache


def test_limits_hold_for_what_comes_back() -> None:
    limits = sm.Limits(iterations=2)
    for _ in range(2):
        executable = compiled(limits=limits)
        with pytest.raises(sm.LimitError, match="the loop runs longer than 2 iterations"):
            called(executable)
    assert executable.is_from_cache


def test_a_changed_module_is_compiled_anew() -> None:
    module = sm.load(PROGRAM)
    sm.compile(module, backend="cpu")
    refined = module.refine()
    executable = sm.compile(refined, backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    assert not executable.is_from_cache


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "other", "of a newer version"])
def test_a_damaged_file_is_removed(directory: Path, damage: str) -> None:
    compiled()
    (path,) = directory.iterdir()
    content = path.read_bytes()
    damaged = {
        "cut": content[:-100],
        "flipped": content[:500] + bytes([content[500] ^ 1]) + content[501:],
        "empty": b"",
        "other": b"something else" * 100,
        "of a newer version": content.replace(MAGIC, b"stablemate-9\n"),
    }[damage]
    path.write_bytes(damaged)
    assert cache().get(path.stem) is None
    assert not path.exists()
    executable = compiled()
    assert not executable.is_from_cache
    called(executable)
    assert compiled().is_from_cache


@pytest.fixture
def constants_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """All constants are large enough for a file of their own."""
    monkeypatch.setattr("stablemate.compiler.executable.MOST_CONSTANT_BYTES", 1)


@pytest.mark.usefixtures("constants_beside")
@pytest.mark.parametrize("text", [PROGRAM, SIZED_PROGRAM], ids=["static", "sized"])
def test_large_constants_are_mapped_from_a_file_beside_the_program(
    directory: Path, text: str
) -> None:
    argument = np.arange(16, dtype=np.float32).reshape(4, 4)

    def results() -> tuple[Any, bool]:
        executable: Any = sm.compile(sm.load(text), backend="cpu")
        values = executable(argument, np.int32(3))
        native = getattr(executable, "latest", None) or executable
        constants = native.program.image.constants
        return values, all(is_mapped(constant) for constant in constants)

    (expected, _), (again, are_mapped) = results(), results()
    assert are_mapped
    for value, right in zip(again, expected, strict=True):
        np.testing.assert_array_equal(value, right)
    assert {path.suffix for path in directory.iterdir()} == {".program", ".constants"}


def is_mapped(array: Any) -> bool:
    """Whether the memory of an array is that of a file."""
    while isinstance(array, np.ndarray):
        array = array.base
    return isinstance(getattr(array, "obj", array), mmap)


DAMAGES: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "cut": lambda content: content[:-1],
    "longer": lambda content: content + b"\0",
    "flipped": lambda content: content[:20] + bytes([content[20] ^ 1]) + content[21:],
    "empty": lambda _: b"",
}


@pytest.mark.usefixtures("constants_beside")
@pytest.mark.parametrize("damage", [*DAMAGES, "gone"])
@pytest.mark.parametrize("is_noticed_by_time", [True, False])
def test_damaged_constants_are_removed(
    directory: Path, damage: str, is_noticed_by_time: bool
) -> None:
    """Of a short file the sample is all of it: nothing depends on the time of the change."""
    expected = called(compiled())
    (path,) = directory.glob("*.constants")
    status = path.stat()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
        if not is_noticed_by_time:
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    executable = compiled()
    assert not executable.is_from_cache
    assert compiled().is_from_cache
    for value, right in zip(called(executable), expected, strict=True):
        np.testing.assert_array_equal(value, right)


WEIGHTS: Final = 3
SQUARE: Final = "tensor<256x256xf32>"


@pytest.fixture
def product(monkeypatch: pytest.MonkeyPatch) -> str:
    """A product with several weights, each of which is prepared alone."""
    monkeypatch.setattr("stablemate.compiler.plan.preparation.MOST_AT_ONCE", 1)
    numbers = np.random.default_rng(0).normal(size=(WEIGHTS, 256, 256)).astype(np.float32)
    lines = [f"func.func @main(%x0: {SQUARE}) -> {SQUARE} {{"]
    for i, weight in enumerate(numbers):
        data = weight.tobytes().hex()
        lines += [
            f'  %w{i} = stablehlo.constant dense<"0x{data}"> : {SQUARE}',
            f"  %x{i + 1} = stablehlo.dot %x{i}, %w{i} : ({SQUARE}, {SQUARE}) -> {SQUARE}",
        ]
    return "\n".join([*lines, f"  return %x{WEIGHTS} : {SQUARE}", "}"])


def instances() -> set[Instance]:
    return {one for one in gc.get_objects() if type(one) is Instance}


@pytest.mark.usefixtures("constants_beside")
def test_a_constant_is_written_before_the_next_one_is_computed(
    product: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them are never in memory together; nor is what computed them."""
    put, prepared = Cache.put_constants, list[Any]()

    def watched(
        self: Cache, key: str, sizes: Sequence[int], constants: Iterable[tuple[int, Array]]
    ) -> ConstantsRecord | None:
        def each() -> Iterator[tuple[int, Array]]:
            for number, constant in constants:
                assert not [one for one in prepared if one() is not None]
                if constant.flags.writeable:  # others are parts of the program that was read
                    prepared.append(ref(constant))
                yield number, constant
                del constant

        return put(self, key, sizes, each())

    monkeypatch.setattr(Cache, "put_constants", watched)
    gc.collect()
    gc.disable()
    try:
        before = instances()
        executable = compiled(product)
        assert not instances() - before  # other tests have some
    finally:
        gc.enable()
    assert len(prepared) == len(executable.plan.preparations) > 1


@pytest.mark.usefixtures("constants_beside")
def test_constants_that_the_disk_does_not_take_are_computed_again(
    product: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(
        self: Cache, key: str, sizes: Sequence[int], constants: Iterable[tuple[int, Array]]
    ) -> None:
        next(iter(constants))

    x = np.eye(256, dtype=np.float32)
    expected = sm.run(product, x, backend="interpreter")
    monkeypatch.setattr(Cache, "put_constants", full)
    np.testing.assert_allclose(compiled(product)(x), expected, rtol=1e-3, atol=1e-2)


def put_constants(kept: Cache, name: str, constants: Array) -> ConstantsRecord | None:
    """Puts one constant into a cache."""
    return kept.put_constants(name, [constants.nbytes], enumerate([constants]))


def sample_of(constants: Array) -> str:
    """The digest of a sample of a file with these constants."""
    return disk_cache.digest_of_sample(BytesIO(constants.tobytes()), constants.nbytes)


def test_changes_between_the_samples_are_noticed_by_the_time_or_the_digest(directory: Path) -> None:
    kept = Cache(directory)
    constants = np.arange(1 << 18, dtype=np.int64)
    record = put_constants(kept, "a", constants)
    assert record is not None
    path = kept.constants_path("a")
    os.utime(path, (1, 1))  # as in a copy of the directory
    np.testing.assert_array_equal(kept.constants("a", record).view(np.int64), constants)
    changed = constants.copy()
    changed[1 << 10] = -1  # the samples of 2 MiB are 8 KiB apart and 256 bytes long
    changed[(1 << 10) + 40] = -1
    assert sample_of(changed) != record.sample
    changed[1 << 10] = constants[1 << 10]
    assert sample_of(changed) == record.sample
    path.write_bytes(changed.tobytes())
    with pytest.raises(ValueError, match="the constants have changed"):
        kept.constants("a", record)
    assert not path.exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="the system has no owners")
def test_constants_that_others_could_have_written_are_not_read(directory: Path) -> None:
    kept = Cache(directory)
    record = put_constants(kept, "a", np.zeros(4))
    assert record is not None
    kept.constants_path("a").chmod(0o666)
    with pytest.raises(ValueError, match="is not the file"):
        kept.constants("a", record)


def test_constants_go_with_their_program(directory: Path) -> None:
    kept = Cache(directory, max_bytes=5000)
    for i, name in enumerate("ab"):
        assert put_constants(kept, name, np.zeros(1500, np.uint8))
        assert kept.put(name, bytes(500))
        os.utime(kept.path(name), (i, i))
    assert len(kept.entries()) == 2
    assert sum(entry.bytes for entry in kept.entries()) > 4000
    assert kept.get("a") is not None  # used now
    assert kept.put("c", bytes(1000))
    assert {path.name for path in directory.iterdir()} == {"a.constants", "a.program", "c.program"}
    assert put_constants(kept, "d", np.zeros(2501, np.uint8)) is None  # more than their share
    assert len(kept.clear()) == 2
    assert not list(directory.iterdir())


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="the system has no owners")
def test_the_directory_is_private(directory: Path) -> None:
    compiled()
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    directory.chmod(0o777)
    assert not compiled().is_from_cache
    assert not Cache(directory).put("key", b"content")


def test_a_directory_that_cannot_be_made_costs_only_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(file / "cache"))
    for _ in range(2):
        executable = compiled()
        assert not executable.is_from_cache
        called(executable)


@pytest.mark.parametrize("has_unnamed", [True, False])
@pytest.mark.parametrize(
    ("steps", "error"),
    [
        ("os.open", OSError(30, "read-only file system")),
        ("os.fdopen", OSError(28, "no space left on device")),
        ("os.link os.replace", OSError(28, "no space left on device")),
    ],
)
def test_a_disk_that_takes_nothing_costs_only_the_cache(
    directory: Path, monkeypatch: pytest.MonkeyPatch, steps: str, error: OSError, has_unnamed: bool
) -> None:
    """A draft has no name where the system knows such files, and one elsewhere."""
    if not has_unnamed:
        monkeypatch.setattr(atomic_files, "UNNAMED_FILE", 0)

    def refusing(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        for step in steps.split():
            patch.setattr(step, refusing)
        called(compiled())
    assert not list(directory.iterdir())


def test_what_was_not_used_for_longest_goes_first(directory: Path) -> None:
    kept = Cache(directory, max_bytes=3500)
    for i, name in enumerate("abc"):
        assert kept.put(name, bytes(1000))
        os.utime(kept.path(name), (i, i))
    assert kept.get("a") is not None  # used now
    assert kept.put("d", bytes(1000))
    assert {entry.path.stem for entry in kept.entries()} == {"a", "c", "d"}
    assert not kept.put("e", bytes(4000))
    assert len(kept.clear()) == 3
    assert not kept.entries()


class Counting(Cache):
    """A cache that knows how often all its files were looked at."""

    times = 0

    def entries(self) -> list[CacheEntry]:
        self.times += 1
        return super().entries()


def test_files_are_counted_now_and_then(directory: Path) -> None:
    kept = Counting(directory, max_bytes=1 << 18)
    for i in range(1000):
        assert kept.put(f"{i}", bytes(1000))
        assert i % 50 or sum(entry.bytes for entry in Cache.entries(kept)) <= 1 << 18
    assert 1000 / 20 < kept.times < 1000 / 10


def test_the_directory_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STABLEMATE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_directory() == Path("/somewhere/stablemate")
    monkeypatch.setenv("STABLEMATE_CACHE_BYTES", "1000")
    assert cache().max_bytes == 1000
