"""The operation ``attention`` of the dataflow graph.

``result = post(softmax(pre(Q K^T))) V``, row by row of the scores ``Q K^T``. ``pre`` and ``post``
are regions of elementwise operations and data movement on whole tensors of scores; they read other
values of the graph.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.deferred_dataclasses import dataclass

ATTENTION: Final = "attention"
# See gradient_forms.
ATTENTION_STATISTICS: Final = "attention_statistics"
ATTENTION_REDUCTION: Final = "attention_reduction"
ATTENTION_PRODUCTS: Final = "attention_gradient"


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of the dimensions of an operand of a dot.

    Attributes:
        batch: The batching dimensions.
        free: The dimensions that the result has from it.
        depth: The contracting dimensions.
    """

    batch: tuple[int, ...]
    free: tuple[int, ...]
    depth: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DimensionMap:
    """How the dimensions of a tensor number the elements of another one.

    Element ``i`` of the tensor is element ``sum(strides[d] * i[d])`` of the other one, in row-major
    order. Each element has one number.

    Attributes:
        shape: The sizes of the dimensions.
        strides: How far apart in the other tensor neighbors along each dimension are.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def index(self, table: Expressions, number: Expression) -> list[Expression]:
        """The index of the element with a number."""
        return [
            (number // stride) % size if size > 1 else table.sum(0, ())
            for size, stride in zip(self.shape, self.strides, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class AttentionForm:
    """The properties by which two operations share a kernel.

    Attributes:
        query: The dimensions of the first operand: batch, queries, features.
        key: Those of the second one: batch, keys, features.
        value: Those of the third one: batch, features of the result, keys.
        query_first: Whether queries come before keys in the shape of the scores.
        value_first: Whether the values are the left operand of the second dot.
        scores: The shape of the scores: batch, and queries and keys in that order.
        logits: The layout of the operand of the softmax in the scores.
        weighted: The layout of the operand of the second dot in the scores.
        weighted_roles: The dimensions of that operand.
        product: The shape of the result of the second dot.
        result: The layout of the result of this operation in the result of the second dot.
        sums: The arithmetic of the first dot.
        value_sums: The arithmetic of the second dot.
        is_weighted: Whether ``post`` does more than to move and to convert.
        statistics: For the largest logit and for the sum of exponentials of each row, if they are
            results too: the layout in the scores of what was reduced, and its dimensions that
            remain.
        is_guarded: Whether results are zero for queries whose logits are all minus infinity.
    """

    query: Roles
    key: Roles
    value: Roles
    query_first: bool
    value_first: bool
    scores: tuple[int, ...]
    logits: DimensionMap
    weighted: DimensionMap
    weighted_roles: Roles
    product: tuple[int, ...]
    result: DimensionMap
    sums: Sums
    value_sums: Sums
    is_weighted: bool
    statistics: tuple[tuple[DimensionMap, tuple[int, ...]], ...] = ()
    is_guarded: bool = False


@dataclass(frozen=True, slots=True)
class AttentionOperation:
    """An operation that no program has: the compiler made it of several ones.

    Other attributes, as the place in the source, are those of the last one.

    Attributes:
        name: Its name.
        form: Its parameters, of a type for each name.
        originals: The operations that it replaces.
    """

    name: str
    form: Hashable
    originals: Sequence[object]

    @property
    def attributes(self) -> Mapping[str, object]:
        """The attributes by which its kernels differ, besides operands and regions."""
        return {"form": self.form}

    def __getattr__(self, name: str) -> object:
        return getattr(self.originals[-1], name)


def row_major_number(
    table: Expressions, index: Sequence[Expression], shape: Sequence[int]
) -> Expression:
    """The row-major number of an index."""
    number = table.sum(0, ())
    for position, size in zip(index, shape, strict=True):
        number = number * size + position
    return number
