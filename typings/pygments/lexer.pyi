"""Lexers by regular expressions."""

from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.token import TokenType

class RegexLexer:
    name: str
    aliases: ClassVar[list[str]]
    filenames: ClassVar[list[str]]
    url: str
    version_added: str
    tokens: ClassVar[dict[str, Any]]
    def get_tokens(self, text: str) -> Iterator[tuple[TokenType, str]]: ...

def bygroups(*kinds: TokenType) -> Any: ...
