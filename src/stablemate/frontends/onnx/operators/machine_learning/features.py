"""Features: what models of ai.onnx.ml do with columns before they predict.

Source: ONNX, Operator Schemas of ai.onnx.ml.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

import numpy as np

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.model import StoredTensor
from stablemate.frontends.onnx.operators.machine_learning.class_scores import ML
from stablemate.frontends.onnx.operators.texts import texts_of
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, scalar
from stablemate.numerics.elements import F32, I64, Array

REFUSED: Final = {
    "ZipMap": "no program returns maps: export the model without them, as with the option "
    "zipmap=False of skl2onnx",
    "CastMap": "no program takes maps",
    "DictVectorizer": "no program takes maps",
    "CategoryMapper": "it maps strings, and no program has them: use integers",
}


@lowers(*REFUSED, domain=ML, strings=True)
def map_or_strings(call: Call, x: Any, **_: Any) -> NoReturn:
    """Maps and strings, which no program has"""
    call.refuse(REFUSED[call.node.operator])


@lowers("Binarizer", domain=ML)
def binarizer(call: Call, x: Tensor, *, threshold: float = 0.0) -> Tensor:
    """One above a threshold, else zero"""
    return (x > scalar(x.graph, threshold, x.element)).convert(x.element)


@lowers("ArrayFeatureExtractor", domain=ML)
def array_feature_extractor(call: Call, x: Tensor, indices: Tensor) -> Tensor:
    """Elements of the last dimension at indices"""
    taken = ix.take(x, m.reshape(indices, (indices.size,)), -1)
    return m.expand_dims(taken, 0) if x.rank == 1 else taken


@lowers("FeatureVectorizer", domain=ML)
def feature_vectorizer(
    call: Call, *inputs: Tensor, inputdimensions: Sequence[int] | None = None
) -> Tensor:
    """Rows of several tensors side by side, each cut or filled with zeros to a width"""
    rows = [m.reshape(x, (1, x.size)) if x.rank == 1 else m.flatten(x, 1) for x in inputs]
    widths = [x.shape[1] for x in rows] if inputdimensions is None else inputdimensions
    parts: list[Tensor] = []
    for x, width in zip(rows, widths, strict=True):
        size = x.shape[1]
        cut = m.slice_dimension(x, 1, 0, width if width < size else size).convert(F32)
        parts.append(m.pad(cut, 0, [0, 0], [0, width - cut.shape[1]]))
    return m.concatenate(parts, 1)


@lowers("Scaler", domain=ML)
def scaler(
    call: Call, x: Tensor, *, offset: Sequence[float] = (), scale: Sequence[float] = ()
) -> Tensor:
    """(x - offset) * scale, by column or for all"""
    result = x.convert(F32)
    if offset:
        result = result - constant(x.graph, np.array(offset, np.float32), F32)
    return result * constant(x.graph, np.array(scale, np.float32), F32) if scale else result


@lowers("Normalizer", domain=ML)
def normalizer(call: Call, x: Tensor, *, norm: str = "MAX") -> Tensor:
    """Rows divided by their maximum, sum of absolute values, or length; of zeros, unchanged"""
    rows = x.convert(F32)
    last = [x.rank - 1]
    match norm:
        case "MAX":
            total = r.maximum_over(rows, last)
        case "L1":
            total = r.sum_over(abs(rows), last)
        case "L2":
            total = f.sqrt(r.sum_over(f.square(rows), last))
        case _:
            call.refuse(f"norm {norm!r} is none of MAX, L1, L2")
    total = f.select(total.equals(0), 1, total)
    return rows / r.keep_dimensions(total, x.shape, last)


@lowers("Imputer", domain=ML)
def imputer(
    call: Call, x: Tensor, *, imputed_value_floats: Sequence[float] = (),
    imputed_value_int64s: Sequence[int] = (), replaced_value_float: float = 0.0,
    replaced_value_int64: int = 0,
) -> Tensor:  # fmt: skip
    """Other numbers, by column or for all, in place of one, which may be NaN"""
    values = np.array(imputed_value_floats if x.is_float else imputed_value_int64s)
    replaced = replaced_value_float if x.is_float else replaced_value_int64
    is_replaced = f.is_nan(x) if np.isnan(replaced) else x.equals(replaced)
    stored = constant(x.graph, values.astype(np.float64 if x.is_float else np.int64))
    return f.select(is_replaced, stored.convert(x.element).broadcast_to(x.shape), x)


@lowers("OneHotEncoder", domain=ML, strings=True)
def one_hot_encoder(
    call: Call, x: Tensor | Array, *, cats_int64s: Sequence[int] = (),
    cats_strings: Sequence[str] = (), zeros: int = 1,
) -> Tensor:  # fmt: skip
    """A new last dimension with one at the category; zeros if there is none of that value"""
    if not isinstance(x, Tensor):
        numbers = {text: i for i, text in enumerate(cats_strings)}
        places = [numbers.get(text, -1) for text in x.reshape(-1)]
        found = constant(call.graph, np.array(places, np.int64).reshape(x.shape), I64)
        return ix.one_hot(found, len(cats_strings)).convert(F32)
    categories = constant(x.graph, np.array(cats_int64s, np.int64), I64)
    shape = (*x.shape, len(cats_int64s))
    values = m.expand_dims(x.convert(I64), x.rank).broadcast_to(shape)
    return values.equals(categories.broadcast_to(shape)).convert(F32)


# labels


@lowers("LabelEncoder", domain=ML, until=1, strings=True)
def label_encoder_of_classes(
    call: Call, x: Tensor | Array, *, classes_strings: Sequence[str] = (),
    default_int64: int = -1, default_string: str = "_Unused",
) -> Tensor:  # fmt: skip
    """The number of a string among classes"""
    return encoded_texts(call, x, classes_strings, np.arange(len(classes_strings)), default_int64)


@lowers("LabelEncoder", domain=ML, since=2, strings=True)
def label_encoder(
    call: Call, x: Tensor | Array, *, keys_floats: Sequence[float] | None = None,
    keys_int64s: Sequence[int] | None = None, keys_strings: Sequence[str] | None = None,
    keys_tensor: StoredTensor | None = None, values_floats: Sequence[float] | None = None,
    values_int64s: Sequence[int] | None = None, values_strings: Sequence[str] | None = None,
    values_tensor: StoredTensor | None = None, default_float: float = -0.0,
    default_int64: int = -1, default_string: str = "_Unused",
    default_tensor: StoredTensor | None = None,
) -> Tensor | Array:  # fmt: skip
    """The value that belongs to a key, else a default"""
    keys = keys_floats or keys_int64s or keys_strings or stored_numbers(keys_tensor)
    if values_strings is not None or (values_tensor and values_tensor.read().dtype == object):
        texts = values_strings or stored_numbers(values_tensor)
        if isinstance(x, Tensor):
            call.refuse("its values are strings, which no program returns: use integers")
        table = dict(zip(keys, texts, strict=True))
        return texts_of([table.get(key, default_string) for key in x.reshape(-1)], x.shape)
    if values_tensor is not None:
        values = values_tensor.read().reshape(-1)
    elif values_floats is not None:
        values = np.array(values_floats, np.float32)
    else:
        values = np.array(values_int64s, np.int64)
    default: float = default_float if values.dtype.kind == "f" else default_int64
    if default_tensor is not None:
        default = default_tensor.read().reshape(-1)[0].item()
    if not isinstance(x, Tensor):
        return encoded_texts(call, x, keys, values, default)
    return encoded_numbers(call, x, np.array(keys), values, default)


def stored_numbers(stored: StoredTensor | None) -> list[Any]:
    """The elements of a tensor, in order."""
    return [] if stored is None else list(stored.read().reshape(-1).tolist())


def encoded_texts(
    call: Call, x: Tensor | Array, keys: Sequence[Any], values: Array, default: float
) -> Tensor:
    """The values that belong to strings, which are known."""
    if isinstance(x, Tensor):
        call.refuse("its keys are strings, its input is not")
    table = dict(zip(keys, values.tolist(), strict=True))
    found = [table.get(text, default) for text in x.reshape(-1)]
    return constant(call.graph, np.array(found, values.dtype).reshape(x.shape))


def encoded_numbers(call: Call, x: Tensor, keys: Array, values: Array, default: float) -> Tensor:
    """The values that belong to numbers; NaN is a key like any other."""
    shape = (*x.shape, keys.size)
    exact = keys.astype(np.float64 if x.is_float else np.int64)
    table = constant(call.graph, exact).convert(x.element).broadcast_to(shape)
    elements = m.expand_dims(x, x.rank).broadcast_to(shape)
    is_key = elements.equals(table)
    if x.is_float:
        is_key = is_key | (f.is_nan(elements) & f.is_nan(table))
    largest, place = r.argmax(is_key.convert(I64), x.rank, I64)
    found = ix.take(constant(call.graph, values), place, 0)
    return f.select(largest > 0, found, scalar(call.graph, default, found.element))
