"""Explanations: every name has a page, every example runs, every code can be looked up."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.analysis.explain import attributes, codes, concepts, types
from stablemate.analysis.explain.attribute_glossary import FIELDS, MEANINGS
from stablemate.analysis.explain.builder_methods import methods
from stablemate.analysis.explain.counterparts import opcodes_of
from stablemate.analysis.explain.examples import examples_of
from stablemate.analysis.explain.subjects import explanation_of
from stablemate.api.inspection.explain import array_text, results_of
from stablemate.diagnostics.codes import code_of
from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.definition import definition_of
from stablemate.numerics.elements import SIMPLE_ELEMENTS
from stablemate.xla.opcodes import OPCODES
from tests.ops.test_ops import invalid_cases
from tests.xla.test_verifier import WRONG

NAMES: Final = sorted(name for name in OPERATIONS if not name.startswith("vhlo."))
SOURCE: Final = Path(sm.__file__).parent


@pytest.mark.parametrize("name", NAMES)
def test_every_operation_has_a_page_with_an_example_that_runs(name: str) -> None:
    page = sm.explain(name)
    assert (page.kind, page.subject) == ("operation", name)
    assert page.summary.endswith((".", "|"))
    definition = definition_of(OPERATIONS[name])
    if definition.constraints:
        labels = [row.name for row in page.section("Rules").rows]
        assert labels == [constraint.label for constraint in definition.constraints]
    example = examples_of(name.partition(".")[0])[name]
    module = sm.load(example.text)
    assert name in {operation.name for operation in module.operation.walk()}
    assert page.section("Example").text == example.text
    count = len(module.entry().signature.results)
    assert len(results_of(example)) == count
    if count:
        assert len(page.section("Result").text.splitlines()) == count


def test_the_result_of_an_example_is_computed() -> None:
    """By hand: 1 + 5, 2 + 6, 3 + 7, 4 + 8."""
    page = sm.explain("stablehlo.add")
    assert "dense<[[1, 2], [3, 4]]>" in page.section("Example").text
    assert page.section("Result").text == "2x2xint32 = [[ 6 8] [10 12]]"
    assert array_text(np.array(1.5, np.float32)) == "float32 = 1.5"
    assert array_text(None) == "a token"


@pytest.mark.parametrize(
    "name",
    [name for name in NAMES if name.startswith(("stablehlo.", "chlo.")) and opcodes_of(name)],
)
def test_opcodes_are_what_the_translation_to_hlo_uses(name: str) -> None:
    example = examples_of(name.partition(".")[0])[name]
    try:
        tree = sm.load(example.text).to_hlo().tree
    except sm.UnsupportedError:
        assert "interpreter." in example.text  # processes are functions here, and none in HLO
        return
    by_key = {instruction.opcode for c in tree.computations for instruction in c.instructions}
    assert by_key & set(opcodes_of(name))


def test_methods_are_those_of_the_builder() -> None:
    for method, name in methods().items():
        assert callable(getattr(sm.XlaBuilder, method)), method
        assert name in OPERATIONS


@pytest.mark.parametrize("what", [*OPCODES, *methods()])
def test_every_opcode_and_every_method_has_a_page(what: str) -> None:
    # `concat` is a word of NumPy, too, and has a page as such.
    assert explanation_of(what).kind in ("operation", "opcode", "concept")


def test_every_attribute_has_a_sentence() -> None:
    names = {a for name in NAMES for a in definition_of(OPERATIONS[name]).attributes}
    assert names == set(MEANINGS)
    for name in names:
        assert attributes.field_page(name) is not None
    for name, cls in attributes.structs().items():
        assert {field.name for field in fields(cls)} == set(FIELDS[name])
        assert explanation_of(f"#{name}").kind == "attribute"


@pytest.mark.parametrize("what", [*SIMPLE_ELEMENTS, "tf32"])
def test_every_element_type_has_a_page(what: str) -> None:
    page = types.element_page(what)
    assert page is not None
    assert page.summary.endswith(".")


def test_limits_of_floats_are_those_of_the_formats() -> None:
    """From the names: the OCP 8-bit floating point specification, E4M3 reaches 448."""
    rows = {row.name: row.text for row in sm.explain("f8E4M3FN").section("Facts").rows}
    assert (rows["largest"], rows["infinity"], rows["NaN"]) == ("448", "no", "yes")
    rows = {row.name: row.text for row in sm.explain("f8E5M2").section("Facts").rows}
    assert (rows["largest"], rows["infinity"]) == ("57344", "yes")
    rows = {row.name: row.text for row in sm.explain("f4E2M1FN").section("Facts").rows}
    assert (rows["largest"], rows["infinity"], rows["NaN"]) == ("6", "no", "no")


@pytest.mark.parametrize(
    ("what", "kind", "subject"),
    [
        ("dot_general", "operation", "stablehlo.dot_general"),
        ("all-reduce", "operation", "stablehlo.all_reduce"),
        ("exp", "operation", "stablehlo.exponential"),
        ("concat_in_dim", "operation", "stablehlo.concatenate"),
        ("dot_general C12", "rule", "stablehlo.dot_general/C12"),
        ("stablehlo.concatenate/c4", "rule", "stablehlo.concatenate/C4"),
        ("quantized element type C10", "code", "quantized-element-type/C10"),
        ("parse", "code", "parse"),
        ("limits.nesting", "code", "limits.nesting"),
        ("precision_config", "attribute", "precision_config"),
        ("#stablehlo.gather", "attribute", "#stablehlo.gather"),
        ("#stablehlo.gather<offset_dims = [0]>", "attribute", "#stablehlo.gather"),
        ("#stablehlo<precision HIGH>", "attribute", "#stablehlo.precision"),
        ("!quant.uniform", "type", "!quant.uniform"),
        ("!quant.uniform<i8:f32, 0.5>", "type", "!quant.uniform"),
        ("bounded dimension", "type", "bounded dimension"),
        ("layout", "type", "layout"),
        ("tensor<2x3xf32>", "type", "tensor"),
        ("!stablehlo.token", "type", "token"),
        ("f32[8]{0}", "shape", "f32[8]{0}"),
        ("fusion", "opcode", "fusion"),
    ],
)
def test_what_can_be_asked_for(what: str, kind: str, subject: str) -> None:
    page = explanation_of(what)
    assert (page.kind, page.subject) == (kind, subject)


@pytest.mark.parametrize(
    ("what", "near"),
    [
        ("consine", "cosine"),
        ("dot_genral", "dot_general"),
        ("f8E4M3F", "f8E4M3FN"),
        ("precision_confg", "precision_config"),
        ("reduce_win", "reduce_window"),
    ],
)
def test_unknown_names_lead_to_near_ones(what: str, near: str) -> None:
    with pytest.raises(sm.ArgumentError) as error:
        sm.explain(what)
    assert near in str(error.value)


@pytest.mark.parametrize(
    "what", ["add C99", "stablehlo.add/C99", "add/nothing", "", "%%", "f32[2,"]
)
def test_what_has_no_page(what: str) -> None:
    with pytest.raises(sm.StablemateError):
        sm.explain(what)


# ---- codes


def declared_codes() -> Iterator[str]:
    """The codes of all labels that definitions declare."""
    for name in NAMES:
        definition = definition_of(OPERATIONS[name])
        labels = [constraint.label for constraint in definition.constraints]
        labels += [operand.label for operand in (*definition.operands, *definition.regions)]
        labels += [attribute.label for attribute in definition.attributes.values()]
        labels += [
            label for result in definition.results for label in (result.shape, result.element_type)
        ]
        for label in labels:
            yield code_of(f"{name} {label}".rstrip())


def emitted_codes() -> Iterator[str]:
    """The codes of what every wrong program of the tests is refused with."""
    for case in invalid_cases():
        try:
            loaded = sm.load(case.text).diagnostics()
        except sm.StablemateError as error:
            yield from error.codes
        else:
            yield from (code_of(diagnostic.rule, "verify") for diagnostic in loaded)
    yield from map(code_of, WRONG.values())


def written_codes() -> Iterator[str]:
    """The codes of all rules that stand in the source as they are."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            named = getattr(node.func, "id", getattr(node.func, "attr", ""))
            collected = [keyword.value for keyword in node.keywords if keyword.arg == "rule"]
            if named == "Diagnostic" and len(node.args) > 1:
                collected.append(node.args[1])
            for item in collected:
                if isinstance(item, ast.Constant) and isinstance(item.value, str) and item.value:
                    yield code_of(item.value)


@pytest.mark.standard
@pytest.mark.parametrize("source", [declared_codes, emitted_codes, written_codes])
def test_every_code_has_a_page(source: object) -> None:
    assert callable(source)
    members = set(source())
    assert len(members) > 5
    without = []
    for code in sorted(members):
        try:
            page = explanation_of(code)
        except sm.ArgumentError:
            without.append(code)
        else:
            assert page.summary
    assert without == []


def test_every_stage_has_a_page() -> None:
    import_module("stablemate.pjrt.status")  # has a class of its own
    stages = {cls.stage for cls in subclasses(sm.StablemateError)}
    assert stages <= set(codes.STAGES)


def subclasses(cls: type[sm.StablemateError]) -> Iterator[type[sm.StablemateError]]:
    """A class of errors and all below it."""
    yield cls
    for cl in cls.__subclasses__():
        yield from subclasses(cl)


def test_codes_of_errors() -> None:
    with pytest.raises(sm.VerifyError) as error:
        sm.load(Path("examples/bad.mlir")).verify()
    assert error.value.codes == ("stablehlo.concatenate/C4",)
    with pytest.raises(sm.ParseError) as parsed:
        sm.load("func.func @main(\n")
    assert parsed.value.codes == ("parse",)


def test_pages_for_machines_and_notebooks() -> None:
    page = sm.explain("stablehlo.slice")
    stored = json.loads(json.dumps(page.to_json()))
    assert (stored["schema"], stored["subject"]) == (1, "stablehlo.slice")
    html = page._repr_html_()
    assert "<h3>stablehlo.slice</h3>" in html
    assert "&lt;" in html
    assert max(len(line) for line in str(sm.explain("f8E4M3FN")).splitlines()) <= 100


def test_an_error_says_where_to_read_on() -> None:
    """As notes of the exception, which a traceback shows; the message stays as it was."""
    with pytest.raises(sm.VerifyError) as error:
        sm.load(Path("examples/bad.mlir")).verify()
    assert error.value.__notes__ == ['see: stablemate.explain("stablehlo.concatenate/C4")']
    assert "explain" not in str(error.value)
    assert not hasattr(sm.ArgumentError("not this"), "__notes__")


CONCEPT_NAMES: Final = sorted({name for names, *_ in concepts.rows() for name in names})


@pytest.mark.parametrize("name", CONCEPT_NAMES)
def test_every_name_of_a_concept_has_a_page(name: str) -> None:
    assert sm.explain(name).summary


def test_pages_of_concepts_lead_to_pages() -> None:
    for _, _, related in concepts.rows():
        for subject in related:
            assert sm.explain(subject).summary, subject


@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        ("matmul", "matmul"),
        ("torch.matmul", "matmul"),
        ("F.softmax", "softmax"),
        ("static single assignment", "SSA"),
        ("concat", "concat"),
        ("batch norm", "batchnorm"),
        ("broadcasting", "broadcasting"),
        ("np.concatenate", "stablehlo.concatenate"),
        ("add", "stablehlo.add"),
        ("all reduce", "stablehlo.all_reduce"),
        ("BroadcastInDim", "stablehlo.broadcast_in_dim"),
        ("dot product", "matmul"),
        ("broadcasting rules", "broadcasting"),
        ("shard", "sharding"),
        ("shape polymorphism", "dynamic shape"),
        ("donate_argnums", "aliasing"),
        ("causal mask", "where"),
        ("warning", "verifier"),
        ("elided", "elided"),
        ("unregistered dialect", "unregistered"),
        ("generic form", "generic form"),
        ("peak memory", "cost"),
    ],
)
def test_common_names_lead_to_their_page(asked: str, subject: str) -> None:
    assert sm.explain(asked).subject == subject
