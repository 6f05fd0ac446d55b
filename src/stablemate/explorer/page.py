"""The page: one file with style, script and program, without network access.

Nothing of a program can become part of the page's markup or script. The program stands in a script
element of type JSON, in which no ``<`` is written as such; the page puts texts into elements as
texts; and the policy in its head names the digests of the one script and the one style that may be
used, and forbids everything else.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any, Final

# Modules before those that import them: the page holds them as one.
MODULES: Final = ("model", "colors", "layout", "lists", "canvas", "panels", "controls", "main")
IMPORT: Final = re.compile(r"^import .* from \"\./\w+\.js\";\n", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=class|function|const)", re.MULTILINE)
ESCAPES: Final = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


@cache
def asset(name: str) -> str:
    """A file of the page."""
    return files("stablemate.explorer").joinpath("assets", name).read_text("utf-8")


@cache
def script() -> str:
    """The modules of the page as one."""
    parts = [EXPORT.sub("", IMPORT.sub("", asset(f"{name}.js"))) for name in MODULES]
    return "\n".join(parts)


def page(document: dict[str, Any]) -> str:
    """The page that shows a program.

    Args:
        document: What ``document_of`` returned.
    """
    return html_page(document["title"], asset("page.css"), asset("page.html"), document, script())


def html_page(title: str, style: str, body: str, document: dict[str, object], code: str) -> str:
    """A page with style, script and data in it, which may load nothing.

    Args:
        title: Its title.
        style: Its style sheet.
        body: Its body element.
        document: Its data, as values of JSON; the script finds them in the element ``program``.
        code: Its script.
    """
    policy = (
        f"default-src 'none'; script-src '{digest(code)}'; style-src '{digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"
        f"{body.removesuffix('</body>' + chr(10))}"
        f'<script type="application/json" id="program">{embed_json(document)}</script>\n'
        f'<script type="module">{code}</script>\n</body>\n</html>\n'
    )


def embed_json(document: dict[str, object]) -> str:
    """JSON that is safe in a script element."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for letter, escaped in ESCAPES.items():
        text = text.replace(letter, escaped)
    return text


def digest(text: str) -> str:
    """The source of a script or a style in a content security policy."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
