"""The models that are measured: modules of PyTorch with random weights, and inputs of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import torch
import torchvision
from torch import nn

from benchmarks.torch.models import MODELS as COMMON
from benchmarks.torch.models import Model, images, tokens

# Convolutional networks and vision transformers of torchvision, on images of 224 x 224.
VISION: Final = (
    "resnet18", "resnext50_32x4d", "densenet121", "efficientnet_b0", "efficientnet_v2_s",
    "mnasnet1_0", "mobilenet_v2", "regnet_y_400mf", "shufflenet_v2_x1_0", "squeezenet1_1",
    "swin_t", "vgg11_bn",
)  # fmt: skip
# Models of timm, on images of 224 x 224.
TIMM: Final = ("mixer_s32_224", "convnextv2_atto", "ghostnet_100", "deit_tiny_patch16_224")


def perceptron() -> Any:
    """A perceptron of three layers."""
    return nn.Sequential(
        nn.Linear(784, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10)
    )


def timm_model(name: str) -> Any:
    """A model of timm."""
    import timm

    return timm.create_model(name)


def distilbert() -> Any:
    """DistilBERT base."""
    from transformers import DistilBertConfig, DistilBertModel

    return DistilBertModel(DistilBertConfig())


MODELS: Final[Mapping[str, Model]] = {
    "MLP 784-1024-1024-10": Model(perceptron, lambda batch: (torch.randn(batch, 784),)),
    **COMMON,
    **{name: Model(getattr(torchvision.models, name), images) for name in VISION},
    **{name: Model(partial(timm_model, name), images) for name in TIMM},
    "distilbert, 128 tokens": Model(distilbert, tokens),
}


class Outputs(nn.Module):
    """A model whose output is its first tensor, so that all runtimes return the same."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, *inputs: Any) -> Any:
        """The first output."""
        result = self.model(*inputs)
        return result if isinstance(result, torch.Tensor) else result[0]


def create(name: str) -> Any:
    """A model with random weights, the same in each process."""
    torch.manual_seed(0)
    return Outputs(MODELS[name].create()).eval()


def inputs(name: str, batch: int) -> tuple[Any, ...]:
    """Its inputs, the same in each process."""
    torch.manual_seed(1)
    return MODELS[name].inputs(batch)
