"""What aliases stand for may be much of what is written, but not more than a machine holds."""

from __future__ import annotations

import pytest

import stablemate as sm

FRAMES = 30
OPERATIONS = 1500


def deep_stacks() -> str:
    """Operations whose locations share a deep stack of calls, as JAX writes them."""
    path = "/home/somebody/projects/model/training/" + "package/" * 30 + "file.py"
    frames = [f'#loc0 = loc("{path}":1:1)'] + [
        f'#loc{i} = loc(callsite("{path}":{i}:1 at #loc{i - 1}))' for i in range(1, FRAMES)
    ]
    own = [f'#loc{FRAMES + i} = loc("jit(step)/{i}"(#loc{FRAMES - 1}))' for i in range(OPERATIONS)]
    lines = [
        f"  %{i + 1} = stablehlo.add %{i}, %{i} : tensor<f32> loc(#loc{FRAMES + i})"
        for i in range(OPERATIONS)
    ]
    body = "\n".join(lines).replace("%0,", "%x,").replace("%0 :", "%x :")
    text = "\n".join([*frames, *own])
    return (
        f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{\n{body}\n"
        f"  return %{OPERATIONS} : tensor<f32>\n}}\n{text}\n"
    )


def test_locations_of_a_real_program_are_read() -> None:
    text = deep_stacks()
    module = sm.load(text)
    assert sm.load(module.to_text(debug_info=True)).to_text() == module.to_text()


@pytest.mark.parametrize(
    "doubled",
    ["loc(fused[#x{0}, #x{0}])", "[#x{0}, #x{0}]"],
)
def test_what_doubles_is_refused(doubled: str) -> None:
    first = 'loc("a")' if doubled.startswith("loc") else "[1]"
    lines = [f"#x{i + 1} = {doubled.replace('{0}', str(i))}" for i in range(60)]
    use = "loc(#x60)" if doubled.startswith("loc") else ""
    attribute = "" if use else "attributes {a = #x60}"
    text = "\n".join([f"#x0 = {first}", *lines, f"module {attribute} {{}} {use}"])
    with pytest.raises(sm.StablemateError, match="aliases written out"):
        sm.load(text)
