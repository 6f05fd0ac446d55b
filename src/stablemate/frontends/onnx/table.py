"""The table of operators: a function for each name and range of versions.

::

    @lowers("Softmax", since=13)
    def softmax(call: Call, x: Tensor, *, axis: int = -1) -> Tensor: ...

Positional parameters are the inputs, in the order of the schema: those that a model may leave out
have the default None. Parameters that are keywords only are the attributes, with the defaults of
the schema. An attribute that a function does not name is refused, so that none is overlooked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from typing import Final, Literal, TypeAlias, TypeVar

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.onnx.model import DEFAULT_DOMAIN
from stablemate.frontends.onnx.operators import FAMILIES

NEWEST: Final = 1 << 30
# What a function does with strings: nothing, computes with those that are known, takes a
# ``TextTensor`` as well, or moves elements whatever they are.
Strings: TypeAlias = Literal["refused", "known", "any", "moved"]
FunctionT = TypeVar("FunctionT", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class Row:
    """How an operator is translated.

    Attributes:
        function: Takes a ``Call``, the inputs, and attributes as keywords.
        since: The first version of the domain that it holds for.
        until: The last one.
        strings: What it does with strings.
    """

    function: Callable[..., object]
    since: int
    until: int
    strings: Strings = "refused"

    @property
    def attributes(self) -> frozenset[str] | None:
        """The attributes that it takes; None if it takes any."""
        return attribute_names(self.function)

    @property
    def inputs(self) -> int:
        """How many inputs it takes at most."""
        return most_inputs(self.function)


ROWS: Final[dict[tuple[str, str], list[Row]]] = {}


def lowers(
    *names: str,
    since: int = 1,
    until: int = NEWEST,
    domain: str = DEFAULT_DOMAIN,
    strings: Strings = "refused",
) -> Callable[[FunctionT], FunctionT]:
    """Registers a function as the translation of operators.

    Args:
        *names: The operators.
        since: The first version of the domain in which they mean this.
        until: The last one.
        domain: Their domain.
        strings: What it does with strings. Those that are ``known`` when a model is imported come
            as arrays; ``any`` others as ``TextTensor``; where they are ``moved``, their numbers do
            in their place.
    """

    def register(function: FunctionT) -> FunctionT:
        row = Row(function, since, until, strings)
        for name in names:
            rows = ROWS.setdefault((domain, name), [])
            overlaps = any(since <= other.until and other.since <= until for other in rows)
            assert not overlaps, f"{domain}.{name} has two functions"
            rows.append(row)
        return function

    return register


@cache
def attribute_names(function: Callable[..., object]) -> frozenset[str] | None:
    """The attributes that a function takes: its keyword-only parameters; None if it takes any."""
    parameters = signature(function).parameters.values()
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return frozenset(p.name for p in parameters if p.kind is Parameter.KEYWORD_ONLY)


@cache
def most_inputs(function: Callable[..., object]) -> int:
    """How many inputs a function takes at most: its parameters after the call."""
    kinds = [parameter.kind for parameter in signature(function).parameters.values()]
    if Parameter.VAR_POSITIONAL in kinds:
        return NEWEST
    return kinds.count(Parameter.POSITIONAL_OR_KEYWORD) - 1


def row_of(domain: str, name: str, version: int) -> Row | None:
    """How an operator is translated in a version of its domain; None if it is not."""
    rows: Sequence[Row] = all_rows().get((domain, name), ())
    return next((row for row in rows if row.since <= version <= row.until), None)


@cache
def all_rows() -> dict[tuple[str, str], list[Row]]:
    """All rows, by domain and name."""
    for family in FAMILIES:
        import_module(f"stablemate.frontends.onnx.operators.{family}")
    return ROWS


def require_axes(axes: Sequence[int], rank: int) -> list[int]:
    """Dimensions by their numbers, which count from the end if they are negative.

    A tensor without dimensions is taken as one with a dimension.

    Raises:
        ValueError: There is no such dimension.
    """
    most = max(rank, 1)
    for axis in axes:
        if not -most <= axis < most:
            raise ValueError(f"there is no dimension {axis} of {rank}")
    return [axis % most for axis in axes]
