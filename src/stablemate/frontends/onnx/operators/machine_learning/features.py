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
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.onnx.text_tensors import MapSequence, Texts, TextTensor
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, scalar
from stablemate.numerics.elements import F32, I64, Array

TAKE_MAPS: Final = ("CastMap", "DictVectorizer")


@lowers(*TAKE_MAPS, domain=ML, strings="any")
def function_of_maps(call: Call, x: object, **_: object) -> NoReturn:
    """A function of maps, which no program takes"""
    call.refuse("no program takes maps")


@lowers("ZipMap", domain=ML)
def zip_map(
    call: Call, x: Tensor, *, classlabels_int64s: Sequence[int] = (),
    classlabels_strings: Sequence[str] = (),
) -> MapSequence:  # fmt: skip
    """A map for each row, from the labels of columns to its elements"""
    rows = x if x.rank == 2 else m.reshape(x, (1, x.size))
    labels = classlabels_strings or classlabels_int64s
    if rows.shape[1] != len(labels):
        call.refuse(f"{len(labels)} labels for rows of {rows.shape[1]} elements do not fit")
    return MapSequence(rows, labels)


@lowers("Binarizer", domain=ML)
def binarizer(call: Call, x: Tensor, *, threshold: float = 0.0) -> Tensor:
    """One above a threshold, else zero"""
    return (x > scalar(x.graph, threshold, x.element)).convert(x.element)


@lowers("ArrayFeatureExtractor", domain=ML, strings="moved")
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


@lowers("OneHotEncoder", domain=ML, strings="any")
def one_hot_encoder(
    call: Call, x: Tensor | Texts, *, cats_int64s: Sequence[int] = (),
    cats_strings: Sequence[str] = (), zeros: int = 1,
) -> Tensor:  # fmt: skip
    """A new last dimension with one at the category; zeros if there is none of that value"""
    if isinstance(x, Tensor):
        numbers, known = x.convert(I64), cats_int64s
    else:
        numbers, known = call.text_numbers(x), [*map(call.texts.number, cats_strings)]
    categories = constant(call.graph, np.array(known, np.int64), I64)
    shape = (*numbers.shape, len(known))
    values = m.expand_dims(numbers, numbers.rank).broadcast_to(shape)
    return values.equals(categories.broadcast_to(shape)).convert(F32)


# labels


@lowers("LabelEncoder", domain=ML, until=1, strings="any")
def label_encoder_of_classes(
    call: Call, x: Tensor | Texts, *, classes_strings: Sequence[str] = (),
    default_int64: int = -1, default_string: str = "_Unused",
) -> Tensor | TextTensor:  # fmt: skip
    """The number of a string among classes, or the string of a number"""
    return encode(
        call, x, np.arange(len(classes_strings)), np.array(classes_strings, object), default_int64,
        default_string,
    )  # fmt: skip


@lowers("CategoryMapper", domain=ML, strings="any")
def category_mapper(
    call: Call, x: Tensor | Texts, *, cats_int64s: Sequence[int], cats_strings: Sequence[str],
    default_int64: int = -1, default_string: str = "_Unused",
) -> Tensor | TextTensor:  # fmt: skip
    """The number that belongs to a string, or the string that belongs to a number"""
    return encode(
        call, x, np.array(cats_int64s, np.int64), np.array(cats_strings, object), default_int64,
        default_string,
    )  # fmt: skip


def encode(
    call: Call, x: Tensor | Texts, numbers: Array, texts: Array, default: int, default_text: str
) -> Tensor | TextTensor:
    """The numbers that belong to strings, or the other way around."""
    if not isinstance(x, Tensor):
        return encoded_texts(call, x, texts, numbers, default)
    found = encoded_numbers(
        call, x, numbers, call.texts.numbers(texts), call.texts.number(default_text)
    )
    return TextTensor(found)


@lowers("LabelEncoder", domain=ML, since=2, strings="any")
def label_encoder(
    call: Call, x: Tensor | Texts, *, keys_floats: Sequence[float] | None = None,
    keys_int64s: Sequence[int] | None = None, keys_strings: Sequence[str] | None = None,
    keys_tensor: StoredTensor | None = None, values_floats: Sequence[float] | None = None,
    values_int64s: Sequence[int] | None = None, values_strings: Sequence[str] | None = None,
    values_tensor: StoredTensor | None = None, default_float: float = -0.0,
    default_int64: int = -1, default_string: str = "_Unused",
    default_tensor: StoredTensor | None = None,
) -> Tensor | TextTensor:  # fmt: skip
    """The value that belongs to a key, else a default"""
    keys = keys_floats or keys_int64s or keys_strings or stored_numbers(keys_tensor)
    defaults: dict[str, Any] = {"f": default_float, "O": default_string}
    if values_tensor is not None:
        values = values_tensor.read().reshape(-1)
    elif values_strings is not None:
        values = np.array(values_strings, object)
    elif values_floats is not None:
        values = np.array(values_floats, np.float32)
    else:
        values = np.array(values_int64s, np.int64)
    default = defaults.get(values.dtype.kind, default_int64)
    if default_tensor is not None:
        default = default_tensor.read().reshape(-1).tolist()[0]
    are_texts = values.dtype == object
    if are_texts:
        values, default = call.texts.numbers(values), call.texts.number(default)
    if isinstance(x, Tensor):
        found = encoded_numbers(call, x, np.array(keys), values, default)
    else:
        found = encoded_texts(call, x, keys, values, default)
    return TextTensor(found) if are_texts else found


def stored_numbers(stored: StoredTensor | None) -> list[object]:
    """The elements of a tensor, in order."""
    return [] if stored is None else list(stored.read().reshape(-1).tolist())


def encoded_texts(
    call: Call, x: Texts, keys: Sequence[Any] | Array, values: Array, default: float
) -> Tensor:
    """The values that belong to strings: those of a table at their numbers."""
    places = [call.texts.number(key) for key in keys]
    table = np.full(len(call.texts) + 1, default, values.dtype)
    table[places] = values  # the last row is that of all strings that are not in the model
    numbers = f.minimum(call.text_numbers(x), len(table) - 1)
    return ix.take(constant(call.graph, table), numbers, 0)


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
