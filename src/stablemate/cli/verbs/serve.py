"""``stablemate serve``: a server of programs, in the Open Inference protocol."""

from __future__ import annotations

from typing import Any, Final

import click

from stablemate.cli.options import BoundedNumber, WholeNumber, model_options, shared_options

PACKAGES: Final = ("starlette", "uvicorn", "httptools", "prometheus_client")  # of the extra


@click.command("serve")
@click.argument("models", nargs=-1, required=True, metavar="MODEL...", type=click.Path())
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=WholeNumber(0, 65535), default=8000, show_default=True, metavar="N",
    help="The port; 0 for one that is free.",
)  # fmt: skip
@click.option(
    "--max-batch", type=WholeNumber(min=1), default=32, show_default=True, metavar="N",
    help="Join requests of up to N rows, where rows do not depend on each other; 1 joins none.",
)  # fmt: skip
@click.option(
    "--max-delay", type=BoundedNumber(0, 10_000), default=0.0, show_default=True, metavar="MS",
    help="How many milliseconds a request waits for others while nothing runs.",
)  # fmt: skip
@click.option(
    "--max-body", type=WholeNumber(1, 1 << 16), default=64, show_default=True, metavar="MIB",
    help="The largest body of a request, in MiB.",
)  # fmt: skip
@click.option(
    "--max-requests", type=WholeNumber(min=1), default=256, show_default=True, metavar="N",
    help="How many requests may be in progress; more of them get 503.",
)  # fmt: skip
@click.option(
    "--queue", type=WholeNumber(min=1), default=128, show_default=True, metavar="N",
    help="How many requests may wait for a model; more of them get 429.",
)  # fmt: skip
@click.option(
    "--timeout", type=BoundedNumber(0.001, 86_400), default=60.0, show_default=True,
    metavar="SECONDS",
    help="How long a request may wait and run; then it gets 504.",
)  # fmt: skip
@click.option(
    "--threads", type=WholeNumber(min=1), metavar="N",
    help="How many threads native code may use.",
)  # fmt: skip
@model_options
@shared_options
def command(**options: Any) -> None:
    """Serve programs over HTTP, in the Open Inference protocol (KServe, version 2).

    A MODEL is a file, NAME=FILE, or a folder, of which every program is served; it is called as
    its file without the ending. A native library that 'build' made is a MODEL, too: libNAME.so.
    It needs the extra 'serve': pip install ".[serve]".
    """
    try:
        # Here and not above: it is an extra.
        from stablemate.cli.verbs.served_programs import serve_models
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in PACKAGES:
            raise
        raise click.ClickException(
            f"serve needs {error.name}: pip install {' '.join(PACKAGES)}"
        ) from None
    serve_models(**options)
