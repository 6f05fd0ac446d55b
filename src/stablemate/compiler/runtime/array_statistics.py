"""Computes statistics of many arrays at once, in native code where possible, else with NumPy.

A row of them has twelve words (``compiler.llvm.statistics``): how many elements, NaNs, infinities,
negative infinities, zeros and denormals there are, the least and the greatest element that is no
NaN, and what mean and deviation of the finite ones follow from. Ranges of integers are integers in
their words, those of floats doubles.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final

import ml_dtypes
import numpy as np

from stablemate.compiler.codegen.loader import Loaded, load
from stablemate.compiler.codegen.object_code import assemble
from stablemate.compiler.config import disk_cache as disk
from stablemate.compiler.config.target import compiler_version, host
from stablemate.compiler.runtime.native.runtime import TUPLE_ITEMS_OFFSET
from stablemate.compiler.runtime.native.statistics_kernels import (
    COUNT,
    DENORMALS,
    FITS,
    INFINITIES,
    KIND_WORDS,
    MAXIMUM,
    MINIMUM,
    NANS,
    NEGATIVE_INFINITIES,
    ROW_WORDS,
    SHIFT,
    SQUARES,
    STATE,
    SUM,
    SURVEY,
    UNFIT,
    ZEROS,
    text_of,
)
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)

SURVEY_TYPE: Final = ctypes.PYFUNCTYPE(
    ctypes.c_int64, ctypes.py_object, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p,
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
)  # fmt: skip
MAX_KINDS: Final = 120
SMALL_BYTES: Final = 1 << 16  # of an array that is copied rather than looked at by itself
INTEGERS: Final = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
SCANNED_TYPES: Final = frozenset({"bool", *INTEGERS})
COUNTS: Final = (COUNT, NANS, INFINITIES, NEGATIVE_INFINITIES, ZEROS, DENORMALS)
SUMS: Final = (SUM, SQUARES)


class ElementKind:
    """How the elements of a type are looked at.

    Attributes:
        code: Its number.
        dtype: The element type of arrays.
        looked: The element type that they are looked at in; it holds every element exactly.
        tiny: The least normal number; 0 if there are no denormals.
        nothing: An array of no elements.
        parts: Two for complex elements, which are looked at by parts.
    """

    __slots__ = ("code", "dtype", "looked", "nothing", "parts", "tiny")

    def __init__(self, element: ElementType, code: int) -> None:
        self.code = code
        self.dtype: np.dtype[Any] = element.dtype
        self.nothing: Array = np.empty(0, self.dtype)
        stored = element.storage if isinstance(element, QuantizedType) else element
        self.parts = 1
        self.tiny = 0.0
        match stored:
            case ComplexType():
                self.parts = 2
                self.looked = np.dtype(f"float{self.dtype.itemsize * 4}")
                self.tiny = float(np.finfo(self.looked).smallest_normal)
            case FloatType():
                self.looked = np.dtype(np.float64 if self.dtype == np.float64 else np.float32)
                self.tiny = float(ml_dtypes.finfo(self.dtype).smallest_normal)
            case IntegerType() | IndexType():
                name = self.dtype.name if self.dtype.name in SCANNED_TYPES else None
                self.looked = np.dtype(name or ("int8" if stored.minimum < 0 else "uint8"))

    @property
    def is_float(self) -> bool:
        """Whether ranges are doubles."""
        return self.looked.kind == "f"


class StatisticsCollector:
    """Looks at arrays.

    Attributes:
        kinds: The element types that have been asked for.
        is_native: Whether native code does.
    """

    def __init__(self, *, native: bool = True) -> None:
        self.kinds: dict[ElementType, ElementKind] = {}
        self.by_code: list[ElementKind] = []
        self.table = np.zeros((MAX_KINDS, KIND_WORDS), np.int64)
        self.native = survey_function() if native else None

    @property
    def is_native(self) -> bool:
        """Whether native code does."""
        return self.native is not None

    def kind(self, element: ElementType) -> ElementKind:
        """How the elements of a type are looked at."""
        kind = self.kinds.get(element)
        if kind is None:
            kind = self.kinds[element] = ElementKind(element, len(self.by_code))
            assert kind.code < MAX_KINDS, "there are fewer element types"
            self.by_code.append(kind)
            if self.native is not None:
                self.describe(kind)
        return kind

    def describe(self, kind: ElementKind) -> None:
        """Writes the row of a kind; scalars are read by native code if it finds their number."""
        row = self.table[kind.code]
        (row[2],) = scan_code(kind.looked).addresses.values()
        row.view(np.float64)[3] = kind.tiny
        row[0], row[1] = id(kind.looked), id(kind.looked.type)
        rows = np.zeros((2, ROW_WORDS), np.int64)
        unfit = self.surveyed(
            (kind.looked.type(1), np.array([1, 0, 1], kind.looked)), (kind.code,) * 2, rows
        )
        high = rows.view(np.float64 if kind.is_float else np.int64)[:, MAXIMUM]
        if unfit or rows[:, COUNT].tolist() != [1, 3] or high.tolist() != [1, 1]:
            self.native = None

    def surveyed(self, values: tuple[Any, ...], codes: Any, rows: Array) -> int:
        """Fills in rows by native code; how many it could not."""
        held = np.ascontiguousarray(codes, np.uint8)
        native: Any = self.native
        unfit: int = native(
            values, len(values), TUPLE_ITEMS_OFFSET, held.ctypes.data, self.table.ctypes.data,
            rows.ctypes.data, id(np.ndarray),
        )  # fmt: skip
        return unfit

    def rows(self, values: Sequence[Any], codes: Array) -> tuple[Array, dict[int, Array]]:
        """The statistics of arrays and NumPy scalars.

        Args:
            values: Arrays and scalars; ``(n,)``.
            codes: The code of the kind of each; bytes.

        Returns:
            A row for each, and for those that are complex that of their imaginary parts.
        """
        rows = np.zeros((len(values), ROW_WORDS), np.int64)
        imaginary: dict[int, Array] = {}
        if self.native is None:
            rows[:, STATE] = UNFIT
        else:
            handed = values if isinstance(values, tuple) else tuple(values)
            if not self.surveyed(handed, codes, rows):
                return rows, imaginary
        unfit: list[int] = np.flatnonzero(rows[:, STATE]).tolist()
        if self.native is not None:
            self.copied(values, codes, rows, unfit)
            unfit = [i for i in unfit if rows[i, STATE]]
        for i in unfit:
            kind = self.by_code[int(codes[i])]
            array = np.asarray(values[i])
            if kind.parts == 2:
                imaginary[i] = self.row(np.imag(array), kind)
                array = np.real(array)
            rows[i] = self.row(array, kind)
        return rows, imaginary

    def copied(
        self, values: Sequence[Any], codes: Any, row_table: Array, unfit: Sequence[int]
    ) -> None:
        """Fills in rows of small arrays that do not lie in order, by copies, all at once."""
        small: list[int] = []
        copies: list[Array] = []
        for i in unfit:
            array, kind = np.asarray(values[i]), self.by_code[int(codes[i])]
            if kind.parts == 1 and array.nbytes <= SMALL_BYTES:
                small.append(i)
                copies.append(np.array(array, kind.looked, order="C"))
        if small:
            rows = np.zeros((len(small), ROW_WORDS), np.int64)
            self.surveyed(tuple(copies), codes[small], rows)
            row_table[small] = rows

    def row(self, array: Array, kind: ElementKind) -> Array:
        """The statistics of one array, however it lies in memory."""
        plain, repeated = without_repetition(array)
        plain = plain.astype(kind.looked, copy=False)
        row = np.zeros(ROW_WORDS, np.int64)
        if self.native is None:
            fill_with_numpy(row, plain.reshape(-1), kind)
        else:
            self.surveyed((in_memory_order(plain),), (kind.code,), row)
        if repeated != 1:
            row[list(COUNTS)] *= repeated
            row.view(np.float64)[list(SUMS)] *= repeated
        return row


def without_repetition(array: Array) -> tuple[Array, int]:
    """The array without the dimensions along which it repeats itself, and how often it does."""
    if 0 not in array.strides or not array.size:
        return array, 1
    index = tuple(0 if step == 0 else slice(None) for step in array.strides)
    plain: Array = array[index]
    return plain, array.size // max(plain.size, 1)


def in_memory_order(array: Array) -> Array:
    """The elements of an array in the order of memory; copied if there are gaps."""
    if array.flags.forc and array.flags.aligned:
        return array
    order = sorted(range(array.ndim), key=lambda d: -abs(array.strides[d]))
    turned = array.transpose(order)
    if turned.flags.c_contiguous and turned.flags.aligned:
        return turned
    return np.ascontiguousarray(turned) if turned.flags.aligned else turned.copy()


def fill_with_numpy(row: Array, flat: Array, kind: ElementKind) -> None:
    """Writes the statistics of an array into a row, by NumPy."""
    row[COUNT] = flat.size
    row[STATE] = FITS
    if not flat.size:
        return
    numbers = row.view(np.float64)
    if not kind.is_float:
        row[ZEROS] = flat.size - np.count_nonzero(flat)
        row[MINIMUM], row[MAXIMUM] = (
            extreme.astype(np.uint64).view(np.int64) if flat.dtype == np.uint64 else int(extreme)
            for extreme in (flat.min(), flat.max())
        )
        finite = flat.astype(np.float64)
    else:
        size = np.abs(flat)
        nans = np.isnan(flat)
        row[NANS] = np.count_nonzero(nans)
        row[INFINITIES] = np.count_nonzero(size == np.inf)
        row[NEGATIVE_INFINITIES] = np.count_nonzero(flat == -np.inf)
        row[ZEROS] = np.count_nonzero(flat == 0)
        row[DENORMALS] = np.count_nonzero(size < kind.looked.type(kind.tiny))
        kept = flat[~nans] if row[NANS] else flat
        numbers[MINIMUM] = kept.min() if kept.size else np.inf
        numbers[MAXIMUM] = kept.max() if kept.size else -np.inf
        finite = kept[np.isfinite(kept)].astype(np.float64)
    first = float(flat[0])
    shift = first if np.isfinite(first) else 0.0
    apart = finite - shift
    numbers[SHIFT] = shift
    numbers[SUM] = apart.sum()
    numbers[SQUARES] = np.square(apart).sum()


def native_code(text: str, names: Sequence[str]) -> Loaded:
    """Functions of LLVM text in the process; their object is kept in the disk cache."""
    target = host()
    key = disk.key_of("statistics", text, f"{target} {compiler_version()}")
    content = disk.cache().get(key)
    if content is None:
        content = assemble(text, target)
        disk.cache().put(key, content)
    return load([content], names)


@lru_cache(maxsize=1)
def survey_function() -> Any | None:
    """The native function; None without LLVM, or where objects are laid out otherwise."""
    if object.__basicsize__ != 16 or ctypes.sizeof(ctypes.c_void_p) != 8:
        return None
    try:
        code = native_code(SURVEY, ("survey",))
    except Exception:
        return None  # without LLVM, or on a machine that it does not know
    function: Any = SURVEY_TYPE(code.addresses["survey"])
    function.code = code
    return function


@cache
def scan_code(dtype: np.dtype[Any]) -> Loaded:
    """The native function that looks at elements of a type."""
    letter = "u" if dtype.kind in "ub" else dtype.kind
    name = f"{letter}{dtype.itemsize * 8}"
    return native_code(text_of(name), (f"scan_{name}",))
