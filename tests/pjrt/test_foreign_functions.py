"""Native functions that are registered with ``jax.ffi``, compiled by the system's C compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = r"""
#include <stddef.h>
#include <string.h>
#include "xla/ffi/api/c_api.h"

static XLA_FFI_Error* failure(XLA_FFI_CallFrame* frame, const char* message) {
  XLA_FFI_Error_Create_Args a = {sizeof(a), NULL, message, XLA_FFI_Error_Code_INVALID_ARGUMENT};
  return frame->api->XLA_FFI_Error_Create(&a);
}

static int is_query(XLA_FFI_CallFrame* frame) {
  XLA_FFI_Extension_Base* extension = frame->extension_start;
  if (!extension || extension->type != XLA_FFI_Extension_Metadata) return 0;
  XLA_FFI_Metadata* metadata = ((XLA_FFI_Metadata_Extension*)extension)->metadata;
  metadata->api_version.major_version = XLA_FFI_API_MAJOR;
  metadata->api_version.minor_version = XLA_FFI_API_MINOR;
  return 1;
}

static void* attribute(XLA_FFI_CallFrame* frame, const char* name) {
  for (int i = 0; i < frame->attrs.size; i++)
    if (frame->attrs.names[i]->len == strlen(name) &&
        !memcmp(frame->attrs.names[i]->ptr, name, strlen(name)))
      return frame->attrs.attrs[i];
  return NULL;
}

/* x * factor + sum(offsets), in elements of 32-bit floats. */
XLA_FFI_Error* affine(XLA_FFI_CallFrame* frame) {
  if (is_query(frame)) return NULL;
  if (frame->stage != XLA_FFI_ExecutionStage_EXECUTE) return failure(frame, "wrong stage");
  XLA_FFI_Buffer* x = frame->args.args[0];
  XLA_FFI_Buffer* y = frame->rets.rets[0];
  if (x->dtype != XLA_FFI_DataType_F32 || x->rank != 2) return failure(frame, "f32 matrix wanted");
  XLA_FFI_Scalar* factor = attribute(frame, "factor");
  XLA_FFI_Array* offsets = attribute(frame, "offsets");
  XLA_FFI_ByteSpan* mode = attribute(frame, "mode");
  if (mode->len != 4 || memcmp(mode->ptr, "sums", 4)) return failure(frame, "unknown mode");
  float sum = 0;
  for (size_t i = 0; i < offsets->size; i++) sum += ((long long*)offsets->data)[i];
  long long count = x->dims[0] * x->dims[1];
  for (long long i = 0; i < count; i++)
    ((float*)y->data)[i] = ((float*)x->data)[i] * *(float*)factor->value + sum;
  return NULL;
}

/* The state that the first stage sets is what the last one adds. */
static int number = 40;
XLA_FFI_Error* instantiate(XLA_FFI_CallFrame* frame) {
  number++;
  XLA_FFI_TypeId id = {0};
  XLA_FFI_State_Set_Args a = {sizeof(a), NULL, frame->ctx, frame->stage, &id, &number};
  return frame->api->XLA_FFI_State_Set(&a);
}
XLA_FFI_Error* add_state(XLA_FFI_CallFrame* frame) {
  if (is_query(frame)) return NULL;
  XLA_FFI_TypeId id = {0};
  XLA_FFI_State_Get_Args a = {
      sizeof(a), NULL, frame->ctx, XLA_FFI_ExecutionStage_INSTANTIATE, &id, NULL};
  XLA_FFI_Error* error = frame->api->XLA_FFI_State_Get(&a);
  if (error) return error;
  XLA_FFI_Buffer* x = frame->args.args[0];
  XLA_FFI_Buffer* y = frame->rets.rets[0];
  *(float*)y->data = *(float*)x->data + *(int*)a.state;
  return NULL;
}

/* The original calling convention. */
void halves(void* out, const void** in) {
  for (int i = 0; i < 4; i++) ((float*)out)[i] = ((const float*)in[0])[i] / 2;
}
"""
PROGRAM = """
import ctypes, sys
import stablemate.pjrt; stablemate.pjrt.initialize()
import jax, jax.numpy as jnp, numpy as np
library = ctypes.CDLL(sys.argv[1])
def capsule(name): return jax.ffi.pycapsule(getattr(library, name))
jax.ffi.register_ffi_target("affine", capsule("affine"), platform="cpu")
jax.ffi.register_ffi_target(
    "with_state", {"instantiate": capsule("instantiate"), "execute": capsule("add_state")},
    platform="cpu",
)
jax.ffi.register_ffi_target("halves", capsule("halves"), platform="cpu", api_version=0)
x = jnp.arange(6, dtype=jnp.float32).reshape(2, 3)
shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
def affine(x, mode="sums", **options):
    call = jax.ffi.ffi_call("affine", jax.ShapeDtypeStruct(x.shape, x.dtype), **options)
    return call(x, factor=np.float32(2), offsets=np.array([1, 2], np.int64), mode=mode)
def message(function, *arguments):
    try:
        jax.block_until_ready(jax.jit(function)(*arguments))
    except jax.errors.JaxRuntimeError as error:
        return str(error)
"""
CASES = {
    "attributes": """
np.testing.assert_array_equal(jax.jit(affine)(x), np.asarray(x) * 2 + 3)
""",
    "aliases": """
f = jax.jit(lambda x: affine(x, input_output_aliases={0: 0}))
np.testing.assert_array_equal(f(x), np.asarray(x) * 2 + 3)
np.testing.assert_array_equal(x, np.arange(6).reshape(2, 3))
""",
    "batches and loops": """
f = jax.jit(lambda x: jax.lax.fori_loop(0, 3, lambda _, v: affine(v), x))
np.testing.assert_array_equal(f(x), np.asarray(x) * 8 + 21)
""",
    "errors": """
assert "f32 matrix wanted" in message(affine, jnp.zeros(3))
assert "unknown mode" in message(lambda x: affine(x, mode="none"), x)
np.testing.assert_array_equal(jax.jit(affine)(x), np.asarray(x) * 2 + 3)
""",
    "states": """
one = jax.ShapeDtypeStruct((), jnp.float32)
f = jax.jit(lambda v: jax.ffi.ffi_call("with_state", one)(v))
assert [float(f(jnp.float32(1))) for _ in range(2)] == [42, 42]
""",
    "the original convention": """
f = jax.ffi.ffi_call("halves", jax.ShapeDtypeStruct((4,), jnp.float32), custom_call_api_version=1)
np.testing.assert_array_equal(jax.jit(f)(jnp.arange(4.0)), np.arange(4) / 2)
""",
    "names that are not registered": """
assert message(jax.ffi.ffi_call("missing", shape), x).startswith(
    "NOT_FOUND: No FFI handler registered for missing on a platform Host"
)
""",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    ffi = pytest.importorskip("jax.ffi")
    directory = tmp_path_factory.mktemp("ffi")
    source, target = directory / "targets.c", directory / "targets.so"
    source.write_text(SOURCE)
    command = [compiler, "-shared", "-fPIC", "-I", ffi.include_dir(), str(source), "-o"]
    subprocess.run([*command, str(target)], check=True)
    return target


def test_foreign_functions(library: Path) -> None:
    cases = "".join(f"print({name!r}, file=sys.stderr){case}" for name, case in CASES.items())
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + cases, str(library)],
        env=os.environ | {"JAX_PLATFORMS": "stablemate"}, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
