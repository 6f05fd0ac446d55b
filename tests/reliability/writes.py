"""Writes that are disturbed at every point, each in a process of its own that may be killed."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from stablemate import atomic_files as drafts
from stablemate.cli.output.output_files import write_files
from stablemate.compiler.config.disk_cache import Cache, cache
from tests.reliability.injection import injected

MOST_POINTS = 60
OLD, NEW = b"old" * 300, b"new" * 500


def new_file(place: Path) -> None:
    drafts.write_atomically(place / "a", lambda stream: stream.write(NEW))


def several_files(place: Path) -> None:
    write_files({str(place / name): lambda stream: stream.write(NEW) for name in ("a", "b", "old")})


def replaced_file(place: Path) -> None:
    drafts.write_atomically(place / "old", lambda stream: stream.write(NEW))


def cached(place: Path) -> None:
    Cache(place / "cache").put("a", NEW)


def cached_again(place: Path) -> None:
    Cache(place / "cache").put("old", NEW)


WRITES: dict[str, Callable[[Path], None]] = {
    several_file.__name__: several_file
    for several_file in (new_file, several_files, replaced_file, cached, cached_again)
}


def prepared(place: Path) -> None:
    """What stands there before."""
    (place / "old").write_bytes(OLD)
    Cache(place / "cache").put("old", OLD)


def state(place: Path) -> Iterator[str]:
    """What is wrong with what stands there now, and what is left behind."""
    for path in sorted(place.rglob("*")):
        if path.name.startswith("."):
            yield f"left: {path.name[:12]}"
        elif path.suffix == ".program":
            content = Cache(place / "cache").get(path.stem)
            if content not in ((OLD, NEW) if path.stem == "old" else (NEW,)):
                yield f"broken: {path.name}"
        elif path.is_file() and path.read_bytes() not in (OLD, NEW):
            yield f"broken: {path.name}"
    if not (place / "old").exists() or Cache(place / "cache").get("old") is None:
        yield "lost: old"


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def full() -> None:
    raise OSError(28, "No space left on device")


def refused() -> None:
    raise OSError(30, "Read-only file system")


def interrupted() -> None:
    raise KeyboardInterrupt


def exhausted() -> None:
    raise MemoryError


FAULTS = {item.__name__: item for item in (killed, full, refused, interrupted, exhausted)}


def disturbed(write: Callable[[Path], None], fault: Callable[[], None]) -> Iterator[list[str]]:
    """What is wrong after a fault at each of the points."""
    for at in range(MOST_POINTS):
        with tempfile.TemporaryDirectory() as directory:
            place = Path(directory)
            prepared(place)
            child = os.fork()
            if not child:
                with injected(at, fault) as injection:
                    try:
                        write(place)
                    except BaseException:
                        os._exit(1)
                    os._exit(0 if injection.seen <= at else 1)
            _, status = os.waitpid(child, 0)
            if status == 0:
                return
            wrong = list(state(place))
            write(place)  # the next one works
            wrong += [item for item in state(place) if item not in wrong]
            yield wrong
    yield ["endless"]


def main() -> None:
    """Prints how many points there were, and what was wrong at which."""
    if sys.argv[1:] == ["named"]:
        drafts.UNNAMED_FILE = 0  # type: ignore[misc]
    cache()  # whatever it imports
    report = {
        f"{name} {fault}": list(disturbed(WRITES[name], FAULTS[fault]))
        for name in WRITES
        for fault in FAULTS
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
