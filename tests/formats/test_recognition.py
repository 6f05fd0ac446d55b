"""What a program is, by its content."""

from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from stablemate.formats.recognition import detect_format

CONTAINERS: Final = sorted((Path(__file__).parent / "jax_export/containers").glob("*/*.bin"))
TEXT: Final = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n"


def test_each_format_is_recognized() -> None:
    module = sm.load(TEXT)
    for content, item, loaded in (
        (TEXT, "mlir", "mlir"),
        (TEXT.encode(), "mlir", "mlir"),
        (module.to_bytecode(), "bytecode", "bytecode"),
        (module.to_artifact(), "bytecode", "artifact"),
        (CONTAINERS[0].read_bytes(), "jax_export", "jax_export"),
    ):
        assert detect_format(content) == item
        assert sm.load(content).format == loaded
        assert sm.load(content).read_bytes == len(content)


@pytest.mark.parametrize("path", CONTAINERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_container_that_was_cut_off_is_still_one(path: Path) -> None:
    content = path.read_bytes()
    with pytest.raises(sm.ParseError, match=r"was read as a container of jax\.export"):
        sm.load(content[: len(content) // 2])


@pytest.mark.parametrize(
    "content",
    [
        b"\x04\0\0\0",
        b"\x3c\0\0\0" + bytes(100),
        b"\x08\0\0\0TFL3" + bytes(100),
        b"\x10\0\0\0" + b"\xff" * 100,
        bytes(1000),
    ],
)
def test_other_binary_files_are_none(content: bytes) -> None:
    assert detect_format(content) == "mlir"
    formats = "supported formats are MLIR text, MLIR bytecode"
    with pytest.raises(sm.ParseError, match=f"is not text\nnote: {formats}"):
        sm.load(content)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"PK\x03\x04rest", "a damaged zip archive"),
        (b"PK\x05\x06" + bytes(18), "an empty zip archive"),
        (b"\x1f\x8brest", "compressed by gzip"),
        (b"\x93NUMPYrest", "an array of NumPy"),
    ],
)
def test_what_people_hand_over_by_mistake(content: bytes, what: str) -> None:
    with pytest.raises(sm.UnsupportedError, match=f"<bytes>: {what} cannot be read"):
        sm.load(content)


def test_a_stated_format_counts_more_than_the_content() -> None:
    with pytest.raises(sm.ParseError, match="was read as MLIR bytecode"):
        sm.load(TEXT.encode(), format="bytecode")
    with pytest.raises(sm.ParseError, match="MLIR bytecode is bytes, not text"):
        sm.load(TEXT, format="bytecode")
    with pytest.raises(sm.ParseError, match="is not text"):
        sm.load(sm.load(TEXT).to_bytecode(), format="mlir")


def test_errors_keep_their_place_and_their_class() -> None:
    artifact = sm.load(TEXT).to_artifact("1.9.0")
    with pytest.raises(sm.ParseError) as caught:
        sm.load(artifact[:-1], name="model")
    message = str(caught.value)
    assert message.startswith("model:+0x")
    assert message.endswith(
        "note: model was read as a portable artifact, written by StableHLO_v1.9.0"
    )
