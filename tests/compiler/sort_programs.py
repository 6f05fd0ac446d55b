"""Programs that sort random rows, and the order that their comparator defines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
TYPES: Final = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64,
    "f32": np.float32, "f64": np.float64,
}  # fmt: skip
# Lengths about the limits of merge sort, narrow and wide digits, and digits counted together.
LENGTHS: Final = (0, 1, 2, 3, 16, 63, 64, 65, 127, 200, 1000, 2047, 2048, 2049, 5000, 70_000)
BATCHES: Final = (1, 1, 2, 5, 17)
MOST_ELEMENTS: Final = 150_000
MOST_PAYLOADS: Final = 2
DISTRIBUTIONS: Final = ("bits", "few", "equal", "ascending", "descending", "narrow")


class SortProgram(NamedTuple):
    """A program that sorts along one axis.

    Attributes:
        name: What is sorted.
        text: The module.
        arguments: The keys, then the operands that follow them.
        axis: The axis.
        descending: Whether the largest key comes first.
        stable: Whether equal keys keep their order.
        total: Whether floats are compared by their total order.
    """

    name: str
    text: str
    arguments: Sequence[Array]
    axis: int
    descending: bool
    stable: bool
    total: bool

    def difference(self, results: Sequence[Any]) -> str:
        """What is wrong with results; empty if nothing is.

        If the sort is not stable, only the keys are compared.
        """
        ordered = ordered_numbers(self.arguments[0], total=self.total)
        keys = ~ordered if self.descending else ordered
        order = np.argsort(keys, axis=self.axis, kind="stable")
        expected = [np.take_along_axis(array, order, self.axis) for array in self.arguments]
        if not self.stable:
            result = ordered_numbers(np.asarray(results[0]), total=self.total)
            same = np.array_equal(result, np.take_along_axis(ordered, order, self.axis))
            return "" if same else f"{self.name}: the keys are not sorted"
        for number, (one, other) in enumerate(zip(results, expected, strict=True)):
            if np.asarray(one).tobytes() != other.tobytes():
                return f"{self.name}: result {number} has another order"
        return ""


def ordered_numbers(keys: Array, *, total: bool) -> Array:
    """Integers in the order of keys: IEEE 754's total order, or that of values without NaN."""
    if keys.dtype.kind == "u":
        return keys
    if keys.dtype.kind == "i":
        return keys
    integer = np.dtype(f"i{keys.itemsize}")
    bits = (keys if total else keys + keys.dtype.type(0)).view(integer)
    limit = np.iinfo(integer).max
    return np.where(bits < 0, bits ^ integer.type(limit), bits)


def random_keys(random: Random, element: str, shape: Sequence[int], *, total: bool) -> Array:
    """Keys of one distribution; NaN only where the total order has a place for them."""
    generator = np.random.default_rng(random.getrandbits(63))
    dtype, count = np.dtype(TYPES[element]), int(np.prod(shape))
    kind = random.choice(DISTRIBUTIONS)
    if kind in ("bits", "narrow"):
        integers = generator.integers(0, 256, (count, dtype.itemsize), np.uint8)
        if kind == "narrow":
            integers[:, 1:] = 0
        keys = integers.reshape(-1).view(dtype)
        if dtype.kind == "f" and not total:
            keys = np.where(np.isnan(keys), dtype.type(0), keys)
    else:
        few = generator.integers(0, 1 if kind == "equal" else 7, count)
        if kind in ("ascending", "descending"):
            few = np.arange(count)[:: 1 if kind == "ascending" else -1]
        keys = few.astype(dtype)
    return np.ascontiguousarray(keys.reshape(shape))


def sort_text(
    elements: Sequence[str], shape: Sequence[int], axis: int, comparison: str, *, stable: bool
) -> str:
    """A module that sorts operands by the first one."""
    sizes = "".join(f"{size}x" for size in shape)
    kinds = [f"tensor<{sizes}{element}>" for element in elements]
    names = [f"%arg{i}" for i in range(len(kinds))]
    scalars = ", ".join(
        f"%{side}{i}: tensor<{element}>"
        for i, element in enumerate(elements)
        for side in ("l", "r")
    )
    parameters = ", ".join(f"{n}: {k}" for n, k in zip(names, kinds, strict=True))
    results = ", ".join(kinds)
    key = f"tensor<{elements[0]}>"
    kept = f"%0:{len(kinds)}" if len(kinds) > 1 else "%0"
    values = ", ".join(f"%0#{i}" for i in range(len(kinds))) if len(kinds) > 1 else "%0"
    return f"""func.func @main({parameters}) -> ({results}) {{
  {kept} = "stablehlo.sort"({", ".join(names)}) ({{
  ^bb0({scalars}):
    %c = stablehlo.compare {comparison} : ({key}, {key}) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}) {{dimension = {axis} : i64, is_stable = {str(stable).lower()}}} : ({results}) -> ({results})
  return {values} : {results}
}}
"""


def sort_program(seed: str) -> SortProgram:
    """The program of a seed."""
    random = Random(seed)
    element = random.choice([*TYPES])
    payloads = [random.choice([*TYPES]) for _ in range(random.randint(0, MOST_PAYLOADS))]
    length, batch = random.choice(LENGTHS), random.choice(BATCHES)
    if length * batch > MOST_ELEMENTS:
        batch = 1
    shape, axis = random.choice((((batch, length), 1), ((length, batch), 0), ((length,), 0)))
    descending, stable = random.random() < 0.5, random.random() < 0.8
    is_float = element.startswith("f")
    total = is_float and random.random() < 0.7
    kind = ("TOTALORDER" if total else "FLOAT") if is_float else ""
    kind = kind or ("UNSIGNED" if element.startswith("u") else "SIGNED")
    comparison = f"{'GT' if descending else 'LT'}, %l0, %r0, {kind}"
    text = sort_text([element, *payloads], shape, axis, comparison, stable=stable)
    arguments = [random_keys(random, element, shape, total=total)]
    for number, payload in enumerate(payloads):
        places = np.arange(int(np.prod(shape))).reshape(shape) + number
        arguments.append(places.astype(TYPES[payload]))
    name = f"{element} {payloads} {shape} axis {axis} {comparison} stable {stable}"
    return SortProgram(name, text, arguments, axis, descending, stable, total)


def seeded_sorts(seed: str, first: int, count: int) -> Iterator[tuple[str, SortProgram]]:
    """Random programs, by their numbers."""
    for number in range(first, first + count):
        yield f"sort {number}", sort_program(f"{seed}:{number}")
