"""Errands: what a rank does at a collective operation of its program.

A process may belong to several groups of an operation: it needs the operands of one, and gives
its own to the others (the pairs of a permutation). Where an operand decides who gives what, the
members tell one another first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.regions import outcome
from stablemate.execution.collectives.message_bindings import Binding, Stop
from stablemate.execution.collectives.prepared_collectives import Site, Visit
from stablemate.execution.collectives.rendezvous import Partners
from stablemate.execution.collectives.transport import Port
from stablemate.execution.process import place_of
from stablemate.ir.core import Operation
from stablemate.ir.equality import stated
from stablemate.ir.exchange import Exchange, Piece
from stablemate.ir.grid import Grid, ProcessId
from stablemate.ir.request import Collective
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array

MOST: Final = 1 << 12  # requests that are kept
SMALL: Final = 1 << 16  # bytes of operands that are copied rather than bound


@dataclass(frozen=True, slots=True)
class Errand:
    """What a rank does at an operation, for operands of certain shapes.

    Attributes:
        own: Where it needs operands of others; None if nowhere.
        gifts: Where it only gives.
    """

    own: Site | None
    gifts: Sequence[Site]


class Errands:
    """The errands of a rank in one run.

    Attributes:
        sites: All sites, by their tags.
        bound: Requests that were made, with their site and arrays.
        gate: Not zero: several things run at the same time, and native code begins nothing.
    """

    def __init__(
        self,
        port: Port,
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
        self.sites: dict[int, Site] = {}
        self.native = native
        self.known: dict[Any, Errand] = {}
        self.keys: dict[Operation, str] = {}
        self.gate = np.zeros(1, np.int64)
        self.bound: dict[int, tuple[Collective, Site, Binding]] = {}

    def visit(
        self,
        request: Collective,
        operation: Operation,
        partners: Partners,
        *,
        is_beside: bool = False,
    ) -> Visit:
        """Does what a request asks for; stops where it must wait.

        Args:
            request: What is asked for.
            operation: What all requests of the operation are known by.
            partners: Who needs whom.
            is_beside: Whether something that runs beside the process asks.
        """
        operands = [np.asarray(each) for each in request.operands]
        own, deciding = partners.own[self.process], request.operation.deciding
        decided: list[Array] = []
        if deciding is not None and own is not None:
            gathering = self.gathering(request, operation, partners, operands[deciding])
            (together,) = yield from once(gathering, [operands[deciding]], ())
            decided = list(together)
        name = operation, *[each.shape for each in operands], *[each.tobytes() for each in decided]
        errand = self.known.get(name)
        if errand is None:
            errand = self.errand(request, operation, partners, operands, decided)
            self.known[name] = errand
        site, gifts = errand.own, errand.gifts
        if site is None:
            for gift in gifts:
                gift.give(operands)
            return request.operation.evaluate_alone(request.operands)
        first = self.native and not is_beside and site.native is not None and site.engine is None
        if request.targets is None or first:
            results = yield from once(site, operands, gifts)
            if first:
                site.adopt()
            return outcome(results)
        binding = site.bound(operands, request.targets, gifts)
        if deciding is None and len(self.bound) < MOST:
            self.bound[id(request)] = request, site, binding
            binding.number = self.number_of(site.stop.place)
        return (yield from site.visit(binding))

    def errand(
        self, request: Collective, operation: Operation, partners: Partners,
        operands: Sequence[Array], decided: Sequence[Array],
    ) -> Errand:  # fmt: skip
        """What a rank does at an operation, for operands of these shapes."""

        def site(number: int) -> Site:
            size = len(partners.groups[number])
            shapes = [each.shape for each in operands]
            exchange = request.operation.exchange(shapes, size, decided)
            stop = self.stop(request, operation, partners, number)
            dtypes = [each.dtype for each in operands]
            return self.listed(Site(self.port, stop, exchange, dtypes, request.regions, self.epoch))

        own = partners.own[self.process]
        others = [each for each in partners.member[self.process] if each != own]
        return Errand(None if own is None else site(own), [site(each) for each in others])

    def gathering(
        self, request: Collective, operation: Operation, partners: Partners, operand: Array
    ) -> Site:
        """Where members tell one another the operand that decides."""
        number = partners.own[self.process]
        assert number is not None, "who decides is a member"
        name = operation, "decision"
        if name not in self.known:
            size, shape = len(partners.groups[number]), operand.shape

            def pieces(sender: int, receiver: int) -> Sequence[Piece]:
                return [Piece(0, target=(slice(sender, sender + 1),))]

            exchange = Exchange(size, [shape], [(size, *shape)], pieces)
            stop = self.stop(request, operation, partners, number, "decision")
            site = Site(self.port, stop, exchange, [operand.dtype], (), self.epoch)
            self.known[name] = Errand(self.listed(site), ())
        found = self.known[name].own
        assert found is not None
        return found

    def stop(
        self, request: Collective, operation: Operation, partners: Partners, number: int,
        what: str = "",
    ) -> Stop:  # fmt: skip
        """Where the site of a group is."""
        if operation not in self.keys:
            self.keys[operation] = key_of(operation, one_program=self.one_program)
        group = partners.groups[number]
        ranks = [self.grid.flattened_id(each) for each in group]
        position = len(group) - 1 - group[::-1].index(self.process)
        key = f"{self.keys[operation]} {number} {what}"
        return Stop(request.operation, key, ranks, position, place_of(request.operation))

    def listed(self, site: Site) -> Site:
        """The site, which is told from all others by its tag.

        Raises:
            UnsupportedError: Another one has the same.
        """
        other = self.sites.setdefault(site.tag, site)
        if other is not site:
            places = f"{other.stop.place} and {site.stop.place}"
            raise UnsupportedError(f"{places} cannot be told apart: rename one of the values")
        return site

    def settle(self) -> None:
        """Ends a run that the next one may look like."""
        self.gate[0] = 0
        self.bound.clear()
        for site in self.sites.values():
            site.settle()

    def close(self) -> None:
        """Gives up all messages."""
        for site in self.sites.values():
            site.unbind()


def once(site: Site, operands: Sequence[Array], gifts: Sequence[Site]) -> Visit:
    """A visit with operands that will not come again; the results are new arrays."""
    if sum(each.nbytes for each in operands) > SMALL:
        binding = site.bind(operands, site.made(), gifts)
        yield from site.visit(binding)
        site.release(binding)
        return binding.results
    binding = site.home(gifts)
    while site.current is not None:  # its memory is taken
        yield
    for to, each in zip(site.held, operands, strict=True):
        to[...] = each
    yield from site.visit(binding)
    return [np.array(each) for each in binding.results]


def key_of(operation: Operation, *, one_program: bool = True) -> str:
    """What all ranks call an operation: a digest of what it says, and in one program of where."""
    spelled = open_text if one_program else str
    parts = [operation.name, *(spelled(value.type) for value in operation.operands)]
    parts += [f"{name} = {value}" for name, value in sorted(stated(operation).items())]
    parts += [each.name for each in operation.walk()]
    if operation.span is not None and one_program:
        parts.append(str(operation.span.start))
    return blake2b("\n".join(parts).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def open_text(value_type: Type) -> str:
    """A type, whatever the sizes: a program may be compiled for those of a call."""
    if not isinstance(value_type, TensorType):
        return str(value_type)
    return f"{value_type.rank} {value_type.element_type}"
