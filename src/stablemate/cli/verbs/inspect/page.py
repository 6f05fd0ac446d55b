"""Shows programs as pages, files, or an outline."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial
from io import StringIO
from typing import BinaryIO, Final

import click

import stablemate as sm
from stablemate.analysis.quantities import format_count
from stablemate.cli.input.dump_files import is_folder
from stablemate.cli.input.programs import load_program
from stablemate.cli.options import color_for
from stablemate.cli.output.output_files import STDOUT, check_writable, write_files
from stablemate.cli.output.page_server import serve
from stablemate.cli.output.progress import progress
from stablemate.cli.verbs.execute import session
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.visible import visible
from stablemate.explorer.outline import BoxOutline
from stablemate.ir.garbage_collection import without_garbage_collection

LISTED_MODULES: Final = 20  # of a dump, in the terminal
TEXTS: Final = frozenset({"mlir", "hlo"})  # formats whose lines are those of the program
STYLES: Final = {
    "function": "bold blue",
    "scope": "magenta",
    "region": "cyan",
    "piece": "cyan",
    "op": "green",
}
# Overlays that no file holds.
COMPUTED: Final = frozenset({"bisect", "compare", "cost", "nan", "profile", "trace"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewOptions:
    """The options of ``stablemate view``; see its help."""

    file: str
    output: str | None = None
    serve: bool = False
    output_format: str | None = None
    overlays: Sequence[str] = ()
    inputs: Sequence[str] = ()
    random_seed: int | None = None
    depth: int = 2
    entry: str | None = None
    layout: str | None = None

    @property
    def shown_as(self) -> str:
        """The format that was asked for, or that ``--output`` or ``--serve`` implies."""
        return self.output_format or ("html" if self.output or self.serve else "text")

    @property
    def is_run(self) -> bool:
        """Whether an overlay needs a valid program, rather than its text only."""
        return any(overlay.partition(":")[0] in COMPUTED for overlay in self.overlays)


def show(options: ViewOptions) -> None:
    """Shows a program.

    Raises:
        ArgumentValueError: The options do not go together, or a file cannot be read or written.
        ParseError: It is no program.
    """
    if options.serve and (options.output or options.shown_as != "html"):
        raise ArgumentValueError("--serve shows a page; it takes neither -o nor another --format")
    if is_folder(options.file):
        show_folder(options)
        return
    if options.output is not None:
        check_writable(options.output)
    with without_garbage_collection():
        view = view_of(options)
        page = view.html if options.serve else ""
    if options.serve:
        serve(page, view.graph.title)
        return
    with without_garbage_collection():
        write(view, options)


def show_folder(options: ViewOptions) -> None:
    """Shows a dump: its modules in the terminal, or a page.

    Raises:
        ArgumentValueError: It holds no dump, or has an option that a dump cannot have.
    """
    # Here and not above: most views are those of a program.
    from stablemate.cli.verbs.inspect.dump_report import show_overview, show_page

    if options.overlays:
        raise ArgumentValueError("--overlay colors a program, but a folder is named")
    match options.shown_as:
        case "html":
            show_page(options.file, options.output or STDOUT, in_browser=options.serve)
        case "text" | "json":
            if options.output is not None:
                raise ArgumentValueError("-o writes the page of a dump: --format=html")
            show_overview(options.file, options.shown_as, LISTED_MODULES)
        case other:
            raise ArgumentValueError(f"a dump has no form {other!r}: html, text or json")


def write(view: sm.View, options: ViewOptions) -> None:
    """Writes a view where the options say."""
    if options.shown_as == "text":
        if options.overlays:
            click.echo("note: overlays color the page, which -o and --serve make", err=True)
        with_color = options.output is None and color_for(sys.stdout)
        text = outline_text(view.outline, options.depth, with_color)
    else:
        with progress("laying out"):
            text = write_view(view, options.shown_as)
    if options.output is None:
        click.echo(text.rstrip("\n"), color=True if options.shown_as == "text" else None)
        return
    write_files({options.output: partial(write_text, text=text)})
    if options.output != STDOUT:
        size = len(text.encode()) / 1e6
        count = format_count(view.document["operations"], "operation")
        click.echo(f"{options.output}: {count}, {size:.1f} MB", err=True)


def write_view(view: sm.View, form: str) -> str:
    """A view in a format for files."""
    match form:
        case "json":
            return view.to_json()
        case "model-explorer":
            return json.dumps(view.to_model_explorer(), ensure_ascii=False)
        case _:
            return view.html


def write_text(stream: BinaryIO, text: str) -> None:
    """Writes the page in UTF-8."""
    stream.write(text.encode())


def view_of(options: ViewOptions) -> sm.View:
    """The view that the options request."""
    with progress(f"reading {options.file}"):
        module = load_program(options.file, entry=options.entry, layout=options.layout)
        if options.is_run and module.format not in TEXTS:  # what is measured is found by its line
            module = sm.load(module.to_text(), name=module.graph().title)
        view = sm.view(module)
    if not options.overlays:
        return view
    # Here and not above: most views run nothing, and load no compiler.
    from stablemate.cli.verbs.inspect.overlays import overlays_of

    run = session.RunCommandOptions(
        file=options.file, inputs=options.inputs, random_seed=options.random_seed
    )
    overlays = (
        overlay for what in options.overlays for overlay in overlays_of(what, view, module, run)
    )
    return sm.View(view.graph, overlays)


def outline_text(outline: BoxOutline, depth: int, color: bool) -> str:
    """The outline as a tree, one line per box."""
    from rich.console import Console
    from rich.text import Text

    stream = StringIO()
    console = Console(
        file=stream, force_terminal=color, no_color=not color, highlight=False, soft_wrap=True
    )
    shown_items = {id(item) for _, item in outline.lines(depth - 1)} if depth else set[int]()
    for lead, item in outline.lines(depth):
        line = Text(lead, style="dim")
        line.append(visible(item.label), style=STYLES.get(item.kind, "bold"))
        what = item.kind if item.kind in ("function", "region") else ""
        where = f"line {item.line}" if item.line else ""
        hidden = "…" if item.parts and id(item) not in shown_items else ""
        rest = [format_count(item.operations, "operation"), what, where, hidden]
        line.append(f"  {' · '.join(filter(None, rest))}", style="dim")
        console.print(line)
    return stream.getvalue()
