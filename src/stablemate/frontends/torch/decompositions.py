"""The operators that AOTAutograd decomposes: those that have a decomposition and no translation."""

from __future__ import annotations

from functools import cache

from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.fused_operators import fused_decompositions
from stablemate.frontends.torch.lists_of_tensors import foreach_decompositions
from stablemate.frontends.torch.recurrent_layers import recurrent_decompositions
from stablemate.frontends.torch.table import lowerings, operator_name
from stablemate.frontends.torch.transformer_layers import transformer_decompositions


@cache
def decompositions() -> pytorch.Decompositions:
    """PyTorch's decompositions of all operators that have no row in the table."""
    rows = lowerings()
    table = {
        **pytorch.decomposition_table(), **foreach_decompositions(), **fused_decompositions(),
        **transformer_decompositions(),
    }  # fmt: skip
    return {
        target: function for target, function in table.items() if operator_name(target) not in rows
    }


def export_decompositions() -> pytorch.Decompositions:
    """The same for exported programs, which keep operators that are composed of others."""
    rows = lowerings()
    table = pytorch.export_decomposition_table()
    # PyTorch's own first: reference implementations call primitive views, which it cannot export.
    table = {**decompositions(), **table}
    table.update(recurrent_decompositions())
    for target in [target for target in table if operator_name(target) in rows]:
        table.pop(target)
    return table
