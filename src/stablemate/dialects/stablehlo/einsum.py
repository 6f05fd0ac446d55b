"""stablehlo.einsum and stablehlo.unary_einsum (deprecated)."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.baseline import expressed_type, lift_to_quantized
from stablemate.dialects.stablehlo.contraction import (
    any_quantized,
    same_kind,
    sum_dtype,
    to_element,
)
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import PER_TENSOR_QUANTIZED, STRING, TENSOR
from stablemate.ir.traits import NO_WORK, Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array

Labels: TypeAlias = tuple[str, ...]  # of the dimensions of one tensor

TERM: Final = re.compile(r"([A-Za-z]*)(?:(\.\.\.)([A-Za-z]*))?\Z")


class AnyEinsum(Op):
    """A sum of products over labeled dimensions.

    ``ab,bc->ac`` names the dimensions of each operand and those of the result. Dimensions of one
    name share an index; the product is summed over those that the result does not name. ``...``
    stands for all other dimensions, which broadcast. Without ``->`` the result has the dimensions
    that occur once, in alphabetical order.

    Source: XLA operation semantics, Einsum; the StableHLO specification lists it as deprecated and
    gives no rules, so the numbers are our own.
    """

    __slots__ = ()
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, shape="C4")

    @property
    @abstractmethod
    def config(self) -> str:
        """The equation of the attribute ``einsum_config``, such as ``ij,jk->ik``."""

    @constraint
    def c1(self) -> Check:
        """einsum_config names the dimensions of every operand"""
        types = [value.type for value in self.operands]
        return holds(
            self.labels() is not None, einsum_config=self.config, ranks=[t.rank for t in types]
        )

    @constraint
    def c2(self) -> Check:
        """Dimensions of one name have one size"""
        named = [(name, size) for name, size in self.sizes() if not is_broadcast(name)]
        known: dict[str, int] = {}
        fits = all(size == known.setdefault(name, size) for name, size in named if size != DYNAMIC)
        return holds(fits, sizes=named)

    @constraint
    def c3(self) -> Check:
        """The result names dimensions of the operands, each once"""
        operands, result = self.labels() or ((), ())
        operand_names = {name for labels in operands for name in labels}
        fits = set(result) <= operand_names and len(set(result)) == len(result)
        return holds(fits, einsum_config=self.config)

    def labels(self) -> tuple[tuple[Labels, ...], Labels] | None:
        """The names of the operands' dimensions and of the result's; None if they do not fit."""
        terms, arrow, last = self.config.partition("->")
        operands = terms.split(",")
        if len(operands) != len(self.operands):
            return None
        ranks = [value.type.rank for value in self.operands]
        named = [labels_of(term, rank) for term, rank in zip(operands, ranks, strict=True)]
        present = tuple(labels for labels in named if labels is not None)
        if len(present) != len(named):
            return None
        broadcast = max((tuple(filter(is_broadcast, labels)) for labels in present), key=len)
        if not arrow:
            counts = Counter(name for labels in present for name in labels)
            once = sorted(name for name in counts if counts[name] == 1 and not is_broadcast(name))
            return present, (*broadcast, *once)
        hidden = len(broadcast) if "..." in last else 0
        result = labels_of(last, hidden + len(last.replace("...", "")))
        return None if result is None else (present, result)

    def sizes(self) -> Iterator[tuple[str, int]]:
        """Name and size of every dimension of the operands."""
        operands, _ = self.labels() or ((), ())
        for value, labels in zip(self.operands, operands, strict=True):
            yield from zip(labels, value.type.shape, strict=True)

    def names_all(self) -> bool:
        """Whether the labels name each dimension of the operands, and those of the result."""
        operands, result = self.labels() or ((), ())
        ranks = [len(labels) for labels in operands]
        return ranks == [value.type.rank for value in self.operands] and (
            set(result) <= {name for labels in operands for name in labels}
        )

    def infer(self) -> TensorType | None:
        """C4: each dimension of the result has the size of its name."""
        if not self.names_all():
            return None
        _, result = self.labels() or ((), ())
        sizes: dict[str, int] = {}
        for name, size in self.sizes():
            current = sizes.get(name, 1)
            sizes[name] = size if current in (1, DYNAMIC) and size != 1 else current
        element = (self.results or self.operands)[0].type.element_type
        return TensorType(tuple(sizes[name] for name in result), element)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """Evaluates the equation by ``np.einsum``."""
        return self.prepare(())(*operands)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., Array]:
        """Numbers the dimensions as NumPy requires."""
        target = self.result.type.element_type
        sources = [value.type.element_type for value in self.operands]
        element, *elements = (expressed_type(operand_type) for operand_type in (target, *sources))
        if not all(same_kind(other, element) for other in elements):
            message = f"{self.name} of {' and '.join(map(str, sources))} as {target}"
            raise UnsupportedError(message, span=self.span)
        operand_labels, result = self.labels() or ((), ())
        numbers = {name: i for i, name in enumerate(dict(self.sizes()))}
        subscripts = [[numbers[name] for name in labels] for labels in operand_labels]
        output = [numbers[name] for name in result]
        sums = sum_dtype(element, *elements)

        def einsum(*operands: Array) -> Array:
            wide: list[Array] = [x.astype(sums, copy=False) for x in operands]
            labeled = [part for pair in zip(wide, subscripts, strict=True) for part in pair]
            result = np.asarray(np.einsum(*labeled, output, optimize=True))
            if len(operands) == 2:  # sums of products begin with zero, as those of a dot
                result = result + result.dtype.type(0)
            return to_element(result, element)

        return (
            lift_to_quantized(einsum, sources, target)
            if any_quantized(*sources, target)
            else einsum
        )


@op("stablehlo.einsum", family=Family.CONTRACTION, traits=Trait.COMPOUND)
class Einsum(AnyEinsum):
    """Sums products of the elements of ``lhs`` and ``rhs``, according to ``einsum_config``.

    Source: XLA operation semantics, Einsum; deprecated in the StableHLO specification.
    """

    __slots__ = ()
    opcodes = ("dot",)
    lhs = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    rhs = define.operand("I2", TENSOR | PER_TENSOR_QUANTIZED)
    einsum_config = define.attribute("I3", STRING)
    assembly = "$lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:` functional-type"

    @property
    def config(self) -> str:
        """The equation of the attribute ``einsum_config``, such as ``ij,jk->ik``."""
        return self.einsum_config


@op("stablehlo.unary_einsum", family=Family.MOVEMENT, work=NO_WORK, traits=Trait.COMPOUND)
class UnaryEinsum(AnyEinsum):
    """Sums elements of ``operand`` and permutes its dimensions, according to ``einsum_config``.

    Source: XLA operation semantics, Einsum; deprecated in the StableHLO specification.
    """

    __slots__ = ()
    opcodes = ("transpose", "reduce")
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    einsum_config = define.attribute("I2", STRING)
    assembly = "$operand `,` `config` `=` $einsum_config attr-dict `:` functional-type"

    @property
    def config(self) -> str:
        """The equation of the attribute ``einsum_config``, such as ``ij,jk->ik``."""
        return self.einsum_config


def labels_of(term: str, rank: int) -> Labels | None:
    """The names of a tensor's dimensions; None if the term does not fit the rank.

    Dimensions of ``...`` are numbered from the last one backwards.
    """
    match = TERM.match(term)
    if match is None:
        return None
    before, dots, after = match[1], match[2], match[3] or ""
    hidden = rank - len(before) - len(after)
    if hidden < 0 or (hidden > 0 and not dots):
        return None
    return (*before, *(str(i) for i in reversed(range(hidden))), *after)


def dimensions_by_label(labels: Sequence[str]) -> dict[str, int]:
    """The dimension that each label names."""
    return {label: dimension for dimension, label in enumerate(labels)}


def is_broadcast(name: str) -> bool:
    """Whether this is a dimension of ``...``."""
    return name.isdigit()
