"""The stages of the compiler, imported on demand: a program from the disk cache needs none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.compiler.codegen.object_code import assemble as assemble
    from stablemate.compiler.library_calls.workspaces import workspace_size as workspace_size
    from stablemate.compiler.pipeline import Compilation as Compilation
    from stablemate.compiler.plan.access_violations import violation as violation
    from stablemate.compiler.sized_compilation import SizedCompilation as SizedCompilation

__getattr__ = names_on_demand(
    __name__,
    {
        "Compilation": "pipeline",
        "SizedCompilation": "sized_compilation",
        "assemble": "codegen.object_code",
        "violation": "plan.access_violations",
        "workspace_size": "library_calls.workspaces",
    },
    package="stablemate.compiler",
)
