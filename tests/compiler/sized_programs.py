"""Programs with dynamic sizes, compiled for symbolic sizes."""

from __future__ import annotations

import stablemate as sm
from stablemate.compiler.compile import LateVersions
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.size_versions import SizeVersions


def compiled(text: str, *, check: bool = False) -> tuple[SpecializingExecutable, SizeVersions]:
    """A program with dynamic sizes, and its versions."""
    executable = sm.compile(sm.load(text), backend="cpu", check=check)
    assert isinstance(executable, SpecializingExecutable)
    assert isinstance(executable.versions, LateVersions)
    return executable, executable.versions.versions
