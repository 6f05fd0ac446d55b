"""The usual programs of several devices, in several numbers of them."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

from tests.sharded.cases import FOUR, GRID, LINE, SQUARE, TWO, Array, X, divided, f32, row
from tests.sharded.cases import ring as next_ones


def tensor_parallel(mesh: Mesh) -> Any:
    """A loss of two layers, divided along one axis, and of a batch, along the other."""

    def loss(w: Array, v: Array, x: Array) -> Array:
        @divided(mesh, (P(None, "b"), P("b"), P("a")), P())
        def pieces(w: Array, v: Array, x: Array) -> Array:
            return lax.pmean(lax.psum(jax.nn.relu(x @ w) @ v, "b").sum() * 0.5, "a")

        return pieces(w, v, x)

    return loss


def ring_attention(mesh: Mesh) -> Any:
    """Keys and values go round while every device attends to those that pass."""
    n = mesh.size

    @divided(mesh, (X, X, X), X)
    def attend(q: Array, k: Array, v: Array) -> Array:
        def step(carry: Any, _: Any) -> tuple[Any, None]:
            largest, total, sums, k, v = carry
            scores = q @ k.T / np.float32(np.sqrt(q.shape[-1]))
            new = jnp.maximum(largest, scores.max(-1))
            weights, old = jnp.exp(scores - new[:, None]), jnp.exp(largest - new)
            total = total * old + weights.sum(-1)
            sums = sums * old[:, None] + weights @ v
            k, v = (lax.ppermute(item, "x", next_ones(n)) for item in (k, v))
            return (new, total, sums, k, v), None

        varying = lax.pcast(jnp.zeros(q.shape[0]), ("x",), to="varying")
        start = (varying - jnp.inf, varying, jnp.zeros_like(q), k, v)
        (_, total, sums, _, _), _ = lax.scan(step, start, None, length=n)
        return sums / total[:, None]

    return attend


def pipeline(mesh: Mesh) -> Any:
    """Every device is a stage, through which batches pass."""
    last = mesh.size - 1

    @divided(mesh, (X, P()), P(), check_vma=False)
    def run(w: Array, batches: Array) -> Array:
        stage, count = lax.axis_index("x"), batches.shape[0]

        def step(carry: Any, t: Array) -> tuple[Any, None]:
            activations, outputs = carry
            where_result = jnp.where(stage == 0, batches[jnp.minimum(t, count - 1)], activations)
            tanh_result = jnp.tanh(where_result @ w[0])
            outputs = jnp.where(
                stage == last, outputs.at[jnp.maximum(t - last, 0)].set(tanh_result), outputs
            )
            return (lax.ppermute(tanh_result, "x", next_ones(last + 1)), outputs), None

        start = (jnp.zeros_like(batches[0]), jnp.zeros_like(batches))
        (_, outputs), _ = lax.scan(step, start, jnp.arange(count + last))
        return lax.psum(jnp.where(stage == last, outputs, 0), "x")

    return run


def data_parallel_step(mesh: Mesh) -> Any:
    """A step of training: every device has a part of the batch, all have the weights."""

    def loss(weights: Any, x: Array, y: Array) -> Array:
        for w in weights[:-1]:
            x = jax.nn.relu(x @ w)
        return lax.pmean(((x @ weights[-1] - y) ** 2).mean(), "x")

    @divided(mesh, (P(), P(), P(), X, X), (P(), P(), P(), P()))
    def step(w: Array, v: Array, speed: Array, x: Array, y: Array) -> Any:
        value, (dw, dv) = jax.value_and_grad(loss)((w, v), x, y)
        speed = 0.5 * speed + dw
        return w - 0.25 * speed, v - 0.25 * dv, speed, value

    return step


def fully_sharded(mesh: Mesh) -> Any:
    """Weights are gathered where they are used; their slopes are scattered as sums."""

    def loss(w: Array, v: Array, x: Array) -> Array:
        whole, other = (lax.all_gather(item, "x", tiled=True) for item in (w, v))
        return lax.psum((jax.nn.relu(x @ whole) @ other).sum(), "x")

    @divided(mesh, (X, X, X), (X, X))
    def step(w: Array, v: Array, x: Array) -> Any:
        dw, dv = jax.grad(loss, (0, 1))(w, v, x)
        return w - 0.5 * dw, v - 0.5 * dv

    return step


def summa(mesh: Mesh) -> Any:
    """A product of matrices whose blocks are divided along both axes."""
    blocks = P("a", "b")

    @divided(mesh, (blocks, blocks), blocks)
    def product(x: Array, y: Array) -> Array:
        rows = lax.all_gather(x, "b", axis=1, tiled=True)
        columns = lax.all_gather(y, "a", axis=0, tiled=True)
        return rows @ columns

    return product


def mixture_of_experts(mesh: Mesh) -> Any:
    """Every device has an expert; tokens travel to theirs and back, as many as there is room."""
    n, room = mesh.size, 3

    @divided(mesh, (X, X, P()), X)
    def layer(x: Array, expert: Array, router: Array) -> Array:
        chosen = jnp.argmax(x @ router, -1)
        hot = jax.nn.one_hot(chosen, n, dtype=jnp.int32)
        place = (jnp.cumsum(hot, 0) * hot).sum(-1) - 1
        slots = hot[:, :, None] * jax.nn.one_hot(place, room, dtype=jnp.int32)[:, None, :]
        slots = slots.astype(x.dtype)
        sent = jnp.einsum("td,ter->erd", x, slots)
        activations = lax.all_to_all(sent, "x", 0, 0, tiled=True)
        relu_result = jax.nn.relu(activations @ expert[0])
        back = lax.all_to_all(relu_result, "x", 0, 0, tiled=True)
        return jnp.einsum("erd,ter->td", back, slots)

    return layer


def until_all_are_small(mesh: Mesh) -> Any:
    """A loop whose condition all devices find together."""

    @divided(mesh, X, X)
    def halve(x: Array) -> Array:
        def goes_on(carry: tuple[Array, Array]) -> Array:
            return carry[1] > 1

        def step(carry: tuple[Array, Array]) -> tuple[Array, Array]:
            y, _ = carry
            y = lax.ppermute(y * 0.5, "x", next_ones(mesh.size))
            return y, lax.pmax(jnp.abs(y).max(), "x")

        return lax.while_loop(goes_on, step, (x, lax.pmax(jnp.abs(x).max(), "x")))[0]

    return halve


def add() -> None:
    """Adds the programs."""
    for mesh in (SQUARE, GRID):
        arguments = f32(6, 8), f32(8, 3), f32(4, 6)
        n, loss = mesh.size, tensor_parallel(mesh)
        row(f"tensor_parallel_loss_{n}", loss, *arguments)
        row(f"tensor_parallel_gradient_{n}", jax.grad(loss, (0, 1)), *arguments)
        row(f"summa_{n}", summa(mesh), f32(4, 8), f32(8, 12))
    for mesh in (TWO, FOUR, LINE):
        n = mesh.size
        row(f"ring_attention_{n}", ring_attention(mesh), *(f32(2 * n, 8) / 4 for _ in range(3)))
        row(f"pipeline_{n}", pipeline(mesh), f32(n, 5, 5) / 4, f32(6, 3, 5))
        step = f32(4, 6), f32(6, 2), f32(4, 6), f32(2 * n, 4), f32(2 * n, 2)
        row(f"data_parallel_step_{n}", data_parallel_step(mesh), *step)
        row(f"fully_sharded_{n}", fully_sharded(mesh), f32(n, 8), f32(8, 2), f32(n, n))
        row(f"experts_{n}", mixture_of_experts(mesh), f32(4 * n, 5), f32(n, 5, 5), f32(5, n))
        row(f"until_all_are_small_{n}", until_all_are_small(mesh), f32(2 * n, 3))
