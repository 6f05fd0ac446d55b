"""Operations of arith, shape and tensor in native code: the bits that the interpreter gives."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.dialects.registry import OPERATIONS
from stablemate.numerics.elements import INDEX, SIMPLE_ELEMENTS, FloatType
from tests.compiler.result_comparison import arrays, native, same_bits

INTEGERS: Final = ("i1", "i2", "i4", "i8", "i16", "i32", "i64", "index")
FLOATS: Final = ("f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN")
OF_INTEGERS: Final = (
    "addi", "andi", "maxsi", "maxui", "minsi", "minui", "muli", "ori", "shli", "shrsi", "shrui",
    "subi", "xori",
)  # fmt: skip
DIVISIONS: Final = ("ceildivsi", "ceildivui", "divsi", "divui", "floordivsi", "remsi", "remui")
EXTENDED: Final = {
    "addui_extended": "i1", "subui_extended": "i1", "mulsi_extended": "", "mului_extended": "",
}  # fmt: skip
OF_FLOATS: Final = ("addf", "divf", "maximumf", "maxnumf", "minimumf", "minnumf", "mulf", "remf",
                    "subf")  # fmt: skip
COMPARISONS: Final = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
RELATIONS: Final = ("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge",
                    "ult", "ule", "une", "uno", "true")  # fmt: skip
CASTS: Final = {
    "extsi": (("i1", "i2", "i4", "i8", "i32"), ("i8", "i16", "i64")),
    "extui": (("i1", "i2", "i4", "i8", "i32"), ("i8", "i16", "i64")),
    "trunci": (("i64", "i16", "i8", "i4"), ("i8", "i4", "i2", "i1")),
    "index_cast": (("i1", "i4", "i32", "i64", "index"), ("index", "i64", "i32", "i8", "i2")),
    "index_castui": (("i1", "i4", "i32", "i64", "index"), ("index", "i64", "i32", "i8", "i2")),
    "sitofp": (("i1", "i4", "i8", "i64"), ("f32", "f64", "bf16", "f8E4M3FN")),
    "uitofp": (("i1", "i4", "i8", "i64"), ("f32", "f64", "bf16", "f8E4M3FN")),
    "fptosi": (("f32", "f64", "f16"), ("i1", "i2", "i4", "i8", "i32", "i64")),
    "fptoui": (("f32", "f64", "f16"), ("i1", "i2", "i4", "i8", "i32", "i64")),
    "extf": (("bf16", "f16", "f32", "f8E5M2"), ("f32", "f64", "f16")),
    "truncf": (("f64", "f32", "f16"), ("f32", "bf16", "f16", "f8E4M3FN")),
    "convertf": (("bf16", "f8E4M3FN"), ("f16", "f8E5M2")),
}


def pairs_of(element: str) -> tuple[Any, Any]:
    """Pairs of elements: all there are of few bits, else special ones and others."""
    if element == "index":
        element = "i64"
    kind = SIMPLE_ELEMENTS[element]
    if kind.bits <= 4:
        bits = np.arange(1 << kind.bits, dtype=np.uint8)
        if element in ("i2", "i4"):  # as their storage extends them
            bits = ((bits.astype(np.int8) << (8 - kind.bits)) >> (8 - kind.bits)).view(np.uint8)
        some = bits.view(np.dtype(kind.dtype))
    else:
        random = np.random.default_rng(kind.bits)
        width = kind.bits // 8
        some = random.integers(0, 256, 40 * width, np.uint8).view(f"u{width}").view(kind.dtype)
        if isinstance(kind, FloatType):
            special = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 1e-6, 3e4]
        else:
            special = [0, 1, -1, kind.minimum, kind.maximum, 2, 7, -7, kind.bits, kind.bits - 1]
        with np.errstate(all="ignore"):
            some = np.concatenate([np.array(special).astype(kind.dtype), some])
    lhs, rhs = np.meshgrid(some, some, indexing="ij")
    return lhs.reshape(-1), rhs.reshape(-1)


Row = tuple[str, list[str]]  # an operation on %0, %1 ..., and the element types of its results


def same_numbers(text: str, *arguments: Any) -> None:
    """Compiles a program without requests; all bits but those of NaNs are the interpreter's."""
    arrays_read = arrays(native(text)(*arguments))
    expected = arrays(sm.compile(sm.load(text), backend="interpreter")(*arguments))
    for one, other in zip(arrays_read, expected, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert same(one, other), text


def same(one: Any, other: Any) -> bool:
    """Whether numbers are equal, the signs of zeros too, or both NaN."""
    if one.dtype.kind in "iu":  # of 64 bits too, which floats do not hold
        return bool((one == other).all())
    with np.errstate(all="ignore"):
        one, other = one.astype(np.float64), other.astype(np.float64)
    equal = (one == other) & (np.signbit(one) == np.signbit(other))
    return bool((equal | ((one != one) & (other != other))).all())


def compared(rows: list[Row], elements: list[str], *arguments: Any) -> None:
    """Compares operations on tensors, and on scalars, with the interpreter."""
    (count,) = arguments[0].shape
    for container, same_number in (
        (f"tensor<{count}x{{}}>", arguments),
        ("{}", [argument[count // 2] for argument in arguments]),
    ):
        operands = [container.format(element) for element in elements]
        listed = ", ".join(f"%{i}: {item}" for i, item in enumerate(operands))
        lines: list[str] = []
        returned: list[str] = []
        types: list[str] = []
        for k, (operation, results) in enumerate(rows):
            collected = [container.format(result) for result in results]
            several = f":{len(results)}" if len(results) > 1 else ""
            kind = f"({', '.join(operands)}) -> ({', '.join(collected)})"
            lines.append(f"  %r{k}{several} = {operation} : {kind}")
            returned += [f"%r{k}#{i}" if several else f"%r{k}" for i in range(len(results))]
            types += collected
        body = "\n".join(lines)
        end = f"  return {', '.join(returned)} : {', '.join(types)}"
        head = f"func.func @main({listed}) -> ({', '.join(types)}) {{"
        same_numbers(f"{head}\n{body}\n{end}\n}}", *same_number)


@pytest.mark.parametrize("element", INTEGERS)
def test_integers(element: str) -> None:
    lhs, rhs = pairs_of(element)
    rows: list[Row] = [(f'"arith.{name}"(%0, %1)', [element]) for name in OF_INTEGERS]
    for name, second in EXTENDED.items():
        rows.append((f'"arith.{name}"(%0, %1)', [element, second or element]))
    for number in range(len(COMPARISONS)):
        rows.append((f'"arith.cmpi"(%0, %1) {{predicate = {number} : i64}}', ["i1"]))
    compared(rows, [element] * 2, lhs, rhs)


@pytest.mark.parametrize("element", INTEGERS)
def test_divisions(element: str) -> None:
    lhs, rhs = pairs_of(element)
    lhs, rhs = lhs[rhs != 0], rhs[rhs != 0]
    kind = f"tensor<{len(lhs)}x{element}>"
    for name in DIVISIONS if element in ("i4", "i32") else DIVISIONS[:1]:
        text = f"""
        func.func @main(%a: {kind}, %b: {kind}) -> {kind} {{
          %0 = "arith.{name}"(%a, %b) : ({kind}, {kind}) -> {kind}
          return %0 : {kind}
        }}"""
        module = sm.load(text)
        executable = sm.compile(module, backend="cpu")
        assert isinstance(executable, CompiledExecutable)
        assert same(executable(lhs, rhs), module.run(lhs, rhs, backend="interpreter"))
        rhs[-1] = 0
        with pytest.raises(sm.EvaluationError, match="rhs is not zero"):
            executable(lhs, rhs)
        rhs[-1] = 1


def test_divisions_by_constants_stay_in_native_code() -> None:
    lhs = np.array([-7, -(1 << 31), -8, 10], np.int32)
    names = ", ".join(f"%{i}" for i in range(len(DIVISIONS)))
    types = ", ".join(["tensor<4xi32>"] * len(DIVISIONS))
    lines = [
        f"%{i} = arith.{division} %a, %c : tensor<4xi32>" for i, division in enumerate(DIVISIONS)
    ]
    same_bits(
        f"func.func @main(%a: tensor<4xi32>) -> ({types}) {{\n"
        "%c = arith.constant dense<[1, -1, 7, -3]> : tensor<4xi32>\n"
        + "\n".join(lines)
        + f"\nreturn {names} : {types} }}",
        lhs,
    )


@pytest.mark.parametrize("element", FLOATS)
def test_floats(element: str) -> None:
    lhs, rhs = pairs_of(element)
    rows: list[Row] = [(f'"arith.{name}"(%0, %1)', [element]) for name in OF_FLOATS]
    for number in range(len(RELATIONS)):
        rows.append((f'"arith.cmpf"(%0, %1) {{predicate = {number} : i64}}', ["i1"]))
    compared(rows, [element] * 2, lhs, rhs)
    rows = [(f'"arith.{name}"(%0)', [element]) for name in ("negf", "flush_denormals")]
    compared(rows, [element], lhs)


@pytest.mark.parametrize("source", sorted({item for row in CASTS.values() for item in row[0]}))
def test_casts(source: str) -> None:
    rows: list[Row] = []
    for name, (sources, targets) in CASTS.items():
        fits: Any = OPERATIONS[f"arith.{name}"]
        for target in targets if source in sources else ():
            if fits.fits(element_type(source), element_type(target)):
                rows.append((f'"arith.{name}"(%0)', [target]))
    values = pairs_of(source)[0]
    compared(rows, [source], values[np.isfinite(values.astype(np.float64))])


def element_type(name: str) -> Any:
    """An element type by its name."""
    return INDEX if name == "index" else SIMPLE_ELEMENTS[name]


def test_bits_and_choices() -> None:
    compared([('"arith.bitcast"(%0)', ["i32"])], ["f32"], pairs_of("f32")[0])
    compared([('"arith.bitcast"(%0)', ["bf16"])], ["i16"], pairs_of("i16")[0])
    lhs, rhs = pairs_of("i16")
    chosen = '"arith.select"(%0, %1, %2)'
    compared([(chosen, ["i16"])], ["i1", "i16", "i16"], lhs > rhs, lhs, rhs)


EXTRACT: Final = """
func.func @main(%x: tensor<2x3xf32>, %i: tensor<i64>) -> (tensor<f32>, tensor<2xf32>) {
  %s = tensor.extract %i[] : tensor<i64>
  %k = arith.index_cast %s : i64 to index
  %one = arith.constant 1 : index
  %a = tensor.extract %x[%one, %k] : tensor<2x3xf32>
  %b = tensor.extract %x[%one, %one] : tensor<2x3xf32>
  %0 = tensor.from_elements %a : tensor<f32>
  %1 = tensor.from_elements %b, %a : tensor<2xf32>
  return %0, %1 : tensor<f32>, tensor<2xf32>
}"""


def test_elements_are_taken_where_the_index_is_inside() -> None:
    module = sm.load(EXTRACT)
    executable = sm.compile(module, backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    x = np.arange(6, dtype="f").reshape(2, 3)
    first, second = executable(x, np.int64(2))
    assert (first.tolist(), second.tolist()) == (5.0, [4.0, 5.0])
    for outside in (3, -1):
        with pytest.raises(sm.EvaluationError, match=r"0 <= indices < shape\(tensor\)"):
            executable(x, np.int64(outside))


def test_regions_of_shapes_are_written_out() -> None:
    text = """
    func.func @main(%x: tensor<3xi64>) -> tensor<2xi64> {
      %shape = arith.index_cast %x : tensor<3xi64> to tensor<3xindex>
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %r:2 = shape.reduce(%shape, %zero, %one) : tensor<3xindex> -> (index, index) {
      ^bb0(%i: index, %size: index, %sum: index, %product: index):
        %0 = arith.muli %i, %size : index
        %1 = arith.addi %sum, %0 : index
        %2 = arith.muli %product, %size : index
        shape.yield %1, %2 : index, index
      }
      %both = tensor.from_elements %r#0, %r#1 : tensor<2xindex>
      %2 = arith.index_cast %both : tensor<2xindex> to tensor<2xi64>
      return %2 : tensor<2xi64>
    }"""
    executable = native(text)
    assert executable(np.array([4, 5, 6])).tolist() == [0 * 4 + 1 * 5 + 2 * 6, 4 * 5 * 6]


def test_buffers_are_the_tensors_of_their_contents() -> None:
    text = """
    func.func @main(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<2xi8>) {
      %b = stablehlo.custom_call @Pin(%x) {api_version = 4 : i32} : (tensor<4xf64>) -> memref<4xf64>
      %0 = stablehlo.custom_call @Unpin(%b) {api_version = 4 : i32}
        : (memref<4xf64>) -> tensor<4xf64>
      %new = stablehlo.custom_call @CreateBuffer() {api_version = 4 : i32} : () -> memref<2xi8>
      %1 = stablehlo.custom_call @Unpin(%new) {api_version = 4 : i32}
        : (memref<2xi8>) -> tensor<2xi8>
      return %0, %1 : tensor<4xf64>, tensor<2xi8>
    }"""
    array, zeros = arrays(native(text)(np.arange(4.0)))
    assert (array.tolist(), zeros.tolist()) == ([0.0, 1.0, 2.0, 3.0], [0, 0])


def test_scalars_arrive_and_leave_without_dimensions() -> None:
    text = """
    func.func @main(%a: i32, %b: i32) -> (i32, index) {
      %0 = arith.addi %a, %b : i32
      %1 = arith.index_cast %0 : i32 to index
      return %0, %1 : i32, index
    }"""
    arrays_read = arrays(native(text)(np.int32(20), np.int32(22)))
    assert [(array.shape, array.tolist()) for array in arrays_read] == [((), 42), ((), 42)]
