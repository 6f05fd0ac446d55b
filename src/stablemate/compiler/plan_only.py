"""The plan of a function, without generating code."""

from __future__ import annotations

from stablemate.compiler.compile import is_static, with_functions, with_signature
from stablemate.compiler.config.options import DEFAULTS
from stablemate.compiler.config.target import Target, host
from stablemate.compiler.dynamic.shape_specialization import has_dynamic_shapes
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.compiler.dynamic.tuple_packing import flattened_signature, has_tuples
from stablemate.compiler.executable import expected_operands
from stablemate.compiler.pipeline import Compilation
from stablemate.compiler.plan.plan import Plan
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.signature import Signature
from stablemate.interpreter.executable import InterpretedExecutable
from stablemate.ir.garbage_collection import without_garbage_collection


@without_garbage_collection()
def plan_function(
    interpreted: InterpretedExecutable, target: Target | None = None
) -> tuple[Plan, Signature]:
    """The plan of a function with static sizes, and its flattened arguments and results.

    Args:
        interpreted: The function as the interpreter runs it.
        target: The machine; by default this one.

    Raises:
        UnsupportedError: The program is not one that is compiled as a whole, or sizes are open.
    """
    if has_tuples(interpreted.signature):
        interpreted = with_signature(interpreted, flattened_signature(interpreted.signature))
    functions = interpreted.functions
    if isinstance(functions, SpecializedFunctions):
        if has_dynamic_shapes(interpreted):
            raise UnsupportedError("sizes of arguments are known only when it is called")
        if not all(is_static(result.type) for result in interpreted.signature.results):
            interpreted = with_functions(interpreted, functions)
    list(expected_operands(interpreted))  # what cannot be compiled is refused
    signature = interpreted.signature
    compilation = Compilation(
        interpreted.functions, signature, target or host(), DEFAULTS, interpreted.limits
    )
    return compilation.plan, signature
