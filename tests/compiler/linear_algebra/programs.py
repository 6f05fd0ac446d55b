"""Programs that call a routine of linear algebra: once, in a loop, for any number of matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from tests.compiler.lapack_calls import NAMES
from tests.compiler.linear_algebra.cases import Case
from tests.compiler.linear_algebra.routines import OF_COMPLEX, Result

REAL_TYPES: Final = {"s": np.float32, "d": np.float64, "c": np.float32, "z": np.float64}
COMPLEX_TYPES: Final = {
    "s": np.complex64,
    "d": np.complex128,
    "c": np.complex64,
    "z": np.complex128,
}
ITERATIONS: Final = 3
# By the rank: the dimensions from the one whose elements are neighbors on.
LAYOUTS: Final[Mapping[int, str]] = {
    1: "dense<[0]> : tensor<1xindex>",
    2: "dense<[1, 0]> : tensor<2xindex>",
    3: "dense<[1, 2, 0]> : tensor<3xindex>",
}
INTEGERS: Final = ("low", "high")
NOT_OF_LAPACK: Final = ("is_complex",)


def type_of(batch: str, shape: Sequence[int], dtype: Any) -> str:
    """The type of a tensor."""
    name = NAMES[np.dtype(dtype).name]
    return f"tensor<{'x'.join([batch, *map(str, shape), name])}>"


def results_of(case: Case) -> Sequence[Result]:
    """The results of a call."""
    return case.routine.results(case.sizes, case.options)


def dtype_of(case: Case, result: Result) -> Any:
    """The element type of a result."""
    letter = case.letter
    return {
        "#": case.dtype, "real": REAL_TYPES[letter], "complex": COMPLEX_TYPES[letter],
        "index": np.int32,
    }[result.kind]  # fmt: skip


def text_of(case: Case, operands: Sequence[Any], form: str) -> str:
    """The program of a case in a form."""
    batch = "?" if form == "dynamic" else str(case.batch)
    takes = [type_of(batch, x.shape[1:], x.dtype) for x in operands]
    gives = [type_of(batch, result.shape, dtype_of(case, result)) for result in results_of(case)]
    arguments = ", ".join(f"%{number}: {kind}" for number, kind in enumerate(takes))
    if form == "loop":
        body, names = looped(case, takes, gives)
    else:
        body = called(case, [f"%{number}" for number in range(len(takes))], takes, gives)
        names = named("%r", len(gives))
    return f"""func.func @main({arguments}) -> ({", ".join(gives)}) {{
      {body}
      return {", ".join(names)} : {", ".join(gives)}
    }}"""


def named(name: str, count: int) -> list[str]:
    """The names of the results of an operation."""
    return [name] if count == 1 else [f"{name}#{number}" for number in range(count)]


def called(case: Case, names: Sequence[str], takes: Sequence[str], gives: Sequence[str]) -> str:
    """The call, whose results are ``%r``."""
    target = "%r" if len(gives) == 1 else f"%r:{len(gives)}"
    types = f"({', '.join(takes)}) -> ({', '.join(gives)})"
    if case.routine.is_operation:
        attributes = ", ".join(attribute(*option) for option in case.options.items())
        return f'{target} = "stablehlo.{case.name}"({", ".join(names)}) {{{attributes}}} : {types}'
    name = OF_COMPLEX.get(case.name, case.name) if case.sizes.is_complex else case.name
    config = ", ".join(
        entry(*option) for option in case.options.items() if option[0] not in NOT_OF_LAPACK
    )
    call, config = f"stablehlo.custom_call @lapack_{case.letter}{name}_ffi", f"{{{config}}}"
    if "?" not in takes[0]:
        return f"""{target} = {call}({", ".join(names)})
        {{api_version = 4 : i32, backend_config = {config}, {layouts(takes, gives)}}} : {types}"""
    shapes, lines = shapes_of(case, takes[0])
    operands = [*names, *(f"%shape{number}" for number in range(len(gives)))]
    types = f"({', '.join([*takes, *shapes])}) -> ({', '.join(gives)})"
    places = list(range(len(names), len(operands)))
    return f"""{lines}
      {target} = {call}({", ".join(operands)}) {{mhlo.backend_config = {config},
        indices_of_shape_operands = dense<{places}> : tensor<{len(places)}xi64>}} : {types}"""


def layouts(takes: Sequence[str], gives: Sequence[str]) -> str:
    """Attributes that say that XLA stores matrices by columns, as LAPACK does."""

    def listed(types: Sequence[str]) -> str:
        return ", ".join(LAYOUTS[kind.replace("complex", "").count("x")] for kind in types)

    return f"operand_layouts = [{listed(takes)}], result_layouts = [{listed(gives)}]"


def shapes_of(case: Case, first: str) -> tuple[list[str], str]:
    """The types of operands that are the shapes of results, and the operations that make them."""
    lines = [
        f"%extent = stablehlo.get_dimension_size %0, dim = 0 : ({first}) -> tensor<i32>",
        "%batch = stablehlo.reshape %extent : (tensor<i32>) -> tensor<1xi32>",
    ]
    types: list[str] = []
    for number, result in enumerate(results_of(case)):
        rank = len(result.shape)
        types.append(f"tensor<{1 + rank}xi32>")
        rest = f"stablehlo.constant dense<{list(result.shape)}> : tensor<{rank}xi32>"
        whole = (
            f"stablehlo.concatenate %batch, %rest{number}, dim = 0 "
            f": (tensor<1xi32>, tensor<{rank}xi32>) -> {types[-1]}"
        )
        if not rank:
            whole = "stablehlo.reshape %extent : (tensor<i32>) -> tensor<1xi32>"
        else:
            lines.append(f"%rest{number} = {rest}")
        lines.append(f"%shape{number} = {whole}")
    return types, "\n".join(lines)


def entry(name: str, value: Any) -> str:
    """An option of a routine of LAPACK."""
    if isinstance(value, bool):
        return f"{name} = {str(value).lower()}"
    if name in INTEGERS:
        return f"{name} = {value} : i32"
    return f"{name} = {ord(value)} : ui8"


def attribute(name: str, value: Any) -> str:
    """An attribute of an operation."""
    if isinstance(value, bool):
        return f"{name} = {str(value).lower()}"
    return f"{name} = #stablehlo<transpose {value}>"


def looped(case: Case, takes: Sequence[str], gives: Sequence[str]) -> tuple[str, list[str]]:
    """A loop that calls the routine some times, and the names of the last results."""
    names = [f"%a{number}" for number in range(len(takes))]
    zeros = [f"%zero{number} = stablehlo.constant dense<{zero_of(kind)}> : {kind}"
             for number, kind in enumerate(gives)]  # fmt: skip
    carried: Mapping[str, tuple[str, str]] = {
        "%i": ("%begin", "tensor<i32>"),
        **{name: (f"%{number}", takes[number]) for number, name in enumerate(names)},
        **{f"%q{number}": (f"%zero{number}", kind) for number, kind in enumerate(gives)},
    }
    values = ", ".join(f"{name} = {value}" for name, (value, _) in carried.items())
    types = ", ".join(kind for _, kind in carried.values())
    following = ", ".join(["%following", *names, *named("%r", len(gives))])
    zero_lines = "\n".join(zeros)
    text = f"""{zero_lines}
      %begin = stablehlo.constant dense<0> : tensor<i32>
      %end = stablehlo.constant dense<{ITERATIONS}> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %w:{len(carried)} = stablehlo.while({values}) : {types}
      cond {{
        %goes = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %goes : tensor<i1>
      }} do {{
        {called(case, names, takes, gives)}
        %following = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return {following} : {types}
      }}"""
    return text, [f"%w#{1 + len(takes) + number}" for number in range(len(gives))]


def zero_of(kind: str) -> str:
    """Zero, as an element of a tensor type."""
    if "complex" in kind:
        return "(0.0, 0.0)"
    return "0" if kind.endswith("i32>") else "0.0"
