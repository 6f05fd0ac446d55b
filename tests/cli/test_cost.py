"""``stablemate cost``: tables, JSON, what is no network."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import stablemate as sm
from tests.cli.terminal import in_terminal

Invoke = Callable[..., Result]
REDUCE = """
func.func @main(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}
    : (tensor<256xf32>) -> tensor<256xf32>
  return %0 : tensor<256xf32>
}
"""
PLANNED = ("--grid=4x1", "--network=10us:1GB/s", "--machine=100:10")


@pytest.fixture
def reduce(program: Callable[[str], Path]) -> Path:
    return program(REDUCE)


def test_the_whole_text(add: Path, stablemate: Invoke) -> None:
    done = stablemate("cost", add, "--machine=0.001:0.001")
    assert done.exit_code == 0, done.output
    # 6 additions at 1 MFLOP/s; 72 bytes at 1 MB/s
    assert (
        done.stdout
        == """a call of each function
FLOP  transcendental  read and written  function
   6               0          72 bytes  main

operations of main, 1 of 1
at least  count  FLOP  transcendental  read and written  operation        result
   72 us      1     6               0          72 bytes  stablehlo.add:2  tensor<2x3xf32>

peak memory, operation by operation: 72 bytes, at stablehlo.add:2
   bytes  name   type             made by
24 bytes  %arg0  tensor<2x3xf32>  argument
24 bytes  %arg1  tensor<2x3xf32>  argument
24 bytes  %0     tensor<2x3xf32>  stablehlo.add:2

peak memory of the compiled program: 72 bytes, at stablehlo.add:2
   bytes  name      type             made by
24 bytes  %arg0     tensor<2x3xf32>  argument
24 bytes  %arg1     tensor<2x3xf32>  argument
24 bytes  result 0  tensor<2x3xf32>  result
in it an arena of 0 bytes

a call of main takes 72 us
72 us computing
with 0.001 GFLOP/s and 0.001 GB/s for each process, without fusion
arithmetic alone takes 6 us; fused operations move fewer bytes
"""
    )


def test_collectives_have_a_table(reduce: Path, stablemate: Invoke) -> None:
    lines = stablemate("cost", reduce, *PLANNED, "--no-plan").stdout.splitlines()
    (first,) = [i for i, line in enumerate(lines) if line.startswith("collective operations")]
    assert lines[first] == "collective operations on a grid of 4x1, 10us:1GB/s"
    names, row = lines[first + 1].split(), lines[first + 2]
    assert names == [
        *("total", "count", "each", "size", "groups", "rounds", "sent", "messages"),
        *("algorithm", "operation"),
    ]
    # two rounds of 10 us and 1024 bytes; folding them takes 3 * 2048 bytes at 10 GB/s
    assert row.startswith("22.7 us      1  22.7 us  1.0 KiB   1 x 4       2")
    assert "recursive doubling  stablehlo.all_reduce:3" in row
    assert "--algorithms lists the others" in lines
    assert "not computed: plan=False was given" in lines


def test_all_algorithms_are_listed_when_asked_for(reduce: Path, stablemate: Invoke) -> None:
    text = stablemate("cost", reduce, *PLANNED, "--algorithms").stdout
    for name in ("direct exchange", "block exchange", "ring", "recursive halving and doubling"):
        assert name in text
    assert "direct exchange *" in text
    assert "--algorithms lists the others" not in text


def test_without_a_network_collectives_have_sizes(reduce: Path, stablemate: Invoke) -> None:
    text = stablemate("cost", reduce, "--grid=4x1").stdout
    assert "1  1.0 KiB   1 x 4  stablehlo.all_reduce:3" in text
    assert "--network=LATENCY:BANDWIDTH adds their times" in text
    assert "a call of main takes" not in text


def test_json_has_everything(reduce: Path, stablemate: Invoke) -> None:
    done = stablemate("cost", reduce, *PLANNED, "--format=json", "--list=1")
    document = json.loads(done.stdout)
    assert document["grid"] == [4, 1]
    assert document["network"] == [{"latency": 1e-5, "bandwidth": 1e9, "size": None}]
    assert document["machine"] == {"flops_per_second": 1e11, "bytes_per_second": 1e10}
    assert document["functions"]["main"]["flops"] == 256
    (row,) = document["operations"]
    assert (row["name"], row["line"], row["turns"]) == ("stablehlo.all_reduce", 3, 1)
    assert document["peak"]["bytes"] == 2048
    assert document["peak"]["number_of_buffers"] == 2
    assert len(document["peak"]["buffers"]) == 1
    assert document["plan"]["bytes"] >= 2048
    (collective,) = document["collectives"]
    assert collective["groups"] == [{"processes": 4, "number": 1}]
    algorithms = {algorithm["name"]: algorithm for algorithm in collective["algorithms"]}
    assert collective["mpi"] == "direct exchange"
    assert algorithms["ring"]["rounds"] == 6
    assert algorithms["ring"]["bytes"] == 1536
    assert document["times"]["network"] == pytest.approx(collective["seconds"])


def test_a_loop_of_unknown_length_is_said(
    program: Callable[[str], Path], stablemate: Invoke
) -> None:
    path = program("""
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %a, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
""")
    text = stablemate("cost", path).stdout
    assert "main: per iteration, because their number is not known: 1 stablehlo.while" in text
    assert "1 each" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--network=fast"], "'fast' is no level of a network: [SIZE@]LATENCY:BANDWIDTH, such as"),
        (["--machine=fast"], "'fast' is no machine: ARITHMETIC:BANDWIDTH, such as 100:20"),
        (["--grid=4"], "expected replicas and partitions such as 2x4, not '4'"),
        (["--grid=3x1"], "replica_groups hold every id once"),
        (
            ["--grid=4x1", "--network=2@1us:1GB/s"],
            "the network joins 2 processes, but the",
        ),
        (["--entry=f"], "no function is called 'f'; the module has: main"),
    ],
)
def test_what_does_not_fit_is_wrong_usage(
    reduce: Path, stablemate: Invoke, options: list[str], message: str
) -> None:
    done = stablemate("cost", reduce, *options)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_what_is_not_valid_has_no_cost(program: Callable[[str], Path], stablemate: Invoke) -> None:
    path = program(
        "func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> { return %x : tensor<2xf32> }"
    )
    done = stablemate("cost", path)
    assert done.exit_code == 3
    assert "error" in done.stderr


def test_every_format_of_a_program_has_the_same_cost(
    add: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    module = sm.load(add)
    (tmp_path / "add.mlirbc").write_bytes(module.to_bytecode())
    (tmp_path / "add.vhlo").write_bytes(module.to_artifact())
    (tmp_path / "add.hlo").write_text(module.to_hlo().to_text())
    (tmp_path / "add.pb").write_bytes(module.to_hlo().to_proto())
    for name in ("add.mlirbc", "add.vhlo", "add.hlo", "add.pb"):
        done = stablemate("cost", tmp_path / name, "--format=json")
        assert done.exit_code == 0, done.output
        document = json.loads(done.stdout)
        assert document["functions"]["main"]["flops"] == 6, name
        assert (document["peak"]["bytes"], document["plan"]["bytes"]) == (72, 72), name


def test_what_jax_exported_has_places_in_its_program(tmp_path: Path, stablemate: Invoke) -> None:
    import jax
    import jax.numpy as jnp
    from jax import export

    exported = export.export(jax.jit(lambda x: jnp.tanh(x) + 1), platforms=("cpu",))
    path = tmp_path / "a.jax_export"
    path.write_bytes(exported(jax.ShapeDtypeStruct((8,), jnp.float32)).serialize())
    document = json.loads(stablemate("cost", path, "--format=json").stdout)
    here = Path(__file__).name
    tanh = next(
        operation for operation in document["operations"] if operation["name"] == "stablehlo.tanh"
    )
    assert here in tanh["file"]
    assert tanh["line"] is None
    by_key = {item["operation"]: item["file"] for item in document["peak"]["buffers"]}
    assert here in by_key["stablehlo.tanh"]
    assert by_key["argument"] == ""
    assert f"stablehlo.tanh {tanh['file']}" in stablemate("cost", path, "--no-plan").stdout


@pytest.mark.standard
def test_a_terminal_shows_titles_and_has_a_width(add: Path) -> None:
    _, colored = in_terminal("cost", str(add))
    assert "\x1b[1ma call of each function\x1b[0m" in colored
    code, bare = in_terminal("cost", str(add), environment={"NO_COLOR": "1", "COLUMNS": "60"})
    assert code == 0
    # Without the line of progress, which a slow machine draws and erases.
    bare = re.sub(r"[^\n]*\r\x1b\[K", "", bare)
    assert "\x1b" not in bare
    lines = bare.replace("\r", "").splitlines()
    assert max(map(len, lines)) < max(map(len, colored.splitlines()))  # words are folded
    assert "72 bytes" in bare  # numbers never


def test_help_suffices(stablemate: Invoke) -> None:
    text = stablemate("cost", "--help").stdout
    for name in ("--grid RxP", "--network LEVELS", "8@1us:100GB/s,5us:10GB/s", "300TFLOP/s:2TB/s"):
        assert name in text


def test_a_notebook_shows_the_tables(reduce: Path) -> None:
    estimate = sm.cost(sm.load(reduce), grid=(4, 1), network="1us:1GB/s", machine="1:1")
    page = estimate._repr_html_()  # pyright: ignore[reportPrivateUsage] what notebooks call
    assert "<h4>a call of each function</h4>" in page
    assert '<td style="text-align:left">tensor&lt;256xf32&gt;</td>' in page
    assert page.count("<table>") == page.count("</table>") == 5


DYNAMIC = """func.func @main(%x: tensor<?x512xf32>, %y: tensor<?x512xf32>) -> tensor<?x512xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x512xf32>
  %1 = stablehlo.tanh %0 : tensor<?x512xf32>
  return %1 : tensor<?x512xf32>
}
"""


def test_unknown_sizes_give_formulas(tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / "dynamic.mlir"
    path.write_text(DYNAMIC)
    done = stablemate("cost", path)
    assert "512*N           512*N                 10240*N  main" in done.stdout
    assert "N is dimension 0 of argument 0 and dimension 0 of argument 1" in done.stdout
    assert "--sizes=N=128 estimates" in done.stdout
    formulas = json.loads(stablemate("cost", path, "--format=json").stdout)["formulas"]
    assert (formulas["flops"], formulas["multiple"]) == ("512*N", 1)
    given = stablemate("cost", path, "--sizes=N=2", "--no-plan")
    assert "tensor<2x512xf32>" in given.stdout
    wrong = stablemate("cost", path, "--sizes=M=2")
    assert wrong.exit_code == 2
    assert "no size of an argument is called M: they are N" in wrong.stderr
