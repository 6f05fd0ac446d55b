"""Differences to XLA's reader that are meant; docs/reliability.md says why.

Each row: the kind of difference, a pattern of what we say, a pattern of what XLA says.
"""

from __future__ import annotations

import re
from typing import Final

from tests.properties.hlo_parity.difference import Difference

ROWS: Final = (
    # A text is refused where XLA takes it for something else than it says.
    ("refused here", r"the same number of devices|of devices are positive|tiles need as many"),
    ("refused here", r"permutation must name every|positive sizes|is used twice|as many devices"),
    ("refused here", r"a sharding is of one kind|a mesh|the axis|devices of a"),
    ("refused here", r"rows are numbered from 1|file_|frame"),
    ("refused here", r"<text>:\d+:1: error: expected a string"),  # a row of file or function names
    ("refused here", r"needs more than \d+ bits|expected an integer|is out of range"),
    ("refused here", r"found `[^`]*`"),  # in a layout: a letter without its parentheses
    ("refused here", r"'dimensions' is one dimension|has \d+ operands?, not|has \d or more"),
    ("refused here", r"is not an instruction|expected an operand|expected '\}', found '?[{,]"),
    ("refused here", r"were left out when the text was printed|occurs twice"),
    ("refused here", r"stablehlo\.\w+ [CI]\d+|chlo\.\w+ [CI]\d+"),
    ("refused here", r"the window has|must be written|no payloads|number is not a literal"),
    # What protos hold and XLA forgets when it reads them.
    ("proto read otherwise", r"slice_sizes|operand_precision|profile_type|async_wrapped|metadata"),
    ("our proto read otherwise", r"metadata|async_wrapped"),
    # An integer of 64 bits without a sign is negative in XLA; a layout with an unknown dimension.
    ("printed otherwise", r"epsilon=1\.84467e\+19|\{0,22\}"),
    # The operation inside an asynchronous one keeps what the text says of it.
    ("printed otherwise", r"ROOT %tz = |origin_recovery_table|\{\"\"\}|\{\"a\"\}"),
)
# XLA prints what it cannot read: names that are empty, shapes that cannot be.
OF_XLA: Final = ("Dimensions overflow", "out-of-bounds value", "synthetic_call")


def is_listed(difference: Difference) -> bool:
    """Whether a difference is meant."""
    if any(item in difference.theirs for item in OF_XLA):
        return True
    return any(
        difference.kind == kind and re.search(pattern, f"{difference.ours}\n{difference.theirs}")
        for kind, pattern in ROWS
    )
