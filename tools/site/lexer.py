"""Colours for MLIR, which Pygments does not know."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

WORDS = r"(dense|dense_resource|array|opaque|unit|true|false|loc|unknown|callsite|at|fused)\b"
TYPES = (
    r"(tensor|memref|tuple|complex|index|none|token|vector"
    r"|(?:u|s)?i[0-9]+|bf16|tf32|f[0-9]+(?:E[0-9]+M[0-9]+[A-Z0-9]*)?)\b"
)


class MlirLexer(RegexLexer):
    """The text of MLIR, pretty and generic."""

    name = "MLIR"
    aliases: ClassVar = ["mlir"]
    filenames: ClassVar = ["*.mlir"]
    url = "https://mlir.llvm.org/docs/LangRef"
    version_added = ""
    tokens: ClassVar = {
        "root": [
            (r"\s+", Whitespace),
            (r"//.*", Comment.Single),
            (r'"(?:[^"\\]|\\.)*"', String),
            (r"[%][\w$.#:-]*[\w]", Name.Variable),
            (r"@[\w$.-]+", Name.Function),
            (r"\^[\w$.-]+", Name.Label),
            (r"[#!][\w$.-]+", Name.Decorator),
            (r"-?(0x[0-9A-Fa-f]+|[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?)", Number),
            (TYPES, Keyword.Type),
            (r"((?:\?|[0-9]+)x)(?=[\w?!*])", Number),
            (r"-?[0-9]+", Number),
            (WORDS, Keyword.Constant),
            (r"([a-z_][\w$]*)(\.)([\w$.-]+)", bygroups(Name.Namespace, Punctuation, Name.Builtin)),
            (r"(module|return|call|applies|across|init|dims|dim|do|cond)\b", Keyword),
            (r"[A-Za-z_][\w$]*", Name),
            (r"->|[=:*?+-]", Operator),
            (r".", Punctuation),
        ]
    }
