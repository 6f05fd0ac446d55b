"""Operators on lists of tensors, ``_foreach_add`` and the like, which optimizers call.

Each is decomposed to its operator on single tensors.

Source: PyTorch, native_functions, "_foreach_".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from stablemate.frontends.torch import pytorch

Tensor = Any  # torch.Tensor
PREFIX: Final = "_foreach_"


def maximum(x: Tensor, other: object) -> Tensor:
    """The larger of elements and a tensor or number."""
    return pytorch.aten_operator("clamp_min")(x, other)


def minimum(x: Tensor, other: object) -> Tensor:
    """The smaller of elements and a tensor or number."""
    return pytorch.aten_operator("clamp_max")(x, other)


def addcmul(x: Tensor, one: Tensor, other: Tensor, value: object = 1) -> Tensor:
    """x + value one other"""
    return pytorch.aten_operator("addcmul")(x, one, other, value=value)


def addcdiv(x: Tensor, one: Tensor, other: Tensor, value: object = 1) -> Tensor:
    """x + value one / other"""
    return x + value * (one / other)


def norm(x: Tensor, ord: float = 2, dtype: object = None) -> Tensor:
    """The norm of all elements."""
    return pytorch.aten_operator("linalg_vector_norm")(x, ord, dtype=dtype)


def power_sum(x: Tensor, ord: float = 2, dtype: object = None) -> Tensor:
    """The sum of powers of absolute values."""
    return x.abs().pow(ord).sum(dtype=dtype)


def zero(x: Tensor) -> Tensor:
    """Zeros of the shape and type of a tensor."""
    return pytorch.aten_operator("zeros_like")(x)


FUNCTIONS: Final[Mapping[str, Callable[..., Tensor]]] = {
    "maximum": maximum, "minimum": minimum, "addcmul": addcmul, "addcdiv": addcdiv,
    "norm": norm, "powsum": power_sum, "zero": zero,
}  # fmt: skip


def foreach_decompositions() -> dict[object, Callable[..., object]]:
    """The decompositions of all operators on lists that change none of their arguments."""
    return {
        operator: partial(on_each, FUNCTIONS.get(name) or pytorch.aten_operator(name))
        for operator, name in foreach_operators()
    }


def foreach_operators() -> Sequence[tuple[object, str]]:
    """The operators on lists, each with the name of that on a tensor."""
    found: list[tuple[object, str]] = []
    for full in pytorch.operator_names(f"aten::{PREFIX}"):
        base = full.removeprefix(f"aten::{PREFIX}").partition(".")[0]
        operator = pytorch.operator_of(full)
        if not operator._schema.is_mutable:
            found.append((operator, base))
    return found


def on_each(
    function: Callable[..., Tensor], *arguments: object, **keywords: object
) -> list[Tensor]:
    """The results of a function for each item of lists; other arguments are the same for all."""
    columns = [items_of(argument) for argument in arguments]
    lists = [column for column in columns if column is not None]
    return [
        function(
            *[
                argument if column is None else column[i]
                for argument, column in zip(arguments, columns, strict=True)
            ],
            **keywords,
        )
        for i in range(len(lists[0]))
    ]


def items_of(argument: object) -> list[object] | None:
    """The items of a list or tuple; None of another argument."""
    return [*argument] if isinstance(argument, list | tuple) else None
