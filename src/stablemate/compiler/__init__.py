"""The compiler: whole programs to native code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.compiler.native import native_or_interpreted as native_or_interpreted
    from stablemate.compiler.specialised import Specialised as Specialised

__getattr__ = names_on_demand(
    __name__,
    {
        "Specialised": "specialised",
        "native_or_interpreted": "native",
    },
)
