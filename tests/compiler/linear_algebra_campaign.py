"""Generated calls of linear algebra: residuals, and matrices of a batch that are not finite.

    python -m tests.compiler.linear_algebra_campaign --cases 1000 --seed 0

Every routine is called for matrices of all types, of sizes from 0 on, in batches of 0 to 100,000:
normal, singular, indefinite, graded, tiny and huge ones. What its results must satisfy is computed
in the widest type. Then one matrix of the batch gets a number that is not finite, and all others
must keep their bits.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

import stablemate as sm
from tests.compiler.lapack_calls import tensor

DTYPES: Final[Mapping[str, Any]] = {
    "s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128,
}  # fmt: skip
REAL_LETTERS: Final = {"s": "s", "d": "d", "c": "s", "z": "d"}
COMPLEX_LETTERS: Final = {"s": "c", "d": "z", "c": "c", "z": "z"}
OF_COMPLEX: Final = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd", "sytrd": "hetrd"}
BOUND: Final = 40  # of residuals, in rounding errors times the order
NUMBERS: Final = (np.nan, np.inf, -np.inf)

Arrays = Sequence[Any]


def adjoint(a: Any) -> Any:
    """The conjugate transposes."""
    return np.conj(np.swapaxes(a, -1, -2))


def sizes(a: Any) -> Any:
    """The largest magnitude of each matrix, zero for empty ones."""
    return np.abs(a).max(axis=(1, 2), initial=0)


def relative(difference: Any, scale: Any) -> Any:
    """The size of each difference, divided by a scale."""
    return sizes(difference) / np.maximum(scale, np.finfo(np.float64).tiny)


def orthogonality(q: Any) -> Any:
    """How far columns are from being orthonormal."""
    return sizes(adjoint(q) @ q - np.eye(q.shape[-1]))


def potrf_errors(a: Any, found: Arrays, case: Case) -> Arrays:
    """L L^H = A where A is positive definite."""
    factor = np.tril(found[0])
    return [(found[1] == 0) * np.nan_to_num(relative(factor @ adjoint(factor) - a, sizes(a)))]


def getrf_errors(a: Any, found: Arrays, case: Case) -> Arrays:
    """L U = P A."""
    factors, pivots = found[0], found[1]
    least = min(a.shape[1:])
    left = np.tril(factors, -1)[:, :, :least] + np.eye(a.shape[1], least)
    right, swapped, every = np.triu(factors)[:, :least], np.array(a), np.arange(len(a))
    for step in range(least):
        chosen = pivots[:, step] - 1
        upper, other = swapped[every, step].copy(), swapped[every, chosen].copy()
        swapped[every, step], swapped[every, chosen] = other, upper
    is_bounded = sizes(left) <= np.sqrt(2) * (1 + 1e-5)
    return [relative(left @ right - swapped, np.maximum(sizes(a), sizes(right))), ~is_bounded * 1.0]


def reflected(factors: Any, taus: Any, columns: int) -> Any:
    """The first columns of the product of reflectors."""
    shape = (*factors.shape[:2], columns)
    q = np.broadcast_to(np.eye(shape[1], columns), shape).astype(factors.dtype)
    for step in range(taus.shape[1] - 1, -1, -1):
        v = np.array(factors[:, :, step])
        v[:, :step] = 0
        v[:, step] = 1
        q = q - taus[:, step, None, None] * v[:, :, None] * (v.conj()[:, None] @ q)
    return q


def geqrf_errors(a: Any, found: Arrays, case: Case) -> Arrays:
    """Q R = A."""
    least = min(a.shape[1:])
    q, right = reflected(found[0], found[1], least), np.triu(found[0])[:, :least]
    return [relative(q @ right - a, sizes(a)), orthogonality(q)]


def hessenberg_basis(form: Any, taus: Any) -> Any:
    """The basis in which a matrix has a Hessenberg form."""
    q = np.broadcast_to(np.eye(form.shape[1]), form.shape).astype(form.dtype)
    if form.shape[1] > 1:
        q[:, 1:, 1:] = reflected(form[:, 1:, :-1], taus, form.shape[1] - 1)
    return q


def gehrd_errors(a: Any, found: Arrays, case: Case) -> Arrays:
    """Q H Q^H = A."""
    q = hessenberg_basis(found[0], found[1])
    return [relative(q @ np.triu(found[0], -1) @ adjoint(q) - a, sizes(a)), orthogonality(q)]


def sytrd_errors(a: Any, found: Arrays, case: Case) -> Arrays:
    """Q T Q^H = A."""
    form, diagonal, beside, taus = found[:4]
    q, t = hessenberg_basis(form, taus), np.zeros_like(a)
    places = indices(a.shape[1])
    t[:, places, places] = diagonal
    t[:, places[1:], places[:-1]] = t[:, places[:-1], places[1:]] = beside
    return [relative(q @ t @ adjoint(q) - a, sizes(a)), orthogonality(q)]


def syevd_errors(a: Any, found: Arrays, case: Case) -> Arrays:
    """V D V^H = A with ascending eigenvalues."""
    vectors, values = found[0], found[1]
    product = (vectors * values[:, None]) @ adjoint(vectors)
    descends = np.any(np.diff(values, axis=1) < 0, axis=1) * 1.0
    return [relative(product - a, sizes(a)), orthogonality(vectors), descends]


def gesdd_errors(a: Any, found: Arrays, case: Case) -> Arrays:
    """U S V^H = A with descending singular values."""
    values, left, right = found[1], found[2], found[3]
    ascends = np.any(np.diff(values, axis=1) > 0, axis=1) | np.any(values < 0, axis=1)
    product = (left * values[:, None]) @ right
    return [
        relative(product - a, sizes(a)), orthogonality(left), orthogonality(adjoint(right)),
        ascends * 1.0,
    ]  # fmt: skip


def geev_errors(a: Any, found: Arrays, case: Case) -> Arrays:
    """A V = V D with vectors of length one."""
    if case.letter in "sd":
        values, vectors = found[0] + 1j * found[1], found[3]
    else:
        values, vectors = found[0], found[2]
    residual = a @ vectors - vectors * values[:, None]
    lengths = np.linalg.norm(vectors, axis=1) - 1
    return [relative(residual, sizes(a)), np.abs(lengths).max(axis=1, initial=0)]


def gees_errors(a: Any, found: Arrays, case: Case) -> Arrays:
    """Z T Z^H = A with a triangular or quasi-triangular T."""
    form, vectors = found[0], found[1]
    below = sizes(np.tril(form, -2 if case.letter in "sd" else -1)) * np.finfo(np.float64).max
    product = vectors @ form @ adjoint(vectors)
    return [relative(product - a, sizes(a)), orthogonality(vectors), np.minimum(below, 1)]


@dataclass(frozen=True, slots=True)
class Routine:
    """A routine of LAPACK that has one operand.

    Attributes:
        config: Its options, for the number of rows.
        results: The shape and kind of each result of one matrix: number (#), real, complex, index.
        errors: The residuals of each matrix.
        kind: The matrices that it takes: general, symmetric, definite; square, if not general.
    """

    config: str
    results: Callable[[int, int, bool], Sequence[tuple[Sequence[int], str]]]
    errors: Callable[[Any, Arrays, Case], Arrays]
    kind: str


@dataclass(frozen=True, slots=True)
class Case:
    """A call.

    Attributes:
        routine: The routine.
        letter: The letter of the element type.
        batch: The number of matrices.
        rows: Their rows.
        columns: Their columns.
        values: Which matrices they are.
        seed: The seed of their elements.
    """

    routine: str
    letter: str
    batch: int
    rows: int
    columns: int
    values: str
    seed: int


STATUS: Final = ((), "index")
ROUTINES: Final[Mapping[str, Routine]] = {
    "potrf": Routine(
        "uplo = 76 : ui8", lambda m, n, c: [((n, n), "#"), STATUS], potrf_errors, "definite"
    ),
    "getrf": Routine(
        "", lambda m, n, c: [((m, n), "#"), ((min(m, n),), "index"), STATUS], getrf_errors,
        "general",
    ),
    "geqrf": Routine(
        "", lambda m, n, c: [((m, n), "#"), ((min(m, n),), "#")], geqrf_errors, "general"
    ),
    "gehrd": Routine(
        "low = 1 : i32, high = {n} : i32",
        lambda m, n, c: [((n, n), "#"), ((max(n - 1, 0),), "#"), STATUS], gehrd_errors, "square",
    ),
    "sytrd": Routine(
        "uplo = 76 : ui8",
        lambda m, n, c: [
            ((n, n), "#"), ((n,), "real"), ((max(n - 1, 0),), "real"), ((max(n - 1, 0),), "#"),
            STATUS,
        ],
        sytrd_errors, "symmetric",
    ),
    "syevd": Routine(
        "uplo = 76 : ui8, mode = 86 : ui8",
        lambda m, n, c: [((n, n), "#"), ((n,), "real"), STATUS], syevd_errors, "symmetric",
    ),
    "gesdd": Routine(
        "mode = 83 : ui8",
        lambda m, n, c: [
            ((m, n), "#"), ((min(m, n),), "real"), ((m, min(m, n)), "#"), ((min(m, n), n), "#"),
            STATUS,
        ],
        gesdd_errors, "general",
    ),
    "geev": Routine(
        "compute_left = 78 : ui8, compute_right = 86 : ui8",
        lambda m, n, c: [
            *([((n,), "#")] if c else [((n,), "#")] * 2), ((n, n), "complex"), ((n, n), "complex"),
            STATUS,
        ],
        geev_errors, "square",
    ),
    "gees": Routine(
        "mode = 86 : ui8, sort = 78 : ui8",
        lambda m, n, c: [
            ((n, n), "#"), ((n, n), "#"), *[((n,), "#")] * (1 if c else 2), STATUS, STATUS,
        ],
        gees_errors, "square",
    ),
}  # fmt: skip
VALUES: Final = ("normal", "normal", "singular", "graded", "zero", "integers", "tiny", "huge")


def generated_case(seed: str, names: Sequence[str]) -> Case:
    """A random case."""
    random = Random(seed)
    routine = random.choice(names)
    scale = random.choice(("tiny", "small", "small", "small", "medium", "large"))
    sizes_of, batches = {
        "tiny": (range(5), (1000, 10_000, 100_000)),
        "small": (range(41), (0, 1, 2, 7, 8, 9, 16, 17, 33)),
        "medium": (range(17, 130), (1, 2, 5)),
        "large": (range(64, 521), (1,)),
    }[scale]
    n = random.choice(sizes_of)
    n = max(n, 1) if routine in ("gehrd", "sytrd") else n  # JAX has no others
    m = n if ROUTINES[routine].kind not in ("general",) else random.choice((n, *sizes_of))
    values = random.choice(VALUES)
    if ROUTINES[routine].kind == "definite" and values in ("singular", "integers"):
        values = "indefinite"
    return Case(
        routine, random.choice("sdcz"), random.choice(batches), m, n, values, random.getrandbits(32)
    )


def matrices(case: Case) -> Any:
    """The matrices of a case."""
    dtype = np.dtype(DTYPES[case.letter])
    return of_values(case, normal(case, dtype), np.finfo(dtype)).astype(dtype)


def normal(case: Case, dtype: Any) -> Any:
    """Matrices of normal numbers."""
    generator = np.random.default_rng(case.seed)
    parts = generator.standard_normal((2, case.batch, case.rows, case.columns))
    return parts[0] + 1j * parts[1] if dtype.kind == "c" else parts[0]


def of_values(case: Case, a: Any, limits: Any) -> Any:
    """Matrices of the kind and with the values of a case, which are made of normal numbers."""
    order, kind = max(case.rows, case.columns, 1), ROUTINES[case.routine].kind
    if case.values == "singular" and case.columns > 1:
        a[:, :, -1] = a[:, :, 0]
    elif case.values == "graded":
        a = a * graded(case.columns)
    elif case.values == "zero":
        a = a * 0
    elif case.values == "integers":
        a = rounded(a)
    if kind == "definite":
        sign = -1 if case.values == "indefinite" else 1
        a = a @ adjoint(a) * sign + order * identity(case.columns)
    elif kind == "symmetric":
        a = a + adjoint(a)
    if case.values == "tiny":
        a = a / largest_of(a) * float(limits.tiny) * 64
    elif case.values == "huge":
        a = a / largest_of(a) * (float(limits.max) / 64 / order)
    return a


def graded(count: int) -> Any:
    """Factors of columns from 1 down to 2^-20."""
    return 2.0 ** np.linspace(0, -20, count)


def rounded(a: Any) -> Any:
    """The nearest integers."""
    return np.rint(a)


def identity(order: int) -> Any:
    """The identity matrix."""
    return np.eye(order)


def largest_of(a: Any) -> Any:
    """The largest magnitude, or one."""
    return np.abs(a).max(initial=1)


def indices(count: int) -> Any:
    """The numbers below a count."""
    return np.arange(count)


def executable_of(case: Case) -> Any:
    """The compiled call."""
    routine, letter = ROUTINES[case.routine], case.letter
    types = {
        "#": DTYPES[letter], "real": DTYPES[REAL_LETTERS[letter]], "index": np.int32,
        "complex": DTYPES[COMPLEX_LETTERS[letter]],
    }  # fmt: skip
    shapes = routine.results(case.rows, case.columns, letter in "cz")
    given = ", ".join(tensor((case.batch, *shape), types[kind]) for shape, kind in shapes)
    operand = tensor((case.batch, case.rows, case.columns), DTYPES[letter])
    name = OF_COMPLEX.get(case.routine, case.routine) if letter in "cz" else case.routine
    outcomes = ", ".join(f"%r#{number}" for number in range(len(shapes)))
    config = routine.config.format(n=case.columns)
    text = f"""func.func @main(%a: {operand}) -> ({given}) {{
      %r:{len(shapes)} = stablehlo.custom_call @lapack_{letter}{name}_ffi(%a)
        {{api_version = 4 : i32, backend_config = {{{config}}}}} : ({operand}) -> ({given})
      return {outcomes} : {given}
    }}"""
    return sm.compile(sm.load(text))


def wide(array: Any) -> Any:
    """Numbers in the widest type, integers as they are."""
    kind = array.dtype.kind
    return array if kind == "i" else array.astype(np.complex128 if kind == "c" else np.float64)


def residuals(case: Case, a: Any, found: Arrays) -> list[float]:
    """The largest residuals in rounding errors times the order."""
    scale = 1.0
    if case.values in ("tiny", "huge"):  # exact in float64, where nothing overflows
        scale = 2.0 ** -round(np.log2(float(np.abs(a).max(initial=1e-300))))
    routine = ROUTINES[case.routine]
    wanted: list[Any] = [wide(result) for result in found]
    parts = [0, 1] if case.routine == "geev" and case.letter in "sd" else SCALED[case.routine]
    for place in parts:
        exponent = 0.5 if case.routine == "potrf" else 1.0
        wanted[place] = scaled(wanted[place], scale**exponent, case)
    errors = routine.errors(wide(a) * scale, wanted, case)
    unit = np.finfo(DTYPES[case.letter]).eps * max(case.rows, case.columns, 1)
    return [float(np.max(error, initial=0)) / float(unit) for error in errors]


# Which results grow with the matrix; of factors that contain reflectors, the upper triangle.
SCALED: Final[Mapping[str, Sequence[int]]] = {
    "potrf": (0,), "getrf": (0,), "geqrf": (0,), "gehrd": (0,), "sytrd": (0, 1, 2), "syevd": (1,),
    "gesdd": (1,), "geev": (0,), "gees": (0,),
}  # fmt: skip
BELOW: Final = {"getrf": -1, "geqrf": -1, "gehrd": -2, "sytrd": -2}


def scaled(values: Any, factor: float, case: Case) -> Any:
    """A result of a matrix that was multiplied by a number."""
    if values.ndim < 3 or case.routine not in BELOW:
        return values * factor
    below = np.tril(values, BELOW[case.routine])
    return (values - below) * factor + below


def disturbed(case: Case, a: Any, random: Random) -> tuple[Any, int]:
    """The matrices, one of which is not finite any more, and its number."""
    other = np.array(a)
    number = random.randrange(case.batch)
    row, column = random.randrange(case.rows), random.randrange(case.columns)
    other[number, row, column] = random.choice(NUMBERS)
    if ROUTINES[case.routine].kind in ("symmetric", "definite"):
        other[number, column, row] = other[number, row, column]
    return other, number


def findings(case: Case) -> list[str]:
    """What is wrong with a case."""
    a = matrices(case)
    run = executable_of(case)
    found = [np.asarray(result) for result in run(a)]
    reported: list[str] = []
    if case.batch and case.rows and case.columns:
        worst = residuals(case, a, found)
        if not all(residual <= BOUND for residual in worst):
            reported.append(f"residuals {worst}")
        random = Random(case.seed)
        other, number = disturbed(case, a, random)
        begun = time.perf_counter()
        again = [np.asarray(result) for result in run(other)]
        if time.perf_counter() - begun > 20:
            reported.append("takes long if a matrix is not finite")
        rest = indices(case.batch) != number
        for place, (one, two) in enumerate(zip(found, again, strict=True)):
            if one[rest].tobytes() != two[rest].tobytes():
                places = [k for k in np.flatnonzero(rest) if one[k].tobytes() != two[k].tobytes()]
                reported.append(
                    f"result {place} of matrices {places[:4]} depends on matrix {number}"
                )
        finite = [np.isfinite(result[number]).all() for result in again if result.dtype.kind != "i"]
        failed = any(result[number] != 0 for result in again[-1:] if result.ndim == 1)
        if all(finite) and not failed:
            reported.append(f"matrix {number} is not finite, all results are")
    return reported


def main() -> None:
    """Runs cases and prints what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--routines", default=",".join(ROUTINES))
    options = parser.parse_args()
    begun, done, wrong = time.perf_counter(), 0, 0
    for number in range(options.first, options.first + options.cases):
        if time.perf_counter() - begun > options.seconds:
            break
        case = generated_case(f"{options.seed}:{number}", options.routines.split(","))
        reported = findings(case)
        done += 1
        wrong += bool(reported)
        for line in reported:
            print(f"{number}: {case}: {line}", flush=True)
    print(f"{done} cases, {wrong} findings")


if __name__ == "__main__":
    main()
