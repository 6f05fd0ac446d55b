"""After any edit, the program has the diagnostics that ``stablemate check`` reports."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

import stablemate as sm
from stablemate.diagnostics.diagnostic import Diagnostic

pytest.importorskip("pygls")

from lsprotocol import types

from stablemate.lsp.actions.code_actions import code_actions
from stablemate.lsp.code_lens import code_lenses
from stablemate.lsp.completion import completion
from stablemate.lsp.diagnostics import diagnostics_of
from stablemate.lsp.documents import Document
from stablemate.lsp.folding import folding_ranges
from stablemate.lsp.formatting import format_text, indent_lines
from stablemate.lsp.hover import hover
from stablemate.lsp.inlay_hints import inlay_hints
from stablemate.lsp.navigation import definition, highlights, references
from stablemate.lsp.outline import outline
from stablemate.lsp.programs.mlir_program import MlirProgram
from stablemate.lsp.rename import prepare
from stablemate.lsp.semantic_tokens import semantic_tokens
from stablemate.lsp.tokens import Language, tokens_of

ROOT: Final = Path(__file__).parents[2]
FILES: Final = (*sorted((ROOT / "tests/ops").glob("*.mlir")), ROOT / "examples/mlp.mlir")
WORDS: Final = re.compile(r"[0-9]+|f32|f64|i32|i64|%\w+")
INSERTED: Final = ("", "x", "1", "%", "{", "}", ")", ",", '"', " ")
HLO: Final = """\
HloModule m, entry_computation_layout={(f32[2]{0})->f32[2]{0}}

%double (p: f32[2]) -> f32[2] {
  %p = f32[2]{0} parameter(0)
  ROOT %s = f32[2]{0} add(f32[2]{0} %p, f32[2]{0} %p)
}

ENTRY %main (x: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  %c = f32[2]{0} constant({1, 2})
  %y = f32[2]{0} call(%x), to_apply=%double
  ROOT %z = f32[2]{0} multiply(%c, %y)
}
"""


def facts(diagnostics: Any) -> list[str]:
    """What diagnostics say, in an order that does not depend on who found them first."""

    def fact(diagnostic: Diagnostic) -> str:
        return str(
            (
                diagnostic.message,
                diagnostic.rule,
                diagnostic.span and (diagnostic.span.start, diagnostic.span.end),
            )
        )

    return sorted(map(fact, diagnostics))


def checked(text: str) -> tuple[list[str], bool]:
    """What ``check`` reports, and whether that is an error of the text that ends the reading."""
    try:
        module = sm.parse(text, format="mlir")
    except sm.StablemateError as error:
        return facts(error.diagnostics), True
    return facts(module.diagnostics()), False


def uses_undefined_value(diagnostics: Any) -> bool:
    """Whether one of the diagnostics is about a value without a definition."""
    return any(diagnostic.message.startswith("no value is called") for diagnostic in diagnostics)


def edited(text: str, rng: random.Random) -> str:
    """The text with a random edit: characters, lines, or words in the place of others."""
    lines = text.split("\n")
    match rng.randrange(4):
        case 0:
            start = rng.randrange(len(text))
            return text[:start] + rng.choice(INSERTED) + text[start + rng.randrange(6) :]
        case 1:
            del lines[rng.randrange(len(lines))]
        case 2:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
        case _:
            words = list(WORDS.finditer(text))
            if words:
                old, new = rng.choice(words), rng.choice(words)
                return text[: old.start()] + new[0] + text[old.end() :]
    return "\n".join(lines)


SEEDS: Final = [*range(20), *(pytest.param(i, marks=pytest.mark.standard) for i in range(20, 200))]


@pytest.mark.parametrize("seed", SEEDS)
def test_edits_give_the_diagnostics_of_check(seed: int) -> None:
    rng = random.Random(seed)
    text = rng.choice(rng.choice(FILES).read_text().split("// -----"))
    program = MlirProgram(text)
    for _ in range(6):
        new = edited(text, rng)
        if not new.strip():
            continue
        program.update(new)
        expected, is_fatal = checked(new)
        reported = facts(program.diagnostics())
        if uses_undefined_value(program.diagnostics()):  # check reports these last
            assert expected != []
        elif not is_fatal:
            assert expected == reported
        else:
            assert set(expected) <= set(reported)
        text = new if rng.random() < 0.5 else text
        program.update(text)


def test_an_attribute_that_the_parser_refuses_comes_before_the_rules_of_operands() -> None:
    text = """func.func @main(%a: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%a, %a) <{outfeed_config}>
    : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  return
}
"""
    expected, is_fatal = checked(text)
    assert [fact for fact in expected if "stablehlo.outfeed I3" in fact] == expected != []
    assert (facts(MlirProgram(text).diagnostics()), is_fatal) == (expected, False)


def test_an_error_whose_statement_ends_before_another_one_is_reported() -> None:
    """Neither `%%a` nor the end of the statement, which is before it, can be read."""
    text = """func.func @main(%t: !shape.witness) {
  shape.assuming %t {
  %%a = arith.constant 1 : i64
  return
}
"""
    expected, is_fatal = checked(text)
    assert is_fatal
    assert facts(MlirProgram(text).diagnostics()) == expected


def test_a_wrong_attribute_is_reported_where_the_text_is_broken_after_it() -> None:
    composite = '"stablehlo.composite"() <{decomposition = "f", name = "a.b"}> : () -> ()'
    for text in (
        f"{composite}\n  return\n",
        f"func.func @main() {{\n  {composite}\n  return\n}}\n}}",
        f'func.func @main() {{\n  "a.b"() ({{\n    {composite}\n    x\n  }}) : () -> ()\n}}',
    ):
        expected, is_fatal = checked(text)
        assert is_fatal
        assert expected[0] in facts(MlirProgram(text).diagnostics())


def test_a_nested_function_is_reported_once_after_its_text_was_whole() -> None:
    inner = """func.func @main(%a: tensor<2xi8>, %b: tensor<2xi16>) {
  %0 = stablehlo.shift_right_arithmetic %a, %b : (tensor<2xi8>, tensor<2xi16>) -> tensor<2xi8>
  return
}
"""
    program = MlirProgram(f"func.func @f() {{\n{inner}")
    text = f"func.func @f() {{\n{inner}}}\n"
    program.update(text)
    assert facts(program.diagnostics()) == checked(text)[0]


def test_tokens_of_mhlo_are_tokens_after_every_edit() -> None:
    text = """func.func @main(%a: tensor<4xf32>, %t: !mhlo.token) {
  %0 = "mhlo.add_dependency"(%a, %t) : (tensor<4xf32>, !mhlo.token) -> tensor<4xf32>
  return
}
"""
    program = MlirProgram(text)
    assert not facts(program.diagnostics())
    program.update(text.replace("return", "%1 = mhlo.copy %0 : tensor<4xf32>\n  return"))
    assert not facts(program.diagnostics())
    program.update(text.replace("return", "%"))
    assert len(facts(program.diagnostics())) == 1


def answers(document: Document, place: types.Position) -> None:
    """Asks for everything at a place."""
    whole = document.snapshot.positions.whole()
    diagnostics_of(document)
    hover(document, place)
    definition(document, place)
    references(document, place, declaration=True)
    highlights(document, place)
    outline(document)
    folding_ranges(document.snapshot)
    indent_lines(document.snapshot, 0, 10**6)
    completion(document, place)
    inlay_hints(document, whole)
    code_actions(document, types.Range(place, place))
    prepare(document, place)
    semantic_tokens(document.snapshot)
    code_lenses(document)


def broken_texts(text: str, language: Language) -> Iterator[tuple[str, int]]:
    """The text up to each token, and without each token."""
    for token in tokens_of(text, language):
        yield text[: token.end], token.end
        yield text[: token.start] + text[token.end :], token.start


def pieces(text: str, lines: int | None) -> list[str]:
    """The text in pieces of so many lines: the time of a text is quadratic in its length."""
    every = text.splitlines(keepends=True)
    size = lines or len(every)
    return ["".join(every[i : i + size]) for i in range(0, len(every), size)]


def text_of(name: str) -> str:
    """A program; an MLIR file of which the HLO is wanted is translated."""
    if name == "hlo":
        return HLO
    path = ROOT / name
    if path.suffix == ".hlo" and not path.exists():
        return sm.load(path.with_suffix(".mlir")).to_hlo().to_text()
    return path.read_text()


SLOW: Final = pytest.mark.nightly
FULL: Final = pytest.mark.standard
BROKEN: Final = [
    pytest.param("examples/mlp.mlir", 151, None, marks=FULL),
    pytest.param("examples/gpt_step.mlir", 1511, None, marks=FULL),
    pytest.param("hlo", 11, None, marks=FULL),
    pytest.param("examples/mlp.mlir", 1, None, marks=SLOW),
    pytest.param("examples/gpt_step.mlir", 1, 20, marks=SLOW),
    pytest.param("hlo", 1, None, marks=SLOW),
    pytest.param("tests/programs/mlp_b1.hlo", 1, None, marks=SLOW),
    pytest.param("tests/programs/smallwhile.mlir", 1, None, marks=SLOW),
    pytest.param("tests/programs/smallwhile.hlo", 1, None, marks=SLOW),
    pytest.param("tests/programs/gnn.mlir", 1, None, marks=SLOW),
    pytest.param("tests/programs/sort.hlo", 1, None, marks=SLOW),
    pytest.param("tests/formats/hlo/proto/every_opcode.hlo", 1, 20, marks=SLOW),
]


@pytest.mark.parametrize(("name", "step", "lines"), BROKEN)
def test_every_feature_answers_when_the_text_is_broken_at_any_token(
    name: str, step: int, lines: int | None
) -> None:
    text = text_of(name)
    document = Document(f"file:///a.{name.rpartition('.')[2]}", text)
    language = document.snapshot.language
    expected = diagnostics_of(document)
    assert not expected or name.endswith("every_opcode.hlo")  # its types do not all agree
    for piece in pieces(text, lines):
        for broken, offset in islice(broken_texts(piece, language), 0, None, step):
            document.change(broken)
            answers(document, document.snapshot.positions.position(offset))
            if broken.strip():
                format_text(document.snapshot)
    document.change(text)
    assert diagnostics_of(document) == expected


def test_positions_count_utf16() -> None:
    document = Document("file:///a.mlir", "// \U0001f600 x\n")
    positions = document.snapshot.positions
    assert positions.position(5) == types.Position(0, 6)
    assert positions.offset(types.Position(0, 6)) == 5
    assert positions.offset(types.Position(9, 9)) == 7


def program_of(lines: int) -> str:
    """A function of so many lines."""
    body = [f"  %{i + 1} = stablehlo.add %{i}, %0 : tensor<8x128xf32>" for i in range(lines - 4)]
    return "\n".join(
        [
            "func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {",
            "  %0 = stablehlo.abs %x : tensor<8x128xf32>",
            *body,
            f"  return %{lines - 4} : tensor<8x128xf32>",
            "}",
        ]
    )


@pytest.mark.standard
def test_an_edit_costs_what_it_changes() -> None:
    """Far from a measurement: an edit takes less than a fifth of reading the text."""
    text = program_of(2000)
    start = time.perf_counter()
    program = MlirProgram(text)
    whole = time.perf_counter() - start
    shortest = whole
    for i in range(5):
        word = f"%{900 + i} = stablehlo.add"
        text = text.replace(word, word.replace("add", "subtract"))
        start = time.perf_counter()
        program.update(text)
        shortest = min(shortest, time.perf_counter() - start)
        assert list(program.diagnostics()) == []
    assert shortest < whole / 5
