"""Verifies sharding rules: how the dimensions of operands and results are composed of factors.

Source: Shardy dialect, op_sharding_rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import OpShardingRule, TensorMapping, factor_name
from stablemate.ir.core import Operation, Value
from stablemate.ir.definition import Check, constraint, holds
from stablemate.ir.types import TensorType


@dataclass(frozen=True, slots=True)
class FactorRules:
    """The constraints on a sharding rule.

    Attributes:
        operation: The operation that it describes.
        rule: The sharding rule.
    """

    operation: Operation
    rule: OpShardingRule

    @property
    def mappings(self) -> Sequence[TensorMapping]:
        """Those of operands and results."""
        return [*self.rule.operands, *self.rule.results]

    @property
    def values(self) -> Sequence[Value[object]]:
        """The values that a rule maps: operands, then results."""
        return [*self.operation.operands, *self.operation.results]

    def dimensions(self) -> Iterator[Sequence[int]]:
        """The factors of each dimension of each tensor."""
        return (factors for mapping in self.mappings for factors in mapping)

    @constraint("mappings")
    def counts_fit(self) -> Check:
        """There is a mapping for each operand and each result, one of each at least"""
        mappings = [len(self.rule.operands), len(self.rule.results)]
        actual = [len(self.operation.operands), len(self.operation.results)]
        return holds(mappings == actual and 0 not in mappings, mappings=mappings, values=actual)

    @constraint("mappings")
    def shapes_are_known(self) -> Check:
        """Operands and results are tensors of static shape"""
        types = [value.type for value in self.values]
        broken = [str(t) for t in types if not isinstance(t, TensorType) or not t.is_static]
        return holds(not broken, types=broken)

    @constraint("mappings")
    def ranks_fit(self) -> Check:
        """A mapping has as many dimensions as its tensor"""
        mapping_ranks = [len(mapping) for mapping in self.mappings]
        types = [value.type for value in self.values]
        ranks = [value_type.rank for value_type in types if isinstance(value_type, TensorType)]
        return holds(mapping_ranks == ranks, mappings=mapping_ranks, ranks=ranks)

    @constraint("factors")
    def some_factor(self) -> Check:
        """A dimension has a factor"""
        return holds(all(self.dimensions()), mappings=[list(map(list, m)) for m in self.mappings])

    @constraint("factors")
    def sizes_are_stated(self) -> Check:
        """The size of each factor is stated"""
        count = len(self.rule.sizes)
        used = (factor for factors in self.dimensions() for factor in factors)
        unknown = sorted({factor_name(factor) for factor in used if not 0 <= factor < count})
        return holds(not unknown, factors=unknown, sizes=self.rule.sizes)

    @constraint("factors")
    def used_once(self) -> Check:
        """A tensor has a factor once"""
        lists = [[factor for factors in mapping for factor in factors] for mapping in self.mappings]
        twice = sorted(
            {factor_name(f) for factors in lists for f in factors if factors.count(f) > 1}
        )
        return holds(not twice, factors=twice)

    @constraint("factors")
    def none_of_size_one(self) -> Check:
        """Of several factors of a dimension none has size 1"""
        several = [factors for factors in self.dimensions() if len(factors) > 1]
        broken = sorted({factor_name(f) for factors in several for f in factors if self.is_one(f)})
        return holds(not broken, factors=broken)

    def is_one(self, factor: int) -> bool:
        """Whether a factor has size 1."""
        return self.rule.sizes[factor] == 1

    @constraint("factors")
    def all_are_used(self) -> Check:
        """Each factor is one of a dimension"""
        used = {factor for factors in self.dimensions() for factor in factors}
        unused = [factor_name(i) for i in range(len(self.rule.sizes)) if i not in used]
        return holds(not unused, factors=unused)

    def lists(self) -> dict[str, tuple[int, ...]]:
        """The lists of factors of a kind."""
        return {name: getattr(self.rule, name) for name in OpShardingRule.FACTOR_LISTS}

    @constraint("kinds")
    def lists_are_ordered(self) -> Check:
        """Factors of a kind are factors of the rule, in order, each once"""
        valid = range(len(self.rule.sizes))
        broken = {
            name: list(map(factor_name, indices))
            for name, indices in self.lists().items()
            if list(indices) != sorted(set(indices))
            or any(factor not in valid for factor in indices)
        }
        return holds(not broken, **broken)

    @constraint("kinds")
    def one_kind(self) -> Check:
        """A factor is of one kind: reduction, need_replication or permutation"""
        kinds = [
            factor for n, e in self.lists().items() if n != "blocked_propagation" for factor in e
        ]
        counts = Counter(kinds)
        twice = sorted({factor_name(factor) for factor in counts if counts[factor] > 1})
        return holds(not twice, factors=twice)

    @constraint("kinds")
    def reduced_factors(self) -> Check:
        """Results have no reduction factor"""
        result_factors = {
            factor for mapping in self.rule.results for factors in mapping for factor in factors
        }
        broken = [factor_name(factor) for factor in self.rule.reduction if factor in result_factors]
        return holds(not broken, factors=broken)
