"""Libraries of programs with open sizes: each batch up to the bound has the bits of ``compile``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from click.testing import CliRunner

import stablemate as sm
from stablemate.cli import main
from stablemate.compiler.size_versions import SizeVersions
from stablemate.numerics.elements import Array
from tests.deployment.native_libraries import compiled, needs_cc, output

MOST: Final = 5
ROWS: Final = f"tensor<?x3xf32, #stablehlo.bounds<{MOST}, ?>>"
WEIGHTS: Final = np.arange(21_000, dtype=np.float32).reshape(3, 7000)  # more than 64 KiB
OPEN: Final = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"
# What follows from the number of rows: shapes, values, and which rows a result has.
PROGRAMS: Final = {
    "rows": f"""func.func @main(%x: {ROWS}) -> {ROWS} {{
      %0 = stablehlo.tanh %x : {ROWS}
      return %0 : {ROWS}
    }}""",
    "weights": f"""func.func @main(%x: {ROWS}) -> tensor<?x7000xf32> {{
      %w = stablehlo.constant dense<"0x{WEIGHTS.tobytes().hex()}"> : tensor<3x7000xf32>
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : ({ROWS}, tensor<3x7000xf32>) -> tensor<?x7000xf32>
      return %0 : tensor<?x7000xf32>
    }}""",
    "mean": f"""func.func @main(%x: {ROWS}, %s: tensor<3xf32>) -> (tensor<3xf32>, tensor<?xi32>) {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
        : ({ROWS}, tensor<f32>) -> tensor<3xf32>
      %n = stablehlo.get_dimension_size %x, dim = 0 : ({ROWS}) -> tensor<i32>
      %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
      %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<3xf32>
      %1 = stablehlo.divide %0, %b : tensor<3xf32>
      %2 = stablehlo.multiply %1, %s : tensor<3xf32>
      %v = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
      %3 = stablehlo.dynamic_iota %v, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      return %2, %3 : tensor<3xf32>, tensor<?xi32>
    }}""",
    "twice the rows": f"""func.func @main(%x: {ROWS}, %y: {ROWS}) -> tensor<?x3xf32> {{
      %0 = stablehlo.concatenate %x, %y, dim = 0 : ({ROWS}, {ROWS}) -> tensor<?x3xf32>
      return %0 : tensor<?x3xf32>
    }}""",
}
# Calls the library with each batch; the first rows of the files are the arguments.
CALLER: Final = r"""
#include "library.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  library_instance *instance = library_create(NULL, 0);
  if (!instance) return puts(library_error());
  for (int64_t batch = 1; batch <= library_most_batch(); ++batch) {
    void *arguments[LIBRARY_ARGUMENT_COUNT], *results[LIBRARY_RESULT_COUNT];
    for (size_t i = 0; i < LIBRARY_ARGUMENT_COUNT; ++i) {
      char path[32];
      snprintf(path, sizeof path, "argument%zu.bin", i);
      FILE *file = fopen(path, "rb");
      const size_t bytes = library_batch_argument(batch, i)->bytes;
      arguments[i] = malloc(bytes);
      if (!file || fread(arguments[i], 1, bytes, file) != bytes) return puts("cannot read");
      fclose(file);
    }
    for (size_t i = 0; i < LIBRARY_RESULT_COUNT; ++i)
      results[i] = malloc(library_batch_result(batch, i)->bytes);
    if (library_call_batch(instance, batch, (const void *const *)arguments, results))
      return puts(library_error());
    for (size_t i = 0; i < LIBRARY_RESULT_COUNT; ++i) {
      char path[32];
      snprintf(path, sizeof path, "result%d.%zu.bin", (int)batch, i);
      FILE *file = fopen(path, "wb");
      fwrite(results[i], 1, library_batch_result(batch, i)->bytes, file);
      fclose(file);
      free(results[i]);
    }
    for (size_t i = 0; i < LIBRARY_ARGUMENT_COUNT; ++i) free(arguments[i]);
  }
  library_destroy(instance);
  return 0;
}
"""


def arguments_of(module: sm.Module) -> list[Array]:
    """Arguments of the largest batch."""
    generator = np.random.default_rng(0)
    shapes = [argument.type.shape for argument in module.entry().own_signature.arguments]
    sizes = [[MOST if size < 0 else size for size in shape] for shape in shapes]
    return [generator.standard_normal(shape).astype(np.float32) for shape in sizes]


def of_batch(arguments: Sequence[Array], batch: int) -> list[Array]:
    """The arguments of a batch: the first rows of those that have as many as the largest."""
    return [array[:batch] if len(array) == MOST else array for array in arguments]


@needs_cc
@pytest.mark.standard
@pytest.mark.parametrize("is_compiled_once", [True, False])
@pytest.mark.parametrize("name", PROGRAMS)
def test_each_batch_gives_the_bits_of_compile(
    name: str, is_compiled_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_compiled_once:
        monkeypatch.setattr(SizeVersions, "executable", lambda self, types: None)
    module = sm.parse(PROGRAMS[name])
    library = sm.build(module, tmp_path / "library")
    assert (library.weights is not None) == (name == "weights")
    source = tmp_path / "caller.c"
    source.write_text(CALLER)
    arguments = arguments_of(module)
    for number, array in enumerate(arguments):
        array.tofile(tmp_path / f"argument{number}.bin")
    output([compiled(source, library)], tmp_path)
    executable = sm.compile(module)
    for batch in range(1, MOST + 1):
        for number, result in enumerate(executable.run(of_batch(arguments, batch))):
            found = (tmp_path / f"result{batch}.{number}.bin").read_bytes()
            assert found == result.tobytes(), f"batch {batch}, result {number}"


@needs_cc
@pytest.mark.standard
def test_another_batch_is_an_error_and_shapes_say_what_is_open(tmp_path: Path) -> None:
    library = sm.build(PROGRAMS["twice the rows"], tmp_path / "library")
    source = tmp_path / "caller.c"
    source.write_text(r"""
#include "library.h"
#include <inttypes.h>
#include <stdio.h>

static void print(const library_value *value) {
  printf("%" PRId64 "x%" PRId64 " %zu\n", value->shape[0], value->shape[1], value->bytes);
}

int main(void) {
  const int64_t wrong[] = {0, 6, -1, INT64_MAX, INT64_MIN};
  library_instance *instance = library_create(NULL, 1);
  float x[15] = {0}, y[30];
  const void *arguments[] = {x, x + 0};
  void *results[] = {y};
  for (int i = 0; i < 5; ++i) {
    const int code = library_call_batch(instance, wrong[i], arguments, results);
    printf("%d %s %d\n", code, library_error(), library_batch_result(wrong[i], 0) == NULL);
  }
  printf("%d\n", library_call_batch(instance, 5, arguments, results));
  printf("%d\n", library_call(instance, arguments, results));
  printf("%d %" PRId64 "\n", LIBRARY_MOST_BATCH, library_most_batch());
  printf("%d\n", library_batch_argument(1, 2) == NULL && library_batch_result(1, 1) == NULL);
  print(library_argument(0));
  print(library_result(0));
  print(library_batch_argument(2, 1));
  print(library_batch_result(2, 0));
  library_destroy(instance);
  return 0;
}
""")
    said = output([compiled(source, library)], tmp_path).splitlines()
    message = f"1 the batch is {{}}, but this library takes 1 to {MOST} 1"
    wrong = [0, 6, -1, 2**63 - 1, -(2**63)]
    assert said[:5] == [message.format(batch) for batch in wrong]
    assert said[5:9] == ["0", "0", "5 5", "1"]
    assert said[9:] == ["-1x3 60", "-1x3 120", "2x3 24", "4x3 48"]


@needs_cc
@pytest.mark.standard
def test_two_static_libraries_with_batches_fit_into_one_program(tmp_path: Path) -> None:
    """Kernels of all batches have the same names in both."""
    module = sm.parse(PROGRAMS["rows"])
    libraries = [
        sm.build(module, tmp_path / name, name=name, static=True, batch=2) for name in ("a", "b")
    ]
    source = tmp_path / "both.c"
    source.write_text(r"""
#include "a.h"
#include "b.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  float x[6] = {1, 2, 3, 4, 5, 6}, y[6], z[6];
  const void *arguments[] = {x};
  a_instance *a = a_create(NULL, 1);
  b_instance *b = b_create(NULL, 1);
  a_call_batch(a, 2, arguments, (void *[]){y});
  b_call_batch(b, 2, arguments, (void *[]){z});
  printf("%d %d\n", memcmp(y, z, sizeof y), a_call_batch(a, 3, arguments, (void *[]){y}));
  a_destroy(a);
  b_destroy(b);
  return 0;
}
""")
    assert output([compiled(source, *libraries)], tmp_path) == "0 1\n"


@pytest.mark.parametrize(
    ("text", "options", "code", "message"),
    [
        (OPEN, [], 4, "--batch=8 builds it for up to 8 rows"),
        (PROGRAMS["rows"], ["--batch=6"], 2, "the batch 6 is larger than the bound 5"),
        (OPEN.replace("?", "3"), ["--batch=2"], 2, "main takes no batch: its sizes are static"),
        (OPEN, ["--batch=0"], 2, "0 is not in the range x>=1"),
    ],
)
def test_batches_that_do_not_go_with_the_types(
    text: str, options: list[str], code: int, message: str, tmp_path: Path
) -> None:
    program = tmp_path / "program.mlir"
    program.write_text(text)
    done = CliRunner().invoke(main, ["build", str(program), "-o", str(tmp_path / "x"), *options])
    assert (done.exit_code, done.stdout) == (code, "")
    assert message in done.stderr
