"""Files are written whole or not at all."""

import os
from pathlib import Path
from typing import BinaryIO

import pytest

from stablemate.cli.output.output_files import WriteError, check_writable, write_files
from stablemate.diagnostics.errors import ArgumentValueError


def writing(content: bytes):  # type: ignore[no-untyped-def]
    return lambda stream: stream.write(content)


def failing(stream: BinaryIO) -> None:
    stream.write(b"half")
    raise OSError(28, "No space left on device")


def test_new_files_appear(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a", "b")]
    write_files({str(path): writing(path.name.encode()) for path in paths})
    assert [path.read_bytes() for path in paths] == [b"a", b"b"]
    assert len(list(tmp_path.iterdir())) == 2


def test_after_a_failure_nothing_has_changed(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_bytes(b"old")
    with pytest.raises(WriteError, match=r"cannot write .*new: no space left on device"):
        write_files({str(old): writing(b"other"), str(tmp_path / "new"): failing})
    assert old.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [old]


def test_an_interruption_leaves_nothing_behind(tmp_path: Path) -> None:
    def interrupted(stream: BinaryIO) -> None:
        stream.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_files({str(tmp_path / "a"): interrupted})
    assert not list(tmp_path.iterdir())


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_files({str(link): writing(b"new")})
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_files({str(path): writing(b"new")})
    assert path.stat().st_mode & 0o777 == 0o640


def test_devices_are_written_to_rather_than_replaced() -> None:
    write_files({os.devnull: writing(b"x")})
    assert not Path(os.devnull).is_file()


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ArgumentValueError, match="is a directory"):
        check_writable(str(tmp_path))
    with pytest.raises(ArgumentValueError, match="there is no directory"):
        check_writable(str(tmp_path / "missing" / "a"))
    check_writable(str(tmp_path / "a"))
    check_writable(os.devnull)
    check_writable("-")
