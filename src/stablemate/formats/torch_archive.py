"""Exported programs of PyTorch, ``.pt2``: the zip archive around them.

PyTorch itself reads what is inside; here stands what can be said about an archive without it, and
which archives it is not given: damaged ones, and those with native code that it would load.

Source: PyTorch, torch.export, "PT2 Archive Spec"; torch.export.save before 2.8.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from errno import EINVAL
from io import SEEK_CUR, SEEK_SET, RawIOBase
from struct import error as StructError
from typing import Any, Final, cast
from zipfile import ZIP_STORED, BadZipFile, ZipFile
from zlib import error as ZlibError

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ParseError, UnsupportedError

# Members of exported programs: of the newer format, and of that before 2.8.
FORMAT: Final = "archive_format"
OLD_PROGRAM: Final = "serialized_exported_program.json"
# What the bytes of an archive hold whose directory cannot be read.
TRACES: Final = tuple(name.encode() for name in (FORMAT, OLD_PROGRAM, "data/weights/", "models/"))
# What ZipFile and the JSON reader raise: encrypted members are a RuntimeError.
DAMAGE: Final = (
    BadZipFile, ValueError, KeyError, EOFError, OSError, RuntimeError, StructError, ZlibError,
)  # fmt: skip
NATIVE_CODE: Final = "data/aotinductor/"
CONFIGS: Final = ("data/weights", "data/constants")  # folders of tensors that a file lists
# Bytes of an element, by the numbers of types in the schema; later types have at least one.
ITEM_SIZES: Final = (0, 1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 2)
# Other archives by a member that they have.
OTHERS: Final = {
    "constants.pkl": "a program of TorchScript",
    "data.pkl": "a file of torch.save, which holds tensors or objects,",
}


class ContentFile(RawIOBase):
    """Bytes as a file that is read; ``BytesIO`` would copy those of a view."""

    def __init__(self, content: bytes | memoryview[int]) -> None:
        super().__init__()
        self.content = memoryview(content)
        self.place = 0

    def readable(self) -> bool:
        """Whether it is read: always."""
        return True

    def seekable(self) -> bool:
        """Whether places in it are chosen: always."""
        return True

    def readinto(self, target: Any, /) -> int:
        """Fills memory with the next bytes, and says with how many."""
        memory = memoryview(target).cast("B")
        part = self.content[self.place : self.place + len(memory)]
        memory[: len(part)] = part
        self.place += len(part)
        return len(part)

    def seek(self, offset: int, whence: int = SEEK_SET, /) -> int:
        """Goes to a place, and returns it."""
        start = {SEEK_SET: 0, SEEK_CUR: self.place}.get(whence, len(self.content))
        if start + offset < 0:
            raise OSError(EINVAL, "a place before the file")
        self.place = start + offset
        return self.place


@dataclass(frozen=True, slots=True)
class TorchArchive:
    """The archive of an exported program.

    Attributes:
        schema: The version of the schema that the program is written in, if it is stated.
        writer: The version of PyTorch that wrote it, if it is stated.
    """

    schema: tuple[int, int] | None
    writer: str


def is_torch_export(content: bytes | memoryview[int]) -> bool:
    """Whether a zip archive is what ``torch.export.save`` writes, of any version, or was once."""
    names = names_of(content)
    if not names:
        return any(trace in bytes(content) for trace in TRACES)
    return any(name.rpartition("/")[2] in (FORMAT, OLD_PROGRAM) for name in names)


def names_of(content: bytes | memoryview[int]) -> list[str]:
    """The names of the members of an archive; none if it is damaged.

    One that is cut off may end with an archive that is its member, whose names are others.
    """
    try:
        names = ZipFile(ContentFile(content)).namelist()
    except DAMAGE:
        return []
    length = int.from_bytes(content[26:28], "little")
    first = bytes(content[30 : 30 + length]).decode("utf-8", "replace")
    return names if first in names else []


def description_of_zip(content: bytes | memoryview[int]) -> str:
    """The format of a zip archive without a program."""
    names = names_of(content)
    if not names:
        return "a damaged zip archive"
    if all(name.endswith(".npy") for name in names):
        return "a .npz of NumPy, which holds arrays,"
    ends = {name.rpartition("/")[2] for name in names}
    return next((text for end, text in OTHERS.items() if end in ends), "a zip archive")


def read_archive(content: bytes | memoryview[int], name: str) -> TorchArchive:
    """The metadata of the program in an archive, if the archive is complete.

    Args:
        content: The bytes of the file.
        name: What messages call it.

    Raises:
        ParseError: It is damaged.
        UnsupportedError: It holds native code.
    """
    try:
        archive = ZipFile(ContentFile(content))
        if not names_of(content):
            raise ParseError(f"{name} is cut off: the archive has no directory at its end")
        members = [info.filename for info in archive.infolist()]
        reject_native_code(members, name)
        packed = [i.filename for i in archive.infolist() if i.compress_type != ZIP_STORED]
        if packed:
            raise ParseError(
                f"{name}: the member {packed[0]} is compressed; PyTorch writes none so"
            )
        damaged = archive.testzip()
        if damaged is not None:
            raise ParseError(f"{name} is damaged: the checksum of its member {damaged} is wrong")
        for missing in missing_members(archive, members):
            raise ParseError(f"{name} is damaged: it has no member {missing}")
        for member, size, least in short_members(archive, members):
            raise ParseError(
                f"{name} is damaged: its member {member} has {size} bytes, and a tensor of "
                f"{least} lies in it"
            )
        return describe_archive(archive, members)
    except DAMAGE as error:
        raise ParseError(f"{name} is damaged or cut off: {error}") from error


def reject_native_code(members: Sequence[str], name: str) -> None:
    """Refuses an archive with native code, which PyTorch would load into this process.

    Raises:
        UnsupportedError: It has some.
    """
    if any(NATIVE_CODE in member for member in members):
        raise UnsupportedError(
            f"{name} is a package of AOTInductor, native code without a program; "
            "torch.export.save writes programs"
        )


def missing_members(archive: ZipFile, members: Sequence[str]) -> Iterator[str]:
    """The members that others refer to and that are not there."""
    root = root_of(members)
    if root is None:
        return
    known = set(members)
    needed = [f"{root}models/model.json", f"{root}archive_version"]
    needed += [member for member, _ in listed_tensors(archive, members, root)]
    yield from (member for member in needed if member not in known)


def short_members(archive: ZipFile, members: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Members that end before a tensor in them does: their sizes, and how many bytes it takes."""
    root = root_of(members)
    if root is None:
        return
    for member, row in listed_tensors(archive, members, root):
        size, least = archive.getinfo(member).file_size, bytes_of_tensor(row)
        if size < least:
            yield member, size, least


def listed_tensors(
    archive: ZipFile, members: Sequence[str], root: str
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The members that configurations list as tensors, with what is said of each tensor."""
    for member in members:
        folder, _, last = member.rpartition("/")
        if folder.removeprefix(root) in CONFIGS and last.endswith("_config.json"):
            for path, row in rows_of(json.loads(archive.read(member))):
                yield f"{folder}/{path}", row


def root_of(members: Sequence[str]) -> str | None:
    """The folder of the newer format; None of the older one."""
    places = [member for member in members if member.rpartition("/")[2] == FORMAT]
    return places[0].removesuffix(FORMAT) if places else None


def rows_of(config: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The files of tensors that a configuration lists, with what it says of each tensor."""
    match config:
        case {"config": {**rows}}:
            for row in cast("Mapping[str, Any]", rows).values():
                match row:
                    case {"path_name": str(path)} if path:
                        yield path, row
                    case _:
                        pass
        case _:
            pass


def bytes_of_tensor(row: Mapping[str, Any]) -> int:
    """How many bytes of its file a tensor reaches to; 0 if they are pickled, or not stated."""
    match row:
        case {
            "use_pickle": False,
            "tensor_meta": {
                "dtype": int(number), "sizes": [*sizes], "strides": [*strides],
                "storage_offset": {"as_int": int(offset)},
            },
        }:  # fmt: skip
            shape = [size["as_int"] for size in cast("Sequence[Mapping[str, int]]", sizes)]
            steps = [step["as_int"] for step in cast("Sequence[Mapping[str, int]]", strides)]
            last = offset + sum((n - 1) * step for n, step in zip(shape, steps, strict=True))
            width = ITEM_SIZES[number] if number < len(ITEM_SIZES) else 1
            return (last + 1) * width if 0 not in shape else 0
        case _:
            return 0


def describe_archive(archive: ZipFile, members: Sequence[str]) -> TorchArchive:
    """The metadata of the program in an archive.

    Raises:
        ValueError: It is no JSON object.
    """
    root = root_of(members)
    wanted = f"{root}models/model.json" if root is not None else OLD_PROGRAM
    program: object = json.loads(archive.read(wanted)) if wanted in members else {}
    if not isinstance(program, dict):
        raise ValueError(f"its member {wanted} is no JSON object")
    fields = cast("Mapping[str, Any]", program)
    schema: tuple[int, int] | None = None
    match fields.get("schema_version"):
        case {"major": int(major), "minor": int(minor)}:
            schema = major, minor
        case _:
            pass
    return TorchArchive(schema, str(fields.get("torch_version", "")))
