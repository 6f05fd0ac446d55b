"""Ensembles of decision trees: all rows go down all trees at once, a level a step.

Source: ONNX, Operator Schemas of ai.onnx.ml.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.model import StoredTensor
from stablemate.frontends.onnx.operators.machine_learning.class_scores import (
    ML,
    apply_post_transform,
    best_labels,
    class_labels,
    computed_rows,
    two_scores,
)
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.onnx.text_tensors import TextTensor
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, constant
from stablemate.numerics.elements import F32, F64, I32, I64, Array, ElementType

LEAF: Final = "LEAF"
MEMBER: Final = "BRANCH_MEMBER"
TESTS: Final[dict[str, Callable[[Tensor, Tensor], Tensor]]] = {
    "BRANCH_LEQ": lambda x, y: x <= y,
    "BRANCH_LT": lambda x, y: x < y,
    "BRANCH_GTE": lambda x, y: x >= y,
    "BRANCH_GT": lambda x, y: x > y,
    "BRANCH_EQ": lambda x, y: x.equals(y),
    "BRANCH_NEQ": lambda x, y: x.differs(y),
}
MODES: Final = (*TESTS, MEMBER)  # by the numbers of version 5
DTYPES: Final[dict[ElementType, type[np.generic]]] = {
    F32: np.float32, F64: np.float64, I32: np.int32,
}  # fmt: skip
AGGREGATES: Final = ("AVERAGE", "SUM", "MIN", "MAX")
TRANSFORM_NUMBERS: Final = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


@dataclass(frozen=True, slots=True)
class TreeEnsemble:
    """Trees whose nodes are numbered through; a leaf is its own child.

    Attributes:
        roots: The first node of each tree.
        modes: The test of each node.
        features: The column that each node tests.
        splits: What it is compared with.
        on_true: The next node if the test holds.
        on_false: The next node if it does not.
        missing: Whether NaN passes the test.
        sets: The numbers that tests of membership allow, a row a node; empty without such tests.
        weights: What each node adds to each target; NaN is nothing, which counts for extremes.
    """

    roots: Array
    modes: Array
    features: Array
    splits: Array
    on_true: Array
    on_false: Array
    missing: Array
    sets: Array
    weights: Array


@lowers("TreeEnsembleRegressor", domain=ML)
def tree_ensemble_regressor(
    call: Call, x: Tensor, *, n_targets: int = 1, aggregate_function: str = "SUM",
    post_transform: str = "NONE", base_values: Sequence[float] = (),
    base_values_as_tensor: StoredTensor | None = None, target_ids: Sequence[int] = (),
    target_nodeids: Sequence[int] = (), target_treeids: Sequence[int] = (),
    target_weights: Sequence[float] = (), target_weights_as_tensor: StoredTensor | None = None,
    nodes_falsenodeids: Sequence[int] = (), nodes_featureids: Sequence[int] = (),
    nodes_hitrates: Sequence[float] = (), nodes_hitrates_as_tensor: StoredTensor | None = None,
    nodes_missing_value_tracks_true: Sequence[int] = (), nodes_modes: Sequence[str] = (),
    nodes_nodeids: Sequence[int] = (), nodes_treeids: Sequence[int] = (),
    nodes_truenodeids: Sequence[int] = (), nodes_values: Sequence[float] = (),
    nodes_values_as_tensor: StoredTensor | None = None,
) -> Tensor:  # fmt: skip
    """The sum, mean, minimum or maximum of what the leaves of trees have for targets"""
    numbers = numbers_of_nodes(nodes_treeids, nodes_nodeids)
    forest = forest_of_nodes(
        call, numbers, nodes_treeids, nodes_modes, nodes_featureids, nodes_truenodeids,
        nodes_falsenodeids, nodes_missing_value_tracks_true,
        values_of(nodes_values, nodes_values_as_tensor),
        weight_table(
            call, len(nodes_modes), n_targets,
            [numbers[key] for key in zip(target_treeids, target_nodeids, strict=True)], target_ids,
            values_of(target_weights, target_weights_as_tensor),
        ),
    )  # fmt: skip
    scores = total_scores(call, forest, computed_rows(x), aggregate_function)
    base = values_of(base_values, base_values_as_tensor)
    return apply_post_transform(call, with_base(scores, base), post_transform).convert(F32)


@lowers("TreeEnsembleClassifier", domain=ML)
def tree_ensemble_classifier(
    call: Call, x: Tensor, *, classlabels_int64s: Sequence[int] | None = None,
    classlabels_strings: Sequence[str] | None = None,
    post_transform: str = "NONE", base_values: Sequence[float] = (),
    base_values_as_tensor: StoredTensor | None = None, class_ids: Sequence[int] = (),
    class_nodeids: Sequence[int] = (), class_treeids: Sequence[int] = (),
    class_weights: Sequence[float] = (), class_weights_as_tensor: StoredTensor | None = None,
    nodes_falsenodeids: Sequence[int] = (), nodes_featureids: Sequence[int] = (),
    nodes_hitrates: Sequence[float] = (), nodes_hitrates_as_tensor: StoredTensor | None = None,
    nodes_missing_value_tracks_true: Sequence[int] = (), nodes_modes: Sequence[str] = (),
    nodes_nodeids: Sequence[int] = (), nodes_treeids: Sequence[int] = (),
    nodes_truenodeids: Sequence[int] = (), nodes_values: Sequence[float] = (),
    nodes_values_as_tensor: StoredTensor | None = None,
) -> tuple[Tensor | TextTensor, Tensor]:  # fmt: skip
    """The class of the largest sum of what the leaves of trees have for classes, and these sums"""
    labels = class_labels(call, classlabels_int64s, classlabels_strings)
    numbers = numbers_of_nodes(nodes_treeids, nodes_nodeids)
    weights = values_of(class_weights, class_weights_as_tensor)
    is_binary = len(labels) == 2 and len({*class_ids}) == 1
    is_single = is_binary and 0 in class_ids  # its one score is that of the second class
    forest = forest_of_nodes(
        call, numbers, nodes_treeids, nodes_modes, nodes_featureids, nodes_truenodeids,
        nodes_falsenodeids, nodes_missing_value_tracks_true,
        values_of(nodes_values, nodes_values_as_tensor),
        weight_table(
            call, len(nodes_modes), 1 if is_single else len(labels),
            [numbers[key] for key in zip(class_treeids, class_nodeids, strict=True)],
            class_ids, weights,
        ),
    )  # fmt: skip
    scores = total_scores(call, forest, computed_rows(x), "SUM")
    base = values_of(base_values, base_values_as_tensor)
    scores = with_base(scores, base[-1:] if is_single else base).convert(F32)
    is_share = bool((weights >= 0).all())
    threshold = 0.5 if is_share else 0.0
    if is_single:
        return two_scores(
            call, scores, labels, post_transform, threshold=threshold, is_share=is_share
        )
    if is_binary:
        is_second = m.take_index(scores, 1, 1) > threshold
        chosen = labels.at(is_second.convert(I64))
    else:
        chosen = best_labels(scores, labels)
    return chosen, apply_post_transform(call, scores, post_transform)


@lowers("TreeEnsemble", domain=ML)
def tree_ensemble(
    call: Call, x: Tensor, *, tree_roots: Sequence[int], nodes_modes: StoredTensor,
    nodes_featureids: Sequence[int], nodes_splits: StoredTensor, nodes_truenodeids: Sequence[int],
    nodes_falsenodeids: Sequence[int], nodes_trueleafs: Sequence[int],
    nodes_falseleafs: Sequence[int], leaf_targetids: Sequence[int], leaf_weights: StoredTensor,
    nodes_missing_value_tracks_true: Sequence[int] = (), nodes_hitrates: StoredTensor | None = None,
    membership_values: StoredTensor | None = None, n_targets: int = 1, aggregate_function: int = 1,
    post_transform: int = 0,
) -> Tensor:  # fmt: skip
    """The sum, mean, minimum or maximum of what the leaves of trees have for targets"""
    modes = np.array(MODES)[nodes_modes.read().astype(np.int64).reshape(-1)]
    count, leaves = len(modes), len(leaf_targetids)
    on_true = np.array(nodes_truenodeids) + count * np.array(nodes_trueleafs, bool)
    on_false = np.array(nodes_falsenodeids) + count * np.array(nodes_falseleafs, bool)
    itself = np.arange(count, count + leaves)
    nothing = np.zeros(leaves, np.int64)
    splits = nodes_splits.read().reshape(-1)
    forest = TreeEnsemble(
        np.array(tree_roots),
        np.concatenate([modes, np.full(leaves, LEAF)]),
        np.concatenate([nodes_featureids, nothing]).astype(np.int64),
        np.concatenate([splits, nothing.astype(splits.dtype)]),
        np.concatenate([on_true, itself]),
        np.concatenate([on_false, itself]),
        np.concatenate([nodes_missing_value_tracks_true or [0] * count, nothing]).astype(bool),
        member_sets(modes, leaves, membership_values),
        weight_table(
            call, count + leaves, n_targets, range(count, count + leaves), leaf_targetids,
            leaf_weights.read().reshape(-1),
        ),
    )  # fmt: skip
    scores = total_scores(call, forest, computed_rows(x), AGGREGATES[aggregate_function])
    return apply_post_transform(call, scores, TRANSFORM_NUMBERS[post_transform]).convert(x.element)


# trees as attributes state them


def values_of(numbers: Sequence[float], stored: StoredTensor | None) -> Array:
    """Numbers that are floats, or a tensor for those of 64 bits."""
    return np.array(numbers, np.float32) if stored is None else stored.read().reshape(-1)


def numbers_of_nodes(trees: Sequence[int], nodes: Sequence[int]) -> dict[tuple[int, int], int]:
    """The numbers of all nodes by tree and number in the tree."""
    return {key: i for i, key in enumerate(zip(trees, nodes, strict=True))}


def forest_of_nodes(
    call: Call, numbers: dict[tuple[int, int], int], trees: Sequence[int], modes: Sequence[str],
    features: Sequence[int], on_true: Sequence[int], on_false: Sequence[int],
    missing: Sequence[int], splits: Array, weights: Array,
) -> TreeEnsemble:  # fmt: skip
    """Trees whose nodes are numbered within each of them."""
    unknown = {*modes} - {LEAF, *TESTS}
    if unknown:
        call.refuse(f"the modes {sorted(unknown)} are none of {', '.join((LEAF, *TESTS))}")

    def children(ids: Sequence[int]) -> Array:
        rows = enumerate(zip(trees, ids, modes, strict=True))
        return np.array([i if mode == LEAF else numbers[tree, at] for i, (tree, at, mode) in rows])

    return TreeEnsemble(
        np.unique(np.array(trees), return_index=True)[1], np.array(modes), np.array(features),
        splits, children(on_true), children(on_false),
        np.array(missing or [0] * len(modes), bool), np.zeros((0, 0), np.float32), weights,
    )  # fmt: skip


def weight_table(
    call: Call, nodes: int, targets: int, places: Sequence[int], ids: Sequence[int], weights: Array
) -> Array:
    """The weight that each node adds to each target; NaN where it adds nothing."""
    at, columns = np.array(places, np.int64), np.array(ids, np.int64)
    if columns.size and not (columns.min() >= 0 and columns.max() < targets):
        call.refuse(f"a target or class is not below {targets}")
    table = np.zeros((nodes, targets), weights.dtype)
    is_present = np.zeros((nodes, targets), bool)
    np.add.at(table, (at, columns), weights)
    is_present[at, columns] = True
    return np.asarray(np.where(is_present, table, np.nan), weights.dtype)


def member_sets(modes: Array, leaves: int, stored: StoredTensor | None) -> Array:
    """The numbers that each node allows, one behind another between NaNs; NaN fills the rows."""
    members = np.flatnonzero(modes == MEMBER)
    if stored is None or not members.size:
        return np.zeros((0, 0), np.float32)
    values = stored.read().reshape(-1)
    ends = np.flatnonzero(np.isnan(values))[: members.size]
    parts = np.split(values, ends)
    sets = [part[~np.isnan(part)] for part in parts]
    width = max(part.size for part in sets)
    table = np.full((len(modes) + leaves, width), np.nan, values.dtype)
    for node, part in zip(members, sets, strict=False):
        table[node, : part.size] = part
    return table


def depth_of(call: Call, forest: TreeEnsemble) -> int:
    """How many steps the longest way to a leaf has.

    Raises:
        UnsupportedError: A node has two parents, or a child that is none.
    """
    count = len(forest.modes)
    if not np.isin([*forest.roots, *forest.on_true, *forest.on_false], range(count)).all():
        call.refuse(f"a root or child is no node: they are below {count}")
    inner = forest.modes != LEAF
    reached = np.zeros(count, bool)
    level, depth = forest.roots[inner[forest.roots]], 0
    while level.size:
        if reached[level].any() or np.unique(level).size < level.size:
            call.refuse("a node of a tree has two parents")
        reached[level] = True
        below = np.concatenate([forest.on_true[level], forest.on_false[level]])
        level, depth = below[inner[below]], depth + 1
    return depth


# the way down


def total_scores(call: Call, forest: TreeEnsemble, rows: Tensor, aggregate: str) -> Tensor:
    """The weights of the leaves that rows reach, combined over all trees: ``(rows, targets)``."""
    leaves = descend(call, forest, rows)
    neutral = {"MIN": np.inf, "MAX": -np.inf}.get(aggregate, 0)
    table = np.where(np.isnan(forest.weights), neutral, forest.weights)
    weights = ix.take(table_of(rows, table, rows.element), leaves, 0)
    match aggregate:
        case "SUM":
            return r.sum_over(weights, [1])
        case "AVERAGE":
            return r.sum_over(weights, [1]) / len(forest.roots)
        case "MIN" | "MAX":
            reduce = r.minimum_over if aggregate == "MIN" else r.maximum_over
            extreme = reduce(weights, [1])
            return f.select(extreme.equals(neutral), 0, extreme)
        case _:
            call.refuse(f"aggregate_function {aggregate!r} is none of {', '.join(AGGREGATES)}")


def descend(call: Call, forest: TreeEnsemble, rows: Tensor) -> Tensor:
    """The leaf that each row comes to in each tree.

    Raises:
        UnsupportedError: A node tests a column that rows do not have.
    """
    columns = rows.shape[1]
    tested = forest.features[forest.modes != LEAF]
    if isinstance(columns, int) and not np.isin(tested, range(columns)).all():
        call.refuse(f"a node tests a column that is not below {columns}")
    shape: tuple[SizeLike, ...] = (rows.shape[0], len(forest.roots))
    place = constant(call.graph, forest.roots.astype(np.int32), I32).broadcast(shape, [1])
    row = m.iota(call.graph, shape, 0, I32)
    tables = [
        table_of(rows, table, I32) for table in (forest.features, forest.on_true, forest.on_false)
    ]
    splits = table_of(rows, forest.splits, rows.element)
    for _ in range(depth_of(call, forest)):
        feature, on_true, on_false = (ix.take(table, place, 0) for table in tables)
        value = ix.take_points(rows, [row, feature])
        passes = outcome(forest, place, value, ix.take(splits, place, 0))
        place = f.select(passes, on_true, on_false)
    return place


def outcome(forest: TreeEnsemble, place: Tensor, value: Tensor, split: Tensor) -> Tensor:
    """Whether the tests of nodes hold."""
    names = sorted({*forest.modes.tolist()} - {LEAF})
    results = [
        is_member(forest, place, value) if name == MEMBER else TESTS[name](value, split)
        for name in names
    ]
    passes = results[0]
    if len(names) > 1:
        numbers = [names.index(mode) if mode in names else 0 for mode in forest.modes.tolist()]
        mode = ix.take(constant(place.graph, np.array(numbers, np.int32), I32), place, 0)
        for i, other in enumerate(results[1:], 1):
            passes = f.select(mode.equals(i), other, passes)
    if forest.missing.any():
        tracks = table_of(place, forest.missing, I32)
        passes = passes | (f.is_nan(value) & ix.take(tracks, place, 0).differs(0))
    return passes


def is_member(forest: TreeEnsemble, place: Tensor, value: Tensor) -> Tensor:
    """Whether values are among the numbers that nodes allow."""
    allowed = ix.take(table_of(value, forest.sets, value.element), place, 0)
    return r.any_over(allowed.equals(m.expand_dims(value, 2).broadcast_to(allowed.shape)), [2])


def table_of(like: Tensor, numbers: Array, element: ElementType) -> Tensor:
    """A table of all nodes as a constant."""
    return constant(like.graph, np.asarray(numbers, DTYPES[element]), element)


def with_base(scores: Tensor, base: Array) -> Tensor:
    """Scores and what is added to those of all rows; targets without such a number add nothing."""
    if not base.size:
        return scores
    count = scores.shape[1]
    assert isinstance(count, int)
    row = np.zeros(count, base.dtype)
    row[: base.size] = base
    return scores + table_of(scores, row, scores.element)
