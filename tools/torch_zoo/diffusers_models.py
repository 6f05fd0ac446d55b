"""Models of diffusers: networks that remove noise, and autoencoders, with few small blocks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import diffusers
import torch

from tools.torch_zoo.rows import Inputs, Model, image

BLOCKS: Final[dict[str, Any]] = {
    "block_out_channels": (8, 16), "layers_per_block": 1, "norm_num_groups": 4, "sample_size": 8,
}  # fmt: skip
TEXT_UNET: Final[dict[str, Any]] = {
    **BLOCKS, "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D"),
    "up_block_types": ("CrossAttnUpBlock2D", "UpBlock2D"), "cross_attention_dim": 16,
    "attention_head_dim": 4,
}  # fmt: skip
SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "UNet2DModel": {
        **BLOCKS, "in_channels": 3, "out_channels": 3, "attention_head_dim": 4,
        "down_block_types": ("DownBlock2D", "AttnDownBlock2D"),
        "up_block_types": ("AttnUpBlock2D", "UpBlock2D"),
    },
    "UNet2DConditionModel": {**TEXT_UNET},
    "ControlNetModel": {
        "block_out_channels": (8, 16), "layers_per_block": 1, "norm_num_groups": 4,
        "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D"), "cross_attention_dim": 16,
        "attention_head_dim": 4, "conditioning_embedding_out_channels": (8, 8),
    },
    "AutoencoderKL": {
        "block_out_channels": (8, 16), "norm_num_groups": 4, "latent_channels": 4,
        "down_block_types": ("DownEncoderBlock2D",) * 2,
        "up_block_types": ("UpDecoderBlock2D",) * 2,
    },
    "VQModel": {
        "block_out_channels": (8, 16), "norm_num_groups": 4, "latent_channels": 3,
        "num_vq_embeddings": 16, "down_block_types": ("DownEncoderBlock2D",) * 2,
        "up_block_types": ("UpDecoderBlock2D",) * 2,
    },
    "AutoencoderTiny": {
        "encoder_block_out_channels": (8, 8), "decoder_block_out_channels": (8, 8),
        "num_encoder_blocks": (1, 1), "num_decoder_blocks": (1, 1),
    },
    "AutoencoderDC": {
        "encoder_block_out_channels": (8, 16), "decoder_block_out_channels": (8, 16),
        "encoder_block_types": ("ResBlock", "EfficientViTBlock"),
        "decoder_block_types": ("ResBlock", "EfficientViTBlock"),
        "encoder_layers_per_block": (1, 1), "decoder_layers_per_block": (1, 1),
        "encoder_qkv_multiscales": ((), (5,)), "decoder_qkv_multiscales": ((), (5,)),
        "attention_head_dim": 4, "latent_channels": 4,
    },
    "DiTTransformer2DModel": {
        "num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 2, "sample_size": 8,
        "in_channels": 4, "out_channels": 4, "num_embeds_ada_norm": 10,
    },
    "PixArtTransformer2DModel": {
        "num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 2, "sample_size": 8,
        "cross_attention_dim": 16, "caption_channels": 16, "out_channels": 8,
    },
    "SD3Transformer2DModel": {
        "sample_size": 8, "num_layers": 2, "attention_head_dim": 8, "num_attention_heads": 2,
        "joint_attention_dim": 16, "caption_projection_dim": 16, "pooled_projection_dim": 16,
        "in_channels": 4, "out_channels": 4, "pos_embed_max_size": 8,
    },
    "FluxTransformer2DModel": {
        "in_channels": 4, "num_layers": 1, "num_single_layers": 1, "attention_head_dim": 16,
        "num_attention_heads": 2, "joint_attention_dim": 16, "pooled_projection_dim": 16,
        "axes_dims_rope": (4, 4, 8),
    },
    "PriorTransformer": {
        "num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 2, "embedding_dim": 16,
        "num_embeddings": 7, "additional_embeddings": 4,
    },
    "UNet1DModel": {
        "block_out_channels": (32, 64), "in_channels": 2, "out_channels": 2,
        "extra_in_channels": 64, "down_block_types": ("DownBlock1DNoSkip", "DownBlock1D"),
        "up_block_types": ("UpBlock1D", "UpBlock1DNoSkip"), "sample_size": 16,
    },
    "UNet3DConditionModel": {
        "block_out_channels": (8, 16), "layers_per_block": 1, "norm_num_groups": 4,
        "down_block_types": ("CrossAttnDownBlock3D", "DownBlock3D"),
        "up_block_types": ("UpBlock3D", "CrossAttnUpBlock3D"), "cross_attention_dim": 16,
        "attention_head_dim": 4, "sample_size": 8,
    },
}  # fmt: skip


def models() -> list[Model]:
    """The models."""
    return [
        row("UNet2DModel", noisy(3, 8, 8)),
        row("UNet2DConditionModel", noisy(4, 8, 8, text=16)),
        row("ControlNetModel", control),
        row("AutoencoderKL", image(3, 16, 16)),
        row("VQModel", image(3, 16, 16)),
        row("AutoencoderTiny", image(3, 16, 16)),
        row("AutoencoderDC", image(3, 16, 16)),
        row("DiTTransformer2DModel", classes),
        row("PixArtTransformer2DModel", captions),
        row("SD3Transformer2DModel", pooled),
        row("FluxTransformer2DModel", packed),
        row("PriorTransformer", prior),
        row("UNet1DModel", noisy(2, 16)),
        row("UNet3DConditionModel", noisy(4, 2, 8, 8, text=16)),
    ]


def row(name: str, inputs: Callable[[int], Inputs]) -> Model:
    """A model of a class of diffusers."""
    make = partial(getattr(diffusers, name), **SETTINGS[name])
    return Model("diffusers", name, make, inputs, settings=SETTINGS[name])


def noisy(*shape: int, text: int = 0) -> Callable[[int], Inputs]:
    """Inputs: noisy samples, their times, and texts of a width."""

    def inputs(batch: int) -> Inputs:
        found = {"sample": torch.randn(batch, *shape), "timestep": torch.randint(0, 99, (batch,))}
        if text:
            found["encoder_hidden_states"] = torch.randn(batch, 6, text)
        return found

    return inputs


def control(batch: int) -> Inputs:
    """Inputs: noisy samples with images that guide them."""
    return {
        **noisy(4, 8, 8, text=16)(batch), "controlnet_cond": torch.randn(batch, 3, 16, 16),
        "return_dict": False,
    }  # fmt: skip


def classes(batch: int) -> Inputs:
    """Inputs: noisy samples of classes."""
    return {
        "hidden_states": torch.randn(batch, 4, 8, 8), "timestep": torch.randint(0, 99, (batch,)),
        "class_labels": torch.randint(0, 10, (batch,)),
    }  # fmt: skip


def captions(batch: int) -> Inputs:
    """Inputs: noisy samples with captions."""
    return {
        "hidden_states": torch.randn(batch, 4, 8, 8), "timestep": torch.randint(0, 99, (batch,)),
        "encoder_hidden_states": torch.randn(batch, 6, 16),
        "added_cond_kwargs": {"resolution": None, "aspect_ratio": None},
    }  # fmt: skip


def pooled(batch: int) -> Inputs:
    """Inputs: noisy samples with captions and what is pooled from them."""
    return {
        "hidden_states": torch.randn(batch, 4, 8, 8), "timestep": torch.randint(0, 99, (batch,)),
        "encoder_hidden_states": torch.randn(batch, 6, 16),
        "pooled_projections": torch.randn(batch, 16),
    }  # fmt: skip


def packed(batch: int) -> Inputs:
    """Inputs: packed samples with the places of their elements."""
    return {
        "hidden_states": torch.randn(batch, 16, 4),
        "encoder_hidden_states": torch.randn(batch, 6, 16),
        "pooled_projections": torch.randn(batch, 16), "timestep": torch.rand(batch),
        "img_ids": torch.randint(0, 4, (16, 3)).float(), "txt_ids": torch.zeros(6, 3),
    }  # fmt: skip


def prior(batch: int) -> Inputs:
    """Inputs: noisy embeddings with those of a text."""
    return {
        "hidden_states": torch.randn(batch, 16), "timestep": torch.randint(0, 99, (batch,)),
        "proj_embedding": torch.randn(batch, 16),
        "encoder_hidden_states": torch.randn(batch, 7, 16),
    }  # fmt: skip
