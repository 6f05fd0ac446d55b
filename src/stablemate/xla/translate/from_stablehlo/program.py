"""The state that the computations of a program share: names, functions, resources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.core import Resource
from stablemate.xla.module import HloComputation
from stablemate.xla.translate.from_stablehlo.locations import MetadataBuilder
from stablemate.xla.translate.losses import Losses
from stablemate.xla.values import HloSharding

Rule = Callable[..., Any]  # (body, operation) to the node of its result, or those of its results


@dataclass(slots=True)
class HloModuleBuilder:
    """The module in the making.

    Attributes:
        rules: How operations are translated, by name.
        resources: Elements that constants name.
        read_sharding: Reads the text of a sharding; without it shardings are left out.
        losses: What HLO has no place for.
        locations: The metadata of locations.
        computations: So far, callees before callers.
        functions: The computations of functions, by symbol.
        threads: The threads that functions name, by computation.
        count: How many names were given.
        regions: How many regions were named.
    """

    rules: Mapping[str, Rule]
    resources: Mapping[str, Resource]
    read_sharding: Callable[[str], HloSharding] | None = None
    losses: Losses = field(default_factory=lambda: Losses("HLO"))
    locations: MetadataBuilder = field(default_factory=MetadataBuilder)
    computations: list[HloComputation] = field(default_factory=list[HloComputation])
    functions: dict[str, HloComputation] = field(default_factory=dict[str, HloComputation])
    threads: dict[str, str] = field(default_factory=dict[str, str])
    count: int = 0
    regions: int = 0

    def fresh(self, name: str) -> str:
        """A name that no instruction and no computation has."""
        self.count += 1
        return f"{name}.{self.count}"

    def fresh_region(self) -> str:
        """A name for the computation of a region."""
        self.regions += 1
        return self.fresh(f"region_{self.regions - 1}")
