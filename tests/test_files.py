"""Programs in and out of files and strings: ``load``, ``parse`` and ``save``."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner

import stablemate as sm
from stablemate.api.conversion import ENDINGS, FORMATS
from stablemate.cli import main

PROGRAM = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
HLO = """HloModule m

ENTRY main {
  a = f32[2] parameter(0)
  ROOT sum = f32[2] add(a, a)
}
"""
NOTE = "a string of one line is a path; stablemate.parse reads a program from a string"
NEEDS_OWNERS = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes")


class Unreadable:
    """An object with ``read`` that reads no bytes."""

    def read(self, _size: int) -> None:
        """Nothing."""


def closed_file() -> io.BytesIO:
    """A file that was closed."""
    file = io.BytesIO(b"")
    file.close()
    return file


# ---- strings


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere.mlir", "cannot read nowhere.mlir: no such file or directory"),
        ("a\0b", r"cannot read 'a\x00b': embedded null byte"),
        (os.path.abspath(os.sep), f"cannot read {os.path.abspath(os.sep)}: is a directory"),
        ("x" * 5000, f"cannot read {'x' * 197}...: file name too long"),
        (f"{__file__}/x", f"cannot read {__file__}/x: not a directory"),
        ('"stablehlo.x"()', 'cannot read "stablehlo.x"(): no such file or directory'),
        ("ROOT a = f32[] add(b, c)", "cannot read ROOT a = f32[] add(b, c): no such file or dir"),
    ],
)
def test_a_string_of_one_line_is_a_path(path: str, message: str) -> None:
    with pytest.raises(sm.FileError) as caught:
        sm.load(path)
    first, second = str(caught.value).splitlines()
    assert first.startswith(message)
    assert second == f"note: {NOTE}"
    assert isinstance(caught.value, OSError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_missing_file_is_what_python_calls_it() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        sm.load(Path("nowhere.mlir"))
    assert str(caught.value) == "cannot read nowhere.mlir: no such file or directory"
    assert caught.value.errno == 2
    assert caught.value.filename == "nowhere.mlir"


def test_a_name_with_brackets_quotes_and_parentheses_is_a_path(tmp_path: Path) -> None:
    for name in ('a"b.mlir', "f[1](2).mlir", "%x = add.mlir"):
        (tmp_path / name).write_text(PROGRAM)
        assert list(sm.load(str(tmp_path / name)).functions) == ["main"]


@pytest.mark.parametrize("text", [PROGRAM, PROGRAM.replace("\n", " "), HLO, "{", "\n", "", "  "])
def test_a_string_with_a_line_break_or_a_brace_is_read_as_parse_reads_it(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file is touched")

    def outcome(read: Callable[[str], sm.Module]) -> str:
        try:
            return str(read(text))
        except sm.ParseError as error:
            return str(error)

    assert outcome(sm.load) == outcome(sm.parse)
    with monkeypatch.context() as patch:  # now that all modules are imported
        for name in ("os.stat", "os.open", "io.open", "builtins.open", "pathlib.Path.open"):
            patch.setattr(name, refuse)
        outcome(sm.parse)


def test_parse_touches_no_file_whatever_the_text_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.mlir").write_text(PROGRAM)
    with pytest.raises(sm.ParseError, match="<text>:1:1: error: no dialect is called 'm'"):
        sm.parse("m.mlir")


def test_parse_takes_the_options_of_texts() -> None:
    assert isinstance(sm.parse(HLO, format="hlo"), sm.HloModule)
    with pytest.raises(sm.LimitError, match="<text> is larger than 3 bytes"):
        sm.parse(PROGRAM, limits=sm.Limits(input_bytes=3))
    with pytest.raises(sm.ParseError, match=r"model:1:1: error: expected"):
        sm.parse("?", name="model")
    with pytest.raises(sm.UnsupportedError, match="no format is called 'bytecode'; known: mlir, h"):
        sm.parse(PROGRAM, format="bytecode")
    message = "a text is a string, not bytes; stablemate.load reads others"
    with pytest.raises(sm.ArgumentError, match=message):
        sm.parse(PROGRAM.encode())  # type: ignore[arg-type]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", [PROGRAM, HLO])
def test_a_byte_order_mark_is_named(tmp_path: Path, text: str, encoding: str) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(text, encoding=encoding)
    named = "UTF-8" if encoding == "utf-8-sig" else encoding.upper()
    message = (
        f"not a program: it begins with a byte order mark of {named}\n"
        "note: save the text in UTF-8 without a byte order mark"
    )
    for source, name in ((path, str(path)), (path.read_bytes(), "<bytes>")):
        with pytest.raises(sm.ParseError) as caught:
            sm.load(source)
        assert str(caught.value) == f"{name}: {message}"
    with pytest.raises(sm.ParseError, match="<text>: not a program: it begins with a byte"):
        sm.parse(f"\ufeff{text}")


# ---- what is no file


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (closed_file, sm.FileError, "cannot read <file>: I/O operation on closed file"),
        (Unreadable, sm.ArgumentError, "<file> reads NoneType: a file reads bytes or text"),
        (
            lambda: io.TextIOWrapper(io.BytesIO(b"\xff{")),
            sm.ParseError,
            "not a program: invalid start byte at offset 0",
        ),
    ],
)
def test_what_cannot_be_read_is_an_error_of_ours(
    source: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        sm.load(source())


@NEEDS_OWNERS
def test_pipes_and_devices_are_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(PROGRAM,))
    writer.start()
    assert list(sm.load(str(pipe)).functions) == ["main"]
    writer.join()
    with pytest.raises(sm.ParseError, match="expected a program, found an empty text"):
        sm.load("/dev/null")
    with pytest.raises(sm.LimitError, match="/dev/zero is larger than 10000000 bytes"):
        sm.load("/dev/zero", limits=sm.Limits(input_bytes=10**7))


def test_a_file_that_does_not_fit_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.mlir"
    path.write_text(PROGRAM)

    def exhaust(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("stablemate.formats.recognition.read_file", exhaust)
    with pytest.raises(sm.LimitError) as caught:
        sm.load(path)
    assert str(caught.value) == f"there is not enough memory to read {path}"


DOORS: dict[str, Callable[[Any], object]] = {
    "load_trace": sm.load_trace,
    "load_weights": sm.load_weights,
    "save_weights": lambda path: sm.save_weights(path, {"a": [1.0]}),
    "save": lambda path: sm.save(sm.parse(PROGRAM), path),
    "save of a module": lambda path: sm.parse(PROGRAM).save(path),
    "save of a page": lambda path: sm.view(sm.parse(PROGRAM)).save(path),
    "save of a trace": lambda path: sm.trace(sm.parse(PROGRAM), [1.0, 2.0]).save(path),
    "build": lambda path: sm.build(sm.parse(PROGRAM), path, static=True),
}


@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_path_is_an_error_of_ours(door: str) -> None:
    message = "a file is named by a string or a path, not by an object of "
    for path in (3, None, io.BytesIO()):
        with pytest.raises(sm.ArgumentError, match=f"^{message}{type(path).__name__}$"):
            DOORS[door](path)
    with pytest.raises(sm.ArgumentError, match=r"^(cannot (read|write) )?'a\\x00b.mlir'.*: embed"):
        DOORS[door]("a\0b.mlir")


def test_bytes_are_paths_too(tmp_path: Path) -> None:
    place = os.fsencode(tmp_path / "a")
    sm.save(sm.parse(PROGRAM), place + b".mlir")  # type: ignore[arg-type]
    assert list(sm.load(tmp_path / "a.mlir").functions) == ["main"]
    sm.save_weights(place, {"a": [1.0]})  # type: ignore[arg-type]
    assert list(sm.load_weights(place)) == ["a"]  # type: ignore[arg-type]


@NEEDS_OWNERS
def test_files_without_permission_are_named(tmp_path: Path) -> None:
    module = sm.parse(PROGRAM)
    path = tmp_path / "a.mlir"
    module.save(path)  # so that nothing is imported later
    path.chmod(0)
    tmp_path.chmod(0o500)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # to the superuser every file is open
    try:
        with pytest.raises(sm.FileError) as not_read:
            sm.load(path)
        with pytest.raises(sm.FileError) as not_written:
            module.save(path)
    finally:
        os.seteuid(user)
        tmp_path.chmod(0o700)
    assert str(not_read.value) == f"cannot read {path}: permission denied"
    assert str(not_written.value) == f"cannot write {path}: permission denied"


def test_limits_of_another_kind_are_refused() -> None:
    for call in (sm.load, sm.parse, sm.compile, sm.trace):
        with pytest.raises(sm.ArgumentError, match=r"^limits are a stablemate\.Limits, not int$"):
            call(PROGRAM, limits=3)  # type: ignore[operator]


def test_traces_pages_and_libraries_have_the_same_errors(tmp_path: Path) -> None:
    module = sm.parse(PROGRAM)
    file = tmp_path / "file"
    file.touch()
    for call in (
        lambda: sm.load_trace(tmp_path / "nowhere"),
        lambda: sm.view(module).save(file / "page.html"),
        lambda: sm.trace(module, [1.0, 2.0]).save(file / "trace.npz"),
        lambda: sm.build(module, file / "library", static=True),
    ):
        with pytest.raises(sm.FileError, match=r"^cannot (read|write) "):
            call()


# ---- files of every format


@pytest.mark.parametrize("text", [PROGRAM, HLO])
@pytest.mark.parametrize("ending", [end for end in ENDINGS if not end.startswith(".jax")])
def test_what_is_saved_is_what_convert_writes(tmp_path: Path, text: str, ending: str) -> None:
    module = sm.parse(text)
    source, converted = tmp_path / "source.mlir", tmp_path / f"converted{ending}"
    source.write_text(text)
    finished = CliRunner().invoke(main, ["convert", str(source), str(converted)])
    assert finished.exit_code == 0, finished.output
    saved = tmp_path / f"saved{ending}"
    module.save(saved)
    assert saved.read_bytes() == converted.read_bytes()
    sm.save(module, f"{saved}.again{ending}")
    assert Path(f"{saved}.again{ending}").read_bytes() == converted.read_bytes()
    assert isinstance(sm.load(converted), sm.HloModule) == (ENDINGS[ending].startswith("hlo"))


def test_options_say_more_about_the_format(tmp_path: Path) -> None:
    module = sm.parse(PROGRAM)
    module.save(tmp_path / "a.bin", format="artifact", target="1.0.0")
    assert sm.load(tmp_path / "a.bin").artifact_version == "1.0.0"
    module.save(tmp_path / "a.mlir", format="generic")
    assert '"stablehlo.add"' in (tmp_path / "a.mlir").read_text()
    module.save(str(tmp_path / "a.mlirbc"), bytecode_version=3)
    assert sm.load(tmp_path / "a.mlirbc").format == "bytecode"
    module.save(tmp_path / "located.mlir", debug_info=True)
    assert "loc(" in (tmp_path / "located.mlir").read_text()


ENDINGS_TEXT = ", ".join(f"{ending} ({named})" for ending, named in ENDINGS.items())


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        (
            "a.bin",
            {},
            "the ending of a.bin says no format\n"
            f"note: format= says one: {', '.join(FORMATS)}; endings that do are {ENDINGS_TEXT}",
        ),
        ("a", {"format": "x"}, f"no format is called 'x'; known: {', '.join(FORMATS)}"),
        ("a.mlir", {"target": "1.0.0"}, "target is for artifact, but text is to be written"),
        ("a.hlo", {"debug_info": True}, "debug_info is for text or generic, but hlo is to be writ"),
        (
            "a.mlirbc",
            {"bytecode_version": 9},
            "there is no bytecode version 9: versions are 0 to 6",
        ),
        ("a.jax_export", {}, "only a program that was read from jax.export has a calling conv"),
        ("a.vhlo", {"target": 3}, "expected a version such as 1.9.0, or "),
        (
            "a.mlirbc",
            {"bytecode_version": "a"},
            "there is no bytecode version a: versions are 0 to",
        ),
        ("", {}, "the ending of '' says no format"),
        ("a.mlir", {"format": ""}, "no format is called ''; known: "),
        ("nowhere/a.mlir", {}, "cannot write nowhere/a.mlir: no such file or directory"),
        ("\0.mlir", {}, r"cannot write '\x00.mlir': embedded null byte"),
    ],
)
def test_what_cannot_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, options: Any, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(sm.StablemateError) as caught:
        sm.parse(PROGRAM).save(name, **options)
    assert str(caught.value).startswith(message)
    assert not list(tmp_path.iterdir())


def test_an_invalid_program_is_saved_in_generic_form_alone(tmp_path: Path) -> None:
    module = sm.parse(PROGRAM.replace("-> tensor<2xf32>", "-> tensor<3xf32>"))
    with pytest.raises(sm.VerifyError):
        module.save(tmp_path / "a.mlir")
    module.save(tmp_path / "a.mlir", format="generic")
    with pytest.raises(sm.ArgumentError, match="what is saved is a program that "):
        sm.save(PROGRAM, tmp_path / "a.mlir")  # type: ignore[arg-type]
