"""The text of ``backend_config``, which is opaque but for one field.

Source: XLA, HLO text and ``HloInstructionProto`` as XLA reads them.
"""

from __future__ import annotations

import re
from typing import Final

NO_QUEUES: Final = re.compile(r'"wait_on_operation_queues"\s*:\s*\[\s*\]\s*,')


def without_empty_queues(config: str) -> str:
    """Removes ``"wait_on_operation_queues":[],`` wherever it stands, as XLA does."""
    return NO_QUEUES.sub("", config) if "wait_on_operation_queues" in config else config
