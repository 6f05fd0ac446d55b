"""Prints the estimated cost of a program as tables or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

import stablemate as sm
from stablemate.analysis.cost import Cost
from stablemate.analysis.planning.buffers import Peak
from stablemate.analysis.planning.collectives import CollectiveCost
from stablemate.analysis.planning.program_cost import ProgramCost
from stablemate.analysis.planning.symbolic_cost import CostFormulas
from stablemate.analysis.planning.tables import tables_of
from stablemate.cli.input.programs import load_program
from stablemate.cli.options import named_sizes
from stablemate.cli.output.progress import progress
from stablemate.cli.output.tables import tables_text
from stablemate.cli.verbs.inspect.program_summary import cost_json
from stablemate.diagnostics.diagnostic import Diagnostic


def show_cost(
    file: str, entry: str | None, grid: tuple[int, int] | None, network: str | None,
    machine: str | None, layout: str | None, sizes: str | None, *, algorithms: bool, listed: int,
    no_plan: bool, output_format: str,
) -> str:  # fmt: skip
    """The cost of a program as text.

    Raises:
        ArgumentError: The grid, network or machine is none, or does not fit the program.
        VerifyError: The program is not valid.
    """
    with progress(f"reading {file}"):
        module = load_program(file, layout=layout)
        if sizes is not None and module.format == "onnx":
            module, sizes = model_of_sizes(module, named_sizes(sizes)), None
    with progress("counting"):
        estimate = sm.cost(
            module, entry=entry, grid=grid, network=network, machine=machine, plan=not no_plan,
            sizes=sizes,
        )  # fmt: skip
    if output_format == "json":
        return json.dumps(document_of(estimate, file, listed), indent=2)
    return tables_text(tables_of(estimate, listed=listed, all_algorithms=algorithms))


def model_of_sizes(module: sm.Module, sizes: Mapping[str, int]) -> sm.Module:
    """The program of a model of ONNX for sizes that have its names.

    Raises:
        ArgumentError: It has no such size.
    """
    from stablemate.api.onnx_models import OnnxModule  # here and not above: of few programs

    assert isinstance(module, OnnxModule), "models of ONNX are of this class"
    return module.with_sizes(sizes)


def document_of(cost: ProgramCost, file: str, listed: int) -> dict[str, object]:
    """The cost of a program as an object; null stands for what was not requested."""
    return {
        "file": file,
        "entry": cost.entry,
        "grid": [cost.grid.num_replicas, cost.grid.num_partitions],
        "network": [asdict(level) for level in cost.network.levels] if cost.network else None,
        "machine": asdict(cost.machine) if cost.machine else None,
        "functions": {name: cost_json(function) for name, function in cost.functions.items()},
        "operations": [
            {
                "name": operation.name,
                "line": operation.line,
                "file": operation.file,
                "type": operation.type,
                "turns": operation.executions,
                "open_loops": operation.open,
                **work_json(operation.cost),
                "seconds": operation.seconds if cost.machine else None,
            }
            for operation in cost.operations
        ],
        "peak": peak_json(cost.peak, listed),
        "plan": peak_json(cost.plan, listed),
        "collectives": [collective_json(collective) for collective in cost.collectives],
        "formulas": formulas_json(cost.formulas) if cost.formulas else None,
        "times": asdict(cost.times) | {"overlapped": cost.times.overlapped} if cost.times else None,
    }


def formulas_json(formulas: CostFormulas) -> dict[str, object]:
    """The cost of a call in unknown sizes, as an object."""
    return {
        "sizes": {name: formulas.sizes.places(name) for name in formulas.flops.names},
        "multiple": formulas.multiple,
        "flops": str(formulas.flops),
        "transcendentals": str(formulas.transcendentals),
        "bytes": str(formulas.bytes),
    }


def work_json(cost: Cost) -> dict[str, int]:
    """Converts operations, transcendental functions and bytes to an object of JSON."""
    return {
        "flops": cost.flops,
        "transcendentals": cost.transcendentals,
        "bytes": cost.bytes,
    }


def peak_json(peak: Peak | Diagnostic, listed: int) -> dict[str, object]:
    """The peak memory as an object, or the reason why it is unknown."""
    if isinstance(peak, Diagnostic):
        return {"unknown": peak.message}
    return {
        "bytes": peak.bytes,
        "arena": peak.arena,
        "operation": peak.operation,
        "line": peak.line,
        "values_of_unknown_size": peak.unsized,
        "number_of_buffers": len(peak.buffers),
        "buffers": [asdict(buffer) for buffer in peak.buffers[:listed]],
    }


def collective_json(collective: CollectiveCost) -> dict[str, object]:
    """A collective operation as an object."""
    return {
        "operation": collective.operation,
        "line": collective.line,
        "file": collective.file,
        "bytes": collective.bytes,
        "groups": [{"processes": p, "number": n} for p, n in collective.groups.items()],
        "turns": collective.executions,
        "open_loops": collective.open,
        "overlapped": collective.overlapped,
        "seconds": collective.seconds,
        "mpi": collective.carried,
        "algorithms": [
            {"name": estimate.algorithm, "seconds": estimate.seconds, **asdict(estimate.traffic)}
            for estimate in collective.estimates
        ],
    }
