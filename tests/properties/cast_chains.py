"""Functions in which unrealized casts, StableHLO and ``arith`` take each other's results.

Casts have up to two operands and results, and some reverse others; some operations are in regions
that use values from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tests.properties.generation.choices import Choices

TYPES: Final = ("tensor<f32>", "f32", "tensor<i32>", "i32", "index", "memref<2xf32>")
CAST: Final = "builtin.unrealized_conversion_cast"
# The dialects that add values of a type.
ADDITIONS: Final[Mapping[str, Sequence[str]]] = {
    "tensor<f32>": ("stablehlo.add", "arith.addf"),
    "tensor<i32>": ("stablehlo.add", "arith.addi"),
    "f32": ("arith.addf",),
    "i32": ("arith.addi",),
    "index": ("arith.addi",),
}


class CastChain:
    """One function.

    Attributes:
        choices: Where decisions come from.
        values: The type of each value.
        lines: The operations.
    """

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.arguments = {f"%a{i}": choices.of(TYPES) for i in range(choices.integer(1, 3))}
        self.values = dict(self.arguments)
        self.lines: list[str] = []
        for _ in range(choices.integer(2, 8)):
            choices.of(STEPS)(self, *choices.of(list(self.values.items())))

    def cast(self, value: str, its_type: str) -> None:
        """Adds a cast of one value."""
        self.casts([(value, its_type)], [self.choices.of(TYPES)])

    def cast_of_several(self, value: str, its_type: str) -> None:
        """Adds a cast of a value and others, to several types."""
        others = [self.choices.of(list(self.values.items())) for _ in range(self.choices.below(2))]
        types = [self.choices.of(TYPES) for _ in range(self.choices.integer(1, 2))]
        self.casts([(value, its_type), *others], types)

    def casts(self, operands: Sequence[tuple[str, str]], types: Sequence[str]) -> None:
        """Adds a cast."""
        name = f"%v{len(self.lines)}"
        names = [name] if len(types) == 1 else [f"{name}#{i}" for i in range(len(types))]
        results = name if len(types) == 1 else f"{name}:{len(types)}"
        taken = ", ".join(value for value, _ in operands)
        taken_types = ", ".join(its_type for _, its_type in operands)
        self.lines.append(f"{results} = {CAST} {taken} : {taken_types} to {', '.join(types)}")
        self.values.update(zip(names, types, strict=True))

    def addition(self, value: str, its_type: str) -> None:
        """Adds a sum of two values, if they are numbers."""
        if its_type in ADDITIONS:
            name = f"%v{len(self.lines)}"
            self.lines.append(f"{name} = {self.sum(value, its_type)}")
            self.values[name] = its_type

    def sum(self, value: str, its_type: str) -> str:
        """The sum of a value and another one of its type."""
        other = self.choices.of([v for v, t in self.values.items() if t == its_type])
        return f"{self.choices.of(ADDITIONS[its_type])} {value}, {other} : {its_type}"

    def region(self, value: str, its_type: str) -> None:
        """Adds a region that takes values from outside."""
        if its_type not in ADDITIONS:
            return
        name = f"%v{len(self.lines)}"
        self.lines.append(
            f"{name} = scf.execute_region -> {its_type} {{\n"
            f"%s = {self.sum(value, its_type)}\nscf.yield %s : {its_type}\n}}"
        )
        self.values[name] = its_type

    def text(self) -> str:
        """The function, which returns some of the values."""
        returned = [self.choices.of(list(self.values)) for _ in range(self.choices.below(4))]
        types = ", ".join(self.values[value] for value in returned)
        taken = ", ".join(f"{name}: {its_type}" for name, its_type in self.arguments.items())
        last = f"return {', '.join(returned)} : {types}" if returned else "return"
        return f"func.func @f({taken}) -> ({types}) {{\n" + "\n".join([*self.lines, last, "}\n"])


STEPS: Final[Sequence[Callable[[CastChain, str, str], None]]] = (
    *(CastChain.cast, CastChain.cast, CastChain.cast, CastChain.cast_of_several),
    *(CastChain.addition, CastChain.addition, CastChain.region),
)


def cast_chain(choices: Choices) -> str:
    """A function of such operations."""
    return CastChain(choices).text()
