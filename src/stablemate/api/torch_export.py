"""Modules and exported programs of PyTorch as programs.

Source: PyTorch, torch.export.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from reprlib import repr
from typing import Any, Final, Literal, cast

import numpy as np

from stablemate.api.known_programs import FORGOTTEN_BYTES
from stablemate.api.module import Module
from stablemate.api.program import Function, UnreadProgram
from stablemate.api.runnable import Runnable
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    ParseError,
    StablemateError,
    UnsupportedError,
)
from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.execution.executable import Executable
from stablemate.formats.torch_errors import first_line, reading_fault
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.decompositions import export_decompositions
from stablemate.frontends.torch.fx import ExportedProgram, TorchTensor
from stablemate.frontends.torch.importer import (
    ImportedProgram,
    ImportedResult,
    ImportOptions,
    import_graph,
)
from stablemate.frontends.torch.recurrent_layers import replaced_layers
from stablemate.frontends.torch.trees import register_classes
from stablemate.frontends.torch.varying_sizes import (
    VaryingDimension,
    VaryingSizes,
    declared_dims,
    reject_dimensions,
    varying_sizes,
)
from stablemate.numerics.elements import Array
from stablemate.transforms.pass_pipeline import steps_of

Weights = Literal["constants", "argument"]
LARGE_BYTES: Final = 1 << 16  # of a constant that is worth a place in a file
STATE: Final = ("PARAMETER", "BUFFER", "CONSTANT_TENSOR")
WITHOUT_CHLO: Final = "chlo-legalize-to-stablehlo"
RUN_OPTIONS: Final = frozenset(Runnable.run.__kwdefaults__ or ())
CALL_OPTIONS: Final = frozenset(Executable.__call__.__kwdefaults__ or ())
NO_ELEMENTS: Final = np.empty(0, np.float32)  # of a token, which orders operators with effects
UPDATES: Final = ("BUFFER_MUTATION", "PARAMETER_MUTATION", "USER_INPUT_MUTATION")


@pytorch.known_version()
def from_torch(
    model: object, *arguments: object, kwargs: Mapping[str, object] | None = None,
    dynamic_shapes: object = None, weights: Weights = "constants", updates: bool = False,
    strict: bool = False,
) -> TorchModule:  # fmt: skip
    """The program of a module or function of PyTorch.

    It is called as the module is, with arrays in place of tensors: ``m.run(*arguments)`` gives
    what the module returns. Tensors are taken, too, without their gradients. With
    ``weights="argument"`` its first argument is a dictionary of its parameters and buffers, by the
    names that ``state_dict`` has; else they are constants of the program. Random numbers come from
    the ``seed`` of a run.

    Args:
        model: A ``torch.nn.Module``, exported in the mode it is in (``eval()`` or ``train()``), a
            function of tensors, or what ``torch.export.export`` returned.
        *arguments: Example inputs; a single tuple is a tuple of inputs, as for ``torch.export``.
        kwargs: Example inputs by name.
        dynamic_shapes: The sizes that may vary, as for ``torch.export``.
        weights: Whether weights are constants, or an argument.
        updates: Whether what the module writes into its buffers and arguments is a result: ``run``
            returns what the module returns, and a dictionary of new values by name. Otherwise it
            is dropped.
        strict: Whether ``torch.export`` traces with TorchDynamo.

    Raises:
        UnsupportedError: PyTorch is not installed or too old, ``torch.export`` cannot export the
            model, an operator has no translation, or a tensor is sparse, nested or on another
            device.
        ArgumentTypeError: The model is no module and no function, or ``kwargs`` or
            ``dynamic_shapes`` are of another type.
        ArgumentValueError: ``weights`` has another value, or ``dynamic_shapes`` has an entry for a
            dimension that a tensor lacks.
    """
    if weights not in ("constants", "argument"):
        raise ArgumentValueError(f'weights are "constants" or "argument", not {weights!r}')
    inputs = inputs_of(arguments)
    if pytorch.is_exported_program(model):
        if inputs or kwargs:
            raise ArgumentTypeError("an exported program has its example inputs already")
        return module_of(model, decompose(model), weights, updates=updates)
    if isinstance(model, type):
        raise ArgumentTypeError(f"from_torch takes a module, not the class {model.__name__}")
    if not callable(model):
        raise ArgumentTypeError(f"from_torch takes a module or a function, not {repr(model)}")
    if not isinstance(cast(object, kwargs), Mapping | None):
        raise ArgumentTypeError(f"kwargs is a dictionary of inputs by name, not {repr(kwargs)}")
    if not is_declaration_of_shapes(dynamic_shapes):
        raise ArgumentTypeError(
            "dynamic_shapes is a dictionary, a tuple or a list with an entry for each input, not "
            f"{repr(dynamic_shapes)}"
        )
    call = getattr(model, "forward", model)
    try:
        exported, core = trace_model(model, inputs, kwargs or {}, dynamic_shapes, strict=strict)
    except UnsupportedError:
        reject_dimensions(call, inputs, kwargs or {}, dynamic_shapes)
        raise
    dims = declared_dims(call, inputs, kwargs or {}, dynamic_shapes) if dynamic_shapes else ()
    return module_of(exported, core, weights, updates=updates, dims=list(dims))


def trace_model(
    model: object, inputs: Sequence[object], keywords: Mapping[str, object],
    dynamic_shapes: object, *, strict: bool,
) -> tuple[ExportedProgram, ExportedProgram]:  # fmt: skip
    """The exported program of a module or function, and the same whose operators have translations.

    PyTorch cannot export most functions that enter transforms of ``torch.func`` as they are called;
    these are traced again, below the transforms.

    Raises:
        UnsupportedError: PyTorch cannot export it.
    """

    def programs(*, applies_transforms: bool) -> tuple[ExportedProgram, ExportedProgram]:
        exported = pytorch.export(
            model, tuple(inputs), dict(keywords), dynamic_shapes=dynamic_shapes, strict=strict,
            register=register_classes, replacement=replaced_layers(),
            applies_transforms=applies_transforms,
        )  # fmt: skip
        return exported, decompose(exported)

    with pytorch.entered_transforms() as transforms:
        try:
            return programs(applies_transforms=False)
        except UnsupportedError:
            if strict or not transforms:
                raise
            with suppress(UnsupportedError):
                return programs(applies_transforms=True)
            raise


def is_declaration_of_shapes(value: object) -> bool:
    """Whether ``torch.export`` may take it for sizes that vary, or it collects them."""
    return isinstance(value, Mapping | Sequence | None) or hasattr(value, "dynamic_shapes")


def decompose(exported: ExportedProgram) -> ExportedProgram:
    """An exported program whose operators have translations.

    Raises:
        UnsupportedError: PyTorch cannot decompose it, or it holds tensors that no program has.
    """
    reject_held_tensors(exported)
    try:
        with pytorch.closed_transforms():
            return exported.run_decompositions(export_decompositions())
    except StablemateError:
        raise
    except Exception as error:
        kind, text = type(error).__name__, first_line(error)
        raise UnsupportedError(
            f"torch.export cannot decompose this program: {kind}: {text}"
        ) from error


def reject_held_tensors(exported: ExportedProgram) -> None:
    """Refuses weights and constants that no program has.

    Raises:
        UnsupportedError: One is sparse, nested or on another device.
    """
    constants = [(f"the constant {name}", value) for name, value in exported.constants.items()]
    pytorch.reject_tensors([*exported.state_dict.items(), *constants])


def inputs_of(arguments: tuple[object, ...]) -> Sequence[object]:
    """Example inputs; a single tuple is a tuple of inputs."""
    nested: object = arguments[0] if len(arguments) == 1 else None
    if type(nested) is not tuple:
        return arguments
    return cast("Sequence[Any]", nested)


@pytorch.known_version()
def load_exported(content: bytes | memoryview[int], name: str) -> TorchModule:
    """The program that ``torch.export.save`` wrote (``.pt2``), which shares the weights read.

    Args:
        content: The bytes of the file.
        name: What messages call it.

    Raises:
        UnsupportedError: PyTorch is not installed or too old, or an operator has no translation.
        ParseError: The file is damaged, or of a newer version.
    """
    exported = pytorch.load_exported(content, name)
    reject_held_tensors(exported)
    try:
        core = exported.run_decompositions(export_decompositions())
        return module_of(exported, core, shares_weights=True)
    except StablemateError:
        raise
    except Exception as error:  # of a graph that PyTorch read, though it is none that it writes
        raise ParseError(
            f"{name}: the exported program is damaged: {reading_fault(error)}"
        ) from error


def module_of(
    exported: ExportedProgram, core: ExportedProgram, weights: Weights = "constants", *,
    updates: bool = False, shares_weights: bool = False,
    dims: Sequence[Mapping[int, object]] = (),
) -> TorchModule:  # fmt: skip
    """The module of an exported program.

    Args:
        exported: The program.
        core: The same, decomposed.
        weights: Whether weights are constants, or an argument.
        updates: Whether what the model writes is a result.
        shares_weights: Whether nobody writes the weights, so that constants are no copies of them.
        dims: Each ``torch.export.Dim`` by dimension, for each leaf of its inputs.
    """
    inputs = input_rows(core)
    state = {row.name: state_tensor(core, row) for row in inputs if row.kind in STATE}
    array_of = pytorch.shared_constant if shares_weights else pytorch.array_of_tensor
    constants = {name: array_of(tensor) for name, tensor in state.items() if weights == "constants"}
    if not shares_weights:
        constants |= set_aside(constants)
    tokens = {row.name: NO_ELEMENTS for row in inputs if row.kind == "TOKEN"}
    names = result_names(exported, core)
    written = updated_names(core) if updates else dict[int, str]()
    options = ImportOptions(
        constants={**constants, **tokens},
        names={row.name: row.target or row.name for row in inputs},
        kept_results=[*names, *written],
        result_names={**names, **written},
    )
    program = import_graph(core.graph_module, options)
    sizes = sizes_of(program, core, inputs, dims)
    return TorchModule(program, exported, core, weights, list(written.values()), sizes)


def set_aside(constants: Mapping[str, Array]) -> Mapping[str, Array]:
    """Copies of large constants, which whoever gave them may write; not in memory until read."""
    large = {name: array for name, array in constants.items() if array.nbytes >= LARGE_BYTES}
    if os.name != "posix" or sum(array.nbytes for array in large.values()) <= FORGOTTEN_BYTES:
        return {}
    from stablemate.compiler.config.disk_cache import cache  # of large models

    copies = cache().set_aside(list(large.values()))
    return {} if copies is None else dict(zip(large, copies, strict=True))


def sizes_of(
    program: ImportedProgram, core: ExportedProgram, inputs: Sequence[InputRow],
    dims: Sequence[Mapping[int, object]],
) -> VaryingSizes:  # fmt: skip
    """The sizes of a program that vary."""
    users = [row.name for row in inputs if row.kind == "USER_INPUT"]
    declared = {
        (name, number): dim
        for name, by_number in zip(users, dims, strict=False)
        for number, dim in by_number.items()
    }
    dimensions = [
        VaryingDimension(place, inputs[row.position].name, number, *line)
        for place, row in enumerate(program.arguments)
        for number, line in row.lines.items()
    ]
    return varying_sizes(dimensions, pytorch.size_constraints(core), declared)


def result_names(exported: ExportedProgram, core: ExportedProgram) -> Mapping[int, str]:
    """The names of what a model returns, by the numbers of results of its graph."""
    results = core.graph_signature.output_specs
    numbers = [i for i, result in enumerate(results) if result.kind.name == "USER_OUTPUT"]
    return dict(zip(numbers, pytorch.result_paths(exported), strict=True))


def updated_names(core: ExportedProgram) -> Mapping[int, str]:
    """The names of buffers and arguments that a model writes, by the numbers of new values."""
    results = core.graph_signature.output_specs
    return {i: str(row.target) for i, row in enumerate(results) if row.kind.name in UPDATES}


@dataclass(frozen=True, slots=True)
class InputRow:
    """A placeholder of an exported program.

    Attributes:
        name: Its name in the graph.
        kind: ``PARAMETER``, ``BUFFER``, ``CONSTANT_TENSOR``, ``USER_INPUT``, ``TOKEN``.
        target: The name of a parameter or buffer; None of an input.
    """

    name: str
    kind: str
    target: str | None


def input_rows(exported: ExportedProgram) -> list[InputRow]:
    """The placeholders of an exported program, in order."""
    return [
        InputRow(spec.arg.name, spec.kind.name, spec.target)
        for spec in exported.graph_signature.input_specs
    ]


def state_tensor(exported: ExportedProgram, row: InputRow) -> TorchTensor:
    """The tensor of a parameter, buffer or constant."""
    assert row.target is not None, "what is held has a name"
    if row.target in exported.state_dict:
        return exported.state_dict[row.target]
    return exported.constants[row.target]


class TorchModule(Module):
    """The program of an exported program, which is called as the model is.

    Attributes:
        program: What each argument and result of ``main`` is.
        form: How the model is called.
        state: The values of parameters and buffers by name, if they are the first argument.
        updated: The names of buffers and arguments whose new values are results.
        sizes: The sizes that vary.
    """

    def __init__(
        self, program: ImportedProgram, exported: ExportedProgram, core: ExportedProgram,
        weights: Weights, updated: Sequence[str], sizes: VaryingSizes,
    ) -> None:  # fmt: skip
        super().__init__(program.module, "torch")
        self.program = program
        self._torch_program: ExportedProgram | None = exported
        self.form = pytorch.call_form(exported)
        self.inputs = input_rows(core)
        self.takes_state = weights == "argument"
        self.updated = updated
        self.sizes = sizes
        self.state: dict[str, Array] = {
            str(row.target): pytorch.array_of_tensor(state_tensor(core, row))
            for row in self.inputs
            if self.takes_state and row.kind in STATE
        }

    @property
    def torch_program(self) -> ExportedProgram:
        """What ``torch.export`` returned; that of a large file is read again."""
        if self._torch_program is None:
            assert self.unread is not None
            self._torch_program = cast("TorchModule", self.unread.program).torch_program
        return self._torch_program

    def forget(self, unread: UnreadProgram) -> None:
        """Drops what was read, with the weights of PyTorch; see ``Program``."""
        self.unread = unread  # first: other threads may ask for what is dropped
        self._torch_program = None
        self.program = replace(self.program, module=unread.declarations)
        super().forget(unread)
        if not self.is_unread:
            self.program = replace(self.program, module=self.ir)

    def to_artifact(
        self, version: str = "12 weeks", *, mixed: bool = False, expand: bool = False
    ) -> bytes:
        """The program as a portable artifact, its operations of CHLO as those of StableHLO.

        Args:
            version: As for ``Module.to_artifact``.
            mixed: Whether operations of CHLO stay, which few readers know.
            expand: As for ``Module.to_artifact``.
        """
        if mixed:
            return super().to_artifact(version, mixed=True, expand=expand)
        (legalization,) = steps_of(WITHOUT_CHLO)
        rewritten = Module(legalization.run(self.ir), self.format)
        return rewritten.to_artifact(version, expand=expand)

    def run(
        self, *arguments: object, keywords: Mapping[str, object] | None = None, **options: Any
    ) -> Any:
        """Runs ``main`` as the model is called, or another function.

        Args:
            *arguments: What the model takes: trees of arrays; or the arguments of the function.
            keywords: Arguments by name, if the model calls them as an option is called.
            **options: Other arguments by name, and what ``Runnable.run`` takes.
        """
        named = {name: options.pop(name) for name in [*options] if name not in RUN_OPTIONS}
        return super().run(*arguments, keywords={**named, **(keywords or {})}, **options)

    def called_by(self, function: Function, executable: Executable) -> Executable:
        """The executable, called as the model is."""
        is_same = self.is_unread or self.ir is self.program.module
        is_main = function.own_signature.name == "main" and is_same
        return TorchExecutable(self, executable) if is_main else executable


class TorchExecutable(AdaptedExecutable):
    """An exported program, called as the model, or with the arguments of ``main``."""

    accepts_keywords = True

    def __init__(self, module: TorchModule, program: Executable) -> None:
        super().__init__(program.signature, program)
        self.module = module

    def __call__(
        self, *arguments: object, keywords: Mapping[str, object] | None = None, seed: int = 0,
        **options: object,
    ) -> Any:  # fmt: skip
        """Runs the program as the model is called.

        Args:
            *arguments: What the model takes: trees of arrays; or the arguments of ``main``.
            keywords: The arguments by name.
            seed: Where random numbers come from.
            **options: What ``Executable`` takes.

        Returns:
            What the model returns, with arrays in place of tensors; and the new values of what it
            writes, by name, if these are results.

        Raises:
            ArgumentError: An argument does not fit, or has a size that is not allowed.
        """
        named = {name: options.pop(name) for name in [*options] if name not in CALL_OPTIONS}
        values = self.arrays(self.main_arguments(arguments, {**named, **(keywords or {})}))
        self.module.sizes.check(values)
        if self.module.program.is_random and len(values) < len(self.signature.arguments):
            values.append(np.int64(seed))
        outcome = self.call_flat(*values, seed=seed, **options)
        single = len(self.signature.results) == 1
        return self.tree_of([outcome] if single else list(outcome or ()))

    def arrays(self, values: Sequence[object]) -> list[object]:
        """The arguments of ``main``, of which tensors become arrays.

        Raises:
            UnsupportedError: A tensor is sparse, nested or on another device.
        """
        names = [argument.name for argument in self.signature.arguments]
        pairs = zip(names, values, strict=False)
        first = [pytorch.array_of_argument(value, f"the argument {name}") for name, value in pairs]
        return [*first, *values[len(first) :]]

    def call_flat(self, *arguments: object, **options: Any) -> Any:
        """Runs ``main`` with its own arguments, and returns its own results."""
        return super().__call__(*arguments, **options)

    def main_arguments(
        self, arguments: Sequence[object], keywords: Mapping[str, object]
    ) -> Sequence[object]:
        """The arguments of ``main`` for those of the model."""
        module = self.module
        state: Any = arguments[0] if module.takes_state and arguments else {}
        rest = arguments[1:] if module.takes_state else arguments
        leaves = pytorch.input_leaves(module.form, rest, keywords)
        if leaves is None:
            is_flat = not any(
                isinstance(value, Mapping) for value in (keywords or None, *arguments)
            )
            if not is_flat or len(arguments) != len(self.signature.arguments):
                names = ", ".join(row.name for row in module.inputs if row.kind == "USER_INPUT")
                raise ArgumentValueError(
                    "the arguments have another structure than the example inputs of the model, "
                    f"{names or 'which takes none'}"
                )
            return arguments
        given = iter(leaves)
        values = [next(given) if row.kind == "USER_INPUT" else None for row in module.inputs]
        return [
            values[row.position]
            if module.inputs[row.position].kind == "USER_INPUT"
            else self.state_value(state, module.inputs[row.position])
            for row in module.program.arguments
        ]

    def state_value(self, state: Mapping[str, object], row: InputRow) -> object:
        """The value of a parameter or buffer: the given one, or for constants the model's own."""
        name = str(row.target)
        if name in state:
            return state[name]
        if row.kind == "CONSTANT_TENSOR":
            return self.module.state[name]
        raise ArgumentValueError(f"the first argument has no value for {row.target!r}")

    def tree_of(self, results: Sequence[object]) -> object:
        """The result of the model, from the results of ``main``."""
        leaves = [leaf_of(row, results) for row in self.module.program.results]
        names = self.module.updated
        returned = leaves[: len(leaves) - len(names)]
        result = pytorch.result_tree(self.module.form, returned)
        return (result, dict(zip(names, leaves[len(returned) :], strict=True))) if names else result

    def program_arguments(self, values: Sequence[object]) -> Sequence[object]:
        """The arguments of ``main``, which are those of the call."""
        return values

    def caller_results(self, results: Sequence[object]) -> Sequence[object]:
        """The results of ``main``, which the caller gets as they are."""
        return results


def leaf_of(row: ImportedResult, results: Sequence[Any]) -> object:
    """A leaf of the result of a model: an array, a number of Python, or what is no tensor."""
    if row.position is None:
        return row.value
    result = results[row.position]
    return result.item() if row.is_number else result
