"""Reports the search for NaN and infinities, as text or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.inspection.nonfinite import find_nan
from stablemate.cli.exit_codes import FAILED, FINDING
from stablemate.cli.options import color_for
from stablemate.cli.output.progress import progress
from stablemate.cli.verbs.execute.observed_run import prepare_run
from stablemate.cli.verbs.execute.session import RunCommandOptions


def run(options: RunCommandOptions, kinds: Sequence[str]) -> int:
    """Searches for NaN and infinities; returns the exit code."""
    module, entry, arguments, how = prepare_run(options)
    with progress(f"running {entry}"):
        search = find_nan(
            module,
            *arguments,
            find=kinds,
            entry=entry,
            backend=options.backend or DEFAULT_BACKEND,
            **how,
        )
    if options.output_format == "json":
        click.echo(json.dumps(search.to_json(), allow_nan=False))
    else:
        color = color_for(sys.stdout)
        click.echo(search.text(color=color), color=color)
    if search.finding is not None:
        return FINDING
    return 0 if search.failure is None else FAILED
