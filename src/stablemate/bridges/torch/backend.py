"""The backend ``stablemate`` of ``torch.compile``.

AOTAutograd gives graphs of ATen operators, one forward and one backward; each becomes a program.

Source: PyTorch, custom backends of torch.compile, and AOTAutograd.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from stablemate.api.module import Module
from stablemate.bridges.torch.calls import CompiledGraph
from stablemate.diagnostics.errors import ArgumentTypeError
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.decompositions import decompositions
from stablemate.frontends.torch.importer import ImportOptions, import_graph
from stablemate.frontends.torch.recurrent_layers import replace_layers

Graph = Any  # torch.fx.GraphModule
MODES: Final = (None, "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")


@dataclass(frozen=True)
class BackendOptions:
    """The options of the backend: ``torch.compile(model, backend="stablemate", options={...})``.

    Attributes:
        threads: How many threads may work for a call; by default those of
            ``torch.get_num_threads``.
        backend: Which executor runs programs: ``"cpu"``, native code, or ``"interpreter"``.
    """

    threads: int | None = None
    backend: str = "cpu"


pytorch.allow_recurrent_layers()


def stablemate(
    graph: Graph, inputs: Sequence[Any], *, options: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """Compiles a graph of TorchDynamo: ``torch.compile(model, backend="stablemate")``.

    Args:
        graph: The graph.
        inputs: Tensors like its arguments.
        options: The fields of ``BackendOptions``, by name.
        mode: A mode of ``torch.compile``; all compile the same code.

    Raises:
        UnsupportedError: An operator has no translation, or a tensor is not on the CPU.
        ArgumentTypeError: There is no such option or mode.
    """
    chosen = backend_options(options, mode)
    pytorch.reject_version()
    pytorch.reject_tensors([(f"input {i}", value) for i, value in enumerate(inputs)])
    compiler = partial(compile_graph, chosen)
    replace_layers(graph)
    backend = pytorch.aot_backend(compiler, decompositions())
    compiled: Callable[..., Any] = backend(graph, inputs)
    return compiled


def backend_options(options: Mapping[str, Any] | None, mode: str | None) -> BackendOptions:
    """The options of the backend.

    Raises:
        ArgumentTypeError: There is no such option or mode.
    """
    if mode not in MODES:
        known = ", ".join(repr(name) for name in MODES[1:])
        raise ArgumentTypeError(f"no mode of torch.compile is called {mode!r}; known: {known}")
    names = BackendOptions.__dataclass_fields__
    for name in options or {}:
        if name not in names:
            raise ArgumentTypeError(
                f"the backend stablemate has no option {name!r}; it has: {', '.join(names)}"
            )
    return BackendOptions(**(options or {}))


def compile_graph(options: BackendOptions, graph: Graph, inputs: Sequence[Any]) -> Any:
    """Compiles a graph of ATen operators, forward or backward."""
    program = import_graph(graph, ImportOptions(keeps_strides=True))
    threads = options.threads or pytorch.thread_count()
    executable = Module(program.module, "torch").executable(
        "main", backend=options.backend, threads=threads
    )
    return CompiledGraph(program, executable).function
