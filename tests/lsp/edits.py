"""Random edits of programs, as people and tools make them, and what a client is served of a text.

``python -m tests.lsp.edits --edits 5000 --seed 1 [--language hlo]`` compares after many edits.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from lsprotocol import types

import stablemate as sm
from stablemate.lsp.diagnostics import diagnostics_of
from stablemate.lsp.documents import Document
from stablemate.lsp.hover import hover
from stablemate.lsp.inlay_hints import inlay_hints
from stablemate.lsp.outline import outline
from stablemate.lsp.semantic_tokens import semantic_tokens

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = (
    *sorted((ROOT / "tests/ops").glob("*.mlir")),
    *sorted((ROOT / "examples").glob("*.mlir")),
    *(ROOT / f"tests/programs/{name}.mlir" for name in ("mlp_b1", "lstm", "smallwhile")),
)
LONGEST: Final = 12_000  # characters of an example
PIECES: Final = (
    *("", " ", "x", "1", "%", "{", "}", "(", ")", "[", "]", "<", ">", ",", ":", "=", '"', '\\"'),
    *("//", "// }\n", "/*", "*/", "\n", "\r\n", "\t", "#loc", "!t", "@f", "^bb0:", "->", "ROOT "),
    *("é", "\U0001f600", "\u2028", "%0", "return", "f32", "f64", "i32", "tensor<2xf32>", "loc(#l)"),
)  # fmt: skip
WORDS: Final = re.compile(r"%?\w+")
FUNCTIONS: Final = re.compile(r"^(?=func\.func\b|(?:ENTRY )?%?[\w.-]+ (?:\(.*)?\{$)", re.MULTILINE)
SIGNATURE: Final = re.compile(r"(?:tensor<[^>]*>|[a-z]+[0-9]+\[[^\]]*\])")
ALIASES: Final = """\
!t = tensor<2xf32>
#a = dense<1.0> : !t
module @m {
  func.func @main(%x: !t) -> !t {
    %0 = stablehlo.constant #a loc(#loc1)
    %1 = func.call @f(%x) : (!t) -> !t loc(#loc)
    %2:2 = "stablehlo.while"(%1, %0) ({
    ^bb0(%a: !t, %b: !t):
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: !t, %b: !t):
      stablehlo.return %b, %a : !t, !t
    }) : (!t, !t) -> (!t, !t)
    %3 = stablehlo.add %2#0, %2#1 : !t
    %s = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %d = stablehlo.dynamic_reshape %3, %s : (!t, tensor<2xi32>) -> tensor<1x2xf32>
    return %3 : !t
  }
  func.func private @f(%x: !t) -> !t {
    %0 = stablehlo.tanh %x : !t
    func.return %0 : !t
  }
  func.func @g(%c: i1, %x: !t) -> !t {
    cf.cond_br %c, ^a, ^b(%x : !t)
  ^a:
    %0 = stablehlo.negate %x : !t
    cf.br ^b(%0 : !t)
  ^b(%y: !t):
    return %y : !t
  }
}
#loc = loc("a.py":1:2)
#loc1 = loc(callsite(#loc at "b"))
"""


def example(rng: random.Random, language: str) -> str:
    """A text to begin with."""
    if language == "mlir" and rng.random() < 0.2:
        return ALIASES
    text = rng.choice(rng.choice(EXAMPLES).read_text().split("// -----"))
    if language == "mlir":
        return text[:LONGEST]
    try:
        return sm.parse(text, format="mlir").to_hlo().to_text()[:LONGEST]
    except sm.StablemateError:
        return example(rng, language)


def edited(text: str, rng: random.Random) -> str:
    """The text after an edit of a random kind."""
    return rng.choice(EDITS)(text or "\n", rng)


def insert_piece(text: str, rng: random.Random) -> str:
    """Some characters in the place of at most five."""
    start = rng.randrange(len(text))
    return text[:start] + rng.choice(PIECES) + text[start + rng.choice((0, 0, 1, 2, 5)) :]


def replace_word(text: str, rng: random.Random) -> str:
    """A word of the text in the place of another, once or everywhere."""
    words = list(WORDS.finditer(text))
    if len(words) < 2:
        return text
    old, new = rng.choice(words), rng.choice(words)
    if rng.random() < 0.2:
        return text.replace(old[0], new[0])
    return text[: old.start()] + new[0] + text[old.end() :]


def change_lines(text: str, rng: random.Random) -> str:
    """Lines removed, repeated, exchanged, indented or made a comment."""
    lines = text.split("\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            del lines[i : i + rng.choice((1, 1, 3))]
        case 1:
            lines.insert(i, lines[j])
        case 2:
            lines[i], lines[j] = lines[j], lines[i]
        case 3:
            lines[i] = " " * rng.randrange(9) + lines[i].lstrip()
        case _:
            lines[i] = f"// {lines[i]}"
    return "\n".join(lines)


def move_function(text: str, rng: random.Random) -> str:
    """A function removed, repeated or moved."""
    parts = FUNCTIONS.split(text)
    i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
    part = parts[i]
    if rng.random() < 0.7:
        del parts[i]
    if rng.random() < 0.7:
        parts.insert(j, part)
    return "".join(parts)


def change_bracket(text: str, rng: random.Random) -> str:
    """A bracket or a quote removed."""
    places = [match.start() for match in re.finditer(r'[][(){}<>"]', text)]
    if not places:
        return text
    place = rng.choice(places)
    return text[:place] + text[place + 1 :]


def change_type(text: str, rng: random.Random) -> str:
    """A type of the text in the place of another, in a signature more often than elsewhere."""
    places = list(SIGNATURE.finditer(text))
    heads = [place for place in places if "func" in text[text.rfind("\n", 0, place.start()) + 1 :
                                                         place.start()]]  # fmt: skip
    if not places:
        return text
    old, new = rng.choice(heads or places), rng.choice(places)
    return text[: old.start()] + new[0] + text[old.end() :]


def change_line_ends(text: str, rng: random.Random) -> str:
    """All line ends of the other kind."""
    return text.replace("\r\n", "\n") if "\r\n" in text else text.replace("\n", "\r\n")


EDITS: Final = (
    *(insert_piece, insert_piece, insert_piece, replace_word, replace_word, change_lines),
    *(change_lines, move_function, change_bracket, change_type, change_line_ends),
)


def served(document: Document, places: Sequence[types.Position]) -> dict[str, Any]:
    """What a client is served of a text."""
    return {
        "diagnostics": diagnostics_of(document),
        "outline": outline(document),
        "hints": inlay_hints(document, document.snapshot.positions.whole()),
        "tokens": semantic_tokens(document.snapshot),
        "hover": [hover(document, place) for place in places],
    }


def differences(seed: int, edits: int, language: str) -> Iterator[tuple[str, str]]:
    """Edits a text many times; yields what differs from a new document, and in which text.

    Between two edits, the document is read to its end, for a moment or not at all.
    """
    rng = random.Random(seed)
    uri = f"file:///a.{language}"
    first = text = example(rng, language)
    document = Document(uri, text)
    for number in range(edits):
        text = first if number % 12 == 11 else edited(text, rng)
        document.change(text)
        for _ in range(rng.choice((0, 0, 1, 3))):
            document.advance(0.0)
        if rng.random() < 0.2:
            continue
        fresh = Document(uri, text)
        offsets = [rng.randrange(len(text) + 1) for _ in range(4)]
        places = [fresh.snapshot.positions.position(offset) for offset in offsets]
        ours, theirs = served(document, places), served(fresh, places)
        yield from ((name, text) for name in ours if ours[name] != theirs[name])


def main(arguments: Sequence[str] | None = None) -> None:
    """Compares after many edits, 25 of each text, and prints the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--language", default="mlir")
    options: Any = parser.parse_args(arguments)
    for number in range(options.edits // 25):
        seed = options.seed * 1_000_000 + number
        for name, text in differences(seed, 25, options.language):
            raise SystemExit(f"seed {seed}: {name} differ for\n{text}")
    print(f"{options.edits} edits of {options.language}, seed {options.seed}: no difference")


if __name__ == "__main__":
    main()
