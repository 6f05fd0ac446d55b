"""Faults at every call of the system that writing makes, one after the other."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

CALLS = ("open", "link", "replace", "chmod", "unlink", "rename")


class Injection:
    """Counts the points before and behind calls; does something at one of them.

    Attributes:
        seen: How many points there were.
        names: What they were.
    """

    def __init__(self, at: int, fault: Callable[[], None]) -> None:
        self.at = at
        self.fault = fault
        self.seen = 0
        self.names: list[str] = []

    def point(self, name: str) -> None:
        """One of the points."""
        number = self.seen
        self.seen += 1
        self.names.append(name)
        if number == self.at:
            self.fault()

    def around(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """A call with a point before it and one behind."""

        def called(*arguments: Any, **options: Any) -> Any:
            self.point(f"before {name}")
            value = call(*arguments, **options)
            self.point(f"after {name}")
            return value

        return called

    def stream(self, handle: int, mode: str = "r", *_: Any, **__: Any) -> Any:
        """A stream whose writes are points, each of a few bytes."""
        outer = self

        class Raw(io.FileIO):
            def write(self, content: Any) -> int:
                outer.point("before write")
                written = super().write(bytes(content)[:CHUNK])
                outer.point("after write")
                return written

        raw = Raw(handle, mode.replace("b", ""))
        return io.BufferedWriter(raw, CHUNK) if "w" in mode else io.BufferedReader(raw)


CHUNK = 512


@contextmanager
def injected(at: int, fault: Callable[[], None]) -> Generator[Injection]:
    """Lets a fault happen at one of the points."""
    injection = Injection(at, fault)
    kept = {name: getattr(os, name) for name in (*CALLS, "fdopen")}
    try:
        for name in CALLS:
            setattr(os, name, injection.around(name, kept[name]))
        os.fdopen = injection.stream  # type: ignore[assignment]
        yield injection
    finally:
        for name, call in kept.items():
            setattr(os, name, call)
