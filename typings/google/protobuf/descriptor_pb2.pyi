from typing import Any

class FileDescriptorProto:
    message_type: Any
    def __init__(self, *, name: str, package: str, syntax: str) -> None: ...
