"""The plugin: registers the platform ``stablemate`` with JAX."""

from __future__ import annotations

import atexit
import os
import re
import sys
from functools import cache
from threading import main_thread
from typing import Final

from stablemate.bridges import jax_internals
from stablemate.fork_safety import fork_safe_lock
from stablemate.immortal import immortalize

PLATFORM: Final = "stablemate"
PRIORITY: Final = -100  # below XLA's own CPU client: who wants this one says so
FORCED_DEVICES: Final = re.compile(r"--xla_force_host_platform_device_count=(\d+)")
# A jaxlib that expects another version of the profiler's interface would crash when a trace starts.
UNKNOWN_PROFILER: Final = (0, 11)
CREATION: Final = fork_safe_lock()


def initialize() -> None:
    """Registers the platform; nothing is built before JAX first needs it."""
    xla_bridge = jax_internals.xla_bridge()
    nonexperimental: set[str] = getattr(xla_bridge, "_nonexperimental_plugins", set())
    nonexperimental.add(PLATFORM)
    if PLATFORM not in xla_bridge._backend_factories:
        xla_bridge.register_backend_factory(
            PLATFORM, make_client, priority=PRIORITY, fail_quietly=False, experimental=False
        )


def make_client() -> object:
    """A client for JAX.

    Where XLA's CPU client was not asked for, this one is what ``jax.devices("cpu")`` finds too:
    callbacks and DLPack ask for it.

    Raises:
        RuntimeError: The system is Windows.
    """
    if sys.platform == "win32":
        raise RuntimeError(
            "JAX runs on stablemate on Linux and macOS: the backend needs POSIX threads and "
            "semaphores, which Windows lacks; sm.from_jax and sm.compile work there"
        )
    xla_bridge = jax_internals.xla_bridge()
    xla_client = jax_internals.xla_client()

    from stablemate.pjrt import lowered_costs, special_functions
    from stablemate.pjrt.callbacks import (
        buffer_callbacks,
        custom_partitioning,
        host_callbacks,
        python_callbacks,
    )
    from stablemate.pjrt.capsule import capsule
    from stablemate.pjrt.transfers import dlpack_import

    if not xla_client.pjrt_plugin_loaded(PLATFORM):
        xla_client.load_pjrt_plugin_with_c_api(PLATFORM, capsule())
        if jax_internals.jaxlib_version() < UNKNOWN_PROFILER:
            jax_internals.profiler().register_plugin_profiler(capsule())
    if not xla_client.pjrt_plugin_initialized(PLATFORM):
        xla_client.initialize_pjrt_plugin(PLATFORM)
    python_callbacks.install()
    buffer_callbacks.install()
    host_callbacks.install()
    custom_partitioning.install()
    dlpack_import.install()
    special_functions.install()
    lowered_costs.install()
    distributed = jax_internals.distributed_state().global_state
    client = xla_client.make_c_api_client(
        PLATFORM, client_options(), distributed.client, **transfer_options()
    )
    xla_bridge._backends.setdefault("cpu", client)
    keep_clients_at_the_end()
    if not main_thread().is_alive():  # handlers that are registered now may not be called
        immortalize(client)
    return client


@cache
def keep_clients_at_the_end() -> None:
    """Keeps clients when the process ends, and in the child of a fork; registered once.

    jaxlib joins the threads of a client when it destroys it, and holds Python's lock meanwhile: a
    thread that compiles would wait for that, and in a child the threads do not exist.
    """
    atexit.register(keep_clients)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=keep_clients)


def keep_clients() -> None:
    """Lets the clients of this platform live as long as the process."""
    xla_bridge = jax_internals.xla_bridge()
    for client in {id(client): client for client in xla_bridge._backends.values()}.values():
        if "stablemate" in str(client.platform_version):
            immortalize(client)


def transfer_options() -> dict[str, object]:
    """How arrays are copied to other processes, if JAX's settings name a socket for that."""
    xla_bridge = jax_internals.xla_bridge()
    make_factory = getattr(xla_bridge, "_make_transfer_server_factory", None)  # JAX 0.7
    factory = None if make_factory is None else make_factory()
    return {} if factory is None else {"transfer_server_factory": factory}


def client() -> object:
    """The client of this process; created on demand if JAX uses other platforms only.

    Raises:
        RuntimeError: JAX cannot create it.
    """
    xla_bridge = jax_internals.xla_bridge()
    backends = xla_bridge._backends
    if PLATFORM in backends:
        return backends[PLATFORM]
    initialize()
    xla_bridge.backends()
    with CREATION:
        if PLATFORM not in xla_bridge._backends:
            xla_bridge._backends[PLATFORM] = make_client()
    return xla_bridge._backends[PLATFORM]


def client_options() -> dict[str, object]:
    """The number of devices, where JAX's own settings say one, and the processes of a job."""
    xla_bridge = jax_internals.xla_bridge()
    asked = int(xla_bridge.num_cpu_devices.value)
    if asked < 0 and (forced := FORCED_DEVICES.search(os.environ.get("XLA_FLAGS", ""))):
        asked = int(forced[1])
    options: dict[str, object] = {"num_devices": asked} if asked > 0 else {}
    distributed = jax_internals.distributed_state().global_state
    if distributed.client is not None:
        options |= {"node_id": distributed.process_id, "num_nodes": distributed.num_processes}
    return options
