"""Reads and writes archives of arrays, ``.npz``."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping
from typing import IO, BinaryIO, Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.numerics.elements import Array

BAD_ARCHIVE: Final = (
    BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, UnicodeDecodeError,
    struct.error,
)  # fmt: skip


def read_member(path: str, member: str) -> bytes:
    """The ``.npy`` inside a ``.npz``.

    Args:
        path: The archive.
        member: The name of the array; empty for the only one.

    Raises:
        ArgumentValueError: There is none, or the archive is damaged.
    """
    try:
        with ZipFile(path) as archive:
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            name = member or (next(iter(members)) if len(members) == 1 else "")
            if name not in members:
                names = ", ".join(members) or "nothing"
                raise ArgumentValueError(
                    f"no array '{name}' in {path}, which holds {names}"
                    if name
                    else f"which array of {path}? write @{path}:NAME; it holds {names}"
                )
            if members[name].file_size > DEFAULT_LIMITS.tensor_bytes:
                where = f"@{path}:{member}" if member else f"@{path}"
                message = f"{where} is larger than {DEFAULT_LIMITS.tensor_bytes} bytes"
                raise ArgumentValueError(message)
            return archive.read(members[name])
    except BAD_ARCHIVE as error:
        raise ArgumentValueError(f"cannot read {path} as a .npz: {error}") from error


def write_archive(
    stream: BinaryIO, members: Mapping[str, Array], write_npy: Callable[[IO[bytes], Array], None]
) -> None:
    """Writes a ``.npz`` whose bytes depend on the arrays only.

    Args:
        stream: Where to.
        members: The arrays by name.
        write_npy: Writes one of them as a ``.npy``.
    """
    with ZipFile(stream, "w") as archive:
        for name, array in members.items():
            entry = ZipInfo(f"{name}.npy")  # of 1980
            entry.external_attr = 0o644 << 16
            with archive.open(entry, "w", force_zip64=True) as member:
                write_npy(member, array)
