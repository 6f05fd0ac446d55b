"""Work in slices of time: between two of them, the server answers requests and sees new edits."""

from __future__ import annotations


class OutOfTime(Exception):
    """A slice of time is over; what was read so far is known when the work is taken up again."""
