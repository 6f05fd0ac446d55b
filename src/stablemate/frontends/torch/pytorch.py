"""PyTorch itself: the one module that uses its functions, and says since when each exists.

Versions from 2.6 on are supported. What a leading underscore marks as private is used here alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import cache, partial, update_wrapper
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from logging import LogRecord, getLogger
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard, cast
from warnings import catch_warnings, filterwarnings, warn

import numpy as np

from stablemate.diagnostics.errors import ParseError, StablemateError, UnsupportedError
from stablemate.formats.torch_archive import ContentFile, TorchArchive, read_archive
from stablemate.formats.torch_errors import first_line, reading_fault
from stablemate.frontends.torch.element_types import NAMES, is_known
from stablemate.frontends.torch.fx import (
    ExportedProgram,
    FakeTensor,
    GraphModule,
    Node,
    SymbolicNumber,
    SymbolRange,
    SympyExpression,
    TorchSize,
    TorchTensor,
)
from stablemate.numerics.elements import Array, ElementType, storage

NEED: Final = "programs of PyTorch need torch: pip install torch"
OLDEST: Final = (2, 6)
NEWEST: Final = (2, 15)  # the newest one with which tests were run
LARGEST: Final = (1 << 63) - 1  # of the integers that PyTorch has
LARGE_SIZE: Final = 2**20  # in the place of sizes that depend on values
# Types that NumPy lacks: the integer type whose bits are taken instead.
VIEWS: Final = {
    "bfloat16": "int16",
    "float8_e4m3fn": "int8",
    "float8_e4m3fnuz": "int8",
    "float8_e5m2": "int8",
    "float8_e5m2fnuz": "int8",
    "float8_e8m0fnu": "int8",
}


# Functions of PyTorch's operators, by operators and their overloads.
Decompositions: TypeAlias = Mapping[object, Callable[..., object]]


@cache
def torch_module(name: str = "torch") -> ModuleType:
    """A module of PyTorch.

    Raises:
        UnsupportedError: PyTorch is not installed, or lacks the module.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise UnsupportedError(NEED if name == "torch" else without(name)) from error


@cache
def private(module: str, name: str) -> Any:
    """A function or class of PyTorch that its other versions may lack.

    Raises:
        UnsupportedError: This version lacks it.
    """
    found = getattr(torch_module(module), name, None)
    if found is None:
        raise UnsupportedError(without(f"{module}.{name}"))
    return found


def without(name: str) -> str:
    """The message about a version of PyTorch that lacks something."""
    return f"PyTorch {torch_module().__version__} has no {name}; {tested_versions()}"


def tested_versions() -> str:
    """The versions of PyTorch with which tests were run."""
    return "stablemate was tested with PyTorch {}.{} to {}.{}".format(*OLDEST, *NEWEST)


@cache
def package_folder() -> str:
    """The folder of PyTorch's own files, with a separator at its end."""
    return os.path.join(os.path.dirname(torch_module().__file__ or ""), "")


def version_numbers() -> tuple[int, ...]:
    """The major and the minor version of PyTorch."""
    return tuple(int(part) for part in str(torch_module().__version__).split(".")[:2])


@cache
def reject_version() -> None:
    """Refuses versions of PyTorch that are too old, and warns of those that nobody has tested.

    Raises:
        UnsupportedError: It is too old.
    """
    version, numbers = torch_module().__version__, version_numbers()
    if numbers < OLDEST:
        raise UnsupportedError(
            f"stablemate works with PyTorch {OLDEST[0]}.{OLDEST[1]} and newer, not with {version}"
        )
    if numbers > NEWEST:
        warn(f"{tested_versions()}; this is {version}", stacklevel=2)


@contextmanager
def known_version() -> Generator[None]:
    """Refuses what this version of PyTorch cannot do for us, where a newer one may be the reason.

    Raises:
        UnsupportedError: The version is too old, or a newer one lacks something.
    """
    reject_version()
    try:
        yield
    except (AttributeError, ImportError) as error:
        if version_numbers() <= NEWEST:
            raise
        version = torch_module().__version__
        raise UnsupportedError(
            f"PyTorch {version} lacks something: {first_line(error)}; {tested_versions()}"
        ) from error


def aot_backend(
    forward: Callable[..., object], backward: Callable[..., object],
    inference: Callable[..., object], table: Decompositions,
) -> Callable[..., Callable[..., object]]:  # fmt: skip
    """A backend of TorchDynamo that compiles graphs of ATen operators.

    There is a compiler for forward and one for backward graphs, and one for those of calls without
    gradients.

    ``aot_autograd`` exists since 1.13, the partitioner with recomputation since 2.0.
    """
    partition = private("torch._functorch.partitioners", "min_cut_rematerialization_partition")
    backend: Callable[..., Callable[..., object]] = private(
        "torch._dynamo.backends.common", "aot_autograd"
    )(
        fw_compiler=forward,
        bw_compiler=backward,
        inference_compiler=inference,
        decompositions=dict(table),
        partition_fn=partition,
    )
    return backend


def storage_key(tensor: Any) -> int:
    """A number that tensors with the same memory have in common, while they live.

    ``untyped_storage`` exists since 2.0, its private address since then, too.
    """
    return int(tensor.untyped_storage()._cdata)


def fills_storage(tensor: Any) -> bool:
    """Whether a dense tensor is all of its memory."""
    own = tensor.numel() * tensor.element_size()
    whole = tensor.untyped_storage().nbytes()
    return are_equal(tensor.storage_offset(), 0) and are_equal(whole, own)


def are_equal(one: TorchSize, other: TorchSize) -> bool:
    """Whether two sizes are the same number for all values of their symbols; no guard is added."""
    return expand_size(one) == expand_size(other)


def expand_size(size: TorchSize) -> object:
    """An ``int``, or the expression of a ``SymInt`` as a sum of products."""
    return size if isinstance(size, int) else size.node.expr.expand()


def view_of(
    base: Any, dtype: Any, shape: Sequence[int], strides: Sequence[int], offset: int
) -> TorchTensor:
    """A view of a tensor, of which complex numbers may be the parts of its own, or its parts.

    Views of other element types, such as integers of floats, are none to PyTorch.
    """
    torch = torch_module()
    if base.dtype == dtype:
        view: TorchTensor = base.as_strided(shape, strides, offset)
        return view
    count = base.untyped_storage().nbytes() // base.element_size()
    if base.is_complex() and dtype == base.real.dtype and not base.is_conj():
        flat = torch.view_as_real(base.as_strided((count,), (1,), 0))
    elif dtype.is_complex and base.dtype == dtype.to_real() and count % 2 == 0:
        flat = torch.view_as_complex(base.as_strided((count // 2, 2), (2, 1), 0))
    else:
        return tensor_in_memory_of(base, dtype, shape, strides, offset)
    view = flat.as_strided(shape, strides, offset)
    return view


def tensor_in_memory_of(
    base: TorchTensor, dtype: object, shape: Sequence[int], strides: Sequence[int], offset: int
) -> TorchTensor:
    """A tensor of another element type in the memory of one."""
    empty = torch_module().empty(0, dtype=dtype)
    tensor: TorchTensor = empty.set_(base.untyped_storage(), offset, shape, strides)
    return tensor


def lazy_tensor(tensor: Any, is_conjugate: bool, is_negative: bool) -> TorchTensor:
    """The tensor in the same memory of which that holds the conjugates, or the negatives.

    ``_neg_view`` exists since 1.10.
    """
    if tensor.is_conj() != is_conjugate:
        tensor = tensor.conj()
    if tensor.is_neg() != is_negative:
        tensor = private("torch", "_neg_view")(tensor)
    result: TorchTensor = tensor
    return result


def allow_recurrent_layers() -> None:
    """Lets TorchDynamo trace LSTM, GRU and RNN layers, where it breaks graphs by default.

    ``allow_rnn`` exists since 2.5. It holds for all backends of the process. Nothing is there to
    trace without PyTorch, where the backend can still be imported.
    """
    if find_spec("torch") is None:
        return
    config: Any = torch_module("torch._dynamo.config")
    if hasattr(config, "allow_rnn"):
        config.allow_rnn = True


@cache
def decomposition_table() -> Decompositions:
    """All decompositions of PyTorch, by operators."""
    table: Decompositions = dict(private("torch._decomp", "decomposition_table"))
    return table


def export_decomposition_table() -> dict[object, Callable[..., object]]:
    """The decompositions of ``torch.export`` in a new table, which can be changed."""
    table: dict[object, Callable[..., object]] = torch_module(
        "torch.export"
    ).default_decompositions()
    return table


def vectorized_graph(
    graph: Callable[..., object], scores: FakeTensor, buffers: Sequence[object],
    table: Decompositions, *, takes_score: bool,
) -> GraphModule:  # fmt: skip
    """A graph of one score of ``flex_attention`` as a graph of all scores.

    ``torch.vmap`` is called for each dimension: batch, head, query and key.

    Args:
        graph: Takes the score if it does, its four indices, and tensors that it captures.
        scores: A fake tensor like all scores.
        buffers: Fake tensors like the captured ones.
        table: The decompositions of operators.
        takes_score: Whether the score is its first argument.
    """
    torch = torch_module()
    rank = scores.ndim
    function = graph
    for place in reversed(range(rank)):
        indices = [0 if i == place else None for i in range(rank)]
        dimensions = (*[0] * takes_score, *indices, *[None] * len(buffers))
        function = torch.vmap(function, in_dims=dimensions)
    with fake_mode_of(scores):
        places = [torch.arange(size) for size in scores.shape]
        arguments = [*[scores] * takes_score, *places, *buffers]
        tracer = private("torch.fx.experimental.proxy_tensor", "make_fx")
        traced: GraphModule = tracer(function, decomposition_table=dict(table))(*arguments)
        return traced


def fake_scores(query: FakeTensor, key: FakeTensor) -> FakeTensor:
    """A fake tensor like the scores of queries and keys."""
    with fake_mode_of(query):
        shape = (*query.shape[:-1], key.shape[-2])
        torch = torch_module()
        wide = torch.float64 if query.dtype == torch.float64 else torch.float32
        scores: FakeTensor = torch.empty(shape, dtype=wide)
        return scores


def fake_mode_of(fake: Any) -> Any:
    """The mode of fake tensors to which one belongs."""
    return fake.fake_mode


def fake_result(
    operator: Callable[..., object], positional: Sequence[object], keywords: Mapping[str, object],
    fake: FakeTensor,
) -> object:  # fmt: skip
    """The result of an operator for fake tensors, in the mode to which ``fake`` belongs."""
    with fake_mode_of(fake):
        return operator(*positional, **keywords)


def is_custom_operator(target: object) -> bool:
    """Whether a node calls an operator that a library beside PyTorch has registered."""
    namespace = getattr(target, "namespace", None)
    return hasattr(target, "_schema") and namespace not in BUILT_IN


BUILT_IN: Final = frozenset({"aten", "prim", "prims", "rngprims", "higher_order", "inductor"})


def schema_name(operator: Any) -> str:
    """The name of an operator as PyTorch writes it, ``library::name.overload``."""
    schema = operator._schema
    return f"{schema.name}.{schema.overload_name}".removesuffix(".")


def operator_of(name: str) -> Any:
    """An operator by its name.

    Raises:
        UnsupportedError: There is none.
    """
    library, _, rest = name.partition("::")
    base, _, overload = rest.partition(".")
    packet = getattr(getattr(torch_module().ops, library), base, None)
    if packet is None:
        raise UnsupportedError(f"PyTorch has no operator {name}")
    return getattr(packet, overload or "default")


def operator_names(prefix: str) -> list[str]:
    """The names of all operators with a prefix.

    ``_dispatch_get_all_op_names`` exists since 1.8.
    """
    names = private("torch._C", "_dispatch_get_all_op_names")()
    return sorted(name for name in names if name.startswith(prefix))


def aten_operator(name: str) -> Callable[..., Any]:
    """An operator of ATen, whose overload is that for its arguments."""
    packet: Callable[..., object] = getattr(torch_module().ops.aten, name)
    return packet


def public_function(name: str, module: str = "torch") -> Callable[..., object]:
    """A function as users call it, such as ``torch.lstm``, which graphs of TorchDynamo hold."""
    function: Callable[..., object] = getattr(torch_module(module), name)
    return function


@contextmanager
def replaced_functions(
    rows: Mapping[str, tuple[Callable[[Sequence[Any]], bool], Callable[..., Any]]],
) -> Generator[None]:
    """While it lasts, functions of PyTorch that users call are others.

    ``torch.overrides.TorchFunctionMode`` exists since 1.13.

    Args:
        rows: Whether it is for some arguments, and what is called for them, by name.
    """
    functions = {public_function(name): row for name, row in rows.items()}

    def call(
        _mode: object, function: Any, _kinds: object, arguments: Sequence[object] = (),
        keywords: Mapping[str, Any] | None = None,
    ) -> object:  # fmt: skip
        accepts, called = functions.get(function, (None, function))
        chosen = called if accepts is None or accepts(arguments) else function
        return chosen(*arguments, **(keywords or {}))

    mode = torch_module("torch.overrides").TorchFunctionMode
    with type("Replacement", (mode,), {"__torch_function__": call})():
        yield


def is_exporting() -> bool:
    """Whether ``torch.export`` traces a model; ``torch.compiler.is_exporting`` exists since 2.7."""
    asks = getattr(torch_module("torch.compiler"), "is_exporting", None)
    return asks is not None and asks()


def defined_operators(
    name: str, schemas: Sequence[str], fakes: Mapping[str, Callable[..., object]],
    gradients: Mapping[str, tuple[Callable[..., object], Callable[..., object]]],
) -> object:  # fmt: skip
    """The namespace of a library of operators that have no implementation.

    ``torch.library.register_autograd`` and ``register_fake`` exist since 2.4.

    Args:
        name: The library.
        schemas: The operators.
        fakes: What gives the shapes of results, by operators.
        gradients: The gradient, and what keeps the values that it needs, by operators.
    """
    torch = torch_module()
    library = torch.library.Library(name, "FRAGMENT")
    for schema in schemas:
        library.define(schema)
    for operator, fake in fakes.items():
        torch.library.register_fake(f"{name}::{operator}", fake, lib=library)
    for operator, (backward, setup) in gradients.items():
        torch.library.register_autograd(
            f"{name}::{operator}", backward, setup_context=setup, lib=library
        )
    LIBRARIES.append(library)
    return getattr(torch.ops, name)


LIBRARIES: Final[list[object]] = []  # what they register holds as long as they live


def returns_one(operator: Any) -> bool:
    """Whether an operator returns one value that is no list."""
    results = operator._schema.returns
    return len(results) == 1 and not str(results[0].type).startswith("List[")


def filled_arguments(
    operator: object, positional: Sequence[object], keywords: Mapping[str, object]
) -> tuple[list[object], dict[str, object]]:
    """The arguments of an operator, those left out filled in from its schema.

    Arguments that are no keywords in the schema become positional.
    """
    schema = getattr(operator, "_schema", None)
    values, named = list(positional), dict(keywords)
    for index, parameter in enumerate([] if schema is None else schema.arguments):
        if parameter.kwarg_only:
            named.setdefault(parameter.name, parameter.default_value)
        elif index >= len(positional):
            values.append(named.pop(parameter.name, parameter.default_value))
    return values, named


def changed_arguments(operator: Any) -> list[str]:
    """The names of the arguments that an operator changes."""
    parameters = operator._schema.arguments
    return [p.name for p in parameters if p.alias_info is not None and p.alias_info.is_write]


def called_operator(name: str, values: Mapping[str, object]) -> list[Array]:
    """The results of an operator, then the new values of the tensors that it changes.

    Args:
        name: The operator.
        values: Its arguments as ``argument_of`` reads them.
    """
    torch = torch_module()
    operator = operator_of(name)
    arguments = {p.name: argument_of(p, values) for p in operator._schema.arguments}
    with torch.no_grad():
        result = operator(**arguments)
    changed = [arguments[argument] for argument in changed_arguments(operator)]
    leaves = pytree().tree_leaves([result, changed])
    return [
        array_of_real_tensor(x) if isinstance(x, torch.Tensor) else np.asarray(x)
        for x in leaves
        if x is not None
    ]


def argument_of(parameter: Any, values: Mapping[str, Any]) -> object:
    """An argument of an operator: tensors are arrays, and a list is its length and its items.

    ``real_type`` of a parameter, which tells element types from integers, exists since 2.0.
    """
    name, kind = parameter.name, str(parameter.real_type)
    if "List[" not in kind or name not in values:
        return read_argument(kind, values.get(name))
    return [read_argument(kind, values.get(f"{name}[{i}]")) for i in range(values[name])]


def read_argument(kind: str, value: object) -> object:
    """An argument of a type of schemas."""
    if isinstance(value, np.ndarray):
        array = cast("Array", value)
        return tensor_of_array(array) if "Tensor" in kind else array.item()
    if isinstance(value, str) and "Device" in kind:
        return torch_module().device(value)
    if isinstance(value, str) and any(name in kind for name in CONSTANTS):
        return getattr(torch_module(), value)
    return value


CONSTANTS: Final = ("ScalarType", "Layout", "MemoryFormat", "QScheme")  # types of torch.float32 ...


def is_exported_program(model: object) -> TypeGuard[ExportedProgram]:
    """Whether an object is a program that ``torch.export.export`` returned."""
    return isinstance(model, torch_module("torch.export").ExportedProgram)


def export(
    model: Any, arguments: tuple[object, ...], keywords: Mapping[str, object], *,
    dynamic_shapes: object, strict: bool, register: Callable[[object], None],
    replacement: AbstractContextManager[None], applies_transforms: bool = False,
) -> ExportedProgram:  # fmt: skip
    """The exported program of a module or function.

    Sizes that are named by ``dynamic_shapes`` may get values from the program (``Dim.AUTO``).

    Args:
        model: The module or function.
        arguments: Its positional arguments.
        keywords: Its other arguments.
        dynamic_shapes: As ``torch.export`` takes them.
        strict: Whether TorchDynamo traces it.
        register: Registers the classes among inputs and results as trees.
        replacement: Lasts as long as PyTorch traces.
        applies_transforms: Whether the graph has operators of ATen after what ``torch.func`` makes
            of them, as training has them; else it has those that the model calls.

    Raises:
        UnsupportedError: PyTorch cannot export it, or it has tensors or objects that programs do
            not have.
    """
    torch = torch_module()
    if isinstance(model, torch.jit.ScriptModule | torch.jit.ScriptFunction):
        raise UnsupportedError("a program of TorchScript cannot be exported, its module can")
    model = getattr(model, "_orig_mod", model)  # of what torch.compile returned
    module = model if is_module(model) else module_of_function(model)
    register((arguments, keywords))
    reject_tensors(named_leaves(module.forward, arguments, keywords))
    reject_tensors([*module.named_parameters(), *module.named_buffers()])
    reject_objects(module)

    def register_results(_module: object, _arguments: object, result: object) -> None:
        register(result)

    # TorchDynamo has trees of its own; with a hook to trace it fails in 2.6.
    hook = nullcontext() if strict else module.register_forward_hook(register_results)
    export = (
        exporter_after_transforms() if applies_transforms else torch_module("torch.export").export
    )
    try:
        with hook, replacement, closed_transforms():
            program: ExportedProgram = export(
                module, arguments, dict(keywords), dynamic_shapes=dynamic_shapes, strict=strict
            )
        return program
    except StablemateError:
        raise
    except Exception as error:
        kind = type(error).__name__
        raise UnsupportedError(
            f"torch.export cannot export this model: {kind}: {with_items(error)}{remedy(error)}"
        ) from error


def exporter_after_transforms() -> Callable[..., Any]:
    """``torch.export.export`` as it traces below autograd and ``torch.func``.

    ``_export`` exists since 2.1, ``pre_dispatch`` since 2.2.
    """
    return partial(private("torch.export._trace", "_export"), pre_dispatch=False)


@contextmanager
def closed_transforms() -> Generator[None]:
    """Closes transforms of ``torch.func`` that a failure leaves open: later code would be in them.

    ``get_dynamic_layer_stack_depth`` exists since 2.4, ``_exit_dual_level`` since 1.8.
    """
    core: Any = torch_module("torch._C")
    depth = getattr(core._functorch, "get_dynamic_layer_stack_depth", None)
    before = 0 if depth is None else depth()
    try:
        yield
    except Exception:
        if depth is not None:
            core._functorch.pop_dynamic_layer_stack_and_undo_to_depth(before)
        if torch_module("torch.autograd.forward_ad")._current_level < 0:
            with suppress(RuntimeError):  # none is open
                core._exit_dual_level(level=0)
        raise


@contextmanager
def entered_transforms() -> Generator[list[str]]:
    """Collects the names of transforms of ``torch.func`` that are entered while it lasts.

    Functions such as ``_grad_increment_nesting`` exist since 2.0.
    """
    entered: list[str] = []
    with ExitStack() as restore:
        for where in ("torch._functorch.eager_transforms", "torch._functorch.vmap"):
            module = torch_module(where)
            for name in ("grad", "jvp", "vmap", "func"):
                function = getattr(module, f"_{name}_increment_nesting", None)
                if function is not None:
                    setattr(module, function.__name__, note_calls(function, name, entered))
                    restore.callback(setattr, module, function.__name__, function)
        yield entered


def note_calls(
    function: Callable[..., object], name: str, calls: list[str]
) -> Callable[..., object]:
    """A function whose calls are noted under a name."""

    def call(*arguments: object) -> Any:
        calls.append(name)
        return function(*arguments)

    return call


def is_module(value: object) -> bool:
    """Whether a value is a ``torch.nn.Module``."""
    return isinstance(value, torch_module().nn.Module)


def register_dataclass(kind: object) -> None:
    """Registers a dataclass, so that the tensors in its fields are parts of trees.

    ``torch.export.register_dataclass`` exists since 2.2.
    """
    torch_module("torch.export").register_dataclass(kind)


def pytree() -> ModuleType:
    """PyTorch's trees, ``torch.utils._pytree``, which exists since 1.8."""
    return torch_module("torch.utils._pytree")


def named_leaves(
    call: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object]
) -> list[tuple[str, object]]:
    """The leaves of arguments, with the names of parameters and the paths in them for messages.

    Args:
        call: What has the parameters.
        arguments: Its positional arguments.
        keywords: Its other arguments.
    """
    try:
        values: Mapping[str, object] = signature(call).bind(*arguments, **keywords).arguments
    except (TypeError, ValueError):  # it has other parameters, or Python does not know them
        values = {**{str(i): value for i, value in enumerate(arguments)}, **keywords}
    return [
        (f"the argument {name}{path}", leaf)
        for name, value in values.items()
        for path, leaf in leaves_by_path(value)
    ]


def leaves_by_path(tree: object) -> list[tuple[str, object]]:
    """The leaves of a tree with their paths, as in ``['mask'][0]``; empty ones if it has none.

    ``keystr`` exists since 2.2.
    """
    trees = pytree()
    try:
        return [(trees.keystr(path), leaf) for path, leaf in trees.tree_flatten_with_path(tree)[0]]
    except ValueError:  # trees of some classes have no paths
        return [("", leaf) for leaf in trees.tree_leaves(tree)]


def named_inputs(graph: GraphModule, inputs: Sequence[object]) -> list[tuple[str, object]]:
    """The inputs of a graph of TorchDynamo, with the names of the user's program for messages."""
    nodes = [node for node in graph.graph.nodes if node.op == "placeholder"]
    return [
        (f"the argument {source_name(node)}", value)
        for node, value in zip(nodes, inputs, strict=False)
    ]


def source_name(node: Node) -> str:
    """The name of a graph's argument in the user's program, such as ``self.layer.weight``.

    It is what the graph calls it if TorchDynamo does not know more. ``_dynamo_source`` exists since
    2.5; its ``name`` is a method before 2.10.
    """
    source = getattr(node, "_dynamo_source", None)
    if source is None:
        return str(node.target)
    text = str(source.name() if callable(source.name) else source.name)
    return MEMBER.sub(r".\1", VARIABLE.sub(r"\1", text))


# Variables and members of modules as TorchDynamo writes them.
VARIABLE: Final = re.compile(r"^[LG]\['(\w+)'\]")
MEMBER: Final = re.compile(r"\._(?:modules|parameters|buffers)\['(\w+)'\]")


def reject_objects(module: Any) -> None:
    """Refuses modules with objects of C++ of which PyTorch does not know the tensors.

    Raises:
        UnsupportedError: It has one.
    """
    kind: Any = torch_module().ScriptObject
    for path, owner in module.named_modules():
        members: Mapping[str, Any] = owner.__dict__
        for name, value in members.items():
            if type(value) is kind and not hasattr(value, "__obj_flatten__"):
                raise UnsupportedError(
                    f"{path}.{name} is an object of C++, and programs have tensors; so are packed "
                    "weights of PyTorch's older quantization, but not those of PT2E".lstrip(".")
                )


def remedy(error: Any) -> str:
    """Advice about an error of ``torch.export``; empty if there is none.

    ``UnsupportedOperatorException`` exists since 2.0.
    """
    if isinstance(error, private("torch._subclasses.fake_tensor", "UnsupportedOperatorException")):
        name = schema_name(error.func)
        return f'; its results have no shapes without torch.library.register_fake("{name}")'
    return ""


def reject_tensors(values: Sequence[tuple[str, Any]]) -> None:
    """Refuses tensors that no program has.

    Args:
        values: Values with their names; those that are no tensors are let through.

    Raises:
        UnsupportedError: One is on another device, nested, sparse, or of an element type that
            StableHLO lacks, as are PyTorch's older quantized types.
    """
    tensors = torch_module().Tensor
    for name, value in values:
        fault = fault_of(value) if isinstance(value, tensors) else ""
        if fault:
            raise UnsupportedError(f"{name} {fault}")


def fault_of(tensor: TorchTensor) -> str:
    """Why no program has a tensor; empty if one may."""
    layout = str(tensor.layout).removeprefix("torch.")
    if tensor.is_nested:
        return (
            "is a nested tensor; programs have dense ones, as torch.nested.to_padded_tensor gives"
        )
    if layout != "strided":
        return f"is a {layout.strip('_')} tensor; programs have dense ones, as to_dense() gives"
    if tensor.is_quantized:
        return f"has elements of {tensor.dtype}; programs have plain ones, as dequantize() gives"
    if not is_known(tensor.dtype):
        return f"has elements of {tensor.dtype}, a type that StableHLO does not have"
    if tensor.device.type != "cpu":
        return f"is on {tensor.device}; stablemate compiles for tensors on the CPU"
    return ""


def module_of_function(function: Callable[..., object]) -> Any:
    """A function of tensors as a ``torch.nn.Module``."""
    module = torch_module("torch.nn").Module()
    module.forward = called_forward(function)
    return module


def called_forward(function: Callable[..., object]) -> Callable[..., object]:
    """A function whose code is called ``forward``: PyTorch records the lines of such code alone.

    What is no function of Python stays what it is.
    """
    if isinstance(function, MethodType):
        return MethodType(called_forward(function.__func__), function.__self__)
    if not isinstance(function, FunctionType):
        return function
    code = function.__code__.replace(co_name="forward")
    named = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    named.__kwdefaults__ = function.__kwdefaults__
    return update_wrapper(named, function)


def load_exported(content: bytes | memoryview[int], name: str) -> ExportedProgram:
    """The exported program in a file that ``torch.export.save`` wrote.

    Args:
        content: The bytes of the file.
        name: What messages call it.

    Raises:
        ParseError: It is damaged, or of a version that this PyTorch does not read.
        UnsupportedError: It holds native code.
    """
    archive = read_archive(content, name)
    version, newest = torch_module().__version__, newest_schema()
    schemas = schemas_of(archive, newest)
    if archive.schema is not None and newest is not None and archive.schema[0] > newest[0]:
        raise ParseError(f"{name} is an exported program of {schemas}")
    logged: list[BaseException] = []
    try:
        with catch_warnings(), collected_errors("torch.export", logged):
            # 2.9 to 2.11 read weights out of bytes that cannot be written, and say so.
            filterwarnings("ignore", message="The given buffer is not writable")
            program: ExportedProgram = torch_module("torch.export").load(ContentFile(content))
            return program
    except Exception as error:
        reason = reading_fault(logged[0] if logged else error)
        is_newer = archive.schema is not None and newest is not None and archive.schema > newest
        raise ParseError(
            f"{name}: PyTorch {version} cannot read this exported program: {reason}"
            + (f"; it is of {schemas}" if is_newer else "")
        ) from error


def schemas_of(archive: TorchArchive, newest: tuple[int, int] | None) -> str:
    """The schema of an exported program, beside that which PyTorch reads."""
    writer = f", written by PyTorch {archive.writer}" if archive.writer else ""
    own, known = (".".join(map(str, schema or ())) for schema in (archive.schema, newest))
    return f"schema {own}{writer}; PyTorch {torch_module().__version__} reads schema {known}"


@contextmanager
def collected_errors(name: str, errors: list[BaseException]) -> Generator[None]:
    """Collects the errors that a logger would print with their stacks, and lets it say nothing."""

    def collect(record: LogRecord) -> bool:
        if record.exc_info and record.exc_info[1] is not None:
            errors.append(record.exc_info[1])
        return False

    logger = getLogger(name)
    logger.addFilter(collect)
    try:
        yield
    finally:
        logger.removeFilter(collect)


def newest_schema() -> tuple[int, int] | None:
    """The version of the schema of exported programs; None if PyTorch does not state it.

    ``SCHEMA_VERSION`` exists since 2.1.
    """
    schema = torch_module("torch._export.serde.schema")
    version: tuple[int, int] | None = getattr(schema, "SCHEMA_VERSION", None)
    return version


def with_items(error: BaseException) -> str:
    """The first line of what an error says, and the items of the list that follows, if one does."""
    items = [line.strip() for line in str(error).splitlines()[1:] if line.strip().startswith("- ")]
    return "\n  ".join([first_line(error), *items])


class CallForm(NamedTuple):
    """How a model is called: what an exported program says of it, without its weights.

    Attributes:
        in_spec: The structure of its arguments.
        out_spec: The structure of its result.
        names: The names of its arguments, those that are given by position first.
    """

    in_spec: Any
    out_spec: Any
    names: list[str]


def call_form(exported: ExportedProgram) -> CallForm:
    """How the model of an exported program is called."""
    spec = exported.call_spec
    return CallForm(spec.in_spec, spec.out_spec, input_names(exported))


def input_leaves(
    form: CallForm, arguments: Sequence[object], keywords: Mapping[str, object]
) -> list[object] | None:
    """The leaves of the arguments of a model; None if they have another structure.

    Positional arguments of the model may be given by name.
    """
    trees = pytree()
    expected = form.in_spec
    positional, named = child_of(expected, 0).num_children, child_of(expected, 1).context
    rest = form.names[len(arguments) : positional]
    if set(named) | set(rest) != set(keywords):
        return None
    every = (*arguments, *[keywords[name] for name in rest])
    leaves, spec = trees.tree_flatten((every, {name: keywords[name] for name in named}))
    return leaves if spec == expected else None


def child_of(spec: Any, number: int) -> Any:
    """A part of the structure of a tree; ``child`` exists since 2.9."""
    return spec.child(number) if hasattr(spec, "child") else spec.children_specs[number]


def input_names(exported: ExportedProgram) -> list[str]:
    """The names of the arguments of a model, those that are given by position first."""
    signature = exported.module_call_graph[0].signature
    return list(getattr(signature, "forward_arg_names", None) or ())


def result_tree(form: CallForm, leaves: Sequence[object]) -> Any:
    """The result of a model from its leaves."""
    trees = pytree()
    return trees.tree_unflatten(list(leaves), form.out_spec)


def result_paths(exported: ExportedProgram) -> list[str]:
    """Where each leaf of a model's result stands, as in ``result['logits'][0]``.

    ``keystr`` exists since 2.2; trees of some classes have no paths.
    """
    trees = pytree()
    spec = exported.call_spec.out_spec
    leaves = [np.empty(0)] * spec.num_leaves
    try:
        paths = trees.tree_flatten_with_path(trees.tree_unflatten(leaves, spec))[0]
    except ValueError:
        return [f"result[{number}]" for number in range(len(leaves))]
    return [f"result{trees.keystr(path)}" for path, _ in paths]


def records_gradients() -> bool:
    """Whether PyTorch records operations for gradients."""
    return bool(torch_module().is_grad_enabled())


def matmul_precision() -> str:
    """How products of matrices in f32 round operands, by ``set_float32_matmul_precision``."""
    return str(torch_module().get_float32_matmul_precision())


def parameters_of(graph: Any, inputs: Sequence[Any]) -> list[TorchTensor]:
    """The parameters and buffers of a graph of TorchDynamo: its own, and among its arguments.

    Placeholders of buffers carry ``_dynamo_static_input_type`` since 2.5.
    """
    torch = torch_module()
    placeholders = [node for node in graph.graph.nodes if node.op == "placeholder"]
    return [
        *graph.parameters(),
        *graph.buffers(),
        *(
            value
            for node, value in zip(placeholders, inputs, strict=False)
            if isinstance(value, torch.nn.Parameter)
            or node.meta.get("tensor_dict", {}).get("_dynamo_static_input_type")
        ),
    ]


def written_arguments() -> frozenset[int]:
    """The arguments that the graph that is being compiled writes, by position.

    ``fw_metadata`` of the context of tracing exists since 2.0, ``mutates_data`` since 2.1.
    """
    context = private("torch._guards", "TracingContext").try_get()
    metadata = None if context is None else context.fw_metadata
    rows: Sequence[Any] = [] if metadata is None else metadata.input_info
    return frozenset([i for i, row in enumerate(rows) if row.mutates_data])


def overwritten_arguments() -> Sequence[int]:
    """The arguments whose new values are the first results of the graph that is being compiled.

    ``mutated_inp_runtime_indices`` exists since 2.1; tokens, which exist since 2.3, come before.
    """
    context = private("torch._guards", "TracingContext").try_get()
    metadata = None if context is None else context.fw_metadata
    if metadata is None or getattr(metadata, "tokens", None):
        return ()
    return tuple(getattr(metadata, "mutated_inp_runtime_indices", ()))


def forward_results() -> int:
    """How many results of the forward graph that is being compiled are not kept for gradients.

    ``num_forward_returns`` exists since 2.0.
    """
    context = private("torch._guards", "TracingContext").try_get()
    metadata = None if context is None else context.fw_metadata
    return int(getattr(metadata, "num_forward_returns", 0))


def version_of(tensor: Any) -> int:
    """How often operators of PyTorch have written a tensor; 0 if that is not counted."""
    return 0 if tensor.is_inference() else int(tensor._version)


def thread_count() -> int:
    """How many threads PyTorch may use for an operator."""
    return int(torch_module().get_num_threads())


def random_key() -> TorchTensor:
    """A tensor with 64 bits from the generator that ``torch.manual_seed`` seeds."""
    torch = torch_module()
    key: TorchTensor = torch.randint(-(2**63), 2**63 - 1, (), dtype=torch.int64)
    return key


def scalar_tensor(value: object) -> TorchTensor:
    """A number as a tensor of 64 bits."""
    torch = torch_module()
    element = torch.float64 if isinstance(value, float) else torch.int64
    tensor: TorchTensor = torch.tensor(value, dtype=element)
    return tensor


def empty_token() -> TorchTensor:
    """The token that orders operators with effects: a tensor without elements."""
    token: TorchTensor = torch_module().empty(0)
    return token


def dtype_of(element: ElementType) -> object:
    """The ``torch.dtype`` of an element type."""
    dtype: object = getattr(torch_module(), NAMES[element])
    return dtype


def empty_strided() -> Any:
    """The function that allocates a tensor of sizes, strides and an element type.

    ``_empty_strided_cpu``, which PyTorch's own compiled code calls, exists since 2.2.
    """
    return private("torch._C._dynamo.guards", "_empty_strided_cpu")


def exchange_functions() -> object:
    """The capsule with the functions of DLPack's C exchange API; None before 2.10."""
    return getattr(torch_module().Tensor, "__dlpack_c_exchange_api__", None)


def example_of(value: SymbolicNumber, symbol: object) -> int | None:
    """The size that a symbol of a ``SymInt`` has in the example; None if it has none."""
    example = examples_of(value).get(symbol)
    return None if example is None or not example.is_Integer else int(example)


def example_size(size: TorchSize) -> int | None:
    """An ``int``, or the number that a ``SymInt`` has in the example; None if it has none.

    ``int(size)`` would be a guard: other sizes would be compiled again.
    """
    if isinstance(size, int):
        return size
    number = size.node.expr.xreplace(examples_of(size))
    return int(number) if number.is_Integer else None


def likely_size(size: TorchSize) -> int:
    """The number of a size in the example, in which sizes that depend on values are large."""
    if isinstance(size, int):
        return size
    number = size.node.expr.xreplace(examples_of(size))
    return int(number.xreplace(dict.fromkeys(number.free_symbols, LARGE_SIZE)))


def examples_of(value: SymbolicNumber) -> Mapping[object, SympyExpression]:
    """The numbers of the symbols of a ``SymInt`` in the example.

    ``backed_var_to_val`` is called ``var_to_val`` before 2.10.
    """
    environment = value.node.shape_env
    examples = getattr(environment, "backed_var_to_val", None)
    found: Mapping[object, SympyExpression] = (
        getattr(environment, "var_to_val") if examples is None else examples  # noqa: B009
    )
    return found


def fix_size(size: Any) -> int:
    """The number of a symbolic size in the example: other sizes are compiled again.

    TorchDynamo checks what is asked of sizes while its graphs are compiled.
    """
    return int(size)


def bounds_of(value: SymbolicNumber, symbol: object) -> tuple[int, int]:
    """The least and the largest number that a symbol of a ``SymInt`` may be.

    ``var_to_range`` exists since 2.0; its bounds may be infinite.
    """
    known = value.node.shape_env.var_to_range.get(symbol)
    if known is None:
        return -LARGEST, LARGEST
    return finite_bounds(known)


def finite_bounds(known: SymbolRange) -> tuple[int, int]:
    """The bounds of a range, of which infinite ones are the largest integers."""
    return int(max(known.lower, -LARGEST)), int(min(known.upper, LARGEST))


def finite_size(size: Any) -> int | None:
    """The largest number of a size; None if it is infinite."""
    return int(size) if size < LARGEST else None


def size_constraints(exported: ExportedProgram) -> dict[str, tuple[int, int]]:
    """The least and the largest number of each symbol of an exported program, by its text."""
    return {str(key): finite_bounds(known) for key, known in exported.range_constraints.items()}


def array_of_tensor(tensor: Any) -> Array:
    """A tensor as an array, which shares its elements if they lie in order.

    Graphs are compiled while fake tensors are on, which real ones must not meet
    (``unset_fake_temporarily`` exists since 2.1).
    """
    with private("torch._subclasses.fake_tensor", "unset_fake_temporarily")():
        return array_of_real_tensor(tensor)


def shared_constant(tensor: TorchTensor) -> Array:
    """A tensor as a read-only array, of which a program therefore makes no copy."""
    view = array_of_tensor(tensor).view()
    view.flags.writeable = False
    return view


def array_of_real_tensor(tensor: TorchTensor) -> Array:
    """The same where fake tensors are off."""
    torch = torch_module()
    dense = tensor.detach().resolve_conj().resolve_neg().contiguous()
    dense = dense.to(torch.complex64) if dense.dtype == torch.complex32 else dense
    name = str(dense.dtype).removeprefix("torch.")
    if name not in VIEWS:
        return dense.numpy()
    bits, dtype = dense.view(getattr(torch, VIEWS[name])).numpy(), storage(name)
    assert dtype is not None
    return bits.view(dtype)


def array_of_argument(value: Any, name: str) -> object:
    """An argument of a program, of which a tensor becomes an array without gradients.

    Raises:
        UnsupportedError: It is a tensor that no program has.
    """
    if not isinstance(value, torch_module().Tensor):
        return value
    reject_tensors([(name, value)])
    if type(value) is private("torch._subclasses.fake_tensor", "FakeTensor"):
        raise UnsupportedError(f"{name} is a fake tensor, which has no elements to compute with")
    if value.dtype == torch_module().complex32:
        value = parts_of(value.detach().resolve_conj())
    return array_of_real_tensor(value)


def parts_of(tensor: object) -> TorchTensor:
    """The parts of complex numbers as a last dimension."""
    parts: TorchTensor = torch_module().view_as_real(tensor)
    return parts


def complex_of(parts: TorchTensor) -> TorchTensor:
    """Complex numbers whose parts are a last dimension; those without elements lie anyhow."""
    torch = torch_module()
    if parts.stride(-1) != 1:
        parts = parts.clone(memory_format=torch.contiguous_format)
    numbers: TorchTensor = torch.view_as_complex(parts)
    return numbers


def tensor_of_array(array: Array) -> TorchTensor:
    """An array as a tensor, which shares its elements if they can be written."""
    torch = torch_module()
    array = np.ascontiguousarray(array).reshape(array.shape)
    array = array if array.flags.writeable else array.copy()
    name = array.dtype.name
    if name in VIEWS:
        bits: TorchTensor = torch.from_numpy(array.view(VIEWS[name]))
        return with_strides(bits.view(getattr(torch, name)))
    return with_strides(torch.from_numpy(array))


def with_strides(tensor: Any) -> TorchTensor:
    """A tensor of an array; one without elements, whose strides are zero in NumPy, is a new one."""
    result: TorchTensor = tensor if tensor.numel() else tensor.new_empty(tensor.shape)
    return result
