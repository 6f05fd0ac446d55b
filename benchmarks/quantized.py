"""Products of bytes and quantized models, beside those of floats and XLA's.

    python -m benchmarks.quantized [--rounds 7] > benchmarks/results/quantized.md
    python -m benchmarks.quantized --iree

Kernels: dots and convolutions of ``i8`` with sums of ``i32``, beside those of ``f32``. Models: a
perceptron and ResNet-50, quantized to 8 bits (per tensor, weights per output feature) and in
``f32``. XLA runs no quantized types, so its models are those of ``f32``. All programs of a row are
timed in turns; a figure is the median of the rounds, in microseconds. ``--iree`` compares with
IREE instead, which runs quantized types: for the processor of this machine, with arguments in its
buffers. Those figures are the fewest microseconds of processor time, of one thread each if
``STABLEMATE_THREADS=1`` is set (then IREE runs without threads). Results of both are compared.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

import stablemate as sm
from benchmarks.peers import Iree, Xla

DOTS: Final = [(64, 64, 64), (128, 784, 1024), (256, 256, 256), (512, 512, 512), (1024, 768, 3072)]
CONVOLUTIONS: Final = [  # size, inputs, outputs, kernel, stride
    (56, 64, 64, 3, 1),
    (56, 64, 256, 1, 1),
    (28, 128, 128, 3, 1),
    (14, 256, 256, 3, 1),
    (14, 1024, 256, 1, 1),
    (7, 512, 512, 3, 1),
]
STAGES: Final = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))  # width, blocks, stride
CALLS: Final = 3  # of one program before the next one has its turn
SCALE: Final = 0.05
UNIFORM_DEVIATION: Final = 74.0  # of random bytes


@dataclass
class Network:
    """The text of a network of dots and convolutions, quantized or not.

    Attributes:
        quantized: Whether its tensors are quantized.
        lines: The operations so far.
        arguments: The types of the arguments so far.
    """

    quantized: bool
    lines: list[str] = field(default_factory=list[str])
    arguments: list[str] = field(default_factory=list[str])

    def type(self, shape: Sequence[int], features: int | None = None) -> str:
        """The type of a tensor; weights have a scale for each of their output features."""
        sizes = "".join(f"{size}x" for size in shape)
        if not self.quantized:
            return f"tensor<{sizes}f32>"
        if features is None:
            return f"tensor<{sizes}!quant.uniform<i8:f32, {SCALE}:-3>>"
        scales = ", ".join(f"{weight_scale(shape) * (1 + i % 5 / 8):.7f}" for i in range(features))
        return f"tensor<{sizes}!quant.uniform<i8:f32:{len(shape) - 1}, {{{scales}}}>>"

    def argument(self, kind: str) -> str:
        """A new argument of a type."""
        self.arguments.append(kind)
        return f"%a{len(self.arguments) - 1}"

    def add(self, text: str) -> str:
        """Adds an operation, and returns its result."""
        self.lines.append(f"  %{len(self.lines)} = {text}")
        return f"%{len(self.lines) - 1}"

    def dense(self, x: str, rows: int, inputs: int, outputs: int) -> str:
        """A product with a matrix of weights."""
        weights = self.type((inputs, outputs), outputs)
        kinds = self.type((rows, inputs)), weights, self.type((rows, outputs))
        w = self.argument(weights)
        return self.add(
            f"stablehlo.dot_general {x}, {w}, contracting_dims = [1] x [0] : "
            f"({kinds[0]}, {kinds[1]}) -> {kinds[2]}"
        )

    def convolution(
        self, x: str, size: int, inputs: int, outputs: int, kernel: int, stride: int
    ) -> str:
        """A convolution that keeps the size of an image, or divides it by the stride."""
        shape = (kernel, kernel, inputs, outputs)
        weights, low = self.type(shape, outputs), (kernel - 1) // 2
        high = kernel - 1 - low
        kinds = (
            self.type((1, size, size, inputs)),
            weights,
            self.type((1, size // stride, size // stride, outputs)),
        )
        w = self.argument(weights)
        return self.add(
            f"stablehlo.convolution({x}, {w}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
            f"[b, 0, 1, f], window = {{stride = [{stride}, {stride}], "
            f"pad = [[{low}, {high}], [{low}, {high}]]}} {{batch_group_count = 1 : i64, "
            f"feature_group_count = 1 : i64}} : ({kinds[0]}, {kinds[1]}) -> {kinds[2]}"
        )

    def relu(self, x: str, shape: Sequence[int]) -> str:
        """The larger one of a value and zero."""
        kind = self.type(shape)
        sizes = "".join(f"{size}x" for size in shape)
        value = f"<{{value = dense<-3> : tensor<{sizes}i8>}}> : () -> {kind}"
        zero = self.add(
            f'"stablehlo.constant"() {value}'
            if self.quantized
            else f"stablehlo.constant dense<0.0> : {kind}"
        )
        return self.add(f"stablehlo.maximum {x}, {zero} : {kind}")

    def text(self, result: str, kind: str) -> str:
        """The program that returns a value."""
        parameters = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(self.arguments))
        body = "\n".join(self.lines)
        return (
            f"func.func @main({parameters}) -> {kind} {{\n{body}\n  return {result} : {kind}\n}}\n"
        )


def weight_deviation(shape: Sequence[int]) -> float:
    """The deviation of random weights that keeps activations in size through many layers.

    Source: LeCun, Bottou, Orr and Müller, Efficient BackProp, 1998, 4.6.
    """
    return math.sqrt(1 / math.prod(shape[:-1]))


def weight_scale(shape: Sequence[int]) -> float:
    """The least scale of random weights of 8 bits; others are up to a half larger."""
    return weight_deviation(shape) / UNIFORM_DEVIATION / 1.25


def perceptron(quantized: bool) -> str:
    """A perceptron 784-1024-1024-16 on 128 rows."""
    network = Network(quantized)
    x, rows, sizes = network.argument(network.type((128, 784))), 128, (784, 1024, 1024, 16)
    for inputs, outputs in pairwise(sizes):
        x = network.dense(x, rows, inputs, outputs)
        if outputs != sizes[-1]:
            x = network.relu(x, (rows, outputs))
    return network.text(x, network.type((rows, sizes[-1])))


def resnet50(quantized: bool) -> str:
    """The convolutions, activations and sums of ResNet-50, without its first layer and its head."""
    network = Network(quantized)
    size, features = 56, 64
    x = network.argument(network.type((1, size, size, features)))
    for width, blocks, first_stride in STAGES:
        for block in range(blocks):
            stride = first_stride if block == 0 else 1
            after = size // stride
            y = network.convolution(x, size, features, width, 1, 1)
            y = network.relu(y, (1, size, size, width))
            y = network.convolution(y, size, width, width, 3, stride)
            y = network.relu(y, (1, after, after, width))
            y = network.convolution(y, after, width, 4 * width, 1, 1)
            if block == 0:
                x = network.convolution(x, size, features, 4 * width, 1, stride)
            size, features = after, 4 * width
            shape = (1, size, size, features)
            x = network.add(f"stablehlo.add {x}, {y} : {network.type(shape)}")
            x = network.relu(x, shape)
    return network.text(x, network.type((1, size, size, features)))


def dot(element: str, result: str, rows: int, depth: int, columns: int) -> str:
    """A product of matrices."""
    a, b = f"tensor<{rows}x{depth}x{element}>", f"tensor<{depth}x{columns}x{element}>"
    c = f"tensor<{rows}x{columns}x{result}>"
    return (
        f"func.func @main(%a: {a}, %b: {b}) -> {c} {{\n  %0 = stablehlo.dot_general %a, %b, "
        f"contracting_dims = [1] x [0] : ({a}, {b}) -> {c}\n  return %0 : {c}\n}}\n"
    )


def convolution(
    element: str, result: str, size: int, inputs: int, outputs: int, kernel: int, stride: int
) -> str:
    """A convolution of one image."""
    network = Network(quantized=False)
    x = network.argument(network.type((1, size, size, inputs)))
    y = network.convolution(x, size, inputs, outputs, kernel, stride)
    shape = (1, size // stride, size // stride, outputs)
    text = network.text(y, network.type(shape)).replace("f32", element)
    return re.sub(rf"((?:->|return %0 :) tensor<[0-9x]+){element}>", rf"\1{result}>", text)


def arguments_of(text: str) -> list[Any]:
    """Random arguments of a program."""
    generator = np.random.default_rng(0)
    arrays: list[Any] = []
    for argument in sm.load(text).entry().signature.arguments:
        shape = argument.type.shape
        if argument.type.element_type.dtype == np.int8:
            arrays.append(generator.integers(-128, 128, shape).astype(np.int8))
        else:
            deviation = np.float32(weight_deviation(shape) if arrays else 1)
            arrays.append(generator.standard_normal(shape, np.float32) * deviation)
    return arrays


def ours(text: str) -> Callable[[], object]:
    """A call of our program."""
    executable, arguments = sm.compile(sm.load(text)), arguments_of(text)
    return partial(executable, *arguments)


def bound(peer: Iree | Xla, text: str) -> Iree | Xla:
    """Another compiler with a program, and arguments in its buffers."""
    with TemporaryDirectory() as home:
        path = Path(home) / "program.mlir"
        path.write_text(text)
        for _ in peer.stages(path):
            pass
    peer.bind(arguments_of(text))
    return peer


def xla(text: str) -> Callable[[], object]:
    """A call of XLA's program."""
    return bound(Xla(), text).run


def iree(text: str) -> tuple[Callable[[], object], str]:
    """A call of IREE's program, and how many results differ from ours, by how much at most."""
    has_one_thread = os.environ.get("STABLEMATE_THREADS") == "1"
    peer = bound(Iree("local-sync" if has_one_thread else "local-task"), text)
    (theirs,) = peer.fetch(peer.run())
    expected: Any = ours(text)()
    if expected.dtype != np.int8:
        finite = np.abs(expected[np.isfinite(expected)])
        np.testing.assert_allclose(theirs, expected, rtol=1e-3, atol=1e-3 * finite.max(initial=0))
    difference = np.abs(theirs.astype(np.float64) - np.asarray(expected).astype(np.float64))
    return peer.run, f"{np.mean(difference > 0):.1%}, {difference.max():.0f}"


def times(
    calls: Sequence[Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
    typical: Callable[[Sequence[float]], float] = median,
) -> list[float]:
    """The typical time of a call of each, in microseconds; in turns."""
    for call in calls:
        call()
    measured: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, own in zip(calls, measured, strict=True):
            for _ in range(CALLS):
                start = clock()
                call()
                own.append((clock() - start) * 1e6)
    return [typical(own) for own in measured]


def cases() -> Iterator[tuple[str, str, str]]:
    """Title, program of bytes and program of floats."""
    for shape in DOTS:
        title = "dot {} x {} x {}".format(*shape)
        yield title, dot("i8", "i32", *shape), dot("f32", "f32", *shape)
    for case in CONVOLUTIONS:
        title = "convolution {0} x {0} x {1}, {2} features, {3} x {3}, stride {4}".format(*case)
        yield title, convolution("i8", "i32", *case), convolution("f32", "f32", *case)
    yield "perceptron, quantized", perceptron(True), perceptron(False)
    yield "ResNet-50, quantized", resnet50(True), resnet50(False)


def beside_xla(narrow: str, wide: str, rounds: int) -> list[str]:
    """The figures of a row: ours, and XLA's."""
    calls = [ours(narrow), ours(wide), xla(wide)]
    if "quant" not in narrow:
        calls.append(xla(narrow))
    small, large, peer, *rest = times(calls, rounds)
    best = min([peer, *rest])
    shown = f"{rest[0]:,.0f}" if rest else "-"
    return [
        f"{small:,.0f}", f"{large:,.0f}", f"{large / small:.2f}", shown, f"{peer:,.0f}",
        f"{best / small:.2f}",
    ]  # fmt: skip


def beside_iree(narrow: str, wide: str, rounds: int) -> list[str]:
    """The figures of a row: ours, and IREE's."""
    (narrow_peer, difference), (wide_peer, _) = iree(narrow), iree(wide)
    calls = [ours(narrow), narrow_peer, ours(wide), wide_peer]
    small, small_peer, large, large_peer = times(calls, rounds, time.process_time, min)
    return [
        f"{small:,.0f}", f"{small_peer:,.0f}", f"{small_peer / small:.2f}",
        f"{large:,.0f}", f"{large_peer:,.0f}", f"{large_peer / large:.2f}",
        difference,
    ]  # fmt: skip


COLUMNS: Final = {
    beside_xla: ("8 bits", "f32", "f32 / 8 bits", "XLA, 8 bits", "XLA, f32", "XLA / 8 bits"),
    beside_iree: (
        "8 bits",
        "IREE, 8 bits",
        "IREE / ours",
        "f32",
        "IREE, f32",
        "IREE / ours",
        "differ, at most",
    ),
}


def main() -> None:
    """Measures all, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--iree", action="store_true", help="compare with IREE instead of XLA")
    parser.add_argument("--only", default="", help="programs whose title has this text")
    options = parser.parse_args()
    row = beside_iree if options.iree else beside_xla
    print(f"| {' | '.join(('program', *COLUMNS[row]))} |")
    print("|---" + "|--:" * len(COLUMNS[row]) + "|")
    for title, narrow, wide in cases():
        if options.only in title:
            print(f"| {' | '.join([title, *row(narrow, wide, options.rounds)])} |")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
