"""Requests and responses of inference.

Source: Open Inference Protocol, inference; the binary tensor data extension.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.similar_names import similar_names
from stablemate.numerics.elements import Array
from stablemate.serving.data_types import NAMES
from stablemate.serving.errors import RequestError, bad_request
from stablemate.serving.served_model import ServedModel, ServedTensor
from stablemate.serving.tensor_data import (
    array_of_bytes,
    array_of_json,
    bytes_of_array,
    json_of_array,
)

HEAD_LENGTH: Final = "Inference-Header-Content-Length"  # of the JSON before binary data
MICROSECOND: Final = 1e-6
MOST_SHOWN: Final = 100  # characters of a name in a message
# Parameters of tensors that would change what is read or returned, and are not implemented.
UNKNOWN_PARAMETERS: Final = ("shared_memory_region", "classification")


@dataclass(frozen=True, slots=True)
class RequestedOutput:
    """An output that a response contains.

    Attributes:
        position: Which result of the program it is.
        tensor: Its name and type.
        is_binary: Whether its elements are bytes behind the JSON.
    """

    position: int
    tensor: ServedTensor
    is_binary: bool


@dataclass(frozen=True, slots=True)
class InferenceRequest:
    """A request of inference.

    Attributes:
        id: How the client calls it; None if it has no name.
        arrays: The arguments of the program.
        outputs: What the response contains.
        seconds: How long the client wants to wait; None if it does not say.
    """

    id: str | None
    arrays: Sequence[Array]
    outputs: Sequence[RequestedOutput]
    seconds: float | None


def read_request(
    body: memoryview[int], head_length: str | None, model: ServedModel
) -> InferenceRequest:
    """Reads a request of inference.

    Args:
        body: Its body.
        head_length: The header that says where binary data begin; None if there are none.
        model: The model.

    Raises:
        RequestError: It is no request, or does not fit the model.
    """
    head, binary = split_body(body, head_length)
    message = json_object(head)
    name = message.get("id")
    if name is not None and not isinstance(name, str):
        raise bad_request('"id" is a string')
    parameters = object_in(message, "parameters", "the request")
    arrays, used = read_inputs(list_in(message, "inputs"), binary, model)
    if used != len(binary):
        raise bad_request(
            f"the body has {len(binary)} bytes of binary data, but the inputs name {used}"
        )
    outputs = read_outputs(message, parameters, model)
    return InferenceRequest(name, arrays, outputs, seconds_of(parameters))


def split_body(
    body: memoryview[int], head_length: str | None
) -> tuple[memoryview[int], memoryview[int]]:
    """The JSON of a body, and the binary data behind it."""
    if head_length is None:
        return body, body[len(body) :]
    if not head_length.isascii() or not head_length.isdecimal() or len(head_length) > 18:
        raise bad_request(f"{HEAD_LENGTH} is a number of bytes")
    length = int(head_length)
    if length > len(body):
        raise bad_request(f"{HEAD_LENGTH} is {length}, but the body has {len(body)} bytes")
    return body[:length], body[length:]


def json_object(text: memoryview[int]) -> Mapping[str, object]:
    """The object that a text in JSON is."""
    try:
        message = json.loads(bytes(text))
    except RecursionError:
        raise bad_request("the JSON is too deeply nested") from None
    except ValueError as error:  # of JSON, UTF-8 or a number with too many digits
        raise bad_request(f"the body is no JSON: {error}") from None
    if not isinstance(message, dict):
        raise bad_request("the body is no object of JSON")
    return cast("Mapping[str, object]", message)


def object_in(message: Mapping[str, object], key: str, what: str) -> Mapping[str, object]:
    """An object inside a message; empty if it is left out."""
    value = message.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise bad_request(f'"{key}" of {what} is no object')
    return cast("Mapping[str, object]", value)


def list_in(message: Mapping[str, object], key: str) -> Sequence[Mapping[str, object]]:
    """A list of objects inside a message."""
    value = list_of(message.get(key))
    if value is None or not all(isinstance(item, dict) for item in value):
        raise bad_request(f'"{key}" is a list of objects')
    return value


def list_of(value: object) -> Sequence[Any] | None:
    """A list of JSON; None if it is none."""
    return cast("Sequence[Any]", value) if isinstance(value, list) else None


def seconds_of(parameters: Mapping[str, object]) -> float | None:
    """How long the client wants to wait; ``timeout`` is in microseconds."""
    timeout = parameters.get("timeout")
    if timeout is None:
        return None
    if type(timeout) is not int or timeout < 0:
        raise bad_request('the parameter "timeout" is a number of microseconds')
    return min(timeout, 1 << 53) * MICROSECOND or None


# ---- inputs


def read_inputs(
    items: Sequence[Mapping[str, object]], binary: memoryview[int], model: ServedModel
) -> tuple[list[Array], int]:
    """The arguments of the program, and how many bytes of binary data they are."""
    arrays: dict[str, Array] = {}
    used = 0
    for item in items:
        tensor = tensor_named(item.get("name"), model.inputs, "input", model)
        if tensor.name in arrays:
            raise bad_request(f"the input {tensor.name} is given twice")
        size = binary_size(item, f"the input {tensor.name}")
        arrays[tensor.name] = read_input(item, tensor, binary[used : used + (size or 0)], size)
        used += size or 0
    missing = [tensor.name for tensor in model.inputs if tensor.name not in arrays]
    if missing:
        plural = "inputs" if len(missing) > 1 else "input"
        raise bad_request(f"{model.name} needs the {plural} {', '.join(missing)}")
    return [arrays[tensor.name] for tensor in model.inputs], used


def tensor_named(
    name: object, tensors: Sequence[ServedTensor], kind: str, model: ServedModel
) -> ServedTensor:
    """The input or output of this name."""
    for tensor in tensors:
        if tensor.name == name:
            return tensor
    if not isinstance(name, str):
        raise bad_request(f"an {kind} has no name")
    names = [tensor.name for tensor in tensors]
    raise bad_request(
        f"{model.name} has no {kind} {name[:MOST_SHOWN]!r}; {suggestion(name, names)}"
    )


def suggestion(name: str, names: Sequence[str]) -> str:
    """Which name was meant, or which there are."""
    close = similar_names(name[:MOST_SHOWN], names)
    return f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(names)}"


def binary_size(item: Mapping[str, object], what: str) -> int | None:
    """How many bytes of binary data an input is; None if its elements are in the JSON."""
    parameters = object_in(item, "parameters", what)
    reject_unknown(parameters, what)
    size = parameters.get("binary_data_size")
    if size is not None and (type(size) is not int or size < 0):
        raise bad_request(f'"binary_data_size" of {what} is a number of bytes')
    return size


def reject_unknown(parameters: Mapping[str, object], what: str) -> None:
    """Rejects parameters that change the meaning of a tensor, and are not implemented."""
    for name in UNKNOWN_PARAMETERS:
        if name in parameters:
            raise bad_request(f'the parameter "{name}" of {what} is not supported')


def read_input(
    item: Mapping[str, object], tensor: ServedTensor, data: memoryview[int], size: int | None
) -> Array:
    """The array of an input."""
    what = f"the input {tensor.name}"
    shape = shape_in(item, what)
    data_type = item.get("datatype")
    if data_type != tensor.data_type:
        raise bad_request(f"{what} has elements of {tensor.data_type}, not {str(data_type)[:20]}")
    if not tensor.accepts(shape):
        raise bad_request(f"{what} has the shape {tensor.shape_text}, not {list(shape)[:20]}")
    if size is None:
        return array_of_json(item.get("data"), shape, tensor.dtype, what)
    if "data" in item:
        raise bad_request(f'{what} has "data" and binary data')
    return array_of_bytes(data, shape, tensor.dtype, what)


def shape_in(item: Mapping[str, object], what: str) -> Sequence[int]:
    """The shape of an input."""
    shape = list_of(item.get("shape"))
    if shape is None or any(type(size) is not int or size < 0 for size in shape):
        raise bad_request(f'"shape" of {what} is a list of sizes')
    return shape


# ---- outputs


def read_outputs(
    message: Mapping[str, object], parameters: Mapping[str, object], model: ServedModel
) -> Sequence[RequestedOutput]:
    """Reads the requested outputs; all outputs, unless the request lists some."""
    default = parameters.get("binary_data_output") is True
    positions = {tensor.name: position for position, tensor in enumerate(model.outputs)}
    if "outputs" not in message:
        return [RequestedOutput(i, tensor, default) for i, tensor in enumerate(model.outputs)]
    outputs: list[RequestedOutput] = []
    for item in list_in(message, "outputs"):
        tensor = tensor_named(item.get("name"), model.outputs, "output", model)
        what = f"the output {tensor.name}"
        own = object_in(item, "parameters", what)
        reject_unknown(own, what)
        is_binary = own.get("binary_data", default) is True
        outputs.append(RequestedOutput(positions[tensor.name], tensor, is_binary))
    return outputs


@dataclass(frozen=True, slots=True)
class InferenceResponse:
    """The body of a response.

    Attributes:
        content: The JSON, then binary data.
        head_length: The bytes of the JSON; None if there are no binary data.
    """

    content: bytes
    head_length: int | None


def response_of(
    request: InferenceRequest, results: Sequence[Array], model: ServedModel
) -> InferenceResponse:
    """The response with the results of the program."""
    binary: list[memoryview[int]] = []
    outputs: list[dict[str, object]] = []
    for output in request.outputs:
        array = results[output.position]
        described: dict[str, object] = {
            "name": output.tensor.name,
            "datatype": NAMES[array.dtype],
            "shape": list(array.shape),
        }
        if output.is_binary:
            binary.append(bytes_of_array(array))
            described["parameters"] = {"binary_data_size": len(binary[-1])}
        else:
            described["data"] = json_of_array(array)
        outputs.append(described)
    message = {"model_name": model.name, "model_version": model.version, "outputs": outputs}
    if request.id is not None:
        message["id"] = request.id
    head = json.dumps(message).encode()
    return InferenceResponse(b"".join([head, *binary]), len(head) if binary else None)


def error_message(error: RequestError) -> bytes:
    """The JSON of an error."""
    return json.dumps({"error": str(error)}).encode()
