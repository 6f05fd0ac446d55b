"""The table of operators: a function for each name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, Final, TypeVar

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.torch.operators import FAMILIES

BY_NAME: Final = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
FunctionT = TypeVar("FunctionT", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class OperatorLowering:
    """How an operator is translated.

    Attributes:
        function: Takes a ``Call``, then the arguments of the operator's schema: those that are
            keywords there as keywords, as far as it has them.
        keywords: The names of its parameters; None if it takes any keyword.
        is_users: Whether a user has registered it.
    """

    function: Callable[..., object]
    keywords: frozenset[str] | None = None
    is_users: bool = False

    def accepted_keywords(self, keywords: Mapping[str, object]) -> dict[str, object]:
        """Those keywords that it takes."""
        names = self.keywords
        return {key: value for key, value in keywords.items() if names is None or key in names}


ROWS: Final[dict[str, OperatorLowering]] = {}


def lowers(*names: str) -> Callable[[FunctionT], FunctionT]:
    """Registers a function as the translation of operators, such as ``aten.add.Tensor``.

    Args:
        *names: The operators; without a namespace they are ATen's, without an overload ``default``
            is meant.
    """

    def register(function: FunctionT) -> FunctionT:
        lowering = lowering_by(function)
        for name in names:
            full = full_name(name)
            assert full not in ROWS, f"{full} has two functions"
            ROWS[full] = lowering
        return function

    return register


def lowering_by(function: Callable[..., object]) -> OperatorLowering:
    """The translation by a function, whose parameters tell the keywords that it takes."""
    parameters = signature(function).parameters.values()
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return OperatorLowering(function)
    return OperatorLowering(function, frozenset(p.name for p in parameters if p.kind in BY_NAME))


def full_name(name: str) -> str:
    """The name of an overload, with its namespace."""
    parts = name.split(".")
    if parts[0] not in NAMESPACES:
        parts.insert(0, "aten")
    if len(parts) == 2:
        parts.append("default")
    return ".".join(parts)


NAMESPACES: Final = frozenset(
    {
        "aten", "prims", "quantized_decomposed", "higher_order", "torchvision", "rngprims",
        "inductor", "python", "stablemate", "transformers",
    }
)  # fmt: skip


def operator_name(target: Any) -> str:
    """The name of what a node calls: of an operator ``aten.add.Tensor``."""
    namespace = getattr(target, "namespace", None)
    if hasattr(target, "_schema"):
        return f"{namespace}.{str(target).removeprefix(f'{namespace}.')}"
    if namespace == "higher_order":
        return f"higher_order.{target.name()}.default"
    return f"python.{getattr(target, '__name__', target)}.default"


@cache
def lowerings() -> dict[str, OperatorLowering]:
    """All rows, by the names of operators."""
    for family in FAMILIES:
        import_module(f"stablemate.frontends.torch.operators.{family}")
    return ROWS
