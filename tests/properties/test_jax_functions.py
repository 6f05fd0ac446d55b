"""Leading terms of JAX's special functions, and what the page says of their errors."""

from __future__ import annotations

import re
from typing import Final

import mpmath
import numpy as np
import pytest

from tools.accuracy.jax_functions import FUNCTIONS, GOOD, PAGE, largest, operands

ROW: Final = re.compile(r"^\| `(.+?)` \| (.*) \|$", re.MULTILINE)
DIGITS: Final = 400  # of which 150 are zeros in the sum of a subnormal number and 1
POINTS: Final = (2.0**-149, 3 * 2.0**-149, 2.0**-140, 2.0**-127, 2.0**-126)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_leading_terms_are_those_of_mpmath(name: str) -> None:
    function = FUNCTIONS[name]
    numbers = [sign * x for x in POINTS for sign in ((1, -1) if function.is_signed else (1,))]
    with mpmath.workdps(DIGITS):
        exact = [float(function.exact(mpmath.mpf(x))) for x in numbers]
    with np.errstate(over="ignore"):
        leading = function.leading(np.array(numbers))
    np.testing.assert_allclose(leading, exact, rtol=1e-14)


def test_the_page_names_each_function_and_no_error_of_our_own() -> None:
    rows = {name: cells.split(" | ") for name, cells in ROW.findall(PAGE.read_text())}
    assert rows.keys() == FUNCTIONS.keys()
    assert {cells[-1] for cells in rows.values()} <= {"", "JAX's formula", "JAX's loop"}


CLOSED: Final = ("digamma(x)", "gammaln(x)", "erf(x)", "erfinv(x)", "i1e(x)", "ndtri(x)")


@pytest.mark.parametrize("name", CLOSED)
def test_functions_that_are_kept_are_right_at_subnormals(name: str) -> None:
    import jax

    numbers = operands(name, 4001)
    device = jax.devices("stablemate")[0]
    with jax.default_device(device):
        results = jax.jit(FUNCTIONS[name].apply)(numbers)
    assert largest(name, results, numbers) <= GOOD
