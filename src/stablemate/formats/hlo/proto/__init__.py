"""HLO as protocol buffers: ``HloModuleProto`` and the messages that wrap it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.formats.hlo.proto.reader import read_proto as read_proto
    from stablemate.formats.hlo.proto.recognition import is_hlo_proto as is_hlo_proto
    from stablemate.formats.hlo.proto.writer import write_proto as write_proto

__getattr__ = names_on_demand(
    __name__,
    {"is_hlo_proto": "recognition", "read_proto": "reader", "write_proto": "writer"},
)
