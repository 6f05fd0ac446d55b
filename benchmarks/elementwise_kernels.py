"""Compare kernels that move elements, or compute them one by one, with XLA, on one thread.

    python -m benchmarks.elementwise_kernels [--rounds 5] [--only TEXT]

Timed as ``benchmarks.kernels`` does.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.kernels import compare


def tensor(shape: tuple[int, ...], element: str = "f32") -> str:
    """The text of a type."""
    return f"tensor<{'x'.join(map(str, (*shape, element)))}>"


def program(
    operation: str,
    operands: list[str],
    result: str,
    constants: str = "",
) -> str:
    """A program that is one operation; ``%0``, ``%1`` ... are its operands."""
    arguments = ", ".join(f"%{'abc'[i]}: {operand}" for i, operand in enumerate(operands))
    return f"""func.func public @main({arguments}) -> {result} {{
  {constants}
  %r = stablehlo.{operation} : ({", ".join(operands)}) -> {result}
  return %r : {result}
}}"""


def moves() -> Iterator[tuple[str, str]]:
    """Data movement of 4 to 64 MiB."""
    square = (2048, 2048)
    for order, shape in (
        ((1, 0), square),
        ((0, 2, 1), (64, 256, 256)),
        ((0, 2, 1, 3), (8, 512, 16, 64)),
        ((2, 0, 1), (3, 1024, 1024)),
        ((1, 2, 0), (3, 1024, 1024)),
    ):
        result = tensor(tuple(shape[d] for d in order))
        yield (
            f"transpose {shape} {order}",
            program(f"transpose %a, dims = {list(order)}", [tensor(shape)], result),
        )
    for element in ("i8", "bf16"):
        kind = tensor(square, element)
        yield f"transpose {element}", program("transpose %a, dims = [1, 0]", [kind], kind)
    for dimensions in ([0], [1], [0, 1]):
        kind = tensor(square)
        text = program(f"reverse %a, dims = {dimensions}", [kind], kind)
        yield f"reverse {dimensions}", text.replace(f": ({kind}) -> {kind}", f": {kind}")
    for stride in (2, 3, 8):
        result = tensor((2048, -(-2048 // stride)))
        text = program(f"slice %a [0:2048, 0:2048:{stride}]", [tensor(square)], result)
        yield f"slice by {stride}", text
    for dimension in (0, 1):
        shape = [2048, 2048]
        shape[dimension] = 4096
        operands = [tensor(square)] * 2
        text = program(f"concatenate %a, %b, dim = {dimension}", operands, tensor((*shape,)))
        yield f"concatenate {dimension}", text
    zero = "%z = stablehlo.constant dense<0.0> : tensor<f32>"
    for low, high, inside in (([1, 1], [1, 1], [0, 0]), ([0, 3], [0, -5], [0, 0]),
                              ([0, 0], [0, 0], [0, 1])):  # fmt: skip
        sizes = [2048 + a + b + 2047 * c for a, b, c in zip(low, high, inside, strict=True)]
        result = tensor((*sizes,))
        line = f"pad %a, %z, low = {low}, high = {high}, interior = {inside}"
        text = program(line, [tensor(square)], result, zero)
        yield (
            f"pad {low} {high} {inside}",
            text.replace(f": ({tensor(square)})", f": ({tensor(square)}, tensor<f32>)"),
        )
    index = tensor((), "i32")
    text = program(
        "dynamic_slice %a, %b, %c, sizes = [1024, 2000]",
        [tensor(square), index, index],
        tensor((1024, 2000)),
    )
    yield "dynamic_slice", text
    for width in (16, 64, 768):
        rows = tensor((4096, 1), "i32")
        dimensions = (
            "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
            "start_index_map = [0], index_vector_dim = 1>"
        )
        yield (
            f"gather rows of {width}",
            f"""
func.func public @main(%a: {tensor((2000, width))}, %b: {rows}) -> {tensor((4096, width))} {{
  %r = "stablehlo.gather"(%a, %b) {{dimension_numbers = {dimensions},
    slice_sizes = array<i64: 1, {width}>}}
    : ({tensor((2000, width))}, {rows}) -> {tensor((4096, width))}
  return %r : {tensor((4096, width))}
}}""",
        )
        yield f"scatter rows of {width}", scattered(width)


def scattered(width: int) -> str:
    """Rows that are added to those of a table, as the gradient of an embedding."""
    table, rows = tensor((2000, width)), tensor((4096, width))
    indices = tensor((4096, 1), "i32")
    return f"""
func.func public @main(%a: {table}, %b: {indices}, %c: {rows}) -> {table} {{
  %r = "stablehlo.scatter"(%a, %b, %c) ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}
    : ({table}, {indices}, {rows}) -> {table}
  return %r : {table}
}}"""


def functions() -> Iterator[tuple[str, str]]:
    """Functions of four million elements."""
    kind = tensor((2048, 2048))
    for name in ("exponential", "log", "tanh", "logistic", "sine", "sqrt", "rsqrt", "negate"):
        text = program(f"{name} %a", [kind], kind).replace(f": ({kind}) -> {kind}", f": {kind}")
        yield name, text
    for name in ("add", "divide", "maximum", "power"):
        text = program(f"{name} %a, %b", [kind, kind], kind)
        yield name, text.replace(f": ({kind}, {kind}) -> {kind}", f": {kind}")
    to = tensor((2048, 2048), "bf16")
    yield "convert to bf16", program("convert %a", [kind], to)


if __name__ == "__main__":
    compare("benchmarks.elementwise_kernels", __doc__, [*moves(), *functions()])
