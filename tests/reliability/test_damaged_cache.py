"""Damaged entries of the disk cache: the program is compiled, without a warning, and is right."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from stablemate.compiler.config.disk_cache import DIGEST_BYTES, MAGIC, Cache, digest

DamageCache = Callable[[Sequence[Path]], None]
HEAD_BYTES: Final = len(MAGIC) + DIGEST_BYTES
# Programs of static and of dynamic sizes, and one that calls a library;
# the peaks of the machine have an entry too.
RUN: Final = """import warnings, numpy as np, stablemate as sm
from stablemate.compiler.runtime.machine_peaks import peaks
warnings.simplefilter("error")
def run(text, *arguments):
    executable = sm.compile(sm.load(text), backend="cpu", threads=1)
    print(executable(*arguments).tolist(), getattr(executable, "is_from_cache", None))
square = np.array([[4, 2], [2, 5]], np.float32)
for name in "negate", "exponential", "cholesky", "abs":
    run(f'''func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {{
  %0 = stablehlo.{name} %a : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}}''', square)
for name in "negate", "abs":
    run(f'''func.func @main(%a: tensor<?x2xf32>) -> tensor<?x2xf32> {{
  %0 = stablehlo.{name} %a : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}}''', square)
assert peaks(1).flops_per_second > 0
"""


def results(directory: Path) -> Sequence[str]:
    """The lines that the programs print in a process of their own with this cache."""
    finished = subprocess.run(
        [sys.executable, "-c", RUN],
        capture_output=True,
        check=False,
        env={**os.environ, "STABLEMATE_CACHE_DIR": str(directory)},
        text=True,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    return finished.stdout.splitlines()


def write_signed(path: Path, content: bytes) -> None:
    """Writes content with the digest that belongs to it, as a faulty writer would."""
    path.write_bytes(MAGIC + digest(path.stem, content) + content)


def flip(paths: Sequence[Path]) -> None:
    for path in paths:
        content = path.read_bytes()
        middle = (HEAD_BYTES + len(content)) // 2
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :])


def truncate(paths: Sequence[Path]) -> None:
    for path in paths:
        path.write_bytes(path.read_bytes()[:-9])


def empty(paths: Sequence[Path]) -> None:
    for path in paths:
        path.write_bytes(b"")


def rename(paths: Sequence[Path]) -> None:
    """Every entry gets the content of another one."""
    contents = [path.read_bytes() for path in paths]
    for path, content in zip(paths, contents[1:] + contents[:1], strict=True):
        path.write_bytes(content)


def age(paths: Sequence[Path]) -> None:
    """Every entry is one of the next format."""
    for path in paths:
        path.write_bytes(path.read_bytes().replace(MAGIC, b"stablemate-9\n", 1))


def sign_empty(paths: Sequence[Path]) -> None:
    for path in paths:
        if is_program(path):
            write_signed(path, b"")


def sign_truncated(paths: Sequence[Path]) -> None:
    for path in paths:
        if is_program(path):
            write_signed(path, path.read_bytes()[HEAD_BYTES:-9])


def sign_header(paths: Sequence[Path]) -> None:
    """A program whose header is of another kind."""
    for path in paths:
        if is_program(path):
            write_signed(path, b'{"version": 9}\n' + path.read_bytes()[HEAD_BYTES:])


def sign_objects(paths: Sequence[Path]) -> None:
    """A program whose objects are no objects any more, under a digest that fits."""
    for path in paths:
        content = path.read_bytes()[HEAD_BYTES:]
        if is_program(path):
            write_signed(path, content.replace(b"\x7fELF", b"\x00ELF"))


REGIONS: Final = ("magic number", "digest", "first line", "start", "middle", "end")


def region(content: bytes, name: str) -> tuple[int, int]:
    """The first byte of a region of an entry, and the byte after its last one."""
    line = content.find(b"\n", HEAD_BYTES) + 1 or len(content)
    rest = (len(content) - line) // 3
    bounds = [0, len(MAGIC), HEAD_BYTES, line, line + rest, line + 2 * rest, len(content)]
    position = REGIONS.index(name)
    return bounds[position], bounds[position + 1]


def damaged(drawn: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    """An entry with a damage of a kind that is drawn, at a place that is drawn."""
    first, last = region(content, drawn.choice(REGIONS))
    place = drawn.randrange(first, max(last, first + 1)) % len(content)
    bit = bytes([content[place] ^ 1 << drawn.randrange(8)])
    return drawn.choice(
        [
            content[:place] + bit + content[place + 1 :],
            content[:place],
            content[:place] + bytes(len(content) - place - 1) + b"\1",  # as after a loss of power
            content[:place] + drawn.randbytes(drawn.randint(1, 99)) + content[place:],
            content + drawn.randbytes(drawn.randint(1, 99)),
            drawn.choice(others),
            content.replace(MAGIC, f"stablemate-{drawn.choice((0, 1, 3, 10))}\n".encode(), 1),
            MAGIC + drawn.choice(others)[len(MAGIC) : HEAD_BYTES] + content[HEAD_BYTES:],
            content[:HEAD_BYTES] + drawn.choice(others)[HEAD_BYTES:],
        ]
    )


def damage_at_random(seed: int, paths: Sequence[Path]) -> None:
    """Every entry gets a damage of its own."""
    drawn = random.Random(seed)
    contents = [path.read_bytes() for path in paths]
    for path, content in zip(paths, contents, strict=True):
        others = [other for other in contents if other != content]
        path.write_bytes(damaged(drawn, content, others))


def is_program(path: Path) -> bool:
    """Whether the entry is a compiled program: a header in JSON with its objects."""
    header = path.read_bytes()[HEAD_BYTES:].partition(b"\n")[0]
    return header.startswith(b"{") and (b'"sizes"' in header or b'"launches"' in header)


DAMAGES: Final[Sequence[DamageCache]] = (
    flip, truncate, empty, rename, age, sign_empty, sign_truncated, sign_header, sign_objects,
    *(partial(damage_at_random, seed) for seed in range(3)),
)  # fmt: skip


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Cache, Sequence[str]]:
    """A cache with entries of all kinds, and the right results."""
    kept = Cache(tmp_path_factory.mktemp("cache"))
    kept.directory.chmod(0o700)
    return kept, results(kept.directory)


@pytest.mark.standard
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_compiled_again(
    filled: tuple[Cache, Sequence[str]], damage: DamageCache
) -> None:
    kept, fresh = filled
    assert results(kept.directory) == [line.replace("False", "True") for line in fresh]
    paths = [entry.path for entry in kept.entries()]
    assert len(paths) > 8
    damage(paths)
    assert results(kept.directory) == fresh
    assert results(kept.directory) == [line.replace("False", "True") for line in fresh]


@pytest.mark.standard
@pytest.mark.parametrize("name", REGIONS)
def test_a_bit_in_any_region_of_an_entry_is_noticed(
    filled: tuple[Cache, Sequence[str]], name: str
) -> None:
    """Nothing is decoded, whichever bit of the first or last bytes of a region has changed."""
    kept, _ = filled
    for entry in kept.entries():
        content = entry.path.read_bytes()
        first, last = region(content, name)
        for place in sorted({*range(first, last)[:40], *range(first, last)[-40:]}):
            bit = bytes([content[place] ^ 1 << place % 8])
            entry.path.write_bytes(content[:place] + bit + content[place + 1 :])
            assert kept.load(entry.path.stem, pytest.fail) is None
            assert not entry.path.exists()
        entry.path.write_bytes(content)
        entry.path.chmod(0o600)
        assert kept.get(entry.path.stem) is not None


def test_an_entry_under_the_name_of_another_is_removed(tmp_path: Path) -> None:
    kept = Cache(tmp_path / "cache")
    assert kept.put("a", b"content")
    kept.path("a").rename(kept.path("b"))
    assert kept.get("b") is None
    assert not kept.path("b").exists()


def test_an_entry_that_cannot_be_decoded_is_removed(tmp_path: Path) -> None:
    kept = Cache(tmp_path / "cache")
    assert kept.put("a", b"content")
    assert kept.load("a", int) is None
    assert not kept.path("a").exists()
