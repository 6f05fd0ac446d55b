"""Names that HLO text can hold.

Source: XLA, ``NameUniquer::GetSanitizedName``.
"""

from __future__ import annotations

import re
from typing import Final

from stablemate.xla.primitive_types import PRIMITIVE_TYPES

NAMELESS: Final = "module"  # text cannot leave the name of a module out
INVALID: Final = re.compile(r"[^A-Za-z0-9_.-]")
RESERVED: Final = "__"  # names of XLA's own begin so
OWN: Final = "__xla_"


def sanitize(name: str) -> str:
    """A valid name in HLO text that is no type, as XLA sanitizes names."""
    if name.isidentifier() and name.isascii() and name not in PRIMITIVE_TYPES and name[0] != "_":
        return name
    letters = name.encode("utf-8", "surrogateescape").decode("latin-1")
    name_ = INVALID.sub("_", letters)
    if name_ and not (name_[0].isalpha() or name_[0] == "_"):
        name_ = f"_{name_[1:]}"
    if name_ in PRIMITIVE_TYPES and name_ != "tuple":
        name_ = f"{name_}_"
    if name_.startswith(RESERVED) and not name_.startswith(OWN):
        name_ = f"a{name_[1:]}"
    return name_
