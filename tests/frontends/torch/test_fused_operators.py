"""Operators of PyTorch that fuse others, and forms of other operators, compared with PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch
from functorch.compile import aot_function
from torch import nn

from stablemate.bridges.torch.backend import BackendOptions, compile_graph, stablemate
from stablemate.frontends.torch.decompositions import decompositions

pytestmark = pytest.mark.filterwarnings("ignore")
Run = Callable[..., Any]
functional: Any = nn.functional


@pytest.fixture(autouse=True)
def _fresh() -> None:
    torch.manual_seed(0)
    torch._dynamo.reset()


def compare(run: Run, *inputs: Any, **options: Any) -> None:
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, **options)
    with torch.no_grad():
        torch.testing.assert_close(compiled(*inputs), run(*inputs), rtol=1e-4, atol=1e-5)


def causal(size: int) -> Any:
    return torch.triu(torch.ones(size, size, dtype=torch.bool), 1)


def padding() -> Any:
    mask = torch.zeros(3, 5, dtype=torch.bool)
    mask[0, 3:] = True
    return mask


@pytest.mark.parametrize(
    ("first", "activation"),
    [(False, "relu"), pytest.param(True, "gelu", marks=pytest.mark.standard)],
)
def test_layers_of_encoders_in_evaluation(first: bool, activation: str) -> None:
    layer: Run = nn.TransformerEncoderLayer(
        8, 2, 20, batch_first=True, norm_first=first, activation=activation
    ).eval()
    compare(lambda x: (layer(x), layer(x, src_mask=causal(5))), torch.randn(3, 5, 8))


@pytest.mark.standard
def test_encoders_that_look_whether_a_mask_is_causal() -> None:
    layer = nn.TransformerEncoderLayer(8, 2, 20, batch_first=True)
    encoder: Run = nn.TransformerEncoder(layer, 2).eval()
    mask = nn.Transformer.generate_square_subsequent_mask(5)
    compare(lambda x: encoder(x, mask=mask), torch.randn(3, 5, 8))


ATTENTION: dict[str, dict[str, Any]] = {
    "plain": {},
    "without weights": {"need_weights": False},
    "weights of each head": {"average_attn_weights": False},
    "padding": {"key_padding_mask": padding()},
    "causal": {"attn_mask": causal(5)},
    "both": {"attn_mask": causal(5), "key_padding_mask": padding()},
}


@pytest.mark.standard
@pytest.mark.parametrize("name", ATTENTION)
def test_attention_in_evaluation(name: str) -> None:
    layer: Run = nn.MultiheadAttention(8, 2, batch_first=True).eval()
    compare(lambda x: layer(x, x, x, **ATTENTION[name])[0], torch.randn(3, 5, 8))


@pytest.mark.standard
@pytest.mark.parametrize("kind", ["bool", "float"])
def test_queries_that_see_no_key(kind: str) -> None:
    mask = torch.ones(5, 6).tril().bool()[None]
    mask[0, 0] = False  # as of the padding before a sequence
    if kind == "float":
        mask = torch.zeros(5, 6).masked_fill(~mask, -torch.inf)
    operands = [torch.randn(1, 2, size, 8) for size in (5, 6, 6)]
    results: list[Any] = []
    attention: Run = functional.scaled_dot_product_attention
    for run in (attention, torch.compile(attention, backend=stablemate, fullgraph=True)):
        q, k, v = (operand.clone().requires_grad_() for operand in operands)
        y = run(q, k, v, attn_mask=mask)
        y.square().sum().backward()
        results.append([y, q.grad, k.grad, v.grad])
    assert not results[0][0][:, :, 0].any()
    torch.testing.assert_close(results[1], results[0], rtol=1e-4, atol=1e-5)


STEPS = torch.arange(-40, 40) * 0.05
CHANNELS = torch.arange(-16, 16).div(8).repeat(2, 1)
OTHERS: dict[str, tuple[Run, Any]] = {
    "fake_quantize": (lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -8, 7), STEPS),
    "fake_quantize by tensors": (
        lambda x: torch.fake_quantize_per_tensor_affine(
            x, torch.tensor(0.1), torch.tensor(3, dtype=torch.int32), -8, 7
        ),
        STEPS,
    ),
    "fake_quantize of channels": (
        lambda x: torch.fake_quantize_per_channel_affine(
            x, torch.tensor([0.5, 0.25]), torch.tensor([1, 2], dtype=torch.int32), 0, -8, 7
        ),
        CHANNELS,
    ),
    "conv_tbc": (
        lambda x: torch.conv_tbc(x[:72].view(6, 4, 3), x[:36].view(3, 3, 4), x[:4], 1),
        STEPS,
    ),
    "random samples of more images": (
        lambda x: functional.fractional_max_pool3d(
            x[:64].view(1, 4, 4, 4), 2, output_size=2, _random_samples=x[:6].abs().view(2, 1, 3)
        ),
        STEPS,
    ),
    "scaled_mm": (
        lambda x: functional.scaled_mm(
            x[:64].view(4, 16).to(torch.float8_e4m3fn),
            x[:64].view(4, 16).to(torch.float8_e4m3fn).t(),
            torch.tensor(0.5), functional.ScalingType.TensorWise,
            torch.tensor(2.0), functional.ScalingType.TensorWise,
        ),
        STEPS,
    ),
    "integers between rounded ends": (
        lambda x: torch.linspace(4.3, -2.9, 50, dtype=torch.int64) * x.long()[:50], STEPS
    ),
    "logsumexp of complex numbers": (
        lambda x: torch.logsumexp(torch.complex(x, -x).view(8, 10), (1,)), STEPS
    ),
    "prims": (
        lambda x: [
            torch.ops.prims.cbrt(x.abs()), torch.ops.prims.fmax(x, -x),
            torch.ops.prims.rev(x, [0]), torch.ops.prims.fft_r2c(x, dim=[0], onesided=True),
        ],
        STEPS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_others(name: str) -> None:
    if name == "scaled_mm" and not hasattr(functional, "scaled_mm"):
        pytest.skip("this version of PyTorch has no scaled_mm")
    compare(*OTHERS[name])


@pytest.mark.skipif(
    torch.__version__ < "2.14", reason="older versions of PyTorch compute another loss themselves"
)
@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_margins_of_labels(reduction: str) -> None:
    labels = torch.tensor([[0, 1, -1, 2, 3], [4, 2, 1, -1, 0]])
    compare(
        lambda x: [
            functional.multilabel_margin_loss(x[:10].view(2, 5), labels, reduction=reduction),
            functional.multilabel_margin_loss(x[:5], labels[0], reduction=reduction),
        ],
        STEPS,
    )


def test_gradients_of_fake_quantization() -> None:
    run: Run = lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -8, 7)  # noqa: E731
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True)
    found, expected = (STEPS.clone().requires_grad_() for _ in range(2))
    compiled(found).sum().backward()
    run(expected).sum().backward()
    torch.testing.assert_close(found.grad, expected.grad)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("channels", [False, True])
@pytest.mark.parametrize(
    ("size", "first", "switches"),
    [
        (1.0, True, (1, 1)),  # ranges that have seen nothing so far
        (1.0, False, (1, 1)),
        (1e-5, False, (1, 1)),  # a scale below the least one
        (0.0, True, (1, 1)),  # a range of nothing but 0
        (1.0, False, (0, 1)),
        (1.0, False, (1, 0)),
    ],
)
def test_observers_of_ranges(
    size: float, first: bool, switches: tuple[int, int], channels: bool, symmetric: bool
) -> None:
    """Two steps of training that quantizes: results, gradients and what observers keep."""
    bounds = (-128, 127) if symmetric else (0, 255)
    x, count = torch.randn(3, 2, 4) * size, 3 if channels else 1
    low = torch.full((count,), float("inf")) if first else -torch.rand(count) * size
    high = -low if first else low + torch.rand(count) * size
    outcomes = []

    def run(x: Any, observer: Any, quantizer: Any, *state: Any) -> Any:
        return torch.fused_moving_avg_obs_fake_quant(
            x, observer, quantizer, *state, 0.1, *bounds, 0, channels, symmetric
        )

    for function in (run, torch.compile(run, backend=stablemate, fullgraph=True)):
        state = [low.clone(), high.clone(), torch.ones(count), torch.zeros(count).int()]
        on = [torch.tensor([switch]) for switch in switches]
        for factor in (1.0, -1.5):
            given = (x * factor).requires_grad_()
            y = function(given, *on, *state)
            (y * x).sum().backward()
            outcomes.append([y, given.grad, *map(torch.clone, state)])
    torch.testing.assert_close(outcomes[2:], outcomes[:2], rtol=1e-6, atol=1e-6 * size)


def test_observers_without_channels() -> None:
    empty = [torch.empty(0), torch.empty(0), torch.ones(1), torch.zeros(1).int()]
    compiled: Run = torch.compile(torch.fused_moving_avg_obs_fake_quant, backend=stablemate)
    on = torch.tensor([1])
    with pytest.raises(Exception, match="call the model once before"):
        compiled(torch.randn(3, 2), on, on, *empty, 0.1, -128, 127, 0, True, True)


@pytest.mark.parametrize(("trials", "mean", "variance"), [(20.0, 6, 4.2), (2000.0, 600, 420)])
def test_binomial(trials: float, mean: float, variance: float) -> None:
    compiled: Run = torch.compile(lambda n, p: torch.binomial(n, p), backend=stablemate)
    drawn = compiled(torch.full((20000,), trials), torch.full((20000,), 0.3))
    assert abs(drawn.mean() - mean) < 5 * (variance / 20000) ** 0.5
    assert abs(drawn.var() / variance - 1) < 0.1
    assert torch.equal(drawn, drawn.round())


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_layers_of_onednn(kind: str) -> None:
    """PyTorch calls them where no gradients are recorded, unless TorchDynamo traces the layer."""
    layer: Any = getattr(nn, kind)(6, 4, 2, bidirectional=True, batch_first=True)
    names, weights = zip(*layer.named_parameters(), strict=True)
    x = torch.randn(3, 5, 6)

    def run(x: Any, *weights: Any) -> Any:
        return torch.func.functional_call(layer, dict(zip(names, weights, strict=True)), x)

    def compiler(graph: Any, inputs: Any) -> Any:
        return compile_graph(BackendOptions(), graph, inputs)

    with torch.no_grad():
        compiled = aot_function(run, fw_compiler=compiler, decompositions=dict(decompositions()))
        torch.testing.assert_close(compiled(x, *weights), layer(x), rtol=1e-4, atol=1e-5)


def test_parts_of_complex_numbers_have_one_type() -> None:
    compiled: Run = torch.compile(torch.complex, backend=stablemate, fullgraph=True)
    message = r"aten\.complex\.default: the parts need one element type, not f32 and f64"
    with pytest.raises(Exception, match=message):
        compiled(torch.ones(3), torch.ones(3, dtype=torch.float64))
