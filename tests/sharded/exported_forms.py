"""Forms in which programs of Shardy are exported: through HLO, and in GSPMD's form."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import jax
from jax._src.interpreters import mlir
from jaxlib import _jax
from jaxlib.mlir import ir


@contextmanager
def without_shardy() -> Iterator[None]:
    """Lets JAX lower programs in GSPMD's form."""
    jax.config.update("jax_use_shardy_partitioner", False)
    try:
        yield
    finally:
        jax.config.update("jax_use_shardy_partitioner", True)


def through_hlo(text: str) -> str:
    """The program after XLA has written it as HLO and read it back, as text."""
    computation = _jax.mlir.mlir_module_to_xla_computation(text)
    code = _jax.mlir.hlo_to_stablehlo(computation.as_serialized_hlo_module_proto())
    with mlir.make_ir_context():
        return str(ir.Module.parse(code))


def forms_of(shardy: str, lowered: Callable[[], str]) -> dict[str, str]:
    """The program in all forms that can be written.

    Args:
        shardy: The program in Shardy's form.
        lowered: Lowers it again.
    """
    forms = {}
    try:
        forms["round_trip"] = through_hlo(shardy)
    except Exception as error:  # of XLA: some operations have no HLO
        forms["round_trip"] = f"// {error}"
    with without_shardy():
        try:
            forms["gspmd"] = lowered()
        except Exception as error:  # of JAX: some programs have no such form
            forms["gspmd"] = f"// {error}"
    return forms
