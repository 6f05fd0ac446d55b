"""Functions whose text is what it was are taken over as one piece, and only those."""

from __future__ import annotations

from typing import Any, Final

import pytest

pytest.importorskip("pygls")

from stablemate.lsp.programs.mlir_program import MlirProgram

FUNCTION: Final = """\
func.func @{name}(%x: !t) -> !t {{
  %0 = stablehlo.abs %x : !t loc(#a)
  %1 = stablehlo.tanh %0 : !t
  return %1 : !t
}}
"""
ALIASES: Final = '!t = tensor<2xf32>\n#a = loc("here")\n'
TEXT: Final = ALIASES + "".join(FUNCTION.format(name=name) for name in "fgh")


def functions(program: MlirProgram) -> dict[str, Any]:
    """The functions of a text, by name."""
    assert program.top is not None
    operations: Any = program.top.regions[0].block.operations
    return {operation.symbol: operation for operation in operations}


def kept(before: str, after: str) -> list[str]:
    """The functions of a text that are the same objects after an edit."""
    program = MlirProgram(before)
    old = functions(program)
    program.update(after)
    assert not list(program.diagnostics())
    return [name for name, one in functions(program).items() if old.get(name) is one]


@pytest.mark.parametrize(
    ("after", "names"),
    [
        (TEXT + "// the end\n", ["f", "g", "h"]),
        (TEXT.replace("\nfunc.func @g", "\n// g\nfunc.func @g"), ["f", "g", "h"]),
        (TEXT.replace("@g(%x: !t) -> !t {\n", "@g(%x: !t) -> !t {\n\n"), ["f", "h"]),
        (TEXT.replace("tensor<2xf32>", "tensor<3xf32>"), []),
        (TEXT.replace('"here"', '"there"'), []),
        (ALIASES + FUNCTION.format(name="h") + FUNCTION.format(name="f"), ["h", "f"]),
    ],
)
def test_functions_that_are_unchanged_are_the_same(after: str, names: list[str]) -> None:
    assert kept(TEXT, after) == names


def test_functions_are_taken_over_into_a_module() -> None:
    program = MlirProgram(TEXT)
    old = functions(program)
    program.update(f"{ALIASES}module {{\n{TEXT.removeprefix(ALIASES)}}}\n")
    assert functions(program) == old


def test_places_follow_the_function() -> None:
    wrong = TEXT.replace("@h(%x: !t) -> !t", "@h(%x: !t) -> tensor<4xf32>")
    program = MlirProgram(wrong)
    (before,) = program.diagnostics()
    program.update(f"// more\n{wrong}")
    (after,) = program.diagnostics()
    assert before.span is not None
    assert after.span is not None
    assert after.span.source.text == f"// more\n{wrong}"
    assert after.span.start == before.span.start + len("// more\n")
    assert after.span.text == before.span.text


def test_a_function_whose_statements_went_to_another_one_is_read_again() -> None:
    """The statements of a function that is renamed serve the new one; undone, they come back."""
    program = MlirProgram(TEXT)
    renamed = TEXT.replace("@g", "@other")
    for text in (renamed, TEXT, renamed, TEXT):
        program.update(text)
        assert not list(program.diagnostics())
        for function in functions(program).values():
            block = function.regions[0].block
            assert [one.parent for one in block.operations] == [block] * 3
            assert block.operations[0].operands == tuple(block.arguments)
