"""Complex numbers of 16-bit floats (``complex32``), which StableHLO lacks.

They are computed in 32 bits and rounded after each operator, as PyTorch's functions do. Where they
are arguments or results of a program, their parts are a last dimension of type ``f16``.

Source: PyTorch, torch.complex32.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from stablemate.frontends.tensor_functions.elementwise import complex_from_parts, imag, real
from stablemate.frontends.tensor_functions.movement import stack, take_index
from stablemate.frontends.tensor_functions.programs import as_list
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.frontends.torch.element_types import element_of
from stablemate.numerics.elements import F16, F32


def is_half_complex(value: object) -> bool:
    """Whether a value of PyTorch is a tensor of such numbers."""
    return str(getattr(value, "dtype", None)) == "torch.complex32"


def has_half_complex(values: Iterable[Any]) -> bool:
    """Whether one of some values, or of lists among them, is a tensor of such numbers."""
    return any(
        has_half_complex(as_list(value)) if isinstance(value, list | tuple) else
        is_half_complex(value)
        for value in values
    )  # fmt: skip


def from_parts(x: Tensor) -> Tensor:
    """Complex numbers of 32-bit floats, whose parts are a last dimension of type ``f16``."""
    parts = x.convert(F32)
    return complex_from_parts(take_index(parts, -1, 0), take_index(parts, -1, 1))


def to_parts(x: Tensor) -> Tensor:
    """The rounded parts of complex numbers as a last dimension of type ``f16``."""
    return stack([real(x).convert(F16), imag(x).convert(F16)], -1)


def widen(value: Any) -> Any:
    """An argument of an operator with floats of 32 bits in the place of 16 bits."""
    if isinstance(value, Tensor):
        return value.convert(F32) if value.element == F16 else value
    return [widen(item) for item in as_list(value)] if isinstance(value, list) else value


def round_results(result: Any, examples: Sequence[Any]) -> Any:
    """The results of an operator in the element types of PyTorch's fake tensors."""
    if not isinstance(result, list | tuple):
        return rounded_tensor(result, examples[0])
    return [rounded_tensor(*pair) for pair in zip(as_list(result), examples, strict=False)]


def rounded_tensor(result: Any, example: Any) -> Any:
    """A result in the element type of a fake tensor."""
    if not isinstance(result, Tensor) or not hasattr(example, "dtype"):
        return result
    if not is_half_complex(example):
        return result.convert(element_of(example.dtype))
    parts = [part(result).convert(F16).convert(F32) for part in (real, imag)]
    return complex_from_parts(*parts)
