"""Loads modules from paths, files, bytes and text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from stablemate import api
from stablemate.api.known_programs import (
    Digests,
    declarations_of,
    find_program,
    is_worth_keeping,
    keep_program,
    key_of_reading,
    large_content_again,
    reading_again,
)
from stablemate.api.module import HloModule, Module, binary_module
from stablemate.api.program import UnreadProgram
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    LimitError,
    ParseError,
    UnsupportedError,
    VerifyError,
)
from stablemate.diagnostics.limits import Limits, limits_or_default
from stablemate.diagnostics.source import Source
from stablemate.formats import jax_export
from stablemate.formats.mapped_files import release_pages
from stablemate.formats.mlir.parser import parse_module
from stablemate.formats.recognition import (
    FORMATS,
    TEXT_FORMATS,
    TEXT_NAME,
    Input,
    Readable,
    bytes_of,
    detect_format,
    format_description,
    read_input,
    text_of,
)
from stablemate.formats.source_digest import digest_of_content
from stablemate.numerics.elements import Array
from stablemate.numerics.floating_point_environment import keeps_subnormals

if TYPE_CHECKING:
    from stablemate.frontends.onnx.known_inputs import KnownInputs

DIGESTED_BYTES: Final = 1 << 31  # larger programs are not kept in the disk cache


def load(
    source: Readable, *, format: str | None = None, limits: Limits | None = None,
    name: str | None = None, upgrade: bool = True, elided: str | bool = True,
    text_locations: bool = False, sizes: Mapping[str, int] | None = None,
    values: Mapping[str, object] | None = None,
) -> Module:  # fmt: skip
    """Reads a program.

    Args:
        source: A path, the bytes of the program, or a file object. A string is a path; one with a
            line break or a brace is the text of the program, as ``parse`` reads it. A file of more
            than 16 MB that was compiled before, or is compiled later, may be read again when more
            is asked of the program than to run: that is a ``FileError`` if the file has been
            changed in place.
        format: ``mlir`` (text), ``bytecode``, ``artifact``, ``jax_export``, ``hlo`` (text),
            ``hlo_proto``, ``torch_export`` or ``onnx``; by default what the content begins with:
            MLIR bytecode, of which one with operations of VHLO is a portable artifact; a container
            of ``jax.export``; an HLO proto; an exported program of PyTorch (``.pt2``); a model of
            ONNX; otherwise text, of HLO or MLIR. Names of files do not matter.
        limits: Bounds for untrusted input.
        name: What messages call the source; by default its path.
        upgrade: Whether a portable artifact becomes StableHLO; otherwise it stays in VHLO, in the
            operations of the version that it was written for. Text stays as it is; ``to_stablehlo``
            converts it.
        elided: Constants whose values were left out of the text, ``constant({...})`` of HLO and
            ``dense_resource<__elided__>`` of MLIR: True keeps them so, False rejects them in HLO,
            ``zeros`` and ``random:SEED`` give them values for a trial.
        text_locations: Whether operations and arguments of MLIR text without ``loc(...)`` get
            their line and column as location, as MLIR's tools give them; otherwise it is unknown.
        sizes: Sizes that a model of ONNX leaves open, by their names, as ``{"batch": 4}``; a size
            without a name is called after its input and dimension, ``x:0``.
        values: The values of inputs of a model of ONNX that become constants of the program, by
            name: shapes or branches may depend on them.

    Returns:
        The module, a ``HloModule`` if it is HLO, which ``verify`` has not yet seen.

    Raises:
        FileError: The file cannot be read; it is an ``OSError`` too, ``FileNotFoundError`` if there
            is none.
        ParseError: The content is no program. A note names the format that it was read as.
        VerifyError: Operations of a portable artifact are not as its version declares them.
        UnsupportedError: The format is known, but not read.
        LimitError: The input is too large or too deeply nested.
        ArgumentValueError: ``elided`` has another value, ``sizes`` or ``values`` have names that
            the model does not have, or it is none of ONNX.
    """
    return load_known(
        source, known_inputs(sizes, values), format=format, limits=limits, name=name,
        upgrade=upgrade, elided=elided, text_locations=text_locations,
    )  # fmt: skip


@keeps_subnormals
def load_known(
    source: Readable, inputs: KnownInputs | None, *, format: str | None = None,
    limits: Limits | None = None, name: str | None = None, upgrade: bool = True,
    elided: str | bool = True, text_locations: bool = False,
) -> Module:  # fmt: skip
    """Reads a program of whose inputs something is known, if it is a model; see ``load``."""
    require_format(format, FORMATS)
    bounds = limits_or_default(limits)
    return load_input(
        read_input(source, name, bounds), format, bounds, upgrade=upgrade, elided=elided,
        text_locations=text_locations, inputs=inputs,
    )  # fmt: skip


def known_inputs(
    sizes: Mapping[str, int] | None, values: Mapping[str, object] | None
) -> KnownInputs | None:
    """The known sizes and values of a model's inputs; None if nothing is known."""
    if not sizes and not values:
        return None
    from stablemate.frontends.onnx.known_inputs import KnownInputs  # of few programs

    known = dict(values or {})
    return KnownInputs(sizes or {}, [*known], lambda value, _: known[value.name])


def parse(
    text: str, *, format: str | None = None, limits: Limits | None = None, name: str | None = None,
    elided: str | bool = True, text_locations: bool = False,
) -> Module:  # fmt: skip
    """Reads a program from its text; no file is touched, whatever the text holds.

    Args:
        text: The text.
        format: ``mlir`` or ``hlo``; by default what the text begins with.
        limits: Bounds for untrusted input.
        name: What messages call the text.
        elided: What becomes of constants whose values were left out; see ``load``.
        text_locations: Whether what has no location gets its line and column; see ``load``.

    Returns:
        The module, a ``HloModule`` if it is HLO, which ``verify`` has not yet seen.

    Raises:
        ArgumentTypeError: The text is no string.
        ParseError: It is no program.
        UnsupportedError: The format is none of a text.
        LimitError: The text is too large or too deeply nested.
        ArgumentValueError: ``elided`` has another value.
    """
    if not hasattr(text, "encode"):
        message = f"a text is a string, not {type(text).__name__}; stablemate.load reads others"
        raise ArgumentTypeError(message)
    require_format(format, TEXT_FORMATS)
    input_ = Input(text, name or TEXT_NAME)
    return load_input(
        input_, format, limits_or_default(limits), elided=elided, text_locations=text_locations
    )


def require_format(format: str | None, formats: Sequence[str]) -> None:
    """Rejects a format that is none of these.

    Raises:
        UnsupportedError: It is none of them.
    """
    if format is not None and format not in formats:
        raise UnsupportedError(f"no format is called {format!r}; known: {', '.join(formats)}")


def load_input(
    input_: Input, format: str | None, bounds: Limits, *, upgrade: bool = True,
    elided: str | bool, text_locations: bool, inputs: KnownInputs | None = None,
) -> Module:  # fmt: skip
    """The program in an input that was read; for arguments and errors see ``load``.

    One that was compiled before is not read before more is asked of it than to run.
    """
    if len(input_.content) > bounds.input_bytes:
        raise LimitError(f"{input_.name} is larger than {bounds.input_bytes} bytes")
    read_as = format or detect_format(input_.content)
    if inputs is not None and read_as != "onnx" and (inputs.sizes or inputs.names):
        kind = format_description(read_as, input_.content)
        raise ArgumentValueError(
            f"only models of ONNX have names for their sizes; {input_.name} is {kind}"
        )
    digests = None
    if len(input_.content) <= DIGESTED_BYTES:
        how = [read_as, upgrade, elided, text_locations]
        if read_as == "onnx":
            from stablemate.frontends.onnx import onnx_package  # of few programs

            how.append(onnx_package.identity())
        digests = Digests(input_.digest, how)

    def read(input_: Input) -> Module:
        return read_module(
            input_, read_as, bounds, digests, upgrade=upgrade, elided=elided,
            text_locations=text_locations, inputs=inputs,
        )  # fmt: skip

    if digests is None or (inputs is not None and inputs.names):
        return read(input_)
    if read_as == "torch_export":
        module = read(input_)
        module.keep = dropper(module, input_, digests, read)
        return module
    if not is_worth_keeping(input_.content, read_as):
        return read(input_)
    key = key_of_reading(digests, bounds, {} if inputs is None else inputs.sizes)
    found = find_program(key, input_, digests, bounds, read)
    module = read(input_) if found is None else unread_module(found, input_)
    if found is not None:
        module.keep = dropper(module, input_, digests, read)
    elif type(module) is not HloModule and module.exported is None:
        module.keep = keeper(key, module, input_, digests, read)
    return module


def unread_module(found: UnreadProgram, input_: Input) -> Module:
    """A program that the disk cache knows, which is not read yet."""
    if found.format == "onnx":
        from stablemate.api.onnx_models import OnnxModule  # of few programs

        module: Module = OnnxModule.of_unread(found)
    else:
        module = Module(None, found.format, unread=found)
    module.read_bytes, module.read_name = input_.bytes, input_.name
    module.source = found.version, found.digest
    return module


def keeper(
    key: str, module: Module, input_: Input, digests: Digests, read: Callable[[Input], Module]
) -> Callable[[], UnreadProgram | None]:
    """A function that keeps in the disk cache what a run needs of a program; see ``Program``."""
    options = getattr(module, "options", None)  # of a model of ONNX
    folder = Path() if input_.folder is None else input_.folder.resolve()
    model = getattr(module, "model", None)
    beside: Mapping[Path, Array] = {} if model is None else model.files  # not the whole model
    del model
    drop = dropper(module, input_, digests, read)

    def keep() -> UnreadProgram | None:
        digest = module.source_digest
        if digest is None or (options is not None and options.values):
            return None  # it has changed, or the values of inputs are part of it
        files = [str(path.relative_to(folder)) for path in beside]
        keep_program(key, module, digest, known_text(module), files)
        return None if drop is None else drop()

    return keep


def dropper(
    module: Module, input_: Input, digests: Digests, read: Callable[[Input], Module]
) -> Callable[[], UnreadProgram | None] | None:
    """A function that says how a program is read again; None if it is better kept."""
    again, name = large_content_again(input_), input_.name
    if again is None:
        return None

    def drop() -> UnreadProgram | None:
        if module.is_unread:
            return module.pending
        digest = module.source_digest
        if digest is None:
            return None  # it has changed
        read_again = reading_again(read, again, digest, name)
        declarations = declarations_of(module.ir)
        return UnreadProgram(declarations, digest, module.format, module.version, read_again)

    return drop


def read_module(
    input_: Input, read_as: str, bounds: Limits, digests: Digests | None, *, upgrade: bool,
    elided: str | bool, text_locations: bool, inputs: KnownInputs | None,
) -> Module:  # fmt: skip
    """The program in an input, with what identifies it."""
    if read_as == "mlir":
        source_text = Source(text_of(input_), input_.name)
        module = Module(parse_module(source_text, bounds, text_locations=text_locations))
    elif read_as == "hlo":
        source_text = Source(text_of(input_), input_.name)
        module = HloModule(api.hlo_from_text(source_text, bounds, elided=bool(elided)))
    else:
        module = loaded_binary(input_, read_as, bounds, upgrade=upgrade, inputs=inputs)
    files = external_files(module)
    known = known_text(module)
    if isinstance(elided, str):
        module = with_values(module, elided, bounds.tensor_bytes)
    module.read_bytes, module.read_name = input_.bytes, input_.name
    if digests is not None and sum(map(len, files), len(input_.content)) <= DIGESTED_BYTES:
        digest = digests.of_program(list(map(digest_of_content, files)), known)
        release_pages(files)
        module.source = module.version, digest
    return module


def external_files(module: Module) -> list[Array]:
    """The files beside the one of a program whose content is part of it."""
    model = getattr(module, "model", None)  # of ONNX
    return [] if model is None else list(model.files.values())


def with_values(module: Module, elided: str, limit: int) -> Module:
    """A program that was just read, with values for its elided constants.

    Raises:
        ArgumentValueError: ``elided`` is neither ``zeros`` nor ``random:SEED``.
        LimitError: Random elements of a constant take more than ``limit`` bytes.
    """
    if isinstance(module, HloModule):
        return HloModule(api.hlo_with_values(module.tree, elided, limit), module.format)
    return Module(api.ir_with_values(module.ir, elided, limit), module.format, module.exported)


def module_of(source: Readable | Module) -> Module:
    """A program: what ``load`` reads, if it is none yet."""
    return source if isinstance(source, Module) else load(source)


def known_text(module: Module) -> str:
    """Describes what was known of the inputs of a model of ONNX when it was loaded."""
    options = getattr(module, "options", None)
    if options is None:
        return ""
    values = {name: (v.dtype.str, v.shape, v.tolist()) for name, v in options.values.items()}
    return repr((sorted(options.sizes.items()), sorted(values.items()), sorted(options.passed)))


def loaded_binary(
    input_: Input, read_as: str, limits: Limits, *, upgrade: bool,
    inputs: KnownInputs | None = None,
) -> Module:  # fmt: skip
    """The program in bytecode, a portable artifact or a container of jax.export.

    Raises:
        StablemateError: It cannot be read; a note says what it was read as.
    """
    content = bytes_of(input_, read_as)
    try:
        if read_as == "hlo_proto":
            return HloModule(api.hlo_from_proto(content, input_.name, limits), read_as)
        if read_as == "torch_export":
            from stablemate.api.torch_export import load_exported  # of few programs

            return load_exported(content, input_.name)
        if read_as == "onnx":
            from stablemate.api.onnx_models import load_model  # of few programs

            return load_model(content, input_.name, input_.folder, inputs)
        if read_as != "jax_export":
            return Module(*binary_module(content, input_.name, limits, upgrade=upgrade))
        exported = jax_export.read_exported(content, input_.name, limits)
        module, _ = binary_module(exported.payload, input_.name, limits, upgrade=upgrade)
        return Module(module, "jax_export", exported)
    except (ParseError, VerifyError, UnsupportedError, LimitError) as error:
        note = Diagnostic(f"{input_.name} was read as {format_description(read_as, content)}")
        *others, last = error.diagnostics
        noted = replace(last, notes=(*last.notes, note))
        raise error.about([*others, noted]) from error.__cause__
