"""Options that say what is near enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from stablemate.cli.options import Number, WholeNumber

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def tolerance_options(function: FunctionT) -> FunctionT:
    """Adds the options; without them floats are near enough with half of their digits."""
    added = (
        click.option(
            "--ulp", type=WholeNumber(min=0), metavar="N",
            help="Near enough if at most N representable numbers apart.",
        ),
        click.option(
            "--atol", type=Number(min=0), metavar="X",
            help="Near enough if |got - expected| <= X + rtol * |expected|.",
        ),
        click.option(
            "--rtol", type=Number(min=0), metavar="X",
            help="See --atol. Without the three, half of the digits of a float have to agree.",
        ),
    )  # fmt: skip
    for each in reversed(added):
        function = each(function)
    return function
