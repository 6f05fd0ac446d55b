"""Models of Keras with random weights, as its own export and tf2onnx write them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf
import tf2onnx
from keras import applications, layers

from tools.onnx_cases import ExportError, Feeds, Make, short

BATCHES: Final = (2, 3)
CLASSES: Final = 7
WORDS: Final = 50
TIMES: Final = (9, 6)  # steps and features of a sequence
VERSIONS: Final = (9, 18)  # of the default domain that tf2onnx writes
Layers = Sequence[Any]

# Classifiers of images of a size each, smaller than the published ones.
IMAGES: Final[Mapping[str, tuple[int, dict[str, Any]]]] = {
    "MobileNet": (64, {"alpha": 0.25}),
    "MobileNetV2": (64, {"alpha": 0.35}),
    "MobileNetV3Small": (64, {"minimalistic": False}),
    "EfficientNetB0": (64, {}),
    "EfficientNetV2B0": (64, {}),
    "ResNet50": (64, {}),
    "ResNet50V2": (64, {}),
    "DenseNet121": (64, {}),
    "VGG16": (32, {}),
    "Xception": (96, {}),
    "InceptionV3": (96, {}),
    "ConvNeXtTiny": (64, {}),
}


def sequence(*stack: Any) -> Any:
    """A network of layers that takes sequences of features."""
    return keras.Sequential([layers.Input(TIMES), *stack])


def image(*stack: Any, size: tuple[int, ...] = (16, 20, 3)) -> Any:
    """A network of layers that takes images."""
    return keras.Sequential([layers.Input(size), *stack])


def words(*stack: Any) -> Any:
    """A network of layers that takes sequences of the numbers of words."""
    return keras.Sequential([layers.Input((9,), dtype="int32"), layers.Embedding(WORDS, 8), *stack])


def attention() -> Any:
    """A block of a transformer."""
    given = layers.Input(TIMES)
    mixed = layers.MultiHeadAttention(2, 4)(given, given, use_causal_mask=True)
    normal = layers.LayerNormalization()(given + mixed)
    more = layers.Dense(6)(layers.Dense(12, activation="swish")(normal))
    return keras.Model(given, layers.GroupNormalization(2)(normal + more))


def additive_attention() -> Any:
    """Attention whose scores are sums."""
    given = layers.Input(TIMES)
    query = layers.Dense(6)(given)
    return keras.Model(given, layers.AdditiveAttention()([query, given]))


def unet() -> Any:
    """A network with a path around its middle."""
    given = layers.Input((16, 16, 3))
    first = layers.Conv2D(8, 3, padding="same", activation="relu")(given)
    inner = layers.Conv2D(16, 3, padding="same", activation="relu")(layers.MaxPooling2D(2)(first))
    back = layers.Conv2DTranspose(8, 2, strides=2)(inner)
    joined = layers.Concatenate()([first, back])
    return keras.Model(given, layers.Conv2D(2, 1, activation="softmax")(joined))


def merged() -> Any:
    """A network whose paths are merged in all ways."""
    given = layers.Input((12,))
    one, other = layers.Dense(5)(given), layers.Dense(5, activation="tanh")(given)
    merge = (layers.Add, layers.Subtract, layers.Multiply, layers.Average, layers.Maximum)
    parts = [kind()([one, other]) for kind in merge]
    return keras.Model(given, layers.Concatenate()([*parts, layers.Dot(1)([one, other])]))


NETWORKS: Final[Mapping[str, Callable[[], Any]]] = {
    "dense": lambda: keras.Sequential(
        [layers.Input((12,)), layers.Dense(9, "relu"), layers.Dropout(0.5), layers.Dense(3)]
    ),
    "lenet": lambda: image(
        layers.Conv2D(6, 5, activation="tanh"), layers.AveragePooling2D(2), layers.Conv2D(8, 3),
        layers.Flatten(), layers.Dense(5),
    ),
    "separable": lambda: image(
        layers.SeparableConv2D(8, 3, strides=2, padding="same"), layers.BatchNormalization(),
        layers.ReLU(6.0), layers.DepthwiseConv2D(3, depth_multiplier=2),
        layers.GlobalMaxPooling2D(),
    ),
    "dilated": lambda: image(
        layers.Conv2D(8, 3, dilation_rate=2, padding="same"), layers.LeakyReLU(),
        layers.Conv2D(4, 3), layers.PReLU(shared_axes=[1, 2]),
    ),
    "resized": lambda: image(
        layers.UpSampling2D(2), layers.UpSampling2D(2, interpolation="bilinear"),
        layers.ZeroPadding2D(1), layers.Cropping2D(2), layers.Resizing(10, 12),
    ),
    "volume": lambda: image(
        layers.Conv3D(4, 3, padding="same"), layers.MaxPooling3D(2), layers.Conv3DTranspose(2, 2),
        layers.GlobalAveragePooling3D(), size=(6, 8, 8, 2),
    ),
    "conv1d": lambda: sequence(
        layers.Conv1D(8, 3, padding="causal"), layers.MaxPooling1D(2), layers.Conv1DTranspose(4, 3),
        layers.GlobalAveragePooling1D(),
    ),
    "lstm": lambda: sequence(layers.LSTM(5, return_sequences=True), layers.LSTM(4)),
    "gru": lambda: sequence(layers.GRU(5, return_sequences=True), layers.GRU(4, reset_after=False)),
    "rnn": lambda: sequence(layers.SimpleRNN(5), layers.Dense(3)),
    "bidirectional": lambda: sequence(
        layers.Bidirectional(layers.LSTM(5, return_sequences=True)),
        layers.TimeDistributed(layers.Dense(3)),
    ),
    "embedding": lambda: words(layers.GRU(5), layers.Dense(2, "sigmoid")),
    "attention": attention,
    "additive_attention": additive_attention,
    "unet": unet,
    "merged": merged,
    "activations": lambda: sequence(
        *[layers.Activation(name) for name in (
            "elu", "selu", "softplus", "softsign", "swish", "hard_sigmoid", "mish",
            "exponential", "log_softmax",
        )]
    ),
    "reshaped": lambda: sequence(
        layers.Permute((2, 1)), layers.Reshape((3, 18)), layers.Flatten(), layers.RepeatVector(3),
    ),
    "conv_lstm": lambda: image(layers.ConvLSTM2D(3, 3), size=(3, 8, 8, 2)),
    "normalized": lambda: image(
        layers.Rescaling(1 / 255, offset=-0.5), layers.LayerNormalization(),
        layers.UnitNormalization(), layers.GlobalAveragePooling2D(),
    ),
}  # fmt: skip


def models() -> dict[str, Mapping[str, Make]]:
    """What makes each case of the models."""
    makes: dict[str, Callable[[], Any]] = dict(NETWORKS)
    for name, (size, options) in IMAGES.items():
        makes[name] = partial(application, name, size, options)
    return {
        name: {
            "keras": partial(exported, make, own_export),
            **{
                f"tf2onnx {version}": partial(exported, make, partial(converted, version=version))
                for version in (VERSIONS if name in NETWORKS else ())
            },
        }
        for name, make in makes.items()
    }


def application(name: str, size: int, options: dict[str, Any]) -> Any:
    """A network for images with random weights."""
    return getattr(applications, name)(
        weights=None,
        input_shape=(size, size, 3),
        classes=CLASSES,
        classifier_activation=None,
        **options,
    )


def exported(make: Callable[[], Any], export: Callable[[Any], bytes]) -> tuple[bytes, list[Feeds]]:
    """A model as an exporter writes it, and inputs of two batch sizes.

    Raises:
        ExportError: The exporter fails.
    """
    keras.utils.set_random_seed(0)
    try:
        model = make()
        randomize(model)
        content = export(model)
    except Exception as error:
        raise ExportError(f"{type(error).__name__}: {short(error)}") from error
    return content, [feeds_of(model, batch) for batch in BATCHES]


def randomize(model: Any) -> None:
    """Gives a model weights for which the sizes of numbers stay about the same in all layers."""
    draw = np.random.default_rng(1)
    for weight in model.weights:
        shape, name = weight.shape, weight.path
        if "float" not in str(weight.dtype):
            continue
        numbers = draw.standard_normal(shape)
        if "variance" in name:
            numbers = 1 + 0.1 * np.abs(numbers)
        elif "gamma" in name:
            numbers = 1 + 0.1 * numbers
        elif len(shape) < 2 or "bias" in name:
            numbers *= 0.1
        else:
            numbers *= np.sqrt(2 / np.prod(shape[: 2 if "depthwise" in name else -1]))
        weight.assign(numbers.astype(np.float32))


def inputs_of(model: Any, batch: int) -> Any:
    """Random inputs of a model."""
    draw = np.random.default_rng(batch)
    shape = (batch, *model.inputs[0].shape[1:])
    if "int" in model.inputs[0].dtype:
        return draw.integers(0, WORDS, shape).astype(np.int32)
    return draw.standard_normal(shape).astype(np.float32)


def feeds_of(model: Any, batch: int) -> Feeds:
    """Inputs by the name that exporters are told."""
    return {"x": inputs_of(model, batch)}


def own_export(model: Any) -> bytes:
    """A model as Keras exports it."""
    given = model.inputs[0]
    signature = [keras.InputSpec(dtype=given.dtype, shape=given.shape, name="x")]
    model(inputs_of(model, 1))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.onnx")
        model.export(str(path), format="onnx", verbose=False, input_signature=signature)
        return path.read_bytes()


def converted(model: Any, version: int) -> bytes:
    """A model as tf2onnx converts its function."""
    given = model.inputs[0]
    signature = (tf.TensorSpec(given.shape, given.dtype, name="x"),)
    function = tf.function(lambda x: model(x, training=False), input_signature=signature)
    proto, _ = tf2onnx.convert.from_function(function, input_signature=signature, opset=version)
    return bytes(proto.SerializeToString())
