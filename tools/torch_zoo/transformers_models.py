"""Models of transformers, of each kind, with two layers and small sizes.

A configuration's sizes are made small by their names, so that a model is a row of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
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
DECODERS: Final = (
    "gpt2 llama bloom mixtral gemma3_text qwen3 gpt_oss opt mpt gptj falcon_mamba gpt_neox phi "
    "qwen2_moe ctrl biogpt llama4_text deepseek_v4 mamba codegen xglm gpt_bigcode cohere olmoe "
    "nemotron stablelm diffllama openai-gpt rwkv granitemoe jetmoe phimoe minimax ernie4_5_moe "
    "flex_olmo hunyuan_v1_moe falcon_h1 lfm2 olmo_hybrid nemotron_h bitnet doge exaone4 gemma2 "
    "glm4 granite helium internlm3 mistral moshi nanochat persimmon phi3 qwen2 qwen3_moe "
    "seed_oss smollm3 starcoder2 vaultgemma dots1 afmoe gemma olmo2 cpmant glm4_moe xlm "
    "modernbert-decoder gpt_neox_japanese apertus arcee aria_text bert-generation cohere2 "
    "cohere2_moe cwm deepseek_v2 deepseek_v3 emu3 ernie4_5 exaone exaone_moe falcon fuyu git glm "
    "glm4_moe_lite got_ocr2 gpt-sw3 gpt_neo granite_swa granitemoe_swa granitemoehybrid "
    "granitemoeshared hunyuan_v1_dense hy_v3 hyperclovax inkling_text jais2 jamba laguna "
    "lfm2_moe longcat_flash mamba2 mellum mimo_v2_flash minicpm3 minimax_m2 ministral ministral3 "
    "olmo olmo3 phi4_multimodal qwen3_5_text qwen3_next recurrent_gemma roberta-prelayernorm "
    "roc_bert sarvam_moe solar_open trocr xlm-roberta-xl xlnet youtu data2vec-text "
    "gemma4_unified_text hrm_text "
)
ENCODERS: Final = (
    "bert albert deberta-v2 fnet longformer roformer distilbert electra convbert big_bird "
    "mobilebert nystromformer funnel esm ibert modernbert squeezebert mpnet deberta layoutlm "
    "megatron-bert perceiver rembert roberta tapas luke xlm-roberta yoso mra reformer camembert "
    "ernie flaubert nomic_bert eurobert gte jina_embeddings_v3 "
)
ENCODER_DECODERS: Final = (
    "t5 bart m2m_100 switch_transformers pegasus_x led longt5 marian nllb-moe blenderbot fsmt "
    "mt5 prophetnet mbart pegasus plbart umt5 t5gemma bigbird_pegasus mvp blenderbot-small "
    "t5gemma2 "
)
IMAGES: Final = (
    "vit beit dinov2 mobilenet_v1 mobilevit focalnet dinov2_with_registers convnext swin resnet "
    "segformer regnet pvt bit convnextv2 swinv2 data2vec-vision mobilenet_v2 hgnet_v2 siglip "
    "textnet vit_msn ijepa pp_lcnet poolformer pvt_v2 "
)
AUDIO: Final = (
    "wav2vec2 hubert wavlm sew unispeech-sat data2vec-audio wav2vec2-conformer sew-d unispeech "
)
IMAGE_AND_TEXT: Final = (
    "clip", "siglip", "blip", "altclip", "clipseg", "chinese_clip", "vilt", "groupvit", "flava",
    "owlvit",
)  # fmt: skip
DETECTORS: Final = "detr conditional_detr table-transformer deformable_detr dab-detr rt_detr "
SEGMENTERS: Final = "maskformer mask2former "
MULTI_HEAD_LATENT: Final = (
    "deepseek_v2", "deepseek_v3", "glm4_moe_lite", "longcat_flash", "minicpm3", "youtu",
)  # fmt: skip
CONVOLUTIONS: Final[Mapping[str, Any]] = {
    "model_type": "resnet", "hidden_sizes": [8, 16, 16, 16], "depths": [1, 1, 1, 1],
    "embedding_size": 8, "out_features": ["stage4"],
}  # fmt: skip
WINDOWS: Final[Mapping[str, Any]] = {
    "model_type": "swin", "embed_dim": 16, "depths": [1, 1, 1, 1], "num_heads": [1, 1, 2, 2],
    "window_size": 2, "patch_size": 2, "image_size": 32,
    "out_features": ["stage1", "stage2", "stage3", "stage4"],
}  # fmt: skip
DETECTOR: Final[Mapping[str, Any]] = {
    "use_timm_backbone": False, "use_pretrained_backbone": False, "backbone": None,
    "backbone_config": CONVOLUTIONS, "num_queries": 5, "num_labels": 4,
}  # fmt: skip
IMAGE_TOKEN: Final = VOCABULARY - 1
PATCHES: Final = 16  # of an image of 32 x 32
# What the names of sizes do not tell.
EXTRA: Final[Mapping[str, Mapping[str, Any]]] = {
    "luke": {"entity_vocab_size": 8, "entity_emb_size": 16},
    "perceiver": {
        "d_latents": 32, "num_latents": 16, "num_self_attends_per_block": 2,
        "num_cross_attention_heads": 4, "num_self_attention_heads": 4,
    },
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
    **{
        kind: {"num_key_value_heads": 4}
        for kind in MULTI_HEAD_LATENT
    },
    "mamba2": {"num_heads": 8, "head_dim": 8, "n_groups": 1, "state_size": 16, "chunk_size": 8},
    "granitemoehybrid": {
        "mamba_n_heads": 8, "mamba_d_head": 8, "mamba_d_state": 16, "mamba_n_groups": 1,
        "layer_types": ["mamba", "attention"],
    },
    "gpt_neo": {"attention_types": [[["global", "local"], 1]], "window_size": 4},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"]},
    **{
        kind: {"layer_types": ["linear_attention", "full_attention"], "head_dim": 16}
        for kind in ("qwen3_next", "qwen3_5_text")
    },
    "jamba": {
        "attn_layer_offset": 1, "attn_layer_period": 2, "use_mamba_kernels": False,
        "mamba_dt_rank": 4, "num_experts_per_tok": 1,
    },
    "recurrent_gemma": {"lru_width": 32, "num_hidden_layers": 3},
    "poolformer": {"depths": [1, 1, 1, 1], "hidden_sizes": [8, 16, 16, 16]},
    "pvt_v2": {
        "image_size": {"height": 32, "width": 32}, "num_attention_heads": [1, 2, 2, 4],
        "hidden_sizes": [8, 16, 16, 32], "depths": [1, 1, 1, 1],
    },
    "audio-spectrogram-transformer": {"max_length": 64},
    "yolos": {"image_size": [32, 32]},
    **dict.fromkeys(("detr", "conditional_detr", "table-transformer"), DETECTOR),
    "dab-detr": {**DETECTOR, "hidden_size": 32},
    "deformable_detr": {
        **DETECTOR, "encoder_n_points": 2, "decoder_n_points": 2, "num_feature_levels": 3,
        "backbone_config": {**CONVOLUTIONS, "out_features": ["stage3", "stage4"]},
    },
    "rt_detr": {
        "backbone_config": {
            **CONVOLUTIONS, "model_type": "rt_detr_resnet", "layer_type": "basic",
            "out_features": ["stage2", "stage3", "stage4"],
        },
        "encoder_in_channels": [16, 16, 16], "encoder_hidden_dim": 32, "encoder_layers": 1,
        "decoder_in_channels": [32, 32, 32], "num_queries": 5, "num_labels": 4,
    },
    "maskformer": {
        "backbone_config": WINDOWS, "fpn_feature_size": 32, "mask_feature_size": 32,
        "decoder_config": {
            **DETECTOR, "model_type": "detr", "d_model": 32, "encoder_layers": 1,
            "decoder_layers": 2, "decoder_ffn_dim": 32, "encoder_ffn_dim": 32,
            "decoder_attention_heads": 4, "encoder_attention_heads": 4,
        },
    },
    "mask2former": {
        "backbone_config": WINDOWS, "feature_size": 32, "mask_feature_size": 32,
        "encoder_feedforward_dim": 32, "dim_feedforward": 32, "num_queries": 5,
        "hidden_dim": 32, "decoder_layers": 3,
    },
    "sam": {
        "vision_config": {
            "output_channels": 16, "global_attn_indexes": [1], "window_size": 2, "image_size": 32,
            "patch_size": 8, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
            "num_pos_feats": 8,
            "mlp_dim": 64,
        },
        "prompt_encoder_config": {"hidden_size": 16, "image_size": 32, "patch_size": 8},
        "mask_decoder_config": {"hidden_size": 16, "num_attention_heads": 4, "mlp_dim": 32},
    },
    "llava": {"image_token_index": IMAGE_TOKEN, "image_token_id": IMAGE_TOKEN},
    "patchtst": {"context_length": 32, "num_input_channels": 2},
    "whisper": {"max_source_positions": 64},
}  # fmt: skip


def models() -> list[Model]:
    """The models."""
    text = tokens()
    return [
        *[row("AutoModelForCausalLM", n, text, generates=True) for n in DECODERS.split()],
        *[row("AutoModelForMaskedLM", n, text) for n in ENCODERS.split()],
        *[
            row("AutoModelForSeq2SeqLM", n, tokens(decoder=True), generates=True)
            for n in ENCODER_DECODERS.split()
        ],
        *[row("AutoModelForImageClassification", n, images) for n in IMAGES.split()],
        *[row("AutoModelForCTC", n, sound) for n in AUDIO.split()],
        *[row("AutoModel", n, images_and_text) for n in IMAGE_AND_TEXT],
        row("AutoModelForSpeechSeq2Seq", "whisper", spectrogram, generates=True),
        row("AutoModelForSpeechSeq2Seq", "speech_to_text", heard("input_features", 64, 80)),
        row("AutoModelForSpeechSeq2Seq", "moonshine", heard("input_values", 6400)),
        row("AutoModelForCTC", "parakeet_ctc", numbers("input_features", 64, 80)),
        row("AutoModelForCTC", "wav2vec2-bert", numbers("input_features", 32, 160)),
        row(
            "AutoModelForAudioClassification",
            "audio-spectrogram-transformer",
            numbers("input_values", 64, 128),
        ),
        row("AutoModel", "encodec", numbers("input_values", 1, 1024)),
        *[row("AutoModel", kind, text) for kind in ("dpr", "splinter", "vits")],
        row("AutoModelForObjectDetection", "yolos", images),
        *[row("AutoModelForObjectDetection", n, large_images) for n in DETECTORS.split()],
        *[row("AutoModelForUniversalSegmentation", n, images) for n in SEGMENTERS.split()],
        row("AutoModelForMaskGeneration", "sam", images_and_points),
        row("AutoModelForImageTextToText", "llava", images_in_text),
        row("AutoModel", "patchtst", numbers("past_values", 32, 2)),
        *[row("AutoModel", kind, text) for kind in ("canine", "markuplm", "visual_bert")],
        *[adapted(kind, dora=dora) for kind in ("gpt2", "llama") for dora in (False, True)],
        row("AutoModel", "vitdet", images),
        row("AutoModel", "videomae", numbers("pixel_values", 16, 3, 32, 32)),
        row("AutoModel", "timesformer", numbers("pixel_values", 8, 3, 32, 32)),
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


def adapted(kind: str, *, dora: bool) -> Model:
    """A decoder whose products have adapters of low rank, which alone are trained."""

    def make() -> torch.nn.Module:
        peft = import_module("peft")
        settings = peft.LoraConfig(
            r=4, lora_alpha=8, target_modules="all-linear", use_dora=dora, init_lora_weights=False
        )
        adapters: torch.nn.Module = peft.get_peft_model(
            created("AutoModelForCausalLM", kind, {}), settings
        )
        return adapters

    name = f"{kind}-{'dora' if dora else 'lora'}"
    return Model("transformers", name, make, tokens(), settings={"r": 4})


def created(automatic: str, kind: str, extra: Mapping[str, Any]) -> torch.nn.Module:
    """A model from a small configuration."""
    configuration = small_configuration(transformers.CONFIG_MAPPING[kind], extra)
    model: torch.nn.Module = getattr(transformers, automatic).from_config(configuration)
    for parameter in model.parameters():
        if parameter.dim() == 2 and not parameter.any():  # all experts would be as good
            torch.nn.init.normal_(parameter, std=0.02)
    generation = getattr(model, "generation_config", None)
    if generation is not None and configuration.is_encoder_decoder:
        generation.decoder_start_token_id = 1
    return model


def small_configuration(
    kind: Any, extra: Mapping[str, Any], sizes: Mapping[str, Any] = SMALL
) -> Any:
    """A configuration whose sizes are small, as far as it has them."""
    default = kind()
    settings = {name: value for name, value in sizes.items() if name in vars(default)}
    mapped = getattr(kind, "attribute_map", {})
    settings |= {mapped[n]: value for n, value in sizes.items() if n in mapped}
    layers = getattr(default, "num_hidden_layers", None)
    for name, part in vars(default).items():
        if isinstance(part, transformers.PretrainedConfig):
            settings[name] = small_configuration(type(part), extra.get(name, {}), sizes).to_dict()
        elif "layer" in name and isinstance(part, list) and len(part) == layers:
            settings[name] = [*dict.fromkeys(part), *part][: sizes["num_hidden_layers"]]
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


def large_images(batch: int) -> Inputs:
    """Inputs: a batch of images that are halved five times."""
    return {"pixel_values": torch.randn(batch, 3, 64, 64)}


def images_and_points(batch: int) -> Inputs:
    """Inputs: images, and a point in each."""
    return {**images(batch), "input_points": torch.rand(batch, 1, 1, 2) * 32}


def images_in_text(batch: int) -> Inputs:
    """Inputs: images, and tokens among which the patches of the images stand."""
    words = torch.randint(3, IMAGE_TOKEN, (batch, LENGTH))
    patches = torch.full((batch, PATCHES), IMAGE_TOKEN)
    return {**images(batch), "input_ids": torch.cat([patches, words], 1)}


def sound(batch: int) -> Inputs:
    """Inputs: a batch of samples of sound."""
    return {"input_values": torch.randn(batch, 6400)}


def spectrogram(batch: int) -> Inputs:
    """Inputs: spectrograms for an encoder, tokens for a decoder."""
    return {
        "input_features": torch.randn(batch, 80, 128),
        "decoder_input_ids": target(batch),
    }


def numbers(name: str, *shape: int) -> Callable[[int], Inputs]:
    """Inputs: a batch of normally distributed numbers."""
    return lambda batch: {name: torch.randn(batch, *shape)}


def heard(name: str, *shape: int) -> Callable[[int], Inputs]:
    """Inputs: what is heard, and tokens for a decoder."""
    sounds = numbers(name, *shape)
    return lambda batch: {**sounds(batch), "decoder_input_ids": target(batch)}


def target(batch: int) -> torch.Tensor:
    """A batch of sequences of tokens for a decoder."""
    return torch.randint(3, VOCABULARY, (batch, LENGTH))


def images_and_text(batch: int) -> Inputs:
    """Inputs: images and tokens."""
    return {**tokens()(batch), **images(batch)}
