"""``stablemate info``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from click.testing import Result

import stablemate as sm

Invoke = Callable[..., Result]

CONTAINERS: Final = Path(__file__).parent.parent / "formats/jax_export/containers/0.10.2"
# The fields of the JSON; what is here stays, with this meaning, as long as "schema" is 1.
SCHEMA: Final = {
    "schema", "file", "format", "bytes", "errors", "bytecode_version", "producer",
    "stablehlo_version", "minimum_version", "name", "attributes", "exported", "facts",
    "grid", "functions",
    "operations", "custom_calls", "constants",
}  # fmt: skip
PROGRAM: Final = """\
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
readable as an artifact since StableHLO 0.9.0
module net
  mhlo.num_replicas = 1 : i32

functions (2)
  public main(%arg0: tensor<2x3xf32>) -> (tensor<2x3xf32>), 24 bytes in, 24 bytes out
  private other(%arg0: tensor<?xf32>) -> (tensor<?xf32>), unknown sizes in, unknown sizes out

estimated cost of a call
  main: 12 flop, 144 bytes read and written
    not counted, no formula: 1 stablehlo.custom_call @target

operations (9)
  2  func.func
  2  func.return
  2  stablehlo.add
  2  stablehlo.constant
  1  stablehlo.custom_call

custom calls (1)
  1  target, API version 1

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
    assert document["custom_calls"] == [{"target": "target", "api_version": 1, "number": 1}]
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
    assert [function["unknown_sizes"] for function in document["functions"]] == [False, True]
    assert main["cost"] == {
        "flops": 12,
        "transcendentals": 0,
        "bytes": 144,
        "not_counted": {"unknown_size": {}, "no_formula": {"stablehlo.custom_call @target": 1}},
        "loops_counted_once": 0,
    }


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


def test_the_schema_is_stable(net: Path, stablemate: Invoke) -> None:
    for path in (net, CONTAINERS / "tree.bin"):
        document = json.loads(stablemate("info", path, "--format=json").stdout)
        assert document.keys() == SCHEMA
        assert document["schema"] == 1


def test_text_says_nothing_of_containers(net: Path, stablemate: Invoke) -> None:
    document = json.loads(stablemate("info", net, "--format=json").stdout)
    absent = ("bytecode_version", "producer", "stablehlo_version", "exported")
    assert [document[name] for name in absent] == [None] * 4
    nothing = {"operation": None, "line": None, "reason": None}
    assert document["minimum_version"] == {"version": "0.9.0", **nothing}


def test_the_operation_that_asks_for_a_version(
    program: Callable[[str], Path], stablemate: Invoke
) -> None:
    path = program(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.tan %x : tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n"
        "}\n"
    )
    assert stablemate("info", path).stdout.splitlines()[1] == (
        "readable as an artifact since StableHLO 1.4.0: stablehlo.tan in line 2: "
        "the operation came with 1.4.0"
    )
    document = json.loads(stablemate("info", path, "--format=json").stdout)
    assert document["minimum_version"] == {
        "version": "1.4.0",
        "operation": "stablehlo.tan",
        "line": 2,
        "reason": "the operation came with 1.4.0",
    }
    sm.load(path).to_artifact("1.4.0")
    with pytest.raises(sm.UnsupportedError, match=r"1\.3\.0 cannot express this"):
        sm.load(path).to_artifact("1.3.0")


def test_an_artifact(net: Path, tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / "net.stablehlo"
    path.write_bytes(sm.load(net).to_artifact("1.9.0"))
    lines = stablemate("info", path).stdout.splitlines()
    assert lines[:3] == [
        f"{path}: artifact, {path.stat().st_size} bytes, valid",
        "bytecode of version 6, written by StableHLO_v1.9.0",
        "readable as an artifact since StableHLO 0.9.0",
    ]
    assert "  24 bytes  tensor<2x3xf32>" in lines  # bytes have no lines


def test_a_container_of_jax_export(stablemate: Invoke) -> None:
    path = CONTAINERS / "tree.bin"
    text = stablemate("info", path).stdout
    assert f"{path}: jax_export, 2.3 KiB, valid\n" in text
    assert "  calling convention: 10\n  platforms: cpu\n  devices: 1\n" in text
    document = json.loads(stablemate("info", path, "--format=json").stdout)
    exported = document["exported"]
    assert exported["function"] == "dense"
    assert (exported["calling_convention"], exported["platforms"]) == (10, ["cpu"])
    assert (exported["devices"], exported["disabled_checks"]) == (1, [])
    assert [argument["name"] for argument in exported["arguments"]] == [
        "args[0]",
        "args[1]['b']",
        "args[1]['k']",
        "kwargs['scale']",
    ]
    assert exported["arguments"][2] == {"name": "args[1]['k']", "type": "f32[4, 5]", "used": True}
    assert exported["results"][0] == {"name": "result['sums'][0]", "type": "f32[]"}
    assert document["functions"][0]["name"] == "main"


def test_a_sharded_program_needs_readers_of_mixed_artifacts(stablemate: Invoke) -> None:
    path = CONTAINERS / "sharded.bin"
    document = json.loads(stablemate("info", path, "--format=json").stdout)
    assert document["minimum_version"]["version"] == "1.11.0"
    assert document["minimum_version"]["operation"].startswith("sdy.")


def test_operations_of_other_dialects_are_named(
    program: Callable[[str, str], Path], stablemate: Invoke
) -> None:
    """The conversion to VHLO puts casts around them, which the program does not have."""
    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.exp %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    lines = stablemate("info", program(text, "exp.mlir")).stdout.splitlines()
    assert lines[1] == (
        "readable as an artifact since StableHLO 1.11.0: math.exp in line 2: operations of other "
        "dialects came with it"
    )


def test_long_signatures_and_lists_are_cut(
    program: Callable[..., Path], stablemate: Invoke
) -> None:
    """The signature of hundreds of arguments is a line; private functions are counted."""
    arguments = ", ".join(f"%a{i}: tensor<4xf32>" for i in range(241))
    private = "\n".join(
        f"func.func private @f{i}(%x: tensor<4xf32>) -> tensor<4xf32> {{\n"
        "  return %x : tensor<4xf32>\n}"
        for i in range(20)
    )
    file = program(
        f"{private}\nfunc.func @main({arguments}) -> tensor<4xf32> {{\n"
        "  return %a0 : tensor<4xf32>\n}"
    )
    lines = stablemate("info", file).stdout.splitlines()
    first = lines.index("functions (21)")
    assert lines[first + 1] == (
        "  public main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, ... 241 arguments) -> "
        "(tensor<4xf32>), 3.8 KiB in, 16 bytes out"
    )
    assert lines[first + 11] == "  and 11 more private"
