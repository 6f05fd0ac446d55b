"""Calling an exported function: with a tree of arguments, or with its leaves.

The arguments of the program of a container are, in this order: the platform index, if it supports
several platforms; a token for each ordered effect; the leaves of the arguments that it uses. Its
results are the tokens, then the leaves of the result. The program computes symbolic sizes from its
arguments.

Source: JAX, export, module calling convention, versions 9 and 10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Final, NamedTuple

import numpy as np

from stablemate.diagnostics.errors import ArgumentValueError, ParseError, UnsupportedError
from stablemate.execution.adapted_executable import AdaptedExecutable
from stablemate.execution.executable import Executable
from stablemate.execution.signature import Argument, Signature, given_text
from stablemate.execution.streams import Streams
from stablemate.formats.jax_export.dimensions import (
    DivisionByZeroError,
    SymbolicDimension,
    Values,
    solve,
)
from stablemate.formats.jax_export.exported import Exported
from stablemate.ir.shapes import compatible
from stablemate.ir.types import TensorType, TokenType, Type
from stablemate.numerics.elements import I32, I64

CONVENTIONS: Final = (9, 10)  # the supported versions of the calling convention
HOST: Final = "cpu"  # the platform to run if there is a choice
PLATFORM_TYPES: Final[tuple[Type, ...]] = (TensorType((), I32), TensorType((), I64))


class ExportedExecutable(AdaptedExecutable):
    """An exported function, called as the Python function, or with the leaves of its arguments.

    Attributes:
        exported: The function.
        program: The function ``main`` of its program.
        leading: The arguments of ``main`` before those of the function.
        sizes: The symbolic sizes of the arguments.
    """

    accepts_keywords = True

    def __init__(self, exported: Exported, program: Executable) -> None:
        """Wraps a program in the calling convention of JAX.

        Raises:
            UnsupportedError: The calling convention is not known.
            ParseError: The arguments or results of the program differ from those of the container.
        """
        if exported.calling_convention_version not in CONVENTIONS:
            versions = " and ".join(map(str, CONVENTIONS))
            raise UnsupportedError(
                f"{exported.function_name} has calling convention "
                f"{exported.calling_convention_version}, but known are {versions}"
            )
        reject_other_program(exported, program.signature)
        super().__init__(signature_of(exported), program)
        self.exported = exported
        tokens: list[object] = [None] * len(exported.ordered_effects)
        self.leading = [*platform_arguments(exported, program.signature), *tokens]
        self.sizes = symbolic_sizes(exported)

    def __call__(
        self,
        *arguments: object,
        streams: Streams | None = None,
        probe_dir: str | PathLike[str] | None = None,
        seed: int = 0,
        keywords: Mapping[str, object] | None = None,
    ) -> Any:
        """Runs the function as the Python function is called.

        Args:
            *arguments: What the Python function took: trees of arrays; or all their leaves.
            streams: What it reads from the host and writes to it.
            probe_dir: Where ``interpreter.probe`` writes.
            seed: Where the numbers that ``rng`` draws come from.
            keywords: The arguments by name.

        Returns:
            What the Python function returned, with tuples in place of types registered with JAX.

        Raises:
            ArgumentError: An argument does not fit.
            EvaluationError: The values break a rule of the specification.
        """
        leaves = leaves_of(self.exported, arguments, keywords or {})
        outcome = self.call_flat(*leaves, streams=streams, probe_dir=probe_dir, seed=seed)
        return result_of(self.exported, outcome)

    def call_flat(self, *arguments: Any, **options: Any) -> Any:
        """Runs the function with the leaves of its arguments, and returns those of its result."""
        return super().__call__(*arguments, **options)

    def program_arguments(self, values: Sequence[Any]) -> list[object]:
        """Returns the arguments of ``main`` for these leaves.

        Raises:
            ArgumentValueError: Their sizes are inconsistent.
        """
        if self.sizes:
            reject_other_sizes(self.sizes, [np.shape(value) for value in values])
        return [*self.leading, *(values[index] for index in self.exported.kept)]

    def caller_results(self, results: Sequence[object]) -> Sequence[object]:
        """Returns the leaves of the result, from the results of ``main``."""
        return results[len(self.exported.ordered_effects) :]


# ---- the program


def signature_of(exported: Exported) -> Signature:
    """Returns the arguments and results of the function, leaf by leaf."""
    arguments, results = (
        tuple(Argument(name, value.type) for name, value in zip(names, values, strict=True))
        for names, values in (
            (exported.argument_names, exported.in_values),
            (exported.result_names, exported.out_values),
        )
    )
    return Signature(exported.function_name, arguments, results)


def platform_arguments(exported: Exported, program: Signature) -> list[object]:
    """Returns the platform index, if the program takes one: the host's if it is among them."""
    if len(exported.platforms) < 2:
        return []
    number = exported.platforms.index(HOST) if HOST in exported.platforms else 0
    first: Any = program.arguments[0].type
    return [first.element_type.dtype.type(number)]


def reject_other_program(exported: Exported, program: Signature) -> None:
    """Rejects a program whose arguments or results differ from those of the container.

    Raises:
        ParseError: It does.
    """
    token, platforms = TokenType(), len(exported.platforms) > 1
    tokens: list[Type] = [token] * len(exported.ordered_effects)
    kept: list[Type] = [exported.in_values[index].type for index in exported.kept]
    results: list[Type] = [out_value.type for out_value in exported.out_values]
    argument_types = [argument.type for argument in program.arguments]
    if platforms and (not argument_types or argument_types[0] not in PLATFORM_TYPES):
        raise ParseError(f"{exported.function_name}: no argument for the platform index")
    for what, types, expected in (
        ("takes", argument_types[platforms:], [*tokens, *kept]),
        ("gives", [result.type for result in program.results], [*tokens, *results]),
    ):
        fits = len(types) == len(expected) and all(map(compatible, types, expected))
        if not fits:
            raise ParseError(
                f"{exported.function_name}: the program {what} {texts(types)}, "
                f"but the container declares {texts(expected)}"
            )


def texts(types: Sequence[Type]) -> str:
    """Formats types, separated by commas, for an error message."""
    return ", ".join(map(str, types)) or "nothing"


# ---- sizes


class SymbolicArgumentSize(NamedTuple):
    """A symbolic size of an argument.

    Attributes:
        leaf: The number of the argument.
        axis: The dimension of it.
        place: Its name in messages.
        dimension: Its expression.
    """

    leaf: int
    axis: int
    place: str
    dimension: SymbolicDimension


def symbolic_sizes(exported: Exported) -> list[SymbolicArgumentSize]:
    """Returns the symbolic sizes of the arguments."""
    leaves = zip(exported.argument_names, exported.in_values, strict=True)
    return [
        SymbolicArgumentSize(leaf, axis, f"dimension {axis} of {name}", dimension)
        for leaf, (name, value) in enumerate(leaves)
        for axis, dimension in enumerate(value.shape)
        if dimension.variables
    ]


def reject_other_sizes(
    sizes: Sequence[SymbolicArgumentSize], shapes: Sequence[Sequence[int]]
) -> None:
    """Rejects arguments whose sizes are inconsistent.

    Raises:
        ArgumentValueError: They are; the message names the expected size and the reason.
    """
    places = [(size.place, size.dimension, shapes[size.leaf][size.axis]) for size in sizes]
    values = solve([(dimension, size) for _, dimension, size in places])
    for name, value in values.items():
        if value < 1:
            place, dimension, size = next(p for p in places if name in p[1].variables)
            raise ArgumentValueError(
                f"{place} is {dimension}, and {name} is at least 1: it cannot be {size}"
            )
    for place, dimension, size in places:
        reject_other_size(place, dimension, size, values)


def reject_other_size(place: str, dimension: SymbolicDimension, size: int, values: Values) -> None:
    """Rejects a size that differs from the value of its expression.

    Raises:
        ArgumentValueError: It is not, or no values of the variables give it.
    """
    unknown = sorted(dimension.variables - values.keys())
    if unknown:
        raise ArgumentValueError(
            f"{place} is {dimension} and has size {size}: no {' and '.join(unknown)} can be found"
        )
    used = ", ".join(f"{name} = {values[name]}" for name in sorted(dimension.variables))
    try:
        expected = dimension.value(values)
    except DivisionByZeroError as error:
        raise ArgumentValueError(f"{place} is {dimension}, with {used}: {error}") from None
    if expected != size:
        raise ArgumentValueError(
            f"{place} is {dimension} = {expected}, with {used}, but has size {size}"
        )


# ---- trees


def leaves_of(
    exported: Exported, arguments: Sequence[object], keywords: Mapping[str, object]
) -> list[object]:
    """Returns the leaves of the arguments.

    Args:
        exported: The function.
        arguments: The positional arguments, as trees; or the leaves of all arguments.
        keywords: The arguments by name.

    Raises:
        ArgumentTypeError: They have another structure.
        ArgumentValueError: There are more or fewer of them.
    """
    args, kwargs = exported.in_tree.children
    leaves = exported.in_tree.leaves
    are_leaves = (
        len(arguments) == leaves and not keywords and not any(map(is_dictionary, arguments))
    )
    if len(arguments) != len(args.children) or (kwargs.leaves and not keywords):
        if are_leaves:
            return list(arguments)
        expected = f"{len(args.children)} arguments"
        names = f" and the keywords {', '.join(kwargs.keys)}" if kwargs.keys else ""
        if len(arguments) != len(args.children):
            raise ArgumentValueError(
                f"{exported.function_name} takes {expected}{names}, or {leaves} leaves, "
                f"but {given_text(len(arguments))}"
            )
    for name in kwargs.keys:
        if name not in keywords:
            raise ArgumentValueError(
                f"{exported.function_name} takes the keyword {name!r}, which is missing: "
                f"give it as keywords={{{name!r}: ...}}"
            )
    return args.flatten(tuple(arguments), "args") + kwargs.flatten(keywords, "kwargs")


def is_dictionary(value: object) -> bool:
    """Whether an argument is a tree that no array can be made of."""
    return isinstance(value, Mapping)


def result_of(exported: Exported, handed: Any) -> object:
    """Returns the tree of the result, given what an executable returned: one leaf, or a tuple."""
    leaves = (handed,) if exported.out_tree.leaves == 1 else handed
    return exported.out_tree.unflatten(iter(leaves))
