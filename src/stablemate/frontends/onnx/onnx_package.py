"""The package ``onnx``: models as plain data, schemas and the bodies of functions.

Nothing else in this front end imports it. The package imports ``ml_dtypes``, for which NumPy takes
half a second; its messages and its schemas, two modules that import no other, are imported alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.machinery import PathFinder
from importlib.util import find_spec
from itertools import zip_longest
from math import prod
from pathlib import Path
from stat import S_ISREG
from types import ModuleType
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.errors import FileError, LimitError, ParseError, UnsupportedError
from stablemate.diagnostics.file_errors import reason
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.frontends.onnx import message_rules
from stablemate.frontends.onnx.element_types import NUMBERS, STRING, element_of
from stablemate.frontends.onnx.model import (
    DEFAULT_DOMAIN,
    AttributeReference,
    Dimension,
    Graph,
    LocalFunction,
    Model,
    Node,
    StoredTensor,
    ValueInfo,
    ValueType,
    normal_domain,
)
from stablemate.frontends.onnx.wire import DamagedMessageError, without_elements
from stablemate.lazy_imports import import_alone
from stablemate.numerics.elements import Array, ElementType, element_of_dtype

Proto = Any  # a message of the package
LARGEST_VERSION: Final = (1 << 31) - 1
EXTERNAL: Final = 1  # TensorProto.DataLocation
# Larger tensors are views of the file, where elements may begin anywhere; a view holds all of it.
MOST_COPIED: Final = 1 << 16
GRAPHS: Final = (5, 10)  # types of attributes
ATTRIBUTE_FIELDS: Final = {1: "f", 2: "i", 3: "s", 6: "floats", 7: "ints", 8: "strings"}


# Where a message has the elements of a tensor that are not raw: the field, and its type in NumPy.
INT32_DATA: Final = "int32_data", np.int32
ELEMENTS: Final[Mapping[int, tuple[str, type[np.generic]]]] = {
    1: ("float_data", np.float32), 7: ("int64_data", np.int64), 11: ("double_data", np.float64),
    12: ("uint64_data", np.uint64), 13: ("uint64_data", np.uint64),
    14: ("float_data", np.float32), 15: ("double_data", np.float64),
}  # fmt: skip


@cache
def messages() -> ModuleType:
    """The module of the package's messages.

    Raises:
        UnsupportedError: The package is not installed.
    """
    return module_alone("onnx_ml_pb2")


@cache
def schemas() -> ModuleType:
    """The module of the package's schemas of operators.

    Raises:
        UnsupportedError: The package is not installed.
    """
    extension = module_alone("onnx_cpp2py_export")
    defs: ModuleType = extension.defs
    return defs


def module_alone(name: str) -> ModuleType:
    """A module of the package, which itself is not imported.

    Raises:
        UnsupportedError: The package is not installed.
    """
    try:
        return import_alone("onnx", name)
    except ImportError as error:
        raise UnsupportedError("models of ONNX need the package onnx: pip install onnx") from error


def identity() -> str:
    """Identifies the package, whose versions know other operators, without importing it.

    Raises:
        UnsupportedError: It is not installed.
    """
    found = PathFinder.find_spec("onnx") or find_spec("onnx")
    if found is None or found.origin is None:
        return str(messages().__file__)  # a package without a file, or none
    status = Path(found.origin).stat()
    return f"{found.origin} {status.st_size} {status.st_mtime_ns}"


# ---- models


def read_model(content: bytes | memoryview[int], name: str, folder: Path | None) -> Model:
    """A model from its bytes.

    Args:
        content: The bytes.
        name: What messages call it.
        folder: Where its external data are; None if it has none.

    Raises:
        ParseError: They are no model, or damaged.
        UnsupportedError: The package is not installed.
    """
    try:
        rest, elements = without_elements(memoryview(content))
        proto = messages().ModelProto.FromString(rest)
    except (DamagedMessageError, ValueError, RecursionError) as error:
        raise ParseError(f"{name}: the model of ONNX is damaged: {error}") from error
    except Exception as error:  # DecodeError, whose class depends on the implementation of protobuf
        if type(error).__name__ != "DecodeError":
            raise
        raise ParseError(f"{name}: the model of ONNX is damaged: {error}") from error
    return replace(Reader(folder, name).model(proto, elements), content=content)


def read_tensor(content: bytes, name: str) -> Array:
    """The elements of a tensor from its bytes.

    Raises:
        ParseError: They are no tensor, or damaged.
        UnsupportedError: The package is not installed, or the elements are strings.
    """
    try:
        proto = messages().TensorProto.FromString(content)
    except Exception as error:  # DecodeError, whose class depends on the implementation of protobuf
        if type(error).__name__ != "DecodeError":
            raise
        raise ParseError(f"{name}: the tensor of ONNX is damaged: {error}") from error
    element_of(proto.data_type, name)
    return Reader(None, name).tensor(proto).read()


class Reader:
    """Reads messages as plain data.

    Attributes:
        folder: Where external data are; None if there are none.
        name: What messages call the model.
    """

    def __init__(self, folder: Path | None, name: str) -> None:
        self.folder = folder
        self.name = name
        self.files: dict[Path, Array] = {}

    def model(self, proto: Proto, elements: Sequence[memoryview | None] = ()) -> Model:
        """A model.

        Args:
            proto: The message.
            elements: The raw elements of each initializer, where they were taken out of it.
        """
        if not proto.HasField("graph"):
            raise ParseError(f"{self.name}: the model of ONNX has no graph")
        if not proto.opset_import:
            raise ParseError(f"{self.name}: the model of ONNX states no opset_import")
        self.require_format(proto.ir_version)
        imports = [(normal_domain(text(e.domain)), e.version) for e in proto.opset_import]
        self.reject(message_rules.wrong_versions(imports))
        functions = [self.function(function) for function in proto.functions]
        return Model(
            graph=self.graph(proto.graph, elements),
            # A domain that is not stated has its newest version, as in ONNX Runtime.
            versions={DEFAULT_DOMAIN: newest_version(), **versions_of(proto.opset_import)},
            functions={(function.domain, function.name): function for function in functions},
            ir_version=proto.ir_version,
            producer_name=text(proto.producer_name),
            producer_version=text(proto.producer_version),
            domain=text(proto.domain),
            model_version=proto.model_version if proto.HasField("model_version") else None,
            description=text(proto.doc_string),
            metadata={text(e.key): text(e.value) for e in proto.metadata_props},
            files=self.files,
        )

    def require_format(self, version: int) -> None:
        """Refuses a version of the format that the package does not know.

        Raises:
            ParseError: It is none.
            UnsupportedError: It is newer.
        """
        newest = messages().IR_VERSION
        if version < 1:
            raise ParseError(f"{self.name}: the model of ONNX states no version of the format")
        if version > newest:
            raise UnsupportedError(
                f"{self.name}: the model is of version {version} of the format; the package onnx "
                f"knows {newest} of them"
            )

    def reject(self, wrong: str) -> None:
        """Refuses a message about which there is something to say.

        Raises:
            ParseError: There is.
        """
        if wrong:
            raise ParseError(f"{self.name}: {wrong}")

    def function(self, proto: Proto) -> LocalFunction:
        """The message of a function that a model defines, without protobuf."""
        defaults: dict[str, Any] = dict.fromkeys(map(text, proto.attribute))
        defaults |= {text(a.name): self.attribute(a) for a in proto.attribute_proto}
        return LocalFunction(
            text(proto.name), normal_domain(text(proto.domain)), texts(proto.input),
            texts(proto.output),
            [self.node(node) for node in proto.node], defaults, versions_of(proto.opset_import),
        )  # fmt: skip

    def graph(
        self, proto: Proto, elements: Sequence[memoryview | None] = (), *, is_inner: bool = False
    ) -> Graph:
        """A graph.

        Args:
            proto: The message.
            elements: As for ``model``.
            is_inner: Whether it is an attribute: the types of its inputs may be left out.
        """
        pairs = zip_longest(proto.initializer, elements)
        constants = [self.tensor(tensor, raw) for tensor, raw in pairs]
        constants += [self.sparse_tensor(tensor) for tensor in proto.sparse_initializer]
        if not is_inner:
            self.reject(message_rules.wrong_value_types(proto.input, "input"))
            self.reject(message_rules.wrong_value_types(proto.output, "output"))
        graph = Graph(
            text(proto.name),
            [self.node(node) for node in proto.node],
            [value_info(value) for value in proto.input],
            [value_info(value) for value in proto.output],
            {tensor.name: tensor for tensor in constants},
            {text(value.name): value_type(value.type) for value in proto.value_info},
            text(proto.doc_string),
        )
        self.require_single_names(graph, [tensor.name for tensor in constants])
        return graph

    def require_single_names(self, graph: Graph, constants: Sequence[str]) -> None:
        """Refuses a graph in which two values have one name; a constant may have an input's.

        Raises:
            ParseError: Two have.
        """
        inputs = [value.name for value in graph.inputs]
        self.reject(message_rules.repeated_name(inputs, "inputs"))
        self.reject(message_rules.repeated_name(constants, "constants"))
        writers = [(node.label, node.outputs) for node in graph.nodes]
        self.reject(message_rules.wrong_writers([*inputs, *constants], writers))

    def node(self, proto: Proto) -> Node:
        """The message of a node, without protobuf, after its attributes were checked."""
        self.reject(message_rules.wrong_attributes(proto))
        return Node(
            text(proto.op_type), normal_domain(text(proto.domain)), text(proto.name),
            texts(proto.input),
            texts(proto.output), {text(a.name): self.attribute(a) for a in proto.attribute}, proto,
        )  # fmt: skip

    def attribute(self, proto: Proto) -> Any:
        """The value of an attribute."""
        if proto.ref_attr_name:
            return AttributeReference(text(proto.ref_attr_name))
        kind = proto.type
        if kind in ATTRIBUTE_FIELDS:
            return plain(getattr(proto, ATTRIBUTE_FIELDS[kind]))
        match kind:
            case 4:
                return self.tensor(proto.t)
            case 5:
                return self.graph(proto.g, is_inner=True)
            case 9:
                return [self.tensor(tensor) for tensor in proto.tensors]
            case 10:
                return [self.graph(graph, is_inner=True) for graph in proto.graphs]
            case 11:
                return self.sparse_tensor(proto.sparse_tensor)
            case 13:
                return value_type(proto.tp)
            case _:
                raise ParseError(f"{self.name}: the attribute {proto.name} has no type")

    def tensor(self, proto: Proto, raw: memoryview | None = None) -> StoredTensor:
        """A tensor, whose elements are read when they are needed; ``raw`` if that has them."""
        shape = tuple(proto.dims)
        if any(size < 0 for size in shape):
            raise ParseError(f"{self.name}: the tensor {proto.name} has the shape {list(shape)}")
        has_raw = raw is not None or proto.HasField("raw_data")
        self.reject(message_rules.wrong_elements(proto, has_raw=has_raw))
        return StoredTensor(
            text(proto.name), proto.data_type, shape, partial(self.elements, proto, shape, raw)
        )

    def sparse_tensor(self, proto: Proto) -> StoredTensor:
        """A sparse tensor, with its zeros."""
        values, indices = self.tensor(proto.values), self.tensor(proto.indices)
        shape = tuple(proto.dims)

        def read() -> Array:
            return self.dense(values, indices.read(), shape)

        return StoredTensor(values.name, values.data_type, shape, read)

    def dense(self, values: StoredTensor, places: Array, shape: tuple[int, ...]) -> Array:
        """The elements of a sparse tensor, with its zeros.

        Raises:
            LimitError: There are too many.
            ParseError: It has elements outside of its shape, or not as many as places.
        """
        elements, most = values.read(), DEFAULT_LIMITS.tensor_bytes
        if prod(shape) * elements.itemsize > most:
            raise LimitError(f"{self.name}: {values.name!r} has more than {most} bytes")
        result = np.zeros(shape, elements.dtype)
        try:
            if places.ndim == 1:
                result.reshape(-1)[places] = elements
            else:
                result[tuple(places.T)] = elements
        except (IndexError, ValueError) as error:
            raise ParseError(f"{self.name}: {values.name!r} is damaged: {error}") from error
        return result

    # elements

    def elements(
        self, proto: Proto, shape: tuple[int, ...], raw: memoryview | None = None
    ) -> Array:
        """The elements of a tensor.

        Raises:
            ParseError: There are too few or too many.
            FileError: External data cannot be read.
        """
        what = f"the tensor {proto.name!r}"
        if proto.data_type == STRING:
            if len(proto.string_data) != prod(shape):
                count = len(proto.string_data)
                raise ParseError(f"{self.name}: {what} of {prod(shape)} strings has {count}")
            return string_array(proto, shape)
        element = element_of(proto.data_type, what)
        if proto.data_location == EXTERNAL:
            return self.unpack_elements(self.external_bytes(proto), element, shape, what)
        if raw is not None or proto.HasField("raw_data"):
            data = np.frombuffer(proto.raw_data if raw is None else raw, np.uint8)
            return self.unpack_elements(data, element, shape, what)
        field, kind = ELEMENTS.get(proto.data_type, INT32_DATA)
        data = bytes_of(np.array(getattr(proto, field), kind), element)
        return self.unpack_elements(data, element, shape, what)

    def unpack_elements(
        self, data: Array, element: ElementType, shape: tuple[int, ...], what: str
    ) -> Array:  # fmt: skip
        """Elements from their bytes, little-endian; several of fewer than 8 bits share a byte.

        Raises:
            ParseError: The bytes are not as many as the elements take.
        """
        count, bits = prod(shape), element.bits if str(element) != "i1" else 8
        if data.size != -(-count * bits // 8):
            raise ParseError(
                f"{self.name}: {what} of {count} elements of {bits} bits has {data.size} bytes"
            )
        if bits >= 8:
            elements = data.view(element.dtype).reshape(shape)
            return elements if data.nbytes > MOST_COPIED else elements.copy()
        if bits == 6:
            words = np.unpackbits(data, bitorder="little")[: count * bits].reshape(count, bits)
            return np.packbits(words, axis=1, bitorder="little").view(element.dtype).reshape(shape)
        return narrow_elements(data, bits, count).view(element.dtype).reshape(shape)

    def external_bytes(self, proto: Proto) -> Array:
        """The bytes of a tensor in another file, which is mapped.

        Raises:
            FileError: The file is none of the model's folder, is missing, or is too short.
        """
        entries = {text(entry.key): text(entry.value) for entry in proto.external_data}
        what = f"{self.name}: the external data of {proto.name!r}"
        path = self.external_path(entries.get("location", ""), what)
        content = self.map_file(path, what)
        offset = stated_number(entries, "offset", 0, what)
        length = stated_number(entries, "length", content.size - offset, what)
        if length < 0 or offset + length > content.size:
            raise FileError(
                f"{what} are {length} bytes at offset {offset} of {path.name}, which has "
                f"{content.size} bytes"
            )
        return content[offset : offset + length]

    def external_path(self, location: str, what: str) -> Path:
        """The path of external data.

        Raises:
            FileError: It leads out of the model's folder.
        """
        if self.folder is None:
            raise FileError(f"{what} are in {location!r}; load the model from its path")
        if not location or "\0" in location:
            raise FileError(f"{what} have the location {location!r}, which names no file")
        folder = self.folder.resolve()
        path = (folder / location).resolve()
        if not path.is_relative_to(folder):
            raise FileError(f"{what} are outside of the model's folder: {location!r}")
        return path

    def map_file(self, path: Path, what: str) -> Array:
        """The bytes of a file, mapped once.

        Raises:
            FileError: It cannot be read, or is no regular file: a pipe is never opened.
        """
        if path not in self.files:
            try:
                status = path.stat()
                if not S_ISREG(status.st_mode):
                    raise FileError(f"{what} cannot be read: {path.name} is no regular file")
                is_empty = not status.st_size
                self.files[path] = (
                    np.zeros(0, np.uint8) if is_empty else np.memmap(path, np.uint8, "r")
                )
            except FileError:
                raise
            except (OSError, ValueError) as error:
                raise FileError(f"{what} cannot be read: {path.name}: {reason(error)}") from error
        return self.files[path]


def stated_number(entries: Mapping[str, str], key: str, default: int, what: str) -> int:
    """A number of external data.

    Raises:
        ParseError: It is none, or negative.
    """
    text = entries.get(key)
    if text is None:
        return default
    if not text.isdecimal():
        raise ParseError(f"{what} have the {key} {text!r}, which is no number")
    return int(text)


def string_array(proto: Proto, shape: tuple[int, ...]) -> Array:
    """Strings as an array of objects."""
    texts: Array = np.empty(len(proto.string_data), object)
    texts[:] = [text.decode(errors="surrogateescape") for text in proto.string_data]
    return texts.reshape(shape)


def bytes_of(words: Array, element: ElementType) -> Array:
    """The bytes of elements that a message has as wider numbers, as raw ones would be.

    Those of 6 bits have a number each; of fewer bits, a number has a byte of several.
    """
    if str(element) == "i1":
        words = words != 0
    elif element.bits == 6:
        bits = np.unpackbits(words.astype(np.uint8)[:, None], axis=1, bitorder="little")
        words = np.packbits(bits[:, :6].reshape(-1), bitorder="little")
    elif words.dtype.kind in "iu":
        words = words.astype(f"u{max(element.bits // 8, 1)}")
    return words.view(np.uint8)


def narrow_elements(data: Array, bits: int, count: int) -> Array:
    """Elements of fewer than 8 bits, in a byte each; the first is in the lowest bits."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    fields = (data[:, None] >> shifts) & np.uint8((1 << bits) - 1)
    return fields.reshape(-1)[:count]


def plain(value: Any) -> Any:
    """A number, text or list of them of an attribute."""
    if isinstance(value, bytes):
        return value.decode(errors="surrogateescape")
    if isinstance(value, int | float):
        return value
    return [plain(item) for item in value]


def text(value: str | bytes) -> str:
    """A text of a message; one that is no UTF-8 comes as bytes."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def texts(values: Iterable[str | bytes]) -> tuple[str, ...]:
    """The texts of a list of a message."""
    return tuple(map(text, values))


def value_info(proto: Proto) -> ValueInfo:
    """The name and type of a value."""
    return ValueInfo(text(proto.name), value_type(proto.type))


def value_type(proto: Proto) -> ValueType:
    """The type that a message states, without protobuf."""
    kind = proto.WhichOneof("value")
    match kind:
        case "tensor_type" | "sparse_tensor_type":
            tensor = getattr(proto, kind)
            shape = dimensions(tensor.shape.dim) if tensor.HasField("shape") else None
            denotations = texts(dim.denotation for dim in tensor.shape.dim)
            return ValueType(
                kind.removesuffix("_type"), tensor.elem_type, shape, denotations=denotations
            )
        case "sequence_type" | "optional_type":
            item = value_type(getattr(proto, kind).elem_type)
            return ValueType(kind.removesuffix("_type"), item.data_type, item.shape, item)
        case "map_type":
            return ValueType(
                "map", proto.map_type.key_type, None, value_type(proto.map_type.value_type)
            )
        case _:
            return ValueType()


def dimensions(protos: Iterable[Proto]) -> tuple[Dimension, ...]:
    """The sizes of a shape."""
    return tuple([dimension(proto) for proto in protos])


def dimension(proto: Proto) -> Dimension:
    """A size, the name of one, or None."""
    if proto.HasField("dim_value"):
        return int(proto.dim_value) if proto.dim_value >= 0 else None
    return text(proto.dim_param) or None


def versions_of(imports: Iterable[Proto]) -> dict[str, int]:
    """The version of each domain."""
    return {normal_domain(text(entry.domain)): entry.version for entry in imports}


# ---- schemas


def newest_version() -> int:
    """The newest version of the default domain that the package knows."""
    version: int = schemas().schema_version_map()[DEFAULT_DOMAIN][1]
    return version


def schema_of(domain: str, name: str, version: int) -> Any:
    """The schema of an operator; None if the package knows none."""
    if not 0 < version <= LARGEST_VERSION or not schemas().has_schema(name, domain):
        return None
    try:
        return schemas().get_schema(name, version, domain)
    except Exception as error:  # SchemaError, a class of the package's extension
        if type(error).__name__ != "SchemaError":
            raise
        return None


def is_newer(domain: str, name: str, version: int) -> bool:
    """Whether the package knows an operator, but only of newer versions of its domain."""
    return schemas().has_schema(name, domain) and schema_of(domain, name, version) is None


def require_count(node: Node, version: int) -> None:
    """Refuses a node with more or fewer inputs or outputs than its operator has.

    Raises:
        ParseError: It has, or one without a name is not optional.
    """
    schema = schema_of(node.domain, node.operator, version)
    if schema is None:
        return
    for what, names, least, most in (
        ("inputs", node.inputs, schema.min_input, schema.max_input),
        ("outputs", node.outputs, schema.min_output, schema.max_output),
    ):
        if not least <= len(names) <= most:
            bounds = f"{least}" if least == most else f"{least} to {most}"
            message = f"the number of its {what} is {len(names)}, which must be {bounds}"
            raise ParseError(f"{node.qualified_operator}: {message}")
        parameters = schema.inputs if what == "inputs" else schema.outputs
        if "" in names and (missing := required_without_name(names, parameters)):
            message = f"{missing!r}, one of its {what}, has no name, and is not optional"
            raise ParseError(f"{node.qualified_operator}: {message}")


def required_without_name(names: Sequence[str], parameters: Sequence[Any]) -> str:
    """The first parameter of a schema that must be there and is not; empty if all are."""
    single = schemas().OpSchema.FormalParameterOption.Single
    for name, parameter in zip(names, parameters, strict=False):
        if not name and parameter.option == single:
            return str(parameter.name)
    return ""


def contradiction_of(node: Node, version: int) -> str:
    """How attributes contradict the schema of an operator, in words; empty if they do not.

    Those that must be stated are looked for, types are compared, and there must be no others.
    """
    schema = schema_of(node.domain, node.operator, version)
    if schema is None:
        return ""
    stated = {text(attribute.name): attribute for attribute in node.source.attribute}
    for name, known in schema.attributes.items():
        if known.required and name not in node.attributes:
            return f"the attribute {name!r} is missing"
        found = stated[name].type if name in stated else 0
        if found not in (0, known.type.value):  # 0 in bodies of the standard: a reference
            kind = messages().AttributeProto.AttributeType.Name(found)
            return f"the attribute {name!r} is of type {kind}, which must be {known.type.name}"
    unknown = sorted(stated.keys() - schema.attributes.keys())
    return f"it has no attributes {unknown}" if unknown else ""


def contradiction_of_types(
    node: Node, version: int, types: Sequence[ValueType], values: Mapping[str, Array]
) -> str:
    """How inputs contradict the schema of an operator, in words; empty if they do not.

    Args:
        node: The node.
        version: The version of its domain.
        types: The types of its inputs.
        values: The elements of inputs that are known, by name.
    """
    schema = schema_of(node.domain, node.operator, version)
    named = {name: known for name, known in zip(node.inputs, types, strict=False) if name}
    has_graphs = any(attribute.type in GRAPHS for attribute in node.source.attribute)
    are_tensors = all(known.kind == "tensor" and known.data_type for known in named.values())
    if (
        schema is None or not named or has_graphs or not are_tensors
    ):  # lists do not know the types of sequences
        return ""
    described = {name: type_message(known).SerializeToString() for name, known in named.items()}
    data = {
        name: tensor_message(array).SerializeToString()
        for name, array in values.items()
        if name in node.inputs
    }
    newest = messages().IR_VERSION
    try:
        schema._infer_node_outputs(
            node_message(node).SerializeToString(), described, data, {}, {}, newest
        )
    except Exception as error:  # classes of the package's extension
        what, message = type(error).__name__, str(error)
        if what not in ("InferenceError", "ValidationError", "ValueError"):
            raise
        # Of what the package validates, ONNX Runtime refuses wrong element types.
        if what != "ValidationError" or "inconsistent type" in message or "unsupported" in message:
            return message.rpartition("Error] ")[2].strip().rstrip(".")
    return ""


def has_body(domain: str, name: str, version: int) -> bool:
    """Whether the standard defines an operator by a function."""
    schema = schema_of(domain, name, version)
    return schema is not None and (schema.has_function or schema.has_context_dependent_function)


def body_of(node: Node, version: int, types: Sequence[ValueType]) -> LocalFunction | None:
    """The function by which the standard defines an operator; None if it does not.

    Args:
        node: A call of it.
        version: The version of its domain.
        types: The types of the inputs of the call.
    """
    schema = schema_of(node.domain, node.operator, version)
    if schema is None:
        return None
    if schema.has_function:
        known = schema.function_opset_versions
        content = schema.get_function_with_opset_version(chosen_version(known, version))
    elif schema.has_context_dependent_function:
        known = schema.context_dependent_function_opset_versions
        content = schema.get_context_dependent_function_with_opset_version(
            chosen_version(known, version), node_message(node).SerializeToString(),
            [type_message(item).SerializeToString() for item in types],
        )  # fmt: skip
    else:
        return None
    reader = Reader(None, node.operator)
    function = reader.function(messages().FunctionProto.FromString(content))
    defaults = {
        name: reader.attribute(default)
        for name, attribute in schema.attributes.items()
        if (default := default_of(attribute)).name
    }
    return LocalFunction(
        function.name, function.domain, function.inputs, function.outputs, function.nodes,
        {**dict.fromkeys(schema.attributes), **function.defaults, **defaults}, function.versions,
    )  # fmt: skip


def default_of(attribute: Any) -> Proto:
    """The default of an attribute of a schema; without a name if it has none."""
    return messages().AttributeProto.FromString(attribute._default_value)


def node_message(node: Node) -> Proto:
    """A node as a message of the package, with the attributes that were resolved in it."""
    message = messages().NodeProto()
    message.CopyFrom(node.source)
    stated = [attribute for attribute in message.attribute if not attribute.ref_attr_name]
    if len(stated) == len(message.attribute):
        return message
    resolved = [
        attribute_message(reference.name, reference.type, node.attributes.get(text(reference.name)))
        for reference in message.attribute
        if reference.ref_attr_name
    ]
    del message.attribute[:]
    message.attribute.extend([*stated, *filter(None, resolved)])
    return message


def attribute_message(name: str, kind: int, value: Any) -> Proto:
    """An attribute as a message of the package; None if it has no value, or one of another kind.

    Args:
        name: Its name.
        kind: Its number of ``AttributeProto.AttributeType``.
        value: Its value.
    """
    if kind not in ATTRIBUTE_FIELDS or not isinstance(value, int | float | str | list):
        return None
    try:
        return messages().AttributeProto(
            name=name, type=kind, **{ATTRIBUTE_FIELDS[kind]: encoded(value)}
        )
    except (TypeError, ValueError):
        return None


def encoded(value: Any) -> Any:
    """The value of an attribute as messages have it; see ``plain``."""
    if isinstance(value, str):
        return value.encode(errors="surrogateescape")
    if isinstance(value, int | float):
        return value
    return [encoded(item) for item in value]


def tensor_message(array: Array) -> Proto:
    """A tensor as a message of the package.

    Args:
        array: The tensor, of an element type that ONNX has.
    """
    element = element_of_dtype(array.dtype)
    assert element is not None
    message = messages().TensorProto(dims=array.shape, data_type=NUMBERS[element])
    message.raw_data = array.tobytes()
    return message


def chosen_version(known: Sequence[int], version: int) -> int:
    """The newest version of a body that is not newer than a version, or the oldest one."""
    older = [item for item in known if item <= version]
    return max(older) if older else min(known)


def type_message(known: ValueType) -> Proto:
    """A type as a message of the package."""
    message = messages().TypeProto()
    match known.kind:
        case "tensor":
            message.tensor_type.elem_type = known.data_type
            if known.shape is not None:
                message.tensor_type.shape.SetInParent()
            for size in known.shape or ():
                dimension = message.tensor_type.shape.dim.add()
                if isinstance(size, int):
                    dimension.dim_value = size
        case "sequence" if known.item is not None:
            message.sequence_type.elem_type.CopyFrom(type_message(known.item))
        case "optional" if known.item is not None:
            message.optional_type.elem_type.CopyFrom(type_message(known.item))
        case _:
            pass
    return message


def data_type_of(element: ElementType) -> int:
    """The number of an element type; 0 if there is none."""
    return NUMBERS.get(element, 0)


def operator_names(domain: str) -> list[str]:
    """The operators of a domain that the package knows."""
    return sorted({s.name for s in schemas().get_all_schemas() if s.domain == domain})
