"""The functions of this package, by the names under which they are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from stablemate.compiler.config.target import Target
from stablemate.compiler.library_calls.blocked import (
    hessenberg,
    reflectors,
    symmetric,
)
from stablemate.compiler.library_calls.blocked.routines import potrf, trsm
from stablemate.compiler.library_calls.blocked.tiles import (
    VECTORS,
    RegisterTile,
    factor_tile,
    shape_of,
    solve_tile,
)
from stablemate.compiler.library_calls.compact.text import BYTES, VALUES
from stablemate.compiler.library_calls.transposition import transposition


def potrf_parts(shape: RegisterTile) -> Sequence[str]:
    """The functions that Cholesky factorizations call."""
    tiles = [solve_tile(shape, shape.rows, vectors) for vectors in VECTORS]
    return [*tiles, transposition(BYTES[shape.letter]), factor_tile(shape)]


def trsm_parts(shape: RegisterTile) -> Sequence[str]:
    """The functions that triangular solves call."""
    tiles = [solve_tile(shape, rows, vectors) for vectors in VECTORS for rows in (shape.rows, 1)]
    return [*tiles, transposition(BYTES[shape.letter])]


def blocked_text(name: str, target: Target) -> str:
    """The LLVM text of a function, by its name."""
    write, letter = WRITERS[name]
    shape = shape_of(letter, target)
    return "\n".join([*declarations(shape), *PARTS[write](shape), write(shape)])


def declarations(shape: RegisterTile) -> list[str]:
    """The functions of LLVM that the text calls."""
    scalar, bits = VALUES[shape.letter], 8 * BYTES[shape.letter]
    lines = [
        "declare i64 @llvm.smin.i64(i64, i64)",
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        *(
            f"declare {scalar} @llvm.{name}.f{bits}({', '.join([scalar] * count)})"
            for name, count in FUNCTIONS_OF_LLVM.items()
        ),
    ]
    for lanes in {shape.lanes, shape.rows}:
        vector, suffix = f"<{lanes} x {scalar}>", f"v{lanes}f{bits}"
        mask_type = f"<{lanes} x i1>"
        lines += [
            f"declare {vector} @llvm.fma.{suffix}({vector}, {vector}, {vector})",
            f"declare {vector} @llvm.masked.load.{suffix}.p0(ptr, i32, {mask_type}, {vector})",
            f"declare void @llvm.masked.store.{suffix}.p0({vector}, ptr, i32, {mask_type})",
        ]
    return sorted(lines)


FUNCTIONS_OF_LLVM: Final = {"sqrt": 1, "fabs": 1, "copysign": 2, "fma": 3}
REFLECTED: Final = (
    reflectors.geqrf, reflectors.orgqr, reflectors.ormqr, symmetric.ormtr,
)  # fmt: skip
PARTS: Final[Mapping[Callable[[RegisterTile], str], Callable[[RegisterTile], Sequence[str]]]] = {
    potrf: potrf_parts,
    trsm: trsm_parts,
    **dict.fromkeys(REFLECTED, reflectors.parts),
    symmetric.sytrd: symmetric.sytrd_parts,
    hessenberg.gehrd: hessenberg.gehrd_parts,
    symmetric.invalidate: lambda shape: (),
}
WRITERS: Final[Mapping[str, tuple[Callable[[RegisterTile], str], str]]] = {
    f"blocked_{letter}{write.__name__}": (write, letter) for letter in VALUES for write in PARTS
}
