"""The short form of ``tests.compiler.linear_algebra_campaign``, and sizes and numbers it found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.linear_algebra.cases import DTYPES, Case, generated_case, operands_of
from tests.compiler.linear_algebra.comparison import BOUND, findings, outputs, residuals
from tests.compiler.linear_algebra.programs import text_of
from tests.compiler.linear_algebra.routines import ROUTINES, Sizes
from tests.oracle.client import Oracle

SEEDS = range(6)


@pytest.mark.standard
@pytest.mark.parametrize("name", ROUTINES)
def test_generated_calls(name: str, oracle: Oracle) -> None:
    for seed in SEEDS:
        case = generated_case(f"short:{seed}", [name])
        assert not findings(case, oracle), case


def case_of(
    name: str, letter: str, batch: int, sizes: tuple[int, int, int], **options: Any
) -> Case:
    """A call for normal matrices."""
    return Case(name, letter, "call", batch, Sizes(*sizes, letter in "cz"), options, "normal", 0)


@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize("batch", [1, 16])
def test_without_reflectors_q_is_the_identity(letter: str, batch: int) -> None:
    case = case_of("orgqr", letter, batch, (3, 2, 0))
    operands = operands_of(case)
    for backend in ("cpu", "interpreter"):
        q = np.asarray(sm.run(sm.load(text_of(case, operands, "call")), *operands, backend=backend))
        assert np.array_equal(q, np.broadcast_to(np.eye(3, 2), (batch, 3, 2)))
    case = case_of("ormqr", letter, batch, (3, 2, 0), left=True, transpose=True)
    operands = operands_of(case)
    for backend in ("cpu", "interpreter"):
        text = text_of(case, operands, "call")
        product = np.asarray(sm.run(sm.load(text), *operands, backend=backend))
        assert np.array_equal(product, operands[2])


@pytest.mark.parametrize("name", ["gehrd", "sytrd"])
@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize("order", [1, 2, 5, 16])
def test_forms_in_vector_lanes(order: int, letter: str, name: str) -> None:
    options: list[dict[str, Any]] = [{"uplo": "L"}, {"uplo": "U"}]
    for chosen in options if name == "sytrd" else [{"low": 1, "high": order}]:
        case = case_of(name, letter, 19, (order, order, 1), **chosen)
        (a,) = operands_of(case)
        executable: Any = sm.compile(sm.load(text_of(case, [a], "call")))
        assert f"compact_{letter}{name}" in executable.emit("plan")
        assert max(residuals(case, [a], outputs(executable, [a]))) <= BOUND


@pytest.mark.parametrize("mode", "ASN")
@pytest.mark.parametrize("letter", DTYPES)
@pytest.mark.parametrize("order", [3, 17])
def test_singular_values_of_a_matrix_with_an_infinity(order: int, letter: str, mode: str) -> None:
    # LAPACK's gesdd does not end for some of these matrices.
    case = case_of("gesdd", letter, 2, (order, order, 1), mode=mode)
    (a,) = operands_of(case)
    a[1] *= np.finfo(a.dtype).max / 64 / order / np.abs(a[1]).max()
    a[1, order // 2, 0] = np.inf
    module = sm.load(text_of(case, [a], "call"))
    found = outputs(sm.compile(module), [a])
    assert found[4].tolist() == [0, -4]  # gesdd's status for what is not finite
    assert np.isfinite(found[1][0]).all()
    assert np.isnan(found[1][1]).all()
    for vectors in found[2:4]:
        assert mode == "N" or np.isnan(vectors[1]).all()
    interpreted = [np.asarray(x) for x in sm.run(module, a, backend="interpreter")]
    assert interpreted[4].tolist() == [0, -4]
    assert np.isnan(interpreted[1][1]).all()
