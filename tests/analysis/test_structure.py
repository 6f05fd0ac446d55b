"""Programs by structure: fingerprints and differences."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

import stablemate as sm

PROGRAMS: Final = Path(__file__).parents[1] / "programs"
FILES: Final = sorted(PROGRAMS.glob("*.mlir"))
# Of programs that do not change; a test that fails here breaks what users have recorded.
RECORDED: Final = json.loads((Path(__file__).parent / "fingerprints.json").read_text())
SMALL: Final = [path for path in FILES if path.stat().st_size < 60_000]


def renamed(text: str) -> str:
    """A program with other names of values and of private functions."""
    text = re.sub(r"%([A-Za-z_]\w*|\d+)", r"%v\1", text)
    private = dict.fromkeys(re.findall(r"func\.func private @([\w.$-]+)", text))
    for number, name in enumerate(private):
        text = re.sub(rf"@{re.escape(name)}(?![\w.$-])", f"@renamed_{number}", text)
    return text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_one_fingerprint_in_every_format_and_under_every_name(path: Path) -> None:
    module = sm.load(path)
    text = str(sm.fingerprint(module))
    assert re.fullmatch(r"[0-9a-f]{32}", text)
    forms: list[str | bytes] = [
        module.to_text(generic=True),
        module.to_text(debug_info=True),
        module.to_bytecode(),
        module.to_artifact("1.13.0", mixed=True),
        module.to_artifact("newest", mixed=True),
        renamed(path.read_text()),
    ]
    assert {str(sm.fingerprint(form)) for form in forms} == {text}
    assert not sm.diff(module, forms[-1])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_fingerprints_of_every_version_of_stablemate_are_the_same(path: Path) -> None:
    assert sm.fingerprint(path).program == RECORDED["stablehlo"][path.stem]
    assert sm.fingerprint(path, ignore=["constants"]).program == RECORDED["structure"][path.stem]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_hlo_has_one_fingerprint_as_text_and_as_a_protocol_buffer(path: Path) -> None:
    module = sm.load(path).to_hlo()
    fingerprint_result = sm.fingerprint(module)
    assert fingerprint_result.program == RECORDED["hlo"][path.stem]
    again = sm.load(module.to_text(debug_info=False))
    assert str(sm.fingerprint(again)) == str(fingerprint_result)
    if module.tree.num_partitions == module.tree.replica_count == 1:  # a proto has no field
        assert str(sm.fingerprint(sm.load(module.to_proto()))) == str(fingerprint_result)
    names = re.sub(r"%([\w.-]+)", r"%x_\1", module.to_text())
    assert str(sm.fingerprint(names)) == str(fingerprint_result)
    assert not sm.diff(module, names)


def test_fingerprints_tell_programs_apart() -> None:
    texts = {path.read_text().replace(f"@jit_{path.stem} ", "") for path in FILES}
    assert len({str(sm.fingerprint(text)) for text in texts}) == len(texts)


CHANGEABLE: Final = re.compile(r"= stablehlo\.(add|multiply|maximum|divide) ")
BASE: Final = """\
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.multiply %0, %c : tensor<4xf32>
  %2 = "stablehlo.if"(%p) ({
    %4 = stablehlo.negate %1 : tensor<4xf32>
    stablehlo.return %4 : tensor<4xf32>
  }, {
    %5 = stablehlo.abs %1 : tensor<4xf32>
    stablehlo.return %5 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %6 = func.call @f(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = stablehlo.concatenate %6, %b, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %8 = stablehlo.slice %7 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}
"""
# What is replaced, by what, and what the difference says: kinds with lines of both sides, details.
CHANGES: Final = {
    "an operation": (
        "stablehlo.add %a, %b", "stablehlo.subtract %a, %b",
        [("changed", 7, 7)], ["operation: stablehlo.add -> stablehlo.subtract"],
    ),
    "operands": (
        "stablehlo.add %a, %b", "stablehlo.add %b, %a",
        [("changed", 7, 7)],
        ["operand 0: argument 0 -> argument 1", "operand 1: argument 1 -> argument 0"],
    ),
    "a constant": (
        "dense<2.0>", "dense<3.0>", [("changed", 6, 6)],
        ["value: dense<2.000000e+00> : tensor<4xf32> -> dense<3.000000e+00> : tensor<4xf32>"],
    ),
    "an attribute": (
        "[0:4]", "[4:8]", [("changed", 18, 18)],
        ["start_indices: array<i64: 0> -> array<i64: 4>",
         "limit_indices: array<i64: 4> -> array<i64: 8>"],
    ),
    "a discardable attribute": (
        "%x : tensor<4xf32>", "%x {my.note = 1 : i32} : tensor<4xf32>",
        [("changed", 2, 2)], ["my.note: (none) -> 1 : i32"],
    ),
    "inside a region": (
        "stablehlo.abs %1", "stablehlo.cosine %1", [("changed", 13, 13)],
        ["operation: stablehlo.abs -> stablehlo.cosine"],
    ),
    "insertion": (
        "  %1 = stablehlo.multiply %0, %c",
        "  %n = stablehlo.exponential %0 : tensor<4xf32>\n  %1 = stablehlo.multiply %n, %c",
        [("inserted", None, 8), ("changed", 8, 9)],
        ["operand 0: stablehlo.add in line 7 -> stablehlo.exponential in line 8"],
    ),
    "removal": (
        "  %6 = func.call @f(%2) : (tensor<4xf32>) -> tensor<4xf32>\n", "  %6 = func.call @f(%1)"
        " : (tensor<4xf32>) -> tensor<4xf32>\n",
        [("changed", 16, 16)],
        ["operand 0: stablehlo.if in line 9 -> stablehlo.multiply in line 8"],
    ),
    "another order": (
        "  %c = stablehlo.constant dense<2.0> : tensor<4xf32>\n"
        "  %0 = stablehlo.add %a, %b : tensor<4xf32>\n",
        "  %0 = stablehlo.add %a, %b : tensor<4xf32>\n"
        "  %c = stablehlo.constant dense<2.0> : tensor<4xf32>\n",
        [("moved", 6, 7)], [],
    ),
}  # fmt: skip


def differences_of(diff: sm.Diff) -> tuple[list[tuple[str, int | None, int | None]], list[str]]:
    """Kinds and lines of all changes, and their details."""
    changes = [change for function in diff.functions for change in function.changes]
    return (
        [(c.kind, c.a.line if c.a else None, c.b.line if c.b else None) for c in changes],
        [str(detail) for change in changes for detail in change.details],
    )


@pytest.mark.parametrize("what", CHANGES)
def test_one_change_is_one_difference(what: str) -> None:
    old, new, changes, details = CHANGES[what]
    other = BASE.replace(old, new)
    assert other != BASE
    assert differences_of(sm.diff(BASE, other)) == (changes, details)
    assert str(sm.fingerprint(BASE)) != str(sm.fingerprint(other))
    # The way back has the same places on the other side.
    assert len(differences_of(sm.diff(other, BASE))[0]) == len(changes)


def test_a_function_under_another_name_is_no_difference() -> None:
    assert not sm.diff(BASE, BASE.replace("@f(", "@g("))
    changed = BASE.replace("@f(", "@g(").replace("sine", "cosine")
    diff = sm.diff(BASE, changed)
    assert [(function.a.name, function.b.name) for function in diff.functions] == [("f", "g")]
    assert differences_of(diff)[0] == [("changed", 2, 2)]


def test_functions_that_change_their_names_with_one_another() -> None:
    two = BASE + BASE[: BASE.index("func.func @main")].replace("@f", "@g").replace("sine", "tanh")
    swapped = two.replace("@f(", "@h(").replace("@g(", "@f(").replace("@h(", "@g(")
    assert not sm.diff(two, swapped)


def test_functions_that_only_one_program_has() -> None:
    more = BASE + (
        "func.func private @other(%x: tensor<2xi32>) -> tensor<2xi32> {\n"
        "  return %x : tensor<2xi32>\n}\n"
    )
    assert [entry.name for entry in sm.diff(BASE, more).inserted] == ["other"]
    diff = sm.diff(more, BASE)
    assert [entry.name for entry in diff.removed] == ["other"]
    assert str(diff).endswith("\n1 function removed\n- other (line 21)")


def test_types_of_results_and_arguments() -> None:
    wider = BASE.replace("4xf32", "4xf64").replace("8xf32", "8xf64")
    details = sm.diff(BASE, wider).functions[0].details
    assert "type of argument 0: tensor<4xf32> -> tensor<4xf64>" in map(str, details)


def test_equal_operations_are_paired_one_by_one() -> None:
    """Of 1,000 equal operations in a chain, one more is one insertion."""
    lines = [f"  %{i + 1} = stablehlo.add %{i}, %0 : tensor<f32>" for i in range(1000)]

    def program(count: int) -> str:
        body = "\n".join(lines[:count])
        return (
            "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
            f"  %0 = stablehlo.negate %x : tensor<f32>\n{body}\n"
            f"  return %{count} : tensor<f32>\n}}\n"
        )

    kinds, details = differences_of(sm.diff(program(999), program(1000)))
    assert kinds == [("inserted", None, 1002), ("changed", 1002, 1003)]
    assert details == ["operand 0: stablehlo.add in line 1001 -> stablehlo.add in line 1002"]


def test_draws_are_not_each_other() -> None:
    """Two operations with effects are two, though they say the same."""
    text = """\
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %s = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  %1 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
"""  # noqa: E501
    assert differences_of(sm.diff(text, text.replace("return %0, %1", "return %1, %0")))[0] == [
        ("changed", 5, 5)
    ]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_a_changed_operation_of_a_real_program_is_the_only_one(path: Path) -> None:
    lines = sm.load(path).to_text().splitlines()
    places = [i for i, line in enumerate(lines) if CHANGEABLE.search(line)]
    for place in {places[i] for i in (0, len(places) // 2, -1) if places}:
        changed = lines.copy()
        changed[place] = CHANGEABLE.sub("= stablehlo.power ", lines[place])
        diff = sm.diff("\n".join(lines), "\n".join(changed))
        assert differences_of(diff)[0] == [("changed", place + 1, place + 1)]


def test_hlo_with_hlo_and_with_stablehlo() -> None:
    a, b = (sm.load(text).to_hlo() for text in (BASE, BASE.replace("sine", "cosine")))
    texts = [sm.load(operand.to_text()) for operand in (a, b)]
    diff = sm.diff(*texts)
    kinds, details = differences_of(diff)
    assert [kind for kind, _, _ in kinds] == ["changed"]
    assert details == ["operation: sine -> cosine"]
    assert not sm.diff(texts[0], texts[0].to_stablehlo())
    assert sm.diff(texts[1], texts[0].to_stablehlo())


def test_what_a_difference_is_for_machines_and_notebooks() -> None:
    old, new, _, _ = CHANGES["an operation"]
    diff = sm.diff(BASE, BASE.replace(old, new))
    stored = json.loads(json.dumps(diff.to_json()))
    assert (stored["schema"], stored["equal"]) == (1, False)
    (change,) = stored["functions"][0]["changes"]
    assert (change["kind"], change["a"]["line"], change["b"]["line"]) == ("changed", 7, 7)
    assert "stablehlo.subtract" in diff._repr_html_()
    assert str(sm.diff(BASE, BASE)) == "the programs are equal"
    assert "<code>" in sm.fingerprint(BASE)._repr_html_()


def test_what_does_not_count() -> None:
    old, new, _, _ = CHANGES["a constant"]
    other = BASE.replace(old, new)
    ignore = {"ignore": ["constants"]}
    assert str(sm.fingerprint(BASE, **ignore)) == str(sm.fingerprint(other, **ignore))
    assert str(sm.fingerprint(BASE, **ignore)) != str(sm.fingerprint(BASE))
    with pytest.raises(sm.ArgumentError, match="'types' cannot be ignored; constants can"):
        sm.fingerprint(BASE, ignore=["types"])


def test_a_literal_is_what_it_holds() -> None:
    """In a resource section, listed, or as one number: equal elements are equal."""
    texts = [
        f"func.func @main() -> tensor<3xi8> {{\n"
        f"  %0 = stablehlo.constant {literal} : tensor<3xi8>\n"
        f"  return %0 : tensor<3xi8>\n}}\n{tail}"
        for literal, tail in (
            ("dense<7>", ""),
            ("dense<[7, 7, 7]>", ""),
            (
                "dense_resource<r>",
                '{-#\n  dialect_resources: {builtin: {r: "0x01000000070707"}}\n#-}'),
        )
    ]  # fmt: skip
    assert len({str(sm.fingerprint(text)) for text in texts}) == 1


def test_functions_that_call_themselves() -> None:
    text = """\
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @main(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    assert str(sm.fingerprint(text)) == str(sm.fingerprint(text.replace("main", "f")))
    assert not sm.diff(text, text.replace("main", "f"))
