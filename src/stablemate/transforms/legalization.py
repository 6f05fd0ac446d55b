"""Legalization: what is rewritten before a program is executed."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Mapping
from typing import Final, Literal, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.mhlo.counterparts import RANDOM_STATE
from stablemate.ir.core import Block, Module, Operation, Value
from stablemate.ir.rewriter import Pattern, Rewriting, rewrite_module
from stablemate.lazy_imports import OnDemand
from stablemate.transforms.decompositions import mixed_types, unchecked_operations
from stablemate.transforms.decompositions.mixed_types import mixes_types
from stablemate.transforms.decompositions.random_state import random_state_patterns
from stablemate.transforms.decompositions.unchecked_operations import is_unchecked
from stablemate.transforms.embed_resources import names_resources, resource_patterns
from stablemate.xla.translate.losses import UNTRANSLATED, Losses


def pattern_key(name: str) -> str:
    """Which patterns an operation needs: those of CHLO or MHLO, or its own."""
    dialect = name.partition(".")[0]
    return dialect if dialect in DIALECTS else name


DIALECTS: Final = frozenset(["chlo", "mhlo"])
CUSTOM_CALL: Final = "stablehlo.custom_call"
HOMES: Final = {
    "chlo": "stablemate.transforms.chlo_legalize_to_stablehlo",
    "mhlo": "stablemate.transforms.hlo_legalize_to_stablehlo",
    "func.call_indirect": "stablemate.transforms.decompositions.indirect_calls",
    "stablehlo.composite": "stablemate.transforms.chlo_recompose_ops",
    CUSTOM_CALL: "stablemate.transforms.chlo_recompose_ops",
}
PATTERNS: Final[Mapping[str, Pattern]] = OnDemand(
    HOMES, pattern_key, lambda module: module.PATTERNS
)
# Executors compute CHLO's functions of narrow numbers in more bits than the plain patterns.
Executor: TypeAlias = Literal["interpreter", "native"]
PATTERNS_OF: Final[Mapping[Executor | None, Mapping[str, Pattern]]] = {
    None: PATTERNS,
    "interpreter": OnDemand(
        HOMES, pattern_key, lambda module: getattr(module, "IN_DOUBLES", module.PATTERNS)
    ),
    "native": OnDemand(
        HOMES, pattern_key, lambda module: getattr(module, "NATIVE", module.PATTERNS)
    ),
}


def legalize_module(
    module: Module, keep: Collection[str] = (), *, executor: Executor | None = None
) -> Module:
    """The module in operations that executors know; itself if it has no others.

    Args:
        module: The module.
        keep: Operations that stay, by their names, for who knows them too.
        executor: Whose formulas functions of CHLO get; by default those of the pass.
    """
    if executor is not None and any(o.name == CUSTOM_CALL for o in module.operation.walk()):
        from stablemate.transforms.dead_calls import without_dead_calls  # imports all targets

        module = without_dead_calls(module)
    patterns = PATTERNS_OF[executor]
    if keep:
        patterns = {name: pattern for name, pattern in patterns.items() if name not in keep}
    return rewrite_module(module, with_occasional(patterns, module, keep))


def legalized_with_attributes(
    module: Module, keep: Collection[str], losses: Losses | None = None
) -> Module:
    """The module as ``legalize_module`` returns it, for converters.

    The operation that computes the results of another one gets the attributes that its definition
    does not declare: shardings, for example.

    Args:
        module: The module.
        keep: Operations that stay, by their names.
        losses: Where to record attributes of operations that nothing replaces.
    """
    patterns = {name: pattern for name, pattern in PATTERNS.items() if name not in keep}
    patterns = dict(with_occasional(patterns, module, keep))
    if not any(operation.name in patterns for operation in module.operation.walk()):
        return module
    rewriting = WithAttributes(patterns, losses or Losses(""))
    return module.with_operation(rewriting.copy_operation(module.operation))


class WithAttributes(Rewriting):
    """Copies a module; what replaces an operation has its attributes.

    Attributes:
        losses: The attributes of operations that nothing replaces, and those without results.
    """

    def __init__(self, patterns: Mapping[str, Pattern], losses: Losses) -> None:
        super().__init__(patterns)
        self.losses = losses

    def place(self, operation: Operation, block: Block) -> None:
        """Puts an operation, or what replaces it, at the end of a new block."""
        first = len(block.operations)
        super().place(operation, block)
        created = block.operations[first:]
        count = len(operation.results)
        if not created and not count:
            self.losses.add(operation.name, "function", operation.span)
        if created and count == len(created[-1].results):
            give_attributes(operation, created[-1])
        else:
            self.report(operation)

    def report(self, operation: Operation) -> None:
        """Records the attributes of an operation, which are lost."""
        for name, value in operation.discardable.items():
            if name != OWN:
                self.losses.add(name, UNTRANSLATED, operation.span, value)


def give_attributes(operation: Operation, created: Operation) -> None:
    """Gives the operation that replaces another one its attributes."""
    for name, value in operation.discardable.items():
        if name != OWN:
            created.discardable.setdefault(name, value)


OWN: Final = "mhlo.attributes"  # of a custom call that stands for an operation: it has them itself


def with_occasional(
    patterns: Mapping[str, Pattern], module: Module, keep: Collection[str] = ()
) -> Mapping[str, Pattern]:
    """The patterns, with those for named blobs and for what upstream accepts, if needed."""
    operations = list(module.operation.walk())
    more: dict[str, Pattern] = {}
    if any(map(names_resources, operations)):
        more.update(resource_patterns(module.resources))
    if any(map(mixes_types, operations)):
        more.update(mixed_types.PATTERNS)
    if RANDOM_STATE not in keep and any(o.name == RANDOM_STATE for o in operations):
        more.update(random_state_patterns())
    if any(map(is_unchecked, operations)):
        more.update(unchecked_operations.PATTERNS)
    return ChainMap(more, patterns) if more else patterns  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False, slots=True)
class Legalized:
    """A module in operations that executors know, and what it was made from.

    Attributes:
        module: The module.
        source: The module that it was made from.
        origins: For each of its operations the one of the source that it was made from.
        values: For each value of the source the one that stands for it.
    """

    module: Module
    source: Module
    origins: Mapping[Operation, Operation]
    values: Mapping[Value, Value]


def legalized_with_origins(module: Module, *, executor: Executor | None = None) -> Legalized:
    """The module as ``legalize_module`` returns it, with the origin of each operation."""
    patterns = with_occasional(PATTERNS_OF[executor], module)
    if not any(operation.name in patterns for operation in module.operation.walk()):
        return Legalized(module, module, {}, {})
    origins: dict[Operation, Operation] = {}
    rewriting = Rewriting(patterns, origins)
    top = rewriting.copy_operation(module.operation)
    rewritten = module.with_operation(top)
    return Legalized(rewritten, module, origins, rewriting.values)
