"""The functions of this package, by the names under which they are called."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Final

from stablemate.compiler.library_calls.compact.complex_matrices import (
    general as complex_general,
)
from stablemate.compiler.library_calls.compact.complex_matrices import (
    hermitian as complex_hermitian,
)
from stablemate.compiler.library_calls.compact.complex_matrices import (
    reflectors as complex_reflectors,
)
from stablemate.compiler.library_calls.compact.complex_matrices import (
    singular_values as complex_singular_values,
)
from stablemate.compiler.library_calls.compact.complex_matrices import (
    triangular as complex_triangular,
)
from stablemate.compiler.library_calls.compact.eigen.routines import gees, geev
from stablemate.compiler.library_calls.compact.reflectors import gehrd, geqrf, orgqr, ormqr
from stablemate.compiler.library_calls.compact.routines import getrf, potrf, trsm
from stablemate.compiler.library_calls.compact.singular_values import gesdd
from stablemate.compiler.library_calls.compact.symmetric import syevd, sytrd
from stablemate.compiler.library_calls.compact.text import (
    BYTES,
    VALUES,
    VectorElements,
    function_name,
)

FUNCTIONS_OF_LLVM: Final = {"fma": 3, "sqrt": 1, "fabs": 1, "copysign": 2}
VECTOR_BYTES: Final = (8, 16, 32, 64)


def compact_text(name: str) -> str:
    """The LLVM text of a function, by its name."""
    write, elements = WRITERS[name]
    lanes, letter = elements.lanes, elements.letter
    vector, suffix = f"<{lanes} x {VALUES[letter]}>", f"v{lanes}f{8 * BYTES[letter]}"
    declarations = [
        f"declare {vector} @llvm.{function}.{suffix}({', '.join([vector] * count)})"
        for function, count in FUNCTIONS_OF_LLVM.items()
    ]
    return "\n".join(["declare i64 @llvm.smin.i64(i64, i64)", *declarations, write(elements)])


ELEMENTS: Final = tuple(itertools.starmap(VectorElements, itertools.product(VALUES, VECTOR_BYTES)))
Write = Callable[[VectorElements], str]
REAL: Final[tuple[Write, ...]] = (
    potrf, getrf, trsm, geqrf, orgqr, ormqr, gehrd, sytrd, syevd, gesdd, geev, gees,
)  # fmt: skip
COMPLEX: Final[tuple[Write, ...]] = (
    complex_triangular.potrf, complex_triangular.getrf, complex_triangular.trsm,
    complex_reflectors.geqrf, complex_reflectors.orgqr, complex_reflectors.gehrd,
    complex_hermitian.sytrd, complex_hermitian.syevd, complex_singular_values.gesdd,
    complex_general.geev, complex_general.gees,
)  # fmt: skip
WRITERS: Final[Mapping[str, tuple[Write, VectorElements]]] = {
    function_name(write.__name__, elements, is_complex=is_complex): (write, elements)
    for is_complex, functions in ((False, REAL), (True, COMPLEX))
    for elements in ELEMENTS
    for write in functions
}
