"""What an input that is read must survive: checks, every way out and back, a short run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import stablemate as sm
from stablemate.diagnostics.limits import Limits
from stablemate.ir.types import TensorType
from stablemate.numerics.random_elements import random_elements

LIMITS: Final = Limits(
    tensor_bytes=1 << 22, input_bytes=1 << 22, calls=20, iterations=16, arena_bytes=1 << 24
)
LARGEST: Final = 1 << 16  # elements of an argument
SHARE: Final = 8  # of every so many that are read, one goes on
NATIVE: Final = 5  # of every so many of them, one is compiled


def random_array(value_type: TensorType, seed: int) -> Any:
    """Random elements of a type."""
    return random_elements(value_type.shape, value_type.element_type, seed)


class Changed(AssertionError):
    """What was written is not what was read."""


def read_and_survive(data: bytes | str, number: int, *, format: str | None = None) -> str:
    """Reads a program and does with it what a user may; says how far it came.

    What raises anything but a StablemateError is a finding.

    Args:
        data: The content of a file.
        number: What is done with it in turn follows from this.
        format: What it is to be read as; by default as it looks.
    """
    try:
        module = sm.load(data, limits=LIMITS, format=format)
    except sm.StablemateError as error:
        error.render()
        return "refused"
    is_valid = not [diagnostic.render() for diagnostic in module.diagnostics()]
    if number % SHARE:
        return "read"
    if isinstance(module, sm.HloModule):
        survive_as_hlo(module, is_valid=is_valid)
    else:
        survive_as_text(module, is_valid=is_valid, generic=number % 2 == 0)
    if not is_valid:
        return "invalid"
    CONVERSIONS[number // SHARE % len(CONVERSIONS)](module)
    return run(module, native=number // SHARE % NATIVE == 0)


def survive_as_text(module: sm.Module, *, is_valid: bool, generic: bool) -> None:
    """Prints a module and reads it again; the text of one that is not valid is only printed.

    The declared form leaves out what says nothing, such as empty attributes of arguments, so it is
    the text that has to be the same.
    """
    text = module.to_text(generic=generic, debug_info=True)
    if is_valid:
        again = sm.load(text, limits=LIMITS)
        if module.format != "mlir":  # bytes may leave out defaults; text that is read has them all
            module, text = again, again.to_text(generic=generic, debug_info=True)
            again = sm.load(text, limits=LIMITS)
        refuse_change(module.difference(again) if generic else "", text)
        printed = again.to_text(generic=generic, debug_info=True)
        refuse_change("" if printed == text else f"printed again:\n{printed}", text)


def survive_as_hlo(module: sm.HloModule, *, is_valid: bool = True) -> None:
    """Prints HLO and reads it again, if it is valid; a proto may hold what text cannot."""
    try:
        text = module.to_text()
    except sm.StablemateError:
        return
    if is_valid:
        again = sm.load(text, format="hlo", limits=LIMITS).to_text()
        if module.format != "hlo":  # of a proto, whose layouts may be left out; text has them all
            text, again = again, sm.load(again, format="hlo", limits=LIMITS).to_text()
        refuse_change("" if again == text else f"printed again:\n{again}", text)


def refuse_change(difference: str, text: str) -> None:
    """Raises if there is a difference."""
    if difference:
        raise Changed(f"{difference}\n{text}")


# ---- ways out of a valid program; what a format has no form for is refused


def through_bytecode(module: sm.Module) -> None:
    """To bytecode and back."""
    plain = translated(module)
    again = sm.load(plain.to_bytecode(), limits=LIMITS, upgrade=False)
    refuse_change(plain.difference(again), str(plain))


def through_artifact(module: sm.Module) -> None:
    """To a portable artifact and back."""
    plain = translated(module)
    try:
        data = plain.to_artifact("newest", mixed=True)
    except sm.StablemateError:
        return
    # Defaults are left out, and channels of collectives have no type, as upstream has it.
    once = sm.load(data, limits=LIMITS)
    twice = sm.load(once.to_artifact("newest", mixed=True), limits=LIMITS)
    refuse_change(once.difference(twice), str(plain))


def through_hlo(module: sm.Module) -> None:
    """To HLO, its text and its proto, and back."""
    try:
        hlo = module.to_hlo()
    except sm.StablemateError:
        return
    survive_as_hlo(hlo)
    try:
        data = hlo.to_proto()
    except sm.StablemateError:  # a string that is no UTF-8
        return
    once = proto_again(data)  # a channel that is not positive is none for who reads it
    refuse_change("" if proto_again(once) == once else "another proto", module.name)


def proto_again(data: bytes) -> bytes:
    """A proto read and written."""
    module = sm.load(data, limits=LIMITS)
    assert isinstance(module, sm.HloModule)
    return module.to_proto()


def as_page(module: sm.Module) -> None:
    """Everything that is told of a program."""
    module.contents()
    sm.fingerprint(module)
    with suppress(sm.StablemateError):  # HLO of a proto that text has no form for
        assert sm.view(module).html


def translated(module: sm.Module) -> sm.Module:
    """The program in StableHLO, if it has a form there; HLO otherwise stays what it is."""
    try:
        return module.to_stablehlo()
    except sm.StablemateError:
        return sm.load("module {\n}\n")


CONVERSIONS: Final[Sequence[Callable[[sm.Module], None]]] = (
    through_bytecode, through_artifact, through_hlo, as_page,
)  # fmt: skip


# ---- running


def run(module: sm.Module, *, native: bool) -> str:
    """Runs the entry on random arguments, within limits."""
    try:
        executable = sm.compile(
            module, backend="cpu" if native else "interpreter", limits=LIMITS, threads=1
        )
        types: Sequence[Any] = [argument.type for argument in executable.signature.arguments]
        if not all(isinstance(t, TensorType) and t.is_static and fits(t) for t in types):
            return "valid"
        executable(*(random_array(t, i) for i, t in enumerate(types)))
    except sm.StablemateError as error:
        error.render()
        return "valid"
    return "run"


def fits(value_type: TensorType) -> bool:
    """Whether a type has an array that is small enough to draw."""
    return value_type.size <= LARGEST and value_type.rank <= 64


OUTCOMES: Final[Mapping[str, str]] = {
    "refused": "refused by the reader",
    "read": "read and looked at by the verifier",
    "invalid": "read, and refused by the verifier",
    "valid": "valid, and survived",
    "run": "valid, survived and run",
}
