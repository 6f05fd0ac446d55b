"""The targets of custom calls that become library calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.execution.custom_calls.lapack import COMPLEX_NAMES, PREFIXES, ROUTINES


def target_names() -> dict[str, tuple[str, str]]:
    """The routine and LAPACK's letter of each target."""
    names: dict[str, tuple[str, str]] = {}
    for letter, dtype in PREFIXES.items():
        for routine in ROUTINES:
            of_complex = COMPLEX_NAMES.get(routine, routine)
            name = of_complex if dtype.kind == "c" else routine
            names[f"lapack_{letter}{name}_ffi"] = routine, letter
        names[f"blas_{letter}trsm_ffi"] = "trsm", letter
    return names


TARGETS: Final[Mapping[str, tuple[str, str]]] = target_names()
