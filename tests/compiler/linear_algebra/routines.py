"""The routines of linear algebra that the campaign calls: operands, results, options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from tests.compiler.linear_algebra import residuals
from tests.compiler.linear_algebra.residuals import Arrays, Options

Shape = Sequence[int]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a call: rows, columns, and the number of reflectors or right-hand sides."""

    m: int
    n: int
    k: int
    is_complex: bool

    @property
    def least(self) -> int:
        """The smaller one of rows and columns."""
        return min(self.m, self.n)


@dataclass(frozen=True, slots=True)
class Result:
    """A result of one matrix.

    Attributes:
        shape: Its shape.
        kind: Its elements: numbers of the type of the matrix (#), ``real`` or ``complex`` ones of
            its precision, ``index``.
        is_defined: Whether LAPACK says what it is.
    """

    shape: Shape
    kind: str = "#"
    is_defined: bool = True


@dataclass(frozen=True, slots=True)
class Routine:
    """A routine of LAPACK, or an operation.

    Attributes:
        results: Its results.
        errors: The residuals of each matrix.
        operands: Which operands it takes; see ``operands.py``.
        choices: Options, and the letters, names or truth values that they may be.
        status: Whether the last result is a status.
        scaled: The results that grow with the matrix, if it may be tiny or huge.
        is_operation: Whether it is an operation of StableHLO.
    """

    results: Callable[[Sizes, Options], Sequence[Result]]
    errors: Callable[[Arrays, Arrays, Options], Arrays]
    operands: str = "general"
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict[str, Sequence[Any]])
    status: bool = True
    scaled: Sequence[int] = ()
    is_operation: bool = False

    def drawn(self, random: Random) -> dict[str, Any]:
        """Random options."""
        return {name: random.choice(list(values)) for name, values in self.choices.items()}


STATUS: Final = Result((), "index")
OF_COMPLEX: Final = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd", "sytrd": "hetrd"}
# Of factors that contain reflectors, the upper triangle grows with the matrix.
BELOW: Final = {"getrf": -1, "geqrf": -1, "gehrd": -2, "sytrd": -2}
TRANSPOSES: Final = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")


def square(s: Sizes, kind: str = "#", *, is_defined: bool = True) -> Result:
    """A square matrix."""
    return Result((s.n, s.n), kind, is_defined)


def beside(s: Sizes, kind: str = "#") -> Result:
    """A vector that is one shorter than the matrix."""
    return Result((max(s.n - 1, 0),), kind)


def of_gesdd(s: Sizes, options: Options) -> Sequence[Result]:
    """The operand's memory, the values, the vectors."""
    mode, least = options["mode"], s.least
    left = (s.m, s.m if mode != "S" else least)
    right = (s.n if mode != "S" else least, s.n)
    wants = mode != "N"
    return [
        Result((s.m, s.n), is_defined=False), Result((least,), "real"),
        Result(left, is_defined=wants), Result(right, is_defined=wants), STATUS,
    ]  # fmt: skip


def of_geev(s: Sizes, options: Options) -> Sequence[Result]:
    """The values, in two parts if the matrix is real, left and right vectors."""
    values = [Result((s.n,))] * (1 if s.is_complex else 2)
    vectors = [
        square(s, "complex", is_defined=options[name] == "V")
        for name in ("compute_left", "compute_right")
    ]
    return [*values, *vectors, STATUS]


def of_gees(s: Sizes, options: Options) -> Sequence[Result]:
    """The form, the vectors, the values, the number of chosen ones."""
    values = [Result((s.n,))] * (1 if s.is_complex else 2)
    vectors = square(s, is_defined=options["mode"] == "V")
    return [square(s), vectors, *values, STATUS, STATUS]


ROUTINES: Final[Mapping[str, Routine]] = {
    "potrf": Routine(
        lambda s, o: [square(s), STATUS], residuals.potrf, "definite", {"uplo": "LU"}, scaled=(0,)
    ),
    "getrf": Routine(
        lambda s, o: [Result((s.m, s.n)), Result((s.least,), "index"), STATUS], residuals.getrf,
        scaled=(0,),
    ),
    "trsm": Routine(
        lambda s, o: [Result((s.m, s.n))], residuals.trsm, "triangular",
        {"side": "LR", "uplo": "LU", "trans_x": "NTC", "diag": "NU"}, status=False,
    ),
    "geqrf": Routine(
        lambda s, o: [Result((s.m, s.n)), Result((s.least,))], residuals.geqrf, status=False,
        scaled=(0,),
    ),
    "orgqr": Routine(
        lambda s, o: [Result((s.m, s.n))], residuals.orgqr, "reflectors", status=False
    ),
    "ormqr": Routine(
        lambda s, o: [Result((s.m, s.n))], residuals.ormqr, "multiplied",
        {"left": (True, False), "transpose": (True, False)}, status=False,
    ),
    "gehrd": Routine(
        lambda s, o: [square(s), beside(s), STATUS], residuals.gehrd, "square", scaled=(0,)
    ),
    "sytrd": Routine(
        lambda s, o: [square(s), Result((s.n,), "real"), beside(s, "real"), beside(s), STATUS],
        residuals.sytrd, "symmetric", {"uplo": "LU"}, scaled=(0, 1, 2),
    ),
    "syevd": Routine(
        lambda s, o: [square(s, is_defined=o["mode"] == "V"), Result((s.n,), "real"), STATUS],
        residuals.syevd, "symmetric", {"uplo": "LU", "mode": "VN"}, scaled=(1,),
    ),
    "gesdd": Routine(of_gesdd, residuals.gesdd, choices={"mode": "ASN"}, scaled=(1,)),
    "geev": Routine(
        of_geev, residuals.geev, "square", {"compute_left": "NV", "compute_right": "VN"},
        scaled=(0,),
    ),
    "gees": Routine(of_gees, residuals.gees, "square", {"mode": "VN", "sort": "N"}, scaled=(0,)),
    "gtsv": Routine(
        lambda s, o: [*[Result((s.n,))] * 3, Result((s.n, s.k)), STATUS], residuals.gtsv,
        "tridiagonal",
    ),
    "cholesky": Routine(
        lambda s, o: [square(s)], residuals.cholesky, "definite", {"lower": (True, False)},
        status=False, scaled=(0,), is_operation=True,
    ),
    "triangular_solve": Routine(
        lambda s, o: [Result((s.m, s.n))], residuals.triangular_solve, "triangular",
        {
            "left_side": (True, False), "lower": (True, False), "unit_diagonal": (True, False),
            "transpose_a": TRANSPOSES,
        },
        status=False, is_operation=True,
    ),
}  # fmt: skip
