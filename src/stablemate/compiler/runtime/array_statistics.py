"""Computes statistics of many arrays at once, in native code if possible, otherwise with NumPy.

A row has twelve words (``runtime.native.statistics_kernels``): the numbers of elements, NaNs,
infinities, negative infinities, zeros and denormals, the minimum and maximum of the elements that
are not NaN, and the sums from which mean and deviation of the finite elements follow. Minimum and
maximum are integers for integer types, and doubles for floats.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np

from stablemate.compiler.codegen.loader import Loaded, load
from stablemate.compiler.codegen.object_code import assemble
from stablemate.compiler.config import disk_cache as disk
from stablemate.compiler.config.target import compiler_version, host
from stablemate.compiler.runtime.native.runtime import TUPLE_ITEMS_OFFSET
from stablemate.compiler.runtime.native.statistics_kernels import (
    COUNT,
    DENORMALS,
    DESCRIPTOR,
    FITS,
    INFINITIES,
    KIND_WORDS,
    MAXIMUM,
    MINIMUM,
    NANS,
    NEGATIVE_INFINITIES,
    ROW_WORDS,
    SCALAR_TYPE,
    SCAN,
    SHIFT,
    SMALLEST_NORMAL,
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
    DType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
    float_info,
)

SURVEY_TYPE: Final = ctypes.PYFUNCTYPE(
    ctypes.c_int64, ctypes.py_object, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p,
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
)  # fmt: skip
MAX_KINDS: Final = 120  # rows of a table that native code reads, one for each element type
# A copy beside others saves a call of native code: ``python -m benchmarks.trace`` measures
# traces.
SMALL_BYTES: Final = 1 << 16  # of an array that is copied to be scanned with others
INTEGERS: Final = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
SCANNED_TYPES: Final = frozenset({"bool", *INTEGERS})
COUNTS: Final = (COUNT, NANS, INFINITIES, NEGATIVE_INFINITIES, ZEROS, DENORMALS)
SUMS: Final = (SUM, SQUARES)


class ElementKind:
    """How the elements of a type are scanned.

    Attributes:
        code: Its number.
        dtype: The element type of arrays.
        scan_dtype: The element type to which elements are converted; it holds each of them exactly.
        smallest_normal: The smallest normal number; 0 if there are no denormals.
        empty: An array of no elements.
        components: Two for complex elements, whose parts are scanned separately.
    """

    __slots__ = ("code", "components", "dtype", "empty", "scan_dtype", "smallest_normal")

    def __init__(self, element: ElementType, code: int) -> None:
        self.code = code
        self.dtype: DType = element.dtype
        self.empty: Array = np.empty(0, self.dtype)
        stored = element.storage if isinstance(element, QuantizedType) else element
        self.components = 1
        self.smallest_normal = 0.0
        match stored:
            case ComplexType():
                self.components = 2
                self.scan_dtype = np.dtype(f"float{self.dtype.itemsize * 4}")
                self.smallest_normal = float(np.finfo(self.scan_dtype).smallest_normal)
            case FloatType():
                self.scan_dtype = np.dtype(np.float64 if self.dtype == np.float64 else np.float32)
                self.smallest_normal = float(float_info(self.dtype).smallest_normal)
            case IntegerType() | IndexType():
                name = self.dtype.name if self.dtype.name in SCANNED_TYPES else None
                self.scan_dtype = np.dtype(name or ("int8" if stored.minimum < 0 else "uint8"))

    @property
    def is_float(self) -> bool:
        """Whether minimum and maximum are doubles."""
        return self.scan_dtype.kind == "f"


class StatisticsCollector:
    """Computes statistics of arrays.

    Attributes:
        kinds: The element types that were used so far.
        is_native: Whether native code computes them.
    """

    def __init__(self, *, native: bool = True) -> None:
        self.kinds: dict[ElementType, ElementKind] = {}
        self.by_code: list[ElementKind] = []
        self.table = np.zeros((MAX_KINDS, KIND_WORDS), np.int64)
        self.survey = survey_function() if native else None

    @property
    def is_native(self) -> bool:
        """Whether native code computes them."""
        return self.survey is not None

    def kind(self, element: ElementType) -> ElementKind:
        """How the elements of a type are scanned."""
        kind = self.kinds.get(element)
        if kind is None:
            kind = self.kinds[element] = ElementKind(element, len(self.by_code))
            assert kind.code < MAX_KINDS, "there are fewer element types"
            self.by_code.append(kind)
            if self.survey is not None:
                self.register(kind)
        return kind

    def register(self, kind: ElementKind) -> None:
        """Writes the row of a kind, and checks that native code reads its arrays and scalars."""
        row = self.table[kind.code]
        (row[SCAN],) = scan_code(kind.scan_dtype).addresses.values()
        row.view(np.float64)[SMALLEST_NORMAL] = kind.smallest_normal
        row[DESCRIPTOR], row[SCALAR_TYPE] = id(kind.scan_dtype), id(kind.scan_dtype.type)
        rows = np.zeros((2, ROW_WORDS), np.int64)
        unfit = self.run_survey(
            (kind.scan_dtype.type(1), np.array([1, 0, 1], kind.scan_dtype)), (kind.code,) * 2, rows
        )
        high = rows.view(np.float64 if kind.is_float else np.int64)[:, MAXIMUM]
        if unfit or rows[:, COUNT].tolist() != [1, 3] or high.tolist() != [1, 1]:
            self.survey = None

    def run_survey(self, values: tuple[object, ...], codes: object, rows: Array) -> int:
        """Fills in rows by native code and returns how many it could not."""
        code_bytes = np.ascontiguousarray(codes, np.uint8)
        native: Any = self.survey
        unfit: int = native(
            values, len(values), TUPLE_ITEMS_OFFSET, code_bytes.ctypes.data, self.table.ctypes.data,
            rows.ctypes.data, id(np.ndarray),
        )  # fmt: skip
        return unfit

    def rows(self, values: Sequence[object], codes: Array) -> tuple[Array, dict[int, Array]]:
        """The statistics of arrays and NumPy scalars.

        Args:
            values: Arrays and scalars; ``(n,)``.
            codes: The code of the kind of each; bytes.

        Returns:
            A row for each, and for complex values the rows of their imaginary parts.
        """
        rows = np.zeros((len(values), ROW_WORDS), np.int64)
        imaginary: dict[int, Array] = {}
        if self.survey is None:
            rows[:, STATE] = UNFIT
        else:
            operands = values if isinstance(values, tuple) else tuple(values)
            if not self.run_survey(operands, codes, rows):
                return rows, imaginary
        unfit: list[int] = np.flatnonzero(rows[:, STATE]).tolist()
        if self.survey is not None:
            self.survey_copies(values, codes, rows, unfit)
            unfit = [i for i in unfit if rows[i, STATE]]
        for i in unfit:
            kind = self.by_code[int(codes[i])]
            array = np.asarray(values[i])
            if kind.components == 2:
                imaginary[i] = self.row(np.imag(array), kind)
                array = np.real(array)
            rows[i] = self.row(array, kind)
        return rows, imaginary

    def survey_copies(
        self, values: Sequence[Any], codes: Any, row_table: Array, unfit: Sequence[int]
    ) -> None:
        """Fills in the rows of small arrays that are not contiguous, from copies, all at once."""
        small: list[int] = []
        copies: list[Array] = []
        for i in unfit:
            array, kind = np.asarray(values[i]), self.by_code[int(codes[i])]
            if kind.components == 1 and array.nbytes <= SMALL_BYTES:
                small.append(i)
                copies.append(np.array(array, kind.scan_dtype, order="C"))
        if small:
            rows = np.zeros((len(small), ROW_WORDS), np.int64)
            self.run_survey(tuple(copies), codes[small], rows)
            row_table[small] = rows

    def row(self, array: Array, kind: ElementKind) -> Array:
        """The statistics of one array of any memory layout."""
        distinct, repetitions = without_repetition(array)
        distinct = distinct.astype(kind.scan_dtype, copy=False)
        row = np.zeros(ROW_WORDS, np.int64)
        if self.survey is None:
            fill_with_numpy(row, distinct.reshape(-1), kind)
        else:
            self.run_survey((in_memory_order(distinct),), (kind.code,), row)
        if repetitions != 1:
            row[list(COUNTS)] *= repetitions
            row.view(np.float64)[list(SUMS)] *= repetitions
        return row


def without_repetition(array: Array) -> tuple[Array, int]:
    """The array without the dimensions along which it repeats itself, and how often it does."""
    if 0 not in array.strides or not array.size:
        return array, 1
    index = tuple(0 if step == 0 else slice(None) for step in array.strides)
    distinct: Array = array[index]
    return distinct, array.size // max(distinct.size, 1)


def in_memory_order(array: Array) -> Array:
    """The elements of an array in memory order; a copy if there are gaps."""
    if array.flags.forc and array.flags.aligned:
        return array
    order = sorted(range(array.ndim), key=lambda d: -abs(array.strides[d]))
    transposed = array.transpose(order)
    if transposed.flags.c_contiguous and transposed.flags.aligned:
        return transposed
    return np.ascontiguousarray(transposed) if transposed.flags.aligned else transposed.copy()


def fill_with_numpy(row: Array, flat: Array, kind: ElementKind) -> None:
    """Computes the statistics of an array with NumPy."""
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
        magnitudes = np.abs(flat)
        nans = np.isnan(flat)
        row[NANS] = np.count_nonzero(nans)
        row[INFINITIES] = np.count_nonzero(magnitudes == np.inf)
        row[NEGATIVE_INFINITIES] = np.count_nonzero(flat == -np.inf)
        row[ZEROS] = np.count_nonzero(flat == 0)
        row[DENORMALS] = np.count_nonzero(magnitudes < kind.scan_dtype.type(kind.smallest_normal))
        numbers_only = flat[~nans] if row[NANS] else flat
        numbers[MINIMUM] = numbers_only.min() if numbers_only.size else np.inf
        numbers[MAXIMUM] = numbers_only.max() if numbers_only.size else -np.inf
        finite = numbers_only[np.isfinite(numbers_only)].astype(np.float64)
    first = float(flat[0])
    shift = first if np.isfinite(first) else 0.0
    shifted = finite - shift
    numbers[SHIFT] = shift
    numbers[SUM] = shifted.sum()
    numbers[SQUARES] = np.square(shifted).sum()


def native_code(text: str, names: Sequence[str]) -> Loaded:
    """Loads functions of LLVM text; their object is kept in the disk cache."""
    target = host()
    key = disk.key_of("statistics", text, f"{target} {compiler_version()}")
    content = disk.cache().get(key)
    if content is None:
        content = assemble(text, target)
        disk.cache().put(key, content)
    return load([content], names)


@lru_cache(maxsize=1)
def survey_function() -> Any | None:
    """The native function; None without LLVM, or if Python objects have another layout."""
    if object.__basicsize__ != 16 or ctypes.sizeof(ctypes.c_void_p) != 8:
        return None
    try:
        code = native_code(SURVEY, ("survey",))
    except Exception:
        return None  # without LLVM, or on a machine that LLVM does not support
    function: Any = SURVEY_TYPE(code.addresses["survey"])
    function.code = code
    return function


@cache
def scan_code(dtype: DType) -> Loaded:
    """The native function that scans elements of a type."""
    letter = "u" if dtype.kind in "ub" else dtype.kind
    name = f"{letter}{dtype.itemsize * 8}"
    return native_code(text_of(name), (f"scan_{name}",))
