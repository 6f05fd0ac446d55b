"""Traces as an ``XSpace``, which TensorBoard, XProf and jaxlib's own converter read.

Source: ``tsl/profiler/protobuf/xplane.proto``: numbers of fields, units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from stablemate.analysis.timeline.events import TimelineEvent
from stablemate.compiler.step_labels import TRACKS
from stablemate.pjrt.options.wire_format import encoded_field

# XProf and the trace viewer show planes of devices that they do not know under this prefix.
PLANE: Final = "/device:CUSTOM:stablemate:"
PICOSECONDS: Final = 1000  # in a nanosecond
# Numbers of fields.
SPACE_PLANES: Final = 1
PLANE_ID, PLANE_NAME, PLANE_LINES, PLANE_EVENT_METADATA, PLANE_STAT_METADATA = range(1, 6)
LINE_ID, LINE_NAME, LINE_TIMESTAMP_NS, LINE_EVENTS = range(1, 5)
LINE_DISPLAY_ID: Final = 10
EVENT_METADATA_ID, EVENT_OFFSET_PS, EVENT_DURATION_PS, EVENT_STATS = range(1, 5)
STAT_METADATA_ID, STAT_UINT64, STAT_TEXT = 1, 3, 5
METADATA_ID, METADATA_NAME = 1, 2
KEY, VALUE = 1, 2  # of an entry of a map


def xspace(events: Sequence[TimelineEvent], epoch: int) -> bytes:
    """The planes of events: one for each device, with a line for each track.

    Args:
        events: The events.
        epoch: The nanoseconds from the UNIX epoch to the zero of the events' clock.
    """
    devices = sorted({event.process for event in events})
    return b"".join(
        encoded_field(
            SPACE_PLANES, plane(number, [e for e in events if e.process == number], epoch)
        )
        for number in devices
    )


class Names:
    """Names with numbers, as the tables of a plane have them."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """The number of a name."""
        return self.numbers.setdefault(name, len(self.numbers) + 1)

    def table(self, field: int) -> bytes:
        """The table, as the entries of a map."""
        return b"".join(encoded_field(field, entry) for entry in self.entries())

    def entries(self) -> Iterator[bytes]:
        """The messages of the names, each with its number."""
        for name, number in self.numbers.items():
            metadata = encoded_field(METADATA_ID, number) + text_field(METADATA_NAME, name)
            yield encoded_field(KEY, number) + encoded_field(VALUE, metadata)


def plane(device: int, events: Sequence[TimelineEvent], epoch: int) -> bytes:
    """The plane of a device."""
    tracks = [track for track in TRACKS if any(event.track == track for event in events)]
    tracks += sorted({event.track for event in events}.difference(TRACKS))
    names, keys = Names(), Names()
    lines = [
        line(number, track, [e for e in events if e.track == track], epoch, names, keys)
        for number, track in enumerate(tracks, 1)
    ]
    return b"".join(
        [
            encoded_field(PLANE_ID, device),
            text_field(PLANE_NAME, f"{PLANE}{device}"),
            *(encoded_field(PLANE_LINES, content) for content in lines),
            names.table(PLANE_EVENT_METADATA),
            keys.table(PLANE_STAT_METADATA),
        ]
    )


def line(
    number: int, track: str, events: Sequence[TimelineEvent], epoch: int, names: Names, keys: Names
) -> bytes:
    """The line of a track."""
    start = min(event.started for event in events)
    encoded = [
        encoded_field(EVENT_METADATA_ID, names.number(event.name))
        + encoded_field(EVENT_OFFSET_PS, PICOSECONDS * (event.started - start))
        + encoded_field(EVENT_DURATION_PS, PICOSECONDS * (event.stopped - event.started))
        + stats({"program": event.program, **event.details}, keys)
        for event in events
    ]
    return b"".join(
        [
            encoded_field(LINE_ID, number),
            encoded_field(LINE_DISPLAY_ID, number),
            text_field(LINE_NAME, track),
            encoded_field(LINE_TIMESTAMP_NS, start + epoch),
            *(encoded_field(LINE_EVENTS, event) for event in encoded),
        ]
    )


def stats(details: Mapping[str, object], keys: Names) -> bytes:
    """The details of an event."""
    return b"".join(
        encoded_field(EVENT_STATS, encoded_field(STAT_METADATA_ID, keys.number(key)) + stat(value))
        for key, value in details.items()
    )


def stat(value: object) -> bytes:
    """The value of a detail: a number, a text, or texts."""
    if isinstance(value, int):
        return encoded_field(STAT_UINT64, value)
    if isinstance(value, list):
        return text_field(STAT_TEXT, ", ".join(map(str, cast("list[object]", value))))
    return text_field(STAT_TEXT, str(value))


def text_field(number: int, text: str) -> bytes:
    """A field that holds a text in UTF-8; what has no bytes in it becomes a question mark."""
    return encoded_field(number, text.encode("utf-8", "replace"))
