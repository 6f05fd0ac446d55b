"""``stablemate view``: files, the outline in a terminal, the server."""

from __future__ import annotations

import http.client
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from click.testing import Result

import stablemate as sm
from stablemate.compiler.step_timing import SteppedInstance
from tests.explorer.programs import FUSION, HOSTILE, SCOPES

Invoke = Callable[..., Result]
Program = Callable[..., Path]

WAIT: Final = 120.0  # seconds


def test_a_page_is_written_to_a_file(program: Program, stablemate: Invoke, tmp_path: Path) -> None:
    path, target = program(SCOPES), tmp_path / "page.html"
    done = stablemate("view", path, "-o", target)
    assert done.exit_code == 0, done.output
    assert target.read_text("utf-8") == sm.view(sm.load(path)).html
    assert done.stdout == ""
    assert done.stderr.startswith(f"{target}: 18 operations, 0.")


def test_the_outline_is_printed(program: Program, stablemate: Invoke) -> None:
    done = stablemate("view", program(SCOPES), "--depth=1")
    assert done.stdout.splitlines() == [
        "scopes  18 operations",
        "├─ @main  16 operations · function · line 7 · …",
        "└─ @twice  2 operations · function · line 28",
    ]
    lines = stablemate("view", program(SCOPES), "--depth=9").stdout.splitlines()
    assert "│  ├─ a  3 operations" in lines
    assert "│     ├─ cond  3 operations · region" in lines


def test_formats_for_other_tools(program: Program, stablemate: Invoke) -> None:
    document = json.loads(stablemate("view", program(FUSION), "--format=json").stdout)
    assert document["title"] == "fused"
    item = json.loads(stablemate("view", program(FUSION), "--format=model-explorer").stdout)
    assert [graph["id"] for graph in item["graphs"]] == ["main"]


@pytest.mark.parametrize("text", [SCOPES, FUSION], ids=["stablehlo", "hlo"])
@pytest.mark.parametrize("binary", [False, True], ids=["text", "binary"])
def test_overlays_are_computed_for_every_format(
    text: str,
    binary: bool,
    program: Program,
    stablemate: Invoke,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # On a busy machine a step that does nothing may take as long as one of these.
    monkeypatch.setattr(SteppedInstance, "empty_step", lambda self: 0)
    path = program(text)
    if binary:
        module = sm.load(path)
        is_hlo = isinstance(module, sm.HloModule)
        path.write_bytes(module.to_proto() if is_hlo else module.to_artifact("newest"))
    collected = ["--overlay=cost", "--overlay=profile", "--overlay=trace", "--overlay=compare"]
    collected += ["--format=json", "--input=inf"]
    collected += ["--input=3"] if text == SCOPES else []
    done = stablemate("view", path, *collected)
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    names = [overlay["name"] for overlay in document["overlays"]]
    assert names[:3] == ["arithmetic", "memory traffic", "time"]
    assert names[3:] == ["NaN and infinities", "largest number", "error"]
    assert set(document["overlays"][5]["values"].values()) == {0.0}  # sums are exact, fused or not
    boxes, texts = document["boxes"], document["texts"]
    kinds = {
        texts[boxes["label"][boxes["number"].index(int(number))]]
        for number in document["overlays"][0]["values"]
    }
    assert kinds == (
        {"stablehlo.add", "stablehlo.multiply", "stablehlo.subtract", "stablehlo.negate"}
        | {"stablehlo.compare"}
        if text == SCOPES
        else {"multiply", "negate"}
    )
    assert sum(document["overlays"][2]["values"].values()) > 0
    broken = {
        texts[boxes["label"][boxes["number"].index(int(number))]]: count
        for number, count in document["overlays"][3]["values"].items()
    }
    first = "stablehlo.add" if text == SCOPES else "negate"
    assert broken[first] == 4  # infinity and one, minus infinity
    assert broken.get("stablehlo.compare", 0) == 0


def labeled(document: dict[str, Any], overlay: int) -> dict[str, Any]:
    """The values of an overlay, by lines of the text."""
    boxes = document["boxes"]
    return {
        boxes["line"][boxes["number"].index(int(number))]: value
        for number, value in document["overlays"][overlay]["values"].items()
    }


def test_the_first_nan_is_an_overlay(program: Program, stablemate: Invoke) -> None:
    """A square that is too large, in its line; what it goes into does not count."""
    path = program(SCOPES)
    line = 1 + next(i for i, part in enumerate(SCOPES.split("\n")) if "%square = " in part)
    done = stablemate(
        "view", path, "--overlay=nan", "--format=json", "--input=[1e30 1 1e30 2]", "--input=3"
    )
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert [overlay["kind"] for overlay in document["overlays"]] == ["nan"]
    assert labeled(document, 0) == {line: 2}
    assert done.stderr.startswith("nan: ")
    calm = stablemate("view", path, "--overlay=nan", "--format=json", "--input=1", "--input=3")
    assert json.loads(calm.stdout)["overlays"][0]["values"] == {}


def test_where_programs_part_is_an_overlay(
    program: Program, stablemate: Invoke, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.mlir"
    wrong.write_text(SCOPES.replace("%double = stablehlo.add", "%double = stablehlo.multiply"))
    line = 1 + next(i for i, part in enumerate(SCOPES.split("\n")) if "%double = " in part)
    collected = ["--format=json", "--input=0.3", "--input=3"]
    done = stablemate("view", wrong, f"--overlay=bisect:{program(SCOPES)}", *collected)
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert list(labeled(document, 0)) == [line]
    assert done.stderr.startswith("bisect: The difference originates at ")
    same = stablemate("view", wrong, "--overlay=bisect", *collected)
    assert json.loads(same.stdout)["overlays"][0]["values"] == {}
    assert same.stderr == "bisect: No operation diverges.\n"
    missing = stablemate("view", wrong, "--overlay=bisect:missing.mlir", *collected)
    assert missing.exit_code == 2
    assert "cannot read missing.mlir" in missing.stderr


def test_overlays_are_read_from_files(program: Program, stablemate: Invoke, tmp_path: Path) -> None:
    (tmp_path / "o.json").write_text('{"name": "e", "kind": "error", "values": {"4": 1e-3}}')
    path = program(SCOPES)
    done = stablemate("view", path, "--format=json", "--overlay", tmp_path / "o.json")
    assert json.loads(done.stdout)["overlays"][0]["values"] == {"4": 1e-3}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--serve", "-o", "x.html"), "--serve shows a page"),
        (("--overlay=missing.json",), "cannot read overlay missing.json: no such file"),
        (("-o", "missing/page.html"), "cannot write missing/page.html: there is no directory"),
        (("--layout=(f32[4])->f32[4]",), "--layout is for HLO"),
        (("--format=svg",), "'svg' is not one of"),
    ],
)
def test_what_does_not_fit_is_refused(
    arguments: tuple[str, ...], message: str, program: Program, stablemate: Invoke
) -> None:
    done = stablemate("view", program(SCOPES), *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_what_is_no_program_is_refused(program: Program, stablemate: Invoke) -> None:
    assert stablemate("view", program("func.func @main(")).exit_code == 3


def test_programs_that_are_not_valid_are_shown_but_not_counted(
    program: Program, stablemate: Invoke
) -> None:
    path = program(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %y = stablehlo.not %x : tensor<2xf32>\n"
        "  return %y : tensor<2xf32>\n}"
    )
    assert stablemate("view", path).exit_code == 0
    assert stablemate("view", path, "--overlay=cost").exit_code == 3


def child(*arguments: str | Path, **environment: str) -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    by_key = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    return subprocess.Popen(
        [sys.executable, "-m", "stablemate", "view", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=environment.pop("stdout", subprocess.PIPE),  # type: ignore[call-overload]
        stderr=subprocess.PIPE,
        env=by_key | {"TERM": "xterm-256color"} | environment,
    )


def in_terminal(*arguments: str | Path, environment: Mapping[str, str]) -> bytes:
    """What the command writes to a terminal."""
    main, other = pty.openpty()
    with child(*arguments, stdout=other, **environment) as process:  # type: ignore[arg-type]
        os.close(other)
        written = b""
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            written += part
        process.communicate(timeout=WAIT)
    os.close(main)
    return written


def test_a_terminal_gets_colors_unless_it_wants_none(program: Program) -> None:
    path = program(SCOPES)
    colored = in_terminal(path, environment={})
    plain = in_terminal(path, environment={"NO_COLOR": "1"})
    assert b"\x1b[" in colored
    assert b"\x1b" not in plain
    assert b"@main  16 operations" in plain


def test_a_terminal_is_not_steered_by_a_program(program: Program) -> None:
    text = HOSTILE.replace("private @", "private @", 1).replace(
        'module @"', 'module @"\\1B]0;title\\07\\E2\\80\\AE'
    )
    written = in_terminal(program(text), "--depth=5", environment={"NO_COLOR": "1"})
    assert b"\x1b" not in written
    assert "⟨U+001B⟩]0;title⟨U+0007⟩⟨U+202E⟩".encode() in written


@contextmanager
def served(path: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a page that is served; the browser is a program that notes it."""
    noted = tmp_path / "address"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {noted}\n')
    browser.chmod(0o755)
    process = child(path, "--serve", BROWSER=f"{browser} %s")
    try:
        assert process.stderr is not None
        first = process.stderr.readline().decode()
        address = first.split(": ")[1].strip()
        assert process.stderr.readline() == b"Ctrl-C ends this.\n"
        limit = monotonic() + WAIT
        while not (noted.exists() and noted.read_text()) and monotonic() < limit:
            sleep(0.1)
        assert noted.read_text() == address
        yield address
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=WAIT) == 0
    finally:
        process.kill()
        process.communicate()


def test_the_browser_is_sent_to_a_page_that_nobody_else_finds(
    program: Program, tmp_path: Path
) -> None:
    path = program(SCOPES)
    with served(path, tmp_path) as address:
        parts = urlsplit(address)
        assert parts.hostname == "127.0.0.1"

        def status(where: str, **headers: str) -> tuple[int, bytes]:
            connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=WAIT)
            connection.request("GET", where, headers=headers)
            answer = connection.getresponse()
            value = answer.status, answer.read()
            connection.close()
            return value

        assert status(parts.path) == (200, sm.view(sm.load(path)).html.encode())
        assert status("/")[0] == 404
        assert status(parts.path + "x")[0] == 404
        # A name of another site that leads here is not answered.
        assert status(parts.path, Host="example.com")[0] == 404
