"""Frontend attributes: what frameworks note on operations, for passes and runtimes.

Source: XLA, ``FrontendAttributes``; MHLO dialect, ``mhlo.frontend_attributes``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.ir.attributes import DictionaryAttribute, StringAttribute
from stablemate.ir.types import Attribute

FRONTEND_ATTRIBUTES: Final = "mhlo.frontend_attributes"
NOTHING: Final[Mapping[str, Attribute]] = {}


def frontend_attributes(attributes: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
    """The entries of the dictionary of frontend attributes among discardable attributes."""
    entry = attributes.get(FRONTEND_ATTRIBUTES)
    return entry.entries if isinstance(entry, DictionaryAttribute) else NOTHING


def frontend_text(attributes: Mapping[str, Attribute], name: str) -> str | None:
    """The text of a frontend attribute; None if there is none, or it is no text."""
    entry = frontend_attributes(attributes).get(name)
    return entry.value if isinstance(entry, StringAttribute) else None


def frontend_texts(attributes: Mapping[str, Attribute]) -> dict[str, str]:
    """The frontend attributes that are texts, sorted by name."""
    return {
        name: entry.value
        for name, entry in sorted(frontend_attributes(attributes).items())
        if isinstance(entry, StringAttribute)
    }


def with_frontend_attributes(
    attributes: Mapping[str, Attribute], added: Mapping[str, Attribute]
) -> DictionaryAttribute:
    """The dictionary of frontend attributes with further ones, which replace those of a name."""
    return DictionaryAttribute({**frontend_attributes(attributes), **added})
