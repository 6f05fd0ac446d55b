"""What is done with a program: everything that a command, a pass or an editor asks for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import Final

from lsprotocol import types

import stablemate as sm
from stablemate.api.executables import interpreted_of, verify_values
from stablemate.compiler.plan_only import plan_function
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType
from stablemate.lsp.actions.code_actions import code_actions
from stablemate.lsp.code_lens import code_lenses
from stablemate.lsp.completion import completion
from stablemate.lsp.diagnostics import diagnostics_of
from stablemate.lsp.documents import Document
from stablemate.lsp.folding import folding_ranges
from stablemate.lsp.formatting import format_text, indent_lines
from stablemate.lsp.hover import hover
from stablemate.lsp.inlay_hints import inlay_hints
from stablemate.lsp.navigation import definition, highlights, references
from stablemate.lsp.outline import outline
from stablemate.lsp.rename import prepare, rename
from stablemate.lsp.semantic_tokens import semantic_tokens
from stablemate.lsp.server import DEEP
from stablemate.transforms.legalization import legalize_module
from stablemate.transforms.passes import TABLE

URI: Final = "file:///program.mlir"


class Subject:
    """A program that stages look at; what several of them need is made once.

    Attributes:
        name: The operation that has grown.
        text: The text.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    @cached_property
    def module(self) -> sm.Module:
        """The program, read."""
        return sm.load(self.text)

    @cached_property
    def valid(self) -> bool:
        """That the program is valid; the passes take no others.

        Raises:
            VerifyError: It is not.
        """
        self.module.verify()
        return True

    @cached_property
    def expanded(self) -> int:
        """The bytes of the program after legalization, which executors and HLO begin with."""
        try:
            return bytes_of(legalize_module(self.module.ir).operation)
        except sm.StablemateError:
            return 0

    @cached_property
    def again(self) -> sm.Module:
        """The same program, read once more."""
        return sm.load(self.text)

    @cached_property
    def bytecode(self) -> bytes:
        """The program as bytecode."""
        return self.module.to_bytecode()

    @cached_property
    def artifact(self) -> bytes:
        """The program as a portable artifact."""
        return self.module.to_artifact("newest", mixed=True)

    @cached_property
    def hlo(self) -> sm.HloModule:
        """The program in HLO."""
        return self.module.to_hlo()

    @cached_property
    def hlo_text(self) -> str:
        """The program as HLO text."""
        return self.hlo.to_text()

    @cached_property
    def hlo_proto(self) -> bytes:
        """The program as an HLO proto."""
        return self.hlo.to_proto()

    @cached_property
    def hlo_again(self) -> sm.HloModule:
        """The program in HLO, read from its text."""
        module = sm.load(self.hlo_text, format="hlo")
        assert isinstance(module, sm.HloModule)
        return module

    @cached_property
    def document(self) -> Document:
        """The text, open in an editor and read."""
        document = Document(URI, self.text)
        _ = document.program
        return document

    @cached_property
    def middle(self) -> types.Position:
        """The place of the name of a value in the middle of the text."""
        offset = self.text.find("%", len(self.text) // 2)
        return self.document.snapshot.positions.position(max(offset, 0) + 1)

    @cached_property
    def everything(self) -> types.Range:
        """The range of the whole text."""
        return self.document.snapshot.positions.range(0, len(self.text))


WRITTEN: Final = 60  # bytes of an operation or instruction as text, at least


def bytes_of(item: object) -> int:
    """The bytes of a file, or of a program as text at least; a number is one of bytes."""
    match item:
        case int():
            return item
        case str() | bytes():
            return len(item)
        case sm.HloModule():
            return WRITTEN * sum(len(part.instructions) for part in item.tree.computations)
        case sm.Module():
            return bytes_of(item.ir.operation)
        case Operation():
            return WRITTEN * sum(1 for _ in item.walk())
        case _:
            return 0


Stage = Callable[[Subject], object]


class Needs:
    """A stage that needs something that is not measured.

    Attributes:
        needs: What is made before.
        stage: What is measured.
    """

    def __init__(self, needs: str, stage: Stage) -> None:
        self.needs = needs
        self.stage = stage

    def prepare(self, subject: Subject) -> None:
        """Makes what the stage needs."""
        for name in self.needs.split():
            getattr(subject, name)

    def __call__(self, subject: Subject) -> object:
        return self.stage(subject)


def verify(subject: Subject) -> None:
    """Checks a program, and renders what is wrong with it."""
    for diagnostic in subject.module.diagnostics():
        diagnostic.render()


def load(subject: Subject) -> None:
    """Reads a program, or renders why it cannot be read."""
    try:
        sm.load(subject.text)
    except sm.StablemateError as error:
        error.render()


def interpret(subject: Subject) -> None:
    """Prepares a program for the interpreter."""
    sm.compile(subject.module, backend="interpreter", threads=1)


def plan(subject: Subject) -> None:
    """Runs the stages of the compiler up to the plan."""
    module = subject.module
    verify_values(module)
    interpreted = interpreted_of(module, module.entry(), DEFAULT_LIMITS, native=True)
    plan_function(interpreted)


def run_pass(name: str, subject: Subject) -> sm.Module:
    """Runs a pass with the options that it needs."""
    options = "" if name not in OPTIONS else f"{{{OPTIONS[name](subject)}}}"
    return sm.opt(subject.module, name + options, verify_each=False)


def argument_types(subject: Subject) -> str:
    """The types of a program's arguments, as an option."""
    arguments = subject.module.entry().operation.regions[0].block.arguments
    shaped = [value.type for value in arguments if isinstance(value.type, TensorType)]
    return f"types={','.join(map(str, shaped))}"


OPTIONS: Final[Mapping[str, Callable[[Subject], str]]] = {
    "stablehlo-compatibility-expander": lambda subject: "target=1.0.0",
    "vhlo-to-version": lambda subject: "target=1.0.0",
    "stablehlo-refine-arguments": argument_types,
    "stablehlo-wrap-in-composite": lambda subject: f"op-names={subject.name}",
}


def requests() -> Iterator[tuple[str, Stage]]:
    """The requests of the language server."""
    at: Mapping[str, Callable[[Document, types.Position], object]] = {
        "hover": hover,
        "definition": definition,
        "references": partial(references, declaration=True),
        "highlights": highlights,
        "completion": completion,
        "prepare rename": prepare,
        "rename": lambda document, position: rename(document, position, "%renamed"),
    }
    for name, request in at.items():
        yield name, lambda subject, ask=request: ask(subject.document, subject.middle)
    whole: Mapping[str, Callable[[Document, types.Range], object]] = {
        "inlay hints": inlay_hints,
        "code actions": code_actions,
        "outline": lambda document, everywhere: outline(document),
        "code lenses": lambda document, everywhere: code_lenses(document),
        "diagnostics": lambda document, everywhere: diagnostics_of(document),
        "folding": lambda document, everywhere: folding_ranges(document.snapshot),
        "formatting": lambda document, everywhere: format_text(document.snapshot),
        "range formatting": lambda document, everywhere: indent_lines(
            document.snapshot, 0, everywhere.end.line + 1
        ),
        "semantic tokens": lambda document, everywhere: semantic_tokens(document.snapshot),
    }
    for name, request in whole.items():
        yield name, lambda subject, ask=request: ask(subject.document, subject.everything)


def read_slices(subject: Subject) -> None:
    """Reads a text as the language server does, and what is wrong after an edit in its middle."""
    document = Document(URI, subject.text)
    diagnostics_of(document)
    middle = len(subject.text) // 2
    document.change(f"{subject.text[:middle]} {subject.text[middle:]}")
    diagnostics_of(document)


def deep(stage: Stage) -> Stage:
    """A stage in the server's process, which allows more levels of Python."""

    def run(subject: Subject) -> object:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEP))
        return stage(subject)

    return run


STAGES: Final[Mapping[str, Stage]] = {
    "load": load,
    "verify": Needs("module", verify),
    "print": Needs("module", lambda s: s.module.to_text(debug_info=True)),
    "print generic": Needs("module", lambda s: s.module.to_text(generic=True)),
    "write bytecode": Needs("module", lambda s: s.bytecode),
    "read bytecode": Needs("module bytecode", lambda s: sm.load(s.bytecode)),
    "write artifact": Needs("module", lambda s: s.artifact),
    "read artifact": Needs("module artifact", lambda s: sm.load(s.artifact).to_stablehlo()),
    "translate to HLO": Needs("module expanded", lambda s: s.hlo),
    "write HLO text": Needs("module hlo", lambda s: s.hlo_text),
    "read HLO text": Needs("module hlo hlo_text", lambda s: s.hlo_again),
    "verify HLO": Needs("module hlo hlo_text hlo_again", lambda s: s.hlo_again.verify()),
    "write HLO proto": Needs("module hlo", lambda s: s.hlo_proto),
    "read HLO proto": Needs("module hlo hlo_proto", lambda s: sm.load(s.hlo_proto)),
    "translate from HLO": Needs(
        "module hlo hlo_text hlo_again", lambda s: s.hlo_again.to_stablehlo()
    ),
    "info": Needs("module", lambda s: s.module.contents()),
    "HLO info": Needs("module hlo hlo_text hlo_again", lambda s: s.hlo_again.contents()),
    "cost": Needs("module", lambda s: s.module.cost(plan=False)),
    "diff": Needs("module again", lambda s: sm.diff(s.module, s.again)),
    "fingerprint": Needs("module", lambda s: sm.fingerprint(s.module)),
    "HLO fingerprint": Needs(
        "module hlo hlo_text hlo_again", lambda s: sm.fingerprint(s.hlo_again)
    ),
    **{f"opt {row.name}": Needs("module valid", partial(run_pass, row.name)) for row in TABLE},
    "interpreter": Needs("module expanded", interpret),
    "plan": Needs("module expanded", plan),
    "lsp read": deep(read_slices),
    **{
        f"lsp {name}": Needs("document middle everything", deep(request))
        for name, request in requests()
    },
}
