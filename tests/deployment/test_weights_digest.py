"""The digest of weights is XXH64. The numbers are those of the program xxhsum 0.8."""

from __future__ import annotations

import pytest

from stablemate.deployment.runtime.weights_digest import digest


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (bytes(32), 0xF6E9BE5D70632CF5),
        (bytes(range(64)), 0xF7C67301DB6713F0),
        (bytes(i * i % 251 for i in range(4096)), 0x1548F678066CA7C),
    ],
)
def test_digests_are_those_of_xxhsum(content: bytes, expected: int) -> None:
    assert digest(content) == expected


def test_every_bit_counts() -> None:
    """Also pairs of equal changes, which sums and polynomials of words overlook."""
    content = bytes(range(128))
    digests = {digest(content)}
    for bit in range(8 * len(content)):
        for other in (bit, (bit + 64) % (8 * len(content))):
            changed = bytearray(content)
            changed[bit // 8] ^= 1 << bit % 8
            if other != bit:
                changed[other // 8] ^= 1 << other % 8
            digests.add(digest(bytes(changed)))
    assert len(digests) == 1 + 2 * 8 * len(content)
