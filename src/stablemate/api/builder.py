"""XlaBuilder: programs operation by operation, built as modules that run."""

from __future__ import annotations

from typing import Any

from stablemate.api.module import HloModule
from stablemate.execution.custom_calls import registry
from stablemate.xla import module as xla
from stablemate.xla.builder import builder
from stablemate.xla.builder.handle import XlaOp


class XlaBuilder(builder.ModuleBuilder):
    """Builds HLO, one operation a call, as XLA's operation semantics describes them.

    Every operation is a method; it takes handles and gives one. Shapes are inferred at once: what
    breaks a rule is an error at the line of the call. Beside a handle a number is a constant of its
    element type; a function of handles can stand where a computation is called for.

    ::

        b = XlaBuilder("axpy")
        x = b.parameter(0, Shape("f32[8]"), "x")
        h = b.build(2 * x + x)

    Source: XLA, operation semantics.
    """

    def build(self, root: XlaOp | None = None) -> HloModule:
        """The module of all operations so far; the last one is the root unless one is given.

        Raises:
            VerifyError: There is no operation, or the numbers of parameters have gaps.
        """
        return HloModule(self.tree(root), "builder")

    def custom_call(
        self, target_name: str, *arguments: Any, function: object = None, **named: Any
    ) -> XlaOp:
        """A call of a function of another library, as ``custom_call(target_name, args, shape)``.

        Args:
            target_name: The name of the function.
            *arguments: Operands, the shape of the result, and what else XLA's builder takes.
            function: What the name stands for when the module runs here, as for
                ``stablemate.custom_call``: a native function, ``void f(void* out, void** in)``, as
                a function or pointer of ctypes or ``(library, symbol)``; or a function of Python.
            **named: The same by name.

        Raises:
            VerifyError: The call breaks a rule.
            ArgumentError: The function is none.
        """
        if function is not None:
            registry.custom_call(target_name, function)
        return super().custom_call(target_name, *arguments, **named)

    def module_of(self, what: object) -> xla.HloModule | None:
        """The module of an object that has one; None for functions."""
        return what.tree if isinstance(what, HloModule) else super().module_of(what)
