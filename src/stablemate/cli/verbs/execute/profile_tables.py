"""Prints profiles as tables or JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial

import stablemate as sm
from stablemate.analysis.profile import Profile, profile_of_calls
from stablemate.analysis.profile_groups import ProfileGroup, groups_of
from stablemate.analysis.profile_rows import OperationTime, ProfileRow
from stablemate.analysis.profile_tables import tables_of
from stablemate.analysis.roofline import roofline_of
from stablemate.cli.input.arguments import InputReader
from stablemate.cli.input.grid_shares import share
from stablemate.cli.output.output_files import check_writable, write_files
from stablemate.cli.output.progress import progress
from stablemate.cli.output.tables import tables_text
from stablemate.cli.output.trace_files import traced
from stablemate.cli.verbs.compilation import compile_function
from stablemate.cli.verbs.execute.run_options import RunCommandOptions
from stablemate.cli.verbs.execute.session import (
    arguments_of,
    call_program,
    is_given_once,
    program_of_options,
)


def show_profile(
    options: RunCommandOptions, runs: int, listed: int, output: str | None, group: str = "kernel"
) -> str:
    """The requested profile as text; the roofline and the time line are written to files.

    Raises:
        VerifyError: The program is not valid.
        UnsupportedError: It is not compiled.
        ArgumentError: An argument is missing, superfluous, of another type, or cannot be read.
    """
    for path in (output, options.trace):
        if path is not None:
            check_writable(path)
    module = program_of_options(options)
    module.verify_executable()
    function = module.entry(options.entry)
    grid = None if options.grid is None else options.whole_grid
    shared = share(
        module, function.name, grid, once=is_given_once(options, function), gather=False
    )  # fmt: skip
    arguments = arguments_of(options, shared, InputReader(options.limits))
    executable = compile_function(shared.module, shared.entry, options.threads, options.attention)
    if grid is None:
        measure = partial(sm.profile, executable, *arguments[0], runs=runs, seed=options.seed)
    else:
        measure = partial(
            profile_of_calls, executable,
            lambda program: call_program(program, arguments, options, shared), runs,
        )  # fmt: skip
    with progress(f"running {function.name}"):
        measured = measure()
        with traced(options.trace):
            call_program(executable, arguments, options, shared)
    if output is not None:
        svg = roofline_of(measured).svg().encode()
        write_files({output: lambda stream: stream.write(svg)})
    if options.output_format == "json":
        return json_text(measured, group)
    return text_of(measured, listed, group)


def text_of(profile: Profile, listed: int, group: str) -> str:
    """The profile as tables and a roofline chart."""
    roofline = roofline_of(profile)
    tables = tables_text(tables_of(profile, listed, group))
    if not roofline.points[:listed] or group != "kernel":
        return tables
    return f"{tables}\n\n{roofline.text(listed=listed)}"


def json_text(profile: Profile, group: str) -> str:
    """Formats the profile, grouped, as a document of JSON."""
    document: dict[str, object] = {
        "runs": profile.runs,
        "run_seconds": profile.run_seconds,
        "seconds": profile.seconds,
        "peaks": asdict(profile.peaks),
        "operations": [fields_json(operation) for operation in profile.operations],
        "groups": [group_json(item) for item in groups_of(profile, group)],
        "rows": [
            fields_json(row)
            | {
                "bytes_per_second": row.bytes_per_second,
                "flops_per_second": row.flops_per_second,
            }
            for row in profile.rows
        ],
    }
    return json.dumps(document, indent=2)


def group_json(group: ProfileGroup) -> dict[str, object]:
    """A group as an object."""
    return {
        "label": group.label,
        "members": len(group.members),
        "seconds": group.seconds,
        "turns": group.executions,
        "bytes": group.bytes,
        "flops": group.flops,
        "transcendentals": group.transcendentals,
        "computes": dict(group.names),
        "places": dict(group.places),
    }


def fields_json(row: ProfileRow | OperationTime) -> dict[str, object]:
    """The fields of a row; the key of ``executions`` is ``turns``."""
    return {"turns" if name == "executions" else name: v for name, v in asdict(row).items()}
