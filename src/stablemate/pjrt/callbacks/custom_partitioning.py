"""``jax.experimental.custom_partitioning``: JAX says what each device computes for a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.api.loading import load
from stablemate.bridges import jax_internals
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.types import TensorType
from stablemate.pjrt.programs import LIMITS
from stablemate.transforms.inline import inline
from stablemate.transforms.legalization import legalize_module
from stablemate.transforms.partitioning.custom_partitioners import (
    CUSTOM_PARTITIONERS,
    LocalProgram,
)
from stablemate.transforms.sdy_partition import divisible_operations
from stablemate.transforms.stablehlo_decompose import decompose_module

TARGET: Final = "CustomSPMDPartitioning"


def local_program(
    operation: CustomCall, operands: Sequence[str], results: Sequence[str] | None
) -> LocalProgram:
    """Calls the functions that the user has registered, by way of JAX."""
    jax = jax_internals.custom_partitioning()
    xla = jax_internals.xla_client()
    key = str(operation.backend_config).encode()
    shapes = [shape_of(xla, value.type) for value in operation.operands]
    shardings = [xla.HloSharding.from_string(text) for text in operands]
    result_shapes = [shape_of(xla, value.type) for value in operation.results]
    is_tuple = len(result_shapes) != 1
    result_shape = xla.Shape.tuple_shape(result_shapes) if is_tuple else result_shapes[0]
    if results is None:
        result_sharding = jax._custom_partitioning_infer_sharding_from_operands(
            shapes, shardings, result_shape, key
        )
    else:
        listed = [xla.HloSharding.from_string(text) for text in results]
        result_sharding = jax._pack_result_sharding(result_shape, listed)
    code, needed, computed = jax._custom_partitioning_partition(
        shapes, shardings, result_shape, result_sharding, key
    )
    module = load(code, limits=LIMITS, name="program of a device").ir
    module = inline(decompose_module(legalize_module(module, keep=divisible_operations())))
    texts = computed.tuple_elements() if is_tuple else [computed]
    return LocalProgram(module, [*map(str, needed)], [*map(str, texts)])


def shape_of(xla: Any, value_type: TensorType) -> Any:
    """XLA's shape of a tensor."""
    return xla.Shape.array_shape(np.dtype(value_type.element_type.dtype), value_type.shape)


def install() -> None:
    """Lets JAX partition these calls."""
    CUSTOM_PARTITIONERS[TARGET] = local_program
