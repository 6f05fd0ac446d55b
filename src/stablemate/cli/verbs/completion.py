"""``stablemate completion``: prints the completion script of a shell."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import get_completion_class

from stablemate.cli.options import shared_options

SET_UP: Final = """\b
bash, in ~/.bashrc:
  eval "$(stablemate completion bash)"
zsh, in ~/.zshrc:
  eval "$(stablemate completion zsh)"
fish, once:
  stablemate completion fish > ~/.config/fish/completions/stablemate.fish
"""


@click.command("completion", epilog=SET_UP)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@shared_options
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell."""
    script = get_completion_class(shell)
    assert script is not None  # click knows all three
    root = context.find_root().command
    click.echo(script(root, {}, "stablemate", "_STABLEMATE_COMPLETE").source())
