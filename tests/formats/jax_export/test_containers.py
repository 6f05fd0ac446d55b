"""Containers are written as they were read, and damaged ones are refused with a place."""

from __future__ import annotations

import random

import numpy as np
import pytest

import stablemate as sm
from stablemate.formats.jax_export.reader import is_exported, read_exported
from stablemate.formats.jax_export.writer import write_exported
from tests.formats.jax_export.cases import NAMES, STORED, VERSIONS, container, rows

MUTATIONS = 2000


@pytest.mark.parametrize("name", STORED)
@pytest.mark.parametrize("version", VERSIONS)
def test_older_containers_are_written_as_they_were(version: str, name: str) -> None:
    data = container(version, name)
    assert is_exported(data)
    assert write_exported(read_exported(data)) == data


@pytest.mark.parametrize("name", NAMES)
def test_containers_are_written_as_they_were(name: str) -> None:
    data = rows()[name][0]
    assert sm.load(data).to_jax_export() == data


def test_a_changed_program_is_put_in_its_place() -> None:
    module = sm.load(container("0.10.2", "dropped"))
    add = next(
        operation for operation in module.operation.walk() if operation.name == "stablehlo.add"
    )
    add.operands = (add.operands[0], add.operands[0])
    module.ir.version += 1
    again = sm.load(module.to_jax_export())
    assert again.difference(module) == ""
    doubled = again.run(np.full((3, 4), 3, np.float32), np.ones(2, np.float32))
    np.testing.assert_array_equal(doubled, np.full((3, 4), 6, np.float32))


def test_other_content_is_no_container() -> None:
    for data in (b"", b"\0" * 100, b"func.func @main() { return }", b"ML\xefR" + bytes(60)):
        assert not is_exported(data)


def damaged(data: bytes, draw: random.Random) -> bytes:
    """The data, cut, with flipped bits, or with other numbers at the front."""
    changed = bytearray(data)
    front = min(len(changed), 1500)
    match draw.randrange(3):
        case 0:
            return bytes(changed[: draw.randrange(len(changed))])
        case 1:
            for _ in range(draw.randint(1, 4)):
                changed[draw.randrange(front)] ^= 1 << draw.randrange(8)
        case _:
            place = draw.randrange(front - 4)
            number = draw.choice([0, 1, 4, 0x7FFFFFFF, 0xFFFFFFFF, draw.randrange(1 << 32)])
            changed[place : place + 4] = number.to_bytes(4, "little")
    return bytes(changed)


def test_damaged_containers_are_refused() -> None:
    draw = random.Random(0)
    originals = [container(version, name) for version in VERSIONS for name in STORED]
    refused = 0
    for _ in range(MUTATIONS):
        data = damaged(draw.choice(originals), draw)
        try:
            read_exported(data)
        except (sm.ParseError, sm.LimitError):
            refused += 1
    assert refused > MUTATIONS // 4


CUTS = (
    (3, "<bytes>:+0x0: error: jax.export: a number of 4 bytes lies outside of the file"),
    (20, "<bytes>:+0x0: error: jax.export: an offset of 60 points past the end of the file"),
)


@pytest.mark.parametrize(("end", "message"), CUTS)
def test_the_place_is_named(end: int, message: str) -> None:
    with pytest.raises(sm.ParseError) as caught:
        read_exported(container("0.10.2", "tree")[:end])
    assert str(caught.value) == message


def test_a_program_that_takes_something_else_is_refused() -> None:
    one, other = container("0.10.2", "dropped"), container("0.10.2", "tree")
    exported = read_exported(one)
    object.__setattr__(exported, "payload", read_exported(other).payload)
    module = sm.load(write_exported(exported))
    with pytest.raises(sm.ParseError, match="the program takes tensor<3x4xf32>, tensor<5xf32>"):
        module.run(np.ones((3, 4), "f4"), np.ones(2, "f4"))
