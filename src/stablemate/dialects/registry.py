"""All operations of all dialects: the list in which readers, printers and passes look up names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType, ModuleType
from typing import Final, TypeGuard, cast

from stablemate.dialects import builtin, check, func, interpreter, tensor
from stablemate.dialects.arith.dialect import MODULES as ARITH
from stablemate.dialects.chlo.dialect import MODULES as CHLO
from stablemate.dialects.sdy.dialect import MODULES as SDY
from stablemate.dialects.shape.dialect import MODULES as SHAPE
from stablemate.dialects.stablehlo.dialect import MODULES as STABLEHLO
from stablemate.dialects.vhlo.dialect import MODULES as VHLO
from stablemate.ir.core import Operation

MODULES: Final = (
    *ARITH,
    *CHLO,
    *SDY,
    *SHAPE,
    *STABLEHLO,
    *VHLO,
    builtin,
    check,
    func,
    interpreter,
    tensor,
)


def operations_of(module: ModuleType) -> Iterator[type[Operation]]:
    """The operations that a module defines, those in its tables too."""
    for value in vars(module).values():
        candidates = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        yield from filter(is_operation, candidates)


def is_operation(value: object) -> TypeGuard[type[Operation]]:
    """Whether this is a class that ``@op`` has defined."""
    return isinstance(value, type) and issubclass(value, Operation) and "definition" in vars(value)


OPERATIONS: Final[Mapping[str, type[Operation]]] = MappingProxyType(
    {each.definition.name: each for module in MODULES for each in operations_of(module)}
)
