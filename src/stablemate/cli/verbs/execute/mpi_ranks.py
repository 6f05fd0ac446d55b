"""Aborts the whole MPI job when one rank fails."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager

import click

from stablemate import execution
from stablemate.cli.exit_codes import FAILED
from stablemate.cli.options import color_for
from stablemate.diagnostics.errors import StablemateError


@contextmanager
def aborting_all_ranks(carrier: str) -> Generator[None]:
    """Aborts the job when the body fails on this rank only; the message gives the reason.

    What all ranks know of, they end with on their own.
    """
    try:
        yield
    except (execution.PeerError, click.exceptions.Exit):
        raise
    except BaseException as error:
        if carrier != "mpi":
            raise
        group = execution.ranks()
        color = color_for(sys.stderr)
        if isinstance(error, StablemateError):
            click.echo(f"rank {group.rank}: {error.render(color=color)}", err=True, color=color)
        else:
            click.echo(f"rank {group.rank}: {traceback.format_exc()}", err=True)
        sys.stderr.flush()
        group.abort(FAILED)
        raise
