"""``stablemate lsp``: a language server for editors."""

from __future__ import annotations

import click

import stablemate
from stablemate.cli.options import shared_options


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Serve over stdin and stdout; there is no other way.")
@shared_options
def command(stdio: bool) -> None:
    """Serve an editor: diagnostics, hover, completion, refactorings as you type.

    The editor starts it. It needs the extra 'lsp': pip install ".[lsp]".
    """
    try:
        # Here and not above: it is an extra.
        from stablemate.lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise click.ClickException(
            f"the language server needs {error.name}: pip install pygls"
        ) from None
    serve(stablemate.__version__)
