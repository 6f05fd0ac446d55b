"""Programs written in a format, read back, and run as they were read.

What is read back is the same module, and writing it again gives the same bytes. HLO is another
dialect: there the values say that the program is the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

import stablemate as sm
from stablemate.numerics.elements import Array

# What HLO makes something else of: reductions over no dimensions lose their initial values, random
# bits are always unsigned integers, scattered windows that are partly outside change nothing, and
# positions in the padding of windows are not reduced.
OTHERWISE_IN_HLO: Final = re.compile(
    r"dimensions = \[\] |dimensions = array<i64>|rng_bit_generator|stablehlo\.scatter"
    r"|stablehlo\.reduce_window\"[^\n]*(?:padding|base_dilations) ="
)
# The square of a complex number is a product there, whose terms are rounded; an arc tangent that of
# two numbers; an einsum of one tensor a reduction, whose terms are in another order.
ROUNDED_IN_HLO: Final = re.compile(r"chlo\.square[^\n]*complex|chlo\.atan |unary_einsum")


class FormatError(Exception):
    """Something else was read than was written."""


def bytecode(module: sm.Module) -> sm.Module:
    """Through MLIR bytecode."""
    written = module.to_bytecode()
    again = sm.load(written)
    same(module.difference(again), "another module")
    same(again.to_bytecode() != written, "other bytes")
    return again


def artifact(module: sm.Module) -> sm.Module:
    """Through a portable artifact, which states what the program leaves to defaults."""
    written = module.to_artifact("newest")
    again = sm.load(written).to_stablehlo()
    same(again.to_artifact("newest") != written, "other bytes")
    return again


def hlo(module: sm.Module) -> sm.Module:
    """Through the text of HLO."""
    text = module.to_hlo().to_text()
    again = sm.load(text)
    again.verify()
    assert isinstance(again, sm.HloModule)
    same(again.to_text() != text, "another text")
    return again


def hlo_proto(module: sm.Module) -> sm.Module:
    """Through a protocol buffer of HLO, and back to StableHLO."""
    tree = module.to_hlo()
    written = tree.to_proto()
    again = sm.load(written)
    again.verify()
    assert isinstance(again, sm.HloModule)
    same(again.to_proto() != written, "other bytes")
    same(again.to_text() != tree.to_text(), "another text")
    return again.to_stablehlo()


FORMATS: Final[Mapping[str, Callable[[sm.Module], sm.Module]]] = {
    item.__name__: item for item in (bytecode, artifact, hlo, hlo_proto)
}


def same(difference: object, what: str) -> None:
    """Raises an error if there is a difference."""
    if difference:
        raise FormatError(f"{what}: {difference}" if isinstance(difference, str) else what)


def through(format_: str, text: str, arguments: Sequence[Array]) -> list[Array]:
    """The results of a module that was written and read in a format.

    Raises:
        FormatError: It is not the same module.
        UnsupportedError: The format has no form for it, or one that means something else.
    """
    differs = OTHERWISE_IN_HLO.search(text) or ROUNDED_IN_HLO.search(text)
    if format_.startswith("hlo") and differs:
        raise sm.UnsupportedError("HLO makes something else of it")
    again = FORMATS[format_](sm.load(text))
    results = again.run(*arguments, backend="interpreter")
    return [
        np.asarray(result) for result in (results if isinstance(results, tuple) else (results,))
    ]
