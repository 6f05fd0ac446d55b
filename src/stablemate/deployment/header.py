"""The C header of a library."""

from __future__ import annotations

from string import Template
from typing import Final

from stablemate.deployment.interface import CValue, LibraryInterface

# How C sees an element; of other types it sees the bytes.
C_TYPES: Final = {
    "f64": "double",
    "f32": "float",
    "i64": "int64_t",
    "i32": "int32_t",
    "i16": "int16_t",
    "i8": "int8_t",
    "ui64": "uint64_t",
    "ui32": "uint32_t",
    "ui16": "uint16_t",
    "ui8": "uint8_t",
    "i1": "uint8_t, 0 or 1",
    "complex<f32>": "float _Complex",
    "complex<f64>": "double _Complex",
    "index": "int64_t",
    "bf16": "uint16_t, the upper half of a float",
    "f16": "uint16_t, the bits of a binary16",
}

HEADER: Final = Template("""\
/* Calls the function $function, which stablemate compiled into the library $name.

$table

   Tensors are contiguous, row by row; the element is the C type after the colon. Elements of fewer
   than 8 bits take a byte each. */

#ifndef $guard
#define $guard

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ${macro}_ARGUMENT_COUNT $arguments
#define ${macro}_RESULT_COUNT $results

/* An argument or a result. */
typedef struct ${name}_value {
  const char *name;         /* what the program calls it; may be empty */
  const char *element_type; /* as StableHLO writes it: f32, i64, ... */
  size_t rank;              /* the number of dimensions */
  const int64_t *shape;     /* the sizes of the dimensions$open_sizes */
  size_t bytes;             /* its size$largest */
  size_t alignment;         /* its address is a multiple of this */
} ${name}_value;

/* The program with memory of its own. It runs one call at a time; threads that call at the same
   time need an instance each. */
typedef struct ${name}_instance ${name}_instance;

/* Creates an instance.
   weights: $weights
   threads: how many threads may work for a call; 0: one for each processor. Results do not depend
   on it. Instances share their workers.
   If the environment variable STABLEMATE_TRACE names a file or a folder, the kernels of all calls
   are written there when the last instance is destroyed or the process ends, for Perfetto.
   Returns NULL if it fails; see ${name}_error. */
${name}_instance *${name}_create(const char *weights, int threads);

/* Runs the program$with_most.
   arguments: the address of each argument, in order. They are not changed.
   results: the address of memory for each result, in order. It overlaps no other memory here.
   Returns 0, or 1 if it fails; see ${name}_error. The thread needs 2 MiB of stack. */
int ${name}_call(${name}_instance *instance, const void *const *arguments, void *const *results);

/* Destroys an instance that no thread is calling. NULL is allowed. */
void ${name}_destroy(${name}_instance *instance);

/* The number of threads that may work for a call of an instance. */
int ${name}_threads(const ${name}_instance *instance);

/* Why the last function that failed in this thread did; empty if none has. */
const char *${name}_error(void);

/* The arguments and results. NULL if there are not that many. */
size_t ${name}_argument_count(void);
size_t ${name}_result_count(void);
const ${name}_value *${name}_argument(size_t number);
const ${name}_value *${name}_result(size_t number);
$batches
#ifdef __cplusplus
}
#endif

#endif
""")

BATCHES: Final = Template("""
/* The open sizes (-1 in shapes) are the batch: from 1 to this number. */
#define ${macro}_MOST_BATCH $most
int64_t ${name}_most_batch(void);

/* Runs the program with a batch, as ${name}_call does; another batch is an error. */
int ${name}_call_batch(${name}_instance *instance, int64_t batch, const void *const *arguments,
                       void *const *results);

/* The arguments and results of a batch, without open sizes. NULL if there is no such batch or not
   that many. */
const ${name}_value *${name}_batch_argument(int64_t batch, size_t number);
const ${name}_value *${name}_batch_result(int64_t batch, size_t number);
""")


def header_text(interface: LibraryInterface) -> str:
    """The header of a library."""
    weights = (
        f"the path of {interface.weights}; NULL if it is beside the library, or beside the\n"
        "   program if that contains the library."
        if interface.weights
        else "NULL; this library contains its constants."
    )
    macro, most = interface.name.upper(), len(interface.programs)
    words = {"name": interface.name, "macro": macro, "most": most}
    has_batches = interface.has_batches
    return HEADER.substitute(
        words,
        open_sizes="; -1: the batch decides" if has_batches else "",
        largest=" in the largest batch" if has_batches else "",
        with_most=f" with the largest batch, {most}" if has_batches else "",
        batches=BATCHES.substitute(words) if has_batches else "",
        function=comment(interface.function),
        guard=f"{macro}_H",
        table=table(interface),
        weights=weights,
        arguments=len(interface.arguments),
        results=len(interface.results),
    )


def table(interface: LibraryInterface) -> str:
    """The arguments and results, one a line."""
    lines = [f"   {line_of(value)}" for value in interface.values]
    return "\n".join(lines) or "   It has no arguments and no results."


def line_of(value: CValue) -> str:
    """An argument or a result, its type, and the C type of its elements."""
    element = C_TYPES.get(value.element_type, f"{value.alignment} bytes an element")
    return f"{comment(value.label)}: {comment(value.type)}: {element}"


def comment(text: str) -> str:
    """A text that does not end a comment of C, C++, Rust or Python."""
    return "".join(c if c.isprintable() else "?" for c in text).replace("*/", "*\\/")
