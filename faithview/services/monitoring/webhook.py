"""Post alerts to a webhook: one JSON document per run, in a form that Slack and similar chats understand.

Uses the standard library: one POST needs no client that keeps connections.
"""

import base64
import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

from faithview.documents.monitoring import WebhookDocument
from faithview.domain.alert import Alert
from faithview.domain.run import RunSummary
from faithview.version import __version__

TIMEOUT_S = 10.0


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Turns a redirection into an error: following it would send a GET without the alerts to another address."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


def post(url: str, document: Mapping[str, Any], *, timeout_s: float = TIMEOUT_S) -> str | None:
    """Send a document; return None if the webhook accepted it, else the reason why not.

    The URL is a secret: anyone who knows it can write to the channel. No returned text contains it or the errors' own
    messages, which quote it.
    """
    if not url.lower().startswith(("http://", "https://")):
        return "The webhook's address must begin with https:// or http://."
    opener = urllib.request.build_opener(_NoRedirect)
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": f"faithview/{__version__}"}
    try:
        url, password = _split_password(url)
        if password:
            headers["Authorization"] = f"Basic {password}"
        body = json.dumps(document, allow_nan=False).encode("ascii")
        request = urllib.request.Request(url, data=body, headers=headers, method="POST")  # noqa: S310 - checked above
        with opener.open(request, timeout=timeout_s):
            return None
    except urllib.error.HTTPError as error:
        error.close()
        return f"The webhook answered with status {error.code}."
    except TimeoutError:
        return f"The webhook did not answer within {timeout_s:g} seconds."
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            return f"The webhook did not answer within {timeout_s:g} seconds."
        return f"The webhook could not be reached ({type(error.reason).__name__})."
    except (OSError, http.client.HTTPException, ValueError) as error:
        return f"The webhook could not be reached ({type(error).__name__})."


def alert_document(summary: RunSummary, alerts: Sequence[Alert]) -> dict[str, Any]:
    """Return what is posted about a run: a `WebhookDocument`."""
    text = "\n".join(_escape(alert.message) for alert in alerts)
    return WebhookDocument.of(text=text, run=summary, alerts=alerts).to_dict()


def _split_password(url: str) -> tuple[str, str]:
    """Return the address without the name and password in it, and these encoded for basic authentication.

    Left in the address they would be taken for part of the host name and sent to a DNS server.
    """
    parts = urllib.parse.urlsplit(url)
    login, at, host = parts.netloc.rpartition("@")
    if not at:
        return url, ""
    plain = urllib.parse.unquote_to_bytes(login)
    return urllib.parse.urlunsplit(parts._replace(netloc=host)), base64.b64encode(plain).decode("ascii")


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
