"""Models of transformers, of each kind, with two layers and small sizes.

A configuration's sizes are made small by their names, so that a model is a row of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import torch
import transformers

from tools.torch_zoo.rows import Inputs, Model

VOCABULARY: Final = 99
LENGTH: Final = 8
# What configurations call the same things.
SMALL: Final[Mapping[str, Any]] = {
    **dict.fromkeys(
        ("hidden_size", "d_model", "n_embd", "dim", "hidden_dim", "embed_dim", "embedding_size",
         "emb_dim", "encoder_hidden_size", "projection_dim", "word_embed_proj_dim"), 32,
    ),
    **dict.fromkeys(
        ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers",
         "decoder_layers", "num_decoder_layers", "num_encoder_layers", "encoder_num_layers"), 2,
    ),
    **dict.fromkeys(
        ("num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads",
         "decoder_attention_heads", "attention_heads"), 4,
    ),
    **dict.fromkeys(("num_key_value_heads", "num_kv_heads", "n_kv_heads"), 2),
    **dict.fromkeys(
        ("intermediate_size", "ffn_dim", "encoder_ffn_dim", "decoder_ffn_dim", "d_ff", "n_inner",
         "mlp_dim", "ffn_hidden_size", "shared_expert_intermediate_size"), 64,
    ),
    **dict.fromkeys(("head_dim", "d_kv", "attention_head_size", "qk_nope_head_dim", "v_head_dim",
                     "rotary_dim"), 8),
    **dict.fromkeys(("q_lora_rank", "kv_lora_rank"), 16),
    "qk_rope_head_dim": 8, "qk_head_dim": 16,
    **dict.fromkeys(("moe_intermediate_size", "expert_intermediate_size"), 32),
    **dict.fromkeys(("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"), 4),
    **dict.fromkeys(("num_experts_per_tok", "moe_top_k", "moe_k"), 2),
    "vocab_size": VOCABULARY, "max_position_embeddings": 64, "n_positions": 64, "n_ctx": 64,
    "image_size": 32, "patch_size": 8, "num_channels": 3, "depths": [1, 1], "n_group": 1,
    "topk_group": 1, "n_shared_experts": 1, "first_k_dense_replace": 1,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1,
    "sliding_window": 16,
}  # fmt: skip
DECODERS: Final = [
    "gpt2",
    "llama",
    "bloom",
    "mixtral",
    "gemma3_text",
    "qwen3",
    "gpt_oss",
    "opt",
    "mpt",
    "gptj",
    "falcon_mamba",
    "gpt_neox",
    "phi",
    "qwen2_moe",
    "ctrl",
    "biogpt",
    "llama4_text",
    "deepseek_v4",
    "mamba",
    "codegen",
    "xglm",
    "gpt_bigcode",
    "cohere",
    "olmoe",
    "nemotron",
    "stablelm",
    "diffllama",
    "openai-gpt",
    "rwkv",
    "granitemoe",
    "jetmoe",
    "phimoe",
    "minimax",
    "ernie4_5_moe",
    "flex_olmo",
    "hunyuan_v1_moe",
    "falcon_h1",
    "lfm2",
    "olmo_hybrid",
    "nemotron_h",
    "bitnet",
    "doge",
    "exaone4",
    "gemma2",
    "glm4",
    "granite",
    "helium",
    "internlm3",
    "mistral",
    "moshi",
    "nanochat",
    "persimmon",
    "phi3",
    "qwen2",
    "qwen3_moe",
    "seed_oss",
    "smollm3",
    "starcoder2",
    "vaultgemma",
    "dots1",
    "afmoe",
    "gemma",
    "olmo2",
    "cpmant",
    "glm4_moe",
    "xlm",
    "modernbert-decoder",
    "gpt_neox_japanese",
]
ENCODERS: Final = [
    "bert",
    "albert",
    "deberta-v2",
    "fnet",
    "longformer",
    "roformer",
    "distilbert",
    "electra",
    "convbert",
    "big_bird",
    "mobilebert",
    "nystromformer",
    "funnel",
    "esm",
    "ibert",
    "modernbert",
    "squeezebert",
    "mpnet",
    "deberta",
    "layoutlm",
    "megatron-bert",
    "perceiver",
    "rembert",
    "roberta",
    "tapas",
    "luke",
    "xlm-roberta",
    "yoso",
    "mra",
    "reformer",
    "camembert",
    "ernie",
    "flaubert",
    "nomic_bert",
    "eurobert",
]
ENCODER_DECODERS: Final = [
    "t5",
    "bart",
    "m2m_100",
    "switch_transformers",
    "pegasus_x",
    "led",
    "longt5",
    "marian",
    "nllb-moe",
    "blenderbot",
    "fsmt",
    "mt5",
    "prophetnet",
    "mbart",
    "pegasus",
    "plbart",
    "umt5",
    "t5gemma",
    "bigbird_pegasus",
    "mvp",
    "blenderbot-small",
]
IMAGES: Final = [
    "vit",
    "beit",
    "dinov2",
    "mobilenet_v1",
    "mobilevit",
    "focalnet",
    "dinov2_with_registers",
    "convnext",
    "swin",
    "resnet",
    "segformer",
    "regnet",
    "pvt",
    "bit",
    "convnextv2",
    "swinv2",
    "data2vec-vision",
    "mobilenet_v2",
    "hgnet_v2",
    "siglip",
    "textnet",
    "vit_msn",
    "ijepa",
]
AUDIO: Final = [
    "wav2vec2",
    "hubert",
    "wavlm",
    "sew",
    "unispeech-sat",
    "data2vec-audio",
    "wav2vec2-conformer",
]
IMAGE_AND_TEXT: Final = (
    "clip", "siglip", "blip", "altclip", "clipseg", "chinese_clip",
)  # fmt: skip
# What the names of sizes do not tell.
EXTRA: Final[Mapping[str, Mapping[str, Any]]] = {
    "luke": {"entity_vocab_size": 8, "entity_emb_size": 16},
    "perceiver": {
        "d_latents": 32, "num_latents": 16, "num_self_attends_per_block": 2,
        "num_cross_attention_heads": 4, "num_self_attention_heads": 4,
    },
    "whisper": {"max_source_positions": 64},
    "pvt": {
        "num_attention_heads": [1, 2], "hidden_sizes": [16, 32], "depths": [1, 1],
        "num_encoder_blocks": 2, "sequence_reduction_ratios": [2, 1], "patch_sizes": [4, 2],
        "strides": [4, 2], "mlp_ratios": [2, 2],
    },
    "funnel": {"block_sizes": [1, 1], "d_head": 8},
    "longformer": {"attention_window": [4, 4]}, "led": {"attention_window": 4},
    "big_bird": {"attention_type": "original_full"},
    "bigbird_pegasus": {"attention_type": "original_full"},
    "reformer": {
        "axial_pos_shape": (2, 4), "axial_pos_embds_dim": (16, 16), "attn_layers": ["local", "lsh"],
        "num_buckets": 2, "lsh_attn_chunk_length": 4, "local_attn_chunk_length": 4,
        "feed_forward_size": 64, "hash_seed": 0, "is_decoder": False,
    },
    "mobilebert": {"intra_bottleneck_size": 32, "true_hidden_size": 32, "embedding_size": 32},
    "segformer": {
        "hidden_sizes": [16, 32], "depths": [1, 1], "num_encoder_blocks": 2, "sr_ratios": [2, 1],
        "patch_sizes": [3, 3], "strides": [4, 2], "num_attention_heads": [2, 2],
        "mlp_ratios": [2, 2], "decoder_hidden_size": 16,
    },
    "swin": {"embed_dim": 16, "num_heads": [2, 4], "window_size": 2, "patch_size": 4},
    "swinv2": {"embed_dim": 16, "num_heads": [2, 4], "window_size": 2, "patch_size": 4},
    "resnet": {"hidden_sizes": [16, 32], "embedding_size": 16},
    "regnet": {"hidden_sizes": [16, 32], "embedding_size": 16, "groups_width": 8},
    "convnext": {"hidden_sizes": [16, 32], "num_stages": 2},
    "convnextv2": {"hidden_sizes": [16, 32], "num_stages": 2},
    "bit": {"hidden_sizes": [16, 32], "embedding_size": 16, "num_groups": 4},
    "wav2vec2": {"conv_dim": [16, 16], "conv_kernel": [10, 3], "conv_stride": [5, 2]},
}  # fmt: skip


def models() -> list[Model]:
    """The models."""
    text = tokens()
    return [
        *[row("AutoModelForCausalLM", n, text, generates=True) for n in DECODERS],
        *[row("AutoModelForMaskedLM", n, text) for n in ENCODERS],
        *[row("AutoModelForSeq2SeqLM", n, tokens(decoder=True)) for n in ENCODER_DECODERS],
        *[row("AutoModelForImageClassification", n, images) for n in IMAGES],
        *[row("AutoModelForCTC", n, sound) for n in AUDIO],
        *[row("AutoModel", n, images_and_text) for n in IMAGE_AND_TEXT],
        row("AutoModelForSpeechSeq2Seq", "whisper", spectrogram),
    ]


def row(
    automatic: str, kind: str, inputs: Callable[[int], Inputs], *, generates: bool = False
) -> Model:
    """A model of an automatic class, such as ``AutoModelForCausalLM``."""
    extra = EXTRA.get(kind, {})
    make = partial(created, automatic, kind, extra)
    return Model(
        "transformers", kind, make, inputs, generates=generates,
        settings={"class": automatic, **extra},
    )  # fmt: skip


def created(automatic: str, kind: str, extra: Mapping[str, Any]) -> torch.nn.Module:
    """A model from a small configuration."""
    configuration = small_configuration(transformers.CONFIG_MAPPING[kind], extra)
    model: torch.nn.Module = getattr(transformers, automatic).from_config(configuration)
    return model


def small_configuration(kind: Any, extra: Mapping[str, Any]) -> Any:
    """A configuration whose sizes are small, as far as it has them."""
    default = kind()
    settings = {name: value for name, value in SMALL.items() if name in vars(default)}
    mapped = getattr(kind, "attribute_map", {})
    settings |= {mapped[n]: value for n, value in SMALL.items() if n in mapped}
    for name, part in vars(default).items():
        if isinstance(part, transformers.PretrainedConfig):
            settings[name] = small_configuration(type(part), extra.get(name, {})).to_dict()
    return kind(**{**settings, **extra})


def tokens(*, decoder: bool = False) -> Callable[[int], Inputs]:
    """Inputs: a batch of sequences of tokens, and others for a decoder."""

    def inputs(batch: int) -> Inputs:
        found = {"input_ids": torch.randint(3, VOCABULARY, (batch, LENGTH))}
        if decoder:
            found["decoder_input_ids"] = torch.randint(3, VOCABULARY, (batch, LENGTH - 3))
        return found

    return inputs


def images(batch: int) -> Inputs:
    """Inputs: a batch of images."""
    return {"pixel_values": torch.randn(batch, 3, 32, 32)}


def sound(batch: int) -> Inputs:
    """Inputs: a batch of samples of sound."""
    return {"input_values": torch.randn(batch, 6400)}


def spectrogram(batch: int) -> Inputs:
    """Inputs: spectrograms for an encoder, tokens for a decoder."""
    return {
        "input_features": torch.randn(batch, 80, 128),
        "decoder_input_ids": torch.randint(3, VOCABULARY, (batch, LENGTH)),
    }


def images_and_text(batch: int) -> Inputs:
    """Inputs: images and tokens."""
    return {**tokens()(batch), **images(batch)}
