"""Facts about a program; the command line only renders them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.analysis.contents import Contents as Contents
    from stablemate.analysis.contents import contents_of as contents_of
    from stablemate.analysis.hlo_contents import hlo_contents_of as hlo_contents_of
    from stablemate.analysis.planning.buffers import Peak as Peak
    from stablemate.analysis.planning.machine import ProcessorPeaks as ProcessorPeaks
    from stablemate.analysis.planning.machine import machine_of as machine_of
    from stablemate.analysis.planning.network import Network as Network
    from stablemate.analysis.planning.network import network_of as network_of
    from stablemate.analysis.planning.plan_memory import compiled_peak as compiled_peak
    from stablemate.analysis.planning.program_cost import ProgramCost as ProgramCost
    from stablemate.analysis.planning.program_cost import program_cost as program_cost
    from stablemate.analysis.planning.symbolic_cost import CostFormulas as CostFormulas
    from stablemate.analysis.planning.symbolic_cost import SymbolicSizes as SymbolicSizes
    from stablemate.analysis.planning.symbolic_cost import cost_formulas as cost_formulas
    from stablemate.analysis.planning.symbolic_cost import parse_sizes as parse_sizes
    from stablemate.analysis.planning.symbolic_cost import specialize_program as specialize_program
    from stablemate.analysis.planning.symbolic_cost import symbolic_sizes as symbolic_sizes

__getattr__ = names_on_demand(
    __name__,
    {
        "SymbolicSizes": "planning.symbolic_cost",
        "symbolic_sizes": "planning.symbolic_cost",
        "specialize_program": "planning.symbolic_cost",
        "parse_sizes": "planning.symbolic_cost",
        "cost_formulas": "planning.symbolic_cost",
        "CostFormulas": "planning.symbolic_cost",
        "Contents": "contents",
        "ProcessorPeaks": "planning.machine",
        "Network": "planning.network",
        "Peak": "planning.buffers",
        "ProgramCost": "planning.program_cost",
        "compiled_peak": "planning.plan_memory",
        "contents_of": "contents",
        "hlo_contents_of": "hlo_contents",
        "machine_of": "planning.machine",
        "network_of": "planning.network",
        "program_cost": "planning.program_cost",
    },
)
