"""Prints profiles as tables or JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

import stablemate as sm
from stablemate.analysis.profile import Profile
from stablemate.analysis.profile_groups import ProfileGroup, groups_of
from stablemate.analysis.profile_rows import OperationTime, ProfileRow
from stablemate.analysis.profile_tables import tables_of
from stablemate.analysis.roofline import roofline_of
from stablemate.analysis.trace_events import trace_events
from stablemate.cli.input.arguments import InputReader
from stablemate.cli.output.output_files import check_writable, write_files
from stablemate.cli.output.progress import progress
from stablemate.cli.output.tables import tables_text
from stablemate.cli.verbs.compilation import compile_function
from stablemate.cli.verbs.execute.run_options import RunOptions
from stablemate.cli.verbs.execute.session import given_arguments, program_of_options


def show_profile(
    options: RunOptions, runs: int, listed: int, output: str | None, trace: str | None = None,
    group: str = "kernel",
) -> str:  # fmt: skip
    """The requested profile as text; the roofline and the time line are written to files.

    Raises:
        VerifyError: The program is not valid.
        UnsupportedError: It is not compiled.
        ArgumentError: An argument is missing, superfluous, of another type, or cannot be read.
    """
    for path in (output, trace):
        if path is not None:
            check_writable(path)
    module = program_of_options(options)
    module.verify_executable()
    function = module.entry(options.entry)
    (arguments,) = given_arguments(options, module, function, InputReader(options.limits))
    executable = compile_function(module, function.name, options.threads, options.attention)
    with progress(f"running {function.name}"):
        measured = sm.profile(executable, *arguments, runs=runs, seed=options.seed)
    if output is not None:
        svg = roofline_of(measured).svg().encode()
        write_files({output: lambda stream: stream.write(svg)})
    if trace is not None:
        document = json.dumps(trace_events(executable, *arguments, seed=options.seed)).encode()
        write_files({trace: lambda stream: stream.write(document)})
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
    """The profile as JSON."""
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
