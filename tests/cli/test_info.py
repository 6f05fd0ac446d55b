"""``stablemate info``."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]

PROGRAM = """\
module @net attributes {mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<2x3xf32> {a.b = 1 : i32}) -> tensor<2x3xf32> {
    %big = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %splat = stablehlo.constant dense<1.0> : tensor<2x3xf32>
    %0 = stablehlo.add %x, %big : tensor<2x3xf32>
    %1 = stablehlo.add %0, %splat : tensor<2x3xf32>
    %2 = stablehlo.custom_call @target(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
  func.func private @other(%x: tensor<?xf32>) -> tensor<?xf32> {
    return %x : tensor<?xf32>
  }
}
"""


@pytest.fixture
def net(program: Callable[[str], Path]) -> Path:
    return program(PROGRAM)


def test_text(net: Path, stablemate: Invoke) -> None:
    done = stablemate("info", net)
    assert done.exit_code == 0
    assert (
        done.stdout
        == f"""\
{net}: mlir, {len(PROGRAM)} bytes, valid
module net
  mhlo.num_replicas = 1 : i32

functions (2)
  public main(%arg0: tensor<2x3xf32>) -> (tensor<2x3xf32>), 24 bytes in, 24 bytes out
  private other(%arg0: tensor<?xf32>) -> (tensor<?xf32>), 0 bytes in, 0 bytes out

operations (9)
  2  func.func
  2  func.return
  2  stablehlo.add
  2  stablehlo.constant
  1  stablehlo.custom_call

custom calls (1)
  1  target

constants (2, 28 bytes)
  24 bytes  tensor<2x3xf32>, line 3
   4 bytes  tensor<2x3xf32>, line 4
"""
    )


def test_fewer_constants(net: Path, stablemate: Invoke) -> None:
    done = stablemate("info", net, "--constants=1")
    assert done.stdout.endswith("  24 bytes  tensor<2x3xf32>, line 3\n  and 1 more\n")


def test_json(net: Path, stablemate: Invoke) -> None:
    document = json.loads(stablemate("info", net, "--format=json").stdout)
    assert (document["format"], document["name"], document["errors"]) == ("mlir", "net", 0)
    assert document["attributes"] == {"mhlo.num_replicas": "1 : i32"}
    assert document["operations"]["stablehlo.add"] == 2
    assert document["custom_calls"] == {"target": 1}
    assert document["constants"] == {
        "number": 2,
        "bytes": 28,
        "largest": [
            {"type": "tensor<2x3xf32>", "bytes": 24, "line": 3},
            {"type": "tensor<2x3xf32>", "bytes": 4, "line": 4},
        ],
    }
    main = document["functions"][0]
    assert (main["name"], main["public"], main["argument_bytes"]) == ("main", True, 24)
    assert main["arguments"] == [
        {"name": "%arg0", "type": "tensor<2x3xf32>", "attributes": {"a.b": "1 : i32"}}
    ]


def test_an_invalid_program_has_contents_too(
    program: Callable[[str], Path], stablemate: Invoke
) -> None:
    done = stablemate(
        "info",
        program(
            "func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {\n"
            "  %0 = stablehlo.slice %a [0:3] : (tensor<2xf32>) -> tensor<3xf32>\n"
            "  return %0 : tensor<3xf32>\n"
            "}\n"
        ),
    )
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].endswith("1 error: see stablemate check")
    assert "public main(%arg0: tensor<2xf32>) -> (tensor<3xf32>)" in done.stdout


def test_a_function_without_a_type(program: Callable[[str], Path], stablemate: Invoke) -> None:
    done = stablemate("info", program('"func.func"() ({}) : () -> ()\n'))
    assert done.exit_code == 0
    assert "functions" not in done.stdout
    assert "1  func.func" in done.stdout
