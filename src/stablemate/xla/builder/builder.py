"""ModuleBuilder: all families of operations, and what operators on handles mean.

Source: XLA, operation semantics.
"""

from __future__ import annotations

from collections.abc import Callable

from stablemate.xla.builder.arguments import checking_arguments
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.operations.collectives import Collectives
from stablemate.xla.builder.operations.communication import Communication
from stablemate.xla.builder.operations.contraction import Contraction
from stablemate.xla.builder.operations.convolution import ConvolutionMethods
from stablemate.xla.builder.operations.custom_calls import CustomCalls
from stablemate.xla.builder.operations.dynamic_convolution import DynamicConvolution
from stablemate.xla.builder.operations.indexing import IndexingMethods
from stablemate.xla.builder.operations.linear_algebra import LinearAlgebra
from stablemate.xla.builder.operations.random import Random
from stablemate.xla.builder.operations.reductions import ReductionMethods


@checking_arguments
class ModuleBuilder(
    Random,
    IndexingMethods,
    ReductionMethods,
    LinearAlgebra,
    Contraction,
    ConvolutionMethods,
    DynamicConvolution,
    CustomCalls,
    Collectives,
    Communication,
):
    """A builder of HLO modules, operation by operation.

    ::

        b = ModuleBuilder("sum_of_squares")
        x = b.parameter(0, "f32[4]", "x")
        b.reduce(x * x, 0.0, lambda a, c: a + c, [0])
        module = b.tree()

    Methods take and give handles (``XlaOp``), whose shapes are inferred at once; what breaks a rule
    is refused at the call, with its line. A number or an array beside a handle is a constant. A
    computation is a module that was built, another builder, or a function of handles. Dimension
    numbers may be negative: -1 is the last one.
    """

    def operator(self, name: str, *operands: object) -> XlaOp:
        """Calls the method of an operator of Python; ``>>`` is that of the element type."""
        handle = next(operand for operand in operands if isinstance(operand, XlaOp))
        family = self.shape(handle).element_type.family
        if name == "div" and family not in ("float", "complex"):
            self.refuse("`/` of integers could mean several things: use div", "divide")
        if name == ">>":
            name = "shift_right_arithmetic" if family == "signed" else "shift_right_logical"
        method: Callable[..., XlaOp] = getattr(self, name)
        return method(*operands)
