"""Small models of transformers with random weights, as optimum writes them."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

import torch
import transformers
from optimum.exporters.onnx import onnx_export_from_model

from tools.onnx_cases import ExportError, Feeds, Make, short
from tools.onnx_folder import content_of, models_below

CASE: Final = "optimum dynamic"
TEXT: Final[Mapping[str, Any]] = {
    "vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
    "intermediate_size": 37, "max_position_embeddings": 64,
}  # fmt: skip
GPT: Final[Mapping[str, Any]] = {
    "vocab_size": 99, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64,
}  # fmt: skip
PAIR: Final[Mapping[str, Any]] = {
    "vocab_size": 99, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2,
    "encoder_attention_heads": 4, "decoder_attention_heads": 4, "encoder_ffn_dim": 37,
    "decoder_ffn_dim": 37, "max_position_embeddings": 64,
}  # fmt: skip
SOUND: Final[Mapping[str, Any]] = {
    **TEXT, "conv_dim": (16, 16), "conv_kernel": (10, 3), "conv_stride": (5, 2),
    "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2,
    "num_feat_extract_layers": 2,
}  # fmt: skip
VISION: Final[Mapping[str, Any]] = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37,
    "image_size": 32, "patch_size": 8,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Export:
    """A model and what it is exported for.

    Attributes:
        model: The class of the model.
        config: The class of its configuration.
        settings: What the configuration has.
        task: What optimum calls its use.
    """

    model: str
    config: str
    settings: Mapping[str, Any]
    task: str


FEATURES: Final = "feature-extraction"
TEXTS: Final = "text-generation-with-past"
CLASSES: Final = "image-classification"
EXPORTS: Final[Mapping[str, Export]] = {
    "bert": Export("BertModel", "BertConfig", TEXT, FEATURES),
    "bert_classes": Export(
        "BertForSequenceClassification", "BertConfig", TEXT, "text-classification"
    ),
    "bert_answers": Export("BertForQuestionAnswering", "BertConfig", TEXT, "question-answering"),
    "bert_masks": Export("BertForMaskedLM", "BertConfig", TEXT, "fill-mask"),
    "distilbert": Export(
        "DistilBertModel", "DistilBertConfig",
        {"vocab_size": 99, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 37}, FEATURES,
    ),
    "roberta": Export("RobertaModel", "RobertaConfig", TEXT, FEATURES),
    "xlm-roberta": Export("XLMRobertaModel", "XLMRobertaConfig", TEXT, FEATURES),
    "camembert": Export("CamembertModel", "CamembertConfig", TEXT, FEATURES),
    "albert": Export("AlbertModel", "AlbertConfig", {**TEXT, "embedding_size": 16}, FEATURES),
    "electra": Export("ElectraModel", "ElectraConfig", {**TEXT, "embedding_size": 16}, FEATURES),
    "deberta-v2": Export("DebertaV2Model", "DebertaV2Config", TEXT, FEATURES),
    "mpnet": Export("MPNetModel", "MPNetConfig", TEXT, FEATURES),
    "modernbert": Export(
        "ModernBertModel", "ModernBertConfig", {**TEXT, "pad_token_id": 0}, FEATURES
    ),
    "gpt2": Export("GPT2LMHeadModel", "GPT2Config", GPT, TEXTS),
    "gpt_neo": Export(
        "GPTNeoForCausalLM", "GPTNeoConfig",
        {"vocab_size": 99, "hidden_size": 32, "num_layers": 2, "num_heads": 4,
         "max_position_embeddings": 64, "attention_types": [[["global", "local"], 1]]}, TEXTS,
    ),
    "gptj": Export("GPTJForCausalLM", "GPTJConfig", {**GPT, "rotary_dim": 4}, TEXTS),
    "gpt_neox": Export("GPTNeoXForCausalLM", "GPTNeoXConfig", TEXT, TEXTS),
    "codegen": Export("CodeGenForCausalLM", "CodeGenConfig", {**GPT, "rotary_dim": 4}, TEXTS),
    "bloom": Export("BloomForCausalLM", "BloomConfig", {**TEXT, "n_layer": 2, "n_head": 4}, TEXTS),
    "opt": Export(
        "OPTForCausalLM", "OPTConfig", {**TEXT, "ffn_dim": 37, "word_embed_proj_dim": 32}, TEXTS
    ),
    "llama": Export("LlamaForCausalLM", "LlamaConfig", {**TEXT, "num_key_value_heads": 2}, TEXTS),
    "mistral": Export(
        "MistralForCausalLM", "MistralConfig", {**TEXT, "num_key_value_heads": 2}, TEXTS
    ),
    "qwen2": Export("Qwen2ForCausalLM", "Qwen2Config", {**TEXT, "num_key_value_heads": 2}, TEXTS),
    "qwen3": Export(
        "Qwen3ForCausalLM", "Qwen3Config", {**TEXT, "num_key_value_heads": 2, "head_dim": 8}, TEXTS
    ),
    "gemma": Export(
        "GemmaForCausalLM", "GemmaConfig", {**TEXT, "num_key_value_heads": 2, "head_dim": 8}, TEXTS
    ),
    "phi": Export("PhiForCausalLM", "PhiConfig", TEXT, TEXTS),
    "phi3": Export(
        "Phi3ForCausalLM", "Phi3Config", {**TEXT, "pad_token_id": 0, "num_key_value_heads": 2},
        TEXTS,
    ),
    "t5": Export(
        "T5ForConditionalGeneration", "T5Config",
        {"vocab_size": 99, "d_model": 32, "d_kv": 8, "d_ff": 37, "num_layers": 2, "num_heads": 4},
        "text2text-generation-with-past",
    ),
    "bart": Export(
        "BartForConditionalGeneration", "BartConfig", PAIR, "text2text-generation-with-past"
    ),
    "marian": Export(
        "MarianMTModel", "MarianConfig", {**PAIR, "pad_token_id": 98, "decoder_start_token_id": 98},
        "text2text-generation-with-past",
    ),
    "whisper": Export(
        "WhisperForConditionalGeneration", "WhisperConfig",
        {**PAIR, "num_mel_bins": 8, "max_source_positions": 50, "max_target_positions": 64,
         "pad_token_id": 1, "bos_token_id": 1, "eos_token_id": 1, "decoder_start_token_id": 1},
        "automatic-speech-recognition-with-past",
    ),
    "vit": Export("ViTForImageClassification", "ViTConfig", VISION, CLASSES),
    "deit": Export("DeiTForImageClassification", "DeiTConfig", VISION, CLASSES),
    "beit": Export("BeitForImageClassification", "BeitConfig", VISION, CLASSES),
    "dinov2": Export("Dinov2Model", "Dinov2Config", VISION, FEATURES),
    "resnet": Export(
        "ResNetForImageClassification", "ResNetConfig",
        {"embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1]}, CLASSES,
    ),
    "convnext": Export(
        "ConvNextForImageClassification", "ConvNextConfig",
        {"hidden_sizes": [8, 16, 16, 16], "depths": [1, 1, 1, 1]}, CLASSES,
    ),
    "swin": Export(
        "SwinForImageClassification", "SwinConfig",
        {"image_size": 32, "patch_size": 2, "embed_dim": 8, "depths": [1, 2], "num_heads": [2, 2],
         "window_size": 4}, CLASSES,
    ),
    "mobilevit": Export(
        "MobileViTForImageClassification", "MobileViTConfig",
        {"image_size": 32, "hidden_sizes": [16, 16, 16], "neck_hidden_sizes": [8] * 7,
         "num_attention_heads": 2}, CLASSES,
    ),
    "segformer": Export(
        "SegformerForSemanticSegmentation", "SegformerConfig",
        {"hidden_sizes": [8, 8, 16, 16], "depths": [1, 1, 1, 1], "decoder_hidden_size": 16},
        "semantic-segmentation",
    ),
    "yolos": Export(
        "YolosForObjectDetection", "YolosConfig",
        {**VISION, "image_size": [32, 32], "num_detection_tokens": 5}, "object-detection",
    ),
    "clip": Export(
        "CLIPModel", "CLIPConfig",
        {"text_config": {**TEXT, "eos_token_id": 98}, "vision_config": dict(VISION)},
        "zero-shot-image-classification",
    ),
    "wav2vec2": Export(
        "Wav2Vec2ForCTC", "Wav2Vec2Config", SOUND, "automatic-speech-recognition"
    ),
    "hubert": Export("HubertForCTC", "HubertConfig", SOUND, "automatic-speech-recognition"),
}  # fmt: skip


def models() -> dict[str, Mapping[str, Make]]:
    """What makes each file of the models, as ``t5/decoder_model``.

    The exporter runs at once, into a folder that the process keeps until it ends.
    """
    folder = Path(tempfile.mkdtemp(prefix="optimum-"))
    atexit.register(rmtree, folder)
    torch.set_num_threads(1)
    rows: dict[str, Mapping[str, Make]] = {}
    for name, export in EXPORTS.items():
        try:
            written(export, folder / name)
        except Exception as error:
            rows[name] = {CASE: partial(failed, f"{type(error).__name__}: {short(error)}")}
            continue
        for part, path in models_below(folder / name):
            rows[f"{name}/{part}"] = {CASE: partial(content_of, path)}
    return rows


def failed(message: str) -> tuple[bytes, list[Feeds]]:
    """A case that could not be exported.

    Raises:
        ExportError: Always.
    """
    raise ExportError(message)


def written(export: Export, folder: Path) -> None:
    """Writes the files of a model."""
    torch.manual_seed(0)
    config = getattr(transformers, export.config)(**export.settings)
    model = getattr(transformers, export.model)(config).eval()
    onnx_export_from_model(model, folder, task=export.task, do_validation=False)
