"""The first result of a model in this process, from its file, and the memory that it took.

python -m benchmarks.inference.first_result PEER MODEL BATCH FOLDER THREADS
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from benchmarks.inference.peers import PEERS, Case


def main() -> None:
    """Prints the seconds and the peak of memory in MB; the runtime is imported in this time."""
    peer, name, batch, folder, threads = sys.argv[1:]
    case = Case(name, int(batch), Path(folder), int(threads))
    begun = time.perf_counter()
    PEERS[peer](case)()
    seconds = time.perf_counter() - begun
    print(seconds, peak_kilobytes() / 1024)


def peak_kilobytes() -> int:
    """The peak of this program's memory; that of getrusage contains the parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


if __name__ == "__main__":
    main()
