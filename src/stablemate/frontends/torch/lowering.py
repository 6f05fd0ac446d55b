"""Translations that users register for operators of PyTorch, and the types of what they give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar, cast

from stablemate.diagnostics.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    UnsupportedError,
)
from stablemate.frontends.tensor_functions.graph import Shape, type_of
from stablemate.frontends.tensor_functions.movement import reshape
from stablemate.frontends.tensor_functions.programs import as_list
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.frontends.torch.decompositions import decompositions
from stablemate.frontends.torch.table import lowering_by, lowerings
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import ElementType
from stablemate.numerics.symbolic_sizes import SymbolicSize

ResultType: TypeAlias = tuple[Shape, ElementType] | None
FunctionT = TypeVar("FunctionT", bound=Callable[..., object])


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


def with_inferred_types(name: str, result: Any, types: Sequence[ResultType]) -> Any:
    """The results of the function of an operator, with the types that PyTorch infers."""
    if not isinstance(result, tuple | list):
        return with_inferred_type(name, result, types[0])
    results = as_list(result)
    pairs = zip(results, types, strict=False)
    return [with_inferred_type(name, *pair) for pair in pairs] + results[len(types) :]


def with_inferred_type(name: str, result: object, expected: ResultType) -> object:
    """A result with the type that PyTorch infers.

    Where a guard says that two sizes are equal, one side may know a number and the other a symbol.
    """
    if expected is None or not isinstance(result, Tensor):
        return result
    shape, element = expected
    found, wanted = result.value.type, type_of(shape, element)
    if found == wanted:
        return result
    assert is_compatible(found, wanted), f"{name} gave {found}, PyTorch infers {wanted}"
    return reshape(result, shape)


def is_compatible(found: TensorType, wanted: TensorType) -> bool:
    """Whether types differ at most in sizes of which only one side knows the number."""
    if (found.element_type, found.rank) != (wanted.element_type, wanted.rank):
        return False
    pairs = zip(found.shape, wanted.shape, strict=True)
    return all(m == n or DYNAMIC in (m, n) for m, n in pairs)


def check_results(name: str, result: object, types: Sequence[ResultType]) -> None:
    """Refuses what a lowering that a user has registered gives, if PyTorch infers something else.

    Raises:
        UnsupportedError: There are more or fewer results, or one is no tensor of its type.
    """
    results = [item for value in as_list(result) for item in as_list(value)]
    lowering = f"the lowering of {registered_name(name)}"
    if len(results) != len(types):
        raise UnsupportedError(
            f"{lowering} gave {len(results)} results, and PyTorch infers {len(types)}"
        )
    for number, (found, expected) in enumerate(zip(results, types, strict=True)):
        wanted = None if expected is None else type_of(*expected)
        if wanted is not None and not is_of_type(found, wanted):
            given = found.value.type if isinstance(found, Tensor) else repr(found)
            raise UnsupportedError(
                f"{lowering} gave {given} for result {number}, and PyTorch infers {wanted}"
            )


def is_of_type(found: object, wanted: TensorType) -> bool:
    """Whether what a lowering gave may stand for a tensor, or for a number without sizes."""
    if isinstance(found, Tensor):
        return is_compatible(found.value.type, wanted)
    return isinstance(found, int | float | SymbolicSize) and not wanted.rank


def lowering_failure(name: str, error: Exception) -> UnsupportedError:
    """The error of an operator whose lowering, which a user has registered, raised another one."""
    kind = type(error).__name__
    return UnsupportedError(f"the lowering of {registered_name(name)} raised {kind}: {error}")


def registered_name(name: str) -> str:
    """An operator as ``torch_lowering`` takes it: ``library::name.overload``."""
    return name.replace(".", "::", 1).removesuffix(".default")
