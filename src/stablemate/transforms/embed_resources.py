"""embed-resources: constants that name a blob of the resource section become literals."""

from __future__ import annotations

from collections.abc import Mapping

from stablemate.dialects.stablehlo.constant import Constant, is_unknown
from stablemate.ir.attributes import DenseElementsAttribute, DenseResourceAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Resource
from stablemate.ir.rewriter import Pattern, Replacement


def resource_patterns(resources: Mapping[str, Resource]) -> Mapping[str, Pattern]:
    """The pattern that embeds these blobs; the data are not copied."""

    def embed(constant: Constant, builder: Builder) -> Replacement:
        value = constant.value
        if not isinstance(value, DenseResourceAttribute) or is_unknown(value, resources):
            return None
        data = (
            constant.elements(resources).reshape(-1).view(constant.output.type.element_type.dtype)
        )
        literal = DenseElementsAttribute(constant.output.type, data)
        return builder.create(Constant, value=literal, results=[constant.output.type]).output

    return {"stablehlo.constant": embed}


def names_resources(constant: object) -> bool:
    """Whether an operation is a constant that names a blob."""
    return isinstance(constant, Constant) and isinstance(constant.value, DenseResourceAttribute)
