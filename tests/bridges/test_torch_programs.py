"""Programs as users of PyTorch write them, compiled and beside what PyTorch computes.

Values, types, strides and shared memory of all results are those of the eager program.
"""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch
from torch.utils import _pytree as pytree

from stablemate.bridges.torch.backend import stablemate

pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"
)
Compile = Callable[..., Any]
nn: Any = torch.nn
Module: Any = torch.nn.Module
functional: Any = torch.nn.functional


def gradients(model: Any) -> list[Any]:
    return [parameter.grad for parameter in model.parameters()]


def averaged_codebook(compile: Compile) -> Any:
    """A quantizer of vectors with a straight-through gradient and counts of its codes."""

    class Quantizer(Module):
        def __init__(self) -> None:
            super().__init__()
            self.codes = nn.Embedding(16, 4)
            self.register_buffer("uses", torch.zeros(16))

        def forward(self, z: Any) -> Any:
            index = torch.cdist(z.reshape(-1, 4), self.codes.weight).argmin(1)
            code = self.codes(index).view_as(z)
            loss = 0.25 * functional.mse_loss(code.detach(), z) + functional.mse_loss(
                code, z.detach()
            )
            with torch.no_grad():
                self.uses.index_add_(0, index, torch.ones_like(index, dtype=torch.float32))
            return z + (code - z).detach(), loss, index

    model, z = Quantizer(), torch.randn(3, 5, 4, requires_grad=True)
    code, loss, index = compile(model)(z)
    (code.square().sum() + loss).backward()
    return code, loss, index, z.grad, model.uses, gradients(model)


def gradients_of_samples(compile: Compile) -> Any:
    """The gradient of each sample of a batch."""
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3))
    parameters = {name: value.detach() for name, value in model.named_parameters()}

    def loss(parameters: Any, x: Any, y: Any) -> Any:
        result = torch.func.functional_call(model, parameters, (x[None],))
        return functional.cross_entropy(result, y[None])

    run = compile(torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0)))
    return run(parameters, torch.randn(5, 1, 8, 8), torch.randint(3, (5,)))


def penalty_of_gradients(compile: Compile) -> Any:
    """A loss that is made of gradients, and its gradient."""
    model = nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 1))
    parameters = {name: value.detach() for name, value in model.named_parameters()}

    def penalty(parameters: Any, x: Any) -> Any:
        def score(x: Any) -> Any:
            return torch.func.functional_call(model, parameters, (x,)).sum()

        return (torch.func.grad(score)(x).norm(dim=-1) - 1).square().mean()

    return compile(torch.func.grad_and_value(penalty))(parameters, torch.randn(5, 3))


def clipped_with_own_gradient(compile: Compile) -> Any:
    """A function with a gradient of its own."""

    class Clip(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, bound: float) -> Any:
            ctx.save_for_backward(x)
            ctx.bound = bound
            return x.clamp(-bound, bound)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            (x,) = ctx.saved_tensors
            return gradients[0] * torch.where(x.abs() < ctx.bound, 1.0, 0.1), None

    x = torch.randn(10, requires_grad=True)
    apply: Any = Clip.apply
    compile(lambda x: (apply(x, 0.5) * x).sum())(x).backward()
    return x.grad


def low_rank_adaptation(compile: Compile) -> Any:
    """A frozen model of which a product of narrow matrices is trained."""

    class LowRank(Module):
        def __init__(self, rows: int, columns: int) -> None:
            super().__init__()
            self.a = nn.Parameter(torch.randn(2, columns) * 0.1)
            self.b = nn.Parameter(torch.randn(rows, 2) * 0.1)

        def forward(self, weight: Any) -> Any:
            return weight + self.b @ self.a * 2

    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))
    for layer in (model[0], model[2]):
        adaptation = LowRank(*layer.weight.shape)
        nn.utils.parametrize.register_parametrization(layer, "weight", adaptation)
        layer.parametrizations.weight.original.requires_grad_(False)
    result = compile(model)(torch.randn(4, 6))
    result.square().sum().backward()
    return result, gradients(model)


def graph_attention(compile: Compile) -> Any:
    """Attention over the edges of a graph, by scatters."""
    weight, vector = nn.Linear(6, 8), nn.Parameter(torch.randn(16))

    def run(x: Any, source: Any, target: Any) -> Any:
        h = weight(x)
        score = functional.leaky_relu(torch.cat([h[source], h[target]], -1) @ vector, 0.2)
        largest = torch.full((x.shape[0],), -torch.inf).scatter_reduce(0, target, score, "amax")
        share = (score - largest[target]).exp()
        total = torch.zeros(x.shape[0]).index_add(0, target, share)
        rows = target[:, None].expand(-1, 8)
        message = h[source] * (share / (total[target] + 1e-16))[:, None]
        mean = torch.zeros_like(h).scatter_reduce_(0, rows, h[source], "mean", include_self=False)
        return torch.zeros_like(h).scatter_add_(0, rows, message), mean

    x = torch.randn(7, 6, requires_grad=True)
    results = compile(run)(x, *torch.randint(7, (2, 20)))
    sum(result.square().sum() for result in results).backward()
    return results, x.grad, vector.grad, gradients(weight)


def experts_with_masks(compile: Compile) -> Any:
    """A mixture of experts whose rows are chosen by masks, whose sizes depend on values."""
    gate = nn.Linear(8, 4)
    experts = nn.Parameter(torch.randn(4, 8, 8) * 0.2)

    def run(x: Any) -> Any:
        weights, chosen = gate(x).softmax(-1).topk(2, -1)
        y = torch.zeros_like(x)
        for expert in range(4):
            row, place = torch.where(chosen == expert)
            y.index_add_(
                0, row, functional.silu(x[row] @ experts[expert]) * weights[row, place, None]
            )
        return y

    x = torch.randn(10, 8, requires_grad=True)
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        y = compile(run)(x)
    y.square().sum().backward()
    return y, x.grad, experts.grad, gradients(gate)


def rotary_attention_with_cache(compile: Compile) -> Any:
    """Steps of a decoder with rotated positions, groups of queries and a static cache."""
    wq, wk, wv = (torch.randn(16, n) * 0.2 for n in (16, 8, 8))

    def rotated(x: Any, places: Any) -> Any:
        angle = places[:, None] / 100 ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2)

    def step(x: Any, keys: Any, values: Any, places: Any) -> Any:
        q, k, v = ((x @ w).unflatten(-1, (-1, 4)).transpose(1, 2) for w in (wq, wk, wv))
        keys[:, :, places] = rotated(k, places)
        values[:, :, places] = v
        mask = torch.arange(keys.shape[2]) <= places[:, None]
        return functional.scaled_dot_product_attention(
            rotated(q, places), keys, values, attn_mask=mask, enable_gqa=True
        ).transpose(1, 2).flatten(2)  # fmt: skip

    keys, values = torch.zeros(2, 2, 8, 4), torch.zeros(2, 2, 8, 4)
    run, results = compile(step), list[Any]()
    with torch.inference_mode():
        results.append(run(torch.randn(2, 3, 16), keys, values, torch.arange(3)))
        for place in range(3, 6):
            results.append(run(torch.randn(2, 1, 16), keys, values, torch.tensor([place])))
    return results, keys, values


def writes_into_parts(compile: Compile) -> Any:
    """Writes into parts of arguments by all kinds of indices."""

    def run(k: Any, v: Any, x: Any, place: Any) -> Any:
        k[:, :, 5:6] = x
        v[:, :, place] = x
        k[..., 0, :] += 1
        v.scatter_(2, torch.full((2, 3, 1, 4), 6), x)
        k.narrow(2, 1, 2).mul_(3)
        k.select(1, 0).fill_(7.0)
        v.index_fill_(1, torch.tensor([2]), -1.0).masked_fill_(v > 1.5, 0.5)
        k.diagonal(dim1=2, dim2=3).zero_()
        k[0, 1:, ::3] = v[1, :2, ::3]
        return k.sum(), v[:, :, :3]

    k, v = torch.randn(2, 3, 8, 4), torch.randn(2, 3, 8, 4)
    with torch.no_grad():
        return compile(run)(k, v, torch.randn(2, 3, 1, 4), torch.tensor([4])), k, v


def channels_last_of_varying_sizes(compile: Compile) -> Any:
    """Training steps in the layout ``channels_last`` with other sizes in each."""
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3, groups=8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 2),
    ).to(memory_format=torch.channels_last)  # fmt: skip
    run, results = compile(model, dynamic=True), list[Any]()
    for batch, side in ((2, 8), (3, 12)):
        x = torch.randn(batch, 3, side, side + 2).to(memory_format=torch.channels_last)
        x.requires_grad_()
        model.zero_grad()
        y = run(x)
        y.square().sum().backward()
        results.append([y, x.grad, model[1].running_var.clone(), *gradients(model)])
    return results


def spectrum_layers(compile: Compile) -> Any:
    """Layers of complex numbers between Fourier transforms."""
    weight = nn.Parameter(torch.randn(5, 9, dtype=torch.complex64) * 0.3)

    def run(x: Any) -> Any:
        spectrum = torch.einsum("bcf,of->bocf", torch.fft.rfft(x, norm="ortho"), weight).mean(2)
        y = torch.fft.irfft(spectrum, n=16, norm="ortho")
        return y + torch.fft.fft2(y).real, spectrum.abs(), torch.view_as_real(spectrum)

    x = torch.randn(2, 3, 16, requires_grad=True)
    results = compile(run)(x)
    (results[0].square().mean() + results[1].sum()).backward()
    return results, x.grad, weight.grad


def kalman_filter(compile: Compile) -> Any:
    """A filter with factors of matrices, and the gradient of its likelihood."""
    c, q, r = torch.randn(2, 3), torch.eye(3) * 0.1, torch.eye(2) * 0.2

    def run(observed: Any, a: Any) -> Any:
        mean, covariance, likelihood = torch.zeros(3), torch.eye(3), torch.zeros(())
        for y in observed:
            mean, covariance = a @ mean, a @ covariance @ a.mT + q
            factor = torch.linalg.cholesky(c @ covariance @ c.mT + r)
            rest = (y - c @ mean)[:, None]
            gain = torch.cholesky_solve(c @ covariance, factor).mT
            white = torch.linalg.solve_triangular(factor, rest, upper=False)
            likelihood = likelihood - white.square().sum() / 2 - factor.diagonal().log().sum()
            mean, covariance = mean + (gain @ rest)[:, 0], covariance - gain @ c @ covariance
        return likelihood, mean

    a = (torch.randn(3, 3) * 0.4).requires_grad_()
    results = compile(run)(torch.randn(3, 2), a)
    results[0].backward()
    return results, a.grad


def steps_of_adamw(compile: Compile) -> Any:
    """Training steps in which model, clipped gradients and optimizer are compiled."""
    model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 4))
    optimizer = torch.optim.AdamW(model.parameters(), lr=torch.tensor(1e-2), amsgrad=True)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 4)
    run = compile(lambda x, y: functional.cross_entropy(model(x), y, label_smoothing=0.1))
    step, losses = compile(optimizer.step, fullgraph=False), list[Any]()
    for _ in range(3):
        optimizer.zero_grad()
        loss = run(torch.randn(6, 8), torch.randint(4, (6,)))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        step()
        schedule.step()
        losses.append(loss.detach())
    return losses, [parameter.detach() for parameter in model.parameters()]


def padded_sequences(compile: Compile) -> Any:
    """A bidirectional LSTM over sequences of several lengths."""
    layer = nn.LSTM(5, 7, batch_first=True, bidirectional=True)

    def run(x: Any, lengths: Any) -> Any:
        packed = nn.utils.rnn.pack_padded_sequence(
            x, lengths, batch_first=True, enforce_sorted=False
        )
        result, state = layer(packed)
        return *nn.utils.rnn.pad_packed_sequence(result, batch_first=True), *state

    x = torch.randn(3, 6, 5, requires_grad=True)
    results = compile(run, fullgraph=False)(x, torch.tensor([4, 6, 2]))
    (results[0].sum() + results[2].square().sum()).backward()
    return results, x.grad, gradients(layer)


Point = namedtuple("Point", "x y")


@dataclasses.dataclass
class Pair:
    first: Any
    second: Any = None


def trees_of_results(compile: Compile) -> Any:
    """Arguments and results in containers."""

    def run(tensors: Any, point: Any, *rest: Any, key: str, **named: Any) -> Any:
        pair = Pair(tensors["x"] * 2, [item + 1 for item in tensors["list"]])
        swapped = Point(point.y, rest[0])
        return pair.first, pair.second, swapped, {"key": key, 1: (None, named["w"], len(rest))}

    x = torch.ones(2)
    tensors = {"x": x, "list": [x, x * 2]}
    return compile(run)(tensors, Point(x * 3, x * 4), x * 5, key="k", w=x * 6)


def hooks_and_buffers(compile: Compile) -> Any:
    """A model with hooks, a running mean and several results."""

    class Model(Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 2)
            self.register_buffer("mean", torch.zeros(4), persistent=False)

        def forward(self, x: Any, *, scale: float = 1.0) -> Any:
            h = self.first(x)
            self.mean.lerp_(h.detach().mean(0), 0.1)
            return {"h": h, "y": (self.second(h) * scale, None, 3)}

    model = Model()
    model.first.register_forward_hook(lambda *event: event[2].relu())
    model.second.weight.register_hook(lambda gradient: gradient * 3)
    results = compile(model)(torch.randn(3, 4), scale=0.5)
    results["y"][0].sum().backward()
    return results, model.mean, gradients(model)


def forward_derivatives(compile: Compile) -> Any:
    """Derivatives in forward mode, of second order, and of each point of a batch."""
    w = torch.randn(3, 4)

    def f(x: Any) -> Any:
        return torch.tanh(w @ x)

    def run(x: Any, t: Any) -> Any:
        hessian = torch.func.hessian(lambda x: f(x).square().sum())(x)
        return torch.func.jvp(f, (x,), (t,)), torch.func.jacfwd(f)(x), hessian

    return compile(run)(torch.randn(4), torch.randn(4))


def points_in_a_learned_frame(compile: Compile) -> Any:
    """PointNet: a transform of points that convolutions choose, with a penalty of its norm."""

    class Model(Module):
        def __init__(self) -> None:
            super().__init__()
            self.chooses = nn.Sequential(nn.Conv1d(3, 16, 1), nn.BatchNorm1d(16), nn.ReLU())
            self.frame, self.layer = nn.Linear(16, 9), nn.Conv1d(3, 16, 1)
            self.norm, self.head = nn.BatchNorm1d(16), nn.Linear(16, 5)

        def forward(self, x: Any) -> Any:
            frame = self.frame(self.chooses(x).max(2)[0]).view(-1, 3, 3) + torch.eye(3)
            turned = torch.bmm(x.transpose(2, 1), frame).transpose(2, 1)
            features = functional.relu(self.norm(self.layer(turned))).max(2)[0]
            rest = torch.bmm(frame, frame.transpose(2, 1)) - torch.eye(3)
            return self.head(features).log_softmax(1), torch.norm(rest, dim=(1, 2)).mean()

    model = Model().double()
    y, penalty = compile(model)(torch.randn(4, 3, 20).double())
    (functional.nll_loss(y, torch.arange(4)) + 0.1 * penalty).backward()
    return y, penalty, gradients(model)


def transducer_loss(compile: Compile) -> Any:
    """The loss of a recurrent transducer: a sum over all alignments, cell by cell."""
    encoder, decoder = nn.LSTM(4, 6, batch_first=True), nn.GRU(6, 6, batch_first=True)
    embedding, joint = nn.Embedding(10, 6), nn.Linear(6, 10)

    def loss(x: Any, y: Any) -> Any:
        encoded, decoded = encoder(x)[0], decoder(embedding(y))[0]
        scores = joint(torch.tanh(encoded[:, :, None] + decoded[:, None])).log_softmax(-1)
        steps, labels = scores.shape[1:3]
        index = y[:, None, 1:, None].expand(-1, steps, -1, -1)
        blank, label = scores[..., 0], scores[:, :, :-1].gather(-1, index)[..., 0]
        cells = {(0, 0): torch.zeros(x.shape[0])}
        for t in range(steps):
            for u in range(labels):
                parts = [cells[t - 1, u] + blank[:, t - 1, u]] if t else []
                parts += [cells[t, u - 1] + label[:, t, u - 1]] if u else []
                if parts:
                    cells[t, u] = torch.logsumexp(torch.stack(parts), 0)
        return -(cells[steps - 1, labels - 1] + blank[:, -1, -1]).mean()

    result = compile(loss)(torch.randn(2, 4, 4), torch.randint(1, 10, (2, 3)))
    result.backward()
    return result, embedding.weight.grad, [gradients(m) for m in (encoder, decoder, joint)]


def selective_scan(compile: Compile) -> Any:
    """A state space whose steps depend on the input, as in Mamba."""
    projects, convolves = nn.Linear(8, 32, bias=False), nn.Conv1d(16, 16, 4, groups=16, padding=3)
    chooses, steps = nn.Linear(16, 9, bias=False), nn.Linear(1, 16)
    decay = nn.Parameter(torch.log(torch.arange(1, 5).float().repeat(16, 1)))

    def run(u: Any) -> Any:
        x, gate = projects(u).chunk(2, -1)
        x = functional.silu(convolves(x.mT)[:, :, : u.shape[1]].mT)
        dt, b, c = chooses(x).split([1, 4, 4], -1)
        dt = functional.softplus(steps(dt))
        kept = torch.exp(torch.einsum("bld,dn->bldn", dt, -torch.exp(decay)))
        new = torch.einsum("bld,bln,bld->bldn", dt, b, x)
        state = torch.zeros(u.shape[0], 16, 4)
        results: list[Any] = []
        for i in range(u.shape[1]):
            state = kept[:, i] * state + new[:, i]
            results.append(torch.einsum("bdn,bn->bd", state, c[:, i]))
        return torch.stack(results, 1) * functional.silu(gate)

    u = torch.randn(2, 5, 8, requires_grad=True)
    y = compile(run)(u)
    y.square().sum().backward()
    return y, u.grad, decay.grad, [gradients(m) for m in (projects, convolves, chooses, steps)]


def experts_with_capacity(compile: Compile) -> Any:
    """A mixture of experts, each of which takes a number of rows; the others are dropped."""
    gate = nn.Linear(8, 4, bias=False)
    first, second = (nn.Parameter(torch.randn(4, *shape) * 0.1) for shape in ((8, 16), (16, 8)))

    def run(x: Any) -> Any:
        rows = x.flatten(0, -2)
        weights, chosen = torch.topk(gate(rows).softmax(-1), 2, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        flat = chosen.flatten()
        counted = functional.one_hot(flat, 4)
        place = (counted.cumsum(0) - 1).gather(1, flat[:, None])[:, 0]
        is_kept, place = (place < 5)[:, None], place.clamp(max=4)
        given = torch.where(is_kept, rows.repeat_interleave(2, 0), 0.0)
        taken = torch.zeros(4, 5, 8).index_put((flat, place), given, accumulate=True)
        y = torch.bmm(functional.silu(torch.bmm(taken, first)), second)[flat, place] * is_kept
        return (y.view(-1, 2, 8) * weights[..., None]).sum(1).view_as(x), counted.sum(0)

    x = torch.randn(2, 6, 8, requires_grad=True)
    y, counts = compile(run)(x)
    y.square().sum().backward()
    return y, counts, x.grad, first.grad, second.grad, gradients(gate)


def splines(compile: Compile) -> Any:
    """A layer of splines by the recursion of Cox and de Boor."""
    grid, weight = torch.linspace(-1.5, 1.5, 12), nn.Parameter(torch.randn(4, 3, 8) * 0.1)

    def run(x: Any) -> Any:
        x = x[..., None]
        basis = ((x >= grid[:-1]) & (x < grid[1:])).to(x.dtype)
        for k in range(1, 4):
            left = (x - grid[: -(k + 1)]) / (grid[k:-1] - grid[: -(k + 1)]) * basis[..., :-1]
            basis = left + (grid[k + 1 :] - x) / (grid[k + 1 :] - grid[1:-k]) * basis[..., 1:]
        return torch.einsum("bik,oik->bo", basis, weight)

    x = (torch.rand(5, 3) * 1.8 - 0.9).requires_grad_()
    y = compile(run)(x)
    y.square().sum().backward()
    return y, x.grad, weight.grad


def spectra_of_convolutions(compile: Compile) -> Any:
    """Convolutions whose results are transformed and multiplied with one another."""
    first, second = nn.Conv2d(3, 6, 1), nn.Conv2d(3, 6, 1)

    def run(x: Any) -> Any:
        a, b = first(x), second(x)
        spectrum = torch.fft.fft2(torch.complex(a, b))
        return spectrum.abs(), torch.matmul(torch.matmul(a, b.mT).softmax(-1), b), a @ b

    x = torch.randn(2, 3, 4, 4, requires_grad=True)
    results = compile(run)(x)
    sum(result.square().mean() for result in results).backward()
    return results, x.grad, gradients(first), gradients(second)


def repeated_results(compile: Compile) -> Any:
    """Results that repeat elements, which lie once in memory, with known and with varying sizes."""

    def run(x: Any, rows: int) -> Any:
        y = x * 2
        total = y.sum(1, keepdim=True).expand(-1, rows, -1)
        return (x + 1).mean(0).expand(rows, -1, -1), total, (x - 1).sum().expand(rows)

    results: list[Any] = []
    x = torch.randn(3, 4, 5, requires_grad=True)
    for options in ({}, {"dynamic": True}):
        function = compile(run, **options)
        results.append(function(x, 6))
        with torch.no_grad():
            results.append(function(x.transpose(0, 1), 2))
    sum((result * torch.arange(5)).sum() for result in results[0][:2]).backward()
    return results, x.grad


def parts_of_results(compile: Compile) -> Any:
    """Results that are parts of larger tensors, between whose elements there are gaps."""

    def run(x: Any) -> Any:
        y = x.sin()
        columns = (x[None, :, :, None] + torch.ones(2, 1, 1, 3)).permute(0, 2, 3, 1).contiguous()
        parts = x.exp().split(2, 1), y.diagonal(), (x + 1)[:, ::2], x.cos()[:, :1].expand(-1, 7)
        return parts, columns.permute(0, 3, 1, 2)[:, 1:], (x.tanh()[:, 1:], x - 1)

    results: list[Any] = []
    x = torch.randn(4, 4, requires_grad=True)
    results.append(compile(run)(x))
    pytree.tree_map(lambda result: (result * result).sum().backward(retain_graph=True), results[0])
    with torch.no_grad():
        results.append(compile(run)(x))
        results.append(compile(lambda x: torch.complex(x, -x).imag[1:])(x.detach()))
    return results, x.grad


QUICK = (
    clipped_with_own_gradient, parts_of_results, repeated_results, writes_into_parts,
    trees_of_results,
)  # fmt: skip
STANDARD = (
    averaged_codebook, gradients_of_samples, penalty_of_gradients, low_rank_adaptation,
    graph_attention, experts_with_masks, rotary_attention_with_cache,
    channels_last_of_varying_sizes, spectrum_layers, kalman_filter, steps_of_adamw,
    padded_sequences, hooks_and_buffers, forward_derivatives, points_in_a_learned_frame,
    transducer_loss, selective_scan, experts_with_capacity, splines, spectra_of_convolutions,
)  # fmt: skip


def outcome(program: Callable[[Compile], Any], compile: Compile) -> list[Any]:
    torch.manual_seed(0)
    torch._dynamo.reset()
    leaves: list[Any] = pytree.tree_leaves(program(compile))
    return leaves


def shared(values: list[Any]) -> list[tuple[int, int]]:
    tensors = [value for value in values if torch.is_tensor(value)]
    return [
        (i, j)
        for i, one in enumerate(tensors)
        for j, other in enumerate(tensors[:i])
        if torch._C._is_alias_of(one, other)
    ]


@pytest.mark.parametrize(
    "program",
    [*QUICK, *(pytest.param(program, marks=pytest.mark.standard) for program in STANDARD)],
    ids=lambda program: program.__name__,
)
def test_programs(program: Callable[[Compile], Any]) -> None:
    expected = outcome(program, lambda function, **options: function)
    compile = partial(torch.compile, backend=stablemate)
    found = outcome(program, lambda f, **options: compile(f, **{"fullgraph": True, **options}))
    assert len(found) == len(expected)
    for got, wanted in zip(found, expected, strict=True):
        if not torch.is_tensor(wanted):
            assert got == wanted
            continue
        torch.testing.assert_close(
            got.detach(), wanted.detach(), rtol=1e-4, atol=1e-5, check_stride=True
        )
        assert got.requires_grad == wanted.requires_grad
    assert shared(found) == shared(expected)
