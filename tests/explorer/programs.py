"""Programs that the tests of the explorer look at."""

from __future__ import annotations

from typing import Final

# Two scopes, one of which is entered again by way of the other; a loop; a call; a constant.
SCOPES: Final = """
#a0 = loc("jit(f)/a/add"("f.py":3:5))
#a1 = loc("jit(f)/a/mul"(callsite("g"("f.py":4:1) at "f"("f.py":9:2))))
#b0 = loc("jit(f)/b/sub")
#b1 = loc("jit(f)/b/neg")
module @scopes {
  func.func public @main(%x: tensor<4xf32> loc("x"), %n: tensor<i32>) -> tensor<4xf32> {
    %one = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
    %sum = stablehlo.add %x, %one : tensor<4xf32> loc(#a0)
    %square = stablehlo.multiply %sum, %sum : tensor<4xf32> loc(#a1)
    %less = stablehlo.subtract %square, %x : tensor<4xf32> loc(#b0)
    %minus = stablehlo.negate %less : tensor<4xf32> loc(#b1)
    %again = stablehlo.add %minus, %square : tensor<4xf32> loc(#a0)
    %last = stablehlo.multiply %again, %again : tensor<4xf32> loc(#a1)
    %loop:2 = stablehlo.while(%i = %n, %v = %last) : tensor<i32>, tensor<4xf32>
    cond {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %more = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %step = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.subtract %i, %step : tensor<i32>
      %twice = func.call @twice(%v) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %next, %twice : tensor<i32>, tensor<4xf32>
    }
    return %loop#1 : tensor<4xf32>
  }
  func.func private @twice(%y: tensor<4xf32>) -> tensor<4xf32> {
    %double = stablehlo.add %y, %y : tensor<4xf32>
    return %double : tensor<4xf32>
  }
}
"""

FUSION: Final = """HloModule fused, entry_computation_layout={(f32[4]{0})->f32[4]{0}}

%inner (p: f32[4]) -> f32[4] {
  %p = f32[4]{0} parameter(0)
  %c = f32[] constant(2)
  %b = f32[4]{0} broadcast(%c), dimensions={}
  ROOT %m = f32[4]{0} multiply(%p, %b), metadata={op_name="jit(f)/scale/mul" source_file="f.py" source_line=7}
}

ENTRY %main (x: f32[4]) -> f32[4] {
  %x = f32[4]{0} parameter(0)
  %n = f32[4]{0} negate(%x), metadata={op_name="jit(f)/sign/neg"}
  ROOT %f = f32[4]{0} fusion(%n), kind=kLoop, calls=%inner
}
"""  # noqa: E501 a program

# Texts that would do harm if a page took them for markup, or a terminal for orders.
SCRIPT: Final = "</script><img src=x onerror=window.harmed=1>"
BIDI: Final = "a\u202eb\u2066c"
HOSTILE: Final = f"""
module @"{SCRIPT}" {{
  func.func public @main(%x: tensor<2xf32> loc("{SCRIPT}")) -> tensor<2xf32> {{
    %y = stablehlo.negate %x {{note = "{SCRIPT}", other = "\\1B[2J{BIDI}"}} : tensor<2xf32> loc("jit(f)/{SCRIPT}/x/neg"("{SCRIPT}":1:2))
    %z = func.call @"{SCRIPT}"(%y) : (tensor<2xf32>) -> tensor<2xf32> loc("jit(f)/{SCRIPT}/x/call")
    return %z : tensor<2xf32>
  }}
  func.func private @"{SCRIPT}"(%x: tensor<2xf32>) -> tensor<2xf32> {{
    return %x : tensor<2xf32>
  }}
}}
"""  # noqa: E501 a program


def long_chain(count: int) -> str:
    """A program of so many operations, each of which takes the one before, in scopes of eight."""
    lines = ["module @chain {", "  func.func public @main(%v0: tensor<8xf32>) -> tensor<8xf32> {"]
    names = ("add", "multiply", "subtract", "maximum")
    for i in range(count - 3):
        name = names[i % 4]
        scope = f'loc("jit(f)/block{i // 64}/part{i // 8 % 8}/{name}"("f.py":{i % 97 + 1}:1))'
        operands = f"%v{i}, %v{max(0, i - 3)}"
        lines.append(f"    %v{i + 1} = stablehlo.{name} {operands} : tensor<8xf32> {scope}")
    lines += [f"    return %v{count - 3} : tensor<8xf32>", "  }", "}"]
    return "\n".join(lines)


def parameters_of_one_operation() -> str:
    """An operation that takes 241 parameters, and a constant."""
    count, each = 241, "tensor<64x64xf32>"
    arguments = ", ".join(f"%w{i}: {each}" for i in range(count))
    names = ", ".join(["%high", *(f"%w{i}" for i in range(1, count))])
    whole = f"tensor<{64 * count}x64xf32>"
    return (
        f"func.func @main({arguments}) -> {whole} {{\n"
        f"  %low = stablehlo.constant dense<0xFF800000> : {each}\n"
        f"  %high = stablehlo.maximum %w0, %low : {each}\n"
        f"  %all = stablehlo.concatenate {names}, dim = 0 : ({', '.join([each] * count)})"
        f" -> {whole}\n  return %all : {whole}\n}}\n"
    )


def independent_updates() -> str:
    """48 parameters, each of which is updated by itself."""
    count, each = 48, "tensor<64x64xf32>"
    lines = list[str]()
    for i in range(count):
        lines.append(f"  %g{i} = stablehlo.negate %w{i} : {each}")
        lines.append(f"  %n{i} = stablehlo.add %w{i}, %g{i} : {each}")
    arguments = ", ".join(f"%w{i}: {each}" for i in range(count))
    types = ", ".join([each] * count)
    lines.append(f"  return {', '.join(f'%n{i}' for i in range(count))} : {types}")
    body = "\n".join(lines)
    return f"func.func @main({arguments}) -> ({types}) {{\n{body}\n}}\n"
