"""Versions of a program with dynamic sizes: native code for all sizes that fulfill its assumptions.

A version is compiled once, for symbolic sizes, or comes from the disk cache. For each combination
of sizes its program image is evaluated: sizes of buffers, their places in the arena, iterations and
chunks of launches, and the sizes that kernels load. That takes no LLVM. Sizes that do not fulfill
the assumptions get another version.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from stablemate.compiler import lazy_stages
from stablemate.compiler.codegen.loader import Loaded
from stablemate.compiler.config.disk_cache import cache
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import Target
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.compiler.executable import (
    CompiledExecutable,
    LoadedProgram,
    cache_key,
    code_of,
    kept_constants,
    runtime,
)
from stablemate.compiler.program.serialization import CompiledProgram
from stablemate.compiler.program.sized_image import SizedProgram
from stablemate.compiler.program.sized_serialization import deserialize_sized, serialize_sized
from stablemate.compiler.runtime.instance import Instance, aligned_memory
from stablemate.compiler.runtime.size_evaluation import SizeEvaluation
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, StablemateError, UnsupportedError
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Argument, Signature
from stablemate.fork_safety import cached_property
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.elements import Array
from stablemate.numerics.size_functions import Functions, merge_rounds
from stablemate.numerics.symbolic_sizes import NoSymbolicSizeError, SizeValueError

# ``python -m benchmarks.dynamic_sizes`` measures what a version costs, and what it saves.
MAX_VERSIONS: Final = 16  # of a program
MAX_FAILURES: Final = 3  # after which sizes are specialized
TYPICAL_SIZE: Final = 128  # of a program that was not called
LEAST_SHARED: Final = 1 << 20  # bytes of a constant that is looked for in other versions
NO_ARENA: Final[Array] = np.empty(0, np.uint8)

REPEATED_FAILURES: Final = (SizeValueError, StablemateError)  # not for want of memory

Shapes = Sequence[Sequence[int]]


class SizeVersions:
    """The versions of one function.

    Attributes:
        versions: The versions, in the order in which they were compiled.
        failures: Why versions could not be compiled.
    """

    def __init__(
        self, interpreted: InterpretedExecutable, target: Target, threads: int | None,
        options: CompileOptions, source: bytes | None = None, *, load_code: bool = True,
    ) -> None:  # fmt: skip
        """The versions of a function, of which none is compiled yet.

        Args:
            interpreted: The function as the interpreter runs it.
            target: The machine.
            threads: How many threads may work for a call.
            options: How it is compiled.
            source: Identifies the program in the disk cache; None: it is not put there.
            load_code: Whether code is loaded into this process.
        """
        functions = interpreted.functions
        assert isinstance(functions, SpecializedFunctions)
        self.interpreted = interpreted
        self.functions = functions
        self.target = target
        self.threads = threads
        self.options = options if load_code else replace(options, prepare=False)
        self.source = source
        self.load_code = load_code
        self.versions: list[SizeVersion] = []
        self.failures: list[Exception] = []
        self.dynamic = [
            (position, d)
            for position, argument in enumerate(interpreted.signature.arguments)
            if isinstance(argument.type, TensorType)
            for d, size in enumerate(argument.type.shape)
            if size == DYNAMIC
        ]

    def executable(self, types: Sequence[Type]) -> Executable | None:
        """The function for arguments of these types; None if it is to be specialized for them."""
        shapes = [t.shape if isinstance(t, TensorType) else () for t in types]
        sizes = [shapes[position][d] for position, d in self.dynamic]
        for version in self.versions:
            variables = version.variables(sizes)
            if variables is not None:
                return SizedExecutable(self, version, variables, types)
        return None if self.next_version(shapes) is None else self.executable(types)

    def next_version(self, shapes: Shapes) -> SizeVersion | None:
        """Adds another version: the next one in the disk cache, or one for these shapes.

        None if there are too many, or it is not possible.
        """
        if len(self.versions) >= MAX_VERSIONS or len(self.failures) >= MAX_FAILURES:
            return None
        key = self.key(f"version {len(self.versions)}")
        version = None if key is None else cache().load(key, partial(self.stored_version, key))
        if version is None:
            program = self.compile_version(shapes)
            if program is None:
                return None
            version = SizeVersion(program, self.load_code, key)
        self.versions.append(version)
        return version

    def stored_version(self, key: str, content: bytes) -> SizeVersion:
        """The version that the disk cache holds under a key."""
        program = deserialize_sized(content, kept_constants(key))
        version = SizeVersion(program, self.load_code)
        version.use_constants(self.share_constants(program.image.image.constants, version))
        return version

    def share_constants(self, constants: Sequence[Array], version: SizeVersion) -> list[Array]:
        """Constants of a version; large ones that another version has are the same arrays."""
        versions = [other for other in self.versions if other is not version]
        others = [constant for other in versions for constant in other.sized.image.constants]
        return [
            next((other for other in others if is_same_memory(other, constant)), constant)
            if constant.nbytes >= LEAST_SHARED
            else constant
            for constant in constants
        ]

    def compile_version(self, shapes: Shapes) -> SizedProgram | None:
        """A version for these shapes and others; None if it is not possible.

        A failure is stored under the key of these shapes.
        """
        failure_key = self.key(f"failure {shapes}")
        reason = None if failure_key is None else cache().load(failure_key, bytes.decode)
        if reason is not None:
            self.failures.append(UnsupportedError(reason))
            return None
        try:
            with without_garbage_collection():
                program: SizedProgram = self.compilation(shapes).sized_program(meanwhile=runtime)
        except NoSymbolicSizeError:
            return None
        except Exception as error:  # whatever is not possible for symbolic sizes is specialized
            self.failures.append(error)
            if failure_key is not None and isinstance(error, REPEATED_FAILURES):
                cache().put(failure_key, str(error).encode())
            return None
        return program

    def emit(self, stage: str) -> str:
        """The result of a stage of the compiler for all sizes, as text."""
        shapes = [
            [TYPICAL_SIZE if size == DYNAMIC else size for size in argument.type.shape]
            if isinstance(argument.type, TensorType)
            else []
            for argument in self.interpreted.signature.arguments
        ]
        return self.compilation(shapes).emit(stage)

    def key(self, part: str) -> str | None:
        """The key of a part of the program in the disk cache; None if it is not put there."""
        if self.source is None:
            return None
        source = self.source + part.encode()
        name, limits = self.interpreted.signature.name, self.interpreted.limits
        return cache_key(source, name, self.target, self.options, limits)

    def compilation(self, shapes: Shapes) -> lazy_stages.SizedCompilation:
        """The stages of the compiler for these typical shapes."""
        functions, limits = self.functions, self.interpreted.limits
        return lazy_stages.SizedCompilation(
            functions.original(), functions.entry, shapes, self.target, self.options, limits
        )


def workspace_size(*arguments: Any) -> int:
    """How many elements of workspace a routine of LAPACK wants."""
    size: int = lazy_stages.workspace_size(*arguments)
    return size


# What images compute sizes with.
SIZE_FUNCTIONS: Final[Functions] = {
    "merge_rounds": merge_rounds, "workspace_size": workspace_size,
}  # fmt: skip


class SizeVersion(SizeEvaluation):
    """A version in memory.

    Attributes:
        objects: The object files of its functions.
        preparations: What computes constants of the image.
        code: Its functions, if they are loaded.
        has_all_constants: Whether its constants are prepared.
        latest: The executable that took an arena last.
    """

    def __init__(self, program: SizedProgram, load_code: bool, key: str | None = None) -> None:
        """Loads the code of a version.

        Args:
            program: The version.
            load_code: Whether its code is loaded into this process.
            key: Where it is put in the disk cache, when its constants are prepared.
        """
        super().__init__(program.image, SIZE_FUNCTIONS)
        self.latest: SizedExecutable | None = None
        self.objects = program.objects
        self.preparations = program.preparations
        self.key = key
        self.has_all_constants = False
        loaded = CompiledProgram(program.image.image, program.objects, program.preparations)
        self.code: Loaded | None = code_of(loaded) if load_code else None

    def serialized(self, constants: list[Array], beside: Sequence[Any]) -> bytes:
        """The version as bytes; see ``serialize_sized``."""
        image = replace(self.sized, image=replace(self.sized.image, constants=constants))
        return serialize_sized(SizedProgram(image, self.objects), beside)

    def use_constants(self, constants: list[Array]) -> None:
        """Gives the images of all sizes these constants, all of which are prepared."""
        image = replace(self.sized.image, constants=constants)
        self.sized = replace(self.sized, image=image)
        self.preparations = ()
        self.has_all_constants = True


class SizedExecutable(CompiledExecutable):
    """A version of a program for some sizes.

    Its instances take over the arena of another size that is not in use: memory that was written
    before costs no page faults.

    Attributes:
        parked: Instances whose arena another size has taken.
    """

    def __init__(
        self, versions: SizeVersions, version: SizeVersion, variables: Sequence[int],
        types: Sequence[Type],
    ) -> None:  # fmt: skip
        """Evaluates the program image.

        Args:
            versions: The versions of the program.
            version: The version.
            variables: The values of its variables.
            types: The types of the arguments.
        """
        image, shapes = version.image(variables)
        self.versions = versions
        self.version_program = CompiledProgram(image, version.objects, version.preparations)
        self.version = version
        self.parked: list[Instance] = []
        self.shapes = [t.shape if isinstance(t, TensorType) else () for t in types]
        super().__init__(
            interpreted_for(versions.interpreted, types, shapes), versions.target,
            threads=versions.threads, options=versions.options, load_code=versions.load_code,
        )  # fmt: skip

    def load_or_compile(self, key: str | None, load_code: bool) -> LoadedProgram:
        """The program of the version."""
        version = self.version
        return LoadedProgram(self.version_program, version.code, version.has_all_constants)

    def settle_constants(self, key: str | None) -> list[Array] | None:
        """Computes constants, and puts the version into the disk cache, once for all sizes."""
        return super().settle_constants(self.version.key)

    def serialized(self, beside: Sequence[Any]) -> bytes:
        """The version as bytes."""
        return self.version.serialized(self.program.image.constants, beside)

    def place_constants(self, kept: list[Array] | None, prepared: Collection[int]) -> None:
        """Puts constants where they begin on cache lines, for all sizes."""
        super().place_constants(kept, prepared)
        image = self.program.image
        image = replace(
            image, constants=self.versions.share_constants(image.constants, self.version)
        )
        self.program = self.program._replace(image=image)
        self.version_program = self.program  # and not the preparations, which hold what they read
        self.version.use_constants(image.constants)

    def forget_functions(self) -> bool:
        """Holds nothing of the functions, nor does the version; see ``CompiledExecutable``."""
        is_forgotten = super().forget_functions()
        if is_forgotten:
            self.version.use_constants(list(self.program.image.constants))
        return is_forgotten

    def reject_arena(self) -> None:
        """Rejects sizes for which the version needs too much memory.

        Raises:
            LimitError: It does.
        """
        arena, limit = self.program.image.arena, self.interpreted.limits.arena_bytes
        message = f"a program needs at most {limit} bytes for values on the way"
        raise LimitError(Diagnostic(message, "limits.arena_bytes", None, {"bytes": arena}))

    def instance(self, kind: type[Instance] = Instance) -> Instance:
        """A program instance; where possible, with the arena of an idle one of another size."""
        latest, self.version.latest = self.version.latest, self
        arena = None if latest is None or latest is self else latest.given_arena()
        size = self.program.image.arena
        if arena is not None and len(arena) < size:
            arena = aligned_memory(max(size, len(arena) * 3 // 2))  # sizes may go on growing
        instance = self.parked_instance() if kind is Instance else None
        instance = instance or super().instance(kind)
        if arena is None:
            arena = instance.arena if len(instance.arena) >= size else aligned_memory(size)
        instance.use_arena(arena)
        return instance

    def parked_instance(self) -> Instance | None:
        """An instance without an arena; None if there is none."""
        try:
            return self.parked.pop()
        except IndexError:
            return None

    def given_arena(self) -> Array | None:
        """The arena of an idle instance, which is parked; None if all are in use."""
        try:
            instance = self.idle.pop()
        except IndexError:
            return None
        arena, instance.arena = instance.arena, NO_ARENA
        self.parked.append(instance)
        return arena

    @cached_property
    def inspected(self) -> lazy_stages.Compilation:
        """The stages of the compiler for all sizes of the version, with these as typical ones."""
        return self.versions.compilation(self.shapes)


def interpreted_for(
    interpreted: InterpretedExecutable, types: Sequence[Type], shapes: Shapes
) -> InterpretedExecutable:
    """A function as the interpreter runs it, for types of arguments and shapes of results."""
    signature, functions = interpreted.signature, interpreted.functions
    assert isinstance(functions, SpecializedFunctions)
    arguments = zip(signature.arguments, types, strict=True)
    results = zip(signature.results, shapes, strict=True)
    return InterpretedExecutable(
        SpecializedFunctions(functions.original, functions.entry, types),
        Signature(
            signature.name,
            tuple([Argument(a.name, value_type, a.attributes) for a, value_type in arguments]),
            tuple(
                [Argument(r.name, of_shape(r.type, shape), r.attributes) for r, shape in results]
            ),
        ),
        interpreted.limits,
        interpreted.grid,
        interpreted.names,
        prepare=False,
        order=interpreted.order,
    )


def is_same_memory(constant: Array, other: Array) -> bool:
    """Whether two constants have the same bytes."""
    return constant.nbytes == other.nbytes and np.array_equal(as_bytes(constant), as_bytes(other))


def as_bytes(constant: Array) -> Array:
    """The bytes of a contiguous constant."""
    return constant.reshape(-1).view(np.uint8)


def of_shape(value_type: Type, shape: Sequence[int]) -> Type:
    """A tensor type with another shape; other types as they are."""
    return value_type.with_shape(shape) if isinstance(value_type, TensorType) else value_type
