"""Programs whose results are too large: by their types, by values that are sizes, by their rank.

A program of the corpus gets a huge size in the place of one of its sizes, wherever that occurs or
in one type; a huge value in the place of one of a constant or attribute; or more dimensions than an
array of NumPy has. Then everything that computes or allocates is done with it. Whatever happens is
a result or a StablemateError, before memory is asked for that the limit forbids.
"""

from __future__ import annotations

import contextlib
import io
import math
import re
import resource
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from click.testing import CliRunner

import stablemate as sm
from stablemate.cli import main
from stablemate.diagnostics.limits import Limits
from stablemate.interpreter.block import NO_MEMORY
from stablemate.ir.types import TensorType
from stablemate.transforms.passes import TABLE
from tests.fuzzing import corpus
from tests.properties.generation.choices import Choices

LIMITS: Final = Limits(tensor_bytes=1 << 16, calls=20, iterations=16, arena_bytes=1 << 24)
GROWTH: Final = 1 << 28  # bytes that one input may add to the memory that the process has had
HUGE: Final = (
    3, 65, 1 << 11, 1 << 20, (1 << 31) - 1, 1 << 31, 1 << 32, 1 << 40, 1 << 59, 1 << 61, 1 << 62,
    (1 << 63) - 1,
)  # fmt: skip
RANKS: Final = (30, 60, 63, 64, 65, 70)
TYPE: Final = re.compile(r"(?<=tensor<)(?:(?:\d+|\?)x)+(?=[^>])")
SIZE: Final = re.compile(r"\d+(?=x)")
NUMBER: Final = re.compile(r"(?<=[\[ ,(])-?\d+(?=[\],)]| : i64)")
LIST: Final = re.compile(r"dense<\[[^>]*\]>(?= : tensor<[\dx?]*(?P<kind>[a-z]))")
SPLATS: Final = {"f": "dense<1.0>", "b": "dense<1.0>"}  # of floats; of integers 1
DYNAMIC: Final = """func.func @main(%s: tensor<2xi64>) -> tensor<?x?xf32> {{
  %c = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %o = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %n = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  {line} -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}"""
# Operations whose result sizes are the values of an operand.
LINES: Final = (
    "%0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi64>)",
    "%0 = stablehlo.dynamic_iota %n, dim = 1 : (tensor<2xi64>)",
    "%0 = stablehlo.dynamic_broadcast_in_dim %z, %n, dims = [] : (tensor<f32>, tensor<2xi64>)",
    "%0 = stablehlo.dynamic_reshape %c, %n : (tensor<2x2xf32>, tensor<2xi64>)",
    *(
        f"%0 = stablehlo.dynamic_pad %c, %z, {paddings} : "
        "(tensor<2x2xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)"
        for paddings in ("%n, %o, %o", "%o, %n, %o", "%o, %o, %n")
    ),
    "%0 = stablehlo.real_dynamic_slice %c, %o, %n, %o : "
    "(tensor<2x2xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)",
    "%0 = stablehlo.rng %z, %z, %n, distribution = NORMAL : "
    "(tensor<f32>, tensor<f32>, tensor<2xi64>)",
    "%0 = stablehlo.custom_call @stablehlo.dynamic_top_k(%c, %n) "
    "{indices_of_shape_operands = dense<[1]> : tensor<1xi64>} : (tensor<2x2xf32>, tensor<2xi64>)",
)


@cache
def seeds() -> Sequence[bytes]:
    """Functions of every operation, and those whose sizes are values."""
    functions = [DYNAMIC.format(line=line) for line in LINES]
    functions += [text for text in corpus.texts() if "tensor<" in text]
    return [text.encode("utf-8", "surrogatepass") for text in functions]


# ---- changes


def enlarged(choices: Choices, seed: bytes, _seeds: Sequence[bytes]) -> bytes:
    """A program with one or two changes."""
    text = seed.decode("utf-8", "surrogatepass")
    for _ in range(choices.integer(1, 2)):
        text = choices.of(CHANGES)(choices, text)
    return text.encode("utf-8", "surrogatepass")


def with_size(choices: Choices, text: str) -> str:
    """The program with another size wherever one occurs in types; constants are splats."""
    sizes = sorted({size for dims in TYPE.findall(text) for size in SIZE.findall(dims)})
    if not sizes:
        return text
    old, new = choices.of(sizes), str(choices.of(HUGE))
    text = LIST.sub(lambda match: SPLATS.get(match["kind"], "dense<1>"), text)
    return TYPE.sub(
        lambda match: SIZE.sub(lambda size: new if size[0] == old else size[0], match[0]), text
    )


def with_one_size(choices: Choices, text: str) -> str:
    """The program with another size in one type."""
    places = [
        match.start() + size.start()
        for match in TYPE.finditer(text)
        for size in SIZE.finditer(match[0])
    ]
    if not places:
        return text
    place = choices.of(places)
    return text[:place] + re.sub(r"^\d+", str(choices.of(HUGE)), text[place:])


def with_open_size(choices: Choices, text: str) -> str:
    """The program with an unknown size wherever one size occurs in types behind the arrow."""
    sizes = sorted({size for dims in TYPE.findall(text) for size in SIZE.findall(dims)})
    if not sizes or "rng_bit_generator" in text:  # a state of unknown size is not compiled
        return text
    old = choices.of(sizes)
    return re.sub(r"-> [^\n]*", lambda line: re.sub(rf"(?<=[<x]){old}(?=x)", "?", line[0]), text)


def with_number(choices: Choices, text: str) -> str:
    """The program with another number in a constant or an attribute."""
    places = list(NUMBER.finditer(text))
    if not places:
        return text
    place = choices.of(places)
    return text[: place.start()] + str(choices.of(HUGE)) + text[place.end() :]


def with_rank(choices: Choices, text: str) -> str:
    """The program with more dimensions in all tensor types."""
    ones = "1x" * choices.of(RANKS)
    text = LIST.sub(lambda match: SPLATS.get(match["kind"], "dense<1>"), text)
    if choices.chance(50):
        return text.replace("tensor<", f"tensor<{ones}")
    return TYPE.sub(lambda match: f"{match[0]}{ones}", text)


CHANGES: Final[Sequence[Callable[[Choices, str], str]]] = (
    with_size, with_size, with_one_size, with_number, with_number, with_open_size, with_rank,
)  # fmt: skip


# ---- what is done with a program


class MemoryUsedError(AssertionError):
    """More memory was asked for than the limit allows."""


def examine(data: bytes, number: int) -> str:
    """Does with a program what a user may; says how far it came.

    What raises anything but a StablemateError is a finding, and so is one that says that there was
    not enough memory: the limit has to be seen before.
    """
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = outcome_of(data.decode("utf-8", "surrogatepass") + "\n", number)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    if grown > GROWTH:
        raise MemoryUsedError(f"{grown} bytes more")
    return outcome


def outcome_of(text: str, number: int) -> str:
    """How far a program came."""
    try:
        module = sm.parse(text)
        is_valid = not any(found.severity == "error" for found in module.diagnostics())
    except sm.StablemateError as error:
        refuse_exhaustion(error)
        return "refused"
    if not is_valid:
        survived(ACTIONS_OF_INVALID[number % len(ACTIONS_OF_INVALID)], module)
        return "invalid"
    outcome = survived(lambda module: run(module, BACKENDS[number % 2]), module)
    survived(ACTIONS[number // 2 % len(ACTIONS)], sm.parse(text))
    return outcome


def survived(action: Callable[[sm.Module], object], module: sm.Module) -> str:
    """What became of an action."""
    try:
        action(module)
    except sm.LimitError as error:
        refuse_exhaustion(error)
        return "limited"
    except sm.StablemateError as error:
        refuse_exhaustion(error)
        return "valid"
    return "run"


def refuse_exhaustion(error: sm.StablemateError) -> None:
    """Raises if memory was asked for in vain."""
    if NO_MEMORY in str(error):
        raise MemoryUsedError(str(error)) from error


def argument(value_type: Any) -> Any:
    """An argument of a type: small sizes for those that are unknown, one element for a large one.

    A large array is a view of a single element, which takes no memory.
    """
    if not isinstance(value_type, TensorType):
        raise sm.UnsupportedError("arguments of other types are not drawn")
    shape = tuple(2 if size < 0 else size for size in value_type.shape)
    if len(shape) > 64 or math.prod(shape) > 1 << 14:
        raise sm.UnsupportedError("arguments are small")
    return np.broadcast_to(np.ones((), value_type.element_type.dtype), shape)


def run(module: sm.Module, backend: str) -> None:
    """Runs the entry."""
    executable = sm.compile(module, backend=backend, limits=LIMITS, threads=1)
    for value in (1, 1 << 20, 1 << 62):
        with contextlib.suppress(sm.UnsupportedError, sm.EvaluationError):
            arguments = [argument(a.type) for a in executable.signature.arguments]
            executable(*(sized(array, value) for array in arguments))


def sized(array: Any, value: int) -> Any:
    """An argument; a small one of integers of 64 bits holds a value, which may be a size."""
    is_size = array.dtype == np.int64 and array.size <= 4
    return np.full(array.shape, value) if is_size else array


def through_pass(module: sm.Module, number: int) -> None:
    """Runs a pass that needs no options."""
    plain = [row.name for row in TABLE if not any(option.required for option in row.options)]
    sm.opt(module, plain[number % len(plain)])


def run_verb(module: sm.Module, arguments: str) -> None:
    """Runs a verb of the command line on the program."""
    with TemporaryDirectory() as directory, contextlib.chdir(directory):
        Path("a.mlir").write_bytes(module.to_text().encode("utf-8", "surrogatepass"))
        result = CliRunner().invoke(main, arguments.split())
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "internal error" not in result.output, result.output
    assert "Traceback" not in result.output, result.output
    assert NO_MEMORY not in result.output, result.output


LIMIT: Final = f"--limit-tensor-bytes={LIMITS.tensor_bytes}"
VERBS: Final = (
    f"run a.mlir --backend=interpreter {LIMIT}",
    f"run a.mlir {LIMIT}",
    "cost a.mlir",
    "info a.mlir",
    "check a.mlir",
    "convert a.mlir out.hlo",
    "convert a.mlir out.pb",
    "convert a.mlir out.mlirbc",
    "convert a.mlir out.stablehlo --target=newest --mixed",
    "fingerprint a.mlir",
    "refine a.mlir",
    "emit a.mlir plan",
    f"trace a.mlir {LIMIT}",
)


def through_hlo(module: sm.Module) -> None:
    """Translates the program to HLO, and runs that."""
    run(module.to_hlo(), "interpreter")


def inspect(module: sm.Module) -> None:
    """Everything that is told of a program."""
    module.contents()
    sm.fingerprint(module)
    _ = sm.view(module).html
    sm.cost(module)


def fill(module: sm.Module) -> None:
    """Leaves out values of constants, and gives them others."""
    text = module.to_text(elide=0)
    for elided in ("zeros", "random:1"):
        run(sm.load(text, elided=elided, limits=LIMITS), "interpreter")


def save(module: sm.Module) -> None:
    """Writes the program in binary formats, and reads it again."""
    sm.load(module.to_bytecode()).verify()
    sm.load(io.BytesIO(module.to_artifact("newest", mixed=True))).verify()
    _ = module.to_hlo().to_proto()


def passes() -> Sequence[Callable[[sm.Module], None]]:
    """Every pass, one after the other."""
    return [lambda module, i=i: through_pass(module, i) for i in range(len(TABLE))]


def verbs() -> Sequence[Callable[[sm.Module], None]]:
    """Every verb."""
    return [lambda module, line=line: run_verb(module, line) for line in VERBS]


BACKENDS: Final = ("interpreter", "cpu")
ACTIONS: Final[Sequence[Callable[[sm.Module], None]]] = (
    *passes(), *verbs(), through_hlo, inspect, fill, save,
    lambda module: run(module.refine(), "interpreter"),
)  # fmt: skip
ACTIONS_OF_INVALID: Final[Sequence[Callable[[sm.Module], object]]] = (
    sm.Module.to_text,
    sm.Module.contents,
    sm.fingerprint,
    lambda module: run_verb(module, "check a.mlir"),
    lambda module: run_verb(module, f"run a.mlir {LIMIT}"),
)
OUTCOMES: Final[Mapping[str, str]] = {
    "refused": "refused by the reader",
    "invalid": "refused by the verifier",
    "limited": "refused because of a limit",
    "valid": "valid, and refused for another reason",
    "run": "run",
}
