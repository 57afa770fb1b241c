"""A tool's server over HTTP: its JSON, asked for again where that may help; its key, sent to no other host."""

import base64
import math
from collections.abc import Callable, Mapping
from time import sleep
from typing import Any

import httpx

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.hosts import is_loopback
from faithview.version import __version__
from faithview.wording.numbers import fixed

_PAUSES_S = (1.0, 2.0, 4.0, 8.0, 16.0, math.inf)
_LONGEST_PAUSE_S = 900.0
_SHOWN_CHARACTERS = 200


class Server(httpx.Client):
    """A client of one server that answers with JSON; it follows no redirect, so the key goes to no other host.

    Args:
        url: the server's address; a name and a password in it are a login.
        keys: the environment variables of the key, for messages.
        say: called with a sentence before a request is repeated, and if others on the network can read the key.
        headers: sent with every request.
        login: a name and a password, for basic authentication.

    Raises:
        InvalidInput: the URL is not the address of a web server, or the key cannot be sent in a header.
    """

    def __init__(
        self,
        url: str,
        *,
        keys: str,
        say: Callable[[str], None],
        headers: Mapping[str, str] | None = None,
        login: tuple[str, str] = ("", ""),
    ) -> None:
        try:
            address = httpx.URL(url.rstrip("/"))
        except httpx.InvalidURL:
            address = httpx.URL("")
        if address.scheme not in ("http", "https") or not address.host or address.query or address.fragment:
            raise InvalidInput(
                "The server's address must begin with https:// or http://, name a host and have nothing after its path."
            )
        sent = {name.lower(): value for name, value in (headers or {}).items()}
        login = login if any(login) else (address.username, address.password)
        if any(login):
            sent.setdefault("authorization", "Basic " + base64.b64encode(":".join(login).encode()).decode())
        if not all(value.isascii() and value.isprintable() for value in sent.values()):
            raise InvalidInput(f"The key contains invalid characters; check {keys}.")
        self.host = address.netloc.decode("ascii")
        if address.scheme == "http" and sent and not is_loopback(address.host):
            say(f"warning: {self.host} is reached over http, so others on the network can read the key.")
        self._keys, self._say = keys, say
        self._secrets = {*login, *(value.split()[-1] for value in sent.values() if value)} - {""}
        super().__init__(
            base_url=address.copy_with(userinfo=b""),
            headers={"User-Agent": f"faithview/{__version__}", "Accept": "application/json", **sent},
            timeout=httpx.Timeout(60.0, connect=15.0),
        )

    def ask(self, path: str, query: Mapping[str, Any] | None = None, **params: Any) -> Any:
        """Return the JSON at a path. Parameters that are None are left out; a query is posted, and changes nothing.

        Too many requests (429), errors of the server (500 and above) and broken connections are tried again, with
        growing pauses, or longer ones if the server asks for them.

        Raises:
            PullFailed: the server refuses, or fails after several tries; the message says which and what to do.
        """
        method, params = "GET" if query is None else "POST", {k: v for k, v in params.items() if v is not None}
        for pause in _PAUSES_S:
            told = ""
            try:
                response = self.request(method, path, params=params, json=query)
                if response.is_success and not _is_page(response):
                    return response.json()
                problem, told = self._refusal(response, path), response.headers.get("retry-after", "")
                if response.status_code < 500 and response.status_code != 429:
                    raise problem
            except (httpx.HTTPError, ValueError) as error:  # its own message may quote the request
                problem = PullFailed(f"{self.host} cannot be reached or broke off ({type(error).__name__}).")
            wait = max(pause, float(told) if told.isdecimal() else 0.0)
            if wait > _LONGEST_PAUSE_S:
                break
            self._say(f"{problem} Trying again in {fixed(wait, 0)} s.")
            sleep(wait)
        raise problem

    def _refusal(self, response: httpx.Response, path: str) -> PullFailed:
        status = response.status_code
        meaning = {
            401: f"does not accept the key; check {self._keys}",
            403: f"does not let this key read {path}; check {self._keys} and --source-project",
            404: f"has nothing at {path}; check --url and --source-project",
            429: f"got too many requests; it asks to wait {response.headers.get('retry-after', 'some')} s",
        }.get(status, f"did not answer {path} with JSON; check --url")
        said = "" if _is_page(response) else " ".join(response.text.split())
        if response.is_redirect:
            said = f"go to {response.headers.get('location', '').partition('?')[0]}"
        for secret in sorted(self._secrets, key=len, reverse=True):
            said = said.replace(secret, "***")
        told = f" It says: {said[:_SHOWN_CHARACTERS]}" if said else ""
        return PullFailed(f"{self.host} {meaning} (status {status}).{told}", status=status)


def _is_page(response: httpx.Response) -> bool:
    return "html" in response.headers.get("content-type", "")
