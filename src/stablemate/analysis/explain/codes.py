"""Pages of codes that belong to no operation: stages, limits, types, constants, parts of HLO."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stablemate.analysis.explain.operations import SPECIFICATION
from stablemate.analysis.explain.page import Explanation, PageSection
from stablemate.analysis.explain.rules import glossary
from stablemate.diagnostics.codes import code_of
from stablemate.ir.type_rules import TYPE_RULES

HLO: Final = "https://openxla.org/xla/operation_semantics"
MLIR: Final = "https://mlir.llvm.org/docs/LangRef"

# What is refused without a rule, by the stage that refuses it.
STAGES: Final = {
    "parse": (
        "The input is not a program in the format that it was read as.",
        "The place is where reading stopped; what was expected there stands in the message. A note "
        "names the format if it was recognized by content. `--from` or format= reads it as another "
        "one. Exit code 3.",
    ),
    "verify": (
        "The program breaks a rule that has no number.",
        "The program was read, but its parts do not fit together. Exit code 3.",
    ),
    "run": (
        "The program is valid, but its values break a rule while it runs.",
        "Shapes that are known at run time do not fit, an index of a group is not there, a check "
        "fails. The operation is named; notes tell the process and the call. Exit code 4.",
    ),
    "callback": (
        "A Python function that a program of JAX calls has raised an exception.",
        "The exception and its traceback stand in the message. The function was registered by "
        "`pure_callback`, `io_callback`, `jax.debug.callback` or a buffer callback.",
    ),
    "unsupported": (
        "The program is valid, but this executor or format cannot take it.",
        "Not a mistake in the program: another back end (--backend=interpreter), another target "
        "version, or a pass before it may help, which the notes say. Exit code 4.",
    ),
    "compile": (
        "The compiler could not make right native code of a valid program.",
        "This is a mistake of stablemate, or of LLVM. The interpreter runs the program: "
        "--backend=interpreter. Exit code 4.",
    ),
    "argument": (
        "What the caller passed is not what the program or the function takes.",
        "The message names the argument, what it must be and what it is. `stablemate info` shows "
        "the signature of a program. Exit code 2.",
    ),
    "limit": (
        "The input asks for more memory, depth or iterations than allowed.",
        "Limits protect against inputs that nobody trusts; stablemate.Limits sets others.",
    ),
    "deadlock": (
        "Processes of a grid wait for one another, or for one that has ended.",
        "The notes list who waits where. All processes of a group must come to the same collective "
        "operation, and for each receive there must be a send. Exit code 4.",
    ),
    "error": ("Something else went wrong.", "The message says what. Exit code 4."),
}
# What is refused by a rule that belongs to no operation.
RULES: Final = {
    "limits.nesting": (
        "Regions, types, attributes or literals are nested more deeply than Limits.nesting.", MLIR,
    ),
    "limits.expansion": (
        "Aliases stand for more than the text may hold when they are written out: 64 MiB, or 64 "
        "times the text.", MLIR,
    ),
    "limits.calls": (
        "Functions call functions that call functions, deeper than Limits.calls.", "",
    ),
    "limits.operations": (
        "A program has more operations than Limits.operations when its calls are inlined.", "",
    ),
    "limits.tensor_bytes": (
        "A tensor that the program computes takes more memory than Limits.tensor_bytes, or its "
        "sizes, those that are 0 aside, multiply to more than an array of NumPy can count.", "",
    ),
    "limits.rank": (
        "A tensor that the program computes has more dimensions than an array of NumPy: 64.", "",
    ),
    "limits.arena_bytes": (
        "All values of a compiled program together take more memory than Limits.arena_bytes.", "",
    ),
    "limits.memory": (
        "A run needs more memory than the machine has, or than --limit-memory allows.", "",
    ),
    "element-type": (
        "The name is no type of elements, or the elements of a tensor cannot be of this type.",
        f"{SPECIFICATION}#types",
    ),
    "integer-constant/C1": (
        "An integer literal lies in the range of its type: i8 holds -128 to 127, ui8 0 to 255.",
        f"{SPECIFICATION}#constants",
    ),
    "floating-point-constant/C1": (
        "A float literal in decimal or hexadecimal digits is a number; infinities and NaNs are "
        "written by their bits, 0x7F800000.", f"{SPECIFICATION}#constants",
    ),
    "floating-point-constant/C2": (
        "A float literal in bits has as many bits as its type.", f"{SPECIFICATION}#constants",
    ),
    "complex-constant/C1": (
        "The real part of a complex literal is a literal of the float type of the parts.",
        f"{SPECIFICATION}#constants",
    ),
    "complex-constant/C2": (
        "The imaginary part of a complex literal is a literal of the float type of the parts.",
        f"{SPECIFICATION}#constants",
    ),
    "tensor-constant/C1": (
        "Each element of a literal is a literal of the element type.",
        f"{SPECIFICATION}#constants",
    ),
    "tensor-constant/C2": (
        "The brackets of a literal have the shape of its type, which is static: "
        "dense<[[1, 2]]> is a tensor<1x2xi32>.", f"{SPECIFICATION}#constants",
    ),
    "HLO-protocol-buffer": ("The bytes are no message of XLA's hlo.proto.", HLO),
    "check": (
        "Native code reached outside its memory; check=True, --check-memory, looks at every "
        "access. This is a mistake of stablemate.", "",
    ),
    "layout": ("A layout fits its shape: each dimension stands once in minor_to_major.", HLO),
    "names": ("Names of instructions and computations have the characters that text allows.", HLO),
    "name": ("Each name is used once.", HLO),
    "entry": ("The entry of a module is one of its computations.", HLO),
    "root": ("The root of a computation is one of its instructions.", HLO),
    "parameters": ("Parameters are numbered from 0 without a gap, each number once.", HLO),
    "operands": ("An operand is an instruction of the same computation.", HLO),
    "operand": ("An operand is an instruction of the same computation.", HLO),
    "control-predecessors": (
        "A control predecessor is an instruction of the same computation.", HLO,
    ),
    "computations": (
        "A called computation is one of the module; none calls itself, and its parameters and "
        "result fit the call.", HLO,
    ),
    "instructions": ("Each instruction has a name of its own in its computation.", HLO),
    "cycle": ("No instruction depends on itself.", HLO),
    "schedule": (
        "A schedule names each instruction of its computation once, after what it depends on.", HLO,
    ),
    "entry_computation_layout": (
        "The layouts at the border have the shapes of the entry's parameters and result.", HLO,
    ),
    "input_output_alias": (
        "An alias names a result and a parameter of the same shape, each at most once.", HLO,
    ),
    "buffer_donor": ("A donated buffer is a parameter, donated once and not aliased.", HLO),
    "sharding": ("A sharding fits its shape and the devices of the module.", HLO),
    "channel_id": ("Operations of one channel agree about it.", HLO),
}  # fmt: skip


def code_page(code: str) -> Explanation | None:
    """The page of a code that belongs to no operation; None if there is none."""
    stage = STAGES.get(code)
    if stage is not None:
        summary, rest = stage
        return Explanation(code, "code", summary, (PageSection("What to do", text=rest),))
    rule = RULES.get(code)
    if rule is not None:
        return Explanation(code, "code", rule[0], (), (), rule[1])
    formulas = [formula for rule_code, formula in type_rules() if rule_code == code]
    if not formulas:
        return None
    text = "; ".join(dict.fromkeys(formulas))
    sections = tuple(glossary(text))
    return Explanation(code, "code", text, sections, ("!quant.uniform",), f"{SPECIFICATION}#types")


def type_rules() -> Iterator[tuple[str, str]]:
    """The codes of the rules of types, with their formulas."""
    for rules in TYPE_RULES.values():
        for rule in rules:
            yield code_of(rule.label), rule.formula


def names() -> list[str]:
    """All codes that belong to no operation."""
    return [*STAGES, *RULES, *dict.fromkeys(code for code, _ in type_rules())]
