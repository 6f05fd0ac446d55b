"""What a row of the zoo says: how a small model is made, and its inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import torch

LIBRARIES: Final = ("torchvision", "timm", "transformers", "diffusers", "tutorials")
Inputs = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Model:
    """A model of a library.

    Attributes:
        library: ``torchvision``, ``timm``, ``transformers``, ``diffusers`` or ``tutorials``.
        name: What the library calls it.
        make: Creates it, with random weights.
        inputs: Its arguments for a batch size: those without a name are called ``0``, ``1``, ...
        trains: Whether a training step is compared.
        generates: Whether it has ``generate``.
        settings: What was made smaller than the library's default, as a reader wants to know it.
    """

    library: str
    name: str
    make: Callable[[], torch.nn.Module]
    inputs: Callable[[int], Inputs]
    trains: bool = True
    generates: bool = False
    settings: dict[str, Any] = field(default_factory=dict[str, Any])


def image(*shape: int) -> Callable[[int], Inputs]:
    """Inputs: a batch of images, or of anything of normally distributed numbers."""
    return lambda batch: {"0": torch.randn(batch, *shape)}


def tokens(length: int, vocabulary: int, name: str = "0") -> Callable[[int], Inputs]:
    """Inputs: a batch of sequences of tokens; the smallest ones are left out as special."""
    return lambda batch: {name: torch.randint(3, vocabulary, (batch, length))}


def split(inputs: Inputs) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Inputs as positional arguments and keywords."""
    positional = tuple(inputs[name] for name in sorted(n for n in inputs if n.isdigit()))
    return positional, {name: value for name, value in inputs.items() if not name.isdigit()}
