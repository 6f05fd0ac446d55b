"""Closed forms beside messages that a simulator sends, by hand, and lower bounds."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stablemate as sm
from stablemate.analysis.planning.algorithms import (
    ALGORITHMS,
    BLOCKS,
    DIRECT,
    Traffic,
    is_power_of_two,
)
from stablemate.ir import exchange as exchanges
from tests.analysis.planning import simulator as sim
from tests.analysis.planning.simulator import Blocks, Machine

SIZES = range(2, 34)
ALPHA, BETA, GAMMA = 1.0, 2.0**-8, 2.0**-10  # sums of these are exact


@dataclass(frozen=True)
class Row:
    """What the ranks of an algorithm do.

    Attributes:
        program: Of the number of ranks and the bytes of a block.
        parts: Into how many blocks the data is cut.
    """

    program: Callable[[int, int], Any]
    parts: Callable[[int], int] = lambda p: p


def core(p: int) -> int:
    return 1 << (p.bit_length() - 1)


def subtree(first: int, count: int) -> Sequence[int]:
    return range(first, first + count)


def whole(first: int, count: int) -> Sequence[int]:
    return [0]


def to_all(i: int, to: int) -> Sequence[int]:
    return [0]


def theirs(i: int, to: int) -> Sequence[int]:
    return [to]


def own(i: int, to: int) -> Sequence[int]:
    return [i]


def single(p: int) -> int:
    return 1


def star_down(p: int, b: int) -> Any:
    def rank(i: int, blocks: Blocks) -> sim.Rank:
        if i:
            yield sim.Receive(0)
        else:
            for to in range(1, p):
                yield sim.some(blocks, [0], b, to)

    return rank


def star_up(p: int, b: int) -> Any:
    def rank(i: int, blocks: Blocks) -> sim.Rank:
        if i:
            yield sim.some(blocks, [0], b, 0)
        else:
            for source in range(1, p):
                yield sim.Receive(source, reduces=True)

    return rank


def star_blocks(p: int, b: int) -> Any:
    def rank(i: int, blocks: Blocks) -> sim.Rank:
        if i:
            yield sim.some(blocks, [i], b, 0)
        else:
            for source in range(1, p):
                yield sim.Receive(source)

    return rank


def shift(p: int, b: int) -> Any:
    def rank(i: int, blocks: Blocks) -> sim.Rank:
        yield sim.Both(sim.some(blocks, [0], b, (i + 1) % p), sim.Receive((i - 1) % p))

    return rank


def bruck_exchange(p: int, b: int) -> Any:
    """Block k of rank i is for rank i + k; in round j those with bit j go on by that much."""

    def rank(i: int, blocks: Blocks) -> sim.Rank:
        for distance in sim.distances(p):
            numbers = [k for k in range(1, p) if k & distance]
            send = sim.some(blocks, numbers, b, (i + distance) % p)
            yield sim.Both(send, sim.Receive((i - distance) % p))

    return rank


def fold_blocks(p: int, b: int) -> Any:
    return sim.exchange(p, b, theirs, reduces=True)


def give_blocks(p: int, b: int) -> Any:
    return sim.exchange(p, b, own, reduces=False)


def up_whole(p: int, b: int) -> Any:
    return sim.tree_up(p, b, whole, reduces=True)


def up_every(p: int, b: int) -> Any:
    return sim.tree_up(p, b, lambda first, count: range(p), reduces=True)


def up_blocks(p: int, b: int) -> Any:
    return sim.tree_up(p, b, subtree, reduces=False)


def down_whole(p: int, b: int) -> Any:
    return sim.tree_down(p, b, whole)


def down_every(p: int, b: int) -> Any:
    return sim.tree_down(p, b, lambda first, count: range(p))


def down_blocks(p: int, b: int) -> Any:
    return sim.tree_down(p, b, subtree)


def after(*programs: Callable[[int, int], Any]) -> Callable[[int, int], Any]:
    return lambda p, b: sim.after(*(program(p, b) for program in programs))


ROWS = {
    ("all_reduce", "direct exchange"): Row(
        lambda p, b: sim.exchange(p, b, to_all, reduces=True), single
    ),
    ("all_reduce", "block exchange"): Row(after(fold_blocks, give_blocks)),
    ("all_reduce", "ring"): Row(after(sim.ring_fold, sim.ring_gather)),
    ("all_reduce", "recursive doubling"): Row(
        lambda p, b: sim.with_rest(p, b, lambda size: sim.doubling_whole(size, b)), single
    ),
    ("all_reduce", "recursive halving and doubling"): Row(
        lambda p, b: sim.with_rest(
            p, b, lambda size: sim.after(sim.halving(size, b), sim.doubling(size, b))
        ),
        core,
    ),
    ("all_reduce", "binomial trees"): Row(after(up_whole, down_whole), single),
    ("reduce_scatter", "direct exchange"): Row(fold_blocks),
    ("reduce_scatter", "ring"): Row(sim.ring_fold),
    ("reduce_scatter", "recursive halving"): Row(sim.halving),
    ("reduce_scatter", "binomial trees"): Row(after(up_every, down_blocks)),
    ("all_gather", "direct exchange"): Row(give_blocks),
    ("all_gather", "ring"): Row(sim.ring_gather),
    ("all_gather", "recursive doubling"): Row(sim.doubling),
    ("all_gather", "Bruck"): Row(sim.bruck_gather),
    ("all_gather", "binomial trees"): Row(after(up_blocks, down_every)),
    ("all_to_all", "direct exchange"): Row(lambda p, b: sim.exchange(p, b, theirs, reduces=False)),
    ("all_to_all", "pairwise exchange"): Row(
        lambda p, b: sim.exchange(p, b, theirs, reduces=False)
    ),
    ("all_to_all", "Bruck"): Row(bruck_exchange),
    ("collective_broadcast", "direct exchange"): Row(star_down, single),
    ("collective_broadcast", "binomial tree"): Row(down_whole, single),
    ("collective_broadcast", "scatter and ring"): Row(after(down_blocks, sim.ring_gather)),
    ("collective_broadcast", "scatter and recursive doubling"): Row(
        after(down_blocks, sim.doubling)
    ),
    ("collective_reduce", "direct exchange"): Row(star_up, single),
    ("collective_reduce", "binomial tree"): Row(up_whole, single),
    ("collective_reduce", "block exchange"): Row(after(fold_blocks, star_blocks)),
    ("collective_reduce", "direct exchange and gather"): Row(after(fold_blocks, up_blocks)),
    ("collective_reduce", "recursive halving and gather"): Row(after(sim.halving, up_blocks)),
    ("collective_permute", "direct exchange"): Row(shift, single),
}


def beginning(kind: str, p: int, parts: int) -> list[Blocks]:
    """What each rank holds before: blocks that combine its own operand alone."""
    ranks = range(p)
    match kind:
        case "all_gather":
            return [{i: frozenset([i])} for i in ranks]
        case "collective_broadcast":
            return [{k: frozenset([0]) for k in range(parts)} if i == 0 else {} for i in ranks]
        case _:
            return [{k: frozenset([i]) for k in range(parts)} for i in ranks]


def check_end(kind: str, name: str, blocks: list[Blocks], parts: int) -> None:
    """What each rank must hold after, by the specification of the operation."""
    p = len(blocks)
    everyone = frozenset(range(p))
    for i, item in enumerate(blocks):
        match kind:
            case "all_reduce":
                assert item == dict.fromkeys(range(parts), everyone)
            case "reduce_scatter":
                assert item[i] == everyone
            case "all_gather":
                assert item == {k: frozenset([k]) for k in range(p)}
            case "all_to_all" if name == "Bruck":
                assert item == {k: frozenset([(i - k) % p]) for k in range(p)}
            case "collective_broadcast":
                assert item == {k: frozenset([0]) for k in range(parts)}
            case "collective_reduce" if i == 0:
                assert item == dict.fromkeys(range(parts), everyone)
            case "collective_permute":
                assert item == {0: frozenset([(i - 1) % p])}
            case _:
                pass


def test_every_algorithm_is_simulated() -> None:
    assert ROWS.keys() == {(kind, name) for kind, rows in ALGORITHMS.items() for name in rows}


@pytest.mark.parametrize(("kind", "name"), ROWS)
def test_the_closed_form_is_what_the_messages_take(kind: str, name: str) -> None:
    row, formula = ROWS[kind, name], ALGORITHMS[kind][name]
    simulated = 0
    for p in SIZES:
        n = 16 * p * core(p)
        traffic = formula(p, n)
        if traffic is None:
            assert not is_power_of_two(p)
            continue
        parts = row.parts(p)
        b = n // parts
        blocks = beginning(kind, p, parts)
        machine = Machine(ALPHA, BETA, GAMMA)
        seconds = machine.run(row.program(p, b), blocks)
        check_end(kind, name, blocks, parts)
        assert (machine.messages, machine.sent) == (traffic.messages, traffic.sent), p
        predicted = traffic.rounds * ALPHA + traffic.bytes * BETA + traffic.folded * GAMMA
        assert seconds == predicted, p
        simulated += 1
    assert simulated >= 5  # the powers of two


SUM = """({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
})"""
# What the carrier of MPI sends for these operations is what these rows say; n is in bytes.
EXCHANGES = {
    "all_reduce": (f'"stablehlo.all_reduce"(%x) {SUM} {{GROUPS}}', 1, 1),
    "reduce_scatter": (
        f'"stablehlo.reduce_scatter"(%x) {SUM} {{scatter_dimension = 0 : i64, GROUPS}}', 1, -1
    ),
    "all_gather": ('"stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, GROUPS}', -1, 1),
    "all_to_all": (
        '"stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, '
        "split_count = SIZE : i64, GROUPS}",
        1,
        1,
    ),
    "collective_broadcast": ('"stablehlo.collective_broadcast"(%x) {GROUPS}', 1, 1),
    "collective_reduce": (f'"stablehlo.collective_reduce"(%x) {SUM} {{GROUPS}}', 1, 1),
}  # fmt: skip


@pytest.mark.parametrize("kind", EXCHANGES)
@pytest.mark.parametrize("p", [2, 3, 4, 7, 8])
def test_the_rows_of_our_own_carrier_are_what_it_sends(kind: str, p: int) -> None:
    """Of its messages those that leave, or reach, the busiest process are a chain."""
    text, times_in, times_out = EXCHANGES[kind]
    whole = 4 * p
    elements, results = (whole // p if item < 0 else whole for item in (times_in, times_out))
    groups = f"replica_groups = dense<[{list(range(p))}]> : tensor<1x{p}xi64>"
    filled = text.replace("GROUPS", groups).replace("SIZE", str(p))
    module = sm.load(
        f"func.func @main(%x: tensor<{elements}xf32>) -> tensor<{results}xf32> {{\n"
        f"%0 = {filled} : (tensor<{elements}xf32>) -> tensor<{results}xf32>\n"
        f"return %0 : tensor<{results}xf32>\n}}"
    )
    module.verify()
    operation: Any = module.functions["main"].operation.body.block.operations[0]
    exchange = operation.exchange([(elements,)], p)
    algorithms: list[tuple[exchanges.Algorithm, str]] = [("direct", DIRECT)]
    if exchange.is_splittable:
        algorithms.append(("blocks", BLOCKS))
    assert (BLOCKS in ALGORITHMS[kind]) == exchange.is_splittable
    for algorithm, name in algorithms:
        traffic = ALGORITHMS[kind][name](p, 4 * whole)
        assert traffic is not None
        sent = list(exchanges.rounds(exchange, [4], algorithm))
        assert traffic.messages == sum(map(len, sent))
        assert traffic.sent == sum(sum(item.values()) for item in sent)
        chains = [busiest(item, p) for item in sent]
        assert traffic.rounds == sum(number for number, _ in chains)
        assert traffic.bytes == sum(size for _, size in chains)


def busiest(messages: exchanges.Round, p: int) -> tuple[int, int]:
    """The most messages that one process sends, or receives, and their bytes."""
    ends = [
        [size for pair, size in messages.items() if pair[k] == i] for i in range(p) for k in (0, 1)
    ]
    return max((len(end), sum(end)) for end in ends)


# By hand, p = 4 and n = 1000: Thakur, Rabenseifner, Gropp 2005, tables and section 4.
@pytest.mark.parametrize(
    ("kind", "name", "rounds", "size", "folded"),
    [
        ("all_reduce", "direct exchange", 3, 3000, 3000),
        ("all_reduce", "ring", 6, 1500, 750),
        ("all_reduce", "block exchange", 6, 1500, 750),
        ("all_reduce", "recursive doubling", 2, 2000, 2000),
        ("all_reduce", "recursive halving and doubling", 4, 1500, 750),
        ("all_reduce", "binomial trees", 4, 4000, 2000),
        ("reduce_scatter", "recursive halving", 2, 750, 750),
        ("all_gather", "Bruck", 2, 750, 0),
        ("all_gather", "ring", 3, 750, 0),
        ("all_to_all", "pairwise exchange", 3, 750, 0),
        ("all_to_all", "Bruck", 2, 1000, 0),
        ("collective_broadcast", "binomial tree", 2, 2000, 0),
        ("collective_broadcast", "scatter and ring", 5, 1500, 0),
        ("collective_reduce", "binomial tree", 2, 2000, 2000),
    ],
)
def test_four_processes_by_hand(kind: str, name: str, rounds: int, size: int, folded: int) -> None:
    traffic = ALGORITHMS[kind][name](4, 1000)
    assert traffic is not None
    assert (traffic.rounds, traffic.bytes, traffic.folded) == (rounds, size, folded)


def test_three_processes_by_hand() -> None:
    """One of three is beyond the power of two: it gives its operand, and is told the sum."""
    traffic = ALGORITHMS["all_reduce"]["recursive doubling"](3, 100)
    # there 100, between the two 100 each way at once, back 100
    assert traffic == Traffic(rounds=3, bytes=300, folded=200, messages=4, sent=400)


@given(p=st.integers(2, 2000), n=st.integers(1, 1 << 30))
def test_no_algorithm_beats_the_lower_bounds(p: int, n: int) -> None:
    """E. Chan et al., Collective communication: theory, practice, and experience, 2007, table 1."""
    share = (p - 1) / p * n * (1 - 1e-12)
    least_bytes = {
        "all_reduce": 2 * share,
        "reduce_scatter": share,
        "all_gather": share,
        "all_to_all": share,
        "collective_broadcast": n,
        "collective_reduce": n,
        "collective_permute": n,
    }
    for kind, algorithms in ALGORITHMS.items():
        for name, formula in algorithms.items():
            traffic = formula(p, n)
            if traffic is not None:
                assert traffic.bytes >= least_bytes[kind], name
                assert traffic.rounds >= (1 if kind == "collective_permute" else math.log2(p))
                assert traffic.sent <= p * traffic.bytes * (1 + 1e-12)
                if "reduce" in kind:
                    assert traffic.folded >= share, name


@pytest.mark.parametrize(("kind", "name"), ROWS)
def test_a_process_alone_sends_nothing(kind: str, name: str) -> None:
    if kind != "collective_permute":
        traffic = ALGORITHMS[kind][name](1, 1000)
        assert traffic is not None
        assert (traffic.rounds, traffic.bytes, traffic.messages) == (0, 0, 0)
