"""The function of jaxlib that imports arrays of DLPack is replaced where JAX passes ``copy``."""

from __future__ import annotations

from types import ModuleType

import pytest

from stablemate.bridges import jax_internals
from stablemate.pjrt.transfers import dlpack_import


@pytest.mark.parametrize(
    ("signature", "replaced"),
    [
        ("dlpack: typing_extensions.CapsuleType, device: jaxlib._jax.Device, stream: int", False),
        ("dlpack: CapsuleType, device: Device, stream: int | None, copy: bool | None = ...", True),
    ],
    ids=["0.7", "0.8"],
)
def test_function_without_copy_stays(
    monkeypatch: pytest.MonkeyPatch, signature: str, replaced: bool
) -> None:
    def original() -> None: ...

    original.__doc__ = f"{dlpack_import.FUNCTION}({signature})"
    library = ModuleType("extension")
    vars(library)[dlpack_import.FUNCTION] = original
    monkeypatch.setattr(jax_internals, "extension", lambda: library)
    dlpack_import.install()
    assert (vars(library)[dlpack_import.FUNCTION] is not original) == replaced
