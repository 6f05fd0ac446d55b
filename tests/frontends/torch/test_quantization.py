"""Quantized numbers of PT2E and floats of 8 bits, beside what PyTorch computes."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

import pytest

if any(find_spec(name) is None for name in ("torch", "expecttest")):
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch
import torch.ao.quantization.fx._decomposed

from tools.torch_operators import traced

pytestmark = pytest.mark.filterwarnings("ignore")
BYTE: Final = torch.int8
LIMITS: Final = (-128, 127)


def operator(name: str) -> Any:
    """An operator of the namespace ``quantized_decomposed``."""
    packet, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.quantized_decomposed, packet), overload or "default")


def floats(*shape: int) -> torch.Tensor:
    """Random numbers, some of which no byte holds with the scales of these tests."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0)) * 9


def compared(function: Any, *inputs: Any) -> None:
    """Asserts that a function of tensors gives what PyTorch gives; bytes are equal."""
    expected = function(*inputs)
    found = traced(function, "interpreter")(*inputs)
    torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6, check_dtype=False)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_tensors_with_one_scale(dtype: torch.dtype) -> None:
    quantize, dequantize = operator("quantize_per_tensor"), operator("dequantize_per_tensor")
    x = floats(4, 6).to(dtype)
    compared(lambda x: quantize(x, 0.07, 3, *LIMITS, BYTE), x)
    q = quantize(x, 0.07, 3, *LIMITS, BYTE)
    compared(lambda q: dequantize(q, 0.07, 3, *LIMITS, BYTE, out_dtype=dtype), q)


@pytest.mark.parametrize("overload", ["tensor", "tensor2"])
def test_scales_that_are_tensors(overload: str) -> None:
    scale, zero = torch.tensor([0.07]), torch.tensor([3])
    bounds = [torch.tensor(n) for n in LIMITS] if overload == "tensor2" else LIMITS
    quantize = operator(f"quantize_per_tensor.{overload}")
    dequantize = operator(f"dequantize_per_tensor.{overload}")

    def both(x: Any, scale: Any, zero: Any, *rest: Any) -> Any:
        ends = rest or bounds
        q = quantize(x, scale, zero, *ends, BYTE)
        return q, dequantize(q, scale, zero, *ends, BYTE)

    compared(both, floats(4, 6), scale, zero, *(bounds if overload == "tensor2" else ()))


@pytest.mark.parametrize(("axis", "dtype"), [(0, torch.float32), (1, torch.float64)])
def test_scales_of_channels(axis: int, dtype: torch.dtype) -> None:
    x = floats(4, 6)
    count = x.shape[axis]
    scales, zeros = torch.linspace(0.1, 0.9, count, dtype=dtype), torch.arange(count) - 2

    def both(x: Any, scales: Any, zeros: Any) -> Any:
        q = operator("quantize_per_channel")(x, scales, zeros, axis, *LIMITS, BYTE)
        whole = operator("dequantize_per_channel")(q, scales, zeros, axis, *LIMITS, BYTE)
        half = operator("dequantize_per_channel")(
            q, scales, None, axis, *LIMITS, BYTE, out_dtype=torch.bfloat16
        )
        return q, whole, half

    compared(both, x, scales, zeros)


def test_scales_of_tokens_and_groups() -> None:
    def both(x: Any, scales: Any, zeros: Any) -> Any:
        q = operator("quantize_per_token")(x, scales[:, :1], zeros[:, :1], *LIMITS, BYTE)
        g = operator("quantize_per_channel_group")(x, scales, zeros, -8, 7, BYTE, 3)
        return (
            q,
            operator("dequantize_per_token")(
                q, scales[:, :1], zeros[:, :1], *LIMITS, BYTE, torch.float32
            ),
            g,
            operator("dequantize_per_channel_group")(
                g, scales, zeros, -8, 7, BYTE, 3, torch.float32
            ),
        )

    scales, zeros = torch.linspace(0.1, 0.9, 8).reshape(4, 2), torch.arange(8).reshape(4, 2)
    compared(both, floats(4, 6), scales, zeros.to(torch.int32))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("choose_qparams.tensor", (*LIMITS, 1e-5, BYTE)),
        ("choose_qparams_symmetric.tensor", (*LIMITS, 1e-5, torch.uint8)),
        ("choose_qparams_per_token", (BYTE,)),
        ("choose_qparams_per_token_asymmetric", (BYTE,)),
        ("fake_quant_per_channel", (torch.ones(4) / 8, torch.arange(4), 0, -8, 7)),
        ("convert_element_type.no_fuse", (torch.float16,)),
    ],
)
def test_parameters_of_quantization(name: str, arguments: tuple[Any, ...]) -> None:
    function = operator(name)
    tensors = [a for a in arguments if torch.is_tensor(a)]
    rest = [a for a in arguments if not torch.is_tensor(a)]
    compared(lambda x, *given: function(x, *given, *rest), floats(4, 6), *tensors)


NUMBERS: Final = [0.0, -0.0, 1e-9, 448.0, 449.0, 464.0, 465.0, 1e9, float("inf"), -1e9, 57344.0]
TYPES: Final = [
    torch.float8_e4m3fn, torch.float8_e4m3fnuz, torch.float8_e5m2, torch.float8_e5m2fnuz,
    torch.float8_e8m0fnu,
]  # fmt: skip


@pytest.mark.parametrize("dtype", TYPES)
def test_casts_to_floats_of_8_bits(dtype: torch.dtype) -> None:
    x = torch.tensor([*NUMBERS, -3.1, 0.7, 2.0**-9, 2.0**-10])

    def bits(x: Any) -> Any:
        return x.to(dtype).view(torch.uint8), x.half().to(dtype).view(torch.uint8)

    compared(bits, x)


@pytest.mark.parametrize("dtype", TYPES)
def test_all_floats_of_8_bits(dtype: torch.dtype) -> None:
    x = torch.arange(256).to(torch.uint8).view(dtype)
    found = traced(lambda x: (x.to(torch.float32), torch.cat([x, x])[::3].clone()), "interpreter")(
        x
    )
    torch.testing.assert_close(found[0], x.to(torch.float32), equal_nan=True, rtol=0, atol=0)
    assert found[1].view(torch.uint8).tolist() == torch.cat([x, x]).view(torch.uint8)[::3].tolist()


@pytest.mark.parametrize("is_by_row", [False, True])
def test_products_of_floats_of_8_bits(is_by_row: bool) -> None:
    x = floats(16, 32).to(torch.float8_e4m3fn)
    y = floats(16, 32).flip(0).to(torch.float8_e4m3fn).t()
    scales = (torch.rand(16, 1), torch.rand(1, 16)) if is_by_row else (torch.tensor(0.5),) * 2

    def product(x: Any, y: Any, one: Any, other: Any, bias: Any) -> Any:
        return torch._scaled_mm(x, y, one, other, bias=bias, out_dtype=torch.bfloat16)

    inputs = (x, y, *scales, torch.randn(16).bfloat16())
    found = traced(product, "interpreter")(*inputs)
    torch.testing.assert_close(found, product(*inputs), rtol=2**-7, atol=0.1)
