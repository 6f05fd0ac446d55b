"""The lexers of Pygments: every character of every program has a kind that is no error."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest
from pygments.lexers import get_all_lexers
from pygments.token import Comment, Error, Keyword, Name, Number, String

from stablemate.lexers.hlo import HloLexer
from stablemate.lexers.mlir import MlirLexer
from tests.documentation.snippets import blocks_of

ROOT: Final = Path(__file__).parents[2]
MLIR_FILES: Final = sorted(
    path
    for where in ("examples", "tests/programs", "tests/ops")
    for path in (ROOT / where).rglob("*.mlir")
)
HLO_FILE: Final = ROOT / "tests/formats/hlo/proto/every_opcode.hlo"
LONGEST: Final = 20_000  # characters of a program; what follows in a large one is more of the same
LEXERS: Final = {"mlir": MlirLexer, "hlo": HloLexer}


def errors_in(language: str, text: str) -> list[str]:
    """The characters that belong to no token."""
    return [part for kind, part in LEXERS[language]().get_tokens(text) if kind is Error]


def kinds(language: str, text: str) -> dict[str, object]:
    """The kind of each token."""
    return {part: kind for kind, part in LEXERS[language]().get_tokens(text)}


def fences() -> Iterator[tuple[str, str]]:
    """The programs of the documentation."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        if "reference" not in page.parts:
            for block in blocks_of(page.read_text()):
                if block.language in LEXERS:
                    yield block.language, block.text


def test_a_cell_of_a_notebook_begins_with_its_magic() -> None:
    for language, magic in (("mlir", "%%stablehlo f --input '[1, 2]'"), ("hlo", "%%hlo --run")):
        text = f"{magic}\n%x\n"
        assert kinds(language, text)[magic] is Comment.Preproc
        assert errors_in(language, f"%x\n{text}"), "only the first line is a magic"


def test_every_mlir_program_is_colored() -> None:
    assert len(MLIR_FILES) > 200
    # A literal may be cut here; what is left of it is no token.
    texts = {path: path.read_text() for path in MLIR_FILES}
    short = {path: text for path, text in texts.items() if len(text) <= LONGEST}
    long = {path: text[: text.rindex("\n", 0, LONGEST)] for path, text in texts.items()
            if len(text) > LONGEST and "\n" in text[:LONGEST]}  # fmt: skip
    assert {p.name: e for p, t in (short | long).items() if (e := errors_in("mlir", t))} == {}


def test_every_hlo_opcode_is_colored() -> None:
    assert errors_in("hlo", HLO_FILE.read_text()) == []


def test_every_fence_of_the_documentation_is_colored() -> None:
    found = list(fences())
    assert {language for language, _ in found} >= {"mlir"}
    assert [(text, bad) for language, text in found if (bad := errors_in(language, text))] == []


@pytest.mark.parametrize("text", ["%x = `stablehlo.add`", "\\x", "func.func @f() $"])
def test_what_is_no_token_is_an_error(text: str) -> None:
    assert errors_in("mlir", text)


def test_kinds_of_mlir() -> None:
    text = (
        "func.func @main(%x: tensor<2x?xf8E4M3FN>) { // note\n"
        '  %0:2 = "stablehlo.add"(%x) {a = dense<1.5>, b = -0x7F} : () -> !stablehlo.token\n'
        "  %1 = arith.abs %x\n}\n"
    )
    got = kinds("mlir", text)
    expected = {
        "@main": Name.Function, "%x": Name.Variable, "tensor": Keyword.Type, "2x": Number,
        "?x": Number, "f8E4M3FN": Keyword.Type, "// note": Comment.Single, "%0:2": Name.Variable,
        '"stablehlo.add"': String, "dense": Keyword.Constant, "1.5": Number.Float,
        "-0x7F": Number.Hex, "!stablehlo.token": Name.Decorator, "abs": Name.Builtin,
        "arith": Name.Namespace,
    }  # fmt: skip
    assert {part: got.get(part) for part in expected} == expected


def test_kinds_of_hlo() -> None:
    text = (
        "HloModule m, is_scheduled=true\n\n"
        "ENTRY %main.3 (p: f32[2,3]) -> f32[2,3] { /* a\n comment */\n"
        "  %p = f32[2,3]{1,0} parameter(0)\n"
        '  ROOT %c.1 = f8e4m3fn[2]{0} custom-call(%p), custom_call_target="f",'
        " dim_labels=b01f_01io->b01f\n}\n"
    )
    got = kinds("hlo", text)
    expected = {
        "HloModule": Keyword, "m": Name.Namespace, "is_scheduled": Name.Attribute,
        "true": Keyword.Constant, "ENTRY": Keyword, "%main.3": Name.Variable,
        "f32": Keyword.Type, "parameter": Name.Builtin, "f8e4m3fn": Keyword.Type,
        "custom-call": Name.Builtin, '"f"': String,
    }  # fmt: skip
    assert {part: got.get(part) for part in expected} == expected
    comment = "".join(
        part for kind, part in HloLexer().get_tokens(text) if kind is Comment.Multiline
    )
    assert comment == "/* a\n comment */"


def test_entry_points_lead_to_the_lexers() -> None:
    """And their names are free: Pygments prefers its own lexers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    entries = project["entry-points"]["pygments.lexers"]
    for name, entry in entries.items():
        module, _, attribute = entry.partition(":")
        lexer = getattr(import_module(module), attribute)
        assert name in lexer.aliases
        assert lexer in LEXERS.values()
    taken = {alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}
    assert not taken & {alias for lexer in LEXERS.values() for alias in lexer.aliases}


def test_lexers_load_nothing_else() -> None:
    for name in ("mlir", "hlo"):
        source = (ROOT / f"src/stablemate/lexers/{name}.py").read_text()
        assert set(re.findall(r"^(?:from|import) (\w+)", source, re.MULTILINE)) == {
            "__future__", "typing", "pygments",
        }  # fmt: skip
