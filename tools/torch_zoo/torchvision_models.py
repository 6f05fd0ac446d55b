"""Models of torchvision, a few of each architecture, with small images."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
import torchvision

from tools.torch_zoo.rows import Inputs, Model, image

CLASSIFIERS = {
    "alexnet": 96, "convnext_tiny": 64, "densenet121": 64, "efficientnet_b0": 64,
    "efficientnet_b1": 64, "efficientnet_v2_s": 64, "mnasnet0_5": 64, "mnasnet1_0": 64,
    "mobilenet_v2": 64, "mobilenet_v3_large": 64, "mobilenet_v3_small": 64,
    "regnet_x_400mf": 64, "regnet_x_800mf": 64, "regnet_y_400mf": 64, "regnet_y_800mf": 64,
    "resnet18": 64, "resnet34": 64, "resnet50": 64, "resnext50_32x4d": 64,
    "wide_resnet50_2": 64, "shufflenet_v2_x0_5": 64, "shufflenet_v2_x1_0": 64,
    "shufflenet_v2_x1_5": 64, "squeezenet1_0": 64, "squeezenet1_1": 64, "swin_t": 64,
    "swin_v2_t": 64, "vgg11": 32, "vgg11_bn": 32, "vgg13_bn": 32, "vgg16": 32,
}  # fmt: skip
VIDEO = {"r3d_18": (8, 32), "mc3_18": (8, 32), "r2plus1d_18": (8, 32), "s3d": (16, 224)}
SEGMENTATION = ("deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large", "fcn_resnet50",
                "deeplabv3_resnet50")  # fmt: skip
SMALL_SIDES = {"min_size": 64, "max_size": 96}
DETECTION = {
    "fasterrcnn_mobilenet_v3_large_320_fpn": SMALL_SIDES,
    "fasterrcnn_mobilenet_v3_large_fpn": SMALL_SIDES, "fasterrcnn_resnet50_fpn": SMALL_SIDES,
    "fcos_resnet50_fpn": SMALL_SIDES, "keypointrcnn_resnet50_fpn": SMALL_SIDES,
    "maskrcnn_resnet50_fpn": SMALL_SIDES, "retinanet_resnet50_fpn": SMALL_SIDES,
    "ssd300_vgg16": {}, "ssdlite320_mobilenet_v3_large": {},
}  # fmt: skip


def models() -> list[Model]:
    """The models."""
    return [
        *[row(name, image(3, size, size)) for name, size in CLASSIFIERS.items()],
        row("googlenet", image(3, 64, 64), init_weights=True),
        row("inception_v3", image(3, 112, 112), init_weights=True),
        row("maxvit_t", image(3, 224, 224), trains=False),
        row("vit_b_32", image(3, 64, 64), image_size=64),
        Model("torchvision", "vision_transformer", small_vit, image(3, 32, 32)),
        *[row(name, image(3, d, s, s)) for name, (d, s) in VIDEO.items()],
        row("swin3d_t", image(3, 4, 64, 64)),
        Model("torchvision", "mvit_v1_b", small_mvit, image(3, 8, 32, 32)),
        row("mvit_v2_s", image(3, 16, 224, 224), trains=False),
        *[row(n, image(3, 64, 64), weights_backbone=None, num_classes=5) for n in SEGMENTATION],
        row("raft_small", pairs, trains=False),
        *[
            row(n, detection_inputs, weights_backbone=None, trains=False, **sizes)
            for n, sizes in DETECTION.items()
        ],
    ]


def row(name: str, inputs: Any, *, trains: bool = True, **settings: Any) -> Model:
    """A model that torchvision creates by name."""
    make = partial(torchvision.models.get_model, name, weights=None, **settings)
    return Model("torchvision", name, make, inputs, trains, settings=settings)


def small_vit() -> torch.nn.Module:
    """A vision transformer of two layers."""
    return torchvision.models.VisionTransformer(
        image_size=32, patch_size=8, num_layers=2, num_heads=4, hidden_dim=64, mlp_dim=128
    )


def small_mvit() -> torch.nn.Module:
    """A multiscale vision transformer of three blocks, the second of which pools."""
    block = torchvision.models.video.mvit.MSBlockConfig
    blocks = [
        block(1, 32, 64, [3, 3, 3], [3, 3, 3], [1, 1, 1], [1, 4, 4]),
        block(2, 64, 64, [3, 3, 3], [3, 3, 3], [1, 2, 2], [1, 2, 2]),
        block(2, 64, 64, [3, 3, 3], [3, 3, 3], [1, 1, 1], [1, 2, 2]),
    ]
    return torchvision.models.video.MViT(
        spatial_size=(32, 32),
        temporal_size=8,
        block_setting=blocks,
        residual_pool=False,
        residual_with_cls_embed=True,
        rel_pos_embed=False,
        proj_after_attn=False,
    )


def pairs(batch: int) -> Inputs:
    """Two images each, for optical flow."""
    return {"0": torch.randn(batch, 3, 128, 128), "1": torch.randn(batch, 3, 128, 128)}


def detection_inputs(batch: int) -> Inputs:
    """A list of images."""
    return {"0": [torch.rand(3, 96, 96) for _ in range(batch)]}
