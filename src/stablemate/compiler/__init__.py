"""The compiler: whole programs to native code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.compiler.compile import native_or_interpreted as native_or_interpreted
    from stablemate.compiler.dynamic.shape_specialization import (
        SpecializingExecutable as SpecializingExecutable,
    )
    from stablemate.compiler.dynamic.specialized_functions import (
        SpecializedFunctions as SpecializedFunctions,
    )
    from stablemate.compiler.executable import CompiledExecutable as CompiledExecutable

__getattr__ = names_on_demand(
    __name__,
    {
        "CompiledExecutable": "executable",
        "SpecializingExecutable": "dynamic.shape_specialization",
        "SpecializedFunctions": "dynamic.specialized_functions",
        "native_or_interpreted": "compile",
    },
)
