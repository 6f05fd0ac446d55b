"""``stablemate convert``: writes a program in another format."""

from __future__ import annotations

from typing import Final

import click

from stablemate.cli.options import (
    WholeNumber,
    elided_option,
    hlo_options,
    model_options,
    shared_options,
)

FORMATS: Final = ("text", "generic", "bytecode", "artifact", "jax_export", "hlo", "hlo_proto")
READ: Final = (
    "mlir",
    "bytecode",
    "artifact",
    "jax_export",
    "hlo",
    "hlo_proto",
)  # as ``load`` calls them


@click.command("convert")
@click.argument("file", metavar="IN", type=click.Path())
@click.argument("output", metavar="OUT", type=click.Path())
@click.option(
    "--to", type=click.Choice(FORMATS), help="The format; by default that of the suffix of OUT."
)
@click.option(
    "--from", "read_as", type=click.Choice(READ), help="The format of IN, if it is not recognized."
)
@click.option(
    "--target",
    metavar="VERSION",
    help="The StableHLO version of an artifact, such as 1.9.0, or '4 weeks', '12 weeks', max, "
    "newest; by default that of IN, or 12 weeks.",
)
@click.option(
    "--bytecode-version",
    type=WholeNumber(0, 6),
    metavar="N",
    help="The version of the bytecode container.",
)
@click.option("--mixed", is_flag=True, help="Keep shardings and other dialects in an artifact.")
@click.option(
    "--expand", is_flag=True, help="Express in older operations what the target version lacks."
)
@click.option("--vhlo", is_flag=True, help="Keep an artifact in VHLO.")
@click.option("--debug-info", is_flag=True, help="Keep locations in text.")
@click.option(
    "--text-locations",
    is_flag=True,
    help="Give what has no location in MLIR text its line and column, as MLIR's tools do.",
)
@click.option("--strict", is_flag=True, help="Fail if the format has no place for something in IN.")
@hlo_options
@elided_option
@model_options
@shared_options
@click.pass_context
def command(
    context: click.Context,
    file: str,
    output: str,
    to: str | None,
    read_as: str | None,
    target: str | None,
    bytecode_version: int | None,
    mixed: bool,
    expand: bool,
    vhlo: bool,
    debug_info: bool,
    text_locations: bool,
    strict: bool,
    entry: str | None,
    layout: str | None,
) -> None:
    """Write a program in another format: text, bytecode, portable artifact, HLO.

    The format of IN is recognized by its content. OUT ends in .mlir (text), .mlirbc (bytecode),
    .stablehlo or .vhlo (portable artifact), .jax_export (the container that IN was read from), .hlo
    (HLO text), .pb (HLO proto); - is stdout. Bytecode, artifacts and HLO keep locations, text only
    with --debug-info. What HLO or StableHLO has no place for is left out with a warning.
    """
    # Here and not above, because it loads much: help and completion stay instant.
    from stablemate.api.conversion import ConversionRequest
    from stablemate.cli.verbs.transform.conversion import (
        conflict_of,
        convert,
        implied_format,
        unclear,
    )

    chosen = to or implied_format(output, target, bytecode_version)
    if chosen is None:
        context.fail(unclear(output))
    request = ConversionRequest(chosen, target, bytecode_version, mixed, expand, debug_info, strict)
    if conflict := conflict_of(request, output):
        context.fail(conflict)
    convert(
        file, output, request, read_as=read_as, upgrade=not vhlo, entry=entry, layout=layout,
        text_locations=text_locations,
    )  # fmt: skip
