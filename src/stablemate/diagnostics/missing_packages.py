"""What needs a package that may have been removed, and how it is installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NEEDS: Final[Mapping[str, str]] = {
    "llvmlite": "native code needs llvmlite: pip install llvmlite",
    "scipy": "Fourier transforms and linear algebra need SciPy: pip install scipy",
}


def missing_package(error: BaseException) -> str:
    """What needs the package whose import failed; empty if it is another error."""
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return ""
    return NEEDS.get(error.name.partition(".")[0], "")
