"""PyTorch: the backend ``stablemate`` of ``torch.compile``.

AOTAutograd gives graphs of ATen operations, one forward and one backward; torchax has functions of
JAX for the operations, and the program of each graph runs like those of JAX users.

Source: PyTorch, custom backends of torch.compile, and AOTAutograd; torchax, operations.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import ml_dtypes
import numpy as np

from stablemate.bridges.frameworks import framework
from stablemate.bridges.torch import torchax
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.pjrt.jit import jit
from stablemate.pjrt.torch_dynamo.backward import backward_operations

NEED: Final = 'torch.compile needs torch and torchax: pip install torch "torchax" jax'
Graph = Any  # torch.fx.GraphModule


def stablemate(graph: Graph, inputs: Sequence[Any], **options: Any) -> Callable[..., Any]:
    """Compiles a graph of TorchDynamo: ``torch.compile(model, backend="stablemate")``.

    Args:
        graph: The graph.
        inputs: Tensors like its arguments.
        **options: The options of ``torch.compile``; there are none for this backend.

    Raises:
        UnsupportedError: torchax is not installed, a tensor is not on the CPU, or torchax has no
            function for an operation.
    """
    if options:
        message = f"the backend stablemate of torch.compile has no options, not {sorted(options)}"
        raise UnsupportedError(message)
    reject_devices(inputs)
    torchax("ops.jaten", NEED)
    common = framework("torch._dynamo.backends.common", NEED)
    attention = framework("torch.nn.attention", NEED)
    compiler = common.aot_autograd(fw_compiler=compile_graph, decompositions=decompositions())
    with attention.sdpa_kernel(attention.SDPBackend.MATH):
        compiled: Callable[..., Any] = compiler(graph, inputs)
    return compiled


def decompositions() -> Mapping[Any, Callable[..., Any]]:
    """What AOTAutograd replaces: what is no core operation, and what has no function of JAX."""
    table = framework("torch._decomp", NEED)
    rest = {
        target: decomposition
        for target, decomposition in table.decomposition_table.items()
        if found_function(target) is None
    }
    return {**rest, **table.core_aten_decompositions()}


def compile_graph(graph: Graph, inputs: Sequence[Any]) -> CompiledGraph:
    """Compiles a graph of ATen operations, forward or backward."""
    torch, jax = framework("torch", NEED), framework("jax", NEED)
    reject_devices(inputs)
    nodes = list(graph.graph.nodes)
    for node in nodes:
        if node.op == "call_function":
            function_of(node.target)
    is_random = any(torch.Tag.nondeterministic_seeded in tags(node.target) for node in nodes)
    scalars = [number for number, value in enumerate(inputs, 1) if not torch.is_tensor(value)]
    (output,) = [node for node in nodes if node.op == "output"]

    def program(seed: Any, *arguments: Any) -> Any:
        key = jax.random.key(seed) if is_random else None
        return evaluate(graph, arguments, Randomness(key))

    run = jit(program, static_argnums=scalars)
    return CompiledGraph(run, is_random, [maker(value) for value in output.args[0]])


@dataclass(frozen=True)
class CompiledGraph:
    """A graph as AOTAutograd calls it.

    Attributes:
        run: Its program, a function of a seed and the arguments.
        is_random: Whether it uses the seed.
        makers: What makes each result from one of the program.
    """

    run: Callable[..., Any]
    is_random: bool
    makers: Sequence[Callable[[Any], Any]]
    _boxed_call: bool = (
        True  # arguments come as a list, to be emptied; PyTorch's wrappers copy this
    )

    def __call__(self, arguments: list[Any]) -> list[Any]:
        """The results for tensors and numbers."""
        torch, jax = framework("torch", NEED), framework("jax", NEED)
        seed = int(torch.randint(2**62, ())) if self.is_random else 0
        values = [numpy_of(value) if torch.is_tensor(value) else value for value in arguments]
        arguments.clear()
        with jax.enable_x64(True):  # integers of PyTorch have 64 bits
            results = self.run(np.int64(seed), *values)
        return [make(result) for make, result in zip(self.makers, results, strict=True)]


class Randomness:
    """Keys for random operations of one call.

    Attributes:
        key: A key that is not used yet.
    """

    def __init__(self, key: Any) -> None:
        self.key = key

    def get_and_rotate_prng_key(self, generator: Any = None) -> Any:
        """A new key; torchax calls its environment by this name."""
        self.key, new = framework("jax", NEED).random.split(self.key)
        return new


def evaluate(graph: Graph, arguments: Sequence[Any], randomness: Randomness) -> list[Any]:
    """The results of a graph for arrays of JAX."""
    values: dict[Any, Any] = {}
    rest = iter(arguments)
    map_arg = framework("torch.fx.node", NEED).map_arg
    for node in graph.graph.nodes:
        if node.op == "placeholder":
            values[node] = next(rest)
        elif node.op == "get_attr":
            values[node] = numpy_of(operator.attrgetter(node.target)(graph))
        elif node.op == "call_function":
            positional, named = map_arg((node.args, node.kwargs), values.__getitem__)
            function, needs_env = function_of(node.target)
            extra = {"env": randomness} if needs_env else {}
            values[node] = function(*positional, **named, **extra)
        else:
            results: list[Any] = list(map_arg(node.args[0], values.__getitem__))
            return results
    raise AssertionError


def function_of(target: Any) -> tuple[Callable[..., Any], bool]:
    """The function of JAX for an operation, and whether it takes ``env``.

    Raises:
        UnsupportedError: There is none.
    """
    function = found_function(target)
    if function is None:
        raise UnsupportedError(f"torchax has no function of JAX for the operation {target.name()}")
    return function


def found_function(target: Any) -> tuple[Callable[..., Any], bool] | None:
    """The same; None if there is none."""
    torch = framework("torch", NEED)
    if not isinstance(target, torch._ops.OpOverload):
        return target, False
    for name in (target, target.overloadpacket):
        if name in own_operations():
            return own_operations()[name]
        operation = torchax_operations().get(name)
        if operation is not None and operation.is_jax_function:
            return operation.func, operation.needs_env
    return None


@cache
def torchax_operations() -> Mapping[Any, Any]:
    """The implementations of ATen operations in torchax."""
    torchax("ops.jaten", NEED)
    operations: Mapping[Any, Any] = torchax("ops.ops_registry", NEED).all_aten_ops
    return operations


@cache
def own_operations() -> Mapping[Any, tuple[Callable[..., Any], bool]]:
    """Operations that torchax lacks or gets wrong, and whether they take ``env``."""
    aten = framework("torch", NEED).ops.aten

    def forward(target: Any) -> Callable[..., Any]:
        return function_of(target)[0]

    plain: dict[Any, Callable[..., Any]] = {
        aten.sym_size.int: size_of,
        aten.sym_numel.default: operator.attrgetter("size"),
        **backward_operations(aten, forward),
    }
    random = {aten.rand_like.default: uniform_like}
    return {
        **{target: (function, False) for target, function in plain.items()},
        **{target: (function, True) for target, function in random.items()},
    }


def size_of(array: Any, axis: int) -> Any:
    """The size of an axis."""
    return array.shape[axis]


def uniform_like(array: Any, *, env: Randomness, dtype: Any = None, **_: Any) -> Any:
    """Random numbers from 0 to 1 in the shape of an array."""
    to_dtype = torchax("ops.mappings", NEED).t2j_dtype
    result_dtype = array.dtype if dtype is None else to_dtype(dtype)
    return framework("jax", NEED).random.uniform(
        env.get_and_rotate_prng_key(), array.shape, result_dtype
    )


def tags(target: Any) -> Iterator[Any]:
    """The tags of an operation."""
    yield from getattr(target, "tags", ())


def reject_devices(inputs: Sequence[Any]) -> None:
    """Rejects tensors that are not on the CPU.

    Raises:
        UnsupportedError: One is not.
    """
    for value in inputs:
        device = getattr(value, "device", None)
        if device is not None and device.type != "cpu":
            raise UnsupportedError(f"stablemate compiles for tensors on the CPU, not on {device}")


def numpy_of(tensor: Any) -> Any:
    """A tensor as an array of NumPy, which shares its elements if they are dense."""
    dense = tensor.detach()
    if not dense.is_contiguous():
        dense = dense.contiguous()
    try:
        return dense.numpy()
    except (TypeError, RuntimeError):  # bfloat16, and conjugates that are not computed
        torch = framework("torch", NEED)
        if dense.dtype != torch.bfloat16:
            return dense.resolve_conj().resolve_neg().numpy()
        return dense.view(torch.int16).numpy().view(ml_dtypes.bfloat16)


def maker(node: Any) -> Callable[[Any], Any]:
    """What makes the result of a graph from one of the program: a tensor, a number or None."""
    torch = framework("torch", NEED)
    value = getattr(node, "meta", {}).get("val")
    if torch.is_tensor(value):
        from_dlpack: Callable[[Any], Any] = torch.from_dlpack
        return from_dlpack
    return {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}.get(type(value), same)


def same(value: Any) -> Any:
    """The value: None, or a number that is no symbol."""
    return None if value is None else value.item() if hasattr(value, "item") else value
