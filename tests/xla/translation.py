"""What tests of the translation share: reading, translating, drawing arguments, running."""

from __future__ import annotations

from typing import Any

import numpy as np

from stablemate.api.module import Module
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.sharding.shardings import sharding_text
from stablemate.formats.mlir.parser import parse_attribute
from stablemate.ir import core
from stablemate.ir.verifier import verify
from stablemate.numerics.elements import Array
from stablemate.xla.module import HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.translate.to_stablehlo.metadata import Spelling
from stablemate.xla.translate.to_stablehlo.module import to_stablehlo

SPELLING = Spelling(sharding=sharding_text, attribute=parse_attribute)


def translated(source: str | HloModule, **options: Any) -> core.Module:
    """The module of StableHLO, which is valid."""
    module = read_text(source) if isinstance(source, str) else source
    to_stablehlo_result = to_stablehlo(module, spelling=SPELLING, **options)
    verify(to_stablehlo_result)
    return to_stablehlo_result


def leaves(module: HloModule) -> list[Shape]:
    """The shapes of the arguments that the translation takes."""
    parameters = module.entry_computation.parameters
    return [leaf for parameter in parameters for _, leaf in parameter.shape.leaves()]


def random_literal(shape: Shape, rng: np.random.Generator) -> Array:
    """An argument: floats around zero, small integers."""
    element, family, sizes = shape.element_type.element, shape.element_type.family, shape.dimensions
    assert element is not None
    if family == "pred":
        return rng.integers(0, 2, sizes).astype(bool)
    if family in ("signed", "unsigned"):
        return rng.integers(-9 if family == "signed" else 0, 9, sizes).astype(element.dtype)
    real = rng.standard_normal(sizes)
    if family == "complex":
        return (real + 1j * rng.standard_normal(sizes)).astype(element.dtype)
    return np.asarray(real).astype(element.dtype)


def arguments(module: HloModule, seed: int = 0) -> list[Array]:
    """Arguments of the entry, always the same ones."""
    rng = np.random.default_rng(seed)
    return [random_literal(leaf, rng) for leaf in leaves(module)]


def results(module: core.Module, values: list[Array], backend: str = "interpreter") -> list[Array]:
    """The results of ``main``."""
    item = Module(module, "mlir").run(*values, backend=backend)
    return list(item) if isinstance(item, tuple) else [item]


def assert_alike(
    results: list[Array], expected: list[Array], *, rtol: float = 2e-5, atol: float = 1e-5
) -> None:
    """Results are equal in type and shape, and in value but for the last bits.

    By default for functions that XLA approximates, and sums that it forms in another order.
    """
    assert [x.dtype for x in results] == [x.dtype for x in expected]
    for a, b in zip(results, expected, strict=True):
        wide = np.complex128 if a.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(
            np.asarray(a).astype(wide), np.asarray(b).astype(wide), rtol=rtol, atol=atol
        )
