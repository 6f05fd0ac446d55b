"""The passes before compilation, imported when they are needed: most programs need none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.transforms.pipelines import fixed as fixed
    from stablemate.transforms.stablehlo_decompose import decomposed as decomposed

__getattr__ = names_on_demand(
    __name__,
    {"decomposed": "stablehlo_decompose", "fixed": "pipelines"},
    package="stablemate.transforms",
)
