"""Serves one page to the local browser."""

from __future__ import annotations

import secrets
import webbrowser
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import click


def serve(html: str, title: str) -> None:
    """Opens a page in the browser and serves it until Ctrl-C.

    Only this machine can ask for it, and only who knows the address, which holds a random part.
    """
    with PageServer(html) as server:
        click.echo(f"{title}: {server.url}\nCtrl-C ends this.", err=True)
        webbrowser.open(server.url)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


class PageServer(ThreadingHTTPServer):
    """A server of one page, on the loopback interface.

    Attributes:
        content: The page.
        path: Where it is; all else is not found.
    """

    daemon_threads = True

    def __init__(self, html: str) -> None:
        super().__init__(("127.0.0.1", 0), PageHandler)
        self.content = html.encode()
        self.path = f"/{secrets.token_urlsafe(24)}/"

    @property
    def host(self) -> str:
        """The host name that browsers use; requests for others are rejected."""
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{self.host}{self.path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores the error: a browser that disconnects is none."""


class PageHandler(BaseHTTPRequestHandler):
    """Serves the page."""

    server_version = "stablemate"
    sys_version = ""

    def do_GET(self) -> None:
        """Serves the page at its address."""
        server = self.server
        assert isinstance(server, PageServer)
        asked = secrets.compare_digest(self.path.encode(), server.path.encode())
        if not asked or self.headers.get("Host") != server.host:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(server.content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        self.wfile.write(server.content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Suppresses the log line that ``http.server`` writes for each request."""
