"""What ``--input`` says besides values: files and random numbers."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm
from stablemate.cli.input.arguments import InputReader
from stablemate.diagnostics.errors import ArgumentError, ArgumentTypeError, ArgumentValueError
from stablemate.diagnostics.limits import Limits
from stablemate.formats.safetensors import weights_bytes
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import (
    BF16,
    BOOLEAN,
    COMPLEX64,
    COMPLEX128,
    F32,
    FLOAT_STORAGE,
    I2,
    I4,
    I8,
    I32,
    SIMPLE_ELEMENTS,
    UI2,
    ElementType,
    FloatType,
    QuantizedType,
    StorageError,
)
from stablemate.numerics.random_elements import random_elements


def random_array(value_type: TensorType, seed: int) -> Any:
    """Random elements of a type."""
    return random_elements(value_type.shape, value_type.element_type, seed)


def stores(element: ElementType) -> bool:
    try:
        return bool(element.dtype.itemsize)
    except StorageError:
        return False


ELEMENTS = [
    simple_element
    for simple_element in (*SIMPLE_ELEMENTS.values(), COMPLEX64, COMPLEX128)
    if stores(simple_element)
]


def read(text: str, expected: TensorType) -> Any:
    return InputReader().read(text, expected, name="i", what="argument 0")


@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_npy_as_numpy_saves_it(element: ElementType, tmp_path: Path) -> None:
    array = random_array(tensor(element, 3, 2), 0)
    np.save(tmp_path / "a.npy", array)
    back = read(f"@{tmp_path}/a.npy", tensor(element, 3, 2))
    assert back.dtype == array.dtype
    assert back.tobytes() == array.tobytes()


def test_safetensors_by_name_or_the_only_one(tmp_path: Path) -> None:
    weights = {"layer.weight": np.float32([1, 2]), "layer.bias": np.float32(3)}
    (tmp_path / "two.safetensors").write_bytes(weights_bytes(weights))
    (tmp_path / "one.safetensors").write_bytes(weights_bytes({"x": np.float32(1)}))
    assert read(f"@{tmp_path}/two.safetensors:layer.bias", tensor(F32)).item() == 3
    assert read(f"@{tmp_path}/one.safetensors", tensor(F32)).item() == 1
    for name, message in {":y": "no array 'y' in", "": "which array of"}.items():
        with pytest.raises(sm.ArgumentError, match=message):
            read(f"@{tmp_path}/two.safetensors{name}", tensor(F32))


def test_npz_by_name_or_the_only_one(tmp_path: Path) -> None:
    np.savez(tmp_path / "two.npz", x=np.float32(1), y=np.float32(2))
    np.savez(tmp_path / "one.npz", x=np.float32(1))
    assert read(f"@{tmp_path}/two.npz:y", tensor(F32)).item() == 2
    assert read(f"@{tmp_path}/one.npz", tensor(F32)).item() == 1


def test_raw_elements(tmp_path: Path) -> None:
    (tmp_path / "raw.bin").write_bytes(np.arange(6, dtype="<i4").tobytes())
    name = f"@{tmp_path}/raw.bin"
    assert read(f"2x3xi32={name}", tensor(I32, 2, 3)).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert read(name, tensor(I32, 6)).tolist() == [0, 1, 2, 3, 4, 5]
    assert read(f"?x2xi32={name}", tensor(I32, -1, 2)).tolist() == [[0, 1], [2, 3], [4, 5]]


def test_raw_narrow_elements_take_a_byte_each(tmp_path: Path) -> None:
    (tmp_path / "raw.bin").write_bytes(bytes([0x00, 0x0F, 0x07, 0xFF]))
    assert read(f"@{tmp_path}/raw.bin", tensor(I4, 4)).astype(int).tolist() == [0, -1, 7, -1]


def test_fortran_order_and_byte_order_do_not_matter(tmp_path: Path) -> None:
    array = np.arange(6, dtype=">f4").reshape(2, 3)
    np.save(tmp_path / "a.npy", np.asfortranarray(array))
    back = read(f"@{tmp_path}/a.npy", tensor(F32, 2, 3))
    assert back.dtype == np.float32
    assert back.flags.c_contiguous
    assert back.tolist() == array.tolist()


def test_a_dynamic_argument_takes_any_size(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.ones((5, 2), np.float32))
    assert read(f"@{tmp_path}/a.npy", tensor(F32, -1, 2)).shape == (5, 2)


@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_random_elements_are_reproducible_numbers(element: ElementType) -> None:
    first, again, other = (random_array(tensor(element, 40), seed) for seed in (0, 0, 1))
    assert first.dtype == element.dtype
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()
    if not isinstance(element, FloatType) or element.name not in FLOAT_STORAGE:
        return
    assert np.isfinite(first.astype(np.float64)).all()


@pytest.mark.parametrize(
    ("element", "low", "high"),
    [(BOOLEAN, 0, 1), (I2, -2, 1), (UI2, 0, 3), (I32, -8, 7)],
    ids=str,
)
def test_random_integers_are_small(element: ElementType, low: int, high: int) -> None:
    values = random_array(tensor(element, 200), 0).astype(int)
    assert (values.min(), values.max()) == (low, high)


def test_random_quantized_elements_fill_their_range() -> None:
    quantized = QuantizedType(I8, F32, (0.5,), (0,), -100, 100)
    values = random_array(tensor(quantized, 10_000), 0)
    assert (values.min(), values.max()) == (-100, 100)


def test_random_is_numpy_default_rng() -> None:
    expected = np.random.default_rng(7).standard_normal((2, 3)).astype(ml_dtypes.bfloat16)
    assert read("random:7", tensor(BF16, 2, 3)).tobytes() == expected.tobytes()
    assert read("2x3xbf16=random:7", tensor(BF16, -1, 3)).tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("random:", "expected a number as in random:0"),
        ("random:x", "expected a number as in random:0"),
        ("@", "expected the name of a file after '@'"),
        ("2xf32=@", "expected the name of a file after '@'"),
        ("@missing.npy", "cannot read missing.npy: no such file or directory"),
        ("@missing.npz:x", "cannot read missing.npz: no such file or directory"),
        ("@missing.bin", "cannot read missing.bin: no such file or directory"),
    ],
)
def test_what_is_no_input(text: str, message: str) -> None:
    with pytest.raises(ArgumentValueError) as caught:
        read(text, tensor(F32, 2))
    assert message in str(caught.value)


def test_random_numbers_need_a_shape() -> None:
    with pytest.raises(ArgumentValueError, match=r"the shape of \?xf32 is not known"):
        read("random:0", tensor(F32, -1))


def test_made_up_arrays_have_a_limit() -> None:
    reader = InputReader(Limits(tensor_bytes=100))
    for text in ("random:0", "0.5", "26xf32"):
        with pytest.raises(ArgumentValueError, match="100 bytes at most, not 104"):
            reader.read(text, tensor(F32, 26), name="i", what="argument 0")


def test_files_of_another_type_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((2, 3), np.float64))
    with pytest.raises(ArgumentTypeError) as caught:
        read(f"@{tmp_path}/a.npy", tensor(F32, 2, 3))
    assert str(caught.value) == (
        f"argument 0 is tensor<2x3xf32>, but @{tmp_path}/a.npy holds tensor<2x3xf64>"
    )
    with pytest.raises(ArgumentTypeError, match="but 2x3xf64 was given"):
        read(f"2x3xf64=@{tmp_path}/a.npy", tensor(F32, 2, 3))


def test_files_of_another_shape_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((3, 2), np.float32))
    with pytest.raises(ArgumentValueError, match="holds tensor<3x2xf32>"):
        read(f"@{tmp_path}/a.npy", tensor(F32, 2, 3))
    (tmp_path / "raw.bin").write_bytes(bytes(20))
    with pytest.raises(ArgumentValueError, match=r"2x3xf32 has 24 bytes, @.*raw.bin has 20"):
        read(f"@{tmp_path}/raw.bin", tensor(F32, 2, 3))
    with pytest.raises(ArgumentValueError, match=r"20 bytes of @.* do not tell the shape"):
        read(f"@{tmp_path}/raw.bin", tensor(F32, -1, -1))


def npy(header: str) -> bytes:
    """A file with nothing behind its header."""
    return b"\x93NUMPY\x01\x00v\x00" + header.encode().ljust(117) + b"\n"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"abc",
        b"\x93NUMPY\x09\x00",
        b"\x93NUMPY\x01\x00\x10\x00{'descr': broken ",
        npy("{'descr': '|O', 'fortran_order': False, 'shape': ()}"),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9000000000000000,)}"),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}"),
    ],
)
def test_broken_npy(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(content)
    with pytest.raises(ArgumentError, match=r"cannot read .*a.npy as a .npy"):
        read(f"@{tmp_path}/a.npy", tensor(F32, 4))


def test_broken_npz(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(b"PK no archive")
    with pytest.raises(ArgumentError, match=r"cannot read .*a.npz as a .npz"):
        read(f"@{tmp_path}/a.npz:x", tensor(F32, 4))


def test_names_in_an_npz(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", x=np.float32(1), y=np.float32(2))
    with pytest.raises(ArgumentError, match=r"no array 'z' in .*a.npz, which holds x, y"):
        read(f"@{tmp_path}/a.npz:z", tensor(F32))
    with pytest.raises(ArgumentError, match=r"which array of .*a.npz\? write @.*a.npz:NAME"):
        read(f"@{tmp_path}/a.npz", tensor(F32))


NAMED = """
func.func @main(%a: tensor<2xf32> {jax.arg_info = "w"}, %b: tensor<2xf32> {jax.arg_info = "x"},
                %c: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<f32>) {
  return %a, %b, %c : tensor<2xf32>, tensor<2xf32>, tensor<f32>
}
"""


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (["x=3", "w=4", "5"], [4, 3, 5]),
        (["3", "w=4", "5"], [4, 3, 5]),
        (["x=2xf32=3", "4", "%arg2=5"], [4, 3, 5]),
        (["@{}:*", "7"], [1, 2, 7]),
        (["x=8", "@{}:*", "7"], [1, 8, 7]),
    ],
)
def test_arguments_by_name(
    inputs: list[str], expected: list[float], tmp_path: Path, stablemate: Any, program: Any
) -> None:
    weights = tmp_path / "w.safetensors"
    sm.save_weights(weights, {"w": np.full(2, 1, np.float32), "x": np.full(2, 2, np.float32)})
    options = [f"--input={text.format(weights)}" for text in inputs]
    result = stablemate("run", program(NAMED), *options)
    numbers = [f"2xf32={number} {number}" for number in expected[:2]]
    assert result.stdout.splitlines() == [*numbers, f"f32={expected[2]}"]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (["x=1", "x=2"], "error: argument x of main has two inputs\n"),
        (["z=1"], "error: main has no argument called 'z': it has w, x, %arg2\n"),
        (["x=1", "2", "3", "4"], "error: main takes 3 arguments, not 4\n"),
        (
            ["@{}:*"],
            "error: no argument of main has a name that is in {}\n",
        ),
        (
            ["w=1"],
            "error: argument 1 (x) of main is missing: tensor<2xf32>\n"
            "note: give it as --input=x=2xf32=VALUE or --input=x=@FILE.npy; --random-seed=0 makes "
            "up all that are missing\n",
        ),
    ],
)
def test_names_that_do_not_fit(
    inputs: list[str], message: str, tmp_path: Path, stablemate: Any, program: Any
) -> None:
    weights = tmp_path / "w.safetensors"
    sm.save_weights(weights, {"other": np.float32(1)})
    options = [f"--input={text.format(weights)}" for text in inputs]
    assert stablemate("run", program(NAMED), *options).stderr == message.format(weights)
