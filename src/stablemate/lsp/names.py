"""Definitions and uses of names, found by tokens alone: this works while a text is broken.

Values belong to the block that defines them, arguments of regions to all regions of their
operation; functions, computations and aliases belong to the whole text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Final, Literal

from stablemate.deferred_dataclasses import dataclass
from stablemate.lsp.tokens import Language, Token, tokens_of

Kind = Literal["value", "function", "alias", "block"]
OPENING: Final = frozenset("([")
CLOSING: Final = frozenset(")]")
STATEMENT_WORDS: Final = frozenset({"return", "call", "module", "func"})
MARKS: Final = frozenset({"ENTRY", "ROOT"})
CALL_ATTRIBUTES: Final = frozenset(
    {"to_apply", "calls", "condition", "body", "select", "scatter", "branch_computations"}
    | {"true_computation", "false_computation", "called_computations"}
)


@dataclass(slots=True, eq=False)
class Symbol:
    """A name with all its places.

    Attributes:
        name: As the text spells it, with its ``%`` or ``@``.
        kind: What it names.
        definitions: Start and end of its definitions; more than one in wrong text.
        uses: Start and end of its uses.
        container: The function or computation that holds it; empty at the top.
    """

    name: str
    kind: Kind
    definitions: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    uses: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    container: str = ""

    @property
    def places(self) -> list[tuple[int, int]]:
        """All its places, in order."""
        return sorted([*self.definitions, *self.uses])


@dataclass(slots=True)
class OpenScope:
    """A block that is open.

    Attributes:
        names: The values defined in it.
        header: The arguments of the current statement's regions.
        labeled: Whether the current statement is the label of a block.
        brackets: How many brackets are open in it.
    """

    names: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    header: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    labeled: bool = False
    brackets: int = 0


class TextNames:
    """All names of a text.

    Attributes:
        symbols: In the order of their first place.
    """

    def __init__(self, text: str, language: Language) -> None:
        tokens = [token for token in tokens_of(text, language) if token.kind != "comment"]
        reader = MlirNames() if language == "mlir" else HloNames()
        reader.read(text, tokens)
        self.symbols = reader.symbols
        places = sorted(
            (start, end, i) for i, symbol in enumerate(self.symbols) for start, end in symbol.places
        )
        self.starts = [start for start, _, _ in places]
        self.places = places

    def at(self, offset: int) -> Symbol | None:
        """The symbol at an offset."""
        i = bisect_right(self.starts, offset) - 1
        if i < 0:
            return None
        _, end, number = self.places[i]
        return self.symbols[number] if offset <= end else None

    def visible(self, kind: Kind) -> Iterator[Symbol]:
        """The symbols of a kind that have a definition."""
        return (symbol for symbol in self.symbols if symbol.kind == kind and symbol.definitions)


class NameReader:
    """Collects symbols."""

    def __init__(self) -> None:
        self.symbols: list[Symbol] = []
        self.shared: dict[str, Symbol] = {}
        self.container = ""

    def new(self, name: str, kind: Kind) -> Symbol:
        """Adds a symbol for a name that is defined here."""
        symbol = Symbol(name, kind, container=self.container if kind == "value" else "")
        self.symbols.append(symbol)
        return symbol

    def common(self, name: str, kind: Kind) -> Symbol:
        """The symbol of a name that belongs to the whole text."""
        if name not in self.shared:
            self.shared[name] = self.new(name, kind)
        return self.shared[name]


class MlirNames(NameReader):
    """Names of MLIR text."""

    def read(self, text: str, tokens: Sequence[Token]) -> None:
        """Collects definitions and uses from all tokens, scope by scope."""
        self.frames = [OpenScope()]
        self.defined: dict[str, list[Symbol]] = {}  # in the open frames, the innermost one last
        self.list_end = 0  # of the list of names that was read last
        self.unresolved: dict[str, Symbol] = {}
        line_end = -1
        for i, token in enumerate(tokens):
            first = token.start > line_end
            if first:
                line_end = text.find("\n", token.start)
                line_end = len(text) if line_end < 0 else line_end
                if self.begins_statement(tokens, i):
                    self.frames[-1].header = {}
                    self.frames[-1].labeled = token.kind == "block"
            self.token(tokens, i)

    def begins_statement(self, tokens: Sequence[Token], i: int) -> bool:
        """Whether the first token of a line begins a statement."""
        token = tokens[i]
        if self.frames[-1].brackets:
            return False
        return token.kind in ("value", "operation", "string", "block") or (
            token.kind == "word" and token.text in STATEMENT_WORDS
        )

    def token(self, tokens: Sequence[Token], i: int) -> None:
        """Updates scopes and symbols for one token."""
        token, frame = tokens[i], self.frames[-1]
        match token.kind:
            case "punctuation":
                self.punctuation(token.text, frame)
            case "value":
                self.value(tokens, i, frame)
            case "symbol":
                self.function(tokens, i)
            case "alias":
                symbol = self.common(token.text, "alias")
                defines = next_token(tokens, i) == "=" and len(self.frames) == 1
                (symbol.definitions if defines else symbol.uses).append((token.start, token.end))
            case "block":
                symbol = self.common(f"{self.container}{token.text}", "block")
                symbol.name = token.text
                defines = not frame.brackets and next_token(tokens, i) in (":", "(")
                (symbol.definitions if defines else symbol.uses).append((token.start, token.end))
            case _:
                pass

    def punctuation(self, text: str, frame: OpenScope) -> None:
        """Opens and closes blocks and brackets."""
        if text == "{":
            inner = OpenScope()
            self.frames.append(inner)
            for name, symbol in frame.header.items():
                self.define(name, symbol, inner)
        elif text == "}" and len(self.frames) > 1:
            for name in self.frames.pop().names:
                self.defined[name].pop()
        elif text in OPENING:
            frame.brackets += 1
        elif text in CLOSING:
            frame.brackets = max(0, frame.brackets - 1)

    def value(self, tokens: Sequence[Token], i: int, frame: OpenScope) -> None:
        """A definition or a use of a value."""
        token = tokens[i]
        name = token.text.partition("#")[0]
        place = (token.start, token.start + len(name))
        if self.defines_result(tokens, i, frame):
            symbol = frame.names.get(name) or self.new(name, "value")
            self.define(name, symbol, frame)
            symbol.definitions.append(place)
        elif defines_argument(tokens, i, frame):
            symbol = self.new(name, "value")
            if frame.labeled:
                self.define(name, symbol, frame)
            else:
                frame.header[name] = symbol
            symbol.definitions.append(place)
        else:
            self.resolve(name).uses.append(place)

    def define(self, name: str, symbol: Symbol, frame: OpenScope) -> None:
        """Lets a name stand for a symbol in the rest of a frame, which is the innermost one."""
        symbols = self.defined.setdefault(name, [])
        if name in frame.names:
            symbols.pop()
        symbols.append(symbol)
        frame.names[name] = symbol

    def defines_result(self, tokens: Sequence[Token], i: int, frame: OpenScope) -> bool:
        """Whether a value is left of the ``=`` of a statement."""
        if frame.brackets:
            return False
        if i + 1 < len(tokens) and tokens[i + 1].kind in ("number", "value"):
            return False
        end = self.list_end
        if i >= end:  # else it is that of the list of names that was read before
            end = i + 1
            while end < len(tokens) and is_in_list(tokens[end]):
                end += 1
            self.list_end = end
        return end < len(tokens) and tokens[end].text == "=" and tokens[i - 1].text != "="

    def resolve(self, name: str) -> Symbol:
        """The symbol that a use refers to."""
        if symbols := self.defined.get(name):
            return symbols[-1]
        key = f"{self.container} {name}"
        if key not in self.unresolved:
            self.unresolved[key] = self.new(name, "value")
        return self.unresolved[key]

    def function(self, tokens: Sequence[Token], i: int) -> None:
        """A definition or a use of a function."""
        token = tokens[i]
        before = {tokens[j].text for j in range(max(0, i - 2), i)}
        symbol = self.common(token.text, "function")
        if before & {"func.func", "func", "module", "sdy.mesh"}:
            symbol.definitions.append((token.start, token.end))
            if "module" not in before:
                self.container = token.text
        else:
            symbol.uses.append((token.start, token.end))


def next_token(tokens: Sequence[Token], i: int) -> str:
    """The text of the next token."""
    return tokens[i + 1].text if i + 1 < len(tokens) else ""


def is_in_list(token: Token) -> bool:
    """Whether a token may follow a name in the list of results of a statement."""
    return token.text in (":", ",") or token.kind in ("number", "value")


def defines_argument(tokens: Sequence[Token], i: int, frame: OpenScope) -> bool:
    """Whether a value in brackets is an argument: ``(%a: T`` or ``(%a = %b``."""
    if not frame.brackets or tokens[i - 1].text not in ("(", ","):
        return False
    return next_token(tokens, i) == ":" or (
        next_token(tokens, i) == "=" and i + 2 < len(tokens) and tokens[i + 2].kind == "value"
    )


class HloNames(NameReader):
    """Names of HLO text."""

    def read(self, text: str, tokens: Sequence[Token]) -> None:
        """Reads all tokens: first the definitions, because computations may be marked bare."""
        self.locals: dict[str, dict[str, Symbol]] = {}
        self.firsts = first_of_lines(text, tokens)
        roles = list(self.roles(tokens))
        for i, role, container in roles:
            self.define(tokens[i], role, container)
        defining = {i for i, _, _ in roles}
        containers = {i: container for i, role, container in roles if role == "computation"}
        container = ""
        for i, token in enumerate(tokens):
            if i in containers:
                container = tokens[i].text.lstrip("%")
            if i not in defining and token.kind in ("value", "word"):
                self.use(tokens, i, container)

    def roles(self, tokens: Sequence[Token]) -> Iterator[tuple[int, str, str]]:
        """The tokens that define something, with what and where."""
        depth, container = 0, ""
        for i, token in enumerate(tokens):
            if token.text in ("{", "("):
                depth += 1
            elif token.text in ("}", ")"):
                depth = max(0, depth - 1)
            named = token.kind in ("value", "word", "operation")
            if not named:
                continue
            if depth == 0 and self.begins_computation(tokens, i):
                container = token.text.lstrip("%")
                yield i, "computation", container
            elif depth == 1 and next_token(tokens, i) == "=" and self.begins_line(tokens, i):
                yield i, "instruction", container

    def begins_computation(self, tokens: Sequence[Token], i: int) -> bool:
        """Whether a name at the top is that of a computation."""
        return self.begins_line(tokens, i) and next_token(tokens, i) in ("{", "(")

    def begins_line(self, tokens: Sequence[Token], i: int) -> bool:
        """Whether nothing, or ENTRY or ROOT, is left of a name."""
        return i in self.firsts or (i - 1 in self.firsts and tokens[i - 1].text in MARKS)

    def define(self, token: Token, role: str, container: str) -> None:
        """Adds the symbol that a definition introduces, in its computation's scope."""
        name = token.text.lstrip("%")
        self.container = container
        if role == "computation":
            symbol = self.common(name, "function")
        else:
            names = self.locals.setdefault(container, {})
            symbol = names[name] = names.get(name) or self.new(name, "value")
        symbol.definitions.append((token.end - len(name), token.end))

    def use(self, tokens: Sequence[Token], i: int, container: str) -> None:
        """Adds a use, if the token is the name of something."""
        token = tokens[i]
        name = token.text.lstrip("%")
        if next_token(tokens, i) == "=":
            return  # the name of an attribute
        place = (token.end - len(name), token.end)
        called = name in self.shared and calls_something(tokens, i)
        symbol = self.shared[name] if called else self.locals.get(container, {}).get(name)
        if symbol is None and token.kind == "value":
            symbol = self.shared.get(name)
        if symbol is not None:
            symbol.uses.append(place)


def first_of_lines(text: str, tokens: Sequence[Token]) -> frozenset[int]:
    """The numbers of the tokens that are the first of their lines."""
    ends = [-1, *(token.end for token in tokens)]
    return frozenset(
        i for i, token in enumerate(tokens) if i == 0 or "\n" in text[ends[i] : token.start]
    )


def calls_something(tokens: Sequence[Token], i: int) -> bool:
    """Whether a name is in the value of an attribute that names computations."""
    for j in range(i - 1, max(-1, i - 64), -1):
        if tokens[j].text == "=":
            return tokens[j - 1].text in CALL_ATTRIBUTES
        if tokens[j].text == "(":
            return False
    return False
