"""The page of the compiler's stages: its links, and what people do with it in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, sync_playwright

import stablemate as sm
from stablemate.compiler.plan.kernel_functions import KernelFunctions
from stablemate.explorer.stages.links import (
    StageLine,
    asm_lines,
    kernels_by_function,
    linked_stages,
)
from stablemate.explorer.stages.page import LENGTH, MOST, stages_document, stages_page
from tests.explorer.test_browser import CHROMIUM, FLAGS

PROGRAMS = Path(__file__).parents[1] / "programs"
# The sums and the product are kernels of their own.
PROGRAM = """\
func.func @main(%x: tensor<32x16xf32>, %w: tensor<16x8xf32>) -> tensor<32x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %square = stablehlo.multiply %x, %x : tensor<32x16xf32>
  %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<32x16xf32>, tensor<f32>) -> tensor<32xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<32xf32>) -> tensor<32x16xf32>
  %y = stablehlo.divide %x, %sums : tensor<32x16xf32>
  %z = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0]
    : (tensor<32x16xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  return %z : tensor<32x8xf32>
}
"""


@pytest.fixture(scope="module")
def executable() -> sm.Executable:
    return sm.compile(sm.load(PROGRAM))


@pytest.fixture(scope="module")
def stages(executable: sm.Executable) -> dict[str, list[StageLine]]:
    return linked_stages(executable)


def line(stages: dict[str, list[StageLine]], stage: str, text: str) -> StageLine:
    """The line of a stage that contains a text."""
    (found,) = [line for line in stages[stage] if text in line.text]
    return found


def test_the_lines_are_those_of_emit(
    executable: sm.Executable, stages: dict[str, list[StageLine]]
) -> None:
    for stage, lines in stages.items():
        assert [line.text for line in lines] == executable.emit(stage).splitlines()


def test_operations_are_linked_to_the_kernels_that_compute_them(
    stages: dict[str, list[StageLine]],
) -> None:
    (norm,) = line(stages, "module", "stablehlo.reduce").kernels
    products = line(stages, "module", "stablehlo.dot_general").kernels
    assert products  # those that pack an operand, too
    assert norm not in products
    assert line(stages, "module", "stablehlo.multiply").kernels == [norm]  # fused
    # The quotients are computed once, or with the product that reads them.
    assert set(line(stages, "module", "stablehlo.divide").kernels) <= {norm, *products}
    assert line(stages, "plan", f"launch {norm}(").kernels == [norm]
    for product in products:
        assert line(stages, "plan", f"launch {product}(").kernels == [product]
    assert line(stages, "module", "func.func").kernels == []
    assert line(stages, "module", "return").kernels == []


def test_a_line_of_fusion_is_about_the_operation_of_a_line_of_the_module(
    stages: dict[str, list[StageLine]],
) -> None:
    for name in ("multiply", "divide", "dot_general", "broadcast_in_dim"):
        fusion = line(stages, "fusion", f"stablehlo.{name}(")
        module = line(stages, "module", f"stablehlo.{name} ")
        assert fusion.operations == module.operations
        assert len(fusion.operations) == 1
        assert fusion.kernels == module.kernels


@pytest.mark.parametrize(
    ("stage", "head"), [("nest", "{name}(argument"), ("llvm", "@{name}("), ("asm", "{name}:")]
)
def test_sections_belong_to_their_kernels(
    stages: dict[str, list[StageLine]], stage: str, head: str
) -> None:
    names = {name for line in stages["plan"] for name in line.kernels}
    assert len(names) >= 2
    for name in names:
        begin = head.format(name=name)
        (found,) = [
            line
            for line in stages[stage]
            if begin in line.text and (stage != "llvm" or line.text.startswith("define"))
        ]
        assert found.kernels == [name]
        assert sum(line.kernels == [name] for line in stages[stage]) > 5


def test_lines_of_a_statement_are_linked(stages: dict[str, list[StageLine]]) -> None:
    divisions = [item for item in stages["nest"] if "fdiv" in item.text]
    (quotient,) = {number for item in divisions for number in item.statements}
    for stage, text in (("llvm", "= fdiv "), ("asm", "div")):
        lines = [item for item in stages[stage] if text in item.text]
        assert lines
        assert all(quotient in item.statements for item in lines)
    sums = [item for item in stages["nest"] if re.search("fold |combine ", item.text)]
    numbers = {number for item in sums for number in item.statements}
    added = [item for item in stages["llvm"] if "fmuladd" in item.text or " fadd " in item.text]
    assert added
    assert all(numbers.intersection(item.statements) for item in added)


@pytest.mark.parametrize("name", ["fft", "lstm", "resnet50", "sort"])
def test_most_instructions_belong_to_a_statement(name: str) -> None:
    stages = linked_stages(sm.compile(sm.load(PROGRAMS / f"{name}.mlir")))
    statements = {number for item in stages["nest"] for number in item.statements}
    for stage in ("llvm", "asm"):
        instructions = [item for item in stages[stage] if re.match(r"(  |\t)[a-z%]", item.text)]
        linked = [item for item in instructions if item.statements]
        assert len(linked) > 0.55 * len(instructions)
        assert all(statements.intersection(item.statements) for item in linked)


def test_a_function_that_several_kernels_call_belongs_to_all_of_them() -> None:
    names = {"k1": "k1", "k3": "k1", "k2": "k2"}  # k3 is structurally equal to k1
    functions = KernelFunctions({}, names, {}, {"k1": ["common0"], "k2": ["common0"]})
    kernels = kernels_by_function(functions)
    assert kernels["k1"] == ["k1", "k3"]
    assert sorted(kernels["common0"]) == ["k1", "k2", "k3"]
    asm = ["k1:", "\tret", ".Lfunc_end0:", "\t.p2align 4", "k2_0:", "\tret", "common0:"]
    expected = [["k1", "k3"]] * 3 + [()] + [["k2"]] * 2 + [["k1", "k3", "k2"]]
    assert [item.kernels for item in asm_lines("\n".join(asm), kernels)] == expected


def test_operations_in_loops_are_linked() -> None:
    text = """
    func.func @main(%x: tensor<64xf32>, %n: tensor<i32>) -> tensor<64xf32> {
      %i = stablehlo.constant dense<0> : tensor<i32>
      %r:2 = stablehlo.while(%a = %x, %k = %i) : tensor<64xf32>, tensor<i32>
      cond {
        %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %k, %one : tensor<i32>
        %b = stablehlo.cosine %a : tensor<64xf32>
        stablehlo.return %b, %next : tensor<64xf32>, tensor<i32>
      }
      return %r#0 : tensor<64xf32>
    }
    """
    stages = linked_stages(sm.compile(sm.load(text)))
    (kernel,) = line(stages, "module", "stablehlo.cosine").kernels
    assert line(stages, "fusion", "stablehlo.cosine").kernels == [kernel]
    assert any(line.kernels == [kernel] for line in stages["asm"])


def test_what_the_compiler_expands_is_linked_to_its_operation() -> None:
    text = """
    func.func @main(%x: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
      %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
        : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
      return %y : tensor<4x4xcomplex<f32>>
    }
    """
    stages = linked_stages(sm.compile(sm.load(text)))
    product = line(stages, "module", "stablehlo.dot_general")
    reals = [line for line in stages["fusion"] if "stablehlo.dot_general" in line.text]
    assert len(reals) > 1  # the product of real parts is one of them
    assert {tuple(line.operations) for line in reals} == {tuple(product.operations)}
    launched = {name for line in stages["plan"] for name in line.kernels}
    assert set(product.kernels) == launched


def test_hlo_has_stages_and_open_sizes_have_none() -> None:
    hlo = "HloModule m\nENTRY e {\n x = f32[8] parameter(0)\n ROOT y = f32[8] add(x, x)\n}"
    assert line(linked_stages(sm.compile(sm.load(hlo))), "module", "stablehlo.add").kernels
    with pytest.raises(sm.UnsupportedError):
        linked_stages(sm.compile(sm.load(PROGRAM), backend="interpreter"))
    dynamic = sm.load(
        "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> "
        "{ %0 = stablehlo.add %x, %x : tensor<?xf32>\n return %0 : tensor<?xf32> }"
    )
    with pytest.raises(sm.UnsupportedError, match="only a program of static shapes has stages"):
        linked_stages(sm.compile(dynamic))


def test_long_texts_are_cut_and_nothing_steers_the_page() -> None:
    plan = [StageLine("  0  launch k</script><b>(s0)", ["k</script><b>"])]
    lines = [StageLine("x" * (LENGTH + 1)), StageLine("a\u202eb\tc"), *[StageLine("")] * MOST]
    document = stages_document({"plan": plan, "asm": lines}, "t\u202e")
    asm = document["stages"][1]
    assert asm["hidden"] == 2
    assert len(asm["lines"]) == MOST
    assert asm["lines"][0][0] == "x" * LENGTH + " … 401 characters"
    assert asm["lines"][1][0] == "a⟨U+202E⟩b c"
    assert "\u202e" not in document["title"]


@pytest.fixture
def page(executable: sm.Executable, tmp_path: Path) -> Iterator[Page]:
    """The page in a browser without network; whatever it complains of fails the test."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    path = tmp_path / "stages.html"
    path.write_text(stages_page(executable, "p</title><script>.mlir"), "utf-8")
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        page = browser.new_page(
            viewport={"width": 1900, "height": 700}, color_scheme="light", offline=True
        )
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        yield page
        browser.close()
    assert complaints == []


@pytest.mark.standard
def test_people_follow_a_line_through_the_stages(page: Page) -> None:
    assert page.title() == "p</title><script>.mlir · stages · stablemate"
    kernels: list[str] = page.evaluate("stablemateStages.kernels")
    assert page.locator("#summary").inner_text() == f"{len(kernels)} kernels"
    assert page.locator("#kernels button").all_inner_texts() == kernels
    titles = page.locator(".pane h2").all_inner_texts()
    assert titles == ["Module", "Fusion", "Loop nests", "Plan", "LLVM IR", "Assembly"]

    module = page.locator("#stage-module .line")
    module.filter(has_text="stablehlo.dot_general").hover()
    same = page.locator(".line.same").all_inner_texts()
    assert len(same) == 2
    assert all("dot_general" in text for text in same)
    related = page.locator("#stage-plan .line.related").all_inner_texts()
    assert len(related) == len(kernels) - 1
    assert all("launch" in text for text in related)

    # A click keeps the line, and shows its code, which is not what each pane begins with.
    positions = (
        "['fusion', 'nest', 'plan', 'llvm', 'asm'].map("
        "stage => document.querySelector(`#stage-${stage} .lines`).scrollTop)"
    )
    assert not any(page.evaluate(positions))
    module.filter(has_text="stablehlo.dot_general").click()
    assert any(page.evaluate(positions))
    module.filter(has_text="stablehlo.multiply").hover()
    assert page.locator(".line.same").all_inner_texts() == same
    page.keyboard.press("Escape")
    assert page.locator(".line.same").count() == 0

    page.locator("#kernels button").first.click()
    assert page.locator("#stage-module .line.related").count() >= 2
    page.locator("#shown button", has_text="LLVM IR").click()
    assert page.locator("#stage-llvm").is_hidden()
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_program_computes_what_it_should(executable: sm.Executable) -> None:
    x = np.arange(1, 513, dtype=np.float32).reshape(32, 16)
    w = np.ones((16, 8), np.float32)
    expected = (x / (x * x).sum(1, keepdims=True)) @ w
    np.testing.assert_allclose(executable(x, w), expected, rtol=1e-5)
