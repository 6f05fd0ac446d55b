"""What is handed over as a program: its bytes or text, and its format, recognised by content.

A magic number begins MLIR bytecode, which is a portable artifact if it holds operations of VHLO. A
flatbuffer with bytecode inside is a container of ``jax.export``. A protocol buffer whose first
field names a module, or holds one, is an HLO proto. Everything else must be text: of HLO, if it
begins as that does, otherwise of MLIR.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, TextIO, TypeAlias

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentTypeError,
    LimitError,
    ParseError,
    UnsupportedError,
)
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.vhlo.versions import PRODUCER
from stablemate.formats import jax_export
from stablemate.formats.bytecode.container import MAGIC
from stablemate.formats.hlo.proto.recognition import is_hlo_proto

Readable: TypeAlias = str | bytes | bytearray | memoryview | os.PathLike[str] | BinaryIO | TextIO
Content: TypeAlias = "bytes | memoryview[int] | str"

FORMATS: Final = ("mlir", "bytecode", "artifact", "jax_export", "hlo", "hlo_proto")
READ: Final = (
    "MLIR text, MLIR bytecode, portable artifacts, containers of jax.export, HLO text, HLO protos"
)
VIEWED_BYTES: Final = 1 << 20  # of large binary files arrays are no copies
STREAM_BYTES: Final = 1 << 31  # of a pipe or a device, which may have no end
CHUNK_BYTES: Final = 1 << 20  # that are read at a time
HEAD_BYTES: Final = 128
ROOT_LIMIT: Final = 1 << 24  # writers put the first table near the beginning; no text begins so
# What other files begin with that people hand over.
FOREIGN_MAGIC: Final = {
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "compressed by gzip",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
    b"\x93NUMPY": "an array of NumPy",
    b"BC\xc0\xde": "LLVM bitcode",
}

# How HLO text begins, after comments: with a module, with a computation that has no header around
# it, or with a single instruction. MLIR has no shape before brackets or after an equals sign.
BLANKS: Final = r"(?:\s++|//[^\n]*+|/\*.*?\*/)*+"
SHAPED: Final = r"(?:\(|[a-z]\w*\[)"
INSTRUCTION: Final = rf"(?:ROOT\b{BLANKS})?(?:%?[\w.-]++{BLANKS}={BLANKS})?{SHAPED}"
COMPUTATION: Final = (
    rf"%?[A-Za-z_][\w.-]*+{BLANKS}(?:\([^{{]*\){BLANKS}->[^{{]*)?\{{{BLANKS}(?:{INSTRUCTION})"
)
HLO_TEXT: Final = re.compile(
    rf"{BLANKS}(?:HloModule\b|ENTRY\b|{COMPUTATION}|{INSTRUCTION})", re.DOTALL
)
LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")  # halves of characters
HLO_HEAD_BYTES: Final = 1 << 12  # comments may come first


@dataclass(frozen=True, slots=True)
class Input:
    """What was handed to ``load``: its bytes or text, and its name."""

    content: Content
    name: str

    @property
    def bytes(self) -> int:
        """How many bytes it has; text in UTF-8."""
        content = self.content
        if isinstance(content, str):
            return len(content.encode("utf-8", "surrogatepass"))
        return len(content)


def read_input(source: Readable, name: str | None, limits: Limits) -> Input:
    """The content after whatever was handed to ``load``."""
    match source:
        case str() if looks_like_text(source):
            return Input(source, name or "<text>")
        case str() | os.PathLike():
            return read_file(Path(source), name, limits)
        case bytes() | bytearray() | memoryview():
            return Input(bytes(source), name or "<bytes>")
        case _ if hasattr(source, "read"):
            name = name or str(getattr(source, "name", "<file>"))
            return Input(read_stream(source, name, limits), name)
        case _:
            kind = type(source).__name__
            raise ArgumentTypeError(f"a program is a path, text, bytes or a file, not a {kind}")


def looks_like_text(text: str) -> bool:
    """Whether a string is a program rather than a path."""
    is_instruction = "[" in text and "(" in text  # of HLO, in one line
    return any(character in text for character in '\n{"') or is_instruction or not text.strip()


def read_file(path: Path, name: str | None, limits: Limits) -> Input:
    """The bytes of a file, if they are within the limit.

    They are read and not mapped: who cuts a mapped file short ends the processes that look at it.

    Raises:
        LimitError: There are more.
        OSError: It cannot be read.
    """
    size = path.stat().st_size if path.is_file() else None
    if size is not None and size > limits.input_bytes:
        raise LimitError(f"{path} is larger than {limits.input_bytes} bytes")
    with path.open("rb") as file:
        if size is None:
            return Input(read_stream(file, str(path), limits), name or str(path))
        content = file.read()
    if len(content) >= VIEWED_BYTES and detect_format(content) != "mlir":
        return Input(memoryview(content), name or str(path))  # constants stay where they are
    return Input(content, name or str(path))


def read_stream(stream: BinaryIO | TextIO, name: str, limits: Limits) -> bytes | str:
    """What a stream holds, of which nobody says how much that is.

    Raises:
        LimitError: There is more than the limits allow, or more than is taken of a stream.
    """
    most = min(limits.input_bytes, STREAM_BYTES)
    pieces = [stream.read(CHUNK_BYTES)]
    left = most - len(pieces[0])
    while pieces[-1] and left >= 0:
        pieces.append(stream.read(CHUNK_BYTES))
        left -= len(pieces[-1])
    if left < 0:
        raise LimitError(f"{name} is larger than {most} bytes")
    empty: Any = pieces[0][:0]
    content: bytes | str = empty.join(pieces)
    return content


# ---- formats


def detect_format(content: Content) -> str:
    """The format of a program: ``bytecode`` for artifacts too, ``mlir`` for all that is unknown."""
    if isinstance(content, str):
        return "hlo" if is_hlo_text(content[:HLO_HEAD_BYTES]) else "mlir"
    if content[: len(MAGIC)] == MAGIC:
        return "bytecode"
    if is_hlo_text(bytes(content[:HLO_HEAD_BYTES]).decode("latin-1")):
        return "hlo"
    if is_hlo_proto(content):
        return "hlo_proto"
    if not 0 < root_offset(content) < len(content):
        return "mlir"  # as most texts are, without loading a library
    is_export = jax_export.is_exported(content) or is_damaged_container(content)
    return "jax_export" if is_export else "mlir"


def is_hlo_text(head: str) -> bool:
    """Whether what begins so is HLO text."""
    return "\0" not in head and HLO_TEXT.match(head) is not None


def root_offset(content: bytes | memoryview[int]) -> int:
    """Where the first table of a flatbuffer is."""
    return int.from_bytes(content[:4], "little")


def is_damaged_container(content: bytes | memoryview[int]) -> bool:
    """Whether a file begins as containers do, although it is none: it may have been cut off.

    That is a flatbuffer without an identifier: the place of a table, whose list of fields is sound
    or cut off with bytecode before it.
    """
    root = root_offset(content)
    if not 4 <= root <= min(len(content) - 4, ROOT_LIMIT) or bytes(content[4:8]).isalnum():
        return False
    if MAGIC in bytes(content):
        return True
    fields = root - int.from_bytes(content[root : root + 4], "little", signed=True)
    size = int.from_bytes(content[fields : fields + 2], "little") if fields > 0 else 0
    if not 4 < size <= len(content) - fields or size % 2:
        return False
    words = memoryview(content)[fields : fields + size].tobytes()
    table, *places = (int.from_bytes(words[i : i + 2], "little") for i in range(2, size, 2))
    return all(place < table for place in places)


def format_description(read_as: str, content: Content) -> str:
    """What a program was read as, for messages."""
    match read_as:
        case "jax_export":
            return "a container of jax.export"
        case "bytecode" | "artifact" if written_for := artifact_producer(content):
            return f"a portable artifact, written by {written_for}"
        case "bytecode" | "artifact":
            return "MLIR bytecode"
        case "hlo":
            return "HLO text"
        case "hlo_proto":
            return "an HLO proto"
        case _:
            return "MLIR text"


def artifact_producer(content: Content) -> str:
    """The producer of an artifact, as the head of a file says it; empty for other files."""
    head = b"" if isinstance(content, str) else bytes(content[:HEAD_BYTES])
    start = head.find(PRODUCER.encode())
    return head[start:].partition(b"\0")[0].decode("latin-1") if start >= 0 else ""


def bytes_of(source: Input, read_as: str) -> bytes | memoryview[int]:
    """The content as bytes.

    Raises:
        ParseError: It is text.
    """
    if isinstance(source.content, str):
        what = format_description(read_as, "")
        raise ParseError(f"{source.name}: {what} is bytes, not text")
    return source.content


def text_of(source: Input) -> str:
    """The content as text.

    Raises:
        ParseError: It is empty, or no UTF-8 text.
        UnsupportedError: It is a program in a format that is not read.
    """
    content = source.content
    if not isinstance(content, str):
        content = bytes(content)
        for magic, description in FOREIGN_MAGIC.items():
            if content.startswith(magic):
                message = f"{source.name}: {description} cannot be read by this version"
                raise UnsupportedError(Diagnostic(message, notes=(Diagnostic(f"read are {READ}"),)))
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            reject_byte(source, error.start)
        if (position := content.find(0, 0, HEAD_BYTES)) >= 0:
            reject_byte(source, position)
        content = text
    elif not content.isascii() and (lone := LONE_SURROGATE.search(content)):
        what = f"the character U+{ord(lone[0]):04X} at offset {lone.start()}"
        raise ParseError(f"{source.name}: not a program: {what} is no text")
    if not content.strip():
        raise ParseError(f"{source.name}: expected a program, found an empty text")
    return content


def reject_byte(source: Input, position: int) -> NoReturn:
    """Rejects content that is in no format that is known, because of a byte of it.

    Raises:
        ParseError: Always.
    """
    assert not isinstance(source.content, str)
    place = f"byte {source.content[position]:#04x} at offset {position}"
    message = f"{source.name}: not a program: {place} is no text"
    raise ParseError(Diagnostic(message, notes=(Diagnostic(f"read are {READ}"),))) from None
