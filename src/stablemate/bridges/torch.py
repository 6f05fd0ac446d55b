"""PyTorch: modules and exported programs as programs.

``torch.export`` captures a module, torchax turns what it captured into functions of JAX, and those
become programs as those of users do.

Source: PyTorch, torch.export; torchax, export.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal

from stablemate.api.module import Module
from stablemate.bridges.frameworks import framework
from stablemate.bridges.jax import from_jax

NEED: Final = 'modules of PyTorch need torch and torchax: pip install torch "torchax" jax'


def from_torch(
    model: Any, *arguments: Any, keywords: Mapping[str, Any] | None = None,
    weights: Literal["constants", "argument"] = "constants", **options: Any,
) -> Module:  # fmt: skip
    """The program of a module of PyTorch, as it infers.

    It is called as the module is, with arrays in place of tensors: ``m.run(*arguments)``. With
    ``weights="argument"`` its first argument is a dictionary of its parameters and buffers, by the
    names that ``state_dict`` has; else they are constants of the program. What the module changes
    in its buffers is dropped.

    Args:
        model: A ``torch.nn.Module``, exported in the mode it is in (``eval()`` or ``train()``), or
            what ``torch.export.export`` returned.
        *arguments: Example inputs, of a module.
        keywords: Example inputs by name.
        weights: Whether weights are constants, or an argument.
        **options: What else ``torch.export.export`` takes, such as ``dynamic_shapes``.

    Raises:
        UnsupportedError: PyTorch or torchax is not installed, or they do not fit together.
        Exception: What ``torch.export`` and torchax say that they cannot export.
    """
    torch = framework("torch", NEED)
    exporter = torchax("export")
    program = model
    if isinstance(model, torch.nn.Module):
        keyword_arguments = dict(keywords or {})
        program = torch.export.export(model, tuple(arguments), keyword_arguments, **options)
    called = Called(program)
    with framework("jax", NEED).enable_x64(True):  # integers of PyTorch have 64 bits
        state, function = exporter.exported_program_to_jax(program)
        args, named = called.tree(exporter.extract_avals(program))
        names = state_names(program) if weights == "argument" else ()

        def whole(*values: Any, **by_name: Any) -> Any:
            parameters = [values[0][name] for name in names] or state
            return called(function, parameters, values[bool(names) :], by_name)

        holding = [dict(zip(names, state, strict=True))] if names else []
        return from_jax(whole, *holding, *args, **named)


def torchax(module: str, need: str = NEED) -> Any:
    """A module of torchax.

    torchax 0.0.13 names overloads that PyTorch 2.13 has no more: they are ignored. It also
    registers a device ``jax``, which TorchDynamo would ask for streams that PyTorch does not have:
    PyTorch is told that the device is not available.

    Args:
        module: Its name in the package.
        need: What to say if torchax is not installed.

    Raises:
        UnsupportedError: It is not installed, or does not fit PyTorch.
    """
    with missing_overloads(framework("torch", need)):
        module_ = framework(f"torchax.{module}", need)
        framework("torchax.device_module", need).is_available = bool  # that is, False
        return module_


@contextmanager
def missing_overloads(torch: Any) -> Generator[None]:
    """Overloads with named dimensions are found even where PyTorch has none."""
    packet = torch._ops.OpOverloadPacket
    original = packet.__getattr__

    def overload(self: Any, name: str) -> Any:
        try:
            return original(self, name)
        except AttributeError:
            if "name" not in name.lower():
                raise
            return object()

    packet.__getattr__ = overload
    try:
        yield
    finally:
        packet.__getattr__ = original


class Called:
    """An exported program as a function of trees; torchax has one of leaves."""

    def __init__(self, program: Any) -> None:
        self.spec = program.call_spec
        self.trees = framework("torch.utils._pytree", NEED)

    def tree(self, leaves: Sequence[Any]) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """The arguments, by position and by name, that have these leaves."""
        args, named = self.trees.tree_unflatten(list(leaves), self.spec.in_spec)
        return args, named

    def __call__(
        self, function: Callable[..., Any], state: Sequence[Any], args: Sequence[Any],
        named: Mapping[str, Any],
    ) -> Any:  # fmt: skip
        """Returns the result of the module, a tree."""
        leaves, _ = self.trees.tree_flatten((tuple(args), dict(named)))
        results = function(state, leaves)
        return self.trees.tree_unflatten(list(results), self.spec.out_spec)


def state_names(program: Any) -> Sequence[str]:
    """The names of the state of an exported program, in the order of torchax."""
    signature = program.graph_signature
    constants = getattr(signature, "lifted_tensor_constants", ())
    return [*signature.parameters, *signature.buffers, *constants]
