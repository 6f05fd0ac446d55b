"""The part in which two texts differ."""

from __future__ import annotations


def common_prefix(a: str, b: str) -> int:
    """The number of characters with which both texts begin."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def changed_part(old: str, new: str) -> tuple[int, int, int]:
    """Start and end of the part of the old text that is replaced, and how much longer it gets."""
    start = common_prefix(old, new)
    rest = min(len(old), len(new)) - start
    same = common_prefix(old[len(old) - rest :][::-1], new[len(new) - rest :][::-1])
    return start, len(old) - same, len(new) - len(old)
