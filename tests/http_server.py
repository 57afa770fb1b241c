"""A web server of a test's own on this machine, in a thread; what it answers is up to the test."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Handler(BaseHTTPRequestHandler):
    """Answers a request of any kind; a test's own handler says how."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each body waits 40 ms for the headers to be acknowledged

    def answer(self, body: bytes) -> None:
        """Answer the request, whose body has been read."""
        raise NotImplementedError

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Send the status and the headers."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def reply(self, content: bytes = b"", *, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Send a whole reply."""
        self.begin(status, {"Content-Length": str(len(content)), **(headers or {})})
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass

    def _take(self) -> None:
        # A client that has left is no fault. Its traceback would be printed in this thread, which parses source for it;
        # CPython 3.11 then fails a test that parses source at the same moment.
        with suppress(ConnectionError):
            self.answer(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    do_GET = do_POST = _take  # noqa: N815 - the names that http.server looks for


@contextmanager
def serving(handler: type[Handler]) -> Iterator[str]:
    """Run a server for the length of a block; yields its URL, without a slash at the end."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join(10)
