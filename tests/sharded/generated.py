"""Programs that a child process with eight devices generates, and forms that are made of them."""

import os
import pathlib
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.api.sharded_calls import Sharing
from stablemate.ir.grid import Grid
from stablemate.transforms.sdy_partition import partition_program

ROOT: Final = pathlib.Path(__file__).resolve().parents[2]
DEVICES: Final = 8
# XLA takes what is right at any level; the lowest one is ready first.
FLAGS: Final = (
    f"--xla_force_host_platform_device_count={DEVICES} --xla_backend_optimization_level=0"
)
SHARDING: Final = re.compile(r'mhlo\.sharding = "([^"]*)"')
TILES: Final = re.compile(r"devices=(\[[\d,]*\])<=\[([\d,]*)\](?:T\(([\d,]*)\))?")
GROUPS: Final = re.compile(r"(replica_groups|source_target_pairs) = dense<(\[\[.*?\]\])>")
PARTITION: Final = re.compile(r"^( *)(%\w+) = stablehlo\.partition_id : tensor<ui32>(.*)$", re.M)
QUOTED: Final = re.compile(r'(xla\.sdy\.\w+) = "((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True)
class Generated:
    """A program of global tensors.

    Attributes:
        inputs: What it is called with.
        results: What JAX gives for them.
        forms: The program in the forms in which it is exported, and in forms made of these.
    """

    inputs: list[Any]
    results: list[Any]
    forms: dict[str, str]


def generated(seed: int, first: int, count: int) -> dict[int, Generated | str]:
    """Programs by number; an error of JAX where it makes none."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
    child = subprocess.run(
        [sys.executable, "-m", "tests.sharded.generated_export", *map(str, (seed, first, count))],
        cwd=ROOT,
        env={**environment, "XLA_FLAGS": FLAGS, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        check=False,
    )
    assert child.returncode == 0, child.stderr.decode(errors="replace")
    return {
        number: entry if isinstance(entry, str) else with_forms(seed + number, *entry)
        for number, entry in pickle.loads(child.stdout).items()
    }


def with_forms(
    seed: int, text: str, inputs: list[Any], results: list[Any], forms: dict[str, str]
) -> Generated:
    """A program in all forms."""
    usable = {name: form for name, form in forms.items() if not form.startswith("//")}
    made = {
        f"{name}_{change}": function(form, seed)
        for name, form in usable.items()
        for change, function in CHANGES[name].items()
    }
    return Generated(inputs, results, {"shardy": text, **usable, **made})


def devices_of(match: re.Match[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The devices that an iota counts."""
    shape = [int(size) for size in match[2].split(",")]
    devices = np.arange(int(np.prod(shape))).reshape(shape)
    if match[3]:
        devices = devices.transpose([int(number) for number in match[3].split(",")])
    return devices.reshape(-1)


def listed(text: str, seed: int) -> str:
    """The program with shardings that list their devices."""
    del seed
    return permuted_shardings(text, np.arange(DEVICES))


def permuted_shardings(text: str, order: Any) -> str:
    """The program with other devices in its shardings, which list them."""

    def one(match: re.Match[str]) -> str:
        devices = order[devices_of(match)]
        return f"devices={match[1]}{','.join(map(str, devices.tolist()))}"

    return SHARDING.sub(lambda found: f'mhlo.sharding = "{TILES.sub(one, found[1])}"', text)


def permuted(text: str, seed: int) -> str:
    """The program for devices in another order: shardings, groups, and what they are called."""
    order = np.random.RandomState(seed).permutation(DEVICES)
    places = np.argsort(order)

    def groups(match: re.Match[str]) -> str:
        return f"{match[1]} = dense<{order[np.array(eval(match[2]))].tolist()}>"

    def place(match: re.Match[str]) -> str:
        indent, name, rest = match.groups()
        part = name.replace("%", "%device_")
        return (
            f"{indent}{part}_table = stablehlo.constant dense<{places.tolist()}> :"
            f" tensor<{DEVICES}xui32>\n"
            f"{indent}{part}_id = stablehlo.partition_id : tensor<ui32>\n"
            f'{indent}{part}_slice = "stablehlo.dynamic_slice"({part}_table, {part}_id)'
            f" <{{slice_sizes = array<i64: 1>}}> : (tensor<{DEVICES}xui32>, tensor<ui32>)"
            f" -> tensor<1xui32>\n"
            f"{indent}{name} = stablehlo.reshape {part}_slice :"
            f" (tensor<1xui32>) -> tensor<ui32>{rest}"
        )

    return PARTITION.sub(place, GROUPS.sub(groups, permuted_shardings(text, order)))


def inlined(text: str, seed: int) -> str:
    """The program with the bodies of functions in the place of calls."""
    del seed
    return sm.opt(sm.load(text), ["inline"]).to_text()


def with_dictionaries(text: str, seed: int) -> str:
    """The program with attributes in the place of their texts."""
    del seed
    return QUOTED.sub(lambda match: f"{match[1]} = {match[2]}".replace("\\22", '"'), text)


def escaped(text: str, seed: int) -> str:
    """The program with backslashes before the quotes in texts, as older versions write them."""
    del seed
    return QUOTED.sub(lambda match: match[0].replace("\\22", "\\\\\\22"), text)


CHANGES: Final[dict[str, dict[str, Callable[[str, int], str]]]] = {
    "gspmd": {"listed": listed, "permuted": permuted, "inlined": inlined},
    "round_trip": {
        "dictionaries": with_dictionaries,
        "escaped": escaped,
        "inlined": inlined,
    },
}


def leaves(results: Any) -> tuple[Any, ...]:
    """The results as a tuple."""
    return results if isinstance(results, tuple) else (results,)


Way = Callable[[sm.Module, tuple[Any, ...], str], list[Any]]
WAYS: Final[dict[str, Way]] = {
    "alone": lambda module, inputs, backend: [sm.run(module, *inputs, backend=backend)],
    "grid": lambda module, inputs, backend: sm.run_grid(
        module, inputs, 1, DEVICES, backend=backend, partition=False
    ),
    "partitioned": lambda module, inputs, backend: sm.run_grid(
        module, inputs, 1, DEVICES, backend=backend, partition=True, whole=True
    ),
    "gathered": lambda module, inputs, backend: gathered(module, inputs, backend),
}


def differences(program: Generated, *, native: bool = False) -> Iterator[tuple[str, str]]:
    """Yields each form and way to run it that gives other results than JAX, and how.

    What is not supported in Shardy's form need not be in others, which have several meshes of the
    same devices as one.

    Args:
        program: The program.
        native: Whether it is compiled, not interpreted.
    """
    backend = "cpu" if native else "interpreter"
    inputs = tuple(program.inputs)
    unsupported: set[str] = set()
    for form, text in program.forms.items():
        for way, run in WAYS.items():

            def results(run: Way = run, text: str = text) -> list[Any]:
                return run(sm.load(text), inputs, backend)

            difference = compare(results, program.results)
            if form == "shardy" and difference.startswith("unsupported"):
                unsupported.add(way)
            elif difference.startswith("unsupported") and way not in unsupported:
                difference = f"lost: {difference}"
            if difference:
                yield f"{form} {way}", difference


def gathered(module: sm.Module, inputs: tuple[Any, ...], backend: str) -> list[Any]:
    """The results of a program whose operands are gathered where they cannot be divided."""
    result = partition_program(module.ir, "main", gathers=True)
    local = sm.Module(result.module)
    sharing = Sharing(result.devices, result.arguments, result.results)
    grid = Grid(1, DEVICES)
    types = [argument.type for argument in local.entry().own_signature.arguments]
    arguments = sharing.local_arguments(inputs, grid, types)
    results = sm.run_grid(local, arguments, 1, DEVICES, backend=backend, partition=False)
    return sharing.global_results(results, grid)


def compare(run: Callable[[], list[Any]], expected: list[Any]) -> str:
    """How the results of processes differ from those of JAX; empty if they do not."""
    try:
        processes = run()
    except sm.UnsupportedError as error:
        return f"unsupported: {error.diagnostics[0].message}"
    except sm.StablemateError as error:
        return f"error: {error}"
    for process, results in enumerate(processes):
        for number, (ours, theirs) in enumerate(zip(leaves(results), expected, strict=True)):
            if not np.array_equal(ours, theirs):
                return f"differs: result {number} of process {process}"
    return ""
