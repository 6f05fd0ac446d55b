"""LAPACK's custom calls: as JAX lowers them, against XLA; the older generation, against algebra."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
from stablemate.execution.custom_calls import lapack_routines as routines
from stablemate.execution.custom_calls.registry import BUILT_IN
from stablemate.execution.custom_calls.tridiagonal import perturbed_solution
from tests.oracle.client import Oracle
from tests.programs.program import load_program, programs

Array = npt.NDArray[Any]

DIRECTORY: Final = pathlib.Path(__file__).parents[1] / "programs" / "linalg"
# XLA calls the same LAPACK with the same matrices: what comes from it is equal to the bit. The
# products and sums around it are formed in another order in some programs; triangular systems are
# solved transposed, which rounds complex sums otherwise; QR, and batches of small matrices, are
# computed by routines of our own.
TOLERANCE: Final = 8  # units of rounding, relative to the largest value of a result
EXACT: Final = (
    "cholesky_hard", "eig", "eig_hard", "eigh", "eigh_hard", "hessenberg", "lu",
    "lu_hard", "schur", "svd", "svd_by_qr", "svd_hard", "tridiagonal", "tridiagonal_solve",
)  # fmt: skip


def largest_error(ours: Array, theirs: Array) -> float:
    """The largest difference in units of rounding, relative to the largest value."""
    with np.errstate(invalid="ignore"):  # of infinities
        difference = np.abs(np.where(ours == theirs, 0, ours - theirs))
    scale = np.max(np.abs(theirs), initial=0, where=np.isfinite(theirs)) or 1
    finite = np.isfinite(ours) | np.isfinite(theirs)
    return float(np.max(difference, initial=0, where=finite) / scale / np.finfo(theirs.dtype).eps)


@pytest.mark.parametrize("name", programs(DIRECTORY))
def test_program_agrees_with_xla(name: str, oracle: Oracle) -> None:
    text, arrays = load_program(name, DIRECTORY)
    results = sm.run(text, *arrays)
    results = results if isinstance(results, tuple) else (results,)
    for ours, theirs in zip(results, oracle.xla(text, *arrays), strict=True):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        if name in EXACT or theirs.dtype.kind in "iu":
            np.testing.assert_array_equal(ours, theirs)
        else:
            np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs))
            assert largest_error(ours, theirs) <= TOLERANCE


@pytest.mark.parametrize("name", programs(DIRECTORY))
def test_program_prints_as_it_was(name: str) -> None:
    text, _ = load_program(name, DIRECTORY)
    assert sm.load(text).to_text() == text


@pytest.mark.nightly
def test_programs_are_what_the_exporter_writes(tmp_path: pathlib.Path) -> None:
    command = [sys.executable, str(DIRECTORY / "export_linalg.py"), str(tmp_path)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert programs(tmp_path) == programs(DIRECTORY)
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (DIRECTORY / path.name).read_bytes(), path.name


def test_every_routine_of_jax_is_there() -> None:
    """The names that jaxlib registers for CPUs."""
    real = (
        "geev", "gees", "gehrd", "geqp3", "geqrf", "gesdd", "gesvd", "getrf", "gtsv", "orgqr",
        "ormqr", "potrf", "syevd", "sytrd", "trsm",
    )  # fmt: skip
    of_complex = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd", "sytrd": "hetrd"}
    names = {f"lapack_{prefix}{name}_ffi" for prefix in "sd" for name in real}
    names |= {f"lapack_{p}{of_complex.get(name, name)}_ffi" for p in "cz" for name in real}
    assert names <= BUILT_IN.keys()


@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("size", [1, 3])
def test_routines_leave_operands_as_they_were(letter: str, size: int) -> None:
    """Even those that LAPACK could overwrite where they are."""
    a = np.asfortranarray(matrices(letter, size, size) + 4 * np.eye(size, dtype=DTYPES[letter]))
    v = matrices(letter, size)
    pivots = np.zeros(size, np.int32)
    calls: list[tuple[Any, tuple[Array, ...], dict[str, Any]]] = [
        (routines.geev, (a,), {"compute_left": "V", "compute_right": "V"}),
        (routines.gees, (a,), {"mode": "V", "sort": "N"}),
        (routines.gehrd, (a,), {"low": 1, "high": size}),
        (routines.geqp3, (a, pivots), {}),
        (routines.geqp3, (a, pivots + 1), {}),
        (routines.geqrf, (a,), {}),
        (routines.gesdd, (a,), {"mode": "A"}),
        (routines.gesvd, (a,), {"mode": "A"}),
        (routines.getrf, (a,), {}),
        (routines.gtsv, (v, v, v, a), {}),
        (routines.orgqr, (a, v), {}),
        (routines.ormqr, (a, v, a), {"left": True, "transpose": True}),
        (routines.potrf, (a,), {"uplo": "L"}),
        (routines.syevd, (a,), {"mode": "V", "uplo": "L"}),
        (routines.sytrd, (a,), {"uplo": "L"}),
        (routines.trsm, (a, a), {"side": "L", "uplo": "L", "trans_x": "N", "diag": "N"}),
        (perturbed_solution, (v, v, v, a), {}),
    ]
    for function, operands, options in calls:
        before = [operand.tobytes("A") for operand in operands]
        results = function(*operands, **options)
        assert [operand.tobytes("A") for operand in operands] == before, function.__name__
        for result in results:
            assert result is None or not any(np.shares_memory(result, other) for other in operands)


@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("exponent", [-110, 110])
def test_eigenvalues_of_tiny_and_huge_matrices(letter: str, exponent: int) -> None:
    a = matrices(letter, 3, 3)
    power = exponent if letter in "sc" else 8 * exponent
    factor: Any = np.dtype(DTYPES[letter]).type(2.0**power)
    options = {"compute_left": "N", "compute_right": "N"}
    expected = routines.geev(a, **options)
    scaled = routines.geev(a * factor, **options)
    for one, other in zip(scaled[:-3], expected[:-3], strict=True):
        assert_near(one / factor, other)


@pytest.mark.parametrize("letter", "sdcz")
def test_the_schur_form_of_a_matrix_that_is_not_finite_is_not_a_number(letter: str) -> None:
    a = matrices(letter, 3, 3)
    a[2, 0] = np.nan
    *results, count, info = routines.gees(a, mode="V", sort="N")
    assert all(np.isnan(result).all() for result in results)
    assert (count, info) == (0, 3)


# ---- the older generation: options and sizes are operands, workspaces are results

DTYPES: Final = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
ELEMENTS: Final = {"s": "f32", "d": "f64", "c": "complex<f32>", "z": "complex<f64>"}
SIZE: Final = 4


def called(
    target: str, scalars: Sequence[int | str], matrices: Sequence[Array], results: Sequence[str]
) -> tuple[Array, ...]:
    """The results of a call; scalars are constants of i32, or of ui8 where they are letters."""
    lines: list[str] = []
    types: list[str] = []
    for i, scalar in enumerate(scalars):
        value, kind = (ord(scalar), "ui8") if isinstance(scalar, str) else (scalar, "i32")
        lines.append(f"%s{i} = stablehlo.constant dense<{value}> : tensor<{kind}>")
        types.append(f"tensor<{kind}>")
    letter = target.removeprefix("blas_").removeprefix("lapack_")[0]
    parameters = [
        (f"%a{i}", f"tensor<{'x'.join(map(str, a.shape))}x{ELEMENTS[letter]}>")
        for i, a in enumerate(matrices)
    ]
    operands = [f"%s{i}" for i in range(len(scalars))] + [name for name, _ in parameters]
    types += [kind for _, kind in parameters]
    declared = [result.replace("T", ELEMENTS[letter]) for result in results]
    names = ", ".join(f"%r#{i}" for i in range(len(results))) if len(results) > 1 else "%r"
    lines += [
        f"%r{f':{len(results)}' if len(results) > 1 else ''} = stablehlo.custom_call"
        f" @{target}({', '.join(operands)}) {{api_version = 2 : i32}}"
        f" : ({', '.join(types)}) -> ({', '.join(declared)})",
        f"return {names} : {', '.join(declared)}",
    ]
    head = ", ".join(f"{name}: {kind}" for name, kind in parameters)
    body = "\n".join(lines)
    text = f"func.func @main({head}) -> ({', '.join(declared)}) {{\n{body}\n}}"
    item = sm.run(text, *matrices)
    return item if isinstance(item, tuple) else (item,)


def matrices(letter: str, *shape: int) -> Array:
    """Normal values."""
    generator = np.random.default_rng(7)
    values = generator.standard_normal(shape)
    if letter in "cz":
        values = values + 1j * generator.standard_normal(shape)
    return values.astype(DTYPES[letter])


def assert_near(ours: Array, theirs: Array) -> None:
    """Equal but for the rounding of a few operations."""
    assert largest_error(ours, theirs) <= 64


def real_of(letter: str) -> str:
    """The real element type of the same precision."""
    return "f64" if letter in "dz" else "f32"


@pytest.mark.parametrize("letter", "sdcz")
def test_older_potrf_factors(letter: str) -> None:
    a = matrices(letter, 3, SIZE, SIZE)
    a = a @ a.swapaxes(-1, -2).conj() + np.eye(SIZE, dtype=a.dtype)
    results = ["tensor<3x4x4xT>", "tensor<3xi32>"]
    for lower in (0, 1):
        factor, info = called(f"lapack_{letter}potrf", [lower, 3, SIZE], [a], results)
        assert not info.any()
        factor = np.tril(factor) if lower else np.triu(factor).swapaxes(-1, -2).conj()
        assert_near(factor @ factor.swapaxes(-1, -2).conj(), a)


@pytest.mark.parametrize("letter", "sdcz")
def test_older_getrf_factors(letter: str) -> None:
    a = matrices(letter, SIZE, 3)
    results = ["tensor<4x3xT>", "tensor<3xi32>", "tensor<i32>"]
    factors, pivots, info = called(f"lapack_{letter}getrf", [1, SIZE, 3], [a], results)
    lower = np.tril(factors, -1) + np.eye(SIZE, 3, dtype=a.dtype)
    product = lower @ np.triu(factors[:3])
    for row, pivot in reversed(list(enumerate(pivots - 1))):
        product[[row, pivot]] = product[[pivot, row]]
    assert info == 0
    assert_near(product, a)


@pytest.mark.parametrize("letter", "sdcz")
def test_older_geqrf_and_orgqr_decompose(letter: str) -> None:
    a = matrices(letter, 2, SIZE, 3)
    results = ["tensor<2x4x3xT>", "tensor<2x3xT>", "tensor<2xi32>", "tensor<96xT>"]
    factors, taus, info, work = called(f"lapack_{letter}geqrf", [2, SIZE, 3, 96], [a], results)
    assert not info.any()
    assert not work.any()
    name = "orgqr" if letter in "sd" else "ungqr"
    results = ["tensor<2x4x3xT>", "tensor<2xi32>", "tensor<96xT>"]
    q, _, _ = called(f"lapack_{letter}{name}", [2, SIZE, 3, 3, 96], [factors, taus], results)
    assert_near(q @ np.triu(factors[:, :3]), a)


@pytest.mark.parametrize("letter", "sdcz")
def test_older_gesdd_decomposes(letter: str) -> None:
    a = matrices(letter, SIZE, 3)
    real = real_of(letter)
    for full, size in ((1, SIZE), (0, 3)):
        results = [
            "tensor<4x3xT>", f"tensor<3x{real}>", f"tensor<4x{size}xT>", "tensor<3x3xT>",
            "tensor<i32>", "tensor<24xi32>", "tensor<100xT>",
        ]  # fmt: skip
        scalars = [full, 1, 1, SIZE, 3, 100]
        _, s, u, vt, info, *_ = called(f"lapack_{letter}gesdd", scalars, [a], results)
        assert info == 0
        assert_near((u[:, :3] * s) @ vt, a)


@pytest.mark.parametrize("letter", "sdcz")
def test_older_syevd_decomposes(letter: str) -> None:
    a = matrices(letter, SIZE, SIZE)
    a = a + a.T.conj()
    results = ["tensor<4x4xT>", f"tensor<4x{real_of(letter)}>", "tensor<i32>", "tensor<57xT>"]
    name = "syevd" if letter in "sd" else "heevd"
    v, w, info, _ = called(f"lapack_{letter}{name}", [1, 1, SIZE], [a], results)
    assert info == 0
    assert_near((v * w) @ v.T.conj(), a)


@pytest.mark.parametrize("letter", "sdcz")
def test_older_geev_has_workspaces_first(letter: str) -> None:
    a = matrices(letter, 2, SIZE, SIZE)
    is_real = letter in "sd"
    pairs = f"tensor<2x4x4xcomplex<{real_of(letter)}>>"
    results = [
        *(["tensor<4x4xT>"] * 3 if is_real else ["tensor<4x4xT>", f"tensor<8x{real_of(letter)}>"]),
        *["tensor<2x4xT>"] * (2 if is_real else 1),
        pairs,
        pairs,
        "tensor<2xi32>",
    ]
    called_value = called(f"lapack_{letter}geev", [2, SIZE, "V", "V"], [a], results)
    *values, left, right, info = called_value[3:] if is_real else called_value[2:]
    w = values[0] + 1j * values[1] if is_real else values[0]
    assert not info.any()
    assert_near(a @ right, right * w[:, None])
    assert_near(left.swapaxes(-1, -2).conj() @ a, w[..., None] * left.swapaxes(-1, -2).conj())


@pytest.mark.parametrize("letter", "sdcz")
def test_older_gees_has_its_order(letter: str) -> None:
    a = matrices(letter, SIZE, SIZE)
    is_real = letter in "sd"
    results = [
        "tensor<4x4xT>",
        *([] if is_real else [f"tensor<4x{real_of(letter)}>"]),
        *["tensor<4xT>"] * (2 if is_real else 1),
        "tensor<4x4xT>",
        "tensor<i32>",
        "tensor<i32>",
    ]
    t, *_, vectors, count, info = called(f"lapack_{letter}gees", [1, SIZE, "V", "N"], [a], results)
    assert (count, info) == (0, 0)
    assert_near(vectors @ t @ vectors.T.conj(), a)


@pytest.mark.parametrize("letter", "sdcz")
def test_older_gehrd_and_sytrd_keep_eigenvalues(letter: str) -> None:
    a = matrices(letter, SIZE, SIZE)
    results = ["tensor<4x4xT>", "tensor<3xT>", "tensor<i32>", "tensor<99xT>"]
    scalars = [SIZE, 1, SIZE, SIZE, 1, 99]
    h, _, info, _ = called(f"lapack_{letter}gehrd", scalars, [a], results)
    assert info == 0
    assert_near(np.poly(np.triu(h, -1)), np.poly(a))

    a = a + a.T.conj()
    real = real_of(letter)
    results = [
        "tensor<4x4xT>", f"tensor<4x{real}>", f"tensor<3x{real}>", "tensor<3xT>", "tensor<i32>",
        "tensor<99xT>",
    ]  # fmt: skip
    name = "sytrd" if letter in "sd" else "hetrd"
    scalars = [SIZE, 1, SIZE, 1, 99]
    _, d, e, _, info, _ = called(f"lapack_{letter}{name}", scalars, [a], results)
    assert info == 0
    tridiagonal = np.diag(d) + np.diag(e, 1) + np.diag(e, -1)
    assert_near(np.linalg.eigvalsh(tridiagonal), np.linalg.eigvalsh(a))


@pytest.mark.parametrize("letter", "sdcz")
def test_older_trsm_solves(letter: str) -> None:
    a = matrices(letter, SIZE, SIZE) + 8 * np.eye(SIZE, dtype=DTYPES[letter])
    b = matrices(letter, SIZE, 2)
    text = f"""
      func.func @main(%a: tensor<4x4xT>, %b: tensor<4x2xT>) -> tensor<4x2xT> {{
        %0 = stablehlo.constant dense<0> : tensor<i32>
        %1 = stablehlo.constant dense<1> : tensor<i32>
        %2 = stablehlo.constant dense<2> : tensor<i32>
        %4 = stablehlo.constant dense<4> : tensor<i32>
        %alpha = stablehlo.constant dense<ONE> : tensor<T>
        %x = stablehlo.custom_call @blas_{letter}trsm(%1, %1, %2, %0, %4, %2, %1, %alpha, %a, %b)
            {{api_version = 2 : i32}}
            : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>,
               tensor<i32>, tensor<T>, tensor<4x4xT>, tensor<4x2xT>) -> tensor<4x2xT>
        return %x : tensor<4x2xT>
      }}"""
    one = "(3.0, 0.0)" if letter in "cz" else "3.0"
    x = sm.run(text.replace("ONE", one).replace("xT>", f"x{ELEMENTS[letter]}>").replace(
        "<T>", f"<{ELEMENTS[letter]}>"), a, b)  # fmt: skip
    assert_near(np.tril(a).T.conj() @ x, 3 * b)


def test_older_geqp3_pivots() -> None:
    a = matrices("d", SIZE, 3)
    results = ["tensor<4x3xT>", "tensor<3xi32>", "tensor<3xT>", "tensor<i32>", "tensor<99xT>"]
    text = f"""
      func.func @main(%a: tensor<4x3xf64>) -> ({", ".join(results).replace("T>", "f64>")}) {{
        %0 = stablehlo.constant dense<1> : tensor<i32>
        %j = stablehlo.constant dense<0> : tensor<3xi32>
        %r:5 = stablehlo.custom_call @lapack_dgeqp3(%0, %0, %0, %0, %a, %j)
            {{api_version = 2 : i32}}
            : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x3xf64>, tensor<3xi32>)
            -> ({", ".join(results).replace("T>", "f64>")})
        return %r#0, %r#1, %r#2, %r#3, %r#4 : {", ".join(results).replace("T>", "f64>")}
      }}"""
    factors, order, _, info, _ = sm.run(text, a)
    r = np.triu(factors[:3])
    assert info == 0
    assert_near(np.abs(r[0, 0]), np.linalg.norm(a, axis=0).max())
    assert_near(r.T @ r, (a.T @ a)[np.ix_(order - 1, order - 1)])


# ---- calls that are wrong


def wrong(operands: str, config: str, results: str = "(tensor<2x2xf32>, tensor<i32>)") -> str:
    """What a call of potrf with other operands, options or results says."""
    text = f"""func.func @main(%a: {operands}) {{
      %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {{mhlo.backend_config = {{{config}}}}}
          : ({operands}) -> {results}
      return
    }}"""
    array = np.ones([int(operand) for operand in operands[7:-1].split("x")[:-1]], np.float32)
    if operands.endswith("f64>"):
        array = array.astype(np.float64)
    with pytest.raises(sm.EvaluationError) as caught:
        sm.run(text, array)
    (diagnostic,) = caught.value.diagnostics
    values = ", ".join(f"{name} = {value}" for name, value in diagnostic.values.items())
    assert diagnostic.span is not None
    return f"{diagnostic.rule}: {diagnostic.message} [{values}]"


def test_wrong_calls_say_what_is_wrong() -> None:
    head = "stablehlo.custom_call @lapack_spotrf_ffi: "
    lower = "uplo = 76 : ui8"
    wanted = head + "the operands are float32[n, n], or batches of them"
    assert wrong("tensor<2x3xf32>", lower) == f"{wanted} [operands = tensor<2x3xf32>]"
    assert wrong("tensor<2xf32>", lower) == f"{wanted} [operands = tensor<2xf32>]"
    assert wrong("tensor<2x2xf64>", lower) == f"{wanted} [operands = tensor<2x2xf64>]"
    value = head + "uplo is 76 (L) or 85 (U)"
    assert wrong("tensor<2x2xf32>", "") == f"{value} [uplo = None]"
    assert wrong("tensor<2x2xf32>", "uplo = 77 : ui8") == f"{value} [uplo = 77]"
    assert wrong("tensor<2x2xf32>", lower, "(tensor<2x2xf32>, tensor<2xi32>)") == (
        f"{head}result 1 has its declared type [expected = tensor<2xi32>, returned = tensor<i32>]"
    )


def test_sorting_of_eigenvalues_is_refused() -> None:
    text = """func.func @main(%a: tensor<1x1xcomplex<f32>>) {
      %0:5 = stablehlo.custom_call @lapack_cgees_ffi(%a)
          {mhlo.backend_config = {mode = 86 : ui8, sort = 83 : ui8}} : (tensor<1x1xcomplex<f32>>)
          -> (tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>, tensor<1xcomplex<f32>>,
              tensor<i32>, tensor<i32>)
      return
    }"""
    with pytest.raises(sm.EvaluationError, match=r"sort is 78 \(N\)"):
        sm.run(text, np.ones((1, 1), np.complex64))


def test_sizes_may_be_known_only_at_run_time() -> None:
    text = """func.func @main(%a: tensor<?x2x2xf32>) -> (tensor<?x2x2xf32>, tensor<?xi32>) {
      %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}}
          : (tensor<?x2x2xf32>) -> (tensor<?x2x2xf32>, tensor<?xi32>)
      return %0#0, %0#1 : tensor<?x2x2xf32>, tensor<?xi32>
    }"""
    factor, info = sm.run(text, 4 * np.eye(2, dtype=np.float32)[None].repeat(3, 0))
    np.testing.assert_array_equal(factor, 2 * np.eye(2)[None].repeat(3, 0))
    np.testing.assert_array_equal(info, [0, 0, 0])
    factor, info = sm.run(text, np.zeros((0, 2, 2), np.float32))
    assert (factor.shape, info.shape) == ((0, 2, 2), (0,))
