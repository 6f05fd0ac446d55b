"""The aliases under which attributes are printed: ``#map``, ``#set``, ``#loc``, ...

They are numbered in the order of the text; a location comes after those inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from stablemate.formats.mlir.location_aliases import LocationAliases
from stablemate.ir.attributes import UNIT, DistinctAttribute, OpaqueAttribute
from stablemate.ir.locations import LocationAttribute
from stablemate.ir.types import Attribute

DISTINCT: Final = "#distinct"
PREFIXES: Final = {"affine_map<": "#map", "affine_set<": "#set"}


def prefix_of(attribute: Attribute) -> str:
    """Returns the prefix of the aliases of an attribute; empty if it has none."""
    if isinstance(attribute, DistinctAttribute):
        return "" if attribute.attribute == UNIT else DISTINCT
    if isinstance(attribute, OpaqueAttribute):
        return next((p for start, p in PREFIXES.items() if attribute.text.startswith(start)), "")
    return "#loc" if isinstance(attribute, LocationAttribute) else ""


class AttributeAliases:
    """The aliases of the attributes in a text.

    Attributes:
        names: The alias of each affine map and each set.
        locations: The aliases of locations.
    """

    def __init__(self, printed: Iterable[Attribute], locations: LocationAliases | None) -> None:
        """Numbers attributes.

        Args:
            printed: The attributes, in the order of the text.
            locations: The aliases of the locations of operations, where these are printed too.
        """
        met = list(dict.fromkeys(printed))
        of_locations = [
            attribute.location for attribute in met if isinstance(attribute, LocationAttribute)
        ]
        self.shows_locations = locations is None
        self.locations = locations or LocationAliases((location, True) for location in of_locations)
        self.names: dict[Attribute, str] = {}
        for prefix in (DISTINCT, *PREFIXES.values()):
            group = [attribute for attribute in met if prefix_of(attribute) == prefix]
            self.names |= {attribute: f"{prefix}{i or ''}" for i, attribute in enumerate(group)}

    def name(self, attribute: Attribute) -> str | None:
        """Returns the alias of an attribute, if it has one."""
        if isinstance(attribute, LocationAttribute):
            return self.locations.names.get(attribute.location)
        return self.names.get(attribute)

    def definitions(self, text: Callable[[Attribute], str]) -> Iterator[str]:
        """Yields the lines that define the aliases; a distinct attribute follows what it holds.

        The aliases of the locations of operations are not included.
        """
        located = list(self.locations.definitions(early=True)) if self.shows_locations else []
        simple = sum(depth == 0 for depth in self.locations.depths.values())
        distinct = [a for a in self.names if isinstance(a, DistinctAttribute)]
        holders = [a for a in distinct if self.holds(a)]
        first = [a for a in distinct if not self.holds(a)]
        rest = [a for a in self.names if not isinstance(a, DistinctAttribute)]
        yield from (f"{self.names[attribute]} = {text(attribute)}" for attribute in first)
        yield from located[:simple]
        yield from (f"{self.names[attribute]} = {text(attribute)}" for attribute in rest)
        yield from (f"{self.names[attribute]} = {text(attribute)}" for attribute in holders)
        yield from located[simple:]

    def holds(self, attribute: DistinctAttribute) -> bool:
        """Whether a distinct attribute stands for an attribute that has an alias."""
        return self.name(attribute.attribute) is not None
