"""The cost of a program whose arguments have unknown sizes: formulas in these sizes.

The sizes are the variables of ``jax.export``, or named N, M, K, ... in the order of the arguments;
sizes that must be equal have one name. The cost is computed for some sizes, which makes the program
static, and a polynomial goes through the results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations, count
from typing import Final

from stablemate.analysis.cost import Cost, costs_of
from stablemate.analysis.planning.polynomials import Polynomial, Sizes, fit_polynomials
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError, StablemateError
from stablemate.dialects.func import FuncOp
from stablemate.formats.jax_export.dimensions import (
    DivisionByZeroError,
    SymbolicDimension,
    parse_dimension,
)
from stablemate.ir.core import Module
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.transforms import refine_module

LETTERS: Final = "NMKPQRSTUVWXYZ"
# Operations from which on a sample, which refines the whole program, is costly: at 9,000 operations
# 0.4 s, of which a linear formula takes three.
LARGE_PROGRAM: Final = 5000
MULTIPLES: Final = (1, 2, 8, 64)  # of the sizes for which formulas are tried
SHAPE: Final = re.compile(r"(\d+(?:x\d+)*)x[a-z]")
PRIMES: Final = (1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049, 1051, 1061, 1063, 1069, 1087, 1091)


@dataclass(frozen=True)
class SymbolicSizes:
    """The unknown sizes of the arguments of a function.

    Attributes:
        function: The name of the function.
        types: The types of its arguments.
        dimensions: The expressions of unknown sizes, by argument and dimension.
    """

    function: str
    types: Sequence[Type]
    dimensions: Mapping[tuple[int, int], SymbolicDimension]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sizes, in the order of the arguments."""
        names = (n for d in self.dimensions.values() for n in sorted(d.variables))
        return tuple(dict.fromkeys(names))

    def places(self, name: str) -> list[str]:
        """Which dimensions have a size."""
        return [
            f"dimension {axis} of argument {argument}"
            + (f" ({dimension})" * (str(dimension) != name))
            for (argument, axis), dimension in self.dimensions.items()
            if name in dimension.variables
        ]

    def argument_types(self, sizes: Mapping[str, int]) -> list[Type]:
        """The types of the arguments for sizes.

        Raises:
            ArgumentValueError: A dimension has no size for them.
        """
        types = list(self.types)
        for (argument, axis), dimension in self.dimensions.items():
            declared = types[argument]
            assert isinstance(declared, TensorType)
            shape = list(declared.shape)
            shape[axis] = size_of(dimension, sizes)
            types[argument] = replace(declared, shape=tuple(shape))
        return types


def size_of(dimension: SymbolicDimension, sizes: Mapping[str, int]) -> int:
    """The value of an expression.

    Raises:
        ArgumentValueError: It divides by zero, or is negative.
    """
    try:
        size = dimension.value(sizes)
    except DivisionByZeroError as error:
        raise ArgumentValueError(f"{dimension}: {error}") from None
    if size < 0:
        text = ", ".join(f"{name} = {sizes[name]}" for name in sorted(dimension.variables))
        raise ArgumentValueError(f"a dimension of {dimension} would have size {size}, with {text}")
    return size


@dataclass(frozen=True)
class CostFormulas:
    """The cost of a call of a function, as formulas in sizes.

    Attributes:
        sizes: The sizes.
        flops: Arithmetic operations.
        transcendentals: Transcendental functions of one element.
        bytes: What operations read and write.
        multiple: The formulas hold for sizes that are multiples of this number.
        known: The values of the other sizes.
        rest: What is not counted, whatever the sizes.
    """

    sizes: SymbolicSizes
    flops: Polynomial
    transcendentals: Polynomial
    bytes: Polynomial
    multiple: int
    known: Mapping[str, int]
    rest: Cost = field(default_factory=Cost)


def symbolic_sizes(
    module: Module, function: FuncOp, exported: Sequence[Sequence[SymbolicDimension] | None] = ()
) -> SymbolicSizes | None:
    """The unknown sizes of the arguments of a function; None if there are none, or no rank.

    Args:
        module: The module.
        function: The function.
        exported: The dimensions of each argument that ``jax.export`` declares.
    """
    types = function.type.inputs
    unknown = [(i, axis) for i, t in enumerate(types) for axis in unknown_axes(t)]
    if not unknown:
        return None
    if exported:
        declared = {(i, axis): (exported[i] or ())[axis] for i, axis in unknown}
        return SymbolicSizes(function.symbol, types, declared)
    sizes = SymbolicSizes(function.symbol, types, name_dimensions(unknown, range(len(unknown))))
    if len(unknown) == 1:
        return sizes  # which has nothing to be equal to
    attempts = (
        unify_sizes(Trial(module, sizes, range(len(unknown)), multiple)) for multiple in (1, 64)
    )
    return next(filter(None, attempts), None)


def unknown_axes(value_type: Type) -> Iterator[int]:
    """The dimensions of a type whose sizes are not known and have no bounds."""
    if isinstance(value_type, TensorType) and not any(b != DYNAMIC for b in value_type.bounds):
        yield from (i for i, size in enumerate(value_type.shape) if size == DYNAMIC)


def name_dimensions(
    places: Sequence[tuple[int, int]], classes: Sequence[int]
) -> dict[tuple[int, int], SymbolicDimension]:
    """Dimensions with names, one for each class."""
    letters = (f"{letter}{round_ or ''}" for round_ in count() for letter in LETTERS)
    names = {number: next(letters) for number in dict.fromkeys(classes)}
    return {p: parse_dimension(names[c]) for p, c in zip(places, classes, strict=True)}


def unify_sizes(trial: Trial) -> SymbolicSizes | None:
    """The sizes with one name for those that must be equal; None if no sizes fit.

    Different sizes are tried. Where an operation rejects them, two that its error names become one,
    if possible two with which it has no error.
    """
    if len(trial.classes) > len(PRIMES):
        return None
    while (error := trial.error) is not None:
        options = [trial.merge(*pair) for pair in trial.pairs(error)]
        if not options:
            trial = replace(trial, classes=[0] * len(trial.classes))
            return trial.sizes if trial.error is None else None
        trial = next((o for o in options if o.error is None or place(o.error) != place(error)),
                     options[0])  # fmt: skip
    return trial.sizes


@dataclass(frozen=True)
class Trial:
    """Different values for unknown sizes, some of which are equal.

    Attributes:
        module: The program.
        declared: The sizes.
        classes: For each of them a number, which is that of all sizes that are equal to it.
        multiple: What all values are multiples of.
    """

    module: Module
    declared: SymbolicSizes
    classes: Sequence[int]
    multiple: int

    @cached_property
    def sizes(self) -> SymbolicSizes:
        """The sizes, with one name for those that are equal."""
        dimensions = name_dimensions(list(self.declared.dimensions), self.classes)
        return replace(self.declared, dimensions=dimensions)

    @property
    def values(self) -> list[int]:
        """Different values, as many as there may be sizes."""
        return [self.multiple * prime for prime in PRIMES]

    @cached_property
    def error(self) -> StablemateError | None:
        """Why the program does not take them."""
        try:
            specialize_program(self.module, self.sizes, dict(zip(self.sizes.names, self.values)))  # noqa: B905
        except StablemateError as error:
            return error
        return None

    def pairs(self, error: StablemateError) -> list[tuple[int, int]]:
        """Pairs of different classes that an error names.

        First come those in the same dimension of two types.
        """
        classes = dict(zip(map(str, self.values), dict.fromkeys(self.classes), strict=False))
        text = str(error)
        shapes = [shape.split("x") for shape in dict.fromkeys(SHAPE.findall(text))]
        aligned = [pair for one, other in combinations(shapes, 2) for pair in zip(one, other)]  # noqa: B905
        numbers = [n for n in dict.fromkeys(re.findall(r"\d+", text)) if n in classes]
        pairs = [(x, y) for x, y in aligned if x in classes and y in classes and x != y]
        pairs += combinations(numbers, 2)
        return list(dict.fromkeys((classes[x], classes[y]) for x, y in pairs))

    def merge(self, one: int, other: int) -> Trial:
        """A trial in which two classes are one."""
        classes = [min(one, other) if c in (one, other) else c for c in self.classes]
        return replace(self, classes=classes)


def place(error: StablemateError) -> tuple[object, ...]:
    """The rule and the place of an error."""
    diagnostics = getattr(error, "diagnostics", ())
    return tuple((d.rule, d.span) for d in diagnostics[:1]) or (str(error),)


def specialize_program(module: Module, sizes: SymbolicSizes, values: Mapping[str, int]) -> Module:
    """The program for sizes.

    Raises:
        ArgumentValueError: The arguments cannot have these sizes.
        VerifyError: With these sizes an operation breaks a rule, or an assertion fails.
    """
    return refine_module(module, sizes.argument_types(values), sizes.function)


def cost_formulas(
    module: Module, sizes: SymbolicSizes, known: Mapping[str, int]
) -> CostFormulas | None:
    """The cost of a call as formulas in those sizes that are not known; None if it is none.

    Args:
        module: The module.
        sizes: The sizes.
        known: The values of some of them.
    """
    names = [name for name in sizes.names if name not in known]
    is_costly = sum(1 for _ in module.operation.walk()) > LARGE_PROGRAM
    rest = Cost()

    def sample(values: Sizes) -> Sequence[int]:
        nonlocal rest
        program = specialize_program(
            module, sizes, {**known, **dict(zip(names, values, strict=True))}
        )
        cost = costs_of(program)[sizes.function]
        rest = replace(cost, flops=0, transcendentals=0, bytes=0)
        return cost.flops, cost.transcendentals, cost.bytes

    for multiple in MULTIPLES:
        try:
            polynomials = fit_polynomials(sample, names, multiple, is_costly=is_costly)
        except StablemateError:
            continue
        if polynomials is not None:
            flops, transcendentals, traffic = polynomials
            return CostFormulas(
                sizes, flops, transcendentals, traffic, multiple=multiple, known=known, rest=rest
            )
    return None


def parse_sizes(text: str) -> dict[str, int]:
    """The sizes in ``N=512,M=4``.

    Raises:
        ArgumentValueError: The text is no list of them.
    """
    sizes: dict[str, int] = {}
    for part in text.split(","):
        match = re.fullmatch(r"\s*([^\W\d]\w*)\s*=\s*(\d{1,18})\s*", part)
        if match is None:
            message = f"expected sizes such as N=512,M=4, not {text!r}"
            raise ArgumentValueError(message)
        if match[1] in sizes:
            raise ArgumentValueError(f"the size {match[1]} is given twice")
        sizes[match[1]] = int(match[2])
    return sizes
