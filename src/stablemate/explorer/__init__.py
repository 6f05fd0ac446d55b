"""The page that shows a program, and its graph for other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.explorer.graph import ProgramGraph as ProgramGraph
    from stablemate.explorer.module_graph import graph_of_module as graph_of_module

__getattr__ = names_on_demand(
    __name__, {"ProgramGraph": "graph", "graph_of_module": "module_graph"}
)
