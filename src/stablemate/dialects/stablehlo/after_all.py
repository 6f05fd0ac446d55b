"""stablehlo.after_all and stablehlo.create_token: tokens from tokens, and from nothing."""

from __future__ import annotations

from stablemate.ir.definition import Op, define, op
from stablemate.ir.kinds import TOKEN_VALUE
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import TOKEN, TokenType


@op("stablehlo.after_all", family=Family.CONTROL, traits=Trait.FREE)
class AfterAll(Op):
    """Orders operations that depend on ``result`` after those that produce ``inputs``.

    Source: StableHLO specification, after_all.
    """

    __slots__ = ()
    inputs = define.variadic("I1", TOKEN_VALUE)
    result = define.result(TOKEN_VALUE)
    assembly = "$inputs attr-dict `:` custom<TokenTypes>"

    def infer(self) -> TokenType:
        """Returns ``!stablehlo.token``: a value that orders side effects."""
        return TOKEN

    def evaluate(self, *operands: object, **_: object) -> None:
        """A token, which has no contents."""
        return None


@op("stablehlo.create_token", family=Family.CONTROL, traits=Trait.FREE)
class CreateToken(Op):
    """Creates a token that depends on nothing: ``after_all()``.

    Source: StableHLO specification, "Deprecated Operations".
    """

    __slots__ = ()
    opcodes = ("after-all",)
    output = define.result(TOKEN_VALUE)
    assembly = "attr-dict `:` result-type"

    def infer(self) -> TokenType:
        """Returns ``!stablehlo.token``: a value that orders side effects."""
        return TOKEN

    def evaluate(self, *operands: object, **_: object) -> None:
        """A token, which has no contents."""
        return None
