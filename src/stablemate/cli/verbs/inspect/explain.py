"""``stablemate explain``: explains operations, rules, codes, attributes and types."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import click

from stablemate.cli.options import color_for, format_option, shared_options

EXAMPLES: Final = """\b
Examples:
  stablemate explain                                  the index of all pages
  stablemate explain dot_general                      an operation, with an example
  stablemate explain stablehlo.concatenate/C4         the code of an error
  stablemate explain dot_general C12                  a rule of the specification
  stablemate explain precision_config                 an attribute, also '#stablehlo.gather'
  stablemate explain f8E4M3FN                         a type, also 'bounded dimension'
  stablemate explain broadcasting                     a concept, also softmax or conv2d
  stablemate explain 'bf16[8,128]{1,0:T(8,128)}'      a shape of XLA
"""


@click.command("explain", epilog=EXAMPLES)
@click.argument("subject", metavar="WHAT...", nargs=-1)
@format_option
@shared_options
def command(subject: Sequence[str], output_format: str) -> None:
    """Explain an operation, a rule, an error code, an attribute, a type or a concept.

    Opcodes of HLO, methods of XlaBuilder, and usual functions of NumPy, JAX and PyTorch are
    explained, too.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    import json

    import stablemate as sm
    from stablemate.diagnostics.errors import ArgumentValueError

    try:
        page = sm.explain(" ".join(subject) or "index")
    except sm.ParseError as error:  # of a shape, which is no program but an argument
        raise ArgumentValueError(error.diagnostics) from error
    if output_format == "json":
        click.echo(json.dumps(page.to_json(), indent=2))
        return
    color = color_for(sys.stdout)
    for line in page.lines():
        title = line[:1].strip() != ""
        click.echo(click.style(line, bold=True) if color and title else line, color=color)
