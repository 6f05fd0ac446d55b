"""Runs the tests of PyTorch's front end with several versions of PyTorch.

    python -m tools.torch_versions                        # every minor version that is supported
    python -m tools.torch_versions 2.6 2.15 --folder /tmp/versions --keep
    python -m tools.torch_versions --table docs/torch.md  # writes the table of this page
    python -m tools.torch_versions 2.9 --table docs/torch.md  # replaces one of its rows

Each version is installed in a virtual environment of its own, a few GB while it lasts, with the
newest patch that the package index has. The exit code is 1 if a test fails.
"""

from __future__ import annotations

import sys
from typing import Final

from tools.library_versions import Library

PYTORCH: Final = Library(
    "PyTorch",
    "torch",
    minors=tuple(f"2.{minor}" for minor in range(6, 16)),
    parts={
        "`torch.compile`": ("tests/bridges/test_torch_compile.py",),
        "`from_torch`, `.pt2`": (
            "tests/bridges/test_torch.py",
            "tests/frontends/torch/test_importer.py",
        ),
        "operators": ("tests/frontends/torch/test_operators.py",),
    },
    requirements=("torch=={}.*",),
    extras="test-torch",
)


if __name__ == "__main__":
    sys.exit(PYTORCH.main(__doc__))
