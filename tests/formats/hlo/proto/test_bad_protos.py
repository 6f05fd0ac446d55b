"""Damaged protocol buffers are refused with the place and the reason; nothing else happens."""

import random
import re
from collections.abc import Callable
from typing import Any, Final

import pytest

from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.diagnostics.limits import Limits
from stablemate.formats.hlo.proto import is_hlo_proto, read_proto, write_proto
from stablemate.formats.hlo.proto.messages import message_class
from stablemate.formats.hlo.proto.wire import encoded_integer
from stablemate.formats.hlo.text.reader import read_text
from tests.xla.corpus import modules

TEXT: Final = """HloModule m, is_scheduled=true

add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}

ENTRY e {
  p = f32[4] parameter(0)
  c = f32[2] constant({1, 2})
  z = f32[] constant(0)
  n = f32[4] negate(p)
  r = f32[] reduce(n, z), dimensions={0}, to_apply=add
  d = f32[4] dot(p, p), operand_precision={high,high}
  ROOT t = (f32[], f32[2]) tuple(r, c), sharding={{replicated}, {devices=[2]0,1}}
}
"""
VALID: Final = write_proto(read_text(TEXT))


def module() -> Any:
    return message_class("HloModuleProto").FromString(VALID)


def instruction(proto: Any, name: str) -> Any:
    (value,) = (e for c in proto.computations for e in c.instructions if e.name == name)
    return value


def set_on(name: str, field: str, value: object) -> Callable[[Any], None]:
    """A change of one field of an instruction."""

    def change(proto: Any) -> None:
        *path, last = field.split(".")
        message = instruction(proto, name)
        for item in path:
            message = getattr(message, item)
        current = getattr(message, last)
        if hasattr(current, "extend"):
            del current[:]
            current.extend(value)
        else:
            setattr(message, last, value)

    return change


def clear(name: str, field: str) -> Callable[[Any], None]:
    return lambda proto: instruction(proto, name).ClearField(field)


def set_module(field: str, value: object) -> Callable[[Any], None]:
    return lambda proto: setattr(proto, field, value)


CASES: Final[list[tuple[Callable[[Any], None], str]]] = [
    (set_on("n", "opcode", "nod"), "instruction n of computation e: there is no opcode 'nod'"),
    (set_on("n", "operand_ids", [999]), "expected the id of an instruction of the computation"),
    (set_on("n", "operand_ids", []), "negate has 0 operands"),
    (set_on("n", "shape.element_type", 99), "expected the number of a primitive type, got 99"),
    (set_on("n", "shape.layout.minor_to_major", [0, 1]), "a layout of 1 dimensions, got one of 2"),
    (set_on("n", "shape.dimensions", [-4]), "expected sizes of dimensions from 0, got -4"),
    (set_on("n", "name", ""), "expected a name"),
    (set_on("n", "id", 1 << 32), "two instructions of computation e have the same id"),
    (set_on("n", "control_predecessor_ids", [7]), "expected the id of an instruction"),
    (set_on("c", "literal.f32s", [1.0]), "expected 2 elements of a literal of f32[2]{0}, got 1"),
    (set_on("c", "literal.shape.dimensions", [1 << 60, 0]), "layout|more elements"),
    (clear("c", "literal"), "expected constant to have literal"),
    (set_on("r", "called_computation_ids", [77]), "expected the id of a computation above, got 77"),
    (set_on("r", "called_computation_ids", [1]), "expected the id of a computation above, got 1"),
    (set_on("r", "called_computation_ids", []), "expected reduce to have to_apply"),
    (set_on("d", "precision_config.operand_precision", [9, 0]), "expected numbers of default"),
    (set_on("t", "sharding.type", 9), "expected the number of a kind of sharding, got 9"),
    (set_on("p", "parameter_number", 3), "the parameters of computation e are not numbered from 0"),
    (set_module("entry_computation_id", 55), "no computation with the id 55, the entry"),
    (
        lambda p: setattr(p.computations[1], "root_id", 55),
        "no instruction with the id 55, its root",
    ),
    (lambda p: setattr(p.computations[1], "id", 0), "two computations have the same id"),
    (
        lambda p: p.schedule.sequences[1].instruction_ids.pop(),
        "does not name each instruction once",
    ),
    (lambda p: p.ClearField("computations"), "a module without computations"),
]


@pytest.mark.parametrize(("change", "message"), CASES, ids=[case[1][:40] for case in CASES])
def test_what_does_not_fit_is_refused(change: Callable[[Any], None], message: str) -> None:
    proto = module()
    change(proto)
    with pytest.raises(ParseError) as raised:
        read_proto(proto.SerializeToString(), "m.pb")
    assert str(raised.value).startswith("m.pb:+0x0: error: HLO protocol buffer: ")
    assert any(re.search(re.escape(part), str(raised.value)) for part in message.split("|"))


@pytest.mark.parametrize(
    "data", [b"", b"\x00", b"HloModule m", b"\xff" * 40, VALID[: len(VALID) // 2]]
)
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ParseError):
        read_proto(data)


def test_input_bytes_are_limited() -> None:
    with pytest.raises(LimitError, match="bytes, more than the limit 10"):
        read_proto(VALID, limits=Limits(input_bytes=10))


def test_nesting_is_limited() -> None:
    inner = b""
    for field in (*[4] * 500, 3, 2, 3):  # tuple_shapes, shape, instructions, computations
        inner = encoded_integer(field << 3 | 2) + encoded_integer(len(inner)) + inner
    with pytest.raises(ParseError, match="these bytes are neither an HloModuleProto"):
        read_proto(VALID + inner)


def damaged(data: bytes, generator: random.Random) -> bytes:
    """The bytes with some changed, gone, twice, or in another place."""
    changed = bytearray(data)
    for _ in range(generator.choice((1, 1, 2, 5))):
        if not changed:
            break
        at = generator.randrange(len(changed))
        match generator.randrange(5):
            case 0:
                changed[at] = generator.randrange(256)
            case 1:
                changed[at] ^= 1 << generator.randrange(8)
            case 2:
                del changed[at : at + generator.randrange(1, 9)]
            case 3:
                changed[at:at] = changed[at : at + generator.randrange(1, 40)]
            case _:
                changed = changed[: max(at, 1)]
    return bytes(changed)


SMALL: Final = [VALID, *sorted((module.proto for module in modules()), key=len)[:24]]


def test_damaged_protos_are_read_or_refused() -> None:
    generator = random.Random(11)
    refused = 0
    for _ in range(4000):
        data = damaged(generator.choice(SMALL), generator)
        is_hlo_proto(data)
        try:
            write_proto(read_proto(data))
        except ParseError:
            refused += 1
    assert 2000 < refused < 4000
