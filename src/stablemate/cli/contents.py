"""What is inside a program: functions, operations, constants, sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import stablemate as sm
from stablemate.execution.signature import Argument, Signature
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    DenseResourceAttribute,
    StringAttribute,
)
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType, TupleType, Type

UNITS: Final = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))
# An error in one of these may leave a function without a type or a name.
FRAME: Final = ("builtin.", "func.")


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal: its type, the bytes it holds (those of one element if it repeats), its line."""

    type: str
    bytes: int
    line: int | None


@dataclass(frozen=True, slots=True)
class FunctionEntry:
    """A function, and the bytes of its arguments and results as far as their shapes are known."""

    is_public: bool
    signature: Signature
    argument_bytes: int
    result_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """A program in numbers.

    Attributes:
        source: What messages call it.
        format: What it was read from.
        bytes: Size of what was read.
        errors: How many rules it breaks.
        name: Name of the module.
        attributes: What the module says about itself, as text.
        exported: How JAX calls it, if it comes from jax.export.
        functions: Functions in order; none if errors make them unreadable.
        operations: How many of each there are, most frequent first.
        custom_calls: How many calls of each target.
        constants: Literals, largest first.
    """

    source: str
    format: str
    bytes: int
    errors: int
    name: str
    attributes: Mapping[str, str]
    exported: Mapping[str, str]
    functions: Sequence[FunctionEntry]
    operations: Mapping[str, int]
    custom_calls: Mapping[str, int]
    constants: Sequence[Constant]

    @property
    def constant_bytes(self) -> int:
        """Bytes of all constants."""
        return sum(each.bytes for each in self.constants)


def contents_of(module: sm.Module) -> Contents:
    """What is inside a module, valid or not."""
    top, source = module.operation, module.ir.source
    operations = list(top.walk())[1:]
    diagnostics = module.diagnostics()
    is_readable = not any(each.rule.startswith(FRAME) for each in diagnostics)
    constants = (constant_of(each) for each in operations)
    return Contents(
        source=source.name if source else "",
        format=module.format,
        bytes=len(source.text.encode("utf-8", "surrogateescape")) if source else 0,
        errors=len(diagnostics),
        name=module.name,
        attributes={name: str(value) for name, value in top.discardable.items()},
        exported=exported_facts(module),
        functions=[entry_of(each) for each in module.functions.values()] if is_readable else [],
        operations=counts(each.name for each in operations),
        custom_calls=counts(targets_of(operations)),
        constants=sorted(filter(None, constants), key=lambda each: -each.bytes),
    )


def exported_facts(module: sm.Module) -> dict[str, str]:
    """How JAX calls the program, in words; empty if it does not come from jax.export."""
    exported = module.exported
    if exported is None:
        return {}
    facts = {
        "function": str(exported),
        "sizes": ", ".join(exported.symbols),
        "calling convention": str(exported.calling_convention_version),
        "platforms": ", ".join(exported.platforms),
        "devices": str(exported.devices),
        "dropped arguments": ", ".join(
            name for i, name in enumerate(exported.argument_names) if i not in exported.kept
        ),
        "ordered effects": ", ".join(exported.ordered_effects),
        "unordered effects": ", ".join(exported.unordered_effects),
        "disabled checks": ", ".join(exported.disabled_checks),
        "gradient": "yes" if exported.vjp else "",
    }
    return {name: fact for name, fact in facts.items() if fact}


def counts(names: Iterable[str]) -> dict[str, int]:
    """How often each name occurs, most frequent first, then by name."""
    return dict(sorted(Counter(names).items(), key=lambda entry: (-entry[1], entry[0])))


def targets_of(operations: Iterable[Operation]) -> Iterator[str]:
    """The targets of custom calls."""
    for operation in operations:
        target = operation.attributes.get("call_target_name")
        if isinstance(target, StringAttribute):
            yield target.value


def constant_of(operation: Operation) -> Constant | None:
    """The literal of a constant operation."""
    line = operation.span.line if operation.span else None
    match operation.attributes.get("value"):
        case DenseElementsAttribute() as value:
            return Constant(str(value.type), value.data.nbytes, line)
        case DenseResourceAttribute() as value:
            return Constant(str(value.type), bytes_of(value.type), line)
        case _:
            return None


def entry_of(function: sm.Function) -> FunctionEntry:
    """A function in numbers."""
    signature = function.signature
    sizes = (
        sum(bytes_of(x.type) for x in each) for each in (signature.arguments, signature.results)
    )
    return FunctionEntry(function.is_public, signature, *sizes)


def bytes_of(value_type: Type) -> int:
    """Bytes of a value; 0 where the shape is not known."""
    match value_type:
        case TensorType() if value_type.is_static:
            return value_type.bytes
        case TupleType():
            return sum(bytes_of(each) for each in value_type.types)
        case _:
            return 0


# ---- text


def contents_text(contents: Contents, listed: int) -> str:
    """The contents for people, with the largest constants."""
    errors = contents.errors
    validity = f"{errors} error{'s' * (errors != 1)}: see stablemate check" if errors else "valid"
    lines = [
        f"{contents.source}: {contents.format}, {size_text(contents.bytes)}, {validity}",
        f"module {contents.name or '(no name)'}",
        *(f"  {name} = {value}" for name, value in contents.attributes.items()),
        *(["", "jax.export"] if contents.exported else []),
        *(f"  {name}: {fact}" for name, fact in contents.exported.items()),
        *section("functions", map(function_text, contents.functions)),
        *section("operations", count_lines(contents.operations), sum(contents.operations.values())),
        *section(
            "custom calls", count_lines(contents.custom_calls), sum(contents.custom_calls.values())
        ),
        *constants_section(contents, listed),
    ]
    return "\n".join(lines)


def section(title: str, lines: Iterable[str], number: int | None = None) -> list[str]:
    """A title with a number, and lines below it; nothing if there are none."""
    indented = [f"  {line}" for line in lines]
    if not indented:
        return []
    return ["", f"{title} ({len(indented) if number is None else number})", *indented]


def function_text(function: FunctionEntry) -> str:
    """A function on one line."""
    sizes = f"{size_text(function.argument_bytes)} in, {size_text(function.result_bytes)} out"
    return f"{'public' if function.is_public else 'private'} {function.signature}, {sizes}"


def count_lines(counted: Mapping[str, int]) -> list[str]:
    """Numbers and names, aligned."""
    width = max((len(str(number)) for number in counted.values()), default=0)
    return [f"{number:>{width}}  {name}" for name, number in counted.items()]


def constants_section(contents: Contents, listed: int) -> list[str]:
    """The largest constants."""
    constants = contents.constants
    if not constants:
        return []
    shown = constants[:listed]
    width = max((len(size_text(each.bytes)) for each in shown), default=0)
    lines = [
        f"  {size_text(each.bytes):>{width}}  {each.type}"
        + (f", line {each.line}" if each.line else "")
        for each in shown
    ]
    if len(constants) > len(shown):
        lines.append(f"  and {len(constants) - len(shown)} more")
    return ["", f"constants ({len(constants)}, {size_text(contents.constant_bytes)})", *lines]


def size_text(size: int) -> str:
    """A number of bytes for people."""
    for factor, unit in UNITS:
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} byte{'s' * (size != 1)}"


# ---- JSON


def contents_json(contents: Contents, listed: int) -> dict[str, Any]:
    """The contents as an object, with the largest constants."""
    return {
        "file": contents.source,
        "format": contents.format,
        "bytes": contents.bytes,
        "errors": contents.errors,
        "name": contents.name,
        "attributes": dict(contents.attributes),
        **({"exported": dict(contents.exported)} if contents.exported else {}),
        "functions": [function_json(each) for each in contents.functions],
        "operations": dict(contents.operations),
        "custom_calls": dict(contents.custom_calls),
        "constants": {
            "number": len(contents.constants),
            "bytes": contents.constant_bytes,
            "largest": [
                {"type": each.type, "bytes": each.bytes, "line": each.line}
                for each in contents.constants[:listed]
            ],
        },
    }


def function_json(function: FunctionEntry) -> dict[str, Any]:
    """A function as an object."""
    signature = function.signature
    return {
        "name": signature.name,
        "public": function.is_public,
        "arguments": [argument_json(each) for each in signature.arguments],
        "results": [argument_json(each) for each in signature.results],
        "argument_bytes": function.argument_bytes,
        "result_bytes": function.result_bytes,
    }


def argument_json(argument: Argument) -> dict[str, Any]:
    """An argument or result as an object."""
    attributes = {name: str(value) for name, value in argument.attributes.items()}
    return {"name": argument.name, "type": str(argument.type), "attributes": attributes}
