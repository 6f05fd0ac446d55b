"""The public API; `stablemate` re-exports it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.api.elided import hlo_with_values as hlo_with_values
    from stablemate.api.elided import ir_with_values as ir_with_values
    from stablemate.api.executables import executable_of as executable_of
    from stablemate.api.hlo_conversion import Losses as Losses
    from stablemate.api.hlo_conversion import format_losses as format_losses
    from stablemate.api.hlo_conversion import hlo_border as hlo_border
    from stablemate.api.hlo_conversion import hlo_called as hlo_called
    from stablemate.api.hlo_conversion import hlo_diagnostics as hlo_diagnostics
    from stablemate.api.hlo_conversion import hlo_from_proto as hlo_from_proto
    from stablemate.api.hlo_conversion import hlo_from_stablehlo as hlo_from_stablehlo
    from stablemate.api.hlo_conversion import hlo_from_text as hlo_from_text
    from stablemate.api.hlo_conversion import hlo_graph as hlo_graph
    from stablemate.api.hlo_conversion import hlo_proto as hlo_proto
    from stablemate.api.hlo_conversion import hlo_signature as hlo_signature
    from stablemate.api.hlo_conversion import hlo_text as hlo_text
    from stablemate.api.hlo_conversion import program_shape as program_shape
    from stablemate.api.hlo_conversion import stablehlo_from_hlo as stablehlo_from_hlo

HOME: Final = "hlo_conversion"

__getattr__ = names_on_demand(
    __name__,
    {
        "Losses": HOME,
        "executable_of": "executables",
        "format_losses": HOME,
        "hlo_border": HOME,
        "hlo_called": HOME,
        "hlo_diagnostics": HOME,
        "hlo_from_proto": HOME,
        "hlo_from_stablehlo": HOME,
        "hlo_from_text": HOME,
        "hlo_graph": HOME,
        "hlo_proto": HOME,
        "hlo_signature": HOME,
        "hlo_text": HOME,
        "hlo_with_values": "elided",
        "ir_with_values": "elided",
        "program_shape": HOME,
        "stablehlo_from_hlo": HOME,
    },
)
