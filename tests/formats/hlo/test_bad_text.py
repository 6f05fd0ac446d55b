"""What is refused: where, and what was expected instead; and that nothing else ever leaves."""

import random
import re

import pytest

from stablemate.diagnostics.errors import LimitError, ParseError, StablemateError
from stablemate.diagnostics.limits import Limits
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import PrintOptions, write_text
from tests.formats.hlo.instruction_texts import programs
from tests.oracle.client import Oracle, OracleAborted, OracleRejected
from tests.xla.corpus import modules


def refused(text: str, *, elided: bool = True) -> str:
    with pytest.raises(ParseError) as caught:
        read_text(text, elided=elided)
    return str(caught.value)


def in_entry(line: str) -> str:
    return f"HloModule m\n\nENTRY e {{\n  p = f32[4,6] parameter(0)\n  {line}\n}}\n"


def test_errors_show_the_place() -> None:
    text = in_entry("ROOT r = f32[4,6] add(p, pp), metadata={}")
    assert refused(text) == (
        "<text>:5:28: error: 'pp' is not an instruction\n"
        " 5 |   ROOT r = f32[4,6] add(p, pp), metadata={}\n"
        "   |                            ^^\n"
        "note: did you mean 'p'?"
    )


def test_elided_constants_are_refused_with_what_to_do() -> None:
    assert refused(in_entry("c = f32[20] constant({...})"), elided=False) == (
        "<text>:5:24: error: the values of this constant were left out when the text was printed\n"
        " 5 |   c = f32[20] constant({...})\n"
        "   |                        ^^^^^\n"
        "note: print it with print_large_constants, dump it with --xla_dump_large_constants=true "
        "or as a protocol buffer; reading with elided=True keeps the gap"
    )


LINES = (
    ("r = f32[4,6] ads(p)", "5:16: error: 'ads' is not an opcode"),
    ("r= f32[4,6] abs(p)", "5:3: error: expected the name of an instruction, found 'r'"),
    ("r = abs", "5:7: error: expected a shape or an opcode, found 'abs'"),
    ("r = f32[4,6] abs(p", "6:1: error: expected ',' or ')', found '}'"),
    ("r = f32[4,6] abs(p, p)", "5:16: error: 'abs' has 1 operand, not 2"),
    ("r = f32[4,6] add(p)", "5:16: error: 'add' has 2 operands, not 1"),
    (
        "r = concatenate(), dimensions={0}",
        "5:7: error: 'concatenate' has 1 or more operands, not 0",
    ),
    ("r = f32[4,6] abs(f32[4] p)", "5:20: error: 'p' has the shape f32[4,6]{1,0}, not f32[4]{0}"),
    ("r = f32[4,6] abs(p), foo=1", "5:24: error: 'foo' is not an attribute of 'abs'"),
    ("r = f32[4,6] abs(p), metadata={}, metadata={}", "'metadata' occurs twice"),
    ("r = f32[6,4] transpose(p)", "5:16: error: 'transpose' must have 'dimensions'"),
    (
        "r = f32[4,6] rng(p, p), distribution=x",
        "5:40: error: 'x' is not one of rng_uniform, rng_norm",
    ),
    ("r = convert(p)", "5:7: error: the shape of the result of 'convert' must be written"),
    ("p = f32[4,6] abs(p)", "5:3: error: there is another instruction named 'p'"),
    ("f32 = f32[4,6] abs(p)", "5:3: error: 'f32' is a reserved word; expected the name"),
    ("r = f32[] constant(1.5", "6:1: error: expected ')', found '}'"),
    ("r = f32[] constant({1})", "5:22: error: expected an element of a literal of 0 dimensions"),
    ("r = f32[2] constant({1})", "5:25: error: dimension 0 has 2 elements, found 1"),
    ("r = f32[2] constant({1, 2, 3})", "5:30: error: dimension 0 has 2 elements, found more"),
    (
        "r = f32[2] constant({1, {2}})",
        "expected an element of a literal of 1 dimensions, found '{'",
    ),
    ("r = f32[2] constant(1)", "5:23: error: one number is not a literal of this shape"),
    ("r = s8[2] constant({1, 300})", "5:26: error: 300 is out of range for s8, -128 to 127"),
    ("r = s8[2] constant({1, 2.5})", "5:26: error: s8 needs an integer, not 2.5"),
    ("r = c64[] constant((0, 3.4028235e38))", "3.4028235e38 is out of range for f32"),
    ("r = f16[] constant(1e6)", "5:22: error: 1e6 is out of range for f16"),
    ("r = f4e2m1fn[] constant(nan)", "nan is out of range for f4e2m1fn"),
    ("r = f32[] constant(nan(0x800000))", "the payload is out of range for f32"),
    ("r = token[] constant()", "5:24: error: there is no literal of type token"),
    ("r = f32[4,6] parameter(2)", "parameters are numbered from 0 without gaps, found 0, 2"),
    ("r = f32[4,6] abs(p), sharding={devices=[2,2]<=[5]}", "must have the same number of devices"),
    ("r = f32[4,6] abs(p), sharding={devices=[2,2]0,1}", "4 tiles need as many devices, not 2"),
    ("r = f32[4,6] abs(p), sharding={mesh['x'=2], [{'y'}, {}]}", "the mesh has no axis 'y'"),
    ("r = f32[4,6] abs(p), sharding={mesh['x'=2], [{'x'}, {'x'}]}", "the axis 'x' is used twice"),
    ("r = f32[4,6] abs(p), control-predecessors={r}", "5:46: error: 'r' is not an instruction"),
    ("r = f32[4,6] map(p), to_apply=f", "5:33: error: 'f' is not a computation"),
    ('r = f32[4,6] abs(p), metadata={op_name="a}', "5:42: error: this string is not terminated"),
    ('r = f32[4,6] abs(p), metadata={op_name="\\q"}', "5:43: error: there is no escape '\\q'"),
    ("r = f32[4,6] abs(p), backend_config={{", "5:39: error: this dictionary is not terminated"),
    ("r = f32[4,6] abs(p) /* x", "this comment is not terminated"),
    ("r = f32[8,6] concatenate(p, p), dimensions={0,1}", "'dimensions' is one dimension, not 2"),
    ("r = f32[4,6] infeed(p)", "the result of 'infeed' is a tuple of data and a token"),
    ("r = f32[4,6] abs-done(p)", "5:16: error: the operand must come from 'abs-start'"),
    ("r = f32[4,6] abs-start(p)", "has the form ((operands), result, state)"),
    ("r = f32[4,6] tuple(p)", "the result of 'tuple' is a tuple, not f32[4,6]{1,0}"),
    ("r = f32[4,6] abs(() p)", "'p' has the shape f32[4,6]{1,0}, not ()"),
    ("r = outfeed(p, p)", "the shape of the result of 'outfeed' must be written"),
    (
        "r = f32[6] dynamic-slice(p, p), dynamic_slice_sizes={1,6}",
        "2 dimensions need as many start",
    ),
    (
        "r = f32[6] reduce(p, p, p), dimensions={0}, to_apply={ROOT x = f32[] parameter(0)}",
        "as many initial values as arrays, not 3 operands",
    ),
    (
        "r = reduce-window(p, p), to_apply={ROOT x = f32[] parameter(0)}, window={size=2}",
        "the window has 1 dimensions, the operand 2",
    ),
    ("r = f32[4,6] async-done(p)", "must come from 'async-start' or 'async-update'"),
    (
        "s = ((f32[4,6]), f32[4,6], s32[]) abs-start(p)\n"
        '  r = f32[4,6] abs-done(s), async_execution_thread="t"',
        "'async_execution_thread' of 's' is 'main', not 't'",
    ),
    (
        "s = ((f32[4,6]), f32[4,6], s32[]) abs-start(p)\n  r = f32[4,6] abs-done(s), calls=e",
        "'calls' is not an attribute of 'async-done'",
    ),
    (
        "r = f32[4,6] conditional(p, p), branch_computations={{ROOT x = f32[4,6] parameter(0)}}",
        "'conditional' is on a pred or s32, not f32[4,6]{1,0}",
    ),
    ("r = f32[4,6] abs(p), sharding={devices=[1,1]0}", "a list of devices names at least two"),
    ("r = (f32[4,6]{1,0:T()}) tuple(p)", "a tile has dimensions"),
    ("r = (f32[4,6]{1,2}) tuple(p)", "minor_to_major is a permutation of the dimensions"),
    ("r = (f32[4,6]{1,0:#(u32)}) tuple(p)", "a dense array has no types of indices and pointers"),
    (
        "r = f32[4,6] all-reduce(p), replica_groups=mesh['x'=2] {}, to_apply={ROOT x = f32[] "
        "parameter(0)}",
        "the groups of a mesh have more than one device",
    ),
    (
        'r = f32[4,6] custom-call(p), custom_call_target="x", window={size=-2x2}',
        "expected integers joined by 'x'",
    ),
    ("r = f32[] batch-norm-grad(p, p, p, p, p), epsilon=1e39, feature_index=0", "than 32 bits"),
    (
        'r = f32[] custom-call(p), custom_call_target="x", operand_layout_constraints={f32[4]{0}}',
        "'operand_layout_constraints' has f32[4]{0} for 'p'",
    ),
    ("r = f32[4,6] abs(p), metadata={profile_type={4}}", "types of profiles are from 0 to 3"),
    ("r = f32[4,6] domain(p), domain={exit={manual}}", "a domain has 'kind', 'entry' and 'exit'"),
    ("r = f32[4,6] abs(p), parameter_replication={true,true}", "has 1 values, one for each leaf"),
    ("r = f32[4,6]{,0} abs(p)", "5:15: error: expected an opcode"),
    ("r = f32[4,6]{0} abs(p)", "expected a layout of 2 dimensions, found one of 1"),
    ("r = f32[99999999999999999999] abs(p)", "expected an integer from 0 to 9223372036854775807"),
    ("r = s32[] get-tuple-element(p), index=99999999999999999999", "needs more than 64 bits"),
)


@pytest.mark.parametrize(("line", "message"), LINES)
def test_lines_are_refused(line: str, message: str) -> None:
    assert message in refused(in_entry(line))


TEXTS = (
    ("add(f32[2] a, f32[2] b)", "1:1: error: expected a shape, or the name of an instruction"),
    ("f32[2] parameter(3)", "parameters are numbered from 0 without gaps, found 3"),
    (
        "HloModule m, input_output_alias={ {0}: (0, {}) }\nENTRY e { ROOT p = f32[] parameter(0) }",
        "the result has no part {0}, it is f32[]",
    ),
    (
        "HloModule m, input_output_alias={ {}: (-1, {}) }\nENTRY e { ROOT p = f32[] parameter(0) }",
        "1:40: error: parameters are numbered from 0, found -1",
    ),
    (
        "HloModule m, buffer_donor={ (-2, {}) }\nENTRY e { ROOT p = f32[] parameter(0) }",
        "parameters are numbered from 0, found -2",
    ),
    ("", "<text>:1:1: error: expected 'HloModule' and the name of a module, found the end"),
    ("HloModule", "<text>:1:10: error: expected the name of the module, found the end of the text"),
    ("HloModule m", "<text>:1:12: error: expected a computation, found the end of the text"),
    (
        "HloModule m, x=1\nENTRY e {}",
        "1:14: error: 'x' is not one of is_scheduled, input_output_alias",
    ),
    ("HloModule m\nENTRY e {}", "2:10: error: a computation has at least one instruction"),
    ("HloModule m\ne { p = f32[] parameter(0) }\ne { p = f32[] parameter(0) }", "named 'e'"),
    (
        "HloModule m\nENTRY e { p = f32[] parameter(0) }\nENTRY f { p = f32[] parameter(0) }",
        "3:1: error: 'e' is the entry already",
    ),
    (
        "HloModule m\nENTRY e { ROOT p = f32[] parameter(0)\n ROOT q = f32[] abs(p) }",
        "3:2: error: 'p' is the result already",
    ),
    ("HloModule m\ne (p: f32[]) -> f32[2] { p = f32[] parameter(0) }", "the result of 'e' has the"),
    ('HloModule m\nFileNames\n2 "a"', "3:1: error: rows are numbered from 1; expected 1"),
    ("r = abs(p)", "error: 'p' is not an instruction"),
)


@pytest.mark.parametrize(("text", "message"), TEXTS)
def test_texts_are_refused(text: str, message: str) -> None:
    assert message in refused(text)


@pytest.mark.parametrize(
    "line",
    [
        f"r = f32[4,6] {'abs(' * 5000}p{')' * 5000}",
        f"r = {'(' * 5000}f32[]{')' * 5000} custom-call(p)",
        "r = f32[4,6] map(p), to_apply=" + "{ x = f32[] map(p), to_apply=" * 5000,
        f"r = f32[4,6] abs(p), sharding={'{' * 5000}",
        f"r = f32[4,6] abs(p), origin={{{'(' * 5000}",
        f"r = ({'(' * 60}s32[]{')' * 60}, f32[]) constant({'(' * 5000}",
    ],
)
def test_nesting_is_bounded(line: str) -> None:
    with pytest.raises((LimitError, ParseError)):
        read_text(in_entry(line))


def test_limits_hold() -> None:
    nested = in_entry(f"r = f32[4,6] {'abs(' * 20}p{')' * 20}")
    assert read_text(nested)
    with pytest.raises(LimitError, match="nested more than 10 levels deep"):
        read_text(nested, Limits(nesting=10))
    with pytest.raises(LimitError, match="more than 20 bytes"):
        read_text(nested, Limits(input_bytes=20))


def test_no_memory_is_taken_for_what_is_not_there() -> None:
    size = "1000000000,1000000000"
    assert "dimension 0 has 1000000000" in refused(in_entry(f"r = f32[{size}] constant({{}})"))
    assert read_text(in_entry(f"r = f32[{size}] broadcast(f32[] constant(1)), dimensions={{}}"))


# ---- changed texts

TOKEN = re.compile(r'"[^"]*"|[A-Za-z_][\w.-]*|-?\d+|\s+|.', re.DOTALL)
STRAY = "{}()[],:=%\"'/\\-0123456789 abf*<>?_.\n\0é\ud800"


class Mutator:
    """Changes texts at random."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.texts = [
            *programs(),
            *(module.text for module in modules() if len(module.text) < 9000),
        ]
        self.tokens = [token for text in self.texts[::7] for token in TOKEN.findall(text)]

    def changed(self, text: str) -> str:
        """A text with one change: a token or some characters gone, new, doubled or moved."""
        choice, at = self.random.random(), self.random.randrange(max(len(text), 1))
        if choice < 0.4:
            tokens = TOKEN.findall(text) or [" "]
            at = self.random.randrange(len(tokens))
            count = self.random.randrange(4)
            new = [self.random.choice(self.tokens) for _ in range(self.random.randrange(2))]
            if choice < 0.1:
                new = tokens[self.random.randrange(len(tokens)) :][:8]
            return "".join([*tokens[:at], *new, *tokens[at + count :]])
        if choice < 0.6:
            return text[:at] + text[at + self.random.randrange(1, 5) :]
        if choice < 0.85:
            return text[:at] + self.random.choice(STRAY) + text[at:]
        end = self.random.randrange(max(len(text), 1))
        first, last = min(at, end), max(at, end)
        return text[:first] if choice < 0.9 else text[:first] + text[last:] + text[first:last]

    def draw(self) -> str:
        """A text with one to four changes."""
        text = self.random.choice(self.texts)
        for _ in range(self.random.choice((1, 1, 1, 2, 4))):
            text = self.changed(text)
        return text

    def draw_line(self) -> str:
        """A text with changes in its last instruction alone."""
        text = self.random.choice(self.texts[: len(programs())])
        at = text.index("ROOT r = ")
        return text[:at] + self.changed(text[at:])


@pytest.mark.parametrize("seed", range(4))
def test_changed_texts_are_read_or_refused(seed: int) -> None:
    mutator = Mutator(seed)
    for _ in range(500):
        text = mutator.draw()
        try:
            module = read_text(text)
        except StablemateError as error:
            str(error)  # its place can be shown
            continue
        assert read_text(write_text(module, PrintOptions(async_forms=False))) == module


# What XLA takes for something else, and we refuse.
WE_REFUSE = re.compile(
    r"need as many devices|same number of devices|is of one kind|must name every dimension once"
    r"|has \d+ operands?, not|is a reserved word|once$|device_ids names|is out of range for"
    r"|rows are numbered|of devices are positive",
    re.MULTILINE,
)
# What XLA refuses, and we leave to the verifier.
WE_ACCEPT = re.compile(r"expect a single async op|aborted")


@pytest.mark.standard
@pytest.mark.parametrize("seed", range(2))
def test_changed_texts_get_the_verdict_of_xla(seed: int, oracle: Oracle) -> None:
    mutator = Mutator(100 + seed)
    for _ in range(200):
        text = mutator.draw_line()
        if "\ud800" in text or "\0" in text or "origin=" in text:  # XLA reads any origin
            continue
        try:
            reason = ""
            oracle.hlo_text(text)
        except OracleRejected as rejected:
            reason = str(rejected)
        except OracleAborted:
            reason = "aborted"
        try:
            read_text(text)
        except StablemateError as error:
            assert reason or WE_REFUSE.search(str(error)), text  # noqa: PT017
        else:
            assert not reason or WE_ACCEPT.search(reason), text
