"""Features that need an optional package, and how it is installed."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Final

NEEDS: Final[Mapping[str, str]] = {
    "llvmlite": "native code needs llvmlite: pip install llvmlite",
    "scipy": "Fourier transforms and linear algebra need SciPy: pip install scipy",
}


def missing_package(error: BaseException) -> str:
    """The feature that needs the package whose import failed; empty for other errors."""
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return ""
    return NEEDS.get(error.name.partition(".")[0], "")


@contextmanager
def optional_package() -> Generator[None]:
    """Around an import: if the package is not installed, the error says what needs it.

    Raises:
        ModuleNotFoundError: As raised by the import, with the command that installs the package.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if need := missing_package(error):
            raise ModuleNotFoundError(need, name=error.name) from None
        raise
