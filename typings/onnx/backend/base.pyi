"""What a backend is."""

from collections.abc import Callable, Sequence
from typing import Any

def namedtupledict(typename: str, field_names: Sequence[str]) -> Callable[..., tuple[Any, ...]]: ...

class BackendRep:
    """A model that runs."""

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]: ...

class Backend:
    """What prepares models."""

    @classmethod
    def is_compatible(cls, model: Any, device: str = ..., **kwargs: Any) -> bool: ...
    @classmethod
    def prepare(cls, model: Any, device: str = ..., **kwargs: Any) -> BackendRep | None: ...
    @classmethod
    def run_model(
        cls, model: Any, inputs: Any, device: str = ..., **kwargs: Any
    ) -> tuple[Any, ...]: ...
    @classmethod
    def run_node(
        cls, node: Any, inputs: Any, device: str = ..., outputs_info: Any = ..., **kwargs: Any
    ) -> tuple[Any, ...] | None: ...
    @classmethod
    def supports_device(cls, device: str) -> bool: ...
