"""Pages of verbs, from the command line's own tables."""

from __future__ import annotations

from collections.abc import Iterator

import click

from stablemate.cli import VERBS, main
from tools.site.markdown import code, fence, prose, table


def files() -> Iterator[tuple[str, str]]:
    """A page for each verb, and one that lists them."""
    context = click.Context(main, info_name="stablemate")
    yield "commands.md", "\n".join(index(context))
    for verb in VERBS:
        command = main.get_command(context, verb)
        assert command is not None
        own = click.Context(command, parent=context, info_name=verb)
        yield f"commands/{verb}.md", "\n".join(page(own, command))


def index(context: click.Context) -> Iterator[str]:
    """All verbs, each with its sentence."""
    yield from ("# Command line", "", *paragraphs(main.help or ""))
    yield from table(
        ("verb", "what it does"),
        ((f"[{code(verb)}](commands/{verb}.md)", prose(text)) for verb, text in VERBS.items()),
    )
    yield from options(context, main)
    yield from epilog(main.epilog or "")
    yield from ("```{toctree}", ":hidden:", "")
    yield from (f"commands/{verb}" for verb in VERBS)
    yield "```"


def page(context: click.Context, command: click.Command) -> Iterator[str]:
    """A verb: its usage, what it does, its options, and what stands behind them."""
    yield from (f"# {command.name}", "")
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield from fence(usage, "text")
    yield from paragraphs(command.help or "")
    yield from options(context, command)
    yield from epilog(command.epilog or "")


def paragraphs(text: str) -> Iterator[str]:
    """A text of help."""
    for part in text.split("\n\n"):
        yield f"{prose(part)}\n"


def options(context: click.Context, command: click.Command) -> Iterator[str]:
    """A table of options."""
    records = [get_param.get_help_record(context) for get_param in command.get_params(context)]
    yield from ("## Options", "")
    yield from table(
        ("", ""),
        ((code(record[0]), prose(record[1])) for record in records if record and record[1]),
    )


def epilog(text: str) -> Iterator[str]:
    """What stands behind the options: titles at the margin, lines as they are below them."""
    for part in text.replace("\b\n", "").strip("\n").split("\n\n"):
        first, *rest = part.splitlines() or [""]
        verbatim = bool(rest) and all(item.startswith("  ") for item in rest)
        if verbatim and first.endswith(":"):
            yield from (f"**{prose(first[:-1])}**", "")
            yield from fence("\n".join(item[2:] for item in rest), "text")
        elif verbatim and not first.startswith("  "):
            yield from (f"{prose(first)}", "")
            yield from fence("\n".join(item[2:] for item in rest), "text")
        elif part.startswith("  "):
            yield from fence("\n".join(line[2:] for line in part.splitlines()), "text")
        elif part:
            yield from (prose(part), "")
