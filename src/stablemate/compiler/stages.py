"""The stages of the compiler, imported when they are needed: a program from the cache has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.compiler.executable import Texts as Texts
    from stablemate.compiler.executable import graphed as graphed
    from stablemate.compiler.executable import plan_of as plan_of
    from stablemate.compiler.executable import texts_of as texts_of
    from stablemate.compiler.fusion import kept_values as kept_values
    from stablemate.compiler.fusion import kind_of as kind_of
    from stablemate.compiler.nest.printer import printed as printed

__getattr__ = names_on_demand(
    __name__,
    {
        "Texts": "executable",
        "graphed": "executable",
        "kept_values": "fusion",
        "kind_of": "fusion",
        "plan_of": "executable",
        "printed": "nest.printer",
        "texts_of": "executable",
    },
    package="stablemate.compiler",
)
