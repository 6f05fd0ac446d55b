"""``stablemate explain``: what the parts of a shape mean."""

from __future__ import annotations

import json

import click

from stablemate.cli.options import format_option, shared_options


@click.command("explain")
@click.argument("subject", metavar="SHAPE")
@format_option
@shared_options
def command(subject: str, output_format: str) -> None:
    """Say what the parts of a shape of XLA mean.

    For example 'bf16[8,128]{1,0:T(8,128)(2,1)S(1)}'.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.xla.explain import explain_shape, explanation
    from stablemate.xla.shape import Shape

    shape = Shape(subject)
    if output_format == "json":
        rows = [{"text": each.text, "meaning": each.meaning} for each in explain_shape(shape)]
        click.echo(json.dumps(rows, indent=2))
    else:
        click.echo(explanation(shape))
