"""Colors for the text of MLIR with StableHLO, which Pygments does not have.

Source: MLIR Language Reference, "High-Level Structure"; the grammar of tokens.
"""

from __future__ import annotations

from typing import ClassVar, Final

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

SUFFIX: Final = r"(?:[0-9]+|[A-Za-z$._-][\w$.-]*)"
CONSTANTS: Final = (
    r"(?:array|callsite|dense|dense_resource|false|fused|loc|opaque|sparse|true|unit|unknown)\b"
)
KEYWORDS: Final = (
    r"(?:across|applies|call|cond|dim|dims|do|else|func|init|module|private|public|reducer"
    r"|return|to|with)\b"
)
TYPES: Final = (
    r"(?:tensor|memref|tuple|complex|index|none|token|vector"
    r"|[su]?i[0-9]+|bf16|tf32|f[0-9]+(?:E[0-9]+M[0-9]+[A-Z0-9]*)?)\b"
)
# The sizes in ``tensor<2x?x3xf32>``, whose ``x`` no identifier has in this place.
SIZES: Final = r"((?:\?|[0-9]+)x)(?=[\w?!*#])"


class MlirLexer(RegexLexer):
    """The text of MLIR, pretty and generic."""

    name = "StableHLO (MLIR)"
    aliases: ClassVar[list[str]] = ["stablehlo", "mlir-stablehlo", "mlir"]
    filenames: ClassVar[list[str]] = ["*.mlir"]
    url = "https://mlir.llvm.org/docs/LangRef"
    version_added = ""
    tokens: ClassVar[dict[str, object]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"\A%%\w+.*", Comment.Preproc),  # the magic of a notebook's cell
            (r"//.*", Comment.Single),
            (r"(?:\{-#|#-\})", Punctuation),
            (r'@?"(?:[^"\\]|\\.)*"', String),
            (rf"%{SUFFIX}(?:[:#][0-9]+)?", Name.Variable),
            (rf"@{SUFFIX}", Name.Function),
            (rf"\^{SUFFIX}", Name.Label),
            (rf"[#!]{SUFFIX}", Name.Decorator),
            (SIZES, Number),
            (r"-?0x[0-9A-Fa-f]+", Number.Hex),
            (r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?", Number.Float),
            (r"-?[0-9]+", Number.Integer),
            (TYPES, Keyword.Type),
            (
                r"([A-Za-z_][\w$]*)(\.)([\w$.-]+)",
                bygroups(Name.Namespace, Punctuation, Name.Builtin),
            ),
            (CONSTANTS, Keyword.Constant),
            (KEYWORDS, Keyword),
            (r"[A-Za-z_][\w$]*", Name),
            (r"->|::|==|>=|<=|[=:*?+/|-]", Operator),
            (r"[()\[\]{}<>,;.]", Punctuation),
        ]
    }
