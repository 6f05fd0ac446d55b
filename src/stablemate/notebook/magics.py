"""The cell magics ``%%stablehlo`` and ``%%hlo``: check, run, time and view the program of a cell.

An error is shown as the diagnostic, without a traceback, and fails the cell.
"""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any, Final, NoReturn, Protocol, cast

import IPython.display
from IPython.core.error import UsageError

from stablemate.api.inspection.viewing import view
from stablemate.api.loading import load
from stablemate.api.module import HloModule, Module
from stablemate.diagnostics.errors import StablemateError
from stablemate.notebook.execution import random_arguments, time_program

# IPython does not annotate it.
display: Final = cast(Callable[[object], None], vars(IPython.display)["display"])
FORMATS: Final = {"stablehlo": "mlir", "hlo": "hlo"}

HELP: Final = """Check the {title} program of a cell; run, time or view it.

    %%{name} [NAME] [--input EXPRESSION]... [--run] [--time] [--view]

Without options, the program is verified, and its functions are listed.

    NAME                 the variable that the module is assigned to
    --run                run the program; the cell's value is its result
    --input EXPRESSION   an argument, a Python expression; implies --run; repeat it for each
    --random-seed N      draw the arguments that have no --input
    --time               print how long compiling and a call take; implies --run
    --view               show the program as a graph
    --backend BACKEND    cpu (native code, the default) or interpreter
    --entry FUNCTION     the function; by default main, or the only one
"""


class Shell(Protocol):
    """The interface of IPython's ``InteractiveShell`` for the magics.

    Attributes:
        execution_count: The number of the cell.
        user_ns: The variables of the notebook.
    """

    execution_count: int
    user_ns: dict[str, object]

    def ev(self, expr: str) -> object:
        """The value of an expression in the notebook."""
        ...

    def register_magic_function(
        self, func: Callable[[str, str], object], magic_kind: str, magic_name: str
    ) -> None:
        """Registers a function as ``%name`` or ``%%name``."""
        ...


class CellError(Exception):
    """An error of a program in a cell; IPython shows the diagnostics instead of a traceback.

    Attributes:
        error: What is wrong.
    """

    def __init__(self, error: StablemateError) -> None:
        super().__init__(str(error))
        self.error = error

    def _render_traceback_(self) -> list[str]:
        return [self.error.render(color=True), *getattr(self.error, "__notes__", ())]


class MagicOptions(ArgumentParser):
    """The options of a magic; wrong ones are shown as IPython shows wrong usage."""

    def error(self, message: str) -> NoReturn:
        """Rejects the line.

        Raises:
            UsageError: Always.
        """
        raise UsageError(f"{message}; {self.prog}? explains it")


def options_of(name: str, line: str) -> Namespace:
    """The options on the line of a magic.

    Raises:
        UsageError: There are none such.
    """
    parser = MagicOptions(f"%%{name}", add_help=False, allow_abbrev=False)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--input", action="append", default=[])
    parser.add_argument("--random-seed", type=int)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--view", action="store_true")
    parser.add_argument("--backend", choices=("cpu", "interpreter"), default="cpu")
    parser.add_argument("--entry")
    try:
        words = shlex.split(line)
    except ValueError as error:
        parser.error(str(error).lower())
    options = parser.parse_args(words)
    if options.name is not None and not options.name.isidentifier():
        parser.error(f"{options.name!r} is no name of a variable")
    return options


def load_magics(shell: Shell) -> None:
    """Registers the magics with a shell of IPython."""
    for name in FORMATS:
        shell.register_magic_function(magic_of(shell, name), "cell", name)


def magic_of(shell: Shell, name: str) -> Callable[[str, str], Any]:
    """The function of a magic."""

    def magic(line: str, cell: str) -> object:
        options = options_of(name, line)
        if not cell.strip():
            raise UsageError(f"%%{name}: the cell has no program")
        try:
            return execute(shell, name, options, cell)
        except StablemateError as error:
            shown = CellError(error)
        raise shown

    magic.__doc__ = HELP.format(name=name, title={"hlo": "HLO"}.get(name, "StableHLO"))
    return magic


def execute(shell: Shell, name: str, options: Namespace, cell: str) -> object:
    """The actions that the options request.

    Raises:
        StablemateError: The program is not valid, or fails.
        UsageError: An expression cannot be evaluated.
    """
    # A line for that of the magic: lines are those of the cell.
    module = load(f"\n{cell}", format=FORMATS[name], name=f"In[{shell.execution_count}]")
    module.verify()
    for warning in module.diagnostics():
        display(warning)
    if options.name is not None:
        shell.user_ns[options.name] = module
    if options.view:
        display(view(module))
    if not (options.run or options.input or options.time):
        return None if options.view else print(summary(module))
    arguments = [evaluate_expression(shell, expression) for expression in options.input]
    function = module.entry(options.entry)
    if options.random_seed is not None:
        arguments += random_arguments(function.signature, len(arguments), options.random_seed)
    if options.time:
        print(time_program(module, options.entry, options.backend, arguments))
    return module.run(*arguments, entry=options.entry, backend=options.backend)


def evaluate_expression(shell: Shell, expression: str) -> object:
    """The value of an expression in the notebook.

    Raises:
        UsageError: It has none.
    """
    try:
        return shell.ev(expression)
    except Exception as error:  # whatever the expression raises
        raise UsageError(f"--input {expression}: {type(error).__name__}: {error}") from None


def summary(module: Module) -> str:
    """The functions of a valid program, or the entry of an HLO module."""
    functions = [module.entry()] if isinstance(module, HloModule) else module.functions.values()
    signatures = [f"  {function.signature}" for function in functions]
    return "\n".join(["valid", *signatures])
