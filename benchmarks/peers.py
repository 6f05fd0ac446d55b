"""The compilers and interpreters that are compared, and the process that times one of them.

Started by ``bench_peers.py`` from the root of the repository, once per peer and program:

    python -m benchmarks.peers PEER PROGRAM.mlir RESULT.npz

Writes a JSON line with the times of the stages and the memory, then answers every line of seconds
on stdin with the median time of the runs that fit into them.
"""

import json
import os
import pathlib
import resource
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final, Protocol

import numpy as np

from tests.programs.program import Array, load_program

ONE_OPERATION: Final = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


class Peer(Protocol):
    """What is asked of a peer; its imports happen when it is created, outside of any time."""

    def stages(self, path: pathlib.Path) -> Iterator[str]:
        """Read and compile the program; yield the name of each stage when it is done."""
        ...

    def bind(self, arrays: Sequence[Array]) -> None:
        """Take the arguments into buffers of the peer's own, where it has such."""
        ...

    def run(self) -> Any:
        """Run once, to the end; results stay in the peer's own buffers."""
        ...

    def fetch(self, results: Any) -> list[Array]:
        """What ``run`` returned, as NumPy arrays."""
        ...


class Xla:
    """XLA:CPU in jaxlib. Parsing verifies too, so that its load contains a verify."""

    def __init__(self) -> None:
        """Import."""
        import jax
        from jax._src.interpreters import mlir
        from jax._src.lib import xla_client
        from jaxlib.mlir import ir

        self._jax, self._client, self._ir = jax, xla_client, ir
        self._context = mlir.make_ir_context()
        self._device = jax.devices("cpu")[0]

    def stages(self, path: pathlib.Path) -> Iterator[str]:
        """Parse, verify, compile."""
        with self._context:
            module = self._ir.Module.parse(path.read_text())
        yield "load"
        module.operation.verify()
        yield "verify"
        devices, options = self._client.DeviceList((self._device,)), self._client.CompileOptions()
        self._executable = self._device.client.compile_and_load(module, devices, options)
        yield "compile"

    def bind(self, arrays: Sequence[Array]) -> None:
        """Copy to the device."""
        self._buffers = [self._jax.device_put(array, self._device) for array in arrays]

    def run(self) -> Any:
        """Execute and wait."""
        results = self._executable.execute_sharded(self._buffers)
        shards = [shard[0] for shard in results.disassemble_into_single_device_arrays()]
        for shard in shards:
            shard.block_until_ready()
        return shards

    def fetch(self, results: Any) -> list[Array]:
        """Copy from the device."""
        return [np.asarray(result) for result in results]


class Reference:
    """The upstream reference interpreter in jaxlib; legalizing CHLO is its compilation."""

    def __init__(self) -> None:
        """Import."""
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import stablehlo

        from tests.oracle import answers

        self._answers, self._ir, self._stablehlo = answers, ir, stablehlo
        self._context = answers.new_context()

    def stages(self, path: pathlib.Path) -> Iterator[str]:
        """Parse, verify, legalize."""
        self._module = self._answers.parse(path.read_text(), self._context)
        yield "load"
        self._module.operation.verify()
        yield "verify"
        with self._context:
            self._answers.legalize_chlo(self._module)
        yield "compile"

    def bind(self, arrays: Sequence[Array]) -> None:
        """Make attributes."""
        with self._context, self._ir.Location.unknown():
            self._arguments = [self._answers.attribute(array) for array in arrays]

    def run(self) -> Any:
        """Interpret."""
        with self._context:
            return self._stablehlo.eval_module(self._module, self._arguments)

    def fetch(self, results: Any) -> list[Array]:
        """Read the literals."""
        from tests.oracle.elements import read_literal

        return [read_literal(str(result)) for result in results]


class Iree:
    """IREE's compiler and runtime, if installed; all of its compiler is one stage."""

    def __init__(self, driver: str = "local-task") -> None:
        """Import.

        Args:
            driver: ``local-task``, or ``local-sync`` for no threads.
        """
        from iree import compiler, runtime

        self._compiler, self._runtime = compiler, runtime
        self._config = runtime.Config(driver)

    def stages(self, path: pathlib.Path) -> Iterator[str]:
        """Compile."""
        binary = self._compiler.compile_str(
            path.read_text(),
            target_backends=["llvm-cpu"],
            input_type="stablehlo",
            extra_args=["--iree-llvmcpu-target-cpu=host"],
        )
        context = self._runtime.SystemContext(config=self._config)
        context.add_vm_module(self._runtime.VmModule.copy_buffer(context.instance, binary))
        self._main = list(context.modules.items())[-1][1]["main"]
        yield "compile"

    def bind(self, arrays: Sequence[Array]) -> None:
        """Copy to the device."""
        self._buffers = [self._runtime.asdevicearray(self._config.device, a) for a in arrays]

    def run(self) -> Any:
        """Execute."""
        return self._main(*self._buffers)

    def fetch(self, results: Any) -> list[Array]:
        """Copy from the device."""
        several = results if isinstance(results, tuple | list) else [results]
        return [result.to_host() for result in several]


class Stablemate:
    """This project's compiler."""

    BACKEND: ClassVar[str] = "cpu"

    def __init__(self, *, prepared: bool = True) -> None:
        """Import.

        Args:
            prepared: Whether what loading and compiling need is imported now, as a client of XLA
                has it when it is created; else with the first program.
        """
        import stablemate

        if prepared:
            stablemate.compile(stablemate.load(ONE_OPERATION), backend=self.BACKEND)
        self._stablemate = stablemate

    def stages(self, path: pathlib.Path) -> Iterator[str]:
        """Load, verify, compile."""
        module = self._stablemate.load(path)
        yield "load"
        module.verify()
        yield "verify"
        self._executable = self._stablemate.compile(module, backend=self.BACKEND)
        yield "compile"

    def bind(self, arrays: Sequence[Array]) -> None:
        """Keep the arrays: they are used where they are."""
        self._arrays = arrays

    def run(self) -> Any:
        """Execute."""
        return self._executable(*self._arrays)

    def fetch(self, results: Any) -> list[Array]:
        """One result comes bare, several in a tuple."""
        return list(results) if isinstance(results, tuple) else [results]


class StablemateInterpreter(Stablemate):
    """This project's interpreter."""

    BACKEND = "interpreter"


PEERS: Final[dict[str, type[Peer]]] = {
    "xla": Xla,
    "ref": Reference,
    "iree": Iree,
    "interpreter": StablemateInterpreter,
    "stablemate": Stablemate,
}


def peak_mb() -> float:
    """Peak resident memory of this process; ``ru_maxrss`` counts the parent's before exec."""
    try:
        status = pathlib.Path("/proc/self/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def median_run(peer: Peer, seconds: float) -> float:
    """Median time of at least three runs, behind one that is not counted."""
    times: list[float] = []
    peer.run()
    end = time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        peer.run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def widened(array: Array) -> Array:
    """Values in f64 or complex, since .npz keeps no narrow types."""
    return array if array.dtype.kind == "c" else array.astype(np.float64)


def main() -> None:
    """Run one peer on one program, as the driver asks."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print must not mix in
    name, path, result = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    _, arrays = load_program(path.stem, path.parent)
    peer = PEERS[name]()
    times: dict[str, float] = {}
    start = time.perf_counter()
    for stage in peer.stages(path):
        times[stage] = time.perf_counter() - start
        start = time.perf_counter()
    peer.bind(arrays)
    start = time.perf_counter()
    results = peer.run()
    times["first run"] = time.perf_counter() - start
    np.savez(result, *map(widened, peer.fetch(results)))
    del results
    print(json.dumps({"times": times, "peak_mb": peak_mb()}), file=replies, flush=True)
    for line in sys.stdin:
        print(json.dumps(median_run(peer, float(line))), file=replies, flush=True)


if __name__ == "__main__":
    main()
