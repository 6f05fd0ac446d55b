"""Artifacts: versions, what is made explicit, what is refused and how, what comes back."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    ParseError,
    StablemateError,
    UnsupportedError,
    VerifyError,
)
from stablemate.dialects.vhlo.conversion import NoCounterpart
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.dialects.vhlo.versions import NEWEST, REQUIREMENTS, Version
from stablemate.ir.kinds import EnumAttribute
from stablemate.ir.types import Attribute
from stablemate.transforms.vhlo.attribute_conversions import numbers_of
from stablemate.transforms.vhlo.revisions import CHANGES
from stablemate.transforms.vhlo.vhlo_legalize_to_stablehlo import (
    StablehloLegalization,
    legalize_to_stablehlo,
)

TAN: Final = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tan %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def in_function(operation: str, arguments: str = "%x: tensor<2xf32>") -> str:
    """A program of one operation whose results nobody takes."""
    return f"func.func @main({arguments}) {{\n  {operation}\n  return\n}}\n"


def vhlo(text: str, version: str = "newest", **options: bool) -> str:
    """The text of the artifact of a program."""
    return sm.load(sm.load(text).to_artifact(version, **options), upgrade=False).to_text()


def back(text: str, version: str = "newest", **options: bool) -> str:
    """The text of a program after it went through an artifact."""
    return sm.load(sm.load(text).to_artifact(version, **options)).to_text()


def refusal(text: str, version: str, **options: bool) -> str:
    """Why there is no artifact of a program."""
    with pytest.raises(UnsupportedError) as caught:
        sm.load(text).to_artifact(version, **options)
    return str(caught.value)


# ---- versions


def test_an_artifact_runs_and_says_who_wrote_it() -> None:
    module = sm.load(sm.load(TAN).to_artifact("1.9.0"))
    assert (module.format, module.artifact_version) == ("artifact", "1.9.0")
    assert module.producer == "StableHLO_v1.9.0"
    np.testing.assert_allclose(
        module.run(np.array([0.5, 1.0], np.float32)), np.tan([0.5, 1.0]), rtol=1e-6
    )


def test_text_has_no_version() -> None:
    module = sm.load(TAN)
    assert (module.artifact_version, module.producer) == (None, None)


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_the_age_of_readers_names_a_version(name: str) -> None:
    artifact = sm.load(TAN).to_artifact(name, expand=True)
    assert sm.load(artifact).artifact_version == str(REQUIREMENTS[name])


def test_a_patch_is_written_and_changes_nothing_else() -> None:
    patched, plain = (sm.load(TAN).to_artifact(name) for name in ("1.13.7", "1.13.0"))
    assert patched == plain.replace(b"StableHLO_v1.13.0", b"StableHLO_v1.13.7")


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("0.8.0", "artifacts begin with version 0.9.0"),
        ("1.21.0", "the newest version known here is 1.20.0; ask for that one, or install"),
        ("1.9", "expected a version such as 1.9.0, or 'newest', '4 weeks', '12 weeks', 'max'"),
    ],
)
def test_versions_that_cannot_be_written(version: str, message: str) -> None:
    with pytest.raises(ArgumentValueError, match=message):
        sm.load(TAN).to_artifact(version)


@pytest.mark.parametrize(
    ("program", "version"),
    [
        ("func.func @main() { return }", "0.9.0"),
        (TAN, "1.4.0"),
        (in_function("%0 = stablehlo.exponential %x : tensor<2xf32>"), "0.9.0"),
        ("func.func @main(%x: tensor<2xf8E8M0FNU>) { return }", "1.8.0"),
        ("func.func @main(%x: memref<2xf32>) { return }", "1.13.0"),
        ("func.func @main(%x: memref<2xmemref<2xf32>>) { return }", "1.13.0"),
        ("func.func @main(%x: tuple<tensor<i2>>) { return }", "1.2.0"),
        ('func.func @main() { return loc("f.py":1:2 to 1:5) }', "1.9.0"),
        (in_function("%0 = chlo.tan %x : tensor<2xf32> -> tensor<2xf32>"), "1.11.0"),
    ],
)
def test_minimum_version(program: str, version: str) -> None:
    module = sm.load(program)
    assert module.minimum_version() == version
    sm.load(module.to_artifact(version, mixed=version == "1.11.0"))


# ---- revisions


def test_revisions_follow_one_another() -> None:
    assert sum(map(len, REVISIONS.values())) == 145
    for name, classes in REVISIONS.items():
        numbers = [class_.revision.number for class_ in classes]
        assert numbers == list(range(1, len(classes) + 1)), name
        assert classes[-1].revision.until == NEWEST
        for older, newer in pairwise(classes):
            until, since = older.revision.until, newer.revision.since
            assert since in (Version(until.major, until.minor + 1, 0), Version(1, 0, 0)), name
    assert CHANGES.keys() == {name for name, classes in REVISIONS.items() if len(classes) > 1}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_says_how_the_declarations_differ(name: str) -> None:
    older, newer = (revision.definition for revision in REVISIONS[name])
    change = CHANGES[name]
    attributes = [set(item.attributes) for item in (older, newer)]  # type: ignore[attr-defined]
    assert attributes[1] - attributes[0] == set(change.added)
    assert attributes[0] - attributes[1] == set(change.dropped)


REFUSED: Final = {
    "stablehlo.exponential": (
        in_function(
            "%0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<ulps = 1, "
            "mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>"
        ),
        "1.8.0", "1.9.0", "result_accuracy: in the older form it is the default",
    ),
    "stablehlo.tan": (TAN, "1.3.0", "1.4.0", "the operation came with 1.4.0"),
    "stablehlo.custom_call": (
        in_function(
            '%0 = stablehlo.custom_call @f(%x) {api_version = 4 : i32, backend_config = {a = "b"}}'
            " : (tensor<2xf32>) -> tensor<2xf32>"
        ),
        "1.2.0", "1.3.0", "its backend_config is a dictionary",
    ),
    "stablehlo.reduce": (
        in_function(
            "%c = stablehlo.constant dense<0.0> : tensor<f32>\n"
            '%0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 0>}> ({\n'
            "^bb0(%a: tensor<f64>, %b: tensor<f64>):\n stablehlo.return %a : tensor<f64>\n}) "
            ": (tensor<2xf32>, tensor<f32>) -> tensor<f64>"
        ),
        "0.16.0", "0.17.0", "its results have another element type than its operands",
    ),
    "stablehlo.add": (
        in_function(
            "%0 = stablehlo.add %x, %x : tensor<2xf8E4M3>", "%x: tensor<2xf8E4M3>"
        ).replace("@main", "private @main"),
        "1.6.0", "1.7.0", "f8E4M3",
    ),
    "stablehlo.all_gather": (
        in_function(
            '%0:2 = "stablehlo.all_gather"(%x, %x) <{all_gather_dim = 0 : i64, '
            "replica_groups = dense<0> : tensor<1x1xi64>}> "
            ": (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)"
        ),
        "1.4.0", "1.5.0", "2 operands: the older form has one",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_version_cannot_say_is_refused(name: str) -> None:
    text, target, needed, reason = REFUSED[name]
    message = refusal(text, target)
    assert f"StableHLO {target} cannot express this; {needed} can: " in message
    assert reason in message
    assert f"note: write StableHLO {needed} or later" in message
    assert name == "stablehlo.add" or f"error: {name}: " in message
    sm.load(sm.load(text).to_artifact(needed))


def test_a_refusal_says_what_expanding_does() -> None:
    assert "note: expand=True writes it in operations that the target knows" in refusal(TAN, "max")
    assert "stablehlo.sine" in back(TAN, "max", expand=True)


@pytest.mark.parametrize("name", ["collective_broadcast", "custom_call", "send", "composite"])
def test_neutral_values_are_dropped_and_come_back(name: str) -> None:
    added = CHANGES[name].added
    texts = {
        "collective_broadcast": in_function(
            '%0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<0> : '
            "tensor<1x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>"
        ),
        "custom_call": in_function(
            "%0 = stablehlo.custom_call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>"
        ),
        "send": in_function(
            '%0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1,'
            " type = 2>, is_host_transfer = true}> : (tensor<2xf32>, !stablehlo.token) -> "
            "!stablehlo.token",
            "%x: tensor<2xf32>, %t: !stablehlo.token",
        ),
        "composite": in_function(
            '%0 = stablehlo.composite "a.b" %x {decomposition = @d} : (tensor<2xf32>) -> '
            "tensor<2xf32>"
        )
        + "func.func private @d(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  return %x : tensor<2xf32>\n}\n",
    }
    older, newest = vhlo(texts[name], "1.0.0"), vhlo(texts[name])
    assert f"vhlo.{name}_v1" in older
    assert f"vhlo.{name}_v2" in newest
    for attribute in added:
        assert f"{attribute} = " not in older
        assert f"{attribute} = " in newest
    assert back(texts[name], "1.0.0") == back(texts[name]) == sm.load(texts[name]).to_text()


# ---- newer than the oracle: 1.18.0 to 1.20.0, as the tables of VHLO have them

TENSOR: Final = "!vhlo.tensor_v1<2x!vhlo.f32_v1>"
GROUPS: Final = "#vhlo.tensor_v1<dense<[[0, 1]]> : tensor<1x2xi64>>"
NEWER: Final = {
    "1.18.0": (
        in_function(
            "%0 = stablehlo.custom_call @f(%x) {result_tilings = [[dense<[8, 128]> : "
            "tensor<2xindex>]]} : (tensor<2xf32>) -> tensor<2xf32>"
        ),
        f"""module {{
  vhlo.func_v1 @main(%arg0: {TENSOR}) -> () {{
    %0 = "vhlo.custom_call_v2"(%arg0) <{{api_version = #vhlo<api_version_v1 API_VERSION_ORIGINAL>, \
backend_config = #vhlo.string_v1<"">, call_target_name = #vhlo.string_v1<"f">, \
called_computations = #vhlo.array_v1<[]>, has_side_effect = #vhlo.bool_v1<false>, \
operand_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>, \
result_layouts = #vhlo.array_v1<[]>, result_tilings = #vhlo.array_v1<[#vhlo.array_v1<[\
#vhlo.tensor_v1<dense<[8, 128]> : tensor<2xindex>>]>]>}}> : ({TENSOR}) -> {TENSOR}
    "vhlo.return_v1"() : () -> ()
  }} {{arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, \
sym_visibility = #vhlo.string_v1<"">}}
}}
""",
    ),
    "1.19.0": (
        in_function(
            '%0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : '
            "tensor<1x2xi64>}> ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
            "    stablehlo.return %a : tensor<f32>\n  }) : (tensor<2xf32>) -> tensor<2xf32>"
        ),
        f"""module {{
  vhlo.func_v1 @main(%arg0: {TENSOR}) -> () {{
    %0 = "vhlo.collective_reduce_v1"(%arg0) <{{channel_id = #vhlo.integer_v1<0 : i64>, \
has_dynamic_root = #vhlo.bool_v1<false>, replica_groups = {GROUPS}, \
use_global_device_ids = #vhlo.bool_v1<false>}}> ({{
    ^bb0(%arg1: !vhlo.tensor_v1<!vhlo.f32_v1>, %arg2: !vhlo.tensor_v1<!vhlo.f32_v1>):
      "vhlo.return_v1"(%arg1) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> ()
    }}) : ({TENSOR}) -> {TENSOR}
    "vhlo.return_v1"() : () -> ()
  }} {{arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, \
sym_visibility = #vhlo.string_v1<"">}}
}}
""",
    ),
    "1.20.0": (
        in_function(
            '%0:2 = "stablehlo.collective_broadcast"(%x, %x) <{replica_groups = dense<[[0, 1]]> : '
            "tensor<1x2xi64>}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)"
        ),
        f"""module {{
  vhlo.func_v1 @main(%arg0: {TENSOR}) -> () {{
    %0:2 = "vhlo.collective_broadcast_v2"(%arg0, %arg0) <{{channel_id = #vhlo.integer_v1<0 : i64>, \
has_dynamic_root = #vhlo.bool_v1<false>, replica_groups = {GROUPS}}}> : ({TENSOR}, {TENSOR}) -> \
({TENSOR}, {TENSOR})
    "vhlo.return_v1"() : () -> ()
  }} {{arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, \
sym_visibility = #vhlo.string_v1<"">}}
}}
""",
    ),
}


@pytest.mark.parametrize("version", NEWER)
def test_what_the_newest_versions_add(version: str) -> None:
    text, written = NEWER[version]
    assert sm.load(text).minimum_version() == version
    assert vhlo(text, version) == written
    fixture = sm.load(written).to_bytecode(6, producer=f"StableHLO_v{version}")
    assert fixture == sm.load(text).to_artifact(version)
    assert sm.load(fixture).to_text() == sm.load(text).to_text()
    before = Version(1, int(version.split(".")[1]) - 1, 0)
    assert f"StableHLO {before} cannot express this; {version} can" in refusal(text, str(before))


# ---- attributes


def test_explicit_defaults_are_dropped() -> None:
    text = in_function(
        '%0 = "stablehlo.sort"(%x) <{dimension = -1 : i64, is_stable = false}> ({\n'
        "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
        "    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "    stablehlo.return %1 : tensor<i1>\n  }) : (tensor<2xf32>) -> tensor<2xf32>"
    )
    assert "dimension" not in back(text)
    assert "dimension = #vhlo.integer_v1<-1 : i64>, is_stable = #vhlo.bool_v1<false>" in vhlo(text)


def test_the_channel_type_of_a_collective_is_lost() -> None:
    text = in_function(
        '%0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<'
        "handle = 5, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> "
        ": (tensor<2xf32>) -> tensor<2xf32>"
    )
    assert "channel_handle<handle = 5, type = 0>" in back(text)


def test_lists_come_back_as_lists_where_the_operation_says_so() -> None:
    text = in_function(
        "%0 = stablehlo.transpose %x, dims = [0] {a.b = array<i64: 1>} "
        ": (tensor<2xf32>) -> tensor<2xf32>"
    )
    assert "dims = [0] {a.b = dense<1> : tensor<1xi64>}" in back(text)


@pytest.mark.parametrize(
    ("attribute", "reason"),
    [
        ("unit", "the attribute unit has no form in portable artifacts"),
        ('"a" : i32', 'the attribute "a" : i32 has no form'),
        ("@a::@b", "the attribute @a::@b has no form"),
        ("array<i32: 1>", "the attribute array<i32: 1> has no form"),
        ("1 : si32", "the type si32 has no form"),
        ("1 : i128", "the type i128 has no form"),
        ("[1 : i3]", "the type i3 has no form"),
        ("vector<2xf32>", "the type vector<2xf32> has no form"),
        ("#stablehlo.channel_handle<handle = 1, type = 1>", "channel_handle"),
        ('#sdy.sharding<@m, [{}]>', "#sdy.sharding"),
    ],
)  # fmt: skip
def test_attributes_without_a_form(attribute: str, reason: str) -> None:
    text = in_function(f"%0 = stablehlo.add %x, %x {{a.b = {attribute}}} : tensor<2xf32>")
    message = refusal(text, "newest")
    assert message.startswith("<text>:2:30: error: stablehlo.add: ")
    assert reason in message


def test_attributes_of_a_module_stay_as_they_are() -> None:
    text = "module @m attributes {a.b, c.d = 1 : si3, e.f = @x::@y} {\n  func.func @f() {\n    return\n  }\n}\n"  # noqa: E501
    assert back(text) == text


def test_constants_that_name_a_resource_are_embedded() -> None:
    text = (
        in_function("%0 = stablehlo.constant dense_resource<a> : tensor<2xi16>")
        + '{-#\n  dialect_resources: { builtin: { a: "0x0200000001000200" } }\n#-}\n'
    )
    assert "stablehlo.constant dense<[1, 2]> : tensor<2xi16>" in back(text)


# ---- other dialects

CHLO: Final = in_function("%0 = chlo.tan %x : tensor<2xf32> -> tensor<2xf32>")


def test_other_dialects_are_kept_when_asked_for() -> None:
    refusal_result = refusal(CHLO, "newest")
    assert (
        "note: the pass chlo-legalize-to-stablehlo makes operations of StableHLO of them"
        in refusal_result
    )
    assert "note: mixed=True keeps operations of other dialects" in refusal_result
    assert "builtin.unrealized_conversion_cast %arg0" in vhlo(CHLO, mixed=True)
    assert back(CHLO, mixed=True) == sm.load(CHLO).to_text()


SHARDED: Final = """sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
"""


@pytest.mark.parametrize("text", [CHLO, SHARDED], ids=["operation", "attribute"])
def test_old_readers_know_no_artifacts_of_several_dialects(text: str) -> None:
    """They are written for any version, as by the reference, but only newer readers know them."""
    assert back(text, mixed=True) == sm.load(text).to_text()
    assert sm.load(text).minimum_version() == "1.11.0"


def test_casts_of_the_program_itself_stay() -> None:
    text = in_function(
        "%0 = builtin.unrealized_conversion_cast %x : tensor<2xf32> to tensor<2xi32>"
    )
    assert back(text, mixed=True) == sm.load(text).to_text()


# ---- VHLO as a dialect


def test_vhlo_is_an_ordinary_program() -> None:
    raw = sm.load(sm.load(TAN).to_artifact("1.4.0"), upgrade=False)
    raw.verify()
    assert [operation.name for operation in raw.ir.operation.walk()] == [
        "builtin.module", "vhlo.func_v1", "vhlo.tan_v1", "vhlo.return_v1",
    ]  # fmt: skip
    assert not raw.difference(sm.load(raw.to_text()))
    assert not raw.difference(sm.load(raw.to_text(generic=True)))
    assert sm.load(raw.to_artifact("1.4.0")).to_text() == sm.load(TAN).to_text()


def test_vhlo_runs_as_stablehlo() -> None:
    text = sm.load(sm.load(TAN).to_artifact("1.4.0"), upgrade=False).to_text()
    with pytest.raises(ArgumentValueError, match=r"in VHLO: to_stablehlo\(\) gives one that runs"):
        sm.load(text).run(np.zeros(2, np.float32))
    assert sm.load(text).to_stablehlo().to_text() == sm.load(TAN).to_text()
    module = sm.load(TAN)
    assert module.to_stablehlo() is module


def test_members_of_vhlo_are_not_those_of_stablehlo() -> None:
    text = in_function(
        "%0 = stablehlo.compare LT, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>"
    )
    artifact = sm.load(text).to_artifact("newest")
    for upgrade, dialect in ((True, "stablehlo"), (False, "vhlo")):
        compare = list(sm.load(artifact, upgrade=upgrade).ir.operation.walk())[2]
        direction = compare.attributes["comparison_direction"]
        assert isinstance(direction, EnumAttribute)
        assert direction.dialect == dialect


# ---- bad input


def test_a_newer_artifact_says_what_to_do() -> None:
    artifact = sm.load(TAN).to_artifact("newest")
    renamed = artifact.replace(b"StableHLO_v1.20.0", b"StableHLO_v1.99.0")
    assert sm.load(renamed).artifact_version == "1.99.0"  # all its operations are known
    with pytest.raises(ParseError) as caught:
        sm.load(renamed.replace(b"tan_v2", b"tan_v3"))
    message = str(caught.value)
    assert "unknown operation 'vhlo.tan_v3'" in message
    assert "written for StableHLO 1.99.0, and the newest version known here is 1.20.0" in message
    assert "update stablemate" in message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('"vhlo.tan_v2"(%0)', "vhlo.tan_v2: expected the attribute result_accuracy"),
        (
            '"vhlo.tan_v2"(%0) <{result_accuracy = #vhlo.bool_v1<true>}>',
            "vhlo.tan_v2: result_accuracy is a result accuracy",
        ),
        ('"vhlo.tanh_v1"(%0, %0)', "vhlo.tanh_v1: expected the operands: operand"),
        (
            '"vhlo.fft_v1"(%0) <{fft_length = #vhlo.tensor_v1<dense<1> : tensor<i64>>, '
            "fft_type = #vhlo<fft_type_v1 FFT>}>",
            "is no 1-dimensional tensor of i64",
        ),
        (
            '"vhlo.tanh_v1"(%0) {a.b = #vhlo.mesh_v1<axes = #vhlo.bool_v1<true>>}',
            "#vhlo.bool_v1<true> does not fit where it stands",
        ),
    ],
)
def test_malformed_operations(change: str, message: str) -> None:
    one = "!vhlo.tensor_v1<2x!vhlo.f32_v1>"
    count = 2 if "%0, %0" in change else 1
    text = f"""
vhlo.func_v1 @main() -> () {{
  %0 = "vhlo.constant_v1"() <{{value = #vhlo.tensor_v1<dense<0.0> : tensor<2xf32>>}}> : () -> {one}
  %1 = {change} : ({", ".join([one] * count)}) -> {one}
  "vhlo.return_v1"() : () -> ()
}} {{arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, \
sym_visibility = #vhlo.string_v1<"">}}
"""
    with pytest.raises(StablemateError) as caught:
        legalize_to_stablehlo(sm.load(text).ir)
    assert message in str(caught.value)


def test_an_empty_list_of_numbers_may_have_any_type() -> None:
    def attribute(text: str) -> Attribute:
        held = f"func.func private @f() attributes {{k.v = #vhlo.tensor_v1<{text}>}}\n"
        *_, function = sm.load(held).ir.operation.walk()
        return function.discardable["k.v"]

    assert numbers_of(attribute("dense<> : tensor<0xi32>")) == ()
    for other in ("dense<1> : tensor<1xi32>", "dense<> : tensor<0x1xi64>"):
        with pytest.raises(NoCounterpart):
            numbers_of(attribute(other))


def test_mutated_artifacts_are_read_or_refused() -> None:
    """2,000 artifacts with one to four bytes changed, left out or put in."""
    draw = random.Random(20)
    texts = [text for text, *_ in REFUSED.values()] + [text for text, _ in NEWER.values()]
    artifacts = [sm.load(text).to_artifact("newest") for text in texts]
    outcomes: Counter[str] = Counter()
    for _ in range(2000):
        data = mutated(bytearray(draw.choice(artifacts)), draw)
        try:
            sm.load(data).to_text()
            sm.load(data, upgrade=False).to_text()
            outcomes["read"] += 1
        except StablemateError as error:
            outcomes[type(error).__name__] += 1
    assert outcomes["read"] > 50
    assert outcomes["ParseError"] > 500
    assert outcomes["VerifyError"] > 0


def mutated(data: bytearray, draw: random.Random) -> bytes:
    """The bytes with a few changes behind the magic number and the version."""
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        position = draw.randrange(5, len(data))
        match draw.randrange(4):
            case 0:
                data[position] = draw.randrange(256)
            case 1:
                data[position] ^= 1 << draw.randrange(8)
            case 2:
                del data[position : position + draw.randrange(1, 4)]
            case _:
                data[position:position] = bytes([draw.randrange(256)])
    return bytes(data)


def test_an_operand_that_is_defined_behind_its_use() -> None:
    raw = sm.load(sm.load(TAN).to_artifact("newest"), upgrade=False).ir
    operations = raw.body.operations[0].regions[0].block.operations
    operations.reverse()
    with pytest.raises(VerifyError, match=r"vhlo\.return_v1: every operand is defined before"):
        StablehloLegalization().module(raw)
