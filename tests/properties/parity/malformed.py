"""Operations that are wrong in one stated way: a part less, more, undefined, of another type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from tests.properties.parity.changes import TERMINATOR
from tests.properties.parity.specimens import Specimen

RETURN: Final = re.compile(r'"stablehlo\.return"\(.*')
Malforming = Callable[[Specimen], Specimen]


def with_first_attribute(specimen: Specimen) -> Specimen:
    """A string in the place of the first attribute."""
    (name, _), *others = specimen.attributes
    return replace(specimen, attributes=[(name, '"wrong"'), *others])


def without_first_attribute(specimen: Specimen) -> Specimen:
    """The first attribute left out."""
    return replace(specimen, attributes=specimen.attributes[1:])


def with_operand_type(specimen: Specimen) -> Specimen:
    """The first operand of a type that no operation takes."""
    first = specimen.operands[0]
    pairs = zip(specimen.operands, specimen.types, strict=True)
    return replace(
        specimen,
        types=["none" if operand == first else its_type for operand, its_type in pairs],
        scope={**specimen.scope, first: "none"},
        constants={name: text for name, text in specimen.constants.items() if name != first},
    )


def with_operand_less(specimen: Specimen) -> Specimen:
    """The last operand left out."""
    return replace(specimen, operands=specimen.operands[:-1], types=specimen.types[:-1])


def with_operand_more(specimen: Specimen) -> Specimen:
    """The first operand once more."""
    operands, types = [*specimen.operands], [*specimen.types]
    return replace(specimen, operands=[*operands, operands[0]], types=[*types, types[0]])


def with_result_more(specimen: Specimen) -> Specimen:
    """Another result."""
    return replace(specimen, results=[*specimen.results, "tensor<f32>"])


def with_result_less(specimen: Specimen) -> Specimen:
    """The last result left out."""
    return replace(specimen, results=specimen.results[:-1])


def with_result_type(specimen: Specimen) -> Specimen:
    """The first result of another shape."""
    return replace(specimen, results=["tensor<77xf32>", *specimen.results[1:]])


def with_region_more(specimen: Specimen) -> Specimen:
    """The last region once more."""
    return replace(specimen, regions=[*specimen.regions, specimen.regions[-1]])


def with_region_less(specimen: Specimen) -> Specimen:
    """The last region left out."""
    return replace(specimen, regions=specimen.regions[:-1])


def with_first_region(change: Callable[[str], str]) -> Malforming:
    """The first region changed."""

    def malform(specimen: Specimen) -> Specimen:
        first, *others = specimen.regions
        return replace(specimen, regions=[change(first), *others])

    return malform


# Each change, and the part of an operation that it needs.
MALFORMINGS: Final[Mapping[str, tuple[str, Malforming]]] = {
    "wrong attribute": ("attributes", with_first_attribute),
    "attribute less": ("attributes", without_first_attribute),
    "wrong operand type": ("operands", with_operand_type),
    "operand less": ("operands", with_operand_less),
    "operand more": ("operands", with_operand_more),
    "result more": ("name", with_result_more),
    "result less": ("results", with_result_less),
    "wrong result type": ("results", with_result_type),
    "region more": ("regions", with_region_more),
    "region less": ("regions", with_region_less),
    "no terminator": ("regions", with_first_region(lambda text: TERMINATOR.sub("", text))),
    "empty block": ("regions", with_first_region(lambda _: "{\n^bb0:\n}")),
    "empty region": ("regions", with_first_region(lambda _: "{\n}")),
    "nothing returned": (
        "regions",
        with_first_region(lambda text: RETURN.sub('"stablehlo.return"() : () -> ()', text)),
    ),
    "wrong terminator": (
        "regions",
        with_first_region(lambda text: text.replace('"stablehlo.return"', '"func.return"')),
    ),
    "undefined value in a region": (
        "regions",
        with_first_region(
            lambda text: re.sub(r'"stablehlo\.return"\(%\w+', '"stablehlo.return"(%none', text)
        ),
    ),
}


def malformed(specimen: Specimen) -> Iterator[str]:
    """The texts of an operation that is wrong in each way, and of modules that are."""
    for part, malform in MALFORMINGS.values():
        if getattr(specimen, part):
            yield malform(specimen).text()
    text = specimen.text()
    yield text + text  # a symbol is defined twice
    yield text.replace("\n  return\n", "\n")
    if specimen.operands:
        call = f'"{specimen.name}"({specimen.operands[0]}'
        yield text.replace(call, f'"{specimen.name}"(%none')
    if specimen.attributes:
        yield re.sub(r"@(?!specimen)\w+\b(?=[^(]*$)", "@nowhere", text)
