"""What is wrong with a file is said with the section and the byte; nothing else ever happens."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from stablemate.diagnostics.errors import LimitError, ParseError, StablemateError
from stablemate.diagnostics.limits import Limits
from stablemate.formats.bytecode.primitives import varint, varints
from tests.formats.bytecode.handmade import File, attribute, section

PROGRAMS: Final = Path(__file__).parents[2] / "ops"
SEEDS: Final = ("concatenate", "while", "chlo_scan", "convolution", "quantized_per_axis")
MUTATIONS: Final = 1000  # of each program, over its versions
ARRAY, STRING, INTEGER, DENSE = 0, 2, 8, 18


def nested(depth: int) -> list[bytes]:
    """Arrays in one another; each is written in front of what it holds."""
    return [*(attribute(ARRAY, 1, 4 + i) for i in range(depth)), attribute(7)]


def doubled(depth: int) -> list[bytes]:
    """Arrays that hold the next one twice."""
    return [*(attribute(ARRAY, 2, 4 + i, 4 + i) for i in range(depth)), attribute(7)]


def test_the_file_by_hand_is_read() -> None:
    assert str(sm.load(File().data())) == "module attributes {a.b} {\n}\n"


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (File(version=7), "header: bytecode version 7 is newer than 6"),
        (File(values=[attribute(99)]), "the builtin dialect has no attribute of kind 99"),
        (File(values=[attribute(ARRAY, 1, 3)]), "attribute 3 is a part of itself"),
        (File(values=[attribute(ARRAY, 1, 9)]), "attribute 9 of 4"),
        (File(values=[attribute(ARRAY, 10**6)]), "1000000 parts in 0 bytes"),
        (File(values=[attribute(STRING, 5)]), "string 5 of 3"),
        (File(values=[attribute(7, 0)]), "1 bytes are left over"),
        (File(values=[b"\x05\x02"]), "ends inside a number"),
        (File(values=[attribute(INTEGER, 0)]), "type 0 of 0"),
        (File(values=[attribute(10, 3, 0)]), "attribute 3 is a part of itself"),
        (File(values=[attribute(10, 0, 2)]), "expected a location, found StringAttribute"),
        (
            File(types=[attribute(0, 1 << 26)], values=[attribute(6, 0)]),
            "no integer type has width 16777216",
        ),
        (
            File(types=[attribute(0, 8 << 2), attribute(13, 1, 8, 0)],
                 values=[attribute(DENSE, 1, 3) + b"abc"]),
            "3 bytes of data do not fill tensor<4xi8>",
        ),
        (File(body=varints((10**9, 0))), "IR section: 1000000000 blocks"),
        (File(body=varints((1, 10**9))), "IR section: 1000000000 values"),
        (File(body=varints((1, 0, 1 << 1))), "IR section: 1 operations in 0 bytes"),
        (File(names=[b"builtin", b"modul", b"a.b"]), "unknown operation 'builtin.modul'"),
        (File(extra=[section(8, varint(0))]), "the property section occurs twice"),
        (File(extra=[section(9, b"")]), "no section has number 9"),
        (File(extra=[b"\x86" + varints((0, 3))]), "alignment 3 is not a power of two"),
        (File(extra=[section(6, varint(9))]), "9 groups of external resources in 0 bytes"),
    ],
)  # fmt: skip
def test_a_wrong_part_is_named(file: File, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        sm.load(file.data(), name="wrong.mlirbc")
    text = str(caught.value)
    assert message in text
    assert text.startswith("wrong.mlirbc:+0x")


def test_a_newer_version_is_refused_with_advice() -> None:
    with pytest.raises(ParseError, match="write the file for one of these, or update stablemate"):
        sm.load(File(version=99).data())


@pytest.mark.parametrize("missing", range(6))
def test_a_missing_section_is_named(missing: int) -> None:
    file = File()
    sections = file.sections()
    data = file.data()[: -sum(map(len, sections))]
    del sections[missing]
    with pytest.raises(ParseError, match=r"the file has no .* section"):
        sm.load(data + b"".join(sections))


def test_attributes_are_nested_up_to_the_limit() -> None:
    assert "[[[" in str(sm.load(File(values=nested(90)).data()))
    with pytest.raises(LimitError, match="nested deeper than 100 levels"):
        sm.load(File(values=nested(5000)).data())
    with pytest.raises(LimitError, match="nested deeper than 5 levels"):
        sm.load(File(values=nested(9)).data(), limits=Limits(nesting=5))


def test_shared_attributes_do_not_blow_up() -> None:
    sm.load(File(values=doubled(15)).data())
    with pytest.raises(LimitError, match="has more than 1048576 parts, shared ones counted"):
        sm.load(File(values=doubled(60)).data())


def test_regions_are_nested_up_to_the_limit() -> None:
    body = varints((1, 0, 0))
    for _ in range(200):
        inner = b"\x10" + varints((0, 1 << 1 | 1)) + section(4, body)
        body = varints((1, 0, 1 << 1, 0)) + inner
    with pytest.raises(LimitError, match="more than 100 regions deep"):
        sm.load(File(body=body).data())


def test_regions_and_attributes_may_both_be_deep() -> None:
    values = nested(90)
    body = varints((1, 0, 0))
    for _ in range(95):
        inner = b"\x11" + varints((0, 1, 1 << 1 | 1)) + section(4, body)
        body = varints((1, 0, 1 << 1, 0)) + inner
    file = File(values=values, body=body, ir=varints((1 << 1, 0)) + b"\x10" + varints((0, 3)))
    assert sum(1 for _ in sm.load(file.data()).operation.walk()) == 96


def test_bytes_that_only_begin_like_bytecode() -> None:
    for data in (b"ML\xefR", b"ML\xefR\x0d", b"ML\xefR\x0dname"):
        with pytest.raises(ParseError, match="header: ends"):
            sm.load(data)
    with pytest.raises(ParseError, match="not MLIR bytecode"):
        sm.load(b"R\xefLM" + File().data()[4:], format="bytecode")


def samples() -> list[bytes]:
    """Files of several versions that hold something of everything."""
    modules = [sm.load(PROGRAMS / f"{name}.mlir") for name in SEEDS]
    return [module.to_bytecode(version) for module in modules for version in (0, 4, 6)]


def refusal(data: bytes) -> str:
    """What is said about a file; empty if it is read."""
    try:
        sm.load(data, name="x")
    except StablemateError as error:
        text = str(error)
    else:
        return ""
    assert text.startswith("x:+0x")
    return text


def test_every_truncation_is_refused() -> None:
    for data in samples()[::2]:
        for size in range(4, len(data), 1 + len(data) // 400):
            assert refusal(data[:size])


@pytest.mark.standard
def test_every_mutation_is_read_or_refused() -> None:
    draw = random.Random(4)
    read = 0
    started = time.monotonic()
    for data in samples():
        for _ in range(MUTATIONS // 3):
            read += not refusal(mutated(data, draw))
    assert read > MUTATIONS // 2
    assert time.monotonic() - started < 300  # seconds: no file takes long


def mutated(data: bytes, draw: random.Random) -> bytes:
    """The file with some bytes replaced, bits flipped, bytes left out or put in."""
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 1, 2, 8))):
        position = draw.randrange(4, len(changed))
        match draw.randrange(10):
            case 0:
                del changed[position : position + draw.randrange(1, 4)]
            case 1:
                changed[position:position] = draw.randbytes(draw.randrange(1, 4))
            case 2 | 3 | 4:
                changed[position] = draw.choice((0, 1, 2, 4, 127, 128, 254, 255))
            case 5 | 6:
                changed[position] ^= 1 << draw.randrange(8)
            case _:
                changed[position] = draw.randrange(256)
    return bytes(changed)
