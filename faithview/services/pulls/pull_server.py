"""Another tool's server over HTTP: retries, waits and error messages.

The key is sent only to the server's own address: a redirect is followed only to the same host. Errors and messages
never contain it.
"""

import base64
import email.utils
import json
import random
import ssl
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.domain.reply_body import ACCEPTED, ReplyBody, ReplyDamaged, ReplyRefused
from faithview.formats.limits import load_json
from faithview.services.pulls.tool import Address, Params, basic
from faithview.version import __version__
from faithview.wording import numbers as fmt

_ATTEMPTS = 6
# A server that never answered is more likely a wrong address, so there are fewer retries.
_FIRST_ATTEMPTS = 3
# A server that says when to retry gets more retries than one that only fails.
_TIMES_TOLD_TO_WAIT = 30
_FIRST_WAIT_S, _LONGEST_BACKOFF_S = 1.0, 30.0
_LONGEST_WAIT_S = 900.0
_REDIRECTS = 5
_MOST_BYTES = 1 << 28
_TIMEOUT = httpx.Timeout(60.0, connect=15.0)
_ASK_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_SHOWN_CHARACTERS = 200


class Server:
    """A server that answers with JSON.

    Args:
        address: where it is.
        say: called with a sentence before each retry.
        wait: sleeps that many seconds.

    Raises:
        InvalidInput: the URL is not the address of a web server, or the key cannot be sent as a header.
    """

    def __init__(
        self, address: Address, *, say: Callable[[str], None], wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._address = address
        self._base, headers = _clean(address)
        self._say, self._wait = say, wait
        self._secrets = _secrets(headers)
        self._has_answered = False
        headers |= {
            "Accept": "application/json",
            "Accept-Encoding": ACCEPTED,
            "User-Agent": f"faithview/{__version__}",
        }
        self._client = httpx.Client(headers=headers, timeout=_TIMEOUT, follow_redirects=False, verify=_certificates())

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @property
    def host(self) -> str:
        """The host, with its port if one is named."""
        return urlsplit(self._base).netloc

    @property
    def base_url(self) -> str:
        """The address without name, password and trailing slash."""
        return self._base

    def get(self, path: str, params: Params | None = None) -> Any:
        """Return the JSON at a path of the server.

        Raises:
            PullFailed: the server refuses, or fails after several retries; the message says which and what to do.
        """
        return self._ask("GET", path, params=params)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Post a query and return the JSON reply; a query changes nothing, so it may be repeated.

        Raises:
            PullFailed: as for `get`.
        """
        return self._ask("POST", path, body=body)

    def _ask(
        self, method: str, path: str, *, params: Params | None = None, body: Mapping[str, Any] | None = None
    ) -> Any:
        failures = told = 0
        while True:
            found: Any = None
            try:
                response = self._send(method, f"{self._base}{path}", params=params, body=body)
            except httpx.HTTPError as error:
                problem, wait = PullFailed(self._broken(error)), None
            except ReplyDamaged as error:
                problem, wait = PullFailed(f"{self.host} ended its reply early: {error}."), None
            else:
                self._has_answered = True
                if response.status_code not in _ASK_AGAIN:
                    found, broken = self._read(response, path)
                    if broken is None:
                        return found
                    problem, wait = broken, None
                else:
                    problem, wait = self._refusal(response, path), _told_to_wait(response)
            if wait is None:
                failures += 1
                wait = min(_LONGEST_BACKOFF_S, _FIRST_WAIT_S * 2 ** (failures - 1))
                wait *= random.uniform(0.5, 1.0)  # noqa: S311 - spreads requests, hides nothing
            else:
                told += 1
            if failures >= (_ATTEMPTS if self._has_answered else _FIRST_ATTEMPTS) or told > _TIMES_TOLD_TO_WAIT:
                raise problem
            if wait > _LONGEST_WAIT_S:
                minutes = fmt.fixed(wait / 60, 0)
                raise PullFailed(
                    f"{self.host} asks to wait {minutes} minutes; run the same command later to continue.",
                    status=problem.status,
                )
            self._say(f"{str(problem).rstrip('.')}; trying again in {max(1, round(wait))} s.")
            self._wait(wait)

    def _send(self, method: str, url: str, *, params: Params | None, body: Mapping[str, Any] | None) -> httpx.Response:
        try:
            request = self._client.build_request(method, url, params=params, json=body)
        except UnicodeEncodeError:  # half a surrogate pair in an id
            raise PullFailed(
                f"{self.host} sent an id that is not a string, so the records below it cannot be requested."
            ) from None
        for _ in range(_REDIRECTS):
            response = self._client.send(request, stream=True)
            try:
                content = self._content(response)
            finally:
                response.close()
            if response.next_request is None:
                return httpx.Response(
                    response.status_code,
                    headers={name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers},
                    content=content,
                )
            request = self._same_host(request, response.next_request, response.status_code)
        raise PullFailed(f"{self.host} redirects in a loop; check --url.")

    def _same_host(self, request: httpx.Request, following: httpx.Request, status: int) -> httpx.Request:
        there, here = following.url, request.url
        is_safe = there.scheme == here.scheme or (here.scheme, there.scheme) == ("http", "https")
        if there.host != here.host or not is_safe or (there.scheme == here.scheme and there.port != here.port):
            raise PullFailed(
                f"{self.host} redirects to {there.scheme}://{there.netloc.decode('ascii', 'replace')}, where the key "
                "is not sent; give that address with --url if it is the right one.",
                status=status,
            )
        if following.method != request.method:
            raise PullFailed(
                f"{self.host} redirects a request to {there.path}; give the full address with --url.", status=status
            )
        # httpx drops the key if the scheme changes; the host is the same, so it is added again.
        return self._client.build_request(
            request.method,
            there,
            headers={"Content-Type": request.headers["Content-Type"]} if request.content else {},
            content=request.content,
        )

    def _content(self, response: httpx.Response) -> bytes:
        try:
            taken = ReplyBody(response.headers.get_list("content-encoding"), most=_MOST_BYTES)
        except ReplyRefused as error:
            raise PullFailed(f"{self.host} {error}.") from None
        try:
            for block in response.iter_raw():
                taken.take(block)
        except ReplyRefused as error:
            raise PullFailed(f"{self.host} {error}; smaller pages, with --page-size, may help.") from None
        return taken.whole()

    def _read(self, response: httpx.Response, path: str) -> tuple[Any, PullFailed | None]:
        """Return the reply, or None and the reason for a retry.

        Raises:
            PullFailed: a retry would not help.
        """
        if not response.is_success:
            raise self._refusal(response, path)
        try:
            return load_json(response.content), None
        except (json.JSONDecodeError, UnicodeDecodeError):
            status = response.status_code
            if _is_page(response):
                raise PullFailed(
                    f"{self.host} answered {path} with a web page instead of JSON (status {status}); check --url.",
                    status=status,
                ) from None
            return None, PullFailed(
                f"{self.host} answered {path} with incomplete JSON (status {status}).", status=status
            )
        except ValueError as error:  # JSON with too many levels or values
            raise PullFailed(f"The reply of {self.host} at {path} was not read, because {error}.") from None

    def _refusal(self, response: httpx.Response, path: str) -> PullFailed:
        status = response.status_code
        keys = " and ".join(self._address.key_variables) or "the key"
        said = self._error_text(response)
        if status == 401:
            text = f"{self.host} does not accept the key (status 401); check {keys}."
        elif status == 403:
            text = f"{self.host} does not let this key read {path} (status 403); check {keys} and --source-project."
        elif status == 404:
            text = f"{self.host} has nothing at {path} (status 404); check --url and --source-project."
        elif status == 429:
            text = f"{self.host} got too many requests (status 429)."
        elif status >= 500:
            text = f"{self.host} failed at {path} (status {status})."
        else:
            text = f"{self.host} refused {path} (status {status})."
        return PullFailed(f"{text} It says: {said}" if said else text, status=status)

    def _error_text(self, response: httpx.Response) -> str:
        """Return the server's error message, on one line, without the key."""
        if _is_page(response):
            return ""
        try:
            found = load_json(response.content[:_MOST_SAID])
        except ValueError:  # it may be cut off
            found = response.content[:_MOST_SAID].decode("utf-8", "replace")
        if isinstance(found, dict):
            found = next((found[name] for name in ("message", "detail", "error") if found.get(name)), "")
        text = " ".join((found if isinstance(found, str) else json.dumps(found)).split())
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"

    def _broken(self, error: httpx.HTTPError) -> str:
        # Without the error's message, which may quote the request.
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError):
            return f"{self.host} cannot be reached ({type(error).__name__})."
        if isinstance(error, httpx.TimeoutException):
            return f"{self.host} did not answer within {_TIMEOUT.read:g} seconds; a smaller --page-size may help."
        return f"{self.host} ended its reply early ({type(error).__name__})."


_KEPT_HEADERS = ("content-type", "retry-after")
_MOST_SAID = 4096


@cache
def _certificates() -> ssl.SSLContext:
    """Return the trusted certificates, cached, because reading them takes longer than most requests."""
    return httpx.create_ssl_context()


def _clean(address: Address) -> tuple[str, dict[str, str]]:
    text = address.url.strip().strip("\"'").rstrip("/")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise InvalidInput(
            "The server's address must begin with https:// or http://, name a host and have nothing after its path."
        )
    headers = dict(address.headers)
    if parts.username is not None and "Authorization" not in headers:
        login = httpx.URL(text)
        headers["Authorization"] = basic(login.username, login.password)
    for value in headers.values():
        if not value.isascii() or not value.isprintable():
            keys = " and ".join(address.key_variables) or "the key"
            raise InvalidInput(f"The key contains invalid characters; check {keys}.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    netloc = host if port is None else f"{host}:{port}"
    return f"{parts.scheme.lower()}://{netloc}{parts.path}", headers


def _secrets(headers: Mapping[str, str]) -> list[str]:
    """Return the secrets to keep out of messages: header values, their parts, and their decoded content."""
    found = set(headers.values())
    for value in headers.values():
        word, _, rest = value.partition(" ")
        if word == "Basic":
            found.update(base64.b64decode(rest).decode("utf-8", "replace").split(":", 1))
        found.add(rest)
    return sorted((secret for secret in found if len(secret) > 3), key=len, reverse=True)


def _is_page(response: httpx.Response) -> bool:
    start = response.content[:200].lstrip().lower()
    return "html" in response.headers.get("content-type", "") or start.startswith((b"<!doctype", b"<html"))


def _told_to_wait(response: httpx.Response) -> float | None:
    """Return the seconds to wait by `Retry-After`, which is a number or a time; None without it."""
    text = response.headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(text)) if float(text) < float("inf") else None
    except ValueError:
        pass
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
