"""The models that are measured, with random weights, and inputs of any batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import torch
import torchvision
from torch import nn
from torch.nn import functional

Inputs = tuple[Any, ...]
WIDTHS: Final = (32, 64, 128, 256)  # channels of the levels of the U-Net


@dataclass(frozen=True, slots=True)
class Model:
    """A model.

    Attributes:
        create: Creates it.
        inputs: Its inputs, of a batch.
    """

    create: Callable[[], Any]
    inputs: Callable[[int], Inputs]


class Recurrent(nn.Module):
    """Two layers of LSTM; the result is the sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.LSTM(256, 256, 2, batch_first=True)

    def forward(self, x: Any) -> Any:
        """The outputs at each step."""
        return self.layers(x)[0]


class UNet(nn.Module):
    """A U-Net of four levels."""

    def __init__(self) -> None:
        super().__init__()
        pairs = list(pairwise(WIDTHS))
        self.down = nn.ModuleList([double(*pair) for pair in [(3, WIDTHS[0]), *pairs]])
        self.up = nn.ModuleList([nn.ConvTranspose2d(b, a, 2, stride=2) for a, b in pairs])
        self.merge = nn.ModuleList([double(2 * a, a) for a, _ in pairs])
        self.last = nn.Conv2d(WIDTHS[0], 2, 1)

    def forward(self, x: Any) -> Any:
        """The classes of each pixel."""
        kept: list[Any] = []
        for layer in self.down[:-1]:
            kept.append(layer(x))
            x = functional.max_pool2d(kept[-1], 2)
        x = self.down[-1](x)
        for i in reversed(range(len(kept))):
            x = self.merge[i](torch.cat([self.up[i](x), kept[i]], 1))
        return self.last(x)


def double(inputs: int, outputs: int) -> nn.Module:
    """Two convolutions, each with a batch norm and a ReLU."""
    layers: list[nn.Module] = []
    for channels in (inputs, outputs):
        layers += [nn.Conv2d(channels, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU()]
    return nn.Sequential(*layers)


def bert() -> Any:
    """BERT base."""
    from transformers import BertConfig, BertModel

    return BertModel(BertConfig())


def gpt2() -> Any:
    """GPT-2 with its logits."""
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(GPT2Config(use_cache=False))


def images(batch: int, size: int = 224) -> Inputs:
    """Images."""
    return (torch.randn(batch, 3, size, size),)


def tokens(batch: int) -> Inputs:
    """Rows of 128 tokens."""
    return (torch.randint(30000, (batch, 128)),)


MODELS: Final[Mapping[str, Model]] = {
    "resnet50": Model(torchvision.models.resnet50, images),
    "mobilenet_v3_large": Model(torchvision.models.mobilenet_v3_large, images),
    "vit_b_16": Model(torchvision.models.vit_b_16, images),
    "convnext_tiny": Model(torchvision.models.convnext_tiny, images),
    "bert-base, 128 tokens": Model(bert, tokens),
    "gpt2, 128 tokens": Model(gpt2, tokens),
    "LSTM 2 x 256, 100 steps": Model(Recurrent, lambda batch: (torch.randn(batch, 100, 256),)),
    "U-Net 128 x 128": Model(UNet, lambda batch: images(batch, 128)),
}
