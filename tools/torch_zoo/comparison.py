"""How results of a model are compared with PyTorch's.

PyTorch's float32 results differ from those of float64 by rounding errors; ours may differ from
either by a small multiple of that, and by a few units in the last place of the largest element.
The multiple is 8: another order of summation errs about as much, and the maximum over few elements
varies by a small factor.

Where that does not suffice, PyTorch's own error is the largest of several runs, whose parameters
and inputs differ in the last place: elements at the corner of a ReLU, or at the border of two
experts, come out on either side of it, and change gradients and results by more than rounding.
Where one of them is hit by chance in our run alone, the compiled model of float64 decides, which
meets none: it agrees with PyTorch's to 2^-24 of the largest element of each tensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch.utils import _pytree as pytree

MULTIPLE: Final = 8
ROUNDING: Final = 2.0**-18  # 32 units in the last place
# Gradients that are zero but for rounding are sums of terms as large as other gradients.
GROUP_ROUNDING: Final = 2.0**-21
GAP: Final = 2.0**-9  # where PyTorch has no float64 result: of the largest element
DOUBLE_GAP: Final = 2.0**-24  # between two results of float64: of the largest element


@dataclass(frozen=True, slots=True)
class Difference:
    """The largest difference of results.

    Attributes:
        name: The result.
        ratio: The difference in multiples of what is allowed.
        message: What differs.
    """

    name: str
    ratio: float
    message: str = ""


def named_tensors(value: Any, name: str = "result") -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors of a result, with names, however it is nested."""
    if torch.is_tensor(value):
        yield name, value.detach()
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from named_tensors(item, f"{name}.{key}")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for i, item in enumerate(value):
            yield from named_tensors(item, f"{name}.{i}")
    elif hasattr(value, "layers"):  # a cache of keys and values
        for i, layer in enumerate(value.layers):
            state = {k: v for k, v in vars(layer).items() if torch.is_tensor(v)}
            yield from named_tensors(state, f"{name}.{i}")
    elif hasattr(value, "__dict__") and not isinstance(value, torch.nn.Module):
        yield from named_tensors(vars(value), name)


def largest_difference(
    found: Mapping[str, torch.Tensor], single: Mapping[str, torch.Tensor],
    double: Mapping[str, torch.Tensor] | None,
    others: Sequence[Mapping[str, torch.Tensor]] = (), *, gap: float = GAP,
) -> Difference:  # fmt: skip
    """The largest difference of results from PyTorch's of float32 and float64.

    Args:
        found: Our results.
        single: PyTorch's of float32.
        double: PyTorch's of float64, if the model runs so.
        others: PyTorch's of float32 for operands that differ in the last place.
        gap: What is allowed without results of float64, as a part of the largest element.
    """
    if found.keys() != single.keys():
        names = sorted(found.keys() ^ single.keys())
        return Difference(names[0], float("inf"), f"results differ in {', '.join(names[:4])}")
    groups: dict[str, float] = {}
    for name, value in single.items():
        group = name.split(" ")[0]
        groups[group] = max(groups.get(group, 0.0), largest(value))
    differences = [
        tensor_difference(
            name, found[name], [single[name], *[other[name] for other in others]],
            (double or {}).get(name), groups[name.split(" ")[0]], gap,
        )
        for name in single
    ]  # fmt: skip
    return max(differences, key=lambda d: d.ratio, default=Difference("", 0.0))


def tensor_difference(
    name: str, found: torch.Tensor, runs: Sequence[torch.Tensor], double: torch.Tensor | None,
    group: float, gap: float,
) -> Difference:  # fmt: skip
    """The difference of one result.

    Args:
        name: The result.
        found: Ours.
        runs: PyTorch's of float32, the first of which is that of the operands themselves.
        double: PyTorch's of float64.
        group: The largest element of all results of its kind.
        gap: What is allowed without ``double``, as a part of the largest element.
    """
    single = runs[0]
    if found.shape != single.shape or found.dtype != single.dtype:
        message = f"{found.dtype}{list(found.shape)} for {single.dtype}{list(single.shape)}"
        return Difference(name, float("inf"), message)
    if not (single.is_floating_point() or single.is_complex()):
        count = min(int((found != run).sum()) for run in runs)
        return Difference(name, float("inf") if count else 0.0, f"{count} elements differ")
    if not torch.equal(found.isfinite(), single.isfinite()):
        return Difference(name, float("inf"), "not finite in other places")
    if double is None or double.shape != single.shape:
        own = max(largest(run.double() - single.double()) for run in runs)
        allowed = MULTIPLE * own + gap * largest(single) + gap * GROUP_ROUNDING * group
        error = largest(found.double() - single.double())
    else:
        own = max(largest(run.double() - double) for run in runs)
        allowed = MULTIPLE * own + ROUNDING * largest(double) + GROUP_ROUNDING * group
        gaps = (found.double() - double, found.double() - single.double())
        error = min(largest(gap) for gap in gaps)
    ratio = error / allowed if allowed else (float("inf") if error else 0.0)
    return Difference(name, ratio, f"differs by {error:.2e}, allowed {allowed:.2e}")


def largest(value: torch.Tensor) -> float:
    """The largest finite absolute value of a tensor's elements."""
    if not value.numel():
        return 0.0
    return float(torch.nan_to_num(value.detach().abs(), 0.0, 0.0, 0.0).max())


def tensor_leaves(value: Any) -> list[torch.Tensor]:
    """The tensors of a tree, in PyTorch's order."""
    return [leaf for leaf in pytree.tree_leaves(value) if torch.is_tensor(leaf)]
