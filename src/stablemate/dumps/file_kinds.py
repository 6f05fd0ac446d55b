"""Kinds of files in dump folders, recognized by their names.

Source: the names that XLA's ``dump.cc``, JAX's ``jax_dump_ir_to`` and IREE's
``--dump-compilation-phases-to`` give, as folders that they wrote show them.
"""

from __future__ import annotations

import re
from typing import Final

from stablemate.deferred_dataclasses import dataclass

MODULE: Final = re.compile(r"module_(\d{1,9})(?:\.(.*))?", re.DOTALL)
PROGRAM_SUFFIX: Final = re.compile(r"(?:\.hlo)?\.(?:txt|pb|hlo)(?:\.gz)?")
# What XLA's compilers call the device, before the name of a stage.
DEVICE: Final = r"(?:(?P<device>(?:sm_\d+(?:\.\d+)?[a-z]?_|gfx\w+?_)?(?:cpu|gpu|tpu))_)?"
STAGE: Final = re.compile(
    rf"(?:(?P<name>.*?)\.)?(?P<stage>before_optimizations|{DEVICE}(?:after_optimizations"
    r"(?:_(?:before|after)_buffer_assignment)?|after_codegen))"
)
PASS: Final = re.compile(
    r"(?:(?P<name>.*?)\.)?(?P<number>\d{4,9})\.(?P<pipeline>[^.]+)"
    r"\.after_(?P<after>.+?)(?:\.before_(?P<before>.+))?"
)
JAX_PROGRAM: Final = re.compile(r"jax_ir(\d{1,9})_(.*?)(?:_compile)?\.mlir")
JAX_FILE: Final = re.compile(r"jax_(\d{1,9})_(.*?)\.(jaxpr\.txt|eqn_count_pprof)")
IREE_PHASE: Final = re.compile(r"(.+)\.(\d{1,3})\.([a-z][a-z-]*)\.mlir")
IREE_INPUTS: Final = frozenset({"input"})  # phases whose program may be StableHLO


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file.

    Attributes:
        name: A word for JSON, such as ``llvm``.
        title: What it is, for people: ``LLVM IR``.
    """

    name: str
    title: str


PROGRAM: Final = FileKind("program", "program")
PASS_PROGRAM: Final = FileKind("pass", "program between two passes")
BUFFERS: Final = FileKind("buffers", "buffer assignment")
MEMORY: Final = FileKind("memory", "report of the use of memory")
THUNKS: Final = FileKind("thunks", "schedule of thunks")
JAXPR: Final = FileKind("jaxpr", "jaxpr of JAX")
IREE: Final = FileKind("iree", "phase of IREE's compiler")
SAVED_TENSORS: Final = FileKind("saved_tensors", "graphs that PyTorch/XLA saved")
TORCH_REPORT: Final = FileKind("torch_report", "compilation report of PyTorch/XLA")
LLVM: Final = FileKind("llvm", "LLVM IR")
OBJECT: Final = FileKind("object", "object file")
PTX: Final = FileKind("ptx", "PTX assembly")
OPTIONS: Final = FileKind("options", "compiler options")
PICTURE: Final = FileKind("picture", "picture of a graph")
LINK: Final = FileKind("link", "link out of the folder")
SPECIAL: Final = FileKind("special", "pipe or device")
UNKNOWN: Final = FileKind("unknown", "file of no known kind")

# The ends of names of files that hold no program. The first that fits counts.
ENDINGS: Final = tuple(
    (re.compile(rf"(?:{pattern})\Z", re.DOTALL), kind)
    for pattern, kind in (
        (r"-buffer-assignment-values\.txt", FileKind("values", "values of buffers")),
        (r"-buffer-assignment\.txt", BUFFERS),
        (r"-memory-usage-report\.txt", MEMORY),
        (r"-memory-usage-report\.pb", FileKind("memory_proto", "report of the use of memory")),
        (r"-live-range\.txt", FileKind("live_ranges", "live ranges of values")),
        (r"\bthunk_sequence\w*\.txt|\bthunk_graph\w*\.txt", THUNKS),
        (r"\bthunk_(?:metadata|buffers)\w*\.\w+", FileKind("thunk_facts", "facts about thunks")),
        (r"\.ll", LLVM),
        (r"\.bc", FileKind("bitcode", "LLVM bitcode")),
        (r"\.o", OBJECT),
        (r"\.ptx", PTX),
        (r"\.(?:cubin|hsaco|fatbin)", FileKind("gpu_binary", "binary code of a GPU")),
        (r"\.(?:s|asm|sass|amdgcn)", FileKind("assembly", "assembly")),
        (r"\.(?:ttir|ttgir|ttnvgir)(?:\.txt|\.mlir)?", FileKind("triton", "Triton's IR")),
        (r"snapshot(?:\.-?\d+)?\.(?:pb|txt)", FileKind("snapshot", "program with its arguments")),
        (
            r"\bdebug_options|\bexecution_options\.txt|\.flagfile|\bhlo_module_config\.txt"
            r"|\btarget_arguments\.txt|\btpu_comp_env\.txt|\bcompile_options\.(?:pb|textproto)"
            r"|\bhlo_execution_profile_data|\bconfig\.pbtxt|\bgpu_target_config\.pbtxt",
            OPTIONS,
        ),
        (r"\btopology\.(?:pb|textproto)", FileKind("topology", "topology of the devices")),
        (r"\bautotune_results\.pbtxt", FileKind("autotuning", "results of autotuning")),
        (r"\.(?:dot|html|svg|url)", PICTURE),
        (r"\.(?:log|csv)", FileKind("log", "log")),
        (r"\.vmfb", FileKind("vmfb", "compiled program of IREE")),
        (r"\.npy|\.npz|\.safetensors", FileKind("arrays", "arrays")),
    )
)
# The ends of names of files that hold a program, wherever they are.
PROGRAM_ENDINGS: Final = (
    ".mlir", ".mlirbc", ".hlo", ".hlo.pb", ".hlo.txt", ".stablehlo", ".bytecode", ".pt2", ".onnx",
    ".jax_export",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FileName:
    """The module, number and kind that the name of a file states.

    Attributes:
        kind: What it holds.
        producer: ``XLA``, ``JAX``, ``PyTorch/XLA`` or ``IREE``; empty if the name says nothing.
        number: The number of its module; None if the name has none.
        module: The name of its module; empty if only names of other files tell where it ends.
        rest: What follows the number of the module.
        stage: The stage of the program, such as ``before_optimizations``.
        order: The number of a pass or phase among those of its module.
    """

    kind: FileKind
    producer: str = ""
    number: int | None = None
    module: str = ""
    rest: str = ""
    stage: str = ""
    order: int | None = None


def file_name_of(name: str) -> FileName:
    """The module, number and kind that the name of a file states.

    Args:
        name: The name, without its folder.
    """
    if found := MODULE.fullmatch(name):
        return xla_name(int(found[1]), found[2] or "")
    if found := JAX_PROGRAM.fullmatch(name):
        return FileName(PROGRAM, "JAX", int(found[1]), found[2], stage="StableHLO")
    if found := JAX_FILE.fullmatch(name):
        kind = JAXPR if found[3].startswith("jaxpr") else FileKind("pprof", "profile of a jaxpr")
        return FileName(kind, "JAX", int(found[1]), found[2])
    if found := IREE_PHASE.fullmatch(name):
        kind = PROGRAM if found[3] in IREE_INPUTS else IREE
        return FileName(kind, "IREE", None, found[1], stage=found[3], order=int(found[2]))
    return FileName(kind_by_ending(name))


def xla_name(number: int, rest: str) -> FileName:
    """Parses the name of a file of XLA.

    Args:
        number: The number of its module.
        rest: What follows it.
    """
    stem = program_stem(rest)
    if stem and (found := PASS.fullmatch(stem)):
        stage = f"after {found['after']}"
        name = found["name"] or ""
        return FileName(PASS_PROGRAM, "XLA", number, name, rest, stage, int(found["number"]))
    if stem and (found := STAGE.fullmatch(stem)):
        return FileName(PROGRAM, "XLA", number, found["name"] or "", rest, found["stage"])
    for ending in ("-buffer-assignment.txt", "-memory-usage-report.txt"):
        if rest.endswith(ending) and (found := STAGE.fullmatch(rest.removesuffix(ending))):
            return FileName(kind_by_ending(rest), "XLA", number, found["name"] or "", rest)
    return FileName(kind_by_ending(rest), "XLA", number, "", rest)


def program_stem(name: str) -> str:
    """The name of a file without the end that says that it holds a program; empty otherwise."""
    for match in PROGRAM_SUFFIX.finditer(name, max(0, len(name) - len(".hlo.txt.gz"))):
        if match.end() == len(name):
            return name[: match.start()]
    return ""


def kind_by_ending(name: str) -> FileKind:
    """The kind of a file by the end of its name."""
    for pattern, kind in ENDINGS:
        if pattern.search(name):
            return kind
    return PROGRAM if name.endswith(PROGRAM_ENDINGS) else UNKNOWN
