"""The options of tolerances."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from stablemate.cli.options import BoundedNumber, WholeNumber

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])


def tolerance_options(function: FunctionT) -> FunctionT:
    """Adds the options; by default, half of the digits of a float must agree."""
    added = (
        click.option(
            "--ulp", type=WholeNumber(min=0), metavar="N",
            help="Accept results at most N units in the last place apart.",
        ),
        click.option(
            "--atol", type=BoundedNumber(min=0), metavar="X",
            help="Accept |got - expected| <= X + rtol * |expected|.",
        ),
        click.option(
            "--rtol", type=BoundedNumber(min=0), metavar="X",
            help="See --atol. By default, half of the digits of a float must agree.",
        ),
    )  # fmt: skip
    for decorate in reversed(added):
        function = decorate(function)
    return function
