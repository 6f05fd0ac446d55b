"""The backend ``stablemate`` of ``torch.compile``.

AOTAutograd gives graphs of ATen operators, one forward and one backward; each becomes a program.

Source: PyTorch, custom backends of torch.compile, and AOTAutograd.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from stablemate.api.module import Module
from stablemate.bridges.torch.calls import CompiledGraph, Run
from stablemate.bridges.torch.freezing import FrozenGraph
from stablemate.bridges.torch.precision import PRECISIONS, round_operands
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.diagnostics.limits import limits_of_machine
from stablemate.formats.source_digest import digest_of
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.decompositions import decompose_affine_grids, decompositions
from stablemate.frontends.torch.fx import GraphModule, TorchTensor
from stablemate.frontends.torch.importer import ImportOptions, fix_sizes, import_graph
from stablemate.frontends.torch.recurrent_layers import replace_layers
from stablemate.ir.attributes import DenseElementsAttribute

LISTED_ELEMENTS: Final = 64  # of a literal in the text of which the disk cache takes a digest
MODES: Final = (None, "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")


@dataclass(frozen=True)
class BackendOptions:
    """The options of the backend: ``torch.compile(model, backend="stablemate", options={...})``.

    Attributes:
        threads: How many threads may work for a call; by default those of
            ``torch.get_num_threads``.
        backend: Which executor runs programs: ``"cpu"``, native code, or ``"interpreter"``.
        precision: How operands of products of matrices in f32 are rounded, by the names of
            ``torch.set_float32_matmul_precision``: ``"highest"`` not, ``"high"`` to a sum of two
            bf16, ``"medium"`` to bf16; by default what that function has set.
        freezing: Whether parameters and buffers are constants of programs that are compiled where
            PyTorch records no gradients. If one is written by PyTorch's operators, the next call
            compiles the program again; other writes, as through ``.data``, are not seen.
    """

    threads: int | None = None
    backend: str = "cpu"
    precision: str | None = None
    freezing: bool = False


pytorch.allow_recurrent_layers()


@pytorch.known_version()
def stablemate(
    graph: GraphModule, inputs: Sequence[object], *, options: Mapping[str, object] | None = None,
    mode: str | None = None,
) -> Callable[..., object]:  # fmt: skip
    """Compiles a graph of TorchDynamo: ``torch.compile(model, backend="stablemate")``.

    Args:
        graph: The graph.
        inputs: Tensors like its arguments.
        options: The fields of ``BackendOptions``, by name.
        mode: A mode of ``torch.compile``; all compile the same code, which never waits for Python
            between kernels (``reduce-overhead``) and is not tuned by measuring.

    Raises:
        UnsupportedError: An operator has no translation, a tensor is not on the CPU, or this
            version of PyTorch is too old.
        ArgumentTypeError: There is no such option or mode, or it has a value of another type.
    """
    chosen = backend_options(options, mode)
    pytorch.reject_tensors(pytorch.named_inputs(graph, inputs))
    forward = partial(compile_graph, chosen, is_forward=True)
    backward = partial(compile_graph, chosen)
    replace_layers(graph)
    decompose_affine_grids(graph)
    freezes = chosen.freezing and not pytorch.records_gradients()
    infer = partial(compile_graph, chosen, is_inference=True)
    inference = partial(freeze_graph, chosen, graph, inputs) if freezes else infer
    backend = pytorch.aot_backend(forward, backward, inference, decompositions())
    return backend(graph, inputs)


def backend_options(options: Mapping[str, Any] | None, mode: str | None) -> BackendOptions:
    """The options of the backend.

    Raises:
        ArgumentTypeError: There is no such option, mode or precision, or an option has a value of
            another type.
        ArgumentValueError: The number of threads is not positive.
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
    chosen = BackendOptions(**(options or {}))
    if chosen.threads is not None and type(chosen.threads) is not int:
        raise ArgumentTypeError(f"the option threads is a number, not {chosen.threads!r}")
    if chosen.threads is not None and chosen.threads < 1:
        raise ArgumentValueError(f"the option threads is at least 1, not {chosen.threads}")
    if type(chosen.freezing) is not bool:
        raise ArgumentTypeError(f"the option freezing is True or False, not {chosen.freezing!r}")
    if chosen.precision not in (None, *PRECISIONS):
        known = ", ".join(map(repr, PRECISIONS))
        raise ArgumentTypeError(f"no precision is called {chosen.precision!r}; known: {known}")
    return chosen


def compile_graph(
    options: BackendOptions,
    graph: GraphModule,
    inputs: Sequence[object],
    *,
    is_forward: bool = False,
    is_inference: bool = False,
) -> object:
    """Compiles a graph of ATen operators, forward or backward.

    Results of the user's function share memory with each other, and repeat elements, as PyTorch's
    do; what is kept for gradients, and these, have memory of their own, in which elements are
    repeated, as the other graph reads them. So do its arguments, of which TorchDynamo checks the
    strides only where they come from the user. Of views of arguments AOTAutograd asks the graph
    where they lie; arguments that a graph returns, as forward graphs do for the backward graph,
    are returned themselves.
    """
    kept = pytorch.forward_results() if is_forward else 0
    import_options = ImportOptions(
        keeps_strides=True, shares_arguments=True,
        expanded_results=None if is_inference else kept,
        expanded_arguments=is_forward or is_inference,
    )  # fmt: skip
    written = pytorch.overwritten_arguments() if is_inference else ()
    return compiled_graph(options, graph, import_options, written=written).function


def freeze_graph(
    options: BackendOptions, model: GraphModule, parameters: Sequence[object], graph: GraphModule,
    inputs: Sequence[object],
) -> FrozenGraph:  # fmt: skip
    """Compiles a graph of ATen operators whose parameters become constants.

    Args:
        options: How it is compiled.
        model: The graph of TorchDynamo.
        parameters: The arguments of that graph.
        graph: The graph of ATen operators.
        inputs: Fake tensors like its arguments.
    """
    held: dict[int, TorchTensor] = {
        id(value): value for value in pytorch.parameters_of(model, parameters)
    }
    written = pytorch.overwritten_arguments()
    compile = partial(compiled_graph, options, graph, written=written)
    return FrozenGraph(graph, held, pytorch.written_arguments(), compile)


def compiled_graph(
    options: BackendOptions, graph: GraphModule, import_options: ImportOptions,
    held: Mapping[int, TorchTensor] | None = None, otherwise: Run | None = None, *,
    written: Sequence[int] = (),
) -> CompiledGraph:  # fmt: skip
    """A graph of ATen operators, compiled; the last three arguments are those of its calls."""
    fix_sizes(graph)
    program = import_graph(graph, import_options)
    round_operands(program.module, options.precision or pytorch.matmul_precision())
    threads = options.threads or pytorch.thread_count()
    module = Module(program.module, "torch")
    module.source = (module.version, program_digest(module))
    executable = module.compiled(options.backend, "main", limits_of_machine(), threads)
    return CompiledGraph(program, executable, held, otherwise, written)


def program_digest(module: Module) -> bytes:
    """The digest of a program: of its text, and of the elements of literals that are not in it."""
    literals = [
        attribute.data
        for operation in module.ir.operation.walk()
        for attribute in operation.attributes.values()
        if isinstance(attribute, DenseElementsAttribute) and attribute.data.size > LISTED_ELEMENTS
    ]
    elements = [np.ascontiguousarray(data).view(np.uint8).data for data in literals]
    return digest_of([module.to_text(elide=LISTED_ELEMENTS), *elements], "torch")
