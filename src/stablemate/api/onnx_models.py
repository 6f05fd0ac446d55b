"""Models of ONNX as programs: one for all sizes where that can be, else one for what it is given.

Source: ONNX, Intermediate Representation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import numpy as np

from stablemate import analysis
from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.known_programs import declarations_of
from stablemate.api.module import Module
from stablemate.api.program import UnreadProgram
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EvaluationError,
    StablemateError,
    UnsupportedError,
    VerifyError,
)
from stablemate.diagnostics.limits import Limits
from stablemate.execution.executable import Executable
from stablemate.formats.mapped_files import release_pages
from stablemate.formats.source_digest import digest_of
from stablemate.frontends.onnx import onnx_package
from stablemate.frontends.onnx.call import ValueNeededError
from stablemate.frontends.onnx.element_types import STRING, known_element
from stablemate.frontends.onnx.importer import (
    TYPICAL,
    ImportedProgram,
    ImportOptions,
    InputType,
    Structure,
    TensorInput,
    import_model,
    size_name,
)
from stablemate.frontends.onnx.known_inputs import KnownInputs
from stablemate.frontends.onnx.model import Dimension, Graph, Model, ValueInfo
from stablemate.frontends.onnx.summary import facts_of
from stablemate.frontends.onnx.text_tensors import MapPlace, StringTable, TextPlace
from stablemate.frontends.tensor_functions.programs import as_list
from stablemate.numerics.elements import Array, element_of_dtype
from stablemate.numerics.symbolic_sizes import SMALLEST

if TYPE_CHECKING:
    from stablemate.analysis.profile import Profile

Feed: TypeAlias = Any  # array | list of feeds | None
MOST_PROGRAMS: Final = 64  # that a model keeps, each for other sizes or values
LARGER: Final = (64, 256)  # typical sizes into which windows over images and over sound fit


@dataclass(frozen=True, slots=True)
class ImportedModel:
    """A model as a program.

    Attributes:
        model: The model.
        program: What each argument and result of ``main`` is.
        options: How it was imported.
    """

    model: Model
    program: ImportedProgram
    options: ImportOptions


class OnnxModule(Module):
    """The program of a model."""

    def __init__(
        self, model: Model, program: ImportedProgram, options: ImportOptions | None = None
    ) -> None:
        super().__init__(program.module, "onnx")
        self._imported: ImportedModel | None = ImportedModel(
            model, program, options or ImportOptions()
        )

    @classmethod
    def of_unread(cls, unread: UnreadProgram) -> OnnxModule:
        """The program of a model that is not read yet."""
        module = cls.__new__(cls)
        Module.__init__(module, None, unread.format, unread=unread)
        module._imported = None
        return module

    def forget(self, unread: UnreadProgram) -> None:
        """Drops what was read, with the model; see ``Program``."""
        imported = self.imported
        self.unread = unread  # first: other threads may ask for what is dropped
        self._imported = None
        model, options = imported.model, imported.options
        program = replace(imported.program, module=unread.declarations)
        del imported
        super().forget(unread)
        if not self.is_unread:
            self._imported = ImportedModel(model, replace(program, module=self.ir), options)

    @property
    def imported(self) -> ImportedModel:
        """The model and how it was imported; it is read now if it has not been."""
        if self._imported is None:
            assert self.unread is not None
            self._imported = cast("OnnxModule", self.unread.program).imported
        return self._imported

    @property
    def model(self) -> Model:
        """The model."""
        return self.imported.model

    @property
    def program(self) -> ImportedProgram:
        """What each argument and result of ``main`` is."""
        return self.imported.program

    @property
    def options(self) -> ImportOptions:
        """How it was imported."""
        return self.imported.options

    @property
    def weights(self) -> dict[str, Array]:
        """The weights that are arguments, after the inputs, by their names in the model."""
        stored = self.model.graph.initializers
        return {name: stored[name].read() for name in self.program.weights}

    def with_weights_as_arguments(self) -> OnnxModule:
        """The program whose weights are arguments with their names, after the inputs.

        Initializers of integers, and scalars, stay constants: shapes and axes depend on them.
        """
        options = replace(self.options, weights_are_arguments=True)
        return OnnxModule(self.model, import_model(self.model, options), options)

    def with_sizes(self, sizes: Mapping[str, int]) -> OnnxModule:
        """The program for some of the sizes that the model leaves open, by their names.

        Raises:
            ArgumentError: It has no such size.
        """
        for name in sizes:
            require_named(name, "size that it leaves open", self.program.sizes)
        options = replace(self.options, sizes={**self.options.sizes, **sizes})
        return OnnxModule(self.model, import_model(self.model, options), options)

    def contents(self) -> analysis.Contents:
        """The contents of the model, and its metadata: see ``Module.contents``."""
        return replace(super().contents(), facts=facts_of(self.model))


def load_model(
    content: bytes | memoryview[int], name: str, folder: Path | None,
    inputs: KnownInputs | None = None,
) -> OnnxModule:  # fmt: skip
    """The program of a model (``.onnx``), for all sizes that it leaves open.

    Args:
        content: The bytes of the file.
        name: What messages call it.
        folder: Where its external data are; None if it has none.
        inputs: What is known of its inputs.

    Raises:
        UnsupportedError: The package onnx is not installed, or an operator has no translation.
        ParseError: The file is damaged.
        VerifyError: A shape contradicts the one that the model declares.
        FileError: External data cannot be read.
        ArgumentError: It has no such size or input, or a value does not fit.
    """
    model = onnx_package.read_model(content, name, folder)
    inputs = inputs or KnownInputs()
    options = options_of(model, inputs)
    while True:
        try:
            return module_of(model, options)
        except ValueNeededError as error:
            found = needed_values(model, inputs, {*error.names} - options.values.keys())
            if not found:
                raise with_advice(error) from error.__cause__
            options = replace(
                options, values={**options.values, **found},
                passed=frozenset({*options.passed, *found}),
            )  # fmt: skip


def module_of(model: Model, options: ImportOptions) -> OnnxModule:
    """The program of a model, for larger typical sizes if windows do not fit into small ones.

    Raises:
        StablemateError: It has none for either.
    """
    try:
        return OnnxModule(model, import_model(model, options), options)
    except UnsupportedError:
        for size in LARGER if open_sizes(model) - options.sizes.keys() else ():
            larger = replace(options, typical_size=size)
            try:
                return OnnxModule(model, import_model(model, larger), larger)
            except StablemateError:
                continue
        raise


def with_advice(error: ValueNeededError) -> ValueNeededError:
    """An error about values that are needed, which says how they are given."""
    if not error.names:
        return error
    name = error.names[0]
    advice = (
        f"--value={name}=VALUE, or an --input of a run, gives the value; in Python "
        f'stablemate.load(..., values={{"{name}": VALUE}})'
    )
    *others, last = error.diagnostics
    note = Diagnostic(advice, severity="note")
    return error.about([*others, replace(last, notes=(*last.notes, note))])


def options_of(model: Model, inputs: KnownInputs) -> ImportOptions:
    """How a model is imported of whose inputs something is known.

    Raises:
        ArgumentError: It has no such size or input, or a value does not fit.
    """
    declared = inputs_of(model)
    for name in inputs.sizes:
        require_named(name, "size that it leaves open", open_sizes(model))
    for name in inputs.names:
        require_named(name, "input", [value.name for value in declared])
    values = {
        value.name: checked_feed(value, inputs.value(value, i))
        for i, value in enumerate(declared)
        if value.name in inputs.names
    }
    return ImportOptions(values, sizes=inputs.sizes)


def open_sizes(model: Model) -> set[str]:
    """The names of the sizes that a model leaves open."""
    return {
        size_name(size, value.name, i)
        for value in inputs_of(model)
        for i, size in enumerate(value.type.shape or ())
        if not isinstance(size, int)
    }


def require_named(name: str, what: str, names: Collection[str]) -> None:
    """Rejects a name that is none of these.

    Raises:
        ArgumentValueError: It is none of them.
    """
    if name not in names:
        known = ", ".join(sorted(names)) or "none"
        raise ArgumentValueError(f"the model has no {what} called {name!r}: it has {known}")


def needed_values(
    model: Model, inputs: KnownInputs, names: Collection[str]
) -> dict[str, Array]:  # fmt: skip
    """The values of inputs on which a program depends, as far as they are known."""
    found: dict[str, Array] = {}
    for i, value in enumerate(inputs_of(model)):
        feed = inputs.needed(value, i) if value.name in names else None
        if feed is not None:
            found[value.name] = checked_feed(value, feed)
    return found


def inputs_of(model: Model) -> list[ValueInfo]:
    """The inputs of a model, without those that are initializers."""
    graph = model.graph
    return [value for value in graph.inputs if value.name not in graph.initializers]


class OnnxPrograms:
    """A model that runs: a program for all sizes, or others as they are needed.

    Attributes:
        outline: The model without its nodes; elements of its initializers are read when needed.
        held: The model; None after a program of it was compiled, if it can be read again.
        read_again: Reads the model again; None if it is held for as long as it runs.
        modules: The programs whose code may not be compiled yet, if it can be read again.
        backend: What runs it, as for ``sm.compile``.
        threads: How many threads a run may use; None: as many as there are.
        limits: The limits of runs; None: the default ones.
        needed: The inputs whose values programs are made for.
        is_specialized: Whether programs are made for the sizes of inputs.
    """

    def __init__(
        self, model: Model, backend: str = DEFAULT_BACKEND, threads: int | None = None,
        limits: Limits | None = None, read_again: Callable[[], Model] | None = None,
    ) -> None:  # fmt: skip
        self.outline = replace(model, graph=self.outline_of(model.graph), functions={})
        self.held: Model | None = model
        self.read_again = read_again
        self.modules: list[OnnxModule] = []
        self.backend = backend
        self.threads = threads
        self.limits = limits
        self.needed = set[str]()
        self.texts = StringTable()
        self.is_specialized = False
        self.programs: dict[object, tuple[ImportedProgram, Executable]] = {}
        self.variants: dict[frozenset[str], OnnxPrograms] = {}  # by initializers that calls give

    def outline_of(self, graph: Graph) -> Graph:
        """A graph without its nodes; elements of its initializers are read when needed."""

        def read(name: str) -> Array:
            return self.model.graph.initializers[name].read()

        stored = {
            name: replace(tensor, read=partial(read, name))
            for name, tensor in graph.initializers.items()
        }
        return replace(graph, nodes=[], initializers=stored)

    @property
    def model(self) -> Model:
        """The model; it is read again if it is not held any longer."""
        held = self.held
        if held is not None:
            return held
        assert self.read_again is not None
        return self.read_again()

    @property
    def digest(self) -> bytes:
        """Identifies the model, with its external data that programs have read."""
        files = list(self.outline.files.values())
        found = digest_of([self.outline.content, *files])
        release_pages(files)
        return found

    @property
    def inputs(self) -> list[ValueInfo]:
        """The inputs, without those that are initializers."""
        return inputs_of(self.outline)

    def run(self, feeds: Mapping[str, Feed], *, seed: int = 0) -> list[Feed]:
        """The outputs of the model, in order.

        Args:
            feeds: The inputs by name, also initializers that are inputs.
            seed: Where random numbers come from.

        Raises:
            ArgumentError: An input is missing, unknown or does not fit.
            StablemateError: The model cannot be translated or run.
        """
        stored = self.outline.graph.initializers
        given = frozenset([name for name in feeds if name in stored])
        if given:
            return self.variant(given).run(feeds, seed=seed)
        values = self.check_inputs(feeds)
        if self.is_specialized:
            return self.call_program(values, seed)
        try:
            return self.call_program(values, seed)
        except (UnsupportedError, EvaluationError, VerifyError, ArgumentValueError):
            self.is_specialized = True
            return self.call_program(values, seed)

    def variant(self, given: frozenset[str]) -> OnnxPrograms:
        """The model with some of its initializers as inputs, which they are in the file, too.

        Raises:
            ArgumentTypeError: One of them is none.
        """
        if given not in self.variants:
            graph = self.model.graph
            constants = given - {value.name for value in graph.inputs}
            if constants:
                raise ArgumentTypeError(
                    f"{min(constants)!r} is a constant of the model, not an input"
                )
            rest = {name: v for name, v in graph.initializers.items() if name not in given}
            content = digest_of([self.model.content], "inputs", sorted(given))
            graph = replace(graph, initializers=rest)
            model = replace(self.model, graph=graph, content=content)
            self.variants[given] = OnnxPrograms(model, self.backend, self.threads, self.limits)
        return self.variants[given]

    def check_inputs(self, feeds: Mapping[str, Feed]) -> dict[str, Feed]:
        """Inputs as arrays.

        Raises:
            ArgumentTypeError: One is unknown, or has another element type than is declared.
            ArgumentValueError: One is missing, or has another shape than is declared.
        """
        inputs = self.inputs
        names = [value.name for value in inputs]
        for name in feeds:
            if name not in names:
                raise ArgumentTypeError(f"the model has no input {name!r}; it has {names}")
        optional = {value.name for value in inputs if value.type.kind == "optional"}
        missing = [name for name in names if name not in feeds and name not in optional]
        if missing:
            raise ArgumentValueError(f"the inputs {missing} are missing")
        return {value.name: checked_feed(value, feeds.get(value.name)) for value in inputs}

    def call_program(self, values: Mapping[str, Feed], seed: int) -> list[Feed]:
        """The outputs for inputs that are arrays."""
        program, executable = self.program(values)
        texts = StringTable(self.texts)  # so that strings of a run are not kept
        arguments = program_arguments(program, values, texts, seed)
        outcome = executable(*arguments)
        if self.modules and all(module.is_unread for module in self.modules):
            self.held = None  # each was dropped when it was compiled
            self.modules.clear()
        single = len(executable.signature.results) == 1
        results = [outcome] if single else list(outcome or ())
        return [result_of(structure, results, texts) for structure in program.results]

    def profile(self, feeds: Mapping[str, Feed], *, seed: int = 0) -> Profile:
        """How long each kernel of the program for some inputs takes: see ``stablemate.profile``."""
        from stablemate.analysis.profile import profile  # of few sessions

        values = self.check_inputs(feeds)
        program, executable = self.program(values)
        arguments = program_arguments(program, values, StringTable(self.texts), seed)
        return profile(executable, *arguments, runs=1)

    def program(self, values: Mapping[str, Feed]) -> tuple[ImportedProgram, Executable]:
        """The program for these inputs, compiled.

        Sizes of 0 and 1 are numbers in it: what a broadcast or ``Squeeze`` means depends on them.
        If no program's assumptions hold for the others, there is a further one.
        """
        sizes = {} if self.is_specialized else self.sizes(values)
        program, executable = self.program_of(values, sizes, 0)
        for number in range(1, MOST_PROGRAMS):
            if program.fulfills(*[sizes.get(name, TYPICAL) for name in program.sizes]):
                break
            program, executable = self.program_of(values, sizes, number)
        return program, executable

    def sizes(self, values: Mapping[str, Feed]) -> dict[str, int]:
        """The sizes that the model leaves open, by their names, as inputs have them."""
        found: dict[str, int] = {}
        for value in self.inputs:
            feed = values[value.name]
            if feed is None or isinstance(feed, list):  # an optional, a sequence
                continue
            declared, shape = value.type.shape or (), np.shape(feed)
            if len(declared) == len(shape):
                pairs = zip(declared, shape, strict=True)
                for i, (size, number) in enumerate(pairs):
                    if not isinstance(size, int):
                        found.setdefault(size_name(size, value.name, i), number)
        return found

    def program_of(
        self, values: Mapping[str, Feed], sizes: Mapping[str, int], number: int
    ) -> tuple[ImportedProgram, Executable]:
        """A program for these inputs, compiled.

        Args:
            values: The inputs.
            sizes: The sizes of these that the model leaves open.
            number: Which one it is of those that assume different things about sizes.
        """
        while True:
            key = self.key(values, sizes), number
            if key in self.programs:
                return self.programs[key]
            try:
                module = self.module(self.options(values, sizes))
            except ValueNeededError as error:
                new = {name for name in error.names if name in values} - self.needed
                if not new:
                    raise
                self.needed |= new
                continue
            if not len(self.texts):  # their numbers depend on the programs before
                # What a program assumes of sizes depends on those for which it was made.
                known = repr((key, sorted(sizes.items())))
                module.source = module.version, digest_of([self.digest], known)
                module.keep = self.keeper(module)
            program = replace(module.program, module=declarations_of(module.ir))
            executable = module.compiled(self.backend, None, self.limits, self.threads)
            while len(self.programs) >= MOST_PROGRAMS:
                del self.programs[next(iter(self.programs))]
            self.programs[key] = program, executable
            if self.read_again is not None:
                self.modules.append(module)
            return program, executable

    def module(self, options: ImportOptions) -> OnnxModule:
        """A program of the model.

        Raises:
            ValueNeededError: The values of some inputs must be known.
        """
        model = self.model
        return OnnxModule(model, import_model(model, options), options)

    def keeper(self, module: OnnxModule) -> Callable[[], UnreadProgram | None] | None:
        """Lets a program be dropped when it is compiled; see ``Program``.

        None if the model is held. Files of external data, which are not, may go: they are mapped.
        """
        if self.read_again is None or self.outline.files:
            return None

        def keep() -> UnreadProgram | None:
            digest, options = module.source_digest, module.options
            if digest is None:
                return None
            declarations = declarations_of(module.ir)
            return UnreadProgram(
                declarations, digest, module.format, module.version, lambda: self.module(options)
            )

        return keep

    def key(self, values: Mapping[str, Feed], sizes: Mapping[str, int]) -> object:
        """The key of programs for some inputs: known values, sizes that are numbers, all shapes."""
        fixed = tuple([(name, fingerprint(values[name])) for name in sorted(self.needed)])
        if not self.is_specialized:
            return fixed, tuple(small(sizes).items())
        return fixed, tuple([(name, shapes_of(value)) for name, value in values.items()])

    def options(self, values: Mapping[str, Feed], sizes: Mapping[str, int]) -> ImportOptions:
        """How the program for some inputs is made."""
        fixed = {name: values[name] for name in self.needed if isinstance(values[name], np.ndarray)}
        types: dict[str, InputType] = {}
        if self.is_specialized:
            types = {name: type_of_feed(v) for name, v in values.items()}
        return ImportOptions(
            fixed, types=types, sizes=small(sizes), typical=sizes, texts=self.texts,
            declarations_hold=False,
        )  # fmt: skip


def small(sizes: Mapping[str, int]) -> dict[str, int]:
    """The sizes that no program leaves open."""
    return {name: size for name, size in sizes.items() if size < SMALLEST}


def program_arguments(
    program: ImportedProgram, values: Mapping[str, Feed], texts: StringTable, seed: int
) -> list[Array]:
    """The arguments of a program for inputs that are arrays."""
    arguments: list[Array] = []
    for name, structure in program.inputs.items():
        arguments += arguments_of(structure, values[name], texts)
    return [*arguments, np.array(seed, np.int64)] if program.is_random else arguments


def checked_feed(value: ValueInfo, feed: Feed) -> Feed:
    """An input as an array, or a list of arrays.

    Raises:
        ArgumentTypeError: It has another element type than is declared.
        ArgumentValueError: It has another shape than is declared.
        UnsupportedError: It is a map.
    """
    declared = value.type
    if declared.kind == "map":
        raise UnsupportedError(f"the input {value.name!r} is a map, which no program takes")
    if declared.kind != "tensor" or declared.data_type == STRING:
        return as_arrays(feed)
    element = known_element(declared.data_type)
    is_array = isinstance(feed, np.ndarray | np.generic)
    try:
        array: Array = np.asarray(feed, None if is_array or element is None else element.dtype)
    except (TypeError, ValueError) as error:  # a text, or lists of different lengths
        raise ArgumentTypeError(f"the input {value.name!r} is no array: {error}") from error
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if element is not None and array.dtype != element.dtype:
        raise ArgumentTypeError(
            f"the input {value.name!r} has elements of {element.dtype}, not of {array.dtype}"
        )
    sizes = declared.shape
    if sizes is not None and not fits(array.shape, sizes):
        shape, known = list(array.shape), ["?" if size is None else size for size in sizes]
        raise ArgumentValueError(
            f"the input {value.name!r} has the shape {shape}, and is declared as {known}"
        )
    return array


def fits(shape: Sequence[int], declared: Sequence[Dimension]) -> bool:
    """Whether a shape is one that is declared."""
    if len(shape) != len(declared):
        return False
    pairs = zip(shape, declared, strict=True)
    return all(not isinstance(want, int) or want == size for size, want in pairs)


def with_sizes(
    model: Model, sizes: Mapping[str, int], denoted: Mapping[str, int] | None = None
) -> Model:
    """A model in which sizes with names are numbers.

    Args:
        model: The model.
        sizes: The numbers by names; names that it does not have are no error.
        denoted: The numbers of dimensions of inputs by what these denote, as ``DATA_BATCH``.
    """
    denoted = denoted or {}
    if not sizes and not denoted:
        return model
    named = {
        size: denoted[denotation]
        for value in model.graph.inputs
        for size, denotation in zip(value.type.shape or (), value.type.denotations, strict=False)
        if isinstance(size, str) and denotation in denoted
    }
    sizes = {**named, **sizes}

    def fix_sizes(value: ValueInfo) -> ValueInfo:
        shape = value.type.shape
        if shape is None:
            return value
        rest = ("",) * (len(shape) - len(value.type.denotations))
        known = tuple([
            n if isinstance(n, int) else sizes.get(n or "", denoted.get(denotation, n))
            for n, denotation in zip(shape, value.type.denotations + rest, strict=True)
        ])  # fmt: skip
        return replace(value, type=replace(value.type, shape=known))

    graph = model.graph
    inputs, outputs = ([fix_sizes(value) for value in vs] for vs in (graph.inputs, graph.outputs))
    content = digest_of([model.content], "sizes", [sorted(sizes.items()), sorted(denoted.items())])
    return replace(model, graph=replace(graph, inputs=inputs, outputs=outputs), content=content)


def with_initializers(model: Model, arrays: Mapping[str, Array]) -> Model:
    """A model with other values of initializers.

    Raises:
        ArgumentValueError: It has no such initializer, or one of another shape or element type.
    """
    if not arrays:
        return model
    stored = dict(model.graph.initializers)
    for name, array in arrays.items():
        if name not in stored:
            raise ArgumentValueError(f"the model has no initializer {name!r}")
        old = stored[name]
        element = known_element(old.data_type)
        dtype = object if element is None else element.dtype
        if (array.shape, array.dtype) != (old.shape, dtype):
            raise ArgumentValueError(
                f"the initializer {name!r} is {dtype}{list(old.shape)}, not "
                f"{array.dtype}{list(array.shape)}"
            )
        stored[name] = replace(old, read=partial(np.asarray, array))
    content = digest_of(
        [model.content, *[array.tobytes() for array in arrays.values()]], "initializers", [*arrays]
    )
    return replace(model, graph=replace(model.graph, initializers=stored), content=content)


def as_arrays(value: Feed) -> Feed:
    """An input as an array, or a list of arrays."""
    if value is None:
        return None
    if isinstance(value, list | tuple):
        return [as_arrays(item) for item in as_list(value)]
    array: Array = np.asarray(value)
    return array.astype(object) if array.dtype.kind in "US" else array


def fingerprint(value: Feed) -> object:
    """Returns a hashable key that is equal for inputs of equal types, shapes and values."""
    if isinstance(value, np.ndarray):
        array = cast("Array", value)
        content = tuple(array.reshape(-1)) if array.dtype == object else array.tobytes()
        return array.dtype.str, array.shape, content
    return repr(value)


def shapes_of(value: Feed) -> object:
    """Equal for inputs of the same sizes."""
    if isinstance(value, list):
        return tuple([shapes_of(item) for item in as_list(value)])
    return None if value is None else (value.shape, value.dtype.name)


def type_of_feed(value: Feed) -> InputType:
    """The shapes and element types of an input."""
    if isinstance(value, list):
        return [type_of_feed(item) for item in as_list(value)]
    if value is None:
        return None
    if value.dtype == object:
        return TensorInput(value.shape, None)
    element = element_of_dtype(value.dtype)
    if element is None:
        raise UnsupportedError(f"an input has elements of {value.dtype}, which no program has")
    return TensorInput(value.shape, element)


def arguments_of(structure: Structure, value: Feed, texts: StringTable) -> list[Array]:
    """The arguments of a program that an input is."""
    if structure is None:
        return []
    if isinstance(structure, int):
        return [value]
    if isinstance(structure, TextPlace):
        return [texts.numbers(value)]
    if not isinstance(structure, list):
        return []
    pairs = zip(structure, value, strict=True)
    return [argument for place, item in pairs for argument in arguments_of(place, item, texts)]


def result_of(structure: Structure, results: Sequence[Array], texts: StringTable) -> Feed:
    """An output of the model, from the results of a program."""
    match structure:
        case int():
            return results[structure]
        case TextPlace():
            return texts.strings(results[structure.number])
        case MapPlace():
            return structure.maps(results[structure.number])
        case list():
            return [result_of(item, results, texts) for item in structure]
        case _:
            return structure
