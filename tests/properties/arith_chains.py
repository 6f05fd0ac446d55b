"""Functions of operations of ``arith`` that take constants, arguments and each other's results.

Conversions fold many of them, each in the order in which they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tests.properties.generation.choices import Choices

INTEGER_OPERATIONS: Final = (
    *("addi", "subi", "muli", "divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi"),
    *("remui", "andi", "ori", "xori", "shli", "shrsi", "shrui", "maxsi", "maxui", "minsi", "minui"),
)
FLOAT_OPERATIONS: Final = (
    *("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf"),
)
EXTENDED: Final = ("addui_extended", "mulsi_extended", "mului_extended")
FLAGGED: Final = ("addi", "subi", "muli", "shli")
FLAGS: Final = ("", " overflow<nsw>", " overflow<nuw>")
INTEGER_CONDITIONS: Final = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_CONDITIONS: Final = ("oeq", "one", "ueq", "une", "olt", "true", "false", "ord", "uno")
WIDTHS: Final = (1, 8, 17, 32, 64)
FLOATS: Final = ("f32", "f64", "bf16", "f16")
ELEMENTS: Final = ("i1", "i8", "i17", "i32", "i64", "index", *FLOATS)
SHAPES: Final = ("scalar", "scalar", "", "2x", "2x3x")
WIDER: Final = {"bf16": ("f32", "f64"), "f16": ("f32", "f64"), "f32": ("f64",)}
NARROWER: Final = {"f32": ("bf16", "f16"), "f64": ("f32", "bf16", "f16")}


class Chain:
    """One function.

    Attributes:
        choices: Where decisions come from.
        shape: The sizes of all tensors, or that all values are scalars.
        values: The type of each value.
        lines: The operations.
    """

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.shape = choices.of(SHAPES)
        elements = ["i1", choices.of(ELEMENTS), choices.of(ELEMENTS)]
        self.arguments = {
            f"%a{i}{j}": element
            for i, element in enumerate(elements)
            for j in range(choices.below(3))
        }
        self.values: dict[str, str] = dict(self.arguments)
        self.lines: list[str] = []
        for element in elements:
            for _ in range(choices.integer(1, 3)):
                self.constant(element)
        for _ in range(choices.integer(2, 6)):
            choices.of(STEPS)(self, *choices.of(list(self.values.items())))

    def type(self, element: str) -> str:
        """The type of values with such elements."""
        return element if self.shape == "scalar" else f"tensor<{self.shape}{element}>"

    def add(self, element: str, text: str) -> None:
        """Adds an operation with one result."""
        name = f"%v{len(self.lines)}"
        self.values[name] = element
        self.lines.append(f"  {name} = arith.{text}\n")

    def constant(self, element: str) -> None:
        """Adds a constant."""
        number = self.choices.of(("0", "1", "-1", "2", "3", "-128"))
        if element == "i1":
            number = self.choices.of(("false", "true"))
        elif element in FLOATS:
            number = self.choices.of(("0.0", "-0.0", "1.0", "-1.0", "2.0"))
        typed = f" : {self.type(element)}"
        if self.shape != "scalar":
            self.add(element, f"constant dense<{number}>{typed}")
        else:
            self.add(element, f"constant {number}{'' if element == 'i1' else typed}")

    def other(self, element: str) -> str:
        """A value with such elements."""
        return self.choices.of([value for value, its in self.values.items() if its == element])

    def arithmetic(self, value: str, element: str) -> None:
        """Adds an operation on two values."""
        name = self.choices.of(FLOAT_OPERATIONS if element in FLOATS else INTEGER_OPERATIONS)
        flags = self.choices.of(FLAGS) if name in FLAGGED else ""
        self.add(element, f"{name} {value}, {self.other(element)}{flags} : {self.type(element)}")

    def comparison(self, value: str, element: str) -> None:
        """Adds a comparison."""
        name, conditions = ("cmpi", INTEGER_CONDITIONS)
        if element in FLOATS:
            name, conditions = ("cmpf", FLOAT_CONDITIONS)
        condition = self.choices.of(conditions)
        other = self.other(element)
        self.add("i1", f"{name} {condition}, {value}, {other} : {self.type(element)}")

    def selection(self, value: str, element: str) -> None:
        """Adds a selection."""
        condition, other = self.other("i1"), self.other(element)
        types = self.type(element)
        if self.shape != "scalar":
            types = f"{self.type('i1')}, {types}"
        self.add(element, f"select {condition}, {value}, {other} : {types}")

    def cast(self, value: str, element: str) -> None:
        """Adds a cast."""
        name, to = self.choices.of(casts_of(element))
        self.add(to, f"{name} {value} : {self.type(element)} to {self.type(to)}")

    def negation(self, value: str, element: str) -> None:
        """Adds a negation, if it is one of floats."""
        if element in FLOATS:
            self.add(element, f"negf {value} : {self.type(element)}")

    def extended(self, value: str, element: str) -> None:
        """Adds an operation with two results, if it is one of integers."""
        if element in FLOATS:
            return
        name, result, other = self.choices.of(EXTENDED), f"%v{len(self.lines)}", element
        types = self.type(element)
        operands = f"{value}, {self.other(element)}"
        if name == "addui_extended":
            other, types = "i1", f"{types}, {self.type('i1')}"
        self.values[f"{result}#0"], self.values[f"{result}#1"] = element, other
        self.lines.append(f"  {result}:2 = arith.{name} {operands} : {types}\n")

    def text(self) -> str:
        """The function, which returns some of the values."""
        returned = [*self.choices.some(list(self.values), 2), list(self.values)[-1]]
        types = ", ".join(self.type(self.values[value]) for value in returned)
        arguments = ", ".join(f"{name}: {self.type(e)}" for name, e in self.arguments.items())
        return (
            f"func.func @f({arguments}) -> ({types}) {{\n{''.join(self.lines)}"
            f"  return {', '.join(returned)} : {types}\n}}\n"
        )


def casts_of(element: str) -> list[tuple[str, str]]:
    """The casts of values with such elements, and what they give."""
    if element == "index":
        return [("index_cast", "i32"), ("index_castui", "i32")]
    if element in FLOATS:
        casts = [("extf", to) for to in WIDER.get(element, ())]
        return [*casts, *(("truncf", to) for to in NARROWER.get(element, ())), ("fptosi", "i32")]
    width = int(element[1:])
    casts = [("index_cast", "index"), ("index_castui", "index"), ("sitofp", "f32")]
    casts += [("trunci", f"i{other}") for other in WIDTHS if other < width]
    return casts + [
        (name, f"i{other}") for other in WIDTHS if other > width for name in ("extsi", "extui")
    ]


STEPS: Final[Sequence[Callable[[Chain, str, str], None]]] = (
    *(Chain.arithmetic, Chain.arithmetic, Chain.arithmetic, Chain.comparison, Chain.comparison),
    *(Chain.selection, Chain.cast, Chain.cast, Chain.negation, Chain.extended),
)


def arith_chain(choices: Choices) -> str:
    """A function of such operations."""
    return Chain(choices).text()
