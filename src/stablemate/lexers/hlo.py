"""Colors for the text of HLO, which Pygments does not have.

Source: XLA's documentation, "HLO syntax"; the tokens of its parser.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

NAME: Final = r"[A-Za-z_][\w.-]*"
TYPES: Final = (
    r"(?:pred|token|opaque|opaque_type|bf16|[su][0-9]+|f[0-9]+(?:e[0-9]+m[0-9]+\w*)?|c64|c128)"
)
CONSTANTS: Final = r"(?:true|false|inf|nan|maximal|replicated|manual|devices)\b(?![.-])"


class HloLexer(RegexLexer):
    """The text of HLO, as XLA prints and dumps it."""

    name = "XLA HLO"
    aliases: ClassVar[list[str]] = ["hlo", "xla-hlo"]
    filenames: ClassVar[list[str]] = ["*.hlo"]
    url = "https://openxla.org/xla/operation_semantics"
    version_added = ""
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"\A%%\w+.*", Comment.Preproc),  # the magic of a notebook's cell
            (r"//.*", Comment.Single),
            (r"/\*", Comment.Multiline, "comment"),
            (r'"(?:[^"\\]|\\.)*"', String),
            (r"'(?:[^'\\]|\\.)*'", String),
            (r"(HloModule)(\s+)([\w.%-]+)", bygroups(Keyword, Whitespace, Name.Namespace)),
            (r"(?:ENTRY|ROOT)\b", Keyword),
            (rf"%{NAME}|%[0-9]+", Name.Variable),
            (rf"{TYPES}(?=\[)|(?:token|opaque)\b(?=\[)", Keyword.Type),
            (rf"({NAME})(=)", bygroups(Name.Attribute, Operator)),
            (rf"{NAME}(?=\s*=)", Name.Variable),
            (rf"{NAME}(?=\()", Name.Builtin),
            (CONSTANTS, Keyword.Constant),
            (NAME, Name),
            (r"-?0x[0-9A-Fa-f.]+(?:p[-+]?[0-9]+)?", Number.Hex),
            # dim_labels (b01f_01io->b01f), window sizes (3x3), sizes of tiles
            (r"[0-9]+(?:x[0-9_]+|[a-z?_][\w?]*)+", Number),
            (r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|-?[0-9]+[eE][-+]?[0-9]+", Number.Float),
            (r"-?[0-9]+", Number.Integer),
            (r"->|<=|=>|[=:*?+|-]", Operator),
            (r"[()\[\]{}<>,;.@#]", Punctuation),
        ],
        "comment": [
            (r"[^*]+", Comment.Multiline),
            (r"\*/", Comment.Multiline, "#pop"),
            (r"\*", Comment.Multiline),
        ],
    }
