"""What AOTAutograd decomposes: operators that have no translation, but a decomposition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.importer import operator_name
from stablemate.frontends.torch.table import lowerings


@cache
def decompositions() -> Mapping[Any, Callable[..., Any]]:
    """PyTorch's decompositions of all operators that have no row in the table."""
    rows = lowerings()
    return {
        target: function
        for target, function in pytorch.decomposition_table().items()
        if operator_name(target) not in rows
    }
