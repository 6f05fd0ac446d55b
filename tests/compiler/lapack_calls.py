"""Programs of one custom call of LAPACK, and their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

import stablemate as sm

NAMES: Final = {
    "float32": "f32",
    "float64": "f64",
    "complex64": "complex<f32>",
    "complex128": "complex<f64>",
    "int32": "i32",
}


def tensor(shape: Sequence[int], dtype: Any) -> str:
    """The type of an array."""
    return f"tensor<{'x'.join([*map(str, shape), NAMES[np.dtype(dtype).name]])}>"


def results_of(
    target: str, config: str, operands: Sequence[Any], results: Sequence[Any], prefix: str
) -> list[Any]:
    """The results of a custom call.

    Args:
        target: What is called.
        config: The backend's dictionary, without its braces.
        operands: The arrays.
        results: Shape and type of each result.
        prefix: How the names of the functions begin that the plan must call.
    """
    types = [tensor(operand.shape, operand.dtype) for operand in operands]
    arguments = ", ".join(f"%{number}: {name}" for number, name in enumerate(types))
    names = ", ".join(f"%{number}" for number in range(len(operands)))
    given = ", ".join(tensor(shape, dtype) for shape, dtype in results)
    outcomes = ", ".join(f"%r#{number}" for number in range(len(results)))
    outcomes = outcomes if len(results) > 1 else "%r"
    executable: Any = sm.compile(
        sm.load(f"""func.func @main({arguments}) -> ({given}) {{
      %r:{len(results)} = stablehlo.custom_call @{target}({names})
        {{api_version = 4 : i32, backend_config = {{{config}}}}} : ({", ".join(types)}) -> ({given})
      return {outcomes} : {given}
    }}""")
    )
    assert prefix in executable.emit("plan")
    outcome = executable(*operands)
    return [np.asarray(result) for result in (outcome if len(results) > 1 else [outcome])]
