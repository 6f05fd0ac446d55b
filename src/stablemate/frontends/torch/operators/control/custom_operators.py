"""Operators of users (``torch.library``): custom calls of their names, which call PyTorch back.

The operands of the call are the tensors among the arguments, and numbers that depend on sizes;
what the program knows of the others stands in ``backend_config``. Its entry ``operands`` names the
argument of each operand: ``x``, or ``xs[1]`` for an item of a list.

Source: PyTorch, torch.library, "Python Custom Ops".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any, Final, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.execution.custom_calls.call import TargetCall
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    TypeLike,
    emit_several,
    size_tensor,
)
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.element_types import NAMES
from stablemate.frontends.torch.operators.views import strided_places
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.ir.attributes import (
    ArrayAttribute,
    DictionaryAttribute,
    IntegerAttribute,
    StringAttribute,
    float_attribute,
)
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import (
    BOOLEAN,
    F64,
    Array,
    ComplexType,
    FloatType,
    IntegerType,
)
from stablemate.numerics.symbolic_sizes import SymbolicSize

OPERANDS: Final = "operands"


@dataclass(slots=True)
class Arguments:
    """The arguments of a custom call.

    Attributes:
        operands: The operands by what they are called.
        known: The other arguments.
    """

    operands: dict[str, Tensor] = field(default_factory=dict[str, Tensor])
    known: dict[str, Attribute] = field(default_factory=dict[str, Attribute])

    @property
    def config(self) -> DictionaryAttribute:
        """The arguments of the call that are no tensors, and the names of those that are."""
        names = ArrayAttribute(tuple(map(StringAttribute, self.operands)))
        return DictionaryAttribute({**self.known, OPERANDS: names})

    def add(self, call: Call, name: str, value: object) -> None:
        """Adds an argument; one that is None is left out.

        Raises:
            UnsupportedError: It is of a type that no attribute has.
        """
        if value is None:
            return
        if isinstance(value, Tensor):
            self.operands[name] = value
        elif isinstance(value, SymbolicSize):
            self.operands[name] = size_tensor(call.graph, value, INT64)
        elif isinstance(value, list):
            items: list[Any] = [*value]
            self.add_list(call, name, items)
        else:
            self.known[name] = attribute(call, name, value)

    def add_list(self, call: Call, name: str, items: Sequence[object]) -> None:
        """Adds a list: its length, and its items."""
        self.known[name] = attribute(call, name, len(items))
        for index, item in enumerate(items):
            self.add(call, f"{name}[{index}]", item)


def attribute(call: Call, name: str, value: object) -> Attribute:
    """An argument that is no tensor as an attribute.

    Raises:
        UnsupportedError: It has no form as one.
    """
    match value:
        case bool():
            return IntegerAttribute(int(value), BOOLEAN)
        case int():
            return IntegerAttribute(value, INT64)
        case float():
            return float_attribute(value, F64)
        case str():
            return StringAttribute(value)
        case FloatType() | IntegerType() | ComplexType():
            return StringAttribute(NAMES[value])
        case _ if type(value).__module__ == "torch":
            return StringAttribute(str(value).removeprefix("torch."))
        case _:
            call.refuse(f"its argument {name} is of type {type(value).__name__}")


def results_of(
    call: Call, operator: object, arguments: Mapping[str, object], types: Sequence[TypeLike], *,
    has_effects: bool,
) -> list[Tensor]:  # fmt: skip
    """The results of an operator of a user, then the new values of tensors that it changes.

    Args:
        call: The call.
        operator: The operator.
        arguments: All arguments by the names of its schema.
        types: The types of the results and of the changed tensors.
        has_effects: Whether it does more than to compute its results.
    """
    found = Arguments()
    for name, value in arguments.items():
        found.add(call, name, value)
    target = pytorch.schema_name(operator)
    REGISTERED.setdefault(target, call_back)
    return emit_several(
        call.graph, CustomCall, types, inputs=[x.value for x in found.operands.values()],
        call_target_name=target, api_version=4, backend_config=found.config,
        has_side_effect=has_effects,
    )  # fmt: skip


def call_back(operands: Sequence[Array], call: TargetCall) -> tuple[Array, ...]:
    """Calls an operator with the arguments of a custom call."""
    names = cast("Sequence[str]", call.config[OPERANDS])
    values = dict(call.config) | dict(zip(names, operands, strict=True))
    return tuple(pytorch.called_operator(call.target, values))


def arguments_by_name(
    operator: Any, positional: Sequence[object], keywords: Mapping[str, object]
) -> dict[str, object]:
    """The arguments of an operator by the names of its schema."""
    names = [parameter.name for parameter in operator._schema.arguments]
    return dict(zip(names, positional, strict=False)) | dict(keywords)


def custom_operator(
    operator: object, call: Call, *positional: object, **keywords: object
) -> object:
    """The results of an operator that changes none of its arguments.

    Raises:
        UnsupportedError: It changes some.
    """
    if pytorch.changed_arguments(operator):
        call.refuse("it changes its arguments, and PyTorch did not functionalize it")
    arguments = arguments_by_name(operator, positional, keywords)
    results = results_of(call, operator, arguments, known_types(call.types), has_effects=False)
    every = place_results(call, results)
    return every[0] if pytorch.returns_one(operator) else every


@lowers("_standard_gamma", "_sample_dirichlet", "_standard_gamma_grad", "_dirichlet_grad")
def called_distribution(call: Call, *positional: object) -> object:
    """Gamma and Dirichlet numbers and their gradients, by PyTorch's own function and generator"""
    operator = pytorch.operator_of(call.name.removesuffix(".default").replace(".", "::"))
    arguments = arguments_by_name(operator, positional, {})
    draws = not call.name.endswith("_grad.default")
    (result,) = results_of(call, operator, arguments, known_types(call.types), has_effects=draws)
    return result


def known_types(types: Sequence[TypeLike | None]) -> list[TypeLike]:
    """The types of those results that are there."""
    return [known for known in types if known is not None]


def place_results(call: Call, results: Sequence[Tensor]) -> list[Tensor | None]:
    """The results in the places that PyTorch has for them; None where there is none."""
    rest = iter(results)
    return [None if known is None else next(rest) for known in call.types]


@lowers("higher_order.with_effects")
def with_effects(
    call: Call, token: Tensor, operator: object, *positional: object, **keywords: object
) -> list[object]:
    """The token, and the results of an operator with effects, which keep their order"""
    arguments = arguments_by_name(operator, positional, keywords)
    types = known_types(call.types[1:])
    rest = iter(results_of(call, operator, arguments, types, has_effects=True))
    return [token, *[None if known is None else next(rest) for known in call.types[1:]]]


# operators that change their arguments


@dataclass(frozen=True, slots=True)
class TensorView:
    """A tensor that an operator changes: the whole or a part of another one.

    Attributes:
        base: The number of the other one.
        value: Its elements before the change.
        write: Takes the other tensor and the new elements, to what the other one becomes.
    """

    base: int
    value: Tensor
    write: Callable[[Tensor, Tensor], Tensor]


def views_of(
    call: Call, name: str, notes: Mapping[str, Any], bases: Sequence[Tensor]
) -> list[TensorView | None]:
    """The tensors of an argument that an operator changes; None for one that is absent."""
    length = f"_{name}_length"
    if length not in notes:
        return [view_of(call, f"_{name}", notes, bases)]
    return [view_of(call, f"_{name}_{i}", notes, bases) for i in range(notes[length] or 0)]


def view_of(
    call: Call, prefix: str, notes: Mapping[str, Any], bases: Sequence[Tensor]
) -> TensorView | None:
    """A view by what keywords with a prefix say of it."""
    index: int | None = notes[f"{prefix}_base_index"]
    if index is None:
        return None
    base = bases[index]
    if f"{prefix}_slice_dim" in notes:
        place = [notes[f"{prefix}_slice_{part}"] for part in ("dim", "start", "end")]
        return TensorView(index, m.slice_dimension(base, *place), partial(write_slice, *place[:2]))
    if f"{prefix}_stride" in notes:
        size, stride = notes[f"{prefix}_size"], notes[f"{prefix}_stride"]
        places = strided_places(call, size, stride, notes[f"{prefix}_storage_offset"])
        return TensorView(index, ix.take(m.flatten(base), places, 0), partial(write_places, places))
    return TensorView(index, base, write_all)


def write_all(base: Tensor, value: Tensor) -> Tensor:
    """The tensor with all elements replaced."""
    return value


def write_slice(dimension: int, start: SizeLike, base: Tensor, value: Tensor) -> Tensor:
    """The tensor with some places of a dimension replaced."""
    starts = [
        size_tensor(base.graph, start if i == dimension else 0, INT64) for i in range(base.rank)
    ]
    return m.dynamic_update_slice(base, value, starts)


def write_places(places: Tensor, base: Tensor, value: Tensor) -> Tensor:
    """The tensor with the elements at places of its memory replaced."""
    flat = ix.put_points(m.flatten(base), [places], value, ix.replace)
    return m.reshape(flat, base.shape)


@lowers("higher_order.auto_functionalized")
def auto_functionalized(call: Call, operator: object, **keywords: object) -> list[Any]:
    """The results of an operator, and the new values of the arguments that it changes"""
    arguments = arguments_by_name(operator, (), keywords)
    types = known_types(call.types)
    results = results_of(call, operator, arguments, types, has_effects=True)
    return place_results(call, results)


@lowers("higher_order.auto_functionalized_v2")
def auto_functionalized_v2(call: Call, operator: object, **keywords: Any) -> list[object]:
    """The results of an operator, and the new values of the tensors whose views it changes"""
    bases: list[Tensor] = list(keywords.pop("_all_bases"))
    views: list[TensorView | None] = []
    for name in pytorch.changed_arguments(operator):
        found = views_of(call, name, keywords, bases)
        views += found
        values = [None if view is None else view.value for view in found]
        keywords[name] = values if f"_{name}_length" in keywords else values[0]
    arguments = {name: value for name, value in keywords.items() if not is_note(operator, name)}
    changed = [view for view in views if view is not None]
    count = len(call.types) - len(bases)
    types = [*known_types(call.types[:count]), *[(v.value.shape, v.value.element) for v in changed]]
    results = results_of(call, operator, arguments, types, has_effects=True)
    outcome, new = results[: len(results) - len(changed)], results[len(results) - len(changed) :]
    for view, value in zip(changed, new, strict=True):
        bases[view.base] = view.write(bases[view.base], value)
    rest = iter([*outcome, *bases])
    return [None if known is None else next(rest) for known in call.types]


def is_note(operator: Any, name: str) -> bool:
    """Whether a keyword says something about views, and is no argument of the operator."""
    return name not in {parameter.name for parameter in operator._schema.arguments}
