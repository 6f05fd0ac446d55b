"""What the Trace Event Format requires of a document.

Source: "Trace Event Format" (Chrome): complete events (``X``), metadata events (``M``).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

METADATA = {
    "process_name": ("name", str),
    "process_sort_index": ("sort_index", int),
    "thread_name": ("name", str),
    "thread_sort_index": ("sort_index", int),
}


def check_trace(document: Any, *, has_threads: bool = True) -> None:
    """Checks every field of every event; slices of a thread nest or are apart.

    Args:
        document: The document.
        has_threads: Whether every thread has a name.
    """
    assert document["displayTimeUnit"] in {"ms", "ns"}
    named: set[tuple[int, int]] = set()
    processes: set[int] = set()
    slices: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    for event in document["traceEvents"]:
        assert isinstance(event["name"], str)
        assert isinstance(event["pid"], int)
        assert isinstance(event["args"], dict)
        match event["ph"]:
            case "M":
                key, kind = METADATA[event["name"]]
                assert type(event["args"][key]) is kind
                if event["name"] == "thread_name":
                    named.add((event["pid"], event["tid"]))
                if event["name"] == "process_name":
                    processes.add(event["pid"])
            case "X":
                assert isinstance(event["cat"], str)
                assert isinstance(event["tid"], int)
                start, length = event["ts"], event["dur"]
                assert start >= 0
                assert length >= 0
                slices[event["pid"], event["tid"]].append((start, start + length))
            case other:
                raise AssertionError(f"no event of phase {other} is written")
    assert not has_threads or set(slices) <= named
    assert {pid for pid, _ in slices} <= processes
    for spans in slices.values():
        ends: list[float] = []
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            while ends and ends[-1] <= start + 1e-3:
                ends.pop()
            assert not ends or end <= ends[-1] + 1e-3
            ends.append(end)
