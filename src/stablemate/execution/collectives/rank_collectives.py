"""The collective operations of a rank: which groups take part, and which messages they need.

A process may belong to several groups of an operation: it needs the operands of one, and gives
its own to the others (the pairs of a permutation). Where an operand decides who gives what, the
members tell one another first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.collectives.message_bindings import CollectiveSite, MessageBinding
from stablemate.execution.collectives.prepared_collectives import CollectiveRun, PreparedCollective
from stablemate.execution.collectives.rendezvous import Partners
from stablemate.execution.collectives.transport import Transport
from stablemate.execution.process import place_of
from stablemate.ir.core import Operation
from stablemate.ir.definition import pack_results
from stablemate.ir.equality import explicit_attributes
from stablemate.ir.exchange import CollectiveExchange, OperandPiece
from stablemate.ir.grid import Grid, ProcessId
from stablemate.ir.request import CollectiveRequest
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array

# A request that is kept saves its preparation, and a binding its copies; both hold memory:
# ``python -m benchmarks.collectives`` measures loops of them.
MOST: Final = 1 << 12  # requests that are kept
SMALL: Final = 1 << 16  # bytes of operands that are copied rather than bound


@dataclass(frozen=True, slots=True)
class GroupCollective:
    """The steps of a rank at a collective operation, for operands of certain shapes.

    Attributes:
        own_group: The collective in which it needs operands of others; None if there is none.
        contributions: Where it only gives.
    """

    own_group: PreparedCollective | None
    contributions: Sequence[PreparedCollective]


class RankCollectives:
    """The collective operations of a rank during one run.

    Attributes:
        sites: All sites, by their tags.
        bound: Requests that were made, with their site and arrays.
        gate: Not zero: several things run at the same time, and native code begins nothing.
    """

    def __init__(
        self,
        port: Transport,
        grid: Grid,
        process: ProcessId,
        epoch: int,
        number_of: Callable[[str], int],
        *,
        native: bool,
        one_program: bool = True,
    ) -> None:
        """Prepares to run.

        Args:
            port: What carries messages.
            grid: The processes.
            process: The one of this rank.
            epoch: Tells messages from those of runs that have failed.
            number_of: The number of an operation in the last words of the rank.
            native: Whether the engine may combine in an order of its own.
            one_program: Whether all ranks run the same one.
        """
        self.port = port
        self.number_of = number_of
        self.grid = grid
        self.process = process
        self.epoch = epoch
        self.one_program = one_program
        self.sites: dict[int, PreparedCollective] = {}
        self.native = native
        self.collectives: dict[object, GroupCollective] = {}
        self.keys: dict[Operation, str] = {}
        self.gate = np.zeros(1, np.int64)
        self.bound: dict[int, tuple[CollectiveRequest, PreparedCollective, MessageBinding]] = {}

    def visit(
        self,
        request: CollectiveRequest,
        operation: Operation,
        partners: Partners,
        *,
        is_beside: bool = False,
    ) -> CollectiveRun:
        """Runs the collective that a request names; suspends where it must wait.

        Args:
            request: What is asked for.
            operation: What all requests of the operation are known by.
            partners: Who needs whom.
            is_beside: Whether something that runs beside the process asks.
        """
        operands = [np.asarray(operand) for operand in request.operands]
        own_group, routing = partners.own_group[self.process], request.operation.routing_operand
        decided: list[Array] = []
        if routing is not None and own_group is not None:
            gathering = self.decision_collective(request, operation, partners, operands[routing])
            (gathered,) = yield from transfer_once(gathering, [operands[routing]], ())
            decided = list(gathered)
        name = (
            operation,
            *[operand.shape for operand in operands],
            *[array.tobytes() for array in decided],
        )
        group_collective = self.collectives.get(name)
        if group_collective is None:
            group_collective = self.group_collective(
                request, operation, partners, operands, decided
            )
            self.collectives[name] = group_collective
        site, contributions = group_collective.own_group, group_collective.contributions
        if site is None:
            for contribution in contributions:
                contribution.give(operands)
            return request.operation.evaluate_ungrouped(request.operands)
        first = self.native and not is_beside and site.native is not None and site.engine is None
        if request.targets is None or first:
            results = yield from transfer_once(site, operands, contributions)
            if first:
                site.adopt()
            return pack_results(results)
        binding = site.find_binding(operands, request.targets, contributions)
        if routing is None and len(self.bound) < MOST:
            self.bound[id(request)] = request, site, binding
            binding.number = self.number_of(site.stop.place)
        return (yield from site.visit(binding))

    def group_collective(
        self, request: CollectiveRequest, operation: Operation, partners: Partners,
        operands: Sequence[Array], decided: Sequence[Array],
    ) -> GroupCollective:  # fmt: skip
        """The steps of this rank at an operation, for operands of these shapes."""

        def site(number: int) -> PreparedCollective:
            size = len(partners.groups[number])
            shapes = [operand.shape for operand in operands]
            exchange = request.operation.exchange(shapes, size, decided)
            stop = self.stop(request, operation, partners, number)
            dtypes = [operand.dtype for operand in operands]
            return self.register(
                PreparedCollective(self.port, stop, exchange, dtypes, request.regions, self.epoch)
            )

        own_group = partners.own_group[self.process]
        others = [member for member in partners.member[self.process] if member != own_group]
        return GroupCollective(
            None if own_group is None else site(own_group), [site(other) for other in others]
        )

    def decision_collective(
        self, request: CollectiveRequest, operation: Operation, partners: Partners, operand: Array
    ) -> PreparedCollective:
        """The collective by which members exchange an operand that determines the communication."""
        number = partners.own_group[self.process]
        assert number is not None, "who decides is a member"
        name = operation, "decision"
        if name not in self.collectives:
            size, shape = len(partners.groups[number]), operand.shape

            def pieces(sender: int, receiver: int) -> Sequence[OperandPiece]:
                return [OperandPiece(0, target=(slice(sender, sender + 1),))]

            exchange = CollectiveExchange(size, [shape], [(size, *shape)], pieces)
            stop = self.stop(request, operation, partners, number, "decision")
            site = PreparedCollective(self.port, stop, exchange, [operand.dtype], (), self.epoch)
            self.collectives[name] = GroupCollective(self.register(site), ())
        decision = self.collectives[name].own_group
        assert decision is not None
        return decision

    def stop(
        self, request: CollectiveRequest, operation: Operation, partners: Partners, number: int,
        what: str = "",
    ) -> CollectiveSite:  # fmt: skip
        """The site of a group's collective."""
        if operation not in self.keys:
            self.keys[operation] = key_of(operation, one_program=self.one_program)
        group = partners.groups[number]
        ranks = [self.grid.flattened_id(process) for process in group]
        position = len(group) - 1 - group[::-1].index(self.process)
        key = f"{self.keys[operation]} {number} {what}"
        return CollectiveSite(request.operation, key, ranks, position, place_of(request.operation))

    def register(self, site: PreparedCollective) -> PreparedCollective:
        """The prepared collective, registered under its tag.

        Raises:
            UnsupportedError: Another one has the same.
        """
        other = self.sites.setdefault(site.tag, site)
        if other is not site:
            places = f"{other.stop.place} and {site.stop.place}"
            raise UnsupportedError(f"{places} cannot be told apart: rename one of the values")
        return site

    def settle(self) -> None:
        """Ends a run, after which a similar one may follow."""
        self.gate[0] = 0
        self.bound.clear()
        for site in self.sites.values():
            site.settle()

    def close(self) -> None:
        """Frees the persistent requests of all sites."""
        for site in self.sites.values():
            site.unbind()


def transfer_once(
    site: PreparedCollective, operands: Sequence[Array], contributions: Sequence[PreparedCollective]
) -> CollectiveRun:
    """Runs a collective with operands that will not occur again; the results are new arrays."""
    if sum(operand.nbytes for operand in operands) > SMALL:
        binding = site.bind(operands, site.allocate_results(), contributions)
        yield from site.visit(binding)
        site.release(binding)
        return binding.results
    binding = site.home(contributions)
    while site.current is not None:  # its memory is taken
        yield
    for to, operand in zip(site.owned_operands, operands, strict=True):
        to[...] = operand
    yield from site.visit(binding)
    return [np.array(result) for result in binding.results]


def key_of(operation: Operation, *, one_program: bool = True) -> str:
    """The key of an operation on all ranks: a digest of its text and its place."""
    spelled = shapeless_text if one_program else str
    parts = [operation.name, *(spelled(value.type) for value in operation.operands)]
    parts += [f"{name} = {value}" for name, value in sorted(explicit_attributes(operation).items())]
    parts += [inner.name for inner in operation.walk()]
    if operation.span is not None and one_program:
        parts.append(str(operation.span.start))
    return blake2b("\n".join(parts).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def shapeless_text(value_type: Type) -> str:
    """The text of a type without its sizes: a program may be compiled for the sizes of a call."""
    if not isinstance(value_type, TensorType):
        return str(value_type)
    return f"{value_type.rank} {value_type.element_type}"
