"""Small programs that call a library: in C, C++, Rust (with a package of Cargo) and Python.

Each takes files with the bytes of arguments, in order; arguments without a file are zeros. It
writes the bytes of each result to ``result0.bin`` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template
from typing import Final

from stablemate.compiler.config.target import Target
from stablemate.deployment.c_compiler import LIBRARIES, is_own_system, usual_compiler
from stablemate.deployment.interface import LibraryInterface

C: Final = Template(r"""
/* $cc -O2 example.c -o example $link && ./example [FILE...]
   Each file has the bytes of an argument; the others are zeros. Writes result0.bin, ... */
#include "$name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *message) {
  fprintf(stderr, "%s\n", message);
  exit(1);
}

static void *memory(size_t bytes) {
  void *place = calloc(1, bytes ? bytes : 1);
  if (!place) fail("out of memory");
  return place;
}

static void fail_at(const char *path) {
  fprintf(stderr, "%s: %s\n", path, strerror(errno));
  exit(1);
}

static void read_file(const char *path, void *to, size_t bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) fail_at(path);
  size_t found = fread(to, 1, bytes, file);
  if (ferror(file)) fail_at(path);
  if (found != bytes || fgetc(file) != EOF) {
    const char *more = found == bytes ? "more than " : "";
    fprintf(stderr, "%s: it has %s%zu bytes, but the argument has %zu\n", path, more, found, bytes);
    exit(1);
  }
  fclose(file);
}

int main(int count, char **files) {
  void *arguments[${macro}_ARGUMENT_COUNT + 1], *results[${macro}_RESULT_COUNT + 1];
  if ((size_t)count > ${name}_argument_count() + 1) fail("more files than arguments");
  for (size_t i = 0; i < ${name}_argument_count(); ++i) {
    arguments[i] = memory(${name}_argument(i)->bytes);
    if (i + 1 < (size_t)count) read_file(files[i + 1], arguments[i], ${name}_argument(i)->bytes);
  }
  for (size_t i = 0; i < ${name}_result_count(); ++i)
    results[i] = memory(${name}_result(i)->bytes);

  ${name}_instance *instance = ${name}_create(NULL, 0);
  if (!instance) fail(${name}_error());
  if (${name}_call(instance, (const void *const *)arguments, results)) fail(${name}_error());
  ${name}_destroy(instance);

  for (size_t i = 0; i < ${name}_argument_count(); ++i) free(arguments[i]);
  for (size_t i = 0; i < ${name}_result_count(); ++i) {
    const ${name}_value *result = ${name}_result(i);
    char path[32];
    snprintf(path, sizeof path, "result%zu.bin", i);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(results[i], 1, result->bytes, file) != result->bytes || fclose(file))
      fail_at(path);
    printf("%s: %zu bytes of %s\n", path, result->bytes, result->element_type);
    free(results[i]);
  }
  return 0;
}
""")

CPP: Final = Template(r"""
// $cxx -std=c++17 -O2 example.cpp -o example $link
// ./example [FILE...]
// Each file has the bytes of an argument; the others are zeros. Writes result0.bin, ...
#include "$name.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<char>;

class Model {
 public:
  explicit Model(int threads = 0) : instance_(${name}_create(nullptr, threads), ${name}_destroy) {
    if (!instance_) throw std::runtime_error(${name}_error());
  }

  std::vector<Bytes> operator()(const std::vector<Bytes> &arguments) {
    std::vector<const void *> addresses;
    for (const Bytes &argument : arguments) addresses.push_back(argument.data());
    std::vector<Bytes> results;
    for (size_t i = 0; i < ${name}_result_count(); ++i)
      results.emplace_back(${name}_result(i)->bytes);
    std::vector<void *> targets;
    for (Bytes &result : results) targets.push_back(result.data());
    addresses.push_back(nullptr);
    targets.push_back(nullptr);
    if (${name}_call(instance_.get(), addresses.data(), targets.data()))
      throw std::runtime_error(${name}_error());
    return results;
  }

 private:
  std::unique_ptr<${name}_instance, decltype(&${name}_destroy)> instance_;
};

std::runtime_error file_error(const std::string &path) {
  return std::runtime_error(path + ": " + std::strerror(errno));
}

Bytes read_file(const std::string &path, size_t bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw file_error(path);
  Bytes content((std::istreambuf_iterator<char>(file)), {});
  if (file.bad()) throw file_error(path);
  if (content.size() != bytes)
    throw std::runtime_error(path + ": it has " + std::to_string(content.size()) +
                             " bytes, but the argument has " + std::to_string(bytes));
  return content;
}

}  // namespace

int main(int count, char **files) try {
  const size_t given = static_cast<size_t>(count) - 1;
  if (given > ${name}_argument_count()) throw std::runtime_error("more files than arguments");
  std::vector<Bytes> arguments;
  for (size_t i = 0; i < ${name}_argument_count(); ++i) {
    const size_t bytes = ${name}_argument(i)->bytes;
    arguments.push_back(i < given ? read_file(files[i + 1], bytes) : Bytes(bytes));
  }
  const std::vector<Bytes> results = Model()(arguments);
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string path = "result" + std::to_string(i) + ".bin";
    std::ofstream file(path, std::ios::binary);
    file.write(results[i].data(), static_cast<std::streamsize>(results[i].size()));
    file.close();
    if (!file) throw file_error(path);
    std::cout << path << ": " << results[i].size() << " bytes of "
              << ${name}_result(i)->element_type << "\n";
  }
} catch (const std::exception &error) {
  std::cerr << error.what() << "\n";
  return 1;
}
""")

RUST: Final = Template(r"""
// cargo run --release -- [FILE...]
// or rustc -O example.rs -L . $rust_options && ./example [FILE...]
// Each file has the bytes of an argument; the others are zeros. Writes result0.bin, ...
use std::ffi::{c_char, c_int, c_void, CStr, CString};

// Set by build.rs if the weights are neither in the library nor beside it.
const WEIGHTS: Option<&str> = option_env!("WEIGHTS");

#[repr(C)]
struct Value {
    name: *const c_char,
    element_type: *const c_char,
    rank: usize,
    shape: *const i64,
    bytes: usize,
    alignment: usize,
}

#[link(name = "$name"$link_kind)]
extern "C" {
    fn ${name}_create(weights: *const c_char, threads: c_int) -> *mut c_void;
    fn ${name}_call(
        instance: *mut c_void,
        arguments: *const *const c_void,
        results: *const *mut c_void,
    ) -> c_int;
    fn ${name}_destroy(instance: *mut c_void);
    fn ${name}_error() -> *const c_char;
    fn ${name}_argument_count() -> usize;
    fn ${name}_result_count() -> usize;
    fn ${name}_argument(number: usize) -> *const Value;
    fn ${name}_result(number: usize) -> *const Value;
}

/// The program with memory of its own; `&mut` keeps calls apart.
struct Model(*mut c_void);

unsafe impl Send for Model {}

fn failure() -> String {
    unsafe { CStr::from_ptr(${name}_error()) }.to_string_lossy().into_owned()
}

/// Bytes that are aligned for every element type.
struct Tensor {
    words: Vec<u64>,
    bytes: usize,
}

impl Tensor {
    fn zeros(bytes: usize) -> Tensor {
        Tensor { words: vec![0; bytes.div_ceil(8)], bytes }
    }

    fn bytes(&self) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.bytes) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.bytes) }
    }
}

impl Model {
    fn new(threads: c_int) -> Result<Model, String> {
        let path = WEIGHTS.map(|path| CString::new(path).expect("a path"));
        let weights = path.as_ref().map_or(std::ptr::null(), |path| path.as_ptr());
        let instance = unsafe { ${name}_create(weights, threads) };
        if instance.is_null() { Err(failure()) } else { Ok(Model(instance)) }
    }

    fn call(&mut self, arguments: &[Tensor]) -> Result<Vec<Tensor>, String> {
        let addresses: Vec<_> =
            arguments.iter().map(|tensor| tensor.words.as_ptr().cast::<c_void>()).collect();
        let mut results: Vec<_> = (0..unsafe { ${name}_result_count() })
            .map(|i| Tensor::zeros(unsafe { (*${name}_result(i)).bytes }))
            .collect();
        let targets: Vec<_> =
            results.iter_mut().map(|tensor| tensor.words.as_mut_ptr().cast::<c_void>()).collect();
        let failed = unsafe { ${name}_call(self.0, addresses.as_ptr(), targets.as_ptr()) };
        if failed != 0 { Err(failure()) } else { Ok(results) }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        unsafe { ${name}_destroy(self.0) }
    }
}

fn main() -> Result<(), String> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let count = unsafe { ${name}_argument_count() };
    if files.len() > count {
        return Err("more files than arguments".into());
    }
    let mut arguments = Vec::new();
    for i in 0..count {
        let mut tensor = Tensor::zeros(unsafe { (*${name}_argument(i)).bytes });
        if let Some(path) = files.get(i) {
            let content = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
            if content.len() != tensor.bytes {
                return Err(format!("{path} does not have {} bytes", tensor.bytes));
            }
            tensor.bytes_mut().copy_from_slice(&content);
        }
        arguments.push(tensor);
    }
    for (i, result) in Model::new(0)?.call(&arguments)?.iter().enumerate() {
        let path = format!("result{i}.bin");
        std::fs::write(&path, result.bytes()).map_err(|error| format!("{path}: {error}"))?;
        let element = unsafe { CStr::from_ptr((*${name}_result(i)).element_type) };
        println!("{path}: {} bytes of {}", result.bytes, element.to_string_lossy());
    }
    Ok(())
}
""")

PYTHON: Final = Template(r'''"""python example.py [FILE...]

Each file has the bytes of an argument; the others are zeros. Writes result0.bin, ...
"""

import ctypes
import sys
from pathlib import Path


class Value(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("element_type", ctypes.c_char_p),
        ("rank", ctypes.c_size_t),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("bytes", ctypes.c_size_t),
        ("alignment", ctypes.c_size_t),
    ]


library = ctypes.CDLL(str(Path(__file__).resolve().parent / "lib$name.so"))
library.${name}_create.argtypes = [ctypes.c_char_p, ctypes.c_int]
library.${name}_create.restype = ctypes.c_void_p
library.${name}_call.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
library.${name}_destroy.argtypes = [ctypes.c_void_p]
library.${name}_destroy.restype = None
library.${name}_error.restype = ctypes.c_char_p
for kind in ("argument", "result"):
    getattr(library, f"${name}_{kind}_count").restype = ctypes.c_size_t
    getattr(library, f"${name}_{kind}").argtypes = [ctypes.c_size_t]
    getattr(library, f"${name}_{kind}").restype = ctypes.POINTER(Value)


def values(kind):
    """The arguments or the results."""
    count = getattr(library, f"${name}_{kind}_count")()
    return [getattr(library, f"${name}_{kind}")(number)[0] for number in range(count)]


def memory(value):
    """Zeros, aligned for every element type."""
    return (ctypes.c_uint64 * max(-(-value.bytes // 8), 1))()


def addresses(buffers):
    """The list of addresses that the library takes."""
    return (ctypes.c_void_p * (len(buffers) + 1))(*map(ctypes.addressof, buffers))


def main(files):
    if len(files) > len(values("argument")):
        sys.exit("more files than arguments")
    arguments = [memory(value) for value in values("argument")]
    for path, value, buffer in zip(files, values("argument"), arguments):
        content = Path(path).read_bytes()
        if len(content) != value.bytes:
            sys.exit(f"{path} does not have {value.bytes} bytes")
        ctypes.memmove(buffer, content, value.bytes)
    results = [memory(value) for value in values("result")]
    instance = library.${name}_create(None, 0)
    if not instance:
        sys.exit(library.${name}_error().decode())
    if library.${name}_call(instance, addresses(arguments), addresses(results)):
        sys.exit(library.${name}_error().decode())
    library.${name}_destroy(instance)
    for number, (value, buffer) in enumerate(zip(values("result"), results)):
        path = Path(f"result{number}.bin")
        path.write_bytes(bytes(buffer)[: value.bytes])
        print(f"{path}: {value.bytes} bytes of {value.element_type.decode()}")


main(sys.argv[1:])
''')

CARGO: Final = Template("""
[package]
name = "${name}_example"
version = "0.0.0"
edition = "2021"
build = "build.rs"

[[bin]]
name = "example"
path = "example.rs"

[workspace]
""")

CARGO_SCRIPT: Final = Template("""
// Tells Cargo where the library is.
fn main() {
    let directory = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    println!("cargo:rustc-link-search=native={directory}");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{directory}");
$set_weights}
""")

TEMPLATES: Final[Mapping[str, Template]] = {
    "example.c": C,
    "example.cpp": CPP,
    "example.rs": RUST,
    "example.py": PYTHON,
    "Cargo.toml": CARGO,
    "build.rs": CARGO_SCRIPT,
}


def example_texts(interface: LibraryInterface, target: Target, *, static: bool) -> dict[str, str]:
    """The examples of a library, by the names of their files.

    Args:
        interface: The library.
        target: The machine that it is for.
        static: Whether it is static; Python cannot load a static library.
    """
    words = {
        "name": interface.name,
        "macro": interface.name.upper(),
        **commands(interface.name, target, static=static),
        "set_weights": set_weights(interface) if static else "",
    }
    return {
        name: template.substitute(words).lstrip()
        for name, template in TEMPLATES.items()
        if not (static and template is PYTHON)
    }


def set_weights(interface: LibraryInterface) -> str:
    """The line of ``build.rs`` for weights that are not beside the program."""
    if not interface.weights:
        return ""
    return f'    println!("cargo:rustc-env=WEIGHTS={{directory}}/{interface.weights}");\n'


def commands(name: str, target: Target, *, static: bool) -> dict[str, str]:
    """The parts of the commands that compile the examples."""
    origin = "-Wl,-rpath,'$ORIGIN'"
    rust_options = [] if static else [f"-C link-arg={origin}"]
    cc = usual_compiler(target)
    if not is_own_system(target):
        rust_options += [f"--target {target.triple}", f"-C linker={cc}"]
    return {
        "cc": cc,
        "cxx": "c++" if is_own_system(target) else cc.removesuffix("gcc") + "g++",
        "link": f"lib{name}.a {' '.join(LIBRARIES)}" if static else f"-L. -l{name} {origin}",
        "link_kind": ', kind = "static"' if static else "",
        "rust_options": " ".join(rust_options),
    }
