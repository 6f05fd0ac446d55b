"""Debugger sessions: the commands of the user and their output."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.analysis.debugging.debugger import (
    DebuggedFrame,
    Debugger,
    Quit,
    Stop,
    values_of,
)
from stablemate.analysis.debugging.stop import breakpoint_of, index_of
from stablemate.analysis.operation_identity import Sites
from stablemate.analysis.tracing.event import ElementStatistics
from stablemate.analysis.tracing.frames import BlockFrame
from stablemate.diagnostics.errors import ArgumentValueError, StablemateError
from stablemate.diagnostics.source import Span
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType

Read = Callable[[], str | None]  # the next thing that the user says; None when that was all
Write = Callable[[str], None]

AROUND: Final = 5  # lines listed before and after
PRINTED: Final = re.compile(r"(?P<name>%?[\w$.#-]+)\s*(?:\[(?P<index>[^\]]*)\])?")
HELP: Final = """\
step [N]      run one operation, or N; into loops, branches and calls
next [N]      run one operation of this block, or N
finish        run until this block has ended
continue      run until a breakpoint, or to the end
break WHERE   stop after an operation: at a line (12), a name (add, dot*, %x)
break WHERE if CONDITION   e.g. 'break add if max > 3', 'break if nans > 0',
              'break 12 if iteration == 5 and %x < 0'
breakpoints   list them; delete N removes one
print NAME    a value: print %x, print %x[0, 1:3]
stats [NAME]  what is known of its elements; of all values of this block
where         the blocks around; up and down choose one to look at
list [LINE]   the text around the operation
quit          end the run
An empty line repeats the last command."""
ALIASES: Final[Mapping[str, str]] = {
    "b": "break", "bt": "where", "c": "continue", "cont": "continue", "d": "down",
    "delete": "delete", "f": "finish", "fin": "finish", "h": "help", "?": "help",
    "info": "breakpoints", "l": "list", "n": "next", "p": "print", "q": "quit", "exit": "quit",
    "s": "step", "u": "up", "w": "where",
}  # fmt: skip
REPEATED: Final = frozenset({"step", "next", "finish", "continue", "up", "down", "list"})


class Session:
    """One debugged run.

    Attributes:
        stop: Where the run is.
        chosen: The block that is looked at.
        ended: Why the run cannot go on; empty while it can.
    """

    def __init__(self, sites: Sites, read: Read, write: Write) -> None:
        self.sites = sites
        self.read = read
        self.write = write
        self.debugger = Debugger(sites, self.show_stop)
        self.stop: Stop | None = None
        self.chosen: BlockFrame | None = None
        self.more = 0  # steps that are still to be taken
        self.last = ""
        self.ended = ""
        self.count = 0

    def show_stop(self, stop: Stop) -> None:
        """Shows where the run stopped, and executes commands until it continues.

        Raises:
            Quit: The user ends it.
        """
        if self.more > 0 and not stop.breakpoints:
            self.more -= 1
            if self.more:
                return
        self.more = 0
        self.stop, self.chosen = stop, stop.frame
        self.show(stop)
        self.talk()

    def show_failure(self, error: StablemateError) -> None:
        """Shows how the run failed; the user may look at where it was."""
        self.write(str(error))
        self.stop = self.debugger.latest
        self.ended = "the run has failed"
        if self.stop is not None:
            self.chosen = self.stop.line.frame
            self.write(f"in {self.path(self.chosen)}; where, print, list and quit still work")
            try:
                self.talk()
            except Quit:
                return

    def talk(self) -> None:
        """Executes commands until the run continues.

        Raises:
            Quit: The user ends it.
        """
        while True:
            line = self.read()
            if line is None:
                raise Quit
            text = line.strip() or self.last
            word, _, rest = text.partition(" ")
            if not word:
                continue
            try:
                if self.does(self.command(word), rest.strip(), text):
                    return
            except ArgumentValueError as error:
                self.write(error.diagnostics[0].message)

    def command(self, word: str) -> str:
        """The command that a word means.

        Raises:
            ArgumentValueError: There is none.
        """
        name = ALIASES.get(word, word)
        if name not in COMMANDS:
            raise ArgumentValueError(f"no command is called {word!r}; help lists them")
        return name

    def does(self, name: str, rest: str, text: str) -> bool:
        """Executes a command; returns whether the run continues."""
        self.last = text if name in REPEATED else ""
        return bool(COMMANDS[name](self, rest))

    # ---- showing

    def show(self, stop: Stop) -> None:
        """Where the run is, and what the operation gave."""
        for breakpoint in stop.breakpoints:
            self.write(f"breakpoint {breakpoint}")
        process = (
            ""
            if stop.line.process_id == (0, 0)
            else f"({stop.line.process_id[0]},{stop.line.process_id[1]}) "
        )
        where = f"{process}{self.path(stop.frame)}"
        if stop.begins:
            self.write(f"{where} begins")
            return
        line = f" at {stop.place.where}" if stop.place.where else ""
        self.write(f"{where}: {stop.place.name}{line}")
        for result in self.source(stop.operation).results:
            self.write(f"  {self.summary(result, values_of(stop.frame).get(result))}")

    def source(self, operation: Operation) -> Operation:
        """The operation of the source whose results an operation computes."""
        site_results = self.sites.results_of(operation)
        return (self.sites.of(operation) if site_results is None else site_results[0]).operation

    def path(self, frame: BlockFrame) -> str:
        """The blocks that contain a block."""
        return " > ".join(map(str, self.debugger.scopes.of(frame)))

    def summary(self, value: Any, array: Any) -> str:
        """A value in one line."""
        name = self.sites.name_of(value)
        if array is None or not isinstance(value.type, TensorType):
            return f"{name}: {value.type}"
        actual = TensorType(np.shape(array), value.type.element_type)
        parts = self.debugger.statistics(array, value.type)
        if np.size(array) == 1:
            return f"{name}: {actual} = {np.asarray(array).reshape(-1)[0]}"
        return f"{name}: {actual} {' + i '.join(part.range for part in parts)}"

    # ---- running

    def go(self, mode: Any, depth: int, rest: str) -> bool:
        """Lets the run go on."""
        if self.ended:
            raise ArgumentValueError(f"{self.ended}: it cannot go on")
        if rest and not (rest.isdecimal() and int(rest) > 0):
            raise ArgumentValueError(f"how often is '{rest}'?")
        self.more = int(rest) if rest else 0
        self.debugger.run_on(mode, depth)
        return True

    @property
    def depth(self) -> int:
        """The depth of the block that is looked at."""
        frame = self.chosen
        return frame.depth if isinstance(frame, DebuggedFrame) else 0

    def step(self, rest: str) -> bool:
        """``step``."""
        return self.go("step", 0, rest)

    def next(self, rest: str) -> bool:
        """``next``."""
        return self.go("next", self.depth, rest)

    def finish(self, rest: str) -> bool:
        """``finish``."""
        return self.go("finish", self.depth, "")

    def proceed(self, rest: str) -> bool:
        """``continue``."""
        return self.go("continue", 0, "")

    def quit(self, rest: str) -> bool:
        """``quit``."""
        raise Quit

    # ---- breakpoints

    def add_breakpoint(self, rest: str) -> None:
        """``break``."""
        breakpoint = breakpoint_of(self.count + 1, rest)
        places = [site.place for site in self.sites if breakpoint.fits(site.place)]
        if not places:
            raise ArgumentValueError(f"no operation is at '{rest}'")
        self.count += 1
        self.debugger.breakpoints.append(breakpoint)
        where = f", {places[0]} at {places[0].where}" if len(places) == 1 else ""
        plural = "s" * (len(places) != 1)
        self.write(f"breakpoint {breakpoint} ({len(places)} operation{plural}{where})")

    def list_breakpoints(self, rest: str) -> None:
        """``breakpoints``."""
        for breakpoint in self.debugger.breakpoints:
            self.write(str(breakpoint))
        if not self.debugger.breakpoints:
            self.write("there are no breakpoints")

    def delete(self, rest: str) -> None:
        """``delete``."""
        kept = [
            breakpoint for breakpoint in self.debugger.breakpoints if str(breakpoint.number) != rest
        ]
        if len(kept) == len(self.debugger.breakpoints):
            raise ArgumentValueError(f"no breakpoint has the number {rest or '?'}")
        self.debugger.breakpoints = kept

    # ---- looking

    def print(self, rest: str) -> None:
        """``print``."""
        match = PRINTED.fullmatch(rest)
        if match is None:
            raise ArgumentValueError("print what? A value such as %x, or %x[0, 1:3]")
        value, array = self.value(match["name"])
        if match["index"] is not None:
            try:
                array = np.asarray(array)[index_of(match["index"])]
            except IndexError as error:
                raise ArgumentValueError(str(error)) from None
        self.write(f"{self.sites.name_of(value)}: {type_text(value.type, array)}")
        self.write("None" if array is None else str(np.asarray(array)))

    def stats(self, rest: str) -> None:
        """``stats``."""
        if rest:
            value, array = self.value(rest)
            for part in self.debugger.statistics(array, value.type):
                self.write(", ".join(f"{k} {v}" for k, v in numbers(part)))
            return
        frame = self.chosen
        for value, array in values_of(frame).items() if frame is not None else ():
            self.write(self.summary(value, array))

    def value(self, name: str) -> tuple[Any, Any]:
        """The value of this name."""
        if self.stop is None or self.chosen is None:
            raise ArgumentValueError("the run has not begun")
        return self.stop.line.value(name, self.chosen)

    def where(self, rest: str) -> None:
        """``where``."""
        stop = self.stop
        if stop is None:
            raise ArgumentValueError("the run has not begun")
        for i, frame in enumerate(self.frames()):
            scope = self.debugger.scopes.of(frame)[-1]
            mark = "*" if frame is self.chosen else " "
            inside = f" {scope.place.where}" if scope.place.where else ""
            at = f", after {stop.place} at {stop.place.where}" if i == 0 and not stop.begins else ""
            self.write(f"{mark} {i} {scope.label}{inside}{at if not self.ended else ''}")

    def frames(self) -> Iterator[BlockFrame]:
        """The blocks being run, the innermost first."""
        frame: BlockFrame | None = None
        if self.stop is not None:
            frame = self.stop.line.frame if self.ended else self.stop.frame
        while frame is not None and frame.operation is not None:
            yield frame
            frame = frame.parent

    def move(self, by: int) -> None:
        """Selects the frame ``by`` blocks further out (negative: further in) for inspection."""
        frames: Sequence[BlockFrame] = list(self.frames())
        position = next((i for i, frame in enumerate(frames) if frame is self.chosen), 0) + by
        if not 0 <= position < len(frames):
            raise ArgumentValueError("there is no block around" if by > 0 else "nothing is inside")
        self.chosen = frames[position]
        self.write(self.path(self.chosen))

    def list(self, rest: str) -> None:
        """``list``."""
        span = self.span()
        if span is None or span.source.binary:
            raise ArgumentValueError("the program was not read from text")
        line = int(rest) if rest.isdecimal() else span.line
        last = len(span.source.line_starts)
        for number in range(max(1, line - AROUND), min(last, line + AROUND) + 1):
            mark = ">" if number == span.line else " "
            self.write(f"{mark}{number:4} {span.source.line_text(number)}")

    def span(self) -> Span | None:
        """The source span of the selected operation."""
        if self.stop is None or self.chosen is None:
            return None
        if self.chosen is self.stop.frame:
            return self.source(self.stop.operation).span
        inner = next((f for f in self.frames() if f.parent is self.chosen), None)
        operation = None if inner is None else inner.operation
        return None if operation is None else self.sites.of(operation).operation.span

    def help(self, rest: str) -> None:
        """``help``."""
        self.write(HELP)


COMMANDS: Final[Mapping[str, Callable[[Session, str], bool | None]]] = {
    "break": Session.add_breakpoint,
    "breakpoints": Session.list_breakpoints,
    "continue": Session.proceed,
    "delete": Session.delete,
    "down": lambda session, rest: session.move(-1),
    "finish": Session.finish,
    "help": Session.help,
    "list": Session.list,
    "next": Session.next,
    "print": Session.print,
    "quit": Session.quit,
    "stats": Session.stats,
    "step": Session.step,
    "up": lambda session, rest: session.move(1),
    "where": Session.where,
}


def numbers(part: ElementStatistics) -> Iterator[tuple[str, object]]:
    """Statistics by name, those that say something."""
    for name in ElementStatistics.__slots__:
        value = getattr(part, name)
        if value is not None:
            yield name.replace("_", " "), value


def type_text(declared: Any, array: Any) -> str:
    """The type of a value, with the sizes that it has."""
    if not isinstance(declared, TensorType) or array is None:
        return str(declared)
    return str(TensorType(np.shape(array), declared.element_type))
