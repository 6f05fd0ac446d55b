"""Reads the input of ``load`` and detects its format by content.

MLIR bytecode begins with a magic number; it is a portable artifact if it holds VHLO operations. A
flatbuffer with bytecode inside is a ``jax.export`` container. A protocol buffer whose first field
names a module, or holds one, is an HLO proto. Everything else must be text: HLO text if it begins
like HLO text, otherwise MLIR.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn, TextIO, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentTypeError,
    LimitError,
    ParseError,
    UnsupportedError,
)
from stablemate.diagnostics.file_errors import file_errors, path_name
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.vhlo.versions import PRODUCER
from stablemate.formats import jax_export
from stablemate.formats.bytecode.container import MAGIC
from stablemate.formats.hlo.proto.recognition import is_hlo_proto
from stablemate.formats.source_digest import digest_of_content, read_and_digest

Readable: TypeAlias = str | bytes | bytearray | memoryview | os.PathLike[str] | BinaryIO | TextIO
Content: TypeAlias = "bytes | memoryview[int] | str"

FORMATS: Final = (
    "mlir", "bytecode", "artifact", "jax_export", "hlo", "hlo_proto", "torch_export", "onnx",
)  # fmt: skip
TEXT_FORMATS: Final = ("mlir", "hlo")
ZIP_MAGIC: Final = b"PK\x03\x04"
TEXT_NAME: Final = "<text>"  # what messages call a text
READ: Final = (
    "MLIR text, MLIR bytecode, portable artifacts, containers of jax.export, HLO text, HLO protos, "
    "exported programs of PyTorch (.pt2), models of ONNX (.onnx)"
)
VIEWED_BYTES: Final = 1 << 20  # arrays of larger binary files are views, not copies
STREAM_BYTES: Final = 1 << 31  # limit for a pipe or a device, which may be endless
CHUNK_BYTES: Final = 1 << 20  # bytes that are read at a time
HEAD_BYTES: Final = 128  # marks of formats stand at the beginning of a file
ROOT_LIMIT: Final = 1 << 24  # the root table is near the beginning of a file
# The magic numbers of other files that users may pass.
FOREIGN_MAGIC: Final = {
    b"\x1f\x8b": "compressed by gzip",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
    b"BZh": "compressed by bzip2",
    b"\xfd7zXZ\0": "compressed by xz",
    b"\x93NUMPY": "an array of NumPy",
    b"PK\x05\x06": "an empty zip archive",
    b"BC\xc0\xde": "LLVM bitcode",
    **{bytes([0x80, protocol]): "a pickle of Python" for protocol in range(2, 6)},
}
# Marks that other encodings of text begin with; those of UTF-32 begin like those of UTF-16.
BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF8: "UTF-8",
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}

# HLO text begins, after comments, with a module, with a computation without a module header, or
# with a single instruction. MLIR has no shape before brackets or after an equals sign.
BLANKS: Final = r"(?:\s++|//[^\n]*+|/\*.*?\*/|(?!))*+"
SHAPED: Final = r"(?:\(|[a-z]\w*\[)"
INSTRUCTION: Final = rf"(?:ROOT\b{BLANKS})?(?:%?[\w.-]++{BLANKS}={BLANKS})?{SHAPED}"
COMPUTATION: Final = (
    rf"%?[A-Za-z_][\w.-]*+{BLANKS}(?:\([^{{]*\){BLANKS}->[^{{]*)?\{{{BLANKS}(?:{INSTRUCTION})"
)
HLO_TEXT: Final = re.compile(
    rf"{BLANKS}(?:HloModule\b|ENTRY\b|{COMPUTATION}|{INSTRUCTION})", re.DOTALL
)
# A model of ONNX begins with the version of its format, a small number, and then has its producer,
# its domain, its graph or its operator sets.
ONNX_HEAD: Final = re.compile(rb"\x08[\x01-\x7f][\x12\x1a\x22\x28\x32\x3a\x42]")
LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")  # lone surrogates
HLO_HEAD_BYTES: Final = 1 << 12  # comments may come first
TEXT_MARKS: Final = "\n\r{"  # characters by which a string is a program, and no path
ENCODING_NOTE: Final = "save the text in UTF-8 without a byte order mark"
PATH_NOTE: Final = "a string of one line is a path; stablemate.parse reads a program from a string"


@dataclass(frozen=True, slots=True)
class Input:
    """The input of ``load``.

    Attributes:
        content: Its bytes or text.
        name: What messages call it.
        path: The path of its file; None if it is no file.
        file_digest: What identifies the content of its file; None if it is no regular file.
    """

    content: Content
    name: str
    path: Path | None = None
    file_digest: bytes | None = None

    @property
    def digest(self) -> bytes:
        """Identifies the content."""
        return self.file_digest or digest_of_content(self.content)

    @property
    def folder(self) -> Path | None:
        """The folder of its file; None if it is no file."""
        return None if self.path is None else self.path.parent

    @property
    def bytes(self) -> int:
        """The number of bytes; of text in UTF-8."""
        content = self.content
        if isinstance(content, str):
            return len(content.encode("utf-8", "surrogatepass"))
        return len(content)


def read_input(source: Readable, name: str | None, limits: Limits) -> Input:
    """Returns the content of a path, text, bytes or file.

    Raises:
        FileError: The file cannot be read.
        ArgumentError: The source is no path, text, bytes or open file.
        LimitError: The content exceeds the limits.
        ParseError: A file that was opened as text holds no text.
    """
    match source:
        case str() if looks_like_text(source):
            return Input(source, name or TEXT_NAME)
        case str() | os.PathLike():
            return read_path(source, name, limits)
        case bytes() | bytearray() | memoryview():
            return Input(bytes(source), name or "<bytes>")
        case _ if hasattr(source, "read"):
            name = name or str(getattr(source, "name", "<file>"))
            with file_errors("read", name):
                return Input(read_stream(source, name, limits), name)
        case _:
            kind = type(source).__name__
            message = f"a program is a path, text, bytes or a file; an object of {kind} is none"
            raise ArgumentTypeError(message)


def looks_like_text(text: str) -> bool:
    """Whether a string is a program rather than a path: it has a line break or a brace."""
    return any(character in text for character in TEXT_MARKS) or not text.strip()


def read_path(source: str | os.PathLike[str], name: str | None, limits: Limits) -> Input:
    """Returns the content of a file.

    Raises:
        FileError: It cannot be read. If the path was a string, a note says how text is read.
    """
    path = Path(path_name(source))
    notes = (Diagnostic(PATH_NOTE),) if isinstance(source, str) else ()
    with file_errors("read", str(path), notes):
        return read_file(path, name, limits)


def read_file(path: Path, name: str | None, limits: Limits) -> Input:
    """Returns the bytes of a file, if they are within the limit.

    The file is read and not mapped, because truncating a mapped file kills the processes that read
    it.

    Raises:
        LimitError: There are more.
        OSError: It cannot be read.
        ValueError: The path is none.
    """
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return Input(read_stream(file, str(path), limits), name or str(path))
        if status.st_size > limits.input_bytes:
            raise LimitError(f"{path} is larger than {limits.input_bytes} bytes")
        content, digest = read_and_digest(file)
    if len(content) >= VIEWED_BYTES:
        is_text = detect_format(content) in TEXT_FORMATS
        content = bytes(content) if is_text else memoryview(content)  # whose views constants are
    return Input(content, name or str(path), path, digest)


def read_stream(stream: BinaryIO | TextIO, name: str, limits: Limits) -> bytes | str:
    """Returns the content of a stream, whose size is unknown.

    Raises:
        LimitError: The content exceeds the limits, or the limit for streams.
    """
    most = min(limits.input_bytes, STREAM_BYTES)
    left = most
    pieces: list[bytes | str] = []
    while left >= 0 and len(piece := read_piece(stream, name)) > 0:
        pieces.append(piece)
        left -= len(piece)
    if left < 0:
        raise LimitError(f"{name} is larger than {most} bytes")
    empty: Any = pieces[0][:0] if pieces else b""
    content: bytes | str = empty.join(pieces)
    return content


def read_piece(stream: BinaryIO | TextIO, name: str) -> bytes | str:
    """Returns the next bytes or characters of a stream.

    Raises:
        ArgumentTypeError: The object reads something else.
        ParseError: It is opened as text and holds none.
    """
    try:
        piece: Any = stream.read(CHUNK_BYTES)  # of any object that has the method
    except UnicodeDecodeError as error:  # of a file that was opened as text
        message = f"{name}: not a program: {error.reason} at offset {error.start}"
        raise ParseError(message) from error
    if isinstance(piece, bytes | str):
        return piece
    kind = type(piece).__name__
    raise ArgumentTypeError(f"{name} reads {kind}: a file reads bytes or text")


# ---- formats


def detect_format(content: Content) -> str:
    """Returns the format: ``bytecode`` for artifacts too, ``mlir`` for unknown content."""
    if isinstance(content, str):
        return "hlo" if is_hlo_text(content[:HLO_HEAD_BYTES]) else "mlir"
    if content[: len(MAGIC)] == MAGIC:
        return "bytecode"
    if content[: len(ZIP_MAGIC)] == ZIP_MAGIC:
        # Here and not above: few programs are zip archives, whose reader costs milliseconds.
        from stablemate.formats.torch_archive import is_torch_export

        if is_torch_export(content):
            return "torch_export"
    if ONNX_HEAD.match(bytes(content[:HEAD_BYTES])):
        return "onnx"
    if is_hlo_text(bytes(content[:HLO_HEAD_BYTES]).decode("latin-1")):
        return "hlo"
    if is_hlo_proto(content):
        return "hlo_proto"
    if not 0 < root_offset(content) < len(content):
        return "mlir"  # true of most texts; decided without importing a library
    is_export = jax_export.is_exported(content) or is_damaged_container(content)
    return "jax_export" if is_export else "mlir"


def is_hlo_text(head: str) -> bool:
    """Whether a text with this beginning is HLO text."""
    return "\0" not in head and HLO_TEXT.match(head) is not None


def root_offset(content: bytes | memoryview[int]) -> int:
    """Returns the position of the root table of a flatbuffer."""
    return int.from_bytes(content[:4], "little")


def is_damaged_container(content: bytes | memoryview[int]) -> bool:
    """Whether a file begins like a container but is not one: it may be truncated.

    Such a file is a flatbuffer without an identifier: the offset of a table whose vtable is valid,
    or is cut off with bytecode before it.
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
    """Describes the format as which a program was read, for messages."""
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
        case "torch_export":
            return "an exported program of PyTorch"
        case "onnx":
            return "a model of ONNX"
        case _:
            return "MLIR text"


def artifact_producer(content: Content) -> str:
    """Returns the producer of an artifact, from the header of the file; empty for other files."""
    head = b"" if isinstance(content, str) else bytes(content[:HEAD_BYTES])
    start = head.find(PRODUCER.encode())
    return head[start:].partition(b"\0")[0].decode("latin-1") if start >= 0 else ""


def bytes_of(source: Input, read_as: str) -> bytes | memoryview[int]:
    """Returns the content as bytes.

    Raises:
        ParseError: It is text.
    """
    if isinstance(source.content, str):
        what = format_description(read_as, "")
        raise ParseError(f"{source.name}: {what} is bytes, not text")
    return source.content


def text_of(source: Input) -> str:
    """Returns the content as text.

    Raises:
        ParseError: It is empty, or no UTF-8 text.
        UnsupportedError: It is a program in a format that is not read.
    """
    content = source.content
    refuse_byte_order_mark(source)
    if not isinstance(content, str):
        content = bytes(content)
        if description := foreign_description(content):
            message = f"{source.name}: {description} cannot be read by this version"
            raise UnsupportedError(
                Diagnostic(message, notes=(Diagnostic(f"supported formats are {READ}"),))
            )
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            reject_byte(source, error.start)
        if (position := content.find(0, 0, HEAD_BYTES)) >= 0:
            reject_byte(source, position)
        content = text
    elif not content.isascii() and (lone := LONE_SURROGATE.search(content)):
        what = f"the character U+{ord(lone[0]):04X} at offset {lone.start()}"
        raise ParseError(f"{source.name}: not a program: {what} is not text")
    if not content.strip():
        raise ParseError(f"{source.name}: expected a program, found an empty text")
    return content


def refuse_byte_order_mark(source: Input) -> None:
    """Rejects text that begins with a byte order mark, as other readers of MLIR do.

    Raises:
        ParseError: It does.
    """
    content = source.content
    head = content[:1].encode(errors="replace") if isinstance(content, str) else bytes(content[:4])
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            message = (
                f"{source.name}: not a program: it begins with a byte order mark of {encoding}"
            )
            raise ParseError(Diagnostic(message, notes=(Diagnostic(ENCODING_NOTE),)))


def foreign_description(content: bytes) -> str:
    """The format of a file without a program; empty if it is not known."""
    if content.startswith(ZIP_MAGIC):
        from stablemate.formats.torch_archive import description_of_zip

        return description_of_zip(content)
    if weights_header_follows(content):
        return "a .safetensors, whose weights stablemate.load_weights reads,"
    return next((what for magic, what in FOREIGN_MAGIC.items() if content.startswith(magic)), "")


def weights_header_follows(content: bytes) -> bool:
    """Whether a file begins like a ``.safetensors``: a length, and a JSON object so long."""
    length = int.from_bytes(content[:8], "little")
    return content[8:10] == b'{"' and 2 <= length <= len(content) - 8


def reject_byte(source: Input, position: int) -> NoReturn:
    """Rejects content of an unknown format, because of one of its bytes.

    Raises:
        ParseError: Always.
    """
    assert not isinstance(source.content, str)
    place = f"byte {source.content[position]:#04x} at offset {position}"
    message = f"{source.name}: not a program: {place} is not text"
    raise ParseError(
        Diagnostic(message, notes=(Diagnostic(f"supported formats are {READ}"),))
    ) from None
