"""Generated calls of routines of linear algebra: sizes, options and matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

from tests.compiler.linear_algebra.residuals import adjoint
from tests.compiler.linear_algebra.routines import ROUTINES, Routine, Sizes

DTYPES: Final[Mapping[str, Any]] = {
    "s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128,
}  # fmt: skip
FORMS: Final = ("call", "call", "loop", "dynamic")
VALUES: Final = ("normal", "normal", "singular", "graded", "zero", "integers", "tiny", "huge")
OWN_SCALE: Final = ("tiny", "huge")
SCALES: Final[Mapping[str, tuple[Sequence[int], Sequence[int]]]] = {
    "tiny": (range(5), (1000, 10_000, 100_000)),
    "small": (range(41), (0, 1, 2, 7, 8, 9, 16, 17, 33)),
    "medium": (range(17, 130), (1, 2, 5)),
    "large": (range(64, 521), (1,)),
}
NUMBERS: Final = (np.nan, np.inf, -np.inf)


@dataclass(frozen=True, slots=True)
class Case:
    """A call.

    Attributes:
        name: The name of the routine.
        letter: The letter of the element type.
        form: Whether it is a call, or one in a loop, or one for a number of matrices that is not
            known when it is compiled.
        batch: The number of matrices.
        sizes: Their sizes.
        options: The options of the routine.
        values: Which matrices they are.
        seed: The seed of their elements.
    """

    name: str
    letter: str
    form: str
    batch: int
    sizes: Sizes
    options: Mapping[str, Any]
    values: str
    seed: int

    @property
    def routine(self) -> Routine:
        """The routine."""
        return ROUTINES[self.name]

    @property
    def dtype(self) -> Any:
        """The element type."""
        return np.dtype(DTYPES[self.letter])

    @property
    def is_scaled(self) -> bool:
        """Whether the matrices are tiny or huge."""
        return self.values in OWN_SCALE


def generated_case(seed: str, names: Sequence[str]) -> Case:
    """A random case."""
    random = Random(seed)
    name, letter = random.choice(names), random.choice("sdcz")
    routine = ROUTINES[name]
    scale = random.choice(("tiny", "small", "small", "small", "small", "medium", "large"))
    extents, batches = SCALES[scale]
    options = routine.drawn(random)
    sizes = sizes_of(random, routine, [random.choice(extents) for _ in range(3)], letter)
    if name in ("gehrd", "sytrd") and not sizes.n:  # JAX has no others
        sizes = Sizes(1, 1, 1, sizes.is_complex)
    if name == "gehrd":
        options |= {"low": 1, "high": sizes.n}
    if name in ("geev", "gees"):
        options |= {"is_complex": sizes.is_complex}
    values = random.choice([each for each in VALUES if routine.scaled or each not in OWN_SCALE])
    if routine.operands == "definite" and values in ("singular", "integers"):
        values = "indefinite"
    batch, form = random.choice(batches), random.choice(FORMS)
    return Case(name, letter, form, batch, sizes, options, values, random.getrandbits(32))


def sizes_of(random: Random, routine: Routine, drawn: Sequence[int], letter: str) -> Sizes:
    """The sizes that an operand may have."""
    m, n, k = drawn
    if routine.operands in ("square", "symmetric", "definite"):
        m = n
    if routine.operands == "reflectors":  # k <= n <= m
        k, n, m = sorted(drawn)
    if routine.operands == "tridiagonal":
        n, k = max(n, 1), max(k, 1)
    if routine.operands in ("triangular", "multiplied"):
        m, n = max(m, 1), max(n, 1)
    if routine.operands == "general" and random.random() < 0.3:
        m = n
    return Sizes(m, n, k, letter in "cz")


def operands_of(case: Case) -> list[Any]:
    """The operands of a case."""
    return [np.ascontiguousarray(x, case.dtype) for x in wide_operands(case)]


def wide_operands(case: Case) -> list[Any]:
    """The operands in the widest type."""
    generator, s = np.random.default_rng(case.seed), case.sizes
    kind = case.routine.operands

    def normal(*shape: int) -> Any:
        parts = generator.standard_normal((2, case.batch, *shape))
        return parts[0] + 1j * parts[1] if s.is_complex else parts[0]

    if kind == "reflectors":
        factors, taus = reflectors_of(normal(s.m, s.k))
        return [np.concatenate([factors, normal(s.m, s.n - s.k)], axis=2), taus]
    if kind == "multiplied":
        order = s.m if case.options["left"] else s.n
        c = normal(s.m, s.n)
        return [*reflectors_of(normal(order, min(s.k, order))), c]
    if kind == "triangular":
        is_left = case.options.get("side") == "L" or bool(case.options.get("left_side"))
        order = s.m if is_left else s.n
        shift = np.eye(order) * (order if case.values == "normal" else 0)
        t = of_values(case, normal(order, order))
        return [(t + shift) / max(order, 1), normal(s.m, s.n)]
    if kind == "tridiagonal":
        diagonals = [of_values(case, normal(s.n, 1))[:, :, 0] for _ in range(3)]
        return [*diagonals, normal(s.n, s.k)]
    return [of_values(case, normal(s.m, s.n))]


def reflectors_of(a: Any) -> tuple[Any, Any]:
    """Reflectors as LAPACK's geqrf has them, and their factors."""
    if not a.size:
        return a, np.zeros((*a.shape[:1], min(a.shape[1:])), a.dtype)
    factors, taus = np.linalg.qr(a, mode="raw")
    return np.swapaxes(factors, 1, 2), taus


def of_values(case: Case, a: Any) -> Any:
    """Matrices of the kind and with the values of a case, which are made of normal numbers."""
    order, kind, limits = max(a.shape[1:]), case.routine.operands, np.finfo(case.dtype)
    if case.values == "singular" and a.shape[2] > 1:
        a[:, :, -1] = a[:, :, 0]
    elif case.values == "graded":
        a = a * 2.0 ** np.linspace(0, -20, a.shape[2])
    elif case.values == "zero":
        a = a * 0
    elif case.values == "integers":
        a = np.rint(a)
    if kind == "definite":
        sign = -1 if case.values == "indefinite" else 1
        a = a @ adjoint(a) * sign + order * np.eye(a.shape[2])
    elif kind == "symmetric":
        a = a + adjoint(a)
    largest = np.abs(a).max(initial=1)
    if case.values == "tiny":
        a = a / largest * float(limits.tiny) * 64
    elif case.values == "huge":
        a = a / largest * (float(limits.max) / 64 / max(order, 1))
    return a


def disturbed(case: Case, operands: Sequence[Any]) -> tuple[list[Any], int]:
    """The operands, with a number that is not finite in the first one, and its matrix."""
    random = Random(case.seed)
    first = np.array(operands[0])
    number = random.randrange(case.batch)
    place = [random.randrange(extent) for extent in first.shape[1:]]
    first[number, *place] = random.choice(NUMBERS)
    if case.routine.operands in ("symmetric", "definite"):
        first[number, *place[::-1]] = first[number, *place]
    return [first, *operands[1:]], number
