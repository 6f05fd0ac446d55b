"""The container that ``jax.export.Exported.serialize`` writes: a program and how JAX calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.formats.jax_export.calling import ExportedExecutable as ExportedExecutable
    from stablemate.formats.jax_export.calling import signature_of as signature_of
    from stablemate.formats.jax_export.exported import Exported as Exported
    from stablemate.formats.jax_export.reader import is_exported as is_exported
    from stablemate.formats.jax_export.reader import read_exported as read_exported
    from stablemate.formats.jax_export.writer import write_exported as write_exported

__getattr__ = names_on_demand(
    __name__,
    {
        "Exported": "exported",
        "ExportedExecutable": "calling",
        "is_exported": "reader",
        "read_exported": "reader",
        "signature_of": "calling",
        "write_exported": "writer",
    },
)
