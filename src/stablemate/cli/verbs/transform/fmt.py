"""``stablemate fmt``: prints a program in canonical form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import IO, Final

import click

from stablemate.cli.options import STDIN, STDOUT, WholeNumber, hlo_options, shared_options

CHANGED: Final = 1


@click.command("fmt")
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option("--generic", is_flag=True, help='Write every operation as "dialect.name"(...).')
@click.option("--debug-info", is_flag=True, help="Keep locations.")
@click.option("--elide", type=WholeNumber(min=0), metavar="N", help="Leave out longer literals.")
@click.option("--check", is_flag=True, help="Print nothing; exit with 1 if the text would change.")
@click.option("-i", "--in-place", is_flag=True, help="Write back to each FILE.")
@click.option("-o", "--output", default=STDOUT, metavar="OUT", help="Write to a file.")
@hlo_options
@shared_options
@click.pass_context
def command(
    context: click.Context,
    files: Sequence[str],
    generic: bool,
    debug_info: bool,
    elide: int | None,
    check: bool,
    in_place: bool,
    output: str,
    entry: str | None,
    layout: str | None,
) -> None:
    """Print a program in the canonical form.

    Comments are not kept, and locations only with --debug-info. A program that breaks a rule can
    be printed with --generic. Several files need --check or --in-place.
    """
    # Here and not above, because they load much: help and completion stay instant.
    from stablemate.cli.input.programs import load_program
    from stablemate.cli.output.output_files import check_writable, write_files
    from stablemate.cli.output.progress import progress
    from stablemate.diagnostics.progress import with_progress

    if check + in_place + (output != STDOUT) > 1:
        context.fail("--check, --in-place and --output exclude each other")
    if len(files) > 1 and not (check or in_place):
        context.fail("several files need --check or --in-place")
    if in_place and STDIN in files:
        context.fail("stdin cannot be written back to")
    if in_place and elide is not None:
        context.fail("--in-place with --elide would destroy the program")
    changed = False
    with progress("formatting") as display:
        for file in with_progress(files, "file"):
            target = file if in_place else output
            if not check:
                check_writable(target)
            module = load_program(file, entry=entry, layout=layout)
            if not generic:
                module.verify()
            text = module.to_text(generic=generic, debug_info=debug_info, elide=elide)
            text = text.rstrip("\n") + "\n"
            unchanged = module.read_text == text
            if check:
                if not unchanged:
                    with display.aside():
                        click.echo(f"{file} is not in the canonical form", err=True)
                changed = changed or not unchanged
                continue
            if in_place and module.read_text is None:
                context.fail(f"{file} is not text: --in-place would change its format")
            if not (in_place and unchanged):
                with display.aside():
                    write_files({target: partial(write_text, text=text)})
    context.exit(CHANGED if changed else 0)


def write_text(stream: IO[bytes], text: str) -> None:
    """Writes the formatted program with the bytes that were no UTF-8 restored."""
    stream.write(text.encode("utf-8", "surrogateescape"))
