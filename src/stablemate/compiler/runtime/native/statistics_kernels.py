"""Statistics of many arrays in one pass, in LLVM IR.

``survey(operands, count, items, codes, kinds, rows, array)`` reads a tuple of arrays and NumPy
scalars, whose items begin at byte ``items``. The code of each, a byte, selects the row of ``kinds``
that describes its element type; the results are written to a row of ``rows``. ``foreign_layouts``
describes arrays; a scalar's number follows its header.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from stablemate.compiler.runtime.native.foreign_layouts import (
    ALIGNED,
    ARRAY_DESCRIPTOR,
    ARRAY_FLAGS,
    ARRAY_RANK,
    ARRAY_SIZES,
    ARRAY_STRIDES,
    C_CONTIGUOUS,
    F_CONTIGUOUS,
    OBJECT_BYTES,
    OBJECT_TYPE,
)

# The words of a row; the sums are of finite elements minus the shift, which is the first of them.
(
    COUNT,
    NANS,
    INFINITIES,
    NEGATIVE_INFINITIES,
    ZEROS,
    DENORMALS,
    MINIMUM,
    MAXIMUM,
    SUM,
    SQUARES,
    SHIFT,
    STATE,
) = range(12)
ROW_WORDS: Final = 12
# The words of a kind: the descriptor, the type of scalars, the function, what denormals are below.
DESCRIPTOR, SCALAR_TYPE, SCAN, SMALLEST_NORMAL = range(4)
KIND_WORDS: Final = 4
FITS, UNFIT = 0, 1
INFINITY: Final = "0x7FF0000000000000"
NEGATIVE_INFINITY: Final = "0xFFF0000000000000"


class ElementReader(NamedTuple):
    """How the elements of a type are read.

    Attributes:
        name: Its name in that of its function.
        text: Its LLVM type.
        lanes: How many elements are processed at once.
        counter: The type of the counters of a lane.
    """

    name: str
    text: str
    lanes: int
    counter: str

    @property
    def is_float(self) -> bool:
        """Whether it has NaN, infinities and denormals."""
        return self.name.startswith("f")

    @property
    def is_signed(self) -> bool:
        """Whether it has negative elements."""
        return not self.name.startswith("u")


ELEMENTS: Final = (
    ElementReader("f32", "float", 8, "i32"),
    ElementReader("f64", "double", 8, "i64"),
    *(
        ElementReader(f"{letter}{width}", f"i{width}", 8, "i64" if width == 64 else "i32")
        for letter in "iu"
        for width in (8, 16, 32, 64)
    ),
)
STATES: Final = ("nan", "inf", "neg", "zero", "small", "low", "high", "sum", "square")


def text_of(name: str) -> str:
    """The function that scans the elements of arrays of one type."""
    return (
        scan_text(next(element for element in ELEMENTS if element.name == name)) + FABS_DECLARATIONS
    )


def scan_text(element: ElementReader) -> str:
    """The function that scans the elements of one array."""
    vector, one = Lanes(element, element.lanes), Lanes(element, 1)
    lines = [
        f"define void @scan_{element.name}(ptr %data, i64 %n, double %tiny, ptr %row) #0 {{",
        "entry:",
        "  %some = icmp ne i64 %n, 0",
        "  br i1 %some, label %start, label %nothing",
        "nothing:",
        "  ret void",
        "start:",
        *shift_lines(element),
        f"  %end = and i64 %n, {-element.lanes}",
        "  %several = icmp ne i64 %end, 0",
        *vector.splats(),
        "  br i1 %several, label %loop, label %between",
        *vector.loop("loop", "start", "between", "0", "%end", vector.initial()),
        "between:",
        *reduce_lanes(vector),
        "  %left = icmp ult i64 %end, %n",
        "  br i1 %left, label %rest, label %done",
        *one.loop("rest", "between", "done", "%end", "%n", {s: f"%b_{s}" for s in STATES}),
        "done:",
        *one.ends("done", "between", "rest"),
        *store_row(element),
        "  ret void",
        "}",
    ]
    return "\n".join(lines) + "\n"


def shift_lines(element: ElementReader) -> Iterator[str]:
    """Computes the shift: the first element if it is finite, otherwise 0."""
    kind = element.text
    yield f"  %first = load {kind}, ptr %data"
    if not element.is_float:
        yield f"  %shift = {conversion_to_double(element)} {kind} %first to double"
        return
    wide = "fpext float %first to double" if kind == "float" else "fadd double %first, 0.0"
    yield f"  %first_wide = {wide}"
    yield "  %first_size = call double @llvm.fabs.f64(double %first_wide)"
    yield f"  %first_finite = fcmp olt double %first_size, {INFINITY}"
    yield "  %shift = select i1 %first_finite, double %first_wide, double 0.0"


def conversion_to_double(element: ElementReader) -> str:
    """The instruction that converts an integer to a double."""
    return "sitofp" if element.is_signed else "uitofp"


class Lanes:
    """The same code for one element or for several at once."""

    def __init__(self, element: ElementReader, lanes: int) -> None:
        self.element = element
        self.lanes = lanes
        self.kind = self.of(element.text)
        self.double = self.of("double")
        self.counter = self.of(element.counter)
        self.mask = self.of("i1")
        self.suffix = "" if lanes > 1 else "1"

    def of(self, text: str) -> str:
        """The type of a vector, or of one element."""
        return f"<{self.lanes} x {text}>" if self.lanes > 1 else text

    def constant(self, text: str, value: str) -> str:
        """A constant in every lane."""
        if self.lanes == 1:
            return value
        return f"<{', '.join([f'{text} {value}'] * self.lanes)}>"

    def type_of(self, state: str) -> str:
        """The type of a loop-carried value."""
        if state in ("low", "high"):
            return self.kind
        return self.double if state in ("sum", "square") else self.counter

    def splats(self) -> Iterator[str]:
        """The values from outside in every lane, and the limit of denormals in the element type."""
        kind, lanes = self.element.text, self.lanes
        yield from splat("shift_v", "double", "%shift", lanes)
        if self.element.is_float:
            narrow = (
                "fptrunc double %tiny to float" if kind == "float" else "fadd double %tiny, 0.0"
            )
            yield f"  %tiny1 = {narrow}"
            yield from splat("tiny_v", kind, "%tiny1", lanes)

    def initial(self) -> dict[str, str]:
        """The initial values of the loop."""
        low, high = type_range(self.element)
        values = {state: self.constant(self.element.counter, "0") for state in STATES[:5]}
        values |= {state: self.constant("double", "0.0") for state in STATES[7:]}
        kind = self.element.text
        return values | {"low": self.constant(kind, high), "high": self.constant(kind, low)}

    def loop(
        self, label: str, before: str, after: str, start: str, end: str, initial: dict[str, str]
    ) -> Iterator[str]:
        """The loop over elements ``start`` to ``end``."""
        s = self.suffix
        yield f"{label}:"
        yield f"  %i{s} = phi i64 [ {start}, %{before} ], [ %next{s}, %{label} ]"
        for state in STATES:
            kind = self.type_of(state)
            begun, gone = f"[ {initial[state]}, %{before} ]", f"[ %n_{state}{s}, %{label} ]"
            yield f"  %{state}{s} = phi {kind} {begun}, {gone}"
        yield f"  %at{s} = getelementptr {self.element.text}, ptr %data, i64 %i{s}"
        yield f"  %x{s} = load {self.kind}, ptr %at{s}, align 1"
        yield from self.float_body() if self.element.is_float else self.integer_body()
        yield f"  %next{s} = add i64 %i{s}, {self.lanes}"
        yield f"  %again{s} = icmp ult i64 %next{s}, {end}"
        yield f"  br i1 %again{s}, label %{label}, label %{after}"

    def count_lanes(self, state: str) -> Iterator[str]:
        """Counts the lanes of a mask."""
        s = self.suffix
        yield f"  %z_{state}{s} = zext {self.mask} %m_{state}{s} to {self.counter}"
        yield f"  %n_{state}{s} = add {self.counter} %{state}{s}, %z_{state}{s}"

    def float_body(self) -> Iterator[str]:
        """The loop body for floats."""
        s, kind, element = self.suffix, self.kind, self.element.text
        zero = self.constant(element, "0.0")
        positive, negative = (
            self.constant(element, number) for number in (INFINITY, NEGATIVE_INFINITY)
        )
        width = "f32" if element == "float" else "f64"
        name = f"v{self.lanes}{width}" if self.lanes > 1 else width
        tiny = "%tiny_v" if self.lanes > 1 else "%tiny1"
        yield f"  %size{s} = call {kind} @llvm.fabs.{name}({kind} %x{s})"
        yield f"  %m_nan{s} = fcmp uno {kind} %x{s}, {zero}"
        yield f"  %m_inf{s} = fcmp oeq {kind} %size{s}, {positive}"
        yield f"  %m_neg{s} = fcmp oeq {kind} %x{s}, {negative}"
        yield f"  %m_zero{s} = fcmp oeq {kind} %x{s}, {zero}"
        yield f"  %m_small{s} = fcmp olt {kind} %size{s}, {tiny}"
        yield f"  %finite{s} = fcmp olt {kind} %size{s}, {positive}"
        for state in STATES[:5]:
            yield from self.count_lanes(state)
        yield f"  %less{s} = fcmp olt {kind} %x{s}, %low{s}"
        yield f"  %over{s} = fcmp ogt {kind} %x{s}, %high{s}"
        yield from self.extend_range()
        wide = f"fpext {kind} %x{s} to {self.double}" if element == "float" else None
        if wide is None:
            wide = f"fadd {kind} %x{s}, {self.constant('double', '-0.0')}"
        yield f"  %wide{s} = {wide}"
        yield from self.add_to_sums(masked=True)

    def integer_body(self) -> Iterator[str]:
        """The loop body for integers."""
        s, kind = self.suffix, self.kind
        sign = "s" if self.element.is_signed else "u"
        for state in ("nan", "inf", "neg", "small"):
            nothing = self.constant(self.element.counter, "0")
            yield f"  %n_{state}{s} = add {self.counter} %{state}{s}, {nothing}"
        yield f"  %m_zero{s} = icmp eq {kind} %x{s}, {self.constant(self.element.text, '0')}"
        yield from self.count_lanes("zero")
        yield f"  %less{s} = icmp {sign}lt {kind} %x{s}, %low{s}"
        yield f"  %over{s} = icmp {sign}gt {kind} %x{s}, %high{s}"
        yield from self.extend_range()
        yield f"  %wide{s} = {conversion_to_double(self.element)} {kind} %x{s} to {self.double}"
        yield from self.add_to_sums(masked=False)

    def extend_range(self) -> Iterator[str]:
        """Extends the range by the element."""
        s, kind = self.suffix, self.kind
        yield f"  %n_low{s} = select {self.mask} %less{s}, {kind} %x{s}, {kind} %low{s}"
        yield f"  %n_high{s} = select {self.mask} %over{s}, {kind} %x{s}, {kind} %high{s}"

    def add_to_sums(self, *, masked: bool) -> Iterator[str]:
        """Adds the element to the sums."""
        s, double = self.suffix, self.double
        shift = "%shift_v" if self.lanes > 1 else "%shift"
        zero = self.constant("double", "0.0")
        yield f"  %apart{s} = fsub {double} %wide{s}, {shift}"
        part = f"%apart{s}"
        if masked:
            yield f"  %part{s} = select {self.mask} %finite{s}, {double} %apart{s}, {double} {zero}"
            part = f"%part{s}"
        yield f"  %n_sum{s} = fadd {double} %sum{s}, {part}"
        yield f"  %power{s} = fmul {double} {part}, {part}"
        yield f"  %n_square{s} = fadd {double} %square{s}, %power{s}"

    def ends(self, label: str, before: str, loop: str) -> Iterator[str]:
        """The values after the loop, which may have been skipped."""
        s = self.suffix
        for state in STATES:
            kind = self.type_of(state)
            yield f"  %e_{state} = phi {kind} [ %b_{state}, %{before} ], [ %n_{state}{s}, %{loop} ]"


def splat(name: str, kind: str, value: str, lanes: int) -> Iterator[str]:
    """A value in every lane."""
    vector = f"<{lanes} x {kind}>"
    yield f"  %{name}0 = insertelement {vector} poison, {kind} {value}, i64 0"
    yield (
        f"  %{name} = shufflevector {vector} %{name}0, {vector} poison, "
        f"<{lanes} x i32> zeroinitializer"
    )


def type_range(element: ElementReader) -> tuple[str, str]:
    """The smallest and the largest number of a type."""
    if element.is_float:
        return NEGATIVE_INFINITY, INFINITY
    bits = int(element.text[1:])
    if element.is_signed:
        return str(-(1 << bits - 1)), str((1 << bits - 1) - 1)
    return "0", str((1 << bits) - 1)


def reduce_lanes(vector: Lanes) -> Iterator[str]:
    """Combines the results of all lanes."""
    element = vector.element
    sign = "s" if element.is_signed else "u"
    start = vector.initial()
    for state in STATES:
        kind = vector.type_of(state)
        yield f"  %v_{state} = phi {kind} [ {start[state]}, %start ], [ %n_{state}, %loop ]"
    for state in STATES:
        kind = vector.type_of(state)
        scalar = kind.split(" x ")[1].rstrip(">")
        lanes = range(vector.lanes)
        for k in lanes:
            yield f"  %l_{state}{k} = extractelement {kind} %v_{state}, i64 {k}"
        last = f"%l_{state}0"
        for k in lanes[1:]:
            name = f"%b_{state}" if k == vector.lanes - 1 else f"%j_{state}{k}"
            other = f"%l_{state}{k}"
            match state:
                case "low" | "high":
                    order = "lt" if state == "low" else "gt"
                    compare = f"fcmp o{order}" if element.is_float else f"icmp {sign}{order}"
                    yield f"  %c_{state}{k} = {compare} {scalar} {last}, {other}"
                    yield f"  {name} = select i1 %c_{state}{k}, {scalar} {last}, {scalar} {other}"
                case "sum" | "square":
                    yield f"  {name} = fadd double {last}, {other}"
                case _:
                    yield f"  {name} = add {scalar} {last}, {other}"
            last = name


def store_row(element: ElementReader) -> Iterator[str]:
    """Emits the stores of counts, extremes and sums into the row of results."""
    words = {
        "nan": NANS,
        "inf": INFINITIES,
        "neg": NEGATIVE_INFINITIES,
        "zero": ZEROS,
        "small": DENORMALS,
    }
    for state, word in words.items():
        yield f"  %p_{state} = getelementptr i64, ptr %row, i64 {word}"
        if element.counter != "i64":
            yield f"  %w_{state} = zext {element.counter} %e_{state} to i64"
            yield f"  store i64 %w_{state}, ptr %p_{state}"
        else:
            yield f"  store i64 %e_{state}, ptr %p_{state}"
    for state, word in (("low", MINIMUM), ("high", MAXIMUM)):
        yield f"  %p_{state} = getelementptr i64, ptr %row, i64 {word}"
        match element.text:
            case "float":
                yield f"  %w_{state} = fpext float %e_{state} to double"
                yield f"  store double %w_{state}, ptr %p_{state}"
            case "double" | "i64":
                yield f"  store {element.text} %e_{state}, ptr %p_{state}"
            case text:
                extend = "sext" if element.is_signed else "zext"
                yield f"  %w_{state} = {extend} {text} %e_{state} to i64"
                yield f"  store i64 %w_{state}, ptr %p_{state}"
    for state, word in (("sum", SUM), ("square", SQUARES)):
        yield f"  %p_{state} = getelementptr i64, ptr %row, i64 {word}"
        yield f"  store double %e_{state}, ptr %p_{state}"
    yield f"  %p_shift = getelementptr i64, ptr %row, i64 {SHIFT}"
    yield "  store double %shift, ptr %p_shift"


def fabs_declarations(names: Sequence[tuple[str, str]]) -> str:
    """Declares LLVM's ``fabs`` for each type."""
    return "".join(f"declare {kind} @llvm.fabs.{name}({kind})\n" for name, kind in names)


FABS_DECLARATIONS: Final = fabs_declarations(
    [("f32", "float"), ("f64", "double"), ("v8f32", "<8 x float>"), ("v8f64", "<8 x double>")]
)
SURVEY: Final = f"""
define i64 @survey(
    ptr %operands, i64 %count, i64 %items, ptr %codes, ptr %kinds, ptr %rows, ptr %array
) #0 {{
entry:
  %some = icmp ne i64 %count, 0
  br i1 %some, label %next, label %all
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %following ]
  %unfit = phi i64 [ 0, %entry ], [ %unfit1, %following ]
  %offset0 = shl i64 %i, 3
  %offset = add i64 %offset0, %items
  %item_at = getelementptr i8, ptr %operands, i64 %offset
  %object = load ptr, ptr %item_at
  %code_at = getelementptr i8, ptr %codes, i64 %i
  %code8 = load i8, ptr %code_at
  %code = zext i8 %code8 to i64
  %kind_word = mul i64 %code, {KIND_WORDS}
  %kind = getelementptr i64, ptr %kinds, i64 %kind_word
  %kind1 = getelementptr i64, ptr %kind, i64 {SCALAR_TYPE}
  %kind2 = getelementptr i64, ptr %kind, i64 {SCAN}
  %kind3 = getelementptr i64, ptr %kind, i64 {SMALLEST_NORMAL}
  %descriptor = load ptr, ptr %kind
  %scalar = load ptr, ptr %kind1
  %scan = load ptr, ptr %kind2
  %tiny = load double, ptr %kind3
  %row_word = mul i64 %i, {ROW_WORDS}
  %row = getelementptr i64, ptr %rows, i64 %row_word
  %state = getelementptr i64, ptr %row, i64 {STATE}
  %type_at = getelementptr i8, ptr %object, i64 {OBJECT_TYPE}
  %type = load ptr, ptr %type_at
  %body = getelementptr i8, ptr %object, i64 {OBJECT_BYTES}
  %is_array = icmp eq ptr %type, %array
  br i1 %is_array, label %looked, label %other
other:
  %is_scalar = icmp eq ptr %type, %scalar
  br i1 %is_scalar, label %scanned, label %differs
looked:
  %data_of = load ptr, ptr %body
  %rank_at = getelementptr i8, ptr %body, i64 {ARRAY_RANK}
  %sizes_at = getelementptr i8, ptr %body, i64 {ARRAY_SIZES}
  %strides_at = getelementptr i8, ptr %body, i64 {ARRAY_STRIDES}
  %strides = load ptr, ptr %strides_at
  %element_at = getelementptr i8, ptr %body, i64 {ARRAY_DESCRIPTOR}
  %flags_at = getelementptr i8, ptr %body, i64 {ARRAY_FLAGS}
  %rank = load i32, ptr %rank_at
  %wide_rank = zext i32 %rank to i64
  %sizes = load ptr, ptr %sizes_at
  %element = load ptr, ptr %element_at
  %flags = load i32, ptr %flags_at
  %ordered = and i32 %flags, {C_CONTIGUOUS | F_CONTIGUOUS}
  %is_ordered = icmp ne i32 %ordered, 0
  %aligned = and i32 %flags, {ALIGNED}
  %is_aligned = icmp ne i32 %aligned, 0
  %same_element = icmp eq ptr %element, %descriptor
  %fits = and i1 %is_aligned, %same_element
  br i1 %fits, label %dimensions, label %differs
dimensions:
  %d = phi i64 [ 0, %looked ], [ %d1, %dimension ]
  %size = phi i64 [ 1, %looked ], [ %size1, %dimension ]
  %repeats = phi i1 [ true, %looked ], [ %repeats1, %dimension ]
  %inner = icmp ult i64 %d, %wide_rank
  br i1 %inner, label %dimension, label %known
dimension:
  %size_at = getelementptr i64, ptr %sizes, i64 %d
  %extent = load i64, ptr %size_at
  %size1 = mul i64 %size, %extent
  %stride_at = getelementptr i64, ptr %strides, i64 %d
  %stride = load i64, ptr %stride_at
  %still = icmp eq i64 %stride, 0
  %repeats1 = and i1 %repeats, %still
  %d1 = add i64 %d, 1
  br label %dimensions
known:
  br i1 %is_ordered, label %scanned, label %unordered
unordered:
  %is_some = icmp ne i64 %size, 0
  %is_one = and i1 %repeats, %is_some
  br i1 %is_one, label %repeated, label %differs
repeated:
  call void %scan(ptr %data_of, i64 1, double %tiny, ptr %row)
  store i64 %size, ptr %row
  store i64 {FITS}, ptr %state
  br label %counts
counts:
  %w = phi i64 [ {NANS}, %repeated ], [ %w1, %counts ]
  %count_at = getelementptr i64, ptr %row, i64 %w
  %counted = load i64, ptr %count_at
  %times = mul i64 %counted, %size
  store i64 %times, ptr %count_at
  %w1 = add i64 %w, 1
  %more = icmp ule i64 %w1, {DENORMALS}
  br i1 %more, label %counts, label %following
scanned:
  %data = phi ptr [ %body, %other ], [ %data_of, %known ]
  %n = phi i64 [ 1, %other ], [ %size, %known ]
  store i64 %n, ptr %row
  store i64 {FITS}, ptr %state
  call void %scan(ptr %data, i64 %n, double %tiny, ptr %row)
  br label %following
differs:
  store i64 {UNFIT}, ptr %state
  %unfit_more = add i64 %unfit, 1
  br label %following
following:
  %unfit1 = phi i64 [ %unfit, %scanned ], [ %unfit, %counts ], [ %unfit_more, %differs ]
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, %count
  br i1 %again, label %next, label %all
all:
  %result = phi i64 [ 0, %entry ], [ %unfit1, %following ]
  ret i64 %result
}}
"""
