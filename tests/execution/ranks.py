"""What the ranks of a test run: ``mpiexec -n N python -m tests.execution.ranks WHAT``.

Every rank prints a line for each thing that is not as it should be, and ``ok`` at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.execution.mpi import ranks
from tests.execution.grids import MAKERS, case_on

SUM: Final = """({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    })"""


def flat(value: Any) -> Iterator[Any]:
    """The arrays in results."""
    if isinstance(value, tuple | list):
        for each in value:
            yield from flat(each)
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
    for grid in grids(ranks().size):
        for name in MAKERS:
            for seed in range(seeds):
                drawn = case_on(name, seed, grid)
                module = sm.load(drawn.text)
                compiled = seed == 0 and grid == grids(ranks().size)[0]
                for backend in ("interpreter", "cpu") if compiled else ("interpreter",):
                    options: dict[str, Any] = {
                        "replicas": grid[0],
                        "partitions": grid[1],
                        "entry": "work",
                        "backend": backend,
                    }
                    expected = sm.run_grid(module, drawn.arguments, **options)
                    found = sm.run_grid(
                        module, drawn.arguments, **options, carrier="mpi", gather=True
                    )
                    if not same(found, expected):
                        yield f"{name} {seed} {grid} {backend}: {found} is not {expected}"


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
    n = ranks().size
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
                for _ in range(ranks().size)
            ]  # fmt: skip
            for backend in ("cpu", "interpreter"):
                options: dict[str, Any] = {"replicas": ranks().size, "backend": backend}
                expected = sm.run_grid(module, arguments, **options)
                found = sm.run_grid(module, arguments, **options, carrier="mpi", gather=True)
                if not same(found, expected):
                    yield f"{name} {element} {backend} is not as in lock-step"


def grids(size: int) -> list[tuple[int, int]]:
    """The grids of so many processes."""
    return [(r, size // r) for r in range(1, size + 1) if size % r == 0]


def branches(*bodies: str) -> str:
    """A program in which each replica executes a body of its own, which gives ``%r``."""
    regions = ", ".join(
        f"{{\n    {each}\n    stablehlo.return %r : tensor<4xf32>\n  }}" for each in bodies
    )
    return f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %i = stablehlo.replica_id : tensor<ui32>
  %k = stablehlo.convert %i : (tensor<ui32>) -> tensor<i32>
  %0 = "stablehlo.case"(%k) ({regions}) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}"""


def reduced() -> str:
    """An all_reduce of all ranks."""
    members = list(range(ranks().size))
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


FAILURES: Final[dict[str, tuple[Callable[[], str], str]]] = {
    "different operations": (
        lambda: branches(reduced(), permuted()),
        "(1,0) waits at collective_permute",
    ),
    "one has ended": (
        lambda: branches(reduced(), "%r = stablehlo.negate %x : tensor<4xf32>"),
        "(1,0) has ended",
    ),
}


def failures() -> Iterator[str]:
    """What cannot go on ends on every rank, with who waits where."""
    argument = np.zeros(4, np.float32)
    for name, (text, expected) in FAILURES.items():
        try:
            sm.run_grid(
                text(),
                (argument,),
                replicas=ranks().size,
                carrier="mpi",
                backend="interpreter",
            )
            yield f"{name}: no error"
        except sm.DeadlockError as error:
            if expected not in str(error) or "(0,0) waits at all_reduce" not in str(error):
                yield f"{name}: {error}"


def peers() -> Iterator[str]:
    """An error of one rank ends all of them, and says which rank it was."""
    shapes = [np.zeros(4 if rank else 3, np.float32) for rank in range(ranks().size)]
    text = branches(*[reduced()] * ranks().size)
    try:
        sm.run_grid(text, shapes, replicas=ranks().size, carrier="mpi", backend="interpreter")
        yield "no error"
    except sm.StablemateError as error:
        if "(0,0)" not in str(error):
            yield str(error)


CHECKS: Final = {each.__name__: each for each in (collectives, large, failures, peers)}


def main() -> None:
    """Runs the checks that are named."""
    for name in sys.argv[1:]:
        for wrong in CHECKS[name]():
            print(wrong, flush=True)
    print("ok", flush=True)


if __name__ == "__main__":
    main()
