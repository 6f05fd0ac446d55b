"""``stablemate cache``: lists and removes the compiled programs on disk."""

from __future__ import annotations

import click

from stablemate.cli.options import format_option, shared_options


@click.command("cache")
@click.argument("action", type=click.Choice(["info", "clear"]), default="info")
@format_option
@shared_options
def command(action: str, output_format: str) -> None:
    """List the compiled programs on disk, or remove them.

    STABLEMATE_CACHE_DIR names the directory; STABLEMATE_CACHE_BYTES limits its size.
    """
    # Here and not above, because it loads much: help and completion stay instant.
    import json

    from stablemate.compiler.config.disk_cache import cache

    kept = cache()
    entries = kept.clear() if action == "clear" else kept.entries()
    facts: dict[str, object] = {
        "directory": str(kept.directory),
        "programs": len(entries),
        "bytes": sum(entry.bytes for entry in entries),
        "most_bytes": kept.max_bytes,
    }
    if output_format == "json":
        click.echo(json.dumps(facts, indent=2))
        return
    counted = f"{facts['programs']} programs, {facts['bytes']} bytes"
    if action == "clear":
        click.echo(f"{kept.directory}: removed {counted}")
    else:
        click.echo(f"{kept.directory}: {counted} of at most {facts['most_bytes']}")
