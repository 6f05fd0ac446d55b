"""Programs that call routines of linear algebra for random sizes, options and matrices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

import numpy as np

from tests.compiler.cholesky_programs import cholesky_text

TYPES: Final = {
    "s": ("f32", np.float32),
    "d": ("f64", np.float64),
    "c": ("complex<f32>", np.complex64),
    "z": ("complex<f64>", np.complex128),
}
COMPLEX: Final = (np.complex64, np.complex128)
REAL_LETTERS: Final = {"s": "s", "d": "d", "c": "s", "z": "d"}
COMPLEX_LETTERS: Final = {"s": "c", "d": "z"}
OF_COMPLEX: Final = {
    "potrf": "potrf", "geqrf": "geqrf", "orgqr": "ungqr", "syevd": "heevd", "getrf": "getrf",
    "trsm": "trsm", "gesdd": "gesdd", "gehrd": "gehrd", "sytrd": "hetrd", "ormqr": "unmqr",
    "geev": "geev", "gees": "gees",
}  # fmt: skip
# Which results of a complex matrix are real.
REAL_RESULTS: Final = {"syevd": (1,), "gesdd": (1,), "sytrd": (1, 2)}
COMPLEX_RESULTS: Final = {"geev": (2, 3)}  # which results of a real matrix are complex
INDEX_RESULTS: Final = {"getrf": 1}  # which result has integers
BATCHES: Final = (1, 3, 4, 5, 8, 15, 16, 17, 40)
SIZES: Final = (1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 33, 50, 65)
SMALL_SIZES: Final = tuple(size for size in SIZES if size <= 16)
SQUARE: Final = ("potrf", "gehrd", "sytrd", "syevd", "gees", "geev")
STATUSES: Final = {"gees": 2, "trsm": 0}  # how many results are integers, if not one
SHARE_OF_NANS: Final = 0.1
SHARE_OF_SELECTIONS: Final = 0.5  # of Cholesky factorizations, which selections follow

Shapes = Sequence[Sequence[int]]


def shapes_of(
    routine: str, letter: str, m: int, n: int, k: int, mode: str
) -> tuple[Shapes, Shapes]:  # fmt: skip
    """The shapes of operands and of results for one matrix, the status left out."""
    least, mn = min(m, n), (m, n)
    left, right = {"A": (m, n), "S": (least, least), "N": (m, n)}[mode]
    values = [(n,)] * (1 if letter in "cz" else 2)  # in two parts if the matrix is real
    table: Mapping[str, tuple[Shapes, Shapes]] = {
        "potrf": ([(n, n)], [(n, n)]),
        "geqrf": ([mn], [mn, (least,)]),
        "orgqr": ([(max(m, n), least), (min(k, least),)], [(max(m, n), least)]),
        "ormqr": ([(m, k), (min(m, k),), mn], [mn]),
        "gehrd": ([(n, n)], [(n, n), (n - 1,)]),
        "sytrd": ([(n, n)], [(n, n), (n,), (n - 1,), (n - 1,)]),
        "syevd": ([(n, n)], [(n, n), (n,)]),
        "gees": ([(n, n)], [(n, n), (n, n), *values]),
        "geev": ([(n, n)], [*values, (n, n), (n, n)]),
        "getrf": ([mn], [mn, (least,)]),
        "trsm": ([(m, m), mn], [mn]),
        "gesdd": ([mn], [mn, (least,), (m, left), (right, n)]),
    }
    return table[routine]


def options_of(random: Random, routine: str, n: int, mode: str) -> str:
    """The options of a routine."""
    uplo, vectors, left = ord(random.choice("LU")), *(ord(random.choice("VN")) for _ in range(2))
    transposed = random.choice(("true", "false"))
    transpose, unit = ord(random.choice("NTC")), ord(random.choice("NU"))
    return {
        "potrf": f"uplo = {uplo} : ui8",
        "sytrd": f"uplo = {uplo} : ui8",
        "syevd": f"uplo = {uplo} : ui8, mode = {vectors} : ui8",
        "gehrd": f"low = 1 : i32, high = {n} : i32",
        "gees": f"mode = {vectors} : ui8, sort = {ord('N')} : ui8",
        "geev": f"compute_left = {left} : ui8, compute_right = {vectors} : ui8",
        "gesdd": f"mode = {ord(mode)} : ui8",
        "trsm": f"side = {ord('L')} : ui8, uplo = {uplo} : ui8, trans_x = {transpose} : ui8, "
        f"diag = {unit} : ui8",
        "ormqr": f"left = true, transpose = {transposed}",
    }.get(routine, "")


def types_of_results(routine: str, letter: str, count: int) -> list[str]:
    """The element types of results, the status left out."""
    names = [TYPES[letter][0]] * count
    for number in REAL_RESULTS.get(routine, ()):
        names[number] = TYPES[REAL_LETTERS[letter]][0]
    if routine in INDEX_RESULTS:
        names[INDEX_RESULTS[routine]] = "i32"
    for number in COMPLEX_RESULTS.get(routine, ()) if letter in COMPLEX_LETTERS else ():
        names[number] = TYPES[COMPLEX_LETTERS[letter]][0]
    return names


def program(seed: str, sizes: Sequence[int] = SIZES) -> tuple[str, list[Any]]:
    """A program with one call, and its arguments; rows and columns are drawn from sizes."""
    random = Random(seed)
    routine = random.choice([*SQUARE, "geqrf", "orgqr", "ormqr", "gesdd", "getrf", "trsm"])
    letter = random.choice("sdcz" if routine in OF_COMPLEX else "sd")
    batch, mode = random.choice(BATCHES), random.choice("ASN")
    m, n, k = (random.choice(sizes) for _ in range(3))
    operands, results = shapes_of(routine, letter, m, n, k, mode)
    name, dtype = TYPES[letter]
    if routine == "potrf" and random.random() < SHARE_OF_SELECTIONS:
        uplo, direction = random.choice((("L", "GE"), ("U", "LE"), ("L", "GT")))
        text = cholesky_text(letter, n, (batch,), uplo, direction)
        return text, [matrices(random, (batch, n, n), dtype)]
    inputs = [tensor((batch, *shape), name) for shape in operands]
    statuses = [tensor((batch,), "i32")] * STATUSES.get(routine, 1)
    names_of_results = types_of_results(routine, letter, len(results))
    pairs = zip(results, names_of_results, strict=True)
    outputs = [*(tensor((batch, *shape), result) for shape, result in pairs), *statuses]
    target = OF_COMPLEX[routine] if letter in "cz" else routine
    arguments = ", ".join(f"%{number}: {kind}" for number, kind in enumerate(inputs))
    names = ", ".join(f"%{number}" for number in range(len(inputs)))
    outcomes = ", ".join(f"%r#{number}" for number in range(len(outputs)))
    results_name = f"%r:{len(outputs)}" if len(outputs) > 1 else "%r"
    if len(outputs) == 1:
        outcomes = "%r"
    text = f"""func.func @main({arguments}) -> ({", ".join(outputs)}) {{
      {results_name} = stablehlo.custom_call @lapack_{letter}{target}_ffi({names})
        {{api_version = 4 : i32, backend_config = {{{options_of(random, routine, n, mode)}}}}}
        : ({", ".join(inputs)}) -> ({", ".join(outputs)})
      return {outcomes} : {", ".join(outputs)}
    }}"""
    return text, [matrices(random, (batch, *shape), dtype) for shape in operands]


def tensor(shape: Sequence[int], name: str) -> str:
    """The type of a tensor."""
    return f"tensor<{'x'.join(map(str, shape))}x{name}>"


def matrices(random: Random, shape: Sequence[int], dtype: Any) -> Any:
    """Normal numbers, sometimes with zeros; in a few matrices one is not a number."""
    generator = np.random.default_rng(random.getrandbits(32))
    values = np.asarray(generator.standard_normal(shape), np.complex128)
    if dtype in COMPLEX:
        values += 1j * generator.standard_normal(shape)
    if random.random() < SHARE_OF_NANS:
        values = np.round(values)
    if values.size and random.random() < SHARE_OF_NANS:
        values.reshape(-1)[generator.integers(values.size)] = np.nan
    return values.astype(dtype) if dtype in COMPLEX else values.real.astype(dtype)


def seeded_programs(
    seed: str, first: int, count: int, sizes: Sequence[int] = SIZES
) -> Iterator[tuple[str, str, list[Any]]]:
    """Programs with their names and arguments."""
    for number in range(first, first + count):
        yield f"linear algebra {seed}:{number}", *program(f"{seed}:{number}", sizes)
