"""Runs programs on both clients of one process, and compares values, shardings and errors.

The arguments are the names of the programs; without any, all run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Final

os.environ["JAX_PLATFORMS"] = "stablemate,cpu"
os.environ["STABLEMATE_DEVICES"] = os.environ["JAX_NUM_CPU_DEVICES"] = "8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax.ad_checkpoint import checkpoint_name
from jax.experimental import jet, sparse
from jax.experimental.compute_on import compute_on
from jax.experimental.custom_partitioning import custom_partitioning
from jax.experimental.ode import odeint
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

TOLERANCE: Final = 2e-5


class Devices:
    """The devices of a client.

    Attributes:
        devices: The devices.
    """

    def __init__(self, platform: str) -> None:
        self.devices = np.array(jax.devices(platform))

    def mesh(self, *, is_explicit: bool = False, **axes: int) -> Mesh:
        """A mesh of all devices."""
        kind = AxisType.Explicit if is_explicit else AxisType.Auto
        return Mesh(self.devices.reshape(*axes.values()), tuple(axes), (kind,) * len(axes))

    def grid(self) -> Mesh:
        """Two by four devices."""
        return self.mesh(x=2, y=4)


PROGRAMS: Final[dict[str, Callable[[Devices], Any]]] = {}


def program(function: Callable[[Devices], Any]) -> Callable[[Devices], Any]:
    """Adds a program."""
    PROGRAMS[function.__name__] = function
    return function


def numbers(*shape: int) -> Any:
    """Numbers of which sums are exact."""
    return (np.arange(np.prod(shape), dtype=np.float32).reshape(shape) % 17 - 8) / 8


@program
def layers_of_fsdp_in_a_scan(devices: Devices) -> Any:
    mesh = devices.mesh(x=8)

    def loss(weights: Any, x: Any) -> Any:
        def layer(x: Any, weight: Any) -> tuple[Any, None]:
            return jnp.tanh(
                x @ lax.with_sharding_constraint(weight, NamedSharding(mesh, P()))
            ), None

        return (lax.scan(jax.checkpoint(layer), x, weights)[0] ** 2).mean()

    weights = jax.device_put(numbers(4, 16, 16), NamedSharding(mesh, P(None, "x")))
    x = jax.device_put(numbers(8, 16), NamedSharding(mesh, P("x")))
    return jax.jit(jax.value_and_grad(loss))(weights, x)


@program
def steps_whose_state_is_donated(devices: Devices) -> Any:
    sharding = NamedSharding(devices.mesh(x=8), P("x"))
    x = jax.device_put(numbers(24, 16), sharding)

    @partial(jax.jit, donate_argnums=(0, 1))
    def step(weights: Any, momenta: Any) -> Any:
        gradients = jax.grad(lambda weights: ((x @ weights) ** 2).mean())(weights)
        momenta = 0.9 * momenta + 0.1 * gradients
        return weights - 0.1 * momenta / (jnp.sqrt(momenta**2) + 1e-3), momenta

    state = tuple(jax.device_put(array, sharding) for array in (numbers(16, 8), np.zeros((16, 8))))
    for _ in range(3):
        before, state = state, step(*state)
        assert before[0].is_deleted()
    return state


@program
def tensor_parallelism_of_explicit_shardings(devices: Devices) -> Any:
    with jax.set_mesh(devices.mesh(x=2, y=4, is_explicit=True)):
        x = jax.device_put(numbers(8, 16), P("x", None))
        first, second = (
            jax.device_put(numbers(16, 32), P(None, "y")),
            jax.device_put(numbers(32, 16), P("y", None)),
        )

        def perceptron(x: Any, first: Any, second: Any) -> Any:
            inner = jax.nn.gelu(x @ first)
            return jnp.einsum("bf,fd->bd", inner, second, out_sharding=P("x", None))

        gradients = jax.grad(lambda *weights: perceptron(*weights).sum(), (0, 1, 2))
        return jax.jit(perceptron)(x, first, second), jax.jit(gradients)(x, first, second)


@program
def unreduced_sums_in_a_scan(devices: Devices) -> Any:
    unreduced = P(None, None, unreduced={"x"})
    with jax.set_mesh(devices.mesh(x=8, is_explicit=True)):

        @jax.jit
        def total(x: Any, weight: Any) -> Any:
            def add(sums: Any, x: Any) -> tuple[Any, None]:
                return sums + jnp.einsum("bf,fd->bd", x, weight, out_sharding=unreduced), None

            initial = jax.reshard(jnp.zeros((16, 16)), unreduced)
            return jax.reshard(lax.scan(add, initial, x)[0], P("x"))

        return total(
            jax.device_put(numbers(4, 16, 8), P(None, None, "x")),
            jax.device_put(numbers(8, 16), P("x", None)),
        )


def unreduced(operation: Callable[[Any], Any]) -> Callable[[Devices], Any]:
    """A program that applies an operation to an unreduced matrix."""

    def run(devices: Devices) -> Any:
        with jax.set_mesh(devices.mesh(x=8, is_explicit=True)):
            x = jax.device_put(numbers(16, 8), P(None, "x"))
            weight = jax.device_put(numbers(8, 16), P("x", None))

            @jax.jit
            def apply(x: Any, weight: Any) -> Any:
                sharding = P(None, None, unreduced={"x"})
                result = operation(jnp.einsum("bf,fd->bd", x, weight, out_sharding=sharding))
                return jax.reshard(result, P())

            return apply(x, weight)

    return run


PROGRAMS["maximum of unreduced values"] = unreduced(jnp.max)
PROGRAMS["minimum of unreduced values"] = unreduced(lambda x: jnp.minimum(x, 0.0))
PROGRAMS["sum of unreduced values"] = unreduced(lambda x: x + x)
PROGRAMS["transposition of unreduced values"] = unreduced(lambda x: x.T)
PROGRAMS["product of unreduced values"] = unreduced(lambda x: x * x)


@program
def pipeline_and_its_gradient(devices: Devices) -> Any:
    def stages(weight: Any, x: Any) -> Any:
        place = lax.axis_index("x")

        def step(carried: Any, time: Any) -> tuple[Any, Any]:
            entered = jnp.where(place == 0, x[jnp.minimum(time, 3)], carried)
            result = jnp.tanh(entered @ weight[0])
            return lax.ppermute(result, "x", [(i, (i + 1) % 8) for i in range(8)]), result

        start = lax.pcast(jnp.zeros((2, 4)), ("x",), to="varying")
        return lax.scan(step, start, jnp.arange(11))[1][None]

    pipeline = jax.jit(
        jax.shard_map(stages, mesh=devices.mesh(x=8), in_specs=(P("x"), P()), out_specs=P("x"))
    )
    weights, x = numbers(8, 4, 4), numbers(4, 2, 4)
    return pipeline(weights, x), jax.grad(lambda w: (pipeline(w, x) ** 2).sum())(weights)


@program
def partitioning_of_the_program_itself(devices: Devices) -> Any:
    @custom_partitioning
    def product(a: Any, b: Any) -> Any:
        return jnp.sin(a) @ b

    def partition(mesh: Mesh, arguments: Any, result: Any) -> Any:
        def local(a: Any, b: Any) -> Any:
            return lax.psum(jnp.sin(a) @ b, "y")

        operands = NamedSharding(mesh, P("x", "y")), NamedSharding(mesh, P("y"))
        return mesh, local, NamedSharding(mesh, P("x")), operands

    product.def_partition(
        partition=partition,
        infer_sharding_from_operands=lambda mesh, arguments, result: NamedSharding(mesh, P("x")),
        sharding_rule="i j, j k -> i k",
    )
    grid = devices.grid()
    shardings = NamedSharding(grid, P("x", "y")), NamedSharding(grid, P("y"))
    return jax.jit(product, in_shardings=shardings)(numbers(8, 8), numbers(8, 4))


@program
def callbacks_in_loops(devices: Devices) -> Any:
    def doubled(number: Any, x: Any) -> Any:
        return np.asarray(x) * 2

    def loop(x: Any) -> Any:
        shape = jax.ShapeDtypeStruct((4,), jnp.float32)
        return lax.fori_loop(
            0, 5, lambda i, x: jax.pure_callback(doubled, shape, i, x, vmap_method="sequential"), x
        )

    return jax.jit(loop)(numbers(4)), jax.vmap(loop)(numbers(3, 4))


@program
def exported_programs_of_unknown_sizes(devices: Devices) -> Any:
    rows, columns = export.symbolic_shape("rows, columns")
    shapes = (
        jax.ShapeDtypeStruct((rows, columns), jnp.float32),
        jax.ShapeDtypeStruct((columns, 4), jnp.float32),
    )
    function = jax.jit(lambda x, y: (x @ y + x.shape[0], jnp.cumsum(x, 0), x.reshape(-1)))
    exported = export.export(function, platforms=["cpu"])(*shapes)
    called = export.deserialize(exported.serialize(vjp_order=1)).call
    gradient = jax.grad(lambda x: called(x, numbers(2, 4))[0].sum())
    return called(numbers(3, 5), numbers(5, 4)), gradient(numbers(7, 2))


@program
def exported_special_functions_of_unknown_sizes(devices: Devices) -> Any:
    (size,) = export.symbolic_shape("size")
    shape = jax.ShapeDtypeStruct((size,), jnp.float32)
    functions = (
        *(lax.lgamma, lax.digamma, lax.erfc, lax.bessel_i1e, lambda x: lax.erf_inv(1 / x - 0.5)),
        *(
            lambda x: lax.igamma(x, x),
            lambda x: lax.zeta(x + 1, x),
            lambda x: lax.polygamma(1.0, x),
        ),
    )
    function = jax.jit(lambda x: [function(x) for function in functions])
    return export.export(function, platforms=["cpu"])(shape).call(numbers(5) ** 2 + 1)


@program
def exported_program_of_another_number_of_devices(devices: Devices) -> Any:
    sharding = NamedSharding(devices.mesh(x=8), P("x"))
    shape = jax.ShapeDtypeStruct((16,), jnp.float32, sharding=sharding)
    function = jax.jit(lambda x: (x * 2).sum(), in_shardings=sharding)
    exported = export.export(function, platforms=["cpu"])(shape)
    return export.deserialize(exported.serialize()).call(numbers(16))


@program
def policies_of_checkpoints(devices: Devices) -> Any:
    def loss(weight: Any, x: Any) -> Any:
        return (jnp.sin(checkpoint_name(jnp.tanh(x @ weight), "inner") @ weight) ** 2).sum()

    policies = jax.checkpoint_policies
    offloaded = policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[],
        names_which_can_be_offloaded=["inner"],
        offload_src="device",
        offload_dst="pinned_host",
    )
    chosen = policies.nothing_saveable, policies.save_only_these_names("inner"), offloaded
    return [
        jax.jit(jax.grad(jax.checkpoint(loss, policy=policy)))(numbers(8, 8), numbers(4, 8))
        for policy in chosen
    ]


@program
def memories_and_the_host(devices: Devices) -> Any:
    mesh = devices.mesh(x=8)
    host, device = (NamedSharding(mesh, P("x"), memory_kind=k) for k in ("pinned_host", "device"))
    x = jax.device_put(numbers(16), host)
    moved = jax.jit(lambda x: jax.device_put(x, device) * 2)(x)
    on_host = compute_on("device_host")(jax.jit(lambda x: x * 2))
    back = jax.jit(lambda x: x + 1, out_shardings=host)(moved)
    return x, moved, back, jax.jit(lambda x: on_host(x) + 1)(numbers(8))


@program
def sparse_matrices(devices: Devices) -> Any:
    dense = np.where(numbers(16, 8) > 0.3, numbers(16, 8), 0)
    matrix = sparse.BCOO.fromdense(dense)
    rows = sparse.BCOO.fromdense(dense, n_batch=1)
    sharding = NamedSharding(devices.mesh(x=8), P("x"))
    data, indices = (jax.device_put(part, sharding) for part in (rows.data, rows.indices))
    product = jax.jit(lambda d, i: sparse.BCOO((d, i), shape=(16, 8)) @ jnp.ones((8, 4)))
    return matrix @ numbers(8, 3), (matrix.T @ matrix).todense(), product(data, indices)


@program
def differential_equations_and_taylor_series(devices: Devices) -> Any:
    times = jnp.linspace(0, 2, 5)

    def solution(rate: Any) -> Any:
        return odeint(lambda y, t, a: -a * y + jnp.sin(t), jnp.ones(3), times, rate)

    series = ((np.ones(4, np.float32), np.zeros(4, np.float32)),)
    taylor = jet.jet(lambda x: jnp.tanh(x) * jnp.exp(x), (numbers(4),), series)
    return solution(0.5), jax.grad(lambda rate: solution(rate).sum())(0.5), taylor


@program
def chain_of_shardings(devices: Devices) -> Any:
    mesh = devices.mesh(x=2, y=2, z=2)
    x = jax.device_put(numbers(8, 8, 8), NamedSharding(mesh, P("x", "y", "z")))
    results: list[Any] = []
    for spec in (P("z", "x", "y"), P(("x", "y")), P(None, ("z", "x"), "y"), P(), P("y", None, "z")):
        x = jax.jit(lambda x: x + 1, out_shardings=NamedSharding(mesh, spec))(x)
        results.append(x)
    return results


@program
def keys_of_a_mesh(devices: Devices) -> Any:
    keys = jax.device_put(
        jax.random.split(jax.random.key(0), (8, 4)), NamedSharding(devices.grid(), P("x", "y"))
    )
    draw = jax.vmap(jax.vmap(lambda key: jax.random.normal(key, (3,))))
    return jax.jit(draw)(keys), jax.random.key_data(
        jax.jit(jax.vmap(jax.vmap(jax.random.split)))(keys)
    )


@program
def meshes_of_other_devices(devices: Devices) -> Any:
    half = Mesh(devices.devices[:4], ("x",))
    a, b = (
        jax.device_put(numbers(8), NamedSharding(mesh, P("x")))
        for mesh in (devices.mesh(x=8), half)
    )
    return jax.jit(lambda a, b: a + b)(a, b)


@program
def callback_with_a_result_of_another_shape(devices: Devices) -> Any:
    shape = jax.ShapeDtypeStruct((), jnp.float32)
    function = jax.jit(lambda x: jax.pure_callback(lambda x: np.zeros(3, np.float32), shape, x))
    return jax.block_until_ready(function(1.0))


def outcome(function: Callable[[Devices], Any], platform: str) -> Any:
    """The results of a program on a client, or the type and the first line of its error."""
    devices = Devices(platform)
    try:
        with jax.default_device(devices.devices[0]):
            return jax.tree.leaves(function(devices))
    except Exception as error:
        return type(error).__name__, str(error).partition("\n")[0]


def difference(ours: Any, theirs: Any) -> str | None:
    """What differs between two outcomes."""
    if isinstance(ours, tuple) or isinstance(theirs, tuple):
        return None if ours == theirs else f"{ours} is not {theirs}"
    for own, other in zip(ours, theirs, strict=True):
        if not np.allclose(own, other, TOLERANCE, TOLERANCE) or own.dtype != other.dtype:
            return f"{own} is not {other}"
        if spec_of(own) != spec_of(other):
            return f"{own.sharding} is not {other.sharding}"
    return None


def spec_of(array: Any) -> Any:
    """How an array is divided over a mesh; None if it is on one device."""
    return getattr(array.sharding, "spec", None)


def main(*names: str) -> int:
    """Prints what differs in these programs, or in all; the exit code is 1 if anything does."""
    different = 0
    for name in names or PROGRAMS:
        function = PROGRAMS[name]
        found = difference(outcome(function, "stablemate"), outcome(function, "cpu"))
        if found is not None:
            different += 1
            print(f"{name}: {found}")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
