"""Completion of operations, attributes, types, values and functions."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from lsprotocol import types

from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.definition import definition_of
from stablemate.lsp.attributes import attributes_after
from stablemate.lsp.documents import Document, Snapshot
from stablemate.lsp.tokens import Language
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.primitive_types import NAMES_IN_TEXT

Kind = types.CompletionItemKind
IN_NAMES = string.ascii_letters + string.digits + "_.$-"
SIZED = re.compile(r"(?:(?:[0-9]+|\?)x)+((?:[A-Za-z_]\w*)?)\Z")
ELEMENTS = [
    "i1",
    "i2",
    "i4",
    "i8",
    "i16",
    "i32",
    "i64",
    "ui2",
    "ui4",
    "ui8",
    "ui16",
    "ui32",
    "ui64",
    "bf16",
    "f16",
    "f32",
    "f64",
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",
    "f8E3M4",
    "f8E4M3",
    "f8E4M3FN",
    "f8E4M3FNUZ",
    "f8E4M3B11FNUZ",
    "f8E5M2",
    "f8E5M2FNUZ",
    "f8E8M0FNU",
]
TYPES = ("tensor<", "tuple<", "complex<f32>", "complex<f64>", "index", "!stablehlo.token")
DIALECTS = ("stablehlo", "chlo", "func", "check", "sdy", "shape", "tensor", "arith")


def completion(document: Document, position: types.Position) -> types.CompletionList:
    """Lists the completions at a position."""
    snapshot = document.snapshot
    offset = snapshot.positions.offset(position)
    start = snapshot.text.rfind("\n", 0, offset) + 1
    before = snapshot.text[start:offset]
    word = last_word(before, snapshot.language)
    head = before[: len(before) - len(word)]
    place = snapshot.positions.range(offset - len(word), offset)
    propose = mlir_items if snapshot.language == "mlir" else hlo_items
    items = [
        types.CompletionItem(
            label=label,
            kind=kind,
            detail=detail or None,
            filter_text=label,
            text_edit=types.TextEdit(place, label),
        )
        for label, kind, detail in propose(snapshot, head, word)
        if label.startswith(word) or word in label
    ]
    return types.CompletionList(is_incomplete=False, items=items)


def last_word(before: str, language: Language) -> str:
    """The name that a line ends with, or the element type after sizes; a line may be a megabyte."""
    opened = before.rfind("<") + 1
    if language == "mlir" and opened and (sized := SIZED.match(before, opened)):
        return sized[1]
    start = len(before.rstrip(IN_NAMES))
    return before[start - 1 :] if before[:start].endswith(("%", "@", "!", "#")) else before[start:]


def mlir_items(snapshot: Snapshot, head: str, word: str) -> Iterator[tuple[str, Kind, str]]:
    """Proposes names that may follow ``head`` in MLIR text."""
    if word[:1] in ("%", "@", "#", "!") and word:
        yield from names_with_sigil(snapshot, word[0])
        if not word.startswith("!"):
            return
    stripped = head.rstrip()
    if stripped.endswith((":", "->", "<", "x")) or ("<" in head and word):
        yield from ((name, Kind.TypeParameter, "type") for name in (*TYPES, *ELEMENTS))
    if not stripped or stripped.endswith(("=", '"')):
        dialect = word.partition(".")[0]
        dialects = (dialect,) if dialect in DIALECTS else DIALECTS
        for name in OPERATIONS:
            if name.partition(".")[0] in dialects:
                yield name, Kind.Function, definition_of(OPERATIONS[name]).summary
    else:
        for name, text in (attributes_after("mlir", head) or {}).items():
            yield name, Kind.Property, text


def names_with_sigil(snapshot: Snapshot, sigil: str) -> Iterator[tuple[str, Kind, str]]:
    """The names of a text that begin with a character."""
    kinds = {"%": Kind.Variable, "@": Kind.Function}
    for symbol in snapshot.names.symbols:
        if symbol.name.startswith(sigil) and symbol.definitions:
            yield symbol.name, kinds.get(sigil, Kind.Constant), symbol.container


def hlo_items(snapshot: Snapshot, head: str, word: str) -> Iterator[tuple[str, Kind, str]]:
    """Proposes names that may follow ``head`` in HLO text."""
    if word.startswith("%"):
        for symbol in snapshot.names.symbols:
            yield f"%{symbol.name}", Kind.Variable, symbol.container
        return
    opened = head.rfind("(") > head.rfind(")")
    if "=" in head and not opened:
        attributes = attributes_after("hlo", head)
        for name, text in (attributes or {}).items():
            yield f"{name}=", Kind.Property, text
        if not attributes:
            yield from ((name, Kind.Function, "opcode") for name in OPCODES)
    elif opened:
        for symbol in snapshot.names.visible("value"):
            yield symbol.name, Kind.Variable, symbol.container
    yield from ((name, Kind.TypeParameter, "type") for name in sorted(NAMES_IN_TEXT))
