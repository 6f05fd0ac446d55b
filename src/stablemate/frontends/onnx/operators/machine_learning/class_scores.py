"""Scores of classes: what operators of ai.onnx.ml do with them at the end.

Source: ONNX, Operator Schemas of ai.onnx.ml.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.text_tensors import TextTensor
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.softmax import softmax_along
from stablemate.frontends.tensor_functions.special_functions.normal import ndtri
from stablemate.frontends.tensor_functions.tensor import Tensor, constant
from stablemate.numerics.elements import F32, I64

ML: Final = "ai.onnx.ml"
NOTHING: Final = 1e-7  # what SOFTMAX_ZERO takes for zero


def computed_rows(x: Tensor) -> Tensor:
    """Rows of features as floats; a vector is one row."""
    rows = x if x.rank > 1 else m.reshape(x, (1, x.size))
    return rows if rows.is_float else rows.convert(F32)


def softmax_zero(x: Tensor) -> Tensor:
    """The softmax of rows, in which exp(0 - max) of a score of zero is no part of the sum."""
    high = r.keep_dimensions(r.maximum_over(x, [1]), x.shape, [1])
    is_counted = abs(x) > NOTHING
    weights = f.select(is_counted, f.exp(x - high), 0)
    total = r.keep_dimensions(r.sum_over(weights, [1]), x.shape, [1])
    return f.select(is_counted, weights, x * f.exp(-high)) / total


def softmax_of_rows(x: Tensor) -> Tensor:
    """The softmax of each row of scores (batch, classes)."""
    return softmax_along(x, 1)


def logistic(x: Tensor) -> Tensor:
    """The logistic function; of negative numbers it is what is left of one, as in ONNX Runtime."""
    upper = f.logistic(abs(x))
    return f.select(x < 0, 1 - upper, upper)


def identity(x: Tensor) -> Tensor:
    """The scores as they are, for ``NONE``."""
    return x


POST_TRANSFORMS: Final[dict[str, Callable[[Tensor], Tensor]]] = {
    "NONE": identity, "LOGISTIC": logistic, "SOFTMAX": softmax_of_rows,
    "SOFTMAX_ZERO": softmax_zero, "PROBIT": ndtri,
}  # fmt: skip


def apply_post_transform(call: Call, scores: Tensor, name: str) -> Tensor:
    """Scores after the function that an attribute names."""
    require_post_transform(call, name)
    return POST_TRANSFORMS[name](scores)


def require_post_transform(call: Call, name: str) -> None:
    """Refuses an attribute that names no function of scores.

    Raises:
        UnsupportedError: It is none.
    """
    if name not in POST_TRANSFORMS:
        call.refuse(f"post_transform {name!r} is none of {', '.join(POST_TRANSFORMS)}")


@dataclass(frozen=True, slots=True)
class ClassLabels:
    """The labels of classes.

    Attributes:
        numbers: They, or those of strings in the table of the model.
        are_texts: Whether they are strings.
    """

    numbers: Sequence[int]
    are_texts: bool

    def __len__(self) -> int:
        return len(self.numbers)

    def at(self, places: Tensor) -> Tensor | TextTensor:
        """The labels at indices, of the shape that the indices have."""
        table = constant(places.graph, np.array(self.numbers, np.int64), I64)
        found = ix.take(table, places, 0)
        return TextTensor(found) if self.are_texts else found


def class_labels(
    call: Call, integers: Sequence[int] | None, strings: Sequence[str] | None
) -> ClassLabels:
    """The labels of classes.

    Raises:
        UnsupportedError: There are none.
    """
    if strings:
        return ClassLabels([*map(call.texts.number, strings)], are_texts=True)
    if not integers:
        call.refuse("it has no labels of classes")
    return ClassLabels(integers, are_texts=False)


def best_labels(scores: Tensor, labels: ClassLabels) -> Tensor | TextTensor:
    """The label of the largest score of each row, of the first one if there are several."""
    return labels.at(r.argmax(scores, 1, I64)[1])


def two_scores(
    call: Call, score: Tensor, labels: ClassLabels, post_transform: str, *, threshold: float,
    is_share: bool,
) -> tuple[Tensor | TextTensor, Tensor]:  # fmt: skip
    """The labels and scores of two classes by one score of the second, as ONNX Runtime has them.

    Args:
        call: The call.
        score: A column.
        labels: The labels of the two classes.
        post_transform: What becomes of the scores; a softmax of one score is none.
        threshold: Above which it is the second class.
        is_share: Whether the score of the first class is what is left of one, not the opposite.
    """
    require_post_transform(call, post_transform)
    chosen = labels.at(m.squeeze((score > threshold).convert(I64), 1))
    if post_transform == "PROBIT":
        return chosen, ndtri(score)
    if post_transform == "LOGISTIC":
        return chosen, logistic(m.concatenate([-score, score], 1))
    return chosen, m.concatenate([1 - score if is_share else -score, score], 1)
