"""Translations that users register for operators of PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.frontends.torch.decompositions import decompositions
from stablemate.frontends.torch.table import lowering_by, lowerings

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def torch_lowering(name: str) -> Callable[[FunctionT], FunctionT]:
    """Registers a function as the translation of an operator of PyTorch to StableHLO.

    ::

        @sm.torch_lowering("mylib::scaled_sine")
        def scaled_sine(call, x, factor):
            return call.operation("stablehlo.sine", x) * factor

    The function is called with a ``Call``, then with the arguments of the operator's schema; those
    that are keywords there are keywords. Tensors have Python's operators, ``shape``, ``element``,
    ``convert`` and ``broadcast_to``; functions of them stand in
    ``stablemate.frontends.tensor_functions``. ``call.operation(name, *operands, **attributes)``
    creates an operation of StableHLO or CHLO; ``call.shape``, ``call.element`` and ``call.types``
    are what PyTorch infers for the results, which the function returns: a tensor, or a list.

    It holds for the whole process, for graphs compiled from then on. It may stand for an operator
    of ATen (``aten::gelu``), too; registering a name again replaces what was there. Without one, an
    operator of a library is a custom call of its name, which calls PyTorch.

    Args:
        name: The operator as PyTorch writes it, ``library::name`` or ``library::name.overload``.

    Raises:
        ArgumentTypeError: The name is no string, or what is registered no function.
        ArgumentValueError: The name has no library.
    """
    if not isinstance(cast(object, name), str):
        raise ArgumentTypeError('torch_lowering takes a name: @torch_lowering("library::name")')
    library, separator, rest = name.partition("::")
    if not (library and separator and rest):
        raise ArgumentValueError(f"an operator is called library::name, not {name!r}")
    base, _, overload = rest.partition(".")

    def register(function: FunctionT) -> FunctionT:
        if not callable(cast(object, function)):
            raise ArgumentTypeError(f"the lowering of {name} is a function, not {function!r}")
        lowering = replace(lowering_by(function), is_users=True)
        lowerings()[f"{library}.{base}.{overload or 'default'}"] = lowering
        decompositions.cache_clear()
        return function

    return register
