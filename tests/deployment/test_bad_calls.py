"""Mistakes of the caller are errors with a text; instances work side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from tests.deployment.native_libraries import compiled, needs_cc, output

ADD: Final = """
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = stablehlo.add %x, %y : tensor<64xf32>
  %1 = stablehlo.multiply %x, %y : tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}
"""
DOT: Final = """
func.func @main(%x: tensor<256x256xf32>, %y: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
"""
HEAD: Final = r"""
#define _GNU_SOURCE
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "m.h"
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/wait.h>
static float x[64], y[64], sum[64], product[65];
static void call(m_instance *instance, const void *const *arguments, void *const *results) {
  int failed = m_call(instance, arguments, results);
  printf("%d %s\n", failed, failed ? m_error() : "");
}
"""


def printed(program: str, text: str, directory: Path) -> str:
    """What the C program prints that calls a program as ``m``."""
    library = sm.build(program, directory / "m")
    source = directory / "calls.c"
    source.write_text(HEAD + "int main(void) {" + text + "  return 0;\n}\n")
    return output([compiled(source, library)], directory)


@needs_cc
def test_every_bad_call_says_what_is_wrong(tmp_path: Path) -> None:
    text = r"""
        const void *good[] = {x, y}, *null[] = {x, NULL}, *odd[] = {(char *)x + 1, y};
        void *results[] = {sum, product}, *same[] = {sum, sum}, *in_place[] = {sum, x};
        void *touching[] = {sum, (char *)sum + 252}, *none[] = {NULL, product};
        void *odd_result[] = {sum, (char *)product + 2};
        m_instance *instance = m_create(NULL, 2);
        printf("%d %s\n", m_threads(instance), m_error());
        call(instance, good, results);
        call(NULL, good, results);
        call(instance, NULL, results);
        call(instance, good, NULL);
        call(instance, null, results);
        call(instance, odd, results);
        call(instance, good, none);
        call(instance, good, odd_result);
        call(instance, good, same);
        call(instance, good, in_place);
        call(instance, good, touching);
        x[3] = 5; y[3] = 2;
        call(instance, good, results);
        printf("%g %g\n", sum[3], product[3]);
        m_destroy(instance);
        m_destroy(NULL);
        printf("%d %s\n", m_create(NULL, -1) == NULL, m_error());
        printf("%d %s\n", m_create("elsewhere", 1) == NULL, m_error());
        printf("%d\n", m_threads(NULL));
    """
    lists = "1 the list of arguments or of results is NULL"
    overlap = "1 the memory of result 1 overlaps that of an argument or of another result"
    assert printed(ADD, text, tmp_path).splitlines() == [
        "1 ",  # this program has no work for a second thread
        "0 ",
        "1 the instance is NULL",
        lists,
        lists,
        "1 argument 1 (arg1) is NULL",
        "1 the address of argument 0 (arg0) is not a multiple of its alignment",
        "1 result 0 is NULL",
        "1 the address of result 1 is not a multiple of its alignment",
        overlap,
        overlap,
        overlap,
        "0 ",
        "7 10",
        "1 an instance cannot have a negative number of threads",
        "1 weights must be NULL, because this library contains them, but are elsewhere",
        "0",
    ]


@needs_cc
def test_weights_are_those_of_the_library(tmp_path: Path) -> None:
    """They are beside the library or where the caller says; any other file is refused."""
    numbers = ", ".join(str(i) for i in range(20000))
    program = (
        "func.func @main(%x: tensor<20000xi32>) -> tensor<20000xi32> {"
        f" %0 = stablehlo.constant dense<[{numbers}]> : tensor<20000xi32>"
        " %1 = stablehlo.add %0, %x : tensor<20000xi32> return %1 : tensor<20000xi32> }"
    )
    text = r"""
        static int a[20000], b[20000];
        const void *arguments[] = {a};
        void *results[] = {b};
        const char *paths[] = {NULL, "copy", "missing", "short", "other", "changed", "", NULL};
        for (int i = 0; i < 8; ++i) {
          if (i == 7) remove("m/m.weights");
          m_instance *instance = m_create(paths[i], 1);
          if (!instance) { printf("%s\n", m_error()); continue; }
          if (i == 1) { rename("copy", "moved"); }
          b[19999] = 0;
          a[19999] = 1;
          call(instance, arguments, results);
          printf("%d\n", b[19999]);
          m_destroy(instance);
        }
    """
    library = sm.build(program, tmp_path / "m")
    assert library.weights is not None
    content = library.weights.read_bytes()
    assert content.startswith(b"stablemate weights 1\n")
    (tmp_path / "copy").write_bytes(content)
    (tmp_path / "short").write_bytes(content[:100])
    (tmp_path / "other").write_bytes(content[:40] + bytes([content[40] ^ 1]) + content[41:])
    (tmp_path / "changed").write_bytes(content[:-70] + bytes([content[-70] ^ 1]) + content[-69:])
    size = len(content)
    assert printed(program, text, tmp_path).splitlines() == [
        "0 ",
        "20000",
        "0 ",
        "20000",
        f"cannot read the weights, {size} bytes, in missing: No such file or directory",
        f"short is not the file of {size} bytes that was built with this library",
        f"other is not the file of {size} bytes that was built with this library",
        "changed is damaged: its constants are not those of this library",
        f"cannot read the weights, {size} bytes, in : No such file or directory",
        f"cannot read the weights, {size} bytes, in {tmp_path}/m/m.weights: "
        "No such file or directory",
    ]


@pytest.mark.standard
@needs_cc
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_two_instances_run_in_two_threads(threads: int, tmp_path: Path) -> None:
    """Each computes its own products 200 times; sums of squares are exact in 32 bits."""
    text = (
        r"""
        pthread_t other;
        long seeds[] = {1, 2};
        pthread_create(&other, NULL, work, &seeds[0]);
        work(&seeds[1]);
        pthread_join(other, NULL);
        printf("%d\n", wrong);
    """
    ).strip()
    library = sm.build(DOT, tmp_path / "m")
    source = tmp_path / "threads.c"
    work = rf"""
static _Atomic int wrong;
static void *work(void *seed) {{
  float *a = malloc(4 << 16), *b = malloc(4 << 16), *c = malloc(4 << 16);
  const void *arguments[] = {{a, b}};
  void *results[] = {{c}};
  m_instance *instance = m_create(NULL, {threads});
  if (!instance || m_threads(instance) != {threads}) ++wrong;
  for (int round = 0; round < 200; ++round) {{
    float value = (float)(*(long *)seed + round);
    for (int i = 0; i < 1 << 16; ++i) {{ a[i] = value; b[i] = 1; c[i] = 0; }}
    if (m_call(instance, arguments, results)) ++wrong;
    for (int i = 0; i < 1 << 16; ++i) wrong += c[i] != 256 * value;
  }}
  m_destroy(instance);
  free(a); free(b); free(c);
  return NULL;
}}
"""
    source.write_text(HEAD + work + "int main(void) { " + text + " return 0; }")
    assert output([compiled(source, library)], tmp_path) == "0\n"


@needs_cc
def test_an_instance_runs_one_call_at_a_time(tmp_path: Path) -> None:
    """A second thread that calls it either waited long enough or is told; nothing is garbled."""
    work = r"""
static m_instance *shared;
static _Atomic int refused, wrong, done;
static void *work(void *unused) {
  float *a = malloc(4 << 16), *b = malloc(4 << 16), *c = malloc(4 << 16);
  const void *arguments[] = {a, b};
  void *results[] = {c};
  for (int i = 0; i < 1 << 16; ++i) { a[i] = 3; b[i] = 1; }
  for (int round = 0; round < 2000 && !(refused && round > 50); ++round) {
    if (m_call(shared, arguments, results)) {
      ++refused;
      wrong += strcmp(m_error(), "another thread is calling this instance; create one instance for "
                                 "each thread") != 0;
    } else {
      ++done;
      for (int i = 0; i < 1 << 16; ++i) wrong += c[i] != 768;
    }
  }
  free(a); free(b); free(c);
  return unused;
}
"""
    text = r"""
  pthread_t other;
  shared = m_create(NULL, 1);
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
  m_destroy(shared);
  printf("%d %d %d\n", wrong, refused > 0, done > 0);
"""
    library = sm.build(DOT, tmp_path / "m")
    source = tmp_path / "shared.c"
    source.write_text(HEAD + work + "int main(void) {" + text + " return 0; }")
    assert output([compiled(source, library)], tmp_path) == "0 1 1\n"


@needs_cc
def test_workers_end_with_the_last_instance_and_start_again(tmp_path: Path) -> None:
    """The threads of the process are counted; a forked child works without them."""
    text = r"""
  float *a = malloc(4 << 16), *b = malloc(4 << 16), *c = malloc(4 << 16);
  const void *arguments[] = {a, b};
  void *results[] = {c};
  for (int i = 0; i < 1 << 16; ++i) { a[i] = 1; b[i] = 2; }
  for (int round = 0; round < 3; ++round) {
    m_instance *one = m_create(NULL, 2), *other = m_create(NULL, 4);
    printf("%d ", threads());
    if (m_call(one, arguments, results) || m_call(other, arguments, results)) return 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      c[9] = 0;
      if (m_call(other, arguments, results) || c[9] != 512) _exit(1);
      m_instance *own = m_create(NULL, 2);
      c[9] = 0;
      if (m_call(own, arguments, results) || c[9] != 512) _exit(2);
      m_destroy(own);
      m_destroy(other);
      _exit(threads() == 1 ? 0 : 3);
    }
    int status;
    waitpid(child, &status, 0);
    printf("%d ", status);
    m_destroy(one);
    printf("%d ", threads());
    m_destroy(other);
    printf("%d\n", threads());
  }
"""
    count = r"""
static int threads(void) {
  char line[256];
  int count = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, file)) sscanf(line, "Threads: %d", &count);
  fclose(file);
  return count;
}
"""
    library = sm.build(DOT, tmp_path / "m")
    source = tmp_path / "workers.c"
    source.write_text(HEAD + count + "int main(void) {" + text + " return 0; }")
    assert output([compiled(source, library)], tmp_path) == "4 0 4 1\n" * 3
