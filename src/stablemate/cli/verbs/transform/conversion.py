"""Converts programs between formats."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any, Final

import stablemate as sm
from stablemate.api.module import report_losses
from stablemate.cli.input.programs import load_program
from stablemate.cli.output.losses import losses_on_stderr
from stablemate.cli.output.output_files import STDOUT, check_writable, write_files
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentError, UnsupportedError

# The format that the end of a file name says.
ENDINGS: Final = {
    ".mlir": "text",
    ".hlo.txt": "hlo",
    ".txt": "text",
    ".mlirbc": "bytecode",
    ".stablehlo": "artifact",
    ".vhlo": "artifact",
    ".jax_export": "jax_export",
    ".jax_exported": "jax_export",
    ".hlo": "hlo",
    ".pb": "hlo_proto",
}
TEXTS: Final = ("text", "generic", "hlo")
DEFAULT_TARGET: Final = "12 weeks"
# How options of the API are spelled here.
SPELLINGS: Final = {"mixed=True": "--mixed", "expand=True": "--expand"}


@dataclass(frozen=True, slots=True)
class ConversionRequest:
    """The format to write, with its options.

    Attributes:
        to: The format.
        target: The version of StableHLO that an artifact is for; None for that of the input.
        bytecode_version: The version of the bytecode container; None for the newest.
        mixed: Whether an artifact keeps other dialects as they are.
        expand: Whether an artifact says what the target lacks in older operations.
        debug_info: Whether text has locations.
        strict: Whether it is an error if the format has no place for something.
    """

    to: str
    target: str | None
    bytecode_version: int | None
    mixed: bool
    expand: bool
    debug_info: bool
    strict: bool = False


def implied_format(output: str, target: str | None, bytecode_version: int | None) -> str | None:
    """The format implied by a file name or by options; None if there is none."""
    for ending, named in ENDINGS.items():
        if output.lower().endswith(ending):
            return named
    if target is not None:
        return "artifact"
    if bytecode_version is not None:
        return "bytecode"
    return "text" if output == STDOUT else None


def unclear(output: str) -> str:
    """The message that a file name implies no format."""
    endings = ", ".join(f"{ending} ({named})" for ending, named in ENDINGS.items())
    note = " .bc may be either of them:" if output.lower().endswith(".bc") else ""
    return (
        f"what is {output}?{note} say --to=bytecode or --to=artifact, or let it end in one of "
        f"{endings}"
    )


def conflict_of(request: ConversionRequest, output: str) -> str:
    """Why options and format conflict; empty if they do not."""
    only = {
        "artifact": {
            "--target": request.target is not None,
            "--mixed": request.mixed,
            "--expand": request.expand,
        },
        "bytecode": {"--bytecode-version": request.bytecode_version is not None},
        "text or generic": {"--debug-info": request.debug_info},
    }
    for formats, options in only.items():
        for name, option in options.items():
            if option and request.to not in formats.split(" or "):
                return f"{name} is for {formats}, but {request.to} is to be written"
    if output == STDOUT and request.to not in TEXTS and sys.stdout.isatty():
        return f"{request.to} is binary: redirect stdout to a file, or name one"
    return ""


def convert(file: str, output: str, request: ConversionRequest, **options: Any) -> None:
    """Writes a program in another format.

    Args:
        file: The program.
        output: Where it is written to.
        request: The format.
        **options: How it is read, as ``load_program`` takes them.
    """
    check_writable(output)
    with progress(f"converting {file}"):
        module = load_program(file, **options)
        if request.to != "generic":
            module.verify()
        with losses_on_stderr():
            data = written(module, request)
    write_files({output: lambda stream: stream.write(data)})


def written(module: sm.Module, request: ConversionRequest) -> bytes:
    """The program in a format.

    Raises:
        ArgumentError: There is no such version, or the program has never been in that container.
        UnsupportedError: The format, in that version, cannot say what the program says.
    """
    if isinstance(module, sm.HloModule) and not request.to.startswith("hlo"):
        module = module.to_stablehlo(strict=request.strict)
    match request.to:
        case "hlo":
            return hlo(module, request).to_text().encode("utf-8", "surrogateescape")
        case "hlo_proto":
            return hlo(module, request).to_proto()
        case "bytecode":
            version = request.bytecode_version
            return module.to_bytecode() if version is None else module.to_bytecode(version)
        case "artifact":
            return artifact(module, request)
        case "jax_export":
            return module.to_jax_export()
        case _:
            text = module.to_text(generic=request.to == "generic", debug_info=request.debug_info)
            return (text.rstrip("\n") + "\n").encode("utf-8", "surrogateescape")


def hlo(module: sm.Module, request: ConversionRequest) -> sm.HloModule:
    """The program in HLO, with warnings of what the format has no place for.

    Raises:
        UnsupportedError: HLO has no form for it; or there are such warnings, and they are errors.
    """
    converted = module.to_hlo(strict=request.strict)
    report_losses(converted.losses_in(request.to), strict=request.strict)
    return converted


def artifact(module: sm.Module, request: ConversionRequest) -> bytes:
    """The program as a portable artifact; hints name options of the command line."""
    target = request.target or module.artifact_version or DEFAULT_TARGET
    try:
        return module.to_artifact(target, mixed=request.mixed, expand=request.expand)
    except (ArgumentError, UnsupportedError) as error:
        raise type(error)(
            [with_cli_names(diagnostic) for diagnostic in error.diagnostics]
        ) from error


def with_cli_names(diagnostic: Diagnostic) -> Diagnostic:
    """A diagnostic that names options as the command line does."""
    message = diagnostic.message
    for name, spelling in SPELLINGS.items():
        message = message.replace(name, spelling)
    notes = tuple(with_cli_names(note) for note in diagnostic.notes)
    return replace(diagnostic, message=message, notes=notes)
