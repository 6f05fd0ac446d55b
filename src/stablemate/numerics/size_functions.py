"""Sizes as texts of Python functions of their variables, which are stored with a program."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from stablemate.numerics.symbolic_sizes import LARGEST, SMALLEST, Assumptions, Atom, SymbolicSize

Evaluate: TypeAlias = Callable[..., Any]
Functions: TypeAlias = Mapping[str, Callable[..., int]]
NO_FUNCTIONS: Final[Functions] = MappingProxyType({})


def merge_rounds(count: int) -> int:
    """How often runs of 1, 2, 4, ... elements of a row are merged there and back to sort it."""
    return max(1, ((count - 1).bit_length() + 1) // 2)


def evaluation_text(assumptions: Assumptions, values: Iterable[object]) -> str:
    """A Python function from the variables to the values of sizes; numbers stay as they are."""
    results = "".join(f"{python_text(value)}, " for value in values)
    lines = atom_lines(assumptions, others(assumptions))
    return "\n".join([head_line(assumptions), *lines, f"    return ({results})"])


def condition_text(assumptions: Assumptions) -> str:
    """A Python function from the variables to whether they fulfill all assumptions.

    That a divisor is not 0 is an assumption, too: a ``ZeroDivisionError`` means that it does not
    hold. Functions are called only for variables that fulfill all other assumptions. What is
    assumed of sizes that only a run knows is left out.
    """
    called = called_atoms(assumptions)
    counted = counted_atoms(assumptions)
    outcomes: dict[bool, list[str]] = {False: [], True: []}
    for operator, assumed in ((">=", assumptions.nonnegative), ("==", assumptions.zero)):
        for polynomial, outcome in assumed.values():
            if not counted.isdisjoint(atoms_of(polynomial)):
                continue
            text = f"({python_text(polynomial)} {operator} 0) is {outcome}"
            outcomes[not called.isdisjoint(atoms_of(polynomial))].append(text)
    ranges = [f"{SMALLEST} <= n{i} <= {LARGEST}" for i in range(assumptions.variables)]
    known = [number for number in others(assumptions) if number not in counted]
    lines = [
        head_line(assumptions),
        *(f"    if not ({condition}): return False" for condition in ranges),
        *atom_lines(assumptions, [n for n in known if n not in called]),
    ]
    if outcomes[True]:
        lines.append(f"    if not ({' and '.join(outcomes[False]) or True}): return False")
        lines += atom_lines(assumptions, [n for n in known if n in called])
    result = " and ".join(outcomes[bool(outcomes[True])]) or "True"
    return "\n".join([*lines, f"    return {result}"])


def called_atoms(assumptions: Assumptions) -> set[int]:
    """The numbers of the results of functions, and of quotients that are computed from them."""
    called: set[int] = set()
    for number in others(assumptions):
        atom = assumptions.atoms[number]
        if atom.function or not called.isdisjoint(operands_of(atom)):
            called.add(number)
    return called


def counted_atoms(assumptions: Assumptions) -> set[int]:
    """The numbers of sizes that only a run knows, and of what is computed from them."""
    counted: set[int] = set()
    for number in others(assumptions):
        atom = assumptions.atoms[number]
        is_derived = atom.dividend is not None or bool(atom.function)
        if not is_derived or not counted.isdisjoint(operands_of(atom)):
            counted.add(number)
    return counted


def others(assumptions: Assumptions) -> range:
    """The numbers of atoms that are no variables."""
    return range(assumptions.variables, len(assumptions.atoms))


def operands_of(atom: Atom) -> Iterator[int]:
    """The atoms that a quotient, or the result of a function, is computed from."""
    for value in (atom.dividend, atom.divisor, *atom.arguments):
        if isinstance(value, SymbolicSize):
            yield from atoms_of(value)


def atoms_of(size: SymbolicSize) -> Iterator[int]:
    """The atoms of a polynomial."""
    for monomial in size.terms:
        yield from monomial


def head_line(assumptions: Assumptions) -> str:
    """The first line of a function of the variables."""
    return f"def evaluate({', '.join(f'n{i}' for i in range(assumptions.variables))}):"


def atom_lines(assumptions: Assumptions, numbers: Collection[int]) -> Iterator[str]:
    """The lines that compute quotients and results of functions."""
    for number in numbers:
        atom = assumptions.atoms[number]
        if atom.function:
            text = f"{atom.function}({', '.join(map(python_text, atom.arguments))})"
        else:
            text = f"({python_text(atom.dividend)}) // ({python_text(atom.divisor)})"
        yield f"    n{number} = {text}"


def function_of(text: str, functions: Functions = NO_FUNCTIONS) -> Evaluate:
    """The function of a text that this module has written.

    Args:
        text: The text.
        functions: The functions that it calls.
    """
    names: dict[str, Any] = dict(functions)
    exec(text, names)
    evaluate: Evaluate = names["evaluate"]
    return evaluate


def python_text(value: object) -> str:
    """The Python expression of a size, a number or a text."""
    if not isinstance(value, SymbolicSize):
        return repr(value)
    return " + ".join(
        "*".join([repr(coefficient), *(f"n{number}" for number in monomial)])
        for monomial, coefficient in value.terms.items()
    )


def holds(assumptions: Assumptions) -> Callable[..., bool]:
    """A function from the variables to whether they fulfill all assumptions."""
    return fulfilled_by(condition_text(assumptions))


def fulfilled_by(text: str, functions: Functions = NO_FUNCTIONS) -> Callable[..., bool]:
    """The function of a text of ``condition_text``."""
    evaluate = function_of(text, functions)

    def is_fulfilled(*sizes: int) -> bool:
        try:
            outcome: bool = evaluate(*sizes)
        except ZeroDivisionError:
            return False
        return outcome

    return is_fulfilled
