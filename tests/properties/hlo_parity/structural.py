"""HLO instructions that move, window, contract, gather, sort: drawn with all their attributes.

Each is a line of a module whose operands are parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from stablemate.xla.primitive_types import primitive_type
from tests.properties.generation.choices import Choices
from tests.properties.hlo_parity.drafts import Draft, braced, sizes_of, window_of

TYPES: Final = ("f32", "s32", "f64", "s8", "u8", "f16", "bf16", "c64", "u32", "pred")
REDUCERS: Final = ("add", "multiply", "maximum", "minimum")


def pad(draft: Draft) -> None:
    """Edges may be negative, interiors positive."""
    choices, sizes = draft.choices, sizes_of(draft.choices)
    rows = [(choices.integer(-2, 3), choices.integer(-2, 3), choices.integer(0, 2)) for _ in sizes]
    collected = [
        low + high + (0 if size == 0 else (size - 1) * (inner + 1) + 1)
        for size, (low, high, inner) in zip(sizes, rows, strict=True)
    ]
    if not sizes or min(collected) < 0:
        return
    padding = "x".join("_".join(map(str, row)) for row in rows)
    operand, value = draft.parameter(sizes), draft.parameter([])
    draft.result(collected, f"pad({operand}, {value}), padding={padding}")


def reduce_window(draft: Draft) -> None:
    """With any window; padding changes nothing, since the initial value is neutral."""
    sizes = sizes_of(draft.choices, 1, 3)
    text, places = window_of(draft.choices, sizes, dilated=True)
    opcode = reducer_of(draft)
    operand = draft.parameter(sizes)
    initial = draft.parameter([], values=NEUTRAL[opcode](primitive_type(draft.element).dtype))
    draft.result(
        places,
        f"reduce-window({operand}, {initial}), window={text}, to_apply={draft.reducer(opcode)}",
    )


def least(dtype: np.dtype[Any]) -> Any:
    """The least number of a type."""
    return np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf


def greatest(dtype: np.dtype[Any]) -> Any:
    """The greatest number of a type."""
    return np.iinfo(dtype).max if dtype.kind in "iu" else np.inf


NEUTRAL: Final[dict[str, Callable[[np.dtype[Any]], Any]]] = {
    "add": lambda dtype: 0,
    "multiply": lambda dtype: 1,
    "maximum": least,
    "minimum": greatest,
    "and": lambda dtype: True,
    "or": lambda dtype: False,
}


def select_and_scatter(draft: Draft) -> None:
    """No two values are equal: XLA takes those of a window in an order of its own."""
    if draft.element in ("c64", "pred"):
        return
    sizes = sizes_of(draft.choices, 1, 3, empty=0)
    text, places = window_of(draft.choices, sizes, dilated=False)
    values = draft.choices.permutation(range(int(np.prod(sizes))))
    operand = draft.parameter(sizes, values=values)
    source, initial = map(draft.parameter, (places, []))
    select = draft.comparator(draft.choices.of(("GE", "LE", "GT")))
    draft.result(
        sizes,
        f"select-and-scatter({operand}, {source}, {initial}), window={text}, select={select}, "
        f"scatter={draft.reducer('add')}",
    )


def reducer_of(draft: Draft) -> str:
    """What elements of the type can be reduced by."""
    if draft.element == "pred":
        return draft.choices.of(("and", "or"))
    return draft.choices.of(REDUCERS[:2] if draft.element == "c64" else REDUCERS)


def reduce(draft: Draft) -> None:
    """Over dimensions of more than one element: of one, XLA forgets the initial value."""
    sizes = [size + (size == 1) for size in sizes_of(draft.choices, 1, 4)]
    some = [i for i in range(len(sizes)) if draft.choices.chance(50)]
    dimensions = some or [draft.choices.below(len(sizes))]
    collected = [size for i, size in enumerate(sizes) if i not in dimensions]
    operand, initial = draft.parameter(sizes), draft.parameter([])
    draft.result(
        collected,
        f"reduce({operand}, {initial}), dimensions={braced(dimensions)}, "
        f"to_apply={draft.reducer(reducer_of(draft))}",
    )


def dot(draft: Draft) -> None:
    """With any dimensions."""
    if draft.element == "pred":
        return
    choices = draft.choices
    batch, contracted = sizes_of(choices, 0, 2), sizes_of(choices, 0, 2)
    free = sizes_of(choices, 0, 2), sizes_of(choices, 0, 1)
    names: list[str] = []
    collected: list[str] = []
    for side, own in zip(("lhs", "rhs"), free, strict=True):
        kinds = [*("b" * len(batch)), *("c" * len(contracted)), *("f" * len(own))]
        order = choices.permutation(list(range(len(kinds))))
        every = [*batch, *contracted, *own]
        names.append(draft.parameter([every[i] for i in order]))
        places = [order.index(i) for i in range(len(kinds))]
        frees = [order.index(i) for i, kind in enumerate(kinds) if kind == "f"]
        if frees != sorted(frees):  # free dimensions come in the order of the operand
            own[:] = [own[i] for i in np.argsort(frees)]
        collected.append(f"{side}_batch_dims={braced(places[: len(batch)])}")
        contracting = places[len(batch) : len(batch) + len(contracted)]
        collected.append(f"{side}_contracting_dims={braced(contracting)}")
    draft.result([*batch, *free[0], *free[1]], f"dot({', '.join(names)}), {', '.join(collected)}")


def convolution(draft: Draft) -> None:
    """With any labels, window and groups."""
    if draft.element in ("pred", "u8", "u32", "s8", "s32"):
        return
    choices = draft.choices
    spatial = [choices.integer(1, 5) for _ in range(choices.integer(1, 2))]
    text, _ = window_of(choices, spatial, dilated=True)
    groups = choices.of((1, 1, 2))
    batches = choices.of((1, 1, 2)) if groups == 1 else 1
    features, out = choices.integer(1, 2), choices.integer(1, 2) * groups * batches
    kernel = [int(part) for part in text.partition("size=")[2].partition(" ")[0].split("x")]
    reversal = "x".join(str(choices.below(2)) for _ in spatial)
    text = f"{text[:-1]} rhs_reversal={reversal}}}"
    labels = "".join(map(str, range(len(spatial))))
    batch = choices.integer(1, 2) * batches
    orders = ["".join(choices.permutation(list(name + labels))) for name in ("bf", "io", "bf")]
    lhs = {"b": batch, "f": features * groups, **dict(zip(labels, spatial, strict=True))}
    rhs = {"i": features, "o": out, **dict(zip(labels, kernel, strict=True))}
    places = places_of(text, spatial)
    by_key = {"b": batch // batches, "f": out, **dict(zip(labels, places, strict=True))}
    names = [
        draft.parameter([own[c] for c in order])
        for own, order in zip((lhs, rhs), orders[:2], strict=True)
    ]
    draft.result(
        [by_key[c] for c in orders[2]],
        f"convolution({', '.join(names)}), window={text}, "
        f"dim_labels={orders[0]}_{orders[1]}->{orders[2]}, feature_group_count={groups}, "
        f"batch_group_count={batches}",
    )


def places_of(text: str, sizes: list[int]) -> list[int]:
    """How many places a window has."""
    rows = {part.split("=")[0]: part.split("=")[1].split("x") for part in text[1:-1].split()}
    collected: list[int] = []
    for i, size in enumerate(sizes):
        low, high = map(int, rows["pad"][i].split("_"))
        reach = (int(rows["size"][i]) - 1) * int(rows["rhs_dilate"][i]) + 1
        whole = (size - 1) * int(rows["lhs_dilate"][i]) + 1 + low + high
        collected.append(0 if whole < reach else (whole - reach) // int(rows["stride"][i]) + 1)
    return collected


def gather(draft: Draft) -> None:
    """Indices may be out of range."""
    choices = draft.choices
    sizes = [choices.integer(1, 5) for _ in range(choices.integer(1, 3))]
    slices = [choices.integer(1, size) for size in sizes]
    mapped = choices.some(list(range(len(sizes))), choices.integer(0, len(sizes)))
    collapsed = [i for i, size in enumerate(slices) if size == 1 and choices.chance(60)]
    indices = [choices.integer(1, 3) for _ in range(choices.integer(0, 2))]
    vector = choices.integer(0, len(indices))
    kept = [size for i, size in enumerate(slices) if i not in collapsed]
    rank = len(indices) + len(kept)
    offset = sorted(choices.some(list(range(rank)), len(kept)))
    value, batch, inner = [0] * rank, iter(indices), iter(kept)
    for i in range(rank):
        value[i] = next(inner) if i in offset else next(batch)
    start_sizes = [*indices[:vector], len(mapped), *indices[vector:]]
    starts = choices.generator().integers(-3, 8, start_sizes)
    operand, where = draft.parameter(sizes), draft.parameter(start_sizes, "s32", starts)
    draft.result(
        value,
        f"gather({operand}, {where}), offset_dims={braced(offset)}, "
        f"collapsed_slice_dims={braced(collapsed)}, start_index_map={braced(mapped)}, "
        f"index_vector_dim={vector}, slice_sizes={braced(slices)}",
    )


def scatter(draft: Draft) -> None:
    """Indices may be out of range, and equal; there are some: XLA does nothing without."""
    choices = draft.choices
    sizes = [choices.integer(1, 5) for _ in range(choices.integer(1, 3))]
    mapped = choices.some(list(range(len(sizes))), choices.integer(1, len(sizes)))
    inserted = [i for i in range(len(sizes)) if choices.chance(50)]
    windows = [choices.integer(1, size) for i, size in enumerate(sizes) if i not in inserted]
    indices = [choices.integer(1, 3) for _ in range(choices.integer(0, 2))]
    vector = choices.integer(0, len(indices))
    rank = len(indices) + len(windows)
    update_dims = sorted(choices.some(list(range(rank)), len(windows)))
    value, batch, inner = [0] * rank, iter(indices), iter(windows)
    for i in range(rank):
        value[i] = next(inner) if i in update_dims else next(batch)
    start_sizes = [*indices[:vector], len(mapped), *indices[vector:]]
    starts = choices.generator().integers(-2, 7, start_sizes)
    operand, updates = draft.parameter(sizes), draft.parameter(value)
    where = draft.parameter(start_sizes, "s32", starts)
    draft.result(
        sizes,
        f"scatter({operand}, {where}, {updates}), update_window_dims={braced(update_dims)}, "
        f"inserted_window_dims={braced(inserted)}, scatter_dims_to_operand_dims={braced(mapped)}, "
        f"index_vector_dim={vector}, to_apply={draft.reducer(reducer_of(draft))}",
    )


def dynamic_slice(draft: Draft) -> None:
    """Starts may be out of range, of any integer type."""
    choices, sizes = draft.choices, sizes_of(draft.choices, 0, 3, empty=0)
    slices = [choices.integer(0, size) for size in sizes]
    kind = choices.of(("s32", "s64", "u32", "u8", "s8", "u64"))
    least = -3 if kind.startswith("s") else 0
    starts = [draft.parameter([], kind, choices.integer(least, 7)) for _ in sizes]
    operand = draft.parameter(sizes)
    if choices.chance(50):
        text = f"dynamic-slice({', '.join([operand, *starts])})"
        draft.result(slices, f"{text}, dynamic_slice_sizes={braced(slices)}")
    else:
        update = draft.parameter(slices)
        draft.result(sizes, f"dynamic-update-slice({', '.join([operand, update, *starts])})")


def movement(draft: Draft) -> None:
    """Transposes, reverses, slices, broadcasts, concatenates, counts."""
    choices, sizes = draft.choices, sizes_of(draft.choices, 1, 4)
    operand = draft.parameter(sizes)
    order = choices.permutation(list(range(len(sizes))))
    draft.result([sizes[i] for i in order], f"transpose({operand}), dimensions={braced(order)}")
    some = choices.subset(list(range(len(sizes))))
    draft.result(sizes, f"reverse({operand}), dimensions={braced(some)}")
    rows: list[tuple[int, int, int]] = []
    for size in sizes:
        start = choices.integer(0, size)
        rows.append((start, choices.integer(start, size), choices.integer(1, 3)))
    collected = [(limit - start + stride - 1) // stride for start, limit, stride in rows]
    ranges = ", ".join(f"[{start}:{limit}:{stride}]" for start, limit, stride in rows)
    draft.result(collected, f"slice({operand}), slice={{{ranges}}}")
    axis = choices.below(len(sizes))
    both = [size * (2 if i == axis else 1) for i, size in enumerate(sizes)]
    draft.result(both, f"concatenate({operand}, {operand}), dimensions={{{axis}}}")
    place = choices.integer(0, len(sizes))
    wide = [*sizes[:place], 3, *sizes[place:]]
    kept = [i for i in range(len(wide)) if i != place]
    draft.result(wide, f"broadcast({operand}), dimensions={braced(kept)}")
    if draft.element != "pred":
        draft.result(sizes, f"iota(), iota_dimension={axis}")
    draft.result([int(np.prod(sizes))], f"reshape({operand})")


def sort(draft: Draft) -> None:
    """Stably, by any direction."""
    if draft.element == "c64":
        return
    choices, sizes = draft.choices, sizes_of(draft.choices, 1, 3)
    operand, axis = draft.parameter(sizes), choices.below(len(sizes))
    compare = draft.comparator(choices.of(("LT", "GT")))
    draft.result(
        sizes, f"sort({operand}), dimensions={{{axis}}}, is_stable=true, to_apply={compare}"
    )


def fft(draft: Draft) -> None:
    """Of any length; few elements, so that they are close."""
    choices = draft.choices
    sizes = [choices.integer(1, 6) for _ in range(choices.integer(1, 3))]
    rank = choices.integer(1, min(2, len(sizes)))
    kind = choices.of(("FFT", "IFFT", "RFFT", "IRFFT"))
    length = sizes[-rank:]
    element = "f32" if kind == "RFFT" else "c64"
    if kind == "IRFFT":
        length = [*length[:-1], max(1, 2 * (length[-1] - 1)) + choices.below(2) * (length[-1] > 1)]
    collected = [*sizes[:-rank], *length]
    if kind == "RFFT":
        collected[-1] = length[-1] // 2 + 1
    operand = draft.parameter(sizes, element)
    result = "f32" if kind == "IRFFT" else "c64"
    draft.result(collected, f"fft({operand}), fft_type={kind}, fft_length={braced(length)}", result)


DRAWS: Final[Sequence[Callable[[Draft], None]]] = (
    *(pad, reduce_window, select_and_scatter, reduce, dot, convolution, gather, scatter),
    *(dynamic_slice, movement, sort, fft),
)


def structural(choices: Choices, count: int = 6) -> Draft:
    """A module of so many drawn instructions."""
    draft = Draft(choices, choices.of(TYPES))
    for _ in range(count):
        choices.of(DRAWS)(draft)
    return draft
