"""Small valid programs, one for each operation, from which large ones grow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import stablemate as sm
from stablemate.analysis.explain.examples import examples_of
from stablemate.dialects.registry import READABLE
from stablemate.ir import core
from stablemate.ir.core import Operation
from tests.fuzzing.growth.tree import (
    FUNCTION,
    BlockTree,
    OperationTree,
    Value,
    Writer,
    copied,
    tree_of,
    value_of,
)

DIALECTS: Final = (
    "stablehlo", "chlo", "func", "sdy", "arith", "shape", "tensor", "check", "interpreter",
    "builtin",
)  # fmt: skip
TESTS: Final = Path(__file__).parents[2]
KEPT: Final = TESTS / "formats" / "mlir" / "mlir_dialects.mlir"
MHLO: Final = TESTS / "ops" / "mhlo.mlir"
MPMD: Final = """
!m1 = !mpmd.mesh_tensor<"m1", tensor<4xf32>>
!m2 = !mpmd.mesh_tensor<"m2", tensor<4xf32>>
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> attributes {
    mesh_shape = #sdy.mesh<["x"=2]>} {
  return %a : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>, %m: !m1) attributes {
    topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  %0 = mpmd.assign %a : (tensor<4xf32>) -> !m1
  %1 = mpmd.unassign %m : (!m1) -> tensor<4xf32>
  %2 = mpmd.transfer %m : (!m1) -> !m2
  %3 = mpmd.broadcast %a : tensor<4xf32>
  %4 = mpmd.reduce<add> %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = mpmd.named_tensor %a name="t" : tensor<4xf32>
  %6 = mpmd.named_computation<"f"(1)> (%a) (%x: tensor<4xf32>) {
    mpmd.return %x : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %7 = mpmd.fragment<mesh="m1", origin=["f"(1)]> (%m) (%x: tensor<4xf32>) {
    mpmd.return %x : tensor<4xf32>
  } : (!m1) -> !m1
  %8 = mpmd.fragment_call<mesh="m1", origin=["f"(2)]> @f(%m) : (!m1) -> !m1
  %9 = mpmd.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %10 = mpmd.for (%a) {iterations = 10 : ui32} (%x: tensor<4xf32>, %i: tensor<ui32>) {
    mpmd.return %x : tensor<4xf32>
  } : tensor<4xf32>
  return
}
"""
MODULE_FLAGS: Final = """
llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>]
func.func @main() {
  return
}
"""
# The lists of dimension numbers, which their text leaves out if they are empty.
LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "#stablehlo.dot": (
        "lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
        "rhs_contracting_dimensions",
    ),
    "#stablehlo.gather": (
        "offset_dims", "collapsed_slice_dims", "operand_batching_dims",
        "start_indices_batching_dims", "start_index_map",
    ),
    "#stablehlo.scatter": (
        "update_window_dims", "inserted_window_dims", "input_batching_dims",
        "scatter_indices_batching_dims", "scatter_dims_to_operand_dims",
    ),
    "#chlo.ragged_dot": (
        "lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
        "rhs_contracting_dimensions", "lhs_ragged_dimensions", "rhs_group_dimensions",
    ),
}  # fmt: skip
VERSIONS: Final = ("1.13.0", "0.9.0")  # a new one, and that of the first revisions
TOP: Final = ("builtin.module", FUNCTION)
SYMBOL: Final = re.compile(r"@(\w+)")
LITERAL: Final = re.compile(r"dense<.*> : (tensor<(?:\d+x)*([^<>x]+)>)")


@dataclass(frozen=True, slots=True)
class Template:
    """A small program in which an operation is to grow.

    Attributes:
        name: The operation.
        others: What is in the module besides the function.
        function: A function of the module.
        subject: The operation, inside the function or beside it, or the function itself.
    """

    name: str
    others: list[OperationTree]
    function: OperationTree
    subject: OperationTree

    def copy(self) -> Template:
        """A copy that may be changed."""
        *others, function = (copied(tree) for tree in (*self.others, self.function))
        before = [inner for tree in (*self.others, self.function) for inner in tree.walk()]
        after = [inner for tree in (*others, function) for inner in tree.walk()]
        return Template(self.name, others, function, after[before.index(self.subject)])

    @property
    def body(self) -> BlockTree:
        """The first block of the function."""
        return self.function.regions[0][0]

    @property
    def siblings(self) -> list[OperationTree]:
        """The operations of the block that holds the operation, or of the module."""
        if any(tree is self.subject for tree in self.others):
            return self.others
        blocks = (block for inner in self.function.walk() for block in inner.blocks())
        found = (block.operations for block in blocks if self.subject in block.operations)
        return next(found, self.body.operations)

    def text(self, more: Iterable[OperationTree] = (), stem: str = "v") -> str:
        """The module in the generic form."""
        return Writer(stem).text([*self.others, *more, self.function])


def examples() -> Iterator[str]:
    """All example programs."""
    for dialect in DIALECTS:
        yield from (example.text for example in examples_of(dialect).values())
    yield from KEPT.read_text().split("// -----\n")
    yield from (MHLO.read_text(), MPMD, MODULE_FLAGS)


@cache
def templates() -> dict[str, Template]:
    """A template for each operation for which there is an example, in the registry's order."""
    found: dict[str, Template] = {}
    for text in examples():
        module = sm.load(text)
        add_templates(module.operation, found)
    for template in list(found.values()):
        for version in VERSIONS:
            add_lowered(template, version, found)
    for name in READABLE:
        if name not in found:
            add_sibling(name, found)
    return {name: found[name] for name in READABLE if name in found}


def add_lowered(template: Template, version: str, found: dict[str, Template]) -> None:
    """Adds the operations of VHLO that a program consists of in a version."""
    passes = ["stablehlo-legalize-to-vhlo", f"vhlo-to-version{{target={version}}}"]
    try:
        lowered = sm.opt(sm.load(template.text()), passes)
    except sm.StablemateError:
        return
    add_templates(lowered.operation, found)


def add_sibling(name: str, found: dict[str, Template]) -> None:
    """Adds a template of an operation that takes what another one of its dialect takes."""
    dialect = name.partition(".")[0]
    siblings = [found[other] for other in found if other.partition(".")[0] == dialect]
    for template in siblings:
        if len(template.subject.operands) != len(READABLE[name].definition.operands):
            continue
        renamed = replace(template.copy(), name=name)
        renamed.subject.name = name
        if is_valid(renamed):
            found[name] = renamed
            return


def add_templates(module: Operation, found: dict[str, Template]) -> None:
    """Adds the templates of operations of a module that have none."""
    for operation in module.walk():
        if operation.name not in found and operation is not module:
            candidates = (cut, whole)
            valid = (t for make in candidates if is_valid(t := make(module, operation)))
            template = next(valid, None)
            if template is not None:
                found[operation.name] = template


def is_valid(template: Template | None) -> bool:
    """Whether a template can be read, and is valid."""
    return template is not None and is_valid_text(template.text())


def is_valid_text(text: str) -> bool:
    """Whether a program can be read, and is valid."""
    try:
        return not sm.load(text).diagnostics()
    except sm.StablemateError:
        return False


def whole(module: Operation, operation: Operation) -> Template | None:
    """The module that an operation is in, as it is."""
    known: dict[Any, Any] = {}
    top = {item: tree_of(item, known) for item in module.regions[0].blocks[0].operations}
    home = next(item for item in top if operation in item.walk())
    functions = [item for item in (home, *top) if item.name.endswith(("func", "func_v1"))]
    if not functions or not functions[0].regions[0].blocks:
        return None
    pairs = zip(home.walk(), top[home].walk(), strict=True)
    subject = next(tree for item, tree in pairs if item is operation)
    others = [tree for item, tree in top.items() if item is not functions[0]]
    return Template(operation.name, others, top[functions[0]], subject)


def enclosing(operation: Operation, *names: str) -> Operation | None:
    """The operation of one of these names that this one is or is in."""
    around: Operation | None = operation
    while around is not None and around.name not in names:
        around = around.parent_operation()
    return around


def cut(module: Operation, operation: Operation) -> Template | None:
    """The operation alone in a function that takes its operands; literals are splats.

    Terminators are cut out with the operation around them.
    """
    root = operation
    while root.definition.terminator and root.name != FUNCTION:
        parent = root.parent_operation()
        if parent is None or parent.name in TOP or root.name.startswith("vhlo.return"):
            return None
        root = parent
    if root.name in TOP or root.name.startswith("vhlo.func"):
        return None
    known: dict[Any, Any] = {}
    tree = tree_of(root, known)
    pairs = list(zip(root.walk(), tree.walk(), strict=True))
    subject = next(inner for item, inner in pairs if item is operation)
    make_splats(tree)
    subject.attributes = {key: in_full(text) for key, text in subject.attributes.items()}
    function = function_around(tree, [value_of(v, known) for v in values_outside(root)])
    top = [tree_of(item, {}) for item in module.regions[0].blocks[0].operations]
    named = {item.attributes["sym_name"]: item for item in top if "sym_name" in item.attributes}
    return Template(operation.name, referred(function, named), function, subject)


def referred(function: OperationTree, named: Mapping[str, OperationTree]) -> list[OperationTree]:
    """The functions and meshes that a function refers to, and those that these refer to."""
    found: dict[str, OperationTree] = {}
    pending = [function]
    while pending:
        inside = pending.pop().walk()
        texts = [text for item in inside for text in item.attributes.values()]
        for name in (f'"{symbol}"' for text in texts for symbol in SYMBOL.findall(text)):
            if name in named and name not in found:
                found[name] = named[name]
                pending.append(named[name])
    return list(found.values())


def make_splats(tree: OperationTree) -> None:
    """Replaces the value of a constant by a splat, which has one in every shape."""
    value = tree.attributes.get("value", "")
    if match := LITERAL.fullmatch(value):
        number = "0" if match[2][0] in "iu" else "0.0"
        if match[2] != "i1" and not match[2].startswith(("complex", "!")):
            tree.attributes["value"] = f"dense<{number}> : {match[1]}"


def in_full(attribute: str) -> str:
    """An attribute of dimension numbers with the lists that are empty, too."""
    head = attribute.partition("<")[0]
    if head not in LISTS:
        return attribute
    written = dict(re.findall(r"(\w+) = (\[.*?\]|\d+)", attribute))
    entries = [f"{name} = {written.pop(name, '[]')}" for name in LISTS[head]]
    return f"{head}<{', '.join([*entries, *(f'{k} = {v}' for k, v in written.items())])}>"


def values_outside(root: Operation) -> list[core.Value[Any]]:
    """The values that an operation and what is inside it take from outside."""
    inside: set[Any] = set()
    used: dict[Any, None] = {}
    for operation in root.walk():
        inside.update(operation.results)
        for region in operation.regions:
            for block in region.blocks:
                inside.update(block.arguments)
        used.update(dict.fromkeys(operation.operands))
    return [value for value in used if value not in inside]


def function_around(
    tree: OperationTree, arguments: list[Value], name: str = "main"
) -> OperationTree:
    """A function that consists of an operation and returns its results."""
    ending = OperationTree("func.return", list(tree.results))
    body = BlockTree(arguments, [tree, ending])
    return OperationTree(FUNCTION, attributes={"sym_name": f'"{name}"'}, regions=[[body]])
