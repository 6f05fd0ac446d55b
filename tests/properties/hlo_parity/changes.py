"""HLO texts that are changed by a token or an attribute: other spellings, and what is wrong."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from stablemate.xla.opcodes import OPCODES
from stablemate.xla.primitive_types import NAMES_IN_TEXT
from tests.formats.hlo.instruction_texts import PROGRAM, instructions
from tests.properties.generation.choices import Choices

TOKEN: Final = re.compile(
    r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|/\*.*?\*/|//[^\n]*|->|<=|\.\.\."""
    r"""|%?[A-Za-z_][\w.-]*[=:]?|-?[0-9][\w.]*|\s+|.""",
    re.DOTALL | re.ASCII,
)
NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]*)?$")
ATTRIBUTE: Final = re.compile(r"[A-Za-z_][\w-]*=$")
NUMBERS: Final = (
    *("0", "1", "2", "-1", "3", "00", "-0", "7", "1.", "1.5", "1e3", "-1e-3", "0x10", "+1", ".5"),
    *("127", "128", "255", "256", "65504", "65536", "2147483647", "2147483648", "-2147483649"),
    *("4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615"),
    *("18446744073709551616", "-9223372036854775808", "-9223372036854775809", "1e400", "1e-400"),
    *("inf", "-inf", "nan", "-nan", "nan(0x1)", "-nan(0x7)", "true", "false", "(1,2)", "1_1"),
)  # fmt: skip
STRANGE: Final = (
    *("{", "}", "(", ")", "[", "]", ",", ":", "=", "->", "<=", "?", "*", "+", "~", "#", "...", "."),
    *('"', "'", "%", "/*x*/", "//x\n", "/", "\\", "\n", "\t", " ", "é", ";", "@", "-", "{}", "()"),
    *("[]", "{{}}", "{1}", "{0,1}", "{1,0}", "{:S(1)}", '"x"', "'y'", "%p", "p", "q", "w", "x=1"),
    *("ROOT", "ENTRY", "HloModule", "replicated", "maximal", "manual", "add", "same", "token[]"),
    *("f32[]", "s32[4,6]", "(f32[],s32[])", "f32[<=4,6]", "f32[?,6]", "b(f32[2])", "add(p, p)"),
    *("f32[4,6]{0,1}", "f32[4,6]{1,0:T(2,128)}", "{1,0:T(8)(2)S(5)}", "{1,0:E(4)}", "metadata={}"),
    *("T", "S", "E", "L", "SC", "M", "D", "P", "T(2,128)", "S(3)", "L(4)", "SC(1:2)", "M(8)"),
    *("last_tile_dim_replicate", "last_tile_dims={manual}", "shard_as 1", "metadata={op_name='a'}"),
    *("unknown", "unreduced", "device=1", "devices=[2,2]<=[4]", "T(1,0)", "mesh", "devices=[2]0,1"),
    *("size=2x2", "pad=0_1x2_3", "stride=2x1", "rhs_reversal=1x0", "lhs_dilate=2x2"),
    *("b01f_01io->b01f", "0bf_oi0->0fb"),
)  # fmt: skip
ATTRIBUTES: Final = (
    'metadata={op_name="a"}',
    'backend_config="b"',
    "backend_config={}",
    "sharding={replicated}",
    "sharding={devices=[2,2]<=[4]}",
    "frontend_attributes={a=\"b\"}",
    "control-predecessors={q}",
    "statistics={visualizing_index=1,a=2}",
    "parameter_replication={true}",
    "origin={{\"x\"}}",
    "execution_thread=\"t\"",
    "async_execution_thread=\"t\"",
    "dimensions={0}",
    "dimensions={}",
    "dimensions={1,0}",
    "to_apply=add",
    "to_apply=greater",
    "calls=same",
    "channel_id=1",
    "replica_groups={{0,1}}",
    "replica_groups=[1,2]<=[2]",
    "use_global_device_ids=true",
    "constrain_layout=false",
    "is_stable=true",
    "window={size=2x2}",
    "dim_labels=b01f_01io->b01f",
    "operand_precision={high,default}",
    "result_accuracy={mode=highest}",
    "largest=false",
    "index=0",
    "foo=1",
    "type=TOTALORDER",
    "algorithm=dot_f32_f32_f32",
    "algorithm=rng_default",
    "slice_sizes={1,6}",
    "output_to_operand_aliasing={{}: (0, {})}",
    "is_host_transfer=true",
    "lower=true",
    "literal=s32[] 1",
    "indices_are_sorted=true",
)  # fmt: skip
OPCODE: Final = re.compile(r"[a-z][a-z0-9-]*$")


@cache
def lines() -> tuple[str, ...]:
    """Instructions of every form, without their names."""
    return tuple(dict.fromkeys(instructions()))


@cache
def attributes() -> tuple[str, ...]:
    """Attributes that instructions of these forms have."""
    by_key = {part for line in lines() for part in parted(line)[1]}
    return (*ATTRIBUTES, *sorted(by_key))


def parted(line: str) -> tuple[str, list[str]]:
    """An instruction without its attributes, and these."""
    depth, parts, start = 0, list[str](), 0
    position = 0
    for token in TOKEN.findall(line):
        depth += (token in "([{") - (token in ")]}") if token.strip() else 0
        if token == "," and depth == 0:
            parts.append(line[start:position].strip())
            start = position + 1
        position += len(token)
    parts.append(line[start:].strip())
    return parts[0], parts[1:]


def changed(choices: Choices) -> str:
    """A module with an instruction that was changed a few times."""
    line = choices.of(lines())
    for _ in range(choices.integer(1, 2)):
        line = choices.of(CHANGES)(choices, line)
    if choices.chance(3):
        return line
    return PROGRAM.format(line)


def changed_text(choices: Choices, text: str) -> str:
    """A text that was changed a few times."""
    for _ in range(choices.integer(1, 2)):
        text = with_another_token(choices, text)
    return text


def with_another_token(choices: Choices, line: str) -> str:
    """A line with one token less, more, twice, in another place, or another one."""
    tokens = TOKEN.findall(line)
    if not tokens:
        return line
    place, kind = choices.below(len(tokens)), choices.below(8)
    token = tokens[place]
    if kind == 0:
        tokens.pop(place)
    elif kind == 1:
        tokens.insert(place, token)
    elif kind == 2:
        tokens[place] = choices.of(tokens)
    elif kind == 3:
        tokens.insert(place, choices.of(STRANGE))
    elif kind == 4:
        other = choices.below(len(tokens))
        tokens[place], tokens[other] = tokens[other], token
    else:
        tokens[place] = like(choices, token)
    return "".join(tokens)


def like(choices: Choices, token: str) -> str:
    """A token of the same sort, most of the time."""
    if NUMBER.match(token):
        return choices.of(NUMBERS)
    if token in NAMES_IN_TEXT:
        return choices.of(sorted(NAMES_IN_TEXT))
    if token in OPCODES:
        return choices.of(list(OPCODES))
    return choices.of(STRANGE)


def with_a_number(choices: Choices, line: str) -> str:
    """A line in which a number is another one."""
    tokens = TOKEN.findall(line)
    places = [i for i, token in enumerate(tokens) if NUMBER.match(token)]
    if places:
        tokens[choices.of(places)] = choices.of(NUMBERS)
    return "".join(tokens)


def with_a_type(choices: Choices, line: str) -> str:
    """A line in which a type is another one."""
    tokens = TOKEN.findall(line)
    places = [i for i, token in enumerate(tokens) if token in NAMES_IN_TEXT]
    if places:
        tokens[choices.of(places)] = choices.of(sorted(NAMES_IN_TEXT))
    return "".join(tokens)


def with_other_attributes(choices: Choices, line: str) -> str:
    """A line with an attribute less, more, or all in another order."""
    head, parted_value = parted(line)
    kind = choices.below(4)
    if kind == 0 and parted_value:
        parted_value.pop(choices.below(len(parted_value)))
    elif kind == 1 and parted_value:
        parted_value = choices.permutation(parted_value)
    elif kind == 2 and parted_value:
        parted_value[choices.below(len(parted_value))] = choices.of(attributes())
    else:
        parted_value.insert(choices.below(len(parted_value) + 1), choices.of(attributes()))
    return ", ".join([head, *parted_value])


def without_shape(choices: Choices, line: str) -> str:
    """A line whose result has no shape, or another one."""
    tail = line
    for opcode in re.finditer(r"(?<![\w.-])[a-z][a-z0-9-]*\(", line):
        tail = line[opcode.start() :]
        break
    shapes = ("", "f32[4,6] ", "f32[] ", "s32[4,6] ", "(f32[4,6], s32[]) ", "token[] ", "pred[] ")
    more = ("f32[4] ", "f32[<=4,6] ", "f32[4,6]{0,1} ", "((f32[4,6]), f32[4,6], s32[]) ", "f32[?] ")
    return f"{choices.of((*shapes, *more))}{tail}"


def with_space(choices: Choices, line: str) -> str:
    """A line with white space or a comment between two tokens."""
    tokens = TOKEN.findall(line)
    blank = choices.of((" ", "\n", "/**/", "/* a, b} */", "// c\n", "\t", "\r\n"))
    tokens.insert(choices.below(len(tokens) + 1), blank)
    return "".join(tokens)


CHANGES: Final = (
    with_another_token,
    with_a_number,
    with_a_type,
    with_other_attributes,
    without_shape,
    with_space,
    with_other_attributes,
    with_another_token,
)
