"""Loads the program that a command line names."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import stablemate as sm
from stablemate.cli.options import STDIN as STDIN
from stablemate.cli.options import elided_choice, model_choices
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    LimitError,
    ParseError,
    UnsupportedError,
    VerifyError,
)
from stablemate.diagnostics.file_errors import reason
from stablemate.diagnostics.limits import Limits

SHOWN_PROGRAMS: Final = 5  # of a folder


def load_program(
    file: str, limits: Limits | None = None, *, read_as: str | None = None, upgrade: bool = True,
    entry: str | None = None, layout: str | None = None, text_locations: bool = False,
) -> sm.Module:  # fmt: skip
    """Reads a program from a file, or from stdin if the file is ``-``.

    Args:
        file: The file.
        limits: Bounds for untrusted input.
        read_as: The format; by default recognized by content.
        upgrade: Whether a portable artifact becomes StableHLO.
        entry: The computation that is to be the entry, of HLO.
        layout: Shapes and layouts that are to be at the border, of HLO.
        text_locations: Whether what has no location in MLIR text gets its place in the text.

    Raises:
        ArgumentValueError: There is no such file, or it cannot be read; it is no HLO, but an entry
            or layouts are asked for, or HLO that cannot have them.
        ParseError: It is not a program, or one that cannot be read: too large, an unknown format.
    """
    if not file:
        raise ArgumentValueError("the name of a program is empty")
    if file != STDIN and Path(file).is_dir():
        file = program_in_folder(file)
    try:
        if file == STDIN:
            source, name = sys.stdin.buffer, "<stdin>"
        else:
            source, name = Path(file), None
        module = load_with_inputs(
            source, format=read_as, limits=limits, name=name, upgrade=upgrade,
            elided=elided_choice(), text_locations=text_locations,
        )  # fmt: skip
    except OSError as error:
        why = reason(error).removeprefix(f"{file}: ")
        raise ArgumentValueError(f"cannot read {file}: {why}") from error
    except (LimitError, UnsupportedError) as error:
        raise ParseError(error.diagnostics) from error
    return module if entry is None and layout is None else with_entry(module, file, entry, layout)


def load_with_inputs(source: Any, **options: Any) -> sm.Module:
    """A program, with what the command line says of the inputs of a model of ONNX.

    Args:
        source: A path, or stdin.
        **options: As ``sm.load`` takes them.
    """
    sizes, values, inputs = model_choices()
    if not sizes and not values and not inputs:
        return sm.load(source, **options)
    # Here and not above: of few programs.
    from stablemate.api.loading import load_known
    from stablemate.cli.input.model_inputs import known_inputs

    return load_known(source, known_inputs(sizes, values, inputs), **options)


def program_in_folder(folder: str) -> str:
    """The file with the program of a folder in which a compiler dumped one alone.

    Raises:
        ArgumentValueError: It holds several modules, which are named, or none.
    """
    # Here and not above: programs are seldom named by folders.
    from stablemate.dumps.dump import load_dump

    dump = load_dump(folder)
    programs = [
        stage.file.relative
        for module in sorted(dump.modules, key=lambda module: -module.bytes)
        if (stage := module.unoptimized or module.final) is not None
    ]
    if len(programs) == 1:
        return str(Path(folder) / programs[0])
    shown = "\n".join(f"  {Path(folder) / name}" for name in programs[:SHOWN_PROGRAMS])
    more = f"\n  and {len(programs) - SHOWN_PROGRAMS} more" if programs[SHOWN_PROGRAMS:] else ""
    count = f"{len(programs)} programs" if programs else "no program"
    note = (
        f"name one of them:\n{shown}{more}" if programs else "stablemate dump shows what it holds"
    )
    raise ArgumentValueError(
        Diagnostic(f"{folder} is a folder with {count}", notes=(Diagnostic(note, severity="note"),))
    )


def with_entry(module: sm.Module, file: str, entry: str | None, layout: str | None) -> sm.HloModule:
    """An HLO module with another entry computation, or other entry layouts.

    Raises:
        ArgumentValueError: It is no HLO, or HLO that cannot have them.
    """
    if not isinstance(module, sm.HloModule):
        option = "--layout" if entry is None else "--entry"
        raise ArgumentValueError(f"{option} is for HLO, but {file} is none")
    if entry is not None:
        module = module.with_entry(entry)
    if layout is not None:
        try:
            module = module.with_entry_layout(layout)
        except (ParseError, VerifyError) as error:
            raise ArgumentValueError(error.diagnostics) from error
    return module
