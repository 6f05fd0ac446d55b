"""Every kind of model of transformers, as far as its inputs can be guessed.

A model is made from its default configuration with small sizes. Its class is the first one of the
automatic classes that PyTorch runs, its inputs are guessed from the names of its parameters.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final

import torch
import transformers
from transformers.models.auto import modeling_auto

from tools.torch_zoo.rows import Inputs, Model
from tools.torch_zoo.transformers_models import (
    EXTRA,
    IMAGE_TOKEN,
    LENGTH,
    SMALL,
    VOCABULARY,
    small_configuration,
)

TASKS: Final = (
    "FOR_CAUSAL_LM", "FOR_SEQ_TO_SEQ_CAUSAL_LM", "FOR_MASKED_LM", "FOR_IMAGE_TEXT_TO_TEXT",
    "FOR_SPEECH_SEQ_2_SEQ", "FOR_CTC", "FOR_IMAGE_CLASSIFICATION", "FOR_OBJECT_DETECTION",
    "FOR_ZERO_SHOT_OBJECT_DETECTION", "FOR_UNIVERSAL_SEGMENTATION", "FOR_SEMANTIC_SEGMENTATION",
    "FOR_INSTANCE_SEGMENTATION", "FOR_DEPTH_ESTIMATION", "FOR_MASK_GENERATION",
    "FOR_VIDEO_CLASSIFICATION", "FOR_AUDIO_CLASSIFICATION", "FOR_TIME_SERIES_PREDICTION",
    "FOR_IMAGE_TO_IMAGE", "FOR_KEYPOINT_DETECTION", "FOR_TEXT_TO_WAVEFORM", "FOR_PRETRAINING", "",
)  # fmt: skip
MOST_PARAMETERS: Final = 20_000_000
SIDES: Final = (32, 64, 224)
# Sizes that are smaller than the names of the table say.
SMALLER: Final[Mapping[str, Any]] = {
    "num_mel_bins": 16, "max_source_positions": 64, "num_queries": 5, "num_labels": 4,
    "image_token_id": IMAGE_TOKEN, "image_token_index": IMAGE_TOKEN, "depth": 2, "num_classes": 4,
    "mamba_d_state": 16, "state_size": 16, "encoder_attention_heads": 4, "ssm_state_size": 16,
    "prediction_length": 4, "context_length": 24, "lags_sequence": [1, 2], "vision_layers": 2,
}  # fmt: skip


def models() -> list[Model]:
    """A row for each kind of configuration."""
    guesses = map(Guess, transformers.CONFIG_MAPPING)
    return [Model("transformers", guess.kind, guess.make, guess.inputs) for guess in guesses]


@dataclass(slots=True)
class Guess:
    """A model of a kind, and inputs with which PyTorch runs it.

    Attributes:
        kind: What transformers calls the configuration.
        found: Makes inputs of a batch size, once there is a model.
    """

    kind: str
    found: Callable[[int], Inputs] | None = None

    def make(self) -> torch.nn.Module:
        """The first model that PyTorch runs.

        Raises:
            LookupError: It runs none with any guessed inputs.
        """
        reasons: list[str] = []
        for side, name in product(SIDES, class_names(self.kind)):
            try:
                model = created(self.kind, name, side).eval()
            except Exception as error:
                reasons.append(f"{name}: {error!r}")
                continue
            self.found = next(running_inputs(model, side, reasons), None)
            if self.found is not None:
                return model
        raise LookupError("; ".join(reason[:300] for reason in reasons))

    def inputs(self, batch: int) -> Inputs:
        """The inputs with which the model ran, for a batch size."""
        assert self.found is not None
        return self.found(batch)


def running_inputs(model: Any, side: int, reasons: list[str]) -> Iterator[Callable[[int], Inputs]]:
    """The guessed inputs with which PyTorch runs a model; why others fail is noted."""
    for inputs in guessed_inputs(model, side):
        try:
            with torch.no_grad():
                model(**inputs(2))
                model(**inputs(3))
        except Exception as error:
            reasons.append(f"{sorted(inputs(2))}: {error!r}")
            continue
        yield inputs


def class_names(kind: str) -> Iterator[str]:
    """The classes of models of a kind, the most complete ones first."""
    seen = set()
    for task in TASKS:
        table = getattr(modeling_auto, f"MODEL_{task}_MAPPING_NAMES".replace("__", "_"), {})
        names = table.get(kind, ())
        for name in (names,) if isinstance(names, str) else names:
            if name not in seen:
                seen.add(name)
                yield name


def created(kind: str, name: str, side: int) -> torch.nn.Module:
    """A small model of a class.

    Raises:
        ValueError: It has too many parameters to be small.
    """
    model_class = getattr(transformers, name)
    sizes = {**SMALL, **SMALLER, "image_size": side}
    configuration = small_configuration(
        transformers.CONFIG_MAPPING[kind], EXTRA.get(kind, {}), sizes
    )
    with torch.device("meta"):
        count = sum(p.numel() for p in model_class(configuration).parameters())
    if count > MOST_PARAMETERS:
        raise ValueError(f"{count} parameters")
    model: torch.nn.Module = model_class(configuration)
    for parameter in model.parameters():
        if parameter.dim() == 2 and not parameter.any():  # all experts would be as good
            torch.nn.init.normal_(parameter, std=0.02)
    return model


def guessed_inputs(model: Any, side: int) -> Iterator[Callable[[int], Inputs]]:
    """Inputs of which one may be right, those with more of the parameters first."""
    parameters = inspect.signature(model.forward).parameters
    known = [name for name in makers(model, side) if name in parameters]
    required = [
        name
        for name, parameter in parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind == parameter.POSITIONAL_OR_KEYWORD
    ]
    main = getattr(model, "main_input_name", "input_ids")
    audio = [n for n in ("input_values", "input_features") if n in known]
    image = [n for n in ("pixel_values", "pixel_values_videos", "input_points") if n in known]
    decoder = [n for n in ("decoder_input_ids",) if n in known]
    choices = [
        ["input_ids", "pixel_values", *decoder],
        [*audio, *decoder], [main, *decoder], ["input_ids", "bbox", *decoder], [*image],
        ["input_ids", "pixel_values", "bbox", *decoder], required, [main],
        [n for n in known if n.startswith(("past_", "future_"))],
    ]  # fmt: skip
    forms = makers(model, side)
    wanted = dict.fromkeys(tuple(sorted({*choice, *required})) for choice in choices)
    for names in wanted:
        if not names or any(name not in known for name in names):
            continue
        for form in range(max(len(forms[name]) for name in names)):
            yield partial(made, {name: forms[name][form % len(forms[name])] for name in names})


def made(makers: Mapping[str, Callable[[int], Any]], batch: int) -> Inputs:
    """Inputs of a batch size."""
    return {name: make(batch) for name, make in makers.items()}


def makers(model: Any, side: int) -> dict[str, list[Callable[[int], Any]]]:
    """What makes an input of a name, in the forms that it may have."""
    settings = model.config.to_dict()
    nested = [v for v in settings.values() if isinstance(v, dict)]
    channels = first(nested, settings, "num_channels", 3)
    channels = channels if isinstance(channels, int) else 3
    mels = first(nested, settings, "num_mel_bins", 80)
    features = first(nested, settings, "feature_size", mels)
    context = first(nested, settings, "context_length", 24)
    lags = max([0, *first(nested, settings, "lags_sequence", [0])])
    frames = first(nested, settings, "num_frames", 8)
    width = first(nested, settings, "num_input_channels", 1)
    tokens = integers(VOCABULARY - 2, LENGTH)
    history = [numbers(context + lags), numbers(context + lags, width), numbers(context, width)]
    future = [numbers(4), numbers(4, width)]
    return {
        "input_ids": [tokens, with_images(16), with_images(4), with_images(17), with_images(64)],
        "decoder_input_ids": [integers(VOCABULARY - 2, LENGTH - 3)],
        "pixel_values": [
            numbers(channels, side, side), numbers(frames, channels, side, side),
            numbers(1, channels, side, side), numbers(channels, 2 * side, 2 * side),
        ],
        "pixel_values_videos": [numbers(frames, channels, side, side)],
        "input_values": [numbers(6400), numbers(1, 6400), numbers(64, mels), numbers(16, mels)],
        "input_features": [
            numbers(mels, 128), numbers(64, mels), numbers(features, 64), numbers(64, features),
            numbers(mels, 3000), numbers(1, 64, mels),
        ],
        "bbox": [integers(60, LENGTH, 4)],
        "input_points": [lambda batch: torch.rand(batch, 1, 1, 2) * side],
        "past_values": history,
        "past_time_features": [numbers(context + lags, 0), numbers(context + lags, 1)],
        "past_observed_mask": [lambda b: torch.ones(b, context + lags)],
        "future_values": future,
        "future_time_features": [numbers(4, 0), numbers(4, 1)],
        "hidden_states": [numbers(LENGTH, 32), numbers(32, side // 8, side // 8)],
        "inputs_embeds": [numbers(LENGTH, 32)],
        "spectrogram": [numbers(64, mels)],
        "audio_codes": [integers(90, LENGTH)],
    }  # fmt: skip


def first(nested: list[dict[str, Any]], settings: dict[str, Any], name: str, default: Any) -> Any:
    """A setting of a configuration, or of one of its parts."""
    found = [part[name] for part in (settings, *nested) if part.get(name) is not None]
    return found[0] if found else default


def numbers(*shape: int) -> Callable[[int], torch.Tensor]:
    """A batch of normally distributed numbers."""
    return lambda batch: torch.randn(batch, *shape)


def integers(end: int, *shape: int) -> Callable[[int], torch.Tensor]:
    """A batch of integers between 3 and an end; the smallest ones are special tokens."""
    return lambda batch: torch.randint(3, end, (batch, *shape)).sort().values


def with_images(count: int) -> Callable[[int], torch.Tensor]:
    """A batch of tokens among which the patches of an image stand."""

    def make(batch: int) -> torch.Tensor:
        words = torch.randint(3, VOCABULARY - 2, (batch, LENGTH))
        return torch.cat([torch.full((batch, count), IMAGE_TOKEN), words], 1)

    return make
