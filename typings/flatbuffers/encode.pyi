from struct import Struct
from typing import Any

def Get(packer_type: Struct, buf: Any, head: int) -> Any: ...
