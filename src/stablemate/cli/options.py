"""Options that every verb accepts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TextIO, TypeVar

import click

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])

STDIN: Final = "-"  # as the name of a file
STDOUT: Final = "-"
DEBUG: Final = "stablemate.debug"
COLOR: Final = "stablemate.color"
ELIDED: Final = "stablemate.elided"
SIZES: Final = "stablemate.sizes"
VALUES: Final = "stablemate.values"


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    name = "whole number"


class BoundedNumber(click.FloatRange):
    """A number in a range."""

    name = "number"


format_option: Final = click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print.",
)

FILLING: Final = re.compile(r"zeros|random:\d{1,18}")
GRID: Final = re.compile(r"([1-9]\d*)x([1-9]\d*)")
MOST_PROCESSES: Final = 999_999  # in each direction of a grid
LARGEST_SIZE: Final = 10**18

LAYOUT_HELP: Final = (
    "The entry computation layout of HLO, such as '(f32[2,3]{0,1})->f32[3]{0}', in place of "
    "that of the file."
)


def layout_option(function: FunctionT) -> FunctionT:
    """Adds the option that sets the entry computation layout of HLO."""
    return click.option("--layout", metavar="LAYOUT", help=LAYOUT_HELP)(function)


def attention_option(function: FunctionT) -> FunctionT:
    """Adds the option that leaves the operations of attention as they are."""
    return click.option(
        "--no-attention", "attention", flag_value=False, default=None,
        help="Compute attention as the program does, not in tiles.",
    )(function)  # fmt: skip


def trace_option(function: FunctionT) -> FunctionT:
    """Adds the option that writes a run as a time line."""
    return click.option(
        "--trace", metavar="FILE.json",
        help="Write the run as a time line that Perfetto (ui.perfetto.dev) opens.",
    )(function)  # fmt: skip


def input_options(function: FunctionT) -> FunctionT:
    """Adds the options that specify the arguments of a program, as in ``run``."""
    decorated = click.option(
        "--input", "inputs", multiple=True, metavar="VALUE",
        help="One for each argument, in order, as for run.",
    )  # fmt: skip
    seed = click.option(
        "--random-seed", type=WholeNumber(min=0), metavar="N",
        help="Argument I without an --input is random:(N+I).",
    )  # fmt: skip
    return decorated(seed(function))


def hlo_options(function: FunctionT) -> FunctionT:
    """Adds the options that specify the entry computation of HLO and its layouts."""
    entry = click.option(
        "--entry", metavar="NAME", help="The computation of HLO that is to be its entry."
    )
    return entry(layout_option(function))


def remember(key: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """The callback of an option that may precede or follow the verb: the last occurrence counts."""

    def callback(context: click.Context, parameter: click.Parameter, value: object) -> None:
        if value:
            context.meta[key] = value

    return callback


def elided_of(context: click.Context, parameter: click.Parameter, text: str | None) -> None:
    """Remembers what ``--elided`` says, for who loads programs."""
    if text is None:
        return
    if not FILLING.fullmatch(text):
        message = f"expected zeros or random:SEED, not '{text}'"
        raise click.BadParameter(message, context, parameter)
    context.meta[ELIDED] = text


def elided_option(function: FunctionT) -> FunctionT:
    """Adds the option that gives values to constants whose values were left out of the text."""
    return click.option(
        "--elided", metavar="zeros|random:SEED", expose_value=False, callback=elided_of,
        help="Values of constants that were left out of the text, for a trial.",
    )(function)  # fmt: skip


def elided_choice() -> str | bool:
    """The option ``--elided`` of the verb that runs; True keeps constants without values."""
    context = click.get_current_context(silent=True)
    return True if context is None else context.meta.get(ELIDED, True)


def sizes_of(context: click.Context, parameter: click.Parameter, texts: Sequence[str]) -> None:
    """Remembers the sizes that ``--sizes`` gives, for who loads programs."""
    context.meta[SIZES] = named_sizes(",".join(texts), context, parameter) if texts else {}


def named_sizes(
    texts: str, context: click.Context | None = None, parameter: click.Parameter | None = None
) -> dict[str, int]:
    """Sizes by their names, from a text such as ``batch=4,seq=16``.

    Raises:
        BadParameter: It is none.
    """
    sizes: dict[str, int] = {}
    for text in texts.split(","):
        name, _, digits = (part.strip() for part in text.rpartition("="))
        if not name or not digits.isdecimal() or int(digits) > LARGEST_SIZE:
            message = f"expected sizes such as batch=4,seq=16, not '{text}'"
            raise click.BadParameter(message, context, parameter)
        if sizes.setdefault(name, int(digits)) != int(digits):
            raise click.BadParameter(f"the size {name} is given twice", context, parameter)
    return sizes


def values_of(context: click.Context, parameter: click.Parameter, texts: Sequence[str]) -> None:
    """Remembers the inputs that ``--value`` makes constants, for who loads programs."""
    context.meta[VALUES] = texts


def value_option(function: FunctionT) -> FunctionT:
    """Adds the option that makes inputs of a model of ONNX constants."""
    return click.option(
        "--value", metavar="NAME=VALUE", multiple=True, expose_value=False, callback=values_of,
        help="An input of a model of ONNX that becomes a constant: shapes may depend on it.",
    )(function)  # fmt: skip


def model_options(function: FunctionT) -> FunctionT:
    """Adds the options that say what is known of the inputs of a model of ONNX."""
    sizes = click.option(
        "--sizes", "--size", metavar="NAME=SIZE,...", multiple=True, expose_value=False,
        callback=sizes_of, help="Sizes that a model of ONNX leaves open, by their names.",
    )  # fmt: skip
    return sizes(value_option(function))


def model_choices() -> tuple[Mapping[str, int], Sequence[str], Sequence[str]]:
    """The sizes, values and inputs of a model that the verb that runs was given."""
    context = click.get_current_context(silent=True)
    if context is None:
        return {}, (), ()
    inputs = context.params.get("inputs", ())
    return context.meta.get(SIZES, {}), context.meta.get(VALUES, ()), inputs


def shared_options(function: FunctionT) -> FunctionT:
    """Adds the options to a verb, which does not list them in its help."""
    return with_options(function, hidden=True)


def with_options(function: FunctionT, *, hidden: bool) -> FunctionT:
    """Adds the options that every verb has, ``--debug`` and ``--color``."""
    debug = click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        callback=remember(DEBUG),
        hidden=hidden,
        help="Show the traceback of an error.",
    )
    color = click.option(
        "--color",
        "--colour",
        "color",
        type=click.Choice(["auto", "always", "never"]),
        expose_value=False,
        callback=remember(COLOR),
        hidden=hidden,
        help="When to use colors; by default in a terminal, unless NO_COLOR is set.",
    )
    return debug(color(function))


def has_option(name: str) -> bool:
    """Whether the verb that runs has an option."""
    context = click.get_current_context(silent=True)
    return context is not None and any(name in p.opts for p in context.command.params)


def debugging(context: click.Context | None = None) -> bool:
    """Whether the command line has the option ``--debug``."""
    return bool((context or click.get_current_context()).meta.get(DEBUG))


def color_for(stream: TextIO, context: click.Context | None = None) -> bool:
    """Whether to write colors to a stream."""
    match (context or click.get_current_context()).meta.get(COLOR, "auto"):
        case "auto":
            plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
            return stream.isatty() and not plain
        case choice:
            return bool(choice == "always")


def grid_of(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> tuple[int, int] | None:
    """The numbers of replicas and partitions in ``2x4``."""
    if text is None:
        return None
    match = GRID.fullmatch(text)
    if match is None:
        message = f"expected replicas and partitions such as 2x4, not '{text}'"
        raise click.BadParameter(message, context, parameter)
    if max(len(group) for group in match.groups()) > len(str(MOST_PROCESSES)):
        message = f"at most {MOST_PROCESSES} replicas and as many partitions, not '{text}'"
        raise click.BadParameter(message, context, parameter)
    return int(match[1]), int(match[2])
