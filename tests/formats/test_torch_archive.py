"""What is said about exported programs of PyTorch without PyTorch: damage, other archives."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
import pytest

import stablemate as sm
from stablemate.formats.recognition import detect_format
from stablemate.formats.safetensors import weights_bytes
from stablemate.formats.torch_archive import ContentFile, TorchArchive, read_archive

PROGRAM = {"schema_version": {"major": 8, "minor": 3}, "torch_version": "2.9.0"}
CONFIG = {"config": {"w": {"path_name": "weight_0"}, "shared": {"path_name": "weight_0"}}}
MEMBERS = {
    "m/archive_format": b"pt2",
    "m/archive_version": b"0",
    "m/models/model.json": json.dumps(PROGRAM).encode(),
    "m/data/weights/model_weights_config.json": json.dumps(CONFIG).encode(),
    "m/data/weights/weight_0": b"\x00" * 64,
}
OLD = {"version": b"8.1", "serialized_exported_program.json": json.dumps(PROGRAM).encode()}


def archive(members: Mapping[str, bytes], compression: int = ZIP_STORED) -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w", compression) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return stream.getvalue()


INNER = archive({"a": b"b"})


def without(name: str) -> bytes:
    return archive({key: value for key, value in MEMBERS.items() if key != name})


def changed(**members: bytes) -> bytes:
    return archive({**MEMBERS, **{f"m/models/{name}.json": new for name, new in members.items()}})


@pytest.mark.parametrize("members", [MEMBERS, OLD])
def test_whole_archives(members: Mapping[str, bytes]) -> None:
    content = archive(members)
    assert detect_format(content) == "torch_export"
    assert read_archive(content, "m") == TorchArchive((8, 3), "2.9.0")


def flipped() -> bytes:
    content = bytearray(archive(MEMBERS))
    content[content.index(b"\x00" * 64) + 32] ^= 4
    return bytes(content)


def shortened() -> bytes:
    sizes, strides = [{"as_int": 2}, {"as_int": 3}], [{"as_int": 9}, {"as_int": 4}]
    meta = {"dtype": 7, "sizes": sizes, "strides": strides, "storage_offset": {"as_int": 1}}
    row = {"path_name": "weight_0", "use_pickle": False, "tensor_meta": meta}
    config = json.dumps({"config": {"w": row}}).encode()
    return archive({**MEMBERS, "m/data/weights/model_weights_config.json": config})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (archive(MEMBERS)[:400], "m is damaged or cut off: File is not a zip file"),
        (
            archive({**MEMBERS, "m/inner.pt": INNER}).partition(INNER)[0] + INNER,
            "m is cut off: the archive has no directory at its end",
        ),
        (flipped(), "m is damaged: the checksum of its member m/data/weights/weight_0 is wrong"),
        (without("m/models/model.json"), "m is damaged: it has no member m/models/model.json"),
        (
            without("m/data/weights/weight_0"),
            "m is damaged: it has no member m/data/weights/weight_0",
        ),
        (
            shortened(),
            "m is damaged: its member m/data/weights/weight_0 has 64 bytes, and a tensor of 76 "
            "lies in it",
        ),
        (
            changed(model=b"[1]"),
            "m is damaged or cut off: its member m/models/model.json is no JSON object",
        ),
        (
            changed(model=b"{"),
            "m is damaged or cut off: Expecting property name enclosed in double quotes: line 1 "
            "column 2 (char 1)",
        ),
        (
            changed(model=b"[" * 100_000),
            "m is damaged or cut off: maximum recursion depth exceeded while decoding a JSON array "
            "from a unicode string",
        ),
        (
            archive(MEMBERS, ZIP_DEFLATED),
            "m: the member m/archive_format is compressed; PyTorch writes none so",
        ),
    ],
    ids=[
        "short", "nested", "bit", "program", "weight", "tensor", "array", "text", "deep",
        "compressed",
    ],
)  # fmt: skip
def test_damaged_archives(content: bytes, message: str) -> None:
    assert detect_format(content) == "torch_export"
    with pytest.raises(sm.ParseError) as caught:
        read_archive(content, "m")
    assert str(caught.value) == message


def test_bytes_as_a_file() -> None:
    """Every read and seek gives what ``BytesIO`` gives."""
    content = bytes(range(100))
    ours, other = ContentFile(memoryview(content)), BytesIO(content)
    for place, whence, count in ((3, 0, 5), (90, 0, 20), (-4, 2, 2), (1, 1, -1), (200, 0, 3)):
        assert ours.seek(place, whence) == other.seek(place, whence)
        assert ours.read(count) == other.read(count)
        assert ours.tell() == other.tell()
    with pytest.raises(OSError, match="before the file"):
        ours.seek(-1)


def test_native_code_is_not_loaded() -> None:
    with pytest.raises(sm.UnsupportedError) as caught:
        read_archive(archive({**MEMBERS, "m/data/aotinductor/model/m.so": b"\x7fELF"}), "m")
    assert str(caught.value) == (
        "m is a package of AOTInductor, native code without a program; torch.export.save writes "
        "programs"
    )


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (
            lambda: archive({"m/data.pkl": b""}),
            "a file of torch.save, which holds tensors or objects,",
        ),
        (lambda: archive({"m/data.pkl": b"", "m/constants.pkl": b""}), "a program of TorchScript"),
        (lambda: archive({"x.npy": b""}), "a .npz of NumPy, which holds arrays,"),
        (lambda: archive({"x": b""}), "a zip archive"),
        (lambda: archive({"x": b"1"})[:-30], "a damaged zip archive"),
        (lambda: b"\x80\x02}q\x00.", "a pickle of Python"),
        (
            lambda: weights_bytes({"x": np.ones(3)}),
            "a .safetensors, whose weights stablemate.load_weights reads,",
        ),
    ],
    ids=["save", "script", "npz", "zip", "damaged", "pickle", "safetensors"],
)
def test_other_files_are_named(make: Callable[[], bytes], what: str) -> None:
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.load(make(), name="m")
    assert caught.value.diagnostics[0].message == f"m: {what} cannot be read by this version"
