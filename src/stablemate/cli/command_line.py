"""The verbs of the command line, and what every invocation shares.

Each verb is a file of its own, imported when it is used: asking for help costs neither NumPy nor
the readers. Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import warnings
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Final

import click

import stablemate
from stablemate.cli.exit_codes import BROKEN_PIPE, INTERRUPTED
from stablemate.cli.options import color_for, debugging, with_options
from stablemate.cli.output.safe_text import SafeText

VERBS: Final = {
    "run": "Run a program and print, write or compare its results.",
    "check": "Parse and verify programs; report each violated rule and its location.",
    "info": "Summarize a program: its functions, operations, constants and sizes.",
    "dump": "Show what a compiler dumped: modules, passes, memory and kernels.",
    "convert": "Write a program in another format: text, bytecode, portable artifact, HLO.",
    "fmt": "Print a program in the canonical form.",
    "emit": "Print the output of a stage of the compiler, or a page of all stages.",
    "build": "Build a library with a C header, which runs a program without Python.",
    "cost": "Estimate memory, arithmetic and communication before a program runs.",
    "dbg": "Step through a program and inspect its values.",
    "nan": "Run a program until the first NaN or infinity, and report where it originates.",
    "trace": "Run a program and print the results of every operation.",
    "profile": "Print how long each kernel of a compiled program takes.",
    "opt": "Run passes, under their upstream names, and print the program.",
    "view": "Show a program as an interactive page, or as an outline in the terminal.",
    "refine": "Print a program with the shapes inferred from its argument types.",
    "compare": "Compare the values of two executors, two programs or two traces.",
    "bisect": "Find the first operation whose result diverges from the interpreter's.",
    "reduce": "Reduce a program and its inputs while a command keeps failing.",
    "explain": "Explain an operation, a rule, an error code, an attribute, a type or a concept.",
    "diff": "Compare two programs by structure, ignoring names and formatting.",
    "fingerprint": "Print digests of programs that ignore names, locations and formats.",
    "serve": "Serve programs over HTTP, in the Open Inference protocol (KServe, version 2).",
    "lsp": "Serve an editor: diagnostics, hover, completion, refactorings as you type.",
    "cache": "List the compiled programs on disk, or remove them.",
    "completion": "Print the completion script of a shell.",
}

# The package of each verb inside ``verbs``; other verbs are modules of ``verbs`` itself.
HOMES: Final = {
    "execute": ("run", "trace", "profile", "compare", "bisect", "dbg", "nan"),
    "inspect": ("check", "info", "dump", "explain", "view", "diff", "fingerprint", "cost"),
    "transform": ("convert", "fmt", "opt", "refine", "emit", "build", "reduce"),
}

# Before NumPy is imported: threads of its OpenBLAS that have nothing to do sleep after 2^4 cycles.
# By default they spin for 2^26: a tenth of a second of processor time whenever a command starts.
OPENBLAS_TIMEOUT: Final = ("OPENBLAS_THREAD_TIMEOUT", "4")
# Objects that are made before the cyclic collector looks at them: what imports make stays, and
# looking at it after every 700 takes a sixteenth of a short command's time.
COLLECTION_THRESHOLD: Final = 200_000
MOST_COLUMNS: Final = 80
EPILOG: Final = """\b
Exit codes:
  0  success
  1  a mismatch or a finding
  2  wrong usage
  3  a program does not parse or verify
  4  a program failed while running
"""


atexit.register(gc.freeze)  # the collector need not walk once more over a program at the end


class Verbs(click.Group):
    """The verbs, each imported when it is first used."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:  # fmt: skip
        """The context, which knows how wide the terminal is: click would import shutil to ask.

        Help and the version are printed here.
        """
        extra.setdefault("terminal_width", width())
        try:
            return super().make_context(info_name, args, parent, **extra)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            from stablemate.cli.output.errors import exit_code, report

            report(error, debug=False, color=False)
            raise click.exceptions.Exit(exit_code(error)) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all verbs, in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a verb."""
        if cmd_name not in VERBS:
            return None
        os.environ.setdefault(*OPENBLAS_TIMEOUT)
        command: click.Command = import_module(f"stablemate.cli.verbs.{home_of(cmd_name)}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb named by the first argument."""
        name = args[0]
        if name in VERBS or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        ctx.fail(f"no verb '{name}'; {suggestion(name)}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the table of verbs without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def invoke(self, ctx: click.Context) -> object:
        """Runs the verb; turns what it raises into a message and an exit code."""
        try:
            with warnings.catch_warnings():
                warnings.showwarning = show_warning
                return self.invoke_and_flush(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            drop_stdout()
            ctx.exit(BROKEN_PIPE)
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except Exception as error:
            # Here and not above, because few commands fail: help and completion stay instant.
            from stablemate.cli.output.errors import exit_code, report

            report(error, debug=debugging(ctx), color=color_for(sys.stderr, ctx))
            ctx.exit(exit_code(error))

    def invoke_and_flush(self, ctx: click.Context) -> object:
        """Runs the verb and flushes stdout, so that a broken pipe or a full disk shows here."""
        try:
            return super().invoke(ctx)
        finally:
            try:
                sys.stdout.flush()
            except BrokenPipeError:
                raise
            except OSError as error:
                drop_stdout()
                raise OSError(error.errno, error.strerror, "stdout") from None


def show_warning(message: Warning | str, *_place: object, **_options: object) -> None:
    """Writes a warning as a user of the command line reads it: without a line of the source."""
    with suppress(OSError):  # stderr may be full, or closed
        click.echo(f"warning: {message}", err=True)


def home_of(verb: str) -> str:
    """The module of a verb, relative to ``verbs``."""
    for package, verbs in HOMES.items():
        if verb in verbs:
            return f"{package}.{verb}"
    return verb


def drop_stdout() -> None:
    """Discards what is left in the buffer of stdout when Python flushes it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@atexit.register
def keep_the_exit_code() -> None:
    """Drops what the streams cannot write, or Python would flush it and end with code 120."""
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None and not stream.closed:
            try:
                stream.flush()
            except OSError:  # reported where it was written
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def width() -> int:
    """The width of help texts: that of the terminal, at most 80 columns."""
    try:
        columns = int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size(1).columns
    except (OSError, ValueError):
        columns = 0
    return max(min(columns or MOST_COLUMNS, MOST_COLUMNS) - 2, 50)


def suggestion(name: str) -> str:
    """The verb that a mistyped name probably means."""
    from difflib import get_close_matches

    close = get_close_matches(name, VERBS, n=1)
    return f"did you mean '{close[0]}'?" if close else f"there are {', '.join(VERBS)}"


def print_version(context: click.Context, parameter: click.Parameter, is_requested: bool) -> None:
    """Prints the version and ends."""
    if is_requested and not context.resilient_parsing:
        click.echo(f"stablemate {stablemate.__version__}")
        context.exit()


@click.group(
    "stablemate",
    cls=Verbs,
    epilog=EPILOG,
    subcommand_metavar="VERB ...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
    help="Print the version.",
)
@partial(with_options, hidden=False)
def main() -> None:
    """Read, check, run and compile StableHLO and XLA HLO programs.

    A FILE may be '-', which is stdin. The options below may also follow the verb.
    """
    gc.set_threshold(COLLECTION_THRESHOLD)
    if sys.stdin is None:  # closed by the shell
        sys.stdin = open(os.devnull)  # noqa: SIM115 for as long as the process
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 for as long as the process
        if reconfigure := getattr(getattr(sys, name), "reconfigure", None):
            reconfigure(errors="backslashreplace")  # bytes of a program that are no text
        if not isinstance(getattr(sys, name), SafeText):
            setattr(sys, name, SafeText(getattr(sys, name)))
