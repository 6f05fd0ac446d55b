"""Looks at every link of a built site: what is ours is there, and nothing is loaded from others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

REFERENCE: Final = re.compile(r"<([a-z]+)\b[^>]*?\s(href|src)=\"([^\"]*)\"", re.IGNORECASE)
NAMED: Final = re.compile(r"\s(?:id|name)=\"([^\"]+)\"")
# What a browser fetches by itself, unlike what a reader clicks on.
LOADED: Final = ("script", "link", "img", "source", "iframe")


def problems_of(site: Path) -> Iterator[str]:
    """What is wrong with the links of a site."""
    for page in sorted(site.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        for tag, _, quoted in set(REFERENCE.findall(text)):
            problem = problem_of(page, tag.lower(), unescape(quoted))
            if problem:
                yield f"{page.relative_to(site)}: {quoted}: {problem}"


def problem_of(page: Path, tag: str, link: str) -> str:
    """What is wrong with a link; empty if nothing is."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        outside = tag in LOADED and parts.scheme != "data"
        return "loaded from a network" if outside else ""
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return "no such file"
    if (
        parts.fragment
        and target.suffix == ".html"
        and unquote(parts.fragment) not in places(target)
    ):
        return "no such place"
    return ""


@cache
def places(page: Path) -> frozenset[str]:
    """The places of a page that a link can name."""
    return frozenset(map(unescape, NAMED.findall(page.read_text(encoding="utf-8"))))
