"""Runs the tests of the JAX backend with several versions of JAX and jaxlib.

    python -m tools.jax_versions                      # every minor version that is supported
    python -m tools.jax_versions 0.6 0.10 --folder /tmp/versions --keep
    python -m tools.jax_versions --table docs/jax.md  # writes the table of this page
    python -m tools.jax_versions 0.9 --table docs/jax.md  # replaces one of its rows
    python -m tools.jax_versions 0.12 --python python3.12  # which JAX needs since 0.11

Each version is installed in a virtual environment of its own, about 1 GB while it lasts, with the
newest patch that the package index has. The exit code is 1 if a test fails.
"""

from __future__ import annotations

import sys
from typing import Final

from tools.library_versions import Library

NEWEST: Final = 12 if sys.version_info >= (3, 12) else 10  # that this Python can install

JAX: Final = Library(
    "JAX",
    "jax",
    minors=tuple(f"0.{minor}" for minor in range(6, NEWEST + 1)),
    parts={
        "programs": ("tests/pjrt/test_jax_programs.py",),
        "`sm.jit`, donation": ("tests/pjrt/test_jit.py", "tests/pjrt/test_donation.py"),
        "linear algebra": ("tests/pjrt/test_linear_algebra.py",),
        "processes": ("tests/pjrt/test_distributed.py",),
    },
    requirements=(
        *("jax=={}.*", "jaxlib=={}.*"),
        *("pytest>=8", "pytest-xdist", "hypothesis", "mpmath"),
    ),
    extras="lsp,mpi",
)


if __name__ == "__main__":
    sys.exit(JAX.main(__doc__))
