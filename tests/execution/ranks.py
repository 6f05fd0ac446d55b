"""What the ranks of a test run: ``mpiexec -n N python -m tests.execution.ranks PER_RANK WHAT``.

Every rank prints a line for each thing that is not as it should be, and ``ok`` at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.execution.backends.mpi import ranks
from tests.execution.grids import MAKERS, case_on

SUM: Final = """({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    })"""


def processes() -> int:
    """How many processes a grid has: as many as ranks, or some times that."""
    return ranks().size * int(sys.argv[1])


def own() -> slice:
    """The processes of this rank."""
    count = int(sys.argv[1])
    return slice(ranks().rank * count, (ranks().rank + 1) * count)


def flat(value: Any) -> Iterator[Any]:
    """The arrays in results."""
    if isinstance(value, tuple | list):
        for item in value:
            yield from flat(item)
    else:
        yield value


def same(a: Any, b: Any) -> bool:
    """Whether results have the same bits."""
    pairs = zip(flat(a), flat(b), strict=True)
    return all(
        np.asarray(x).dtype == np.asarray(y).dtype
        and np.shape(x) == np.shape(y)
        and np.asarray(x).tobytes() == np.asarray(y).tobytes()
        for x, y in pairs
    )


def collectives(seeds: int = 2) -> Iterator[str]:
    """Generated collective operations have the bits of lock-step, interpreted and compiled."""
    for grid in grids(processes()):
        for name in MAKERS:
            for seed in range(seeds):
                case = case_on(name, seed, grid)
                module = sm.load(case.text)
                compiled = seed == 0 and grid == grids(processes())[0]
                for backend in ("interpreter", "cpu") if compiled else ("interpreter",):
                    options: dict[str, Any] = {
                        "replicas": grid[0],
                        "partitions": grid[1],
                        "entry": "work",
                        "backend": backend,
                    }
                    expected = sm.run_grid(module, case.arguments, **options)
                    per_process = sm.run_grid(
                        module, case.arguments, **options, carrier="mpi", gather=True
                    )
                    if not same(per_process, expected):
                        yield f"{name} {seed} {grid} {backend}: {per_process} is not {expected}"


REGION: Final = """({{
    ^bb0(%a: tensor<{0}>, %b: tensor<{0}>):
      %c = stablehlo.{1} %a, %b : tensor<{0}>
      {2}
      stablehlo.return %d : tensor<{0}>
    }})"""
PLAIN: Final = "%d = stablehlo.maximum %c, %c : tensor<{0}>"
OTHER: Final = "%d = stablehlo.negate %c : tensor<{0}>"
LARGE: Final[dict[str, tuple[str, int]]] = {
    "all_gather": ("<{all_gather_dim = DIM : i64, GROUPS}>", 1),
    "all_reduce": ("<{GROUPS}> REGION", 0),
    "reduce_scatter": ("<{scatter_dimension = DIM : i64, GROUPS}> REGION", -1),
    "all_to_all": (
        "<{split_dimension = DIM : i64, concat_dimension = 0 : i64, "
        "split_count = N : i64, GROUPS}>",
        2,
    ),
    "collective_permute": ("<{source_target_pairs = dense<PAIRS> : tensor<Nx2xi64>}>", 0),
    "collective_broadcast": ("<{GROUPS}>", 0),
    "collective_reduce": ("<{GROUPS}> REGION", 0),
}


def large_program(name: str, dimension: int, element: str, region: str) -> str:
    """An operation of all ranks in a loop of three turns, on half a megabyte or so."""
    n = processes()
    text, change = LARGE[name]
    shape = [60, 2004]
    result = list(shape)
    if change:
        result[dimension] = shape[dimension] * n if change == 1 else shape[dimension] // n
    if change == 2:
        result[0] *= n
    ids, pairs = list(range(n)), [[i, (i + 1) % n] for i in range(n)]
    for old, new in (
        ("GROUPS", f"replica_groups = dense<[{ids}]> : tensor<1x{n}xi64>"),
        ("REGION", region),
        ("PAIRS", str(pairs)),
        ("DIM", str(dimension)),
        ("N", str(n)),
    ):
        text = text.replace(old, new)
    operand = f"tensor<60x2004x{element}>"
    types = f"({operand}) -> tensor<{result[0]}x{result[1]}x{element}>"
    out = f"tensor<{result[0]}x{result[1]}x{element}>"
    return f"""func.func @main(%x: {operand}, %start: {out}) -> {out} {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %end = stablehlo.constant dense<3> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n:2 = stablehlo.while(%i = %zero, %y = %start) : tensor<i32>, {out}
        cond {{
          %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %go : tensor<i1>
        }} do {{
          %r = "stablehlo.{name}"(%x) {text} : {types}
          %sum = stablehlo.add %r, %y : {out}
          %next = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %next, %sum : tensor<i32>, {out}
        }}
      return %n#1 : {out}
    }}"""


def large() -> Iterator[str]:
    """Large operands, some of them in blocks, have the bits of lock-step."""
    for name in LARGE:
        for k, (element, operation, rest) in enumerate(
            [("f32", "add", OTHER), ("i16", "add", PLAIN), ("bf16", "maximum", OTHER)]
        ):
            region = REGION.format(element, operation, rest.format(element))
            module = sm.load(large_program(name, k % 2, element, region))
            slots = module.entry().signature.arguments
            random = np.random.default_rng(k)
            arguments = [
                tuple((8 * random.normal(size=e.type.shape)).astype(e.type.element_type.dtype)
                      for e in slots)
                for _ in range(processes())
            ]  # fmt: skip
            for backend in ("cpu", "interpreter"):
                options: dict[str, Any] = {"replicas": processes(), "backend": backend}
                expected = sm.run_grid(module, arguments, **options)
                per_process = sm.run_grid(module, arguments, **options, carrier="mpi", gather=True)
                if not same(per_process, expected):
                    yield f"{name} {element} {backend} is not as in lock-step"


def orders() -> Iterator[str]:
    """Sums in any order: those of small integers are exact; what is no plain sum is as ever."""
    n = processes()
    random = np.random.default_rng(n)
    for name in ("all_reduce", "reduce_scatter"):
        for dimension in (0, 1) if name == "reduce_scatter" else (0,):
            for element, operation in (("f32", "add"), ("i16", "maximum"), ("bf16", "add")):
                region = REGION.format(element, operation, PLAIN.format(element))
                plain = region.replace(PLAIN.format(element), "").replace("%d", "%c")
                for text in (plain, region):
                    module = sm.load(large_program(name, dimension, element, text))
                    arguments = [integers(random, module, 0, n), integers(random, module, 1, n)]
                    items = list(zip(*arguments, strict=True))
                    for backend in ("cpu", "interpreter"):
                        options: dict[str, Any] = {"replicas": n, "backend": backend}
                        expected = sm.run_grid(module, items, **options, reduce_order="any")
                        per_process = sm.run_grid(
                            module, items, **options, reduce_order="any", carrier="mpi", gather=True
                        )
                        if not same(per_process, expected):
                            yield f"{name} {element} {backend}"


def integers(random: np.random.Generator, module: sm.Module, number: int, count: int) -> list[Any]:
    """An argument of each rank: small integers."""
    slot: Any = module.entry().signature.arguments[number].type
    dtype = slot.element_type.dtype
    return [random.integers(-3, 4, size=slot.shape).astype(dtype) for _ in range(count)]


def grids(size: int) -> list[tuple[int, int]]:
    """The grids of so many processes."""
    return [(r, size // r) for r in range(1, size + 1) if size % r == 0]


def branches(*bodies: str) -> str:
    """A program in which each replica executes a body of its own, which gives ``%r``."""
    regions = ", ".join(
        f"{{\n    {body}\n    stablehlo.return %r : tensor<4xf32>\n  }}" for body in bodies
    )
    return f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %i = stablehlo.replica_id : tensor<ui32>
  %k = stablehlo.convert %i : (tensor<ui32>) -> tensor<i32>
  %0 = "stablehlo.case"(%k) ({regions}) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}"""


def reduced() -> str:
    """An all_reduce of all ranks."""
    members = list(range(processes()))
    groups = f"dense<[{members}]> : tensor<1x{len(members)}xi64>"
    return (
        f'%r = "stablehlo.all_reduce"(%x) <{{replica_groups = {groups}}}> {SUM} '
        ": (tensor<4xf32>) -> tensor<4xf32>"
    )


def permuted() -> str:
    """A collective_permute from rank 0 to rank 1."""
    pairs = "dense<[[0, 1]]> : tensor<1x2xi64>"
    return (
        f'%r = "stablehlo.collective_permute"(%x) <{{source_target_pairs = {pairs}}}> '
        ": (tensor<4xf32>) -> tensor<4xf32>"
    )


def over(groups: str, shape: str = "4xf32", name: str = "r") -> str:
    """An all_reduce of groups of ranks."""
    n = processes()
    return (
        f'%{name} = "stablehlo.all_reduce"(%x) <{{replica_groups = dense<{groups}> '
        f": tensor<{groups.count('[') - 1}x{n // (groups.count('[') - 1)}xi64>}}>> {SUM} "
        f": (tensor<{shape}>) -> tensor<{shape}>"
    ).replace("}>>", "}>")


def open_shape() -> str:
    """An all_reduce of operands whose shapes are known when it runs."""
    everybody = f"[{list(range(processes()))}]"
    return f"""func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {{
  {over(everybody, "?xf32")}
  return %r : tensor<?xf32>
}}"""


def counted() -> str:
    """Replica i comes to an all_reduce i + 1 times."""
    everybody = f"[{list(range(processes()))}]"
    return f"""func.func @main(%x: tensor<4xf32>) -> tensor<ui32> {{
  %i = stablehlo.replica_id : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %end = stablehlo.add %i, %one : tensor<ui32>
  %n = stablehlo.while(%k = %zero) : tensor<ui32>
    cond {{
      %go = stablehlo.compare LT, %k, %end : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    }} do {{
      {over(everybody)}
      %next = stablehlo.add %k, %one : tensor<ui32>
      stablehlo.return %next : tensor<ui32>
    }}
  return %n : tensor<ui32>
}}"""


def unsent() -> str:
    """Replica 1 receives what replica 0 does not send."""
    pairs = "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"
    return f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %t = stablehlo.after_all : !stablehlo.token
  %r:2 = "stablehlo.recv"(%t) <{{
    channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, {pairs}
  }}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %r#0 : tensor<4xf32>
}}"""


def alone() -> str:
    """An all_reduce of each rank for itself."""
    return over(str([[rank] for rank in range(processes())]))


# What is run, and what the error says on every rank; the programs stand in texts without names.
FAILURES: Final[dict[str, tuple[Callable[[], str], Sequence[str]]]] = {
    "different operations": (
        lambda: branches(reduced(), permuted()),
        ["(0,0) waits at all_reduce (<text>:5:10) for (1,0)", "(1,0) waits at collective_permute"],
    ),
    "one has ended": (
        lambda: branches(reduced(), "%r = stablehlo.negate %x : tensor<4xf32>"),
        ["(0,0) waits at all_reduce (<text>:5:10) for (1,0)", "(1,0) has ended"],
    ),
    "different groups": (
        lambda: branches(reduced(), alone()),
        ["(0,0) waits at all_reduce (<text>:5:10) for (1,0)", "(1,0) has ended"],
    ),
    "different counts": (
        counted,
        ["(0,0) has ended", "(1,0) waits at all_reduce (<text>:11:12) for (0,0)"],
    ),
    "different shapes": (
        open_shape,
        [
            "the operands have the same shapes in all processes of a group",
            "(0,0) waits at all_reduce (<text>:2:8) for (1,0)",
            "(0,0) has operands of 2",
            "(1,0) has operands of 4",
        ],
    ),
    "nobody sends": (
        unsent,
        ["(0,0) has ended", "(1,0) waits at recv (<text>:3:10) for channel 5 from (0,0)"],
    ),
}


def failures() -> Iterator[str]:
    """What cannot go on ends on every rank, with who waits where."""
    for name, (text, expected) in FAILURES.items():
        if name == "different shapes" and processes() > ranks().size:
            continue  # any other error, as in lock-step
        size = 2 if name == "different shapes" and ranks().rank == 0 else 4
        arguments: list[Any] = [np.zeros(size, np.float32)] * processes()
        for backend in ("interpreter", "cpu"):
            options: dict[str, Any] = {"replicas": processes(), "backend": backend}
            try:
                sm.run_grid(text(), arguments, **options, carrier="mpi")
                yield f"{name} {backend}: no error"
            except sm.DeadlockError as error:
                missing = [item for item in expected if item not in str(error)]
                if missing:
                    yield f"{name} {backend}: {error} does not say {missing}"


CHANNEL: Final = "channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>"
BESIDE: Final = """func.func @main(%x: tensor<300x300xf32>) -> tensor<300x300xf32> {
  %t = stablehlo.after_all : !stablehlo.token
  %f = "stablehlo.async_start"(%x) ({
    ^bb0(%v: tensor<300x300xf32>):
      %s = "stablehlo.all_reduce"(%v) <{GROUPS}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %c = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %c : tensor<f32>
        }) : (tensor<300x300xf32>) -> tensor<300x300xf32>
      stablehlo.return %s : tensor<300x300xf32>
    }) : (tensor<300x300xf32>) -> !stablehlo.future<tensor<300x300xf32>>
  %sent = "stablehlo.send"(%x, %t) <{CHANNEL, PAIRS}>
    : (tensor<300x300xf32>, !stablehlo.token) -> !stablehlo.token
  %r:2 = "stablehlo.recv"(%t) <{CHANNEL, PAIRS}>
    : (!stablehlo.token) -> (tensor<300x300xf32>, !stablehlo.token)
  %in:2 = "stablehlo.infeed"(%r#1) : (!stablehlo.token) -> (tensor<300x300xf32>, !stablehlo.token)
  %p = stablehlo.dot %r#0, %in#0 : (tensor<300x300xf32>, tensor<300x300xf32>) -> tensor<300x300xf32>
  %out = "stablehlo.outfeed"(%p, %in#1) : (tensor<300x300xf32>, !stablehlo.token)
    -> !stablehlo.token
  %d = "stablehlo.async_done"(%f)
    : (!stablehlo.future<tensor<300x300xf32>>) -> tensor<300x300xf32>
  %sum = stablehlo.add %d, %p : tensor<300x300xf32>
  return %sum : tensor<300x300xf32>
}"""


def beside() -> Iterator[str]:
    """What is started beside the program, channels and streams, as in lock-step."""
    n = processes()
    pairs = str([[i, (i + 1) % n] for i in range(n)])
    text = BESIDE.replace(
        "GROUPS", f"replica_groups = dense<[{list(range(n))}]> : tensor<1x{n}xi64>"
    )
    text = text.replace("PAIRS", f"source_target_pairs = dense<{pairs}> : tensor<{n}x2xi64>")
    text = text.replace("CHANNEL", CHANNEL)
    random = np.random.default_rng(n)
    collected = [random.normal(size=(300, 300)).astype(np.float32) for _ in range(2 * n)]
    for backend in ("interpreter", "cpu"):
        fed: list[Any] = []
        results: list[Any] = []
        for carrier in ("lockstep", "mpi"):
            sinks: list[list[Any]] = [[] for _ in range(n)]
            streams = sm.Streams(infeed=[[item] for item in collected[n:]], outfeed=sinks)
            options: dict[str, Any] = {"replicas": n, "backend": backend, "streams": streams}
            results.append(sm.run_grid(text, collected[:n], **options, carrier=carrier)[own()])
            fed.append(sinks[own()])
        if not same(*results) or not same(*fed) or {len(sink) for sink in fed[0]} != {1}:
            yield f"{backend}: {results} {fed}"


def peers() -> Iterator[str]:
    """An error of one rank ends all of them, and says which rank it was."""
    shapes = [np.zeros(4 if rank else 3, np.float32) for rank in range(processes())]
    text = branches(*[reduced()] * processes())
    try:
        sm.run_grid(text, shapes, replicas=processes(), carrier="mpi", backend="interpreter")
        yield "no error"
    except sm.StablemateError as error:
        if "(0,0)" not in str(error):
            yield str(error)


def placements() -> Iterator[str]:
    """Processes on ranks in any order, and on some of the ranks, have the bits of lock-step."""
    count, rank = ranks().size, ranks().rank
    for owners in (
        [*range(count)][::-1],
        [*range(count)] * 2,
        [number for number in reversed(range(count)) for _ in range(2)],
        [count - 1, 0],
        [1, 1, 1],
        [0, 1, 0],
    ):
        if rank not in owners:
            continue
        for name in MAKERS:
            case = case_on(name, 0, (1, len(owners)))
            module = sm.load(case.text)
            for backend in ("interpreter", "cpu"):
                options: dict[str, Any] = {
                    "partitions": len(owners),
                    "replicas": 1,
                    "entry": "work",
                }
                options["backend"] = backend
                expected = sm.run_grid(module, case.arguments, **options)
                on_ranks = sm.run_grid(
                    module, case.arguments, **options, carrier="mpi", ranks=owners
                )
                for owner, result, wanted in zip(owners, on_ranks, expected, strict=True):
                    if owner == rank and not same(result, wanted):
                        yield f"{name} {owners} {backend}: {result} is not {wanted}"
                    if owner != rank and result is not None:
                        yield f"{name} {owners}: a result of rank {owner} on rank {rank}"


CHECKS: Final = {
    peer.__name__: peer
    for peer in (collectives, large, orders, failures, peers, beside, placements)
}


def main() -> None:
    """Runs the checks that are named."""
    for name in sys.argv[2:]:
        for wrong in CHECKS[name]():
            print(wrong, flush=True)
    print("ok", flush=True)


if __name__ == "__main__":
    main()
