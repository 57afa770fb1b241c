"""A tool's server over HTTP: its JSON, asked for again where that may help; its key, sent to no other host."""

import base64
import email.utils
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.formats.limits import load_json
from faithview.version import __version__
from faithview.wording import numbers as fmt

_TRIES = 6
_ASK_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_WAIT_S = 900.0
_SHOWN_CHARACTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The address of a server, and what is sent to it with every request.

    `variables` are the environment variables that hold the key, for messages; a name and a password in `url` become
    basic authentication.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    login: tuple[str, str] | None = field(default=None, repr=False)
    variables: tuple[str, ...] = ()


class Server:
    """A server that answers with JSON; a context manager.

    Args:
        address: where it is.
        say: called with a sentence before a request is repeated.
        wait: sleeps that many seconds.

    Raises:
        InvalidInput: the URL is not the address of a web server, or the key cannot be sent in a header.
    """

    def __init__(
        self, address: Address, *, say: Callable[[str], None], wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._keys = " and ".join(address.variables) or "the key"
        try:
            url = httpx.URL(address.url.strip().rstrip("/"))
        except httpx.InvalidURL:
            url = httpx.URL("")
        if url.scheme not in ("http", "https") or not url.host or url.query or url.fragment:
            raise InvalidInput(
                "The server's address must begin with https:// or http://, name a host and have nothing after its path."
            )
        headers, login = dict(address.headers), address.login or (url.username, url.password)
        if any(login):
            headers.setdefault("Authorization", "Basic " + base64.b64encode(":".join(login).encode()).decode())
        if not all(value.isascii() and value.isprintable() for value in headers.values()):
            raise InvalidInput(f"The key contains invalid characters; check {self._keys}.")
        self._secrets = sorted({*login, *(value.split()[-1] for value in headers.values() if value)} - {""}, key=len)
        self.base_url = str(url.copy_with(userinfo=b""))
        self.host = url.netloc.decode("ascii")
        self.host_name = url.host
        self.sends_key_openly = url.scheme == "http" and bool(headers)
        self._say, self._wait = say, wait
        self._client = httpx.Client(
            base_url=self.base_url,
            headers={"User-Agent": f"faithview/{__version__}", "Accept": "application/json", **headers},
            timeout=httpx.Timeout(60.0, connect=15.0),
        )

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def get(self, path: str, **params: Any) -> Any:
        """Return the JSON at a path; parameters that are None are left out.

        Raises:
            PullFailed: the server refuses, or fails after several tries; the message says which and what to do.
        """
        return self._ask("GET", path, params={name: value for name, value in params.items() if value is not None})

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Post a query and return the JSON reply; a query changes nothing, so it may be repeated. Raises as `get`."""
        return self._ask("POST", path, json=body)

    def _ask(self, method: str, path: str, **request: Any) -> Any:
        for tried in range(1, _TRIES + 1):
            wait = float(2 ** (tried - 1))
            try:
                response = self._client.request(method, path, **request)
            except (httpx.InvalidURL, UnicodeEncodeError):
                raise PullFailed(f"{self.host} sent an id that cannot be asked for; it is not a usual text.") from None
            except httpx.HTTPError as error:  # its own message may quote the request
                problem = PullFailed(f"{self.host} cannot be reached or broke off ({type(error).__name__}).")
            else:
                if response.status_code in _ASK_AGAIN:
                    problem = self._refusal(response, path)
                    wait = _told_to_wait(response) if "retry-after" in response.headers else wait
                else:
                    try:
                        return self._read(response, path)
                    except (json.JSONDecodeError, UnicodeDecodeError):
                        problem = PullFailed(f"{self.host} answered {path} with incomplete JSON.")
            if wait > _LONGEST_WAIT_S:
                raise PullFailed(f"{self.host} asks to wait {fmt.fixed(wait / 60, 0)} minutes.", status=problem.status)
            if tried < _TRIES:
                self._say(f"{str(problem).rstrip('.')}; trying again in {max(1, round(wait))} s.")
                self._wait(wait)
        raise problem

    def _read(self, response: httpx.Response, path: str) -> Any:
        """Return a reply's JSON. Raises JSONDecodeError if it is not whole, PullFailed if another try will not help."""
        status = response.status_code
        if response.is_redirect:
            where = response.headers.get("location", "").partition("?")[0]
            raise PullFailed(
                f"{self.host} redirects to {where}, where the key is not sent; give the right address with --url.",
                status=status,
            )
        if not response.is_success:
            raise self._refusal(response, path)
        if _is_page(response):
            raise PullFailed(
                f"{self.host} answered {path} with a web page instead of JSON (status {status}); check --url.",
                status=status,
            )
        try:
            return load_json(response.content)
        except (json.JSONDecodeError, UnicodeDecodeError):
            raise
        except ValueError as error:  # too many levels or values
            raise PullFailed(f"The reply of {self.host} at {path} was not read, because {error}.") from None

    def _refusal(self, response: httpx.Response, path: str) -> PullFailed:
        status = response.status_code
        meaning = {
            401: f"does not accept the key (status 401); check {self._keys}.",
            403: f"does not let this key read {path} (status 403); check {self._keys} and --source-project.",
            404: f"has nothing at {path} (status 404); check --url and --source-project.",
            429: "got too many requests (status 429).",
        }.get(status, f"{'failed at' if status >= 500 else 'refused'} {path} (status {status}).")
        said = "" if _is_page(response) else " ".join(response.text.split())
        try:
            found = load_json(response.content)
            if isinstance(found, dict):
                said = str(next((found[name] for name in ("message", "detail", "error") if found.get(name)), ""))
        except ValueError:  # not JSON: as it is
            pass
        for secret in reversed(self._secrets):
            said = said.replace(secret, "***")
        said = said if len(said) <= _SHOWN_CHARACTERS else said[:_SHOWN_CHARACTERS] + "…"
        return PullFailed(f"{self.host} {meaning}" + (f" It says: {said}" if said else ""), status=status)


def _is_page(response: httpx.Response) -> bool:
    return "html" in response.headers.get("content-type", "") or response.content[:1] == b"<"


def _told_to_wait(response: httpx.Response) -> float:
    """Return the seconds to wait by `Retry-After`, which is a number or a time; 1 if it is neither."""
    written = response.headers["retry-after"].strip()
    if written.isdecimal():
        return float(written)
    try:
        moment = email.utils.parsedate_to_datetime(written)
    except ValueError:
        return 1.0
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
