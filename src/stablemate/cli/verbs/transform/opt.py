"""``stablemate opt``: runs passes and prints the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

from stablemate.cli.options import STDOUT, shared_options

PASS: Final = "--pass"
# Those of the table of passes, named here so that help is instant.
NAMES: Final = (
    "canonicalize", "chlo-legalize-to-stablehlo", "chlo-recompose-ops", "cse",
    "hlo-legalize-to-stablehlo", "inline", "sdy-partition", "sdy-round-trip-export",
    "sdy-round-trip-import", "sdy-stablehlo-import", "shape-legalize-to-stablehlo",
    "stablehlo-aggressive-folder", "stablehlo-aggressive-simplification",
    "stablehlo-canonicalize-dynamism", "stablehlo-check-shape-assertions",
    "stablehlo-compatibility-expander", "stablehlo-complex-math-expander",
    "stablehlo-convert-to-signless", "stablehlo-decompose",
    "stablehlo-legalize-composite-to-call", "stablehlo-legalize-deprecated-ops",
    "stablehlo-legalize-qdq-to-quantized-op", "stablehlo-legalize-quant-to-math",
    "stablehlo-legalize-quantized-op-to-qdq", "stablehlo-legalize-to-vhlo",
    "stablehlo-refine-arguments", "stablehlo-refine-shapes",
    "stablehlo-target-independent-optimization", "stablehlo-wrap-in-composite",
    "strip-debuginfo", "symbol-dce", "vhlo-legalize-to-stablehlo", "vhlo-to-version",
)  # fmt: skip
EPILOG: Final = "\n".join(
    [
        "\b\nPasses:",
        *(f"  --{name}" for name in NAMES),
        "",
        "\b",
        "--list-passes says what they do, and their options; so does stablemate explain NAME.",
    ]
)


class PassesAsOptions(click.Command):
    """A command that accepts ``--NAME=OPTIONS`` for each pass, in order."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses the arguments, after turning passes into values of ``--pass``."""
        option_names = {
            name for param in self.params for name in (*param.opts, *param.secondary_opts)
        }
        option_names |= {"--help"}
        return super().parse_args(
            ctx, [part for argument in args for part in as_pass(argument, option_names)]
        )


def as_pass(argument: str, option_names: set[str]) -> Sequence[str]:
    """``--cse`` as ``--pass cse``; other arguments unchanged."""
    if argument.startswith("--pass-pipeline="):
        return PASS, argument.partition("=")[2]
    name = argument.partition("=")[0]
    is_long = name.startswith("--") and len(name) > 2
    if is_long and name not in option_names and not is_misspelt(name, option_names):
        return PASS, argument.removeprefix("--")
    return (argument,)


def is_misspelt(name: str, option_names: set[str]) -> bool:
    """Whether an argument is a misspelt option rather than a pass."""
    if name.removeprefix("--") in NAMES:
        return False
    from difflib import get_close_matches

    passes = {f"--{name}" for name in NAMES}
    close = get_close_matches(name, [*option_names, *passes], n=1, cutoff=0.8)
    return bool(close) and close[0] in option_names


@click.command("opt", cls=PassesAsOptions, epilog=EPILOG)
@click.argument("file", type=click.Path(), required=False)
@click.option(
    "--pass",
    "passes",
    multiple=True,
    metavar="NAME{OPTIONS}",
    help="Run a pass; --NAME and --NAME=OPTION=VALUE do the same. In the order given.",
)
@click.option(
    "--pass-pipeline",
    "pipelines",
    metavar="PIPELINE",
    help="Run the passes of a pipeline, such as 'builtin.module(func.func(cse),symbol-dce)'.",
)
@click.option("--list-passes", is_flag=True, help="Print the passes with their options.")
@click.option("--stop-after", metavar="NAME", help="Run no pass after this one.")
@click.option(
    "--print-after", multiple=True, metavar="NAME", help="Also print the program after this pass."
)
@click.option("--print-after-all", is_flag=True, help="Print the program after each pass.")
@click.option("--print-changed", is_flag=True, help="Print what each pass changes.")
@click.option(
    "--verify-each/--no-verify-each",
    default=True,
    show_default=True,
    help="Verify the program after each pass.",
)
@click.option("--generic", is_flag=True, help='Write every operation as "dialect.name"(...).')
@click.option("--debug-info", is_flag=True, help="Write locations.")
@click.option("-o", "--output", default=STDOUT, metavar="OUT", help="Write to a file.")
@shared_options
def command(
    file: str | None,
    passes: Sequence[str],
    pipelines: str | None,
    list_passes: bool,
    stop_after: str | None,
    print_after: Sequence[str],
    print_after_all: bool,
    print_changed: bool,
    verify_each: bool,
    generic: bool,
    debug_info: bool,
    output: str,
) -> None:
    """Run passes, under their upstream names, and print the program.

    For example: stablemate opt m.mlir --chlo-legalize-to-stablehlo --cse

    With options: --stablehlo-refine-arguments=types='tensor<4xf32>,tensor<i32>'

    Programs between the passes go to stderr. HLO is translated to StableHLO first.
    """
    # Here and not above, because it loads NumPy: help and completion stay instant.
    from stablemate.cli.verbs.transform.pass_runs import RequestedPasses, list_text, run

    if list_passes:
        click.echo(list_text())
        return
    if file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    chosen = [*passes, *([pipelines] if pipelines else [])]
    run(
        RequestedPasses(
            file, chosen, stop_after, frozenset(print_after), print_after_all, print_changed,
            verify_each, generic, debug_info, output,
        )
    )  # fmt: skip
