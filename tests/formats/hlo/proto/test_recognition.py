"""What an HLO protocol buffer is, and what wraps one."""

from typing import Any, Final

import pytest

from stablemate.formats.hlo.proto import is_hlo_proto, read_proto
from stablemate.formats.hlo.proto.messages import message_class
from tests.xla.corpus import modules

MODULE: Final = modules()[0].proto


def wrapped(name: str, *path: str, **fields: Any) -> bytes:
    """The module inside of a message."""
    proto = message_class(name)(**fields)
    message = proto
    for item in path:
        message = getattr(message, item)
    message.MergeFromString(MODULE)
    data: bytes = proto.SerializeToString()
    return data


WRAPPERS: Final = {
    "HloModuleProto": MODULE,
    "HloProto": wrapped("HloProto", "hlo_module"),
    # The assignment of buffers is field 3, as are the computations of a module.
    "HloProto with buffers": wrapped("HloProto", "hlo_module") + b"\x1a\x02\x08\x01",
    "HloSnapshot": wrapped("HloSnapshot", "hlo", "hlo_module", execution_platform="cpu"),
    "HloUnoptimizedSnapshot": wrapped("HloUnoptimizedSnapshot", "hlo_module", version=1),
}


@pytest.mark.parametrize("data", WRAPPERS.values(), ids=WRAPPERS)
def test_modules_and_their_wrappers_are_known(data: bytes) -> None:
    assert is_hlo_proto(data)
    assert is_hlo_proto(memoryview(data))
    assert read_proto(data) == read_proto(MODULE)


OTHERS: Final = {
    "nothing": b"",
    "zeros": bytes(64),
    "HLO text": b"HloModule m\n\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n",
    "MLIR text": b"module {\n  func.func @main() {\n    return\n  }\n}\n",
    "MLIR bytecode": b"ML\xefR\x0d" + bytes(range(40)),
    "another message": message_class("OpSharding")(type=1).SerializeToString(),
    "a module without computations": message_class("HloModuleProto")(
        name="m", id=3
    ).SerializeToString(),
}


@pytest.mark.parametrize("data", OTHERS.values(), ids=OTHERS)
def test_other_bytes_are_not(data: bytes) -> None:
    assert not is_hlo_proto(data)


def test_fields_that_are_not_known_are_ignored() -> None:
    unknown = b"\xfa\x7f\x03abc"  # field 2047, three bytes
    assert read_proto(MODULE + unknown) == read_proto(MODULE)
