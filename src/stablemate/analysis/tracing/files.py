"""Traces in files: a directory of ``.npy`` with ``index.json``, one ``.npz``, or one ``.json``.

The index lists the operations, the blocks and the events, which name them by number. Elements of
types that NumPy does not know stand in files as unsigned integers with the same bits.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, fields, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np

from stablemate.analysis.operation_identity import OperationPlace
from stablemate.analysis.tracing.event import ElementStatistics, EventResult, EventScope, TraceEvent
from stablemate.analysis.tracing.recording import RunFailure, TraceRecording, places_of
from stablemate.atomic_files import write_atomically
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.file_errors import printable_name
from stablemate.execution.observe.host_output import plain
from stablemate.numerics.elements import Array, DType

INDEX: Final = "index.json"
MEMBER: Final = "index"  # of an archive
VERSION: Final = 1
FORMAT: Final = "stablemate trace"


@dataclass(frozen=True, slots=True)
class StoredArray:
    """Loads an array from a file.

    Attributes:
        path: The file; an archive if there is a member.
        member: Which array of an archive.
        dtype: What its elements are.
    """

    path: Path
    member: str
    dtype: DType

    def __call__(self) -> Array:
        """The array.

        Raises:
            OSError: The file cannot be read.
        """
        loaded: Any = np.load(self.path, allow_pickle=False)
        array: Array = loaded[self.member] if self.member else loaded
        return array if array.dtype == self.dtype else array.view(self.dtype)


@dataclass(frozen=True, slots=True)
class Directory:
    """Writes arrays into a directory as soon as they are there.

    Attributes:
        path: The directory.
    """

    path: Path

    def __call__(self, event: int, result: int, array: Array) -> Callable[[], Array]:
        """Writes an array.

        Raises:
            OSError: It cannot be written.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        path = self.path / file_name(event, result)
        write_atomically(path, partial(np.save, arr=plain(array)))
        return StoredArray(path, "", array.dtype)


def file_name(event: int, result: int) -> str:
    """The name of the file of an array."""
    return f"{event}.npy" if not result else f"{event}.{result}.npy"


def save(trace: TraceRecording, path: str | PathLike[str]) -> None:
    """Writes a trace; see ``Trace.save``."""
    target = Path(path)
    if target.suffix == ".json":
        text = json.dumps(document_of(trace)) + "\n"
        write_atomically(target, lambda stream: stream.write(text.encode()))
        return
    if target.suffix == ".npz":
        arrays = {name: plain(array) for name, array in arrays_of(trace)}
        index = np.frombuffer(json.dumps(document_of(trace, named=True)).encode(), np.uint8)
        members: dict[str, Any] = {MEMBER: index, **arrays}
        write_atomically(target, lambda stream: np.savez(stream, **members))
        return
    target.mkdir(parents=True, exist_ok=True)
    for number, event in enumerate(trace.events):
        for k, result in enumerate(event.results):
            place = target / file_name(number, k)
            load = result.load
            if load is not None and not (isinstance(load, StoredArray) and load.path == place):
                write_atomically(place, partial(np.save, arr=plain(load())))
    document = json.dumps(document_of(trace, named=True)) + "\n"
    write_atomically(target / INDEX, lambda stream: stream.write(document.encode()))


def arrays_of(trace: TraceRecording) -> Iterator[tuple[str, Array]]:
    """The arrays that were kept, by the names of their files."""
    for number, event in enumerate(trace.events):
        for k, result in enumerate(event.results):
            if result.load is not None:
                yield file_name(number, k), result.load()


def document_of(trace: TraceRecording, *, named: bool = False) -> dict[str, object]:
    """A trace as JSON has it; numbers that JSON lacks are strings.

    Args:
        trace: The trace.
        named: Whether arrays that were kept are named by their files.
    """
    places = places_of(trace.events)
    failure = trace.failure
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": trace.program,
        "backend": trace.backend,
        "failure": None
        if failure is None
        else {
            "message": failure.message,
            "stack": [scope_json(scope) for scope in failure.stack],
            "places": [asdict(scope.place) for scope in failure.stack],
        },
        "dropped": trace.dropped,
        "unkept": trace.unkept,
        "places": [asdict(place) for _, place in sorted(places.items())],
        "events": [event_json(i, event, named=named) for i, event in enumerate(trace.events)],
    }


def event_json(number: int, event: TraceEvent, *, named: bool) -> dict[str, object]:
    """An event as JSON has it."""
    return {
        "place": event.place.number,
        "occurrence": event.occurrence,
        "process": list(event.process),
        "stack": [scope_json(scope) for scope in event.stack],
        "results": [
            {
                "name": result.name,
                "type": result.type,
                "shape": list(result.shape),
                "statistics": numbers_json(result.statistics),
                **({"imaginary": numbers_json(result.imaginary)} if result.imaginary else {}),
                **(array_json(number, k, result) if named and result.load else {}),
            }
            for k, result in enumerate(event.results)
        ],
    }


def array_json(number: int, k: int, result: EventResult) -> dict[str, str]:
    """Where the elements of a result are, and what they are."""
    array = (
        result.load()
        if result.load is not None and not isinstance(result.load, StoredArray)
        else None
    )
    dtype = result.load.dtype if isinstance(result.load, StoredArray) else np.asarray(array).dtype
    return {"file": file_name(number, k), "dtype": dtype.name}


def scope_json(scope: EventScope) -> list[object]:
    """A block as JSON has it."""
    return [scope.place.number, scope.region, scope.iteration, scope.label]


def numbers_json(statistics: ElementStatistics) -> dict[str, object]:
    """Statistics as JSON has them."""
    return {name: number_json(value) for name, value in asdict(statistics).items()}


def number_json(value: object) -> object:
    """A number, or a string if JSON has no such number."""
    return value if not isinstance(value, float) or math.isfinite(value) else str(value)


# ---- reading


def load(source: Path) -> TraceRecording:
    """Reads a recording; see ``load_trace``."""
    try:
        if source.suffix == ".npz":
            with np.load(source, allow_pickle=False) as archive:
                text = archive[MEMBER].tobytes().decode()
        else:
            text = (source / INDEX if source.is_dir() else source).read_text()
        return read(json.loads(text), source)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        name = printable_name(str(source))
        raise ArgumentValueError(f"{name} is no trace: {error}") from None


def read(document: Any, source: Path) -> TraceRecording:
    """Reads a trace from a document."""
    if document["format"] != FORMAT or document["version"] != VERSION:
        raise ValueError(f"expected version {VERSION} of '{FORMAT}'")
    places = {place["number"]: read_place(place) for place in document["places"]}
    failure_json = document["failure"]
    failure = None
    if failure_json is not None:
        around = {place["number"]: read_place(place) for place in failure_json["places"]}
        failure = RunFailure(failure_json["message"], read_stack(failure_json["stack"], around))
    events = [
        TraceEvent(
            i,
            places[event["place"]],
            int(event["occurrence"]),
            read_stack(event["stack"], places),
            (int(event["process"][0]), int(event["process"][1])),
            tuple(read_result(x, source) for x in event["results"]),
        )
        for i, event in enumerate(document["events"])
    ]
    return TraceRecording(
        str(document["program"]), str(document["backend"]), events, failure,
        int(document["dropped"]), int(document["unkept"]),
    )  # fmt: skip


def read_place(place_json: Any) -> OperationPlace:
    """Reads the place of an operation from its object of JSON."""
    place = OperationPlace(
        **{field.name: place_json[field.name] for field in fields(OperationPlace)}
    )
    return replace(place, names=tuple(place.names))


def read_stack(scopes: Sequence[Any], places: dict[int, OperationPlace]) -> tuple[EventScope, ...]:
    """Reads the blocks around an event, outermost first."""
    return tuple(
        EventScope(places[number], int(region), int(iteration), str(label))
        for number, region, iteration, label in scopes
    )


def read_result(result_json: Any, source: Path) -> EventResult:
    """Reads one result, whose elements are loaded from their file only when they are asked for."""
    load = None
    if "file" in result_json:
        name = Path(result_json["file"]).name
        dtype = dtype_of(result_json["dtype"])
        is_archive = source.suffix == ".npz"
        load = StoredArray(
            source if is_archive else source / name, name if is_archive else "", dtype
        )
    imaginary = result_json.get("imaginary")
    return EventResult(
        str(result_json["name"]),
        str(result_json["type"]),
        tuple(int(extent) for extent in result_json["shape"]),
        read_numbers(result_json["statistics"]),
        None if imaginary is None else read_numbers(imaginary),
        load,
    )


def dtype_of(name: str) -> DType:
    """The element type of this name, those of ml_dtypes too."""
    import ml_dtypes

    return np.dtype(getattr(ml_dtypes, name, name))


def read_numbers(statistics_json: Any) -> ElementStatistics:
    """Reads the statistics of a tensor."""
    values: dict[str, Any] = {
        field.name: statistics_json[field.name] for field in fields(ElementStatistics)
    }
    for name, value in values.items():
        values[name] = float(value) if isinstance(value, str) else value
    return ElementStatistics(**values)
