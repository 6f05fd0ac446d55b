"""Warnings of conversions, printed as diagnostics."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Generator
from contextlib import contextmanager

import click

from stablemate.cli.options import color_for
from stablemate.diagnostics.errors import ConversionWarning


@contextmanager
def losses_on_stderr() -> Generator[None]:
    """Prints on stderr what conversions inside leave out; other warnings stay as they are."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConversionWarning)
        yield
    color = color_for(sys.stderr)
    for warning in caught:
        match warning.message:
            case ConversionWarning(diagnostic=diagnostic):
                click.echo(diagnostic.render(color=color), err=True, color=color)
            case message:
                warnings.warn(message, stacklevel=3)
