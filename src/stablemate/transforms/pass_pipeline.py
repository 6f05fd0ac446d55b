"""Pipelines: passes in order, each with its options, as they are written on a command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    ParseError,
    UnsupportedError,
    VerifyError,
)
from stablemate.dialects.vhlo.versions import target_version
from stablemate.formats.mlir.parser import parse_types
from stablemate.ir.core import Module
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.verifier import errors_in
from stablemate.transforms.passes import Kind, Pass, PassOption, pass_named

PAIRS: Final = {"(": ")", "{": "}", "[": "]", "<": ">"}
ENTRY: Final = re.compile(r"\s*([\w.-]+)\s*")
KEY: Final = re.compile(r"\s*([\w-]+)\s*(?:=\s*)?")
ANCHORS: Final = ("builtin.module", "module", "func.func", "func", "any")
TRUE, FALSE = ("", "true", "1"), ("false", "0")


@dataclass(frozen=True, slots=True)
class PassStep:
    """A pass with its options.

    Attributes:
        definition: The pass.
        options: Values of its options, by the names of the function's parameters.
        text: As it is written in a pipeline.
    """

    definition: Pass
    options: Mapping[str, object] = field(default_factory=dict[str, object])
    text: str = ""

    @property
    def name(self) -> str:
        """The name of the pass."""
        return self.definition.name

    def run(self, module: Module) -> Module:
        """The module after the pass."""
        return self.definition.function()(module, **self.options)


def run_steps(
    module: Module, steps: Sequence[PassStep], *, verify_each: bool = True
) -> Iterator[tuple[PassStep, Module]]:
    """Yields each pass with the module after it.

    Raises:
        VerifyError: A pass made a module that breaks a rule; a note names the pass.
    """
    for step in steps:
        with without_garbage_collection():
            module = step.run(module)
        if verify_each and (findings := errors_in(module.operation)):
            note = Diagnostic(f"this is what {step.name} made of the program")
            raise VerifyError([*findings, note])
        yield step, module


def step_of(text: str) -> PassStep:
    """The step of ``name``, ``name{option=value ...}`` or ``name=option=value ...``.

    Raises:
        ArgumentValueError: There is no such pass or option, or one cannot have this value.
    """
    steps = steps_of(text)
    if len(steps) != 1:
        raise ArgumentValueError(f"expected one pass, not {text!r}")
    return steps[0]


def steps_of(text: str) -> Sequence[PassStep]:
    """The steps of a pipeline, such as ``builtin.module(func.func(cse),inline{...})``.

    Raises:
        ArgumentValueError: It cannot be read; there is no such pass or option.
    """
    steps: list[PassStep] = []
    for part in split(text, ","):
        match = ENTRY.match(part)
        if match is None:
            raise ArgumentValueError(f"expected the name of a pass in {text!r}, not {part!r}")
        name, rest = match[1], part[match.end() :].strip()
        if rest.startswith("(") and name in ANCHORS:
            steps += steps_of(bracketed_text(rest, text))
            continue
        definition = pass_named(name)
        if rest.startswith("="):
            rest = rest[1:].strip()
        elif rest.startswith("{"):
            rest = bracketed_text(rest, text)
        elif rest:
            raise ArgumentValueError(f"expected options of {name} in braces, not {rest!r}")
        steps.append(PassStep(definition, options_of(definition, rest), part.strip()))
    return steps


def bracketed_text(text: str, pass_text: str) -> str:
    """The text in the brackets after a name.

    Raises:
        ArgumentValueError: The closing one is missing, or not the end.
    """
    if len(text) < 2 or text[-1] != PAIRS[text[0]]:
        raise ArgumentValueError(
            f"expected {PAIRS[text[0]]!r} at the end of {text!r} in {pass_text!r}"
        )
    return text[1:-1]


def split(text: str, separator: str) -> Iterator[str]:
    """The parts of a text between separators outside brackets and quotes."""
    depth, quote, start = 0, "", 0
    for position, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in PAIRS:
            depth += 1
        elif character in PAIRS.values() and text[position - 1 : position] != "-":
            depth -= 1
        elif character == separator and depth == 0:
            yield text[start:position]
            start = position + 1
    if text[start:].strip() or start:
        yield text[start:]


def options_of(definition: Pass, text: str) -> dict[str, object]:
    """The options in ``name=value name=value``.

    Raises:
        ArgumentValueError: The pass has no such option, lacks one, or one cannot have this value.
    """
    by_name = {option.name: option for option in definition.options}
    values: dict[str, object] = {}
    for part in split(text, " "):
        if not part.strip():
            continue
        match = KEY.match(part)
        name = match[1] if match else part
        option = by_name.get(name)
        if match is None or option is None:
            has = ", ".join(by_name) or "none"
            raise ArgumentValueError(f"{definition.name} has no option {name!r}; it has: {has}")
        values[option.parameter] = value_of(definition, option, part[match.end() :].strip())
    for declared in definition.options:
        if declared.required and declared.parameter not in values:
            raise ArgumentValueError(f"{definition.name} needs {declared.name}: {declared.meaning}")
    return {NAMES.get(name, name): value for name, value in values.items()}


NAMES: Final = {"except": "but"}  # a word of Python


def value_of(definition: Pass, option: PassOption, text: str) -> object:
    """The value of an option.

    Raises:
        ArgumentValueError: It cannot have this one.
    """
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    try:
        return READERS[option.kind](text[1:-1] if quoted else text)
    except UnsupportedError as error:
        raise ArgumentValueError(error.diagnostics) from error
    except (ParseError, ValueError) as error:
        message = f"{definition.name}: {option.name} cannot be {text!r}: {reason_of(error)}"
        raise ArgumentValueError(message) from error


def reason_of(error: Exception) -> str:
    """The message of an error without its place in an internal text."""
    return error.diagnostics[0].message if isinstance(error, ParseError) else str(error)


def flag(text: str) -> bool:
    """``true`` or ``false``; nothing is true.

    Raises:
        ValueError: It is neither.
    """
    if text.lower() not in (*TRUE, *FALSE):
        raise ValueError("it is true or false")
    return text.lower() in TRUE


def number(text: str) -> int:
    """A count.

    Raises:
        ValueError: It is none.
    """
    if not text.isdecimal():
        raise ValueError("it is a number")
    return int(text)


def names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(part.strip() for part in text.strip("{}").split(",") if part.strip())


READERS: Final[Mapping[Kind, Callable[[str], object]]] = {
    "flag": flag,
    "names": names,
    "number": number,
    "text": str,
    "types": parse_types,
    "version": target_version,
}
