"""What is inside a program, as Python holds it."""

from typing import Final

import stablemate as sm

NET: Final = """
module @net {
  func.func @main(%x: tensor<2xf32>, %n: tensor<?xf32>) -> tensor<2xf32> {
    %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %0 = stablehlo.custom_call @a(%x) {api_version = 4 : i32, backend_config = {}} \
: (tensor<2xf32>) -> tensor<2xf32>
    %1 = stablehlo.custom_call @a(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = stablehlo.custom_call @b(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.custom_call @b(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %4 = stablehlo.add %3, %c : tensor<2xf32>
    return %4 : tensor<2xf32>
  }
}
"""


def test_contents_of_a_program() -> None:
    contents = sm.load(NET, name="net.mlir").contents()
    assert (contents.source, contents.name, contents.format) == ("net.mlir", "net", "mlir")
    assert contents.bytes == len(NET)
    assert [
        (custom_call.target, custom_call.api_version, custom_call.number)
        for custom_call in contents.custom_calls
    ] == [
        ("b", 1, 2),
        ("a", 1, 1),
        ("a", 4, 1),
    ]
    (main,) = contents.functions
    assert (main.argument_bytes, main.result_bytes) == (8, 8)  # unknown sizes do not count
    assert main.cost is not None
    assert main.cost.opaque == {"stablehlo.custom_call @a": 2, "stablehlo.custom_call @b": 2}
    assert contents.readers is not None
    assert contents.readers.version == "1.3.0"
    assert contents.readers.operation == "stablehlo.custom_call"
    assert contents.readers.line == 5


def test_an_artifact_left_in_vhlo_has_contents_too() -> None:
    artifact = sm.load(NET).to_artifact("1.9.0")
    contents = sm.load(artifact, upgrade=False).contents()
    assert contents.container is not None
    assert contents.container.stablehlo_version == "1.9.0"
    assert contents.operations["vhlo.custom_call_v1"] == 4
    assert contents.readers is not None
    assert contents.readers.version == "1.3.0"


def test_what_no_artifact_holds() -> None:
    handle = "#stablehlo.channel_handle<handle = 1, type = 1>"
    text = (
        "func.func @main(%x: tensor<2xf32>) {\n"
        f"  %0 = stablehlo.add %x, %x {{a.b = {handle}}} : tensor<2xf32>\n"
        "  return\n}\n"
    )
    readers = sm.load(text).contents().readers
    assert readers is not None
    assert (readers.version, readers.operation, readers.line) == (None, "stablehlo.add", 2)
    assert "has no form in portable artifacts" in readers.reason


def test_an_invalid_program_has_neither_readers_nor_costs() -> None:
    text = (
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.slice %x [0:3] : (tensor<2xf32>) -> tensor<3xf32>\n"
        "  return %x : tensor<2xf32>\n}\n"
    )
    contents = sm.load(text).contents()
    assert (contents.errors, contents.readers) == (1, None)
    assert [function.cost for function in contents.functions] == [None]
